// SPDX-License-Identifier: Apache-2.0
/* name.c -- the name of an intrinsic: prefix, base, words between underscores. */
#include <stdarg.h>
#include <string.h>

#include "code.h"

static const struct ocg_base bases[] = {
#define OCG_BASE(text, judge, code, since, words, does) {text, ocg_judge_##judge, ocg_code_##code, since, words, does},
#include "bases.def"
};

/* The words of the two asynchronous bases. */
static const struct {
	const char *word, *bases;
} async_words[] = {
#define OCG_TOKEN(word, class, value, bases, number, document) {word, #bases},
#include "async.def"
};

enum { BASES = sizeof bases / sizeof *bases, ASYNC_WORDS = sizeof async_words / sizeof *async_words };

void ocg_refuse(struct ocg_call *c, unsigned code, const char *phase, const char *format, ...)
{
	va_list ap;
	int used = 0;
	if (c->error[0])
		return;
	if (code)
		used = snprintf(c->error, sizeof c->error, "(C%u) ", code);
	va_start(ap, format);
	vsnprintf(c->error + used, sizeof c->error - (size_t)used, format, ap);
	va_end(ap);
	c->phase = phase;
}

bool ocg_has(const struct ocg_call *c, const char *word)
{
	for (unsigned i = 0; i < c->nwords; i++)
		if (strcmp(c->words[i], word) == 0)
			return true;
	return false;
}

/* The base at the start of the text, as a whole word. */
static const struct ocg_base *find_base(const char *text)
{
	for (unsigned i = 0; i < BASES; i++) {
		const size_t n = strlen(bases[i].name);
		if (strncmp(text, bases[i].name, n) == 0 && (text[n] == 0 || text[n] == '_'))
			return &bases[i];
	}
	return NULL;
}

static bool is_async(const struct ocg_base *base, const char *text, size_t n)
{
	for (unsigned i = 0; i < ASYNC_WORDS; i++)
		if (strlen(async_words[i].word) == n && memcmp(async_words[i].word, text, n) == 0 &&
		    strchr(async_words[i].bases, base->name[0] == 'r' ? 'R' : 'W'))
			return true;
	return false;
}

/* Is the text a word of the list? Blanks separate the words of the list. */
static bool is_listed(const char *list, const char *text, size_t n)
{
	for (const char *at = list; *at;) {
		const size_t len = strcspn(at, " ");
		if (len == n && memcmp(at, text, n) == 0)
			return true;
		at += len + (at[len] == ' ');
	}
	return false;
}

bool ocg_read_name(struct ocg_call *c)
{
	const char *rest = c->name + strlen(OCG_PREFIX);
	c->base = find_base(rest);
	if (!c->base) {
		ocg_refuse(c, 7300, "name", "Unexpected instrinsic name (%.900s)", c->name);
		return false;
	}
	rest += strlen(c->base->name);
	while (*rest == '_') {
		const size_t n = strcspn(++rest, "_");
		const bool known = c->base->words ? is_listed(c->base->words, rest, n) : is_async(c->base, rest, n);
		if (n == 0 || n >= OCG_MAX_WORD || !known) {
			ocg_refuse(c, 7305, "words", "Unexpected instrinsic subop (%.900s)", rest);
			return false;
		}
		if (c->nwords == OCG_MAX_WORDS) {
			ocg_refuse(c, 0, "words", "more than %d words in the name of an intrinsic", OCG_MAX_WORDS);
			return false;
		}
		memcpy(c->words[c->nwords++], rest, n);
		rest += n;
	}
	return true;
}

void ocg_judge(struct ocg_call *c)
{
	static const char text[] =
	        "In ABI compilation, %s predicate, 8-bit and 16-bit %s device functions is not supported";
	if (c->small_param)
		ocg_refuse(c, 0, "declaration", text, "passing", "parameters to");
	if (c->small_return)
		ocg_refuse(c, 0, "declaration", text, "returning", "values from");
	if (!c->error[0] && ocg_read_name(c))
		c->base->judge(c);
}

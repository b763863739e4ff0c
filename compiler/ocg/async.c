// SPDX-License-Identifier: Apache-2.0
/* async.c -- red_async and write_async: the chain of checks in its measured order, and the modifier word. */
#include <string.h>

#include "async.h"

static const struct {
	const char *word, *bases, *document;
	enum word_class class;
	int value, number;
} tokens[] = {
#define OCG_TOKEN(word, class, value, bases, number, document) {word, #bases, document, class, value, number},
#include "async.def"
};

enum { TOKENS = sizeof tokens / sizeof *tokens };

static unsigned token_of(const struct ocg_call *c, const char *word)
{
	unsigned k = 0;
	while (k + 1 < TOKENS &&
	       (strcmp(tokens[k].word, word) != 0 || !strchr(tokens[k].bases, c->base->name[0] == 'r' ? 'R' : 'W')))
		k++;
	return k;
}

struct said ocg_async_words(const struct ocg_call *c)
{
	struct said s = {{0}, false};
	for (unsigned i = 0; i < c->nwords; i++) {
		const unsigned k = token_of(c, c->words[i]);
		s.of[tokens[k].class] = tokens[k].value;
		s.shared |= tokens[k].class == DOMAIN && tokens[k].value == SHARED;
	}
	return s;
}

const char *ocg_document_meaning(const char *word, int *number)
{
	for (unsigned k = 0; k < TOKENS; k++)
		if (strcmp(tokens[k].word, word) == 0) {
			*number = tokens[k].number;
			return tokens[k].document;
		}
	return NULL;
}

const char *ocg_word_class(const char *word)
{
	static const char *const names[CLASSES] = {"order",         "domain", "scope",    "mmio",
	                                           "data operands", "type",   "operation"};
	for (unsigned k = 0; k < TOKENS; k++)
		if (strcmp(tokens[k].word, word) == 0)
			return names[tokens[k].class];
	return "?";
}

static void say(struct ocg_call *c, const char *phase, const char *text)
{
	ocg_refuse(c, 7308, phase, "Instrinsic - \"%s\"", text);
}

unsigned ocg_async_data(const struct said *s)
{
	return s->of[VECTOR] ? (unsigned)s->of[VECTOR] : 1;
}

unsigned ocg_async_first(const struct said *s)
{
	return s->shared ? 2 : 1;
}

/* Phases 1 and 2. */
static void domain_and_count(struct ocg_call *c, const struct said *s)
{
	if (!s->of[DOMAIN])
		say(c, "1 domain", "Domain param \"_shared\" or \"_global\" required");
	if (c->noperands != ocg_async_first(s) + ocg_async_data(s))
		say(c, "2 operands", "Vector type does not match number of subops");
}

/* Phases 7 and 8. The warning stays, even if a later phase fails. */
static void order_and_scope(struct ocg_call *c, const struct said *s)
{
	if (c->error[0])
		return;
	if (s->of[SCOPE] && !s->of[ORDER])
		snprintf(c->warning, sizeof c->warning,
		         "(C7308) Instrinsic - \"Deprecated scope without memory order semantics\"");
	if (s->of[ORDER] && !s->of[SCOPE])
		say(c, "7b scope", "Required scope with memory order semantics");
	if (s->of[MMIO] && s->of[DOMAIN] != GLOBAL)
		say(c, "8 mmio", "Domain param \"_global\" required for mmio semantics");
}

/* The second half of phase 10. */
static void addresses(struct ocg_call *c, const struct said *s)
{
	for (unsigned i = 0; i < ocg_async_first(s) && i < c->noperands; i++)
		if (c->operands[i].type != OCG_U32 && c->operands[i].type != OCG_U64)
			ocg_refuse(c, 7302, "10 addresses", "Unexpected instrinsic type (?\?\?) in param (%u)", i);
}

void ocg_judge_red(struct ocg_call *c)
{
	const struct said s = ocg_async_words(c);
	const int type = s.of[TYPE], vector = s.of[VECTOR];
	const bool add = s.of[OP] == 1;
	domain_and_count(c, &s);
	if (!type)
		say(c, "3 type", "Type {u32, s32, u64} not specified");
	if (vector && type == S32)
		say(c, "4 vector", "Vector supported only for {u32, u64}");
	if (!s.of[OP])
		say(c, "5 operation", "Op {add, min, max, inc, dec, and, or, xor} not specified");
	if (s.of[DOMAIN] == GLOBAL && !add)
		say(c, "6 global", "Unsupported non _add global memory reduction");
	order_and_scope(c, &s);
	if (vector == 4 || (vector == 2 && type == U64))
		say(c, "9 width", "Invalid vector / data type combination");
	if ((type == U64 || vector == 2) && !add)
		say(c, "9 operation", "Invalid data type / op combination");
	for (unsigned i = ocg_async_first(&s); i < c->noperands; i++)
		if ((int)c->operands[i].type != type)
			say(c, "10 data", "Operand type does not match specified type");
	addresses(c, &s);
}

void ocg_judge_write(struct ocg_call *c)
{
	const struct said s = ocg_async_words(c);
	const bool word = s.of[TYPE] == U32 || s.of[TYPE] == U64;
	domain_and_count(c, &s);
	if (!s.of[TYPE])
		say(c, "3 type", "Valid type not specified");
	if (s.of[DOMAIN] == SHARED && !word)
		say(c, "3 shared type", "Type not {b32, b64} for shared memory domain");
	if (s.of[VECTOR] && !word)
		say(c, "4 vector", "Vector type not {b32, b64}");
	order_and_scope(c, &s);
	addresses(c, &s);
}

bool ocg_modifiers(const struct ocg_call *c, unsigned *word)
{
	enum { MARKER = 0x60000000, TYPE_AT = 13, OP_AT = 10, MMIO_AT = 8, ORDER_AT = 5, SCOPE_AT = 2, RELEASE = 4 };
	if (strcmp(c->base->name, "red_async") != 0)
		return false;
	const struct said s = ocg_async_words(c);
	const unsigned type = s.of[TYPE] == S32 ? 1 : s.of[TYPE] == U64 || s.of[VECTOR] == 2 ? 2 : 0;
	*word = MARKER | type << TYPE_AT | (s.of[OP] ? (unsigned)s.of[OP] - 1 : 0) << OP_AT |
	        (unsigned)s.of[MMIO] << MMIO_AT | (s.of[ORDER] ? RELEASE : 0u) << ORDER_AT |
	        (unsigned)s.of[SCOPE] << SCOPE_AT;
	*word |= c->noperands && c->operands[0].type == OCG_U32 ? 1 : 0;
	*word |= s.of[TYPE] == U32 ? 2 : 0;
	return true;
}

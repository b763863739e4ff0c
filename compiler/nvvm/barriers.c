/* SPDX-License-Identifier: Apache-2.0 */
/* barriers.c -- reads inline assembly statement by statement, for barriers of the CTA. */
#include "barriers.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPERANDS = 6, MAX_STATEMENT = 256 };

const struct nv_barrier_row *nv_barrier_row(const char *name)
{
	static const struct nv_barrier_row rows[] = {
#define NV_BARRIER(name, sig, text) {name, sig, text},
#include "barriers.def"
#undef NV_BARRIER
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

bool nv_barrier_is_plain(const struct nv_barrier *b)
{
	return b->whole == 1 && !b->result && !b->more && !b->doubt;
}

static bool begins(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* Copies a statement without comments. Returns the start of the next statement; NULL: the text ends. */
static const char *statement(const char *s, char out[MAX_STATEMENT])
{
	size_t n = 0;
	while (*s && *s != ';' && !((*s == '{' || *s == '}') && n == 0)) {
		if (begins(s, "//")) {
			s += strcspn(s, "\n");
			continue;
		}
		if (begins(s, "/*")) {
			const char *end = strstr(s + 2, "*/");
			s = end ? end + 2 : s + strlen(s);
			continue;
		}
		if (n + 1 < MAX_STATEMENT && (n || !isspace((unsigned char)*s)))
			out[n++] = isspace((unsigned char)*s) ? ' ' : *s;
		s++;
	}
	out[n] = '\0';
	return *s ? s + 1 : n ? s : NULL;
}

/* Cuts at commas. Returns the number of operands. */
static unsigned operands(char *s, char *out[MAX_OPERANDS])
{
	unsigned n = 0;
	for (char *at = s; at && n < MAX_OPERANDS;) {
		char *comma = strchr(at, ',');
		if (comma)
			*comma = '\0';
		while (*at == ' ')
			at++;
		for (size_t len = strlen(at); len && at[len - 1] == ' '; len--)
			at[len - 1] = '\0';
		out[n++] = at;
		at = comma ? comma + 1 : NULL;
	}
	return n;
}

static bool literal(const char *s, unsigned long *v)
{
	char *end;
	if (!isdigit((unsigned char)*s))
		return false;
	*v = strtoul(s, &end, 0);
	return !*end || !strcmp(end, "U");
}

static void barrier_statement(struct nv_barrier *b, const char *opcode, char *rest, bool guarded)
{
	const bool red = strstr(opcode, ".red") != NULL, arrive = strstr(opcode, ".arrive") != NULL;
	char *ops[MAX_OPERANDS];
	const unsigned n = operands(rest, ops), at = red ? 1 : 0, without_count = red ? 3 : 1;
	unsigned long number;
	if (n <= at || !literal(ops[at], &number)) {
		b->doubt = true;
	} else if (number) {
		b->more = true;
	} else if (guarded || arrive || n != without_count) {
		b->doubt = true;
	} else {
		b->whole++;
		b->result |= red;
	}
}

static bool is_cta_barrier(const char *opcode)
{
	return (begins(opcode, "bar.") && !begins(opcode, "bar.warp")) ||
	       (begins(opcode, "barrier.") && !begins(opcode, "barrier.cluster"));
}

/* Control may leave the text, or the thread ends. */
static bool leaves(const char *opcode)
{
	static const char *const words[] = {"bra", "brx", "ret", "exit", "call"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const size_t n = strlen(words[i]);
		if (!strncmp(opcode, words[i], n) && (!opcode[n] || opcode[n] == '.'))
			return true;
	}
	return false;
}

static bool is_label(const char *s)
{
	const size_t n = strlen(s);
	return n && s[n - 1] == ':';
}

/* Only registers of the text change. */
static bool is_quiet(const char *opcode)
{
	return !*opcode || !strcmp(opcode, ".reg") || begins(opcode, "setp.") || begins(opcode, "selp.");
}

static void read_statement(struct nv_barrier *b, char *s)
{
	const bool guarded = *s == '@';
	if (guarded) {
		s += strcspn(s, " ");
		s += strspn(s, " ");
	}
	const size_t n = strcspn(s, " ");
	char *rest = s[n] ? s + n + 1 : s + n;
	s[n] = '\0';
	if (is_cta_barrier(s))
		barrier_statement(b, s, rest, guarded);
	else if (leaves(s) || is_label(s))
		b->doubt = true;
	else if (!is_quiet(s))
		b->more = true;
}

struct nv_barrier nv_barrier_of(const char *text)
{
	struct nv_barrier b = {0};
	char s[MAX_STATEMENT];
	while (text && (text = statement(text, s)))
		if (strlen(s) + 1 == MAX_STATEMENT) /* cut */
			b.doubt = true;
		else
			read_statement(&b, s);
	return b;
}

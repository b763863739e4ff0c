// SPDX-License-Identifier: Apache-2.0
/* lex.c -- the tokens of PTX. Source: PTX ISA, "Syntax". The lexer looks at each byte once, for any text. */
#include <stdlib.h>
#include <string.h>

#include "lex.h"

enum { Word = 1, Digit = 2, Hex = 4, Space = 8 };

/* Character classes; bytes above 127 have none, and are valid in comments and strings only. */
static unsigned char_class(unsigned char c)
{
	if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
		return Word | Hex;
	if ((c >= 'g' && c <= 'z') || (c >= 'G' && c <= 'Z') || c == '_' || c == '$')
		return Word;
	if (c >= '0' && c <= '9')
		return Word | Digit | Hex;
	if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v')
		return Space;
	return 0;
}

void ptx_lex_init(struct ptx_lexer *l, const char *text, size_t size)
{
	l->at = l->line_start = text;
	l->end = text + size;
	l->line = 1;
	l->fresh_line = true;
}

void ptx_lex_skip_line(struct ptx_lexer *l)
{
	const char *nl = l->at < l->end ? memchr(l->at, '\n', (size_t)(l->end - l->at)) : NULL;
	l->at = nl != NULL ? nl : l->end;
}

static void new_line(struct ptx_lexer *l, const char *after)
{
	l->line++;
	l->line_start = after;
	l->fresh_line = true;
}

/* Skips white space and comments. False: the text ends in a comment, which begins at *open. */
static bool skip_space(struct ptx_lexer *l, struct ptx_lexer *open)
{
	const char *p = l->at, *end = l->end;
	for (; p < end; p++) {
		if (*p == '\n') {
			new_line(l, p + 1);
		} else if (*p == '/' && p + 1 < end && p[1] == '/') {
			const char *nl = memchr(p, '\n', (size_t)(end - p));
			if (nl == NULL) {
				p = end;
				break;
			}
			p = nl - 1;
		} else if (*p == '/' && p + 1 < end && p[1] == '*') {
			const char *q = p + 2;
			*open = *l;
			open->at = p;
			while (q + 1 < end && !(q[0] == '*' && q[1] == '/')) {
				if (*q == '\n')
					new_line(l, q + 1);
				q++;
			}
			if (q + 1 >= end) {
				l->at = end;
				return false;
			}
			p = q + 1;
		} else if (!(char_class((unsigned char)*p) & Space)) {
			break;
		}
	}
	l->at = p;
	return true;
}

static const char *words(const char *p, const char *end)
{
	while (p < end && (char_class((unsigned char)*p) & Word))
		p++;
	return p;
}

static void bad(struct ptx_token *t, const char *why)
{
	t->kind = TOK_BAD;
	t->why = why;
}

static unsigned hex_value(char c)
{
	return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a' + 10);
}

/* Digits of `base` from p to end into t->value; an unsuitable digit or more than 64 bits make the token bad. */
static void digits(struct ptx_token *t, const char *p, const char *end, unsigned base)
{
	uint64_t v = 0;
	bool over = false;
	if (p == end) {
		bad(t, "number without digits");
		return;
	}
	for (; p < end; p++) {
		unsigned d = char_class((unsigned char)*p) & Hex ? hex_value(*p) : 99;
		if (d >= base) {
			bad(t, "bad digit in a number");
			return;
		}
		over |= v > (UINT64_MAX - d) / base;
		v = v * base + d;
	}
	if (over) {
		bad(t, "integer constant does not fit in 64 bits");
		return;
	}
	t->kind = TOK_INT;
	t->value = v;
	t->is_unsigned |= v > (uint64_t)INT64_MAX;
}

/* 0fXXXXXXXX and 0dXXXXXXXXXXXXXXXX: the bits of the value. */
static void bit_float(struct ptx_token *t, const char *p, const char *end, bool single)
{
	uint64_t v = 0;
	const char *q = p;
	for (; q < end && (char_class((unsigned char)*q) & Hex); q++)
		v = v << 4 | hex_value(*q);
	if (q != end || end - p != (single ? 8 : 16)) {
		bad(t, single ? "0f needs 8 hexadecimal digits" : "0d needs 16 hexadecimal digits");
		return;
	}
	t->kind = TOK_FLOAT;
	t->is_f32 = single;
	t->is_exact = true;
	if (single) {
		float f;
		t->f32_bits = (uint32_t)v;
		memcpy(&f, &t->f32_bits, sizeof f);
		t->f64 = f;
	} else {
		memcpy(&t->f64, &v, sizeof v);
	}
}

/* A decimal with point or exponent, [p, end). strtod wants a NUL, and no meaningful number is longer. */
static void decimal_float(struct ptx_token *t, const char *p, const char *end)
{
	char copy[512];
	size_t n = (size_t)(end - p);
	char *stop;
	if (n >= sizeof copy) {
		bad(t, "number is too long");
		return;
	}
	memcpy(copy, p, n);
	copy[n] = 0;
	t->f64 = strtod(copy, &stop);
	t->kind = TOK_FLOAT;
	if (*stop)
		bad(t, "bad digit in a number");
}

static void number(struct ptx_lexer *l, struct ptx_token *t)
{
	const char *p = l->at, *end = words(p, l->end);
	if (end - p > 2 && p[0] == '0' && (p[1] | 32) == 'f') {
		bit_float(t, p + 2, end, true);
	} else if (end - p > 2 && p[0] == '0' && (p[1] | 32) == 'd') {
		bit_float(t, p + 2, end, false);
	} else {
		bool hex = end - p > 1 && p[0] == '0' && (p[1] | 32) == 'x';
		const char *q = p;
		while (q < end && (char_class((unsigned char)*q) & Digit))
			q++;
		bool point = !hex && q == end && end + 1 < l->end && *end == '.' &&
		             (char_class((unsigned char)end[1]) & Digit);
		bool exponent = !hex && q < end && (*q | 32) == 'e';
		if (point || exponent) {
			if (point)
				for (q = end + 1; q < l->end && (char_class((unsigned char)*q) & Digit);)
					q++;
			if (q < l->end && (*q | 32) == 'e') {
				q++;
				if (q < l->end && (*q == '+' || *q == '-'))
					q++;
			}
			end = words(q, l->end);
			decimal_float(t, p, end);
		} else {
			const char *last = end;
			if (last - p > 1 && (last[-1] | 32) == 'u') {
				last--;
				t->is_unsigned = true;
			}
			if (hex)
				digits(t, p + 2, last, 16);
			else if (last - p > 1 && p[0] == '0' && (p[1] | 32) == 'b')
				digits(t, p + 2, last, 2);
			else
				digits(t, p, last, p[0] == '0' ? 8 : 10);
		}
	}
	t->len = (size_t)(end - p);
	l->at = end;
}

static void dotted(struct ptx_lexer *l, struct ptx_token *t)
{
	const char *p = l->at + 1, *end = words(p, l->end);
	t->kind = TOK_DOT;
	while (end > p && end + 2 < l->end && end[0] == ':' && end[1] == ':' &&
	       (char_class((unsigned char)end[2]) & Word))
		end = words(end + 2, l->end);
	t->text = p;
	t->len = (size_t)(end - p);
	l->at = end;
	if (end == p) {
		t->text--;
		t->len = 1;
		bad(t, NULL);
	}
}

static void string(struct ptx_lexer *l, struct ptx_token *t)
{
	const char *p = l->at + 1, *q = p;
	while (q < l->end && *q != '"' && *q != '\n' && *q) /* ptxas takes a NUL for the end of the file */
		q += *q == '\\' && q + 1 < l->end && q[1] != '\n' && q[1] ? 2 : 1;
	t->kind = TOK_STRING;
	t->text = p;
	t->len = (size_t)(q - p);
	if (q >= l->end || *q != '"') {
		bad(t, "string without an end");
		l->at = q;
	} else {
		l->at = q + 1;
	}
}

static void operator_token(struct ptx_lexer *l, struct ptx_token *t)
{
	static const struct {
		char text[2];
		enum ptx_token_kind kind;
	} pairs[] = {{{'<', '<'}, TOK_SHL}, {{'>', '>'}, TOK_SHR}, {{'=', '='}, TOK_EQ},     {{'!', '='}, TOK_NE},
	             {{'<', '='}, TOK_LE},  {{'>', '='}, TOK_GE},  {{'&', '&'}, TOK_ANDAND}, {{'|', '|'}, TOK_OROR}};
	const char *p = l->at;
	for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (p + 1 < l->end && p[0] == pairs[i].text[0] && p[1] == pairs[i].text[1]) {
			t->kind = pairs[i].kind;
			t->len = 2;
			l->at += 2;
			return;
		}
	t->kind = TOK_PUNCT;
	t->ch = *p;
	l->at++;
	if (*p == 0 || strchr(",;:()[]{}<>@!|+-*/%&^~?=", *p) == NULL)
		bad(t, *p == 0 ? "NUL byte" : NULL);
}

void ptx_lex_next(struct ptx_lexer *l, struct ptx_token *t)
{
	memset(t, 0, sizeof *t);
	struct ptx_lexer open;
	const bool closed = skip_space(l, &open);
	const struct ptx_lexer *from = closed ? l : &open;
	t->line = from->line;
	t->col = (uint32_t)(from->at - from->line_start) + 1;
	t->first_on_line = from->fresh_line;
	t->text = from->at;
	l->fresh_line = false;
	if (!closed) {
		bad(t, "comment without an end");
		return;
	}
	if (l->at >= l->end) {
		t->kind = TOK_END;
		return;
	}
	char c = *l->at;
	unsigned cls = char_class((unsigned char)c);
	if (cls & Digit) {
		number(l, t);
	} else if ((cls & Word) || (c == '%' && l->at + 1 < l->end && (char_class((unsigned char)l->at[1]) & Word) &&
	                            !(char_class((unsigned char)l->at[1]) & Digit))) {
		l->at = words(l->at + 1, l->end);
		t->len = (size_t)(l->at - t->text);
		t->kind = t->len == 1 && c == '_' ? TOK_SINK : TOK_IDENT;
	} else if (c == '.') {
		dotted(l, t);
	} else if (c == '"') {
		string(l, t);
	} else {
		t->len = 1;
		operator_token(l, t);
	}
}

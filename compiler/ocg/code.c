// SPDX-License-Identifier: Apache-2.0
/* code.c -- text of PTX instructions with operands of a call, and the bases without code. */
#include "code.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

void ocg_miss(struct ocg_code *t, const char *format, ...)
{
	va_list ap;
	if (t->missing[0])
		return;
	va_start(ap, format);
	vsnprintf(t->missing, sizeof t->missing, format, ap);
	va_end(ap);
}

void ocg_lost(const struct ocg_call *c, struct ocg_code *t)
{
	ocg_miss(t, "ptxas 13.0 emits no instruction on sm_%u", c->chip);
}

unsigned ocg_bits(enum ocg_type type)
{
	switch (type) {
	case OCG_U32:
	case OCG_S32:
	case OCG_F32:
		return 32;
	case OCG_U64:
	case OCG_S64:
	case OCG_F64:
		return 64;
	case OCG_B128:
		return 128;
	default:
		return 8;
	}
}

static void add(struct ocg_code *t, const char *text, size_t n)
{
	if (t->n + n >= sizeof t->text) {
		ocg_miss(t, "the code is longer than %d bytes", OCG_MAX_CODE);
		return;
	}
	memcpy(t->text + t->n, text, n);
	t->n += n;
	t->text[t->n] = 0;
}

/* Notes the form of an operand, from the text behind `$`. */
static void note(struct ocg_code *t, const char *at)
{
	const bool digit = isdigit((unsigned char)at[1]);
	if (*at == 's' && digit)
		t->low |= 1u << (at[1] - '0');
	else if (*at == 'g' && digit)
		t->long_ |= 1u << (at[1] - '0');
	else if (*at == 'w')
		t->wide = true;
}

void ocg_put(struct ocg_code *t, const char *format, ...)
{
	char line[256];
	va_list ap;
	va_start(ap, format);
	vsnprintf(line, sizeof line, format, ap);
	va_end(ap);
	add(t, t->guard, strlen(t->guard));
	for (const char *at = line; *at; at++)
		if (*at == '$') {
			note(t, at + 1);
			add(t, OCG_REGISTER, sizeof OCG_REGISTER - 1);
		} else {
			add(t, at, 1);
		}
	add(t, "; ", 2);
}

static void no_code(struct ocg_code *t, const char *why)
{
	ocg_miss(t, "no code is built for this base: %s", why);
}

/* ptxas 13.0 has no code for any form of these bases. */
void ocg_code_none(const struct ocg_call *c, struct ocg_code *t)
{
	(void)c;
	no_code(t, "ptxas 13.0 makes none either");
}

void ocg_code_shminit(const struct ocg_call *c, struct ocg_code *t)
{
	no_code(t, c->chip < 90 ? "ptxas 13.0 emits an illegal instruction" : "ptxas 13.0 emits no instruction");
}

void ocg_code_tcbar(const struct ocg_call *c, struct ocg_code *t)
{
	(void)c;
	no_code(t, "UTCBAR belongs to the tensor cores");
}

bool ocg_code(const struct ocg_call *c, struct ocg_code *t)
{
	if (c->chip < c->base->since)
		ocg_miss(t, "no instruction of sm_%u does this; sm_%u has one", c->chip, c->base->since);
	else
		c->base->code(c, t);
	return !t->missing[0];
}

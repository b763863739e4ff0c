// SPDX-License-Identifier: Apache-2.0
/* uniform_operands.c -- loops over the lanes, or over common values of lanes, around words with uniform operands. */
#include "uniform_operands.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct minst to_uniform(struct select *s, ref v, unsigned k)
{
	struct minst in = minst_make(WL_UOP_R2UR, s->line);
	in.w.urd = (uint8_t)UNIFORM_AT(k);
	in.w.src[0] = WL_SRC_REG;
	in.ra = v;
	in.keep = true;
	return in;
}

void uniform_read(struct select *s, ref v, unsigned k, ref p)
{
	struct minst in = to_uniform(s, v, k);
	if (p != REF_NONE) {
		in.guard = p;
		in.w.guard = 0;
	}
	select_emit(s, &in);
}

void uniform_compare(struct select *s, ref v, unsigned k, ref p, bool too)
{
	struct minst in = to_uniform(s, v, k);
	in.pd[0] = p;
	if (too) { /* R2UR.OR: the predicate is a source, too */
		in.w.op = 1;
		in.ps[0] = p;
		in.w.ps[0] = 0;
	}
	select_emit(s, &in);
}

static void words(struct select *s, const char *fmt, va_list ap)
{
	char text[320], *rest = text, *end;
	vsnprintf(text, sizeof text, fmt, ap);
	while (rest) {
		end = strchr(rest, '|');
		if (end)
			*end = 0;
		select_text(s, "%s", rest);
		rest = end ? end + 1 : NULL;
	}
}

void uniform_once(struct select *s, const struct uniform_operands *u, const char *fmt, ...)
{
	va_list ap;
	for (unsigned k = 0; k < UNIFORM_OPERANDS; k++)
		if (u->r[k] != REF_NONE)
			uniform_read(s, u->r[k], k, REF_NONE);
	va_start(ap, fmt);
	words(s, fmt, ap);
	va_end(ap);
}

void uniform_each_lane(struct select *s, const struct uniform_operands *u, const char *fmt, ...)
{
	struct mblock *again = select_new_block(s);
	struct minst elect = minst_make(WL_UOP_ELECT, s->line);
	ref p = select_tmp_pred(s);
	va_list ap;
	select_fall(s, again);
	elect.pd[0] = p;
	elect.w.urd = UNIFORM_AT(UNIFORM_OPERANDS); /* not read */
	select_emit(s, &elect);
	for (unsigned k = 0; k < UNIFORM_OPERANDS; k++)
		if (u->r[k] != REF_NONE)
			uniform_read(s, u->r[k], k, p);
	va_start(ap, fmt);
	words(s, fmt, ap);
	va_end(ap);
	select_branch(s, p, true, again);
}

void uniform_each_value(struct select *s, const struct uniform_operands *u, const char *fmt, ...)
{
	struct mblock *again = select_new_block(s);
	ref p = select_tmp_pred(s);
	bool too = false;
	va_list ap;
	select_fall(s, again);
	for (unsigned k = 0; k < UNIFORM_OPERANDS; k++)
		if (u->r[k] != REF_NONE) {
			uniform_compare(s, u->r[k], k, p, too);
			too = true;
		}
	va_start(ap, fmt);
	words(s, fmt, ap);
	va_end(ap);
	select_branch(s, p, false, again);
}

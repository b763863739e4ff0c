// SPDX-License-Identifier: Apache-2.0
/* spa50_print.c -- instruction of the SPA 5.0 dialect to text. */
#include <stdarg.h>
#include <stdio.h>

#include "spa50_inst.h"

struct out {
	char *buf;
	size_t n;
	int len; /* of the whole text, written or not */
};

static void __attribute__((format(printf, 2, 3))) put(struct out *o, const char *format, ...)
{
	size_t at = (size_t)o->len < o->n ? (size_t)o->len : o->n;
	va_list args;
	va_start(args, format);
	o->len += vsnprintf(o->buf ? o->buf + at : NULL, o->n - at, format, args);
	va_end(args);
}

static void put_guard(struct out *o, unsigned guard)
{
	const char *no = guard & 8 ? "!" : "";
	if (guard == WL_PT)
		return;
	if ((guard & 7) == WL_PT)
		put(o, "@%sPT ", no);
	else
		put(o, "@%sP%u ", no, guard & 7);
}

static void put_address(struct out *o, const struct spa50_inst *in)
{
	long long imm = in->imm;
	if (in->ra == WL_RZ)
		put(o, "[0x%llx]", (unsigned long long)imm);
	else
		put(o, "[R%u %c %lld]", in->ra, imm < 0 ? '-' : '+', imm < 0 ? -imm : imm);
}

static void put_sched(struct out *o, const struct wl_sched *s)
{
	for (unsigned i = 0; i < SPA50_SCOREBOARDS; i++)
		if (s->wait >> i & 1)
			put(o, " &req_%u", i);
	if (s->rdbar != SPA50_NO_SCOREBOARD)
		put(o, " &rd%u", s->rdbar);
	if (s->wrbar != SPA50_NO_SCOREBOARD)
		put(o, " &wr%u", s->wrbar);
	if (s->yield && s->stall == SPA50_STALL_BY_YIELD)
		put(o, " ?yield");
	else if (s->yield)
		put(o, " ?stall%u+yield", s->stall);
	else if (s->stall != SPA50_STALL)
		put(o, " ?stall%u", s->stall);
}

int spa50_format(const struct spa50_inst *in, char *buf, size_t n)
{
	struct out o = {buf, n, 0};
	put_guard(&o, in->guard);
	put(&o, "ATOMS.%s%s.%s %s, ", spa50_op_name[in->op], in->spin ? ".SPIN" : "", spa50_type_name[in->type],
	    spa50_reg_name(in->rd).text);
	put_address(&o, in);
	put(&o, ", %s", spa50_reg_name(in->rb).text);
	if (spa50_has_rc(in->op))
		put(&o, ", %s", spa50_reg_name(in->rc).text);
	put_sched(&o, &in->sched);
	put(&o, ";");
	return o.len;
}

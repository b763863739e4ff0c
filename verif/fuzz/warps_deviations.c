// SPDX-License-Identifier: Apache-2.0
/* warps_deviations.c -- programs with code that ptxas is known to compile wrong. */
#include "warps_parts.h"

const char *const deviation_names[DEVIATION_COUNT] = {
        [DEVIATION_NONE] = "none",
        [DEVIATION_GUARD] = "a guarded move behind what changes its guard",
        [DEVIATION_LEAST] = "abs or neg of the least number",
        [DEVIATION_SUMS] = "a saturating sum of a sum that wraps around",
        [DEVIATION_CNOT] = "what takes fewer bits of cnot.b32",
        [DEVIATION_SHIFT] = "the amount of a 16-bit shift",
        [DEVIATION_FIELD] = "a signed field behind the end of a word",
        [DEVIATION_BITS] = "a float whose bits are a small number",
        [DEVIATION_CRASH] = "a crash of ptxas itself",
};

static bool expr_meets(const struct expr *e, enum deviation d)
{
	if (!e || !e->row)
		return false;
	if (expr_is_about(e, d))
		return true;
	for (unsigned i = 0; i < row_nargs(e->row); i++)
		if (expr_meets(e->arg[i], d))
			return true;
	return false;
}

static bool function_meets(const struct function *f, enum deviation d)
{
	return expr_meets(f->p, d) || expr_meets(f->yes, d) || expr_meets(f->no, d);
}

/* Does another active statement write the guard of the guarded assignment? */
static bool guard_changes(const struct program *p, const struct stmt *guarded)
{
	for (unsigned i = 0; i < p->count; i++) {
		const struct stmt *s = p->by_number[i];
		if (s->on && s != guarded && (s->kind == Assign || s->kind == Vote) && s->type == 'p' &&
		    (int)s->var == guarded->guard)
			return true;
	}
	return false;
}

bool program_meets(const struct program *p, enum deviation d)
{
	for (unsigned i = 0; i < p->count; i++) {
		const struct stmt *s = p->by_number[i];
		if (!s->on)
			continue;
		if (d == DEVIATION_GUARD ? s->kind == Assign && s->guard >= 0 && guard_changes(p, s)
		                         : expr_meets(s->a, d) || expr_meets(s->b, d) || expr_meets(s->c, d) ||
		                                   (s->kind == Call && function_meets(&p->function[s->op], d)))
			return true;
	}
	return false;
}

void program_reword(struct program *p, enum deviation d)
{
	p->reworded = d;
}

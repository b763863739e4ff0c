// SPDX-License-Identifier: Apache-2.0
/* webs.c -- a register written again and again in a block becomes another register each time, as long as the writes are
 * whole. Each read then has a single definition (values.h), and a value without a reader is seen to be dead.
 *
 * The last register keeps the name, since other blocks may read the value. */
#include "mir_visit.h"

struct webs {
	struct mfunc *f;
	uint32_t *writes; /* by register: whole, unguarded writes still to come in the block; 0 at the end */
	ref *now;         /* by register: the name here; REF_NONE = the own name, as at the end */
	bool guarded;
};

static bool is_whole(const struct webs *x, ref r, unsigned words)
{
	const struct vreg *v = &x->f->vregs[ref_reg(r)];
	return !x->guarded && !v->fixed && ref_word(r) == 0 && (v->pred ? words == 0 : words == v->words);
}

static void count(void *self, ref *r, unsigned words)
{
	struct webs *x = self;
	if (is_whole(x, *r, words))
		x->writes[ref_reg(*r)]++;
}

static void rename_use(void *self, ref *r, unsigned words)
{
	struct webs *x = self;
	(void)words;
	if (x->now[ref_reg(*r)] != REF_NONE)
		*r = x->now[ref_reg(*r)] + ref_word(*r);
}

static void rename_def(void *self, ref *r, unsigned words)
{
	struct webs *x = self;
	const uint32_t v = ref_reg(*r);
	if (is_whole(x, *r, words)) {
		const struct vreg old = x->f->vregs[v];
		x->now[v] = REF_NONE;
		if (--x->writes[v]) {
			const uint32_t other = old.pred ? mfunc_new_pred(x->f) : mfunc_new_reg(x->f, old.words);
			x->f->vregs[other].named = old.named;
			x->now[v] = other << 2;
		}
	}
	rename_use(x, r, words);
}

static void rename_block(struct webs *x, struct mblock *b)
{
	for (uint32_t k = 0; k < b->n; k++) {
		x->guarded = b->ins[k].guard != REF_NONE;
		minst_defs(&b->ins[k], count, x);
	}
	for (uint32_t k = 0; k < b->n; k++) {
		x->guarded = b->ins[k].guard != REF_NONE;
		minst_uses(&b->ins[k], rename_use, x);
		minst_defs(&b->ins[k], rename_def, x);
	}
}

void lower_webs(struct mfunc *f)
{
	struct webs x = {.f = f};
	x.writes = arena_zalloc(f->arena, (f->nvregs + 1) * sizeof *x.writes);
	x.now = arena_alloc(f->arena, (f->nvregs + 1) * sizeof *x.now);
	for (uint32_t v = 0; v < f->nvregs; v++)
		x.now[v] = REF_NONE;
	for (uint32_t i = 0; i < f->nrpo; i++)
		rename_block(&x, f->blocks[f->rpo[i]]);
}

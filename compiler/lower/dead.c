// SPDX-License-Identifier: Apache-2.0
/* dead.c -- removes instructions without readers of their results; atomics without readers of the old value take the
 * forms without result. */
#include "mir_visit.h"

#include <string.h>

struct counts {
	uint32_t *uses; /* by word: readers */
};

static void count_use(void *self, ref *r, unsigned words)
{
	for (unsigned w = 0; w < (words ? words : 1); w++)
		((struct counts *)self)->uses[*r + w]++;
}

static void drop_use(void *self, ref *r, unsigned words)
{
	for (unsigned w = 0; w < (words ? words : 1); w++)
		((struct counts *)self)->uses[*r + w]--;
}

struct wanted {
	const struct counts *counts;
	bool any;
};

static void look(void *self, ref *r, unsigned words)
{
	struct wanted *w = self;
	for (unsigned k = 0; k < (words ? words : 1); k++)
		if (w->counts->uses[*r + k])
			w->any = true;
}

static void drop_result(struct minst *in, const struct counts *c)
{
	if (!(minst_has(in, WL_TRAIT(ATOMIC)) || in->w.uop == WL_UOP_LOP3) || !ref_is_reg(in->rd))
		return;
	for (unsigned w = 0; w < minst_words(in, WL_REG_RD); w++)
		if (c->uses[in->rd + w])
			return;
	in->rd = REF_NONE;
	if (in->w.uop == WL_UOP_ATOMG && in->w.op != WL_ATOM_EXCH && !in->keep) /* an acquire's value counts */
		in->w.uop = WL_UOP_RED;
}

void lower_dead(struct mfunc *f)
{
	struct counts c = {arena_zalloc(f->arena, (4 * (size_t)f->nvregs + 4) * sizeof(uint32_t))};
	bool changed = true;
	for (uint32_t i = 0; i < f->norder; i++) {
		struct mblock *b = f->blocks[f->order[i]];
		for (uint32_t k = 0; k < b->n; k++)
			minst_uses(&b->ins[k], count_use, &c);
	}
	while (changed) {
		changed = false;
		for (uint32_t i = f->norder; i-- > 0;) {
			struct mblock *b = f->blocks[f->order[i]];
			for (uint32_t k = b->n; k-- > 0;) {
				struct minst *in = &b->ins[k];
				struct wanted w = {&c, false};
				drop_result(in, &c);
				if (in->w.uop == WL_UOP_NOP || minst_has_effect(in))
					continue;
				minst_defs(in, look, &w);
				if (w.any)
					continue;
				minst_uses(in, drop_use, &c);
				*in = minst_make(WL_UOP_NOP, in->line);
				changed = true;
			}
		}
	}
	for (uint32_t i = 0; i < f->norder; i++) {
		struct mblock *b = f->blocks[f->order[i]];
		uint32_t n = 0;
		for (uint32_t k = 0; k < b->n; k++)
			if (b->ins[k].w.uop != WL_UOP_NOP || b->ins[k].word)
				b->ins[n++] = b->ins[k];
		b->n = n;
	}
}

// SPDX-License-Identifier: Apache-2.0
/* drop_warpsyncs.c -- pass 100: drops a second wait for lanes together already.
 *
 * Lanes leave a WARPSYNC together, and stay together up to a branch, a call or another wait. A second WARPSYNC of the
 * same mask has nobody to wait for, where no lane can be at another wait at that time: other waits stand in blocks that
 * dominate the block, or are dominated, outside of loops. A wait also orders accesses to memory of the lanes: with an access between, both
 * waits stay. Registers have numbers here: the mask must be in the same register, and nothing may write to the register
 * between. */
#include "mir_visit.h"

struct wait {
	bool known;
	bool literal;
	uint32_t mask; /* the literal, or the number of the register */
};

struct written {
	const struct mfunc *f;
	uint32_t reg;
	bool found;
};

static void look_at_result(void *self, ref *r, unsigned words)
{
	struct written *w = self;
	const struct vreg *v = &w->f->vregs[ref_reg(*r)];
	const uint32_t first = (uint32_t)v->phys + ref_word(*r);
	if (words && !v->pred)
		w->found |= w->reg >= first && w->reg < first + words;
}

/* Instructions of the frame have register numbers alone. */
static bool writes_register(const struct mfunc *f, struct minst *in, uint32_t reg)
{
	struct written w = {.f = f, .reg = reg};
	minst_defs(in, look_at_result, &w);
	return w.found || (reg >= in->w.rd && reg < in->w.rd + minst_words(in, WL_REG_RD));
}

static bool is_plain_wait(const struct minst *in)
{
	return in->w.uop == WL_UOP_WARPSYNC && in->guard == REF_NONE && !in->w.op && !in->word;
}

static bool is_literal(const struct minst *in)
{
	return in->w.uop == WL_UOP_MOV && in->guard == REF_NONE && !in->word && !in->place &&
	       in->w.src[1] == WL_SRC_IMM;
}

/* The wait at the end of n instructions of the block. A register with a literal counts as the literal. */
static struct wait read_wait(const struct mfunc *f, struct mblock *b, uint32_t n, const struct minst *in)
{
	if (in->w.src[0] == WL_SRC_IMM)
		return (struct wait){true, true, in->w.imm};
	while (n-- > 0)
		if (writes_register(f, &b->ins[n], in->w.ra)) {
			if (is_literal(&b->ins[n]))
				return (struct wait){true, true, b->ins[n].w.imm};
			break;
		}
	return (struct wait){true, false, in->w.ra};
}

/* Lanes together in front of the instruction are together behind, and memory is untouched. */
static bool stays_together(const struct minst *in)
{
	return sync_is_between(in) || (minst_has(in, WL_TRAIT(COLLECTIVE)) && in->guard == REF_NONE);
}

static void look_at_block(struct mfunc *f, struct mblock *b)
{
	struct wait last = {.known = false};
	uint32_t kept = 0;
	for (uint32_t i = 0; i < b->n; i++) {
		struct minst *in = &b->ins[i];
		if (is_plain_wait(in)) {
			const struct wait now = read_wait(f, b, kept, in);
			if (last.known && last.literal == now.literal && last.mask == now.mask) {
				mfunc_note(f, in->line, "no second WARPSYNC for lanes that are together: knob 358");
				f->removed.waits++;
				continue;
			}
			last = now;
		} else if (!stays_together(in) || (!last.literal && writes_register(f, in, last.mask))) {
			last.known = false;
		}
		b->ins[kept++] = *in;
	}
	b->n = kept;
}

static bool has_wait(const struct mblock *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		if (b->ins[i].w.uop == WL_UOP_WARPSYNC)
			return true;
	return false;
}

/* While lanes are between two waits of the block, no lane is at a wait of another block. */
static bool waits_alone(const struct mfunc *f, const struct mblock *b)
{
	for (uint32_t i = 0; i < f->norder; i++) {
		const struct mblock *o = f->blocks[f->order[i]];
		if (o != b && has_wait(o) &&
		    (o->loop != NO_BLOCK || b->loop != NO_BLOCK ||
		     !(block_dominates(f, o->id, b->id) || block_dominates(f, b->id, o->id))))
			return false;
	}
	return true;
}

void lower_drop_warpsyncs(struct mfunc *f)
{
	if (f->knobs.mode < SYNC_FENCES || f->opt < 1)
		return;
	for (uint32_t i = 0; i < f->norder; i++)
		if (has_wait(f->blocks[f->order[i]]) && waits_alone(f, f->blocks[f->order[i]]))
			look_at_block(f, f->blocks[f->order[i]]);
}

// SPDX-License-Identifier: Apache-2.0
/* predicate.c -- all lanes execute short arms of branches, guarded by the branch's predicate: the arms cost less than
 * the branch and the convergence barrier around the branch.
 *
 *   P: @p BRA T;  N: ... -> T          P: @!p ...; -> T
 *   P: @p BRA T;  N: ... -> J; T: ... -> J        P: @!p ...(N); @p ...(T); -> J
 *
 * An arm is a block entered only from P, of instructions without a guard and without effects beside registers and
 * memory. Inner arms come first; a block with guards from an inner arm is no arm any more. */
#include "mir_visit.h"

enum {
	ARM_APART = 7,   /* instructions, of both arms, where lanes may go apart: BMOV, BSSY, BRA, BSYNC go away */
	ARM_TOGETHER = 3 /* where all lanes go the same way: BRA goes away */
};

struct predicate {
	struct mfunc *f;
	uint32_t *home; /* by register: mfunc_homes() */
	uint32_t *edges;
	uint32_t block;
};

static bool may_be_guarded(struct minst *in, ref p)
{
	return minst_may_be_guarded(in) && in->w.uop != WL_UOP_PLOP3 && !minst_writes(in, p, 0);
}

/* An arm of `from` with `to` behind. */
static bool is_arm(const struct predicate *p, uint32_t arm, uint32_t from, uint32_t to, ref guard)
{
	struct mblock *b = p->f->blocks[arm];
	if (arm == from || p->edges[arm] != 1 || b->next != to || b->rejoin != NO_BLOCK || b->n > ARM_APART)
		return false;
	for (uint32_t k = 0; k < b->n; k++)
		if (!may_be_guarded(&b->ins[k], guard))
			return false;
	return true;
}

/* Of the first of two arms: a result written by the other arm anyway, without a read before, needs no guard. */
struct overwritten {
	struct mblock *other;
	bool all;
};

static void look_overwritten(void *self, ref *r, unsigned words)
{
	struct overwritten *o = self;
	for (uint32_t k = 0; k < o->other->n; k++) {
		struct minst *in = &o->other->ins[k];
		if (minst_reads(in, *r, words))
			break;
		if (minst_words(in, WL_REG_RD) == words && in->rd == *r)
			return;
	}
	o->all = false;
}

static bool is_overwritten(struct minst *in, struct mblock *other)
{
	struct overwritten o = {other, true};
	if (minst_has_effect(in) || minst_reads_memory(in) || in->pd[0] != REF_NONE || in->pd[1] != REF_NONE)
		return false;
	minst_defs(in, look_overwritten, &o);
	return o.all;
}

static void note_inner(void *self, ref *r, unsigned words)
{
	struct predicate *p = self;
	(void)words;
	if (p->home[ref_reg(*r)] != p->block)
		p->block = MANY_BLOCKS;
}

static bool only_here(struct predicate *p, struct minst *in, uint32_t block)
{
	p->block = block;
	minst_defs(in, note_inner, p);
	return p->block == block;
}

static void move_arm(struct predicate *p, struct mblock *to, uint32_t arm, ref guard, uint8_t sense,
                     struct mblock *other)
{
	struct mblock *b = p->f->blocks[arm];
	for (uint32_t k = 0; k < b->n; k++) {
		struct minst in = b->ins[k];
		if (!other || !is_overwritten(&in, other)) {
			in.guard = guard;
			in.w.guard = sense;
			in.fresh = only_here(p, &in, arm);
		}
		mblock_append(p->f, to, &in);
	}
	b->n = 0;
	b->next = NO_BLOCK;
	p->edges[arm] = 0;
}

static void try_block(struct predicate *p, struct mblock *b)
{
	struct minst *bra = b->n ? &b->ins[b->n - 1] : NULL;
	uint32_t yes, no, limit;
	bool arm_yes, arm_no;
	ref guard;
	uint8_t sense;
	if (!bra || bra->w.uop != WL_UOP_BRA || bra->guard == REF_NONE || b->rejoin != NO_BLOCK || bra->w.flags)
		return;
	yes = bra->target;
	no = b->next;
	guard = bra->guard;
	sense = bra->w.guard;
	limit = bra->together ? ARM_TOGETHER : ARM_APART;
	if (yes == no || bra->ps[0] != REF_NONE)
		return;
	arm_no = is_arm(p, no, b->id, yes, guard) && p->f->blocks[no]->n <= limit;
	arm_yes = !arm_no && is_arm(p, yes, b->id, no, guard) && p->f->blocks[yes]->n <= limit;
	if (arm_no || arm_yes) {
		b->n--;
		move_arm(p, b, arm_no ? no : yes, guard, arm_no ? sense ^ NOT_P : sense, NULL);
		b->next = arm_no ? yes : no;
		p->edges[b->next]--;
	} else if (p->f->blocks[no]->next != NO_BLOCK && is_arm(p, no, b->id, p->f->blocks[no]->next, guard) &&
	           is_arm(p, yes, b->id, p->f->blocks[no]->next, guard) &&
	           p->f->blocks[no]->n + p->f->blocks[yes]->n <= limit) {
		uint32_t on = p->f->blocks[no]->next;
		b->n--;
		move_arm(p, b, no, guard, sense ^ NOT_P, p->f->blocks[yes]);
		move_arm(p, b, yes, guard, sense, NULL);
		b->next = on;
		p->edges[on]--;
	}
}

static uint32_t *count_edges(struct mfunc *f)
{
	uint32_t *edges = arena_zalloc(f->arena, (f->nblocks + 1) * sizeof *edges);
	edges[0] = 1;
	for (uint32_t i = 0; i < f->nrpo; i++)
		for (uint32_t k = 0; k < f->blocks[f->rpo[i]]->nsucc; k++)
			edges[f->blocks[f->rpo[i]]->succ[k]]++;
	for (uint32_t i = 0; i < f->nblocks; i++)
		if (f->blocks[i]->rejoin != NO_BLOCK)
			edges[f->blocks[i]->rejoin]++;
	return edges;
}

void lower_predicate(struct mfunc *f)
{
	struct predicate p = {.f = f, .home = mfunc_homes(f), .edges = count_edges(f)};
	for (uint32_t i = f->nrpo; i-- > 0;)
		try_block(&p, f->blocks[f->rpo[i]]);
	lower_cfg(f);
	lower_straighten(f);
}

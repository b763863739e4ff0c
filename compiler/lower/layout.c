// SPDX-License-Identifier: Apache-2.0
/* layout.c -- the order of blocks is fixed; branches are made, turned round or left out to fit the order. Runs after
 * allocation: guards are predicate numbers in w.guard. */
#include "mir.h"

/* Through empty blocks. */
static uint32_t destination(const struct mfunc *f, uint32_t b)
{
	for (uint32_t steps = 0; steps < f->nblocks && b != NO_BLOCK; steps++) {
		if (f->blocks[b]->n || f->blocks[b]->next == NO_BLOCK || f->blocks[b]->next == b)
			break;
		b = f->blocks[b]->next;
	}
	return b;
}

static struct minst *branch_of(struct mblock *b)
{
	return b->n && b->ins[b->n - 1].w.uop == WL_UOP_BRA ? &b->ins[b->n - 1] : NULL;
}

static void thread_branches(struct mfunc *f)
{
	for (uint32_t i = 0; i < f->norder; i++) {
		struct mblock *b = f->blocks[f->order[i]];
		struct minst *bra = branch_of(b);
		b->next = destination(f, b->next);
		if (!bra)
			continue;
		bra->target = destination(f, bra->target);
		if (bra->target == b->next)
			b->n--;
	}
}

static void drop_unused(struct mfunc *f)
{
	bool *used = arena_zalloc(f->arena, f->nblocks);
	uint32_t n = 0;
	used[0] = true;
	for (uint32_t i = 0; i < f->norder; i++) {
		struct mblock *b = f->blocks[f->order[i]];
		if (b->next != NO_BLOCK)
			used[b->next] = true;
		for (uint32_t k = 0; k < b->n; k++)
			if (b->ins[k].target != NO_BLOCK)
				used[b->ins[k].target] = true;
	}
	for (uint32_t i = 0; i < f->norder; i++) {
		const struct mblock *b = f->blocks[f->order[i]];
		if (used[b->id] && (b->n || b->id == 0 || b->next == b->id))
			f->order[n++] = b->id;
	}
	f->norder = n;
}

static void fit(struct mfunc *f, struct mblock *b, uint32_t following)
{
	struct minst *bra = branch_of(b), jump;
	if (b->next == NO_BLOCK || b->next == following)
		return;
	if (bra && bra->target == following) {
		bra->w.guard ^= NOT_P;
		bra->target = b->next;
		b->next = following;
		return;
	}
	jump = minst_make(WL_UOP_BRA, b->next_line ? b->next_line : b->n ? b->ins[b->n - 1].line : 0);
	jump.target = b->next;
	mblock_append(f, b, &jump);
	b->next = NO_BLOCK;
}

void lower_layout(struct mfunc *f)
{
	thread_branches(f);
	drop_unused(f);
	for (uint32_t i = 0; i < f->norder; i++)
		fit(f, f->blocks[f->order[i]], i + 1 < f->norder ? f->order[i + 1] : NO_BLOCK);
}

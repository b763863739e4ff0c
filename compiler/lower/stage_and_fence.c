// SPDX-License-Identifier: Apache-2.0
/* stage_and_fence.c -- StageAndFence: fences of an unrolled loop.
 *
 * The fence at the end of a copy of the body and the fence at the start of the next copy stand side by side, with only
 * arithmetic between. A fence covered by the other goes: the earlier if both are equal, so the arithmetic runs in front
 * of the wait. Across the test of a loop the earlier fence stays: the other way leads out of the loop. Fences of the
 * same copy stay as written, and fences with an access between: each copy keeps its orders. */
#include "mir.h"

/* Of two copies of the same loop. */
static bool in_two_rounds(const struct minst *a, const struct minst *b)
{
	return a->round && b->round && a->round >> 16 == b->round >> 16 && a->round != b->round;
}

static void merge(struct mfunc *f, struct mblock *b, const struct fence *gone)
{
	mfunc_note(f, b->ins[gone->first].line, "a fence of the round beside this one is enough: StageAndFence");
	sync_take_out(b, gone);
	f->removed.merged++;
}

static void look_at_block(struct mfunc *f, struct mblock *b)
{
	struct fence x, y;
	for (uint32_t at = 0; at < b->n;) {
		if (!sync_read_fence(b, at, &x)) {
			at++;
		} else if (!sync_next_fence(b, x.end, &y)) {
			at = x.end;
		} else if (in_two_rounds(&b->ins[x.first], &b->ins[y.first]) &&
		           (sync_covers(&x, &y) || sync_covers(&y, &x))) {
			merge(f, b, sync_covers(&y, &x) ? &x : &y);
		} else {
			at = y.first;
		}
	}
}

/* The last fence of the block, with only arithmetic and perhaps a branch behind. */
static bool last_fence(const struct mblock *b, struct fence *x)
{
	uint32_t end = b->n;
	if (end && b->ins[end - 1].w.uop == WL_UOP_BRA)
		end--;
	while (end && sync_is_between(&b->ins[end - 1]))
		end--;
	for (uint32_t at = 0; at < end; at++)
		if (sync_read_fence(b, at, x)) {
			if (x->end == end)
				return true;
			at = x->end - 1;
		}
	return false;
}

/* Across the test between two copies. */
static void look_at_edge(struct mfunc *f, struct mblock *b)
{
	struct fence x, y;
	const struct mblock *from;
	if (b->npred != 1)
		return;
	from = f->blocks[b->pred[0]];
	if (last_fence(from, &x) && sync_next_fence(b, 0, &y) && in_two_rounds(&from->ins[x.first], &b->ins[y.first]) &&
	    sync_covers(&x, &y))
		merge(f, b, &y);
}

void lower_stage_and_fence(struct mfunc *f)
{
	if (!f->knobs.stage || !f->removed.loops)
		return;
	for (uint32_t i = 0; i < f->norder; i++)
		look_at_block(f, f->blocks[f->order[i]]);
	for (uint32_t i = 0; i < f->norder; i++)
		look_at_edge(f, f->blocks[f->order[i]]);
}

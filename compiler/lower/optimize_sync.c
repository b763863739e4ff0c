// SPDX-License-Identifier: Apache-2.0
/* optimize_sync.c -- OptimizeSyncInstructions: of two fences without an access between, the weaker fence goes. */
#include "mir.h"

static void look_at_block(struct mfunc *f, struct mblock *b)
{
	struct fence x, y;
	for (uint32_t at = 0; at < b->n;) {
		if (!sync_read_fence(b, at, &x)) {
			at++;
		} else if (!sync_next_fence(b, x.end, &y)) {
			at = x.end;
		} else if (sync_covers(&x, &y) || sync_covers(&y, &x)) {
			mfunc_note(f, b->ins[x.first].line, "one of two fences is enough: knob 358");
			sync_take_out(b, sync_covers(&x, &y) ? &y : &x);
			f->removed.fences++;
		} else {
			at = y.first;
		}
	}
}

void lower_optimize_sync(struct mfunc *f)
{
	if (f->knobs.mode < SYNC_FENCES)
		return;
	for (uint32_t i = 0; i < f->norder; i++)
		look_at_block(f, f->blocks[f->order[i]]);
}

// SPDX-License-Identifier: Apache-2.0
/* fix_boards.c -- pass 114: scoreboards left open by a block.
 *
 * The scheduler (sched.c) works block by block. The last instruction of a block waits for all boards except the boards
 * set by the instruction itself. Only a block that falls through can end so: the first instruction of the next block
 * gets the wait. */
#include "emit_words.h"
#include "warplock/hazard.h"

uint8_t sched_own_boards(const struct minst *in)
{
	return (uint8_t)((in->w.sched.wrbar < WL_BOARDS ? 1u << in->w.sched.wrbar : 0) |
	                 (in->w.sched.rdbar < WL_BOARDS ? 1u << in->w.sched.rdbar : 0));
}

void lower_fix_boards(struct mfunc *f)
{
	for (uint32_t i = 1; i < f->norder; i++) {
		const struct mblock *before = f->blocks[f->order[i - 1]];
		struct mblock *b = f->blocks[f->order[i]];
		if (b->n && before->n)
			b->ins[0].w.sched.wait |= sched_own_boards(&before->ins[before->n - 1]);
	}
}

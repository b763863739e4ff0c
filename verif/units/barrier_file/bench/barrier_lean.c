// SPDX-License-Identifier: Apache-2.0
/* barrier_lean.c -- the cycles of barrier_file_lean. */
#include "barrier_parts.h"

/* barrier_file_lean, a cycle on. A CTA coming or leaving from step Read on makes the walk begin anew at Read. A
 * judgement waits for the place of its answer. */
void lean_step(struct barrier_bench *b)
{
	const struct bar_request *q = &b->port[0].now.op.request;
	if (!b->walk.busy || b->cycle + LEAN_ANEW - 1 < b->walk.due || b->cycle >= b->walk.due) {
		return;
	}
	if (*b->cta_valid_i) {
		b->walk.due = b->cycle + LEAN_ANEW;
		b->seen.anew++;
	} else if (b->cycle + 1 == b->walk.due && *b->rsp_valid_o && b->port[0].taken && !b->port[0].leaving &&
	           (q->kind == BAR_ARV || q->kind == BAR_RESULT || (is_arrival(q) && ref_fault(&b->ref, q)))) {
		b->walk.due++;
		b->seen.held++;
	}
}

/* The walk begun in this cycle; a head goes before a status read. */
void lean_begin(struct barrier_bench *b)
{
	const bool head = *b->head_valid_i & 1;
	if (b->walk.busy) {
		b->walk.busy = b->cycle < b->walk.due;
	} else if (head || *b->status_valid_i) {
		b->walk.busy = true;
		b->walk.status = !head;
		b->walk.due = b->cycle + LEAN_CYCLES;
	}
}

bool status_ready(const struct barrier_bench *b)
{
	if (b->lean) {
		return b->walk.busy && b->walk.status && b->cycle + 1 == b->walk.due;
	}
	return pin_get(b->head_ready_o, 0, 1) && !pin_get(b->head_valid_i, 0, 1);
}

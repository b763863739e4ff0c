// SPDX-License-Identifier: Apache-2.0
/* fences.c -- fences, as seen by the passes on synchronisation.
 *
 * No event stands between two fences with only arithmetic between. A fence makes each order of the other fence, if the
 * former is as strong in each part. */
#include "mir.h"

#include <string.h>

bool sync_is_between(const struct minst *in)
{
	return in->guard == REF_NONE && !in->word && !minst_has_effect(in) && !minst_reads_memory(in) &&
	       !minst_ends_block(in) && !minst_is_call(in);
}

static unsigned reach_of(const struct minst *in)
{
	switch (in->w.scope) {
	case WL_SCOPE_SYS:
		return 2;
	case WL_SCOPE_GPU:
		return 1;
	default:
		return 0;
	}
}

static bool is_part(const struct minst *in, unsigned uop)
{
	return in->w.uop == uop && in->guard == REF_NONE && !in->word;
}

bool sync_read_fence(const struct mblock *b, uint32_t at, struct fence *x)
{
	*x = (struct fence){.first = at};
	if (is_part(&b->ins[at], WL_UOP_MEMBAR)) {
		const struct minst *in = &b->ins[at++];
		x->membar = true;
		x->sc = in->w.op == WL_MEMBAR_SC;
		x->reach = reach_of(in);
		for (; at < b->n && is_part(&b->ins[at], WL_UOP_ERRBAR); at++) {
			x->cga |= b->ins[at].w.op == 1;
			x->errbar |= b->ins[at].w.op != 1;
		}
	}
	if (at < b->n && is_part(&b->ins[at], WL_UOP_CCTL_IVALL)) {
		x->drops = true;
		at++;
	}
	x->end = at;
	return at > x->first;
}

bool sync_covers(const struct fence *x, const struct fence *y)
{
	return x->membar >= y->membar && x->sc >= y->sc && (!y->membar || x->reach >= y->reach) &&
	       x->errbar >= y->errbar && x->cga >= y->cga && x->drops >= y->drops;
}

void sync_take_out(struct mblock *b, const struct fence *x)
{
	memmove(&b->ins[x->first], &b->ins[x->end], (b->n - x->end) * sizeof *b->ins);
	b->n -= x->end - x->first;
}

bool sync_next_fence(const struct mblock *b, uint32_t at, struct fence *y)
{
	while (at < b->n && sync_is_between(&b->ins[at]))
		at++;
	return at < b->n && sync_read_fence(b, at, y);
}

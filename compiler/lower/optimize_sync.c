// SPDX-License-Identifier: Apache-2.0
/* optimize_sync.c -- OptimizeSyncInstructions: of two fences without an access between, the weaker one goes.
 *
 * A fence is a MEMBAR with the ERRBAR, CGAERRBAR and CCTL.IVALL behind, or a CCTL.IVALL alone. No event stands between
 * the two, so each order that one of them makes is made by the other, where the other is as strong in each part. */
#include "mir.h"

#include <string.h>

struct fence {
	uint32_t first, end; /* instructions of the block */
	bool membar, sc, errbar, cga, drops;
	unsigned reach;
};

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

/* The fence that begins at `at`. False: none does. */
static bool read_fence(const struct mblock *b, uint32_t at, struct fence *x)
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

static bool covers(const struct fence *x, const struct fence *y)
{
	return x->membar >= y->membar && x->sc >= y->sc && (!y->membar || x->reach >= y->reach) &&
	       x->errbar >= y->errbar && x->cga >= y->cga && x->drops >= y->drops;
}

static void take_out(struct mblock *b, const struct fence *x)
{
	memmove(&b->ins[x->first], &b->ins[x->end], (b->n - x->end) * sizeof *b->ins);
	b->n -= x->end - x->first;
}

/* The fence behind x, with nothing but arithmetic between. */
static bool next_fence(const struct mblock *b, const struct fence *x, struct fence *y)
{
	uint32_t at = x->end;
	while (at < b->n && sync_is_between(&b->ins[at]))
		at++;
	return at < b->n && read_fence(b, at, y);
}

static void look_at_block(struct mfunc *f, struct mblock *b)
{
	struct fence x, y;
	for (uint32_t at = 0; at < b->n;) {
		if (!read_fence(b, at, &x)) {
			at++;
		} else if (!next_fence(b, &x, &y)) {
			at = x.end;
		} else if (covers(&x, &y) || covers(&y, &x)) {
			mfunc_note(f, b->ins[x.first].line, "one of two fences is enough: knob 358");
			take_out(b, covers(&x, &y) ? &y : &x);
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

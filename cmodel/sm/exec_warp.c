// SPDX-License-Identifier: Apache-2.0
/* exec_warp.c -- instructions of warp_collective: the unit's functions on the rows of the warp's registers. */
#include "exec.h"
#include "observe.h"
#include "stop.h"

static enum flow vote(struct exec *x)
{
	ROW(d);
	const uint32_t yes = x->mask & read_pred(x, x->in->ps[0]);
	FOR_LANES (i)
		d[i] = yes;
	write_pred(x, x->in->pd[0], wl_vote((enum wl_vote)x->in->op, yes, x->mask) ? ALL_LANES : 0);
	return write_rd(x, d);
}

static enum flow vote_uniform(struct exec *x)
{
	const uint32_t yes = x->mask & read_pred(x, x->in->ps[0]);
	if (x->in->pd[0] != WL_PT)
		x->uni[UPRED + x->in->pd[0]] = wl_vote((enum wl_vote)x->in->op, yes, x->mask) ? ALL_LANES : 0;
	return write_ur(x, x->in->urd, yes);
}

static enum flow shuffle(struct exec *x)
{
	ROW(d);
	if (x->gpu->observer)
		observe_shuffle(x);
	write_pred(x, x->in->pd[0], wl_shfl((enum wl_shfl)x->in->op, x->mask, x->a, x->b, x->c, d));
	return write_rd(x, d);
}

static enum flow match(struct exec *x)
{
	ROW(d);
	const uint32_t *hi = x->in->size == 8 ? x->a + WL_WARP_LANES : NULL;
	write_pred(x, x->in->pd[0], wl_match(!x->in->op, x->mask, x->a, hi, d) ? ALL_LANES : 0);
	return write_rd(x, d);
}

/* Without a lane to elect the predicate is false and the register keeps its value. */
static enum flow elect(struct exec *x)
{
	const uint32_t able = x->mask & read_pred(x, x->in->ps[0]);
	write_pred(x, x->in->pd[0], wl_elect(able));
	return able ? write_ur(x, x->in->urd, lowest(able)) : FLOW_NEXT;
}

enum flow exec_unit_warp_collective(struct exec *x)
{
	const bool sgn = x->in->flags & WL_F_SIGNED;
	if (unit_in_dut(x))
		return FLOW_REQUEST;
	if (x->in->uop == WL_UOP_VOTE)
		return vote(x);
	switch (x->in->uop) {
	case WL_UOP_VOTEU:
		return vote_uniform(x);
	case WL_UOP_SHFL:
		return shuffle(x);
	case WL_UOP_MATCH:
		return match(x);
	case WL_UOP_REDUX:
		return write_ur(x, x->in->urd, wl_redux((enum wl_redux)x->in->op, sgn, x->mask, x->a));
	case WL_UOP_FREDUX:
		return write_ur(x, x->in->urd, wl_fredux(x->in->op, x->in->flags & WL_F_NAN, x->mask, x->a));
	case WL_UOP_ELECT:
		return elect(x);
	default:
		return stop_error(x, "this micro-operation of warp_collective is not built yet");
	}
}

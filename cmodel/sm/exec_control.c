// SPDX-License-Identifier: Apache-2.0
/* exec_control.c -- branches, calls, exit, sleep.
 *
 * x->g->pc is the next instruction already. */
#include "exec.h"
#include "barrier.h"
#include "groups.h"
#include "sleep.h"
#include "stop.h"

enum { NO_CODE = 0x0fffffff }; /* instruction index behind every program */

enum flow exec_BRA(struct exec *x)
{
	uint32_t taken = x->mask & read_pred(x, x->in->ps[0]);
	if (!taken)
		return FLOW_NEXT;
	if (x->in->flags & WL_F_U && taken != x->g->mask) /* ptxas writes .U even where lanes may differ */
		return FLOW_NEXT;
	if (x->in->op) /* loops over distinct values: finished lanes go round with the others */
		taken = x->g->mask;
	bool backward = x->op->target < x->g->pc;
	groups_split(x, taken, x->op->target);
	return backward ? FLOW_SWITCH : FLOW_NEXT;
}

/* Active lanes other than the mask's lanes take the way of a diverged warp. The guard is part of the question, not a
 * choice of lanes: ptxas asks `R2UR P0, URZ, mask; @!P0 BRA.DIV`, and lanes with different masks must all leave. */
static enum flow go_by_convergence(struct exec *x, uint32_t all)
{
	uint32_t yes = x->mask & read_pred(x, x->in->guard) & read_pred(x, x->in->ps[0]);
	bool converged = yes == all, leave = x->in->flags & WL_F_CONV ? converged : !converged;
	if (leave)
		groups_split(x, x->mask, x->op->target);
	return FLOW_NEXT;
}

enum flow exec_BRA_DIV(struct exec *x)
{
	return go_by_convergence(x, x->a[0]);
}
/* Exited lanes do not count: the code behind a BRA.CONV without a mask waits for the live lanes alone. */
enum flow exec_BRA_LIVE(struct exec *x)
{
	return go_by_convergence(x, x->w->live);
}

/* The uniform predicate has the same value in all lanes: only the guard and ps0 divide the lanes. */
enum flow exec_BRA_UP(struct exec *x)
{
	uint8_t up = x->in->ps[1];
	bool holds = ((up & 7) == WL_PT || x->uni[UPRED + (up & 7)]) != (up >> 3 & 1);
	uint32_t taken = holds ? x->mask & read_pred(x, x->in->ps[0]) : 0;
	if (!taken)
		return FLOW_NEXT;
	bool backward = x->op->target < x->g->pc;
	groups_split(x, taken, x->op->target);
	return backward ? FLOW_SWITCH : FLOW_NEXT;
}

enum flow exec_BPT_TRAP(struct exec *x)
{
	return stop_fault(x, WL_FAULT_TRAP, x->mask, false, 0);
}

/* The lanes of the guard with a true predicate behind the opcode. */
static uint32_t chosen(const struct exec *x)
{
	return x->mask & read_pred(x, x->in->ps[0]);
}

enum flow exec_CALL_REL(struct exec *x)
{
	if (chosen(x))
		groups_split(x, chosen(x), x->op->target);
	return FLOW_NEXT;
}

/* The chosen lanes go to base + A.64, maybe to different places: a group for each place. */
static enum flow go_to_sum(struct exec *x, uint64_t base)
{
	if (!chosen(x))
		return FLOW_NEXT;
	for (uint32_t left = chosen(x); left;) {
		unsigned first = lowest(left);
		uint32_t lo = x->a[first], hi = x->a[WL_WARP_LANES + first], same = 0;
		FOR_LANES (i)
			same |= (uint32_t)(x->a[i] == lo && x->a[WL_WARP_LANES + i] == hi) << i;
		same &= left;
		uint64_t to = ((uint64_t)hi << 32 | lo) + base;
		groups_split(x, same, to % 16 || to / 16 > NO_CODE ? NO_CODE : (uint32_t)(to / 16));
		left &= ~same;
	}
	return FLOW_SWITCH;
}

static enum flow go_relative(struct exec *x)
{
	return go_to_sum(x, (uint64_t)x->g->pc * 16 + (uint64_t)x->in->target);
}
static enum flow go_absolute(struct exec *x)
{
	return go_to_sum(x, (uint64_t)x->in->target);
}

enum flow exec_RET_REL(struct exec *x)
{
	return go_relative(x);
}
enum flow exec_CALL_REX(struct exec *x)
{
	return go_relative(x);
}
enum flow exec_RET_ABS(struct exec *x)
{
	return go_absolute(x);
}
enum flow exec_CALL_ABX(struct exec *x)
{
	return go_absolute(x);
}

enum flow exec_CALL_ABS(struct exec *x)
{
	uint64_t to = (uint64_t)x->in->target;
	if (chosen(x))
		groups_split(x, chosen(x), to % 16 || to / 16 > NO_CODE ? NO_CODE : (uint32_t)(to / 16));
	return FLOW_NEXT;
}

enum flow exec_BRX(struct exec *x)
{
	return go_relative(x);
}

static enum flow write_address(struct exec *x, uint64_t v)
{
	ROW(lo);
	ROW(hi);
	FOR_LANES (i) {
		lo[i] = (uint32_t)v;
		hi[i] = (uint32_t)(v >> 32);
	}
	return write_rd64(x, lo, hi);
}

enum flow exec_LEPC(struct exec *x)
{
	return write_address(x, (uint64_t)x->g->pc * 16 + (uint64_t)x->in->target);
}

enum flow exec_LEPC_OWN(struct exec *x)
{
	return write_address(x, (uint64_t)x->pc * 16);
}

enum flow exec_RPCMOV_SET(struct exec *x)
{
	uint32_t *to = x->w->rpc[x->in->op];
	FOR_LANES (i)
		if (x->mask >> i & 1)
			to[i] = x->a[i];
	return FLOW_NEXT;
}

enum flow exec_RPCMOV_GET(struct exec *x)
{
	return write_rd(x, x->w->rpc[x->in->op]);
}

enum flow exec_EXIT(struct exec *x)
{
	uint32_t lanes = x->mask & read_pred(x, x->in->ps[0]);
	if (!lanes)
		return FLOW_NEXT;
	if (exit_in_dut(x->gpu, x->sm_index)) {
		if (lanes == x->w->live || converges_in_dut(x->gpu, x->sm_index))
			return FLOW_REQUEST;
	} else if (must_drain(x)) {
		return FLOW_HOLD;
	}
	enum flow flow = groups_exit(x, lanes);
	if (x->w->live && groups_waiting_at_bar(x->w) == x->w->live)
		return barrier_arrive(x);
	return flow;
}

enum flow exec_ENDCOLLECTIVE(struct exec *x)
{
	x->g->apart = 0;
	return FLOW_NEXT;
}

/* A sleeper waits for somebody: as YIELD, and then time passes. */
enum flow exec_NANOSLEEP(struct exec *x)
{
	if (converges_in_dut(x->gpu, x->sm_index))
		return FLOW_REQUEST; /* a YIELD; then the lanes sleep */
	groups_yield(x->w, x->conv, x->mask);
	sleep_group(x);
	groups_set_current(x);
	return FLOW_SWITCH;
}

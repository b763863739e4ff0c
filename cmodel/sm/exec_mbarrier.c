// SPDX-License-Identifier: Apache-2.0
/* exec_mbarrier.c -- the usual forms of mbarrier instructions: all lanes at the same object of the own CTA, arrivals
 * with the same operand, plain waits. All other forms use the unit's interface (exec_unit.c). */
#include "exec.h"
#include "exec_unit.h"
#include "usyncs.h"

/* All executing lanes have the same value in this register. */
static bool uniform(const struct exec *x, uint8_t reg, uint32_t *value)
{
	const uint32_t *row = x->r[reg];
	*value = reg == WL_RZ ? 0 : row[lowest(x->mask)];
	if (reg == WL_RZ)
		return true;
	if (x->mask == ALL_LANES)
		return memcmp(row, row + 1, (WL_WARP_LANES - 1) * sizeof row[0]) == 0;
	for (uint32_t m = x->mask; m; m &= m - 1)
		if (row[lowest(m)] != *value)
			return false;
	return true;
}

/* The object of the own window named by all lanes: address in the SM's shared memory. */
static bool own_object(const struct exec *x, uint32_t *addr)
{
	const struct wl_window *w = &x->sm->units.smem.window[x->w->slot];
	uint32_t ra;
	if (!uniform(x, x->in->ra, &ra))
		return false;
	const uint32_t at = wl_shared_address(x->in, ra, read_ur(x, x->in->ur)) - wl_shared_origin(x->in, w->origin);
	*addr = w->base + at;
	return w->valid && at % 8 == 0 && (uint64_t)at + 8 <= w->size;
}

bool mbarrier_is_relaid(const struct exec *x)
{
	uint32_t addr;
	return x->sm->units.smem.store_marks && own_object(x, &addr) && wl_mbar_relaid(&x->sm->units, x->w->slot, addr);
}

/* The token of all lanes: the high word of the object before the instruction. The low register stays. */
static void write_tokens(struct exec *x, uint64_t old)
{
	for (uint32_t m = x->in->rd + 1u < WL_RZ ? x->mask : 0; m; m &= m - 1)
		x->r[x->in->rd + 1][lowest(m)] = (uint32_t)(old >> 32);
}

static bool arrive(struct exec *x)
{
	const unsigned lanes = (unsigned)__builtin_popcount(x->mask);
	struct wl_units *u = &x->sm->units;
	uint32_t addr, b;
	uint64_t old;
	if (x->in->type == WL_MBAR_TMASK || x->in->flags & (WL_F_OPTOUT | WL_F_ILLEGAL) || !own_object(x, &addr) ||
	    !uniform(x, x->in->rb, &b) || (x->in->rd != WL_RZ && u->smem.mem[addr] & 1) || /* layout v1: misuse_token */
	    mbarrier_is_relaid(x) ||
	    !wl_mbar_bring(u, x->w->slot, addr, x->warp_index, (enum wl_mbar_op)x->in->op, b, lanes, &old))
		return false;
	if (x->in->type != WL_MBAR_RED && x->in->rd != WL_RZ)
		write_tokens(x, old);
	observe_change(x->gpu, memcmp(u->smem.mem + addr, &old, sizeof old) != 0);
	if (u->mbarrier_engine.nfixed)
		unit_releases(x->gpu, x->sm_index, WL_UNIT_mbarrier_engine);
	return true;
}

static bool check(struct exec *x)
{
	struct wl_units *u = &x->sm->units;
	uint32_t addr, b;
	bool complete;
	if (x->in->flags & WL_F_ILLEGAL || !own_object(x, &addr) || !uniform(x, x->in->rb, &b) ||
	    (u->smem.store_marks && wl_mbar_relaid(u, x->w->slot, addr)) ||
	    !wl_mbar_look(u, addr, b >> 31, &complete) || (complete && b >> 31 && wl_mbar_state(&u->smem, addr).tx))
		return false;
	if (complete || !x->in->op) {
		write_pred(x, x->in->pd[0], complete ? ALL_LANES : 0);
	} else {
		wl_mbar_park(u, x->w->slot, addr, x->warp_index, b >> 31);
		unit_wait(x, true);
	}
	return true;
}

enum flow exec_unit_mbarrier_engine(struct exec *x)
{
	const enum wl_uop uop = (enum wl_uop)x->in->uop;
	if (usyncs_is_made(x) || x->gpu->dut || x->gpu->watch || x->sm->ended_mbars || x->sm->refusals ||
	    must_drain(x) ||
	    !(uop == WL_UOP_SYNCS_ARRIVE ? arrive(x)
	                                 : uop == WL_UOP_SYNCS_PHASECHK && x->in->type == WL_MBAR_PLAIN && check(x)))
		return exec_any_unit(x);
	x->w->n++;
	return x->w->state == WARP_UNIT ? FLOW_SWITCH : FLOW_NEXT;
}

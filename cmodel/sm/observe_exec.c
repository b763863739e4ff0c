// SPDX-License-Identifier: Apache-2.0
/* observe_exec.c -- executes an instruction and tells the events: accesses, mbarriers, local memory, fences. */
#include "usyncs.h"
#include "observe_event.h"

/* ---- mbarriers ---- */

static uint32_t phases_of(const struct wl_gpu *g, const struct wl_seen *e)
{
	uint32_t phases = 0;
	for (uint32_t m = e->lanes; m; m &= m - 1)
		phases |= (uint32_t)phase_at(g, e->at[lowest(m)]) << lowest(m);
	return phases;
}

static bool is_mbarrier(const struct exec *x)
{
	return x->op->unit == WL_UNIT_mbarrier_engine && x->in->uop != WL_UOP_ATOMS_ARRIVE;
}

static void tell_mbarrier(const struct exec *x, struct wl_seen *e)
{
	if (!e->lanes)
		return;
	e->phases = phases_of(x->gpu, e);
	switch (x->in->uop) {
	case WL_UOP_SYNCS_ARRIVE: /* told before the execution */
		return;
	case WL_UOP_SYNCS_PHASECHK:
		e->kind = WL_SEEN_MBAR_PASSED;
		e->lanes &= x->w->state == WARP_UNIT || x->in->pd[0] == WL_PT ? 0
		            : usyncs_is_made(x)                               ? x->uni[UPRED + x->in->pd[0]]
		                                                              : x->w->preds[x->in->pd[0]];
		break;
	default:
		e->kind = WL_SEEN_MBAR_INIT;
		break;
	}
	if (e->lanes)
		tell(x->gpu, e);
}

/* Before the execution: waits may succeed by the arrival. */
static void tell_arrival(const struct exec *x, struct wl_seen *e)
{
	if (!e->lanes)
		return;
	e->phases = phases_of(x->gpu, e);
	e->kind = WL_SEEN_MBAR_ARRIVE;
	tell(x->gpu, e);
}

/* Before the execution. */
static void tell_asked(const struct exec *x, const struct wl_seen *access)
{
	struct wl_seen e = *access;
	if (!e.lanes)
		return;
	e.kind = WL_SEEN_MBAR_ASKED;
	e.phases = phases_of(x->gpu, &e);
	e.parity = 0;
	for (uint32_t m = x->in->rb == WL_RZ ? 0 : e.lanes; m; m &= m - 1)
		e.parity |= (usyncs_is_made(x) ? x->b : x->r[x->in->rb])[lowest(m)] >> 31 << lowest(m);
	tell(x->gpu, &e);
}

/* A wait has ended: the phase is complete. */
void observe_passed(struct exec *x)
{
	struct wl_seen e;
	if (!plan_access(x, &e) || !e.lanes)
		return;
	e.kind = WL_SEEN_MBAR_PASSED;
	e.phases = phases_of(x->gpu, &e);
	tell(x->gpu, &e);
}

/* ---- local memory ---- */

static void tell_local(const struct exec *x, struct wl_seen *e)
{
	const uint64_t t = wl_uop_traits((enum wl_uop)x->in->uop)->traits;
	e->kind = WL_SEEN_LOCAL;
	e->reads = t & WL_TRAIT(READS_MEMORY);
	e->writes = t & WL_TRAIT(WRITES_MEMORY);
	e->size = x->in->size ? x->in->size : 4;
	tell(x->gpu, e);
}

/* ---- all else ---- */

static void tell_kind(const struct exec *x, enum wl_seen_kind kind, uint32_t id)
{
	struct wl_seen e;
	of_exec(x, kind, x->mask, &e);
	e.id = id;
	tell(x->gpu, &e);
}

/* FENCE.VIEW.ASYNC names the memory in bits 73:72: shared 0, global 1, both 2 or more. */
static void tell_proxy(const struct exec *x)
{
	const unsigned which = x->gpu->program->words[x->pc].hi >> 8 & 3;
	struct wl_seen e;
	of_exec(x, WL_SEEN_PROXY, x->mask, &e);
	e.space = which == 0 ? WL_SEEN_SHARED : which == 1 ? WL_SEEN_GLOBAL : WL_SEEN_SHARED | WL_SEEN_GLOBAL;
	tell(x->gpu, &e);
}

static void tell_other(const struct exec *x)
{
	struct wl_seen e;
	switch (x->in->uop) {
	case WL_UOP_MEMBAR:
		tell_kind(x, WL_SEEN_FENCE, 0);
		break;
	case WL_UOP_CCTL_IVALL:
		tell_kind(x, WL_SEEN_INVALIDATE, 0);
		break;
	case WL_UOP_NOP: /* rest of a WARPSYNC of converged lanes, left by ptxas */
		if (wl_inst_traits(x->in) & WL_TRAIT(FENCE))
			tell_proxy(x);
		else
			tell_kind(x, WL_SEEN_LANES, 0);
		break;
	case WL_UOP_DEPBAR:
		of_exec(x, WL_SEEN_COPIES_DONE, x->mask, &e);
		e.id = x->in->imm;
		e.most = x->in->imm2;
		tell(x->gpu, &e);
		break;
	default:
		break;
	}
}

enum flow observe_exec(struct exec *x, enum flow (*execute)(struct exec *x))
{
	struct wl_seen e, local;
	struct expected c;
	if (usyncs_is_one(x->in->uop)) {
		usyncs_make(x);
		execute = exec_unit_mbarrier_engine;
	}
	const bool memory =
	        wl_uop_traits((enum wl_uop)x->in->uop)->traits & (WL_TRAIT(READS_MEMORY) | WL_TRAIT(WRITES_MEMORY));
	const bool access = memory && plan_access(x, &e);
	bool has_local = memory && !access && plan_local(x, &local);
	const uint32_t pc = x->pc;
	x->gpu->passes = 0;
	if (access) {
		note_expected(x, &c);
		e.unchanged = holds(x, &e);
		if (x->in->uop == WL_UOP_SYNCS_ARRIVE)
			tell_arrival(x, &e);
		else if (x->in->uop == WL_UOP_SYNCS_PHASECHK)
			tell_asked(x, &e);
		has_local = e.excluded != 0;
		if (__builtin_expect(has_local, 0))
			plan_excluded(x, e.excluded, &local);
	}
	const enum flow flow = execute(x);
	if (flow == FLOW_REQUEST || flow == FLOW_HOLD || flow == FLOW_STOP || x->pc != pc)
		return flow;
	if (__builtin_expect(has_local, 0))
		tell_local(x, &local);
	if (!access) {
		tell_other(x);
	} else if (is_mbarrier(x)) {
		tell_mbarrier(x, &e);
	} else {
		e.kept = holds(x, &e);
		if (x->in->uop == WL_UOP_ATOM && x->in->pd[0] != WL_PT) /* the code behind serves the other lanes */
			e.lanes &= x->w->preds[x->in->pd[0]];
		e.stored = e.writes ? e.atomic ? stored_of(x, &c, e.lanes) : e.lanes : 0;
		if (e.lanes)
			tell(x->gpu, &e);
	}
	return flow;
}

// SPDX-License-Identifier: Apache-2.0
/* exec_converge.c -- instructions of the unit `convergence`: BSSY, BSYNC, BREAK, BMOV, WARPSYNC, YIELD.
 *
 * The unit knows the waits between lanes; the groups know program counters. A DUT with the unit answers with the ready
 * lanes. x->g->pc is already the next instruction. Source: docs/spec/convergence.md, "Answers". */
#include "exec.h"
#include "barrier.h"
#include "exec_calls.h"
#include "groups.h"
#include "misuse.h"
#include "request.h"
#include "sleep.h"
#include "step.h"
#include "stop.h"
#include "observe.h"

static uint32_t chosen(const struct exec *x)
{
	return x->mask & read_pred(x, x->in->ps[0]);
}

static enum wl_warpsync warpsync_kind(const struct exec *x)
{
	return x->in->op ? WL_WARPSYNC_APART : WL_WARPSYNC_PLAIN;
}

static enum flow bsync(struct exec *x)
{
	const unsigned bar = x->in->cbar & 15;
	return groups_wait(x, chosen(x), GROUP_BSYNC, bar, wl_conv_bsync(x->conv, bar, chosen(x)));
}

/* The lowest faulted lane gives the fault, as in a record. */
static enum flow warpsync(struct exec *x)
{
	if (x->gpu->observer)
		observe_masks(x, x->a);
	const struct wl_conv_misuse bad = wl_conv_judge(x->conv, warpsync_kind(x), x->mask, x->a);
	if (bad.self | bad.mismatch) {
		const bool self = bad.self >> lowest(bad.self | bad.mismatch) & 1;
		return stop_fault(x, self ? WL_FAULT_WARP_MASK_SELF : WL_FAULT_WARP_MASK_MISMATCH,
		                  self ? bad.self : bad.mismatch, false, 0);
	}
	const uint32_t go_on = wl_conv_warpsync(x->conv, warpsync_kind(x), x->mask, x->a);
	if (x->gpu->observer && go_on)
		observe_lanes(x, go_on);
	return groups_wait(x, x->mask, GROUP_WARPSYNC, warpsync_kind(x), go_on);
}

static enum flow let_others(struct exec *x, uint32_t go_on)
{
	groups_go_on(x->w, x->conv, go_on);
	groups_set_current(x);
	return FLOW_NEXT;
}

enum flow exec_unit_convergence(struct exec *x)
{
	const unsigned bar = x->in->cbar & 15;
	const enum wl_uop uop = (enum wl_uop)x->in->uop;
	if ((uop == WL_UOP_BSYNC || uop == WL_UOP_BREAK) && !chosen(x))
		return FLOW_NEXT;
	if (uop == WL_UOP_WARPSYNC)
		misuse_warp_mask(x, !unit_in_dut(x));
	if (!x->mask)
		return FLOW_NEXT;
	if (unit_in_dut(x))
		return FLOW_REQUEST;
	switch (uop) {
	case WL_UOP_BSSY:
		wl_conv_bssy(x->conv, bar, x->mask);
		return FLOW_NEXT;
	case WL_UOP_BSYNC:
		return bsync(x);
	case WL_UOP_BREAK:
		return let_others(x, wl_conv_break(x->conv, bar, chosen(x)));
	case WL_UOP_BMOV_CLEAR: {
		const enum flow flow = write_rd(x, x->conv->set[bar]);
		wl_conv_clear(x->conv, bar, x->mask);
		return flow;
	}
	case WL_UOP_BMOV_B2R:
		return write_rd(x, x->conv->set[bar]);
	case WL_UOP_BMOV_R2B:
		wl_conv_put(x->conv, bar, x->mask, x->a);
		return FLOW_NEXT;
	case WL_UOP_WARPSYNC:
		return warpsync(x);
	case WL_UOP_YIELD:
		groups_yield(x->w, x->conv, x->mask);
		groups_set_current(x);
		return FLOW_SWITCH;
	default:
		return stop_error(x, "this micro-operation of convergence is not built yet");
	}
}

/* ---- SOURCE: the DUT names the ready lanes ---- */

/* A YIELD for lanes at another instruction: at NANOSLEEP, or after too long a run (groups_patience). */
bool converge_as_yield(const struct exec *x, uint32_t lanes, struct wl_req *req)
{
	const struct wl_inst yield = wl_inst_make(WL_UOP_YIELD);
	const char *why;
	if (wl_encode(x->gpu->config.arch, &yield, &req->word, &why) ||
	    wl_decode(x->gpu->config.arch, req->word, &req->inst))
		return false;
	req->tag = (struct wl_tag){(uint16_t)x->sm_index, x->w->slot, x->w->cta, x->warp_index, x->w->n};
	req->pc = x->pc * 16;
	req->mask = lanes;
	req->lane = (uint8_t)lowest(lanes);
	req->pred = ALL_LANES;
	req->ur = 0;
	req->posted = false;
	req->header = true;
	memset(req->ra, 0, sizeof req->ra);
	memset(req->rb, 0, sizeof req->rb);
	memset(req->rc, 0, sizeof req->rc);
	return true;
}

static enum flow answered(struct exec *x, const struct wl_record *rec, uint32_t go_on)
{
	switch (x->in->uop) {
	case WL_UOP_BMOV_CLEAR:
	case WL_UOP_BMOV_B2R:
		request_write_back(x->gpu, rec, x->w, x->uni);
		return FLOW_NEXT;
	case WL_UOP_BSYNC:
		return groups_wait(x, chosen(x), GROUP_BSYNC, x->in->cbar & 15, go_on);
	case WL_UOP_WARPSYNC:
		return groups_wait(x, x->mask, GROUP_WARPSYNC, warpsync_kind(x), go_on);
	case WL_UOP_EXIT: {
		const enum flow flow = groups_left(x, x->mask, go_on);
		return groups_waiting_at_bar(x->w) == x->w->live ? barrier_arrive(x) : flow;
	}
	case WL_UOP_YIELD:
		let_others(x, go_on);
		return FLOW_SWITCH;
	case WL_UOP_NANOSLEEP:
		groups_go_on(x->w, x->conv, go_on);
		sleep_group(x);
		groups_set_current(x);
		return FLOW_SWITCH;
	default:
		return let_others(x, go_on);
	}
}

void converge_answered(struct wl_gpu *gpu, const struct wl_record *rec)
{
	if (rec->faulted) /* the run is over */
		return;
	const uint32_t ready = rec->written ? rec->result[lowest(rec->written)].w[0] : 0;
	struct exec x;
	exec_init(&x, gpu, rec->tag.sm, rec->tag.warp);
	x.done = 0;
	if (x.w->forced) {
		x.w->forced = 0;
		groups_forced(x.w, x.conv, ready);
		return;
	}
	step_fetch(&x, rec->pc / 16);
	x.mask = rec->mask;
	const bool waits = x.in->uop == WL_UOP_BSYNC || x.in->uop == WL_UOP_WARPSYNC;
	const uint32_t here = waits ? x.in->uop == WL_UOP_BSYNC ? chosen(&x) : x.mask : 0;
	const uint32_t go_on = ready & (groups_waiting(x.w) | here);
	if (step_turned(&x, answered(&x, rec, go_on), 0) && x.w->live)
		groups_pick(x.w, true);
}

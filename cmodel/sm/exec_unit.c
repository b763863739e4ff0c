// SPDX-License-Identifier: Apache-2.0
/* exec_unit.c -- an instruction of any unit through its interface (unit.h), all lanes at once: slower than a function
 * of its own on the registers, but nothing has to be written for a new unit. */
#include "exec.h"

/* What a warp is handed with its release: its registers still are those of the request. */
static void hand_over(struct wl_gpu *gpu, unsigned sm, unsigned warp, const struct wl_unit_ops *ops,
                      const struct wl_released *r)
{
	_Alignas(16) unsigned char space[WL_PLAN_MAX];
	struct wl_plan *plan = (struct wl_plan *)space;
	struct wl_req req;
	struct wl_record rec;
	struct exec x;
	exec_init(&x, gpu, sm, warp);
	if (x.w->hold != HOLD_UNIT || !ops->answer)
		return;
	step_fetch(&x, x.g->pc - 1);
	x.mask = x.w->unit_mask;
	request_build(&x, x.mask, &req);
	ops->plan(&x.sm->units, &req, plan, &rec);
	ops->answer(&x.sm->units, &req, plan, r, &rec);
	request_write_back(gpu, &rec, x.w, x.uni);
}

void unit_go_on(struct wl_gpu *gpu, unsigned sm, uint64_t warps)
{
	for (; warps; warps &= warps - 1) {
		const unsigned warp = (unsigned)__builtin_ctzll(warps);
		struct warp *w = gpu_warp(gpu, sm, warp);
		if (w->hold == HOLD_UNIT)
			w->hold = HOLD_NONE;
		groups_wake_bar(w);
		warp_set_ready(gpu, sm, warp);
	}
}

static void take_releases(struct wl_gpu *gpu, unsigned sm, const struct wl_unit_ops *ops)
{
	struct wl_released r;
	while (ops->released && ops->released(&gpu_sm(gpu, sm)->units, &r)) {
		for (uint64_t m = r.warps; m; m &= m - 1)
			hand_over(gpu, sm, (unsigned)__builtin_ctzll(m), ops, &r);
		unit_go_on(gpu, sm, r.warps);
	}
}

void unit_exit(struct exec *x)
{
	const struct wl_event ev = {.kind = WL_EV_EXIT,
	                            .unit = WL_UNIT_sync_core,
	                            .tag = {(uint16_t)x->sm_index, x->w->slot, x->w->cta, x->warp_index, x->w->n}};
	const uint32_t elsewhere = x->sm_index == 0 ? x->gpu->dut : 0;
	for (unsigned i = 0; i < WL_UNIT_COUNT; i++) {
		const struct wl_unit_ops *ops = wl_unit_ops((enum wl_unit)i);
		if (!ops || !ops->event || elsewhere >> i & 1)
			continue;
		ops->event(&x->sm->units, &ev);
		take_releases(x->gpu, x->sm_index, ops);
	}
}

static enum flow fault(struct exec *x, const struct wl_req *req, const struct wl_record *rec)
{
	stop_lanes_fault(x->gpu, x->sm_index, x->warp_index, req->pc, rec->faulted, rec->fault, req->ra, req->ur);
	return FLOW_STOP;
}

enum flow exec_any_unit(struct exec *x)
{
	const struct wl_unit_ops *ops = wl_unit_ops((enum wl_unit)x->op->unit);
	_Alignas(16) unsigned char space[WL_PLAN_MAX];
	struct wl_plan *plan = (struct wl_plan *)space;
	struct wl_units *u = &x->sm->units;
	struct wl_req req;
	struct wl_record rec;
	if (!ops)
		return stop_error(x, "the unit of this instruction is not built yet");
	if (unit_in_dut(x))
		return FLOW_REQUEST;
	if (must_drain(x))
		return FLOW_HOLD;
	request_build(x, x->mask, &req);
	ops->plan(u, &req, plan, &rec);
	for (unsigned pass = 0; pass < plan->passes; pass++) {
		const struct wl_event ev = {.kind = WL_EV_COMMIT,
		                            .unit = (enum wl_unit)x->op->unit,
		                            .tag = req.tag,
		                            .lanes = plan->pass_lanes[pass]};
		ops->apply(u, &req, plan, &ev, &rec);
	}
	ops->finish(u, &req, plan, &rec);
	observe_change(x->gpu, true);
	observe_meeting(x->gpu);
	x->w->n++;
	if (rec.faulted)
		return fault(x, &req, &rec);
	request_write_back(x->gpu, &rec, x->w, x->uni);
	if (plan->waits) {
		x->w->hold = HOLD_UNIT;
		x->w->unit_mask = x->mask;
	}
	take_releases(x->gpu, x->sm_index, ops);
	return x->w->hold == HOLD_UNIT ? FLOW_SWITCH : FLOW_NEXT;
}

/* Units without a function of their own in the front end. */
#define EXEC_1(name)
#define EXEC_0(name)                                                                                                   \
	enum flow exec_unit_##name(struct exec *x);                                                                    \
	enum flow exec_unit_##name(struct exec *x)                                                                     \
	{                                                                                                              \
		return exec_any_unit(x);                                                                               \
	}
#define UNIT(name, words, preds, in_c, in_front, in_rtl, holds) EXEC_##in_front(name)
#include "../units/units.def"
#undef UNIT

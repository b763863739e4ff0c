// SPDX-License-Identifier: Apache-2.0
/* exec_unit.c -- an instruction of any unit through the unit's interface (unit.h), all lanes at once. This way is
 * slower than a function on the registers, but a new unit needs no code here. */
#include "exec.h"
#include "cluster.h"
#include "exec_unit.h"
#include "groups.h"
#include "misuse.h"
#include "request.h"
#include "spin.h"
#include "stop.h"
#include "usyncs.h"
#include "observe.h"

/* The whole request of a waiting warp, for units that answer waits by the interface. The answer to TRYWAIT is two bits,
 * so struct wait is enough. */
struct kept {
	struct wl_req req;
	struct wl_record rec;
	union {
		struct wl_plan plan;
		uint64_t words[WL_PLAN_MAX / 8];
	};
};

static bool is_kept(enum wl_unit unit)
{
	const struct wl_unit_ops *ops = wl_unit_ops(unit);
	return unit != WL_UNIT_mbarrier_engine && ops && ops->answer;
}

static struct kept *kept_of(const struct wl_gpu *gpu, unsigned sm, unsigned warp)
{
	return (struct kept *)block_at(gpu, gpu->at_kept) + sm * gpu->config.warps_per_sm + warp;
}

uint64_t unit_kept_bytes(const struct wl_gpu *gpu, uint64_t warps)
{
	bool any = false;
	for (unsigned i = 0; i < WL_UNIT_COUNT; i++)
		any |= wl_gpu_needs(gpu) >> i & 1 && is_kept((enum wl_unit)i);
	return any ? warps * sizeof(struct kept) : 0;
}

/* Bit 0 for the phase, bit 1 for the report of the phase. All lanes wait for the same thing. */
static void answer(struct warp *w, const struct wl_inst *in, uint32_t value)
{
	uint32_t *uni = w->uni[w->g[w->cur].uni];
	for (unsigned k = 0; k <= (in->type == WL_MBAR_PRIMARY); k++) {
		const uint8_t pd = in->pd[k];
		const uint32_t told = value >> k & 1 ? ALL_LANES : 0;
		if (pd == WL_PT)
			continue;
		if (in->uop == WL_UOP_USYNCS_PHASECHK)
			uni[UPRED + pd] = told;
		else
			w->preds[pd] = (w->preds[pd] & ~w->wait.lanes) | (told & w->wait.lanes);
	}
}

/* Observers ask for the addresses: the registers have not changed. */
static void tell_passed(struct wl_gpu *gpu, unsigned sm, unsigned warp)
{
	struct exec x;
	exec_init(&x, gpu, sm, warp);
	step_fetch(&x, x.w->wait.pc);
	x.mask = x.w->wait.lanes;
	usyncs_make(&x);
	observe_passed(&x);
}

/* Results for a warp at the release. */
static void hand_over(struct wl_gpu *gpu, unsigned sm, unsigned warp, const struct wl_unit_ops *ops,
                      const struct wl_released *r)
{
	struct warp *w = gpu_warp(gpu, sm, warp);
	if (w->state != WARP_UNIT || !ops->answer)
		return;
	if (is_kept(r->unit)) {
		struct kept *k = kept_of(gpu, sm, warp);
		ops->answer(&gpu_sm(gpu, sm)->units, &k->req, &k->plan, r, &k->rec);
		request_write_back(gpu, &k->rec, w, w->uni[w->g[w->cur].uni]);
		return;
	}
	answer(w, &gpu->program->insts[w->wait.pc], r->value);
	if (gpu->observer && r->value)
		tell_passed(gpu, sm, warp);
}

static void give_up_kept(struct wl_gpu *gpu, struct warp *w, struct kept *k, enum wl_unit unit)
{
	const struct wl_event ev = {.kind = WL_EV_CHOICE, .unit = unit, .tag = k->req.tag};
	wl_unit_ops(unit)->apply(&gpu_sm(gpu, k->req.tag.sm)->units, &k->req, &k->plan, &ev, &k->rec);
	request_write_back(gpu, &k->rec, w, w->uni[w->g[w->cur].uni]);
}

static void give_up_phase(struct wl_gpu *gpu, struct warp *w, unsigned sm, unsigned warp)
{
	const struct wl_tag tag = {(uint16_t)sm, w->slot, w->cta, warp, w->n};
	wl_mbar_unpark(&gpu_sm(gpu, sm)->units, warp);
	answer(w, &gpu->program->insts[w->wait.pc], 0);
	misuse_report(gpu, &tag, w->wait.pc * 16, w->wait.lanes);
}

void unit_give_up(struct wl_gpu *gpu, unsigned sm, unsigned warp)
{
	struct warp *w = gpu_warp(gpu, sm, warp);
	const enum wl_unit unit = wl_uop_unit((enum wl_uop)gpu->program->insts[w->wait.pc].uop);
	if (is_kept(unit))
		give_up_kept(gpu, w, kept_of(gpu, sm, warp), unit);
	else
		give_up_phase(gpu, w, sm, warp);
	warp_enter(w, WARP_RUNS);
	w->wait.give_up = 0;
}

void unit_go_on(struct wl_gpu *gpu, unsigned sm, uint64_t warps)
{
	for (; warps; warps &= warps - 1) {
		const unsigned warp = (unsigned)__builtin_ctzll(warps);
		struct warp *w = gpu_warp(gpu, sm, warp);
		if (w->state == WARP_UNIT)
			warp_enter(w, WARP_RUNS);
		w->wait.give_up = 0;
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
		if (gpu->observer && r.unit == WL_UNIT_barrier_file)
			observe_release(gpu, sm, WL_SEEN_BAR_RELEASE, r.id, r.warps);
		if (gpu->observer && r.unit == WL_UNIT_cluster_barrier)
			observe_release(gpu, sm, WL_SEEN_CLUSTER_RELEASE, r.id, r.warps);
		unit_go_on(gpu, sm, r.warps);
	}
}

void unit_releases(struct wl_gpu *gpu, unsigned sm, enum wl_unit unit)
{
	take_releases(gpu, sm, wl_unit_ops(unit));
}

void unit_exit(struct exec *x)
{
	const struct wl_event ev = {.kind = WL_EV_EXIT,
	                            .unit = WL_UNIT_sync_core,
	                            .tag = {(uint16_t)x->sm_index, x->w->slot, x->w->cta, x->warp_index, x->w->n}};
	const uint32_t elsewhere = sm_in_dut(x->gpu, x->sm_index) ? x->gpu->dut : 0;
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

/* Can others see a difference? Memory tells exactly; the state of a unit may always have changed. */
static bool has_changed(const struct wl_inst *in, const struct wl_record *rec)
{
	bool changed = !request_has_address(in);
	for (uint32_t m = rec->stored; m && !changed; m &= m - 1)
		changed = memcmp(&rec->old[lowest(m)], &rec->now[lowest(m)], rec->size) != 0;
	return changed;
}

/* Tells spin.c of the request. A request that only looks at memory counts as a load. */
static void observe(struct exec *x, const struct wl_record *rec, const struct wl_window *window)
{
	observe_change(x->gpu, has_changed(x->in, rec));
	if (!request_has_address(x->in))
		observe_meeting(x->gpu);
	for (uint32_t m = x->gpu->watch && request_has_address(x->in) ? rec->committed : 0; m; m &= m - 1) {
		uint64_t v;
		memcpy(&v, &rec->old[lowest(m)], sizeof v);
		spin_note_read(x, lowest(m), rec->addr[lowest(m)] - window->base, v);
	}
}

void unit_wait(struct exec *x, bool gives_up)
{
	warp_enter(x->w, WARP_UNIT);
	x->w->wait = (struct wait){
	        .pc = x->pc, .lanes = x->mask, .give_up = gives_up ? sm_time(x->sm) + x->done + 1 + SUSPEND : 0};
}

static void keep(const struct exec *x, const struct wl_unit_ops *ops, const struct wl_req *req,
                 const struct wl_plan *plan, const struct wl_record *rec)
{
	if (!is_kept((enum wl_unit)x->op->unit))
		return;
	struct kept *k = kept_of(x->gpu, x->sm_index, x->warp_index);
	k->req = *req;
	k->rec = *rec;
	memcpy(&k->plan, plan, ops->plan_bytes);
}

/* These lanes, all at once. `at`: the CTA of the addressed shared memory. */
static enum flow run_lanes(struct exec *x, const struct wl_unit_ops *ops, uint32_t lanes, struct place at)
{
	_Alignas(16) unsigned char space[WL_PLAN_MAX];
	struct wl_plan *plan = (struct wl_plan *)space;
	struct wl_units *u = &gpu_sm(x->gpu, at.sm)->units;
	struct wl_req req;
	struct wl_record rec;
	request_build(x, lanes, &req);
	req.tag.slot = at.slot;
	ops->plan(u, &req, plan, &rec);
	for (unsigned pass = 0; pass < plan->passes; pass++) {
		const struct wl_event ev = {.kind = WL_EV_COMMIT,
		                            .unit = (enum wl_unit)x->op->unit,
		                            .tag = req.tag,
		                            .lanes = plan->pass_lanes[pass]};
		ops->apply(u, &req, plan, &ev, &rec);
	}
	ops->finish(u, &req, plan, &rec);
	observe(x, &rec, &u->smem.window[at.slot]);
	x->w->n++;
	if (rec.faulted)
		return fault(x, &req, &rec);
	request_write_back(x->gpu, &rec, x->w, x->uni);
	if (x->gpu->outcome != WL_RUNNING) /* a misuse has become a fault */
		return FLOW_STOP;
	if (plan->waits) {
		unit_wait(x, plan->gives_up);
		keep(x, ops, &req, plan, &rec);
	}
	take_releases(x->gpu, at.sm, ops);
	return x->w->state == WARP_UNIT ? FLOW_SWITCH : FLOW_NEXT;
}

/* An arrival without a result: another CTA's mbarrier is told, too. */
static bool serves_others(const struct wl_inst *in)
{
	return in->uop == WL_UOP_SYNCS_ARRIVE && (in->type == WL_MBAR_RED || in->rd == WL_RZ);
}

static void addresses_in_cluster(const struct exec *x, uint32_t addr[WL_WARP_LANES])
{
	const uint32_t own = x->sm->units.smem.window[x->w->slot].origin;
	const uint32_t *ra = x->in->src[0] != WL_SRC_NONE ? x->a : x->in->ra == WL_RZ ? NULL : x->r[x->in->ra];
	FOR_LANES (i)
		addr[i] = wl_shared_address(x->in, ra ? ra[i] : 0, read_ur(x, x->in->ur)) + own -
		          wl_shared_origin(x->in, own);
}

/* Misuses of an instruction executed by the C model. False: a fault. Most arrivals of a single lane have no misuse. */
static bool unit_may(struct exec *x)
{
	const uint16_t uop = x->in->uop;
	const bool counts = uop == WL_UOP_SYNCS_ARRIVE || uop == WL_UOP_ATOMS_ARRIVE;
	struct wl_req req;
	if (x->op->unit != WL_UNIT_mbarrier_engine ||
	    (counts && cluster_is_one(x->gpu) && !x->sm->ended_mbars && !(x->mask & (x->mask - 1)) &&
	     x->in->rd == WL_RZ && !mbarrier_is_relaid(x)))
		return true;
	request_build(x, x->mask, &req);
	return misuse_mbarrier(x->gpu, &req, x->mask, 0, sm_time(x->sm) + x->done);
}

/* Some lane names an mbarrier of another CTA. */
static bool names_others(const struct exec *x)
{
	uint32_t addr[WL_WARP_LANES];
	if (!request_has_address(x->in) || cluster_is_one(x->gpu))
		return false;
	addresses_in_cluster(x, addr);
	return cluster_names_others(x, x->mask, addr);
}

/* Lanes with mbarriers of other CTAs of the cluster act as if each of these CTAs had asked. */
static enum flow run_in_cluster(struct exec *x, const struct wl_unit_ops *ops)
{
	uint32_t addr[WL_WARP_LANES];
	enum flow flow = FLOW_NEXT;
	addresses_in_cluster(x, addr);
	for (uint32_t left = x->mask, lanes; left && flow == FLOW_NEXT; left &= ~lanes) {
		struct place at;
		lanes = cluster_mates(x->gpu, left, addr);
		enum wl_fault fault = cluster_find(x, addr[lowest(lanes)], &at);
		if (fault == WL_FAULT_NONE && !cluster_is_own(x, at) && !serves_others(x->in))
			fault = WL_FAULT_BAD_SPACE;
		if (fault != WL_FAULT_NONE && addr[lowest(lanes)] % 8)
			fault = WL_FAULT_MISALIGNED_ADDRESS;
		flow = fault == WL_FAULT_NONE ? run_lanes(x, ops, lanes, at)
		                              : stop_fault(x, fault, lanes, true, addr[lowest(lanes)]);
	}
	return flow;
}

enum flow exec_any_unit(struct exec *x)
{
	const struct wl_unit_ops *ops = wl_unit_ops((enum wl_unit)x->op->unit);
	const struct place own = {(uint16_t)x->sm_index, x->w->slot};
	if (!ops)
		return stop_error(x, "the unit of this instruction is not built yet");
	if (unit_in_dut(x) && names_others(x) && !cluster_in_dut(x))
		return unit_may(x) ? stop_error(x, NO_CLUSTER_IN_DUT) : FLOW_STOP;
	if (unit_in_dut(x)) /* misuses of a request are judged when REF applies the request */
		return FLOW_REQUEST;
	if (must_drain(x))
		return FLOW_HOLD;
	if (request_has_address(x->in) && shared_in_dut(x))
		return stop_error(x, "in lockstep needs mbarrier_engine in the RTL (--units mbarrier_engine)");
	if (!unit_may(x))
		return FLOW_STOP;
	if (request_has_address(x->in) && !cluster_is_one(x->gpu))
		return run_in_cluster(x, ops);
	return run_lanes(x, ops, x->mask, own);
}

/* Units without a function in the front end. */
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

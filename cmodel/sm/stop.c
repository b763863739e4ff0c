// SPDX-License-Identifier: Apache-2.0
/* stop.c -- notes, once, the reason of an early end of a run. explain.c puts the reason into words. */
#include <stdio.h>

#include "request.h"
#include "stop.h"
#include "observe.h"

static void note(struct wl_gpu *gpu, unsigned sm, unsigned warp, uint32_t pc, uint32_t lanes)
{
	const struct warp *w = gpu_warp(gpu, sm, warp);
	struct trouble *t = &gpu->trouble;
	t->pc = pc;
	t->sm = sm;
	t->cta = w->cta;
	t->warp = w->thread0 / WL_WARP_LANES;
	t->warp_index = warp;
	t->lanes = lanes;
}

void stop_at(struct wl_gpu *gpu, unsigned sm, unsigned warp, uint32_t pc, uint32_t lanes, enum wl_fault fault,
             bool has_addr, uint64_t addr)
{
	note(gpu, sm, warp, pc, lanes);
	gpu->outcome = WL_FAULTED;
	gpu->trouble.fault = fault;
	gpu->trouble.has_addr = has_addr;
	gpu->trouble.addr = addr;
	if (gpu->observer)
		observe_fault(gpu);
}

enum flow stop_fault(struct exec *x, enum wl_fault fault, uint32_t lanes, bool has_addr, uint64_t addr)
{
	stop_at(x->gpu, x->sm_index, x->warp_index, x->pc * 16, lanes, fault, has_addr, addr);
	return FLOW_STOP;
}

static uint64_t address_of(const struct wl_inst *in, uint64_t ra, uint64_t ur)
{
	return wl_uop_unit(in->uop) == WL_UNIT_atom_unit ? wl_global_address(in, ra, in->ur == WL_NO_UR ? 0 : ur)
	                                                 : wl_shared_address(in, (uint32_t)ra, (uint32_t)ur);
}

void stop_lanes_fault(struct wl_gpu *gpu, unsigned sm, unsigned warp, uint32_t pc, uint32_t lanes, const uint8_t *fault,
                      const uint64_t *ra, uint64_t ur)
{
	const struct wl_inst *in = &gpu->program->insts[pc / 16];
	unsigned first = lowest(lanes);
	uint32_t same = 0;
	for (uint32_t m = lanes; m; m &= m - 1)
		same |= (uint32_t)(fault[lowest(m)] == fault[first]) << lowest(m);
	note(gpu, sm, warp, pc, same);
	gpu->outcome = WL_FAULTED;
	gpu->trouble.fault = fault[first];
	gpu->trouble.has_addr = request_has_address(in);
	gpu->trouble.addr = gpu->trouble.has_addr ? address_of(in, ra[first], ur) : 0;
	if (gpu->observer)
		observe_fault(gpu);
}

enum flow stop_error(struct exec *x, const char *text)
{
	note(x->gpu, x->sm_index, x->warp_index, x->pc * 16, x->mask);
	x->gpu->outcome = WL_ERROR;
	snprintf(x->gpu->trouble.text, sizeof x->gpu->trouble.text, "%s", text);
	return FLOW_STOP;
}

void stop_landing(struct wl_gpu *gpu, unsigned sm, unsigned warp, uint32_t pc, uint32_t lanes, enum wl_fault fault,
                  uint32_t addr)
{
	if (gpu->outcome == WL_RUNNING)
		stop_at(gpu, sm, warp, pc, lanes, fault, true, addr);
}

void stop_deadlock(struct wl_gpu *gpu)
{
	gpu->outcome = WL_DEADLOCK;
}

void stop_spinning(struct wl_gpu *gpu, enum spin_verdict verdict)
{
	gpu->outcome = WL_DEADLOCK;
	gpu->spins = (uint8_t)verdict;
}

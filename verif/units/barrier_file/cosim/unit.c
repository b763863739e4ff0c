// SPDX-License-Identifier: Apache-2.0
/* unit.c -- barrier_file as seen by the harness. */
#include <stdio.h>

#include "../../../cosim/flight.h"
#include "barrier_file.h"

static unsigned kind_of(const struct wl_inst *in)
{
	return in->op == WL_BAR_RED ? BAR_POPC + in->type : in->op == WL_BAR_ARV ? BAR_ARV : BAR_SYNC;
}

static unsigned form_of(const struct wl_inst *in)
{
	if (in->flags & WL_F_HI)
		return BAR_PACKED;
	return in->src[0] == WL_SRC_REG ? BAR_ID_IN_RA : in->src[1] == WL_SRC_REG ? BAR_COUNT_IN_RB : 0;
}

/* The threads named by the arrival; 0: no count. Registers stand in lane 0. */
static uint32_t threads_of(const struct wl_req *q)
{
	switch (form_of(&q->inst)) {
	case BAR_PACKED:
		return q->ra[0] >> 16 & 0xffff;
	case BAR_COUNT_IN_RB:
		return q->rb[0].w[0];
	default:
		return q->inst.imm2;
	}
}

static uint32_t index_of(const struct wl_req *q)
{
	const unsigned form = form_of(&q->inst);
	return form == BAR_PACKED ? q->ra[0] & 0xffff : form == BAR_ID_IN_RA ? (uint32_t)q->ra[0] : q->inst.imm;
}

static void count(const struct flight *f, uint64_t *counter)
{
	const struct wl_inst *in = &f->req.inst;
	if (in->uop != WL_UOP_BAR) {
		counter[BARS_RESULTS]++;
		return;
	}
	counter[BARS_DEFER] += f->req.word.hi >> 16 & 1;
	counter[BARS_FORMS + form_of(in)]++;
	if (!f->ref.faulted)
		counter[BARS_KINDS + kind_of(in)]++;
	const unsigned code = f->ref.faulted ? f->ref.fault[__builtin_ctz(f->ref.faulted)] : WL_FAULT_NONE;
	counter[BARS_COUNT_OVER] +=
	        code == WL_FAULT_BAR_BAD_COUNT && threads_of(&f->req) == (BAR_WARPS + 1) * WL_WARP_LANES;
	counter[BARS_ID_OVER] += code == WL_FAULT_BAR_BAD_ID && index_of(&f->req) == WL_NAMED_BARS;
}

/* After REF has counted the arrival: other arrivals of this cycle, and the distance to the barrier's last phase. */
static void look_at_commit(struct lockstep *ls, struct flight *f, const struct shim_event *e, uint32_t lanes)
{
	struct barrier_file_state *s = ls->unit_state[WL_UNIT_barrier_file];
	uint64_t *n = ls->stats.counter[WL_UNIT_barrier_file];
	const struct wl_bar_cta *cta = &ls->ref->barrier_file.cta[f->req.tag.slot];
	const uint64_t now = ls->stats.cycles;
	const uint32_t threads = threads_of(&f->req);
	(void)e;
	n[BARS_TOGETHER] += s->commit == now;
	s->commit = now;
	if (f->req.inst.uop != WL_UOP_BAR)
		return;
	barrier_file_note_commit(ls, f, threads != 0);
	uint64_t *ended = &s->ended[f->req.tag.slot][f->plan.wait_id % WL_NAMED_BARS];
	n[BARS_REUSE] += *ended && *ended + 1 == now;
	n[BARS_MANY_CTAS] += waits_ctas(ls) >= 4;
	n[BARS_LARGE] += cta->warps > 32;
	n[BARS_COUNT_ALL] += threads == cta->warps * WL_WARP_LANES;
	n[BARS_COUNT_MOST] += threads == cta->warps * WL_WARP_LANES && cta->warps == BAR_WARPS;
	n[BARS_ID_LAST] += f->plan.wait_id == WL_NAMED_BARS - 1;
	n[BARS_PART] += lanes != UINT32_MAX;
	if (cta->bar[f->plan.wait_id % WL_NAMED_BARS].here)
		return;
	*ended = now;
	n[BARS_ENDED] += ls->ref->barrier_file.nfixed != 0;
}

static void print_random(const struct lockstep_stats *s)
{
	const uint64_t *n = s->counter[WL_UNIT_barrier_file];
	printf("barriers    %llu arrivals beside another, %llu in the cycle after a phase, %llu while four CTAs wait, "
	       "%llu releases by EXIT; %llu counts of a whole SM, %llu of a warp more\n",
	       (unsigned long long)n[BARS_TOGETHER], (unsigned long long)n[BARS_REUSE],
	       (unsigned long long)n[BARS_MANY_CTAS], (unsigned long long)(s->releases - n[BARS_ENDED]),
	       (unsigned long long)n[BARS_COUNT_MOST], (unsigned long long)n[BARS_COUNT_OVER]);
}

static const struct cosim_planted planted[] = {
#define PLANTED(number, name, check, rules, mix, what) {number, #name, CHECK_##check, rules, #mix, what, 0},
#include "planted.def"
#undef PLANTED
        {0},
};

const struct cosim_unit cosim_barrier_file = {.unit = WL_UNIT_barrier_file,
                                              .mon = &mon_barrier_file,
                                              .compare_commit = look_at_commit,
                                              .cycle = barrier_file_compare_cycle,
                                              .count = count,
                                              .ask = barrier_file_ask,
                                              .answer = barrier_file_answer,
                                              .view = barrier_file_view,
                                              .print_random = print_random,
                                              .mixes = barrier_file_mixes,
                                              .fields = barrier_file_fields,
                                              .corrupt_mix = "barrier",
                                              .planted = planted,
                                              .planted_ports = 2,
                                              .state_bytes = sizeof(struct barrier_file_state)};

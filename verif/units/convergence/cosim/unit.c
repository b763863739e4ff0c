// SPDX-License-Identifier: Apache-2.0
/* unit.c -- convergence as seen by the harness. */
#include <stdio.h>

#include "../../../cosim/flight.h"
#include "../../../cosim/flip.h"
#include "convergence.h"

static unsigned lanes_in(uint32_t mask)
{
	return (unsigned)__builtin_popcount(mask);
}

static unsigned kind_of(const struct wl_inst *in)
{
	switch (in->uop) {
	case WL_UOP_BSSY:
		return CONV_BSSY;
	case WL_UOP_BSYNC:
		return CONV_BSYNC;
	case WL_UOP_BREAK:
		return CONV_BREAK;
	case WL_UOP_BMOV_CLEAR:
		return CONV_CLEAR;
	case WL_UOP_BMOV_B2R:
		return CONV_B2R;
	case WL_UOP_BMOV_R2B:
		return CONV_R2B;
	case WL_UOP_WARPSYNC:
		return in->op ? CONV_APART : CONV_WARPSYNC;
	case WL_UOP_YIELD:
		return CONV_YIELD;
	default:
		return CONV_EXIT;
	}
}

/* Compares the ready lanes with REF, and counts lanes going on, by cause. A warp without a COMMIT yet stands at its
 * first instruction: all live lanes are ready. */
static void look_at_commit(struct lockstep *ls, struct flight *f, const struct shim_event *e, uint32_t lanes)
{
	struct convergence_state *s = ls->unit_state[WL_UNIT_convergence];
	const struct wl_conv_warp *w = &ls->ref->convergence.warp[f->req.tag.warp];
	const unsigned kind = kind_of(&f->req.inst);
	const bool may_wait = kind == CONV_YIELD && s->said[f->req.tag.warp]; /* the lanes named by the YIELD */
	const uint32_t now = w->live & ~w->waits, before = s->ready[f->req.tag.warp] | (may_wait ? 0 : f->req.mask);
	const uint32_t on = now & ~before, went = before & w->live & ~now;
	uint64_t *n = ls->stats.counter[WL_UNIT_convergence];
	if (e->value != now)
		complain(ls, CHECK_VALUES, f, "lanes 0x%08x are ready, REF has 0x%08x", e->value, now);
	s->ready[f->req.tag.warp] = now;
	s->dut[f->req.tag.warp] = e->value;
	s->said[f->req.tag.warp] = true;
	n[kind]++;
	n[CONV_NOBODY] += (kind == CONV_BSYNC || kind == CONV_BREAK) && !(lanes & f->req.pred);
	n[CONV_WAITS] += lanes_in(went);
	n[kind == CONV_BREAK   ? CONV_ON_BREAK
	  : kind == CONV_YIELD ? CONV_ON_YIELD
	  : kind == CONV_EXIT  ? CONV_ON_EXIT
	                       : CONV_ON] += lanes_in(on);
	n[CONV_PARTS] += (before & ~lanes) != 0;
	n[CONV_IN_WORD] += f->req.inst.uop == WL_UOP_WARPSYNC && f->req.inst.src[0] == WL_SRC_IMM;
}

static bool ready(const struct lockstep *ls, unsigned warp, uint32_t *lanes)
{
	const struct convergence_state *s = ls->unit_state[WL_UNIT_convergence];
	if (!s || warp >= WL_MAX_WARPS || !s->said[warp])
		return false;
	*lanes = s->dut[warp];
	return true;
}

/* From the record, since a request has no COMMIT when all lanes fault. */
static void count(const struct flight *f, uint64_t n[COSIM_COUNTERS])
{
	bool self = false, mismatch = false;
	for (uint32_t m = f->ref.faulted; m; m &= m - 1) {
		const bool is_self = f->ref.fault[__builtin_ctz(m)] == WL_FAULT_WARP_MASK_SELF;
		self |= is_self;
		mismatch |= !is_self;
	}
	n[CONV_SELF] += self;
	n[CONV_MISMATCH] += mismatch;
	n[CONV_BOTH] += self && mismatch;
	n[CONV_ALL_BAD] += f->ref.faulted && f->ref.faulted == f->req.mask;
}

static void print_random(const struct lockstep_stats *s)
{
	const uint64_t *n = s->counter[WL_UNIT_convergence];
	printf("convergence %llu lanes began to wait; %llu went on by the last one, %llu by BREAK, %llu by YIELD, %llu "
	       "by "
	       "EXIT\n",
	       (unsigned long long)n[CONV_WAITS], (unsigned long long)n[CONV_ON], (unsigned long long)n[CONV_ON_BREAK],
	       (unsigned long long)n[CONV_ON_YIELD], (unsigned long long)n[CONV_ON_EXIT]);
}

/* ---- fields of the events, for the self-test ---- */

static struct shim_event *commit(struct shim_out *out)
{
	return corrupt_event(out, WL_UNIT_convergence, WL_EV_COMMIT);
}

static struct shim_event *fault(struct shim_out *out)
{
	return corrupt_event(out, WL_UNIT_convergence, WL_EV_FAULT);
}

FLIP(fault_tag, struct shim_event, fault(out), at->tag ^= 1u << 16)
FLIP(fault_lanes, struct shim_event, fault(out), at->lanes &= at->lanes - 1)
FLIP(fault_code, struct shim_event, fault(out), at->code ^= 1)
FLIP(commit_tag, struct shim_event, commit(out), at->tag ^= 1u << 16)
FLIP(commit_lanes, struct shim_event, commit(out), at->lanes &= at->lanes - 1)
FLIP(commit_ready, struct shim_event, commit(out), at->value ^= 1u << 9)
#undef FLIP

static const struct cosim_field fields[] = {
        {"converge_fault_tag", fault_tag},
        {"converge_fault_lanes", fault_lanes},
        {"converge_fault_code", fault_code},
        {"converge_tag", commit_tag},
        {"converge_lanes", commit_lanes},
        {"converge_ready", commit_ready},
        {NULL, NULL},
};

static const struct cosim_planted planted[] = {
#define PLANTED(number, name, check, rules, mix, what, since) {number, #name, CHECK_##check, rules, #mix, what, since},
#include "planted.def"
#undef PLANTED
        {0},
};

/* Ports are P, lanes L. */
static const struct cosim_signal signals[] = {
#define IN "sync_core.gen_convergence.gen_full.u_convergence."
        {"convergence: beats", IN "take", 1, ""},
        {"convergence: beats", IN "room_o", 1, "P"},
        {"convergence: step", IN "s_valid_q", 1, ""},
        {"convergence: step", IN "commit", 1, ""},
        {"convergence: step", IN "s_tag_q", 22, ""},
        {"convergence: step", IN "s_kind_q", 5, ""},
        {"convergence: step", IN "s_bar_q", 4, ""},
        {"convergence: step", IN "s_lanes_q", 32, ""},
        {"convergence: warp", IN "s_live", 32, ""},
        {"convergence: warp", IN "waits", 32, ""},
        {"convergence: warp", IN "yielded", 32, ""},
        {"convergence: warp", IN "s_ready", 32, ""},
        {"convergence: warp", IN "s_self", 32, ""},
        {"convergence: warp", IN "s_odds", 32, ""},
#undef IN
#define SIGNAL(group, name, fixed, times) {group, name, fixed, times},
#include "wave_convergence.def"
#undef SIGNAL
        {0},
};

const struct cosim_unit cosim_convergence = {.unit = WL_UNIT_convergence,
                                             .state_bytes = sizeof(struct convergence_state),
                                             .mon = &mon_convergence,
                                             .ready = ready,
                                             .compare_commit = look_at_commit,
                                             .count = count,
                                             .print_random = print_random,
                                             .mixes = convergence_mixes,
                                             .fields = fields,
                                             .corrupt_mix = "converge",
                                             .planted = planted,
                                             .planted_arch = WL_SM80,
                                             .signals = signals};

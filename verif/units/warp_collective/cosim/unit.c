// SPDX-License-Identifier: Apache-2.0
/* unit.c -- warp_collective as seen by the harness. */
#include <stdio.h>

#include "../../../cosim/flight.h"
#include "collective.h"

/* ---- counters ---- */

/* Whether lane `lane` names a lane in range, and whether the named lane executes: from REF's answer, for the
 * counters. */
static void count_shuffle(const struct flight *f, uint64_t *counter)
{
	const struct wl_req *q = &f->req;
	counter[COLL_SHFL + q->inst.op]++;
	counter[COLL_FORM + 2 * (q->inst.src[1] == WL_SRC_REG) + (q->inst.src[2] == WL_SRC_REG)]++;
	if (q->inst.pd[0] != WL_PT)
		counter[COLL_OUT_OF_RANGE] += (unsigned)__builtin_popcount(q->mask & ~f->ref.preds);
	for (uint32_t m = q->inst.op == WL_SHFL_BFLY ? f->ref.preds : 0; m; m &= m - 1) {
		const unsigned l = (unsigned)__builtin_ctz(m);
		const unsigned from = l ^ (q->inst.src[1] == WL_SRC_REG ? q->rb[l].w[0] & 31 : q->inst.imm & 31);
		counter[COLL_INACTIVE] += !(q->mask >> from & 1);
	}
}

static void count(const struct flight *f, uint64_t *counter)
{
	const struct wl_req *q = &f->req;
	counter[COLL_LONELY] += !(q->mask & (q->mask - 1));
	switch (q->inst.uop) {
	case WL_UOP_VOTE:
		counter[COLL_VOTE + q->inst.op]++;
		break;
	case WL_UOP_VOTEU:
		counter[COLL_VOTEU + q->inst.op]++;
		break;
	case WL_UOP_SHFL:
		count_shuffle(f, counter);
		break;
	case WL_UOP_MATCH:
		counter[COLL_MATCH + 2 * (q->inst.size == 8) + q->inst.op]++;
		counter[COLL_ALL_EQUAL] += !q->inst.op && f->ref.written && f->ref.result[__builtin_ctz(q->mask)].w[0];
		break;
	case WL_UOP_REDUX:
		counter[COLL_REDUX + 6 * !!(q->inst.flags & WL_F_SIGNED) + q->inst.op]++;
		break;
	case WL_UOP_FREDUX:
		counter[COLL_FREDUX + 4 * !!(q->inst.flags & WL_F_NAN) + q->inst.op]++;
		counter[COLL_NAN] += f->ref.written && f->ref.result[__builtin_ctz(q->mask)].w[0] == 0x7fffffff;
		break;
	default:
		counter[COLL_ELECT]++;
		counter[COLL_UNELECTED] += !(q->mask & q->pred);
	}
}

static void print_random(const struct lockstep_stats *s)
{
	const uint64_t *n = s->counter[WL_UNIT_warp_collective];
	printf("collective  %llu lanes read one that does not execute, %llu chose none; %llu matches of one value, "
	       "%llu "
	       "elections of nobody\n",
	       (unsigned long long)n[COLL_INACTIVE], (unsigned long long)n[COLL_OUT_OF_RANGE],
	       (unsigned long long)n[COLL_ALL_EQUAL], (unsigned long long)n[COLL_UNELECTED]);
}

/* ---- fields of the events, for the self-test ---- */

static struct shim_event *commit(struct shim_out *out)
{
	return corrupt_event(out, WL_UNIT_warp_collective, WL_EV_COMMIT);
}

static bool commit_tag(struct lockstep *ls, struct shim_out *out)
{
	struct shim_event *e = commit(out);
	(void)ls;
	if (e)
		e->tag ^= 1u << 16;
	return e != NULL;
}

static bool commit_lanes(struct lockstep *ls, struct shim_out *out)
{
	struct shim_event *e = commit(out);
	(void)ls;
	if (e)
		e->lanes &= e->lanes - 1;
	return e != NULL;
}

static const struct cosim_field fields[] = {
        {"collective_tag", commit_tag},
        {"collective_lanes", commit_lanes},
        {NULL, NULL},
};

static const struct cosim_planted planted[] = {
        {100, "shfl_inactive", CHECK_VALUES, "", "collective",
         "SHFL from a lane that does not execute hands out its word", 0},
        {101, "shfl_segment", CHECK_VALUES, "", "collective", "SHFL: the segment mask in a register is ignored", 0},
        {102, "match_inactive", CHECK_VALUES, "", "collective", "MATCH finds lanes that do not execute", 0},
        {103, "match_half", CHECK_VALUES, "", "collective", "MATCH.U64 compares the low words only", 0},
        {104, "redux_inactive", CHECK_VALUES, "", "collective", "REDUX folds lanes that do not execute", WL_SM90},
        {105, "redux_carry", CHECK_VALUES, "", "collective", "REDUX begins with what the one before came to", WL_SM90},
        {106, "redux_signed", CHECK_VALUES, "", "collective", "REDUX.MIN.S32 and .MAX.S32 compare unsigned", WL_SM90},
        {107, "vote_eq", CHECK_VALUES, "", "collective", "VOTE.EQ takes all-no for a difference", 0},
        {108, "elect_nobody", CHECK_VALUES, "", "collective", "ELECT without a candidate writes its register", WL_SM90},
        {109, "commit_lane", CHECK_PASSES, "", "collective", "the COMMIT leaves out lane 31", 0},
        {109, "commit_lane", CHECK_MON, "a", "collective", "the COMMIT leaves out lane 31", 0},
        {110, "commit_twice", CHECK_MON, "a", "collective", "every beat of answers COMMITs", 0},
        {111, "answer_last", CHECK_PROTOCOL, "", "collective", "the first beat of answers says that it is the last", 0},
        {133, "float_zeros", CHECK_VALUES, "", "collective", "CREDUX.F32 takes -0 for +0", WL_SM100},
        {134, "float_nans", CHECK_VALUES, "", "collective", "CREDUX.F32.NAN passes over NaNs", WL_SM100},
        {112, "bubble", CHECK_TIMING, "", "collective", "a request that follows at once waits a cycle", 0},
        {0},
};

/* Ports are P, lanes L. */
static const struct cosim_signal signals[] = {
#define IN "sync_core.gen_warp_collective.gen_full.u_warp_collective."
        {"warp_collective: beats", IN "take", 1, ""},
        {"warp_collective: beats", IN "room_o", 1, "P"},
        {"warp_collective: request", IN "h_valid_q", 1, ""},
        {"warp_collective: request", IN "h_tag_q", 22, ""},
        {"warp_collective: request", IN "h_kind_q", 5, ""},
        {"warp_collective: request", IN "h_mask_q", 32, ""},
        {"warp_collective: answers", IN "f_valid_q", 1, ""},
        {"warp_collective: answers", IN "f_tag_q", 22, ""},
        {"warp_collective: answers", IN "written", 1, "L"},
        {"warp_collective: answers", IN "pred", 1, "L"},
#undef IN
#define SIGNAL(group, name, fixed, times) {group, name, fixed, times},
#include "wave_warp_collective.def"
#undef SIGNAL
        {0},
};

const struct cosim_unit cosim_warp_collective = {.unit = WL_UNIT_warp_collective,
                                                 .state_bytes = sizeof(struct collective_state),
                                                 .mon = &mon_warp_collective,
                                                 .beat = collective_beat,
                                                 .compare_commit = collective_compare_cycle,
                                                 .count = count,
                                                 .print_random = print_random,
                                                 .mixes = collective_mixes,
                                                 .fields = fields,
                                                 .corrupt_mix = "collective",
                                                 .planted = planted,
                                                 .signals = signals};

// SPDX-License-Identifier: Apache-2.0
/* unit.c -- mbarrier_engine as seen by the harness. COMMITs show banks and words, like COMMITs of atoms_pipe. */
#include <stdio.h>

#include "../../../cosim/flight.h"
#include "../../atoms_pipe/cosim/atoms_pipe.h"
#include "mbarrier_engine.h"

/* FRONT's request for a word with .MULTICAST to two CTAs and more: lane r names the CTA of rank r, all lanes the same
 * offset. */
static bool is_multicast(const struct wl_req *q)
{
	const struct wl_inst *in = &q->inst;
	const uint32_t offset = q->ra[__builtin_ctz(q->mask)] & 0xffffff;
	if (in->uop != WL_UOP_SYNCS_ARRIVE || in->type != WL_MBAR_RED || in->ra == WL_RZ || !(q->mask & (q->mask - 1)))
		return false;
	for (uint32_t left = q->mask; left; left &= left - 1)
		if (q->ra[__builtin_ctz(left)] != ((uint32_t)__builtin_ctz(left) << 24 | offset))
			return false;
	return true;
}

static uint64_t word_of(const struct wl_lane *l)
{
	return (uint64_t)l->w[1] << 32 | l->w[0];
}

/* Layout v1 of sm_107 has counts of 9 bits; tx has the same place as in layout B. */
static void look_at_v1(uint64_t *n, uint64_t old, uint64_t now, bool flip)
{
	n[MBARS_DROPPED] += flip && !(now >> 4 & 0x1ff);
	n[MBARS_MANY] += (now >> 43 & 0x1ff) - 1 < 2; /* negated: 511 arrivals are missing, or 510 */
	n[MBARS_REPORTED] += flip && (old & 2);
}

/* The counts of an object in layout B; the comparison itself is of raw bits. */
static void look_at_lane(struct lockstep *ls, const struct flight *f, unsigned lane)
{
	uint64_t *n = ls->stats.counter[WL_UNIT_mbarrier_engine];
	const uint64_t old = word_of(&f->ref.old[lane]), now = word_of(&f->ref.now[lane]);
	if (f->req.inst.uop != WL_UOP_SYNCS_ARRIVE)
		return;
	const struct wl_mbar_plan *p = (const struct wl_mbar_plan *)(const void *)&f->plan;
	const bool flip = (old ^ now) >> 63, other = p->slot[lane] != f->req.tag.slot;
	n[MBARS_OTHERS] += other;
	n[MBARS_OTHERS_ENDED] += other && flip;
	n[MBARS_MULTICAST_ENDED] += flip && is_multicast(&f->req);
	n[MBARS_ENDED] += flip;
	n[MBARS_V1] += flip && (old & 1);
	n[MBARS_BY_BYTES] += flip && f->req.inst.op == 4;
	n[MBARS_EARLY] += (now >> 21 & 0x1fffff) && !(now >> 41 & 1);
	if (ls->config.arch == WL_SM107 && old & 1)
		look_at_v1(n, old, now, flip);
	else {
		n[MBARS_DROPPED] += flip && !(now >> 1 & 0xfffff);
		n[MBARS_MANY] += (now >> 43 & 0xfffff) - 1 < 2; /* negated */
	}
	n[MBARS_MOST_BYTES] += (now >> 21 & 0x1fffff) == 0x100001 /* negated */;
	n[MBARS_LEAST_BYTES] += (now >> 21 & 0x1fffff) == 0x0fffff;
}

static void compare(struct lockstep *ls, struct flight *f, const struct shim_event *e, uint32_t lanes)
{
	struct mbarrier_engine_state *s = ls->unit_state[WL_UNIT_mbarrier_engine];
	uint64_t *n = ls->stats.counter[WL_UNIT_mbarrier_engine];
	atoms_pipe_compare_mbar(ls, f, e, lanes);
	if (!lanes)
		return;
	if (ls->config.timing)
		atoms_pipe_compare_cycle(ls, f);
	const uint64_t object = f->ref.addr[__builtin_ctz(lanes)];
	n[MBARS_SHARED] += object == s->object && f->req.tag.warp != s->warp;
	s->object = object;
	s->warp = f->req.tag.warp;
	for (uint32_t left = lanes & f->ref.stored; left; left &= left - 1)
		look_at_lane(ls, f, (unsigned)__builtin_ctz(left));
}

static void count(const struct flight *f, uint64_t *n)
{
	const struct wl_inst *in = &f->req.inst;
	n[MBARS_SERIAL] += f->ref.passes >= 8;
	if (in->uop == WL_UOP_SYNCS_ARRIVE) {
		n[MBARS_FORMS + in->op % 6]++;
		n[MBARS_TMASK] += in->type == 1;
		n[MBARS_OPTOUT] += (in->flags & WL_F_OPTOUT) != 0;
		n[MBARS_MULTICAST] += is_multicast(&f->req);
		n[MBARS_MULTICAST_CTAS] += is_multicast(&f->req) ? (unsigned)__builtin_popcount(f->req.mask) : 0;
	}
	n[MBARS_CHECKS] += in->uop == WL_UOP_SYNCS_PHASECHK && !in->op;
	n[MBARS_TRYWAIT] += in->uop == WL_UOP_SYNCS_PHASECHK && in->op;
	n[MBARS_CONDITIONAL] += in->uop == WL_UOP_SYNCS_PHASECHK && in->type == WL_MBAR_CONDITIONAL;
	if (in->uop == WL_UOP_SYNCS_PHASECHK && in->type == WL_MBAR_PRIMARY) {
		n[MBARS_PRIMARY]++;
		for (uint32_t m = f->ref.written; m; m &= m - 1)
			n[MBARS_TOLD] += f->ref.result[__builtin_ctz(m)].w[0] & 1;
	}
	n[MBARS_EXCH] += in->uop == WL_UOP_SYNCS_EXCH;
	n[MBARS_IV] += in->uop == WL_UOP_SYNCS_CCTL;
	n[MBARS_ARRIVE_A] += in->uop == WL_UOP_ATOMS_ARRIVE;
}

static void print_random(const struct lockstep_stats *s)
{
	const uint64_t *n = s->counter[WL_UNIT_mbarrier_engine];
	printf("mbarriers   %llu phases ended, %llu by bytes; %llu warps released, %llu gave up; %llu times bytes "
	       "first, "
	       "%llu drained; counts at an edge %llu, bytes %llu and %llu\n",
	       (unsigned long long)n[MBARS_ENDED], (unsigned long long)n[MBARS_BY_BYTES],
	       (unsigned long long)s->released, (unsigned long long)s->choices, (unsigned long long)n[MBARS_EARLY],
	       (unsigned long long)n[MBARS_DROPPED], (unsigned long long)n[MBARS_MANY],
	       (unsigned long long)n[MBARS_MOST_BYTES], (unsigned long long)n[MBARS_LEAST_BYTES]);
	if (n[MBARS_MULTICAST])
		printf("multicast   %llu arrivals at %llu CTAs, %llu phases ended\n",
		       (unsigned long long)n[MBARS_MULTICAST], (unsigned long long)n[MBARS_MULTICAST_CTAS],
		       (unsigned long long)n[MBARS_MULTICAST_ENDED]);
	if (s->lands)
		printf("copies      %llu pieces written, %llu read, %llu reduced, %llu times bytes, %llu arrivals "
		       "told; "
		       "%llu phases ended, %llu warps released, %llu faults\n",
		       (unsigned long long)s->landed[WL_LAND_WRITE], (unsigned long long)s->landed[WL_LAND_READ],
		       (unsigned long long)s->landed[WL_LAND_REDUCE], (unsigned long long)s->landed[WL_LAND_TX],
		       (unsigned long long)s->landed[WL_LAND_ARRIVE], (unsigned long long)s->land_flips,
		       (unsigned long long)s->land_released, (unsigned long long)s->land_faults);
	if (s->landed[WL_LAND_REPORT])
		printf("reports     %llu, %llu of a match; %llu to an mbarrier of layout v0\n",
		       (unsigned long long)s->landed[WL_LAND_REPORT], (unsigned long long)s->land_found,
		       (unsigned long long)s->land_layouts);
}

static const struct cosim_planted planted[] = {
#define PLANTED_SINCE(arch, number, name, check, rules, mix, what)                                                     \
	{number, #name, CHECK_##check, rules, #mix, what, arch},
#define PLANTED(...) PLANTED_SINCE(WL_SM90, __VA_ARGS__)
#include "planted.def"
#undef PLANTED
#undef PLANTED_SINCE
        {0},
};

const struct cosim_unit cosim_mbarrier_engine = {.unit = WL_UNIT_mbarrier_engine,
                                                 .phases = true,
                                                 .misused = true,
                                                 .mon = &mon_mbarrier_engine,
                                                 .beat = mbars_beat,
                                                 .cycle = mbars_compare_cycle,
                                                 .compare_commit = compare,
                                                 .count = count,
                                                 .show = atoms_pipe_show,
                                                 .print_random = print_random,
                                                 .mixes = mbarrier_engine_mixes,
                                                 .planted = planted,
                                                 .planted_arch = WL_SM90,
                                                 .state_bytes = sizeof(struct mbarrier_engine_state)};

// SPDX-License-Identifier: Apache-2.0
/* unit.c -- cluster_barrier as seen by the harness. */
#include <stdio.h>

#include "../../../cosim/flight.h"
#include "cluster_barrier.h"

static void count(const struct flight *f, uint64_t *n)
{
	if (f->ref.faulted)
		return;
	n[f->req.inst.op ? CBAR_WAITS : CBAR_ARRIVALS]++;
	n[CBAR_AT_ONCE] += f->req.inst.op && !f->waits;
}

/* After REF has taken the COMMIT. */
static void look_at_commit(struct lockstep *ls, struct flight *f, const struct shim_event *e, uint32_t lanes)
{
	struct cluster_barrier_state *s = ls->unit_state[WL_UNIT_cluster_barrier];
	uint64_t *n = ls->stats.counter[WL_UNIT_cluster_barrier];
	(void)f, (void)e, (void)lanes;
	n[CBAR_TOGETHER] += s->commit == ls->stats.cycles;
	n[CBAR_MANY] += waits_ctas(ls) >= 4;
	s->commit = ls->stats.cycles;
}

static void print_random(const struct lockstep_stats *s)
{
	const uint64_t *n = s->counter[WL_UNIT_cluster_barrier];
	printf("clusters    %llu arrivals, %llu waits of which %llu are over at once, %llu beside another\n",
	       (unsigned long long)n[CBAR_ARRIVALS], (unsigned long long)n[CBAR_WAITS],
	       (unsigned long long)n[CBAR_AT_ONCE], (unsigned long long)n[CBAR_TOGETHER]);
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

const struct cosim_unit cosim_cluster_barrier = {.unit = WL_UNIT_cluster_barrier,
                                                 .state_bytes = sizeof(struct cluster_barrier_state),
                                                 .phases = true,
                                                 .several_slots = true,
                                                 .mon = &mon_cluster_barrier,
                                                 .compare_commit = look_at_commit,
                                                 .count = count,
                                                 .print_random = print_random,
                                                 .mixes = cluster_barrier_mixes,
                                                 .fields = cluster_barrier_fields,
                                                 .corrupt_mix = "cluster",
                                                 .planted = planted,
                                                 .planted_arch = WL_SM90,
                                                 .planted_ports = 2};

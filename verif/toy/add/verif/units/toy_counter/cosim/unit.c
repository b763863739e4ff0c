// SPDX-License-Identifier: Apache-2.0
/* unit.c -- toy_counter in the harness: values, counters, fields, planted bug, registration. */
#include <stdio.h>

#include "../../../cosim/flight.h"
#include "toy_counter.h"

/* A COMMIT shows the counter afterwards. */
static void compare_count(struct lockstep *ls, struct flight *f, const struct shim_event *e, uint32_t lanes)
{
	const struct trace_toy_counter_commit *v = e->values;
	const uint32_t count = ls->ref->toy_counter.count[f->req.tag.slot];
	(void)lanes;
	if (v->count != count)
		complain(ls, CHECK_VALUES, f, "COMMIT: the counter of slot %u becomes %u, in REF %u", f->req.tag.slot,
		         v->count, count);
}

static void count(const struct flight *f, uint64_t *counter)
{
	if (f->req.inst.uop == WL_UOP_TOY_ADD)
		counter[f->ref.faulted ? TOY_OVERFLOWS : TOY_ADDS]++;
	else
		counter[!f->waits ? TOY_AT_ONCE : f->ref.preds ? TOY_RELEASED : TOY_GAVE_UP]++;
}

static void print_random(const struct lockstep_stats *s)
{
	const uint64_t *n = s->counter[WL_UNIT_toy_counter];
	printf("toy         %llu additions, %llu overflows; waits: %llu answered at once, %llu released, %llu gave "
	       "up\n",
	       (unsigned long long)n[TOY_ADDS], (unsigned long long)n[TOY_OVERFLOWS],
	       (unsigned long long)n[TOY_AT_ONCE], (unsigned long long)n[TOY_RELEASED],
	       (unsigned long long)n[TOY_GAVE_UP]);
}

/* ---- fields of the unit's events, for the self-test ---- */

static bool commit_count(struct lockstep *ls, struct shim_out *out)
{
	struct shim_event *e = corrupt_event(out, WL_UNIT_toy_counter, WL_EV_COMMIT);
	struct trace_toy_counter_commit *copy = (struct trace_toy_counter_commit *)(void *)ls->corrupt_values;
	if (!e)
		return false;
	*copy = *(const struct trace_toy_counter_commit *)e->values;
	copy->count ^= 1;
	e->values = copy;
	return true;
}

static bool release_warps(struct lockstep *ls, struct shim_out *out)
{
	struct shim_event *e = corrupt_event(out, WL_UNIT_toy_counter, WL_EV_RELEASE);
	(void)ls;
	if (e)
		e->warps &= e->warps - 1;
	return e != NULL;
}

static bool release_value(struct lockstep *ls, struct shim_out *out)
{
	struct shim_event *e = corrupt_event(out, WL_UNIT_toy_counter, WL_EV_RELEASE);
	(void)ls;
	if (e)
		e->value ^= 1;
	return e != NULL;
}

static const struct cosim_field fields[] = {
        {"toy_commit_count", commit_count},
        {"toy_release_warps", release_warps},
        {"toy_release_value", release_value},
        {NULL, NULL},
};

static const struct cosim_planted planted[] = {
        {4000, "toy_forgotten", CHECK_WAITS, "", "toy", "of the warps that go on, the lowest is forgotten", 0},
        {4000, "toy_forgotten", CHECK_MON, "d", "toy", "of the warps that go on, the lowest is forgotten", 0},
        {0},
};

const struct cosim_unit cosim_toy_counter = {.unit = WL_UNIT_toy_counter,
                                             .mon = &mon_toy_counter,
                                             .compare_commit = compare_count,
                                             .count = count,
                                             .print_random = print_random,
                                             .mixes = toy_mixes,
                                             .fields = fields,
                                             .corrupt_mix = "toy",
                                             .planted = planted};

// SPDX-License-Identifier: Apache-2.0
/* fields.c -- fields of barrier_file for the self-test: trace, releases and status port. The self-test flips a bit of
 * each field in turn. */
#include "../../../cosim/flight.h"
#include "../../../cosim/flip.h"
#include "barrier_file.h"

static struct shim_event *fault(struct shim_out *out)
{
	return corrupt_event(out, WL_UNIT_barrier_file, WL_EV_FAULT);
}

static struct shim_event *commit(struct shim_out *out)
{
	return corrupt_event(out, WL_UNIT_barrier_file, WL_EV_COMMIT);
}

static struct shim_event *release(struct shim_out *out)
{
	return corrupt_event(out, WL_UNIT_barrier_file, WL_EV_RELEASE);
}

/* A release with the result of a vote. */
static struct shim_event *result(struct shim_out *out)
{
	struct shim_event *e = release(out);
	return e && e->value > 1 ? e : NULL;
}

/* Status of an open phase with an arrived warp. */
static struct shim_bar *status(struct shim_out *out)
{
	return out->bar_valid && out->bar.arrived && out->bar.here ? &out->bar : NULL;
}

static struct shim_bar *votes(struct shim_out *out)
{
	struct shim_bar *b = status(out);
	return b && b->mode == 1 ? b : NULL;
}

FLIP(fault_tag, struct shim_event, fault(out), at->tag ^= 1u << 16)
FLIP(fault_lanes, struct shim_event, fault(out), at->lanes ^= at->lanes & -at->lanes)
FLIP(fault_code, struct shim_event, fault(out), at->code ^= 1)
FLIP(commit_tag, struct shim_event, commit(out), at->tag ^= 1u << 16)
FLIP(commit_lanes, struct shim_event, commit(out), at->lanes ^= at->lanes & -at->lanes)
FLIP(commit_lost, struct shim_event, commit(out), at->kind = WL_EV_FAULT)
FLIP(rel_slot, struct shim_event, release(out), at->slot ^= 1)
FLIP(rel_id, struct shim_event, release(out), at->id ^= 8)
FLIP(rel_warps, struct shim_event, release(out), at->warps &= at->warps - 1)
FLIP(rel_value, struct shim_event, result(out), at->value ^= 1)
FLIP(rel_gave_up, struct shim_event, release(out), at->kind = WL_EV_CHOICE)
FLIP(rel_unit, struct shim_event, release(out), at->unit = 0)
FLIP(bar_arrived, struct shim_bar, status(out), at->arrived ^= 1)
FLIP(bar_expected, struct shim_bar, status(out), at->expected ^= 1)
FLIP(bar_warps, struct shim_bar, status(out), at->here &= at->here - 1)
FLIP(bar_waiting, struct shim_bar, status(out), at->waiting ^= at->here & -at->here)
FLIP(bar_mode, struct shim_bar, status(out), at->mode ^= 1)
FLIP(bar_counted, struct shim_bar, status(out), at->counted ^= 1)
FLIP(bar_votes, struct shim_bar, votes(out), at->votes ^= 1)
#undef FLIP

static bool bar_valid(struct lockstep *ls, struct shim_out *out)
{
	(void)ls;
	out->bar_valid ^= 1;
	return true;
}

const struct cosim_field barrier_file_fields[] = {
        {"bar_fault_tag", fault_tag},
        {"bar_fault_lanes", fault_lanes},
        {"bar_fault_code", fault_code},
        {"bar_commit_tag", commit_tag},
        {"bar_commit_lanes", commit_lanes},
        {"bar_commit_lost", commit_lost},
        {"rel_slot", rel_slot},
        {"rel_id", rel_id},
        {"rel_warps", rel_warps},
        {"rel_value", rel_value},
        {"rel_gave_up", rel_gave_up},
        {"rel_unit", rel_unit},
        {"bar_status_valid", bar_valid},
        {"bar_status_arrived", bar_arrived},
        {"bar_status_expected", bar_expected},
        {"bar_status_warps", bar_warps},
        {"bar_status_waiting", bar_waiting},
        {"bar_status_mode", bar_mode},
        {"bar_status_counted", bar_counted},
        {"bar_status_votes", bar_votes},
        {NULL, NULL},
};

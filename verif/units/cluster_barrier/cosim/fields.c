// SPDX-License-Identifier: Apache-2.0
/* fields.c -- fields of cluster_barrier for the self-test: trace and releases. The self-test flips a bit of each field
 * in turn. */
#include "../../../cosim/flight.h"
#include "../../../cosim/flip.h"
#include "cluster_barrier.h"

static struct shim_event *fault(struct shim_out *out)
{
	return corrupt_event(out, WL_UNIT_cluster_barrier, WL_EV_FAULT);
}

static struct shim_event *commit(struct shim_out *out)
{
	return corrupt_event(out, WL_UNIT_cluster_barrier, WL_EV_COMMIT);
}

static struct shim_event *release(struct shim_out *out)
{
	return corrupt_event(out, WL_UNIT_cluster_barrier, WL_EV_RELEASE);
}

FLIP(fault_tag, struct shim_event, fault(out), at->tag ^= 1u << 16)
FLIP(fault_lanes, struct shim_event, fault(out), at->lanes ^= at->lanes & -at->lanes)
FLIP(fault_code, struct shim_event, fault(out), at->code ^= 1)
FLIP(commit_tag, struct shim_event, commit(out), at->tag ^= 1u << 16)
FLIP(commit_lanes, struct shim_event, commit(out), at->lanes ^= at->lanes & -at->lanes)
FLIP(commit_lost, struct shim_event, commit(out), at->kind = WL_EV_FAULT)
FLIP(rel_slot, struct shim_event, release(out), at->slot ^= 1)
FLIP(rel_id, struct shim_event, release(out), at->id ^= 8)
FLIP(rel_phase, struct shim_event, release(out), at->phase ^= 1)
FLIP(rel_warps, struct shim_event, release(out), at->warps &= at->warps - 1)
FLIP(rel_value, struct shim_event, release(out), at->value ^= 1)
FLIP(rel_gave_up, struct shim_event, release(out), at->kind = WL_EV_CHOICE)
FLIP(rel_unit, struct shim_event, release(out), at->unit = 0)
#undef FLIP

const struct cosim_field cluster_barrier_fields[] = {
        {"cbar_fault_tag", fault_tag},       {"cbar_fault_lanes", fault_lanes},
        {"cbar_fault_code", fault_code},     {"cbar_commit_tag", commit_tag},
        {"cbar_commit_lanes", commit_lanes}, {"cbar_commit_lost", commit_lost},
        {"cbar_rel_slot", rel_slot},         {"cbar_rel_id", rel_id},
        {"cbar_rel_phase", rel_phase},       {"cbar_rel_warps", rel_warps},
        {"cbar_rel_value", rel_value},       {"cbar_rel_gave_up", rel_gave_up},
        {"cbar_rel_unit", rel_unit},         {NULL, NULL},
};

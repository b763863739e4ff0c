// SPDX-License-Identifier: Apache-2.0
/* fields.c -- fields of the trace of atom_unit for the self-test: a bit of each field is flipped in turn. */
#include <string.h>

#include "../../../cosim/flight.h"
#include "../../../cosim/flip.h"
#include "atom_unit.h"

typedef struct trace_atom_unit_commit commit_values;

static struct shim_event *fault(struct shim_out *out)
{
	return corrupt_event(out, WL_UNIT_atom_unit, WL_EV_FAULT);
}

static struct shim_event *commit(struct shim_out *out)
{
	return corrupt_event(out, WL_UNIT_atom_unit, WL_EV_COMMIT);
}

/* A copy of the values of a COMMIT with writes and with old bytes; the copy takes the place of the values. */
static commit_values *values(struct lockstep *ls, struct shim_out *out)
{
	commit_values *copy = (commit_values *)(void *)ls->corrupt_values;
	struct shim_event *e = commit(out);
	_Static_assert(sizeof *copy <= sizeof ls->corrupt_values, "the values fit");
	if (!e || !((const commit_values *)e->values)->bytes_written || !((const commit_values *)e->values)->has_old)
		return NULL;
	memcpy(copy, e->values, sizeof *copy);
	e->values = copy;
	return copy;
}

FLIP(fault_tag, struct shim_event, fault(out), at->tag ^= 1u << 3)
FLIP(fault_lanes, struct shim_event, fault(out), at->lanes &= at->lanes - 1)
FLIP(fault_code, struct shim_event, fault(out), at->code = at->code % 3 + 1)
FLIP(commit_tag, struct shim_event, commit(out), at->tag ^= 1u << 16)
FLIP(commit_lanes, struct shim_event, commit(out), at->lanes ^= 1u << 1)
FLIP(commit_addr, commit_values, values(ls, out), at->addr_lo ^= 1u << 9)
FLIP(commit_high, commit_values, values(ls, out), at->addr_hi ^= 1)
FLIP(commit_bytes, commit_values, values(ls, out), at->bytes_written &= at->bytes_written - 1)
FLIP(commit_has_policy, commit_values, values(ls, out), at->has_policy ^= 1)
FLIP(commit_policy, commit_values, values(ls, out), at->policy_lo ^= 1u << 20)
FLIP(commit_policy_high, commit_values, values(ls, out), at->policy_hi ^= 1u << 30)
FLIP(commit_has_old, commit_values, values(ls, out), at->has_old ^= 1)
#undef FLIP

static bool flip_word(struct lockstep *ls, struct shim_out *out, bool after)
{
	commit_values *v = values(ls, out);
	if (!v)
		return false;
	const uint32_t **words = after ? &v->now : &v->old;
	memcpy(ls->corrupt_words, *words, WL_SECTOR);
	ls->corrupt_words[__builtin_ctz(v->bytes_written) / 4] ^= 0x80808080;
	*words = ls->corrupt_words;
	return true;
}

static bool commit_old(struct lockstep *ls, struct shim_out *out)
{
	return flip_word(ls, out, false);
}

static bool commit_new(struct lockstep *ls, struct shim_out *out)
{
	return flip_word(ls, out, true);
}

const struct cosim_field atom_unit_fields[] = {
        {"sector_fault_tag", fault_tag},
        {"sector_fault_lanes", fault_lanes},
        {"sector_fault_code", fault_code},
        {"sector_tag", commit_tag},
        {"sector_lanes", commit_lanes},
        {"sector_addr", commit_addr},
        {"sector_addr_high", commit_high},
        {"sector_bytes", commit_bytes},
        {"sector_has_old", commit_has_old},
        {"sector_has_policy", commit_has_policy},
        {"sector_policy", commit_policy},
        {"sector_policy_high", commit_policy_high},
        {"sector_old", commit_old},
        {"sector_new", commit_new},
        {NULL, NULL},
};

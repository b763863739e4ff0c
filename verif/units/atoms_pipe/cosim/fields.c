// SPDX-License-Identifier: Apache-2.0
/* fields.c -- fields of the trace of atoms_pipe for the self-test: a bit of each field is flipped in turn. */
#include <string.h>

#include "../../../cosim/flight.h"
#include "../../../cosim/flip.h"
#include "atoms_pipe.h"

static struct shim_event *fault(struct shim_out *out)
{
	return corrupt_event(out, WL_UNIT_atoms_pipe, WL_EV_FAULT);
}

static struct shim_event *commit(struct shim_out *out)
{
	return corrupt_event(out, WL_UNIT_atoms_pipe, WL_EV_COMMIT);
}

/* A copy of the values of a COMMIT with writes; the copy takes the place of the values. */
static struct trace_atoms_pipe_commit *values(struct lockstep *ls, struct shim_out *out)
{
	struct trace_atoms_pipe_commit *copy = (struct trace_atoms_pipe_commit *)(void *)ls->corrupt_values;
	struct shim_event *e = commit(out);
	_Static_assert(sizeof *copy <= sizeof ls->corrupt_values, "the values fit");
	if (!e || !((const struct trace_atoms_pipe_commit *)e->values)->we)
		return NULL;
	memcpy(copy, e->values, sizeof *copy);
	e->values = copy;
	return copy;
}

FLIP(fault_tag, struct shim_event, fault(out), at->tag ^= 1u << 3)
FLIP(fault_lanes, struct shim_event, fault(out), at->lanes &= at->lanes - 1) /* a lane fewer */
FLIP(fault_code, struct shim_event, fault(out), at->code = at->code % 3 + 1) /* the same lanes with another code */
FLIP(commit_tag, struct shim_event, commit(out), at->tag ^= 1u << 16)
FLIP(commit_lanes, struct shim_event, commit(out), at->lanes ^= 1u << 1)
FLIP(commit_we, struct trace_atoms_pipe_commit, values(ls, out), at->we &= at->we - 1)
FLIP(commit_row, struct trace_atoms_pipe_commit, values(ls, out), at->row[__builtin_ctz(at->we)] ^= 1)
FLIP(commit_fwd, struct trace_atoms_pipe_commit, values(ls, out), at->fwd ^= 1u << __builtin_ctz(at->we))
#undef FLIP

static bool flip_word(struct lockstep *ls, struct shim_out *out, bool after)
{
	struct trace_atoms_pipe_commit *v = values(ls, out);
	if (!v)
		return false;
	const uint32_t **words = after ? &v->now : &v->old;
	memcpy(ls->corrupt_words, *words, ls->api->banks * sizeof(uint32_t));
	ls->corrupt_words[__builtin_ctz(v->we)] ^= 1u << 31;
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

const struct cosim_field atoms_pipe_fields[] = {
        {"fault_tag", fault_tag},
        {"fault_lanes", fault_lanes},
        {"fault_code", fault_code},
        {"commit_tag", commit_tag},
        {"commit_lanes", commit_lanes},
        {"commit_we", commit_we},
        {"commit_row", commit_row},
        {"commit_fwd", commit_fwd},
        {"commit_old", commit_old},
        {"commit_new", commit_new},
        {NULL, NULL},
};

// SPDX-License-Identifier: Apache-2.0
/* floors.c -- floors of a random run of atoms_pipe: a run below a floor proves nothing. */
#include <string.h>

#include "atoms_pipe.h"

static uint64_t passes_between(const struct lockstep_stats *s, unsigned from, unsigned to)
{
	uint64_t n = 0;
	for (unsigned d = from; d <= to && d <= 32; d++)
		n += s->passes[d];
	return n;
}

static unsigned column(const struct random_config *c)
{
	unsigned i = 0;
	while (atoms_pipe_mixes[i] != c->mix) /* columns in the order of this list */
		i++;
	return i;
}

unsigned atoms_pipe_floors(const struct random_config *c, const struct lockstep_stats *s,
                           struct random_floor floor[RANDOM_FLOORS])
{
	const uint64_t *n = s->counter[WL_UNIT_atoms_pipe];
	const unsigned beats = 32 / c->lanes, mix = column(c);
	/* a conflict needs as many lanes in a beat; with fewer banks than lanes every full beat has a conflict */
	const bool roomy = c->banks >= c->lanes;
	const double small = roomy && beats == 1 ? 1 : 0, deep = c->lanes >= 16 && beats <= 2 ? 1 : 0;
	const double popc = c->arch >= WL_SM80 ? 1 : 0;
	const double odd = roomy ? 1 : 0.2;
	const double casts = c->arch >= WL_SM100 ? 1 : 0, wides = c->arch >= WL_SM90 ? 1 : 0;
	const double pipes = c->lean ? 0 : 1; /* a pass of the lean form has the pipe alone */
	unsigned rows = 0;
#define FLOOR(what, events, m, cf, f, sp)                                                                              \
	floor[rows++] = (struct random_floor){what, events, (const double[]){m, cf, f, sp}[mix]};
#include "floors.def"
#undef FLOOR
	return rows;
}

unsigned atoms_combine_floors(const struct random_config *c, const struct lockstep_stats *s,
                              struct random_floor floor[RANDOM_FLOORS])
{
	const uint64_t *n = s->counter[WL_UNIT_atoms_pipe];
	static const struct {
		const char *name;
		unsigned op;
	} ops[] = {{"ADD", WL_ATOM_ADD}, {"MIN", WL_ATOM_MIN}, {"MAX", WL_ATOM_MAX}, {"AND", WL_ATOM_AND},
	           {"OR", WL_ATOM_OR},   {"XOR", WL_ATOM_XOR}, {"INC", WL_ATOM_INC}, {"EXCH", WL_ATOM_EXCH}};
	unsigned rows = 0;
	for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
		floor[rows++] = (struct random_floor){ops[i].name, n[ATOMS_OPS + ops[i].op], 250};
	floor[rows++] = (struct random_floor){"POPC.INC", n[ATOMS_POPC_INC], c->arch >= WL_SM80 ? 250 : 0};
	floor[rows++] = (struct random_floor){"STS", s->uops[WL_UOP_STS], 1500};
	floor[rows++] = (struct random_floor){"LDS", s->uops[WL_UOP_LDS], 300};
	floor[rows++] = (struct random_floor){"8-bit accesses", n[ATOMS_SIZES + 0], 60};
	floor[rows++] = (struct random_floor){"128-bit accesses", n[ATOMS_SIZES + 4], 40};
	floor[rows++] = (struct random_floor){"words of one lane", n[ATOMS_WORDS_1], 5000};
	floor[rows++] = (struct random_floor){"words of 2 to 4 lanes", n[ATOMS_WORDS_4], 5000};
	floor[rows++] = (struct random_floor){"words of 5 to 16 lanes", n[ATOMS_WORDS_16], c->lanes >= 8 ? 2000 : 0};
	floor[rows++] = (struct random_floor){"words of 17 to 32 lanes", n[ATOMS_WORDS_32], c->lanes >= 32 ? 1000 : 0};
	return rows;
}

unsigned atoms_matrix_floors(const struct random_config *c, const struct lockstep_stats *s,
                             struct random_floor floor[RANDOM_FLOORS])
{
	static const char *const names[] = {
	        "LDSM", "LDSM.2", "LDSM.4", "LDSM transposed", "LDSM.2 transposed", "LDSM.4 transposed",
	        "STSM", "STSM.2", "STSM.4", "STSM transposed", "STSM.2 transposed", "STSM.4 transposed"};
	const uint64_t *n = s->counter[WL_UNIT_atoms_pipe];
	const double stores = c->arch >= WL_SM90 ? 1 : 0;
	unsigned rows = 0;
	for (unsigned i = 0; i < 12; i++)
		floor[rows++] = (struct random_floor){names[i], n[ATOMS_MATRICES + i], i < 6 ? 400 : 250 * stores};
	floor[rows++] = (struct random_floor){"words forwarded", n[ATOMS_FORWARDS], 1000};
	floor[rows++] = (struct random_floor){"lanes misaligned", s->faults[WL_FAULT_MISALIGNED_ADDRESS], 300};
	floor[rows++] = (struct random_floor){"lanes out of range", s->faults[WL_FAULT_SHARED_OUT_OF_RANGE], 300};
	floor[rows++] =
	        (struct random_floor){"lanes of a warp without all", s->faults[WL_FAULT_ILLEGAL_INSTRUCTION], 2000};
	floor[rows++] = (struct random_floor){"instructions of 5 to 16 passes", passes_between(s, 5, 16), 300};
	return rows;
}

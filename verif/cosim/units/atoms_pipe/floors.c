// SPDX-License-Identifier: Apache-2.0
/* floors.c -- what a random run of atoms_pipe must have seen, or it proves nothing. */
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
	while (atoms_pipe_mixes[i] != c->mix)
		i++;
	return i;
}

unsigned atoms_pipe_floors(const struct random_config *c, const struct lockstep_stats *s,
                           struct random_floor floor[RANDOM_FLOORS])
{
	const uint64_t *n = s->counter[WL_UNIT_atoms_pipe];
	const unsigned beats = 32 / c->lanes, mix = column(c);
	/* a conflict needs as many lanes in a beat, and fewer banks than lanes are a conflict by themselves */
	const bool roomy = c->banks >= c->lanes;
	const double small = roomy && beats == 1 ? 1 : 0, deep = c->lanes >= 16 && beats <= 2 ? 1 : 0;
	const double popc = c->arch >= WL_SM80 ? 1 : 0;
	const double odd = roomy ? 1 : 0.2;
	const double casts = c->arch >= WL_SM100 ? 1 : 0;
	unsigned rows = 0;
#define FLOOR(what, events, m, cf, f, sp)                                                                              \
	floor[rows++] = (struct random_floor){what, events, (const double[]){m, cf, f, sp}[mix]};
#include "floors.def"
#undef FLOOR
	return rows;
}

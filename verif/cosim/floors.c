// SPDX-License-Identifier: Apache-2.0
/* floors.c -- what a random run must have seen, or it proves nothing: events for each 10,000 instructions, by mix. */
#include <stdio.h>

#include "random.h"

enum { LEAST = 20000 /* instructions below which floors are not asked */ };

struct counter {
	const char *name;
	uint64_t value;
	/* per 10,000 instructions; 0 = not asked */
	double floor[MIX_DEGREE];
};

static uint64_t passes_between(const struct lockstep_stats *s, unsigned from, unsigned to)
{
	uint64_t n = 0;
	for (unsigned d = from; d <= to && d <= 32; d++)
		n += s->passes[d];
	return n;
}

bool random_floors(const struct random_config *c, const struct lockstep_stats *s, bool stalled, unsigned inflight)
{
	if (c->mix >= MIX_DEGREE || s->retired < LEAST)
		return true;
	const unsigned beats = 32 / c->lanes;
	/* a conflict needs as many lanes in a beat, and fewer banks than lanes are a conflict by themselves */
	const bool roomy = c->banks >= c->lanes;
	const double small = roomy && beats == 1 ? 1 : 0, deep = c->lanes >= 16 && beats <= 2 ? 1 : 0;
	const double popc = c->arch >= WL_SM80 ? 1 : 0;
	const double odd = roomy ? 1 : 0.2, stalls = stalled ? 500 : 0;
	// clang-format off
	const struct counter counters[] = {
		/*                                                              mixed  free  faults spin */
		{"words forwarded", s->forwards,                                {5000, 20,   3000,  2000}},
		{"instructions of one pass a beat", s->passes[beats],           {3000 * odd, roomy ? 9900 : 0, 2000 * odd, 100 * odd}},
		{"instructions of 2 to 4 passes", passes_between(s, 2, 4),      {1000 * small, 0, 600 * small, 500 * small}},
		{"instructions of 5 to 16 passes", passes_between(s, 5, 16),    {400 * deep, 0, 300 * deep, 400 * deep}},
		{"instructions of 17 to 32 passes", passes_between(s, 17, 32),  {400 * deep, 0, 300 * deep, 200 * deep}},
		{"partial masks", s->partial,                                   {700,  0,    700,   700}},
		{"posted requests", s->posted,                                  {2000, 2000, 2000,  2000}},
		{"LDS", s->uops[WL_UOP_LDS],                                    {3000, 3000, 3000,  800}},
		{"STS", s->uops[WL_UOP_STS],                                    {2000, 2000, 2000,  2000}},
		{"ATOMS", s->uops[WL_UOP_ATOMS],                                {2200, 2500, 2200,  50}},
		{"ATOMS.CAS", s->uops[WL_UOP_ATOMS_CAS],                        {150,  200,  150,   50}},
		{"ATOMS.CAST", s->uops[WL_UOP_ATOMS_CAST],                      {200,  0,    200,   4000}},
		{"ADD", s->ops[WL_ATOM_ADD],                                    {150,  150,  150,   0}},
		{"MIN", s->ops[WL_ATOM_MIN],                                    {300,  300,  300,   0}},
		{"MAX", s->ops[WL_ATOM_MAX],                                    {300,  300,  300,   0}},
		{"INC", s->ops[WL_ATOM_INC],                                    {150,  150,  150,   0}},
		{"DEC", s->ops[WL_ATOM_DEC],                                    {150,  150,  150,   0}},
		{"AND", s->ops[WL_ATOM_AND],                                    {150,  150,  150,   0}},
		{"OR", s->ops[WL_ATOM_OR],                                      {150,  150,  150,   0}},
		{"XOR", s->ops[WL_ATOM_XOR],                                    {150,  150,  150,   0}},
		{"EXCH", s->ops[WL_ATOM_EXCH],                                  {150,  150,  150,   50}},
		{"POPC.INC", s->ops[LOCKSTEP_POPC_INC],                         {150 * popc, 150 * popc, 150 * popc, 0}},
		{"8-bit accesses", s->sizes[1],                                 {60,   0,    60,    0}},
		{"16-bit accesses", s->sizes[2],                                {60,   0,    60,    0}},
		{"64-bit accesses", s->sizes[8],                                {250,  0,    250,   800}},
		{"128-bit accesses", s->sizes[16],                              {80,   0,    80,    0}},
		{"compares that swapped (lanes)", s->swapped,                   {500,  200,  500,   5000}},
		{"compares that did not (lanes)", s->not_swapped,               {3000, 3000, 3000,  5000}},
		{"SPIN lanes that lost", s->spin_losers,                        {500,  0,    300,   5000}},
		{"lanes misaligned", s->faults[WL_FAULT_MISALIGNED_ADDRESS],    {0,    0,    3000,  0}},
		{"lanes out of range", s->faults[WL_FAULT_SHARED_OUT_OF_RANGE], {0,    0,    3000,  0}},
		{"lanes illegal", s->faults[WL_FAULT_ILLEGAL_INSTRUCTION],      {0,    0,    3000,  0}},
		{"requests held back (cycles)", s->stalled_in,                  {stalls, stalls, stalls, stalls}},
		{"results held back (cycles)", s->stalled_out,                  {stalls, stalls, stalls, stalls}},
	};
	// clang-format on
	bool ok = true;
	for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
		const double want = counters[i].floor[c->mix] * (double)s->retired / 10000;
		if ((double)counters[i].value >= want)
			continue;
		ok = false;
		fprintf(stderr, "wlcosim: counter below its floor: %s: %llu, at least %.0f\n", counters[i].name,
		        (unsigned long long)counters[i].value, want);
	}
	const unsigned overlap = inflight < 8 ? inflight : 8; /* the way through the pipe is about as long */
	if (s->max_inflight < overlap) {
		ok = false;
		fprintf(stderr, "wlcosim: at most %u requests were in flight, %u were allowed\n", s->max_inflight,
		        inflight);
	}
	return ok;
}

// SPDX-License-Identifier: Apache-2.0
/* cycles.c -- --timing: each COMMIT in the cycle given by the timing model of atoms_pipe. */
#include "../../../cosim/flight.h"
#include "atoms_pipe.h"

static struct atoms_pipe_state *state_of(struct lockstep *ls)
{
	return ls->unit_state[WL_UNIT_atoms_pipe];
}

void atoms_pipe_due(struct lockstep *ls, const struct flight *f, uint64_t cycle)
{
	struct atoms_pipe_state *s = state_of(ls);
	s->due[s->last_due % ATOMS_DUE].cycle = cycle;
	s->due[s->last_due++ % ATOMS_DUE].tag = hardware_tag(&f->req.tag);
}

/* The request is complete with the last beat. */
void atoms_pipe_beat(struct lockstep *ls, const struct flight *f, unsigned beat)
{
	struct atoms_pipe_state *s = state_of(ls);
	const struct wl_atoms_plan *plan = (const struct wl_atoms_plan *)(const void *)&f->plan;
	const enum wl_uop uop = (enum wl_uop)f->req.inst.uop;
	const bool loads = uop == WL_UOP_LDS || uop == WL_UOP_LDSM;
	unsigned pass = 0;
	if (beat == 0)
		s->first_taken = ls->stats.cycles;
	for (unsigned b = 0; b < ls->beats && beat + 1 == ls->beats; b++) {
		unsigned passes = 0;
		while (pass < plan->common.passes && plan->pass_beat[pass] == b)
			pass++, passes++;
		const unsigned needs = loads && b == 0 ? ls->beats : 1;
		const uint64_t first =
		        wl_atoms_timing_beat(&s->timing, s->first_taken, ls->stats.cycles, passes, needs, ls->beats);
		for (unsigned p = 0; p < passes; p++)
			atoms_pipe_due(ls, f, first + p);
	}
}

void atoms_pipe_compare_cycle(struct lockstep *ls, struct flight *f)
{
	struct atoms_pipe_state *s = state_of(ls);
	const uint64_t want = s->due[s->first_due % ATOMS_DUE].cycle;
	const uint32_t tag = s->due[s->first_due % ATOMS_DUE].tag;
	if (s->first_due == s->last_due || tag != hardware_tag(&f->req.tag))
		complain(ls, CHECK_TIMING, f, "COMMIT out of the order in which requests were taken");
	else if (want != ls->stats.cycles)
		complain(ls, CHECK_TIMING, f, "COMMIT in cycle %llu, the timing model says %llu",
		         (unsigned long long)ls->stats.cycles, (unsigned long long)want);
	s->first_due++;
}

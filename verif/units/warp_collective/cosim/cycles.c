// SPDX-License-Identifier: Apache-2.0
/* cycles.c -- --timing: each COMMIT must come in the cycle given by the timing model of warp_collective. */
#include "../../../cosim/flight.h"
#include "collective.h"

static struct collective_state *state_of(struct lockstep *ls)
{
	return ls->unit_state[WL_UNIT_warp_collective];
}

/* With the last beat the request is complete. */
void collective_beat(struct lockstep *ls, const struct flight *f, unsigned beat)
{
	struct collective_state *s = state_of(ls);
	if (beat == 0)
		s->first_taken = ls->stats.cycles;
	if (beat + 1 != ls->beats)
		return;
	s->due[s->last_due % COLL_DUE].cycle =
	        wl_collective_timing_request(&s->timing, s->first_taken, ls->stats.cycles, ls->beats);
	s->due[s->last_due++ % COLL_DUE].tag = hardware_tag(&f->req.tag);
}

void collective_compare_cycle(struct lockstep *ls, struct flight *f, const struct shim_event *e, uint32_t lanes)
{
	struct collective_state *s = state_of(ls);
	const uint64_t want = s->due[s->first_due % COLL_DUE].cycle;
	const uint32_t tag = s->due[s->first_due % COLL_DUE].tag;
	(void)e, (void)lanes;
	if (!ls->config.timing)
		return;
	if (s->first_due == s->last_due || tag != hardware_tag(&f->req.tag))
		complain(ls, CHECK_TIMING, f, "COMMIT out of the order in which requests were taken");
	else if (want != ls->stats.cycles)
		complain(ls, CHECK_TIMING, f, "COMMIT in cycle %llu, the timing model says %llu",
		         (unsigned long long)ls->stats.cycles, (unsigned long long)want);
	s->first_due++;
}

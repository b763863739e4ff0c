// SPDX-License-Identifier: Apache-2.0
/* cycles.c -- --timing compares cycles with the timing model: each COMMIT of the unit, each pass with all lanes faulted
 * by the state of objects, each release and each timeout. No copies land with --timing. */
#include "../../../cosim/flight.h"
#include "../../atoms_pipe/cosim/atoms_pipe.h"
#include "mbarrier_engine.h"

enum { SUSPEND = 1024, WARPS = 48 /* of the RTL's parameters */ };

static struct mbarrier_engine_state *state_of(struct lockstep *ls)
{
	return ls->unit_state[WL_UNIT_mbarrier_engine];
}

static enum wl_mbar_timing_kind kind_of(const struct wl_inst *in, unsigned beats)
{
	if (in->uop == WL_UOP_SYNCS_PHASECHK && in->op)
		return WL_MBAR_TIMING_JUDGED;
	if (in->uop == WL_UOP_SYNCS_PHASECHK || in->uop == WL_UOP_SYNCS_EXCH)
		return WL_MBAR_TIMING_LOAD;
	return in->uop == WL_UOP_SYNCS_ARRIVE && in->type == 1 && beats > 1 ? WL_MBAR_TIMING_GATHERED
	                                                                    : WL_MBAR_TIMING_PLAIN;
}

void mbars_beat(struct lockstep *ls, const struct flight *f, unsigned beat)
{
	struct mbarrier_engine_state *s = state_of(ls);
	struct atoms_pipe_state *pipe = ls->unit_state[WL_UNIT_atoms_pipe];
	uint8_t passes[WL_MBAR_TIMING_BEATS] = {0};
	uint64_t commit[WL_MBAR_TIMING_BEATS];
	s->timed = true;
	if (beat == 0)
		s->first_taken = ls->stats.cycles;
	if (beat + 1 < ls->beats)
		return;
	for (unsigned p = 0; p < f->plan.passes;
	     p++) /* a pass belongs to a beat; the pass of an exchange belongs to the first beat with lanes */
		passes[(unsigned)__builtin_ctz(f->plan.pass_lanes[p]) * ls->beats / WL_WARP_LANES]++;
	s->parks[f->req.tag.warp] = wl_mbar_timing_request(&pipe->timing, s->first_taken, ls->stats.cycles,
	                                                   kind_of(&f->req.inst, ls->beats), ls->beats, passes, commit);
	for (unsigned b = 0; b < ls->beats; b++)
		for (unsigned p = 0; p < passes[b]; p++)
			atoms_pipe_due(ls, f, commit[b] + p);
}

/* ---- once a cycle ---- */

/* A pass of this cycle without a COMMIT: all lanes have faulted. */
static void compare_faulted(struct lockstep *ls)
{
	struct atoms_pipe_state *pipe = ls->unit_state[WL_UNIT_atoms_pipe];
	const uint64_t want = pipe->due[pipe->first_due % ATOMS_DUE].cycle;
	const uint32_t tag = pipe->due[pipe->first_due % ATOMS_DUE].tag;
	if (pipe->first_due == pipe->last_due || want > ls->stats.cycles)
		return;
	for (unsigned i = 0; i < ls->out.nevents; i++) {
		const struct shim_event *e = &ls->out.event[i];
		if (e->kind == WL_EV_FAULT && e->tag == tag && e->code >= WL_FAULT_MBAR_UNINIT) {
			pipe->first_due++;
			return;
		}
	}
	complain(ls, CHECK_TIMING, flight_of(ls, tag), "no COMMIT in cycle %llu, where the timing model has one",
	         (unsigned long long)want);
}

/* The first timeout shows the turn of each warp. */
static void compare_choice(struct lockstep *ls, unsigned warp)
{
	struct mbarrier_engine_state *s = state_of(ls);
	const uint64_t now = ls->stats.cycles;
	if (!s->turns) {
		s->turns = true;
		s->turn = now + WARPS - warp;
	}
	const uint64_t want = wl_mbar_timing_gives_up(s->parks[warp], warp, s->turn, SUSPEND, WARPS);
	if (now != want)
		complain(ls, CHECK_TIMING, NULL, "warp %u gives up in cycle %llu, the timing model says %llu", warp,
		         (unsigned long long)now, (unsigned long long)want);
	s->gave_up++;
}

static unsigned fixed_now(const struct lockstep *ls)
{
	unsigned n = 0;
	for (unsigned i = 0; i < ls->ndue; i++)
		n += ls->due[i].what.unit == WL_UNIT_mbarrier_engine && ls->due[i].cycle == ls->stats.cycles;
	return n;
}

void mbars_compare_cycle(struct lockstep *ls)
{
	struct mbarrier_engine_state *s = state_of(ls);
	unsigned released = 0;
	if (!s->timed || !checking(ls))
		return;
	compare_faulted(ls);
	for (unsigned i = 0; i < ls->out.nevents; i++) {
		const struct shim_event *e = &ls->out.event[i];
		if (e->unit != WL_UNIT_mbarrier_engine - WL_UNIT_atoms_pipe)
			continue;
		released += e->kind == WL_EV_RELEASE;
		if (e->kind == WL_EV_CHOICE)
			compare_choice(ls, (unsigned)__builtin_ctzll(e->warps));
	}
	const unsigned want = s->fixed && wl_mbar_timing_wakes(s->fixed_in) == ls->stats.cycles ? s->fixed : 0;
	if (released != want)
		complain(ls, CHECK_TIMING, NULL, "%u RELEASEs in this cycle, the timing model says %u", released, want);
	s->woken += released;
	s->fixed = fixed_now(ls);
	s->fixed_in = ls->stats.cycles;
}

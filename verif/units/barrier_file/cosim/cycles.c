// SPDX-License-Identifier: Apache-2.0
/* cycles.c -- --timing: each judgement and each EXIT must come in the cycle given by the timing model of barrier_file.
 * With --timing the stream holds header-only requests alone (random.c). */
#include <string.h>

#include "../../../cosim/flight.h"
#include "barrier_file.h"

static struct barrier_file_state *state_of(struct lockstep *ls)
{
	return ls->unit_state[WL_UNIT_barrier_file];
}

/* The arrival committed in this cycle. An EXIT looking at its phases must know the arrival. */
void barrier_file_note_commit(struct lockstep *ls, const struct flight *f, bool counted)
{
	struct barrier_file_state *s = state_of(ls);
	s->committed = ls->stats.cycles + 1;
	s->commit_slot = f->req.tag.slot;
	s->commit_id = f->plan.wait_id % WL_NAMED_BARS;
	s->commit_counted = counted;
}

/* Whether an EXIT of this cycle finds a shrinking phase: an open phase, or a phase already ended with the EXIT by REF.
 * No arrival ends a shrinking phase while a leaving warp has not arrived. */
static bool looks_at_phase(struct lockstep *ls, unsigned slot)
{
	const struct barrier_file_state *s = state_of(ls);
	const bool came = s->committed == ls->stats.cycles + 1 && s->commit_slot == slot;
	for (unsigned id = 0; id < WL_NAMED_BARS; id++) {
		const struct wl_named_bar *now = &ls->ref->barrier_file.cta[slot].bar[id], *was = &s->before[slot][id];
		const bool counted = (was->here && was->counted) || (came && s->commit_id == id && s->commit_counted);
		if (now->here ? !now->counted : now->phase != was->phase && !counted)
			return true;
	}
	return false;
}

static void keep_phases(struct lockstep *ls)
{
	struct barrier_file_state *s = state_of(ls);
	for (unsigned slot = 0; slot < WL_MAX_CTAS; slot++)
		memcpy(s->before[slot], ls->ref->barrier_file.cta[slot].bar, sizeof s->before[slot]);
}

/* COMMIT or FAULT of the unit, EXIT, RELEASE: at most one of each behind a single port. */
static void this_cycle(const struct lockstep *ls, const struct shim_event **judged, const struct shim_event **left,
                       bool *released)
{
	*judged = *left = NULL;
	*released = false;
	for (unsigned i = 0; i < ls->out.nevents; i++) {
		const struct shim_event *e = &ls->out.event[i];
		if (e->unit == WL_UNIT_barrier_file - WL_UNIT_atoms_pipe &&
		    (e->kind == WL_EV_COMMIT || e->kind == WL_EV_FAULT))
			*judged = e;
		else if (e->unit == WL_UNIT_barrier_file - WL_UNIT_atoms_pipe && e->kind == WL_EV_RELEASE)
			*released = true;
		else if (e->unit == SHIM_SYNC_CORE && e->kind == WL_EV_EXIT)
			*left = e;
	}
}

static bool is_answered(struct lockstep *ls, const struct shim_event *e)
{
	const struct flight *f = flight_of(ls, e->tag);
	/* a warp released in the same cycle has no flight any more, and no answer */
	return e->kind == WL_EV_FAULT || (f && (f->req.inst.uop != WL_UOP_BAR || f->req.inst.op == WL_BAR_ARV));
}

static void compare_judged(struct lockstep *ls, const struct shim_event *e, bool answered, bool released)
{
	struct barrier_file_state *s = state_of(ls);
	const struct wl_barrier_timing_cycle want = wl_barrier_timing_look(&s->timing);
	const bool missing = want.judge != WL_BARRIER_NOBODY && want.room;
	if (!e && missing)
		complain(ls, CHECK_TIMING, NULL, "nothing is judged, the timing model says warp %u", want.judge);
	else if (e && e->tag >> 16 != want.judge)
		complain(ls, CHECK_TIMING, flight_of(ls, e->tag), "warp %u is judged, the timing model says %s %d",
		         e->tag >> 16, want.judge == WL_BARRIER_NOBODY ? "nobody:" : "warp",
		         want.judge == WL_BARRIER_NOBODY ? -1 : (int)want.judge);
	else if (e && answered && !want.room)
		complain(ls, CHECK_TIMING, NULL, "warp %u is answered while the timing model has no room",
		         e->tag >> 16);
	else if (e && !answered && s->waited)
		complain(ls, CHECK_TIMING, NULL, "warp %u is not answered, but has waited for room", e->tag >> 16);
	if (released && !e && !want.ends)
		complain(ls, CHECK_TIMING, NULL, "RELEASE beside no arrival and two cycles behind no EXIT");
	s->waited = !e && want.judge != WL_BARRIER_NOBODY;
	s->judged += e != NULL;
}

void barrier_file_compare_cycle(struct lockstep *ls)
{
	struct barrier_file_state *s = state_of(ls);
	const struct shim_event *judged, *left;
	const uint8_t taken = ls->port[0].accepted;
	bool released;
	if (!(ls->api->units >> (WL_UNIT_barrier_file - WL_UNIT_atoms_pipe) & 1) || !checking(ls))
		return;
	if (!s->timed)
		wl_barrier_timing_start(&s->timing);
	s->timed = true;
	this_cycle(ls, &judged, &left, &released);
	const bool answered = judged && is_answered(ls, judged);
	compare_judged(ls, judged, answered, released);
	if (taken != NO_FLIGHT)
		wl_barrier_timing_take(&s->timing, ls->stats.cycles, ls->flight[taken].req.tag.warp,
		                       wl_req_unit(&ls->flight[taken].req) == WL_UNIT_sync_core);
	const unsigned leaves = wl_barrier_timing_step(&s->timing, ls->stats.cycles, judged != NULL, answered);
	const unsigned leaver = left ? left->tag >> 16 : WL_BARRIER_NOBODY;
	if (leaves != leaver)
		complain(ls, CHECK_TIMING, NULL, "EXIT of warp %d, the timing model says %d", left ? (int)leaver : -1,
		         leaves == WL_BARRIER_NOBODY ? -1 : (int)leaves);
	if (left && flight_of(ls, left->tag) && looks_at_phase(ls, flight_of(ls, left->tag)->req.tag.slot))
		wl_barrier_timing_looks(&s->timing);
	keep_phases(ls);
}

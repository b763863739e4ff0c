// SPDX-License-Identifier: Apache-2.0
/* late.c -- checks that run a few cycles behind the DUT.
 *
 * A cycle of the model throws code and data of the checks out of the first-level caches. Fetching both again costs more
 * than running the checks. So requests, COMMITs, RETIREs and ends of cycles are kept, with the DUT's output, and then
 * go to REF, MON and the comparator several cycles at a time: the same calls in the same order with the same cycle
 * numbers. Before any event not kept, the checks catch up (late_drain). So nothing ever looks at a state of REF or MON
 * of another cycle. */
#include <assert.h>

#include "flight.h"

/* Not late: a stopping source is owed time by tag at once; cycles of COMMITs are compared with cycles of the port; a
 * self-running DUT shows no values; taps want to see events in the events' cycle. */
void late_start(struct lockstep *ls)
{
	const struct lockstep_config *c = &ls->config;
	ls->late.limit = checking(ls) && !c->timing && !c->stop && !c->tap && !ls->api->ahead ? c->late : 0;
}

static inline struct late_item *new_item(struct lockstep *ls, enum late_kind kind)
{
	if (ls->late.n == LATE_ITEMS)
		late_run(ls);
	if (!ls->late.n)
		ls->late.first = ls->stats.cycles;
	struct late_item *it = &ls->late.item[ls->late.n++];
	it->kind = (uint8_t)kind;
	it->end = LATE_GOES_ON;
	return it;
}

void late_add(struct lockstep *ls, enum late_kind kind, const struct flight *f)
{
	struct late_item *it = new_item(ls, kind);
	it->flight = (uint8_t)(f - ls->flight);
	ls->late.events += kind == LATE_RETIRE;
}

void late_commit(struct lockstep *ls, const struct flight *f, const struct shim_event *s)
{
	if (ls->late.kept == LATE_EVENTS)
		late_run(ls);
	struct late_item *it = new_item(ls, LATE_COMMIT);
	struct late_event *e = &ls->late.event[ls->late.kept];
	it->flight = (uint8_t)(f - ls->flight);
	it->event = (uint8_t)ls->late.kept++;
	e->event = *s;
	e->event.values = e->values;
	f->unit->keep(ls, s->values, e->values);
	ls->late.events++;
}

void late_cycle(struct lockstep *ls, bool stalled)
{
	if (!ls->late.n) {
		check_cycle(ls, stalled);
		return;
	}
	struct late_item *last = &ls->late.item[ls->late.n - 1];
	if (last->end != LATE_GOES_ON)
		last = new_item(ls, LATE_NOTHING);
	last->end = stalled ? LATE_ENDS_STALLED : LATE_ENDS;
	if (++ls->late.cycles >= ls->late.limit)
		late_run(ls);
}

const struct flight *late_flight(struct lockstep *ls, uint32_t tag)
{
	for (unsigned i = ls->late.at; i < ls->late.n; i++) {
		const struct flight *f = &ls->flight[ls->late.item[i].flight];
		if (ls->late.item[i].kind != LATE_NOTHING && hardware_tag(&f->req.tag) == tag)
			return f;
	}
	return flight_of(ls, tag);
}

/* A complaint ends the run with the cycle of the complaint, as in a run without late checks. */
void late_run(struct lockstep *ls)
{
	assert(!ls->late.running);
	ls->late.running = true;
	ls->when = ls->late.first;
	for (ls->late.at = 0; ls->late.at < ls->late.n; ls->late.at++) {
		const struct late_item *it = &ls->late.item[ls->late.at];
		struct flight *f = &ls->flight[it->flight];
		if (it->kind == LATE_COMMIT) {
			check_commit(ls, f, &ls->late.event[it->event].event);
		} else if (it->kind == LATE_ACCEPT) {
			check_accept(ls, f);
		} else if (it->kind == LATE_RETIRE) {
			check_retire(ls, f);
			ls->free[ls->nfree++] = it->flight;
		}
		if (it->end == LATE_GOES_ON)
			continue;
		check_cycle(ls, it->end == LATE_ENDS_STALLED);
		ls->when++;
		if (ls->complaint.any)
			break;
	}
	ls->late.n = ls->late.at = ls->late.cycles = ls->late.events = ls->late.kept = 0;
	ls->late.running = false;
	ls->when = ls->stats.cycles;
}

// SPDX-License-Identifier: Apache-2.0
/* events.c -- an event of the DUT goes, in order, to MON and the tap, then steps REF and is compared. */
#include "flight.h"

static const char *event_name(unsigned kind)
{
	static const char *const name[WL_EV_COUNT] = {"FAULT", "EXIT", "COMMIT", "LAND", "RELEASE", "CHOICE", "RETIRE"};
	return kind < WL_EV_COUNT ? name[kind] : "an event of unknown kind";
}

static inline void tap_event(const struct lockstep *ls, const struct wl_event *e)
{
	for (const struct lockstep_tap *t = ls->config.tap; t; t = t->next)
		if (t->event)
			t->event(t->self, e);
}

void tell_station(const struct lockstep *ls, const struct flight *f, enum lockstep_station at, uint32_t lanes)
{
	const struct lockstep_seen seen = {at, ls->when, &f->req, &f->plan, &f->ref, lanes};
	for (const struct lockstep_tap *t = ls->config.tap; t; t = t->next)
		if (t->station)
			t->station(t->self, &seen);
}

void announce(struct lockstep *ls, const struct flight *f, struct wl_event *e)
{
	ls->stats.events++;
	e->cycle = ls->when;
	if (f)
		e->tag = f->req.tag;
	if (ls->mon)
		mon_event(ls->mon, e);
	tap_event(ls, e);
}

struct flight *must_find(struct lockstep *ls, uint32_t tag, const char *what)
{
	struct flight *f = flight_of(ls, tag);
	if (!f)
		complain(ls, CHECK_PROTOCOL, NULL, "%s of warp %u, n=%u, which is not in flight", what, tag >> 16,
		         tag & 0xffff);
	return f;
}

static enum wl_unit unit_of(const struct shim_event *s)
{
	return s->unit == SHIM_SYNC_CORE ? WL_UNIT_sync_core : (enum wl_unit)(WL_UNIT_atoms_pipe + s->unit);
}

/* A CHOICE names the request by tag, or by warp alone: a warp waits with a single request. */
static uint32_t tag_of(const struct lockstep *ls, const struct shim_event *s)
{
	if (s->kind != WL_EV_CHOICE || !s->warps)
		return s->tag;
	const unsigned warp = (unsigned)__builtin_ctzll(s->warps), i = ls->waiting[warp];
	return i == NO_FLIGHT ? warp << 16 : hardware_tag(&ls->flight[i].req.tag);
}

/* The event as MON and the order log get it. */
static struct wl_event plain_event(const struct lockstep *ls, const struct shim_event *s)
{
	const uint32_t tag = tag_of(ls, s);
	return (struct wl_event){.kind = (enum wl_event_kind)s->kind,
	                         .unit = unit_of(s),
	                         .tag = {.warp = tag >> 16, .n = tag & 0xffff, .slot = s->slot},
	                         .lanes = s->lanes,
	                         .fault = s->kind == WL_EV_FAULT ? (enum wl_fault)s->code : WL_FAULT_NONE,
	                         .id = s->id,
	                         .phase = s->phase,
	                         .warps = s->warps,
	                         .value = s->value,
	                         .land = s->kind == WL_EV_LAND ? s->code : 0u,
	                         .addr = s->addr,
	                         .bytes = s->bytes};
}

/* After a turn of all lanes, a request either waits or is answered. */
static void settle(struct lockstep *ls, struct flight *f)
{
	if (!f->waits && f->plan.waits && f->ref.committed && !(f->plan.ok & ~f->committed & ~f->faulted))
		wait_begin(ls, f);
}

static void on_exit_event(struct lockstep *ls, struct flight *f, const struct wl_event *e)
{
	ls->stats.exits++;
	if (!checking(ls))
		return;
	if (wl_req_unit(&f->req) != WL_UNIT_sync_core) {
		complain(ls, CHECK_PROTOCOL, f, "EXIT of a request that is not the end of a warp");
		return;
	}
	if (f->committed) {
		complain(ls, CHECK_PROTOCOL, f, "a second EXIT of one request");
		return;
	}
	f->committed = f->plan.ok;
	f->ops->apply(ls->ref, &f->req, &f->plan, e, &f->ref);
	tap_station(ls, f, LOCKSTEP_PASSED, f->committed);
	releases_collect(ls);
}

static void on_request_event(struct lockstep *ls, struct flight *f, struct wl_event *e)
{
	switch (e->kind) {
	case WL_EV_EXIT:
		on_exit_event(ls, f, e);
		break;
	case WL_EV_CHOICE:
		on_choice(ls, f, e);
		return;
	case WL_EV_FAULT:
		if (ls->source->fault)
			ls->source->fault(ls->source->self, &f->req.tag);
		if (!checking(ls))
			return;
		compare_fault(ls, f, e);
		settle(ls, f);
		break;
	default: /* COMMIT: check_commit; others name no request */
		break;
	}
}

/* ---- the checks ---- */

void check_accept(struct lockstep *ls, struct flight *f)
{
	if (checking(ls))
		compare_accept(ls, f);
	if (ls->mon)
		f->watched = mon_accept(ls->mon, &f->req);
	tap_station(ls, f, LOCKSTEP_ACCEPTED, 0);
}

/* Nearly all events are COMMITs: members for other kinds alone are left out. */
void check_commit(struct lockstep *ls, struct flight *f, const struct shim_event *s)
{
	struct wl_event e = {.kind = WL_EV_COMMIT,
	                     .unit = unit_of(s),
	                     .cycle = ls->when,
	                     .tag = f->req.tag,
	                     .lanes = s->lanes,
	                     .warps = s->warps,
	                     .value = s->value};
	ls->now = s;
	ls->stats.events++;
	ls->stats.commits++;
	if (ls->mon)
		mon_commit(ls->mon, f->watched, &e);
	tap_event(ls, &e);
	if (wl_req_unit(&f->req) == WL_UNIT_sync_core) {
		complain(ls, CHECK_PROTOCOL, f, "COMMIT of the end of a warp, which has an EXIT alone");
	} else if (checking(ls)) {
		compare_commit(ls, f, &e);
		tap_station(ls, f, LOCKSTEP_PASSED, e.lanes);
		if (f->ops && f->ops->released) /* a COMMIT fixes releases of the request's unit alone */
			releases_collect(ls);
		settle(ls, f);
	}
	ls->now = NULL;
}

void check_event(struct lockstep *ls, struct flight *f, const struct shim_event *s)
{
	if (f && s->kind == WL_EV_COMMIT) {
		check_commit(ls, f, s);
		return;
	}
	struct wl_event e = plain_event(ls, s);
	ls->now = s;
	announce(ls, f, &e);
	if (f)
		on_request_event(ls, f, &e);
	ls->now = NULL;
}

void check_retire(struct lockstep *ls, struct flight *f)
{
	struct wl_event e = {.kind = WL_EV_RETIRE, .unit = wl_req_unit(&f->req)};
	announce(ls, f, &e);
	if (f->waits)
		complain(ls, CHECK_WAITS, f, "a response to a request that waits");
	if (checking(ls))
		compare_retire(ls, f);
}

/* ---- events of the DUT ---- */

static void on_plain_event(struct lockstep *ls, const struct shim_event *s)
{
	struct wl_event e = plain_event(ls, s);
	ls->now = s;
	if (e.kind == WL_EV_LAND)
		landing_name(ls, &e);
	announce(ls, NULL, &e);
	if (e.kind == WL_EV_RELEASE)
		on_release(ls, &e);
	else
		landing_event(ls, s);
	ls->now = NULL;
}

void on_event(struct lockstep *ls, const struct shim_event *s)
{
	ls->last_sign = ls->stats.cycles;
	if (s->kind == WL_EV_COMMIT && ls->late.limit) {
		const struct flight *f = flight_of(ls, s->tag);
		if (f && may_be_late(ls, f)) {
			late_commit(ls, f, s);
			return;
		}
	}
	late_drain(ls);
	if (s->kind >= WL_EV_RETIRE || unit_of(s) >= WL_UNIT_COUNT)
		complain(ls, CHECK_PROTOCOL, NULL, "%s of unit %u, which nothing can raise", event_name(s->kind),
		         s->unit);
	else if (s->kind == WL_EV_RELEASE || s->kind == WL_EV_LAND)
		on_plain_event(ls, s);
	else
		check_event(ls, must_find(ls, tag_of(ls, s), event_name(s->kind)), s);
}

void retire(struct lockstep *ls, struct flight *f)
{
	if (may_be_late(ls, f)) {
		ls->inflight--;
		flight_leave(ls, f);
		late_add(ls, LATE_RETIRE, f);
	} else {
		late_drain(ls);
		check_retire(ls, f);
		if (checking(ls))
			fill_record(ls, f, &f->ref);
		ls->inflight--;
		flight_free(ls, f);
	}
}

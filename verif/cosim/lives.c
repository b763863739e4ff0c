// SPDX-License-Identifier: Apache-2.0
#include "lives.h"

#include <stdlib.h>
#include <string.h>

#include "flight.h"
#include "options.h"

enum { LIVES = 2 * MOST_RTL_SMS * FLIGHTS, ARRIVALS = 1024 };

struct place {
	struct life_arrival by;
	uint32_t sm, unit, slot, id;
};

struct lives {
	const struct life_sink *sink;
	struct life room[LIVES];
	struct life *on_way[LIVES], *unused[LIVES];
	unsigned n, nunused;
	uint64_t count, cycle;
	bool ends; /* some life has ended in this cycle */
	struct place arrival[ARRIVALS];
	struct life_arrival exit[MOST_RTL_SMS][WL_MAX_CTAS]; /* of a warp; an exit counts as an arrival */
	/* the release at hand, and the cause of the release */
	uint64_t released;
	uint32_t released_sm;
	struct life_arrival cause;
};

struct lives *lives_new(const struct life_sink *sink)
{
	struct lives *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	s->sink = sink;
	for (unsigned i = 0; i < LIVES; i++)
		s->unused[s->nunused++] = &s->room[LIVES - 1 - i];
	return s;
}

void lives_free(struct lives *s)
{
	free(s);
}

static void tell(const struct lives *s, struct life *l, enum life_step step, const struct wl_record *rec,
                 const struct life_arrival *from)
{
	for (const struct life_sink *k = s->sink; k; k = k->next)
		k->moved(k->self, l, step, rec, from);
}

/* ---- time ---- */

static void drop_ended(struct lives *s)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < s->n; i++)
		if (s->on_way[i]->over)
			s->unused[s->nunused++] = s->on_way[i];
		else
			s->on_way[kept++] = s->on_way[i];
	s->n = kept;
	s->ends = false;
}

static void end_cycle(struct lives *s, uint64_t upto)
{
	for (const struct life_sink *k = s->sink; k; k = k->next)
		if (k->cycle)
			k->cycle(k->self, s->on_way, s->n, s->cycle, upto);
	if (s->ends)
		drop_ended(s);
}

static void reach(struct lives *s, uint64_t cycle)
{
	if (cycle == s->cycle)
		return;
	end_cycle(s, cycle);
	s->cycle = cycle;
}

void lives_finish(struct lives *s, uint64_t cycle)
{
	end_cycle(s, LIFE_NEVER);
	for (unsigned i = 0; i < s->n; i++)
		for (const struct life_sink *k = s->sink; k; k = k->next)
			k->left(k->self, s->on_way[i], cycle);
}

/* ---- stations ---- */

static struct life *find(const struct lives *s, const struct wl_tag *t)
{
	for (unsigned i = s->n; i-- > 0;) {
		struct life *l = s->on_way[i];
		if (!l->over && l->tag.sm == t->sm && l->tag.warp == t->warp && l->tag.n == t->n)
			return l;
	}
	return NULL;
}

static void begin(struct lives *s, const struct wl_req *q)
{
	if (!s->nunused)
		return;
	struct life *l = s->unused[--s->nunused];
	*l = (struct life){.id = s->count++,
	                   .tag = q->tag,
	                   .word = q->word,
	                   .inst = q->inst,
	                   .pc = q->pc,
	                   .mask = q->mask,
	                   .unit = wl_req_unit(q),
	                   .posted = q->posted,
	                   .offered = s->cycle,
	                   .accepted = LIFE_NEVER,
	                   .sent = LIFE_NEVER,
	                   .first = LIFE_NEVER,
	                   .last = LIFE_NEVER,
	                   .waits = LIFE_NEVER,
	                   .ended = LIFE_NEVER,
	                   .others_at = LIFE_NEVER};
	s->on_way[s->n++] = l;
	tell(s, l, LIFE_OFFERED, NULL, NULL);
}

/* Requests of the same unit with passes to come stand behind this request for a cycle. */
static void hold_others(struct lives *s, const struct life *served)
{
	for (unsigned i = 0; i < s->n; i++) {
		struct life *l = s->on_way[i];
		if (l == served || l->tag.sm != served->tag.sm || l->unit != served->unit || l->sent == LIFE_NEVER ||
		    !l->left || l->others_at == s->cycle)
			continue;
		l->others_at = s->cycle;
		l->others++;
	}
}

static struct place *place_of(struct lives *s, uint32_t sm, uint32_t unit, uint32_t slot, uint32_t id)
{
	if (unit == WL_UNIT_cluster_barrier) /* a single cluster an SM */
		slot = 0;
	struct place *p = &s->arrival[(id * 67 + slot * 7 + unit * 17 + sm * 251) % ARRIVALS];
	if (p->sm != sm || p->unit != unit || p->slot != slot || p->id != id)
		*p = (struct place){.sm = sm, .unit = unit, .slot = slot, .id = id};
	return p;
}

/* Others may wait for this pass. */
static void note_arrival(struct lives *s, const struct life *l, const struct lockstep_seen *e)
{
	const struct life_arrival now = {true, l->id, s->cycle, l->tag};
	switch (l->unit) {
	case WL_UNIT_barrier_file:
	case WL_UNIT_cluster_barrier:
		place_of(s, l->tag.sm, l->unit, l->tag.slot, e->plan->wait_id)->by = now;
		break;
	case WL_UNIT_mbarrier_engine:
		for (uint32_t m = l->inst.uop == WL_UOP_SYNCS_PHASECHK ? 0 : e->lanes & e->rec->stored; m; m &= m - 1)
			place_of(s, l->tag.sm, l->unit, l->tag.slot, (uint16_t)(e->rec->addr[wl_lowest(m)] / 8))->by =
			        now;
		break;
	default:
		if (l->inst.uop == WL_UOP_EXIT && l->tag.sm < MOST_RTL_SMS)
			s->exit[l->tag.sm][l->tag.slot % WL_MAX_CTAS] = now;
		break;
	}
}

static void pass(struct lives *s, struct life *l, const struct lockstep_seen *e)
{
	if (l->first == LIFE_NEVER) {
		l->first = s->cycle;
		l->left = e->plan->ok;
	}
	l->last = s->cycle;
	l->left &= ~e->lanes;
	l->passes++;
	note_arrival(s, l, e);
	tell(s, l, LIFE_PASSED, NULL, NULL);
	hold_others(s, l);
}

static void end(struct lives *s, struct life *l, const struct wl_record *rec)
{
	const bool freed = s->released_sm == l->tag.sm && s->released >> l->tag.warp & 1 && l->waits != LIFE_NEVER;
	l->ended = s->cycle;
	l->over = s->ends = true;
	l->faulted = rec->faulted;
	tell(s, l, LIFE_ENDED, rec, freed && s->cause.set && s->cause.life != l->id ? &s->cause : NULL);
}

static void station(void *self, const struct lockstep_seen *e)
{
	struct lives *s = self;
	reach(s, e->cycle);
	if (e->at == LOCKSTEP_OFFERED) {
		begin(s, e->req);
		return;
	}
	struct life *l = find(s, &e->req->tag);
	if (!l)
		return;
	switch (e->at) {
	case LOCKSTEP_ACCEPTED:
		l->accepted = s->cycle;
		l->left = e->plan->ok;
		tell(s, l, LIFE_ACCEPTED, NULL, NULL);
		break;
	case LOCKSTEP_SENT:
		l->sent = s->cycle;
		tell(s, l, LIFE_SENT, NULL, NULL);
		break;
	case LOCKSTEP_PASSED:
		pass(s, l, e);
		break;
	case LOCKSTEP_WAITS:
		l->waits = s->cycle;
		tell(s, l, LIFE_WAITS, NULL, NULL);
		break;
	case LOCKSTEP_ENDED:
		end(s, l, e->rec);
		break;
	default:
		break;
	}
}

/* Comes in front of the ends of the waits. */
static void event(void *self, const struct wl_event *e)
{
	struct lives *s = self;
	reach(s, e->cycle);
	if (e->kind != WL_EV_RELEASE) {
		s->released = 0;
		return;
	}
	const struct life_arrival *at = &place_of(s, e->tag.sm, e->unit, e->tag.slot, e->id)->by;
	const struct life_arrival *gone = &s->exit[e->tag.sm % MOST_RTL_SMS][e->tag.slot % WL_MAX_CTAS];
	s->released = e->warps;
	s->released_sm = e->tag.sm;
	s->cause =
	        e->unit != WL_UNIT_mbarrier_engine && gone->set && (!at->set || gone->cycle > at->cycle) ? *gone : *at;
}

struct lockstep_tap lives_tap(struct lives *s)
{
	return (struct lockstep_tap){.self = s, .event = event, .station = station};
}

// SPDX-License-Identifier: Apache-2.0
/* atom_unit.c -- cycles of atom_unit behind a single port. The memory takes a request in every cycle and answers each
 * request after the same time. Results are never held back.
 *
 * A request goes on when all beats are in the queue of the port: a beat a cycle to a slot of the unit, then a sector a
 * cycle to a free id. With many ids a sector under way already waits in its id. One request a cycle goes to memory,
 * through a register. One pass begins in each cycle and ends one cycle later. Ids take turns, and so do slots with an
 * answer. A slot is free behind the slot's answer.
 *
 * A sector with both halves that was read and written back: the id knows the content, and serves the next sector of its
 * queue that needs a read and a write, passes first. */
#include "warplock/timing.h"

#include <string.h>

enum {
	IDS = WL_ATOM_TIMING_IDS,
	QUEUE = WL_ATOM_TIMING_QUEUE,
	NOBODY = 1000,
	FROM_FIRST = 2, /* cycles from the port to the unit: of the first beat ... */
	FROM_LAST = 1,  /* ... and behind the last beat */
	BEYOND = 48 - 5 /* bits of a sector's number within reach of memory */
};

void wl_atom_timing_start(struct wl_atom_timing *t, unsigned beats, unsigned latency, unsigned ids, unsigned slots)
{
	memset(t, 0, sizeof *t);
	t->beats = beats;
	t->latency = latency;
	t->ids = ids;
	t->slots = slots;
	t->shown = t->passing = t->ending = t->answering = NOBODY;
}

struct wl_atom_timing_request *wl_atom_timing_take(struct wl_atom_timing *t, uint64_t first, uint64_t last)
{
	struct wl_atom_timing_request *r = &t->queue[t->in++ % QUEUE];
	r->from = first + FROM_FIRST > last + FROM_LAST ? first + FROM_FIRST : last + FROM_LAST;
	r->n = 0;
	return r;
}

static unsigned lowest_free(unsigned used, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!(used >> i & 1))
			return i;
	return NOBODY;
}

/* Of ids. */
static unsigned next_id(const struct wl_atom_timing *t, const bool *who, unsigned after)
{
	for (unsigned i = 1; i <= t->ids; i++)
		if (who[(after + i) % t->ids])
			return (after + i) % t->ids;
	return NOBODY;
}

static unsigned next_of(unsigned who, unsigned after, unsigned n)
{
	for (unsigned i = 1; i <= n; i++)
		if (who >> (after + i) % n & 1)
			return (after + i) % n;
	return NOBODY;
}

/* ---- the request with its sectors coming ---- */

/* The last of the ids at this sector. */
static unsigned last_at(const struct wl_atom_timing *t, uint64_t sector)
{
	for (unsigned i = 0; i < t->ids; i++)
		if (t->used[i] && t->behind[i] == i && t->id[i].sector == sector)
			return i;
	return NOBODY;
}

/* The answer ends the work of an id that goes on with the sector behind. */
static bool keeps(const struct wl_atom_timing *t, unsigned answered)
{
	return answered != NOBODY && t->id[answered].kind == WL_ATOM_TIMING_OTHER && t->made[answered] &&
	       t->id[answered].whole && t->behind[answered] != answered &&
	       t->id[t->behind[answered]].kind == WL_ATOM_TIMING_OTHER;
}

/* The id for the next sector. Few ids: none while another id is at the sector. */
static unsigned place_for(const struct wl_atom_timing *t, unsigned answered)
{
	const struct wl_atom_timing_request *r = &t->now;
	if (!t->full || t->at == r->n || keeps(t, answered))
		return NOBODY;
	if (t->ids <= WL_ATOM_TIMING_ALONE && last_at(t, r->sector[t->at].sector) != NOBODY)
		return NOBODY;
	if (r->sector[t->at].sector >> BEYOND && answered != NOBODY) /* the sector takes the place of an answer */
		return NOBODY;
	for (unsigned i = 0; i < t->ids; i++)
		if (!t->used[i])
			return i;
	return NOBODY;
}

static void begin(struct wl_atom_timing *t, unsigned id)
{
	const struct wl_atom_timing_sector *s = &t->id[id];
	*(s->kind == WL_ATOM_TIMING_STORE || s->sector >> BEYOND ? &t->run[id] : &t->ask[id]) = true;
}

static void come(struct wl_atom_timing *t, unsigned id)
{
	const struct wl_atom_timing_sector *s = &t->now.sector[t->at++];
	const unsigned last = last_at(t, s->sector);
	t->id[id] = *s;
	t->slot_of[id] = t->now_slot;
	t->used[id] = true;
	t->made[id] = false;
	t->behind[id] = (uint8_t)id;
	if (last == NOBODY)
		begin(t, id);
	else
		t->behind[last] = (uint8_t)id;
}

/* The next id waiting for the sector begins. */
static void leave(struct wl_atom_timing *t, unsigned id)
{
	t->used[id] = false;
	if (t->behind[id] != id)
		begin(t, t->behind[id]);
}

/* The id takes over the next sector of its queue with the content of the sector. */
static void go_on(struct wl_atom_timing *t, unsigned id)
{
	const unsigned next = t->behind[id];
	t->id[id] = t->id[next];
	t->slot_of[id] = t->slot_of[next];
	t->behind[id] = t->behind[next] == next ? (uint8_t)id : t->behind[next];
	t->used[next] = t->made[id] = false;
	t->run[id] = true;
}

/* A beat of the oldest request in the queue comes in. With the last beat the unit works on the request. */
static void beat(struct wl_atom_timing *t, unsigned slot)
{
	if (t->come == 0) {
		t->busy |= 1u << slot;
		t->taken &= ~(1u << slot);
		t->done &= ~(1u << slot);
		t->sent &= ~(1u << slot);
		t->next_slot = slot;
	}
	if (++t->come < t->beats)
		return;
	t->now = t->queue[t->out++ % QUEUE];
	t->now_slot = t->next_slot;
	t->at = t->come = 0;
	t->full = true;
}

/* ---- ids ---- */

/* The answer of this cycle. Returns whether the answer is a COMMIT. */
static bool judge(struct wl_atom_timing *t, unsigned id)
{
	const struct wl_atom_timing_sector *s = &t->id[id];
	const bool last = s->kind == WL_ATOM_TIMING_STORE || t->made[id];
	const bool commits = s->commits && (last || s->kind == WL_ATOM_TIMING_LOAD);
	t->answers++;
	if (keeps(t, id))
		go_on(t, id);
	else if (last)
		leave(t, id);
	else
		t->run[id] = true;
	return commits;
}

/* The last pass of a sector is over. */
static void end(struct wl_atom_timing *t, unsigned id)
{
	const struct wl_atom_timing_sector *s = &t->id[id];
	const bool there = !(s->sector >> BEYOND) && (s->there || s->kind == WL_ATOM_TIMING_STORE);
	t->made[id] = true;
	if (s->kind != WL_ATOM_TIMING_LOAD && there)
		t->ask[id] = true;
	else
		leave(t, id);
}

static void ask(struct wl_atom_timing *t, uint64_t cycle, unsigned sends)
{
	if (t->shown != NOBODY) {
		t->due[t->asked % IDS].id = (uint8_t)t->shown;
		t->due[t->asked++ % IDS].cycle = cycle + 1 + t->latency;
	}
	t->shown = sends;
	if (sends == NOBODY)
		return;
	t->ask[sends] = false;
	t->last_asked = sends;
}

static void pass(struct wl_atom_timing *t, unsigned runs, bool through)
{
	t->ending = through ? t->passing : NOBODY;
	if (runs != NOBODY) {
		t->run[runs] = false;
		t->last_run = runs;
		t->passing = runs;
		t->left = t->id[runs].passes;
	} else if (through) {
		t->passing = NOBODY;
	} else if (t->passing != NOBODY) {
		t->left--;
	}
}

/* ---- answers to the port ---- */

static unsigned slots_with_sectors(const struct wl_atom_timing *t)
{
	unsigned slots = 0;
	for (unsigned i = 0; i < t->ids; i++)
		slots |= t->used[i] ? 1u << t->slot_of[i] : 0;
	return slots;
}

static void answer(struct wl_atom_timing *t, unsigned done, unsigned replies)
{
	if (t->answering != NOBODY && --t->to_answer == 0) {
		t->busy &= ~(1u << t->answering);
		t->answering = NOBODY;
	}
	if (done != NOBODY)
		t->done |= 1u << done;
	if (replies == NOBODY)
		return;
	t->sent |= 1u << replies;
	t->last_reply = t->answering = replies;
	t->to_answer = t->beats;
}

bool wl_atom_timing_step(struct wl_atom_timing *t, uint64_t cycle, struct wl_atom_timing_sector *committed)
{
	/* seen by all at the start of the cycle */
	const unsigned answered = t->answers != t->asked && t->due[t->answers % IDS].cycle == cycle
	                                  ? t->due[t->answers % IDS].id
	                                  : NOBODY;
	const unsigned into = place_for(t, answered);
	const bool finish = t->full && t->at + (into != NOBODY) == t->now.n;
	const unsigned slot = t->come ? t->next_slot : lowest_free(t->busy, t->slots);
	const bool beats =
	        t->in != t->out && t->queue[t->out % QUEUE].from <= cycle && (!t->full || finish) && slot != NOBODY;
	const unsigned sends = next_id(t, t->ask, t->last_asked), ends = t->ending;
	const bool through = t->passing != NOBODY && t->left == 1;
	const unsigned runs = t->passing == NOBODY || through ? next_id(t, t->run, t->last_run) : NOBODY;
	const unsigned done = lowest_free(~(t->busy & t->taken & ~t->done & ~slots_with_sectors(t)), t->slots);
	const unsigned replies =
	        t->answering == NOBODY ? next_of(t->busy & t->done & ~t->sent, t->last_reply, t->slots) : NOBODY;
	bool commit = false;

	ask(t, cycle, sends);
	pass(t, runs, through);
	if (answered != NOBODY) {
		*committed = t->id[answered];
		commit = judge(t, answered);
	}
	if (ends != NOBODY)
		end(t, ends);
	if (into != NOBODY)
		come(t, into);
	answer(t, done, replies);
	if (finish) {
		t->full = false;
		t->taken |= 1u << t->now_slot;
	}
	if (beats)
		beat(t, slot);
	return commit;
}

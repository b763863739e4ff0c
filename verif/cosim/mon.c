// SPDX-License-Identifier: Apache-2.0
/* mon.c -- the order monitor: requests in flight, waiting warps, and the rules for every unit. See mon.h. */
#include "mon.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mon_read.h"

enum { NONE = MON_NOBODY, WARPS = 64, FIND = 64, AGE_EVERY = 64, LEAN_CYCLES = 24576 };

/* After the `number`th acceptance `live` requests were in flight. */
struct crowd {
	uint64_t number;
	unsigned live;
};

struct mon {
	unsigned lanes, beats, combine, latency;
	bool touches, native, lean, reports;
	char rules[sizeof MON_RULES];
	const struct mon_unit *unit[WL_UNIT_COUNT];
	void *state[WL_UNIT_COUNT];
	struct mon_window window[WL_MAX_CTAS];
	uint64_t cycles;   /* all */
	bool told;         /* mon_clock sets `cycles` */
	uint64_t counted;  /* cycles without a stalled output */
	uint64_t accepted; /* requests */
	uint8_t nlive, nfree, nwaiting;
	uint8_t live[MON_LIVE], free[MON_LIVE];
	uint8_t waiting[WARPS];    /* the request of each warp's wait */
	uint8_t youngest[WARPS];   /* of each warp */
	uint8_t find[WARPS][FIND]; /* by warp and low bits of n */
	/* Acceptances with more requests in flight than after any later acceptance: in order, so the largest number
	 * comes first. The largest number since a request's acceptance is then found without a word in each request. */
	unsigned ncrowds;
	struct crowd crowd[MON_LIVE + 1];
	struct mon_reads reads;
	struct mon_complaint first;
	struct mon_item item[MON_LIVE];
};

void mon_complain(struct mon *m, char rule, const struct wl_tag *tag, uint32_t lanes, const char *fmt, ...)
{
	if (m->first.rule || !strchr(m->rules, rule))
		return;
	m->first.rule = rule;
	m->first.tag = *tag;
	m->first.lanes = lanes;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(m->first.text, sizeof m->first.text, fmt, ap);
	va_end(ap);
}

struct mon *mon_new(unsigned lanes, unsigned combine, const struct mon_unit *const *units, unsigned n)
{
	struct mon *m = aligned_alloc(_Alignof(struct mon), sizeof *m);
	if (!m)
		return NULL;
	memset(m, 0, sizeof *m);
	m->lanes = lanes;
	m->beats = WL_WARP_LANES / lanes;
	m->combine = combine;
	strcpy(m->rules, MON_RULES);
	memset(m->youngest, NONE, sizeof m->youngest);
	memset(m->waiting, NONE, sizeof m->waiting);
	memset(m->find, NONE, sizeof m->find);
	for (unsigned i = 0; i < MON_LIVE; i++)
		m->free[m->nfree++] = (uint8_t)(MON_LIVE - 1 - i);
	for (unsigned i = 0; i < n; i++) {
		m->unit[units[i]->unit] = units[i];
		if (!units[i]->state_bytes)
			continue;
		m->state[units[i]->unit] = calloc(1, units[i]->state_bytes);
		if (!m->state[units[i]->unit]) {
			mon_free(m);
			return NULL;
		}
	}
	return m;
}

void mon_memory(struct mon *m, unsigned latency)
{
	m->latency = latency;
}

void mon_free(struct mon *m)
{
	for (unsigned u = 0; m && u < WL_UNIT_COUNT; u++)
		free(m->state[u]);
	free(m);
}

void mon_rules(struct mon *m, const char *letters)
{
	snprintf(m->rules, sizeof m->rules, "%s", letters);
}

const struct mon_complaint *mon_complaint(const struct mon *m)
{
	return &m->first;
}

void mon_launch(struct mon *m, unsigned slot, unsigned first, unsigned last_lanes)
{
	assert(slot < WL_MAX_CTAS);
	m->window[slot].first = (uint8_t)first;
	m->window[slot].last_lanes = (uint8_t)last_lanes;
}

void mon_cluster(struct mon *m, unsigned slot, unsigned cluster, unsigned rank)
{
	assert(slot < WL_MAX_CTAS && cluster < WL_MAX_CTAS);
	m->window[slot].cluster = (uint8_t)cluster;
	m->window[slot].origin = rank << 24;
}

void mon_window(struct mon *m, unsigned slot, uint32_t size, bool valid, unsigned warps)
{
	assert(slot < WL_MAX_CTAS);
	m->window[slot].size = size;
	m->window[slot].valid = valid;
	m->window[slot].warps = (uint8_t)warps;
	m->window[slot].left = valid && warps ? UINT64_MAX >> (64 - warps) << m->window[slot].first : 0;
	for (unsigned u = 0; u < WL_UNIT_COUNT; u++)
		if (m->unit[u] && m->unit[u]->open)
			m->unit[u]->open(m, slot);
}

void mon_base(struct mon *m, unsigned slot, uint32_t base)
{
	assert(slot < WL_MAX_CTAS);
	m->window[slot].base = base;
}

/* ---- questions of the parts ---- */

unsigned mon_lanes(const struct mon *m)
{
	return m->lanes;
}

unsigned mon_combine(const struct mon *m)
{
	return m->combine;
}

bool mon_has_native(const struct mon *m)
{
	return m->native;
}

void mon_native(struct mon *m, bool native)
{
	m->native = native;
}

void mon_lean(struct mon *m, bool lean)
{
	m->lean = lean;
}

void mon_reports(struct mon *m, bool reports)
{
	m->reports = reports;
}

bool mon_has_reports(const struct mon *m)
{
	return m->reports;
}

bool mon_is_lean(const struct mon *m)
{
	return m->lean;
}

const struct mon_window *mon_window_of(const struct mon *m, unsigned slot)
{
	return &m->window[slot];
}

int mon_slot_named(const struct mon *m, unsigned slot, uint32_t addr)
{
	const struct mon_window *own = &m->window[slot];
	unsigned ctas = 0;
	int named = -1;
	for (unsigned s = 0; s < WL_MAX_CTAS; s++) {
		const struct mon_window *w = &m->window[s];
		if (!w->valid || w->cluster != own->cluster)
			continue;
		ctas++;
		if (w->origin >> 24 == addr >> 24 && (w->left || s == slot))
			named = (int)s;
	}
	return !own->valid || ctas < 2 ? (int)slot : named;
}

void *mon_state(struct mon *m, enum wl_unit unit)
{
	return m->state[unit];
}

void mon_wants_touches(struct mon *m)
{
	m->touches = true;
}

bool mon_wants_writes(const struct mon *m)
{
	return m->touches || m->reads.n;
}

void mon_writes(struct mon *m, const struct mon_item *it, unsigned slot, uint32_t addr, unsigned size)
{
	for (unsigned u = 0; m->touches && u < WL_UNIT_COUNT; u++)
		if (m->unit[u] && m->unit[u] != it->unit && m->unit[u]->touched)
			m->unit[u]->touched(m, slot, addr, size);
	if (!m->reads.n)
		return;
	char by[48];
	snprintf(by, sizeof by, "request n=%u of warp %u", it->tag.n, it->tag.warp);
	mon_reads_check(m, &m->reads, it, slot, addr, addr + size, by);
}

uint64_t mon_now(const struct mon *m)
{
	return m->cycles;
}

const struct mon_item *mon_older(const struct mon *m, const struct mon_item *it)
{
	return it->older == MON_NOBODY ? NULL : &m->item[it->older];
}

static bool reaches_shared(const struct mon_item *o, const struct mon_item *it)
{
	return o->unit != it->unit && o->unit->shared_pending && o->tag.slot == it->tag.slot;
}

bool mon_older_shared(const struct mon *m, const struct mon_item *it)
{
	for (const struct mon_item *o = mon_older(m, it); o; o = mon_older(m, o))
		if (reaches_shared(o, it))
			return true;
	return false;
}

void mon_check_shared(struct mon *m, const struct mon_item *it, unsigned l, uint32_t from, unsigned size)
{
	for (const struct mon_item *o = mon_older(m, it); o; o = mon_older(m, o)) {
		const int j = reaches_shared(o, it) ? o->unit->shared_pending(o, from, from + size) : -1;
		if (j < 0)
			continue;
		mon_complain(
		        m, 'c', &it->tag, UINT32_C(1) << l,
		        "lane %u commits at shared address 0x%x before lane %d of the warp's earlier request n=%u, "
		        "for %s, has committed there",
		        l, from, j, o->tag.n, wl_unit_name(o->unit->unit));
		return;
	}
}

/* ---- requests ---- */

static unsigned cell(const struct wl_tag *tag)
{
	return tag->n % FIND;
}

static struct mon_item *find(struct mon *m, const struct wl_tag *tag)
{
	const unsigned i = m->find[tag->warp % WARPS][cell(tag)];
	if (i == NONE || m->item[i].tag.warp != tag->warp || m->item[i].tag.n != tag->n)
		return NULL;
	return &m->item[i];
}

/* After this acceptance `nlive` requests are in flight. Earlier entries with no more requests are maxima no longer. */
static void note_crowd(struct mon *m)
{
	while (m->ncrowds && m->crowd[m->ncrowds - 1].live <= m->nlive)
		m->ncrowds--;
	m->crowd[m->ncrowds++] = (struct crowd){m->accepted, m->nlive};
}

/* Most requests in flight since the acceptance of this request, itself included. */
static unsigned peak(const struct mon *m, const struct mon_item *it)
{
	unsigned i = 0;
	while (m->crowd[i].number < it->number)
		i++;
	return m->crowd[i].live;
}

unsigned mon_accept(struct mon *m, const struct wl_req *req)
{
	uint8_t *slot = &m->find[req->tag.warp % WARPS][cell(&req->tag)];
	const enum wl_unit unit = req->inst.uop != WL_UOP_EXIT ? wl_uop_unit((enum wl_uop)req->inst.uop)
	                          : req->posted                ? WL_UNIT_sync_core
	                                                       : WL_UNIT_convergence; /* lanes of the warp stay */
	if (!m->nfree || *slot != NONE) {
		mon_complain(m, 'a', &req->tag, 0,
		             "accepted, although a request with its place in the tag space has not retired");
		return MON_NOBODY;
	}
	if (!m->unit[unit]) {
		mon_complain(m, 'a', &req->tag, 0, "accepted for %s, which is not in the DUT", wl_unit_name(unit));
		return MON_NOBODY;
	}
	if (m->waiting[req->tag.warp % WARPS] != NONE)
		mon_complain(m, 'd', &req->tag, 0, "accepted, although its warp waits");
	const uint8_t i = m->free[--m->nfree];
	struct mon_item *it = &m->item[i];
	it->tag = req->tag;
	it->unit = m->unit[unit];
	it->mask = req->mask;
	it->faulting = it->committed = it->fault_seen = 0;
	it->exited = it->reads = it->reading = false;
	it->live = true;
	it->waits = MON_NO_WAIT;
	it->born = m->counted;
	it->unit->accept(m, it, req);
	it->older = m->youngest[req->tag.warp % WARPS];
	m->youngest[req->tag.warp % WARPS] = i;
	*slot = i;
	it->place = m->nlive;
	m->live[m->nlive++] = i;
	it->number = ++m->accepted;
	note_crowd(m);
	return i;
}

static void leave_live(struct mon *m, const struct mon_item *it)
{
	m->live[it->place] = m->live[--m->nlive];
	m->item[m->live[it->place]].place = it->place;
}

static void forget(struct mon *m, struct mon_item *it)
{
	const uint8_t i = (uint8_t)(it - m->item);
	it->live = false;
	mon_reads_note(&m->reads, it, false);
	uint8_t *link = &m->youngest[it->tag.warp % WARPS];
	while (*link != i)
		link = &m->item[*link].older;
	*link = it->older;
	m->find[it->tag.warp % WARPS][cell(&it->tag)] = NONE;
	if (it->waits == MON_NO_WAIT) {
		leave_live(m, it);
	} else {
		m->waiting[it->tag.warp % WARPS] = NONE;
		m->nwaiting--;
	}
	m->free[m->nfree++] = i;
}

/* ---- rule a ---- */

/* Lanes that must commit. Lanes with a fault by the unit's state are known once the fault is seen. */
static uint32_t due(const struct mon_item *it)
{
	return it->mask & ~it->faulting & ~(it->unit->state_faults ? it->fault_seen : 0);
}

static void wait_for(struct mon *m, struct mon_item *it, enum wl_unit u)
{
	leave_live(m, it);
	it->waits = (uint8_t)u;
	m->waiting[it->tag.warp % WARPS] = (uint8_t)(it - m->item);
	m->nwaiting++;
}

static void start_wait(struct mon *m, struct mon_item *it)
{
	const enum wl_unit u = it->unit->waits(m, it);
	if ((unsigned)u != MON_NO_WAIT)
		wait_for(m, it, u);
}

/* A warp is released or gives up: the warp waits, even where the commits of the last request did not tell. */
static void find_wait(struct mon *m, unsigned warp)
{
	const unsigned i = m->youngest[warp % WARPS];
	struct mon_item *it = i == NONE ? NULL : &m->item[i];
	if (m->waiting[warp % WARPS] == NONE && it && it->unit->parked && it->unit->parked(m, it))
		wait_for(m, it, it->unit->unit);
}

static __attribute__((cold)) void complain_commit(struct mon *m, const struct mon_item *it, uint32_t lanes)
{
	if (!lanes || it->unit->one_event)
		mon_complain(m, 'a', &it->tag, 0, "COMMIT %s", lanes ? "of a request that has none" : "without lanes");
	if (lanes & ~it->mask)
		mon_complain(m, 'a', &it->tag, lanes & ~it->mask, "COMMIT of lanes that are not active");
	if (lanes & (it->faulting | it->fault_seen))
		mon_complain(m, 'a', &it->tag, lanes & (it->faulting | it->fault_seen), "COMMIT of lanes that fault");
	if (lanes & it->committed)
		mon_complain(m, 'a', &it->tag, lanes & it->committed, "COMMIT of lanes that have committed before");
}

static inline void on_commit(struct mon *m, struct mon_item *it, const struct wl_event *ev)
{
	const uint32_t lanes = ev->lanes;
	const uint32_t never = ~it->mask | it->faulting | it->fault_seen | it->committed;
	it->value = ev->value;
	if (!lanes || it->unit->one_event || lanes & never)
		complain_commit(m, it, lanes);
	if (it->unit->commit)
		it->unit->commit(m, it, lanes);
	it->committed |= lanes;
	it->settled = m->cycles;
	if (it->reads)
		mon_reads_note(&m->reads, it, (due(it) & ~it->committed) != 0);
	if (it->unit->waits && it->waits == MON_NO_WAIT && !(due(it) & ~it->committed) && it->committed)
		start_wait(m, it);
}

static void on_fault(struct mon *m, struct mon_item *it, const struct wl_event *ev)
{
	const uint32_t lanes = ev->lanes;
	if (!lanes || lanes & ~it->mask)
		mon_complain(m, 'a', &it->tag, lanes, "FAULT without lanes or of lanes that are not active");
	if (lanes & it->fault_seen)
		mon_complain(m, 'a', &it->tag, lanes & it->fault_seen, "a second FAULT of one lane");
	if (lanes & it->committed)
		mon_complain(m, 'a', &it->tag, lanes & it->committed, "FAULT of lanes that have committed");
	for (unsigned first = 0; first < WL_WARP_LANES; first += m->lanes) {
		const uint32_t beat = (m->lanes == 32 ? ~UINT32_C(0) : (UINT32_C(1) << m->lanes) - 1) << first;
		if (lanes & it->faulting & beat && it->committed & beat)
			mon_complain(m, 'a', &it->tag, lanes & beat, "FAULT after the first COMMIT of its beat");
	}
	if (it->unit->fault && lanes & ~it->faulting)
		it->unit->fault(m, it, ev);
	it->fault_seen |= lanes;
}

static void on_warp_exit(struct mon *m, struct mon_item *it, const struct wl_event *ev)
{
	if (!it->unit->one_event || it->exited)
		mon_complain(m, 'a', &it->tag, 0, "EXIT %s",
		             it->exited ? "for the second time" : "of a request that is none");
	it->exited = true;
	it->committed = due(it);
	m->window[it->tag.slot].left &= ~(UINT64_C(1) << it->tag.warp % WARPS);
	for (unsigned u = 0; u < WL_UNIT_COUNT; u++)
		if (m->unit[u] && m->unit[u]->exit)
			m->unit[u]->exit(m, ev);
}

/* ---- rule f ---- */

/* Each other request takes 64 cycles a beat at most. If the sectors are the same as this request's, a read and a
 * conditional write of global memory come on top, one after the other: the port does not say whose. In a lean form 32
 * sectors have a read and a write one after the other, with some 250 cycles for each in between; or a single sector has
 * 256 sums of 36 cycles, anew after a write by somebody else. */
static uint64_t bound(const struct mon *m, const struct mon_item *it)
{
	const uint64_t memory = it->unit == m->unit[WL_UNIT_atom_unit] ? 2 * m->latency : 0,
	               own = m->lean ? LEAN_CYCLES + WL_WARP_LANES * 2 * m->latency : 64 * m->beats + memory;
	return own * (peak(m, it) + 1u);
}

static void check_age(struct mon *m, const struct mon_item *it)
{
	const uint64_t age = m->counted - it->born;
	if (m->counted > it->born && age > bound(m, it))
		mon_complain(m, 'f', &it->tag, 0, "in flight for %llu cycles, the bound is %llu (%u in flight)",
		             (unsigned long long)age, (unsigned long long)bound(m, it), peak(m, it));
}

void mon_owed(struct mon *m, const struct wl_tag *tag)
{
	struct mon_item *it = find(m, tag);
	if (it)
		it->born++;
}

static void on_retire(struct mon *m, struct mon_item *it)
{
	if (it->waits != MON_NO_WAIT)
		mon_complain(m, 'd', &it->tag, 0, "RETIRE of a request that waits");
	if (due(it) & ~it->committed)
		mon_complain(m, 'a', &it->tag, due(it) & ~it->committed, "RETIRE before these lanes have committed");
	const uint32_t wrong = it->fault_seen ^ it->faulting;
	if (it->unit->state_faults ? it->faulting & ~it->fault_seen : wrong)
		mon_complain(m, 'a', &it->tag, wrong,
		             "RETIRE, and the lanes with a FAULT are not the lanes that fault");
	check_age(m, it);
	forget(m, it);
}

/* ---- rules d and e ---- */

static void on_release(struct mon *m, const struct wl_event *ev)
{
	const struct mon_unit *unit = m->unit[ev->unit];
	struct mon_item *ends[64];
	unsigned n = 0;
	if (!unit || !unit->release) {
		mon_complain(m, 'd', &ev->tag, 0, "RELEASE of a unit whose requests do not wait");
		return;
	}
	if (!ev->warps)
		mon_complain(m, 'd', &ev->tag, 0, "RELEASE of nobody");
	for (uint64_t left = ev->warps; left; left &= left - 1) {
		const unsigned w = (unsigned)__builtin_ctzll(left);
		find_wait(m, w);
		const unsigned i = m->waiting[w];
		struct mon_item *it = i == NONE ? NULL : &m->item[i];
		if (!it || it->waits != ev->unit || (it->tag.slot != ev->tag.slot && !unit->several_slots)) {
			mon_complain(m, 'd', &ev->tag, 0, "RELEASE of warp %u, which does not wait for %s in slot %u",
			             w, wl_unit_name(ev->unit), ev->tag.slot);
			continue;
		}
		ends[n++] = it;
	}
	unit->release(m, ev);
	for (unsigned i = 0; i < n; i++)
		forget(m, ends[i]);
}

static void on_choice(struct mon *m, struct mon_item *it)
{
	find_wait(m, it->tag.warp);
	if (it->waits == MON_NO_WAIT) {
		mon_complain(m, 'e', &it->tag, 0, "gave up, but does not wait");
		return;
	}
	const struct mon_unit *unit = m->unit[it->waits];
	if (unit->gave_up)
		unit->gave_up(m, it);
	else
		mon_complain(m, 'e', &it->tag, 0, "gave up a wait that never does");
	forget(m, it);
}

/* ---- events and cycles ---- */

/* Bytes written by a piece; by a message to an mbarrier, the whole object. */
static uint32_t land_bytes(const struct wl_event *ev)
{
	return ev->land == LANDS_WRITE || ev->land == LANDS_REDUCE ? ev->bytes : 8;
}

static void on_land(struct mon *m, const struct wl_event *ev)
{
	if (ev->unit != WL_UNIT_sync_core) {
		mon_complain(m, 'a', &ev->tag, 0, "LAND in a unit in which nothing lands");
		return;
	}
	const uint32_t at = ev->addr - m->window[ev->tag.slot].base;
	if (ev->land != LANDS_READ && ev->fault == WL_FAULT_NONE)
		mon_reads_check(m, &m->reads, NULL, ev->tag.slot, at, at + land_bytes(ev), "a piece of a copy");
	for (unsigned u = 0; u < WL_UNIT_COUNT; u++)
		if (m->unit[u] && m->unit[u]->land)
			m->unit[u]->land(m, ev);
}

static __attribute__((cold)) void complain_unknown(struct mon *m, const struct wl_event *ev)
{
	mon_complain(m, ev->kind == WL_EV_CHOICE ? 'e' : 'a', &ev->tag, ev->lanes,
	             "event of a request that is not in flight");
}

/* All events but COMMITs of a request in flight; nearly all events are such COMMITs. */
static __attribute__((noinline)) void other_event(struct mon *m, const struct wl_event *ev)
{
	if (ev->kind == WL_EV_RELEASE) { /* names no request */
		on_release(m, ev);
		return;
	}
	if (ev->kind == WL_EV_LAND) {
		on_land(m, ev);
		return;
	}
	struct mon_item *it = find(m, &ev->tag);
	if (!it) {
		complain_unknown(m, ev);
		return;
	}
	it->value = ev->value;
	if (ev->kind == WL_EV_FAULT)
		on_fault(m, it, ev);
	else if (ev->kind == WL_EV_RETIRE)
		on_retire(m, it);
	else if (ev->kind == WL_EV_EXIT)
		on_warp_exit(m, it, ev);
	else
		on_choice(m, it);
}

void mon_event(struct mon *m, const struct wl_event *ev)
{
	struct mon_item *it = ev->kind == WL_EV_COMMIT ? find(m, &ev->tag) : NULL;
	if (it)
		on_commit(m, it, ev);
	else
		other_event(m, ev);
}

void mon_commit(struct mon *m, unsigned number, const struct wl_event *ev)
{
	struct mon_item *it = number < MON_LIVE ? &m->item[number] : NULL;
	if (it && it->live && it->tag.warp == ev->tag.warp && it->tag.n == ev->tag.n)
		on_commit(m, it, ev);
	else
		mon_event(m, ev);
}

static __attribute__((noinline)) void watch_waits(struct mon *m)
{
	for (unsigned w = 0; w < WARPS; w++) {
		const unsigned i = m->waiting[w];
		if (i != NONE && m->unit[m->item[i].waits]->waiting)
			m->unit[m->item[i].waits]->waiting(m, &m->item[i]);
	}
}

void mon_clock(struct mon *m, uint64_t cycle)
{
	m->told = true;
	m->cycles = cycle;
}

static __attribute__((noinline)) void check_ages(struct mon *m)
{
	for (unsigned k = 0; k < m->nlive; k++)
		check_age(m, &m->item[m->live[k]]);
}

void mon_cycle(struct mon *m, bool stalled)
{
	m->cycles += !m->told;
	if (m->nwaiting)
		watch_waits(m);
	m->counted += !stalled;
	if (!stalled && m->counted % AGE_EVERY == 0)
		check_ages(m);
}

void mon_end(struct mon *m)
{
	if (m->nlive)
		mon_complain(m, 'f', &m->item[m->live[0]].tag, 0, "never retired");
}

// SPDX-License-Identifier: Apache-2.0
/* mon.c -- the order monitor. See mon.h for the rules. */
#include "mon.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = 0xff, HASH = 64, WARPS = 64, FIND = 16, AGE_EVERY = 64 };

/* One request in flight. */
struct item {
	struct wl_tag tag;
	uint32_t mask;
	uint32_t faulting; /* lanes that must fault */
	uint32_t losers;   /* .SPIN lanes that fail without an effect: no order is asked of them */
	uint32_t committed;
	uint32_t fault_seen;
	bool together; /* lanes on one word may commit in one event */
	uint8_t size;
	uint8_t peak;  /* most requests in flight since it was accepted */
	uint8_t place; /* in the list of live ones */
	uint8_t older; /* next older request of the same warp in flight, NONE = none */
	uint64_t born; /* counted cycles at acceptance */
	uint32_t addr[WL_WARP_LANES];
	uint32_t linked;             /* lanes with a link: */
	uint8_t prev[WL_WARP_LANES]; /* nearest lower effective lane on the same word */
};

struct mon {
	unsigned lanes, combine;
	char rules[8];
	struct {
		uint32_t size;
		bool valid;
	} window[WL_MAX_CTAS];
	uint64_t counted; /* cycles without a stalled output */
	uint8_t nlive, nfree, level;
	uint8_t live[MON_LIVE], free[MON_LIVE];
	uint8_t youngest[WARPS];   /* of each warp */
	uint8_t find[WARPS][FIND]; /* by warp and low bits of n */
	struct item item[MON_LIVE];
	struct mon_complaint first;
};

static void complain(struct mon *m, char rule, const struct wl_tag *tag, uint32_t lanes, const char *fmt, ...)
        __attribute__((format(printf, 5, 6)));
static void complain(struct mon *m, char rule, const struct wl_tag *tag, uint32_t lanes, const char *fmt, ...)
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

struct mon *mon_new(unsigned lanes, unsigned combine)
{
	struct mon *m = calloc(1, sizeof *m);
	if (!m)
		return NULL;
	m->lanes = lanes;
	m->combine = combine;
	strcpy(m->rules, "abcdef");
	memset(m->youngest, NONE, sizeof m->youngest);
	memset(m->find, NONE, sizeof m->find);
	for (unsigned i = 0; i < MON_LIVE; i++)
		m->free[m->nfree++] = (uint8_t)(MON_LIVE - 1 - i);
	return m;
}

void mon_free(struct mon *m)
{
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

void mon_window(struct mon *m, unsigned slot, uint32_t size, bool valid)
{
	assert(slot < WL_MAX_CTAS);
	m->window[slot].size = size;
	m->window[slot].valid = valid;
}

/* ---- what a request will do ---- */

/* Address = Ra << scale, nothing for RZ, + UR + offset; the 24-bit offset is zero-extended when it stands alone. */
static void form_addresses(struct item *it, const struct wl_req *req)
{
	const struct wl_inst *in = &req->inst;
	const bool alone = in->ra == WL_RZ && in->ur == 255;
	const uint32_t off = alone ? (uint32_t)in->off & 0xffffff : (uint32_t)in->off;
	const uint32_t add = off + (in->ur == 255 ? 0 : req->ur);
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		it->addr[l] = (in->ra == WL_RZ ? 0 : (uint32_t)req->ra[l] << in->xn) + add;
}

static uint32_t lanes_that_fault(const struct mon *m, const struct item *it, const struct wl_req *req)
{
	if (req->inst.flags & WL_F_ILLEGAL || !m->window[req->tag.slot].valid)
		return req->mask;
	const uint32_t size = m->window[req->tag.slot].size, n = it->size;
	uint32_t bad = size < n;
	for (unsigned l = 0; l < WL_WARP_LANES; l++) /* mostly none, and this loop is quick */
		bad |= (it->addr[l] & (n - 1)) | (it->addr[l] > size - n);
	if (!bad)
		return 0;
	bad = 0;
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint32_t a = it->addr[l];
		bad |= (uint32_t)((a & (n - 1)) != 0 || n > size || a > size - n) << l;
	}
	return bad & req->mask;
}

/* The lowest lane of every architectural bank (address bits 6:2, 6:3 for 64 bits) tries, the others lose. */
static uint32_t spin_losers(const struct item *it, uint32_t lanes)
{
	uint32_t tried = 0, lost = 0;
	const uint32_t low = it->size == 8 ? 0x1e : 0x1f;
	for (uint32_t left = lanes; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		const uint32_t bank = UINT32_C(1) << (it->addr[l] >> 2 & low);
		if (tried & bank)
			lost |= UINT32_C(1) << l;
		tried |= bank;
	}
	return lost;
}

/* All lanes on different architectural banks are on different words: nothing to link, and usual. */
static bool no_two_meet(const struct item *it)
{
	uint32_t banks = 0;
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		banks |= UINT32_C(1) << (it->addr[l] >> 2 & 31);
	return banks == UINT32_MAX;
}

/* Links every effective lane to the nearest lower one on the same word. When each link is obeyed, so is lane order. */
static void link_words(struct item *it)
{
	uint8_t head[HASH], next[WL_WARP_LANES];
	it->linked = 0;
	if (no_two_meet(it))
		return;
	memset(head, NONE, sizeof head);
	for (uint32_t left = it->mask & ~it->faulting & ~it->losers; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		const unsigned h = it->addr[l] * UINT32_C(0x9e3779b1) >> 26;
		unsigned p = head[h];
		while (p != NONE && it->addr[p] != it->addr[l])
			p = next[p];
		if (p != NONE) {
			it->prev[l] = (uint8_t)p;
			it->linked |= UINT32_C(1) << l;
		}
		next[l] = head[h];
		head[h] = (uint8_t)l;
	}
}

static unsigned cell(const struct wl_tag *tag)
{
	return tag->n % FIND;
}

static struct item *find(struct mon *m, const struct wl_tag *tag)
{
	const unsigned i = m->find[tag->warp % WARPS][cell(tag)];
	if (i == NONE || m->item[i].tag.warp != tag->warp || m->item[i].tag.n != tag->n)
		return NULL;
	return &m->item[i];
}

/* Most requests in flight since acceptance, for each. None is below `level`, so mostly nothing has to be done. */
static void raise_peaks(struct mon *m)
{
	if (m->nlive > m->level)
		for (unsigned k = 0; k < m->nlive; k++)
			if (m->item[m->live[k]].peak < m->nlive)
				m->item[m->live[k]].peak = m->nlive;
	m->level = m->nlive;
}

void mon_accept(struct mon *m, const struct wl_req *req)
{
	uint8_t *slot = &m->find[req->tag.warp % WARPS][cell(&req->tag)];
	if (!m->nfree || *slot != NONE) {
		complain(m, 'a', &req->tag, 0,
		         "accepted, although a request with its place in the tag space has not retired");
		return;
	}
	const uint8_t i = m->free[--m->nfree];
	struct item *it = &m->item[i];
	it->tag = req->tag;
	it->mask = req->mask;
	it->size = req->inst.size;
	it->together = req->inst.uop == WL_UOP_LDS || m->combine;
	it->committed = it->fault_seen = it->losers = 0;
	it->born = m->counted;
	form_addresses(it, req);
	it->faulting = lanes_that_fault(m, it, req);
	if (req->inst.flags & WL_F_SPIN)
		it->losers = spin_losers(it, it->mask & ~it->faulting);
	link_words(it);
	it->older = m->youngest[req->tag.warp % WARPS];
	m->youngest[req->tag.warp % WARPS] = i;
	*slot = i;
	it->place = m->nlive;
	m->live[m->nlive++] = i;
	it->peak = m->nlive;
	raise_peaks(m);
}

/* ---- events ---- */

/* Lane of `it` still to commit whose bytes overlap those of lane l of `mine`; -1 when there is none. */
static int pending_overlap(const struct item *it, const struct item *mine, unsigned l)
{
	const uint32_t from = mine->addr[l], to = from + mine->size;
	for (uint32_t left = it->mask & ~it->faulting & ~it->losers & ~it->committed; left; left &= left - 1) {
		const unsigned j = (unsigned)__builtin_ctz(left);
		if (it->addr[j] < to && from < it->addr[j] + it->size)
			return (int)j;
	}
	return -1;
}

static void check_program_order(struct mon *m, const struct item *it, uint32_t lanes)
{
	for (unsigned i = it->older; i != NONE; i = m->item[i].older) {
		const struct item *o = &m->item[i];
		if (!(o->mask & ~o->faulting & ~o->losers & ~o->committed) || o->tag.slot != it->tag.slot)
			continue;
		for (uint32_t left = lanes & ~it->losers & ~it->faulting; left; left &= left - 1) {
			const unsigned l = (unsigned)__builtin_ctz(left);
			const int j = pending_overlap(o, it, l);
			if (j < 0)
				continue;
			complain(m, 'c', &it->tag, UINT32_C(1) << l,
			         "lane %u commits at address 0x%x before lane %d of the warp's earlier request n=%u "
			         "has committed at 0x%x",
			         l, it->addr[l], j, o->tag.n, o->addr[j]);
			return;
		}
	}
}

static void on_commit(struct mon *m, struct item *it, uint32_t lanes)
{
	if (!lanes)
		complain(m, 'a', &it->tag, 0, "COMMIT without lanes");
	if (lanes & ~it->mask)
		complain(m, 'a', &it->tag, lanes & ~it->mask, "COMMIT of lanes that are not active");
	if (lanes & (it->faulting | it->fault_seen))
		complain(m, 'a', &it->tag, lanes & (it->faulting | it->fault_seen), "COMMIT of lanes that fault");
	if (lanes & it->committed)
		complain(m, 'a', &it->tag, lanes & it->committed, "COMMIT of lanes that have committed before");
	for (uint32_t left = lanes & it->linked; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left), p = it->prev[l];
		if (it->committed >> p & 1)
			continue;
		if (!(lanes >> p & 1))
			complain(m, 'b', &it->tag, UINT32_C(1) << l,
			         "lane %u commits before lane %u, which is on the same word at address 0x%x", l, p,
			         it->addr[l]);
		else if (!it->together)
			complain(m, 'b', &it->tag, UINT32_C(1) << l,
			         "lanes %u and %u, on one word at address 0x%x, commit together", p, l, it->addr[l]);
	}
	check_program_order(m, it, lanes);
	it->committed |= lanes;
}

static void on_fault(struct mon *m, struct item *it, uint32_t lanes)
{
	if (!lanes || lanes & ~it->mask)
		complain(m, 'a', &it->tag, lanes, "FAULT without lanes or of lanes that are not active");
	if (lanes & it->fault_seen)
		complain(m, 'a', &it->tag, lanes & it->fault_seen, "a second FAULT of one lane");
	for (unsigned first = 0; first < WL_WARP_LANES; first += m->lanes) {
		const uint32_t beat = (m->lanes == 32 ? ~UINT32_C(0) : (UINT32_C(1) << m->lanes) - 1) << first;
		if (lanes & beat && it->committed & beat)
			complain(m, 'a', &it->tag, lanes & beat, "FAULT after the first COMMIT of its beat");
	}
	it->fault_seen |= lanes;
}

static uint64_t bound(const struct mon *m, const struct item *it)
{
	return UINT64_C(64) * (it->peak + 1u) * (WL_WARP_LANES / m->lanes);
}

static void check_age(struct mon *m, const struct item *it)
{
	const uint64_t age = m->counted - it->born;
	if (age > bound(m, it))
		complain(m, 'f', &it->tag, 0, "in flight for %llu cycles, the bound is %llu (%u in flight)",
		         (unsigned long long)age, (unsigned long long)bound(m, it), it->peak);
}

static void forget(struct mon *m, struct item *it)
{
	const uint8_t i = (uint8_t)(it - m->item);
	uint8_t *link = &m->youngest[it->tag.warp % WARPS];
	while (*link != i)
		link = &m->item[*link].older;
	*link = it->older;
	m->find[it->tag.warp % WARPS][cell(&it->tag)] = NONE;
	m->live[it->place] = m->live[--m->nlive];
	m->item[m->live[it->place]].place = it->place;
	m->free[m->nfree++] = i;
}

static void on_retire(struct mon *m, struct item *it)
{
	const uint32_t due = it->mask & ~it->faulting;
	if (due & ~it->committed)
		complain(m, 'a', &it->tag, due & ~it->committed, "RETIRE before these lanes have committed");
	if (it->fault_seen != it->faulting)
		complain(m, 'a', &it->tag, it->fault_seen ^ it->faulting,
		         "RETIRE, and the lanes with a FAULT are not the lanes that fault");
	check_age(m, it);
	forget(m, it);
}

void mon_event(struct mon *m, const struct wl_event *ev)
{
	struct item *it = NULL;
	switch (ev->kind) {
	case WL_EV_FAULT:
	case WL_EV_COMMIT:
	case WL_EV_RETIRE:
		it = find(m, &ev->tag);
		if (!it) {
			complain(m, 'a', &ev->tag, ev->lanes, "event of a request that is not in flight");
			return;
		}
		break;
	default:
		complain(m, ev->kind == WL_EV_RELEASE ? 'd' : 'e', &ev->tag, 0,
		         "event of a kind that no unit built so far may raise");
		return;
	}
	if (ev->kind == WL_EV_COMMIT)
		on_commit(m, it, ev->lanes);
	else if (ev->kind == WL_EV_FAULT)
		on_fault(m, it, ev->lanes);
	else
		on_retire(m, it);
}

void mon_cycle(struct mon *m, bool stalled)
{
	if (stalled)
		return;
	m->counted++;
	if (m->counted % AGE_EVERY == 0)
		for (unsigned k = 0; k < m->nlive; k++)
			check_age(m, &m->item[m->live[k]]);
}

void mon_end(struct mon *m)
{
	if (m->nlive)
		complain(m, 'f', &m->item[m->live[0]].tag, 0, "never retired");
}

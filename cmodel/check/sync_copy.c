// SPDX-License-Identifier: Apache-2.0
/* sync_copy.c -- --check=sync: asynchronous copies. A copy is open until somebody has waited for the copy: DEPBAR of
 * the copy's group, or a wait at the mbarrier of the copy. */
#include <stdlib.h>
#include <string.h>

#include "sync_state.h"

static uint64_t word_of(const struct sync *s, uint64_t at)
{
	return check_shared_index(&s->c, at) / 4;
}

static void mark(struct sync *s, const struct copy_of *c, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < c->n; i++)
		for (uint64_t w = word_of(s, c->range[i].at), end = word_of(s, c->range[i].at + c->range[i].bytes + 3);
		     w < end; w++)
			if (!from || s->copied[w] == from)
				s->copied[w] = to;
}

static void shut(struct sync *s, uint32_t i)
{
	struct copy_of *c = &s->copy[i - 1];
	mark(s, c, i, 0);
	*(c->before ? &s->copy[c->before - 1].next : &s->open) = c->next;
	if (c->next)
		s->copy[c->next - 1].before = c->before;
	c->used = false;
	c->next = s->free;
	s->free = i;
}

static uint32_t fresh(struct sync *s)
{
	uint32_t i = s->free;
	if (i) {
		s->free = s->copy[i - 1].next;
	} else {
		if (s->ncopies == s->room) {
			s->room = s->room ? 2 * s->room : 64;
			s->copy = realloc(s->copy, s->room * sizeof *s->copy);
			if (!s->copy)
				abort();
		}
		i = ++s->ncopies;
	}
	s->copy[i - 1] = (struct copy_of){.used = true, .next = s->open};
	if (s->open)
		s->copy[s->open - 1].before = i;
	return s->open = i;
}

static void add(const struct sync *s, struct copy_of *c, uint64_t at, uint32_t bytes)
{
	if (check_shared_index(&s->c, at) == UINT64_MAX || !bytes)
		return;
	c->range[c->n].at = at;
	c->range[c->n++].bytes = bytes;
}

/* Offset in the window of the CTA that owns the byte. */
static uint64_t offset_of(const struct sync *s, uint32_t owner, uint64_t at)
{
	const uint64_t in = check_shared_index(&s->c, at);
	for (unsigned i = 0; i < s->c.shape.sms * WL_MAX_CTAS; i++)
		if (s->cta[i].warps_left && s->cta[i].number == owner)
			return in - s->cta[i].base;
	return in;
}

/* A copy out of bytes still under way in an open copy: the second copy may read too early. */
static void reads_open(struct sync *s, const struct copy_of *c)
{
	for (uint64_t w = word_of(s, c->range[0].at), end = word_of(s, c->range[0].at + c->range[0].bytes); w < end;
	     w++) {
		const uint32_t i = s->copied[w];
		if (!i || s->copy[i - 1].kind == WL_SEEN_BULK_OUT)
			continue;
		sync_found(s, WL_CHECK_COPY_UNDERWAY, &s->copy[i - 1].site, &c->site, c->owner,
		           offset_of(s, c->owner, c->range[0].at), c->range[0].bytes);
		return;
	}
}

static bool of_warp(const struct copy_of *c, const struct wl_seen *e)
{
	return c->sm == e->sm && c->warp_slot == e->warp_slot &&
	       (c->kind == WL_SEEN_BY_LANE || c->kind == WL_SEEN_BULK_OUT);
}

static void asked(struct sync *s, const struct wl_seen *e)
{
	const uint32_t i = e->copy == WL_SEEN_ARRIVAL ? 0 : fresh(s);
	struct copy_of *c = i ? &s->copy[i - 1] : NULL;
	s->serial[e->sm][e->serial % SYNC_SERIALS] = i;
	for (uint32_t k = i ? 0 : s->open; k; k = s->copy[k - 1].next) /* an mbarrier waits for these from here on */
		s->copy[k - 1].handed |= of_warp(&s->copy[k - 1], e) && s->copy[k - 1].kind == WL_SEEN_BY_LANE;
	if (!c)
		return;
	c->kind = e->copy;
	c->asked = s->now;
	c->met = sync_warp(s, e)->met;
	c->reads_shared = e->copy == WL_SEEN_BULK_IN && e->from_space == WL_SEEN_SHARED;
	c->sm = e->sm;
	c->warp_slot = e->warp_slot;
	c->owner = e->copy == WL_SEEN_BULK_OUT ? e->cta : e->owner[0];
	c->group = sync_warp(s, e)->commits[0];
	c->site = check_site(e, e->lanes, "asynchronous copy");
	if (e->copy == WL_SEEN_BY_LANE || e->copy == WL_SEEN_VALUE)
		for (uint32_t m = e->lanes; m; m &= m - 1)
			add(s, c, e->to[check_lowest(m)], e->size);
	else if (e->copy == WL_SEEN_BULK_IN)
		add(s, c, e->to[0], e->bytes);
	else
		add(s, c, e->from[0], e->bytes);
	if (e->copy == WL_SEEN_BULK_OUT && c->n)
		reads_open(s, c);
	for (uint32_t k = 0; k < c->n; k++)
		mbar_copied(s, &c->site, c->range[k].at, c->range[k].bytes, c->owner,
		            offset_of(s, c->owner, c->range[k].at));
	mark(s, c, 0, i);
}

/* A barrier of the CTA is enough for copies of the CTA; other CTAs need a fence behind the init. */
static bool is_published(const struct object *o, const struct copy_of *c)
{
	const bool met = o->met_at && o->met_at < c->asked && o->cta == c->site.cta;
	return met || (o->fenced_at && o->fenced_at < c->asked);
}

/* Another warp has made the object, and nothing tells the requesting warp of the init. */
static bool is_unknown(const struct object *o, const struct copy_of *c)
{
	const bool own = o->cta == c->site.cta && o->made.warp == c->site.warp;
	return !own && c->met <= o->made_at;
}

static void tell_of_object(struct sync *s, const struct object *o, const struct copy_of *c, const struct wl_seen *e)
{
	const bool unfenced = !s->hidden_fence && e->copy == WL_SEEN_BULK_IN && !is_published(o, c);
	if (unfenced)
		sync_found(s, WL_CHECK_MBAR_UNFENCED, &o->made, &c->site, o->cta, offset_of(s, o->cta, e->at[0]), 8);
	else if (is_unknown(o, c))
		sync_found(s, WL_CHECK_MBAR_UNPUBLISHED, &o->made, &c->site, o->cta, offset_of(s, o->cta, e->at[0]), 8);
}

/* The mbarrier has been told. ARRIVAL: of all earlier LDGSTS of the warp; waiters at that mbarrier are not followed. */
static void told(struct sync *s, const struct wl_seen *e)
{
	struct object *o = mbar_find(s, e->at[0]);
	const uint32_t i = s->serial[e->sm][e->serial % SYNC_SERIALS];
	if (o)
		mbar_note_phase(o, e->phases & 1);
	if (e->copy == WL_SEEN_ARRIVAL) {
		for (uint32_t k = s->open, next; k; k = next) {
			next = s->copy[k - 1].next;
			if (s->copy[k - 1].kind == WL_SEEN_BY_LANE && s->copy[k - 1].sm == e->sm &&
			    s->copy[k - 1].warp_slot == e->warp_slot)
				shut(s, k);
		}
		return;
	}
	if (!i || !s->copy[i - 1].used)
		return;
	s->copy[i - 1].told = true;
	s->copy[i - 1].object = e->at[0];
	if (o)
		tell_of_object(s, o, &s->copy[i - 1], e);
}

void copies_passed(struct sync *s, uint64_t object)
{
	for (uint32_t k = s->open, next; k; k = next) {
		next = s->copy[k - 1].next;
		if (s->copy[k - 1].told && s->copy[k - 1].object == object)
			shut(s, k);
	}
}

/* The commit names the copies since the last commit of the same kind. The group is the board's number of commits. */
static void commit(struct sync *s, const struct wl_seen *e)
{
	struct warp_of_sync *w = sync_warp(s, e);
	if (e->id >= SYNC_BOARDS)
		return;
	w->commits[e->id]++;
	for (uint32_t k = s->open; k; k = s->copy[k - 1].next) {
		struct copy_of *c = &s->copy[k - 1];
		if (of_warp(c, e) && !c->board_set && e->copy_kinds >> c->kind & 1) {
			c->board_set = 1 + e->id;
			c->group = w->commits[e->id];
		}
	}
}

static void done(struct sync *s, const struct wl_seen *e)
{
	const uint32_t n = e->id < SYNC_BOARDS ? sync_warp(s, e)->commits[e->id] : 0;
	for (uint32_t k = s->open, next; k; k = next) {
		const struct copy_of *c = &s->copy[k - 1];
		next = c->next;
		if (of_warp(c, e) && c->board_set == 1 + e->id && c->group + e->most <= n)
			shut(s, k);
	}
}

void copies_event(struct sync *s, const struct wl_seen *e)
{
	switch (e->kind) {
	case WL_SEEN_COPY:
		asked(s, e);
		break;
	case WL_SEEN_COPY_TOLD:
		told(s, e);
		break;
	case WL_SEEN_COMMIT:
		commit(s, e);
		break;
	default:
		done(s, e);
	}
}

void copies_touched(struct sync *s, const struct wl_seen *e, unsigned lane)
{
	const struct wl_check_site here = check_site(e, 1u << lane, check_deed(e));
	for (uint32_t k = 0; k < e->size; k += 4) {
		const uint32_t i = s->copied[word_of(s, e->at[lane] + k)];
		if (!i || (s->copy[i - 1].kind == WL_SEEN_BULK_OUT && !e->writes))
			continue;
		sync_found(s, WL_CHECK_COPY_UNDERWAY, &s->copy[i - 1].site, &here, e->owner[lane], e->addr[lane],
		           e->size);
		return;
	}
}

static void unwaited(struct sync *s, uint32_t i, const struct wl_seen *e)
{
	const struct copy_of *c = &s->copy[i - 1];
	const struct wl_check_site end = check_site(e, e->lanes, "end");
	if (c->n)
		sync_found(s, WL_CHECK_COPY_UNWAITED, &c->site, &end, c->owner, offset_of(s, c->owner, c->range[0].at),
		           c->range[0].bytes);
	shut(s, i);
}

/* Only the warp itself can wait for the warp's groups. */
void copies_exit(struct sync *s, const struct wl_seen *e)
{
	for (uint32_t k = s->open, next; k; k = next) {
		next = s->copy[k - 1].next;
		if (of_warp(&s->copy[k - 1], e) && !s->copy[k - 1].handed)
			unwaited(s, k, e);
	}
}

void copies_cta_ends(struct sync *s, const struct wl_seen *e)
{
	for (uint32_t k = s->open, next; k; k = next) {
		next = s->copy[k - 1].next;
		if (s->copy[k - 1].owner == e->cta ||
		    (s->copy[k - 1].reads_shared && s->copy[k - 1].site.cta == e->cta))
			unwaited(s, k, e);
	}
}

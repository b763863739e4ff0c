// SPDX-License-Identifier: Apache-2.0
/* race_touch.c -- an access against the shadow, and the contents of a cell from then on. */
#include "race_state.h"

static bool is_atomic(const struct stamp *s)
{
	return what_deed(s->what) == WL_RACE_ATOMIC;
}

static bool is_covered_by_one(struct race *r, const struct touch *t, uint32_t record, uint32_t *lanes)
{
	struct stamp s = stamp_of_record(&r->shadow.record[record], *lanes);
	if (is_atomic(&s) && what_deed(t->what) == WL_RACE_READ)
		return false;
	if (what_of(s.what) != STAMP_PLAIN && what_of(t->what) == STAMP_PLAIN && s.warp == t->w->number)
		return !race_unordered(r, t, &s);
	if (what_of(t->what) != STAMP_PLAIN && what_of(s.what) != what_of(t->what))
		return false; /* waiters for the copy need not have met the other access */
	*lanes = race_unordered(r, t, &s);
	return !*lanes;
}

static __attribute__((noinline)) bool is_covered(struct race *r, const struct touch *t, uint32_t record,
                                                 uint32_t *lanes)
{
	struct touch one = *t;
	if (what_of(r->shadow.record[record].what) == STAMP_PLAIN)
		return is_covered_by_one(r, t, record, lanes);
	for (uint32_t m = t->lanes; m; m &= m - 1) {
		one.lane = (unsigned)__builtin_ctz(m);
		one.lanes = 1u << one.lane;
		if (is_covered_by_one(r, &one, record, lanes))
			return true;
	}
	return false;
}

/* The touch says all of these lanes' accesses: a later access in conflict with the lanes conflicts with the touch. If
 * the touch says only some of the lanes, takes those lanes out. */
static inline bool covered(struct race *r, const struct touch *t, uint32_t record, uint32_t *lanes)
{
	if (what_of(t->what) != STAMP_PLAIN ||
	    (what_deed(t->what) == WL_RACE_READ && what_deed(r->shadow.record[record].what) == WL_RACE_ATOMIC))
		return is_covered(r, t, record, lanes);
	switch (memo_look(r, t->w, t->lane, record)) {
	case KNOWN_ALL:
		return true;
	case KNOWN_NONE:
		return false;
	case KNOWN_OWN:
		*lanes &= ~t->lanes;
		return !*lanes;
	default:
		return is_covered(r, t, record, lanes);
	}
}

/* The accesses of these lanes are ordered before the touch, and the order is enough. False: perhaps. */
static inline bool surely_before(struct race *r, const struct touch *t, uint32_t record, uint32_t lanes)
{
	if (t->proxy || t->constant || what_of(t->what) != STAMP_PLAIN)
		return false;
	const enum known known = memo_look(r, t->w, t->lane, record);
	return known == KNOWN_ALL || (known == KNOWN_OWN && lanes == 1u << t->lane);
}

/* Kinds of accesses beside the last write: lists without a possible conflict need no search. Member `has` of the first
 * link: these bits, and from HAS_SIZE on the size of the strong kinds. */
enum {
	HAS_READ = 1,
	HAS_ATOMIC = 2,
	HAS_OTHER = 4,
	HAS_STRONG_READ = 8,
	HAS_SIZE = 4,
	HAS_ALL = (1 << LINK_WARP) - 1,
	LOOKED_AT = 4,
	MOST = 256 /* of a list, in search of covered accesses */
};

/* An atomic of the same bytes as the others, beyond the CTA, is strong against the others. */
static uint32_t kind_of(uint32_t what, uint32_t size)
{
	const bool strong = what_strong(what) && what_wide(what) && what_size(what) == size;
	if (what_deed(what) == WL_RACE_ATOMIC)
		return strong ? HAS_ATOMIC : HAS_OTHER;
	return strong ? HAS_STRONG_READ : HAS_READ;
}

static bool may_conflict(uint32_t has, uint32_t what)
{
	switch (kind_of(what, has >> HAS_SIZE)) {
	case HAS_STRONG_READ:
		return what_deed(what) == WL_RACE_WRITE || has & HAS_OTHER;
	case HAS_ATOMIC:
		return has & (HAS_READ | HAS_OTHER);
	case HAS_READ:
		return what_deed(what) == WL_RACE_WRITE || has & (HAS_ATOMIC | HAS_OTHER);
	default:
		return true;
	}
}

static uint32_t has_one(uint32_t what)
{
	return kind_of(what, what_size(what)) | what_size(what) << HAS_SIZE;
}

/* For the mark of a cell's other accesses. */
static uint32_t has_of(const struct race *r, uint32_t mark)
{
	if (mark & MARK_CHAIN)
		return r->shadow.link[mark & ~MARK_CHAIN].has & HAS_ALL;
	return has_one(r->shadow.record[mark >> MARK_RECORD].what);
}

static uint32_t has_more(uint32_t has, uint32_t what)
{
	return has | kind_of(what, has >> HAS_SIZE);
}

static uint32_t record_of(const struct race *r, uint32_t mark)
{
	return (mark & MARK_CHAIN ? r->shadow.link[mark & ~MARK_CHAIN].mark : mark) >> MARK_RECORD;
}

static void set_has(struct race *r, uint32_t link, uint32_t has)
{
	uint32_t *to = &r->shadow.link[link].has;
	*to = (*to & ~(uint32_t)HAS_ALL) | has;
}

static uint32_t lanes_of(const struct race *r, uint32_t mark)
{
	if (mark & MARK_CHAIN)
		return r->shadow.link[mark & ~MARK_CHAIN].lanes;
	const uint32_t lanes = r->shadow.record[mark >> MARK_RECORD].lanes;
	return lanes ? lanes : 1u << (mark & MARK_LANE);
}

static struct stamp stamp_at(const struct race *r, uint32_t link)
{
	const struct link *l = &r->shadow.link[link];
	return stamp_of_record(&r->shadow.record[l->mark >> MARK_RECORD], l->lanes);
}

/* The touch and the stamp are of the same instruction. */
static bool is_same(const struct race *r, const struct touch *t, const struct stamp *s)
{
	return s->time == r->time && s->warp == t->w->number && s->what == t->what;
}

/* The first access of the mark is of this instruction: adds a lane. */
static void add_lane(struct race *r, const struct touch *t, uint32_t *mark)
{
	if (!(*mark & MARK_CHAIN)) {
		const struct stamp s = stamp_of(&r->shadow, *mark);
		const uint32_t link = shadow_link(&r->shadow, *mark, s.lanes, 0);
		set_has(r, link, has_one(s.what));
		*mark = link | MARK_CHAIN;
	}
	r->shadow.link[*mark & ~MARK_CHAIN].lanes |= t->lanes;
}

/* The touch alone. */
static uint32_t mark_of_touch(struct race *r, const struct touch *t)
{
	if (!(t->lanes & (t->lanes - 1)))
		return touch_mark(t);
	const uint32_t link = shadow_link(&r->shadow, touch_mark(t), t->lanes, 0);
	set_has(r, link, has_one(t->what));
	return link | MARK_CHAIN;
}

/* A chain of one link needs no link if the record can say the lanes. */
static uint32_t shortest(struct race *r, uint32_t mark)
{
	const struct link *l = &r->shadow.link[mark & ~MARK_CHAIN];
	if (!(mark & MARK_CHAIN) || l->next)
		return mark;
	const uint32_t record = l->mark & ~(uint32_t)MARK_LANE, lanes = r->shadow.record[record >> MARK_RECORD].lanes;
	if (lanes ? lanes != l->lanes : (l->lanes & (l->lanes - 1)) != 0)
		return mark;
	const uint32_t to = record | (lanes ? 0 : (uint32_t)__builtin_ctz(l->lanes));
	shadow_drop(&r->shadow, mark);
	return to;
}

/* The touch comes first, then the accesses not covered by the touch. */
static void put_in_front(struct race *r, const struct touch *t, uint32_t *mark)
{
	struct shadow *s = &r->shadow;
	const uint32_t now = touch_mark(t);
	uint32_t lanes = lanes_of(r, *mark);
	const bool replaces = covered(r, t, record_of(r, *mark), &lanes);
	if (!(*mark & MARK_CHAIN) && replaces) {
		*mark = mark_of_touch(r, t);
		return;
	}
	const uint32_t has = has_more(has_of(r, *mark), t->what);
	uint32_t link = *mark & ~MARK_CHAIN;
	if (!(*mark & MARK_CHAIN)) {
		link = shadow_link(s, now, t->lanes, shadow_link(s, *mark, lanes, 0));
	} else if (replaces) {
		s->link[link] = (struct link){now, t->lanes, s->link[link].next, t->w->number << LINK_WARP};
	} else {
		s->link[link].lanes = lanes;
		link = shadow_link(s, now, t->lanes, link);
	}
	set_has(r, link, has);
	*mark = link | MARK_CHAIN;
}

/* A new link may move all links: no link is made here. Lanes of the touch's own record go into the first link. */
static void prune(struct race *r, const struct touch *t, struct link *front)
{
	struct shadow *s = &r->shadow;
	const uint32_t own = t->w->number << LINK_WARP;
	uint32_t *link = &front->next;
	for (unsigned n = 0; *link && n < MOST;) {
		struct link *l = &s->link[*link];
		const uint32_t record = l->mark >> MARK_RECORD;
		const bool mine = (l->has & ~(uint32_t)HAS_ALL) == own && s->record[record].warp == t->w->number;
		if (mine && record == t->record)
			front->lanes |= l->lanes;
		else if (!(n < LOOKED_AT || mine) || !covered(r, t, record, &l->lanes)) {
			link = &l->next;
			n++;
			continue;
		}
		shadow_unlink(s, link);
	}
}

static void remember_other(struct race *r, const struct touch *t, uint32_t *other)
{
	struct shadow *s = &r->shadow;
	const uint32_t old = *other;
	if (!old) {
		*other = mark_of_touch(r, t);
		return;
	}
	if (record_of(r, old) == t->record)
		add_lane(r, t, other);
	else
		put_in_front(r, t, other);
	if (!(*other & MARK_CHAIN))
		return;
	prune(r, t, &s->link[*other & ~MARK_CHAIN]);
	*other = shortest(r, *other);
}

static void set_write(struct race *r, const struct touch *t, uint32_t *write)
{
	if (*write) {
		const struct stamp s = stamp_of(&r->shadow, *write);
		if (is_same(r, t, &s)) {
			add_lane(r, t, write);
			return;
		}
		shadow_drop(&r->shadow, *write);
	}
	*write = touch_mark(t);
}

/* Reads before the write are of no more use, except unordered reads that are strong against the write. */
static void remember_write(struct race *r, const struct touch *t, const struct cells *c)
{
	struct shadow *s = &r->shadow;
	set_write(r, t, c->write);
	if (!*c->other)
		return;
	if (!(*c->other & MARK_CHAIN)) {
		const struct stamp o = stamp_of(s, *c->other);
		if (surely_before(r, t, record_of(r, *c->other), o.lanes) ||
		    !(race_morally_strong(r, t, &o) && race_unordered(r, t, &o)))
			*c->other = 0;
		return;
	}
	const uint32_t has = has_of(r, *c->other);
	uint32_t first = *c->other & ~MARK_CHAIN, *link = &first;
	while (*link) {
		const struct stamp m = stamp_at(r, *link);
		if (!surely_before(r, t, s->link[*link].mark >> MARK_RECORD, m.lanes) &&
		    race_morally_strong(r, t, &m) && race_unordered(r, t, &m))
			link = &s->link[*link].next;
		else
			shadow_unlink(s, link);
	}
	if (first)
		set_has(r, first, has);
	*c->other = first ? shortest(r, first | MARK_CHAIN) : 0;
}

static void compare_mark(struct race *r, const struct touch *t, uint32_t mark, uint64_t at, unsigned bytes)
{
	const uint32_t record = record_of(r, mark), lanes = lanes_of(r, mark);
	const struct stamp s = stamp_of_record(&r->shadow.record[record], lanes);
	if (!surely_before(r, t, record, lanes))
		race_compare(r, t, &s, at, bytes);
}

static void compare_others(struct race *r, const struct touch *t, uint32_t mark, uint64_t at, unsigned bytes)
{
	const bool reads = what_deed(t->what) == WL_RACE_READ;
	if (!may_conflict(has_of(r, mark), t->what))
		return;
	for (uint32_t m = mark, next; m; m = next ? next | MARK_CHAIN : 0) {
		next = m & MARK_CHAIN ? r->shadow.link[m & ~MARK_CHAIN].next : 0;
		if (!reads || what_deed(r->shadow.record[record_of(r, m)].what) == WL_RACE_ATOMIC)
			compare_mark(r, t, m, at, bytes);
	}
}

void touch_cell(struct race *r, const struct touch *t, const struct cells *c, uint64_t at, unsigned bytes,
                bool behind_write)
{
	if (*c->write && !behind_write)
		compare_mark(r, t, *c->write, at, bytes);
	if (*c->other)
		compare_others(r, t, *c->other, at, bytes);
	if (what_deed(t->what) == WL_RACE_WRITE)
		remember_write(r, t, c);
	else
		remember_other(r, t, c->other);
}

uint32_t record_now(struct race *r, const struct warp_state *w, uint32_t what)
{
	struct newest *n = &r->newest[what_deed(what)];
	if (n->time != r->time || n->what != what || n->warp != w->number) {
		const struct record as = {w->number, r->time, what, 0};
		*n = (struct newest){r->time, what, w->number, shadow_record(&r->shadow, &as)};
	}
	return n->record;
}

void race_touch(struct race *r, struct touch *t, uint64_t at, uint32_t bytes)
{
	const uint64_t end = at + bytes;
	const bool writes = what_deed(t->what) == WL_RACE_WRITE;
	if (!t->record)
		t->record = record_now(r, t->w, t->what);
	t->lanes = 1u << t->lane;
	memo_begin(r, t->w, t->lane);
	while (at < end) {
		const uint64_t page_end = (at / SHADOW_PAGE + 1) * SHADOW_PAGE, stop = end < page_end ? end : page_end;
		const unsigned step = shadow_suit(&r->shadow, at, (unsigned)(stop - at)) & PAGE_BYTES ? 1 : 4;
		const struct cells c = shadow_cells(&r->shadow, at, writes);
		for (; at < stop; at += step) {
			const uint64_t k = at % SHADOW_PAGE / step;
			const struct cells cell = {c.write + k, c.other + k};
			touch_cell(r, t, &cell, at, step, false);
		}
	}
}

/* ---- lanes with the same knowledge, reading the same bytes ---- */

/* No lane finds a race: all accesses of the mark are ordered before, or strong against the touch. */
static bool harmless(struct race *r, const struct touch *t, uint32_t mark)
{
	const uint32_t record = record_of(r, mark);
	const struct stamp s = stamp_of_record(&r->shadow.record[record], lanes_of(r, mark));
	if (t->constant && what_deed(s.what) != WL_RACE_READ)
		return false;
	return memo_look(r, t->w, t->lane, record) == KNOWN_ALL || race_morally_strong(r, t, &s) ||
	       (what_of(s.what) == STAMP_PLAIN && !clock_lacks(r, t->w->c[t->lane], CLOCK_PLAIN, &s, s.lanes));
}

static bool harmless_others(struct race *r, const struct touch *t, uint32_t mark)
{
	if (!may_conflict(has_of(r, mark), t->what))
		return true;
	for (uint32_t m = mark, next; m; m = next ? next | MARK_CHAIN : 0) {
		next = m & MARK_CHAIN ? r->shadow.link[m & ~MARK_CHAIN].next : 0;
		if (what_deed(r->shadow.record[record_of(r, m)].what) == WL_RACE_ATOMIC && !harmless(r, t, m))
			return false;
	}
	return true;
}

static void touch_one_by_one(struct race *r, struct touch *t, uint64_t at, uint32_t bytes)
{
	for (uint32_t m = t->lanes; m; m &= m - 1) {
		t->lane = (unsigned)__builtin_ctz(m);
		race_touch(r, t, at, bytes);
	}
}

void race_touch_lanes(struct race *r, struct touch *t, uint64_t at, uint32_t bytes)
{
	if (at % SHADOW_PAGE + bytes > SHADOW_PAGE || !know_the_same(t->w, t->lanes)) {
		touch_one_by_one(r, t, at, bytes);
		return;
	}
	if (!t->record)
		t->record = record_now(r, t->w, t->what);
	memo_begin(r, t->w, t->lane);
	const unsigned step = shadow_suit(&r->shadow, at, bytes) & PAGE_BYTES ? 1 : 4;
	const struct cells c = shadow_cells(&r->shadow, at, false);
	const uint64_t first = at % SHADOW_PAGE / step, stop = first + bytes / step;
	for (uint64_t k = first; k < stop; k++)
		if ((c.write[k] && !harmless(r, t, c.write[k])) || (c.other[k] && !harmless_others(r, t, c.other[k]))) {
			touch_one_by_one(r, t, at, bytes);
			return;
		}
	for (uint64_t k = first; k < stop; k++)
		remember_other(r, t, &c.other[k]);
}

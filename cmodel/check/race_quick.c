// SPDX-License-Identifier: Apache-2.0
/* race_quick.c -- most accesses find only marks ordered before: lanes with the same clock ask once for each record. */
#include "race_state.h"

/* All accesses of the mark are ordered before the accesses of the lanes. Marks of others are also covered by the lanes'
 * accesses. */
static inline bool before(const struct quick *q, uint32_t mark, bool is_write)
{
	const uint32_t record = mark >> MARK_RECORD;
	if (!mark)
		return true;
	if (mark & MARK_CHAIN || (is_write && q->constant))
		return false;
	const struct record *x = &q->r->shadow.record[record];
	if (!is_write && q->deed == WL_RACE_READ && what_deed(x->what) != WL_RACE_READ)
		return false;
	const enum known known = memo_look(q->r, q->w, q->lane, record);
	if (known != KNOWN_OWN)
		return known == KNOWN_ALL;
	const uint32_t lanes = x->lanes ? x->lanes : 1u << (mark & MARK_LANE);
	/* lanes reading together: each lane removes itself from the old mark */
	return is_write || q->deed != WL_RACE_READ ? q->one && lanes == q->lanes : !(lanes & ~q->lanes);
}

static inline void set_marks(const struct quick *q, const struct cells *c, uint32_t mark)
{
	if (q->deed != WL_RACE_WRITE) {
		*c->other = mark;
		return;
	}
	*c->write = mark;
	if (*c->other)
		*c->other = 0;
}

/* The cells of an access without a release. */
struct place {
	struct cells first;
	unsigned n, step;
};
static inline struct cells cell_of(const struct place *p, unsigned i)
{
	return (struct cells){p->first.write + i, p->first.other + i};
}

static bool find_page(struct quick *q, uint64_t at, unsigned size)
{
	const uint8_t flags = shadow_suit(&q->r->shadow, at, size);
	q->page = 0;
	if (flags & PAGE_RELEASES)
		return false;
	q->cells = shadow_cells(&q->r->shadow, at, q->deed == WL_RACE_WRITE);
	q->step = flags & PAGE_BYTES ? 1 : 4;
	q->page = at / SHADOW_PAGE + 1;
	return true;
}

/* False: something has been released in the page, or the access lies in two pages. */
static inline bool find_place(struct quick *q, uint64_t at, unsigned size, struct place *p)
{
	if (at % SHADOW_PAGE + size > SHADOW_PAGE)
		return false;
	if ((at / SHADOW_PAGE + 1 != q->page || ((at | size) & (q->step - 1))) && !find_page(q, at, size))
		return false;
	const unsigned first = q->step == 4 ? at % SHADOW_PAGE / 4 : at % SHADOW_PAGE;
	*p = (struct place){{q->cells.write + first, q->cells.other + first}, q->step == 4 ? size / 4 : size, q->step};
	return true;
}

static void begin_lanes(struct quick *q, uint32_t lanes)
{
	q->lanes = lanes;
	q->lane = (unsigned)__builtin_ctz(lanes);
	q->one = !(lanes & (lanes - 1));
	if (q->alike)
		return;
	memo_begin(q->r, q->w, q->lane);
	q->write.all = q->write.own = q->other.all = q->other.own = 0;
}

/* The mark is ordered before, like an earlier mark of the same record. */
static inline bool is_like(const struct quick *q, uint32_t mark, unsigned lane, bool is_write)
{
	const uint32_t record = mark >> MARK_RECORD, all = is_write ? q->write.all : q->other.all,
	               own = is_write ? q->write.own : q->other.own;
	return !mark || record == all || (record == own && (mark & MARK_LANE) == lane);
}

/* The mark is ordered before the lane's access in the sense of before(). Notes the mark for the next lanes. */
static inline bool is_before(struct quick *q, uint32_t mark, bool is_write)
{
	const uint32_t record = mark >> MARK_RECORD;
	if (is_like(q, mark, q->lane, is_write))
		return true;
	if (mark & MARK_CHAIN || (is_write && q->constant))
		return false;
	const struct record *x = &q->r->shadow.record[record];
	if (!is_write && q->deed == WL_RACE_READ && what_deed(x->what) != WL_RACE_READ)
		return false;
	const enum known known = memo_look(q->r, q->w, q->lane, record);
	if (known == KNOWN_ALL)
		*(is_write ? &q->write.all : &q->other.all) = record;
	if (known != KNOWN_OWN || x->lanes)
		return known == KNOWN_ALL || (known == KNOWN_OWN && x->lanes == q->lanes);
	if ((mark & MARK_LANE) != q->lane)
		return false;
	*(is_write ? &q->write.own : &q->other.own) = record;
	return true;
}

/* An access of a single cell in the last page, if the cell's marks are like marks of lanes before. What lanes before know
 * tells nothing of a lane with another clock. */
static inline bool one_quick(const struct quick *q, uint64_t at, unsigned size, unsigned lane, uint32_t now)
{
	if (!q->alike || at / SHADOW_PAGE + 1 != q->page || size != q->step)
		return false;
	const unsigned i = q->step == 4 ? at % SHADOW_PAGE / 4 : at % SHADOW_PAGE;
	const struct cells c = {q->cells.write + i, q->cells.other + i};
	if (!is_like(q, *c.write, lane, true) || !is_like(q, *c.other, lane, false))
		return false;
	set_marks(q, &c, now);
	return true;
}

static void one_cell(struct quick *q, const struct wl_seen *e, uint32_t what, uint32_t record, const struct cells *c,
                     uint64_t at, bool behind_write)
{
	const struct touch t = {.w = q->w,
	                        .lane = q->lane,
	                        .lanes = 1u << q->lane,
	                        .what = what,
	                        .record = record,
	                        .constant = q->constant,
	                        .unchanged = e->unchanged >> q->lane & 1,
	                        .kept = e->kept};
	touch_cell(q->r, &t, c, at, q->step, behind_write);
}

/* False: nothing is done yet. */
static inline bool one_lane(struct quick *q, const struct wl_seen *e, uint32_t what, unsigned lane, uint32_t record)
{
	struct place p;
	const uint64_t at = e->at[lane];
	const uint32_t now = record << MARK_RECORD | lane;
	if (one_quick(q, at, e->size, lane, now))
		return true;
	if (!find_place(q, at, e->size, &p))
		return false;
	begin_lanes(q, 1u << lane);
	for (unsigned i = 0; i < p.n; i++) {
		const struct cells c = cell_of(&p, i);
		const bool behind_write = is_before(q, *c.write, true);
		if (behind_write && is_before(q, *c.other, false))
			set_marks(q, &c, now);
		else
			one_cell(q, e, what, record, &c, at + i * p.step, behind_write);
	}
	return true;
}

bool quick_lane(struct quick *q, const struct wl_seen *e, uint32_t what, unsigned lane, uint32_t record)
{
	return one_lane(q, e, what, lane, record);
}

uint32_t quick_row(struct quick *q, const struct wl_seen *e, uint32_t what, uint32_t lanes, uint32_t record)
{
	while (lanes && one_lane(q, e, what, (unsigned)__builtin_ctz(lanes), record))
		lanes &= lanes - 1;
	return lanes;
}

/* A record of this warp and place, of the warp's present epoch. */
uint32_t quick_record(struct race *r, struct warp_state *w, uint32_t what, uint32_t lanes)
{
	struct recent *x = &w->recent[(what_pc(what) ^ lanes ^ lanes >> 16) % RECENT];
	if (x->what != what || x->lanes != lanes || x->epoch != w->epoch || !x->record) {
		const struct record as = {w->number, r->time, what, lanes};
		*x = (struct recent){what, lanes, w->epoch, shadow_record(&r->shadow, &as)};
	}
	return x->record;
}

/* Lanes at the same address. False: nothing is done yet. */
bool quick_lanes(struct quick *q, const struct wl_seen *e, uint32_t what, uint32_t lanes)
{
	struct place p;
	if (!q->alike || (q->deed == WL_RACE_WRITE && lanes & ~e->kept) ||
	    !find_place(q, e->at[__builtin_ctz(lanes)], e->size, &p))
		return false;
	begin_lanes(q, lanes);
	for (unsigned i = 0; i < p.n; i++) {
		const struct cells c = cell_of(&p, i);
		if (!before(q, *c.write, true) || !before(q, *c.other, false))
			return false;
	}
	const uint32_t mark = quick_record(q->r, q->w, what, lanes) << MARK_RECORD;
	for (unsigned i = 0; i < p.n; i++) {
		const struct cells c = cell_of(&p, i);
		set_marks(q, &c, mark);
	}
	return true;
}

/* ---- spans: neighbouring lanes at neighbouring bytes ---- */

struct span {
	unsigned first, lanes; /* from lane `first` on */
	unsigned cells;        /* of a lane: a power of two */
	unsigned shift;        /* logarithm of `cells` */
};

/* All marks are ordered before the lanes about to replace the marks. */
static bool span_before(struct quick *q, const struct span *s, const uint32_t *mark, bool is_write)
{
	for (unsigned i = 0; i < s->lanes << s->shift; i++) {
		const unsigned lane = s->first + (i >> s->shift);
		q->lane = lane;
		q->lanes = 1u << lane;
		if (!is_before(q, mark[i], is_write))
			return false;
	}
	return true;
}

static void span_set(const struct span *s, uint32_t *mark, uint32_t record)
{
	for (unsigned i = 0; i < s->lanes << s->shift; i++)
		mark[i] = record << MARK_RECORD | (s->first + (i >> s->shift));
}

/* The part of the span in the page of its first lane. False: nothing is done. */
static bool span_in_page(struct quick *q, const struct wl_seen *e, const struct span *s, uint32_t record)
{
	struct place p;
	if (!find_place(q, e->at[s->first], e->size, &p) || p.n != s->cells)
		return false;
	q->one = true;
	if (!span_before(q, s, p.first.write, true) || !span_before(q, s, p.first.other, false))
		return false;
	if (q->deed != WL_RACE_WRITE) {
		span_set(s, p.first.other, record);
		return true;
	}
	span_set(s, p.first.write, record);
	for (unsigned i = 0; i < s->lanes << s->shift; i++)
		if (p.first.other[i])
			p.first.other[i] = 0;
	return true;
}

/* Lanes left to do. All lanes, where the access is no span. */
uint32_t quick_spans(struct quick *q, const struct wl_seen *e, uint32_t record)
{
	const unsigned first = (unsigned)__builtin_ctz(e->lanes), n = (unsigned)__builtin_popcount(e->lanes);
	const uint64_t at = e->at[first];
	uint32_t left = e->lanes;
	struct span s = {.cells = e->size / 4u};
	if (n < 4 || e->lanes >> first != UINT32_MAX >> (32 - n) || e->size < 4 || at % e->size)
		return left;
	uint64_t other = 0;
	for (unsigned i = 0; i < n; i++)
		other |= e->at[first + i] ^ (at + i * e->size);
	if (other)
		return left;
	s.shift = (unsigned)__builtin_ctz(s.cells);
	for (unsigned i = 0; i < n; i += s.lanes) {
		const unsigned room = (unsigned)(SHADOW_PAGE - e->at[first + i] % SHADOW_PAGE) / e->size;
		s.first = first + i;
		s.lanes = n - i < room ? n - i : room;
		if (span_in_page(q, e, &s, record))
			left &= ~((UINT32_MAX >> (32 - s.lanes)) << s.first);
	}
	return left;
}

void quick_begin(struct quick *q, const struct wl_seen *e)
{
	struct warp_state *w = q->w;
	memo_begin(q->r, w, (unsigned)__builtin_ctz(e->lanes));
	if (w->changed) {
		w->alike = know_the_same(w, w->live);
		w->changed = false;
	}
	q->alike = w->alike || know_the_same(w, e->lanes);
}

/* A lane may have acquired, and flags of the page may have changed. */
void quick_again(struct quick *q, bool may_acquire)
{
	q->page = 0;
	if (!may_acquire)
		return;
	q->alike = false;
	q->write.all = q->write.own = q->other.all = q->other.own = 0;
}

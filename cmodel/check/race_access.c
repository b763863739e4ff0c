// SPDX-License-Identifier: Apache-2.0
/* race_access.c -- accesses of instructions. Most accesses find only marks that are ordered before: lanes that know the
 * same clock ask once for each record. All others go through race_touch.c lane by lane. */
#include "race_state.h"

static unsigned log2_of(unsigned n)
{
	return (unsigned)__builtin_ctz(n);
}

static uint32_t what_of_access(const struct wl_seen *e, bool strong, bool wide)
{
	return (e->pc & ((1u << WHAT_PC_BITS) - 1)) | (uint32_t)strong << WHAT_STRONG | (uint32_t)wide << WHAT_WIDE |
	       log2_of(e->size) << WHAT_SIZE;
}

static bool is_narrow(const struct wl_inst *in)
{
	return in->scope == WL_SCOPE_CTA || in->scope == WL_SCOPE_SM;
}

/* Words of shared memory have no order: atomics are strong, and a load that a loop waits with may be. */
struct order {
	bool strong, wide, at_once;
	bool cast; /* a generic compare-and-swap: at once where the address is in shared memory */
};
static struct order order_of(const struct race *r, const struct wl_seen *e)
{
	const uint64_t traits = wl_uop_traits((enum wl_uop)e->inst->uop)->traits;
	const enum poll p = (enum poll)r->polls[e->pc];
	if (traits & WL_TRAIT(SHARED)) {
		const bool strong =
		        e->atomic || p == POLL_STRONG || p == POLL_ACQUIRE || (p >= POLL_WAITS && p <= POLL_LOOK);
		return (struct order){strong, true, p != POLL_STRONG, false};
	}
	const bool looks = p == POLL_LOOK;
	const bool strong = e->atomic || looks || e->inst->order == WL_MEM_STRONG || e->inst->order == WL_MEM_MMIO;
	const bool narrow = !looks && is_narrow(e->inst);
	return (struct order){strong, !narrow, narrow, e->inst->uop == WL_UOP_ATOM_CAST};
}

/* A strong read can acquire. RED and atomics without result never do. */
static bool acquires(const struct wl_seen *e)
{
	if (!e->reads || e->inst->uop == WL_UOP_RED)
		return false;
	return !e->atomic || e->inst->rd != WL_RZ || e->inst->pd[0] != WL_PT;
}

static bool is_old_mbarrier(const struct race *r, uint64_t at)
{
	const struct release *l = release_find(r, at & ~UINT64_C(7));
	return l && l->old_mbarrier;
}

/* record: one that no cell of this access has from this instruction; 0: one of the instruction's own. */
static void access_lane(struct race *r, const struct wl_seen *e, struct warp_state *w, unsigned lane,
                        const struct order *o, uint32_t record)
{
	const bool stores = e->stored >> lane & 1;
	const enum wl_race_deed deed = e->atomic && stores ? WL_RACE_ATOMIC : stores ? WL_RACE_WRITE : WL_RACE_READ;
	const uint64_t at = e->at[lane];
	struct touch t = {.w = w, .lane = lane, .what = what_of_access(e, o->strong, o->wide), .record = record};
	t.unchanged = e->unchanged >> lane & 1;
	t.kept = e->kept;
	t.what |= (uint32_t)(deed + 1) << WHAT_DEED;
	const bool releases = shadow_suit(&r->shadow, at, e->size) & PAGE_RELEASES;
	bool strong = o->strong, at_once = o->at_once || (o->cast && e->shared >> lane & 1);
	if (__builtin_expect(releases && deed == WL_RACE_READ && !strong && is_old_mbarrier(r, at), 0))
		strong = at_once = true;
	if ((strong || r->polls[e->pc] == POLL_RETRY) && e->reads && acquires(e) && releases)
		release_read(r, w, lane, strong != o->strong ? at & ~UINT64_C(7) : at, o->wide, at_once);
	if (strong != o->strong)
		return;
	race_touch(r, &t, at, e->size);
	if (stores && (strong || (r->has_polls && e->inst->uop == WL_UOP_STS))) {
		const struct release_kind k = {e->atomic, o->wide, e->inst->uop == WL_UOP_STS && e->size > 4};
		for (unsigned b = 0; b < e->size; b += 8) /* release_read looks at both words of 8 bytes */
			release_written(r, w, lane, at + b, &k);
	} else if (stores && releases)
		release_broken(r, at);
	if (e->inst->uop == WL_UOP_ATOMS_ARRIVE) {
		struct release *l = release_make(r, at);
		l->old_mbarrier = true;
	}
}

/* ---- the quick way ---- */

struct quick {
	struct race *r;
	struct warp_state *w;
	enum wl_race_deed deed;
	uint32_t lanes; /* that do the same access, */
	unsigned lane;  /* and the first of these */
	bool one;       /* it is the only one */
	bool alike;     /* the memo is about all lanes of the instruction */
	uint64_t page;  /* the last one: number + 1, 0: none, */
	struct cells cells;
	unsigned step; /* and bytes of a cell there */
	/* records in marks of writes and of others: ordered before all lanes of the instruction, before each lane's own */
	struct {
		uint32_t all, own;
	} write, other;
};

/* All accesses of the mark are ordered before those of the lanes, and, other than the write, said by them as well. */
static inline bool before(const struct quick *q, uint32_t mark, bool is_write)
{
	const uint32_t record = mark >> MARK_RECORD;
	if (!mark)
		return true;
	if (mark & MARK_CHAIN)
		return false;
	const struct record *x = &q->r->shadow.record[record];
	if (!is_write && q->deed == WL_RACE_READ && what_deed(x->what) != WL_RACE_READ)
		return false;
	const enum known known = memo_look(q->r, q->w, q->lane, record);
	if (known != KNOWN_OWN)
		return known == KNOWN_ALL;
	const uint32_t lanes = x->lanes ? x->lanes : 1u << (mark & MARK_LANE);
	/* lanes that read together: each takes itself out of the old mark */
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

/* The cells of an access that no release goes with. */
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

/* False: something has been released in the page, or the access lies in two. */
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

/* The mark is ordered before, as one of the same record was. */
static inline bool is_like(const struct quick *q, uint32_t mark, unsigned lane, bool is_write)
{
	const uint32_t record = mark >> MARK_RECORD, all = is_write ? q->write.all : q->other.all,
	               own = is_write ? q->write.own : q->other.own;
	return !mark || record == all || (record == own && (mark & MARK_LANE) == lane);
}

static void note_like(struct quick *q, uint32_t mark, bool is_write)
{
	const uint32_t record = mark >> MARK_RECORD;
	uint32_t *all = is_write ? &q->write.all : &q->other.all, *own = is_write ? &q->write.own : &q->other.own;
	if (!mark)
		return;
	if (memo_look(q->r, q->w, q->lane, record) == KNOWN_ALL)
		*all = record;
	else if (!q->r->shadow.record[record].lanes)
		*own = record;
}

static inline bool is_before(struct quick *q, uint32_t mark, bool is_write)
{
	if (is_like(q, mark, q->lane, is_write))
		return true;
	if (!before(q, mark, is_write))
		return false;
	note_like(q, mark, is_write);
	return true;
}

/* An access of one cell in the last page, of a lane whose marks are like those of lanes before. */
static inline bool one_quick(const struct quick *q, uint64_t at, unsigned size, unsigned lane, uint32_t now)
{
	if (at / SHADOW_PAGE + 1 != q->page || size != q->step)
		return false;
	const unsigned i = q->step == 4 ? at % SHADOW_PAGE / 4 : at % SHADOW_PAGE;
	const struct cells c = {q->cells.write + i, q->cells.other + i};
	if (!is_like(q, *c.write, lane, true) || !is_like(q, *c.other, lane, false))
		return false;
	set_marks(q, &c, now);
	return true;
}

static void one_cell(struct quick *q, const struct wl_seen *e, uint32_t what, uint32_t record, const struct cells *c,
                     uint64_t at)
{
	const struct touch t = {.w = q->w,
	                        .lane = q->lane,
	                        .what = what,
	                        .record = record,
	                        .unchanged = e->unchanged >> q->lane & 1,
	                        .kept = e->kept};
	touch_cell(q->r, &t, c, at, q->step);
}

/* False: nothing is done yet. */
static bool one_lane(struct quick *q, const struct wl_seen *e, uint32_t what, unsigned lane, uint32_t record)
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
		if (is_before(q, *c.write, true) && is_before(q, *c.other, false))
			set_marks(q, &c, now);
		else
			one_cell(q, e, what, record, &c, at + i * p.step);
	}
	return true;
}

/* All of the lanes know the same. */
static bool know_the_same(const struct warp_state *w, uint32_t lanes)
{
	const uintptr_t c = (uintptr_t)w->c[__builtin_ctz(lanes)];
	uintptr_t other = 0;
	for (unsigned i = 0; i < WL_WARP_LANES; i++)
		other |= ((uintptr_t)w->c[i] ^ c) & (0 - (uintptr_t)(lanes >> i & 1));
	return !other;
}

/* No two lanes are at the same bytes but neighbours. again: lanes at the bytes of the lane before. */
static bool rises(const struct wl_seen *e, uint32_t *again)
{
	uint64_t last = 0;
	*again = 0;
	for (uint32_t m = e->lanes; m; m &= m - 1) {
		const unsigned lane = (unsigned)__builtin_ctz(m);
		const uint64_t at = e->at[lane];
		if (at < last)
			return false;
		*again |= (uint32_t)(at == last) << lane;
		last = at;
	}
	*again &= e->lanes & (e->lanes - 1);
	return true;
}

/* A record of this warp and place since the warp was last waited for. */
static uint32_t recent(struct race *r, struct warp_state *w, uint32_t what, uint32_t lanes)
{
	struct recent *x = &w->recent[(what_pc(what) ^ lanes ^ lanes >> 16) % RECENT];
	if (x->what != what || x->lanes != lanes || x->epoch != w->epoch || !x->record) {
		const struct record as = {w->number, r->time, what, lanes};
		*x = (struct recent){what, lanes, w->epoch, shadow_record(&r->shadow, &as)};
	}
	return x->record;
}

/* Lanes at one address. False: nothing is done yet. */
static bool many_lanes(struct quick *q, const struct wl_seen *e, uint32_t what, uint32_t lanes)
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
	const uint32_t mark = recent(q->r, q->w, what, lanes) << MARK_RECORD;
	for (unsigned i = 0; i < p.n; i++) {
		const struct cells c = cell_of(&p, i);
		set_marks(q, &c, mark);
	}
	return true;
}

/* ---- spans: lanes beside one another at bytes beside one another ---- */

struct span {
	unsigned first, lanes; /* from lane `first` on */
	unsigned cells;        /* of a lane: a power of two, */
	unsigned shift;        /* its logarithm */
};

/* All marks are ordered before the lanes that are to replace them. */
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

/* Lanes that are left to do: all where the access is no span. */
static uint32_t spans(struct quick *q, const struct wl_seen *e, uint32_t record)
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

/* ---- all lanes ---- */

/* Weak accesses, which no release goes with. */
static bool may_be_quick(const struct race *r, const struct wl_seen *e, const struct warp_state *w,
                         const struct order *o)
{
	if (e->atomic || o->strong || (e->stored && e->stored != e->lanes))
		return false;
	return e->stored ? !(w->has_fenced && r->has_polls && e->inst->uop == WL_UOP_STS)
	                 : r->polls[e->pc] != POLL_RETRY;
}

/* The first of the lanes, with those at the same bytes behind it. */
static uint32_t group_of(const struct wl_seen *e, uint32_t left, uint32_t again)
{
	const uint32_t other = e->lanes & ~again & left & (left - 1);
	return other ? left & ((other & (0 - other)) - 1) : left;
}

static void begin_all(struct quick *q, const struct wl_seen *e)
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
static void ends_alike(struct quick *q)
{
	q->page = 0;
	q->alike = false;
	q->write.all = q->write.own = q->other.all = q->other.own = 0;
}

static void weak_access(struct race *r, const struct wl_seen *e, struct warp_state *w, const struct order *o)
{
	uint32_t again;
	const bool writes = e->stored != 0, rising = rises(e, &again);
	const uint32_t what = what_of_access(e, false, o->wide) | (uint32_t)(1 + writes) << WHAT_DEED;
	const uint32_t single = rising ? recent(r, w, what, 0) : record_now(r, w, what);
	struct quick q = {.r = r, .w = w, .deed = writes ? WL_RACE_WRITE : WL_RACE_READ};
	begin_all(&q, e);
	for (uint32_t left = rising && !again && q.alike ? spans(&q, e, single) : e->lanes, same; left; left &= ~same) {
		const unsigned lane = (unsigned)__builtin_ctz(left);
		same = rising && again ? group_of(e, left, again) : left & (0 - left);
		const bool one = !(same & (same - 1));
		if (one ? one_lane(&q, e, what, lane, single) : many_lanes(&q, e, what, same))
			continue;
		for (uint32_t m = same; m; m &= m - 1)
			access_lane(r, e, w, (unsigned)__builtin_ctz(m), o, one ? single : 0);
		ends_alike(&q);
	}
}

/* Atomics and strong accesses at places where nothing was released, of lanes that release nothing. */
static void strong_access(struct race *r, const struct wl_seen *e, struct warp_state *w, const struct order *o)
{
	const bool plain = e->inst->uop != WL_UOP_ATOMS_ARRIVE;
	const uint32_t what = what_of_access(e, o->strong, o->wide);
	struct quick q = {.r = r, .w = w};
	begin_all(&q, e);
	uint32_t by_deed[3] = {0};
	for (uint32_t m = e->lanes; m; m &= m - 1) {
		const unsigned lane = (unsigned)__builtin_ctz(m);
		const bool stores = e->stored >> lane & 1;
		const enum wl_race_deed deed = !stores ? WL_RACE_READ : e->atomic ? WL_RACE_ATOMIC : WL_RACE_WRITE;
		const uint32_t is = what | (uint32_t)(deed + 1) << WHAT_DEED;
		if (!by_deed[deed])
			by_deed[deed] = record_now(r, w, is);
		if (q.deed != deed) {
			q.page = 0;
			q.other.all = q.other.own = 0;
		}
		q.deed = deed;
		const uint32_t record = by_deed[deed];
		if (plain && !(stores && w->lane[lane].cta.time) && one_lane(&q, e, is, lane, record))
			continue;
		access_lane(r, e, w, lane, o, record);
		ends_alike(&q);
	}
}

void access_event(struct race *r, const struct wl_seen *e)
{
	struct warp_state *w = warp_of(r, e);
	const struct order o = order_of(r, e);
	if (e->pc >> WHAT_PC_BITS)
		race_doubt(r, "the kernel has more than %u instructions", 1u << WHAT_PC_BITS);
	w->fencing &= ~e->lanes;
	if (may_be_quick(r, e, w, &o))
		weak_access(r, e, w, &o);
	else
		strong_access(r, e, w, &o);
}

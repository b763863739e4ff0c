// SPDX-License-Identifier: Apache-2.0
/* race_access.c -- accesses of instructions: the quick way of race_quick.c, or race_touch.c. Lanes reading the same
 * address go together. */
#include "race_state.h"

#include <string.h>

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

/* Words of shared memory carry no order. Atomics are strong, and a load may be strong if a loop waits with the load.
 * Words of one scope, that of the CTA, do not tell .acquire from .relaxed: the PTX tells, or the access acquires. */
struct order {
	bool strong, wide, at_once;
	bool cast;     /* a generic compare-and-swap: at once where the address is in shared memory */
	bool constant; /* ld.global.nc */
};
static struct order order_of(const struct race *r, const struct wl_seen *e)
{
	const uint64_t traits = wl_uop_traits((enum wl_uop)e->inst->uop)->traits;
	const enum poll p = (enum poll)r->polls[e->pc];
	const bool relaxed = r->relaxed[e->pc];
	if (traits & WL_TRAIT(SHARED)) {
		const bool strong =
		        e->atomic || p == POLL_STRONG || p == POLL_ACQUIRE || (p >= POLL_WAITS && p <= POLL_LOOK);
		return (struct order){.strong = strong, .wide = true, .at_once = p != POLL_STRONG && !relaxed};
	}
	const bool looks = p == POLL_LOOK;
	const bool strong = e->atomic || looks || e->inst->order == WL_MEM_STRONG || e->inst->order == WL_MEM_MMIO;
	const bool narrow = !looks && is_narrow(e->inst);
	return (struct order){.strong = strong,
	                      .wide = !narrow,
	                      .at_once = narrow && !relaxed,
	                      .cast = e->inst->uop == WL_UOP_ATOM_CAST && !relaxed,
	                      .constant = e->reads && e->inst->order == WL_MEM_CONSTANT};
}

/* A strong read can acquire. RED and atomics without result never acquire. */
static bool acquires(const struct wl_seen *e)
{
	if (!e->reads || e->inst->uop == WL_UOP_RED)
		return false;
	return !e->atomic || e->inst->rd != WL_RZ || e->inst->pd[0] != WL_PT;
}

/* The access of the lane counts for these lanes. */
static uint32_t served_by(const struct race *r, const struct wl_seen *e, unsigned lane)
{
	const bool one = !(e->lanes & (e->lanes - 1));
	return one && r->elected[e->pc] != NOT_ELECTED ? lanes_served(r, e) : 1u << lane;
}

static bool is_old_mbarrier(const struct race *r, uint64_t at)
{
	const struct release *l = release_find(r, at & ~UINT64_C(7));
	return l && l->old_mbarrier;
}

/* The lanes served know the releases of the words that the lane has read. `old`: the mbarrier of 8 bytes; else the flag
 * may be any element of a vector, where the load is strong. */
static void acquire(struct race *r, const struct wl_seen *e, struct warp_state *w, unsigned lane, const struct order *o,
                    bool old, bool at_once)
{
	const uint64_t at = old ? e->at[lane] & ~UINT64_C(7) : e->at[lane];
	const uint32_t served = served_by(r, e, lane);
	const unsigned bytes = old || !o->strong ? 1 : e->size;
	for (uint32_t m = served; m; m &= m - 1)
		for (unsigned b = 0; b < bytes; b += 4)
			release_read(r, w, (unsigned)__builtin_ctz(m), at + b, o->wide, at_once);
}

/* record: no cell of this access has a mark of this record from this instruction; 0: the instruction's own record. */
static void access_lane(struct race *r, const struct wl_seen *e, struct warp_state *w, unsigned lane,
                        const struct order *o, uint32_t record)
{
	const bool stores = e->stored >> lane & 1;
	const enum wl_race_deed deed = e->atomic && stores ? WL_RACE_ATOMIC : stores ? WL_RACE_WRITE : WL_RACE_READ;
	const uint64_t at = e->at[lane];
	struct touch t = {.w = w, .lane = lane, .what = what_of_access(e, o->strong, o->wide), .record = record};
	t.unchanged = e->unchanged >> lane & 1;
	t.kept = e->kept;
	t.constant = o->constant;
	t.what |= (uint32_t)(deed + 1) << WHAT_DEED;
	const bool releases = shadow_suit(&r->shadow, at, e->size) & PAGE_RELEASES;
	bool strong = o->strong, at_once = o->at_once || (o->cast && e->shared >> lane & 1);
	if (__builtin_expect(releases && deed == WL_RACE_READ && !strong && is_old_mbarrier(r, at), 0))
		strong = at_once = true;
	if ((strong || r->polls[e->pc] == POLL_RETRY) && e->reads && acquires(e) && releases)
		acquire(r, e, w, lane, o, strong != o->strong, at_once);
	if (strong != o->strong)
		return;
	race_touch(r, &t, at, e->size);
	if (stores && (strong || (r->has_polls && e->inst->uop == WL_UOP_STS))) {
		struct release_kind k = {.atomic = e->atomic,
		                         .wide = o->wide,
		                         .words = e->inst->uop == WL_UOP_STS && e->size > 4,
		                         .served = served_by(r, e, lane)};
		for (unsigned b = 0; b < e->size; b += 8) {
			k.both = e->size - b >= 8;
			release_written(r, w, lane, at + b, &k);
		}
	} else if (stores && releases)
		release_broken(r, at);
	if (e->inst->uop == WL_UOP_ATOMS_ARRIVE) {
		struct release *l = release_make(r, at);
		l->old_mbarrier = true;
	}
}

/* As access_lane, for lanes reading the same address. False: nothing has been released in the page. */
static bool read_together(struct race *r, const struct wl_seen *e, struct warp_state *w, uint32_t lanes,
                          const struct order *o, uint32_t record)
{
	const unsigned lane = (unsigned)__builtin_ctz(lanes);
	const uint64_t at = e->at[lane];
	struct touch t = {.w = w, .lane = lane, .lanes = lanes, .record = record, .constant = o->constant};
	t.what = what_of_access(e, o->strong, o->wide) | (uint32_t)(WL_RACE_READ + 1) << WHAT_DEED;
	const bool released = shadow_suit(&r->shadow, at, e->size) & PAGE_RELEASES;
	if (released) {
		const bool old = !o->strong && is_old_mbarrier(r, at);
		const bool at_once = old || o->at_once || (o->cast && e->shared >> lane & 1);
		const bool asks = (o->strong || old || r->polls[e->pc] == POLL_RETRY) && e->reads && acquires(e);
		for (uint32_t m = asks ? lanes : 0; m; m &= m - 1)
			acquire(r, e, w, (unsigned)__builtin_ctz(m), o, old, at_once);
		if (old)
			return true;
	}
	race_touch_lanes(r, &t, at, e->size);
	return released;
}

/* ---- all lanes ---- */

/* Addresses rise from lane to lane; only neighbours may be at the same bytes. again: lanes at the bytes of the lane
 * before. */
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

/* Weak accesses without a release. */
static bool may_be_quick(const struct race *r, const struct wl_seen *e, const struct warp_state *w,
                         const struct order *o)
{
	if (e->atomic || o->strong || (e->stored && e->stored != e->lanes))
		return false;
	return e->stored ? !(w->has_fenced && r->has_polls && e->inst->uop == WL_UOP_STS)
	                 : r->polls[e->pc] != POLL_RETRY;
}

/* The first of the lanes, with the lanes behind at the same bytes. */
static uint32_t group_of(const struct wl_seen *e, uint32_t left, uint32_t again)
{
	const uint32_t other = e->lanes & ~again & left & (left - 1);
	return other ? left & ((other & (0 - other)) - 1) : left;
}

/* Lanes by address, for accesses in no order of addresses. */
enum { PLACES = 64 };
struct places {
	uint32_t lanes[PLACES];
};
static inline unsigned place_of(uint64_t at)
{
	return (unsigned)(at >> 2 ^ at >> 8) % PLACES;
}

static void sort_lanes(const struct wl_seen *e, struct places *p)
{
	memset(p, 0, sizeof *p);
	for (uint32_t m = e->lanes; m; m &= m - 1)
		p->lanes[place_of(e->at[__builtin_ctz(m)])] |= m & (0 - m);
}

/* The first of the lanes, with all lanes at the same address. */
static uint32_t at_place(const struct wl_seen *e, uint32_t left, const struct places *p)
{
	const uint64_t at = e->at[__builtin_ctz(left)];
	uint32_t same = left & (0 - left);
	for (uint32_t m = p->lanes[place_of(at)] & left & ~same; m; m &= m - 1)
		if (e->at[__builtin_ctz(m)] == at)
			same |= m & (0 - m);
	return same;
}

/* All lanes have different addresses, or the lanes write. */
static void lanes_alone(struct quick *q, const struct wl_seen *e, const struct order *o, uint32_t what, uint32_t left,
                        uint32_t record)
{
	while ((left = quick_row(q, e, what, left, record))) {
		access_lane(q->r, e, q->w, (unsigned)__builtin_ctz(left), o, record);
		quick_again(q, true);
		left &= left - 1;
	}
}

/* Lanes at the bytes of the lane before; or reads in no order of addresses, found by `places`. */
static void lanes_in_groups(struct quick *q, const struct wl_seen *e, const struct order *o, uint32_t what,
                            uint32_t again, const struct places *places, uint32_t record)
{
	for (uint32_t left = e->lanes, same; left; left &= ~same) {
		const unsigned lane = (unsigned)__builtin_ctz(left);
		same = again ? group_of(e, left, again) : at_place(e, left, places);
		const bool one = !(same & (same - 1));
		bool may_acquire = true;
		if (one ? quick_lane(q, e, what, lane, record) : quick_lanes(q, e, what, same))
			continue;
		if (!one && q->deed == WL_RACE_READ)
			may_acquire = read_together(q->r, e, q->w, same, o, record);
		else
			for (uint32_t m = same; m; m &= m - 1)
				access_lane(q->r, e, q->w, (unsigned)__builtin_ctz(m), o, one ? record : 0);
		quick_again(q, may_acquire);
	}
}

static void weak_access(struct race *r, const struct wl_seen *e, struct warp_state *w, const struct order *o)
{
	uint32_t again;
	const bool writes = e->stored != 0, rising = rises(e, &again);
	const uint32_t what = what_of_access(e, false, o->wide) | (uint32_t)(1 + writes) << WHAT_DEED;
	const uint32_t record = rising || !writes ? quick_record(r, w, what, 0) : record_now(r, w, what);
	struct quick q = {.r = r, .w = w, .deed = writes ? WL_RACE_WRITE : WL_RACE_READ, .constant = o->constant};
	quick_begin(&q, e);
	if (rising && again) {
		lanes_in_groups(&q, e, o, what, again, NULL, record);
	} else if (rising || writes) {
		const uint32_t left = rising && q.alike ? quick_spans(&q, e, record) : e->lanes;
		lanes_alone(&q, e, o, what, left, record);
	} else {
		struct places places;
		sort_lanes(e, &places);
		lanes_in_groups(&q, e, o, what, 0, &places, record);
	}
}

/* The first of the lanes, and the following reads at the same address, up to the first lane with another access. */
static uint32_t readers(const struct wl_seen *e, uint32_t left)
{
	const uint64_t at = e->at[__builtin_ctz(left)];
	uint32_t same = 0;
	for (uint32_t m = left & ~e->stored; m; m &= m - 1) {
		const unsigned lane = (unsigned)__builtin_ctz(m);
		if (e->at[lane] != at || left & ~same & ((1u << lane) - 1))
			break;
		same |= 1u << lane;
	}
	return same;
}

/* Atomics and strong accesses. Quick: places without releases, and lanes releasing nothing. */
static void strong_access(struct race *r, const struct wl_seen *e, struct warp_state *w, const struct order *o)
{
	const bool plain = e->inst->uop != WL_UOP_ATOMS_ARRIVE, elected = r->elected[e->pc] != NOT_ELECTED;
	const uint32_t what = what_of_access(e, o->strong, o->wide);
	struct quick q = {.r = r, .w = w};
	quick_begin(&q, e);
	uint32_t by_deed[3] = {0};
	for (uint32_t left = e->lanes, same; left; left &= ~same) {
		const unsigned lane = (unsigned)__builtin_ctz(left);
		const bool stores = e->stored >> lane & 1;
		same = left & (0 - left);
		const enum wl_race_deed deed = !stores ? WL_RACE_READ : e->atomic ? WL_RACE_ATOMIC : WL_RACE_WRITE;
		const uint32_t is = what | (uint32_t)(deed + 1) << WHAT_DEED;
		if (!by_deed[deed])
			by_deed[deed] = deed == WL_RACE_WRITE ? record_now(r, w, is) : quick_record(r, w, is, 0);
		if (q.deed != deed) {
			q.page = 0;
			q.other.all = q.other.own = 0;
		}
		q.deed = deed;
		const uint32_t record = by_deed[deed];
		if (!stores)
			same = readers(e, left);
		const bool one = !(same & (same - 1));
		if (one && plain && !(stores && (w->lane[lane].cta.time || (elected && w->has_fenced))) &&
		    quick_lane(&q, e, is, lane, record))
			continue;
		bool may_acquire = true;
		if (one)
			access_lane(r, e, w, lane, o, record);
		else
			may_acquire = read_together(r, e, w, same, o, record);
		quick_again(&q, may_acquire);
	}
}

void access_event(struct race *r, const struct wl_seen *e)
{
	struct warp_state *w = warp_of(r, e);
	const struct order o = order_of(r, e);
	if (e->pc >> WHAT_PC_BITS)
		race_doubt(r, "the kernel has more than %u instructions", 1u << WHAT_PC_BITS);
	w->fencing &= ~e->lanes;
	w->touched |= e->lanes;
	if (may_be_quick(r, e, w, &o))
		weak_access(r, e, w, &o);
	else
		strong_access(r, e, w, &o);
}

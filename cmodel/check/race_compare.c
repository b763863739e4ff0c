// SPDX-License-Identifier: Apache-2.0
/* race_compare.c -- whether an access races with an older access: order, morally strong pairs, pairs without a
 * finding. */
#include "race_state.h"

/* Lanes of the stamp not ordered before by the clock. */
uint32_t clock_lacks(struct race *r, const struct clock *c, enum clock_of of, const struct stamp *s, uint32_t lanes)
{
	if (!c)
		return lanes;
	const struct asked *a = ask(r, c, of, s->warp);
	if (a->time >= s->time)
		return 0;
	if (a->end - a->lane == WL_WARP_LANES) {
		uint32_t left = 0;
		for (uint32_t m = lanes; m; m &= m - 1)
			left |= c->e[a->lane + (uint32_t)__builtin_ctz(m)].time >= s->time ? 0 : m & (0 - m);
		return left;
	}
	for (uint32_t i = a->lane; i < a->end; i++)
		if (c->e[i].time >= s->time)
			lanes &= ~(1u << c->e[i].key % WL_WARP_LANES);
	return lanes;
}

/* Copies of the same lane and kind are in no order either; only conflicting copies count. */
static bool conflict(uint32_t a, uint32_t b)
{
	return what_deed(a) == WL_RACE_WRITE || what_deed(b) == WL_RACE_WRITE;
}

/* Lanes of the stamp with an access not ordered before the touch. */
uint32_t race_unordered(struct race *r, const struct touch *t, const struct stamp *s)
{
	const struct warp_state *w = t->w;
	const enum stamp_of of = what_of(s->what);
	uint32_t lanes = s->lanes;
	if (of == STAMP_PLAIN) {
		if (s->warp == w->number)
			lanes &= ~t->lanes;
		if (!lanes || (s->time <= w->cta_time[t->lane] && s->warp - w->first < warps_per_cta(r)))
			return 0;
		return clock_lacks(r, w->c[t->lane], CLOCK_PLAIN, s, lanes);
	}
	if (s->warp == w->number && (w->lane[t->lane].copied[what_copied(s->what)] >= s->time ||
	                             (what_of(t->what) == of && !conflict(t->what, s->what))))
		lanes &= ~(1u << t->lane);
	return lanes ? clock_lacks(r, w->c[t->lane], clock_of_what(s->what), s, lanes) : 0;
}

/* Ordered, but not for the async proxy. */
static uint32_t unproxied(struct race *r, const struct touch *t, const struct stamp *s)
{
	if (!t->proxy || what_of(s->what) != STAMP_PLAIN || what_deed(s->what) == WL_RACE_READ)
		return 0;
	return clock_lacks(r, t->w->c[t->lane], t->proxy_of, s, s->lanes);
}

/* A load that a loop waits with, and a store of the awaited value. No word tells that the store is strong, too. */
static bool polled(const struct race *r, uint32_t a, uint32_t b)
{
	const struct wl_inst *insts = r->shape.program->insts;
	const uint32_t load = r->polls[what_pc(a)] ? a : b, store = load == a ? b : a;
	const uint8_t p = r->polls[what_pc(load)];
	return (p == POLL_WAITS || p == POLL_LIKE) && insts[what_pc(store)].uop == WL_UOP_STS;
}

/* Strong accesses of two sizes, made by compilers from accesses of the same size: atomics of 8 and 16 bits are
 * compare-and-swaps of the word around them. */
static bool by_cas(const struct race *r, uint32_t a, uint32_t b)
{
	const struct wl_inst *insts = r->shape.program->insts;
	const uint32_t wide = what_size(a) > what_size(b) ? a : b, narrow = wide == a ? b : a;
	const uint16_t u = insts[what_pc(wide)].uop;
	const bool cas = u == WL_UOP_ATOMS_CAS || u == WL_UOP_ATOMG_CAS || u == WL_UOP_ATOM_CAS;
	if (insts[what_pc(a)].uop == WL_UOP_ATOMS_ARRIVE || insts[what_pc(b)].uop == WL_UOP_ATOMS_ARRIVE)
		return true; /* code also touches single counts of an object of sm_80 */
	if (what_deed(narrow) == WL_RACE_READ && !r->element[what_pc(narrow)]) /* of 64 bits only the half in use */
		return true;
	return what_size(narrow) < 2 && (cas || r->polls[what_pc(wide)] == POLL_LOOK);
}

/* Logarithms of the sizes of an access' numbers, as bits: a vector is an access for each element. Words of loads and
 * stores do not tell elements: up to 8 bytes are taken for one number, unless PTX tells. */
static uint32_t numbers_of(const struct race *r, uint32_t what)
{
	const struct wl_inst *in = &r->shape.program->insts[what_pc(what)];
	if (what_of(what) != STAMP_PLAIN)
		return 1u << what_size(what);
	if (r->element[what_pc(what)])
		return r->element[what_pc(what)];
	if (!(wl_uop_traits((enum wl_uop)in->uop)->traits & WL_TRAIT(ATOMIC)))
		return what_size(what) <= 3 ? 1u << what_size(what) : 1u << 2 | 1u << 3;
	switch ((enum wl_atom_type)in->type) {
	case WL_AT_F32:
	case WL_AT_F32_FTZ:
		return 1u << 2;
	case WL_AT_F16X2:
	case WL_AT_BF16X2:
		return 1u << 1;
	default:
		return 1u << (what_size(what) < 3 ? what_size(what) : 3);
	}
}

/* Strong accesses are aligned. Numbers of the same size therefore overlap only at the same bytes. */
static bool same_numbers(const struct race *r, uint32_t a, uint32_t b)
{
	return what_size(a) == what_size(b) || numbers_of(r, a) & numbers_of(r, b);
}

bool race_morally_strong(const struct race *r, const struct touch *t, const struct stamp *s)
{
	const uint32_t both = t->what & s->what;
	if (r->has_polls && !(both >> WHAT_STRONG & 1) && polled(r, t->what, s->what))
		return true;
	if (!(both >> WHAT_STRONG & 1) || (!same_numbers(r, t->what, s->what) && !by_cas(r, t->what, s->what)))
		return false;
	return both >> WHAT_WIDE & 1 || s->warp / warps_per_cta(r) == t->w->cta;
}

/* A use of an mbarrier behind the cluster's barrier, made before the barrier. fence.mbarrier_init has no word: whether the
 * fence is there is asked by the check `sync`. */
static bool made_before(const struct race *r, const struct touch *t, const struct stamp *s, uint64_t at)
{
	if (!what_strong(t->what) || r->shape.program->insts[what_pc(s->what)].uop != WL_UOP_SYNCS_EXCH)
		return false;
	const struct release *x = release_find(r, at & ~UINT64_C(7));
	return x && x->made_cluster == t->w->cluster && t->w->cluster_passed > x->made_phase;
}

/* Writers of the same value race without harm: code often writes `found = 1` by all threads. */
static bool same_value(const struct race *r, const struct touch *t, const struct stamp *s)
{
	if (what_deed(s->what) != WL_RACE_WRITE || what_deed(t->what) != WL_RACE_WRITE)
		return false;
	if (s->time == r->time && s->warp == t->w->number)
		return !(~t->kept & (s->lanes | 1u << t->lane));
	return t->unchanged && what_of(s->what) == STAMP_PLAIN;
}

/* The load may be the strong load of a retry loop. */
static bool doubtful(const struct race *r, uint32_t a, uint32_t b)
{
	return r->polls[what_pc(a)] == POLL_RETRY || r->polls[what_pc(b)] == POLL_RETRY;
}

void race_compare(struct race *r, const struct touch *t, const struct stamp *s, uint64_t at, unsigned bytes)
{
	if (race_morally_strong(r, t, s) || same_value(r, t, s))
		return;
	uint32_t lanes = race_unordered(r, t, s);
	if (lanes && made_before(r, t, s, at))
		return;
	if (lanes && doubtful(r, t->what, s->what)) {
		race_doubt(r,
		           "words of shared memory do not tell whether accesses are strong: those at pc 0x%x and 0x%x "
		           "race if "
		           "they are weak; the kernel's PTX tells",
		           16 * what_pc(s->what), 16 * what_pc(t->what));
		return;
	}
	if (lanes) {
		race_found(r, t, s, lanes, at, bytes, false);
		return;
	}
	if (__builtin_expect(t->proxy, 0) && (lanes = unproxied(r, t, s)))
		race_found(r, t, s, lanes, at, bytes, true);
	if (__builtin_expect(t->constant, 0) && what_deed(s->what) != WL_RACE_READ)
		race_found(r, t, s, s->lanes, at, bytes, true);
}

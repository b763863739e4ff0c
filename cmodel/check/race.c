// SPDX-License-Identifier: Apache-2.0
/* race.c -- events to state; accesses against what the shadow remembers.
 *
 * A lane's access is ordered behind an older one when the lane's clock says so. Accesses of one lane are in program
 * order; lanes of one warp are as any two threads. */
#include "race_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void race_doubt(struct race *r, const char *format, ...)
{
	va_list ap;
	if (r->doubt[0])
		return;
	va_start(ap, format);
	vsnprintf(r->doubt, sizeof r->doubt, format, ap);
	va_end(ap);
}

struct warp_state *warp_of(const struct race *r, const struct wl_seen *e)
{
	return &r->warp[e->sm * WL_MAX_WARPS + e->warp_slot];
}

struct clock *join_of(struct race *r, struct clock *a, struct clock *b)
{
	if (!a || !b || a == b)
		return clock_hold(a ? a : b);
	for (unsigned i = 0; i < JOINS; i++)
		if (r->joined[i].a == a && r->joined[i].b == b)
			return clock_hold(r->joined[i].to);
	struct joined *j = &r->joined[r->next_joined++ % JOINS];
	clock_drop(j->a);
	clock_drop(j->b);
	clock_drop(j->to);
	*j = (struct joined){clock_hold(a), clock_hold(b), clock_join(a, b, warps_per_cta(r))};
	return clock_hold(j->to);
}

void join_into(struct race *r, struct clock **to, struct clock *b)
{
	if (!b || *to == b)
		return;
	struct clock *c = join_of(r, *to, b);
	clock_drop(*to);
	*to = c;
}

void lane_set(struct race *r, struct warp_state *w, unsigned lane, struct clock *c)
{
	struct lane_state *l = &w->lane[lane];
	if (l->c == c) {
		clock_drop(c);
		return;
	}
	clock_drop(l->c);
	l->c = c;
	if (!c || r->set.serial != c->serial || r->set.cta != w->cta) {
		r->set.serial = c ? c->serial : 0;
		r->set.cta = w->cta;
		r->set.time = clock_at(c, clock_key(CLOCK_PLAIN, LEVEL_CTA, w->cta));
	}
	l->cta_time = r->set.time;
}

void lane_join(struct race *r, struct warp_state *w, unsigned lane, struct clock *c)
{
	if (c && c != w->lane[lane].c)
		lane_set(r, w, lane, join_of(r, w->lane[lane].c, c));
}

/* ---- what is published ---- */

struct entries {
	struct clock_entry e[(1 + COPIES) * WL_WARP_LANES];
	uint32_t n;
};

/* The time of each of the lanes, as one entry where all that live have one. */
static void add_times(const struct warp_state *w, uint32_t lanes, enum clock_of of, const uint32_t *time, size_t step,
                      struct entries *to)
{
	const unsigned first = (unsigned)__builtin_ctz(lanes);
	bool same = lanes == w->live;
	for (uint32_t m = lanes; m && same; m &= m - 1)
		same = time[(unsigned)__builtin_ctz(m) * step] == time[first * step];
	if (same) {
		if (time[first * step])
			to->e[to->n++] = (struct clock_entry){clock_key(of, LEVEL_WARP, w->number), time[first * step]};
		return;
	}
	for (uint32_t m = lanes; m; m &= m - 1) {
		const unsigned lane = (unsigned)__builtin_ctz(m);
		const uint64_t id = (uint64_t)w->number * WL_WARP_LANES + lane;
		if (time[lane * step])
			to->e[to->n++] = (struct clock_entry){clock_key(of, LEVEL_LANE, id), time[lane * step]};
	}
}

struct clock *publish(struct race *r, const struct warp_state *w, uint32_t lanes)
{
	struct entries own = {.n = 0};
	struct clock *all = NULL, *both;
	uint32_t now[1] = {r->time};
	add_times(w, lanes, CLOCK_PLAIN, now, 0, &own);
	for (unsigned k = 0; k < COPIES; k++)
		add_times(w, lanes, CLOCK_BY_LANE + k, &w->lane[0].copied[k],
		          sizeof w->lane[0] / sizeof w->lane[0].copied[k], &own);
	for (uint32_t m = lanes; m; m &= m - 1)
		join_into(r, &all, w->lane[__builtin_ctz(m)].c);
	both = clock_add(all, own.e, own.n, warps_per_cta(r));
	clock_drop(all);
	return both;
}

/* ---- ordered? ---- */

static const struct asked *ask(struct race *r, const struct clock *c, enum clock_of of, uint32_t warp)
{
	const uint64_t key = clock_key(of, LEVEL_WARP, warp);
	struct asked *a = &r->asked[(c->serial * 31 + warp * 7 + of) % ASKED];
	if (a->serial == c->serial && a->key == key)
		return a;
	const uint32_t cta = clock_at(c, clock_key(of, LEVEL_CTA, warp / warps_per_cta(r))), own = clock_at(c, key);
	const uint64_t lane = clock_key(of, LEVEL_LANE, (uint64_t)warp * WL_WARP_LANES);
	*a = (struct asked){c->serial, key, cta > own ? cta : own, clock_from(c, lane), 0};
	for (a->end = a->lane; a->end < c->n && c->e[a->end].key < lane + WL_WARP_LANES;)
		a->end++;
	return a;
}

/* Lanes of the stamp that the clock does not order before. */
static uint32_t unknown(struct race *r, const struct clock *c, enum clock_of of, const struct stamp *s, uint32_t lanes)
{
	if (!c)
		return lanes;
	const struct asked *a = ask(r, c, of, s->warp);
	if (a->time >= s->time)
		return 0;
	for (uint32_t i = a->lane; i < a->end; i++)
		if (c->e[i].time >= s->time)
			lanes &= ~(1u << c->e[i].key % WL_WARP_LANES);
	return lanes;
}

/* Lanes of the stamp whose access is not ordered before the touch. */
static inline uint32_t unordered(struct race *r, const struct touch *t, const struct stamp *s)
{
	const struct lane_state *l = &t->w->lane[t->lane];
	const enum stamp_of of = what_of(s->what);
	uint32_t lanes = s->lanes;
	if (of == STAMP_PLAIN) {
		if (s->warp == t->w->number)
			lanes &= ~(1u << t->lane);
		if (!lanes || (s->time <= l->cta_time && s->warp - t->w->first < warps_per_cta(r)))
			return 0;
		return unknown(r, l->c, CLOCK_PLAIN, s, lanes);
	}
	if (s->warp == t->w->number && (l->copied[of - 1] >= s->time || what_of(t->what) == of))
		lanes &= ~(1u << t->lane);
	return lanes ? unknown(r, l->c, CLOCK_BY_LANE + of - 1, s, lanes) : 0;
}

/* Ordered, but not for the async proxy. */
static uint32_t unproxied(struct race *r, const struct touch *t, const struct stamp *s)
{
	if (!t->proxy || what_of(s->what) != STAMP_PLAIN || what_deed(s->what) == WL_RACE_READ)
		return 0;
	return unknown(r, t->w->lane[t->lane].c, t->proxy_of, s, s->lanes);
}

/* A load that a loop waits with, and the store that it waits for: nothing in the words tells that it is strong, too. */
static bool polled(const struct race *r, uint32_t a, uint32_t b)
{
	const struct wl_inst *insts = r->shape.program->insts;
	const uint32_t load = r->polls[what_pc(a)] ? a : b, store = load == a ? b : a;
	const uint8_t p = r->polls[what_pc(load)];
	return (p == POLL_WAITS || p == POLL_LIKE) && insts[what_pc(store)].uop == WL_UOP_STS;
}

/* Strong accesses of two sizes that compilers make of accesses of one size: atomics of 8 and 16 bits are
 * compare-and-swaps of the word around them. */
static bool by_cas(const struct race *r, uint32_t a, uint32_t b)
{
	const struct wl_inst *insts = r->shape.program->insts;
	const uint32_t wide = (a >> WHAT_SIZE & 7) > (b >> WHAT_SIZE & 7) ? a : b, narrow = wide == a ? b : a;
	const uint16_t u = insts[what_pc(wide)].uop;
	const bool cas = u == WL_UOP_ATOMS_CAS || u == WL_UOP_ATOMG_CAS || u == WL_UOP_ATOM_CAS;
	if (insts[what_pc(a)].uop == WL_UOP_ATOMS_ARRIVE || insts[what_pc(b)].uop == WL_UOP_ATOMS_ARRIVE)
		return true;                   /* counts of an object of sm_80 are touched one by one, too */
	if (what_deed(narrow) == WL_RACE_READ) /* of 64 bits the half that is needed */
		return true;
	return (narrow >> WHAT_SIZE & 7) < 2 && (cas || r->polls[what_pc(wide)] == POLL_LOOK);
}

static bool morally_strong(const struct race *r, const struct touch *t, const struct stamp *s)
{
	const uint32_t both = t->what & s->what;
	const uint32_t place = 7u << WHAT_SIZE | 31u << WHAT_START;
	if (r->has_polls && !(both >> WHAT_STRONG & 1) && polled(r, t->what, s->what))
		return true;
	if (!(both >> WHAT_STRONG & 1) || (((t->what ^ s->what) & place) && !by_cas(r, t->what, s->what)))
		return false;
	return both >> WHAT_WIDE & 1 || s->warp / warps_per_cta(r) == t->w->cta;
}

/* Writers of one value do not race to any harm: code that all threads write `found = 1` by is common. */
static bool same_value(const struct race *r, const struct touch *t, const struct stamp *s)
{
	if (what_deed(s->what) != WL_RACE_WRITE || what_deed(t->what) != WL_RACE_WRITE)
		return false;
	if (s->time == r->time && s->warp == t->w->number)
		return !(~t->kept & (s->lanes | 1u << t->lane));
	return t->unchanged && what_of(s->what) == STAMP_PLAIN;
}

/* The load may be a strong one, that of a loop that tries again. */
static bool doubtful(const struct race *r, uint32_t a, uint32_t b)
{
	return r->polls[what_pc(a)] == POLL_RETRY || r->polls[what_pc(b)] == POLL_RETRY;
}

static inline void compare(struct race *r, const struct touch *t, const struct stamp *s, uint64_t at, unsigned bytes)
{
	if (!s->time || morally_strong(r, t, s) || same_value(r, t, s))
		return;
	uint32_t lanes = unordered(r, t, s);
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
}

/* ---- what the cell remembers from now on ---- */

static bool is_atomic(const struct stamp *s)
{
	return what_deed(s->what) == WL_RACE_ATOMIC;
}

/* The stamp is said by the touch as well: what conflicts with it and comes later conflicts with the touch. */
static bool covered(struct race *r, const struct touch *t, struct stamp *s)
{
	if (is_atomic(s) && what_deed(t->what) == WL_RACE_READ)
		return false;
	if (what_of(s->what) != STAMP_PLAIN && what_of(t->what) == STAMP_PLAIN && s->warp == t->w->number)
		return !unordered(r, t, s);
	if (what_of(t->what) != STAMP_PLAIN && what_of(s->what) != what_of(t->what))
		return false; /* who waits for the copy need not have met the other one */
	s->lanes = unordered(r, t, s);
	return !s->lanes;
}

/* Kinds of accesses beside the last write, so that lists that cannot conflict are not gone through. */
enum {
	HAS_READ = 1,
	HAS_ATOMIC = 2,
	HAS_OTHER = 4,
	HAS_STRONG_READ = 8,
	LOOKED_AT = 4,
	MOST = 256 /* of a list, in search of what is covered */
};

static uint32_t shape_of(uint32_t what)
{
	return what & (7u << WHAT_SIZE | 31u << WHAT_START);
}

/* An atomic of the same bytes as the others, beyond the CTA, is strong against them. */
static uint32_t kind_of(uint32_t what, uint32_t shape)
{
	const bool strong = what_strong(what) && what_wide(what) && shape_of(what) == shape;
	if (what_deed(what) == WL_RACE_ATOMIC)
		return strong ? HAS_ATOMIC : HAS_OTHER;
	return strong ? HAS_STRONG_READ : HAS_READ;
}

static bool may_conflict(const struct cell *c, uint32_t what)
{
	switch (kind_of(what, c->shape)) {
	case HAS_STRONG_READ:
		return what_deed(what) == WL_RACE_WRITE || c->has & HAS_OTHER;
	case HAS_ATOMIC:
		return c->has & (HAS_READ | HAS_OTHER);
	case HAS_READ:
		return what_deed(what) == WL_RACE_WRITE || c->has & (HAS_ATOMIC | HAS_OTHER);
	default:
		return true;
	}
}

static void remember_other(struct race *r, const struct touch *t, struct cell *c)
{
	const uint32_t bit = 1u << t->lane;
	struct stamp now = {t->w->number, bit, r->time, t->what};
	uint32_t *link = &c->more;
	struct stamp *o = &c->other;
	if (!o->time) {
		c->has = 0;
		c->shape = shape_of(t->what);
	}
	if (o->time == r->time && o->warp == now.warp && o->what == now.what) {
		o->lanes |= bit;
	} else {
		if (o->time && !covered(r, t, o))
			c->more = shadow_more(&r->shadow, o, c->more);
		*o = now;
	}
	for (unsigned n = 0; *link && n < MOST; n++) {
		struct more *m = &r->shadow.pool[*link];
		if ((n < LOOKED_AT || m->s.warp == t->w->number) && covered(r, t, &m->s))
			shadow_less(&r->shadow, link);
		else
			link = &m->next;
	}
	c->has |= kind_of(t->what, c->shape);
}

/* Reads before the write are of no more use, but for those that the write is strong against. */
static void remember_write(struct race *r, const struct touch *t, struct cell *c)
{
	const uint32_t bit = 1u << t->lane;
	uint32_t *link = &c->more;
	if (c->write.time == r->time && c->write.warp == t->w->number && c->write.what == t->what)
		c->write.lanes |= bit;
	else
		c->write = (struct stamp){t->w->number, bit, r->time, t->what};
	while (*link) {
		struct more *m = &r->shadow.pool[*link];
		if (morally_strong(r, t, &m->s) && unordered(r, t, &m->s))
			link = &m->next;
		else
			shadow_less(&r->shadow, link);
	}
	if (c->other.time && !(morally_strong(r, t, &c->other) && unordered(r, t, &c->other))) {
		c->other.time = 0;
		if (c->more) {
			c->other = r->shadow.pool[c->more].s;
			shadow_less(&r->shadow, &c->more);
		}
	}
}

static inline void touch_cell(struct race *r, const struct touch *t, struct cell *c, uint64_t at, unsigned bytes)
{
	const enum wl_race_deed deed = what_deed(t->what);
	compare(r, t, &c->write, at, bytes);
	if (c->other.time && may_conflict(c, t->what)) {
		if (deed != WL_RACE_READ || is_atomic(&c->other))
			compare(r, t, &c->other, at, bytes);
		for (uint32_t k = c->more; k; k = r->shadow.pool[k].next) {
			const struct stamp s = r->shadow.pool[k].s;
			if (deed != WL_RACE_READ || is_atomic(&s))
				compare(r, t, &s, at, bytes);
		}
	}
	if (deed == WL_RACE_WRITE)
		remember_write(r, t, c);
	else
		remember_other(r, t, c);
}

void race_touch(struct race *r, const struct touch *t, uint64_t at, uint32_t bytes)
{
	const uint64_t end = at + bytes;
	while (at < end) {
		const uint64_t page_end = (at / SHADOW_PAGE + 1) * SHADOW_PAGE, stop = end < page_end ? end : page_end;
		struct page *p = shadow_page(&r->shadow, at, (unsigned)(stop - at));
		const unsigned step = p->bytes ? 1 : 4;
		for (; at < stop; at += step)
			touch_cell(r, t, &p->cell[at % SHADOW_PAGE / step], at, step);
	}
}

/* ---- accesses ---- */

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
};
static struct order order_of(const struct race *r, const struct wl_seen *e, bool shared)
{
	const uint64_t traits = wl_uop_traits((enum wl_uop)e->inst->uop)->traits;
	const enum poll p = (enum poll)r->polls[e->pc];
	if (traits & WL_TRAIT(SHARED)) {
		const bool strong =
		        e->atomic || p == POLL_STRONG || p == POLL_ACQUIRE || (p >= POLL_WAITS && p <= POLL_LOOK);
		return (struct order){strong, true, p != POLL_STRONG};
	}
	const bool looks = p == POLL_LOOK;
	const bool strong = e->atomic || looks || e->inst->order == WL_MEM_STRONG || e->inst->order == WL_MEM_MMIO;
	const bool narrow = !looks && is_narrow(e->inst);
	return (struct order){strong, !narrow, narrow || (shared && e->inst->uop == WL_UOP_ATOM_CAST)};
}

/* A strong read can acquire. RED and atomics without result never do. */
static bool acquires(const struct wl_seen *e)
{
	if (!e->reads || e->inst->uop == WL_UOP_RED)
		return false;
	return !e->atomic || e->inst->rd != WL_RZ || e->inst->pd[0] != WL_PT;
}

static bool is_old_mbarrier(const struct race *r, const struct page *p, uint64_t at)
{
	const struct release *l = p->releases ? release_find(r, at & ~UINT64_C(7)) : NULL;
	return l && l->old_mbarrier;
}

static void access_lane(struct race *r, const struct wl_seen *e, struct warp_state *w, unsigned lane)
{
	const bool shared = e->shared >> lane & 1;
	const struct order o = order_of(r, e, shared);
	const bool stores = e->stored >> lane & 1;
	const enum wl_race_deed deed = e->atomic && stores ? WL_RACE_ATOMIC : stores ? WL_RACE_WRITE : WL_RACE_READ;
	const uint64_t at = e->at[lane];
	w->lane[lane].fencing = false;
	struct touch t = {.w = w, .lane = lane, .what = what_of_access(e, o.strong, o.wide)};
	t.unchanged = e->unchanged >> lane & 1;
	t.kept = e->kept;
	const struct page *p = shadow_page(&r->shadow, at, e->size);
	bool strong = o.strong, at_once = o.at_once;
	if (__builtin_expect(p->releases && deed == WL_RACE_READ && !strong && is_old_mbarrier(r, p, at), 0))
		strong = at_once = true;
	t.what |= (uint32_t)(deed + 1) << WHAT_DEED | (uint32_t)(at & 31) << WHAT_START;
	if ((strong || r->polls[e->pc] == POLL_RETRY) && e->reads && acquires(e) && p->releases)
		release_read(r, w, lane, strong != o.strong ? at & ~UINT64_C(7) : at, o.wide, at_once);
	if (strong != o.strong)
		return;
	race_touch(r, &t, at, e->size);
	if (stores && (strong || (r->has_polls && e->inst->uop == WL_UOP_STS)))
		release_written(r, w, lane, at, e->atomic, o.wide);
	else if (stores && p->releases)
		release_broken(r, at);
	if (e->inst->uop == WL_UOP_ATOMS_ARRIVE) {
		struct release *l = release_make(r, at);
		l->old_mbarrier = true;
	}
}

static void access(struct race *r, const struct wl_seen *e)
{
	struct warp_state *w = warp_of(r, e);
	if (e->pc >> WHAT_PC_BITS)
		race_doubt(r, "the kernel has more than %u instructions", 1u << WHAT_PC_BITS);
	for (uint32_t m = e->lanes; m; m &= m - 1)
		access_lane(r, e, w, (unsigned)__builtin_ctz(m));
}

/* ---- CTAs ---- */

static void drop_fenced(struct fenced *f)
{
	clock_drop(f->c);
	*f = (struct fenced){0};
}

static void forget_warp(struct warp_state *w)
{
	for (unsigned i = 0; i < WL_WARP_LANES; i++) {
		struct lane_state *l = &w->lane[i];
		clock_drop(l->c);
		clock_drop(l->near);
		clock_drop(l->far);
		drop_fenced(&l->cta);
		drop_fenced(&l->gpu);
	}
	memset(w, 0, sizeof *w);
}

static void cta_start(struct race *r, const struct wl_seen *e)
{
	const unsigned window = e->sm * r->slots + e->slot;
	for (unsigned k = 0; k < warps_per_cta(r); k++) {
		const unsigned left = r->shape.threads - k * WL_WARP_LANES;
		struct warp_state *w = &r->warp[e->sm * WL_MAX_WARPS + e->slot * warps_per_cta(r) + k];
		forget_warp(w);
		w->cta = e->cta;
		w->cluster = e->id;
		w->first = e->cta * warps_per_cta(r);
		w->number = w->first + k;
		w->live = left < WL_WARP_LANES ? (1u << left) - 1 : UINT32_MAX;
	}
	for (unsigned id = 0; id < NAMED_BARS; id++) {
		bar_forget(&r->bar[window * NAMED_BARS + id]);
	}
	clock_drop(r->exited[window]);
	r->exited[window] = NULL;
	r->exited_warps[window] = 0;
	r->window_cta[window] = e->cta;
	r->window_at[window] = e->at[0];
	shadow_forget(&r->shadow, e->at[0], e->bytes);
	release_forget(r, e->at[0], e->bytes);
}

static void event(void *self, const struct wl_seen *e)
{
	struct race *r = self;
	if (__builtin_expect(r->time == UINT32_MAX, 0)) {
		race_doubt(r, "the run has more than %u events", UINT32_MAX);
		return;
	}
	r->time++;
	switch (e->kind) {
	case WL_SEEN_ACCESS:
		access(r, e);
		break;
	case WL_SEEN_CTA_START:
		cta_start(r, e);
		break;
	case WL_SEEN_FRESH:
		shadow_forget(&r->shadow, e->at[0], e->bytes);
		release_forget(r, e->at[0], e->bytes);
		break;
	case WL_SEEN_EXIT:
		lanes_end(r, e);
		break;
	case WL_SEEN_COPY:
	case WL_SEEN_COPY_TOLD:
	case WL_SEEN_COPY_LANDED:
	case WL_SEEN_COMMIT:
	case WL_SEEN_COPIES_DONE:
		copy_event(r, e);
		break;
	default:
		meet_event(r, e);
	}
}

/* ---- the checker itself ---- */

struct wl_race *wl_race_create(const struct wl_seen_shape *shape)
{
	struct race *r = calloc(1, sizeof *r);
	if (!r)
		return NULL;
	const size_t slots = (size_t)shape->sms * WL_MAX_CTAS;
	r->shape = *shape;
	r->slots = WL_MAX_CTAS;
	r->observer = (struct wl_observer){r, event, false};
	r->warp = calloc((size_t)shape->sms * WL_MAX_WARPS, sizeof *r->warp);
	r->bar = calloc(slots * NAMED_BARS, sizeof *r->bar);
	r->window_cta = calloc(slots, sizeof *r->window_cta);
	r->window_at = calloc(slots, sizeof *r->window_at);
	r->exited = calloc(slots, sizeof(struct clock *));
	r->exited_warps = calloc(slots, sizeof *r->exited_warps);
	r->cluster = calloc(shape->ctas / shape->cluster_ctas + 1, sizeof *r->cluster);
	r->serial = calloc(shape->sms, sizeof *r->serial);
	r->polls = calloc(shape->program->ninst + 1u, 1);
	r->elected = calloc(shape->program->ninst + 1u, sizeof *r->elected);
	const bool opened = shadow_open(&r->shadow, shape->global_bytes + shape->sms * shape->shared_bytes);
	if (!opened || !r->warp || !r->bar || !r->cluster || !r->serial || !r->polls || !r->elected || !r->window_cta ||
	    !r->window_at || !r->exited || !r->exited_warps) {
		wl_race_free((struct wl_race *)r);
		return NULL;
	}
	find_polls(r);
	find_elected(r);
	return (struct wl_race *)r;
}

const struct wl_observer *wl_race_observer(const struct wl_race *r)
{
	return &((const struct race *)r)->observer;
}

void wl_race_free(struct wl_race *race)
{
	struct race *r = (struct race *)race;
	if (!r)
		return;
	for (unsigned i = 0; r->warp && i < r->shape.sms * WL_MAX_WARPS; i++)
		forget_warp(&r->warp[i]);
	for (unsigned i = 0; r->bar && i < r->shape.sms * r->slots * NAMED_BARS; i++)
		bar_forget(&r->bar[i]);
	for (unsigned i = 0; r->exited && i < r->shape.sms * r->slots; i++)
		clock_drop(r->exited[i]);
	for (uint32_t i = 0; r->cluster && i < r->shape.ctas / r->shape.cluster_ctas; i++) {
		clock_drop(r->cluster[i].now);
		clock_drop(r->cluster[i].done);
	}
	release_forget(r, 0, UINT64_MAX / 2);
	shadow_close(&r->shadow);
	free(r->warp);
	free(r->bar);
	free(r->window_cta);
	free(r->window_at);
	free(r->exited);
	free(r->exited_warps);
	free(r->cluster);
	free(r->serial);
	free(r->polls);
	free(r->elected);
	free(r->release);
	for (unsigned i = 0; i < JOINS; i++) {
		clock_drop(r->joined[i].a);
		clock_drop(r->joined[i].b);
		clock_drop(r->joined[i].to);
	}
	free(r->finding);
	free(r);
}

unsigned wl_race_findings(const struct wl_race *r)
{
	return ((const struct race *)r)->nfindings;
}

const struct wl_race_finding *wl_race_finding(const struct wl_race *r, unsigned i)
{
	return &((const struct race *)r)->finding[i];
}

const char *wl_race_cannot_tell(const struct wl_race *r)
{
	const struct race *race = (const struct race *)r;
	return race->doubt[0] ? race->doubt : NULL;
}

uint64_t wl_race_shadow_bytes(const struct wl_race *r)
{
	return ((const struct race *)r)->shadow.allocated;
}

// SPDX-License-Identifier: Apache-2.0
/* race_find.c -- findings: each pair of places once; their text. And which loads of shared memory a loop waits with. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "race_state.h"
#include "warplock/hazard.h"

enum { TEXT = 400, LONGEST_LOOP = 64, LONGEST_RETRY = 512, FIRST_LOOK = 24 };

static const struct {
	const char *why, *mend;
} reasons[] = {
#define REASON(NAME, why, mend) [WL_RACE_##NAME] = {why, mend},
#include "race_reasons.def"
#undef REASON
};

const char *wl_race_why(enum wl_race_reason reason)
{
	return reasons[reason].why;
}

const char *wl_race_mend(enum wl_race_reason reason)
{
	return reasons[reason].mend;
}

/* ---- where a finding is ---- */

/* CTAs are numbered along x first; a cluster is a box of them. */
static bool same_cluster(const struct race *r, uint32_t cta, const struct warp_state *w)
{
	for (unsigned i = 0; r->shape.cluster_ctas > 1 && i < r->shape.sms * WL_MAX_WARPS; i++) {
		const struct warp_state *x = r->warp[i];
		if (x && x->first == cta * warps_per_cta(r) && x->cta == cta && x->number)
			return x->cluster == w->cluster;
	}
	return false;
}

static enum wl_race_reason reason_of(const struct race *r, const struct touch *t, const struct stamp *old,
                                     bool proxy_only)
{
	const uint32_t cta = old->warp / warps_per_cta(r);
	const bool both_strong = what_strong(t->what) && what_strong(old->what);
	if (proxy_only)
		return WL_RACE_PROXY;
	if (what_of(old->what) != STAMP_PLAIN)
		return WL_RACE_COPY;
	if (both_strong)
		return cta != t->w->cta && !(what_wide(t->what) && what_wide(old->what)) ? WL_RACE_SCOPE : WL_RACE_SIZE;
	if (old->warp == t->w->number)
		return old->time == r->time ? WL_RACE_SAME_INSTRUCTION : WL_RACE_LANES;
	if (cta == t->w->cta)
		return WL_RACE_CTA;
	return same_cluster(r, cta, t->w) ? WL_RACE_CLUSTER : WL_RACE_GRID;
}

static struct wl_race_site site_of(const struct race *r, uint32_t warp, uint32_t lanes, uint32_t what)
{
	return (struct wl_race_site){.cta = warp / warps_per_cta(r),
	                             .warp = warp % warps_per_cta(r),
	                             .lanes = lanes,
	                             .pc = what_pc(what),
	                             .deed = what_deed(what),
	                             .strong = what_strong(what),
	                             .narrow = what_strong(what) && !what_wide(what),
	                             .copy = what_of(what) != STAMP_PLAIN,
	                             .size = 1u << what_size(what)};
}

/* Whose memory the byte is, and its address there. */
static void locate(const struct race *r, uint64_t at, struct wl_race_finding *f)
{
	const struct wl_gmem *g = r->shape.gmem;
	f->shared = at >= r->shape.global_bytes;
	if (f->shared) {
		const uint64_t sm = (at - r->shape.global_bytes) / r->shape.shared_bytes;
		for (unsigned slot = 0; slot < r->slots; slot++) {
			const uint64_t base = r->window_at[sm * r->slots + slot];
			if (!base || base > at || (f->addr && at - base >= f->addr))
				continue;
			f->owner = r->window_cta[sm * r->slots + slot];
			f->addr = at - base;
			if (!f->addr)
				return;
		}
		return;
	}
	const struct wl_buf *b = wl_gmem_buffers(g);
	for (uint32_t i = 0; i < g->nbuf; i++)
		if (at >= b[i].at && at - b[i].at < b[i].room)
			f->addr = b[i].addr + (at - b[i].at);
}

static struct wl_race_finding *known(struct race *r, enum wl_race_reason reason, uint32_t pc, uint32_t other)
{
	for (unsigned i = 0; i < r->nfindings; i++) {
		struct wl_race_finding *f = &r->finding[i];
		if (f->reason == reason &&
		    ((f->before.pc == pc && f->behind.pc == other) || (f->before.pc == other && f->behind.pc == pc)))
			return f;
	}
	return NULL;
}

void race_found(struct race *r, const struct touch *t, const struct stamp *old, uint32_t lanes, uint64_t at,
                unsigned bytes, bool proxy_only)
{
	const enum wl_race_reason reason = reason_of(r, t, old, proxy_only);
	struct wl_race_finding *f = known(r, reason, what_pc(old->what), what_pc(t->what));
	if (f) {
		f->count++;
		return;
	}
	if (r->nfindings == r->finding_room) {
		r->finding_room = r->finding_room ? 2 * r->finding_room : 16;
		r->finding = realloc(r->finding, r->finding_room * sizeof *r->finding);
		if (!r->finding)
			abort();
	}
	f = &r->finding[r->nfindings++];
	*f = (struct wl_race_finding){.reason = reason, .count = 1, .bytes = bytes};
	f->before = site_of(r, old->warp, lanes, old->what);
	f->behind = site_of(r, t->w->number, 1u << t->lane, t->what);
	locate(r, at, f);
}

/* ---- text ---- */

void wl_race_variable(const struct wl_race *race, const struct wl_race_finding *f, char *buf, size_t n)
{
	const struct race *r = (const struct race *)race;
	const struct wl_program *p = r->shape.program;
	const struct wl_buf *b;
	if (f->shared) {
		for (uint32_t i = 0; i < p->nshared; i++) {
			const struct wl_shared_var *v = &p->shared[i];
			if (f->addr >= v->at && f->addr - v->at < v->size) {
				snprintf(buf, n, "shared variable %s+%llu of CTA %u", v->name,
				         (unsigned long long)(f->addr - v->at), f->owner);
				return;
			}
		}
		char object[120];
		if (wl_program_shared_object(p, r->shape.cta_shared, f->addr, object, sizeof object))
			snprintf(buf, n, "%s of CTA %u", object, f->owner);
		else
			snprintf(buf, n, "shared memory 0x%llx of CTA %u", (unsigned long long)f->addr, f->owner);
		return;
	}
	b = wl_gmem_find(r->shape.gmem, f->addr);
	if (b && b->name)
		snprintf(buf, n, "buffer %s+%llu", b->name, (unsigned long long)(f->addr - b->addr));
	else
		snprintf(buf, n, "global memory 0x%llx", (unsigned long long)f->addr);
}

static void tell_site(const struct race *r, const struct wl_race_site *s, const char *which, char *buf, size_t n)
{
	static const char *const deeds[] = {"read", "write", "atomic"};
	const struct wl_program *p = r->shape.program;
	char inst[160] = "an unknown word", place[WL_WHERE];
	if (s->pc < p->ninst && wl_print(p->arch, p->words[s->pc], 16 * (uint64_t)s->pc, inst, sizeof inst) < 0)
		snprintf(inst, sizeof inst, "an unknown word");
	wl_program_where(p, s->pc, place, sizeof place);
	snprintf(buf, n, "  %s: %s%s by CTA %u, warp %u, lanes 0x%08x at pc 0x%x `%s`%s", which,
	         s->copy ? "asynchronous " : "", deeds[s->deed], s->cta, s->warp, s->lanes, 16 * s->pc, inst, place);
}

void wl_race_tell(const struct wl_race *race, const struct wl_race_finding *f,
                  void (*line)(void *self, const char *text), void *self)
{
	const struct race *r = (const struct race *)race;
	char text[2 * TEXT + WL_WHERE], what[TEXT];
	wl_race_variable(race, f, what, sizeof what);
	snprintf(text, sizeof text, "race at %s, %u byte%s; %llu time%s", what, f->bytes, f->bytes == 1 ? "" : "s",
	         (unsigned long long)f->count, f->count == 1 ? "" : "s");
	line(self, text);
	tell_site(r, &f->before, "first", text, sizeof text);
	line(self, text);
	tell_site(r, &f->behind, "then", text, sizeof text);
	line(self, text);
	snprintf(text, sizeof text, "  why: %s", wl_race_why(f->reason));
	line(self, text);
	snprintf(text, sizeof text, "  mend: %s", wl_race_mend(f->reason));
	line(self, text);
}

/* ---- loads of shared memory that a loop waits with ----
 *
 * Words of shared memory do not say whether an access is volatile. A load in a loop that changes nothing, on whose
 * value the end of the loop depends, would stand in front of the loop if it were a plain one. */

enum { SLOTS = 1024 };

struct taint {
	uint8_t slot[SLOTS];
};

static bool changes_memory(const struct wl_inst *in)
{
	const uint64_t t = wl_inst_traits(in);
	return t & (WL_TRAIT(WRITES_MEMORY) | WL_TRAIT(BARRIER));
}

/* What depends on a tainted register is tainted; the result: an instruction's guard or predicate is. */
static bool spread(enum wl_arch arch, const struct wl_inst *in, struct taint *t)
{
	struct wl_access a;
	bool reads = false;
	wl_inst_access(arch, in, &a);
	for (unsigned i = 0; i < a.n; i++)
		for (unsigned k = 0; k < a.op[i].words; k++)
			reads |= !a.op[i].write && t->slot[(a.op[i].slot + k) % SLOTS];
	for (unsigned i = 0; i < a.n; i++)
		for (unsigned k = 0; a.op[i].write && k < a.op[i].words; k++)
			t->slot[(a.op[i].slot + k) % SLOTS] = reads;
	return reads;
}

static bool loop_waits(const struct wl_program *p, uint32_t load, uint32_t last)
{
	struct taint t = {{0}};
	struct wl_access a;
	wl_inst_access(p->arch, &p->insts[load], &a);
	for (unsigned i = 0; i < a.n; i++)
		for (unsigned k = 0; a.op[i].write && k < a.op[i].words; k++)
			t.slot[(a.op[i].slot + k) % SLOTS] = 1;
	for (uint32_t i = load + 1; i <= last; i++)
		if (spread(p->arch, &p->insts[i], &t) && wl_inst_traits(&p->insts[i]) & WL_TRAIT(FLOW))
			return true;
	return false;
}

static bool same_address(const struct wl_inst *a, const struct wl_inst *b)
{
	return a->uop == b->uop && a->ra == b->ra && a->ur == b->ur && a->off == b->off && a->size == b->size;
}

static bool is_cas(const struct wl_inst *in)
{
	switch (in->uop) {
	case WL_UOP_ATOMS_CAS:
	case WL_UOP_ATOMS_CAST:
	case WL_UOP_ATOMS_CAST_P:
	case WL_UOP_ATOMG_CAS:
	case WL_UOP_ATOM_CAS:
	case WL_UOP_ATOM_CAST:
		return true;
	default:
		return false;
	}
}

/* A load that a compare-and-swap of the same address follows is its first look: whatever the load has found, the
 * compare-and-swap finds out. Compilers make such pairs of atomics that hardware does not have. */
static void find_first_looks(struct race *r, uint32_t cas)
{
	const struct wl_program *p = r->shape.program;
	const struct wl_inst *c = &p->insts[cas];
	for (uint32_t back = 1; back <= FIRST_LOOK && back <= cas; back++) {
		const struct wl_inst *in = &p->insts[cas - back];
		const uint64_t t = wl_inst_traits(in);
		const bool same = (in->ra == c->ra && in->ur == c->ur && in->off == c->off) ||
		                  (in->rd == c->rb && c->rb != WL_RZ);
		if (t & WL_TRAIT(READS_MEMORY) && !(t & WL_TRAIT(WRITES_MEMORY)) && same && in->size == c->size)
			r->polls[cas - back] = POLL_LOOK;
	}
}

/* Where lanes go on behind the instruction; false: nothing tells. */
static bool follow(const struct wl_program *p, uint32_t i, uint8_t *seen, uint32_t *todo, uint32_t *n)
{
	const struct wl_inst *in = &p->insts[i];
	const uint64_t t = wl_inst_traits(in);
	const int64_t target = (int64_t)i + 1 + in->target / 16;
	const bool goes_on = !(t & WL_TRAIT(LEAVES)) || in->guard != WL_PT || in->ps[0] != WL_PT || in->op;
	if (t & (WL_TRAIT(INDIRECT) | WL_TRAIT(CALLS) | WL_TRAIT(RETURNS)))
		return false;
	if (t & WL_TRAIT(JUMPS) && target >= 0 && target < p->ninst && !seen[target]) {
		seen[target] = 1;
		todo[(*n)++] = (uint32_t)target;
	}
	if (goes_on && i + 1 < p->ninst && !seen[i + 1]) {
		seen[i + 1] = 1;
		todo[(*n)++] = i + 1;
	}
	return true;
}

/* Compilers put the round of a wait behind the code, from where a branch back makes no loop. */
static bool is_loop(const struct wl_program *p, uint32_t first, uint32_t last)
{
	uint8_t *seen = calloc(p->ninst, 1);
	uint32_t *todo = malloc(p->ninst * sizeof *todo), n = 1;
	bool known = true;
	if (!seen || !todo)
		abort();
	todo[0] = first;
	seen[first] = 1;
	while (n && known && !seen[last]) {
		const uint32_t i = todo[--n];
		known = follow(p, i, seen, todo, &n);
	}
	known = !known || seen[last];
	free(seen);
	free(todo);
	return known;
}

/* From instruction `first` to a branch back to it. */
static void find_in_loop(struct race *r, uint32_t first, uint32_t last)
{
	const struct wl_program *p = r->shape.program;
	bool changes = false, meets = false, loop = false;
	for (uint32_t i = first; i <= last; i++) {
		changes |= changes_memory(&p->insts[i]);
		meets |= p->insts[i].uop == WL_UOP_BAR;
	}
	for (uint32_t k = first; k < last && !meets; k++) {
		if (p->insts[k].uop != WL_UOP_LDS || !loop_waits(p, k, last))
			continue;
		if (!loop && !is_loop(p, first, last))
			return;
		loop = true;
		r->polls[k] = changes || last - first > LONGEST_LOOP ? POLL_RETRY : POLL_WAITS;
	}
}

static void mark_alike(struct race *r, uint32_t load)
{
	const struct wl_program *p = r->shape.program;
	const uint8_t as = r->polls[load] == POLL_WAITS ? POLL_LIKE : POLL_RETRY;
	for (uint32_t k = 0; k < p->ninst; k++)
		if (r->polls[k] == POLL_UNKNOWN && same_address(&p->insts[load], &p->insts[k]))
			r->polls[k] = as;
}

void find_polls(struct race *r)
{
	const struct wl_program *p = r->shape.program;
	for (uint32_t i = 0; i < p->ninst; i++) {
		const struct wl_inst *in = &p->insts[i];
		const int64_t target = (int64_t)i + 1 + in->target / 16;
		if (in->uop == WL_UOP_BRA && target >= 0 && target <= (int64_t)i && (int64_t)i - target < LONGEST_RETRY)
			find_in_loop(r, (uint32_t)target, i);
	}
	for (uint32_t i = 0; i < p->ninst; i++)
		if (r->polls[i] == POLL_WAITS || r->polls[i] == POLL_RETRY)
			mark_alike(r, i);
	for (uint32_t i = 0; i < p->ninst; i++)
		if (is_cas(&p->insts[i]))
			find_first_looks(r, i);
	for (uint32_t i = 0; i < p->ninst; i++)
		r->has_polls |= r->polls[i] == POLL_WAITS || r->polls[i] == POLL_RETRY;
}

/* ---- fences that one lane executes for all ----
 *
 * Of an atomic with an order, compilers make one atomic a warp: the lane that FLO finds in the vote of all active lanes
 * executes fence and atomic. What the other lanes have written before is released, too. */

enum { ELECTION = 32 };

static bool votes_for_all(const struct wl_inst *in)
{
	return (in->uop == WL_UOP_VOTE || in->uop == WL_UOP_VOTEU) && in->op == WL_VOTE_ANY && in->ps[0] == WL_PT;
}

static void taint_results(enum wl_arch arch, const struct wl_inst *in, struct taint *t)
{
	struct wl_access a;
	wl_inst_access(arch, in, &a);
	for (unsigned i = 0; i < a.n; i++)
		for (unsigned k = 0; a.op[i].write && k < a.op[i].words; k++)
			t->slot[(a.op[i].slot + k) % SLOTS] = 1;
}

static void find_election(struct race *r, uint32_t vote)
{
	const struct wl_program *p = r->shape.program;
	struct taint voted = {{0}}, leader = {{0}};
	taint_results(p->arch, &p->insts[vote], &voted);
	for (uint32_t i = vote + 1; i < p->ninst && i <= vote + ELECTION; i++) {
		const struct wl_inst *in = &p->insts[i];
		const bool from_vote = spread(p->arch, in, &voted), from_leader = spread(p->arch, in, &leader);
		if (from_vote && (in->uop == WL_UOP_FLO || in->uop == WL_UOP_UFLO))
			taint_results(p->arch, in, &leader);
		if (from_leader && (in->uop == WL_UOP_MEMBAR || in->uop == WL_UOP_CCTL_IVALL))
			r->elected[i] = true;
	}
}

void find_elected(struct race *r)
{
	for (uint32_t i = 0; i < r->shape.program->ninst; i++)
		if (votes_for_all(&r->shape.program->insts[i]))
			find_election(r, i);
}

void wl_race_hint(struct wl_race *race, uint32_t pc, bool strong, bool acquires)
{
	struct race *r = (struct race *)race;
	if (r->polls[pc] == POLL_LOOK)
		return;
	r->polls[pc] = !strong ? POLL_WEAK : acquires ? POLL_ACQUIRE : POLL_STRONG;
}

void wl_race_hint_relaxed(struct wl_race *race, uint32_t pc)
{
	((struct race *)race)->polls[pc] = POLL_RELAXED;
}

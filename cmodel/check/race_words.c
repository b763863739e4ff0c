// SPDX-License-Identifier: Apache-2.0
/* race_words.c -- facts missing in the words of a kernel: strength of accesses of shared memory, and fences executed by
 * one lane for all. */
#include <stdlib.h>

#include "race_state.h"
#include "warplock/hazard.h"

/* ---- loads of shared memory that a loop waits with ----
 *
 * Words of shared memory do not say whether an access is volatile. In a loop without changes the end may depend on the
 * value of a load. As a plain load this load would stand in front of the loop. */

enum { SLOTS = 1024, LONGEST_LOOP = 64, LONGEST_RETRY = 512, FIRST_LOOK = 64 };

struct taint {
	uint8_t slot[SLOTS];
};

static bool changes_memory(const struct wl_inst *in)
{
	const uint64_t t = wl_inst_traits(in);
	return t & (WL_TRAIT(WRITES_MEMORY) | WL_TRAIT(BARRIER));
}

/* Results of an instruction with a tainted source are tainted; all other results are not. Returns: the instruction has
 * a tainted source. */
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

static void set_results(enum wl_arch arch, const struct wl_inst *in, struct taint *t, bool tainted)
{
	struct wl_access a;
	wl_inst_access(arch, in, &a);
	for (unsigned i = 0; i < a.n; i++)
		for (unsigned k = 0; a.op[i].write && k < a.op[i].words; k++)
			t->slot[(a.op[i].slot + k) % SLOTS] = tainted;
}

static bool is_tainted(const struct taint *t, unsigned slot, unsigned words)
{
	bool is = false;
	for (unsigned k = 0; k < words; k++)
		is |= t->slot[(slot + k) % SLOTS];
	return is;
}

/* Registers with the value of the load, or a result of the value, at the compare-and-swap. A value brought by another
 * load does not count. */
static void follow_value(const struct wl_program *p, uint32_t load, uint32_t cas, struct taint *value)
{
	set_results(p->arch, &p->insts[load], value, true);
	for (uint32_t i = load + 1; i < cas; i++) {
		const struct wl_inst *in = &p->insts[i];
		spread(p->arch, in, value);
		if (wl_inst_traits(in) & WL_TRAIT(READS_MEMORY))
			set_results(p->arch, in, value, false);
	}
}

/* Is an address register of the compare-and-swap tainted? */
static bool is_address_tainted(const struct taint *t, const struct wl_inst *cas)
{
	const unsigned words = wl_inst_traits(cas) & WL_TRAIT(SHARED) ? 1 : 2;
	return (cas->ra != WL_RZ && is_tainted(t, WL_SLOT_R + cas->ra, words)) ||
	       (cas->ur != WL_RZ && is_tainted(t, WL_SLOT_UR + cas->ur, words));
}

/* Registers written from the load on, up to the compare-and-swap. */
static void find_written(const struct wl_program *p, uint32_t load, uint32_t cas, struct taint *written)
{
	for (uint32_t i = load; i < cas; i++)
		set_results(p->arch, &p->insts[i], written, true);
}

/* Whether the compare-and-swap finds out the value of the load: same address, or the value as the expected one. An
 * address made from the value is another address, and so is a register with the same name and a new value. */
static bool is_first_look(const struct wl_program *p, uint32_t load, uint32_t cas)
{
	const struct wl_inst *in = &p->insts[load], *c = &p->insts[cas];
	struct taint value = {{0}}, written = {{0}};
	follow_value(p, load, cas, &value);
	if (is_address_tainted(&value, c))
		return false;
	find_written(p, load, cas, &written);
	const bool same = in->ra == c->ra && in->ur == c->ur && in->off == c->off && !is_address_tainted(&written, c);
	return same || (c->rb != WL_RZ && is_tainted(&value, WL_SLOT_R + c->rb, (c->size + 3u) / 4));
}

/* A load is the first look of a later compare-and-swap of the same address: the compare-and-swap finds out the value of
 * the load anyway. Compilers make such pairs of atomics missing in hardware. */
static void find_first_looks(struct race *r, uint32_t cas)
{
	const struct wl_program *p = r->shape.program;
	const uint8_t size = p->insts[cas].size;
	for (uint32_t back = 1; back <= FIRST_LOOK && back <= cas; back++) {
		const struct wl_inst *in = &p->insts[cas - back];
		const uint64_t t = wl_inst_traits(in);
		if (t & WL_TRAIT(READS_MEMORY) && !(t & WL_TRAIT(WRITES_MEMORY)) && in->size == size &&
		    is_first_look(p, cas - back, cas))
			r->polls[cas - back] = POLL_LOOK;
	}
}

/* Where lanes go on behind the instruction. False: unknown. */
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

/* Compilers put the round of a wait behind the code. A branch back from there makes no loop. */
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

/* From instruction `first` to a branch back to `first`. */
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

/* ---- fences and atomics that one lane executes for all ----
 *
 * Compilers make one atomic a warp of an atomic by each lane. FLO finds a lane in the vote of all active lanes. That
 * lane executes fence and atomic, by a guard, in a branch not taken by the other lanes, or behind an EXIT of the other
 * lanes. Where each lane has its own value, the last lane of the warp adds the sum, made by SHFL behind the vote. Fence
 * and atomic count for all lanes of the vote. */

enum { ELECTION = 32, SCAN = 48, FENCES = 4 };

static bool votes_for_all(const struct wl_inst *in)
{
	return (in->uop == WL_UOP_VOTE || in->uop == WL_UOP_VOTEU) && in->op == WL_VOTE_ANY && in->ps[0] == WL_PT;
}

static int64_t jump_target(const struct wl_program *p, uint32_t i)
{
	return (int64_t)i + 1 + p->insts[i].target / 16;
}

/* The convergence barrier of a branch, where the lanes meet again: lanes of the barrier's set were at the branch
 * together. */
static unsigned election_in_region(const struct wl_program *p, uint32_t branch)
{
	for (uint32_t back = 1; back <= ELECTION && back <= branch; back++) {
		const struct wl_inst *in = &p->insts[branch - back];
		if (in->uop == WL_UOP_BSSY && jump_target(p, branch - back) >= jump_target(p, branch))
			return ELECTED_IN_REGION + (in->cbar & 15u);
	}
	return NOT_ELECTED;
}

static bool is_guard_tainted(const struct taint *t, const struct wl_inst *in)
{
	return in->guard % 8 != WL_PT && t->slot[(in->guard_uniform ? WL_SLOT_UP : WL_SLOT_P) + in->guard % 8];
}

static bool is_fence(const struct wl_inst *in)
{
	return in->uop == WL_UOP_MEMBAR || in->uop == WL_UOP_CCTL_IVALL;
}

static bool is_atomic(const struct wl_inst *in)
{
	return wl_inst_traits(in) & WL_TRAIT(ATOMIC);
}

/* Fences beside the atomic, with the atomic's guard. */
static void elect_fences(struct race *r, uint32_t first, uint32_t atomic)
{
	const struct wl_program *p = r->shape.program;
	const uint8_t guard = p->insts[atomic].guard;
	for (uint32_t i = first; i < p->ninst && i <= atomic + FENCES; i++)
		if (is_fence(&p->insts[i]) && p->insts[i].guard == guard)
			r->elected[i] = ELECTED_BY_GUARD;
}

/* The sum of all lanes' values. */
static void find_scan(struct race *r, uint32_t vote)
{
	const struct wl_program *p = r->shape.program;
	struct taint sum = {{0}};
	uint32_t first = 0;
	for (uint32_t i = vote + 1; i < p->ninst && i <= vote + SCAN; i++) {
		const struct wl_inst *in = &p->insts[i];
		const bool from_sum = spread(p->arch, in, &sum);
		if (in->uop == WL_UOP_SHFL && (in->op == WL_SHFL_UP || in->op == WL_SHFL_BFLY)) {
			set_results(p->arch, in, &sum, true);
			first = first ? first : i;
		}
		if (!is_atomic(in) || !from_sum || in->guard % 8 == WL_PT || is_guard_tainted(&sum, in))
			continue;
		r->elected[i] = ELECTED_BY_GUARD;
		elect_fences(r, first, i);
	}
}

static void find_election(struct race *r, uint32_t vote)
{
	const struct wl_program *p = r->shape.program;
	struct taint voted = {{0}}, leader = {{0}};
	int64_t branch_end = 0;
	unsigned region = NOT_ELECTED;
	set_results(p->arch, &p->insts[vote], &voted, true);
	for (uint32_t i = vote + 1; i < p->ninst && i <= vote + ELECTION; i++) {
		const struct wl_inst *in = &p->insts[i];
		const bool from_vote = spread(p->arch, in, &voted), from_leader = spread(p->arch, in, &leader);
		if (from_vote && (in->uop == WL_UOP_FLO || in->uop == WL_UOP_UFLO))
			set_results(p->arch, in, &leader, true);
		if (from_leader && in->uop == WL_UOP_BRA && jump_target(p, i) > i) {
			branch_end = jump_target(p, i);
			region = election_in_region(p, i);
		}
		const bool guarded = from_leader && is_guard_tainted(&leader, in);
		if (in->uop == WL_UOP_EXIT && guarded)
			r->elected[i] = ELECTED_BY_GUARD;
		if (!is_fence(in) && !is_atomic(in))
			continue;
		if (guarded)
			r->elected[i] = ELECTED_BY_GUARD;
		else if (i < branch_end)
			r->elected[i] = (uint8_t)region;
	}
}

void find_elected(struct race *r)
{
	for (uint32_t i = 0; i < r->shape.program->ninst; i++)
		if (votes_for_all(&r->shape.program->insts[i])) {
			find_election(r, i);
			find_scan(r, i);
		}
}

void wl_race_hint(struct wl_race *race, uint32_t pc, bool strong, bool acquires)
{
	struct race *r = (struct race *)race;
	if (r->polls[pc] == POLL_LOOK)
		return;
	r->polls[pc] = !strong ? POLL_WEAK : acquires ? POLL_ACQUIRE : POLL_STRONG;
}

void wl_race_hint_element(struct wl_race *race, uint32_t pc, unsigned bytes)
{
	struct race *r = (struct race *)race;
	for (unsigned log = 0; log <= 3; log++)
		if (bytes == 1u << log)
			r->element[pc] = (uint8_t)(1u << log);
}

void wl_race_hint_relaxed(struct wl_race *race, uint32_t pc)
{
	((struct race *)race)->relaxed[pc] = true;
}

// SPDX-License-Identifier: Apache-2.0
/* divergent.c -- barriers reached by only some of the awaited threads.
 *
 * The check looks at each branch with a condition that differs between threads, and at the ways from the branch to
 * the meeting place. A barrier is reported if one way has the barrier and the other way has no barrier, or another
 * number of barriers. Ways to the end of the thread are no fault: no thread waits for an ended thread. */
#include <stdio.h>

#include "analysis.h"

enum kind { NO_BARRIER, WHOLE_CTA, PART_OF_CTA, CLUSTER_ARRIVE, CLUSTER_WAIT };
enum { ANY_NUMBER = -1, MAX_KEYS = 64 };

/* A meeting point of threads. */
struct key {
	enum kind kind;
	int64_t number;
};

struct search {
	struct report report;
	const struct analysis *a;
	struct key keys[MAX_KEYS], key; /* key: the counted key */
	unsigned nkeys;
	bool *told; /* by instruction */
};

static bool is_reduction(unsigned op)
{
	return op == PTX_OP_bar_red || op == PTX_OP_bar_cta_red || op == PTX_OP_barrier_red ||
	       op == PTX_OP_barrier_cta_red;
}

static bool is_bar(unsigned op)
{
	return op >= PTX_OP_bar && op <= PTX_OP_bar_cta_red;
}

static bool is_cta_barrier(unsigned op)
{
	return is_bar(op) || (op >= PTX_OP_barrier && op <= PTX_OP_barrier_cta_red);
}

static struct key key_of(const struct analysis *a, uint32_t instr)
{
	const struct ptx_instr *i = &a->fn->instrs[instr];
	const unsigned at = is_reduction(i->op), counted = at ? 4 : 2;
	struct key k = {.kind = NO_BARRIER, .number = ANY_NUMBER};
	struct fact f;
	if (i->op == PTX_OP_barrier_cluster_arrive || i->op == PTX_OP_barrier_cluster_wait) {
		k.kind = i->op == PTX_OP_barrier_cluster_arrive ? CLUSTER_ARRIVE : CLUSTER_WAIT;
		return k;
	}
	if (!is_cta_barrier(i->op))
		return k;
	f = operand_fact(a, &i->ops[at], instr);
	if (f.kind == FACT_CONST)
		k.number = f.off;
	k.kind = WHOLE_CTA;
	if (i->nops < counted)
		return k;
	f = operand_fact(a, &i->ops[at + 1], instr);
	if (!(a->exact && f.kind == FACT_CONST && f.off == a->max_threads))
		k.kind = PART_OF_CTA;
	return k;
}

static bool same(struct key x, struct key y)
{
	return x.kind == y.kind && x.number == y.number;
}

/* Differences of a condition relevant to the barrier. */
static unsigned matters(enum kind kind)
{
	switch (kind) {
	case WHOLE_CTA:
		return VARY_THREADS;
	case PART_OF_CTA:
		return VARY_SPLIT;
	default:
		return VARY_THREADS | VARY_CTA;
	}
}

/* All lanes of the warp execute the instruction together. */
static bool is_aligned(const struct ptx_instr *i)
{
	return is_bar(i->op) || ptx_has(i, PTX_M_aligned);
}

/* ---- calls ---- */

/* Does the function or a callee have a barrier of the key? Recursion counts once. */
static bool contains(struct search *s, const struct ptx_function *fn, struct key key, unsigned depth)
{
	const struct analysis *a = analysis_of(s->report.m, fn);
	for (uint32_t i = 0; a && a->looked_into && depth < 16 && i < a->fn->ninstrs; i++) {
		const struct ptx_function *callee = called(&a->fn->instrs[i]);
		if (same(key_of(a, i), key) || (callee && contains(s, callee, key, depth + 1)))
			return true;
	}
	return false;
}

static struct count count_key(void *self, uint32_t instr)
{
	struct search *s = self;
	const struct ptx_instr *i = &s->a->fn->instrs[instr];
	const struct ptx_function *callee = called(i);
	if (callee)
		return (struct count){0, contains(s, callee, s->key, 0)};
	if (!same(key_of(s->a, instr), s->key))
		return (struct count){0, 0};
	return (struct count){i->guard == PTX_NONE, 1};
}

static void note_key(struct search *s, struct key key)
{
	if (key.kind == NO_BARRIER)
		return;
	for (unsigned k = 0; k < s->nkeys; k++)
		if (same(s->keys[k], key))
			return;
	if (s->nkeys < MAX_KEYS)
		s->keys[s->nkeys++] = key;
}

static void find_keys(struct search *s)
{
	for (uint32_t n = 0; n < s->report.m->m->nfunctions; n++) {
		const struct analysis *a = &s->report.m->fns[n];
		for (uint32_t i = 0; a->looked_into && i < a->fn->ninstrs; i++)
			note_key(s, key_of(a, i));
	}
}

/* ---- messages ---- */

static const char *waited_for(enum kind kind)
{
	switch (kind) {
	case WHOLE_CTA:
		return "all threads of the CTA";
	case PART_OF_CTA:
		return "whole warps";
	default:
		return "all threads of the cluster";
	}
}

/* `condition`: the instruction with the deciding guard. */
static void tell(struct search *s, uint32_t barrier, uint32_t condition, const char *why)
{
	const struct ptx_function *fn = s->a->fn, *callee = called(&fn->instrs[barrier]);
	const struct origin from = report_chain(&s->report, s->a, condition, false);
	char what[240], where[80] = "";
	if (s->told[barrier])
		return;
	s->told[barrier] = true;
	if (callee)
		snprintf(what, sizeof what, "a barrier in '%.200s'", callee->name);
	else
		snprintf(what, sizeof what, "'%s'", ptx_op_name((enum ptx_op)fn->instrs[barrier].op));
	if (from.instr != PTX_NONE)
		snprintf(where, sizeof where, ", from line %u on", from.a->fn->instrs[from.instr].pos.line);
	report_warning(&s->report, s->a, barrier, "%s waits for %s, but %s: the condition of line %u differs%s", what,
	               waited_for(s->key.kind), why, fn->instrs[condition].pos.line, where);
	report_note(&s->report, s->a, condition, "the condition that differs between threads");
	report_chain(&s->report, s->a, condition, true);
}

/* ---- branches ---- */

static bool ends_at_once(const struct analysis *a, uint32_t block)
{
	const struct ptx_instr *i;
	if (a->s.first[block] >= a->s.last[block])
		return a->s.f.blocks[block]->nsucc == 0;
	i = &a->fn->instrs[a->s.first[block]];
	return i->op == PTX_OP_ret || i->op == PTX_OP_exit;
}

/* No instruction follows the barrier before the ways meet: an arriving thread orders nothing. */
static bool is_last(const struct analysis *a, uint32_t barrier, uint32_t meet)
{
	const uint32_t b = a->s.block_of[barrier];
	uint32_t i = barrier + 1;
	while (i < a->s.last[b] && a->fn->instrs[i].op == PTX_OP_bra)
		i++;
	return i == a->s.last[b] && a->s.f.blocks[b]->nsucc == 1 && a->s.f.blocks[b]->succ[0] == meet;
}

/* One way ends the thread at once: no thread waits for an ended thread. */
static bool is_early_exit(const struct search *s, uint32_t block, uint32_t barrier)
{
	const struct mblock *b = s->a->s.f.blocks[block];
	if ((b->succ[0] != b->ipdom && b->succ[1] != b->ipdom) || !ends_at_once(s->a, b->ipdom))
		return false;
	return !((s->key.kind == WHOLE_CTA || s->key.kind == PART_OF_CTA) &&
	         (s->a->branches[block].bits & VARY_SPLIT) && is_last(s->a, barrier, b->ipdom));
}

/* The way of the branch that is taken where the guard is true. */
static uint32_t way_if_true(const struct analysis *a, uint32_t block)
{
	const struct mblock *b = a->s.f.blocks[block];
	const struct ptx_instr *bra = &a->fn->instrs[a->s.last[block] - 1];
	const uint32_t target = a->s.block_of[a->fn->labels[bra->ops[0].label].instr];
	return (b->succ[0] == target) != bra->guard_negated ? b->succ[0] : b->succ[1];
}

/* Those who pass by may come to another unaligned barrier of the key, behind a later branch with the same guard. */
static bool has_other_place(struct search *s, uint32_t block, uint32_t barrier, uint32_t way)
{
	const struct analysis *a = s->a;
	const uint32_t guard = a->fn->instrs[a->s.last[block] - 1].guard;
	for (uint32_t o = 0; o < a->s.f.nblocks && !is_aligned(&a->fn->instrs[barrier]); o++) {
		const struct mblock *b = a->s.f.blocks[o];
		const struct ptx_instr *bra = b->nsucc == 2 ? &a->fn->instrs[a->s.last[o] - 1] : NULL;
		if (o == block || !bra || b->ipdom == NO_BLOCK || bra->op != PTX_OP_bra || bra->guard != guard)
			continue;
		const bool if_true = way == way_if_true(a, block);
		const uint32_t yes = way_if_true(a, o), no = b->succ[0] == yes ? b->succ[1] : b->succ[0];
		const struct way other = way_count(a, if_true ? no : yes, b->ipdom, count_key, s);
		if (other.most && other.first != barrier && !is_aligned(&a->fn->instrs[other.first]))
			return true;
	}
	return false;
}

static void compare(struct search *s, uint32_t block, uint32_t condition)
{
	const struct mblock *b = s->a->s.f.blocks[block];
	const struct vary *v = &s->a->branches[block];
	const struct way x = way_count(s->a, b->succ[0], b->ipdom, count_key, s),
	                 y = way_count(s->a, b->succ[1], b->ipdom, count_key, s);
	const struct way *more = x.least > y.least || (x.most > y.most && x.least >= y.least) ? &x : &y,
	                 *less = more == &x ? &y : &x;
	if (!x.meets || !y.meets || !more->most || is_early_exit(s, block, more->first))
		return;
	if (less->most == 0 && has_other_place(s, block, more->first, more == &x ? b->succ[0] : b->succ[1]))
		return;
	if (less->most == 0)
		tell(s, more->first, condition, "some pass by");
	else if (more->least > less->most)
		tell(s, more->first, condition, "threads come to different numbers of them");
	else if ((v->bits & VARY_SPLIT) && more->least && less->least && is_aligned(&s->a->fn->instrs[more->first]) &&
	         is_aligned(&s->a->fn->instrs[less->first]) && more->first != less->first)
		tell(s, more->first > less->first ? more->first : less->first, condition,
		     "lanes come to different places");
}

static void look_at_branch(struct search *s, uint32_t block)
{
	const struct mblock *b = s->a->s.f.blocks[block];
	const uint32_t condition = s->a->s.last[block] - 1;
	if (b->nsucc != 2 || b->ipdom == NO_BLOCK || !s->a->branches[block].bits)
		return;
	for (unsigned k = 0; k < s->nkeys; k++) {
		s->key = s->keys[k];
		if (s->a->branches[block].bits & matters(s->key.kind))
			compare(s, block, condition);
	}
}

/* ---- guards ---- */

/* Does the block have the same barrier under the opposite guard? */
static bool has_twin(const struct search *s, uint32_t instr)
{
	const struct ptx_instr *i = &s->a->fn->instrs[instr];
	const uint32_t b = s->a->s.block_of[instr];
	for (uint32_t k = s->a->s.first[b]; k < s->a->s.last[b]; k++) {
		const struct ptx_instr *j = &s->a->fn->instrs[k];
		if (k != instr && same(key_of(s->a, k), s->key) && j->guard == i->guard &&
		    j->guard_negated != i->guard_negated)
			return true;
	}
	return false;
}

static void look_at_guard(struct search *s, uint32_t instr)
{
	const struct ptx_instr *i = &s->a->fn->instrs[instr];
	struct vary v;
	s->key = key_of(s->a, instr);
	if (i->guard == PTX_NONE || s->key.kind == NO_BARRIER)
		return;
	v = register_vary(s->a, i->guard, instr);
	if ((v.bits & matters(s->key.kind)) && (((v.bits & VARY_SPLIT) && is_aligned(i)) || !has_twin(s, instr)))
		tell(s, instr, instr, "some pass by");
}

void check_divergent(struct module_analysis *m)
{
	struct search s = {.report = {m, "divergent-barrier"}};
	find_keys(&s);
	for (uint32_t n = 0; s.nkeys && n < m->m->nfunctions; n++) {
		s.a = &m->fns[n];
		if (!s.a->looked_into)
			continue;
		s.told = arena_zalloc(&m->arena, s.a->fn->ninstrs + 1);
		for (uint32_t i = s.a->s.f.nrpo; i-- > 0;)
			look_at_branch(&s, s.a->s.f.rpo[i]);
		for (uint32_t i = 0; i < s.a->fn->ninstrs; i++)
			look_at_guard(&s, i);
	}
}

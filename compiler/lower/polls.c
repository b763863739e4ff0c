// SPDX-License-Identifier: Apache-2.0
/* polls.c -- see polls.h.
 *
 * The result of an atomic decides a branch by way of registers, of memory written and read by the loop, and of control:
 * a register or memory written behind a decided branch, on some ways only. */
#include "polls.h"

#include <string.h>

struct pass {
	const struct polls_of *of;
	const struct ptx_function *fn;
	const struct mfunc *f;
	bool *tries, *polls;
	bool *asked; /* by register, and the list of those */
	uint32_t *ask, nask;
	bool stored;        /* memory written by the loops depends on the result; the loads have been asked */
	bool *controlled;   /* by block: the branch has been looked at */
	uint32_t *always;   /* by block: number of the last branch with the block always behind */
	uint32_t nbranches; /* looked at */
	uint32_t nlooks;    /* at instructions */
};

/* ---- kinds of instructions ---- */

enum { MOST_LOOKS = 10000000 }; /* at instructions; behind these, all is taken to wait */

static bool may_wait(const struct ptx_function *fn, uint32_t *looks, unsigned depth);

static bool call_may_wait(const struct ptx_instr *call, uint32_t *looks, unsigned depth)
{
	const struct ptx_operand *what = &call->ops[1];
	return call->nops < 2 || what->kind != PTX_O_SYMBOL || what->sym->kind != PTX_SYM_FUNCTION ||
	       may_wait(what->sym->function, looks, depth);
}

/* The instruction may work only when another thread has done its part. */
static bool waits_for_others(const struct ptx_instr *i)
{
	switch (i->op) {
	case PTX_OP_ld:
	case PTX_OP_multimem_ld_reduce:
		return i->order != PTX_M_none && i->order != PTX_M_weak;
	case PTX_OP_mbarrier_test_wait:
	case PTX_OP_mbarrier_test_wait_parity:
	case PTX_OP_mbarrier_try_wait:
	case PTX_OP_mbarrier_try_wait_parity:
	case PTX_OP_nanosleep:
	case PTX_OP_call:
		return true;
	default:
		return ptx_has(i, PTX_M_mmio);
	}
}

/* The function may give up and be called again, until another thread has done its part. */
static bool may_wait(const struct ptx_function *fn, uint32_t *looks, unsigned depth)
{
	enum { MOST_DEPTH = 16 };
	if (!fn->has_body || depth > MOST_DEPTH)
		return true;
	for (uint32_t k = 0; k < fn->ninstrs; k++) {
		const struct ptx_instr *i = &fn->instrs[k];
		if (*looks > MOST_LOOKS)
			return true;
		++*looks;
		if (i->op == PTX_OP_call ? call_may_wait(i, looks, depth + 1)
		                         : i->op == PTX_OP_atom || waits_for_others(i))
			return true;
	}
	return false;
}

/* Whether or not a branch asks for the result. */
static bool always_polls(struct pass *p, const struct ptx_instr *i)
{
	if (i->op == PTX_OP_call)
		return call_may_wait(i, &p->nlooks, 0);
	return i->op == PTX_OP_atom;
}

static bool writes_memory(const struct ptx_instr *i)
{
	return i->op == PTX_OP_st || i->op == PTX_OP_atom || i->op == PTX_OP_red;
}

static bool leaves(const struct ptx_instr *i)
{
	return i->op == PTX_OP_ret || i->op == PTX_OP_exit;
}

/* ---- loops ---- */

static uint32_t outermost_loop(const struct pass *p, uint32_t block)
{
	uint32_t h = p->f->blocks[block]->loop;
	while (h != NO_BLOCK && p->f->blocks[h]->loop_parent != NO_BLOCK)
		h = p->f->blocks[h]->loop_parent;
	return h;
}

/* The innermost loop around both blocks. */
static uint32_t common_loop(const struct pass *p, uint32_t a, uint32_t b)
{
	uint32_t h = p->f->blocks[a]->loop;
	while (h != NO_BLOCK && !loop_contains(p->f, h, b))
		h = p->f->blocks[h]->loop_parent;
	return h;
}

static void note_tries(struct pass *p, uint32_t header)
{
	for (uint32_t h = header; h != NO_BLOCK && !p->tries[h]; h = p->f->blocks[h]->loop_parent)
		p->tries[h] = true;
}

/* ---- what a result decides ---- */

static void note_asked(void *self, uint32_t reg, uint32_t instr)
{
	struct pass *p = self;
	(void)instr;
	if (!p->asked[reg])
		p->ask[p->nask++] = reg;
	p->asked[reg] = true;
}

/* A register written behind the branch on some ways only. */
static void note_asked_if_many(void *self, uint32_t reg, uint32_t instr)
{
	const struct pass *p = self;
	if (p->of->writes[reg] > 1)
		note_asked(self, reg, instr);
}

/* Any load of the loops around may read what the loops store. */
static void note_stored(struct pass *p, uint32_t block)
{
	const uint32_t header = outermost_loop(p, block);
	if (p->stored)
		return;
	p->stored = true;
	for (uint32_t k = 0; k < p->fn->ninstrs; k++) {
		const struct ptx_instr *i = &p->fn->instrs[k];
		if ((i->op == PTX_OP_ld || i->op == PTX_OP_ldu) && !uniform_reads_constants(i) &&
		    loop_contains(p->f, header, p->of->s->block_of[k]))
			uniform_visit_results(p->fn, k, note_asked, p);
	}
}

/* Lanes pass the blocks of loop h by the branch's decision, or in each round: up the tree of post-dominators. */
static void ask_controlled(struct pass *p, uint32_t k, uint32_t h, uint32_t branch)
{
	const uint32_t number = ++p->nbranches;
	if (p->controlled[branch])
		return;
	p->controlled[branch] = true;
	if (p->nlooks > MOST_LOOKS) {
		p->polls[k] = true;
		return;
	}
	p->nlooks += p->fn->ninstrs;
	for (uint32_t b = branch; b != NO_BLOCK; b = p->f->blocks[b]->ipdom)
		p->always[b] = number;
	for (uint32_t i = 0; i < p->fn->ninstrs; i++) {
		const uint32_t b = p->of->s->block_of[i];
		if (p->always[b] == number || !loop_contains(p->f, h, b))
			continue;
		uniform_visit_results(p->fn, i, note_asked_if_many, p);
		if (writes_memory(&p->fn->instrs[i]))
			note_stored(p, p->of->s->block_of[k]);
	}
}

/* The result of instruction k decides the branch, or the return. */
static void note_decided(struct pass *p, uint32_t k, uint32_t branch)
{
	const struct mblock *b = p->f->blocks[p->of->s->block_of[branch]];
	const uint32_t h = common_loop(p, p->of->s->block_of[k], b->id);
	if (h == NO_BLOCK)
		return;
	note_tries(p, h);
	p->polls[k] |= leaves(&p->fn->instrs[branch]);
	for (unsigned n = 0; n < b->nsucc; n++)
		p->polls[k] |= !loop_contains(p->f, h, b->succ[n]);
	if (!p->of->compat)
		ask_controlled(p, k, h, b->id);
}

static void find_decided(struct pass *p, uint32_t k)
{
	p->stored = p->of->compat;
	memset(p->asked, false, p->fn->nregs);
	memset(p->controlled, false, p->f->nblocks);
	p->nask = 0;
	uniform_visit_results(p->fn, k, note_asked, p);
	while (p->nask)
		for (const struct uniform_user *u = p->of->users[p->ask[--p->nask]]; u; u = u->next) {
			const struct ptx_instr *user = &p->fn->instrs[u->instr];
			if (user->op == PTX_OP_bra || leaves(user))
				note_decided(p, k, u->instr);
			uniform_visit_results(p->fn, u->instr, note_asked, p);
			if (writes_memory(user))
				note_stored(p, p->of->s->block_of[k]);
		}
}

/* The results of many atomics are not followed, and taken to try. */
void polls_find(const struct polls_of *of, bool *tries, bool *polls)
{
	enum { MOST_FOLLOWED = 500 };
	unsigned followed = 0;
	struct pass p = {.of = of, .fn = of->fn, .f = &of->s->f, .tries = tries, .polls = polls};
	p.asked = arena_zalloc(of->arena, of->fn->nregs + 1);
	p.ask = arena_alloc(of->arena, (of->fn->nregs + 1) * sizeof *p.ask);
	p.controlled = arena_zalloc(of->arena, p.f->nblocks + 1);
	p.always = arena_zalloc(of->arena, (p.f->nblocks + 1) * sizeof *p.always);
	for (uint32_t k = 0; k < p.fn->ninstrs; k++) {
		const struct ptx_instr *i = &p.fn->instrs[k];
		const uint32_t h = p.f->blocks[of->s->block_of[k]]->loop;
		if (h == NO_BLOCK)
			continue;
		if (i->op == PTX_OP_atom && i->operation != PTX_M_cas && i->operation != PTX_M_exch &&
		    followed++ < MOST_FOLLOWED) {
			find_decided(&p, k);
		} else if (i->op == PTX_OP_atom || waits_for_others(i)) {
			note_tries(&p, h);
			polls[k] = always_polls(&p, i);
		}
	}
}

void polls_all(const struct ptx_function *fn, bool *polls)
{
	struct pass p = {.fn = fn};
	for (uint32_t k = 0; k < fn->ninstrs; k++)
		polls[k] = always_polls(&p, &fn->instrs[k]);
}

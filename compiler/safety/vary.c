// SPDX-License-Identifier: Apache-2.0
/* vary.c -- values and branches that differ between threads, over all functions of a module.
 *
 * Differences grow from nothing: a value differs by the operands, a join by the branch above both ways, a parameter
 * by the arguments of the calls. */
#include "analysis.h"

enum { MOST_THREADS = 1024 };

struct analysis *analysis_of(const struct module_analysis *m, const struct ptx_function *fn)
{
	for (uint32_t k = 0; fn && k < m->m->nfunctions; k++)
		if (m->fns[k].fn == fn || m->fns[k].fn->sym == fn->sym)
			return &m->fns[k];
	return NULL;
}

const struct ptx_function *called(const struct ptx_instr *i)
{
	if (i->op != PTX_OP_call || i->nops < 2 || i->ops[1].kind != PTX_O_SYMBOL ||
	    i->ops[1].sym->kind != PTX_SYM_FUNCTION)
		return NULL;
	return i->ops[1].sym->function;
}

static void grow(struct analysis *a, struct vary *to, const struct vary *from)
{
	a->changed |= vary_join(to, from);
}

/* ---- control ---- */

static void reach(const struct analysis *a, uint32_t from, uint32_t meet, bool *seen, uint32_t *stack)
{
	uint32_t n = 0;
	stack[n++] = from;
	while (n) {
		const uint32_t b = stack[--n];
		if (seen[b])
			continue;
		seen[b] = true;
		if (b == meet)
			continue;
		for (unsigned k = 0; k < a->s.f.blocks[b]->nsucc; k++)
			stack[n++] = a->s.f.blocks[b]->succ[k];
	}
}

/* Joins on both ways of the branch differ like the branch. */
static void part(struct analysis *a, uint32_t block)
{
	const struct mblock *b = a->s.f.blocks[block];
	const uint32_t n = a->s.f.nblocks;
	bool *one, *two;
	uint32_t *stack;
	struct vary v = a->branches[block];
	arena_reset(a->walk);
	one = arena_zalloc(a->walk, n + 1);
	two = arena_zalloc(a->walk, n + 1);
	stack = arena_alloc(a->walk, (3 * n + 3) * sizeof *stack);
	for (unsigned c = 0; c < CAUSES; c++)
		v.cause[c] = (struct cause){.kind = CAUSE_BRANCH, .from = block};
	reach(a, b->succ[0], b->ipdom, one, stack);
	reach(a, b->succ[1], b->ipdom, two, stack);
	for (uint32_t j = 0; j < n; j++)
		for (uint32_t p = one[j] && two[j] ? a->joins[j] : NO_BLOCK; p != NO_BLOCK; p = a->values[p].next_join)
			grow(a, &a->values[p].vary, &v);
}

static void look_at_branch(struct analysis *a, uint32_t block)
{
	const struct mblock *b = a->s.f.blocks[block];
	const uint32_t last = a->s.last[block] - 1;
	const struct ptx_instr *i;
	struct vary v;
	if (b->nsucc != 2)
		return;
	i = &a->fn->instrs[last];
	v = register_vary(a, i->guard, last);
	if (vary_join(&a->branches[block], &v)) {
		a->changed = true;
		part(a, block);
	}
}

/* ---- calls ---- */

static struct vary *variable(struct analysis *a, const struct ptx_operand *o)
{
	if (o->kind == PTX_O_SYMBOL || (o->kind == PTX_O_ADDR && o->base_kind == PTX_BASE_SYMBOL))
		for (uint32_t k = 0; k < a->fn->nvars; k++)
			if (o->sym->kind == PTX_SYM_VAR && a->fn->vars[k] == o->sym->var)
				return &a->vars[k];
	return NULL;
}

static struct vary *result(struct analysis *a, const struct ptx_operand *o)
{
	for (uint32_t k = 0; o->base_kind == PTX_BASE_SYMBOL && k < a->fn->nrets; k++)
		if (o->sym->kind == PTX_SYM_VAR && a->fn->rets[k] == o->sym->var)
			return &a->rets[k];
	return NULL;
}

static void look_at_store(struct analysis *a, const struct ptx_instr *i, uint32_t instr)
{
	struct vary *to = variable(a, &i->ops[0]), v = operand_vary(a, &i->ops[1], instr);
	if (!to && i->ops[0].kind == PTX_O_ADDR)
		to = result(a, &i->ops[0]);
	if (to)
		grow(a, to, &v);
}

static void pass(struct analysis *a, struct analysis *to, const struct ptx_operand *args, uint32_t instr)
{
	for (unsigned k = 0; k < args->count && k < to->fn->nparams; k++) {
		const struct vary *var = variable(a, &args->list[k]);
		struct vary v = var ? *var : operand_vary(a, &args->list[k], instr);
		for (unsigned c = 0; c < CAUSES; c++)
			v.cause[c] = (struct cause){.kind = CAUSE_CALL, .from = instr, .caller = a};
		if (vary_join(&to->params[k], &v))
			to->changed = a->changed = true;
	}
}

static void look_at_call(struct module_analysis *m, struct analysis *a, const struct ptx_instr *i, uint32_t instr)
{
	struct analysis *to = analysis_of(m, called(i));
	if (!to || !to->looked_into || i->nops < 3)
		return;
	if (i->ops[2].kind == PTX_O_LIST)
		pass(a, to, &i->ops[2], instr);
	for (unsigned k = 0; i->ops[0].kind == PTX_O_LIST && k < i->ops[0].count && k < to->fn->nrets; k++) {
		struct vary *var = variable(a, &i->ops[0].list[k]), v = to->rets[k];
		for (unsigned c = 0; c < CAUSES; c++)
			v.cause[c].kind = CAUSE_SOURCE;
		if (var)
			grow(a, var, &v);
	}
}

/* ---- values ---- */

static void look_at_def(struct analysis *a, struct value *v)
{
	const struct ptx_instr *i = &a->fn->instrs[v->instr];
	const struct ptx_operand *o = &i->ops[0];
	const bool second =
	        o->kind == PTX_O_PAIR && o->count > 1 && o->list[1].kind == PTX_O_REG && o->list[1].reg == v->reg;
	struct vary x = transfer(a, v->instr, second);
	grow(a, &v->vary, &x);
	if (i->guard != PTX_NONE) {
		const uint32_t old = value_before(a, v->reg, v->instr);
		const struct vary guard = register_vary(a, i->guard, v->instr);
		if (old != NO_BLOCK && old != (uint32_t)(v - a->values)) {
			struct vary before = register_vary(a, v->reg, v->instr);
			grow(a, &v->vary, &before);
			grow(a, &v->vary, &guard);
		}
	}
}

static void look_at_join(struct analysis *a, struct value *v)
{
	const struct mblock *b = a->s.f.blocks[v->block];
	for (uint32_t k = 0; k < b->npred; k++)
		if (v->arg[k] != NO_BLOCK) {
			struct vary x = a->values[v->arg[k]].vary;
			for (unsigned c = 0; c < CAUSES; c++)
				x.cause[c] = (struct cause){.kind = CAUSE_VALUE, .from = v->arg[k]};
			grow(a, &v->vary, &x);
		}
}

/* True: some difference grew. */
static bool look_at_function(struct module_analysis *m, struct analysis *a)
{
	unsigned rounds = 0;
	for (a->changed = true; a->changed; rounds++) {
		a->changed = false;
		for (uint32_t i = 0; i < a->fn->ninstrs; i++)
			if (a->fn->instrs[i].op == PTX_OP_st)
				look_at_store(a, &a->fn->instrs[i], i);
			else if (a->fn->instrs[i].op == PTX_OP_call)
				look_at_call(m, a, &a->fn->instrs[i], i);
		for (uint32_t v = 0; v < a->ndefs; v++)
			look_at_def(a, &a->values[v]);
		for (uint32_t v = a->ndefs; v < a->nvalues; v++)
			look_at_join(a, &a->values[v]);
		for (uint32_t i = 0; i < a->s.f.nrpo; i++)
			look_at_branch(a, a->s.f.rpo[i]);
	}
	return rounds > 1;
}

static void know_threads(struct analysis *a)
{
	const struct ptx_function *fn = a->fn;
	const uint32_t *n = fn->reqntid[0] ? fn->reqntid : fn->maxntid;
	uint64_t all = 1;
	a->max_threads = MOST_THREADS;
	if (!fn->is_entry || !n[0])
		return;
	for (unsigned k = 0; k < 3; k++)
		all *= n[k] ? n[k] : 1;
	a->exact = fn->reqntid[0] != 0;
	a->flat = n[1] <= 1 && n[2] <= 1;
	a->ntid_x = n[0];
	if (all < MOST_THREADS)
		a->max_threads = (uint32_t)all;
}

void analysis_vary(struct module_analysis *m)
{
	bool changed = true;
	for (uint32_t k = 0; k < m->m->nfunctions; k++) {
		struct analysis *a = &m->fns[k];
		*a = (struct analysis){
		        .arena = &m->arena, .walk = &m->walk, .path = &m->path, .fn = m->m->functions[k]};
		a->params = arena_zalloc(a->arena, (a->fn->nparams + 1) * sizeof *a->params);
		a->rets = arena_zalloc(a->arena, (a->fn->nrets + 1) * sizeof *a->rets);
		a->vars = arena_zalloc(a->arena, (a->fn->nvars + 1) * sizeof *a->vars);
		know_threads(a);
		a->looked_into = a->fn->has_body && skeleton_make(a->arena, a->fn, &a->s);
		if (!a->looked_into)
			continue;
		a->branches = arena_zalloc(a->arena, (a->s.f.nblocks + 1) * sizeof *a->branches);
		analysis_values(a);
		analysis_facts(a);
	}
	/* Facts travel between callers and callees in some rounds. Fewer rounds lose a warning. */
	for (unsigned round = 0; changed && round < 8; round++) {
		changed = false;
		for (uint32_t k = 0; k < m->m->nfunctions; k++)
			changed |= m->fns[k].looked_into && look_at_function(m, &m->fns[k]);
	}
}

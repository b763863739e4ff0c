// SPDX-License-Identifier: Apache-2.0
#include "conditions.h"

#include <string.h>

enum { MAX_DEPTH = 5 };

static bool same_value(const struct analysis *a, uint32_t x, uint32_t y, unsigned depth);

static bool same_operand(const struct analysis *a, const struct ptx_operand *p, uint32_t at_p,
                         const struct ptx_operand *q, uint32_t at_q, unsigned depth)
{
	if (p->kind != q->kind || p->negated != q->negated)
		return false;
	switch (p->kind) {
	case PTX_O_INT:
		return p->imm == q->imm;
	case PTX_O_SREG:
		return p->sreg == q->sreg && p->comp == q->comp;
	case PTX_O_REG:
		return same_value(a, value_before(a, p->reg, at_p), value_before(a, q->reg, at_q), depth);
	case PTX_O_ADDR:
		return p->base_kind == PTX_BASE_SYMBOL && q->base_kind == PTX_BASE_SYMBOL && p->sym == q->sym &&
		       p->off == q->off;
	default:
		return false;
	}
}

/* Executed twice with equal operands, the instruction gives equal results. */
static bool is_pure(const struct ptx_instr *i)
{
	switch (i->op) {
	case PTX_OP_setp:
	case PTX_OP_mov:
	case PTX_OP_cvt:
	case PTX_OP_and:
	case PTX_OP_or:
	case PTX_OP_xor:
	case PTX_OP_not:
	case PTX_OP_add:
	case PTX_OP_sub:
	case PTX_OP_shl:
	case PTX_OP_shr:
	case PTX_OP_mad:
		return true;
	case PTX_OP_ld:
		return i->nspaces && (i->space[0] == PTX_SP_param || i->space[0] == PTX_SP_const);
	default:
		return false;
	}
}

static bool same_value(const struct analysis *a, uint32_t x, uint32_t y, unsigned depth)
{
	const struct value *v, *w;
	const struct ptx_instr *i, *j;
	if (x == y)
		return x != NO_BLOCK;
	if (x == NO_BLOCK || y == NO_BLOCK || depth == MAX_DEPTH)
		return false;
	v = &a->values[x];
	w = &a->values[y];
	if (v->instr == PTX_NONE || w->instr == PTX_NONE)
		return false;
	i = &a->fn->instrs[v->instr];
	j = &a->fn->instrs[w->instr];
	if (i->op != j->op || i->nops != j->nops || i->cmp != j->cmp || i->guard != PTX_NONE || j->guard != PTX_NONE ||
	    i->nmods != j->nmods || memcmp(i->mods, j->mods, i->nmods * sizeof *i->mods) != 0 || !is_pure(i))
		return false;
	for (unsigned k = 1; k < i->nops; k++)
		if (!same_operand(a, &i->ops[k], v->instr, &j->ops[k], w->instr, depth + 1))
			return false;
	return true;
}

static void add(const struct analysis *a, struct conditions *to, uint32_t guard, uint32_t instr, bool holds)
{
	const uint32_t v = value_before(a, guard, instr);
	if (v != NO_BLOCK && to->n < MAX_CONDITIONS)
		to->list[to->n++] = (struct condition){v, holds, a->values[v].vary};
}

void conditions_of(const struct analysis *a, uint32_t instr, struct conditions *to)
{
	const struct mfunc *f = &a->s.f;
	const struct ptx_instr *i = &a->fn->instrs[instr];
	const uint32_t home = a->s.block_of[instr];
	if (i->guard != PTX_NONE && i->op != PTX_OP_bra)
		add(a, to, i->guard, instr, !i->guard_negated);
	for (uint32_t b = f->blocks[home]->idom; b != NO_BLOCK; b = f->blocks[b]->idom) {
		const struct mblock *m = f->blocks[b];
		const uint32_t last = a->s.last[b] - 1;
		if (m->nsucc != 2)
			continue;
		for (unsigned k = 0; k < 2; k++)
			if (f->blocks[m->succ[k]]->npred == 1 && block_dominates(f, m->succ[k], home))
				add(a, to, a->fn->instrs[last].guard, last,
				    (k == 1) != a->fn->instrs[last].guard_negated);
	}
}

int condition_known(const struct analysis *a, const struct conditions *c, uint32_t value)
{
	for (unsigned k = 0; k < c->n; k++)
		if (same_value(a, c->list[k].value, value, 0))
			return c->list[k].holds;
	return -1;
}

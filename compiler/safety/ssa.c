// SPDX-License-Identifier: Apache-2.0
/* ssa.c -- values of registers: definitions, and joins where definitions meet. */
#include <string.h>

#include "../ptx/forms.h"
#include "analysis.h"

/* Results come first among the operands of every form. */
bool operand_is_result(const struct ptx_instr *i, unsigned k)
{
	const struct ptx_op_forms *forms = ptx_forms_of(i->op);
	if (i->op == PTX_OP_call)
		return k == 0;
	for (unsigned f = 0; f < forms->nforms; f++)
		if (forms->form[f].row == i->form)
			return k < forms->form[f].nargs && forms->form[f].arg[k].role == ROLE_DEST;
	return false;
}

void visit_leaves(const struct ptx_operand *o, void *self, operand_visit visit)
{
	if (o->kind != PTX_O_VECTOR && o->kind != PTX_O_PAIR && o->kind != PTX_O_LIST && o->kind != PTX_O_PARTS) {
		visit(self, o);
		return;
	}
	for (unsigned k = 0; k < o->count; k++)
		visit_leaves(&o->list[k], self, visit);
}

struct defs {
	struct analysis *a;
	uint32_t instr;
	uint32_t *fill; /* by register: place of the next value; NULL: count */
};

static void note_def(void *self, const struct ptx_operand *o)
{
	struct defs *d = self;
	struct analysis *a = d->a;
	if (o->kind != PTX_O_REG)
		return;
	if (!d->fill) {
		a->def[o->reg + 1]++;
		return;
	}
	a->values[d->fill[o->reg]++] =
	        (struct value){.reg = o->reg, .block = a->s.block_of[d->instr], .instr = d->instr};
}

static void each_def(struct defs *d)
{
	const struct ptx_function *fn = d->a->fn;
	for (d->instr = 0; d->instr < fn->ninstrs; d->instr++)
		for (unsigned k = 0; k < fn->instrs[d->instr].nops; k++)
			if (operand_is_result(&fn->instrs[d->instr], k))
				visit_leaves(&fn->instrs[d->instr].ops[k], d, note_def);
}

static void find_defs(struct analysis *a)
{
	const uint32_t nregs = a->fn->nregs;
	struct defs d = {.a = a};
	a->def = arena_zalloc(a->arena, (nregs + 2) * sizeof *a->def);
	each_def(&d);
	for (uint32_t r = 0; r < nregs; r++)
		a->def[r + 1] += a->def[r];
	a->ndefs = a->nvalues = a->def[nregs];
	a->values = arena_zalloc(a->arena, (a->ndefs + 1) * sizeof *a->values);
	d.fill = arena_alloc(a->arena, (nregs + 1) * sizeof *d.fill);
	memcpy(d.fill, a->def, (nregs + 1) * sizeof *d.fill);
	each_def(&d);
}

static uint32_t join_at(const struct analysis *a, uint32_t block, uint32_t reg)
{
	uint32_t v = a->joins[block];
	while (v != NO_BLOCK && a->values[v].reg != reg)
		v = a->values[v].next_join;
	return v;
}

/* The last value of the register defined before instruction `end`; NO_BLOCK: none. */
static uint32_t last_def(const struct analysis *a, uint32_t reg, uint32_t end)
{
	uint32_t low = a->def[reg], high = a->def[reg + 1];
	while (low < high) {
		const uint32_t mid = low + (high - low) / 2;
		if (a->values[mid].instr < end)
			low = mid + 1;
		else
			high = mid;
	}
	return low > a->def[reg] ? low - 1 : NO_BLOCK;
}

static uint32_t value_in(const struct analysis *a, uint32_t reg, uint32_t block, uint32_t before)
{
	for (; block != NO_BLOCK; block = a->s.f.blocks[block]->idom) {
		const uint32_t v = last_def(a, reg, before == PTX_NONE ? a->s.last[block] : before);
		uint32_t join;
		if (v != NO_BLOCK && a->values[v].block == block)
			return v;
		join = join_at(a, block, reg);
		if (join != NO_BLOCK)
			return join;
		before = PTX_NONE;
	}
	return NO_BLOCK;
}

uint32_t value_before(const struct analysis *a, uint32_t reg, uint32_t instr)
{
	const uint32_t n = a->def[reg + 1] - a->def[reg];
	if (n <= 1)
		return n ? a->def[reg] : NO_BLOCK;
	return value_in(a, reg, a->s.block_of[instr], instr);
}

/* ---- joins ---- */

struct edge {
	uint32_t block;
	struct edge *next;
};

/* The dominance frontier of each block. */
static struct edge **frontiers(const struct analysis *a)
{
	const struct mfunc *f = &a->s.f;
	struct edge **df = arena_zalloc(a->arena, (f->nblocks + 1) * sizeof *df);
	for (uint32_t i = 0; i < f->nrpo; i++) {
		const struct mblock *b = f->blocks[f->rpo[i]];
		if (b->npred < 2)
			continue;
		for (uint32_t k = 0; k < b->npred; k++)
			for (uint32_t up = b->pred[k]; up != b->idom && up != NO_BLOCK; up = f->blocks[up]->idom) {
				struct edge *e;
				if (df[up] && df[up]->block == b->id)
					continue;
				e = arena_alloc(a->arena, sizeof *e);
				*e = (struct edge){b->id, df[up]};
				df[up] = e;
			}
	}
	return df;
}

static void add_join(struct analysis *a, uint32_t *room, uint32_t reg, uint32_t block)
{
	if (a->nvalues >= *room) {
		*room = 2 * *room + 64;
		a->values = arena_grow(a->arena, a->values, a->nvalues * sizeof *a->values, *room * sizeof *a->values);
	}
	a->values[a->nvalues] =
	        (struct value){.reg = reg, .block = block, .instr = PTX_NONE, .next_join = a->joins[block]};
	a->joins[block] = a->nvalues++;
}

static void place_joins(struct analysis *a, struct edge *const *df, uint32_t reg, uint32_t *work, uint32_t *room)
{
	uint32_t n = 0;
	for (uint32_t v = a->def[reg]; v < a->def[reg + 1]; v++)
		work[n++] = a->values[v].block;
	while (n) {
		const uint32_t b = work[--n];
		for (const struct edge *e = df[b]; e; e = e->next)
			if (join_at(a, e->block, reg) == NO_BLOCK) {
				add_join(a, room, reg, e->block);
				work[n++] = e->block;
			}
	}
}

void analysis_values(struct analysis *a)
{
	const struct mfunc *f = &a->s.f;
	uint32_t room, *work;
	struct edge **df;
	find_defs(a);
	room = a->ndefs;
	a->joins = arena_alloc(a->arena, (f->nblocks + 1) * sizeof *a->joins);
	for (uint32_t b = 0; b < f->nblocks; b++)
		a->joins[b] = NO_BLOCK;
	df = frontiers(a);
	work = arena_alloc(a->arena, (a->ndefs + f->nblocks + 1) * sizeof *work);
	for (uint32_t r = 0; r < a->fn->nregs; r++)
		if (a->def[r + 1] - a->def[r] > 1)
			place_joins(a, df, r, work, &room);
	for (uint32_t v = a->ndefs; v < a->nvalues; v++) {
		const struct mblock *b = f->blocks[a->values[v].block];
		a->values[v].arg = arena_alloc(a->arena, (b->npred + 1) * sizeof(uint32_t));
		for (uint32_t k = 0; k < b->npred; k++)
			a->values[v].arg[k] = value_in(a, a->values[v].reg, b->pred[k], PTX_NONE);
	}
}

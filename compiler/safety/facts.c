// SPDX-License-Identifier: Apache-2.0
/* facts.c -- values known without running: constants, thread numbers plus constants, addresses of variables. */
#include <string.h>

#include "analysis.h"

enum { WARP = 32, WARP_SHIFT = 5 };

static const struct fact any = {.kind = FACT_ANY};

static struct fact constant(int64_t c)
{
	return (struct fact){.kind = FACT_CONST, .off = c};
}

/* Unsized variables of shared memory all start at the same address. */
static struct fact address_of(const struct analysis *a, const struct ptx_symbol *sym, int64_t off)
{
	const struct ptx_var *v = sym->kind == PTX_SYM_VAR ? sym->var : NULL;
	(void)a;
	if (!v || v->space == PTX_SP_param)
		return any;
	if (v->unsized && (v->space == PTX_SP_shared || v->space == PTX_SP_shared_cta)) {
		static const struct ptx_var dynamic = {.name = "dynamic shared memory"};
		v = &dynamic;
	}
	return (struct fact){.kind = FACT_SYM, .var = v, .off = off};
}

static struct fact special(const struct analysis *a, const struct ptx_operand *o)
{
	if (o->sreg == PTX_SR_tid && o->comp == 0)
		return (struct fact){.kind = FACT_TID};
	if (o->sreg == PTX_SR_laneid)
		return (struct fact){.kind = FACT_LANE};
	if (o->sreg == PTX_SR_warpid)
		return (struct fact){.kind = FACT_WARP};
	if (o->sreg == PTX_SR_ntid && a->exact && o->comp == 0)
		return constant(a->ntid_x);
	return any;
}

struct fact operand_fact(const struct analysis *a, const struct ptx_operand *o, uint32_t instr)
{
	struct fact f = any;
	uint32_t v;
	switch (o->kind) {
	case PTX_O_INT:
		return constant(o->imm);
	case PTX_O_SREG:
		return special(a, o);
	case PTX_O_SYMBOL:
		return address_of(a, o->sym, o->off);
	case PTX_O_ADDR:
		if (o->base_kind == PTX_BASE_SYMBOL)
			return address_of(a, o->sym, o->off);
		if (o->base_kind == PTX_BASE_IMM)
			return any;
		v = value_before(a, o->reg, instr);
		f = v == NO_BLOCK ? any : a->values[v].fact;
		if (f.kind != FACT_IN && f.kind != FACT_ANY && f.kind != FACT_TOP)
			f.off += o->off;
		return f;
	case PTX_O_REG:
		v = value_before(a, o->reg, instr);
		return v == NO_BLOCK || o->negated ? any : a->values[v].fact;
	default:
		return any;
	}
}

static bool is_address(const struct fact *f)
{
	return f->kind == FACT_SYM || f->kind == FACT_IN;
}

static struct fact within(struct fact f)
{
	return is_address(&f) ? (struct fact){.kind = FACT_IN, .var = f.var} : any;
}

static struct fact merged(struct fact x, struct fact y)
{
	if (x.kind == FACT_TOP)
		return y;
	if (y.kind == FACT_TOP || (x.kind == y.kind && x.var == y.var && x.off == y.off))
		return x;
	return is_address(&x) && is_address(&y) && x.var == y.var ? within(x) : any;
}

static struct fact sum(struct fact x, struct fact y, int sign)
{
	if (x.kind == FACT_TOP || y.kind == FACT_TOP)
		return (struct fact){.kind = FACT_TOP};
	if (x.kind == FACT_CONST && sign > 0) {
		const struct fact t = x;
		x = y;
		y = t;
	}
	if (y.kind == FACT_CONST && x.kind != FACT_ANY && x.kind != FACT_IN) {
		x.off += sign * y.off;
		return x;
	}
	if (is_address(&x) != is_address(&y))
		return within(is_address(&x) ? x : y);
	return any;
}

static struct fact shifted_right(struct fact x, struct fact by)
{
	if (x.kind == FACT_TID && x.off == 0 && by.kind == FACT_CONST && by.off == WARP_SHIFT)
		return (struct fact){.kind = FACT_WARP};
	return x.kind == FACT_CONST && by.kind == FACT_CONST && x.off >= 0 && by.off >= 0 && by.off < 63
	               ? constant(x.off >> by.off)
	               : any;
}

static struct fact masked(struct fact x, struct fact m)
{
	if (x.kind == FACT_CONST && m.kind == FACT_CONST)
		return constant(x.off & m.off);
	if (x.kind == FACT_TID && x.off == 0 && m.kind == FACT_CONST && m.off == WARP - 1)
		return (struct fact){.kind = FACT_LANE};
	return is_address(&x) ? within(x) : is_address(&m) ? within(m) : any;
}

static struct fact product(struct fact x, struct fact y)
{
	if (x.kind == FACT_CONST && y.kind == FACT_CONST && x.off >= 0 && y.off >= 0 && x.off < (1 << 20) &&
	    y.off < (1 << 20))
		return constant(x.off * y.off);
	return x.kind == FACT_CONST && x.off == 0 ? x : y.kind == FACT_CONST && y.off == 0 ? y : any;
}

static bool is_top(const struct fact *f, unsigned n)
{
	for (unsigned k = 0; k < n; k++)
		if (f[k].kind == FACT_TOP)
			return true;
	return false;
}

static struct fact combined(const struct ptx_instr *i, const struct fact *x)
{
	switch (i->op) {
	case PTX_OP_mov:
	case PTX_OP_cvta:
		return x[0];
	case PTX_OP_cvt:
		return i->ntypes == 2 && ptx_types[i->type[0]].bytes >= 4 && ptx_types[i->type[1]].bytes >= 4 &&
		                       ptx_types[i->type[0]].cls != PTX_CLASS_FLOAT &&
		                       ptx_types[i->type[1]].cls != PTX_CLASS_FLOAT
		               ? x[0]
		               : any;
	case PTX_OP_add:
		return sum(x[0], x[1], 1);
	case PTX_OP_sub:
		return sum(x[0], x[1], -1);
	case PTX_OP_mad:
		return sum(product(x[0], x[1]), x[2], 1);
	case PTX_OP_mul:
		return product(x[0], x[1]);
	case PTX_OP_shl:
		return x[1].kind == FACT_CONST && x[1].off >= 0 && x[1].off < 20
		               ? product(x[0], constant(INT64_C(1) << x[1].off))
		               : any;
	case PTX_OP_shr:
		return shifted_right(x[0], x[1]);
	case PTX_OP_div:
		return x[1].kind == FACT_CONST && x[1].off == WARP ? shifted_right(x[0], constant(WARP_SHIFT)) : any;
	case PTX_OP_rem:
		return x[1].kind == FACT_CONST && x[1].off == WARP ? masked(x[0], constant(WARP - 1)) : any;
	case PTX_OP_and:
		return x[0].kind == FACT_CONST ? masked(x[1], x[0]) : masked(x[0], x[1]);
	case PTX_OP_or:
	case PTX_OP_xor:
		return is_address(&x[0]) ? within(x[0]) : within(x[1]);
	case PTX_OP_selp:
		return merged(x[0], x[1]);
	case PTX_OP_shfl: /* all lanes hold a value that differs between warps alone */
		return x[0].kind == FACT_WARP ? x[0] : any;
	default:
		return any;
	}
}

static struct fact def_fact(const struct analysis *a, const struct value *v)
{
	const struct ptx_instr *i = &a->fn->instrs[v->instr];
	struct fact x[3] = {any, any, any}, f;
	unsigned n = 0;
	if (i->op == PTX_OP_call || ptx_types[a->fn->regs[v->reg].type].bits < 32)
		return any;
	for (unsigned k = 1; k < i->nops && n < 3; k++)
		x[n++] = operand_fact(a, &i->ops[k], v->instr);
	f = is_top(x, n) ? (struct fact){.kind = FACT_TOP} : combined(i, x);
	if (i->guard != PTX_NONE) {
		const uint32_t old = value_before(a, v->reg, v->instr);
		f = merged(f, old == NO_BLOCK ? any : a->values[old].fact);
	}
	return f;
}

static struct fact join_fact(const struct analysis *a, const struct value *v)
{
	const struct mblock *b = a->s.f.blocks[v->block];
	struct fact f = {.kind = FACT_TOP};
	for (uint32_t k = 0; k < b->npred; k++)
		if (v->arg[k] != NO_BLOCK)
			f = merged(f, a->values[v->arg[k]].fact);
	return f;
}

/* Facts only fall: a value that changes more than the two steps of the order has no fact. */
static bool put(struct value *v, struct fact f)
{
	f = merged(v->fact, f);
	if (memcmp(&f.kind, &v->fact.kind, sizeof f.kind) == 0 && f.var == v->fact.var && f.off == v->fact.off)
		return false;
	v->fact = f;
	return true;
}

void analysis_facts(struct analysis *a)
{
	bool changed = true;
	while (changed) {
		changed = false;
		for (uint32_t v = a->ndefs; v < a->nvalues; v++)
			changed |= put(&a->values[v], join_fact(a, &a->values[v]));
		for (uint32_t v = 0; v < a->ndefs; v++)
			changed |= put(&a->values[v], def_fact(a, &a->values[v]));
	}
}

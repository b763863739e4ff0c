// SPDX-License-Identifier: Apache-2.0
/* transfer.c -- differences of the results of an instruction between threads. */
#include "analysis.h"

enum { WARP = 32, ALL = VARY_THREADS | VARY_CTA | VARY_SPLIT };

struct vary vary_less(struct vary v, unsigned bits)
{
	v.bits &= (uint8_t)~bits;
	if (!(v.bits & (VARY_THREADS | VARY_CTA)))
		v.bits &= VARY_UNKNOWN;
	return v;
}

bool vary_join(struct vary *to, const struct vary *from)
{
	const uint8_t fresh = from->bits & (uint8_t)~to->bits;
	for (unsigned c = 0; c < CAUSES; c++)
		if (fresh >> c & 1)
			to->cause[c] = from->cause[c];
	to->bits |= fresh;
	return fresh != 0;
}

static struct vary source(unsigned bits)
{
	const struct cause c = {.kind = CAUSE_SOURCE};
	return (struct vary){.bits = (uint8_t)bits, .cause = {c, c, c}};
}

/* The same difference, through another cause. */
static struct vary by(struct vary v, enum cause_kind kind, uint32_t from)
{
	for (unsigned c = 0; c < CAUSES; c++)
		v.cause[c] = (struct cause){.kind = (uint8_t)kind, .from = from};
	return v;
}

static struct vary of_thread(const struct analysis *a, unsigned comp)
{
	if (comp == 0 && a->max_threads <= WARP)
		return source(VARY_LANE | VARY_SPLIT);
	if (comp == 0)
		return source(VARY_LANE | VARY_WARP | VARY_SPLIT);
	if (a->flat)
		return source(0);
	return source(VARY_WARP);
}

static struct vary of_special(const struct analysis *a, const struct ptx_operand *o)
{
	switch (o->sreg) {
	case PTX_SR_tid:
		return of_thread(a, o->comp == PTX_COMP_ALL ? 0 : o->comp);
	case PTX_SR_laneid:
	case PTX_SR_lanemask_eq:
	case PTX_SR_lanemask_le:
	case PTX_SR_lanemask_lt:
	case PTX_SR_lanemask_ge:
	case PTX_SR_lanemask_gt:
		return source(VARY_LANE | VARY_SPLIT);
	case PTX_SR_warpid:
		return source(a->max_threads <= WARP ? 0 : VARY_WARP);
	case PTX_SR_cluster_ctaid:
	case PTX_SR_cluster_ctarank:
		return source(VARY_CTA);
	case PTX_SR_ctaid:
	case PTX_SR_ntid:
	case PTX_SR_nctaid:
	case PTX_SR_cluster_nctaid:
	case PTX_SR_cluster_nctarank:
	case PTX_SR_gridid:
	case PTX_SR_clusterid:
	case PTX_SR_nclusterid:
		return source(0);
	default:
		return source(VARY_UNKNOWN);
	}
}

struct vary register_vary(const struct analysis *a, uint32_t reg, uint32_t instr)
{
	const uint32_t v = value_before(a, reg, instr);
	return v == NO_BLOCK ? source(0) : by(a->values[v].vary, CAUSE_VALUE, v);
}

static struct vary of_variable(const struct analysis *a, const struct ptx_operand *o)
{
	const struct ptx_var *var = o->sym->kind == PTX_SYM_VAR ? o->sym->var : NULL;
	for (uint32_t k = 0; var && k < a->fn->nparams; k++)
		if (a->fn->params[k] == var)
			return by(a->params[k], CAUSE_PARAM, k);
	for (uint32_t k = 0; var && k < a->fn->nvars; k++)
		if (a->fn->vars[k] == var)
			return by(a->vars[k], CAUSE_VAR, k);
	return source(0);
}

struct vary operand_vary(const struct analysis *a, const struct ptx_operand *o, uint32_t instr)
{
	struct vary v = source(0);
	switch (o->kind) {
	case PTX_O_SREG:
		return of_special(a, o);
	case PTX_O_REG:
		return register_vary(a, o->reg, instr);
	case PTX_O_ADDR:
		return o->base_kind == PTX_BASE_REG ? register_vary(a, o->reg, instr) : v;
	case PTX_O_VECTOR:
	case PTX_O_PAIR:
	case PTX_O_LIST:
	case PTX_O_PARTS:
		for (unsigned k = 0; k < o->count; k++) {
			const struct vary one = operand_vary(a, &o->list[k], instr);
			vary_join(&v, &one);
		}
		return v;
	default:
		return v;
	}
}

static struct vary of_sources(const struct analysis *a, const struct ptx_instr *i, uint32_t instr)
{
	struct vary v = source(0);
	for (unsigned k = 1; k < i->nops; k++) {
		const struct vary one = operand_vary(a, &i->ops[k], instr);
		vary_join(&v, &one);
	}
	return v;
}

static struct vary loaded(const struct analysis *a, const struct ptx_instr *i, uint32_t instr)
{
	const unsigned space = i->nspaces ? i->space[0] : PTX_SP_none;
	const struct ptx_operand *at = &i->ops[1];
	struct vary v = operand_vary(a, at, instr);
	if (space == PTX_SP_const)
		return v;
	if (at->kind == PTX_O_ADDR && at->base_kind == PTX_BASE_SYMBOL &&
	    (space == PTX_SP_param || space == PTX_SP_param_entry || space == PTX_SP_param_func))
		return of_variable(a, at);
	v = vary_less(v, VARY_SPLIT | VARY_CTA);
	v.bits |= VARY_UNKNOWN;
	return v;
}

static bool known(const struct fact *f, int64_t *c)
{
	*c = f->off;
	return f->kind == FACT_CONST;
}

/* Differences of a comparison of thread number `x` with a literal. right: the number is the right operand. */
static unsigned parted(const struct analysis *a, const struct ptx_instr *i, struct fact x, int64_t c, bool right)
{
	const bool equal = i->cmp == PTX_M_eq || i->cmp == PTX_M_ne;
	const int64_t most = x.kind == FACT_TID ? a->max_threads : x.kind == FACT_LANE ? WARP : a->max_threads / WARP;
	const bool above = i->cmp == PTX_M_le || i->cmp == PTX_M_gt || i->cmp == PTX_M_ls || i->cmp == PTX_M_hi;
	const int64_t bound = c - x.off + (!equal && above != right);
	if (equal ? bound < 0 || bound >= most || most == 1 : bound <= 0 || bound >= most)
		return 0;
	if (x.kind == FACT_WARP)
		return VARY_WARP;
	if (x.kind == FACT_LANE)
		return VARY_LANE | VARY_SPLIT;
	if (!equal && bound % WARP == 0)
		return VARY_WARP;
	return VARY_THREADS | VARY_SPLIT;
}

static struct vary compared(const struct analysis *a, const struct ptx_instr *i, uint32_t instr)
{
	struct fact x = operand_fact(a, &i->ops[1], instr), y = operand_fact(a, &i->ops[2], instr);
	const struct vary vx = operand_vary(a, &i->ops[1], instr), vy = operand_vary(a, &i->ops[2], instr);
	struct vary v = of_sources(a, i, instr);
	int64_t c;
	const bool right = known(&x, &c);
	if (right) {
		const struct fact t = x;
		x = y;
		y = t;
	} else if (!known(&y, &c)) {
		const bool one = !(vx.bits & VARY_THREADS) || !(vy.bits & VARY_THREADS);
		return one ? vary_less(v, VARY_SPLIT) : v;
	}
	if (x.kind == FACT_CONST)
		return vary_less(v, ALL);
	if (i->nops > 3)
		return v;
	if (x.kind == FACT_TID || x.kind == FACT_LANE || x.kind == FACT_WARP)
		v = vary_less(v, ALL & ~parted(a, i, x, c, right));
	return v;
}

/* The part of the thread number's difference left after an operation with a constant. */
static struct vary cut(const struct analysis *a, const struct ptx_instr *i, uint32_t instr, struct vary v)
{
	const struct fact y = operand_fact(a, &i->ops[2], instr);
	int64_t c;
	if (i->op == PTX_OP_and) {
		if (!known(&y, &c))
			return v;
		if ((c & (WARP - 1)) == 0)
			v = vary_less(v, VARY_LANE | VARY_SPLIT);
		return c >= 0 && c < WARP ? vary_less(v, VARY_WARP) : v;
	}
	v = vary_less(v, i->op == PTX_OP_rem ? 0 : VARY_SPLIT);
	if (!known(&y, &c) || c <= 0)
		return i->op == PTX_OP_rem ? vary_less(v, VARY_SPLIT) : v;
	if (i->op == PTX_OP_shr)
		return c >= 10 ? vary_less(v, ALL) : c >= 5 ? vary_less(v, VARY_LANE) : v;
	if (i->op == PTX_OP_div)
		return c % WARP == 0 ? vary_less(v, VARY_LANE) : v;
	return WARP % c == 0 ? vary_less(v, VARY_WARP) : v;
}

static struct vary shuffled(const struct analysis *a, const struct ptx_instr *i, uint32_t instr)
{
	const struct vary v = operand_vary(a, &i->ops[1], instr), from = operand_vary(a, &i->ops[2], instr);
	if (i->mode == PTX_M_idx && !(from.bits & VARY_THREADS))
		return vary_less(v, VARY_LANE | VARY_SPLIT);
	return vary_less(v, VARY_SPLIT);
}

struct vary transfer(const struct analysis *a, uint32_t instr, unsigned result)
{
	const struct ptx_instr *i = &a->fn->instrs[instr];
	const struct vary v = of_sources(a, i, instr);
	switch (i->op) {
	case PTX_OP_ld:
	case PTX_OP_ldu:
		return loaded(a, i, instr);
	case PTX_OP_setp:
	case PTX_OP_set:
		return compared(a, i, instr);
	case PTX_OP_and:
	case PTX_OP_shr:
	case PTX_OP_div:
	case PTX_OP_rem:
		return cut(a, i, instr, v);
	case PTX_OP_mov:
	case PTX_OP_cvt:
	case PTX_OP_cvta:
	case PTX_OP_add:
	case PTX_OP_sub:
	case PTX_OP_xor:
	case PTX_OP_or:
	case PTX_OP_not:
	case PTX_OP_neg:
	case PTX_OP_selp:
		return v;
	case PTX_OP_vote:
	case PTX_OP_redux:
	case PTX_OP_match:
		return vary_less(v, VARY_LANE | VARY_SPLIT);
	case PTX_OP_shfl:
		return shuffled(a, i, instr);
	case PTX_OP_elect:
		return source(result ? VARY_LANE | VARY_SPLIT : 0);
	case PTX_OP_atom:
		return source(VARY_THREADS | VARY_UNKNOWN);
	case PTX_OP_mad:
	case PTX_OP_mul:
	case PTX_OP_shl:
	case PTX_OP_lop3:
	case PTX_OP_bfe:
	case PTX_OP_min:
	case PTX_OP_max:
	case PTX_OP_popc:
	case PTX_OP_sad:
	case PTX_OP_abs:
	case PTX_OP_mad24:
	case PTX_OP_mul24:
	case PTX_OP_fma:
	case PTX_OP_prmt:
	case PTX_OP_shf:
	case PTX_OP_bfi:
	case PTX_OP_cnot:
	case PTX_OP_slct:
		return vary_less(v, VARY_SPLIT);
	default:
		return source(VARY_UNKNOWN);
	}
}

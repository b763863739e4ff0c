// SPDX-License-Identifier: Apache-2.0
/* operands.c -- do the operands fit a form? */
#include <stdio.h>
#include <string.h>

#include "check.h"

struct fit {
	struct ptx_parser *p;
	const struct ptx_instr *i;
	const struct ptx_form *f;
};

/* The type that an argument is judged by. */
static enum ptx_type arg_type(const struct fit *c, const struct ptx_arg *a)
{
	static const uint8_t wide[][2] = {{PTX_T_u16, PTX_T_u32}, {PTX_T_s16, PTX_T_s32}, {PTX_T_u32, PTX_T_u64},
	                                  {PTX_T_s32, PTX_T_s64}, {PTX_T_u8, PTX_T_u16},  {PTX_T_s8, PTX_T_s16}};
	if (a->from == TYPE_FIXED)
		return (enum ptx_type)a->type;
	if (a->from < TYPE_FIXED)
		return (enum ptx_type)(a->from < c->i->ntypes ? c->i->type[a->from] : PTX_T_none);
	for (unsigned k = 0; k < sizeof wide / sizeof *wide; k++)
		if (wide[k][a->from == TYPE_HALF] == c->i->type[0])
			return (enum ptx_type)wide[k][a->from == TYPE_WIDE];
	return PTX_T_none;
}

/* A register of type r where the instruction says t. Source: PTX ISA, "Type Checking Rules", and what the assembler of
 * CUDA 13.0 takes: an .f16x2 register passes for .u32 and .s32. */
static bool reg_fits(enum ptx_type t, enum ptx_type r, bool wider, bool packed_passes)
{
	const struct ptx_type_info *want = &ptx_types[t], *have = &ptx_types[r];
	bool same_size = want->bits == have->bits || (wider && want->bits < have->bits);
	if (t == PTX_T_none)
		return true;
	if (want->cls == PTX_CLASS_PRED || have->cls == PTX_CLASS_PRED)
		return t == r;
	if (!same_size)
		return false;
	switch (want->cls) {
	case PTX_CLASS_BITS:
		return true;
	case PTX_CLASS_UINT:
	case PTX_CLASS_SINT:
		return have->cls != PTX_CLASS_FLOAT || (r == PTX_T_f16x2 && packed_passes);
	case PTX_CLASS_FLOAT:
		return have->cls == PTX_CLASS_BITS || (t == r && t != PTX_T_bf16 && t != PTX_T_bf16x2);
	default:
		return t == r;
	}
}

/* A double fits data of 64 bits, not an operand whose type the form fixes: a cache policy. */
static bool constant_fits(const struct ptx_arg *a, enum ptx_type t, const struct ptx_operand *o)
{
	const struct ptx_type_info *want = &ptx_types[t];
	if (o->kind == PTX_O_INT)
		return want->cls == PTX_CLASS_UINT || want->cls == PTX_CLASS_SINT || want->cls == PTX_CLASS_BITS ||
		       want->cls == PTX_CLASS_PRED || t == PTX_T_none || t == PTX_T_e4m3x4 || t == PTX_T_e5m2x4;
	if (t == PTX_T_f32 || t == PTX_T_f64)
		return true;
	if (t == PTX_T_b64)
		return !o->is_f32 && a->from != TYPE_FIXED;
	return t == PTX_T_b32 && o->is_f32 && !(a->from == TYPE_FIXED && a->role == ROLE_DEST);
}

static bool reg_operand_fits(const struct fit *c, const struct ptx_arg *a, const struct ptx_operand *o, enum ptx_type t)
{
	const struct ptx_reg *r = &c->p->fn->regs[o->reg];
	bool access = c->i->op == PTX_OP_ld || c->i->op == PTX_OP_st || c->i->op == PTX_OP_atom ||
	              c->i->op == PTX_OP_red || (c->i->op == PTX_OP_bar_red && a->role == ROLE_DEST);
	bool packed = access && a->from < TYPE_FIXED;
	if (o->negated && (t != PTX_T_pred || a->role == ROLE_DEST || (a->flags & ARG_NO_NOT)))
		return false;
	if (r->vec > 1 && o->comp == PTX_COMP_ALL) /* a whole vector register stands where a vector may */
		return (a->flags & ARG_VECTOR) && reg_fits(t, (enum ptx_type)r->type, a->flags & ARG_WIDER, packed);
	if (r->vec == 1 && (o->comp != PTX_COMP_ALL || (c->i->vec > 1 && (a->flags & ARG_VECTOR))))
		return false;
	return reg_fits(t, (enum ptx_type)r->type, a->flags & ARG_WIDER, packed);
}

static bool scalar_fits(const struct fit *c, const struct ptx_arg *a, const struct ptx_operand *o, enum ptx_type t)
{
	bool dest = a->role == ROLE_DEST;
	switch ((enum ptx_operand_kind)o->kind) {
	case PTX_O_REG:
		return a->role != ROLE_IMM && reg_operand_fits(c, a, o, t);
	case PTX_O_INT:
	case PTX_O_FLOAT:
		return !dest && a->role != ROLE_REG && constant_fits(a, t, o);
	case PTX_O_SINK:
		return a->flags & ARG_SINK;
	case PTX_O_SYMBOL:
		return a->role == ROLE_VALUE &&
		       (ptx_types[t].cls == PTX_CLASS_UINT || ptx_types[t].cls == PTX_CLASS_SINT ||
		        ptx_types[t].cls == PTX_CLASS_BITS);
	case PTX_O_SREG:
		return a->role == ROLE_VALUE && reg_fits(t, ptx_sreg_type((enum ptx_sreg)o->sreg), true, false);
	case PTX_O_NONE: /* a name that was not found: told already */
		return true;
	default:
		return false;
	}
}

static bool is_matrix(const struct ptx_instr *i)
{
	return i->op == PTX_OP_ldmatrix || i->op == PTX_OP_stmatrix;
}

/* Elements of a vector operand; a matrix of 16 rows is two registers. */
static unsigned ptx_registers(const struct ptx_instr *i)
{
	return is_matrix(i) && ptx_has(i, PTX_M_m16n16) ? 2u * i->vec : i->vec;
}

/* {a, b}: as many as the vector word says; without one, mov packs and unpacks, and the parts share the width. */
static bool vector_fits(const struct fit *c, const struct ptx_arg *a, const struct ptx_operand *o, enum ptx_type t)
{
	bool some = false;
	const unsigned count = ptx_registers(c->i);
	if (!(a->flags & ARG_VECTOR))
		return false;
	if (count > 1 || is_matrix(c->i)) {
		if (o->count != count)
			return false;
		for (unsigned k = 0; k < o->count; k++) {
			struct ptx_arg element = *a;
			element.flags &= (uint8_t)~ARG_VECTOR;
			if (count == 1 && a->role == ROLE_SOURCE)
				element.role = ROLE_REG; /* a constant alone is no vector */
			element.flags |= a->role == ROLE_DEST ? ARG_SINK : 0;
			some |= o->list[k].kind != PTX_O_SINK;
			if (!scalar_fits(c, &element, &o->list[k], t))
				return false;
		}
		return some;
	}
	if (c->i->op != PTX_OP_mov || ptx_types[t].cls == PTX_CLASS_PRED ||
	    (o->count != 2 && o->count != 4 && o->count != 8))
		return false;
	unsigned bits = ptx_types[t].bits / o->count;
	for (unsigned k = 0; k < o->count; k++) {
		const struct ptx_operand *e = &o->list[k];
		if (e->kind == PTX_O_REG && (e->negated || ptx_types[c->p->fn->regs[e->reg].type].bits != bits))
			return false;
		if (e->kind != PTX_O_REG && e->kind != PTX_O_NONE &&
		    e->kind != (a->role == ROLE_DEST ? PTX_O_SINK : PTX_O_INT))
			return false;
		some |= e->kind != PTX_O_SINK;
	}
	return some;
}

static bool pair_fits(const struct fit *c, const struct ptx_arg *a, const struct ptx_operand *o, enum ptx_type t)
{
	struct ptx_arg second = {.role = ROLE_DEST, .flags = a->flags & ARG_PAIR_REG ? 0 : ARG_SINK};
	if (a->flags & ARG_PAIR_SINK)
		return o->list[1].kind == PTX_O_SINK && scalar_fits(c, a, &o->list[0], t);
	return (a->flags & (ARG_PAIR | ARG_PAIR_REG)) && scalar_fits(c, a, &o->list[0], t) &&
	       scalar_fits(c, &second, &o->list[1], PTX_T_pred);
}

static bool arg_fits(const struct fit *c, const struct ptx_arg *a, const struct ptx_operand *o)
{
	enum ptx_type t = arg_type(c, a);
	if (o->kind == PTX_O_NONE)
		return true;
	switch ((enum ptx_role)a->role) {
	case ROLE_MEM: /* name[n] is an address, too, for plain loads and stores */
		return o->kind == PTX_O_ADDR ||
		       (o->kind == PTX_O_SYMBOL && (c->i->op == PTX_OP_ld || c->i->op == PTX_OP_st));
	case ROLE_LABEL:
		return o->kind == PTX_O_LABEL || o->kind == PTX_O_TABLE;
	case ROLE_PARTS:
		return o->kind == PTX_O_PARTS;
	case ROLE_CALL:
		return o->kind == PTX_O_LIST;
	default:
		break;
	}
	if (o->kind == PTX_O_VECTOR)
		return vector_fits(c, a, o, t);
	if (o->kind == PTX_O_PAIR)
		return pair_fits(c, a, o, t);
	bool discarded = o->kind == PTX_O_SINK && (a->flags & ARG_SINK);
	if (((c->i->vec > 1 && o->kind != PTX_O_REG && !discarded) || is_matrix(c->i)) && (a->flags & ARG_VECTOR))
		return false;
	return scalar_fits(c, a, o, t);
}

static bool all_fit(const struct fit *c)
{
	if (c->i->nops < c->f->min_args || c->i->nops > c->f->nargs)
		return false;
	for (unsigned n = 0; n < c->i->nops; n++)
		if (!arg_fits(c, &c->f->arg[n], &c->i->ops[n]))
			return false;
	return true;
}

static void count_words(char *to, size_t n, unsigned least, unsigned most)
{
	if (least < most)
		snprintf(to, n, "%u to %u operands", least, most);
	else
		snprintf(to, n, "%u operand%s", most, most == 1 ? "" : "s");
}

/* {5, a}: a constant where an element must be a register. With an integer among float registers the types differ. */
static bool has_constant(const struct fit *c, const struct ptx_operand *o)
{
	bool integer = false, real = false, found = false;
	for (unsigned k = 0; k < o->count; k++) {
		const struct ptx_operand *e = &o->list[k];
		found |= e->kind == PTX_O_INT || e->kind == PTX_O_FLOAT;
		integer |= e->kind == PTX_O_INT;
		real |= e->kind == PTX_O_REG && ptx_types[c->p->fn->regs[e->reg].type].cls == PTX_CLASS_FLOAT;
	}
	return found && !(integer && real);
}

static bool has_sink(const struct ptx_operand *o)
{
	for (unsigned k = 0; k < o->count; k++)
		if (o->list[k].kind == PTX_O_SINK)
			return true;
	return false;
}

/* Writes what is wrong with operand n. False when there is nothing more telling than that it does not fit. */
static bool reason(const struct fit *c, unsigned n, const char *name, char *to, size_t size)
{
	const struct ptx_arg *a = &c->f->arg[n];
	const struct ptx_operand *o = &c->i->ops[n];
	bool pair = a->flags & (ARG_PAIR | ARG_PAIR_REG), dest = a->role == ROLE_DEST;
	bool no_vector = (a->flags & ARG_VECTOR) && c->i->vec > 1 && o->kind == PTX_O_REG;
	const char *what = NULL;
	if (o->kind == PTX_O_SREG)
		what = "Special register argument not allowed";
	else if ((o->kind == PTX_O_SINK || (o->kind == PTX_O_PAIR && pair && o->list[0].kind == PTX_O_SINK)) &&
	         (dest || n == 0))
		what = "Result discard mode is not allowed";
	else if (dest && (o->kind == PTX_O_INT || o->kind == PTX_O_FLOAT) && constant_fits(a, arg_type(c, a), o))
		what = "Result register required";
	else if (dest && o->kind == PTX_O_VECTOR && (a->flags & ARG_VECTOR) && has_constant(c, o))
		what = "Result register required";
	else if (no_vector && dest)
		what = "Result vector expected";
	else if (!no_vector && o->kind == PTX_O_PAIR && pair && o->list[1].kind != PTX_O_NONE &&
	         !(o->list[1].kind == PTX_O_REG && c->p->fn->regs[o->list[1].reg].type == PTX_T_pred))
		what = "Predicate output expected";
	else if (!no_vector && o->kind == PTX_O_REG && o->negated && dest)
		what = "Result register required";
	else if (!no_vector && o->kind == PTX_O_PAIR && !pair)
		what = "Predicate output not allowed";
	if (what != NULL)
		snprintf(to, size, "%s for instruction '%s'", what, name);
	else if (!dest && o->kind == PTX_O_VECTOR && has_sink(o))
		snprintf(to, size, "Sink '_' not allowed as a source operand");
	else if (no_vector)
		snprintf(to, size, "Vector expected for argument %u of instruction '%s'", n, name);
	else if (a->role == ROLE_LABEL)
		snprintf(to, size, "Label expected for argument %u of instruction '%s'", n, name);
	else if (o->kind == PTX_O_ADDR && a->role != ROLE_MEM)
		snprintf(to, size, "Argument %u of instruction '%s': must be register", n, name);
	else
		return false;
	return true;
}

/* What to say when no form fits, most telling reason first. */
static void tell(struct ptx_parser *p, const struct ptx_instr *i, const char *name, const struct ptx_form *f)
{
	struct fit c = {p, i, f};
	struct ptx_about about = {.version = 0};
	char text[256];
	unsigned misfit = i->nops; /* the first that does not fit */
	bool told = false;
	for (unsigned n = 0; n < i->nops && n < f->nargs && !told; n++) {
		if (arg_fits(&c, &f->arg[n], &i->ops[n]))
			continue;
		told = reason(&c, n, name, text, sizeof text);
		if (told || misfit == i->nops)
			misfit = n;
	}
	if (!told)
		snprintf(text, sizeof text, "Arguments mismatch for instruction '%s'", name);
	if (misfit < i->nops) {
		const struct ptx_arg *a = &f->arg[misfit];
		ptx_describe_operand(p, &i->ops[misfit], about.found, sizeof about.found);
		ptx_describe_arg(i, a, arg_type(&c, a), about.expected, sizeof about.expected);
		ptx_error_about(p, ptx_word_pos(i, i->ops[misfit].pos), &about, "%s", text);
		return;
	}
	count_words(about.found, sizeof about.found, i->nops, i->nops);
	count_words(about.expected, sizeof about.expected, f->min_args, f->nargs);
	ptx_error_about(p, i->pos, &about, "%s", text);
}

/* Whether the address may have any width: ptxas asks nothing of copies with two spaces, and of these instructions,
 * most of which reach shared memory whether they say so or not. */
static bool any_width(const struct ptx_instr *i)
{
	switch (i->op) {
	case PTX_OP_fence_proxy:
	case PTX_OP_clusterlaunchcontrol_try_cancel_async:
	case PTX_OP_cp_async_mbarrier_arrive:
	case PTX_OP_cp_async_bulk_prefetch:
	case PTX_OP_createpolicy_range:
	case PTX_OP_ldmatrix:
	case PTX_OP_st_async:
	case PTX_OP_st_bulk:
	case PTX_OP_stmatrix:
	case PTX_OP_red_async:
		return true;
	case PTX_OP_prefetch:
		return ptx_has(i, PTX_M_tensormap);
	default:
		return i->nspaces > 1;
	}
}

/* The address itself. Source of the spaces that hold one another: PTX ISA, "State Spaces". */
static bool check_address(struct ptx_parser *p, const struct ptx_instr *i, const char *name,
                          const struct ptx_operand *o, unsigned operand)
{
	/* a copy has its destination first and its source next; the third address of one is an mbarrier */
	enum ptx_space space = (enum ptx_space)i->space[i->nspaces > 1 && operand == 1];
	if (i->nspaces > 1 && operand > 1)
		space = PTX_SP_none;
	if (o->base_kind == PTX_BASE_IMM) {
		if (space == PTX_SP_local || i->nspaces > 1)
			return true;
		ptx_error(p, i->pos, "Immediate addresses allowed only for .local state space");
		return false;
	}
	if (o->base_kind == PTX_BASE_SYMBOL)
		return ptx_check_space(p, i, name, o, space);
	char reg[256];
	enum ptx_type type = (enum ptx_type)p->fn->regs[o->reg].type;
	enum ptx_type_class cls = (enum ptx_type_class)ptx_types[type].cls;
	if (cls == PTX_CLASS_FLOAT || cls == PTX_CLASS_PRED) {
		ptx_error(p, i->pos,
		          "Illegal to use symbol '%s' of type .%s as address operand. Use integer or bit only.",
		          ptx_reg_name(p->fn, o->reg, reg, sizeof reg), ptx_types[type].name);
		return false;
	}
	if (!any_width(i) && ptx_types[type].bits == 32 && (space == PTX_SP_none || space == PTX_SP_global)) {
		if (p->m->target >= 90)
			ptx_error(p, i->pos,
			          "32-Bit ABI (--machine 32 or 32-Bit addressing) is not supported on sm_90 or "
			          "higher architectures: an address of 64 bits is expected");
		else
			ptx_error(p, i->pos,
			          "32-Bit compilation is no longer supported: an address of 64 bits is expected");
		return false;
	}
	return true;
}

bool ptx_check_space(struct ptx_parser *p, const struct ptx_instr *i, const char *name, const struct ptx_operand *o,
                     enum ptx_space space)
{
	bool atomic = i->op == PTX_OP_atom || i->op == PTX_OP_red;
	if (o->sym->kind != PTX_SYM_VAR)
		return true;
	enum ptx_space have = (enum ptx_space)o->sym->var->space;
	bool ordered = i->order != PTX_M_none && i->order != PTX_M_weak && i->order != PTX_M_volatile;
	bool parameter = have == PTX_SP_param || have == PTX_SP_param_entry || have == PTX_SP_param_func;
	if (space == PTX_SP_none && !parameter && !((atomic || ordered) && have == PTX_SP_const))
		return true;
	bool shared = space == PTX_SP_shared || space == PTX_SP_shared_cta || space == PTX_SP_shared_cluster;
	bool param = space == PTX_SP_param || space == PTX_SP_param_entry || space == PTX_SP_param_func;
	if (have == space || (have == PTX_SP_shared && shared) || (have == PTX_SP_param && param))
		return true;
	ptx_error(p, i->pos, "State space mismatch between instruction and address in instruction '%s'", name);
	return false;
}

const struct ptx_form *ptx_check_operands(struct ptx_parser *p, const struct ptx_instr *i, const char *name,
                                          const struct ptx_form *const *forms, unsigned n)
{
	bool addresses = true;
	for (unsigned k = 0; k < i->nops; k++)
		if (i->ops[k].kind == PTX_O_ADDR && k < forms[0]->nargs && forms[0]->arg[k].role == ROLE_MEM)
			addresses &= check_address(p, i, name, &i->ops[k], k);
		else if (i->ops[k].kind == PTX_O_SYMBOL && (i->op == PTX_OP_mapa || i->op == PTX_OP_getctarank))
			addresses &= ptx_check_space(p, i, name, &i->ops[k], PTX_SP_shared);
	if (!addresses)
		return NULL;
	for (unsigned k = 0; k < n; k++) {
		struct fit c = {p, i, forms[k]};
		if (all_fit(&c))
			return forms[k];
	}
	tell(p, i, name, forms[n - 1]);
	return NULL;
}

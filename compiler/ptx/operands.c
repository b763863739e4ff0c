// SPDX-License-Identifier: Apache-2.0
/* operands.c -- do the operands fit a form? */
#include <stdio.h>
#include <string.h>

#include "check.h"

struct fit {
	struct ptx_parser *p;
	const struct ptx_instr *i;
	const struct ptx_form *f;
	bool loose; /* of a signature */
};

/* The type to check an argument against. */
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

/* A register of type r for an operand of type t. Source: PTX ISA, "Type Checking Rules", and the behaviour of the
 * assembler of CUDA 13.0: an .f16x2 register passes for .u32 and .s32. */
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

/* A double fits data of 64 bits, but not an operand with its type fixed by the form: a cache policy. */
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
	if (r->vec > 1 && o->comp == PTX_COMP_ALL) /* a whole vector register is valid in place of a vector */
		return (a->flags & ARG_VECTOR) && reg_fits(t, (enum ptx_type)r->type, a->flags & ARG_WIDER, packed);
	if (r->vec == 1 && (o->comp != PTX_COMP_ALL || (c->i->vec > 1 && (a->flags & ARG_VECTOR))))
		return false;
	return reg_fits(t, (enum ptx_type)r->type, a->flags & ARG_WIDER, packed);
}

/* A single number. 16 bits may be the low half of 32: in versions of PTX before 2.0 these registers had 16 bits. The
 * number of the grid had 16, then 32. */
static bool sreg_fits(const struct ptx_operand *o, enum ptx_type t)
{
	const struct ptx_sreg_info *info = ptx_sreg_info((enum ptx_sreg)o->sreg);
	const bool whole = info->vec && o->comp == PTX_COMP_ALL;
	const bool part =
	        (ptx_types[t].bits == 16 && info->vec) || (o->sreg == PTX_SR_gridid && ptx_types[t].bits < 64);
	return !whole && reg_fits(t, (enum ptx_type)info->type, part, false);
}

/* `name + 4` on an instruction with signatures: passes for a constant, as in ptxas. No code is made of it. */
static bool is_sum(const struct fit *c, const struct ptx_arg *a, const struct ptx_operand *o, enum ptx_type t)
{
	return o->kind == PTX_O_SYMBOL && o->off && a->role == ROLE_SOURCE &&
	       (ptx_types[t].bits == 32 || !(a->flags & ARG_NO_NOT)) && ptx_has_signatures(ptx_forms_of(c->i->op));
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
		return (a->role == ROLE_VALUE || is_sum(c, a, o, t)) &&
		       (ptx_types[t].cls == PTX_CLASS_UINT || ptx_types[t].cls == PTX_CLASS_SINT ||
		        ptx_types[t].cls == PTX_CLASS_BITS);
	case PTX_O_SREG:
		if (c->loose)
			return a->role == ROLE_SOURCE && sreg_fits(o, t);
		return c->i->op == PTX_OP_mov && a->role == ROLE_VALUE && sreg_fits(o, t);
	case PTX_O_NONE: /* an unknown name within a vector: already reported */
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

/* {a, b}: the vector word gives the number of elements. Without a vector word, mov packs and unpacks, and the parts
 * share the width. */
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
	if (c->i->op != PTX_OP_mov || ptx_types[t].cls != PTX_CLASS_BITS ||
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

/* d|_ where no predicate is allowed: the same as d. */
static bool plain_pair(const struct ptx_arg *a, const struct ptx_operand *o)
{
	return o->kind == PTX_O_PAIR && o->list[1].kind == PTX_O_SINK && a->role == ROLE_DEST &&
	       !(a->flags & (ARG_PAIR | ARG_PAIR_REG | ARG_PAIR_SINK));
}

static bool pair_fits(const struct fit *c, const struct ptx_arg *a, const struct ptx_operand *o, enum ptx_type t)
{
	struct ptx_arg second = {.role = ROLE_DEST, .flags = a->flags & ARG_PAIR_REG ? 0 : ARG_SINK};
	if (o->list[0].kind == PTX_O_NONE || o->list[1].kind == PTX_O_NONE)
		return false;
	if (plain_pair(a, o))
		return scalar_fits(c, a, &o->list[0], t);
	if (a->flags & ARG_PAIR_SINK)
		return o->list[1].kind == PTX_O_SINK && scalar_fits(c, a, &o->list[0], t);
	return (a->flags & (ARG_PAIR | ARG_PAIR_REG)) && scalar_fits(c, a, &o->list[0], t) &&
	       scalar_fits(c, &second, &o->list[1], PTX_T_pred);
}

/* An address or a name as a value: the value has the size of the register; the address of a variable has 32 bits, and
 * a name any size above 16. */
static bool stands_for(const struct fit *c, const struct ptx_arg *a, const struct ptx_operand *o, enum ptx_type t)
{
	const unsigned bits = ptx_types[t].bits;
	if (is_sum(c, a, o, t))
		return ptx_types[t].cls != PTX_CLASS_PRED && ptx_types[t].cls != PTX_CLASS_FLOAT;
	if ((a->flags & ARG_NO_NOT) || ptx_types[t].cls == PTX_CLASS_PRED || ptx_types[t].cls == PTX_CLASS_FLOAT)
		return false;
	if (o->kind == PTX_O_SYMBOL)
		return bits > 16;
	if (o->base_kind == PTX_BASE_REG)
		return reg_fits(t, (enum ptx_type)c->p->fn->regs[o->reg].type, a->flags & ARG_WIDER, false);
	return o->base_kind == PTX_BASE_SYMBOL && bits == 32;
}

/* A register of tensor memory's instructions: 32 bits of any class, or a predicate. */
static bool of_32_bits(const struct fit *c, uint32_t reg)
{
	const enum ptx_type type = (enum ptx_type)c->p->fn->regs[reg].type;
	return type == PTX_T_pred || ptx_types[type].bits == 32;
}

/* A list of registers of tensor memory's instructions. The signatures ask for one register among the elements, and take
 * what the rules refuse in other words. */
static bool registers_fit(const struct fit *c, const struct ptx_operand *o)
{
	unsigned registers = 0;
	switch ((enum ptx_operand_kind)o->kind) {
	case PTX_O_VECTOR:
		for (unsigned k = 0; k < o->count; k++)
			registers += o->list[k].kind == PTX_O_REG && of_32_bits(c, o->list[k].reg);
		return c->loose ? registers != 0 : registers == o->count;
	case PTX_O_REG:
		return of_32_bits(c, o->reg);
	case PTX_O_FLOAT:
		return o->is_f32;
	case PTX_O_SREG:
		return c->loose && sreg_fits(o, PTX_T_b32);
	case PTX_O_SYMBOL:
		return c->loose && o->off;
	case PTX_O_ADDR:
		return c->loose &&
		       (o->base_kind == PTX_BASE_SYMBOL || (o->base_kind == PTX_BASE_REG && of_32_bits(c, o->reg)));
	default:
		return false;
	}
}

/* {a, b, ...} of any length, or an element alone. */
static bool list_fits(const struct fit *c, const struct ptx_arg *a, const struct ptx_operand *o, enum ptx_type t)
{
	struct ptx_arg element = *a;
	if (ptx_is_tensor_memory(c->i))
		return registers_fit(c, o);
	element.role = a->role == ROLE_DEST ? ROLE_DEST : ROLE_SOURCE;
	element.flags = 0;
	if (c->loose && is_sum(c, &element, o, t))
		return true;
	if (c->loose && (o->kind == PTX_O_ADDR || o->kind == PTX_O_SYMBOL))
		return !(a->flags & ARG_NO_NOT) && stands_for(c, &element, o, t);
	if (o->kind != PTX_O_VECTOR)
		return scalar_fits(c, &element, o, t);
	for (unsigned k = 0; k < o->count; k++)
		if (!scalar_fits(c, &element, &o->list[k], t))
			return false;
	return true;
}

/* {a, b} for a value: the registers have the bits of the type together; constants alone fit, too. */
static bool packs(const struct fit *c, const struct ptx_operand *o, enum ptx_type t)
{
	unsigned bits = 0, constants = 0;
	for (unsigned k = 0; k < o->count; k++) {
		if (o->list[k].kind == PTX_O_REG)
			bits += ptx_types[c->p->fn->regs[o->list[k].reg].type].bits;
		constants += o->list[k].kind == PTX_O_INT;
	}
	if (constants && bits)
		bits += bits / (o->count - constants) * constants;
	return constants == o->count || bits == ptx_types[t].bits;
}

static bool arg_fits(const struct fit *c, const struct ptx_arg *a, const struct ptx_operand *o)
{
	enum ptx_type t = arg_type(c, a);
	if (o->kind == PTX_O_NONE) /* an unknown name */
		return a->role == ROLE_CALL || a->role == ROLE_LABEL;
	switch ((enum ptx_role)a->role) {
	case ROLE_MEM:
		return o->kind == PTX_O_ADDR;
	case ROLE_PLACE:
		return o->kind == PTX_O_ADDR || o->kind == PTX_O_REG || o->kind == PTX_O_INT ||
		       o->kind == PTX_O_FLOAT || o->kind == PTX_O_SYMBOL ||
		       (c->loose && (o->kind == PTX_O_VECTOR || o->kind == PTX_O_SREG));
	case ROLE_LABEL:
		return o->kind == PTX_O_LABEL || o->kind == PTX_O_TABLE;
	case ROLE_PARTS:
		return o->kind == PTX_O_PARTS && (a->from != TYPE_FIXED || list_fits(c, a, &o->list[1], t));
	case ROLE_CALL:
		return o->kind == PTX_O_LIST;
	default:
		break;
	}
	if (a->flags & ARG_LIST)
		return list_fits(c, a, o, t);
	if (c->loose && (o->kind == PTX_O_ADDR || o->kind == PTX_O_SYMBOL) && a->role == ROLE_SOURCE)
		return stands_for(c, a, o, t);
	if (c->loose && o->kind == PTX_O_VECTOR && a->role == ROLE_SOURCE && !(a->flags & ARG_NO_NOT))
		return packs(c, o, t);
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

/* {5, a}: a constant where an element must be a register. Integers alone are no vector of floats. */
static bool has_constant(const struct fit *c, const struct ptx_operand *o)
{
	bool found = false, integers = true;
	for (unsigned k = 0; k < o->count; k++) {
		const struct ptx_operand *e = &o->list[k];
		found |= e->kind == PTX_O_INT || e->kind == PTX_O_FLOAT;
		integers &= e->kind == PTX_O_INT;
	}
	return found && !(integers && ptx_types[c->i->type[0]].cls == PTX_CLASS_FLOAT);
}

static bool has_sink(const struct ptx_operand *o)
{
	for (unsigned k = 0; k < o->count; k++)
		if (o->list[k].kind == PTX_O_SINK)
			return true;
	return false;
}

/* Writes the error of operand n. False: the only known reason is the misfit itself. */
static bool reason(const struct fit *c, unsigned n, const char *name, char *to, size_t size)
{
	const struct ptx_arg *a = &c->f->arg[n];
	const struct ptx_operand *o = &c->i->ops[n];
	bool pair = a->flags & (ARG_PAIR | ARG_PAIR_REG), dest = a->role == ROLE_DEST;
	bool no_vector = (a->flags & ARG_VECTOR) && c->i->vec > 1 && o->kind == PTX_O_REG;
	const bool plain = c->i->op == PTX_OP_ld || c->i->op == PTX_OP_st;
	const char *what = NULL;
	if (no_vector && dest) {
		snprintf(to, size, "Result vector expected");
		return true;
	}
	if (o->kind == PTX_O_NONE) {
		snprintf(to, size,
		         o->base_kind == PTX_BASE_SYMBOL ? "Illegal operand type to instruction '%s'"
		                                         : "Arguments mismatch for instruction '%s'",
		         name);
		return true;
	}
	if (o->kind == PTX_O_SREG && c->i->op == PTX_OP_mov && a->role == ROLE_VALUE) {
		const bool whole = ptx_sreg_info((enum ptx_sreg)o->sreg)->vec && o->comp == PTX_COMP_ALL;
		what = whole && ptx_types[c->i->type[0]].cls != PTX_CLASS_BITS ? "Argument vector size mismatch"
		                                                               : "Arguments mismatch";
	} else if (o->kind == PTX_O_SREG && a->role != ROLE_IMM)
		what = "Special register argument not allowed";
	else if ((o->kind == PTX_O_SINK || (o->kind == PTX_O_PAIR && pair && o->list[0].kind == PTX_O_SINK)) &&
	         (dest || n == 0))
		what = "Result discard mode is not allowed";
	else if (dest && (o->kind == PTX_O_INT || o->kind == PTX_O_FLOAT) && constant_fits(a, arg_type(c, a), o))
		what = "Result register required";
	else if (plain && (a->flags & ARG_VECTOR) && (no_vector || (o->kind == PTX_O_VECTOR && o->count != c->i->vec)))
		what = "Argument vector size mismatch";
	else if (dest && o->kind == PTX_O_VECTOR && (a->flags & (ARG_VECTOR | ARG_LIST)) && has_constant(c, o))
		what = "Result register required";
	else if (!no_vector && o->kind == PTX_O_PAIR && pair && o->list[0].kind != PTX_O_NONE &&
	         !(o->list[1].kind == PTX_O_REG && c->p->fn->regs[o->list[1].reg].type == PTX_T_pred))
		what = "Predicate output expected";
	else if (!no_vector && o->kind == PTX_O_REG && o->negated && dest)
		what = "Result register required";
	else if (!no_vector && o->kind == PTX_O_PAIR && !pair)
		what = "Predicate output not allowed";
	if (what != NULL)
		snprintf(to, size, "%s for instruction '%s'", what, name);
	else if (!dest && o->kind == PTX_O_VECTOR && (a->flags & ARG_VECTOR) && has_sink(o))
		snprintf(to, size, "Sink '_' not allowed as a source operand");
	else if (no_vector)
		snprintf(to, size, "Vector expected for argument %u of instruction '%s'", n, name);
	else if (a->role == ROLE_LABEL)
		snprintf(to, size, "Label expected for argument %u of instruction '%s'", n, name);
	else if ((o->kind == PTX_O_ADDR && a->role != ROLE_MEM) ||
	         (o->kind == PTX_O_SYMBOL && n && a->role == ROLE_SOURCE && a->from < TYPE_FIXED))
		snprintf(to, size, "Argument %u of instruction '%s': must be register", n, name);
	else
		return false;
	return true;
}

/* The elements of a vector determine its type, before the check of the instruction. False, with a message, for
 * elements without a common type. */
static bool vector_has_type(struct ptx_parser *p, const struct ptx_instr *i, const char *name, unsigned operand,
                            bool dest)
{
	const struct ptx_operand *o = &i->ops[operand];
	bool integer = false, real = false, constant = false, sinks = true;
	for (unsigned k = 0; k < o->count; k++) {
		const struct ptx_operand *e = &o->list[k];
		constant |= e->kind == PTX_O_INT || e->kind == PTX_O_FLOAT;
		integer |= e->kind == PTX_O_INT;
		real |= e->kind == PTX_O_FLOAT ||
		        (e->kind == PTX_O_REG && ptx_types[p->fn->regs[e->reg].type].cls == PTX_CLASS_FLOAT);
		sinks &= e->kind == PTX_O_SINK;
	}
	struct ptx_pos at = ptx_word_pos(i, o->pos);
	if (sinks) {
		ptx_error(p, at, "Unable to infer type of vector elements (assuming .b8)");
		ptx_error(p, at, "Arguments mismatch for instruction '%s'", name);
	} else if (integer && real) {
		ptx_error(p, at, "Vector with elements of different types are not allowed in %s instruction", name);
		if (dest && constant)
			ptx_error(p, at, "Result register required for instruction '%s'", name);
	}
	return !sinks && !(integer && real);
}

/* Reports the misfit of all forms, most telling reason first. */
static void tell(struct ptx_parser *p, const struct ptx_instr *i, const char *name, const struct ptx_form *f)
{
	struct fit c = {p, i, f, ptx_form_rows[f->row].signature};
	struct ptx_about about = {.version = 0};
	char text[256];
	unsigned misfit = i->nops; /* the first misfit */
	bool told = false;
	for (unsigned n = 0; n < i->nops && n < f->nargs && !told && !c.loose; n++) {
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

/* mov.v4 of a special register with components: the vector of all four. */
static void split_special(struct ptx_parser *p, struct ptx_instr *i)
{
	struct ptx_operand *o = &i->ops[1];
	if (i->op != PTX_OP_mov || i->vec != 4 || i->nops != 2 || o->kind != PTX_O_SREG || o->comp != PTX_COMP_ALL ||
	    !ptx_sreg_info((enum ptx_sreg)o->sreg)->vec)
		return;
	struct ptx_operand *list = arena_zalloc(p->arena, 4 * sizeof *list);
	for (unsigned k = 0; k < 4; k++) {
		list[k] = *o;
		list[k].comp = (uint8_t)k;
	}
	*o = (struct ptx_operand){.kind = PTX_O_VECTOR, .comp = PTX_COMP_ALL, .pos = o->pos, .list = list, .count = 4};
}

const struct ptx_form *ptx_check_operands(struct ptx_parser *p, struct ptx_instr *i, const char *name,
                                          const struct ptx_form *const *forms, unsigned n)
{
	bool addresses = true;
	split_special(p, i);
	for (unsigned k = 0; k < i->nops && k < forms[0]->nargs; k++)
		ptx_indexed_address(i, &forms[0]->arg[k], &i->ops[k]);
	for (unsigned k = 0; k < i->nops; k++)
		if (i->ops[k].kind == PTX_O_ADDR && k < forms[0]->nargs &&
		    (forms[0]->arg[k].role == ROLE_MEM || forms[0]->arg[k].role == ROLE_PLACE))
			addresses &= ptx_check_address(p, i, name, &i->ops[k], k);
		else if (i->ops[k].kind == PTX_O_SYMBOL && (i->op == PTX_OP_mapa || i->op == PTX_OP_getctarank))
			addresses &= ptx_check_space(p, i, name, &i->ops[k], PTX_SP_shared);
	bool typed = true;
	for (unsigned k = 0; k < i->nops && k < forms[0]->nargs; k++)
		if (i->ops[k].kind == PTX_O_VECTOR)
			typed &= vector_has_type(p, i, name, k, forms[0]->arg[k].role == ROLE_DEST);
	if (!addresses || !typed)
		return NULL;
	for (unsigned k = 0; k < n; k++) {
		struct fit c = {p, i, forms[k], false};
		if (all_fit(&c)) {
			if (i->nops && plain_pair(&forms[k]->arg[0], &i->ops[0]))
				i->ops[0] = i->ops[0].list[0];
			return forms[k];
		}
	}
	tell(p, i, name, forms[n - 1]);
	return NULL;
}

/* Do the registers of a vector have one size? */
static bool one_size(const struct ptx_parser *p, const struct ptx_operand *o)
{
	unsigned bits = 0;
	for (unsigned k = 0; k < o->count; k++) {
		if (o->list[k].kind != PTX_O_REG)
			continue;
		unsigned have = ptx_types[p->fn->regs[o->list[k].reg].type].bits;
		if (bits && bits != have)
			return false;
		bits = have;
	}
	return true;
}

/* The first register of the vector without 32 bits, or PTX_NONE. */
static uint32_t other_size(const struct fit *c, const struct ptx_operand *o)
{
	for (unsigned k = 0; o->kind == PTX_O_VECTOR && k < o->count; k++)
		if (o->list[k].kind == PTX_O_REG && !of_32_bits(c, o->list[k].reg))
			return o->list[k].reg;
	return PTX_NONE;
}

/* Elements of vectors: one size; 32 bits for loads and stores of tensor memory. Behind an address stand 1, 2, 4 or more
 * in powers of 2, unless the instruction is about coordinates. False, with a message: no. */
static bool elements_fit(const struct fit *c, unsigned n, bool coordinates)
{
	const struct ptx_operand *o = &c->i->ops[n];
	const bool parts = o->kind == PTX_O_PARTS,
	           moves = c->i->op >= PTX_OP_tcgen05_ld && c->i->op <= PTX_OP_tcgen05_st;
	const bool data = moves && n == (c->i->op == PTX_OP_tcgen05_st ? c->i->nops - 1u : 0);
	struct ptx_pos at;
	char reg[256];
	o = parts ? &o->list[1] : o;
	at = ptx_word_pos(c->i, o->pos);
	if (o->kind == PTX_O_VECTOR && !one_size(c->p, o)) {
		ptx_error(c->p, at, "Incompatible elements of vector expression");
		return false;
	}
	const uint32_t other = data && c->p->toolkit >= 134 ? other_size(c, o) : PTX_NONE;
	if (other != PTX_NONE) {
		ptx_error(c->p, at,
		          "Illegal to use symbol '%s' of type .%s as vector element. Use a 32-bit register type only.",
		          ptx_reg_name(c->p->fn, other, reg, sizeof reg), ptx_types[c->p->fn->regs[other].type].name);
		return false;
	}
	if (parts && !moves && !coordinates && o->kind == PTX_O_VECTOR && (o->count & (o->count - 1))) {
		ptx_error(c->p, at, "Illegal vector size: %u", o->count);
		return false;
	}
	return true;
}

bool ptx_check_elements(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_op_forms *op)
{
	bool coordinates = false;
	for (unsigned k = 0; k < op->nforms; k++)
		for (unsigned arg = 0; arg < op->form[k].nargs; arg++)
			coordinates |= op->form[k].arg[arg].role == ROLE_PARTS;
	for (unsigned k = 0; k < i->nops; k++) {
		struct fit c = {p, i, op->form, true};
		if (!elements_fit(&c, k, coordinates))
			return false;
	}
	return true;
}

const struct ptx_form *ptx_check_signature(struct ptx_parser *p, const struct ptx_instr *i, const char *name,
                                           const struct ptx_form *const *forms, unsigned n)
{
	for (unsigned k = 0; k < n; k++) {
		struct fit c = {p, i, forms[k], true};
		if (all_fit(&c))
			return forms[k];
	}
	tell(p, i, name, forms[n - 1]);
	return NULL;
}

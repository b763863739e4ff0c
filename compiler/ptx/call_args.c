// SPDX-License-Identifier: Apache-2.0
/* call_args.c -- values of a call against the declarations of the function: state space, type and alignment, in the
 * words of ptxas. Source: PTX ISA, "call", and the answers of the assemblers of CUDA 13.0 to 13.5 for each pair of
 * types. */
#include <stdio.h>

#include "check.h"

/* An entry in a list of a call, or the declaration of the function for this entry. */
struct value {
	const char *name; /* NULL: a constant */
	bool reg, param;  /* neither: a state space refused by every call */
	bool is_array, typed;
	unsigned type, vec; /* of an element */
	uint64_t size;      /* in bytes; a predicate counts as 4 */
	uint32_t align;     /* 1 without a type */
};

static uint32_t element_bytes(unsigned type)
{
	return type == PTX_T_pred ? 4 : ptx_types[type].bits / 8u;
}

static struct value typed(const char *name, unsigned type, unsigned vec)
{
	const uint32_t bytes = element_bytes(type) * vec;
	return (struct value){.name = name, .typed = true, .type = type, .vec = vec, .size = bytes, .align = bytes};
}

static struct value of_var(const struct ptx_var *v)
{
	struct value x = typed(v->name, v->type, v->vec);
	x.reg = v->space == PTX_SP_reg;
	x.param = v->space == PTX_SP_param;
	x.is_array = v->is_array;
	if (v->is_array)
		x.size = v->size;
	if (v->align > x.align)
		x.align = v->align;
	return x;
}

/* A special register counts as bits of its width, a vector of special registers as 128 bits. */
static struct value of_sreg(unsigned sreg)
{
	const struct ptx_sreg_info *info = ptx_sreg_info((enum ptx_sreg)sreg);
	const enum ptx_type type = info->type == PTX_T_pred  ? PTX_T_pred
	                           : info->type == PTX_T_u64 ? PTX_T_b64
	                                                     : PTX_T_b32;
	return typed(info->name, type, info->vec ? 4 : 1);
}

static struct value of_operand(const struct ptx_function *f, const struct ptx_operand *o, char *name, unsigned size)
{
	struct value x = {.align = 1};
	switch ((enum ptx_operand_kind)o->kind) {
	case PTX_O_REG:
		x = typed(ptx_reg_name(f, o->reg, name, size), f->regs[o->reg].type, f->regs[o->reg].vec);
		x.reg = true;
		return x;
	case PTX_O_INT:
		return typed(NULL, PTX_T_s64, 1);
	case PTX_O_FLOAT:
		return typed(NULL, o->is_f32 ? PTX_T_f32 : PTX_T_f64, 1);
	case PTX_O_SREG:
		x = of_sreg(o->sreg);
		snprintf(name, size, "%%%s", x.name);
		x.name = name;
		return x;
	case PTX_O_SYMBOL:
		if (o->sym->kind == PTX_SYM_VAR)
			return of_var(o->sym->var);
		x.name = o->sym->name;
		return x;
	case PTX_O_TABLE:
		x.name = o->table->name;
		return x;
	default:
		return x;
	}
}

/* Vectors and .f16x2 accept any value of the same width. */
static bool any_value(const struct value *v)
{
	return v->vec > 1 || v->type == PTX_T_f16x2;
}

static bool integer(enum ptx_type_class c)
{
	return c == PTX_CLASS_UINT || c == PTX_CLASS_SINT;
}

static bool types_fit(const struct value *formal, const struct value *given)
{
	const enum ptx_type_class want = (enum ptx_type_class)ptx_types[formal->type].cls;
	const enum ptx_type_class have = (enum ptx_type_class)ptx_types[given->type].cls;
	const bool bits = want == PTX_CLASS_BITS || have == PTX_CLASS_BITS;
	if (!given->typed || formal->is_array != given->is_array)
		return false;
	if (formal->is_array)
		return formal->size == given->size && (bits || formal->type == given->type);
	if (given->name == NULL && !any_value(formal)) /* a constant takes the expected width */
		return want == PTX_CLASS_BITS || (integer(want) && integer(have)) || want == have;
	if (formal->size != given->size)
		return false;
	if (any_value(formal) || any_value(given))
		return true;
	if (want == PTX_CLASS_PRED || have == PTX_CLASS_PRED)
		return want == have;
	return bits || (integer(want) && integer(have)) || want == have;
}

static bool spaces_fit(struct ptx_parser *p, const struct ptx_instr *i, const struct value *formal,
                       const struct value *given)
{
	bool fit = true;
	if (given->name == NULL)
		return true;
	if (!given->reg && !given->param) {
		ptx_error(p, i->pos, "Call argument '%.200s' has illegal state space", given->name);
		fit = false;
	}
	if (given->is_array && !(given->param && formal->param)) {
		ptx_error(p, i->pos, "Inconsistent state space for parameter '%.200s'", given->name);
		fit = false;
	}
	if (formal->is_array && !given->param) {
		ptx_error(p, i->pos, "Inconsistent state space for parameter '%.200s'", given->name);
		fit = false;
	}
	return fit;
}

/* A parameter of the calling function, or of the kernel, in memory. */
static bool is_own_parameter(const struct ptx_parser *p, const struct ptx_operand *o)
{
	if (o->kind != PTX_O_SYMBOL || o->sym->kind != PTX_SYM_VAR || o->sym->var->space != PTX_SP_param)
		return false;
	for (uint32_t n = 0; n < p->fn->nparams; n++)
		if (p->fn->params[n] == o->sym->var)
			return true;
	for (uint32_t n = 0; n < p->fn->nrets; n++)
		if (p->fn->rets[n] == o->sym->var)
			return true;
	return false;
}

static bool value_fits(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_var *v,
                       const struct ptx_operand *o, bool result)
{
	char name[256];
	const struct value formal = of_var(v), given = of_operand(p->fn, o, name, sizeof name);
	if (o->kind == PTX_O_SINK && result)
		return true;
	if (o->kind == PTX_O_SINK || o->kind == PTX_O_NONE)
		ptx_error(p, i->pos, "Illegal argument for formal parameter '%.200s'", formal.name);
	if (o->kind == PTX_O_SINK)
		return false;
	bool fit = o->kind != PTX_O_NONE;
	if (is_own_parameter(p, o)) {
		ptx_error(p, i->pos,
		          "Formal parameter '%.200s' declared in .param space cannot be used as argument to call",
		          given.name);
		fit = false;
	}
	fit &= spaces_fit(p, i, &formal, &given);
	if (!types_fit(&formal, &given)) {
		ptx_error(p, i->pos, "Type of argument does not match formal parameter '%.200s'", formal.name);
		fit = false;
	}
	const bool constant = given.name == NULL && given.typed;
	if (!constant && formal.align != given.align) {
		ptx_error(p, i->pos, "Alignment of argument does not match formal parameter '%.200s'", formal.name);
		fit = false;
	}
	return fit;
}

static bool list_fits(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_operand *list, uint32_t count,
                      struct ptx_var *const *formals, bool results)
{
	const uint32_t both = list->count < count ? list->count : count;
	bool fit = list->count == count;
	if (list->count > count)
		ptx_error(p, i->pos, "Call has wrong number of parameters");
	for (uint32_t n = 0; n < both; n++)
		fit &= value_fits(p, i, formals[n], &list->list[n], results);
	if (list->count < count)
		ptx_error(p, i->pos, "Call has wrong number of parameters");
	return fit;
}

bool ptx_check_call_results(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_function *f)
{
	return list_fits(p, i, &i->ops[0], f->nrets, f->rets, true);
}

bool ptx_check_call_arguments(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_function *f)
{
	return list_fits(p, i, &i->ops[2], f->nparams, f->params, false);
}

// SPDX-License-Identifier: Apache-2.0
/* decl_types.c -- may a variable or register have this type, in this state space? In the words of ptxas. */
#include "parse.h"

static bool refuse(struct ptx_parser *p, const struct ptx_var *v, const char *text)
{
	ptx_error(p, v->pos, "%s", text);
	return false;
}

static bool vector_fits(struct ptx_parser *p, const struct ptx_var *v)
{
	const struct ptx_type_info *t = &ptx_types[v->type];
	if (t->var == PTX_VAR_PRED && (v->vec > 1 || v->is_array))
		return refuse(p, v, "Predicate type can only be used to define scalar register variables");
	if (v->vec > 1 && t->var != PTX_VAR_BASIC && t->var != PTX_VAR_HALVES)
		return refuse(p, v, "Vector type only allowed over basic types");
	if (v->vec * t->bits > 128)
		return refuse(p, v, "Vector type too large, exceeds 128 bit limit");
	return true;
}

static bool opaque_fits(struct ptx_parser *p, const struct ptx_var *v, enum ptx_var_place place)
{
	const bool parameter = place == PTX_OF_ENTRY || place == PTX_OF_FUNCTION;
	bool fits = true;
	if (!parameter && p->fn != NULL)
		fits = refuse(p, v, "Texture/surface variable must be at module or entry parameter scope");
	else if (!parameter && v->space != PTX_SP_global)
		fits = refuse(p, v, "Texture and surface variables must be declared in .global space");
	if (v->space == PTX_SP_reg) {
		ptx_error(p, v->pos, "Variable '%.200s' cannot be allocated into a register", v->name);
		fits = false;
	}
	return fits;
}

static bool scalar_fits(struct ptx_parser *p, const struct ptx_var *v, enum ptx_var_place place)
{
	const struct ptx_type_info *t = &ptx_types[v->type];
	if (t->var == PTX_VAR_INSTR) {
		ptx_error(p, v->pos, "Type .%s may only be used as an instruction type", t->name);
		return false;
	}
	if (t->var == PTX_VAR_PRED && v->space != PTX_SP_reg) {
		ptx_error(p, v->pos, "Predicate variable '%.200s' must be in register state space", v->name);
		return false;
	}
	return t->var != PTX_VAR_OPAQUE || opaque_fits(p, v, place);
}

bool ptx_check_variable_type(struct ptx_parser *p, const struct ptx_var *v, enum ptx_var_place place)
{
	const enum ptx_var_kind kind = (enum ptx_var_kind)ptx_types[v->type].var;
	bool fits = vector_fits(p, v);
	if (place == PTX_OF_PROTOTYPE)
		return fits;
	if (fits && v->vec == 1 && !v->is_array)
		fits = scalar_fits(p, v, place);
	const bool scalar =
	        kind == PTX_VAR_BASIC || kind == PTX_VAR_PRED || (kind == PTX_VAR_OPAQUE && place != PTX_OF_FUNCTION);
	const bool plain = v->vec == 1 && scalar;
	if (v->space == PTX_SP_param && !v->is_array && !plain) {
		ptx_error(p, v->pos, "Variable '%.200s' cannot be allocated in .param state space", v->name);
		fits = false;
	}
	return fits;
}

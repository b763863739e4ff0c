// SPDX-License-Identifier: Apache-2.0
/* call.c -- checks the target of a call, in the words of ptxas; call_args.c checks results and arguments. */
#include "check.h"

static bool wrong(struct ptx_parser *p, const struct ptx_instr *i, const char *text)
{
	ptx_error(p, i->pos, "%s", text);
	return false;
}

static bool is_integer(unsigned type)
{
	const unsigned cls = ptx_types[type].cls;
	return cls == PTX_CLASS_UINT || cls == PTX_CLASS_SINT || cls == PTX_CLASS_BITS;
}

/* A target in a register needs a table. ptxas first takes an integer variable for a register. */
static bool target_fits(struct ptx_parser *p, const struct ptx_instr *i, bool table)
{
	const struct ptx_operand *o = &i->ops[1];
	const struct ptx_var *v = o->kind == PTX_O_SYMBOL && o->sym->kind == PTX_SYM_VAR ? o->sym->var : NULL;
	const bool function = o->kind == PTX_O_SYMBOL && v == NULL;
	bool integer = o->kind == PTX_O_REG && is_integer(p->fn->regs[o->reg].type);
	if (o->kind == PTX_O_NONE) {
		ptx_error(p, i->pos, "Call to '%s' requires call prototype", o->selector);
		return false;
	}
	if (v != NULL)
		integer = is_integer(v->type) && !v->is_array && v->vec == 1;
	if (o->kind == PTX_O_SREG && !ptx_sreg_info((enum ptx_sreg)o->sreg)->vec) {
		wrong(p, i, "Special register argument not allowed for instruction 'call'");
		return wrong(p, i, "Argument 0 of instruction 'call': must be register");
	}
	if (table && o->kind == PTX_O_REG && integer && ptx_types[p->fn->regs[o->reg].type].bits != 64 &&
	    ptx_types[p->fn->regs[o->reg].type].bits != 32)
		return wrong(p, i, "Illegal target for instruction 'call'");
	if (!function && !integer)
		return wrong(p, i, "Arguments mismatch for instruction 'call'");
	if (!function && !table)
		wrong(p, i, "Label expected for argument 0 of instruction 'call'");
	if (v != NULL || (function && table))
		return wrong(p, i, "Argument 0 of instruction 'call': must be register");
	if (function && o->sym->function->is_entry)
		return wrong(p, i, "Illegal call target, device function expected");
	return function || table;
}

/* Checks results and arguments by the function called, by the prototype, or by each function of .calltargets, from
 * the last on. */
static bool values_fit(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_table *t)
{
	const bool many = t != NULL && t->kind == PTX_TABLE_CALL;
	const struct ptx_function *f = many ? NULL : t != NULL ? t->prototype : i->ops[1].sym->function;
	bool fit = true;
	for (uint32_t n = many ? t->count : 1; n-- > 0;)
		fit &= ptx_check_call_results(p, i, many ? t->functions[n]->function : f);
	for (uint32_t n = many ? t->count : 1; n-- > 0;)
		fit &= ptx_check_call_arguments(p, i, many ? t->functions[n]->function : f);
	return fit;
}

bool ptx_check_call(struct ptx_parser *p, const struct ptx_instr *i)
{
	const bool table = i->nops > 3;
	const struct ptx_operand *o = &i->ops[table ? 3 : 1];
	if (table && o->kind == PTX_O_NONE)
		return wrong(p, i, "Arguments mismatch for instruction 'call'");
	const bool target = target_fits(p, i, table);
	if (!target && !(table && o->kind == PTX_O_TABLE && i->ops[1].kind == PTX_O_SYMBOL))
		return false;
	if (table && (o->kind != PTX_O_TABLE || o->table->kind == PTX_TABLE_BRANCH))
		return wrong(p, i, "Call target not recognized");
	return values_fit(p, i, table ? o->table : NULL) && target;
}

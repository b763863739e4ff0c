// SPDX-License-Identifier: Apache-2.0
/* call.c -- judges what a call names, and how many results and arguments stand there, in the words of ptxas. */
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

/* A target in a register needs a table. A variable of an integer is taken for a register first. */
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

static bool count_fits(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_function *f)
{
	return (i->ops[0].count == f->nrets && i->ops[2].count == f->nparams) ||
	       wrong(p, i, "Call has wrong number of parameters");
}

bool ptx_check_call(struct ptx_parser *p, const struct ptx_instr *i)
{
	const bool table = i->nops > 3;
	const struct ptx_operand *o = &i->ops[table ? 3 : 1];
	if (table && o->kind == PTX_O_NONE)
		return wrong(p, i, "Arguments mismatch for instruction 'call'");
	if (!target_fits(p, i, table))
		return false;
	if (!table)
		return count_fits(p, i, o->sym->function);
	if (o->kind != PTX_O_TABLE || o->table->kind == PTX_TABLE_BRANCH)
		return wrong(p, i, "Call target not recognized");
	if (o->table->kind == PTX_TABLE_PROTOTYPE)
		return count_fits(p, i, o->table->prototype);
	bool fits = true;
	for (uint32_t n = 0; n < o->table->count; n++)
		fits &= count_fits(p, i, o->table->functions[n]->function);
	return fits;
}

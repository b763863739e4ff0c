// SPDX-License-Identifier: Apache-2.0
/* calls.c -- calls of functions without a body: intrinsics are checked, other names must belong to the driver. */
#include <string.h>

#include "../ptx/ptx.h"
#include "expand.h"
#include "wlcc.h"

/* Names left to the driver by the assembler. */
static bool of_driver(const char *name)
{
	static const char *const names[] = {
#define DRIVER_FUNCTION(name) name,
#include "../../cmodel/object/driver_functions.def"
#undef DRIVER_FUNCTION
	};
	static const char prefix[] = "__cuda_syscall_";
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return strncmp(name, prefix, sizeof prefix - 1) == 0;
}

static enum ocg_type type_of(enum ptx_type t)
{
	switch (t) {
	case PTX_T_u32:
	case PTX_T_b32:
		return OCG_U32;
	case PTX_T_u64:
	case PTX_T_b64:
		return OCG_U64;
	case PTX_T_s32:
		return OCG_S32;
	case PTX_T_s64:
		return OCG_S64;
	case PTX_T_f32:
		return OCG_F32;
	case PTX_T_f64:
		return OCG_F64;
	case PTX_T_b8:
		return OCG_B8;
	case PTX_T_b16:
		return OCG_B16;
	case PTX_T_b128:
		return OCG_B128;
	case PTX_T_u8:
	case PTX_T_s8:
	case PTX_T_u16:
	case PTX_T_s16:
	case PTX_T_pred:
		return OCG_SMALL;
	default:
		return OCG_OTHER;
	}
}

static void add_operand(struct ocg_call *c, enum ocg_type type, bool constant)
{
	if (c->noperands < OCG_MAX_OPERANDS)
		c->operands[c->noperands++] = (struct ocg_operand){type, constant};
}

/* A b128 parameter is two operands, a b128 result a single operand. */
static void add_operands(struct ocg_call *c, const struct ptx_function *f, const struct ptx_operand *list)
{
	for (uint32_t i = 0; i < f->nrets; i++) {
		add_operand(c, type_of((enum ptx_type)f->rets[i]->type), false);
		c->nresults++;
		c->small_return |= type_of((enum ptx_type)f->rets[i]->type) == OCG_SMALL;
	}
	for (uint32_t i = 0; i < f->nparams; i++) {
		const enum ocg_type type = type_of((enum ptx_type)f->params[i]->type);
		const bool constant = list->kind == PTX_O_LIST && i < list->count && list->list[i].kind == PTX_O_INT;
		add_operand(c, type, constant);
		if (type == OCG_B128)
			add_operand(c, type, constant);
		c->small_param |= type == OCG_SMALL;
	}
}

static void tell(const struct wlcc_options *o, enum wlcc_severity severity, unsigned line, const char *text)
{
	o->diag(o->diag_self, &(struct wlcc_message){.severity = severity,
	                                             .fatal = severity == WLCC_ERROR,
	                                             .file = o->file,
	                                             .line = line,
	                                             .text = text});
}

static bool call_fits(const struct ptx_function *in, const struct ptx_instr *i, unsigned chip,
                      const struct wlcc_options *o, struct ocg_edits *code)
{
	const struct ptx_function *f = i->ops[1].sym->function;
	struct ocg_call c = {.name = f->name, .chip = chip};
	char text[OCG_MAX_TEXT], why[OCG_MAX_TEXT / 2];
	if (strncmp(f->name, OCG_PREFIX, sizeof OCG_PREFIX - 1) != 0) {
		if (of_driver(f->name) || o->relocatable)
			return true;
		snprintf(text, sizeof text, "Unresolved extern function '%.900s'", f->name);
		tell(o, WLCC_ERROR, i->pos.line, text);
		return false;
	}
	add_operands(&c, f, &i->ops[2]);
	ocg_judge(&c);
	if (c.warning[0])
		tell(o, WLCC_WARNING, i->pos.line, c.warning);
	if (!c.error[0] && code && !ocg_edits_add(code, &c, in, i, why, sizeof why))
		snprintf(c.error, sizeof c.error, "intrinsic '%.450s': %.500s", f->name, why);
	if (c.error[0])
		tell(o, WLCC_ERROR, i->pos.line, c.error);
	return !c.error[0];
}

/* The first wrong call ends the check, as in the assembler. */
bool ocg_calls_fit(const struct ptx_module *m, const struct wlcc_options *o, struct ocg_edits *code)
{
	const unsigned chip = o->chip ? o->chip : o->arch ? (unsigned)o->arch : m->target;
	for (uint32_t k = 0; k < m->nfunctions; k++)
		for (uint32_t n = 0; n < m->functions[k]->ninstrs; n++) {
			const struct ptx_instr *i = &m->functions[k]->instrs[n];
			if (i->op != PTX_OP_call || i->nops < 2 || i->ops[1].kind != PTX_O_SYMBOL ||
			    i->ops[1].sym->kind != PTX_SYM_FUNCTION || i->ops[1].sym->function->has_body)
				continue;
			if (!call_fits(m->functions[k], i, chip, o, code))
				return false;
		}
	return true;
}

// SPDX-License-Identifier: Apache-2.0
/* describe.c -- operands in words, for messages: the operand found, and the operand wanted by an instruction. */
#include <inttypes.h>
#include <stdio.h>

#include "check.h"

void ptx_describe_operand(const struct ptx_parser *p, const struct ptx_operand *o, char *to, size_t n)
{
	char reg[96];
	switch ((enum ptx_operand_kind)o->kind) {
	case PTX_O_REG:
		snprintf(to, n, "%sregister %s of type .%s", o->negated ? "negated " : "",
		         ptx_reg_name(p->fn, o->reg, reg, sizeof reg), ptx_types[p->fn->regs[o->reg].type].name);
		break;
	case PTX_O_INT:
		snprintf(to, n, "the integer %" PRId64, o->imm);
		break;
	case PTX_O_FLOAT:
		snprintf(to, n, "a floating-point constant");
		break;
	case PTX_O_SYMBOL:
		snprintf(to, n, "the address of '%.80s'", o->sym->name);
		break;
	case PTX_O_ADDR:
		snprintf(to, n, "an address in brackets");
		break;
	case PTX_O_LABEL:
		snprintf(to, n, "label '%.80s'", p->fn->labels[o->label].name);
		break;
	case PTX_O_SREG:
		snprintf(to, n, "special register %%%s", ptx_sreg_name((enum ptx_sreg)o->sreg));
		break;
	case PTX_O_VECTOR:
		snprintf(to, n, "a vector of %u", o->count);
		break;
	case PTX_O_PAIR:
		snprintf(to, n, "a pair d|p");
		break;
	case PTX_O_SINK:
		snprintf(to, n, "_");
		break;
	case PTX_O_LIST:
		snprintf(to, n, "a list in parentheses");
		break;
	case PTX_O_TABLE:
		snprintf(to, n, "a table of targets");
		break;
	case PTX_O_PARTS:
		snprintf(to, n, "two parts in brackets");
		break;
	case PTX_O_NONE:
		snprintf(to, n, "an unknown name");
		break;
	}
}

void ptx_describe_arg(const struct ptx_instr *i, const struct ptx_arg *a, enum ptx_type t, char *to, size_t n)
{
	static const char *const roles[] = {"a register",
	                                    "a register or constant",
	                                    "a register",
	                                    "a constant",
	                                    "a value",
	                                    "an address in brackets",
	                                    "a label",
	                                    "a list in parentheses",
	                                    "two parts in brackets"};
	const char *what = roles[a->role];
	if ((a->flags & ARG_VECTOR) && i->vec > 1)
		snprintf(to, n, "a vector of %u of type .%s", i->vec, ptx_types[t].name);
	else if (a->role == ROLE_MEM || a->role == ROLE_LABEL || a->role == ROLE_CALL || a->role == ROLE_PARTS ||
	         t == PTX_T_none)
		snprintf(to, n, "%s", what);
	else
		snprintf(to, n, "%s of type .%s", what, ptx_types[t].name);
}

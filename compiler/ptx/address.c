// SPDX-License-Identifier: Apache-2.0
/* address.c -- addresses of an instruction: width, state space, and operands accepted as an address. */
#include "check.h"

/* May the address have any width? ptxas accepts any width for copies with two spaces, and for the instructions below.
 * Most of these reach shared memory, named or not. */
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
	case PTX_OP_tensormap_replace:
	case PTX_OP_tcgen05_ld:
	case PTX_OP_tcgen05_ld_red:
	case PTX_OP_tcgen05_st:
	case PTX_OP_tcgen05_cp:
	case PTX_OP_tcgen05_shift:
	case PTX_OP_tcgen05_mma:
	case PTX_OP_tcgen05_mma_ws:
		return true;
	case PTX_OP_prefetch:
		return ptx_has(i, PTX_M_tensormap);
	default:
		return i->nspaces > 1;
	}
}

/* ptxas lets these have any address of tensor memory. */
static bool any_address(const struct ptx_instr *i)
{
	return i->op == PTX_OP_tcgen05_shift || i->op == PTX_OP_tcgen05_cp;
}

static bool multiplies(const struct ptx_instr *i)
{
	return i->op == PTX_OP_tcgen05_mma || i->op == PTX_OP_tcgen05_mma_ws;
}

/* Is the address in a register of 32 bits for integers? */
static bool in_word(const struct ptx_parser *p, const struct ptx_operand *o)
{
	if (o->base_kind != PTX_BASE_REG)
		return false;
	const struct ptx_type_info *t = &ptx_types[p->fn->regs[o->reg].type];
	return t->bits == 32 && t->cls != PTX_CLASS_FLOAT && t->cls != PTX_CLASS_PRED;
}

/* Addresses of tensor memory have 32 bits. */
static bool tensor_memory(const struct ptx_instr *i)
{
	return ptx_is_tensor_memory(i) && !any_address(i);
}

/* A copy has the destination first and the source second; the third address, if any, is an mbarrier. */
enum ptx_space ptx_space_of(const struct ptx_instr *i, unsigned operand)
{
	if (i->nspaces > 1 && operand > 1)
		return PTX_SP_shared;
	return (enum ptx_space)i->space[i->nspaces > 1 && operand == 1];
}

/* Checks the address itself. Source of the spaces inside other spaces: PTX ISA, "State Spaces". */
bool ptx_check_address(struct ptx_parser *p, const struct ptx_instr *i, const char *name, const struct ptx_operand *o,
                       unsigned operand)
{
	const enum ptx_space space = ptx_space_of(i, operand);
	if (multiplies(i) && !in_word(p, o)) {
		ptx_error(p, i->pos, "Arguments mismatch for instruction '%s'", name);
		return false;
	}
	if (any_address(i) && o->base_kind != PTX_BASE_SYMBOL)
		return true;
	if (o->base_kind == PTX_BASE_IMM) {
		if (space == PTX_SP_local)
			return true;
		if (tensor_memory(i)) {
			ptx_error(p, i->pos, "Arguments mismatch for instruction '%s'", name);
			return false;
		}
		ptx_error(p, i->pos, "Immediate addresses allowed only for .local state space");
		return false;
	}
	if (o->base_kind == PTX_BASE_SYMBOL)
		return ptx_check_space(p, i, name, o, space);
	char reg[256];
	enum ptx_type type = (enum ptx_type)p->fn->regs[o->reg].type;
	enum ptx_type_class cls = (enum ptx_type_class)ptx_types[type].cls;
	const bool odd = cls == PTX_CLASS_FLOAT || cls == PTX_CLASS_PRED;
	if (tensor_memory(i) && p->toolkit < 134 && (cls == PTX_CLASS_PRED || ptx_types[type].bits == 32))
		return true;
	if (tensor_memory(i) && p->toolkit < 134) {
		ptx_error(p, i->pos, "Arguments mismatch for instruction '%s'", name);
		return false;
	}
	if (tensor_memory(i) && (odd || ptx_types[type].bits != 32)) {
		ptx_error(p, i->pos,
		          "Illegal to use symbol '%s' of type .%s as address operand. Use a 32-bit integer or bit "
		          "register only.",
		          ptx_reg_name(p->fn, o->reg, reg, sizeof reg), ptx_types[type].name);
		return false;
	}
	if (odd) {
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
	if (o->sym->kind != PTX_SYM_VAR)
		return true;
	enum ptx_space have = (enum ptx_space)o->sym->var->space;
	bool parameter = have == PTX_SP_param || have == PTX_SP_param_entry || have == PTX_SP_param_func;
	if (space == PTX_SP_none && !parameter && have != PTX_SP_const)
		return true;
	bool shared = space == PTX_SP_shared || space == PTX_SP_shared_cta || space == PTX_SP_shared_cluster;
	bool param = space == PTX_SP_param || space == PTX_SP_param_entry || space == PTX_SP_param_func;
	if (have == space || (have == PTX_SP_shared && shared) || (have == PTX_SP_param && param))
		return true;
	ptx_error(p, i->pos, "State space mismatch between instruction and address in instruction '%s'", name);
	return false;
}

void ptx_indexed_address(const struct ptx_instr *i, const struct ptx_arg *a, struct ptx_operand *o)
{
	if (o->kind == PTX_O_SYMBOL && o->indexed && a->role == ROLE_MEM &&
	    (i->op == PTX_OP_ld || i->op == PTX_OP_st)) {
		o->kind = PTX_O_ADDR;
		o->base_kind = PTX_BASE_SYMBOL;
	}
}

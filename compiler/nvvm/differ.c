/* SPDX-License-Identifier: Apache-2.0 */
/* differ.c -- values that may differ between threads of a CTA, and blocks open to only some threads.
 *
 * Every doubt is a difference. Differences grow from nothing over all functions: from the thread's number, memory and
 * atomics, through operands, arguments and results. The ways of a branch on a difference come apart up to the common
 * meeting place. Each value of such a block counts as different: threads make other numbers of rounds. */
#include <stdlib.h>
#include <string.h>

#include "flow.h"

static bool differs(const struct nv_program *p, LLVMValueRef v)
{
	if (LLVMIsAInstruction(v) || LLVMIsAArgument(v))
		return nv_refs_get(&p->differs, v) != NV_NONE;
	return LLVMIsUndef(v) || LLVMIsPoison(v);
}

static bool note(struct nv_program *p, LLVMValueRef v)
{
	if (differs(p, v))
		return false;
	nv_refs_put(&p->differs, v, 1);
	return true;
}

static bool is_read_register(const char *name, const char **reg)
{
	static const char prefix[] = "llvm.nvvm.read.ptx.sreg.";
	*reg = name + sizeof prefix - 1;
	return !strncmp(name, prefix, sizeof prefix - 1);
}

/* Registers read alike by all threads of a CTA, without a component. */
static bool is_common_register(const char *reg)
{
	static const char *const names[] = {"ctaid",           "nctaid",           "ntid",          "gridid",
	                                    "clusterid",       "nclusterid",       "cluster.ctaid", "cluster.nctaid",
	                                    "cluster.ctarank", "cluster.nctarank", "warpsize",      "nwarpid"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const size_t n = strlen(names[i]);
		if (!strncmp(reg, names[i], n) && (!reg[n] || (reg[n] == '.' && strlen(reg + n) == 2)))
			return true;
	}
	return false;
}

static bool any_operand_differs(const struct nv_program *p, LLVMValueRef inst)
{
	const int n = LLVMGetNumOperands(inst);
	for (int i = 0; i < n; i++)
		if (differs(p, LLVMGetOperand(inst, (unsigned)i)))
			return true;
	return false;
}

static bool call_differs(const struct nv_program *p, LLVMValueRef call)
{
	LLVMValueRef fn = LLVMGetCalledValue(call);
	const uint32_t body = nv_fn_number(p, fn);
	const char *reg;
	if (body != NV_NONE)
		return p->fns[body].ret_differs;
	if (nv_is_common_result(call))
		return false;
	if (!LLVMIsAFunction(fn) || !LLVMGetIntrinsicID(fn))
		return true;
	if (is_read_register(nv_symbol(fn), &reg))
		return !is_common_register(reg);
	return !nv_is_quiet_call(call) || any_operand_differs(p, call);
}

static bool instruction_differs(const struct nv_program *p, LLVMValueRef inst)
{
	switch (LLVMGetInstructionOpcode(inst)) {
	case LLVMCall:
		return call_differs(p, inst);
	case LLVMLoad:
		return !nv_is_constant_memory(inst) || any_operand_differs(p, inst);
	case LLVMAlloca:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
	case LLVMInvoke:
	case LLVMCallBr:
	case LLVMVAArg:
	case LLVMLandingPad:
	case LLVMCatchPad:
	case LLVMCleanupPad:
		return true;
	default:
		return any_operand_differs(p, inst);
	}
}

/* ---- control ---- */

static bool branch_differs(const struct nv_program *p, const struct nv_block *b)
{
	LLVMValueRef t = LLVMGetBasicBlockTerminator(b->bb);
	if (b->nsucc < 2)
		return false;
	switch (LLVMGetInstructionOpcode(t)) {
	case LLVMBr:
		return differs(p, LLVMGetCondition(t));
	case LLVMSwitch:
		return differs(p, LLVMGetOperand(t, 0));
	default:
		return true;
	}
}

static void push(uint32_t block, uint32_t meet, bool *seen, uint32_t *stack, uint32_t *n)
{
	if (block == meet || seen[block])
		return;
	seen[block] = true;
	stack[(*n)++] = block;
}

/* Blocks between the branch and the meeting place. */
static bool part(struct nv_program *p, struct nv_fn *f, const struct nv_block *b)
{
	uint32_t *stack = nv_room(f->nblocks, sizeof *stack), n = 0;
	bool *seen = nv_room(f->nblocks, sizeof *seen), changed = false;
	for (uint32_t s = 0; s < b->nsucc; s++)
		push(b->succ[s], b->meet, seen, stack, &n);
	while (n) {
		struct nv_block *x = &f->blocks[stack[--n]];
		changed |= !x->apart;
		x->apart = true;
		for (uint32_t s = 0; s < x->nsucc; s++)
			push(x->succ[s], b->meet, seen, stack, &n);
	}
	free(stack);
	free(seen);
	if (b->meet != NV_NONE)
		for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[b->meet].bb); i && LLVMIsAPHINode(i);
		     i = LLVMGetNextInstruction(i))
			changed |= note(p, i);
	return changed;
}

/* ---- functions ---- */

static bool look_at_call(struct nv_program *p, LLVMValueRef call, bool apart)
{
	const uint32_t to = nv_fn_number(p, LLVMGetCalledValue(call));
	bool changed = false;
	if (to == NV_NONE)
		return false;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && i < LLVMCountParams(p->fns[to].fn); i++)
		if (apart || differs(p, LLVMGetOperand(call, i)))
			changed |= note(p, LLVMGetParam(p->fns[to].fn, i));
	return changed;
}

static bool look_at_instruction(struct nv_program *p, struct nv_fn *f, const struct nv_block *b, LLVMValueRef i)
{
	bool changed = false;
	if (LLVMIsAReturnInst(i)) {
		const bool now = b->apart || (LLVMGetNumOperands(i) && differs(p, LLVMGetOperand(i, 0)));
		changed = now && !f->ret_differs;
		f->ret_differs |= now;
		return changed;
	}
	if (nv_is_call(i))
		changed = look_at_call(p, i, b->apart);
	if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind && !differs(p, i) &&
	    (b->apart || instruction_differs(p, i)))
		changed |= note(p, i);
	return changed;
}

static bool look_at_function(struct nv_program *p, struct nv_fn *f)
{
	bool changed = false;
	for (uint32_t b = 0; b < f->nblocks; b++) {
		struct nv_block *x = &f->blocks[b];
		for (LLVMValueRef i = LLVMGetFirstInstruction(x->bb); i; i = LLVMGetNextInstruction(i))
			changed |= look_at_instruction(p, f, x, i);
		if (branch_differs(p, x))
			changed |= part(p, f, x);
	}
	return changed;
}

void nv_find_differences(struct nv_program *p)
{
	bool changed = true;
	for (uint32_t k = 0; k < p->nfns; k++)
		for (unsigned i = 0; p->fns[k].outside && i < LLVMCountParams(p->fns[k].fn); i++)
			note(p, LLVMGetParam(p->fns[k].fn, i));
	while (changed) {
		changed = false;
		for (uint32_t k = 0; k < p->nfns; k++)
			changed |= look_at_function(p, &p->fns[k]);
	}
}

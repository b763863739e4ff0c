/* SPDX-License-Identifier: Apache-2.0 */
/* cenum.c -- finds the copies of an enum among the copies of the C header. C's own type rules never tell enums and
 * integers apart (an enum is compatible with its integer type). The debug information of a variable does. */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "lower.h"

enum { TAG_ENUMERATION = 0x04, MAX_WALK = 8 };

/* Operand i of a metadata node; NULL: no such operand. */
static LLVMValueRef node_operand(LLVMValueRef node, unsigned i)
{
	LLVMValueRef ops[32];
	unsigned n = node && LLVMIsAMDNode(node) ? LLVMGetMDNodeNumOperands(node) : 0;
	if (i >= n || n > sizeof ops / sizeof *ops)
		return NULL;
	LLVMGetMDNodeOperands(node, ops);
	return ops[i];
}

/* Follows typedefs and qualifiers. Operand 3 of a derived type is the base type. */
static bool is_enumeration(LLVMValueRef type)
{
	for (int i = 0; type && LLVMIsAMDNode(type) && i < MAX_WALK; i++) {
		LLVMMetadataRef md = LLVMValueAsMetadata(type);
		if (LLVMGetMetadataKind(md) == LLVMDICompositeTypeMetadataKind)
			return LLVMGetDINodeTag(md) == TAG_ENUMERATION;
		if (LLVMGetMetadataKind(md) != LLVMDIDerivedTypeMetadataKind)
			return false;
		type = node_operand(type, 3);
	}
	return false;
}

void nv_note_variable(struct nv_module *m, LLVMValueRef inst)
{
	LLVMValueRef fn = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL, where = NULL;
	if (!fn || !LLVMIsAFunction(fn) || strcmp(nv_symbol(fn), "llvm.dbg.declare") ||
	    LLVMGetNumArgOperands(inst) != 3)
		return;
	LLVMValueRef address = LLVMGetOperand(inst, 0), variable = LLVMGetOperand(inst, 1);
	if (!LLVMIsAValueAsMetadata(address))
		return;
	LLVMGetMDNodeOperands(address, &where);
	if (!is_enumeration(node_operand(variable, 3))) /* operand 3 of a local variable is the type */
		return;
	LLVMValueRef *more = realloc(m->enums, (m->n_enums + 1) * sizeof *more);
	if (!more)
		return;
	m->enums = more;
	m->enums[m->n_enums++] = where;
}

bool nv_holds_enum(const struct nv_module *m, LLVMValueRef copy)
{
	for (unsigned i = 0; i < m->n_enums; i++)
		if (m->enums[i] == copy)
			return true;
	return false;
}

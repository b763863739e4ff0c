/* SPDX-License-Identifier: Apache-2.0 */
/* lower.c -- walks the calls of builtins and replaces each; also the C11-model family itself. */
#include "lower.h"

#include <stdlib.h>
#include <string.h>

bool nv_kind_type(LLVMValueRef call, struct nv_type *out)
{
	long long kind, size;
	if (!nv_const_of(LLVMGetOperand(call, 0), &kind) || !nv_const_of(LLVMGetOperand(call, 1), &size))
		return false;
	const struct nv_type *t = kind < 0 ? NULL : nv_type_at((size_t)kind);
	if (!t || size < 0 || size > 1 << 30)
		return false;
	*out = *t;
	if (t->cls == NV_C_OBJ)
		out->align = 1; /* C gives the size; copies made by the header become registers */
	out->bytes = (unsigned)size;
	return true;
}

unsigned nv_order_index(const struct nv_builtin *bi)
{
	unsigned i = 0;
	if (bi->op == NV_FENCE)
		return 0;
	i = bi->by_kind ? 3 : 1; /* behind the address */
	bool addressed = bi->by_kind || bi->form == NV_GENERIC;
	switch (bi->op) {
	case NV_LOAD:
		return i + (addressed ? 1 : 0);
	case NV_STORE:
		return i + 1;
	case NV_CAS:
		return i + 3;
	case NV_EXCH:
		return i + (addressed ? 2 : 1);
	default:
		return i + (bi->by_kind ? 2 : 1);
	}
}

void nv_order_scope(LLVMValueRef call, const struct nv_builtin *bi, int *order, int *scope)
{
	unsigned at = nv_order_index(bi), n = LLVMGetNumArgOperands(call);
	long long v;
	*order = at < n && nv_const_of(LLVMGetOperand(call, at), &v) ? (int)v : 0;
	if (bi->op == NV_CAS) {
		int fail = at + 1 < n && nv_const_of(LLVMGetOperand(call, at + 1), &v) ? (int)v : 0;
		if (fail > *order)
			*order = fail;
		at++;
	}
	*scope = at + 1 >= n ? NV_SYSTEM : nv_const_of(LLVMGetOperand(call, at + 1), &v) ? (int)v : 0;
}

/* An operand in the type of the operation: a float for float arithmetic, otherwise an integer of the type's size. */
static LLVMValueRef operand(struct nv_module *m, LLVMValueRef arg, const struct nv_builtin *bi, bool at_address)
{
	bool arithmetic = bi->op == NV_ADD || bi->op == NV_SUB || bi->op == NV_MAX || bi->op == NV_MIN;
	bool f = bi->type.cls == NV_C_FLOAT && arithmetic;
	LLVMTypeRef want =
	        f ? (bi->type.bytes == 8 ? LLVMDoubleTypeInContext(m->llvm) : LLVMFloatTypeInContext(m->llvm))
	          : nv_int(m, bi->type.bytes * 8);
	if (at_address) {
		LLVMValueRef v = LLVMBuildLoad2(m->b, want, arg, "");
		LLVMSetAlignment(v, bi->type.align ? bi->type.align : 1);
		return v;
	}
	return f ? (LLVMTypeOf(arg) == want ? arg : LLVMBuildBitCast(m->b, arg, want, ""))
	         : nv_to_int(m, arg, bi->type.bytes * 8);
}

static void put(struct nv_module *m, LLVMValueRef v, LLVMValueRef where, const struct nv_builtin *bi)
{
	LLVMSetAlignment(LLVMBuildStore(m->b, v, where), bi->type.align ? bi->type.align : 1);
}

static LLVMValueRef negated(struct nv_module *m, LLVMValueRef v, unsigned diffs)
{
	if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind)
		return LLVMBuildNeg(m->b, v, "");
	if (!(diffs & NV_D_FLOAT_NEG))
		return LLVMBuildFNeg(m->b, v, "");
	return LLVMBuildFSub(m->b, LLVMConstNull(LLVMTypeOf(v)), v, ""); /* 0 - x: not the same as -x for x = +0 */
}

static LLVMValueRef lower_fence(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi)
{
	int order, scope;
	char text[48];
	nv_order_scope(call, bi, &order, &scope);
	enum nv_text_status st = nv_fence_text(order, scope, m->sm, nv_active(m, bi->row->diffs), text, sizeof text);
	if (st != NV_TEXT_OK)
		nv_error(m, call, "Internal Compiler Error (codegen): \"%s\"", nv_text_message(st));
	else
		nv_asm(m, LLVMVoidTypeInContext(m->llvm), text, "~{memory}", NULL, 0, false);
	return NULL;
}

LLVMValueRef nv_lower_atomic(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi0)
{
	struct nv_builtin bi = *bi0;
	if (bi.op == NV_FENCE)
		return lower_fence(m, call, &bi);
	if (bi.by_kind && !nv_kind_type(call, &bi.type))
		return NULL;
	struct nv_request q = {
	        .op = bi.op, .type = bi.type, .form = bi.form, .sm = m->sm, .diffs = nv_active(m, bi.row->diffs)};
	/* A generic name becomes the suffixed name of its type, with the differences of the suffixed row. */
	const struct nv_row *renamed = bi.form == NV_SUFFIX ? NULL : nv_renamed(&bi, &bi.type);
	if (renamed)
		q.diffs |= nv_active(m, renamed->diffs);
	nv_order_scope(call, &bi, &q.order, &q.scope);

	unsigned a = bi.by_kind ? 2 : 0; /* the first address */
	bool addressed = bi.by_kind || bi.form == NV_GENERIC || bi.type.cls == NV_C_OBJ;
	LLVMValueRef args[3] = {LLVMGetOperand(call, a), NULL, NULL}, expected = NULL, dest = NULL, r;
	unsigned n = 1;
	switch (bi.op) {
	case NV_LOAD:
		if (addressed && bi.form != NV_SUFFIX)
			dest = LLVMGetOperand(call, a + 1);
		break;
	case NV_CAS:
		expected = LLVMGetOperand(call, a + 1);
		args[n++] = operand(m, expected, &bi, true);
		args[n++] = operand(m, LLVMGetOperand(call, a + 2), &bi, addressed);
		break;
	default:
		args[n++] = operand(m, LLVMGetOperand(call, a + 1), &bi, addressed);
		if (addressed && bi.op != NV_STORE && (bi.op == NV_EXCH || bi.by_kind))
			dest = LLVMGetOperand(call, a + 2);
	}
	if (bi.op == NV_SUB)
		args[1] = negated(m, args[1], q.diffs);

	enum nv_text_status st;
	r = nv_emit_request(m, &q, args, n, &st);
	if (st != NV_TEXT_OK) {
		nv_error(m, call, "%s: Internal Compiler Error (codegen): \"%s\"", bi.row->name, nv_text_message(st));
		return NULL;
	}
	if (bi.op == NV_CAS) {
		put(m, r, expected, &bi);
		return nv_to_int(m, LLVMBuildICmp(m->b, LLVMIntEQ, r, args[1], ""),
		                 LLVMGetIntTypeWidth(LLVMTypeOf(call)));
	}
	if (dest && r && !LLVMIsAConstantPointerNull(dest))
		put(m, r, dest, &bi);
	if (!r || LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
		return NULL;
	return LLVMTypeOf(r) == LLVMTypeOf(call) ? r
	       : LLVMGetTypeKind(LLVMTypeOf(r)) == LLVMIntegerTypeKind
	               ? nv_from_int(m, r, LLVMTypeOf(call))
	               : LLVMBuildBitCast(m->b, r, LLVMTypeOf(call), "");
}

static void lower_call(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi)
{
	LLVMPositionBuilderBefore(m->b, call);
	LLVMValueRef r = bi->family == NV_F_ATOMIC ? nv_lower_atomic(m, call, bi)
	                 : bi->family >= NV_F_SYNC ? nv_lower_sync(m, call, bi)
	                                           : nv_lower_legacy(m, call, bi);
	if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
		LLVMReplaceAllUsesWith(call, r ? r : LLVMGetPoison(LLVMTypeOf(call)));
	LLVMInstructionEraseFromParent(call);
}

static void lower_barriers(struct nv_module *m, LLVMValueRef fn)
{
	for (LLVMUseRef u = LLVMGetFirstUse(fn); u; u = LLVMGetFirstUse(fn)) {
		LLVMValueRef call = LLVMGetUser(u);
		LLVMPositionBuilderBefore(m->b, call);
		nv_lower_barrier(m, call, nv_barrier_row(nv_symbol(fn)));
		LLVMInstructionEraseFromParent(call);
	}
	LLVMDeleteFunction(fn);
}

void nv_lower_module(struct nv_module *m)
{
	LLVMValueRef next;
	for (LLVMValueRef fn = LLVMGetFirstFunction(m->mod); fn; fn = next) {
		struct nv_builtin bi;
		next = LLVMGetNextFunction(fn);
		if (nv_is_unknown_intrinsic(fn) && nv_barrier_row(nv_symbol(fn))) {
			lower_barriers(m, fn);
			continue;
		}
		if (!LLVMIsDeclaration(fn) || nv_resolve(nv_symbol(fn), m->sm, m->documented, &bi) != NV_FOUND)
			continue;
		for (LLVMUseRef u = LLVMGetFirstUse(fn); u; u = LLVMGetFirstUse(fn)) {
			LLVMValueRef user = LLVMGetUser(u);
			if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != fn) {
				nv_error(m, user, "%s: nv atomic function must be called directly.", bi.row->name);
				break;
			}
			lower_call(m, user, &bi);
		}
		if (!LLVMGetFirstUse(fn))
			LLVMDeleteFunction(fn);
	}
}

LLVMValueRef nv_helper(struct nv_module *m, const char *name, LLVMTypeRef type, bool *fresh)
{
	LLVMValueRef fn = LLVMGetNamedFunction(m->mod, name);
	*fresh = !fn;
	if (fn)
		return fn;
	fn = LLVMAddFunction(m->mod, name, type);
	LLVMSetLinkage(fn, LLVMInternalLinkage);
	nv_mark(m, fn, "alwaysinline");
	nv_mark(m, fn, "nounwind");
	return fn;
}

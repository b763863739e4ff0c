/* SPDX-License-Identifier: Apache-2.0 */
/* ir.c -- helpers over LLVM's C API: constants, inline asm, conversions, address spaces, messages. */
#include "ir.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_MESSAGES 12 /* after the first few errors the rest is rarely news */
#define MAX_WALK     8  /* most steps back along a pointer */

static void print(const struct nv_module *m, LLVMValueRef at, const char *kind, const char *fmt, va_list ap)
{
	unsigned line = at && LLVMIsAInstruction(at) ? LLVMGetDebugLocLine(at) : 0;
	if (line) {
		unsigned len;
		const char *name = LLVMGetDebugLocFilename(at, &len);
		fprintf(stderr, "%.*s:%u:%u: ", (int)len, name ? name : "", line, LLVMGetDebugLocColumn(at));
	} else {
		fprintf(stderr, "%s: ", m->file);
		if (at && LLVMIsAInstruction(at)) {
			LLVMBasicBlockRef bb = LLVMGetInstructionParent(at);
			LLVMValueRef fn = LLVMGetBasicBlockParent(bb);
			unsigned n = 1;
			for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b && b != bb;
			     b = LLVMGetNextBasicBlock(b))
				for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
					n++;
			for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i && i != at; i = LLVMGetNextInstruction(i))
				n++;
			size_t len;
			const char *name = LLVMGetValueName2(fn, &len);
			fprintf(stderr, "in function '%.*s', instruction %u: ", (int)(len > 80 ? 80 : len), name, n);
		}
	}
	fprintf(stderr, "%s", kind);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

static void say(const struct nv_module *m, LLVMValueRef at, const char *kind, const char *fmt, va_list ap)
{
	if (m->errors + m->warnings <= MAX_MESSAGES)
		print(m, at, kind, fmt, ap);
}

void nv_error(struct nv_module *m, LLVMValueRef at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	m->errors++;
	say(m, at, "error: ", fmt, ap);
	va_end(ap);
}

void nv_warn(struct nv_module *m, LLVMValueRef at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	m->warnings++;
	say(m, at, "warning ", fmt, ap);
	va_end(ap);
}

void nv_note(const struct nv_module *m, LLVMValueRef at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	print(m, at, "note: ", fmt, ap);
	va_end(ap);
}

unsigned nv_active(const struct nv_module *m, unsigned diffs)
{
	return m->documented ? 0 : diffs;
}

LLVMTypeRef nv_int(const struct nv_module *m, unsigned bits)
{
	return LLVMIntTypeInContext(m->llvm, bits);
}

LLVMTypeRef nv_pointer(const struct nv_module *m, unsigned space)
{
	return LLVMPointerTypeInContext(m->llvm, space);
}

LLVMValueRef nv_const(const struct nv_module *m, unsigned bits, unsigned long long v)
{
	return LLVMConstInt(nv_int(m, bits), v, 0);
}

bool nv_const_of(LLVMValueRef v, long long *out)
{
	if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
		return false;
	*out = LLVMConstIntGetSExtValue(v);
	return true;
}

const char *nv_symbol(LLVMValueRef fn)
{
	size_t len;
	const char *s = LLVMGetValueName2(fn, &len);
	return s[0] == '\1' ? s + 1 : s;
}

void nv_mark(const struct nv_module *m, LLVMValueRef v, const char *attribute)
{
	LLVMAttributeRef a =
	        LLVMCreateEnumAttribute(m->llvm, LLVMGetEnumAttributeKindForName(attribute, strlen(attribute)), 0);
	if (LLVMIsAFunction(v))
		LLVMAddAttributeAtIndex(v, LLVMAttributeFunctionIndex, a);
	else
		LLVMAddCallSiteAttribute(v, LLVMAttributeFunctionIndex, a);
}

LLVMValueRef nv_asm(struct nv_module *m, LLVMTypeRef ret, const char *text, const char *constraints, LLVMValueRef *args,
                    unsigned n, bool convergent)
{
	LLVMTypeRef types[16];
	for (unsigned i = 0; i < n; i++)
		types[i] = LLVMTypeOf(args[i]);
	LLVMTypeRef fn = LLVMFunctionType(ret, types, n, 0);
	LLVMValueRef code = LLVMGetInlineAsm(fn, text, strlen(text), constraints, strlen(constraints), 1, 0,
	                                     LLVMInlineAsmDialectATT, 0);
	LLVMValueRef call = LLVMBuildCall2(m->b, fn, code, args, n, "");
	nv_mark(m, call, "nounwind");
	if (convergent)
		nv_mark(m, call, "convergent");
	return call;
}

unsigned nv_bits(const struct nv_module *m, LLVMTypeRef t)
{
	(void)m;
	switch (LLVMGetTypeKind(t)) {
	case LLVMIntegerTypeKind:
		return LLVMGetIntTypeWidth(t);
	case LLVMHalfTypeKind:
	case LLVMBFloatTypeKind:
		return 16;
	case LLVMFloatTypeKind:
		return 32;
	case LLVMDoubleTypeKind:
	case LLVMPointerTypeKind:
		return 64;
	case LLVMVectorTypeKind:
		return LLVMGetVectorSize(t) * nv_bits(m, LLVMGetElementType(t));
	default:
		return 0;
	}
}

LLVMValueRef nv_to_int(struct nv_module *m, LLVMValueRef v, unsigned bits)
{
	LLVMTypeRef t = LLVMTypeOf(v);
	switch (LLVMGetTypeKind(t)) {
	case LLVMIntegerTypeKind: {
		unsigned w = LLVMGetIntTypeWidth(t);
		return w == bits  ? v
		       : w < bits ? LLVMBuildZExt(m->b, v, nv_int(m, bits), "")
		                  : LLVMBuildTrunc(m->b, v, nv_int(m, bits), "");
	}
	case LLVMPointerTypeKind:
		return LLVMBuildPtrToInt(m->b, v, nv_int(m, bits), "");
	default:
		return LLVMBuildBitCast(m->b, v, nv_int(m, bits), "");
	}
}

LLVMValueRef nv_from_int(struct nv_module *m, LLVMValueRef v, LLVMTypeRef to)
{
	if (LLVMTypeOf(v) == to)
		return v;
	switch (LLVMGetTypeKind(to)) {
	case LLVMIntegerTypeKind:
		return nv_to_int(m, v, LLVMGetIntTypeWidth(to));
	case LLVMPointerTypeKind:
		return LLVMBuildIntToPtr(m->b, v, to, "");
	default:
		return LLVMBuildBitCast(m->b, v, to, "");
	}
}

/* !nvvm.annotations = !{..., !{ptr @f, !"kernel", i32 1}, ...}: the older way to mark a kernel. */
void nv_find_kernels(struct nv_module *m)
{
	unsigned n = LLVMGetNamedMetadataNumOperands(m->mod, "nvvm.annotations");
	LLVMValueRef *nodes = n ? calloc(n, sizeof *nodes) : NULL, ops[16];
	m->kernels = n ? calloc(n, sizeof *m->kernels) : NULL;
	if (!nodes || !m->kernels)
		return;
	LLVMGetNamedMetadataOperands(m->mod, "nvvm.annotations", nodes);
	for (unsigned i = 0; i < n; i++) {
		unsigned k = LLVMGetMDNodeNumOperands(nodes[i]);
		if (k < 3 || k > sizeof ops / sizeof *ops)
			continue;
		LLVMGetMDNodeOperands(nodes[i], ops);
		for (unsigned j = 1; ops[0] && j + 1 < k; j += 2) {
			unsigned len = 0;
			const char *s = ops[j] ? LLVMGetMDString(ops[j], &len) : NULL;
			if (s && len == 6 && !memcmp(s, "kernel", 6))
				m->kernels[m->n_kernels++] = ops[0];
			if (m->n_kernels == n)
				break;
		}
		if (m->n_kernels == n)
			break;
	}
	free(nodes);
}

bool nv_is_kernel(struct nv_module *m, LLVMValueRef fn)
{
	if (LLVMGetFunctionCallConv(fn) == LLVMPTXKernelCallConv)
		return true;
	for (unsigned i = 0; i < m->n_kernels; i++)
		if (m->kernels[i] == fn)
			return true;
	return false;
}

static unsigned space_of(struct nv_module *m, LLVMValueRef p, unsigned depth)
{
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(p));
	if (space || depth == 0)
		return space;
	if (LLVMIsAArgument(p))
		return nv_is_kernel(m, LLVMGetParamParent(p)) ? 1 : 0;
	if (LLVMIsAGlobalVariable(p))
		return 1; /* C variables without a space: the back end moves these to global memory */
	if (LLVMIsAPHINode(p)) {
		unsigned n = LLVMCountIncoming(p), found = 0;
		for (unsigned i = 0; i < n; i++) {
			LLVMValueRef v = LLVMGetIncomingValue(p, i);
			unsigned s = v == p ? found : space_of(m, v, depth / 2);
			if (i && s != found)
				return 0;
			found = s;
		}
		return found;
	}
	if (LLVMIsASelectInst(p)) {
		unsigned a = space_of(m, LLVMGetOperand(p, 1), depth - 1);
		return a && a == space_of(m, LLVMGetOperand(p, 2), depth - 1) ? a : 0;
	}
	bool cast =
	        LLVMIsAAddrSpaceCastInst(p) || (LLVMIsAConstantExpr(p) && LLVMGetConstOpcode(p) == LLVMAddrSpaceCast);
	bool gep =
	        LLVMIsAGetElementPtrInst(p) || (LLVMIsAConstantExpr(p) && LLVMGetConstOpcode(p) == LLVMGetElementPtr);
	if (cast || gep)
		return space_of(m, LLVMGetOperand(p, 0), depth - 1);
	return 0;
}

unsigned nv_space_of(struct nv_module *m, LLVMValueRef p)
{
	return space_of(m, p, MAX_WALK);
}

/* A getelementptr of a constant index over an integer type: the form of constant offsets after optimisation. */
static bool constant_step(LLVMValueRef p, long long *bytes)
{
	long long index;
	if (!LLVMIsAGetElementPtrInst(p) || LLVMGetNumOperands(p) != 2 || !nv_const_of(LLVMGetOperand(p, 1), &index))
		return false;
	LLVMTypeRef t = LLVMGetGEPSourceElementType(p);
	if (LLVMGetTypeKind(t) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(t) % 8)
		return false;
	*bytes = index * (LLVMGetIntTypeWidth(t) / 8);
	return *bytes == (int)*bytes;
}

struct nv_address nv_address_of(struct nv_module *m, LLVMValueRef p)
{
	struct nv_address a = {p, nv_space_of(m, p), 0};
	long long step;
	while (constant_step(a.base, &step)) {
		a.offset += step;
		a.base = LLVMGetOperand(a.base, 0);
	}
	if (LLVMIsAAddrSpaceCastInst(a.base) &&
	    LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(a.base, 0))) == a.space)
		a.base = LLVMGetOperand(a.base, 0);
	if (a.space != 1 && a.space != 3 && a.space)
		a.space = 0; /* local and constant memory: left to the generic form */
	if (LLVMGetPointerAddressSpace(LLVMTypeOf(a.base)) != a.space)
		a.base = LLVMBuildAddrSpaceCast(m->b, a.base, nv_pointer(m, a.space), "");
	return a;
}

static LLVMTypeRef register_type(struct nv_module *m, const struct nv_request *q)
{
	unsigned bits = q->type.bytes * 8;
	bool f =
	        q->type.cls == NV_C_FLOAT && (q->op == NV_ADD || q->op == NV_SUB || q->op == NV_MAX || q->op == NV_MIN);
	if (f)
		return bits == 64 ? LLVMDoubleTypeInContext(m->llvm) : LLVMFloatTypeInContext(m->llvm);
	return nv_int(m, bits < 16 ? 32 : bits);
}

/* Constraints and types agree: 8-bit data in 32-bit registers, 128-bit data in pairs of 64-bit registers. */
LLVMValueRef nv_emit_request(struct nv_module *m, const struct nv_request *q, LLVMValueRef *args, unsigned n,
                             enum nv_text_status *st)
{
	struct nv_text t;
	LLVMTypeRef none = LLVMVoidTypeInContext(m->llvm), reg = register_type(m, q), i64 = nv_int(m, 64);
	LLVMValueRef ops[8];
	unsigned k = 0;
	bool wide = q->type.bytes == 16;
	*st = nv_atomic_text(q, &t);
	if (*st != NV_TEXT_OK)
		return NULL;
	if (t.before[0])
		nv_asm(m, none, t.before, "~{memory}", NULL, 0, false);
	ops[k++] = args[0];
	for (unsigned i = 1; i < n; i++) {
		if (wide) {
			ops[k++] = LLVMBuildTrunc(m->b, args[i], i64, "");
			ops[k++] =
			        LLVMBuildTrunc(m->b, LLVMBuildLShr(m->b, args[i], nv_const(m, 128, 64), ""), i64, "");
		} else {
			ops[k++] = LLVMTypeOf(args[i]) == reg ? args[i] : LLVMBuildZExt(m->b, args[i], reg, "");
		}
	}
	LLVMTypeRef pair[2] = {i64, i64};
	LLVMTypeRef ret = q->op == NV_STORE ? none : wide ? LLVMStructTypeInContext(m->llvm, pair, 2, 0) : reg;
	LLVMValueRef r = nv_asm(m, ret, t.op, t.constraints, ops, k, false);
	if (q->op != NV_STORE && wide) {
		LLVMValueRef lo = LLVMBuildZExt(m->b, LLVMBuildExtractValue(m->b, r, 0, ""), nv_int(m, 128), "");
		LLVMValueRef hi = LLVMBuildZExt(m->b, LLVMBuildExtractValue(m->b, r, 1, ""), nv_int(m, 128), "");
		r = LLVMBuildOr(m->b, lo, LLVMBuildShl(m->b, hi, nv_const(m, 128, 64), ""), "");
	} else if (q->op != NV_STORE && q->type.bytes == 1) {
		r = LLVMBuildTrunc(m->b, r, nv_int(m, 8), "");
	}
	if (t.after[0])
		nv_asm(m, none, t.after, "~{memory}", NULL, 0, false);
	return q->op == NV_STORE ? NULL : r;
}

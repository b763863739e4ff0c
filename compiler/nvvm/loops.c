/* SPDX-License-Identifier: Apache-2.0 */
/* loops.c -- loops in place of a single operation: bfloat16 addition without hardware, redux over a mask in software.
 * Each is a helper function, inlined at once, so that no block of the caller has to be split here. */
#include <stdio.h>
#include <string.h>

#include "lower.h"

/* A bfloat16 sum in single precision: 16-bit patterns in, 16-bit pattern out, rounded to nearest even. */
static LLVMValueRef bf16_sum(struct nv_module *m, LLVMValueRef a, LLVMValueRef b)
{
	LLVMTypeRef i32 = nv_int(m, 32), f32 = LLVMFloatTypeInContext(m->llvm);
	LLVMValueRef sixteen = nv_const(m, 32, 16), x[2] = {a, b};
	for (unsigned i = 0; i < 2; i++)
		x[i] = LLVMBuildBitCast(m->b, LLVMBuildShl(m->b, LLVMBuildZExt(m->b, x[i], i32, ""), sixteen, ""), f32,
		                        "");
	LLVMValueRef s = LLVMBuildBitCast(m->b, LLVMBuildFAdd(m->b, x[0], x[1], ""), i32, "");
	LLVMValueRef magnitude = LLVMBuildAnd(m->b, s, nv_const(m, 32, 0x7fffffff), "");
	LLVMValueRef nan = LLVMBuildICmp(m->b, LLVMIntUGT, magnitude, nv_const(m, 32, 0x7f800000), "");
	LLVMValueRef even = LLVMBuildAnd(m->b, LLVMBuildLShr(m->b, s, sixteen, ""), nv_const(m, 32, 1), "");
	LLVMValueRef r = LLVMBuildAdd(m->b, s, LLVMBuildAdd(m->b, even, nv_const(m, 32, 0x7fff), ""), "");
	r = LLVMBuildSelect(m->b, nan, nv_const(m, 32, 0x7fff0000), r, "");
	return LLVMBuildTrunc(m->b, LLVMBuildLShr(m->b, r, sixteen, ""), nv_int(m, 16), "");
}

static LLVMValueRef bf16_sums(struct nv_module *m, LLVMValueRef old, LLVMValueRef v, unsigned bits)
{
	if (m->sm >= 80) { /* a + v * 1 in the packed or the single form */
		LLVMValueRef ops[2] = {v, old};
		return bits == 32
		               ? nv_asm(m, nv_int(m, 32),
		                        "{ .reg .b32 %wl_c; mov.b32 %wl_c, 0x3f803f80; fma.rn.bf16x2 $0,$1,%wl_c,$2; }",
		                        "=r,r,r", ops, 2, false)
		               : nv_asm(m, nv_int(m, 16),
		                        "{ .reg .b16 %wl_c; mov.b16 %wl_c, 0x3f80; fma.rn.bf16 $0,$1,%wl_c,$2; }",
		                        "=h,h,h", ops, 2, false);
	}
	if (bits == 16)
		return bf16_sum(m, v, old);
	LLVMTypeRef i16 = nv_int(m, 16), i32 = nv_int(m, 32);
	LLVMValueRef s = nv_const(m, 32, 16);
	LLVMValueRef lo = bf16_sum(m, LLVMBuildTrunc(m->b, v, i16, ""), LLVMBuildTrunc(m->b, old, i16, ""));
	LLVMValueRef hi = bf16_sum(m, LLVMBuildTrunc(m->b, LLVMBuildLShr(m->b, v, s, ""), i16, ""),
	                           LLVMBuildTrunc(m->b, LLVMBuildLShr(m->b, old, s, ""), i16, ""));
	return LLVMBuildOr(m->b, LLVMBuildZExt(m->b, lo, i32, ""),
	                   LLVMBuildShl(m->b, LLVMBuildZExt(m->b, hi, i32, ""), s, ""), "");
}

LLVMValueRef nv_bf16_add(struct nv_module *m, LLVMValueRef p, LLVMValueRef v, unsigned bits)
{
	struct nv_address a = nv_address_of(m, p);
	if (a.offset) {
		LLVMValueRef off = nv_const(m, 64, (unsigned long long)a.offset);
		a.base = LLVMBuildGEP2(m->b, nv_int(m, 8), a.base, &off, 1, "");
	}
	char name[64];
	LLVMTypeRef val = nv_int(m, bits), params[2] = {LLVMTypeOf(a.base), val},
	            type = LLVMFunctionType(val, params, 2, 0);
	bool fresh;
	snprintf(name, sizeof name, "wlcc.bf16.add.%u.%u", bits, a.space);
	LLVMValueRef fn = nv_helper(m, name, type, &fresh), args[2] = {a.base, v};
	if (fresh) {
		LLVMBuilderRef outer = m->b;
		m->b = LLVMCreateBuilderInContext(m->llvm);
		LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(m->llvm, fn, "entry");
		LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(m->llvm, fn, "atomicrmw.start");
		LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(m->llvm, fn, "atomicrmw.end");
		LLVMValueRef ptr = LLVMGetParam(fn, 0), add = LLVMGetParam(fn, 1);
		LLVMPositionBuilderAtEnd(m->b, entry);
		LLVMValueRef first = LLVMBuildLoad2(m->b, val, ptr, "");
		LLVMBuildBr(m->b, loop);
		LLVMPositionBuilderAtEnd(m->b, loop);
		LLVMValueRef old = LLVMBuildPhi(m->b, val, "loaded");
		LLVMValueRef sum = bf16_sums(m, old, add, bits), ops[3] = {ptr, old, sum};
		char text[96];
		snprintf(text, sizeof text, "atom%s.cas.b%u $0, [$1], $2, $3;",
		         a.space == 1   ? ".global"
		         : a.space == 3 ? ".shared"
		                        : "",
		         bits);
		LLVMValueRef seen =
		        nv_asm(m, val, text, bits == 32 ? "=r,l,r,r,~{memory}" : "=h,l,h,h,~{memory}", ops, 3, false);
		LLVMBuildCondBr(m->b, LLVMBuildICmp(m->b, LLVMIntEQ, seen, old, ""), end, loop);
		LLVMValueRef in[2] = {first, seen};
		LLVMBasicBlockRef from[2] = {entry, loop};
		LLVMAddIncoming(old, in, from, 2);
		LLVMPositionBuilderAtEnd(m->b, end);
		LLVMBuildRet(m->b, seen);
		LLVMDisposeBuilder(m->b);
		m->b = outer;
	}
	return LLVMBuildCall2(m->b, type, fn, args, 2, "");
}

/* acc op value of a lane; `what` is add.s32, min.abs.NaN.f32, ... */
static LLVMValueRef redux_step(struct nv_module *m, const char *what, LLVMValueRef acc, LLVMValueRef v)
{
	LLVMIntPredicate less = strstr(what, ".s32") ? LLVMIntSLT : LLVMIntULT;
	bool max = !strncmp(what, "max", 3);
	if (!strncmp(what, "add", 3))
		return LLVMBuildAdd(m->b, acc, v, "");
	if (!strncmp(what, "and", 3))
		return LLVMBuildAnd(m->b, acc, v, "");
	if (!strncmp(what, "or", 2))
		return LLVMBuildOr(m->b, acc, v, "");
	if (!strncmp(what, "xor", 3))
		return LLVMBuildXor(m->b, acc, v, "");
	if (!strstr(what, ".f32")) {
		LLVMValueRef lower = LLVMBuildICmp(m->b, less, acc, v, "");
		return max ? LLVMBuildSelect(m->b, lower, v, acc, "") : LLVMBuildSelect(m->b, lower, acc, v, "");
	}
	/* A NaN wins with .NaN (canonical), loses without; -0 is less than +0, as in min.f32 and max.f32. */
	char text[48];
	LLVMTypeRef f32 = LLVMFloatTypeInContext(m->llvm), i32 = nv_int(m, 32);
	LLVMValueRef ops[2] = {acc, v};
	snprintf(text, sizeof text, "%s.f32 $0, $1, $2;", max ? "max" : "min");
	LLVMValueRef r = nv_asm(m, f32, text, "=f,f,f", ops, 2, false);
	if (!strstr(what, ".NaN"))
		return r;
	LLVMValueRef nan = LLVMBuildFCmp(m->b, LLVMRealUNO, acc, v, "");
	LLVMValueRef quiet = LLVMBuildBitCast(m->b, LLVMConstInt(i32, 0x7fffffff, 0), f32, "");
	return LLVMBuildSelect(m->b, nan, quiet, r, "");
}

/* Lane by lane over the mask, the same way in every lane: acc starts with the lowest lane's value. */
static void redux_body(struct nv_module *m, LLVMValueRef fn, const char *what, LLVMTypeRef val)
{
	LLVMTypeRef i32 = nv_int(m, 32);
	LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(m->llvm, fn, "entry");
	LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(m->llvm, fn, "redux.next");
	LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(m->llvm, fn, "redux.end");
	bool f = LLVMGetTypeKind(val) == LLVMFloatTypeKind;
	LLVMPositionBuilderAtEnd(m->b, entry);
	LLVMValueRef v = LLVMGetParam(fn, 0), mask = LLVMGetParam(fn, 1), one = nv_const(m, 32, 1);
	LLVMValueRef bits = f ? LLVMBuildBitCast(m->b, v, i32, "") : v;
	if (strstr(what, ".abs"))
		bits = LLVMBuildAnd(m->b, bits, nv_const(m, 32, 0x7fffffff), "");
	LLVMBuildBr(m->b, loop);
	LLVMPositionBuilderAtEnd(m->b, loop);
	LLVMValueRef left = LLVMBuildPhi(m->b, i32, ""), acc = LLVMBuildPhi(m->b, val, ""),
	             first = LLVMBuildPhi(m->b, nv_int(m, 1), "");
	LLVMValueRef ops[3] = {left, bits, mask};
	LLVMValueRef got = nv_asm(m, i32,
	                          "{ .reg .b32 %wl_l; brev.b32 %wl_l, $1; clz.b32 %wl_l, %wl_l; "
	                          "shfl.sync.idx.b32 $0, $2, %wl_l, 31, $3; }",
	                          "=r,r,r,r,~{memory}", ops, 3, true);
	LLVMValueRef x = f ? LLVMBuildBitCast(m->b, got, val, "") : got;
	LLVMValueRef next = LLVMBuildSelect(m->b, first, x, redux_step(m, what, acc, x), "");
	LLVMValueRef rest = LLVMBuildAnd(m->b, left, LLVMBuildSub(m->b, left, one, ""), "");
	LLVMBuildCondBr(m->b, LLVMBuildICmp(m->b, LLVMIntEQ, rest, nv_const(m, 32, 0), ""), end, loop);
	LLVMValueRef l[2] = {mask, rest}, a[2] = {LLVMConstNull(val), next},
	             b[2] = {nv_const(m, 1, 1), nv_const(m, 1, 0)};
	LLVMBasicBlockRef from[2] = {entry, loop};
	LLVMAddIncoming(left, l, from, 2);
	LLVMAddIncoming(acc, a, from, 2);
	LLVMAddIncoming(first, b, from, 2);
	LLVMPositionBuilderAtEnd(m->b, end);
	LLVMBuildRet(m->b, next);
}

LLVMValueRef nv_redux_software(struct nv_module *m, const char *what, LLVMValueRef v, LLVMValueRef mask)
{
	char name[64];
	bool fresh;
	LLVMTypeRef val = LLVMTypeOf(v), params[2] = {val, nv_int(m, 32)}, type = LLVMFunctionType(val, params, 2, 0);
	snprintf(name, sizeof name, "wlcc.redux.%s", what);
	LLVMValueRef fn = nv_helper(m, name, type, &fresh), args[2] = {v, mask};
	if (fresh) {
		LLVMBuilderRef outer = m->b;
		m->b = LLVMCreateBuilderInContext(m->llvm);
		nv_mark(m, fn, "convergent");
		redux_body(m, fn, what, val);
		LLVMDisposeBuilder(m->b);
		m->b = outer;
	}
	LLVMValueRef call = LLVMBuildCall2(m->b, type, fn, args, 2, "");
	nv_mark(m, call, "convergent");
	return call;
}

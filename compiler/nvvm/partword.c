/* SPDX-License-Identifier: Apache-2.0 */
/* partword.c -- CAS loops: whole objects, and objects of 8 and 16 bits inside the aligned 32-bit word around. */
#include <stdio.h>
#include <string.h>

#include "expand.h"

#define WORD_BITS 32

/* Position of a sub-word object in the word. */
struct mask_record {
	LLVMValueRef aligned_addr; /* the pointer, rounded down to the word */
	LLVMTypeRef aligned_type;  /* always i32 */
	LLVMValueRef ptr_lsb;      /* the low two bits of the pointer */
	LLVMValueRef shift_amt;    /* 8 * ptr_lsb: little endian */
	LLVMValueRef inv_mask;     /* zeros over the object */
	LLVMValueRef mask;         /* ones over the object */
};

static struct mask_record mask_of(struct nv_module *m, LLVMValueRef ptr, unsigned bits)
{
	struct mask_record r;
	LLVMTypeRef i64 = nv_int(m, 64), i32 = nv_int(m, WORD_BITS);
	LLVMValueRef addr = LLVMBuildPtrToInt(m->b, ptr, i64, "");
	r.aligned_type = i32;
	r.aligned_addr = LLVMBuildIntToPtr(m->b, LLVMBuildAnd(m->b, addr, nv_const(m, 64, ~3ull), ""), LLVMTypeOf(ptr),
	                                   "AlignedAddr");
	r.ptr_lsb = LLVMBuildAnd(m->b, LLVMBuildTrunc(m->b, addr, i32, ""), nv_const(m, 32, 3), "PtrLSB");
	r.shift_amt = LLVMBuildShl(m->b, r.ptr_lsb, nv_const(m, 32, 3), "ShiftAmt");
	r.mask = LLVMBuildShl(m->b, nv_const(m, 32, (1ull << bits) - 1), r.shift_amt, "Mask");
	r.inv_mask = LLVMBuildNot(m->b, r.mask, "Inv_Mask");
	return r;
}

static LLVMValueRef into_word(struct nv_module *m, const struct mask_record *r, LLVMValueRef part)
{
	return LLVMBuildShl(m->b, LLVMBuildZExt(m->b, part, r->aligned_type, ""), r->shift_amt, "");
}

static LLVMValueRef out_of_word(struct nv_module *m, const struct mask_record *r, LLVMValueRef word, unsigned bits)
{
	return LLVMBuildTrunc(m->b, LLVMBuildLShr(m->b, word, r->shift_amt, ""), nv_int(m, bits), "");
}

static LLVMValueRef access(struct nv_module *m, const struct nv_site *s, enum nv_op op, unsigned bits,
                           LLVMValueRef *args, unsigned n)
{
	struct nv_request q = nv_site_request(m, s, op, bits, NV_RELAXED);
	enum nv_text_status st;
	LLVMValueRef r = nv_emit_request(m, &q, args, n, &st);
	return st == NV_TEXT_OK ? r : NULL;
}

/* Blocks of a loop helper, with the builder inside; end_body restores the caller's builder. */
struct body {
	LLVMValueRef fn;
	LLVMBasicBlockRef entry, start, end;
	LLVMBuilderRef outer;
};

static struct body begin_body(struct nv_module *m, LLVMValueRef fn)
{
	struct body b = {.fn = fn, .outer = m->b};
	m->b = LLVMCreateBuilderInContext(m->llvm);
	b.entry = LLVMAppendBasicBlockInContext(m->llvm, fn, "entry");
	b.start = LLVMAppendBasicBlockInContext(m->llvm, fn, "atomicrmw.start");
	b.end = LLVMAppendBasicBlockInContext(m->llvm, fn, "atomicrmw.end");
	LLVMPositionBuilderAtEnd(m->b, b.entry);
	return b;
}

static void end_body(struct nv_module *m, struct body *b)
{
	LLVMDisposeBuilder(m->b);
	m->b = b->outer;
}

static void rmw_body(struct nv_module *m, const struct nv_site *s, LLVMValueRef fn)
{
	struct body b = begin_body(m, fn);
	LLVMValueRef ptr = LLVMGetParam(fn, 0), v = LLVMGetParam(fn, 1);
	bool part = s->bits < WORD_BITS;
	unsigned bits = part ? WORD_BITS : s->bits;
	struct mask_record r = {.aligned_addr = ptr};
	if (part)
		r = mask_of(m, ptr, s->bits);
	LLVMValueRef first = access(m, s, NV_LOAD, bits, &r.aligned_addr, 1);
	LLVMBuildBr(m->b, b.start);

	LLVMPositionBuilderAtEnd(m->b, b.start);
	LLVMValueRef loaded = LLVMBuildPhi(m->b, nv_int(m, bits), "loaded");
	LLVMValueRef old = nv_from_int(m, part ? out_of_word(m, &r, loaded, s->bits) : loaded, s->type);
	LLVMValueRef new = nv_to_int(m, nv_rmw_value(m, s->rmw, old, v), s->bits);
	if (part)
		new = LLVMBuildOr(m->b, LLVMBuildAnd(m->b, loaded, r.inv_mask, ""), into_word(m, &r, new), "");
	LLVMValueRef cas[3] = {r.aligned_addr, loaded, new};
	LLVMValueRef seen = access(m, s, NV_CAS, bits, cas, 3);
	LLVMBuildCondBr(m->b, LLVMBuildICmp(m->b, LLVMIntEQ, seen, loaded, "success"), b.end, b.start);
	LLVMValueRef in[2] = {first, seen};
	LLVMBasicBlockRef from[2] = {b.entry, b.start};
	LLVMAddIncoming(loaded, in, from, 2);

	LLVMPositionBuilderAtEnd(m->b, b.end);
	LLVMBuildRet(m->b, nv_from_int(m, part ? out_of_word(m, &r, seen, s->bits) : seen, s->type));
	end_body(m, &b);
}

LLVMValueRef nv_rmw_loop(struct nv_module *m, const struct nv_site *s, LLVMValueRef v)
{
	char name[128];
	bool fresh;
	char *type_name = LLVMPrintTypeToString(s->type);
	snprintf(name, sizeof name, "wlcc.atomicrmw.%s.%.40s.%u.%d", nv_rmw_name(s->rmw), type_name, s->space,
	         s->scope);
	LLVMDisposeMessage(type_name);
	LLVMTypeRef params[2] = {LLVMTypeOf(s->ptr), s->type}, type = LLVMFunctionType(s->type, params, 2, 0);
	LLVMValueRef fn = nv_helper(m, name, type, &fresh), args[2] = {s->ptr, v};
	if (fresh)
		rmw_body(m, s, fn);
	return LLVMBuildCall2(m->b, type, fn, args, 2, "");
}

/* Other threads may change the other bytes of the word: then the loop tries again with the new bytes. */
static void cas_body(struct nv_module *m, const struct nv_site *s, LLVMValueRef fn, LLVMTypeRef ret)
{
	struct body b = begin_body(m, fn);
	struct mask_record r = mask_of(m, LLVMGetParam(fn, 0), s->bits);
	LLVMValueRef expected = into_word(m, &r, LLVMGetParam(fn, 1)), new = into_word(m, &r, LLVMGetParam(fn, 2));
	LLVMValueRef word = access(m, s, NV_LOAD, WORD_BITS, &r.aligned_addr, 1);
	LLVMValueRef first = LLVMBuildAnd(m->b, word, r.inv_mask, "");
	LLVMBasicBlockRef again = LLVMInsertBasicBlockInContext(m->llvm, b.end, "partword.retry");
	LLVMBuildBr(m->b, b.start);

	LLVMPositionBuilderAtEnd(m->b, b.start);
	LLVMValueRef others = LLVMBuildPhi(m->b, r.aligned_type, "");
	LLVMValueRef full = LLVMBuildOr(m->b, others, expected, "");
	LLVMValueRef cas[3] = {r.aligned_addr, full, LLVMBuildOr(m->b, others, new, "")};
	LLVMValueRef seen = access(m, s, NV_CAS, WORD_BITS, cas, 3);
	LLVMValueRef success = LLVMBuildICmp(m->b, LLVMIntEQ, seen, full, "success");
	LLVMBuildCondBr(m->b, success, b.end, again);

	LLVMPositionBuilderAtEnd(m->b, again);
	LLVMValueRef now = LLVMBuildAnd(m->b, seen, r.inv_mask, "");
	LLVMBuildCondBr(m->b, LLVMBuildICmp(m->b, LLVMIntNE, now, others, ""), b.start, b.end);
	LLVMValueRef in[2] = {first, now};
	LLVMBasicBlockRef from[2] = {b.entry, again};
	LLVMAddIncoming(others, in, from, 2);

	LLVMPositionBuilderAtEnd(m->b, b.end);
	LLVMValueRef out = LLVMBuildInsertValue(m->b, LLVMGetPoison(ret), out_of_word(m, &r, seen, s->bits), 0, "");
	LLVMBuildRet(m->b, LLVMBuildInsertValue(m->b, out, success, 1, ""));
	end_body(m, &b);
}

LLVMValueRef nv_partword_cas(struct nv_module *m, const struct nv_site *s, LLVMValueRef expected, LLVMValueRef v)
{
	char name[64];
	bool fresh;
	LLVMTypeRef val = nv_int(m, s->bits), fields[2] = {val, nv_int(m, 1)},
	            ret = LLVMStructTypeInContext(m->llvm, fields, 2, 0);
	LLVMTypeRef params[3] = {LLVMTypeOf(s->ptr), val, val}, type = LLVMFunctionType(ret, params, 3, 0);
	snprintf(name, sizeof name, "wlcc.cmpxchg.%u.%u.%d", s->bits, s->space, s->scope);
	LLVMValueRef fn = nv_helper(m, name, type, &fresh), args[3] = {s->ptr, expected, v};
	if (fresh)
		cas_body(m, s, fn, ret);
	return LLVMBuildCall2(m->b, type, fn, args, 3, "");
}

LLVMValueRef nv_partword_load(struct nv_module *m, const struct nv_site *s)
{
	struct mask_record r = mask_of(m, s->ptr, s->bits);
	return out_of_word(m, &r, access(m, s, NV_LOAD, WORD_BITS, &r.aligned_addr, 1), s->bits);
}

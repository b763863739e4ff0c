/* SPDX-License-Identifier: Apache-2.0 */
/* expand.c -- LLVM's own atomics: an instruction where the hardware has one, else a CAS loop between fences. */
#include "expand.h"

#include <stdio.h>
#include <string.h>

/* Fences around an expanded operation, by LLVM's ordering. */
static const struct {
	bool release_before, acquire_after, sc;
} fences[] = {
        [LLVMAtomicOrderingNotAtomic] = {false, false, false},
        [LLVMAtomicOrderingUnordered] = {false, false, false},
        [LLVMAtomicOrderingMonotonic] = {false, false, false},
        [LLVMAtomicOrderingAcquire] = {false, true, false},
        [LLVMAtomicOrderingRelease] = {true, false, false},
        [LLVMAtomicOrderingAcquireRelease] = {true, true, false},
        [LLVMAtomicOrderingSequentiallyConsistent] = {true, true, true},
};

enum how {
	NATIVE,
	NEGATE, /* as the opposite operation on the negated value */
	LOOP,
	REFUSE
};

const char *nv_rmw_name(LLVMAtomicRMWBinOp op)
{
	static const char *const names[] = {"xchg", "add",  "sub",  "and",      "nand",    "or",
	                                    "xor",  "max",  "min",  "umax",     "umin",    "fadd",
	                                    "fsub", "fmax", "fmin", "uincwrap", "udecwrap"};
	return (unsigned)op < sizeof names / sizeof *names ? names[op] : NULL;
}

/* The decision per operation, width and SM. */
static enum how decide(const struct nv_module *m, const struct nv_site *s)
{
	LLVMTypeKind k = LLVMGetTypeKind(s->type);
	if (s->bits > 128 || (s->bits == 128 && m->sm < 90) || !nv_rmw_name(s->rmw))
		return REFUSE;
	if (s->bits == 128)
		return s->rmw == LLVMAtomicRMWBinOpXchg ? NATIVE : LOOP;
	if (s->bits < 32)
		return LOOP;
	switch (s->rmw) {
	case LLVMAtomicRMWBinOpXchg:
	case LLVMAtomicRMWBinOpAdd:
	case LLVMAtomicRMWBinOpAnd:
	case LLVMAtomicRMWBinOpOr:
	case LLVMAtomicRMWBinOpXor:
	case LLVMAtomicRMWBinOpMax:
	case LLVMAtomicRMWBinOpMin:
	case LLVMAtomicRMWBinOpUMax:
	case LLVMAtomicRMWBinOpUMin:
		return NATIVE;
	case LLVMAtomicRMWBinOpSub:
		return m->documented ? LOOP : NEGATE;
	case LLVMAtomicRMWBinOpFAdd:
		return k == LLVMFloatTypeKind || (k == LLVMDoubleTypeKind && m->sm >= 60) ? NATIVE : LOOP;
	case LLVMAtomicRMWBinOpFSub:
		return k == LLVMFloatTypeKind || (k == LLVMDoubleTypeKind && m->sm >= 60) ? NEGATE : LOOP;
	case LLVMAtomicRMWBinOpUIncWrap:
	case LLVMAtomicRMWBinOpUDecWrap:
		return s->bits == 32 ? NATIVE : LOOP;
	default:
		return LOOP;
	}
}

static enum nv_order order_of(LLVMAtomicOrdering o)
{
	switch (o) {
	case LLVMAtomicOrderingAcquire:
		return NV_ACQUIRE;
	case LLVMAtomicOrderingRelease:
		return NV_RELEASE;
	case LLVMAtomicOrderingAcquireRelease:
		return NV_ACQ_REL;
	case LLVMAtomicOrderingSequentiallyConsistent:
		return NV_SEQ_CST;
	default:
		return NV_RELAXED;
	}
}

/* The C API of LLVM 19 has no names of synchronisation scopes. The text of the instruction has. */
static enum nv_scope scope_of(LLVMValueRef inst)
{
	static const struct {
		const char *name;
		enum nv_scope scope;
	} known[] = {{"singlethread", NV_THREAD}, {"wavefront", NV_BLOCK}, {"warp", NV_BLOCK},
	             {"block", NV_BLOCK},         {"workgroup", NV_BLOCK}, {"cta", NV_BLOCK},
	             {"cluster", NV_CLUSTER},     {"device", NV_DEVICE},   {"agent", NV_DEVICE},
	             {"gpu", NV_DEVICE}};
	static const char key[] = "syncscope(\"";
	char *text = LLVMPrintValueToString(inst), *at = strstr(text, key);
	enum nv_scope scope = NV_SYSTEM;
	for (size_t i = 0; at && i < sizeof known / sizeof *known; i++)
		if (!strncmp(at + sizeof key - 1, known[i].name, strlen(known[i].name)))
			scope = known[i].scope;
	LLVMDisposeMessage(text);
	return scope;
}

struct nv_request nv_site_request(const struct nv_module *m, const struct nv_site *s, enum nv_op op, unsigned bits,
                                  enum nv_order order)
{
	struct nv_request q = {.op = op,
	                       .form = NV_GENERIC,
	                       .order = (int)order,
	                       .scope = (int)s->scope,
	                       .sm = m->sm,
	                       .diffs = nv_active(m, ~0u)};
	q.type = (struct nv_type){.tag = "", .cls = NV_C_INT, .bytes = bits / 8, .align = bits / 8};
	q.space = s->space == 1 ? ".global" : s->space == 3 ? ".shared" : "";
	return q;
}

/* The generic form with a known space keeps the manual's order of modifiers. A generic address takes the measured
 * order. */
static struct nv_site site_of(struct nv_module *m, LLVMValueRef inst, LLVMValueRef ptr, LLVMTypeRef type)
{
	struct nv_address a = nv_address_of(m, ptr);
	if (a.offset) {
		LLVMValueRef off = nv_const(m, 64, (unsigned long long)a.offset);
		a.base = LLVMBuildGEP2(m->b, nv_int(m, 8), a.base, &off, 1, "");
	}
	return (struct nv_site){.inst = inst,
	                        .ptr = a.base,
	                        .space = a.space,
	                        .bits = nv_bits(m, type),
	                        .type = type,
	                        .scope = scope_of(inst)};
}

LLVMValueRef nv_rmw_value(struct nv_module *m, LLVMAtomicRMWBinOp op, LLVMValueRef old, LLVMValueRef v)
{
	LLVMBuilderRef b = m->b;
	LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(v));
	switch (op) {
	case LLVMAtomicRMWBinOpXchg:
		return v;
	case LLVMAtomicRMWBinOpAdd:
		return LLVMBuildAdd(b, old, v, "new");
	case LLVMAtomicRMWBinOpSub:
		return LLVMBuildSub(b, old, v, "new");
	case LLVMAtomicRMWBinOpAnd:
		return LLVMBuildAnd(b, old, v, "new");
	case LLVMAtomicRMWBinOpNand:
		return LLVMBuildNot(b, LLVMBuildAnd(b, old, v, ""), "new");
	case LLVMAtomicRMWBinOpOr:
		return LLVMBuildOr(b, old, v, "new");
	case LLVMAtomicRMWBinOpXor:
		return LLVMBuildXor(b, old, v, "new");
	case LLVMAtomicRMWBinOpMax:
		return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntSGT, old, v, ""), old, v, "new");
	case LLVMAtomicRMWBinOpMin:
		return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntSLE, old, v, ""), old, v, "new");
	case LLVMAtomicRMWBinOpUMax:
		return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntUGT, old, v, ""), old, v, "new");
	case LLVMAtomicRMWBinOpUMin:
		return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULE, old, v, ""), old, v, "new");
	case LLVMAtomicRMWBinOpFAdd:
		return LLVMBuildFAdd(b, old, v, "new");
	case LLVMAtomicRMWBinOpFSub:
		return LLVMBuildFSub(b, old, v, "new");
	case LLVMAtomicRMWBinOpFMax:
	case LLVMAtomicRMWBinOpFMin: {
		const char *name = op == LLVMAtomicRMWBinOpFMax ? "llvm.maxnum" : "llvm.minnum";
		LLVMTypeRef t = LLVMTypeOf(v);
		unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
		LLVMValueRef fn = LLVMGetIntrinsicDeclaration(m->mod, id, &t, 1), args[2] = {old, v};
		return LLVMBuildCall2(b, LLVMIntrinsicGetType(m->llvm, id, &t, 1), fn, args, 2, "new");
	}
	case LLVMAtomicRMWBinOpUIncWrap: { /* old >= v ? 0 : old + 1 */
		LLVMValueRef up = LLVMBuildAdd(b, old, LLVMConstInt(LLVMTypeOf(v), 1, 0), "");
		return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntUGE, old, v, ""), zero, up, "new");
	}
	default: { /* UDecWrap: old == 0 || old > v ? v : old - 1 */
		LLVMValueRef down = LLVMBuildSub(b, old, LLVMConstInt(LLVMTypeOf(v), 1, 0), "");
		LLVMValueRef wrap = LLVMBuildOr(b, LLVMBuildICmp(b, LLVMIntEQ, old, zero, ""),
		                                LLVMBuildICmp(b, LLVMIntUGT, old, v, ""), "");
		return LLVMBuildSelect(b, wrap, v, down, "new");
	}
	}
}

static void emit_fence(struct nv_module *m, enum nv_order order, enum nv_scope scope)
{
	char text[48];
	LLVMTypeRef none = LLVMVoidTypeInContext(m->llvm);
	if (m->sm < 70) {
		const char *t = nv_membar_of_operand(scope <= NV_BLOCK ? 1 : scope == NV_SYSTEM ? 2 : 0);
		nv_asm(m, none, t, "~{memory}", NULL, 0, false);
		return;
	}
	nv_fence_text(order, scope, m->sm, 0, text, sizeof text);
	nv_asm(m, none, text, "~{memory}", NULL, 0, false);
}

/* Only the compiler keeps the order within a thread. */
static void lower_fence(struct nv_module *m, LLVMValueRef inst)
{
	enum nv_scope scope = scope_of(inst);
	if (scope == NV_THREAD)
		nv_asm(m, LLVMVoidTypeInContext(m->llvm), "", "~{memory}", NULL, 0, false);
	else
		emit_fence(m,
		           LLVMGetOrdering(inst) == LLVMAtomicOrderingSequentiallyConsistent ? NV_SEQ_CST : NV_ACQ_REL,
		           scope);
}

static LLVMValueRef loop_between_fences(struct nv_module *m, struct nv_site *s, LLVMValueRef v)
{
	LLVMAtomicOrdering o = LLVMGetOrdering(s->inst);
	if (fences[o].release_before)
		emit_fence(m, fences[o].sc ? NV_SEQ_CST : NV_ACQ_REL, s->scope);
	LLVMValueRef r = nv_rmw_loop(m, s, v);
	if (fences[o].acquire_after)
		emit_fence(m, NV_ACQ_REL, s->scope);
	return r;
}

static enum nv_op op_of(LLVMAtomicRMWBinOp op)
{
	switch (op) {
	case LLVMAtomicRMWBinOpAnd:
		return NV_AND;
	case LLVMAtomicRMWBinOpOr:
		return NV_OR;
	case LLVMAtomicRMWBinOpXor:
		return NV_XOR;
	case LLVMAtomicRMWBinOpMax:
	case LLVMAtomicRMWBinOpUMax:
		return NV_MAX;
	case LLVMAtomicRMWBinOpMin:
	case LLVMAtomicRMWBinOpUMin:
		return NV_MIN;
	case LLVMAtomicRMWBinOpUIncWrap:
		return NV_INC;
	case LLVMAtomicRMWBinOpUDecWrap:
		return NV_DEC;
	case LLVMAtomicRMWBinOpXchg:
		return NV_EXCH;
	default:
		return NV_ADD;
	}
}

static LLVMValueRef lower_rmw(struct nv_module *m, LLVMValueRef inst)
{
	LLVMValueRef v = LLVMGetOperand(inst, 1);
	LLVMTypeRef type = LLVMTypeOf(v);
	struct nv_site s = site_of(m, inst, LLVMGetOperand(inst, 0), type);
	s.rmw = LLVMGetAtomicRMWBinOp(inst);
	s.order = order_of(LLVMGetOrdering(inst));
	enum how how = decide(m, &s);
	if (how == REFUSE) {
		nv_error(m, inst, "atomicrmw %s of %u bits is not supported on sm_%u",
		         nv_rmw_name(s.rmw) ? nv_rmw_name(s.rmw) : "?", s.bits, m->sm);
		return NULL;
	}
	if (how == LOOP)
		return loop_between_fences(m, &s, v);
	bool f = s.rmw == LLVMAtomicRMWBinOpFAdd || s.rmw == LLVMAtomicRMWBinOpFSub;
	if (how == NEGATE)
		v = f ? LLVMBuildFNeg(m->b, v, "") : LLVMBuildNeg(m->b, v, "");
	struct nv_request q = nv_site_request(m, &s, op_of(s.rmw), s.bits, s.order);
	q.type.is_signed = s.rmw == LLVMAtomicRMWBinOpMax || s.rmw == LLVMAtomicRMWBinOpMin;
	q.type.cls = f ? NV_C_FLOAT : NV_C_INT;
	enum nv_text_status st;
	LLVMValueRef args[2] = {s.ptr, f ? v : nv_to_int(m, v, s.bits)}, r = nv_emit_request(m, &q, args, 2, &st);
	return f || !r ? r : nv_from_int(m, r, type);
}

static LLVMValueRef lower_cmpxchg(struct nv_module *m, LLVMValueRef inst)
{
	LLVMValueRef e = LLVMGetOperand(inst, 1), v = LLVMGetOperand(inst, 2), old, success, out;
	LLVMTypeRef type = LLVMTypeOf(e);
	struct nv_site s = site_of(m, inst, LLVMGetOperand(inst, 0), type);
	enum nv_order fail = order_of(LLVMGetCmpXchgFailureOrdering(inst));
	s.order = order_of(LLVMGetCmpXchgSuccessOrdering(inst));
	if ((fail == NV_ACQUIRE && s.order == NV_RELEASE) || (fail == NV_SEQ_CST && s.order < NV_SEQ_CST))
		s.order = fail == NV_SEQ_CST ? NV_SEQ_CST : NV_ACQ_REL;
	else if (fail > s.order)
		s.order = fail;
	if (s.bits > 128 || (s.bits == 128 && m->sm < 90)) {
		nv_error(m, inst, "cmpxchg of %u bits is not supported on sm_%u", s.bits, m->sm);
		return NULL;
	}
	e = nv_to_int(m, e, s.bits);
	v = nv_to_int(m, v, s.bits);
	bool part = s.bits == 8 || (s.bits == 16 && (m->documented || m->sm < 70));
	if (part) {
		if (s.order >= NV_RELEASE)
			emit_fence(m, s.order == NV_SEQ_CST ? NV_SEQ_CST : NV_ACQ_REL, s.scope);
		LLVMValueRef pair = nv_partword_cas(m, &s, e, v);
		if (s.order != NV_RELAXED && s.order != NV_RELEASE)
			emit_fence(m, NV_ACQ_REL, s.scope);
		old = LLVMBuildExtractValue(m->b, pair, 0, "");
		success = LLVMBuildExtractValue(m->b, pair, 1, "");
	} else {
		struct nv_request q = nv_site_request(m, &s, NV_CAS, s.bits, s.order);
		enum nv_text_status st;
		LLVMValueRef args[3] = {s.ptr, e, v};
		old = nv_emit_request(m, &q, args, 3, &st);
		success = LLVMBuildICmp(m->b, LLVMIntEQ, old, e, "");
	}
	out = LLVMBuildInsertValue(m->b, LLVMGetPoison(LLVMTypeOf(inst)), nv_from_int(m, old, type), 0, "");
	return LLVMBuildInsertValue(m->b, out, success, 1, "");
}

static LLVMValueRef lower_access(struct nv_module *m, LLVMValueRef inst)
{
	bool load = LLVMIsALoadInst(inst);
	LLVMValueRef ptr = LLVMGetOperand(inst, load ? 0 : 1), v = load ? NULL : LLVMGetOperand(inst, 0);
	LLVMTypeRef type = load ? LLVMTypeOf(inst) : LLVMTypeOf(v);
	struct nv_site s = site_of(m, inst, ptr, type);
	s.order = order_of(LLVMGetOrdering(inst));
	if (s.bits > 128 || (s.bits == 128 && m->sm < 70) || s.bits < 8) {
		nv_error(m, inst, "atomic %s of %u bits is not supported on sm_%u", load ? "load" : "store", s.bits,
		         m->sm);
		return NULL;
	}
	if (m->documented && s.bits < 32) {
		if (!load) {
			s.rmw = LLVMAtomicRMWBinOpXchg;
			s.type = nv_int(m, s.bits);
			loop_between_fences(m, &s, nv_to_int(m, v, s.bits));
			return NULL;
		}
		LLVMValueRef r = nv_partword_load(m, &s);
		if (s.order != NV_RELAXED)
			emit_fence(m, s.order == NV_SEQ_CST ? NV_SEQ_CST : NV_ACQ_REL, s.scope);
		return nv_from_int(m, r, type);
	}
	struct nv_request q = nv_site_request(m, &s, load ? NV_LOAD : NV_STORE, s.bits, s.order);
	enum nv_text_status st;
	LLVMValueRef args[2] = {s.ptr, load ? NULL : nv_to_int(m, v, s.bits)},
	             r = nv_emit_request(m, &q, args, load ? 1 : 2, &st);
	return r ? nv_from_int(m, r, type) : NULL;
}

/* Below sm_70 an instruction has no order: the fence table has. A loop already has fences. */
static LLVMValueRef lower_old(struct nv_module *m, LLVMValueRef inst,
                              LLVMValueRef (*one)(struct nv_module *, LLVMValueRef))
{
	bool rmw = LLVMIsAAtomicRMWInst(inst), cas = LLVMIsAAtomicCmpXchgInst(inst);
	LLVMAtomicOrdering o = cas ? LLVMGetCmpXchgSuccessOrdering(inst) : LLVMGetOrdering(inst);
	enum nv_scope scope = scope_of(inst);
	if (rmw || cas) {
		LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(inst, 1));
		struct nv_site s = {.bits = nv_bits(m, type), .type = type};
		s.rmw = rmw ? LLVMGetAtomicRMWBinOp(inst) : LLVMAtomicRMWBinOpXchg;
		if (decide(m, &s) == LOOP)
			return one(m, inst);
	}
	if (fences[o].release_before)
		emit_fence(m, NV_ACQ_REL, scope);
	LLVMValueRef r = one(m, inst);
	if (fences[o].acquire_after && !LLVMIsAStoreInst(inst))
		emit_fence(m, NV_ACQ_REL, scope);
	return r;
}

static void expand_one(struct nv_module *m, LLVMValueRef inst)
{
	LLVMPositionBuilderBefore(m->b, inst);
	LLVMValueRef r = NULL;
	LLVMValueRef (*one)(struct nv_module *, LLVMValueRef) = LLVMIsAAtomicRMWInst(inst)       ? lower_rmw
	                                                        : LLVMIsAAtomicCmpXchgInst(inst) ? lower_cmpxchg
	                                                                                         : lower_access;
	if (LLVMIsAFenceInst(inst))
		lower_fence(m, inst);
	else
		r = m->sm < 70 ? lower_old(m, inst, one) : one(m, inst);
	if (LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMVoidTypeKind)
		LLVMReplaceAllUsesWith(inst, r ? r : LLVMGetPoison(LLVMTypeOf(inst)));
	LLVMInstructionEraseFromParent(inst);
}

static bool is_atomic(LLVMValueRef i)
{
	if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i))
		return true;
	return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
}

void nv_expand_module(struct nv_module *m)
{
	/* Helpers added on the way come after the last function, and contain no atomics of LLVM. */
	LLVMValueRef last = LLVMGetLastFunction(m->mod);
	for (LLVMValueRef fn = LLVMGetFirstFunction(m->mod); fn; fn = fn == last ? NULL : LLVMGetNextFunction(fn))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
				next = LLVMGetNextInstruction(i);
				if (is_atomic(i))
					expand_one(m, i);
			}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* lower_legacy.c -- __nvvm_atom_*, __xAtomicOp and atomicOp: no order, space known where possible, constants in the
 * text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lower.h"

/* Operand text and constraints under construction. */
struct line {
	char text[384], constraints[64];
	LLVMValueRef args[8];
	unsigned n, results;
};

static void add_constraint(struct line *l, const char *c)
{
	if (l->constraints[0])
		strcat(l->constraints, ",");
	strcat(l->constraints, c);
}

static void add_register(struct line *l, LLVMValueRef v, char cls)
{
	char c[2] = {cls, 0};
	size_t k = strlen(l->text);
	snprintf(l->text + k, sizeof l->text - k, "$%u", l->results + l->n);
	add_constraint(l, c);
	l->args[l->n++] = v;
}

static void add_text(struct line *l, const char *s)
{
	size_t k = strlen(l->text);
	snprintf(l->text + k, sizeof l->text - k, "%s", s);
}

static void add_address(struct line *l, struct nv_address a)
{
	char off[24] = "";
	if (a.offset)
		snprintf(off, sizeof off, "+%lld", a.offset);
	add_text(l, "[");
	add_register(l, a.base, 'l');
	add_text(l, off);
	add_text(l, "]");
}

/* Text of a constant operand. */
static bool constant_text(LLVMValueRef v, char *out, size_t outn)
{
	long long k;
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
	if (nv_const_of(v, &k)) {
		snprintf(out, outn, "%lld", k);
		return true;
	}
	if (LLVMIsAConstantFP(v) && (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind)) {
		LLVMBool lossy;
		double d = LLVMConstRealGetDouble(v, &lossy);
		float f = (float)d;
		unsigned w;
		unsigned long long x;
		memcpy(&w, &f, sizeof w);
		memcpy(&x, &d, sizeof x);
		if (kind == LLVMFloatTypeKind)
			snprintf(out, outn, "0f%08X", w);
		else
			snprintf(out, outn, "0d%016llX", x);
		return true;
	}
	return false;
}

static void add_value(struct line *l, LLVMValueRef v, char cls, bool in_register)
{
	char text[40];
	if (!in_register && constant_text(v, text, sizeof text))
		add_text(l, text);
	else
		add_register(l, v, cls);
}

static const char *space_name(const struct nv_address *a)
{
	return a->space == 1 ? ".global" : a->space == 3 ? ".shared" : "";
}

static struct nv_address address(struct nv_module *m, LLVMValueRef p, unsigned diffs)
{
	struct nv_address a = nv_address_of(m, p);
	if (!(diffs & NV_D_SPACE) && a.space) {
		a.base = LLVMBuildAddrSpaceCast(m->b, a.base, nv_pointer(m, 0), "");
		a.space = 0;
	}
	return a;
}

/* Operand word of the emission table: scope in bits 7:4 (0 device, 1 block, 2 system), operation in 23:16. */
static unsigned emission_word(enum nv_scope scope, unsigned code)
{
	return code << 16 | (scope == NV_BLOCK ? 1u : scope == NV_SYSTEM ? 2u : 0u) << 4;
}

/* From sm_100, at the default scope: an operation without effect on memory becomes "or 0", an operation with a fixed
 * new value becomes an exchange. */
static unsigned idle_code(unsigned code, const struct nv_type *type, LLVMValueRef *v)
{
	enum { EXCH = 0x00, ADD = 0x01, AND = 0x03, OR = 0x05, XOR = 0x06, SMAX, SMIN, UMAX, UMIN };
	long long k, low = type->bytes == 8 ? (long long)(1ull << 63) : -2147483647 - 1, high = ~low;
	if (!nv_const_of(*v, &k))
		return code;
	if ((code == AND && k == 0) || (code == OR && k == -1) || (code == SMAX && k == high) ||
	    (code == SMIN && k == low) || (code == UMAX && k == -1) || (code == UMIN && k == 0))
		return EXCH;
	if (((code == ADD || code == XOR || code == UMAX) && k == 0) || ((code == AND || code == UMIN) && k == -1) ||
	    (code == SMAX && k == low) || (code == SMIN && k == high)) {
		*v = LLVMConstNull(LLVMTypeOf(*v));
		return OR;
	}
	return code;
}

static bool policy_of(LLVMValueRef call, char *out, size_t outn)
{
	static const char key[] = "wlcc-l2-policy"; /* call attribute: the 64-bit cache policy as a number */
	LLVMAttributeRef a = LLVMGetCallSiteStringAttribute(call, LLVMAttributeFunctionIndex, key, sizeof key - 1);
	unsigned n;
	if (!a)
		return false;
	const char *s = LLVMGetStringAttributeValue(a, &n);
	snprintf(out, outn, "%.*s", (int)n, s);
	return n > 0 && strspn(out, "0123456789xabcdefABCDEF") == n;
}

static LLVMValueRef scalar(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi, unsigned diffs)
{
	const struct nv_type *t = &bi->type;
	bool f = t->cls == NV_C_FLOAT && bi->op == NV_ADD, cas = bi->op == NV_CAS;
	unsigned bits = t->bytes * 8, code = nv_emission_code(bi->op, t), flags = 0;
	LLVMTypeRef ty = LLVMTypeOf(call);
	struct nv_address a = address(m, LLVMGetOperand(call, 0), diffs);
	LLVMValueRef ops[2] = {LLVMGetOperand(call, 1), cas ? LLVMGetOperand(call, 2) : NULL};
	for (unsigned i = 0; i < 2; i++)
		if (ops[i] && !f)
			ops[i] = nv_to_int(m, ops[i], bits);
	if (bi->op == NV_SUB)
		ops[0] = LLVMBuildNeg(m->b, ops[0], "");
	if (m->sm >= 100 && (diffs & NV_D_IDLE) && bi->scope == NV_DEVICE)
		code = idle_code(code, t, &ops[0]);

	const char *order = "";
	if (cas && m->documented)
		order = ".acquire";
	else if (cas && (diffs & NV_D_LEGACY_CAS) && m->sm >= 100 && bi->scope == NV_DEVICE &&
	         (bits == 32 || bits == 64))
		order = ".relaxed";
	char head[96], policy[32] = "";
	if (policy_of(call, policy, sizeof policy)) {
		if (m->sm < 80)
			nv_error(m, call, "%s: an L2 cache hint needs sm_80 or higher", bi->row->name);
		flags = NV_EMIT_L2;
	}
	if (!nv_emit_atom(emission_word(bi->scope, code), flags, bits, order, space_name(&a), head, sizeof head)) {
		nv_error(m, call, "%s: Internal Compiler Error (codegen): \"unexpected atomic builtin function\"",
		         bi->row->name);
		return NULL;
	}
	/* A constant of a default-scope CAS stays in a register below sm_100. */
	bool in_register = cas && bi->scope == NV_DEVICE && m->sm < 100;
	char cls = nv_register_class(f ? 'f' : 'b', t->bytes), result[4] = {'=', cls, 0};
	struct line l = {.results = 1};
	add_constraint(&l, result);
	add_text(&l, head);
	add_text(&l, " $0, ");
	add_address(&l, a);
	for (unsigned i = 0; i < 2 && ops[i]; i++) {
		add_text(&l, ", ");
		add_value(&l, ops[i], cls, in_register);
	}
	if (flags & NV_EMIT_L2) {
		add_text(&l, ", ");
		add_value(&l, nv_const(m, 64, strtoull(policy, NULL, 0)), 'l', true);
	}
	add_text(&l, ";");
	add_constraint(&l, "~{memory}");
	LLVMValueRef r = nv_asm(m, f ? LLVMTypeOf(ops[0]) : nv_int(m, bits), l.text, l.constraints, l.args, l.n, false);
	return LLVMGetTypeKind(ty) == LLVMVoidTypeKind ? NULL : f ? r : nv_from_int(m, r, ty);
}

/* 128 bits: an asm block with its own .b128 registers; the halves are 64-bit operands. */
static LLVMValueRef wide_op(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi, unsigned diffs,
                            LLVMValueRef p, LLVMValueRef e, LLVMValueRef v)
{
	if (m->sm < 90) {
		nv_error(m, call, "%s: unsupported operation", bi->row->name);
		return NULL;
	}
	LLVMTypeRef i64 = nv_int(m, 64), pair[2] = {i64, i64};
	LLVMValueRef args[5], high = nv_const(m, 128, 64);
	char head[96], text[384];
	struct nv_address a = address(m, p, diffs);
	nv_emit_atom(emission_word(bi->scope, nv_emission_code(bi->op, &bi->type)), 0, 128,
	             e && m->documented ? ".acquire" : "", space_name(&a), head, sizeof head);
	unsigned n = 0;
	args[n++] = a.base;
	for (unsigned i = 0; i < 2; i++) {
		LLVMValueRef x = i ? v : e;
		if (!x)
			continue;
		args[n++] = LLVMBuildTrunc(m->b, x, i64, "");
		args[n++] = LLVMBuildTrunc(m->b, LLVMBuildLShr(m->b, x, high, ""), i64, "");
	}
	if (e)
		snprintf(text, sizeof text,
		         "{ .reg .b128 %%wl_d, %%wl_b, %%wl_c; mov.b128 %%wl_b, {$3, $4}; mov.b128 %%wl_c, {$5, $6}; "
		         "%s %%wl_d, [$2+%lld], %%wl_b, %%wl_c; mov.b128 {$0, $1}, %%wl_d; }",
		         head, a.offset);
	else
		snprintf(text, sizeof text,
		         "{ .reg .b128 %%wl_d, %%wl_b; mov.b128 %%wl_b, {$3, $4}; %s %%wl_d, [$2+%lld], %%wl_b; "
		         "mov.b128 {$0, $1}, %%wl_d; }",
		         head, a.offset);
	char *zero = a.offset ? NULL : strstr(text, "+0]");
	if (zero)
		memmove(zero, zero + 2, strlen(zero + 2) + 1);
	LLVMValueRef r = nv_asm(m, LLVMStructTypeInContext(m->llvm, pair, 2, 0), text,
	                        e ? "=l,=l,l,l,l,l,l,~{memory}" : "=l,=l,l,l,l,~{memory}", args, n, false);
	LLVMValueRef lo = LLVMBuildZExt(m->b, LLVMBuildExtractValue(m->b, r, 0, ""), nv_int(m, 128), "");
	LLVMValueRef hi = LLVMBuildZExt(m->b, LLVMBuildExtractValue(m->b, r, 1, ""), nv_int(m, 128), "");
	return LLVMBuildOr(m->b, lo, LLVMBuildShl(m->b, hi, high, ""), "");
}

/* 16 bytes by value: an integer, a vector, or an object at an address. */
static LLVMValueRef wide_value(struct nv_module *m, LLVMValueRef v)
{
	if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind)
		return LLVMBuildLoad2(m->b, nv_int(m, 128), v, "");
	return nv_to_int(m, v, 128);
}

static LLVMValueRef wide(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi, unsigned diffs)
{
	LLVMTypeRef i128 = nv_int(m, 128);
	unsigned k = 1;
	LLVMValueRef e = NULL, v, r;
	if (bi->family == NV_F_LEGACY) {
		e = bi->op == NV_CAS ? wide_value(m, LLVMGetOperand(call, k++)) : NULL;
		v = wide_value(m, LLVMGetOperand(call, k));
		r = wide_op(m, call, bi, diffs, LLVMGetOperand(call, 0), e, v);
		return r && LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind ? nv_from_int(m, r, LLVMTypeOf(call))
		                                                                  : NULL;
	}
	if (bi->op == NV_CAS)
		e = LLVMBuildLoad2(m->b, i128, LLVMGetOperand(call, k++), "");
	v = LLVMBuildLoad2(m->b, i128, LLVMGetOperand(call, k++), "");
	r = wide_op(m, call, bi, diffs, LLVMGetOperand(call, 0), e, v);
	if (r)
		LLVMBuildStore(m->b, r, LLVMGetOperand(call, k));
	return NULL;
}

/* Two or four floats (documented: halves). Shared memory does not have the operation: the measured compiler traps. */
static LLVMValueRef vector(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi, unsigned diffs)
{
	unsigned lanes = bi->type.bytes / 4, n = 0;
	bool by_address = LLVMGetNumArgOperands(call) == 3, floats = diffs & NV_D_VECTOR;
	LLVMTypeRef f32 = LLVMFloatTypeInContext(m->llvm), vec = LLVMVectorType(f32, lanes), i32 = nv_int(m, 32);
	struct nv_address a = address(m, LLVMGetOperand(call, 0), diffs);
	if (a.space == 3 && floats) {
		nv_asm(m, LLVMVoidTypeInContext(m->llvm), "trap;", "~{memory}", NULL, 0, false);
		return NULL;
	}
	if (m->sm < (floats || lanes == 2 ? 90u : 100u)) {
		nv_error(m, call, "%s: vector atomics not supported on this architecture!", bi->row->name);
		return NULL;
	}
	if (!floats && lanes == 4) {
		nv_error(m, call, "%s: the documented f16x4 addition has no PTX form", bi->row->name);
		return NULL;
	}
	if (!floats) { /* two halves in one 32-bit register */
		LLVMValueRef ops[2] = {a.base,
		                       by_address ? LLVMBuildLoad2(m->b, i32, LLVMGetOperand(call, 1), "") : NULL};
		if (!by_address) {
			nv_error(m, call, "%s: the documented f16x2 addition takes its operands by address",
			         bi->row->name);
			return NULL;
		}
		LLVMValueRef r =
		        nv_asm(m, i32, "atom.add.noftz.f16x2 $0, [$1], $2;", "=r,l,r,~{memory}", ops, 2, false);
		LLVMBuildStore(m->b, r, LLVMGetOperand(call, 2));
		return NULL;
	}
	LLVMValueRef v = LLVMGetOperand(call, 1), args[5];
	if (by_address) {
		v = LLVMBuildLoad2(m->b, vec, v, "");
		LLVMSetAlignment(v, 4);
	}
	char text[256], head[96];
	nv_emit_atom(emission_word(bi->scope, nv_emission_code(bi->op, &(struct nv_type){.cls = NV_C_FLOAT})), 0, 32,
	             "", space_name(&a), head, sizeof head);
	char *type = strrchr(head, '.');
	snprintf(type, sizeof head - (size_t)(type - head), ".v%u.f32", lanes);
	args[n++] = a.base;
	for (unsigned i = 0; i < lanes; i++)
		args[n++] = LLVMBuildExtractElement(m->b, v, nv_const(m, 32, i), "");
	if (lanes == 2)
		snprintf(text, sizeof text, "%s {$0, $1}, [$2%+lld], {$3, $4};", head, a.offset);
	else
		snprintf(text, sizeof text, "%s {$0, $1, $2, $3}, [$4%+lld], {$5, $6, $7, $8};", head, a.offset);
	char *zero = a.offset ? NULL : strstr(text, "+0]");
	if (zero)
		memmove(zero, zero + 2, strlen(zero + 2) + 1);
	LLVMTypeRef parts[4] = {f32, f32, f32, f32};
	LLVMValueRef r =
	        nv_asm(m, LLVMStructTypeInContext(m->llvm, parts, lanes, 0), text,
	               lanes == 2 ? "=f,=f,l,f,f,~{memory}" : "=f,=f,=f,=f,l,f,f,f,f,~{memory}", args, n, false);
	LLVMValueRef out = LLVMGetPoison(vec);
	for (unsigned i = 0; i < lanes; i++)
		out = LLVMBuildInsertElement(m->b, out, LLVMBuildExtractValue(m->b, r, i, ""), nv_const(m, 32, i), "");
	if (!by_address)
		return out;
	LLVMSetAlignment(LLVMBuildStore(m->b, out, LLVMGetOperand(call, 2)), 4);
	return NULL;
}

/* half and bfloat16: inline asm of the headers on the generic address; bfloat16 below sm_90 is a CAS loop. */
static LLVMValueRef half(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi)
{
	unsigned bits = bi->type.bytes * 8;
	bool bf = strstr(bi->type.tag, "bfloat") != NULL;
	LLVMValueRef v = nv_to_int(m, LLVMGetOperand(call, 1), bits), p = LLVMGetOperand(call, 0), r;
	if (bf && m->sm < 90) {
		r = nv_bf16_add(m, p, v, bits);
	} else {
		char text[96];
		LLVMValueRef args[2] = {p, v};
		snprintf(text, sizeof text, "{ atom.add.noftz.%s16%s $0,[$1],$2; }", bf ? "bf" : "f",
		         bits == 32 ? "x2" : "");
		r = nv_asm(m, nv_int(m, bits), text, bits == 32 ? "=r,l,r,~{memory}" : "=h,l,h,~{memory}", args, 2,
		           false);
	}
	return LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind ? NULL : nv_from_int(m, r, LLVMTypeOf(call));
}

LLVMValueRef nv_lower_legacy(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi)
{
	unsigned diffs = nv_active(m, bi->row->diffs);
	if (bi->family == NV_F_VECTOR)
		return vector(m, call, bi, diffs);
	if (bi->family == NV_F_HALF)
		return half(m, call, bi);
	if (bi->type.bytes == 16)
		return wide(m, call, bi, diffs);
	return scalar(m, call, bi, diffs);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* lower_sync.c -- barriers, fences, cluster operations and warp functions: text templates, and a few special rules. */
#include <stdio.h>
#include <string.h>

#include "lower.h"

struct template
{
	char text[512], constraints[64];
	LLVMValueRef args[8];
	unsigned n;       /* register operands so far */
	unsigned results; /* 0 or 1 */
};

static char class_of(struct nv_module *m, LLVMTypeRef t)
{
	switch (LLVMGetTypeKind(t)) {
	case LLVMFloatTypeKind:
		return 'f';
	case LLVMDoubleTypeKind:
		return 'd';
	default:
		return nv_bits(m, t) > 32 ? 'l' : 'r';
	}
}

/* Number of the asm operand with `v`. Each value is passed once. */
static unsigned operand_number(struct nv_module *m, struct template *t, LLVMValueRef v)
{
	for (unsigned i = 0; i < t->n; i++)
		if (t->args[i] == v)
			return t->results + i;
	char c[3] = {t->constraints[0] ? ',' : class_of(m, LLVMTypeOf(v)), 0, 0};
	if (c[0] == ',')
		c[1] = class_of(m, LLVMTypeOf(v));
	strcat(t->constraints, c);
	t->args[t->n] = v;
	return t->results + t->n++;
}

LLVMValueRef nv_emit_template(struct nv_module *m, const char *text, LLVMTypeRef ret, LLVMValueRef *operands,
                              unsigned n)
{
	struct template t = {.results = LLVMGetTypeKind(ret) != LLVMVoidTypeKind};
	size_t k = 0;
	if (t.results)
		snprintf(t.constraints, sizeof t.constraints, "=%c", class_of(m, ret));
	for (const char *s = text; *s && k + 24 < sizeof t.text; s++) {
		bool reference = (*s == '@' || *s == '$') && s[1] >= '0' && s[1] <= '9';
		if (!reference) {
			t.text[k++] = *s;
			continue;
		}
		unsigned i = (unsigned)(s[1] - '0');
		long long c;
		if (t.results && i == 0)
			k += (size_t)sprintf(t.text + k, "$0");
		else if (i - t.results < n && *s == '@' && nv_const_of(operands[i - t.results], &c))
			k += (size_t)sprintf(t.text + k, "%lld", c);
		else if (i - t.results < n)
			k += (size_t)sprintf(t.text + k, "$%u", operand_number(m, &t, operands[i - t.results]));
		s++;
	}
	t.text[k] = '\0';
	strcat(t.constraints, t.constraints[0] ? ",~{memory}" : "~{memory}");
	return nv_asm(m, ret, t.text, t.constraints, t.args, t.n, true);
}

static LLVMValueRef plain(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi)
{
	const char *text = m->documented && bi->row->documented ? bi->row->documented : bi->row->text;
	LLVMValueRef ops[6];
	unsigned n = LLVMGetNumArgOperands(call);
	char kind = bi->row->sig[0];
	LLVMTypeRef ret = kind == 'v'   ? LLVMVoidTypeInContext(m->llvm)
	                  : kind == 'p' ? nv_pointer(m, 0)
	                  : kind == 'l' ? nv_int(m, 64)
	                  : kind == 'f' ? LLVMFloatTypeInContext(m->llvm)
	                                : nv_int(m, 32);
	for (unsigned i = 0; i < n && i < 6; i++)
		ops[i] = LLVMGetOperand(call, i);
	return nv_emit_template(m, text, ret, ops, n);
}

/* A 32-bit shuffle. The last operand holds the segment mask in bits 12:8 and the clamp below. */
static LLVMValueRef shuffle_word(struct nv_module *m, const char *op, LLVMValueRef mask, LLVMValueRef v,
                                 LLVMValueRef lane, LLVMValueRef c)
{
	char text[128];
	LLVMValueRef ops[4] = {v, lane, c, mask};
	snprintf(text, sizeof text, "{ .reg .pred %%wl_p; %s @0|%%wl_p, $1, @2, @3, @4; }", op);
	return nv_emit_template(m, text, nv_int(m, 32), ops, 4);
}

static LLVMValueRef shuffle(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi)
{
	LLVMTypeRef ty = LLVMTypeOf(call);
	unsigned bits = nv_bits(m, ty), clamp = strstr(bi->row->text, ".up.") ? 0 : 0x1f;
	LLVMValueRef mask = LLVMGetOperand(call, 0), lane = LLVMGetOperand(call, 2), width = LLVMGetOperand(call, 3);
	LLVMValueRef c = LLVMBuildSub(m->b, nv_const(m, 32, 32), width, "");
	c = LLVMBuildOr(m->b, LLVMBuildShl(m->b, c, nv_const(m, 32, 8), ""), nv_const(m, 32, clamp), "");
	if (LLVMGetTypeKind(ty) == LLVMVoidTypeKind)
		return NULL;
	LLVMValueRef v = nv_to_int(m, LLVMGetOperand(call, 1), bits);
	if (bits <= 32)
		return nv_from_int(
		        m, nv_to_int(m, shuffle_word(m, bi->row->text, mask, nv_to_int(m, v, 32), lane, c), bits), ty);
	LLVMValueRef lo = shuffle_word(m, bi->row->text, mask, nv_to_int(m, v, 32), lane, c);
	LLVMValueRef up = LLVMBuildLShr(m->b, v, nv_const(m, 64, 32), "");
	LLVMValueRef hi = shuffle_word(m, bi->row->text, mask, nv_to_int(m, up, 32), lane, c);
	hi = LLVMBuildShl(m->b, nv_to_int(m, hi, 64), nv_const(m, 64, 32), "");
	return nv_from_int(m, LLVMBuildOr(m->b, nv_to_int(m, lo, 64), hi, ""), ty);
}

static LLVMValueRef match(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi)
{
	char text[256];
	bool all = LLVMGetNumArgOperands(call) == 3;
	unsigned bits = nv_bits(m, LLVMTypeOf(LLVMGetOperand(call, 1))) > 32 ? 64 : 32;
	LLVMValueRef ops[2] = {nv_to_int(m, LLVMGetOperand(call, 1), bits), LLVMGetOperand(call, 0)};
	if (!all) {
		snprintf(text, sizeof text, "%s.b%u @0, $1, @2;", bi->row->text, bits);
		return nv_emit_template(m, text, nv_int(m, 32), ops, 2);
	}
	/* the mask in the low half, the predicate in the high half */
	snprintf(text, sizeof text,
	         "{ .reg .pred %%wl_p; .reg .b32 %%wl_v, %%wl_b; %s.b%u %%wl_v|%%wl_p, $1, @2; selp.u32 %%wl_b, 1, 0, "
	         "%%wl_p; "
	         "mov.b64 @0, {%%wl_v, %%wl_b}; }",
	         bi->row->text, bits);
	LLVMValueRef r = nv_emit_template(m, text, nv_int(m, 64), ops, 2);
	LLVMBuildStore(m->b, nv_to_int(m, LLVMBuildLShr(m->b, r, nv_const(m, 64, 32), ""), 32),
	               LLVMGetOperand(call, 2));
	return nv_to_int(m, r, 32);
}

static LLVMValueRef reduce(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi)
{
	char text[96];
	if (bi->row->id) { /* __cuda_reduxsync_*(value, mask): hardware has the integer forms from sm_80 */
		LLVMValueRef v = LLVMGetOperand(call, 0), mask = LLVMGetOperand(call, 1), ops[2] = {v, mask};
		if (m->sm < 80 || strstr(bi->row->text, ".f32"))
			return nv_redux_software(m, bi->row->text + strlen("redux.sync."), v, mask);
		snprintf(text, sizeof text, "%s @0, $1, @2;", bi->row->text);
		return nv_emit_template(m, text, nv_int(m, 32), ops, 2);
	}
	const struct nv_type *t = &bi->type;
	if (t->bytes != 4 || t->cls != NV_C_INT) {
		nv_error(m, call, "more than one instance of overloaded function \"%s\" matches the argument list",
		         bi->row->name);
		return NULL;
	}
	const char *op = bi->row->text + strlen("redux.sync.");
	bool logical = !strcmp(op, "and") || !strcmp(op, "or") || !strcmp(op, "xor");
	LLVMValueRef ops[2] = {LLVMGetOperand(call, 1), LLVMGetOperand(call, 0)};
	snprintf(text, sizeof text, "%s.%s @0, $1, @2;", bi->row->text, logical ? "b32" : t->is_signed ? "s32" : "u32");
	return nv_emit_template(m, text, nv_int(m, 32), ops, 2);
}

static LLVMValueRef query3(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi)
{
	for (unsigned i = 0; i < 3; i++) {
		char text[64];
		snprintf(text, sizeof text, "mov.u32 @0, %s.%c;", bi->row->text, "xyz"[i]);
		LLVMBuildStore(m->b, nv_emit_template(m, text, nv_int(m, 32), NULL, 0), LLVMGetOperand(call, i));
	}
	return NULL;
}

static LLVMValueRef is_shared(struct nv_module *m, LLVMValueRef call)
{
	LLVMValueRef p = LLVMGetOperand(call, 0);
	unsigned space = nv_space_of(m, p);
	if (space)
		return nv_const(m, 32, space == 3);
	return nv_emit_template(m,
	                        "{ .reg .pred %wl_p; isspacep.shared::cluster %wl_p, @1; selp.u32 @0, 1, 0, %wl_p; }",
	                        nv_int(m, 32), &p, 1);
}

/* The shared address has 32 bits. The source size is an operand, unless constant and equal to the whole copy. */
static LLVMValueRef copy_async(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi)
{
	char text[96];
	long long n, whole = 0;
	struct nv_address g = nv_address_of(m, LLVMGetOperand(call, 1));
	LLVMValueRef s = LLVMBuildAddrSpaceCast(m->b, LLVMGetOperand(call, 0), nv_pointer(m, 3), "");
	LLVMValueRef from = LLVMBuildAddrSpaceCast(m->b, LLVMGetOperand(call, 1), nv_pointer(m, 1), "");
	LLVMValueRef ops[3] = {LLVMBuildPtrToInt(m->b, s, nv_int(m, 32), ""), g.space == 1 && !g.offset ? g.base : from,
	                       LLVMGetOperand(call, 2)};
	sscanf(strrchr(bi->row->text, ',') + 1, "%lld", &whole);
	bool partial = !nv_const_of(ops[2], &n) || n != whole;
	snprintf(text, sizeof text, "%s%s;", bi->row->text, partial ? ", @2" : "");
	nv_emit_template(m, text, LLVMVoidTypeInContext(m->llvm), ops, 3);
	return NULL;
}

bool nv_is_unknown_intrinsic(LLVMValueRef fn)
{
	return LLVMIsDeclaration(fn) && !strncmp(nv_symbol(fn), "llvm.", 5) && !LLVMGetIntrinsicID(fn);
}

LLVMValueRef nv_lower_barrier(struct nv_module *m, LLVMValueRef call, const struct nv_barrier_row *row)
{
	LLVMValueRef ops[2];
	const unsigned n = LLVMGetNumArgOperands(call);
	for (unsigned i = 0; i < n && i < 2; i++)
		ops[i] = LLVMGetOperand(call, i);
	return nv_emit_template(m, row->text, LLVMVoidTypeInContext(m->llvm), ops, n);
}

LLVMValueRef nv_lower_sync(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi)
{
	switch (bi->family) {
	case NV_F_SHFL:
		return shuffle(m, call, bi);
	case NV_F_MATCH:
		return match(m, call, bi);
	case NV_F_REDUCE:
		return reduce(m, call, bi);
	case NV_F_QUERY3:
		return query3(m, call, bi);
	case NV_F_ISSHARED:
		return is_shared(m, call);
	case NV_F_CPASYNC:
		return copy_async(m, call, bi);
	default:
		return plain(m, call, bi);
	}
}

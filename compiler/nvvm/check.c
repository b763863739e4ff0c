/* SPDX-License-Identifier: Apache-2.0 */
/* check.c -- the front end's rules for calls of builtins: names, arguments, types, sizes, orders, scopes. */
#include <stdio.h>
#include <string.h>

#include "lower.h"

enum diag {
#define NV_DIAG(name, number, measured, documented) DIAG_##name,
#include "diagnostics.def"
#undef NV_DIAG
};
static const struct {
	int number;
	const char *measured, *documented;
} diags[] = {
#define NV_DIAG(name, number, measured, documented) {number, measured, documented},
#include "diagnostics.def"
#undef NV_DIAG
};

static void diagnose(struct nv_module *m, LLVMValueRef call, enum diag d, const struct nv_builtin *bi)
{
	if (m->documented)
		nv_error(m, call, "#%d: %s: %s (%s)", diags[d].number, bi->row->name, diags[d].measured,
		         diags[d].documented);
	else
		nv_error(m, call, "%s: %s", bi->row->name, diags[d].measured);
}

/* Arguments of a family: p address, t value of the type, b flag, i 32-bit number, l size, v address of a value. */
static void signature(const struct nv_builtin *bi, unsigned nargs, char out[16])
{
	static const char *const by_value[] = {
	        [NV_LOAD] = "pii", [NV_STORE] = "ptii", [NV_EXCH] = "ptii", [NV_CAS] = "pptbiii"};
	static const char *const by_address[] = {
	        [NV_LOAD] = "ppii", [NV_STORE] = "ppii", [NV_EXCH] = "pppii", [NV_CAS] = "pppbiii"};
	static const char *const by_kind[] = {
	        [NV_LOAD] = "ilppii", [NV_STORE] = "ilppii", [NV_EXCH] = "ilpppii", [NV_CAS] = "ilpppbiii"};
	const char *s;
	bool rmw = bi->op < NV_EXCH;
	switch (bi->family) {
	case NV_F_ATOMIC:
		if (bi->op == NV_FENCE)
			s = "ii";
		else if (bi->by_kind)
			s = rmw ? "ilpppii" : by_kind[bi->op];
		else
			s = rmw ? "ptii" : bi->form == NV_GENERIC ? by_address[bi->op] : by_value[bi->op];
		break;
	case NV_F_LEGACY:
		s = bi->op == NV_CAS ? "ptt" : "pt";
		break;
	case NV_F_HALF:
		s = "pt";
		break;
	case NV_F_VECTOR:
		s = nargs == 2 ? "pt" : "ppp";
		break;
	case NV_F_WIDE:
		s = bi->op == NV_CAS ? "pppp" : "ppp";
		break;
	default:
		s = bi->row->sig + 1;
		break;
	}
	snprintf(out, 16, "%s", s);
}

static bool argument_fits(struct nv_module *m, char want, LLVMValueRef arg, const struct nv_type *type)
{
	LLVMTypeRef t = LLVMTypeOf(arg);
	LLVMTypeKind k = LLVMGetTypeKind(t);
	switch (want) {
	case 'p':
		return k == LLVMPointerTypeKind;
	case 'f':
		return k == LLVMFloatTypeKind;
	case 'b':
		return k == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) <= 32;
	case 'i':
		return k == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 32;
	case 'l':
		return k == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 64;
	default:
		if (type->cls == NV_C_OBJ && k == LLVMPointerTypeKind)
			return true;
		return nv_bits(m, t) == type->bytes * 8;
	}
}

static bool result_fits(struct nv_module *m, const struct nv_builtin *bi, LLVMValueRef call)
{
	LLVMTypeRef t = LLVMTypeOf(call);
	LLVMTypeKind k = LLVMGetTypeKind(t);
	unsigned bits = nv_bits(m, t);
	if (k == LLVMVoidTypeKind)
		return true; /* the result is unused */
	switch (bi->family) {
	case NV_F_ATOMIC:
		if (bi->op == NV_CAS)
			return k == LLVMIntegerTypeKind && bits <= 32;
		return bi->fetches && !bi->by_kind && bi->form != NV_GENERIC
		               ? bits == bi->type.bytes * 8
		               : bi->op == NV_LOAD && bits == bi->type.bytes * 8;
	case NV_F_LEGACY:
	case NV_F_HALF:
	case NV_F_VECTOR:
		return bits == bi->type.bytes * 8;
	case NV_F_WIDE:
		return false;
	case NV_F_SHFL:
	case NV_F_REDUCE:
	case NV_F_MATCH:
		if (bi->row->sig[0] == '*')
			return bits == bi->type.bytes * 8;
		/* fall through */
	default:
		switch (bi->row->sig[0]) {
		case 'v':
			return false;
		case 'p':
			return k == LLVMPointerTypeKind;
		case 'f':
			return k == LLVMFloatTypeKind;
		case 'l':
			return k == LLVMIntegerTypeKind && bits == 64;
		default:
			return k == LLVMIntegerTypeKind && bits == 32;
		}
	}
}

static bool arguments_fit(struct nv_module *m, LLVMValueRef call, struct nv_builtin *bi)
{
	char sig[16];
	unsigned n = LLVMGetNumArgOperands(call);
	signature(bi, n, sig);
	unsigned want = (unsigned)strlen(sig);
	bool scoped = bi->family == NV_F_ATOMIC;
	if (n + (scoped ? 1 : 0) < want) {
		diagnose(m, call, DIAG_TOO_FEW, bi);
		return false;
	}
	if (n > want) {
		if (bi->family != NV_F_ATOMIC) {
			nv_error(m, call, "%s: too many arguments in function call", bi->row->name);
			return false;
		}
		nv_warn(m, call, "#1647-D: extra arguments ignored");
	}
	if (bi->by_kind && (!argument_fits(m, 'i', LLVMGetOperand(call, 0), NULL) || !nv_kind_type(call, &bi->type))) {
		nv_error(m, call, "%s: the type's kind and size must be constants", bi->row->name);
		return false;
	}
	for (unsigned i = 0; i < want && i < n; i++) {
		if (argument_fits(m, sig[i], LLVMGetOperand(call, i), &bi->type))
			continue;
		if (i == 0 && sig[0] == 'p' && bi->family == NV_F_ATOMIC) {
			diagnose(m, call, DIAG_POINTER, bi);
		} else {
			char *have = LLVMPrintTypeToString(LLVMTypeOf(LLVMGetOperand(call, i)));
			nv_error(m, call, "%s: argument %u of type \"%.60s\" does not fit, %s expected", bi->row->name,
			         i + 1, have,
			         sig[i] == 'p'                           ? "an address"
			         : sig[i] == 'i'                         ? "a 32-bit integer"
			         : sig[i] == 'l'                         ? "a 64-bit integer"
			         : sig[i] == 'b'                         ? "a flag"
			         : sig[i] == 'f' || bi->type.tag == NULL ? "a float"
			                                                 : bi->type.tag);
			LLVMDisposeMessage(have);
		}
		return false;
	}
	if (!result_fits(m, bi, call)) {
		diagnose(m, call, DIAG_RESULT, bi);
		return false;
	}
	return true;
}

static bool is_integral(const struct nv_type *t)
{
	return t->cls == NV_C_INT || t->cls == NV_C_BOOL;
}

/* The first rule broken by the type, in the front end's order; -1: no rule. */
static int type_rule(const struct nv_module *m, const struct nv_builtin *bi)
{
	const struct nv_type *t = &bi->type;
	bool logical = bi->op == NV_AND || bi->op == NV_OR || bi->op == NV_XOR;
	if (bi->op < NV_EXCH) {
		if (t->cls == NV_C_OBJ || t->cls == NV_C_HALF || t->cls == NV_C_SCOPED)
			return DIAG_POINTER;
		if (t->bytes != 4 && t->bytes != 8)
			return DIAG_FETCH_SIZE;
		if (logical)
			return t->cls == NV_C_FLOAT ? DIAG_LOGICAL_FLOAT : -1;
		if (bi->op == NV_MAX || bi->op == NV_MIN)
			return t->cls == NV_C_FLOAT ? DIAG_MINMAX_FLOAT : -1;
		return t->cls == NV_C_INT && t->is_signed && t->bytes == 8 ? DIAG_SIGNED64 : -1;
	}
	if (bi->form == NV_N && !is_integral(t))
		return DIAG_INTEGRAL;
	if (t->bytes > 16 || !(1u << t->bytes & 0x10116u))
		return DIAG_GENERIC_SIZE;
	if (bi->op == NV_EXCH && t->bytes < 4)
		return DIAG_EXCH_SIZE;
	if (bi->op == NV_CAS && t->bytes < 2)
		return DIAG_CAS_SIZE;
	if ((bi->op == NV_EXCH || bi->op == NV_CAS) && t->bytes == 16 && m->sm < 90)
		return DIAG_WIDE_SM;
	return -1;
}

static bool old_target_allows(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi)
{
	if (m->sm >= 70 || bi->op == NV_FENCE)
		return true;
	if (bi->type.bytes == 16)
		diagnose(m, call, DIAG_WIDE_OLD, bi);
	else if (bi->op == NV_STORE && bi->type.bytes == 2)
		diagnose(m, call, DIAG_STORE16_SM, bi);
	else
		return true;
	return false;
}

static void order_rules(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi)
{
	unsigned at = nv_order_index(bi), n = LLVMGetNumArgOperands(call), orders = bi->op == NV_CAS ? 2 : 1;
	long long v;
	for (unsigned i = 0; i < orders; i++) {
		if (at + i >= n || !nv_const_of(LLVMGetOperand(call, at + i), &v)) {
			diagnose(m, call, DIAG_ORDER_LITERAL, bi);
			return;
		}
		if (v < 0 || v > NV_SEQ_CST) {
			diagnose(m, call, DIAG_ORDER_RANGE, bi);
			return;
		}
		if (bi->op == NV_LOAD && (v == NV_RELEASE || v == NV_ACQ_REL)) {
			diagnose(m, call, DIAG_LOAD_ORDER, bi);
			return;
		}
		if (bi->op == NV_STORE && (v == NV_CONSUME || v == NV_ACQUIRE || v == NV_ACQ_REL)) {
			diagnose(m, call, DIAG_STORE_ORDER, bi);
			return;
		}
	}
	if (at + orders >= n)
		return; /* scope left out: system */
	if (!nv_const_of(LLVMGetOperand(call, at + orders), &v)) {
		diagnose(m, call, DIAG_SCOPE_LITERAL, bi);
	} else if (v < 0 || v > NV_SYSTEM) {
		diagnose(m, call, DIAG_SCOPE_RANGE, bi);
	} else if (v == NV_CLUSTER && m->sm < 90 && !m->documented) {
		bool access = bi->op == NV_LOAD || bi->op == NV_STORE;
		nv_warn(m, call,
		        "#%d-D: %s: scope of cluster is supported on architecture sm_90 or above. Using device scope "
		        "instead.",
		        access ? 20302 : 20306, bi->row->name);
	}
}

static void check_call(struct nv_module *m, LLVMValueRef call, struct nv_builtin bi)
{
	if (!arguments_fit(m, call, &bi))
		return;
	if (bi.family != NV_F_ATOMIC || !old_target_allows(m, call, &bi))
		return;
	if (bi.form == NV_SUFFIX) {
		int order, scope;
		nv_order_scope(call, &bi, &order, &scope);
		if (m->documented) /* the measured compiler reads the values as 0 */
			order_rules(m, call, &bi);
		return;
	}
	if (bi.by_kind && bi.form == NV_N && bi.type.cls == NV_C_INT &&
	    nv_holds_enum(m, LLVMGetOperand(call, bi.op == NV_CAS ? 4 : 3))) {
		bi.type.cls = NV_C_ENUM;
		bi.type.tag = "enum";
	}
	if (bi.op != NV_FENCE) {
		bool ordered = bi.op == NV_ADD || bi.op == NV_SUB || bi.op == NV_MAX || bi.op == NV_MIN;
		if (bi.type.cls == NV_C_ENUM && ordered) {
			nv_error(m, call,
			         "argument of type \"%s *\" is incompatible with parameter of type \"int *\" of %s",
			         bi.type.tag, bi.row->name);
			return;
		}
		int d = type_rule(m, &bi);
		if (d >= 0) {
			diagnose(m, call, (enum diag)d, &bi);
			return;
		}
	}
	order_rules(m, call, &bi);
}

static bool is_direct(LLVMValueRef fn, LLVMValueRef user)
{
	return LLVMIsACallInst(user) && LLVMGetCalledValue(user) == fn;
}

/* LLVM accepts every name that begins with "llvm.". The back end would call an unknown intrinsic as a function. */
static void check_intrinsic(struct nv_module *m, LLVMValueRef fn, LLVMValueRef user)
{
	const char *name = nv_symbol(fn);
	const struct nv_barrier_row *row = nv_barrier_row(name);
	if (!row || !is_direct(fn, user)) {
		nv_error(m, user, row ? "%s must be called directly" : "unknown intrinsic %s", name);
		return;
	}
	const unsigned n = LLVMGetNumArgOperands(user);
	bool fits = n == strlen(row->sig + 1) && LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMVoidTypeKind;
	for (unsigned i = 0; i < n; i++)
		fits &= argument_fits(m, 'i', LLVMGetOperand(user, i), NULL);
	if (!fits)
		nv_error(m, user, "%s: expected %zu arguments of type i32 and no result", name, strlen(row->sig + 1));
}

static void check_use(struct nv_module *m, LLVMValueRef fn, LLVMValueRef user)
{
	if (nv_is_unknown_intrinsic(fn)) {
		check_intrinsic(m, fn, user);
		return;
	}
	struct nv_builtin bi;
	const char *name = nv_symbol(fn), *dot = strchr(name, '.');
	int len = (int)(dot ? dot - name : (long)strlen(name));
	enum nv_found found = LLVMIsDeclaration(fn) ? nv_resolve(name, m->sm, m->documented, &bi) : NV_NOT_OURS;
	if (found == NV_NOT_OURS)
		return;
	if (found == NV_UNDEFINED && dot && !strncmp(name, "atomic", 6))
		nv_error(m, user, "no instance of overloaded function \"%.*s\" matches the argument list (type %s)",
		         len, name, dot + 1);
	else if (found == NV_UNDEFINED)
		nv_error(m, user, "identifier \"%.*s\" is undefined for sm_%u", len, name, m->sm);
	else if (!is_direct(fn, user))
		nv_error(m, user, "%s: nv atomic function must be called directly.", bi.row->name);
	else
		check_call(m, user, bi);
}

/* Functions among the operands; the last operand is the callee. */
static void check_instruction(struct nv_module *m, LLVMValueRef inst)
{
	int n = LLVMGetNumOperands(inst);
	nv_note_variable(m, inst);
	for (int i = 0; i < n; i++) {
		LLVMValueRef v = LLVMGetOperand(inst, (unsigned)i);
		if (LLVMIsAFunction(v))
			check_use(m, v, inst);
	}
}

/* Checks calls in the order of the text, then uses outside instructions (tables of addresses, constant expressions). */
void nv_check_module(struct nv_module *m)
{
	LLVMModuleRef mod = m->mod;
	for (LLVMValueRef fn = LLVMGetFirstFunction(mod); fn; fn = LLVMGetNextFunction(fn))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
				check_instruction(m, i);
	for (LLVMValueRef fn = LLVMGetFirstFunction(mod); fn; fn = LLVMGetNextFunction(fn))
		for (LLVMUseRef u = LLVMGetFirstUse(fn); u; u = LLVMGetNextUse(u))
			if (!LLVMIsAInstruction(LLVMGetUser(u)))
				check_use(m, fn, LLVMGetUser(u));
}

void nv_mark_builtins(struct nv_module *m)
{
	for (LLVMValueRef fn = LLVMGetFirstFunction(m->mod); fn; fn = LLVMGetNextFunction(fn)) {
		struct nv_builtin bi = {.family = NV_F_SYNC};
		if (!nv_is_unknown_intrinsic(fn) &&
		    (!LLVMIsDeclaration(fn) || nv_resolve(nv_symbol(fn), m->sm, m->documented, &bi) != NV_FOUND))
			continue;
		nv_mark(m, fn, "nounwind");
		if (bi.family >= NV_F_SYNC)
			nv_mark(m, fn, "convergent");
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* accesses.c -- events of each block that matter to barriers: accesses visible to other threads, barriers, calls. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "barriers.h"
#include "flow.h"

enum { CONSTANT_SPACE = 4, LOCAL_SPACE = 5, PARAM_SPACE = 101 };

/* ---- memory ---- */

enum { OWN = 1, CONSTANT = 2, SEEN = 4 }; /* of the thread alone; never written; visible to other threads */

struct search {
	LLVMValueRef joins[8];
	unsigned njoins, budget;
};

static unsigned memory_of(struct search *s, LLVMValueRef p);

static unsigned join_memory(struct search *s, LLVMValueRef p)
{
	unsigned found = 0;
	for (unsigned i = 0; i < s->njoins; i++)
		if (s->joins[i] == p)
			return 0;
	if (s->njoins == sizeof s->joins / sizeof *s->joins)
		return SEEN;
	s->joins[s->njoins++] = p;
	for (unsigned i = 0; i < LLVMCountIncoming(p); i++)
		found |= memory_of(s, LLVMGetIncomingValue(p, i));
	return found;
}

static bool steps(LLVMValueRef p)
{
	LLVMOpcode op = 0;
	if (LLVMIsAInstruction(p))
		op = LLVMGetInstructionOpcode(p);
	else if (LLVMIsAConstantExpr(p))
		op = LLVMGetConstOpcode(p);
	return op == LLVMGetElementPtr || op == LLVMAddrSpaceCast || op == LLVMBitCast;
}

static bool is_copy_of_argument(LLVMValueRef p)
{
	const unsigned kind = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
	LLVMValueRef fn = LLVMIsAArgument(p) ? LLVMGetParamParent(p) : NULL;
	for (unsigned i = 0; fn && i < LLVMCountParams(fn); i++)
		if (LLVMGetParam(fn, i) == p)
			return LLVMGetEnumAttributeAtIndex(fn, i + 1, kind) != NULL;
	return false;
}

static unsigned memory_of(struct search *s, LLVMValueRef p)
{
	while (s->budget && steps(p)) {
		s->budget--;
		if (LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == LOCAL_SPACE)
			return OWN;
		p = LLVMGetOperand(p, 0);
	}
	if (!s->budget || LLVMGetTypeKind(LLVMTypeOf(p)) != LLVMPointerTypeKind)
		return SEEN;
	s->budget--;
	switch (LLVMGetPointerAddressSpace(LLVMTypeOf(p))) {
	case LOCAL_SPACE:
		return OWN;
	case CONSTANT_SPACE:
	case PARAM_SPACE:
		return CONSTANT;
	}
	if (LLVMIsAAllocaInst(p) || is_copy_of_argument(p))
		return OWN;
	if (LLVMIsAGlobalVariable(p) && LLVMIsGlobalConstant(p))
		return CONSTANT;
	if (LLVMIsAPHINode(p))
		return join_memory(s, p);
	if (LLVMIsASelectInst(p))
		return memory_of(s, LLVMGetOperand(p, 1)) | memory_of(s, LLVMGetOperand(p, 2));
	return SEEN;
}

static bool is_seen(LLVMValueRef p)
{
	struct search s = {.budget = 64};
	return (memory_of(&s, p) & SEEN) != 0;
}

bool nv_is_constant_memory(LLVMValueRef load)
{
	struct search s = {.budget = 64};
	LLVMContextRef c =
	        LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(load))));
	const unsigned invariant = LLVMGetMDKindIDInContext(c, "invariant.load", strlen("invariant.load"));
	if (LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic)
		return false;
	return LLVMGetMetadata(load, invariant) || memory_of(&s, LLVMGetOperand(load, 0)) == CONSTANT;
}

static unsigned of_load(LLVMValueRef i)
{
	if (LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
		return NV_ANYTHING;
	if (nv_is_constant_memory(i) || !is_seen(LLVMGetOperand(i, 0)))
		return 0;
	return LLVMGetVolatile(i) ? NV_ANYTHING : NV_READS;
}

static unsigned of_store(LLVMValueRef i)
{
	if (LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
		return NV_ANYTHING;
	if (!is_seen(LLVMGetOperand(i, 1)))
		return 0;
	return LLVMGetVolatile(i) ? NV_ANYTHING : NV_WRITES;
}

/* ---- attributes ---- */

static LLVMAttributeRef attribute(LLVMValueRef call, const char *name, bool of_function)
{
	const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	LLVMValueRef fn = LLVMGetCalledValue(call);
	if (!of_function)
		return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind);
	return LLVMIsAFunction(fn) ? LLVMGetEnumAttributeAtIndex(fn, LLVMAttributeFunctionIndex, kind) : NULL;
}

/* LLVM's attribute memory: two bits a location, 1 read, 2 written: arguments, inaccessible memory, other memory. */
enum { INACCESSIBLE = 3 << 2, WRITES = 2 | 2 << 2 | 2 << 4, ALL_MEMORY = 63 };

static unsigned memory_attribute(LLVMValueRef call)
{
	unsigned bits = ALL_MEMORY;
	for (unsigned of_function = 0; of_function < 2; of_function++) {
		LLVMAttributeRef a = attribute(call, "memory", of_function);
		bits &= a ? (unsigned)LLVMGetEnumAttributeValue(a) : (unsigned)ALL_MEMORY;
	}
	return bits;
}

static bool is_convergent(LLVMValueRef call)
{
	return attribute(call, "convergent", false) || attribute(call, "convergent", true);
}

/* ---- calls ---- */

/* For the optimiser and debuggers: no code. */
static bool is_remark(const char *name)
{
	static const char *const begins[] = {"llvm.dbg.",      "llvm.lifetime.",
	                                     "llvm.assume",    "llvm.invariant.",
	                                     "llvm.donothing", "llvm.experimental.noalias.scope.decl"};
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (!strncmp(name, begins[i], strlen(begins[i])))
			return true;
	return false;
}

bool nv_is_quiet_call(LLVMValueRef call)
{
	return !memory_attribute(call) && !is_convergent(call);
}

/* memcpy, memmove, memset: bits of the access. -1: another call. */
static int of_copy(LLVMValueRef call, const char *name)
{
	const bool set = !strncmp(name, "llvm.memset.", 12),
	           copy = !strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13);
	long long is_volatile = 1;
	if (!set && !copy)
		return -1;
	const bool to = is_seen(LLVMGetOperand(call, 0)), from = copy && is_seen(LLVMGetOperand(call, 1));
	if (!nv_const_of(LLVMGetOperand(call, 3), &is_volatile) || is_volatile)
		return to || from ? NV_ANYTHING : 0;
	return (to ? NV_WRITES : 0) | (from ? NV_READS : 0);
}

static unsigned of_intrinsic(LLVMValueRef call, const char *name)
{
	const int copy = of_copy(call, name);
	const unsigned memory = memory_attribute(call);
	if (is_remark(name))
		return 0;
	if (copy >= 0)
		return (unsigned)copy;
	if (is_convergent(call) || memory & (INACCESSIBLE | WRITES))
		return NV_ANYTHING;
	return memory ? NV_READS : 0;
}

/* ---- inline assembly ---- */

static unsigned results_of(LLVMValueRef call)
{
	LLVMTypeRef t = LLVMTypeOf(call);
	return LLVMGetTypeKind(t) == LLVMVoidTypeKind     ? 0
	       : LLVMGetTypeKind(t) == LLVMStructTypeKind ? LLVMCountStructElementTypes(t)
	                                                  : 1;
}

/* The text with constants inserted: `mark` and a number are a reference to an operand. */
static char *with_constants(LLVMValueRef call, const char *text, size_t n, char mark, unsigned results)
{
	char *out = NULL;
	size_t size;
	FILE *to = open_memstream(&out, &size);
	for (size_t i = 0; to && i < n; i++) {
		long long v;
		if (i && text[i] == mark && text[i - 1] == mark) { /* the mark itself */
			fputc(text[i], to);
			continue;
		}
		const char *digits = text + i + 1 + (text[i] == mark && i + 1 < n && text[i + 1] == '{');
		char *end = NULL;
		const unsigned long k =
		        text[i] == mark && *digits >= '0' && *digits <= '9' ? strtoul(digits, &end, 10) : 0;
		if (end && k >= results && k - results < LLVMGetNumArgOperands(call) &&
		    nv_const_of(LLVMGetOperand(call, (unsigned)(k - results)), &v)) {
			fprintf(to, "%lld", v);
			i = (size_t)(end - text) - 1 + (digits != text + i + 1);
		} else {
			fputc(text[i], to);
		}
	}
	if (!to || fclose(to)) {
		fprintf(stderr, "wlnvvm: out of memory\n");
		exit(1);
	}
	return out;
}

static bool text_of(LLVMValueRef call, struct nv_barrier *b)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	const struct nv_barrier_row *row = LLVMIsAFunction(callee) ? nv_barrier_row(nv_symbol(callee)) : NULL;
	char *text;
	if (LLVMIsAInlineAsm(callee)) {
		size_t n, nc;
		const char *s = LLVMGetInlineAsmAsmString(callee, &n),
		           *c = LLVMGetInlineAsmConstraintString(callee, &nc);
		const bool by_address = strstr(c, "=*") != NULL; /* an argument as a result */
		text = with_constants(call, s, n, by_address ? '\0' : '$', results_of(call));
	} else if (row) {
		text = with_constants(call, row->text, strlen(row->text), '@', row->sig[0] != 'v');
	} else {
		return false;
	}
	*b = nv_barrier_of(text);
	free(text);
	return true;
}

bool nv_is_common_result(LLVMValueRef call)
{
	struct nv_barrier b;
	return text_of(call, &b) && b.whole == 1 && b.result && !b.more && !b.doubt;
}

/* ---- events ---- */

static struct nv_event *add(struct nv_fn *f, LLVMValueRef inst, enum nv_event_kind kind)
{
	if (f->nevents == f->room) {
		f->room = f->room ? 2 * f->room : 32;
		f->events = realloc(f->events, f->room * sizeof *f->events);
		if (!f->events) {
			fprintf(stderr, "wlnvvm: out of memory\n");
			exit(1);
		}
	}
	f->events[f->nevents] = (struct nv_event){.inst = inst, .kind = kind};
	return &f->events[f->nevents++];
}

static void access(struct nv_fn *f, LLVMValueRef inst, unsigned bits)
{
	if (bits)
		add(f, inst, NV_ACCESS)->bits = bits;
}

static void doubt(struct nv_fn *f, LLVMValueRef inst, const char *why)
{
	access(f, inst, NV_ANYTHING);
	if (!f->doubt) {
		f->doubt = inst;
		f->why = why;
	}
}

static void barrier(struct nv_fn *f, LLVMValueRef call, const struct nv_barrier *b)
{
	if (b->doubt) {
		doubt(f, call, "a barrier with a guard, a count or a number in a register");
		return;
	}
	if (b->more)
		access(f, call, NV_ANYTHING);
	if (b->whole) {
		add(f, call, NV_BARRIER)->may_go = nv_barrier_is_plain(b) && LLVMIsACallInst(call);
		if (b->more)
			access(f, call, NV_ANYTHING);
	}
}

/* Barriers of the CTA missing in barriers.def. */
static bool is_other_barrier(const char *name)
{
	return !strncmp(name, "llvm.nvvm.bar", 13) && strncmp(name, "llvm.nvvm.bar.warp", 18) != 0 &&
	       strncmp(name, "llvm.nvvm.barrier.cluster", 25) != 0;
}

static void call(struct nv_program *p, struct nv_fn *f, LLVMValueRef inst)
{
	LLVMValueRef callee = LLVMGetCalledValue(inst);
	const uint32_t body = nv_fn_number(p, callee);
	struct nv_barrier b;
	if (text_of(inst, &b)) {
		if (LLVMIsAInlineAsm(callee) && !b.whole && !b.doubt && nv_is_quiet_call(inst))
			return;
		barrier(f, inst, &b);
	} else if (body != NV_NONE) {
		add(f, inst, NV_CALL)->callee = body;
	} else if (!LLVMIsAFunction(callee)) {
		doubt(f, inst, "a call through a pointer");
	} else if (is_other_barrier(nv_symbol(callee)) || !strcmp(nv_symbol(callee), "llvm.nvvm.exit")) {
		doubt(f, inst, "an intrinsic that may wait or end the thread");
	} else if (LLVMGetIntrinsicID(callee)) {
		access(f, inst, of_intrinsic(inst, nv_symbol(callee)));
	} else if (!nv_is_quiet_call(inst)) {
		doubt(f, inst, "a call of a function without a body");
	}
}

static void instruction(struct nv_program *p, struct nv_fn *f, LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		access(f, i, of_load(i));
		return;
	case LLVMStore:
		access(f, i, of_store(i));
		return;
	case LLVMFence:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
	case LLVMVAArg:
		access(f, i, NV_ANYTHING);
		return;
	case LLVMCall:
	case LLVMInvoke:
	case LLVMCallBr:
		call(p, f, i);
		return;
	default:
		return;
	}
}

void nv_find_events(struct nv_program *p)
{
	for (uint32_t k = 0; k < p->nfns; k++) {
		struct nv_fn *f = &p->fns[k];
		for (uint32_t b = 0; b < f->nblocks; b++) {
			f->blocks[b].first = f->nevents;
			for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[b].bb); i;
			     i = LLVMGetNextInstruction(i))
				instruction(p, f, i);
			f->blocks[b].end = f->nevents;
		}
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* flow.c -- functions, blocks and edges of a module, and where the ways from a block meet. */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

bool nv_is_call(LLVMValueRef inst)
{
	return LLVMIsACallInst(inst) || LLVMIsAInvokeInst(inst) || LLVMGetInstructionOpcode(inst) == LLVMCallBr;
}

/* The linker may replace this body by another. */
static bool is_replaceable(LLVMValueRef fn)
{
	const LLVMLinkage l = LLVMGetLinkage(fn);
	return l == LLVMWeakAnyLinkage || l == LLVMLinkOnceAnyLinkage || l == LLVMExternalWeakLinkage ||
	       l == LLVMAvailableExternallyLinkage;
}

uint32_t nv_fn_number(const struct nv_program *p, LLVMValueRef fn)
{
	return fn && LLVMIsAFunction(fn) && !is_replaceable(fn) ? nv_refs_get(&p->numbers, fn) : (uint32_t)NV_NONE;
}

static bool is_called_elsewhere(LLVMValueRef fn)
{
	const LLVMLinkage l = LLVMGetLinkage(fn);
	if (l != LLVMInternalLinkage && l != LLVMPrivateLinkage)
		return true;
	for (LLVMUseRef u = LLVMGetFirstUse(fn); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		if (!LLVMIsAInstruction(user) || !nv_is_call(user) || LLVMGetCalledValue(user) != fn)
			return true;
		for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
			if (LLVMGetOperand(user, i) == fn)
				return true;
	}
	return false;
}

/* ---- edges ---- */

static void find_edges(struct nv_fn *f, const struct nv_refs *blocks)
{
	for (uint32_t b = 0; b < f->nblocks; b++) {
		struct nv_block *x = &f->blocks[b];
		LLVMValueRef t = LLVMGetBasicBlockTerminator(x->bb);
		x->nsucc = LLVMGetNumSuccessors(t);
		x->succ = nv_room(x->nsucc, sizeof *x->succ);
		for (unsigned s = 0; s < x->nsucc; s++) {
			x->succ[s] = nv_refs_get(blocks, LLVMGetSuccessor(t, s));
			f->blocks[x->succ[s]].npred++;
		}
	}
	for (uint32_t b = 0; b < f->nblocks; b++) {
		f->blocks[b].pred = nv_room(f->blocks[b].npred, sizeof *f->blocks[b].pred);
		f->blocks[b].npred = 0;
	}
	for (uint32_t b = 0; b < f->nblocks; b++)
		for (unsigned s = 0; s < f->blocks[b].nsucc; s++) {
			struct nv_block *to = &f->blocks[f->blocks[b].succ[s]];
			to->pred[to->npred++] = b;
		}
}

/* ---- where ways meet: post-dominators, after Cooper, Harvey and Kennedy ---- */

struct back {
	struct nv_fn *f;
	uint32_t *order, *number, n; /* blocks behind their successors; the end comes first, as block nblocks */
	uint32_t *up;                /* by number */
};

static void walk_back(struct back *k, uint32_t from)
{
	uint32_t *stack = nv_room(k->f->nblocks + 1, sizeof *stack), *tried = nv_room(k->f->nblocks, sizeof *tried),
	         n = 0;
	k->number[from] = 0; /* seen */
	stack[n++] = from;
	while (n) {
		const struct nv_block *b = &k->f->blocks[stack[n - 1]];
		if (tried[stack[n - 1]] < b->npred) {
			const uint32_t to = b->pred[tried[stack[n - 1]]++];
			if (k->number[to] == NV_NONE) {
				k->number[to] = 0;
				stack[n++] = to;
			}
			continue;
		}
		k->order[k->n++] = stack[--n];
	}
	free(stack);
	free(tried);
}

static void number_back(struct back *k)
{
	const uint32_t end = k->f->nblocks;
	for (uint32_t b = 0; b <= end; b++)
		k->number[b] = NV_NONE;
	for (uint32_t b = 0; b < end; b++)
		if (!k->f->blocks[b].nsucc && k->number[b] == NV_NONE)
			walk_back(k, b);
	k->order[k->n++] = end;
	for (uint32_t i = 0; i < k->n / 2; i++) {
		const uint32_t x = k->order[i];
		k->order[i] = k->order[k->n - 1 - i];
		k->order[k->n - 1 - i] = x;
	}
	for (uint32_t i = 0; i < k->n; i++)
		k->number[k->order[i]] = i;
}

static uint32_t common(const struct back *k, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (a > b)
			a = k->up[a];
		while (b > a)
			b = k->up[b];
	}
	return a;
}

/* The meeting place as far as known, a number. */
static uint32_t meeting(const struct back *k, const struct nv_block *b)
{
	uint32_t at = b->nsucc ? (uint32_t)NV_NONE : 0;
	for (unsigned s = 0; s < b->nsucc; s++) {
		const uint32_t n = k->number[b->succ[s]];
		if (n == NV_NONE) /* an endless loop */
			return 0;
		if (k->up[n] != NV_NONE)
			at = at == NV_NONE ? n : common(k, at, n);
	}
	return at;
}

static void find_meetings(struct nv_fn *f)
{
	const uint32_t n = f->nblocks + 1;
	struct back k = {.f = f,
	                 .order = nv_room(n, sizeof *k.order),
	                 .number = nv_room(n, sizeof *k.number),
	                 .up = nv_room(n, sizeof *k.up)};
	number_back(&k);
	memset(k.up, 0xff, n * sizeof *k.up);
	k.up[0] = 0;
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = 1; i < k.n; i++) {
			const uint32_t at = meeting(&k, &f->blocks[k.order[i]]);
			changed |= at != k.up[i];
			k.up[i] = at;
		}
	}
	for (uint32_t b = 0; b < f->nblocks; b++) {
		const uint32_t i = k.number[b];
		f->blocks[b].meet =
		        i == NV_NONE || k.up[i] == NV_NONE || k.up[i] == 0 ? (uint32_t)NV_NONE : k.order[k.up[i]];
	}
	free(k.order);
	free(k.number);
	free(k.up);
}

static void find_blocks(struct nv_fn *f)
{
	struct nv_refs numbers = {0};
	uint32_t n = 0;
	f->nblocks = LLVMCountBasicBlocks(f->fn);
	f->blocks = nv_room(f->nblocks, sizeof *f->blocks);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->fn); b; b = LLVMGetNextBasicBlock(b)) {
		f->blocks[n].bb = b;
		nv_refs_put(&numbers, b, n++);
	}
	find_edges(f, &numbers);
	find_meetings(f);
	free(numbers.key);
	free(numbers.number);
}

void nv_flow(struct nv_program *p, struct nv_module *m)
{
	uint32_t n = 0;
	*p = (struct nv_program){.m = m};
	for (LLVMValueRef fn = LLVMGetFirstFunction(m->mod); fn; fn = LLVMGetNextFunction(fn))
		n += !LLVMIsDeclaration(fn);
	p->fns = nv_room(n, sizeof *p->fns);
	for (LLVMValueRef fn = LLVMGetFirstFunction(m->mod); fn; fn = LLVMGetNextFunction(fn)) {
		if (LLVMIsDeclaration(fn))
			continue;
		struct nv_fn *f = &p->fns[p->nfns];
		f->fn = fn;
		f->kernel = nv_is_kernel(m, fn);
		f->outside = !f->kernel && is_called_elsewhere(fn);
		nv_refs_put(&p->numbers, fn, p->nfns++);
		find_blocks(f);
	}
}

// SPDX-License-Identifier: Apache-2.0
/* stacks.c -- depth of a kernel's stack: its frame, and below it the frames of the called functions.
 *
 * The depth is UNKNOWN_STACK for recursion and for calls of an address, as in NVIDIA's objects. The launch limit then
 * gives the depth. Functions of the driver (vprintf, malloc) have stack of their own. */
#include "stacks.h"

struct node {
	const struct ptx_function *fn;
	struct kernel_code *code;
	enum { NEW, OPEN, DONE } state;
	uint32_t next;   /* next instruction to look at */
	uint32_t below;  /* largest depth of a callee; UNKNOWN_STACK */
	uint32_t caller; /* node of the caller */
};

/* More than the limit of a thread counts as unknown: the real need may be less. */
static uint32_t sum(uint32_t frame, uint32_t below)
{
	enum { LOCAL_LIMIT = 1 << 19 };
	return below == UNKNOWN_STACK || frame + below > LOCAL_LIMIT ? UNKNOWN_STACK : frame + below;
}

static void needs(struct node *n, uint32_t below)
{
	if (n->below != UNKNOWN_STACK && (below == UNKNOWN_STACK || below > n->below))
		n->below = below;
}

/* The function named by a call; NULL: an address, of any function. */
static const struct ptx_function *callee(const struct ptx_instr *i)
{
	const struct ptx_operand *what = &i->ops[1];
	return what->kind == PTX_O_SYMBOL && what->sym->kind == PTX_SYM_FUNCTION ? what->sym->function : NULL;
}

/* The node of the next callee of n of unknown depth; NULL: no more callees. */
static struct node *next_new(struct node *n)
{
	while (n->next < n->fn->ninstrs) {
		const struct ptx_instr *i = &n->fn->instrs[n->next++];
		const struct ptx_function *to;
		struct node *m;
		if (i->op != PTX_OP_call)
			continue;
		to = callee(i);
		m = to ? to->user : NULL;
		if (!to)
			needs(n, UNKNOWN_STACK);
		else if (m && m->state == NEW)
			return m;
		else if (m)
			needs(n, m->state == OPEN ? UNKNOWN_STACK : sum(m->code->frame, m->below));
	}
	return NULL;
}

void stacks_measure(struct arena *a, struct kernel_code *codes, uint32_t n)
{
	enum { NOBODY = 0xffffffffu };
	struct node *nodes = arena_zalloc(a, (n + 1) * sizeof *nodes);
	for (uint32_t i = 0; i < n; i++) {
		nodes[i] = (struct node){.fn = codes[i].src, .code = &codes[i]};
		codes[i].src->sym->function->user = &nodes[i];
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = nodes[i].state == NEW ? i : NOBODY;
		if (at != NOBODY)
			nodes[i].caller = NOBODY;
		while (at != NOBODY) { /* no recursion in C: the chain of calls may be as long as the module */
			struct node *here = &nodes[at], *to;
			here->state = OPEN;
			to = next_new(here);
			if (to) {
				to->caller = at;
				at = (uint32_t)(to - nodes);
				continue;
			}
			here->state = DONE;
			at = here->caller;
			if (at != NOBODY)
				needs(&nodes[at], sum(here->code->frame, here->below));
		}
		codes[i].stack = sum(codes[i].frame, nodes[i].below);
	}
}

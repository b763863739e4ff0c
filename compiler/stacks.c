// SPDX-License-Identifier: Apache-2.0
/* stacks.c -- how deep a kernel's stack gets: its frame, and below it those of the functions that it calls.
 *
 * Where that cannot be told (recursion, an address that is called) it is UNKNOWN_STACK, as in NVIDIA's objects: then
 * the limit of the launch says it. Functions of the driver (vprintf, malloc) have stack of their own. */
#include "stacks.h"

struct node {
	const struct ptx_function *fn;
	struct kernel_code *code;
	enum { NEW, OPEN, DONE } state;
	uint32_t next;   /* its next instruction to look at */
	uint32_t below;  /* the deepest of what it calls; UNKNOWN_STACK */
	uint32_t caller; /* node that it was come to from */
};

/* More than a thread can have counts as unknown: what it really takes may be less. */
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

/* The function that a call names; NULL: an address that may be any. */
static const struct ptx_function *callee(const struct ptx_instr *i)
{
	const struct ptx_operand *what = &i->ops[1];
	return what->kind == PTX_O_SYMBOL && what->sym->kind == PTX_SYM_FUNCTION ? what->sym->function : NULL;
}

/* The next function that n calls and whose depth is not known yet, as node; NULL: it has been through. */
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
		while (at != NOBODY) { /* no recursion: a chain of calls may be as long as the module */
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

// SPDX-License-Identifier: Apache-2.0
/* remove_barriers.c -- OriRemoveRedundantBarriers: of barriers of the whole CTA without an access between, one stays.
 *
 * Threads meet in a barrier by the count of their barriers, not by the place. A barrier may go only where each thread
 * loses the barrier of the same count. Two cases allow the removal, for a number k:
 *  - all runs of k in the kernel have one length: each run becomes one barrier;
 *  - all threads come to the run once, and all paths to the run have equally many barriers of k.
 * Knob 472=0 leaves the second case out. A run stands in one block. A barrier of k by another operation, with a count
 * or a guard, leaves all barriers of k as written. So does a barrier with its number in a register. */
#include "mir.h"

#include <string.h>

enum { BARRIERS = 16, UNSEEN = 0xffffffffu, UNEQUAL = 0xfffffffeu };

struct numbers {
	struct mfunc *f;
	bool fixed[BARRIERS];      /* stay as written */
	unsigned length[BARRIERS]; /* of all runs; 0: none yet */
	bool unequal[BARRIERS];    /* runs differ in length */
};

static bool is_whole(const struct minst *in)
{
	return in->w.op == WL_BAR_SYNC && in->guard == REF_NONE && !in->word && in->w.src[0] == WL_SRC_IMM &&
	       in->w.src[1] == WL_SRC_IMM && in->w.imm2 == 0 && in->w.imm < BARRIERS && !(in->w.flags & WL_F_HI);
}

static bool is_number(const struct minst *in, unsigned k)
{
	return in->w.uop == WL_UOP_BAR && is_whole(in) && in->w.imm == k;
}

static bool is_between(const struct minst *in)
{
	return sync_is_between(in) || (in->w.uop == WL_UOP_WARPSYNC && in->guard == REF_NONE && !in->word);
}

/* The barriers of k from `at` on, without anything between; *end: behind the last. */
static unsigned run_length(const struct mblock *b, uint32_t at, unsigned k, uint32_t *end)
{
	unsigned n = 0;
	for (uint32_t i = at; i < b->n; i++) {
		if (is_number(&b->ins[i], k)) {
			n++;
			*end = i + 1;
		} else if (!is_between(&b->ins[i])) {
			break;
		}
	}
	return n;
}

static void note_run(struct numbers *x, unsigned k, unsigned length)
{
	x->unequal[k] |= x->length[k] && x->length[k] != length;
	x->length[k] = length;
}

static void survey_block(struct numbers *x, const struct mblock *b)
{
	for (uint32_t i = 0; i < b->n;) {
		const struct minst *in = &b->ins[i++];
		if (in->w.uop != WL_UOP_BAR)
			continue;
		if (is_whole(in)) {
			const unsigned k = in->w.imm;
			note_run(x, k, run_length(b, i - 1, k, &i));
		} else if (in->w.src[0] == WL_SRC_IMM && in->w.imm < BARRIERS) {
			x->fixed[in->w.imm] = true;
		} else {
			memset(x->fixed, true, sizeof x->fixed);
		}
	}
}

/* Keeps the last barrier of the run: accesses ordered behind any barrier of the run stay behind the last. */
static void cut_run(struct numbers *x, struct mblock *b, uint32_t at, uint32_t end, unsigned k)
{
	uint32_t to = at;
	for (uint32_t i = at; i < end; i++)
		if (i + 1 == end || !is_number(&b->ins[i], k))
			b->ins[to++] = b->ins[i];
		else
			x->f->removed.barriers++;
	memmove(&b->ins[to], &b->ins[end], (b->n - end) * sizeof *b->ins);
	b->n -= end - to;
}

static void cut_block(struct numbers *x, struct mblock *b, unsigned k)
{
	for (uint32_t i = 0; i < b->n; i++) {
		uint32_t end = i;
		if (!is_number(&b->ins[i], k) || run_length(b, i, k, &end) < 2)
			continue;
		mfunc_note(x->f, b->ins[i].line, "one barrier of the run is enough: knob 358");
		cut_run(x, b, i, end, k);
	}
}

/* ---- the second case ---- */

static unsigned count_in(const struct mblock *b, unsigned k)
{
	unsigned n = 0;
	for (uint32_t i = 0; i < b->n; i++)
		n += is_number(&b->ins[i], k);
	return n;
}

/* Barriers of k on the paths to the start of each block: UNEQUAL where the paths differ. */
static uint32_t *counts_to(const struct mfunc *f, unsigned k)
{
	uint32_t *count = arena_alloc(f->arena, (f->nblocks + 1) * sizeof *count);
	bool changed = true;
	for (uint32_t b = 0; b < f->nblocks; b++)
		count[b] = UNSEEN;
	count[0] = f->blocks[0]->npred ? UNEQUAL : 0;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < f->nrpo; i++) {
			const struct mblock *b = f->blocks[f->rpo[i]];
			const uint32_t at = count[b->id];
			const uint32_t out = at >= UNEQUAL ? at : at + count_in(b, k);
			for (unsigned s = 0; s < b->nsucc && at != UNSEEN; s++) {
				uint32_t *to = &count[b->succ[s]];
				const uint32_t put = *to == UNSEEN || *to == out ? out : UNEQUAL;
				changed |= put != *to;
				*to = put;
			}
		}
	}
	return count;
}

/* All threads with no earlier end come to the block, and once. */
static bool is_common(const struct mfunc *f, const struct mblock *b)
{
	uint32_t up = 0;
	if (b->loop != NO_BLOCK || !f->blocks[0]->reaches_end)
		return false;
	while (up != b->id && up != NO_BLOCK)
		up = f->blocks[up]->ipdom;
	return up == b->id;
}

static void cut_common(struct numbers *x, unsigned k)
{
	struct mfunc *f = x->f;
	const uint32_t *count = counts_to(f, k);
	for (uint32_t i = 0; i < f->nrpo; i++) {
		struct mblock *b = f->blocks[f->rpo[i]];
		if (count[b->id] < UNEQUAL && is_common(f, b))
			cut_block(x, b, k);
	}
}

/* ---- calls ---- */

static bool is_barrier(unsigned op)
{
	return op >= PTX_OP_bar && op <= PTX_OP_barrier_cta_red && op != PTX_OP_bar_warp;
}

static bool may_wait(const struct ptx_function *fn, unsigned depth)
{
	enum { MAX_DEPTH = 16 };
	if (!fn->has_body || depth > MAX_DEPTH)
		return true;
	for (uint32_t i = 0; i < fn->ninstrs; i++) {
		const struct ptx_instr *in = &fn->instrs[i];
		if (depth && is_barrier(in->op))
			return true;
		if (in->op == PTX_OP_call &&
		    (in->ops[1].kind != PTX_O_SYMBOL || in->ops[1].sym->kind != PTX_SYM_FUNCTION ||
		     may_wait(in->ops[1].sym->function, depth + 1)))
			return true;
	}
	return false;
}

void lower_remove_barriers(struct mfunc *f)
{
	struct numbers x = {.f = f};
	if (f->knobs.mode < SYNC_BARRIERS || !f->src->is_entry || f->removed.internal) /* with barriers */
		return;
	if (f->knobs.mode < SYNC_CALLS ? f->calls : may_wait(f->src, 0))
		return;
	for (uint32_t i = 0; i < f->nrpo; i++)
		survey_block(&x, f->blocks[f->rpo[i]]);
	for (unsigned k = 0; k < BARRIERS; k++) {
		if (x.fixed[k] || !x.length[k])
			continue;
		if (x.unequal[k] && !f->knobs.no_paths)
			cut_common(&x, k);
		else if (!x.unequal[k])
			for (uint32_t i = 0; i < f->nrpo; i++)
				cut_block(&x, f->blocks[f->rpo[i]], k);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* dead_barriers.c -- barriers of the CTA that order nothing.
 *
 * Two facts make a barrier dead:
 *  - All threads of the CTA arrive at each barrier of the kernel together: no barrier is at a place with threads apart.
 *    So all threads lose the same barrier, and the other barriers keep their partners.
 *  - Accesses above, up to the previous barrier, and accesses below, up to the next barrier, do not conflict: a write
 *    on one side meets no access on the other side.
 * Atomics, fences, volatile accesses and everything unknown count as a write. The barrier also stays with such an
 * effect on one side and the start or the end of the kernel on the other side. Each removal begins the analysis again,
 * since the accesses above and below other barriers grow. */
#include <stdio.h>

#include "flow.h"

/* ---- accesses above and below ---- */

/* The state behind a call: `all` are the accesses of the callee on one side. */
static unsigned through(unsigned before, unsigned all)
{
	return (all & NV_CALLER ? before : 0) | (all & ~(unsigned)NV_CALLER);
}

static unsigned step(const struct nv_program *p, const struct nv_event *e, unsigned state, bool down)
{
	if (e->gone)
		return state;
	switch (e->kind) {
	case NV_ACCESS:
		return state | e->bits;
	case NV_BARRIER:
		return 0;
	default:
		return through(state, down ? p->fns[e->callee].tail : p->fns[e->callee].head);
	}
}

static bool go_down(struct nv_program *p, struct nv_fn *f, struct nv_block *b)
{
	unsigned state = b == f->blocks ? NV_CALLER : 0;
	for (uint32_t k = 0; k < b->npred; k++)
		state |= f->blocks[b->pred[k]].above;
	for (uint32_t k = b->first; k < b->end; k++) {
		f->events[k].above = state;
		state = step(p, &f->events[k], state, true);
	}
	const bool changed = state != b->above;
	b->above = state;
	return changed;
}

static bool go_up(struct nv_program *p, struct nv_fn *f, struct nv_block *b)
{
	unsigned state = LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(b->bb)) ? NV_CALLER : 0;
	for (uint32_t k = 0; k < b->nsucc; k++)
		state |= f->blocks[b->succ[k]].below;
	for (uint32_t k = b->end; k-- > b->first;) {
		f->events[k].below = state;
		state = step(p, &f->events[k], state, false);
	}
	const bool changed = state != b->below;
	b->below = state;
	return changed;
}

static bool look_at_function(struct nv_program *p, struct nv_fn *f)
{
	unsigned tail = 0, head;
	bool any = false;
	for (bool changed = true; changed; any |= changed) {
		changed = false;
		for (uint32_t b = 0; b < f->nblocks; b++)
			changed |= go_down(p, f, &f->blocks[b]);
		for (uint32_t b = f->nblocks; b-- > 0;)
			changed |= go_up(p, f, &f->blocks[b]);
	}
	for (uint32_t b = 0; b < f->nblocks; b++)
		if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(f->blocks[b].bb)))
			tail |= f->blocks[b].above;
	head = f->blocks[0].below;
	any |= tail != f->tail || head != f->head;
	f->tail = tail;
	f->head = head;
	return any;
}

static unsigned in_caller(unsigned bits, unsigned callers)
{
	return (bits & ~(unsigned)NV_CALLER) | (bits & NV_CALLER ? callers : 0);
}

static bool tell_callees(struct nv_program *p, const struct nv_fn *f)
{
	bool changed = false;
	for (uint32_t k = 0; k < f->nevents; k++) {
		const struct nv_event *e = &f->events[k];
		if (e->kind != NV_CALL)
			continue;
		struct nv_fn *to = &p->fns[e->callee];
		const unsigned above = to->above | in_caller(e->above, f->above),
		               below = to->below | in_caller(e->below, f->below);
		changed |= above != to->above || below != to->below;
		to->above = above;
		to->below = below;
	}
	return changed;
}

static void solve(struct nv_program *p)
{
	bool changed = true;
	for (uint32_t k = 0; k < p->nfns; k++) {
		struct nv_fn *f = &p->fns[k];
		f->above = f->below = f->kernel ? NV_EDGE : f->outside ? NV_ANYTHING | NV_EDGE : 0;
		f->tail = f->head = 0;
		for (uint32_t b = 0; b < f->nblocks; b++)
			f->blocks[b].above = f->blocks[b].below = 0;
	}
	while (changed) {
		changed = false;
		for (uint32_t k = 0; k < p->nfns; k++)
			changed |= look_at_function(p, &p->fns[k]);
	}
	for (changed = true; changed;) {
		changed = false;
		for (uint32_t k = 0; k < p->nfns; k++)
			changed |= tell_callees(p, &p->fns[k]);
	}
}

/* ---- where threads may be apart ---- */

static bool gather_waits(struct nv_program *p, struct nv_fn *f)
{
	const bool before = f->waits;
	for (uint32_t k = 0; k < f->nevents; k++)
		f->waits |= f->events[k].kind == NV_BARRIER ||
		            (f->events[k].kind == NV_CALL && p->fns[f->events[k].callee].waits);
	f->waits |= f->doubt != NULL;
	return f->waits != before;
}

static bool gather_doubts(struct nv_program *p, struct nv_fn *f)
{
	for (uint32_t b = 0; b < f->nblocks && !f->doubt; b++)
		for (uint32_t k = f->blocks[b].first; k < f->blocks[b].end && !f->doubt; k++) {
			const struct nv_event *e = &f->events[k];
			const struct nv_fn *to = e->kind == NV_CALL ? &p->fns[e->callee] : NULL;
			if (to && to->doubt) {
				f->doubt = to->doubt;
				f->why = to->why;
			} else if (f->blocks[b].apart && (to ? to->waits : e->kind == NV_BARRIER)) {
				f->doubt = e->inst;
				f->why = "a barrier that only some threads may reach";
			} else {
				continue;
			}
			return true;
		}
	return false;
}

static bool pass_on(struct nv_program *p, const struct nv_fn *f)
{
	bool changed = false;
	for (uint32_t k = 0; f->keep && k < f->nevents; k++) {
		struct nv_fn *to = f->events[k].kind == NV_CALL ? &p->fns[f->events[k].callee] : NULL;
		if (to && !to->keep) {
			to->keep = f->keep;
			changed = true;
		}
	}
	return changed;
}

/* All barriers stay if reached by threads from a kernel with a doubt, or from a function open to other callers. */
static void find_keepers(struct nv_program *p)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t k = 0; k < p->nfns; k++)
			changed |= gather_waits(p, &p->fns[k]);
	}
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t k = 0; k < p->nfns; k++)
			changed |= gather_doubts(p, &p->fns[k]);
	}
	for (uint32_t k = 0; k < p->nfns; k++)
		if (p->fns[k].outside || (p->fns[k].kernel && p->fns[k].doubt))
			p->fns[k].keep = &p->fns[k];
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t k = 0; k < p->nfns; k++)
			changed |= pass_on(p, &p->fns[k]);
	}
}

/* ---- decisions ---- */

static bool is_needed(unsigned above, unsigned below)
{
	const bool conflict =
	        (above & NV_WRITES && below & (NV_READS | NV_WRITES)) || (above & NV_READS && below & NV_WRITES);
	const bool edge = (above & NV_EDGE && below & NV_EFFECT) || (below & NV_EDGE && above & NV_EFFECT);
	return conflict || edge;
}

static const char *words(unsigned bits)
{
	static const char *const names[] = {"nothing", "reads", "writes", "reads and writes"};
	return bits & NV_EFFECT ? "an effect" : names[bits & (NV_READS | NV_WRITES)];
}

static void tell(struct nv_program *p, const struct nv_fn *f, const struct nv_event *e, const char *what)
{
	nv_note(p->m, e->inst, "%s: %s above, %s below", what, words(in_caller(e->above, f->above)),
	        words(in_caller(e->below, f->below)));
}

/* Marks the first dead barrier. False: no dead barrier is left. */
static bool mark_one(struct nv_program *p, bool print)
{
	for (uint32_t k = 0; k < p->nfns; k++) {
		struct nv_fn *f = &p->fns[k];
		for (uint32_t i = 0; !f->keep && i < f->nevents; i++) {
			struct nv_event *e = &f->events[i];
			if (e->kind != NV_BARRIER || !e->may_go || e->gone ||
			    is_needed(in_caller(e->above, f->above), in_caller(e->below, f->below)))
				continue;
			if (print)
				tell(p, f, e, "barrier is dead");
			e->gone = true;
			return true;
		}
	}
	return false;
}

static void tell_doubt(struct nv_program *p, const struct nv_fn *f, const struct nv_event *e)
{
	const unsigned line = LLVMGetDebugLocLine(f->keep->doubt);
	char place[32] = "";
	if (line)
		snprintf(place, sizeof place, ", line %u", line);
	nv_note(p->m, e->inst, "barrier stays: '%s' has %s%s", nv_symbol(f->keep->fn), f->keep->why, place);
}

static void tell_kept(struct nv_program *p, const struct nv_fn *f)
{
	for (uint32_t i = 0; i < f->nevents; i++) {
		const struct nv_event *e = &f->events[i];
		if (e->kind != NV_BARRIER || e->gone)
			continue;
		if (f->keep && f->keep->doubt)
			tell_doubt(p, f, e);
		else if (f->keep)
			nv_note(p->m, e->inst, "barrier stays: other modules may call '%s'", nv_symbol(f->keep->fn));
		else if (!e->may_go)
			nv_note(p->m, e->inst, "barrier stays: the barrier gives a result or has another effect");
		else
			tell(p, f, e, "barrier stays");
	}
}

void nv_dead_barriers(struct nv_module *m, bool remove, bool print)
{
	struct nv_program p;
	nv_flow(&p, m);
	nv_find_events(&p);
	nv_find_differences(&p);
	find_keepers(&p);
	do
		solve(&p);
	while (mark_one(&p, print));
	for (uint32_t k = 0; print && k < p.nfns; k++)
		tell_kept(&p, &p.fns[k]);
	for (uint32_t k = 0; remove && k < p.nfns; k++)
		for (uint32_t i = 0; i < p.fns[k].nevents; i++)
			if (p.fns[k].events[i].gone)
				LLVMInstructionEraseFromParent(p.fns[k].events[i].inst);
}

// SPDX-License-Identifier: Apache-2.0
/* accesses.c -- ordered accesses: the strength of the access itself, the words needed before a release and behind an
 * acquire on every path.
 *
 * A state describes the worst of the ways to a word, since the last access: the widest MEMBAR, error barriers behind
 * the MEMBAR, and acquires still waiting for their CCTL.IVALL. Words of a PTX instruction (a loop around a
 * compare-and-swap, say) are a single access, as long as no branch of another instruction comes between. Instructions
 * behind a release in the straight line of the PTX may come before the release in the code, and instructions before
 * an acquire may come behind. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "orders.h"

enum { MAX_OPEN = 4 };

struct open_acquire {
	uint32_t demand, pc;
	uint8_t guard, pred, boards; /* boards: not waited for yet */
};

struct order_state {
	bool known;
	enum reach level; /* of the MEMBAR since the last access */
	bool sc, err, cga;
	uint8_t guard;      /* of the MEMBAR in `level` */
	uint32_t low, high; /* first and last, in the PTX, of the accesses since the MEMBAR; NO_DEMAND = none */
	uint32_t since;     /* the word of the last access, NO_DEMAND = the beginning */
	unsigned nopen;
	struct open_acquire open[MAX_OPEN];
};

struct walk {
	struct order_check *c;
	struct order_state *in, now;
	uint32_t *queue, head, tail;
	bool *queued;
	bool judging;
};

/* ---- ways meet ---- */

static void forget(struct order_state *s, uint32_t since)
{
	s->level = REACH_NONE;
	s->sc = s->err = s->cga = false;
	s->guard = NO_GUARD;
	s->low = s->high = NO_DEMAND;
	s->since = since;
}

static void add_open(struct order_state *s, const struct open_acquire *a)
{
	for (unsigned i = 0; i < s->nopen; i++)
		if (s->open[i].demand == a->demand) {
			if (s->open[i].guard != a->guard)
				s->open[i].guard = NO_GUARD;
			if (s->open[i].pred != a->pred)
				s->open[i].pred = WL_PT;
			s->open[i].boards |= a->boards;
			return;
		}
	if (s->nopen < MAX_OPEN)
		s->open[s->nopen++] = *a;
}

static bool same_state(const struct order_state *a, const struct order_state *b)
{
	if (a->known != b->known || a->level != b->level || a->sc != b->sc || a->err != b->err || a->cga != b->cga ||
	    a->guard != b->guard || a->low != b->low || a->high != b->high || a->nopen != b->nopen)
		return false;
	for (unsigned i = 0; i < a->nopen; i++)
		if (a->open[i].demand != b->open[i].demand || a->open[i].guard != b->open[i].guard ||
		    a->open[i].pred != b->open[i].pred || a->open[i].boards != b->open[i].boards)
			return false;
	return true;
}

static void come_since(struct order_state *s, uint32_t low, uint32_t high)
{
	if (low == NO_DEMAND)
		return;
	s->low = s->low == NO_DEMAND || low < s->low ? low : s->low;
	s->high = s->high == NO_DEMAND || high > s->high ? high : s->high;
}

static void join(struct order_state *to, const struct order_state *s)
{
	uint8_t guard = to->guard == NO_GUARD ? s->guard : to->guard;
	if (!to->known) {
		*to = *s;
		to->known = true;
		return;
	}
	bool clash = to->guard != NO_GUARD && s->guard != NO_GUARD && to->guard != s->guard;
	if (s->level < to->level)
		to->since = s->since;
	to->level = s->level < to->level ? s->level : to->level;
	to->sc &= s->sc;
	to->err &= s->err;
	to->cga &= s->cga;
	to->guard = guard;
	come_since(to, s->low, s->high);
	if (clash || to->level == REACH_NONE)
		forget(to, to->since);
	for (unsigned i = 0; i < s->nopen; i++)
		add_open(to, &s->open[i]);
}

static void flow_to(void *self, uint32_t pc)
{
	struct walk *w = self;
	struct order_state before = w->in[pc];
	join(&w->in[pc], &w->now);
	if (same_state(&before, &w->in[pc]) || w->queued[pc])
		return;
	w->queued[pc] = true;
	w->queue[w->tail++ % (w->c->code->n + 1)] = pc;
}

/* ---- findings ---- */

void orders_report(struct order_check *c, uint32_t demand, uint32_t pc, uint32_t other, const char *fmt, ...)
{
	char text[200];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	c->found++;
	c->visitor(c->self, &(struct orders_finding){.demand = demand == NO_DEMAND ? NULL : &c->d->list[demand],
	                                             .pc = pc,
	                                             .other = other,
	                                             .text = text});
}

static void judge_strength(struct walk *w, uint32_t pc, const struct order_word *o, const struct demand *d)
{
	bool guess = d->deed == DEED_ATOMIC && !o->atomic; /* a first look, or local memory behind a generic address */
	if (!d->strong || !o->has_order || guess)
		return;
	if (!o->strong)
		orders_report(w->c, o->demand, pc, NO_DEMAND, "a weak access, STRONG.%s needed", reach_name(d->reach));
	else if (o->reach < d->reach)
		orders_report(w->c, o->demand, pc, NO_DEMAND, "the access reaches %s, %s needed", reach_name(o->reach),
		              reach_name(d->reach));
	else if (d->mmio && !o->mmio)
		orders_report(w->c, o->demand, pc, NO_DEMAND, "no MMIO access");
}

/* Does the PTX lead from a to b in a straight line? */
static bool straight(const struct demand *a, const struct demand *b)
{
	const struct ptx_function *f = a->f;
	if (b->f != f || b->at < a->at)
		return false;
	for (uint32_t i = a->at; i < b->at; i++) {
		enum ptx_op op = (enum ptx_op)f->instrs[i].op;
		if (op == PTX_OP_bra || op == PTX_OP_brx_idx || op == PTX_OP_call)
			return false;
	}
	for (uint32_t l = 0; l < f->nlabels; l++)
		if (f->labels[l].instr > a->at && f->labels[l].instr <= b->at)
			return false;
	return true;
}

/* Does the word make the release visible? In a cluster of one CTA the cluster's barrier may be a named barrier. */
static bool publishes(const struct demand *d, const struct order_word *o)
{
	return d->deed == DEED_ATOMIC ? o->atomic : !o->named;
}

static bool observes(const struct demand *d, const struct order_word *o)
{
	return d->deed == DEED_ATOMIC ? o->atomic : !o->named && (o->reads || d->deed == DEED_WAIT);
}

static void judge_release(struct walk *w, uint32_t pc, const struct order_word *o, const struct demand *d)
{
	const struct order_state *s = &w->now;
	unsigned needs = demand_before(d, w->c->code->arch);
	bool fenced;

	if (!needs || !publishes(d, o))
		return;
	fenced = s->level >= d->reach && (s->guard == NO_GUARD || s->guard == o->guard) &&
	         (s->low == NO_DEMAND || (s->low >= o->demand && straight(d, &w->c->d->list[s->high])));
	if (!fenced)
		orders_report(w->c, o->demand, pc, s->since, "release without MEMBAR.%s since the access before it",
		              reach_name(d->reach));
	else if ((needs & STAGE_ERRBAR && !s->err) || (needs & STAGE_CGAERRBAR && !s->cga))
		orders_report(w->c, o->demand, pc, NO_DEMAND, "release without %s behind its MEMBAR",
		              needs & STAGE_ERRBAR && !s->err ? "ERRBAR" : "CGAERRBAR");
}

/* Reports a later access while an acquire still waits for the cache to be dropped. */
static void judge_open(struct walk *w, uint32_t pc, uint32_t demand)
{
	struct order_state *s = &w->now;
	const struct demand *list = w->c->d->list;
	unsigned kept = 0;
	for (unsigned i = 0; i < s->nopen; i++) {
		if (demand != NO_DEMAND && demand <= s->open[i].demand &&
		    straight(&list[demand], &list[s->open[i].demand])) {
			s->open[kept++] = s->open[i];
			continue;
		}
		if (w->judging)
			orders_report(w->c, s->open[i].demand, pc, s->open[i].pc,
			              "acquire without CCTL.IVALL before the next access");
	}
	s->nopen = kept;
}

/* ---- one word ---- */

static void access_word(struct walk *w, uint32_t pc, const struct order_word *o)
{
	struct order_state *s = &w->now;
	const struct demand *d = o->demand == NO_DEMAND ? NULL : &w->c->d->list[o->demand];
	judge_open(w, pc, o->demand);
	if (d && w->judging) {
		judge_strength(w, pc, o, d);
		judge_release(w, pc, o, d);
	}
	if (s->level && o->demand != NO_DEMAND) {
		if (s->low == NO_DEMAND)
			s->since = pc;
		come_since(s, o->demand, o->demand);
	} else {
		forget(s, pc);
	}
	if (d && demand_behind(d, w->c->code->arch) && observes(d, o)) {
		struct open_acquire a = {
		        .demand = o->demand, .pc = pc, .guard = o->guard, .pred = o->pred, .boards = o->board};
		add_open(s, &a);
	}
}

static void membar_word(struct walk *w, uint32_t pc, const struct order_word *o)
{
	struct order_state *s = &w->now;
	if (s->low != NO_DEMAND)
		forget(s, pc);
	if (s->level >= o->reach && s->guard == NO_GUARD && (s->sc || !o->sc))
		return;
	s->err = s->cga = s->err && s->level >= o->reach;
	s->level = o->reach > s->level ? o->reach : s->level;
	s->sc |= o->sc;
	s->guard = o->guard;
}

static void ivall_word(struct walk *w, uint32_t pc, const struct order_word *o)
{
	struct order_state *s = &w->now;
	unsigned kept = 0;
	for (unsigned i = 0; i < s->nopen; i++) {
		struct open_acquire *a = &s->open[i];
		bool success =
		        w->c->d->list[a->demand].deed == DEED_WAIT && o->guard != NO_GUARD && o->guard == a->pred;
		if (o->guard != NO_GUARD && o->guard != a->guard && !success) {
			s->open[kept++] = *a;
			continue;
		}
		if (a->boards && w->judging)
			orders_report(w->c, a->demand, pc, a->pc, "CCTL.IVALL does not wait for the acquire's result");
	}
	s->nopen = kept;
}

static bool wide_enough(const struct order_word *o, const struct demand *d)
{
	return o->kind == WORD_MEMBAR && o->reach >= d->reach && (o->sc || !d->sc);
}

/* A fence may be several MEMBARs in a row, with the widest doing the work (ptxas beside mbarriers). */
static bool wider_follows(const struct walk *w, uint32_t pc, const struct order_word *o, const struct demand *d)
{
	const struct order_check *c = w->c;
	for (uint32_t next = pc + 1; next < c->code->n; next++) {
		const struct order_word *n = &c->word[next];
		if (n->demand != o->demand || n->branches || n->ends || n->indirect)
			return false;
		if (wide_enough(n, d) && (n->guard == NO_GUARD || n->guard == o->guard))
			return true;
	}
	return false;
}

static void judge_fence_word(struct walk *w, uint32_t pc, const struct order_word *o)
{
	const struct order_state *s = &w->now;
	const struct demand *d = o->demand == NO_DEMAND ? NULL : &w->c->d->list[o->demand];
	if (!d || d->deed != DEED_FENCE || !d->release)
		return;
	if (o->kind == WORD_MEMBAR && !wide_enough(o, d) && !wider_follows(w, pc, o, d))
		orders_report(w->c, o->demand, pc, NO_DEMAND, "MEMBAR.%s.%s needed", d->sc ? "SC" : "ALL",
		              reach_name(d->reach));
	else if (o->kind != WORD_MEMBAR && (s->level < d->reach || s->low != NO_DEMAND || (d->sc && !s->sc)))
		orders_report(w->c, o->demand, pc, s->since, "no MEMBAR.%s.%s in front of it", d->sc ? "SC" : "ALL",
		              reach_name(d->reach));
}

static void step(struct walk *w, uint32_t pc)
{
	const struct order_word *o = &w->c->word[pc];
	struct order_state *s = &w->now;
	for (unsigned i = 0; i < s->nopen; i++)
		s->open[i].boards &= (uint8_t)~o->wait;
	if (w->judging)
		judge_fence_word(w, pc, o);
	switch (o->kind) {
	case WORD_ACCESS:
		access_word(w, pc, o);
		break;
	case WORD_MEMBAR:
		membar_word(w, pc, o);
		break;
	case WORD_ERRBAR:
		s->err |= s->level != REACH_NONE;
		break;
	case WORD_CGAERRBAR:
		s->cga |= s->level != REACH_NONE;
		break;
	case WORD_IVALL:
		ivall_word(w, pc, o);
		break;
	case WORD_CALL:
		if (o->demand != NO_DEMAND)
			access_word(w, pc, o);
		break;
	default:
		break;
	}
	/* In the next round of a PTX loop the same instruction is another access. */
	if (o->branches && s->low != NO_DEMAND && w->c->code->lines[pc])
		if (s->low != s->high || w->c->code->lines[pc] != w->c->d->list[s->low].i->pos.line)
			forget(s, pc);
}

/* Functions of a section that only addresses in registers name: words behind an end without a direct way. */
static void enter_by_register(struct walk *w)
{
	const struct order_check *c = w->c;
	bool called = false, *direct = calloc(c->code->n + 1, sizeof *direct);
	w->c->no_memory |= !direct;
	for (uint32_t pc = 0; direct && pc < c->code->n; pc++) {
		called |= c->word[pc].kind == WORD_CALL && c->word[pc].target < 0;
		if (c->word[pc].target >= 0)
			direct[c->word[pc].target] = true;
	}
	for (uint32_t pc = 1; called && direct && pc < c->code->n; pc++)
		if (c->word[pc - 1].ends && !direct[pc])
			flow_to(w, pc);
	free(direct);
}

void accesses_check(struct order_check *c)
{
	uint32_t n = c->code->n;
	struct walk w = {.c = c};
	w.in = calloc(n + 1, sizeof *w.in);
	w.queue = calloc(n + 1, sizeof *w.queue);
	w.queued = calloc(n + 1, sizeof *w.queued);
	c->no_memory = !w.in || !w.queue || !w.queued;
	forget(&w.now, NO_DEMAND);
	w.now.nopen = 0;
	/* The beginning, and targets of calls in this section. */
	for (uint32_t pc = 0; !c->no_memory && pc < n; pc++) {
		if (pc == 0)
			flow_to(&w, 0);
		if (c->word[pc].kind == WORD_CALL && c->word[pc].target >= 0)
			flow_to(&w, (uint32_t)c->word[pc].target);
	}
	if (!c->no_memory)
		enter_by_register(&w);
	while (!c->no_memory && w.head != w.tail) {
		uint32_t pc = w.queue[w.head++ % (n + 1)];
		w.queued[pc] = false;
		w.now = w.in[pc];
		step(&w, pc);
		words_follow(c, pc, flow_to, &w);
	}
	w.judging = true;
	for (uint32_t pc = 0; !c->no_memory && pc < n; pc++)
		if (w.in[pc].known) {
			w.now = w.in[pc];
			step(&w, pc);
		}
	free(w.in);
	free(w.queue);
	free(w.queued);
}

int orders_check(struct demands *d, const struct orders_code *code, orders_visitor visitor, void *self)
{
	struct order_check c = {.d = d, .code = code, .visitor = visitor, .self = self};
	c.no_memory = !words_read(&c);
	if (!c.no_memory)
		accesses_check(&c);
	if (!c.no_memory)
		fences_check(&c);
	free(c.word);
	return c.no_memory ? -1 : c.found;
}

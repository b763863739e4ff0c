// SPDX-License-Identifier: Apache-2.0
/* fences.c -- checks that the code keeps apart the accesses kept apart by a fence of the PTX.
 *
 * For each fence of the PTX: the next accesses before and behind on any path. Accesses without words in the code do
 * not count. The beginning and the end of a function are accesses, too. Take a pair before and behind. If every PTX
 * path between the two passes a fence at least as strong, the code must keep the pair apart: on every path between
 * the words of the two come MEMBAR, the error barriers and CCTL.IVALL, in this order, as the fence needs. The code may
 * change the order of accesses on one side, so the straight lines of the PTX around the fence count as a whole. */
#include <stdlib.h>
#include <string.h>

#include "orders.h"

enum { STAGES = 4, BEGINNING = 0xfffffffeu, END = 0xfffffffdu, MAX_BEFORE = 64 };

/* The PTX of a function. */
struct graph {
	const struct ptx_function *f;
	uint32_t n;             /* instructions */
	uint32_t *first, *to;   /* edges of instruction i: to[first[i]] .. to[first[i + 1] - 1]; n = the end */
	uint32_t *rfirst, *rto; /* the same backwards */
	bool *reached;          /* from the beginning */
};

struct places {
	struct order_check *c;
	struct graph g;
	uint32_t *stack, *seen; /* for walks over the PTX */
	uint8_t *stage;         /* of words, without and with a branch on the way: 1 + the least stage over all paths */
	uint32_t *wstack;
	uint32_t stamp;
	bool *behind_free; /* demands behind the fence, reached by a PTX path without a fence as strong */
	uint32_t ntouched, *touched;
	bool *start; /* demands at which a search begins */
	bool *turn;  /* demands that count behind a branch alone: in a straight line the PTX has them in front */
};

/* ---- the PTX ---- */

static bool is_last(const struct ptx_instr *i)
{
	switch ((enum ptx_op)i->op) {
	case PTX_OP_bra:
	case PTX_OP_brx_idx:
	case PTX_OP_ret:
	case PTX_OP_exit:
	case PTX_OP_trap:
		return i->guard == PTX_NONE;
	default:
		return false;
	}
}

/* Writes the successors of an instruction to `to`, unless NULL. Returns the number of successors. */
static uint32_t successors(const struct ptx_function *f, uint32_t at, uint32_t *to)
{
	const struct ptx_instr *i = &f->instrs[at];
	uint32_t n = 0;
	if (!is_last(i)) {
		if (to)
			to[n] = at + 1;
		n++;
	}
	for (unsigned k = 0; k < i->nops; k++) {
		const struct ptx_operand *o = &i->ops[k];
		uint32_t count = 0;
		if (i->op == PTX_OP_bra && o->kind == PTX_O_LABEL)
			count = 1;
		else if (i->op == PTX_OP_brx_idx && o->kind == PTX_O_TABLE)
			count = o->table->count;
		for (uint32_t l = 0; l < count; l++, n++)
			if (to)
				to[n] = f->labels[o->kind == PTX_O_LABEL ? o->label : o->table->labels[l]].instr;
	}
	if (i->op == PTX_OP_ret || i->op == PTX_OP_exit) {
		if (to)
			to[n] = f->ninstrs;
		n++;
	}
	return n;
}

static void graph_free(struct graph *g)
{
	free(g->first);
	free(g->to);
	free(g->rfirst);
	free(g->rto);
	free(g->reached);
	*g = (struct graph){0};
}

static bool graph_make(struct graph *g, const struct ptx_function *f, uint32_t *stack)
{
	uint32_t edges = 0, top = 0;
	*g = (struct graph){.f = f, .n = f->ninstrs};
	g->first = calloc(g->n + 2, sizeof *g->first);
	g->rfirst = calloc(g->n + 3, sizeof *g->rfirst);
	g->reached = calloc(g->n + 1, sizeof *g->reached);
	if (!g->first || !g->rfirst || !g->reached)
		return false;
	for (uint32_t i = 0; i < g->n; i++) {
		g->first[i] = edges;
		edges += successors(f, i, NULL);
	}
	g->first[g->n] = g->first[g->n + 1] = edges;
	g->to = calloc(edges + 1, sizeof *g->to);
	g->rto = calloc(edges + 1, sizeof *g->rto);
	if (!g->to || !g->rto)
		return false;
	for (uint32_t i = 0; i < g->n; i++)
		successors(f, i, g->to + g->first[i]);
	for (uint32_t e = 0; e < edges; e++)
		g->rfirst[g->to[e] + 2]++;
	for (uint32_t i = 0; i <= g->n; i++)
		g->rfirst[i + 2] += g->rfirst[i + 1];
	for (uint32_t i = 0; i < g->n; i++)
		for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++)
			g->rto[g->rfirst[g->to[e] + 1]++] = i;
	stack[top++] = 0;
	g->reached[0] = true;
	while (top) {
		uint32_t i = stack[--top];
		for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++)
			if (!g->reached[g->to[e]]) {
				g->reached[g->to[e]] = true;
				stack[top++] = g->to[e];
			}
	}
	return true;
}

static uint32_t demand_at(const struct places *p, uint32_t instr)
{
	uint32_t k = demand_of(p->c->d, p->g.f, instr);
	return k ? k - 1 : NO_DEMAND;
}

/* Is the demand an access with words in the code? */
static bool is_access(const struct places *p, uint32_t demand)
{
	return demand != NO_DEMAND && p->c->d->list[demand].deed != DEED_FENCE && p->c->d->list[demand].words;
}

static bool own_function(const struct places *p)
{
	return strcmp(p->g.f->name, p->c->code->name) == 0;
}

/* Finds the next accesses from instruction `from` (excluded), forwards or backwards. Returns the number, at most
 * MAX_BEFORE. */
static uint32_t nearest(struct places *p, uint32_t from, bool forwards, uint32_t found[MAX_BEFORE])
{
	const struct graph *g = &p->g;
	const uint32_t *first = forwards ? g->first : g->rfirst, *to = forwards ? g->to : g->rto;
	uint32_t top = 0, n = 0;
	bool beginning = false, end = false;
	p->stamp++;
	p->stack[top++] = from;
	while (top) {
		uint32_t i = p->stack[--top];
		if (!forwards && i == 0)
			beginning = true;
		for (uint32_t e = first[i]; e < first[i + 1]; e++) {
			uint32_t k = to[e], demand;
			if (p->seen[k] == p->stamp)
				continue;
			p->seen[k] = p->stamp;
			if (k == g->n) {
				end = true;
				continue;
			}
			demand = demand_at(p, k);
			if (is_access(p, demand) && n < MAX_BEFORE - 1)
				found[n++] = demand;
			/* behind a guarded access comes another access */
			if (!is_access(p, demand) || g->f->instrs[k].guard != PTX_NONE)
				p->stack[top++] = k;
		}
	}
	if (own_function(p) && (forwards ? end : beginning))
		found[n++] = forwards ? END : BEGINNING;
	return n;
}

/* Is fence `k` as strong as `f`, and without a guard? */
static bool covers(const struct demand *k, const struct demand *f)
{
	return k->deed == DEED_FENCE && k->i->guard == PTX_NONE && k->reach >= f->reach && k->acquire >= f->acquire &&
	       k->release >= f->release && k->sc >= f->sc;
}

/* Marks the accesses on PTX paths from `demand` without a fence as strong. */
static void mark_free(struct places *p, const struct demand *fence, uint32_t demand)
{
	const struct graph *g = &p->g;
	uint32_t top = 0;
	p->stamp++;
	if (demand == BEGINNING) {
		uint32_t k = demand_at(p, 0);
		if (k != NO_DEMAND && covers(&p->c->d->list[k], fence))
			return;
		if (k != NO_DEMAND && !p->behind_free[k])
			p->touched[p->ntouched++] = k, p->behind_free[k] = true;
	}
	p->stack[top++] = demand == BEGINNING ? 0 : p->c->d->list[demand].at;
	while (top) {
		uint32_t i = p->stack[--top];
		for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++) {
			uint32_t k = g->to[e], next;
			if (p->seen[k] == p->stamp)
				continue;
			p->seen[k] = p->stamp;
			if (k == g->n) {
				if (!p->behind_free[p->c->d->n])
					p->touched[p->ntouched++] = p->c->d->n;
				p->behind_free[p->c->d->n] = true;
				continue;
			}
			next = demand_at(p, k);
			if (next != NO_DEMAND && covers(&p->c->d->list[next], fence))
				continue;
			if (next != NO_DEMAND && !p->behind_free[next]) {
				p->behind_free[next] = true;
				p->touched[p->ntouched++] = next;
			}
			p->stack[top++] = k;
		}
	}
}

/* ---- the words ---- */

struct search {
	struct places *p;
	const struct demand *fence;
	unsigned needs[STAGES], nneeds;
	unsigned stage;
	bool turned; /* the way has a branch */
	uint32_t top;
};

static void visit(void *self, uint32_t pc)
{
	struct search *s = self;
	const uint32_t at = 2 * pc + s->turned;
	if (s->p->stage[at] && s->p->stage[at] <= s->stage + 1)
		return;
	s->p->stage[at] = (uint8_t)(s->stage + 1);
	s->p->wstack[s->top++] = at; /* each word once a stage */
}

static bool is_stage(const struct demand *f, const struct order_word *o, unsigned need)
{
	switch (need) {
	case STAGE_MEMBAR:
		return o->kind == WORD_MEMBAR && o->guard == NO_GUARD && o->reach >= f->reach && (o->sc || !f->sc);
	case STAGE_ERRBAR:
		return o->kind == WORD_ERRBAR;
	case STAGE_CGAERRBAR:
		return o->kind == WORD_CGAERRBAR;
	default:
		return o->kind == WORD_IVALL && o->guard == NO_GUARD;
	}
}

static const char *stage_name(unsigned need)
{
	return need == STAGE_MEMBAR      ? "MEMBAR"
	       : need == STAGE_ERRBAR    ? "ERRBAR"
	       : need == STAGE_CGAERRBAR ? "CGAERRBAR"
	                                 : "CCTL.IVALL";
}

/* Searches from the words on the stack: the first word of `behind` reached before all stages are passed, NO_DEMAND =
 * none. */
static uint32_t search_words(struct search *s, const uint32_t *behind, uint32_t nbehind, unsigned *missing)
{
	struct order_check *c = s->p->c;
	while (s->top) {
		uint32_t entry = s->p->wstack[--s->top], pc = entry / 2;
		const struct order_word *o = &c->word[pc];
		unsigned stage = s->p->stage[entry] - 1u;
		s->turned = entry & 1;
		for (uint32_t b = 0; b < nbehind; b++) {
			bool is = behind[b] == END ? o->kind == WORD_END : o->demand == behind[b];
			if (is && (behind[b] == END || s->turned || !s->p->turn[behind[b]])) {
				*missing = s->needs[stage];
				return pc;
			}
		}
		if (is_stage(s->fence, o, s->needs[stage]) && ++stage == s->nneeds)
			continue;
		s->stage = stage;
		s->turned |= o->branches;
		words_follow(c, pc, visit, s);
	}
	return NO_DEMAND;
}

static void search_start(struct search *s, unsigned stage)
{
	memset(s->p->stage, 0, 2 * (size_t)s->p->c->code->n);
	s->stage = stage;
	s->turned = false;
	s->top = 0;
}

/* Finds the accesses in a straight line from instruction `from` (excluded), up to a fence as strong as `fence`. Returns
 * the number, at most `most`; the last is the farthest. */
static uint32_t straight_line(const struct places *p, const struct demand *fence, uint32_t from, bool forwards,
                              uint32_t *found, uint32_t most)
{
	const struct graph *g = &p->g;
	uint32_t n = 0;
	for (uint32_t i = from; n < most && (forwards ? i + 1 < g->n : i > 0);) {
		const uint32_t a = forwards ? i : i - 1, b = a + 1, k = forwards ? b : a, demand = demand_at(p, k);
		if (g->first[a + 1] - g->first[a] != 1 || g->to[g->first[a]] != b ||
		    g->rfirst[b + 1] - g->rfirst[b] != 1)
			break;
		if (demand != NO_DEMAND && covers(&p->c->d->list[demand], fence))
			break;
		if (is_access(p, demand))
			found[n++] = demand;
		i = k;
	}
	return n;
}

/* In front of an access of the PTX, in a straight line: the code may have the words behind those of the access. */
static void mark_turns(struct places *p, const struct demand *fence, uint32_t before, bool value)
{
	uint32_t line[MAX_BEFORE], n;
	if (before == BEGINNING)
		return;
	n = straight_line(p, fence, p->c->d->list[before].at, false, line, MAX_BEFORE);
	for (uint32_t i = 0; i < n; i++)
		p->turn[line[i]] = value;
}

/* Checks the accesses of the straight lines around a fence, and the nearest, all at once. */
static void check_lines(struct search *s, uint32_t fence, const uint32_t *before, uint32_t nbefore,
                        const uint32_t *behind, uint32_t nbehind)
{
	struct places *p = s->p;
	struct order_check *c = p->c;
	uint32_t line[MAX_BEFORE], asked[2 * MAX_BEFORE], nline, nasked, kept = 0, at;
	unsigned missing;
	p->ntouched = 0;
	nasked = straight_line(p, s->fence, s->fence->at, true, asked, MAX_BEFORE);
	nline = straight_line(p, s->fence, s->fence->at, false, line, MAX_BEFORE);
	if (nline < 2 && nasked < 2)
		return;
	if (nline)
		mark_free(p, s->fence, line[nline - 1]);
	for (uint32_t i = 0; i < nbefore; i++)
		mark_free(p, s->fence, before[i]);
	for (uint32_t i = 0; i < nbefore; i++) {
		p->start[before[i] == BEGINNING ? c->d->n : before[i]] = true;
		mark_turns(p, s->fence, before[i], true);
	}
	for (uint32_t i = 0; i < nline; i++)
		p->start[line[i]] = true;
	for (uint32_t i = 0; i < nbehind; i++)
		asked[nasked++] = behind[i];
	for (uint32_t i = 0; i < nasked; i++) {
		const uint32_t k = asked[i] == END ? c->d->n : asked[i];
		if (!p->behind_free[k] && !(asked[i] != END && p->start[k]))
			asked[kept++] = asked[i];
	}
	for (uint32_t i = 0; i < p->ntouched; i++)
		p->behind_free[p->touched[i]] = false;
	search_start(s, 0);
	for (uint32_t pc = 0; kept && pc < c->code->n; pc++) {
		if (pc == 0 && p->start[c->d->n])
			visit(s, 0);
		if (c->word[pc].demand != NO_DEMAND && p->start[c->word[pc].demand])
			words_follow(c, pc, visit, s);
	}
	at = search_words(s, asked, kept, &missing);
	if (at != NO_DEMAND)
		orders_report(c, fence, at, NO_DEMAND, "no %s of the fence on a way to this access",
		              stage_name(missing));
	for (uint32_t i = 0; i < nbefore; i++) {
		p->start[before[i] == BEGINNING ? c->d->n : before[i]] = false;
		mark_turns(p, s->fence, before[i], false);
	}
	for (uint32_t i = 0; i < nline; i++)
		p->start[line[i]] = false;
}

/* Checks pairs of accesses around a fence. False: the PTX does not keep the accesses apart. */
static bool check_pairs(struct search *s, uint32_t fence, uint32_t before, const uint32_t *behind, uint32_t nbehind)
{
	struct places *p = s->p;
	struct order_check *c = p->c;
	uint32_t asked[MAX_BEFORE], nasked = 0, at;
	unsigned missing;
	p->ntouched = 0;
	mark_free(p, s->fence, before);
	for (uint32_t b = 0; b < nbehind; b++)
		if (behind[b] != before && !p->behind_free[behind[b] == END ? c->d->n : behind[b]])
			asked[nasked++] = behind[b];
	for (uint32_t i = 0; i < p->ntouched; i++)
		p->behind_free[p->touched[i]] = false;
	if (!nasked)
		return false;
	search_start(s, 0);
	for (uint32_t pc = 0; pc < c->code->n; pc++) {
		if (before == BEGINNING && pc == 0)
			visit(s, 0);
		if (before != BEGINNING && c->word[pc].demand == before)
			words_follow(c, pc, visit, s);
	}
	mark_turns(p, s->fence, before, true);
	at = search_words(s, asked, nasked, &missing);
	mark_turns(p, s->fence, before, false);
	if (at != NO_DEMAND)
		orders_report(c, fence, at, NO_DEMAND, "no %s of the fence on a way to this access",
		              stage_name(missing));
	return true;
}

/* Behind the MEMBAR of the fence, the rest of the fence must come before anything else. */
static void check_own_words(struct search *s, uint32_t fence)
{
	struct order_check *c = s->p->c;
	const struct demand *f = s->fence;
	for (uint32_t pc = 0; pc < c->code->n && s->nneeds > 1; pc++) {
		if (c->word[pc].demand != fence || !is_stage(f, &c->word[pc], STAGE_MEMBAR))
			continue;
		unsigned stage = 1;
		uint32_t at = pc;
		while (stage < s->nneeds && ++at < c->code->n && c->word[at].kind != WORD_ACCESS &&
		       !c->word[at].branches)
			stage += is_stage(f, &c->word[at], s->needs[stage]);
		if (stage < s->nneeds)
			orders_report(c, fence, pc, NO_DEMAND, "no %s behind the fence's MEMBAR",
			              stage_name(s->needs[stage]));
	}
}

/* Marks the instructions with a way to `at`. */
static void mark_leads(struct places *p, uint32_t at, uint32_t leads)
{
	const struct graph *g = &p->g;
	uint32_t top = 0;
	p->seen[at] = leads;
	p->stack[top++] = at;
	while (top) {
		uint32_t i = p->stack[--top];
		for (uint32_t e = g->rfirst[i]; e < g->rfirst[i + 1]; e++)
			if (p->seen[g->rto[e]] != leads) {
				p->seen[g->rto[e]] = leads;
				p->stack[top++] = g->rto[e];
			}
	}
}

/* Does every run of the PTX pass the instruction? The instruction has no guard, and all that is reached from the
 * beginning around the instruction still leads there: no way to an end, a trap or an endless loop. A branch on a
 * constant is a branch here: the assembler may drop the side without runs. */
static bool always_passed(struct places *p, uint32_t at)
{
	const struct graph *g = &p->g;
	const uint32_t leads = ++p->stamp, passed = ++p->stamp;
	uint32_t top = 0;
	if (g->f->instrs[at].guard != PTX_NONE)
		return false;
	mark_leads(p, at, leads);
	if (p->seen[0] != leads)
		return false;
	if (at != 0)
		p->stack[top++] = 0;
	p->seen[0] = passed;
	while (top) {
		uint32_t i = p->stack[--top];
		for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++) {
			uint32_t k = g->to[e];
			if (p->seen[k] != leads && p->seen[k] != passed)
				return false;
			if (p->seen[k] == leads && k != at)
				p->stack[top++] = k;
			p->seen[k] = passed;
		}
	}
	return true;
}

static void check_fence(struct places *p, uint32_t fence)
{
	struct order_check *c = p->c;
	const struct demand *f = &c->d->list[fence];
	struct search s = {.p = p, .fence = f};
	unsigned needs = demand_before(f, c->code->arch) | demand_behind(f, c->code->arch);
	uint32_t before[MAX_BEFORE], behind[MAX_BEFORE], nbefore, nbehind;
	bool asked = false;
	int found = c->found;
	for (unsigned need = STAGE_MEMBAR; need <= STAGE_IVALL; need <<= 1)
		if (needs & need)
			s.needs[s.nneeds++] = need;
	if (!s.nneeds || !p->g.reached[f->at])
		return;
	nbefore = nearest(p, f->at, false, before);
	nbehind = nearest(p, f->at, true, behind);
	for (uint32_t b = 0; b < nbefore; b++)
		asked |= check_pairs(&s, fence, before[b], behind, nbehind);
	if (c->found == found)
		check_lines(&s, fence, before, nbefore, behind, nbehind);
	if (needs & STAGE_MEMBAR)
		check_own_words(&s, fence);
	if (!asked && !f->words && own_function(p) && always_passed(p, f->at))
		orders_report(c, fence, 0, NO_DEMAND, "nothing in the code stands for the fence");
}

/* Has the access words wherever a run passes? A relaxed store may be written over at once, a load or a test of a phase
 * whose result nobody reads may be missing. */
static bool always_there(const struct demand *d)
{
	switch (d->deed) {
	case DEED_LOAD:
		return d->mmio || d->i->order == PTX_M_volatile;
	case DEED_STORE:
		return d->mmio || d->i->order == PTX_M_volatile || d->release;
	case DEED_ATOMIC:
	case DEED_ARRIVE:
		return true;
	case DEED_WAIT:
		return d->i->op == PTX_OP_barrier_cluster_wait;
	default:
		return false;
	}
}

static void check_presence(struct places *p, uint32_t demand)
{
	const struct demand *d = &p->c->d->list[demand];
	if (!d->words && own_function(p) && always_there(d) && always_passed(p, d->at))
		orders_report(p->c, demand, 0, NO_DEMAND, "nothing in the code stands for it");
}

static bool has_words(const struct order_check *c, const struct ptx_function *f)
{
	if (strcmp(f->name, c->code->name) == 0)
		return true;
	for (uint32_t i = 0; i < c->d->n; i++)
		if (c->d->list[i].f == f && c->d->list[i].deed == DEED_FENCE && c->d->list[i].words)
			return true;
	return false;
}

void fences_check(struct order_check *c)
{
	const struct ptx_module *m = c->d->module;
	struct places p = {.c = c};
	uint32_t most = 0;
	for (uint32_t k = 0; k < m->nfunctions; k++)
		most = m->functions[k]->ninstrs > most ? m->functions[k]->ninstrs : most;
	p.stack = calloc(most + 2, sizeof *p.stack);
	p.seen = calloc(most + 2, sizeof *p.seen);
	p.stage = calloc(2 * (size_t)c->code->n + 2, 1);
	p.wstack = calloc(2 * (STAGES + 1) * (size_t)c->code->n + 2, sizeof *p.wstack);
	p.behind_free = calloc(c->d->n + 1, sizeof *p.behind_free);
	p.touched = calloc(2 * (size_t)most + 4, sizeof *p.touched);
	p.start = calloc(c->d->n + 1, sizeof *p.start);
	p.turn = calloc(c->d->n + 1, sizeof *p.turn);
	c->no_memory =
	        !p.stack || !p.seen || !p.stage || !p.wstack || !p.behind_free || !p.touched || !p.start || !p.turn;
	for (uint32_t k = 0; !c->no_memory && k < m->nfunctions; k++) {
		if (!has_words(c, m->functions[k]))
			continue;
		memset(p.seen, 0, (most + 2) * sizeof *p.seen);
		p.stamp = 0;
		c->no_memory = !graph_make(&p.g, m->functions[k], p.stack);
		for (uint32_t i = 0; !c->no_memory && i < c->d->n; i++) {
			const struct demand *d = &c->d->list[i];
			if (d->f != m->functions[k])
				continue;
			if (d->deed != DEED_FENCE)
				check_presence(&p, i);
			else if (d->words || own_function(&p))
				check_fence(&p, i);
		}
		graph_free(&p.g);
	}
	free(p.stack);
	free(p.seen);
	free(p.stage);
	free(p.wstack);
	free(p.behind_free);
	free(p.touched);
	free(p.start);
	free(p.turn);
}

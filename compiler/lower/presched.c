// SPDX-License-Identifier: Apache-2.0
/* presched.c -- list scheduling before allocation: within a block, instructions with waiting readers come early.
 * Results are then ready for the readers.
 *
 * At each step the scheduler takes an instruction with all sources made: the instruction with the longest way to the
 * end of the block. Latencies come from warplock/hazard.h, with guesses for variable latencies. Where as many values
 * live as ever in the order of selection (or FREE_REGS, if more), the scheduler takes the instruction with the most
 * ended lives instead. Long blocks are done in pieces: the work is linear.
 *
 * The scheduler keeps the order between accesses to memory with a write among the two. Instructions that change the
 * flow keep their order. Instructions that synchronise keep the order of their class (sync_class.def). Instructions
 * with uniform registers keep their order, as uniform registers have numbers already. */
#include "mir_visit.h"
#include "warplock/hazard.h"

#include <string.h>

enum {
	PIECE = 160,    /* instructions scheduled together */
	SLOW = 24,      /* expected cycles of results without a fixed latency */
	FREE_REGS = 20, /* harmless number of live values */
	FREE_PREDS = 4,
	SPACES = 3 /* shared, global, local memory */
};

struct edge {
	uint32_t to, next; /* next: of the same instruction, + 1 */
	uint16_t cycles;
};

struct node {
	struct minst *in;
	struct wl_timing timing;
	uint32_t edges; /* first edge, + 1 */
	uint32_t waits; /* predecessors not taken yet */
	uint32_t earliest, height;
	uint8_t reads, writes; /* spaces, one bit each */
	bool ordered, done;
};

/* The last uses of a word in the piece at hand. */
struct word {
	uint32_t stamp;
	uint32_t def;     /* node + 1 */
	uint32_t readers; /* since then: first of the list, + 1 */
};

struct reader {
	uint32_t node, next;
};

/* Of a register, in the block at hand. */
struct life {
	uint32_t reads; /* reads still to come */
	bool wanted;    /* behind the block */
	bool live;
};

struct presched {
	struct mfunc *f;
	struct node *node;
	uint32_t n;
	struct edge *edge;
	uint32_t nedges, edges_cap;
	struct reader *reader;
	uint32_t nreaders, readers_cap;
	struct word *word;
	uint32_t stamp, at; /* at: the node of the visited operands */
	struct life *life;
	int regs, preds, most_regs;          /* live now; most allowed */
	uint32_t last_ordered, last_uniform; /* node + 1 */
	uint32_t last_write[SPACES], loads[SPACES];
	struct minst *copy;
};

/* ---- dependences ---- */

static void link(struct presched *s, uint32_t from, uint32_t to, unsigned cycles)
{
	if (from == to)
		return;
	if (s->nedges == s->edges_cap) {
		uint32_t cap = s->edges_cap ? 2 * s->edges_cap : 1024;
		s->edge = arena_grow(s->f->arena, s->edge, s->edges_cap * sizeof *s->edge, cap * sizeof *s->edge);
		s->edges_cap = cap;
	}
	s->edge[s->nedges] = (struct edge){to, s->node[from].edges, (uint16_t)cycles};
	s->node[from].edges = ++s->nedges;
	s->node[to].waits++;
}

static struct word *word_of(struct presched *s, ref r)
{
	struct word *w = &s->word[r];
	if (w->stamp != s->stamp)
		*w = (struct word){.stamp = s->stamp};
	return w;
}

static unsigned latency(const struct presched *s, uint32_t from, uint32_t to, bool pred, unsigned word, bool guard)
{
	const struct wl_timing *p = &s->node[from].timing, *c = &s->node[to].timing;
	unsigned early, late;
	enum wl_file file = pred ? WL_FILE_P : WL_FILE_R;
	if (p->variable)
		return SLOW;
	early = wl_latency(s->f->arch, p->pipe, file, word > 0, guard ? WL_USE_GUARD : WL_USE_READ, c->pipe);
	late = guard ? 0 : wl_latency(s->f->arch, p->pipe, file, word > 0, WL_USE_LATE, c->pipe);
	return late > early ? late : early;
}

static void add_reader(struct presched *s, struct word *w)
{
	if (s->nreaders == s->readers_cap) {
		uint32_t cap = s->readers_cap ? 2 * s->readers_cap : 1024;
		s->reader =
		        arena_grow(s->f->arena, s->reader, s->readers_cap * sizeof *s->reader, cap * sizeof *s->reader);
		s->readers_cap = cap;
	}
	s->reader[s->nreaders] = (struct reader){s->at, w->readers};
	w->readers = ++s->nreaders;
}

static void note_read(void *self, ref *r, unsigned words)
{
	struct presched *s = self;
	for (unsigned k = 0; k < (words ? words : 1); k++) {
		struct word *w = word_of(s, *r + k);
		if (w->def)
			link(s, w->def - 1, s->at,
			     latency(s, w->def - 1, s->at, words == 0, k, r == &s->node[s->at].in->guard));
		add_reader(s, w);
	}
}

static void note_write(void *self, ref *r, unsigned words)
{
	struct presched *s = self;
	for (unsigned k = 0; k < (words ? words : 1); k++) {
		struct word *w = word_of(s, *r + k);
		for (uint32_t i = w->readers; i; i = s->reader[i - 1].next)
			link(s, s->reader[i - 1].node, s->at, 0);
		if (w->def)
			link(s, w->def - 1, s->at, s->node[w->def - 1].timing.variable ? SLOW : 2);
		w->def = s->at + 1;
		w->readers = 0;
	}
}

static uint8_t spaces_of(const struct minst *in)
{
	if (minst_has(in, WL_TRAIT(GENERIC)))
		return (1 << SPACES) - 1;
	return (uint8_t)((minst_has(in, WL_TRAIT(SHARED)) ? 1 : 0) | (minst_has(in, WL_TRAIT(GLOBAL)) ? 2 : 0) |
	                 (minst_has(in, WL_TRAIT(LOCAL)) ? 4 : 0));
}

static bool is_uniform(const struct minst *in)
{
	for (unsigned i = 0; i < 3; i++)
		if (in->w.src[i] == WL_SRC_UREG)
			return true;
	return minst_has(in, WL_TRAIT(UNIFORM)) || in->w.urd != 255 || in->w.ur != 255 || in->w.desc != WL_NO_DESC ||
	       in->w.uop == WL_UOP_VOTEU || in->word;
}

static void classify(struct node *n)
{
	const struct minst *in = n->in;
	const enum wl_sync_order order = minst_sync_order(in);
	const bool fixed = minst_has(in, WL_TRAIT(FLOW)) || in->keep || in->word || in->call;
	const bool all = fixed || order == WL_ORDER_Memory || order == WL_ORDER_All;
	n->ordered = fixed || order == WL_ORDER_Kept || order == WL_ORDER_All;
	n->writes = all ? (1 << SPACES) - 1 : minst_has(in, WL_TRAIT(WRITES_MEMORY)) ? spaces_of(in) : 0;
	n->reads = !n->writes && minst_has(in, WL_TRAIT(READS_MEMORY)) ? spaces_of(in) : 0;
	if (minst_has(in, WL_TRAIT(WRITES_MEMORY)) && !n->writes)
		n->writes = (1 << SPACES) - 1;
}

static void order_memory(struct presched *s, uint32_t at)
{
	struct node *n = &s->node[at];
	for (unsigned k = 0; k < SPACES; k++) {
		if ((n->reads | n->writes) >> k & 1 && s->last_write[k])
			link(s, s->last_write[k] - 1, at, 1);
		if (n->reads >> k & 1) {
			struct word w = {.readers = s->loads[k]};
			s->at = at;
			add_reader(s, &w);
			s->loads[k] = w.readers;
		}
		if (!(n->writes >> k & 1))
			continue;
		for (uint32_t i = s->loads[k]; i; i = s->reader[i - 1].next)
			link(s, s->reader[i - 1].node, at, 1);
		s->loads[k] = 0;
		s->last_write[k] = at + 1;
	}
}

static void build(struct presched *s, struct minst *ins, uint32_t n)
{
	s->n = n;
	s->nedges = s->nreaders = 0;
	s->stamp++;
	s->last_ordered = s->last_uniform = 0;
	memset(s->last_write, 0, sizeof s->last_write);
	memset(s->loads, 0, sizeof s->loads);
	for (uint32_t i = 0; i < n; i++) {
		struct node *x = &s->node[i];
		*x = (struct node){.in = &ins[i]};
		x->timing = ins[i].w.uop < WL_UOP_COUNT ? wl_timing_of(s->f->arch, wl_inst_timing(&ins[i].w))
		                                        : wl_timing_of(s->f->arch, WL_TIMING_Alu);
		classify(x);
		s->at = i;
		minst_uses(&ins[i], note_read, s);
		if (ins[i].guard != REF_NONE && !ins[i].fresh)
			minst_defs(&ins[i], note_read, s);
		minst_defs(&ins[i], note_write, s);
		order_memory(s, i);
		if (x->ordered) {
			if (s->last_ordered)
				link(s, s->last_ordered - 1, i, 1);
			s->last_ordered = i + 1;
		}
		if (is_uniform(&ins[i])) {
			if (s->last_uniform)
				link(s, s->last_uniform - 1, i, 1);
			s->last_uniform = i + 1;
		}
	}
}

static void find_heights(struct presched *s)
{
	for (uint32_t i = s->n; i-- > 0;) {
		uint32_t h = 0;
		for (uint32_t e = s->node[i].edges; e; e = s->edge[e - 1].next) {
			uint32_t below = s->node[s->edge[e - 1].to].height + s->edge[e - 1].cycles;
			h = below > h ? below : h;
		}
		s->node[i].height = h;
	}
}

/* ---- live values ---- */

struct change {
	struct presched *s;
	int regs, preds;
};

static void weigh_read(void *self, ref *r, unsigned words)
{
	struct change *c = self;
	const struct life *l = &c->s->life[ref_reg(*r)];
	(void)words;
	if (l->reads == 1 && !l->wanted && l->live) {
		c->regs -= c->s->f->vregs[ref_reg(*r)].pred ? 0 : c->s->f->vregs[ref_reg(*r)].words;
		c->preds -= c->s->f->vregs[ref_reg(*r)].pred;
	}
}

static void weigh_write(void *self, ref *r, unsigned words)
{
	struct change *c = self;
	const struct life *l = &c->s->life[ref_reg(*r)];
	(void)words;
	if (!l->live && (l->reads || l->wanted)) {
		c->regs += c->s->f->vregs[ref_reg(*r)].pred ? 0 : c->s->f->vregs[ref_reg(*r)].words;
		c->preds += c->s->f->vregs[ref_reg(*r)].pred;
	}
}

static struct change change_of(struct presched *s, struct minst *in)
{
	struct change c = {s, 0, 0};
	minst_uses(in, weigh_read, &c);
	minst_defs(in, weigh_write, &c);
	return c;
}

static void set_live(struct presched *s, uint32_t v, bool live)
{
	const struct vreg *r = &s->f->vregs[v];
	if (s->life[v].live == live)
		return;
	s->life[v].live = live;
	if (r->pred)
		s->preds += live ? 1 : -1;
	else
		s->regs += live ? r->words : -r->words;
}

static void count_read(void *self, ref *r, unsigned words)
{
	(void)words;
	((struct presched *)self)->life[ref_reg(*r)].reads++;
}

static void take_read(void *self, ref *r, unsigned words)
{
	struct presched *s = self;
	struct life *l = &s->life[ref_reg(*r)];
	(void)words;
	l->reads--;
	if (!l->reads && !l->wanted)
		set_live(s, ref_reg(*r), false);
}

static void take_write(void *self, ref *r, unsigned words)
{
	struct presched *s = self;
	struct life *l = &s->life[ref_reg(*r)];
	(void)words;
	if (l->reads || l->wanted)
		set_live(s, ref_reg(*r), true);
}

/* ---- a piece ---- */

/* b is better than a. */
static bool better(const struct presched *s, const struct node *a, const struct node *b, uint32_t now)
{
	struct change x, y;
	bool full = s->regs >= s->most_regs, crowded = s->preds >= FREE_PREDS;
	if (full || crowded) {
		x = change_of((struct presched *)(uintptr_t)s, a->in);
		y = change_of((struct presched *)(uintptr_t)s, b->in);
		if (crowded && x.preds != y.preds)
			return y.preds < x.preds;
		if (full && x.regs != y.regs)
			return y.regs < x.regs;
		if (full || x.preds > 0) /* the old order is known to fit */
			return false;
	}
	if ((a->earliest <= now) != (b->earliest <= now))
		return b->earliest <= now;
	if (a->earliest > now && a->earliest != b->earliest)
		return b->earliest < a->earliest;
	return b->height > a->height;
}

static void schedule(struct presched *s, struct minst *ins, uint32_t n)
{
	uint32_t now = 0, ready[PIECE], nready = 0;
	build(s, ins, n);
	find_heights(s);
	for (uint32_t i = 0; i < n; i++)
		if (!s->node[i].waits)
			ready[nready++] = i;
	memcpy(s->copy, ins, n * sizeof *ins);
	for (uint32_t k = 0; k < n; k++)
		s->node[k].in = &s->copy[k];
	for (uint32_t k = 0; k < n; k++) {
		uint32_t best = 0, at;
		struct node *x;
		for (uint32_t i = 1; i < nready; i++)
			if (better(s, &s->node[ready[best]], &s->node[ready[i]], now))
				best = i;
		at = ready[best];
		memmove(&ready[best], &ready[best + 1], (nready - best - 1) * sizeof *ready);
		nready--;
		x = &s->node[at];
		now = (x->earliest > now ? x->earliest : now);
		ins[k] = *x->in;
		minst_uses(x->in, take_read, s);
		minst_defs(x->in, take_write, s);
		for (uint32_t e = x->edges; e; e = s->edge[e - 1].next) {
			struct node *to = &s->node[s->edge[e - 1].to];
			uint32_t there = now + s->edge[e - 1].cycles;
			if (there > to->earliest)
				to->earliest = there;
			if (--to->waits == 0) {
				uint32_t place = nready++; /* by the old order, the tie-break */
				for (; place && ready[place - 1] > s->edge[e - 1].to; place--)
					ready[place] = ready[place - 1];
				ready[place] = s->edge[e - 1].to;
			}
		}
		now++;
	}
}

/* ---- blocks ---- */

static void note_dead_above(void *self, ref *r, unsigned words)
{
	(void)words;
	set_live(self, ref_reg(*r), false);
}

static void note_live_above(void *self, ref *r, unsigned words)
{
	(void)words;
	set_live(self, ref_reg(*r), true);
}

static void enter_end(struct presched *s, const struct mblock *b)
{
	s->regs = s->preds = 0;
	for (uint32_t i = 0; i < b->nlive_out; i++) {
		s->life[b->live_out[i].vreg].wanted = true;
		set_live(s, b->live_out[i].vreg, true);
	}
}

static int walk_up(struct presched *s, struct mblock *b)
{
	int most = s->regs;
	for (uint32_t k = b->n; k-- > 0;) {
		struct minst *in = &b->ins[k];
		if (in->guard == REF_NONE || in->fresh)
			minst_defs(in, note_dead_above, s);
		minst_uses(in, note_live_above, s);
		most = s->regs > most ? s->regs : most;
	}
	return most;
}

static void forget(void *self, ref *r, unsigned words)
{
	(void)words;
	((struct presched *)self)->life[ref_reg(*r)] = (struct life){0};
}

static void leave(struct presched *s, struct mblock *b)
{
	for (uint32_t i = 0; i < b->nlive_out; i++)
		s->life[b->live_out[i].vreg] = (struct life){0};
	for (uint32_t k = 0; k < b->n; k++) {
		minst_uses(&b->ins[k], forget, s);
		minst_defs(&b->ins[k], forget, s);
	}
}

static void schedule_block(struct presched *s, struct mblock *b)
{
	uint32_t n = b->n;
	const struct minst *last = n ? &b->ins[n - 1] : NULL;
	for (uint32_t k = 0; k < n; k++)
		minst_uses(&b->ins[k], count_read, s);
	enter_end(s, b);
	walk_up(s, b);
	if (last && (minst_ends_block(last) || minst_is_call(last) || minst_has(last, WL_TRAIT(FLOW))))
		n--;
	for (uint32_t from = 0; from < n; from += PIECE)
		schedule(s, &b->ins[from], n - from < PIECE ? n - from : PIECE);
	leave(s, b);
}

void lower_presched(struct mfunc *f)
{
	struct presched s = {.f = f};
	lower_live(f);
	s.node = arena_alloc(f->arena, PIECE * sizeof *s.node);
	s.copy = arena_alloc(f->arena, PIECE * sizeof *s.copy);
	s.word = arena_zalloc(f->arena, (4 * (size_t)f->nvregs + 4) * sizeof *s.word);
	s.life = arena_zalloc(f->arena, (f->nvregs + 1) * sizeof *s.life);
	s.most_regs = FREE_REGS;
	for (uint32_t i = 0; i < f->nrpo; i++) {
		struct mblock *b = f->blocks[f->rpo[i]];
		int most;
		enter_end(&s, b);
		most = walk_up(&s, b);
		leave(&s, b);
		s.most_regs = most > s.most_regs ? most : s.most_regs;
	}
	for (uint32_t i = 0; i < f->nrpo; i++)
		schedule_block(&s, f->blocks[f->rpo[i]]);
}

// SPDX-License-Identifier: Apache-2.0
/* hazard.c -- checks that stall counts and scoreboards keep apart every pair of instructions with a common register.
 *
 * A state holds everything under way at the issue of a word: results not yet available and operands perhaps not yet
 * read, each with the word, the age in cycles and the scoreboards. States of all ways are joined (youngest age, only
 * the scoreboards that answer on every way) until nothing changes. Then each word is judged once. Time is the least
 * possible time: the sum of stall counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hazard_state.h"
#include "isa_table.h"
#include "warplock/hazard.h"

enum { MAX_AGE = 60, WORD_BYTES = 16, GUARD_NOT = 0x80 };

struct node {
	struct wl_access access;
	struct wl_timing timing;
	struct wl_sched sched;
	uint8_t guard;
	bool known, leader, ends; /* ends: the next word is not reached from here */
	bool indirect, returns;
	int64_t target; /* word number, -1 = none */
	uint8_t depbar, depbar_left, depbar_all;
};

/* The words reachable for a function of the section, calls stepped over. */
struct function {
	uint32_t entry;
	bool *reaches;
};

struct check {
	enum wl_arch arch;
	unsigned chip;
	struct node *node;
	uint32_t n;
	struct state *in; /* at leaders */
	const struct wl_way *ways;
	uint32_t nways;
	struct function *function;
	uint32_t nfunctions;
	bool *dirty, changed;
	bool all;                  /* report every pair of fixed latency */
	wl_hazard_visitor visitor; /* NULL while states are joined */
	void *self;
	int found;
};

/* ---- ways meet ---- */

static bool join(struct check *c, int64_t pc, const struct state *s)
{
	bool changed = false;
	if (pc < 0 || pc >= c->n)
		return true;
	if (!state_merge(&c->in[pc], s, &changed))
		return false;
	if (changed)
		c->dirty[pc] = c->changed = true;
	return true;
}

/* ---- a single word ---- */

static void report(struct check *c, const struct wl_hazard *h)
{
	if (!c->visitor || (c->all && h->kind != WL_HAZARD_CYCLES))
		return;
	c->found++;
	c->visitor(c->self, h);
}

static bool disjoint(const struct pending *p, uint8_t guard)
{
	return p->guard != NO_GUARD && guard != NO_GUARD && (p->guard ^ guard) == GUARD_NOT;
}

static bool has_vector_address(const struct node *n)
{
	for (unsigned i = 0; i < n->access.n; i++) {
		const struct wl_operand *o = &n->access.op[i];
		if (!o->write && !o->late && o->words == 2 && wl_slot_file(o->slot) == WL_FILE_R)
			return true;
	}
	return false;
}

/* Cycles by which a consumer reads later than latency.def says for the consumer's pipe. sm_75 reads the upper word of a
 * uniform offset beside a vector address, [R2.64+UR4], later than a uniform address: ptxas leaves 6 cycles. */
static unsigned reads_later(const struct check *c, const struct pending *p, const struct node *n,
                            const struct wl_operand *o)
{
	const bool upper = wl_slot_file(p->slot) == WL_FILE_UR && o->words == 2 && p->slot != o->slot;
	return upper && wl_arch_base(c->arch) == WL_SM75 && c->node[p->pc].timing.pipe == WL_PIPE_Udp &&
	                       n->timing.pipe == WL_PIPE_Mem && has_vector_address(n)
	               ? 3
	               : 0;
}

static void judge(struct check *c, uint32_t pc, const struct pending *p, const struct wl_operand *o)
{
	const struct node *n = &c->node[pc], *from = &c->node[p->pc];
	struct wl_hazard h = {.producer = p->pc,
	                      .consumer = pc,
	                      .slot = p->slot,
	                      .write = o->write,
	                      .board = p->own,
	                      .cycles = p->age};
	bool same;

	if (disjoint(p, n->guard) || (p->kind == LATE_OPERAND && !o->write))
		return;
	if (p->kind == FIXED_RESULT) {
		enum wl_use use = o->write   ? WL_USE_WRITE
		                  : o->guard ? WL_USE_GUARD
		                  : o->late  ? WL_USE_LATE
		                             : WL_USE_READ;

		if (o->write && n->timing.variable)
			return; /* arrives later than any result of fixed latency */
		h.needed = wl_latency(c->arch, from->timing.pipe, wl_slot_file(p->slot), p->high, use, n->timing.pipe);
		h.needed -= use == WL_USE_READ ? reads_later(c, p, n, o) : 0;
		h.kind = WL_HAZARD_CYCLES;
		h.use = use;
		h.high = p->high;
		if (c->all || p->age < h.needed)
			report(c, &h);
		return;
	}
	if (c->all)
		return;
	/* Nothing overtakes within a queue. */
	same = p->kind == SLOW_RESULT ? from->timing.results && from->timing.results == n->timing.results
	                              : from->timing.operands && from->timing.operands == n->timing.operands;
	if (o->write && same)
		return;
	h.kind = p->kind == SLOW_RESULT ? WL_HAZARD_BOARD : WL_HAZARD_OPERAND;
	report(c, &h);
}

static void judge_operands(struct check *c, uint32_t pc, const struct state *s)
{
	const struct wl_access *a = &c->node[pc].access;
	uint16_t told[32];
	unsigned ntold = 0;
	for (unsigned i = 0; i < a->n; i++) {
		for (unsigned k = 0; k < s->n; k++) {
			const struct pending *p = &s->p[k];
			if (p->slot >= a->op[i].slot && p->slot < a->op[i].slot + a->op[i].words) {
				int before = c->found;
				bool again = false;
				for (unsigned t = 0; t < ntold; t++)
					again |= told[t] == p->slot;
				if (again && !c->all)
					continue;
				judge(c, pc, p, &a->op[i]);
				if (c->found != before && ntold < 32)
					told[ntold++] = p->slot;
			}
		}
	}
}

/* Waits: the mask of the word, and DEPBAR. DEPBAR may leave some of a scoreboard's entries outstanding. */
static void wait_boards(struct check *c, uint32_t pc, struct state *s)
{
	const struct node *n = &c->node[pc];
	unsigned kept = 0;
	uint32_t told = c->n; /* a single line for a producer */

	for (unsigned i = 0; i < s->n; i++) {
		struct pending *p = &s->p[i];
		uint8_t wait = (uint8_t)(n->sched.wait | n->depbar_all);
		bool done = p->kind != FIXED_RESULT && (p->boards & wait);
		if (done && p->pc != told && p->own < WL_BOARDS && p->age < WL_BOARD_CYCLES &&
		    (n->sched.wait >> p->own & 1)) {
			struct wl_hazard h = {.kind = WL_HAZARD_EARLY,
			                      .producer = p->pc,
			                      .consumer = pc,
			                      .slot = p->slot,
			                      .board = p->own,
			                      .cycles = p->age,
			                      .needed = WL_BOARD_CYCLES};

			report(c, &h);
			told = p->pc;
		}
		if (p->kind != FIXED_RESULT && n->depbar < WL_BOARDS)
			done |= p->own == n->depbar && p->later >= n->depbar_left;
		if (!done)
			s->p[kept++] = *p;
	}
	s->n = kept;
}

/* Overwritten entries have been judged. Only a guard keeps the older result. */
static void retire_written(const struct node *n, struct state *s)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < s->n; i++) {
		struct pending *p = &s->p[i];
		bool written = false;
		for (unsigned k = 0; k < n->access.n; k++) {
			const struct wl_operand *o = &n->access.op[k];
			written |= o->write && p->slot >= o->slot && p->slot < o->slot + o->words;
			if (o->write && o->slot >= WL_SLOT_P && o->slot < WL_SLOT_B &&
			    (p->guard & 0x7f) == o->slot - WL_SLOT_P)
				p->guard = NO_GUARD;
		}
		if (!(written && (n->guard == NO_GUARD || p->kind == LATE_OPERAND)))
			s->p[kept++] = *p;
	}
	s->n = kept;
}

static bool add_pending(struct check *c, uint32_t pc, struct state *s)
{
	const struct node *n = &c->node[pc];
	uint8_t wr = n->sched.wrbar < WL_BOARDS ? (uint8_t)(1u << n->sched.wrbar) : 0;
	uint8_t rd = n->sched.rdbar < WL_BOARDS ? (uint8_t)(1u << n->sched.rdbar) : 0;
	/* A later instruction of a queue answers for the earlier instructions. */
	for (unsigned i = 0; i < s->n; i++) {
		struct pending *p = &s->p[i];
		const struct wl_timing *t = &c->node[p->pc].timing;
		if (!n->known && p->kind != FIXED_RESULT)
			p->boards |= wr | rd; /* perhaps of this queue; an unknown word is a finding of its own */
		if (p->kind == SLOW_RESULT && t->results && t->results == n->timing.results)
			p->boards |= wr;
		if (p->kind == LATE_OPERAND && t->operands && t->operands == n->timing.operands)
			p->boards |= wr | rd;
		if (p->own < WL_BOARDS && ((wr | rd) >> p->own & 1) && p->later < 63)
			p->later++;
	}
	for (unsigned i = 0; i < n->access.n; i++) {
		const struct wl_operand *o = &n->access.op[i];
		bool operand = !o->write && n->timing.operands != WL_QUEUE_None && wl_slot_file(o->slot) == WL_FILE_R;
		if (!o->write && !operand)
			continue;
		for (unsigned w = 0; w < o->words; w++) {
			struct pending p = {.pc = pc,
			                    .slot = (uint16_t)(o->slot + w),
			                    .kind = !o->write            ? LATE_OPERAND
			                            : n->timing.variable ? SLOW_RESULT
			                                                 : FIXED_RESULT,
			                    .high = w > 0,
			                    .guard = n->guard,
			                    .own = WL_NO_BOARD};

			if (wl_slot_file(p.slot) == WL_FILE_B && n->timing.variable)
				continue; /* BMOV is through with the barrier at issue */
			if (p.kind == SLOW_RESULT) {
				p.boards = wr;
				p.own = wr ? n->sched.wrbar : WL_NO_BOARD;
				/* the predicate of an atomic is available when the operands are read */
				if (wl_slot_file(p.slot) == WL_FILE_P && n->access.traits & WL_TRAIT(ATOMIC))
					p.boards |= rd;
			} else if (p.kind == LATE_OPERAND) {
				p.boards = wr | rd;
				p.own = rd ? n->sched.rdbar : wr ? n->sched.wrbar : WL_NO_BOARD;
			}
			if (!state_insert(s, &p))
				return false;
		}
	}
	return true;
}

static void pass_time(const struct node *n, struct state *s)
{
	/* A fence without a stall count (ERRBAR behind MEMBAR) waits for the fence in front. */
	unsigned least = n->access.traits & WL_TRAIT(FENCE) ? 2 : 1;
	unsigned stall = n->sched.stall ? n->sched.stall : least, kept = 0;
	for (unsigned i = 0; i < s->n; i++) {
		struct pending *p = &s->p[i];
		unsigned age = p->age + stall;
		p->age = age > MAX_AGE ? MAX_AGE : (uint8_t)age;
		if (p->kind != FIXED_RESULT || age < MAX_AGE)
			s->p[kept++] = *p;
	}
	s->n = kept;
}

/* A blocking barrier has gone through the memory queue behind all earlier instructions: operands of that queue are
 * read. */
static void drain_operands(struct check *c, const struct node *n, struct state *s)
{
	unsigned kept = 0;
	if (!n->access.drains)
		return;
	for (unsigned i = 0; i < s->n; i++)
		if (s->p[i].kind != LATE_OPERAND || c->node[s->p[i].pc].timing.operands != WL_QUEUE_Mio)
			s->p[kept++] = s->p[i];
	s->n = kept;
}

static bool issue(struct check *c, uint32_t pc, struct state *s)
{
	const struct node *n = &c->node[pc];
	if (!n->known && c->visitor) {
		struct wl_hazard h = {.kind = WL_HAZARD_UNKNOWN, .producer = pc, .consumer = pc};
		report(c, &h);
	}
	wait_boards(c, pc, s);
	judge_operands(c, pc, s);
	retire_written(n, s);
	drain_operands(c, n, s);
	if (!add_pending(c, pc, s))
		return false;
	pass_time(n, s);
	return true;
}

/* ---- ways ---- */

static bool join_indirect(struct check *c, uint32_t from, const struct state *s)
{
	bool given = false;
	for (uint32_t i = 0; i < c->nways; i++)
		if (c->ways[i].from == from) {
			given = true;
			if (!join(c, c->ways[i].to, s))
				return false;
		}
	/* Without a list: every word behind an end, except direct targets. */
	for (uint32_t pc = 1; !given && pc < c->n; pc++)
		if (c->node[pc - 1].ends && !c->node[pc].leader && !join(c, pc, s))
			return false;
	return true;
}

/* A return leads behind the calls of the returning function. */
static bool join_returns(struct check *c, uint32_t ret, const struct state *s)
{
	for (uint32_t pc = 0; pc + 1 < c->n; pc++) {
		const struct node *n = &c->node[pc];
		bool ours = false;
		for (uint32_t f = 0; n->returns && n->target >= 0 && f < c->nfunctions; f++)
			ours |= c->function[f].entry == n->target && c->function[f].reaches[ret];
		if (ours && !join(c, pc + 1, s))
			return false;
	}
	return true;
}

static bool by_register(const struct node *n)
{
	for (unsigned i = 0; i < n->access.n; i++)
		if (wl_slot_file(n->access.op[i].slot) == WL_FILE_R && !n->access.op[i].write)
			return true;
	return false;
}

static bool is_return(const struct node *n)
{
	return (n->access.traits & WL_TRAIT(RETURNS)) != 0;
}

static bool leave(struct check *c, uint32_t pc, const struct state *s)
{
	const struct node *n = &c->node[pc];
	struct state none = {.known = true};
	if (n->target >= 0 && !join(c, n->target, s))
		return false;
	if (n->indirect && !join_indirect(c, pc, s))
		return false;
	if (is_return(n) && !join_returns(c, pc, s))
		return false;
	/* Another section, or an address in a register: by convention nothing is outstanding at a call and at its return. */
	if (n->returns && n->target < 0)
		return (!by_register(n) || join_indirect(c, pc, &none)) && join(c, pc + 1, &none);
	return n->ends || join(c, pc + 1, s);
}

/* Runs from a leader to the next place where ways meet. */
static bool walk(struct check *c, uint32_t pc)
{
	struct state s = {0};
	bool good = state_copy(&s, &c->in[pc]);
	for (; good; pc++) {
		const struct node *n = &c->node[pc];
		bool branches = n->target >= 0 || n->indirect || n->ends || n->returns;
		good = issue(c, pc, &s);
		if (good && (branches || pc + 1 >= c->n || c->in[pc + 1].known || c->node[pc + 1].leader)) {
			good = leave(c, pc, &s);
			break;
		}
	}
	free(s.p);
	return good;
}

/* Target of a branch from the branch's field, whatever the decoder makes of the instruction. */
static int64_t target_of(enum wl_arch arch, struct wl_word w, uint32_t pc)
{
	const struct isa_row *row = isa_find(wl_arch_index(arch), w);
	const struct isa_step *s = isa.steps + row->steps;
	for (unsigned i = 0; i < row->nsteps; i++)
		if (s[i].kind == ISA_VAL && isa.fields[s[i].a].kind == ISA_KIND_T)
			return (isa_field_get(isa.fields + s[i].a, w) + WORD_BYTES * ((int64_t)pc + 1)) / WORD_BYTES;
	return -1;
}

static bool unconditional(const struct node *n)
{
	for (unsigned i = 0; i < n->access.n; i++)
		if (wl_slot_file(n->access.op[i].slot) >= WL_FILE_P && !n->access.op[i].write)
			return false;
	return true;
}

static void read_node(struct check *c, uint32_t pc, struct wl_word w)
{
	struct node *n = &c->node[pc];
	uint8_t guard = (uint8_t)(w.lo >> 12 & 15);
	*n = (struct node){.target = -1, .depbar = WL_NO_BOARD, .guard = NO_GUARD, .sched = wl_word_sched(w)};
	n->known = wl_access_of(c->arch, w, &n->access);
	if (!n->known)
		return;
	n->timing = n->access.timing;
	uint64_t t = n->access.traits;
	if ((guard & 7) != WL_PT) {
		bool uniform = n->access.n && wl_slot_file(n->access.op[0].slot) == WL_FILE_UP;
		n->guard =
		        (uint8_t)((guard & 7) + (uniform ? WL_SLOT_UP - WL_SLOT_P : 0) + (guard & 8 ? GUARD_NOT : 0));
	}
	if (t & WL_TRAIT(DEPBAR)) {
		if (w.lo >> 47 & 1) {
			n->depbar = (uint8_t)(w.lo >> 44 & 7);
			n->depbar_left = (uint8_t)(w.lo >> 38 & 63);
		}
		n->depbar_all = (uint8_t)(w.lo >> 32 & 63);
	}
	if (t & WL_TRAIT(JUMPS))
		n->target = target_of(c->arch, w, pc);
	n->indirect = (t & WL_TRAIT(INDIRECT)) != 0;
	n->returns = (t & WL_TRAIT(CALLS)) != 0;
	n->ends = t & WL_TRAIT(LEAVES) && unconditional(n);
	if (n->target >= (int64_t)c->n)
		n->target = -1;
}

static void mark(struct check *c, bool *seen, uint32_t *stack, uint32_t entry)
{
	uint32_t top = 0;
	stack[top++] = entry;
	seen[entry] = true;
	while (top) {
		uint32_t pc = stack[--top];
		const struct node *n = &c->node[pc];
		for (uint32_t i = 0; n->indirect && i < c->nways; i++)
			if (c->ways[i].from == pc && c->ways[i].to < c->n && !seen[c->ways[i].to]) {
				seen[c->ways[i].to] = true;
				stack[top++] = c->ways[i].to;
			}
		int64_t next[2] = {n->returns ? -1 : n->target, !n->ends || n->returns ? (int64_t)pc + 1 : -1};

		for (unsigned i = 0; i < 2; i++)
			if (next[i] >= 0 && next[i] < c->n && !seen[next[i]]) {
				seen[next[i]] = true;
				stack[top++] = (uint32_t)next[i];
			}
	}
}

/* Targets of calls are the functions of a section. */
static bool find_functions(struct check *c)
{
	uint32_t calls = 0, *stack;
	bool good = true;
	for (uint32_t pc = 0; pc < c->n; pc++)
		calls += c->node[pc].returns && c->node[pc].target >= 0;
	stack = malloc((c->n + 1) * sizeof *stack);
	c->function = calloc(calls + 1, sizeof *c->function);
	good = stack && c->function;
	for (uint32_t pc = 0; good && pc < c->n; pc++) {
		const struct node *n = &c->node[pc];
		bool known = !n->returns || n->target < 0;
		for (uint32_t f = 0; f < c->nfunctions; f++)
			known |= c->function[f].entry == n->target;
		if (known)
			continue;
		struct function *f = &c->function[c->nfunctions++];
		f->entry = (uint32_t)n->target;
		f->reaches = calloc(c->n, sizeof *f->reaches);
		good = f->reaches != NULL;
		if (good)
			mark(c, f->reaches, stack, f->entry);
	}
	free(stack);
	return good;
}

/* Code of a chip may set scoreboards where code of the architecture counts cycles. A word with a scoreboard decides for
 * the word's pipe. */
static void read_chip_timing(struct check *c)
{
	bool announced[WL_PIPE_COUNT] = {false};
	for (uint32_t pc = 0; pc < c->n; pc++) {
		const struct node *n = &c->node[pc];
		if (n->known && n->sched.wrbar != WL_NO_BOARD)
			announced[n->timing.pipe] = true;
	}
	for (uint32_t pc = 0; pc < c->n; pc++)
		if (c->node[pc].known && announced[c->node[pc].timing.pipe])
			wl_chip_announces(c->chip, &c->node[pc].timing);
}

static int run(struct check *k, const unsigned char *words, wl_hazard_visitor visitor, void *self)
{
	struct check c = *k;
	uint32_t n = c.n;
	bool good;
	c.node = calloc(n + 1, sizeof *c.node);
	c.in = calloc(n + 1, sizeof *c.in);
	c.dirty = calloc(n + 1, sizeof *c.dirty);
	good = c.node && c.in && c.dirty;
	for (uint32_t pc = 0; good && pc < n; pc++) {
		struct wl_word w;
		memcpy(&w, words + WORD_BYTES * (size_t)pc, sizeof w);
		read_node(&c, pc, w);
	}
	if (good)
		read_chip_timing(&c);
	for (uint32_t pc = 0; good && pc < n; pc++) {
		if (c.node[pc].target >= 0)
			c.node[c.node[pc].target].leader = true;
		if (c.node[pc].returns && pc + 1 < n)
			c.node[pc + 1].leader = true;
	}
	for (uint32_t i = 0; good && i < c.nways; i++)
		if (c.ways[i].to < n)
			c.node[c.ways[i].to].leader = true;
	good = good && find_functions(&c);
	if (good && n) {
		struct state start = {.known = true};
		good = join(&c, 0, &start);
	}
	while (good && c.changed) {
		c.changed = false;
		for (uint32_t pc = 0; good && pc < n; pc++)
			if (c.dirty[pc]) {
				c.dirty[pc] = false;
				good = walk(&c, pc);
			}
	}
	c.visitor = visitor;
	c.self = self;
	for (uint32_t pc = 0; good && pc < n; pc++)
		if (c.in[pc].known)
			good = walk(&c, pc);
	for (uint32_t pc = 0; c.in && pc < n; pc++)
		free(c.in[pc].p);
	for (uint32_t f = 0; f < c.nfunctions; f++)
		free(c.function[f].reaches);
	free(c.function);
	free(c.node);
	free(c.in);
	free(c.dirty);
	return good ? c.found : -1;
}

int wl_hazard_check(unsigned chip, const unsigned char *words, uint32_t n, const struct wl_way *ways, uint32_t nways,
                    wl_hazard_visitor visitor, void *self)
{
	struct check c = {.arch = wl_arch_of_chip(chip), .chip = chip, .n = n, .ways = ways, .nways = nways};
	return run(&c, words, visitor, self);
}

int wl_hazard_pairs(unsigned chip, const unsigned char *words, uint32_t n, const struct wl_way *ways, uint32_t nways,
                    wl_hazard_visitor visitor, void *self)
{
	struct check c = {
	        .arch = wl_arch_of_chip(chip), .chip = chip, .n = n, .ways = ways, .nways = nways, .all = true};
	return run(&c, words, visitor, self);
}

void wl_hazard_text(const struct wl_hazard *h, char *buf, size_t n)
{
	char name[8], board[32] = "no scoreboard";
	const char *does = h->write ? "written" : "read";
	wl_slot_name(h->slot, name);
	if (h->board < WL_BOARDS)
		snprintf(board, sizeof board, "scoreboard SB%u", h->board);
	switch (h->kind) {
	case WL_HAZARD_CYCLES:
		snprintf(buf, n, "%s is %s after %u cycles, %u needed", name, does, h->cycles, h->needed);
		break;
	case WL_HAZARD_BOARD:
		snprintf(buf, n, "%s is %s without waiting for its result: %s", name, does,
		         h->board < WL_BOARDS ? board : "no scoreboard is set");
		break;
	case WL_HAZARD_OPERAND:
		snprintf(buf, n, "%s is written and perhaps not read yet: %s", name,
		         h->board < WL_BOARDS ? board : "no scoreboard is set");
		break;
	case WL_HAZARD_EARLY:
		snprintf(buf, n, "%s: %s is waited for after %u cycles, it stands after %u", name, board, h->cycles,
		         h->needed);
		break;
	case WL_HAZARD_UNKNOWN:
		snprintf(buf, n, "no instruction: what it reads and writes is not known");
		break;
	}
}

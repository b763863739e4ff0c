// SPDX-License-Identifier: Apache-2.0
/* words.c -- effect of each word of the code on memory, successors of each word, and the PTX instruction behind each
 * word. */
#include <stdlib.h>
#include <string.h>

#include "orders.h"

enum { WORD_BYTES = 16 };

static enum reach reach_of_scope(enum wl_scope s)
{
	switch (s) {
	case WL_SCOPE_CTA:
	case WL_SCOPE_SM:
		return REACH_CTA;
	case WL_SCOPE_SYS:
		return REACH_SYS;
	default:
		return REACH_GPU;
	}
}

/* Words without a model have their order in the text alone. */
static void read_text(const struct orders_code *code, struct wl_word w, struct order_word *o)
{
	char text[256];
	const char *strong;
	if (wl_print(code->arch, w, 0, text, sizeof text) < 0)
		return;
	text[strcspn(text, "[")] = 0;
	strong = strstr(text, ".STRONG.");
	o->mmio = strstr(text, ".MMIO.") != NULL;
	if (!strong)
		strong = strstr(text, ".MMIO.");
	o->has_order = strstr(text, "LDG") || strstr(text, "STG") || strstr(text, "LD.") || strstr(text, "ST.");
	o->strong = strong != NULL;
	if (strong)
		o->reach = strstr(strong, ".SYS") ? REACH_SYS : strstr(strong, ".GPU") ? REACH_GPU : REACH_CTA;
}

static void read_access(const struct orders_code *code, struct wl_word w, const struct wl_inst *in, uint64_t traits,
                        struct order_word *o)
{
	o->reads = (traits & WL_TRAIT(READS_MEMORY)) != 0;
	o->writes = (traits & WL_TRAIT(WRITES_MEMORY)) != 0;
	o->atomic = (traits & WL_TRAIT(ATOMIC)) != 0;
	o->kind = WORD_ACCESS;
	o->named = in->uop == WL_UOP_BAR;
	o->tests = in->uop == WL_UOP_SYNCS_PHASECHK || in->uop == WL_UOP_USYNCS_PHASECHK;
	if (in->uop == WL_UOP_UNMODELLED) {
		read_text(code, w, o);
		return;
	}
	switch (in->uop) { /* ATOM.CAST has no scope: the word serves the cluster's shared memory, held in no cache */
	case WL_UOP_LDG:
	case WL_UOP_LD:
	case WL_UOP_STG:
	case WL_UOP_ST:
	case WL_UOP_LDG_256:
	case WL_UOP_STG_256:
	case WL_UOP_ATOMG:
	case WL_UOP_ATOMG_CAS:
	case WL_UOP_ATOM:
	case WL_UOP_ATOM_CAS:
	case WL_UOP_RED:
		o->has_order = true;
		o->mmio = in->order == WL_MEM_MMIO;
		o->strong = in->order == WL_MEM_STRONG || o->mmio;
		o->reach = o->strong ? reach_of_scope(in->scope) : REACH_NONE;
		break;
	default:
		break;
	}
	if (in->order == WL_MEM_CONSTANT && !o->writes)
		o->kind = WORD_OTHER; /* the memory model does not cover ld.global.nc */
}

static bool touches_memory(const struct wl_inst *in, uint64_t traits)
{
	if (traits & WL_TRAIT(LOCAL) || in->uop == WL_UOP_B2R)
		return false;
	return (traits & (WL_TRAIT(READS_MEMORY) | WL_TRAIT(WRITES_MEMORY) | WL_TRAIT(BARRIER))) != 0;
}

static void read_word(const struct orders_code *code, uint32_t pc, struct order_word *o)
{
	struct wl_word w;
	struct wl_inst in;
	uint64_t traits;
	struct wl_sched sched;
	*o = (struct order_word){.guard = NO_GUARD, .pred = WL_PT, .target = -1, .demand = NO_DEMAND};
	memcpy(&w, code->words + WORD_BYTES * (size_t)pc, sizeof w);
	if (wl_decode(code->arch, w, &in) != WL_OK)
		return;
	traits = wl_inst_traits(&in);
	sched = wl_word_sched(w);
	o->wait = sched.wait;
	o->board = sched.wrbar < WL_BOARDS ? (uint8_t)(1u << sched.wrbar) : 0;
	if (in.guard == WL_PT + 8)
		return; /* @!PT: never */
	if (in.guard != WL_PT)
		o->guard = (uint8_t)(in.guard | (in.guard_uniform ? 16 : 0));
	o->pred = in.pd[0];
	if (in.uop == WL_UOP_MEMBAR) {
		o->kind = WORD_MEMBAR;
		o->sc = in.op == WL_MEMBAR_SC;
		o->reach = reach_of_scope(in.scope);
	} else if (in.uop == WL_UOP_ERRBAR) {
		o->kind = in.op ? WORD_CGAERRBAR : WORD_ERRBAR;
	} else if (in.uop == WL_UOP_CCTL_IVALL) {
		o->kind = WORD_IVALL;
	} else if (traits & WL_TRAIT(CALLS)) {
		o->kind = WORD_CALL;
	} else if (traits & (WL_TRAIT(EXITS) | WL_TRAIT(RETURNS))) {
		o->kind = WORD_END;
	} else if (touches_memory(&in, traits)) {
		read_access(code, w, &in, traits, o);
	}
	o->indirect = traits & WL_TRAIT(INDIRECT) && o->kind != WORD_CALL;
	o->branches =
	        (traits & (WL_TRAIT(JUMPS) | WL_TRAIT(LEAVES) | WL_TRAIT(INDIRECT))) && !(traits & WL_TRAIT(CONVERGES));
	if (traits & WL_TRAIT(JUMPS))
		o->target = (in.target + WORD_BYTES * ((int64_t)pc + 1)) / WORD_BYTES;
	if (o->target < 0 || o->target >= (int64_t)code->n)
		o->target = -1;
	o->ends = traits & WL_TRAIT(LEAVES) && o->kind != WORD_CALL && o->guard == NO_GUARD && in.ps[0] == WL_PT &&
	          in.ps[1] == WL_PT;
}

/* ---- the PTX instruction of a word ---- */

static bool fits(const struct demand *d, const struct order_word *o)
{
	if (o->tests)
		return d->deed == DEED_WAIT;
	switch (d->deed) {
	case DEED_LOAD:
		return o->kind == WORD_ACCESS && o->reads && !o->atomic;
	case DEED_STORE:
		return o->kind == WORD_ACCESS && o->writes && !o->atomic;
	case DEED_FENCE:
		return o->kind >= WORD_MEMBAR && o->kind <= WORD_IVALL;
	case DEED_CALL:
		return o->kind == WORD_CALL;
	default:
		return o->kind == WORD_ACCESS;
	}
}

/* The next wait of the function, from place k of the list on: a test of a phase comes from a wait, and the first turn of
 * a loop may carry the line of an instruction before the loop. */
static uint32_t next_wait(const struct demands *d, uint32_t k, uint32_t line)
{
	for (; k < d->n; k++)
		if (d->list[k].deed == DEED_WAIT)
			return d->list[k].f->instrs[0].pos.line <= line ? k : NO_DEMAND;
	return NO_DEMAND;
}

/* Several instructions on a line: the words go to the instructions in order, left-over words to the last. */
static uint32_t find_demand(const struct demands *d, uint32_t line, const struct order_word *o)
{
	uint32_t low = 0, high = d->n, last = NO_DEMAND;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (d->list[middle].i->pos.line < line)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < d->n && d->list[low].i->pos.line == line; low++) {
		if (!fits(&d->list[low], o))
			continue;
		last = low;
		if (!d->list[low].words)
			break;
	}
	return last == NO_DEMAND && o->tests ? next_wait(d, low, line) : last;
}

bool words_read(struct order_check *c)
{
	const struct orders_code *code = c->code;
	c->word = calloc(code->n + 1, sizeof *c->word);
	if (!c->word)
		return false;
	for (uint32_t i = 0; i < c->d->n; i++)
		c->d->list[i].words = 0;
	for (uint32_t pc = 0; pc < code->n; pc++) {
		struct order_word *o = &c->word[pc];
		read_word(code, pc, o);
		if (!code->lines[pc] || o->kind == WORD_OTHER || o->kind == WORD_END)
			continue;
		o->demand = find_demand(c->d, code->lines[pc], o);
		if (o->demand != NO_DEMAND)
			c->d->list[o->demand].words++;
	}
	return true;
}

void words_follow(const struct order_check *c, uint32_t pc, void (*to)(void *self, uint32_t pc), void *self)
{
	const struct order_word *o = &c->word[pc];
	const struct orders_code *code = c->code;
	bool given = false;
	if (!o->ends && pc + 1 < code->n)
		to(self, pc + 1);
	if (o->target >= 0 && o->kind != WORD_CALL)
		to(self, (uint32_t)o->target);
	for (uint32_t i = 0; o->indirect && i < code->nways; i++)
		if (code->ways[i].from == pc && code->ways[i].to < code->n) {
			given = true;
			to(self, code->ways[i].to);
		}
	/* Without a list: every word behind an end. */
	for (uint32_t k = 1; o->indirect && o->kind != WORD_END && !given && k < code->n; k++)
		if (c->word[k - 1].ends)
			to(self, k);
}

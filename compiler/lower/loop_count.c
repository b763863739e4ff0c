// SPDX-License-Identifier: Apache-2.0
/* loop_count.c -- number of rounds of a loop.
 *
 * The test at the end of a round depends on some instructions of the loop. Where each of the instructions is plain
 * arithmetic, unguarded and part of every round, the compiler runs the instructions round by round, from the values in
 * front of the loop. With an instruction of another kind, or an unknown value, the number of rounds is unknown. */
#include "mir_visit.h"
#include "unroll.h"

enum {
	MAX_STEPS = 24, /* instructions that decide the test */
	MAX_WORDS = 32, /* words of registers, and predicates */
	MAX_ROUNDS = 1024,
	MAX_BLOCKS_UP = 32, /* looked through for a value in front of the loop */
	MAX_COPIES_UP = 8
};

struct word {
	ref r;
	bool known;
	uint32_t value; /* of a predicate 0 or 1 */
};

struct count {
	struct mfunc *f;
	const struct counted_loop *l;
	const struct minst *step[MAX_STEPS]; /* in the order of a round */
	uint32_t nsteps, before_test;        /* the first before_test steps run in front of the test */
	struct word word[MAX_WORDS];
	uint32_t nwords;
	bool too_much;
};

/* ---- instructions and words that decide the test ---- */

static struct word *find_word(struct count *c, ref r)
{
	for (uint32_t k = 0; k < c->nwords; k++)
		if (c->word[k].r == r)
			return &c->word[k];
	return NULL;
}

static void add_word(struct count *c, ref r)
{
	if (!ref_is_reg(r) || find_word(c, r))
		return;
	if (c->nwords == MAX_WORDS)
		c->too_much = true;
	else
		c->word[c->nwords++].r = r;
}

static void add_words(void *self, ref *r, unsigned words)
{
	for (unsigned w = 0; w < (words ? words : 1); w++)
		add_word(self, *r + w);
}

static bool has_plain_sources(const struct minst *in)
{
	return !in->w.abs && !in->w.inv && !in->word && !in->call && !in->place && !in->keep && in->guard == REF_NONE;
}

static bool shifts_left(const struct minst *in)
{
	return in->w.flags == WL_F_LEFT && in->w.type == WL_SHF_U32 && in->w.src[2] == WL_SRC_REG && in->rc == REF_NONE;
}

static bool shifts_right(const struct minst *in)
{
	return in->w.flags == WL_F_HI && (in->w.type == WL_SHF_U32 || in->w.type == WL_SHF_S32) &&
	       in->w.src[0] == WL_SRC_REG && in->ra == REF_NONE;
}

/* Arithmetic known to run_step() in this form. */
static bool is_arithmetic(const struct minst *in)
{
	if (!has_plain_sources(in))
		return false;
	switch (in->w.uop) {
	case WL_UOP_MOV:
	case PSEUDO_MOV64:
	case PSEUDO_ADD64:
		return !in->w.neg && !in->w.flags;
	case WL_UOP_IADD3:
		return !in->w.flags && in->pd[0] == REF_NONE && in->pd[1] == REF_NONE;
	case WL_UOP_LOP3:
		return !in->w.neg && !in->w.flags && in->pd[0] == REF_NONE;
	case WL_UOP_SHF:
		return !in->w.neg && (shifts_left(in) || shifts_right(in));
	case WL_UOP_ISETP:
		return !in->w.neg && !(in->w.flags & ~(WL_F_SIGNED | WL_F_EX)) && in->pd[1] == REF_NONE;
	default:
		return false;
	}
}

struct writes {
	struct count *c;
	bool any;
};

static void look_written(void *self, ref *r, unsigned words)
{
	struct writes *w = self;
	for (unsigned k = 0; k < (words ? words : 1); k++)
		w->any |= find_word(w->c, *r + k) != NULL;
}

static bool writes_word(struct count *c, struct minst *in)
{
	struct writes w = {c, false};
	minst_defs(in, look_written, &w);
	return w.any;
}

static bool in_every_round(const struct count *c, uint32_t block)
{
	return block_dominates(c->f, block, c->l->latch);
}

/* Each instruction of the loop with a word as result: its sources become words, too. */
static bool gather_words(struct count *c)
{
	for (uint32_t had = 0; had != c->nwords && !c->too_much;) {
		had = c->nwords;
		for (uint32_t i = 0; i < c->l->nblocks; i++) {
			struct mblock *b = c->f->blocks[c->l->block[i]];
			for (uint32_t k = 0; k < b->n; k++) {
				if (!writes_word(c, &b->ins[k]))
					continue;
				if (!is_arithmetic(&b->ins[k]) || !in_every_round(c, b->id))
					return false;
				minst_uses(&b->ins[k], add_words, c);
				minst_defs(&b->ins[k], add_words, c);
			}
		}
	}
	return !c->too_much;
}

/* Blocks of every round lie one behind the other in reverse post-order. */
static bool gather_steps(struct count *c)
{
	for (uint32_t i = 0; i < c->l->nblocks; i++) {
		struct mblock *b = c->f->blocks[c->l->block[i]];
		for (uint32_t k = 0; k < b->n; k++) {
			if (!writes_word(c, &b->ins[k]))
				continue;
			if (c->nsteps == MAX_STEPS)
				return false;
			c->step[c->nsteps++] = &b->ins[k];
		}
		if (b->id == c->l->exit)
			c->before_test = c->nsteps;
	}
	return true;
}

/* ---- values in front of the loop ---- */

/* The last instruction above `at` of the block with a write of the word; NULL: none. */
static struct minst *last_write(struct mblock *b, uint32_t *at, ref r)
{
	while (*at > 0)
		if (minst_writes(&b->ins[--*at], r, 1))
			return &b->ins[*at];
	return NULL;
}

/* The word of the result: a literal, a copy of the word *from, or unknown. */
static bool read_copy(const struct minst *in, ref r, struct word *w, ref *from)
{
	const unsigned part = r - in->rd;
	*from = REF_NONE;
	if ((in->w.uop != WL_UOP_MOV && in->w.uop != PSEUDO_MOV64) || !is_arithmetic(in))
		return false;
	w->known = true;
	if (in->w.src[1] == WL_SRC_IMM)
		w->value = in->w.uop == WL_UOP_MOV ? in->w.imm : (uint32_t)(in->imm64 >> 32 * part);
	else if (in->w.src[1] == WL_SRC_REG && in->rb == REF_NONE)
		w->value = 0;
	else
		w->known = false;
	if (in->w.src[1] == WL_SRC_REG && ref_is_reg(in->rb))
		*from = in->rb + part;
	return true;
}

static void find_value(const struct count *c, struct word *w)
{
	struct mblock *b = c->l->before == NO_BLOCK ? NULL : c->f->blocks[c->l->before];
	uint32_t at = b ? b->n : 0;
	unsigned copies = 0, blocks = 0;
	if (!b)
		return;
	for (ref r = w->r; r != REF_NONE;) {
		const struct minst *in = last_write(b, &at, r);
		if (in) {
			if (++copies > MAX_COPIES_UP || !read_copy(in, r, w, &r))
				return;
		} else {
			if (b->npred != 1 || b->id == 0 || ++blocks > MAX_BLOCKS_UP)
				return;
			b = c->f->blocks[b->pred[0]];
			at = b->n;
		}
	}
}

/* ---- a round ---- */

static bool read_source(struct count *c, const struct minst *in, unsigned i, unsigned part, uint32_t *value)
{
	const ref r = i == 0 ? in->ra : i == 1 ? in->rb : in->rc;
	const struct word *w;
	*value = 0;
	if (in->w.src[i] == WL_SRC_IMM) {
		*value = in->w.uop >= WL_UOP_COUNT ? (uint32_t)(in->imm64 >> 32 * part) : in->w.imm;
		return true;
	}
	if (in->w.src[i] != WL_SRC_REG)
		return in->w.src[i] == WL_SRC_NONE;
	if (!ref_is_reg(r))
		return r == REF_NONE;
	w = find_word(c, r + part);
	*value = w ? w->value : 0;
	return w && w->known;
}

/* Predicate source i as 0 or 1. */
static bool read_predicate(struct count *c, const struct minst *in, unsigned i, uint32_t *value)
{
	const struct word *w = ref_is_reg(in->ps[i]) ? find_word(c, in->ps[i]) : NULL;
	*value = (w ? w->value : 1) ^ (in->w.ps[i] & NOT_P ? 1 : 0);
	return !w || w->known;
}

static void set(struct count *c, ref r, bool known, uint32_t value)
{
	struct word *w = ref_is_reg(r) ? find_word(c, r) : NULL;
	if (w) {
		w->known = known;
		w->value = value;
	}
}

static uint32_t compared(const struct minst *in, uint32_t a, uint32_t b)
{
	const uint32_t flip = in->w.flags & WL_F_SIGNED ? 0x80000000 : 0;
	a ^= flip;
	b ^= flip;
	switch (in->w.op) {
	case WL_CMP_LT:
		return a < b;
	case WL_CMP_EQ:
		return a == b;
	case WL_CMP_LE:
		return a <= b;
	case WL_CMP_GT:
		return a > b;
	case WL_CMP_NE:
		return a != b;
	case WL_CMP_GE:
		return a >= b;
	default:
		return in->w.op == WL_CMP_T;
	}
}

/* With .EX, ps[1] is the result for the low words, and the answer for equal high words. */
static void run_compare(struct count *c, const struct minst *in)
{
	uint32_t a, b, with, low = 0, is = 0;
	bool known = read_source(c, in, 0, 0, &a);
	known &= read_source(c, in, 1, 0, &b);
	known &= read_predicate(c, in, 0, &with);
	if (in->w.flags & WL_F_EX)
		known &= read_predicate(c, in, 1, &low);
	is = in->w.flags & WL_F_EX && a == b ? low : compared(in, a, b);
	is = in->w.bop == WL_BOOL_AND ? is & with : in->w.bop == WL_BOOL_OR ? is | with : is ^ with;
	set(c, in->pd[0], known, is);
}

static uint32_t from_table(uint8_t lut, uint32_t a, uint32_t b, uint32_t x)
{
	uint32_t d = 0;
	for (unsigned i = 0; i < 32; i++)
		d |= (uint32_t)(lut >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (x >> i & 1)) & 1) << i;
	return d;
}

static bool run_shift(const struct minst *in, const uint32_t v[3], uint32_t *d)
{
	if (v[1] >= 32)
		return false;
	*d = in->w.flags == WL_F_LEFT   ? v[0] << v[1]
	     : in->w.type == WL_SHF_U32 ? v[2] >> v[1]
	     : v[2] >> 31 && v[1]       ? v[2] >> v[1] | ~(0xffffffff >> v[1])
	                                : v[2] >> v[1];
	return true;
}

static void run_word(struct count *c, const struct minst *in)
{
	uint32_t v[3], d = 0;
	bool known = true;
	for (unsigned i = 0; i < 3; i++)
		known &= read_source(c, in, i, 0, &v[i]);
	switch (in->w.uop) {
	case WL_UOP_MOV:
		d = v[1];
		break;
	case WL_UOP_IADD3:
		for (unsigned i = 0; i < 3; i++)
			d += in->w.neg >> i & 1 ? 0 - v[i] : v[i];
		break;
	case WL_UOP_LOP3:
		d = from_table(in->w.lut, v[0], v[1], v[2]);
		break;
	default:
		known = known && run_shift(in, v, &d);
	}
	set(c, in->rd, known, d);
}

static void run_pair(struct count *c, const struct minst *in)
{
	uint64_t v[2] = {0, 0};
	bool known = true;
	for (unsigned i = in->w.uop == PSEUDO_ADD64 ? 0 : 1; i < 2; i++)
		for (unsigned part = 0; part < 2; part++) {
			uint32_t word;
			known &= read_source(c, in, i, part, &word);
			v[i] |= (uint64_t)word << 32 * part;
		}
	set(c, in->rd, known, (uint32_t)(v[0] + v[1]));
	set(c, in->rd + 1, known, (uint32_t)((v[0] + v[1]) >> 32));
}

static void run_steps(struct count *c, uint32_t from, uint32_t end)
{
	for (uint32_t k = from; k < end; k++)
		if (c->step[k]->w.uop == WL_UOP_ISETP)
			run_compare(c, c->step[k]);
		else if (c->step[k]->w.uop >= WL_UOP_COUNT)
			run_pair(c, c->step[k]);
		else
			run_word(c, c->step[k]);
}

/* ---- */

static const struct minst *test_of(const struct mfunc *f, uint32_t block)
{
	const struct mblock *b = f->blocks[block];
	const struct minst *last = b->n ? &b->ins[b->n - 1] : NULL;
	if (b->nsucc != 2 || !last || last->w.uop != WL_UOP_BRA || !ref_is_reg(last->guard) ||
	    last->ps[0] != REF_NONE || last->w.flags || last->word || b->rejoin != NO_BLOCK)
		return NULL;
	return last;
}

static uint32_t count_rounds(struct count *c, const struct minst *test)
{
	const struct word *p = find_word(c, test->guard);
	for (uint32_t round = 1; round <= MAX_ROUNDS; round++) {
		bool taken;
		run_steps(c, 0, c->before_test);
		if (!p->known)
			return 0;
		taken = (p->value != 0) != ((test->w.guard & NOT_P) != 0);
		if (taken != c->l->stays_at_target)
			return round;
		run_steps(c, c->before_test, c->nsteps);
	}
	return 0;
}

static bool count_at(struct mfunc *f, struct counted_loop *l, uint32_t block)
{
	const struct minst *test = test_of(f, block);
	struct count c = {.f = f, .l = l};
	if (!test || !block_dominates(f, block, l->latch) ||
	    loop_contains(f, l->header, test->target) == loop_contains(f, l->header, f->blocks[block]->next))
		return false;
	l->exit = block;
	l->stays_at_target = loop_contains(f, l->header, test->target);
	add_word(&c, test->guard);
	if (!gather_words(&c) || !gather_steps(&c) || !c.nsteps)
		return false;
	for (uint32_t k = 0; k < c.nwords; k++)
		find_value(&c, &c.word[k]);
	l->rounds = count_rounds(&c, test);
	return true;
}

bool loop_count(struct mfunc *f, struct counted_loop *l)
{
	struct counted_loop best = *l;
	bool found = false;
	for (uint32_t i = 0; i < l->nblocks; i++)
		if (count_at(f, l, l->block[i]) &&
		    (!found || (l->rounds && (!best.rounds || l->rounds < best.rounds)))) {
			best = *l;
			found = true;
		}
	*l = best;
	return found;
}

// SPDX-License-Identifier: Apache-2.0
/* number.c -- an instruction becomes a copy of the result of an equal instruction that dominates the former; a
 * predicate becomes the predicate of the latter. fold.c looks through the copies; dead.c removes instructions without
 * readers.
 *
 * Both must have sources with one definition (values.h), and so read the same values. Constants are loaded anew in each
 * block: a constant costs less than a register to keep the value. */
#include "mir_visit.h"
#include "values.h"

#include <string.h>

enum { TRIES = 8 }; /* last instructions with the same hash */

struct entry {
	const struct minst *in;
	uint32_t block;
	uint32_t next; /* previous entry with the same hash, + 1 */
};

struct number {
	struct values v;
	struct mfunc *f;
	struct entry *entry;
	uint32_t n, *first, mask;
	ref *alias; /* by word of a predicate: another predicate with the same value; REF_NONE */
};

static bool is_constant(const struct minst *in)
{
	return (in->w.uop == WL_UOP_MOV || in->w.uop == PSEUDO_MOV64) && in->w.src[1] != WL_SRC_REG;
}

static bool is_copy(const struct minst *in)
{
	return (in->w.uop == WL_UOP_MOV || in->w.uop == PSEUDO_MOV64) && in->w.src[1] == WL_SRC_REG;
}

struct stable {
	const struct values *v;
	const struct minst *in;
	bool all;
};

static void look_source(void *self, ref *r, unsigned words)
{
	struct stable *s = self;
	for (unsigned w = 0; w < (words ? words : 1); w++)
		s->all = s->all && *r != REF_SP && value_stable(s->v, s->in, *r + w);
}

static void look_result(void *self, ref *r, unsigned words)
{
	struct stable *s = self;
	for (unsigned w = 0; w < (words ? words : 1); w++)
		s->all = s->all && value_of_result(s->v, *r + w) == s->in;
}

static bool can_be_shared(struct number *x, struct minst *in)
{
	struct stable s = {&x->v, in, true};
	unsigned words = minst_words(in, WL_REG_RD);
	bool result = words && ref_is_reg(in->rd), predicate = ref_is_reg(in->pd[0]);
	if (in->guard != REF_NONE || in->word || in->call || in->place || in->above_frame || minst_has_effect(in) ||
	    minst_reads_memory(in) || minst_has(in, WL_TRAIT(UNIFORM)) || in->w.uop == WL_UOP_NOP)
		return false;
	if (result == predicate || words > 2 || ref_is_reg(in->pd[1]) || is_copy(in) || in->w.urd != 255)
		return false;
	for (unsigned i = 0; i < 3; i++)
		if (in->w.src[i] == WL_SRC_UREG)
			return false;
	minst_defs(in, look_result, &s);
	if (s.all)
		minst_uses(in, look_source, &s);
	return s.all;
}

/* All parts that decide the value. */
static void key_of(const struct minst *in, struct minst *key)
{
	memset(key, 0, sizeof *key);
	key->w = in->w;
	key->ra = in->ra;
	key->rb = in->rb;
	key->rc = in->rc;
	memcpy(key->ps, in->ps, sizeof key->ps);
	key->imm64 = in->imm64;
}

static bool same(const struct minst *a, const struct minst *b)
{
	struct minst ka, kb;
	key_of(a, &ka);
	key_of(b, &kb);
	return memcmp(&ka, &kb, sizeof ka) == 0;
}

static uint32_t hash(const struct minst *in)
{
	uint64_t h = in->w.uop;
	const uint64_t part[] = {in->ra,    in->rb,   in->rc,      in->w.imm, (uint64_t)in->w.coff,
	                         in->imm64, in->w.op, in->w.flags, in->ps[0]};
	for (unsigned i = 0; i < sizeof part / sizeof *part; i++)
		h = (h ^ part[i]) * UINT64_C(0x9e3779b97f4a7c15) >> 7;
	return (uint32_t)(h ^ h >> 32);
}

static const struct minst *find(const struct number *x, const struct minst *in, uint32_t bucket)
{
	unsigned tries = 0;
	for (uint32_t e = x->first[bucket]; e && tries < TRIES; e = x->entry[e - 1].next, tries++) {
		const struct entry *at = &x->entry[e - 1];
		if (is_constant(in) ? at->block != x->v.block : !block_dominates(x->f, at->block, x->v.block))
			continue;
		if (same(at->in, in))
			return at->in;
	}
	return NULL;
}

static void become_copy(struct minst *in, const struct minst *of)
{
	struct minst mov = minst_make(minst_words(in, WL_REG_RD) == 2 ? (unsigned)PSEUDO_MOV64 : WL_UOP_MOV, in->line);
	mov.rd = in->rd;
	mov.w.src[1] = WL_SRC_REG;
	mov.rb = of->rd;
	*in = mov;
}

static void number_one(struct number *x, struct minst *in)
{
	const struct minst *before;
	uint32_t bucket;
	if (!can_be_shared(x, in))
		return;
	bucket = hash(in) & x->mask;
	before = find(x, in, bucket);
	if (!before) {
		x->entry[x->n] = (struct entry){in, x->v.block, x->first[bucket]};
		x->first[bucket] = ++x->n;
	} else if (ref_is_reg(in->pd[0])) {
		x->alias[in->pd[0]] = before->pd[0];
	} else {
		become_copy(in, before);
	}
}

/* Predicates read by the instruction, where the single definition has a twin. */
static void replace_predicates(struct number *x, struct minst *in)
{
	ref *const all[4] = {&in->guard, &in->ps[0], &in->ps[1], &in->ps[2]};
	for (unsigned i = 0; i < 4; i++)
		if (ref_is_reg(*all[i]) && x->alias[*all[i]] != REF_NONE && value_of(&x->v, *all[i]))
			*all[i] = x->alias[*all[i]];
}

void lower_number(struct mfunc *f)
{
	struct number x = {.f = f};
	uint32_t total = 0, size = 64;
	for (uint32_t i = 0; i < f->nrpo; i++)
		total += f->blocks[f->rpo[i]]->n;
	while (size < total)
		size *= 2;
	x.mask = size - 1;
	x.first = arena_zalloc(f->arena, size * sizeof *x.first);
	x.entry = arena_alloc(f->arena, (total + 1) * sizeof *x.entry);
	x.alias = arena_alloc(f->arena, (4 * (size_t)f->nvregs + 4) * sizeof *x.alias);
	memset(x.alias, 0xff, (4 * (size_t)f->nvregs + 4) * sizeof *x.alias);
	values_init(&x.v, f);
	for (uint32_t i = 0; i < f->nrpo; i++) {
		struct mblock *b = f->blocks[f->rpo[i]];
		x.v.block = b->id;
		for (x.v.index = 0; x.v.index < b->n; x.v.index++) {
			replace_predicates(&x, &b->ins[x.v.index]);
			number_one(&x, &b->ins[x.v.index]);
		}
	}
}

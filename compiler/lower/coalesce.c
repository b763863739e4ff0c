// SPDX-License-Identifier: Apache-2.0
/* coalesce.c -- a value computed only to be copied into a group of registers (data of vector stores, the two values of
 * a compare-and-swap) is computed in the group.
 *
 * All in the same block: x has a single write, and is copied whole to words of the group q without other writes. All
 * reads of q stand behind the copies. Then x takes the place of the words of q, and the copies vanish. */
#include "mir_visit.h"

struct place {
	uint32_t writes; /* a guarded write counts twice */
	uint32_t at;     /* index of the write in the block */
	uint32_t read;   /* index of the first read in the block */
};

struct coalesce {
	struct mfunc *f;
	uint32_t *home;      /* by register: mfunc_homes() */
	struct place *place; /* by word */
	ref *into;           /* by register: new place of its first word; REF_NONE */
	uint32_t index;
	bool guarded;
};

static void note_read(void *self, ref *r, unsigned words)
{
	struct coalesce *c = self;
	for (unsigned w = 0; w < (words ? words : 1); w++)
		if (c->place[*r + w].read > c->index)
			c->place[*r + w].read = c->index;
}

static void note_write(void *self, ref *r, unsigned words)
{
	struct coalesce *c = self;
	for (unsigned w = 0; w < (words ? words : 1); w++) {
		c->place[*r + w].writes += c->guarded ? 2 : 1;
		c->place[*r + w].at = c->index;
	}
}

static bool is_copy(const struct minst *in)
{
	return in->w.uop == WL_UOP_MOV && in->w.src[1] == WL_SRC_REG && ref_is_reg(in->rd) && ref_is_reg(in->rb) &&
	       in->guard == REF_NONE && !in->word && !in->call && !in->place;
}

/* The only write of word k of q copies word k of x, behind the write of x and before all reads of this word of q. */
static bool word_fits(const struct coalesce *c, const struct mblock *b, ref x, ref q)
{
	const struct place *from = &c->place[x], *to = &c->place[q];
	const struct minst *copy;
	if (from->writes != 1 || to->writes != 1 || from->at >= to->at || to->read <= to->at || to->at >= b->n)
		return false;
	copy = &b->ins[to->at];
	return is_copy(copy) && copy->rd == q && copy->rb == x;
}

static bool fits(const struct coalesce *c, const struct mblock *b, ref x, ref q)
{
	const struct vreg *vx = &c->f->vregs[ref_reg(x)], *vq = &c->f->vregs[ref_reg(q)];
	if (vx->fixed || vq->fixed || vx->pred || vq->pred || vx->words >= vq->words || ref_word(q) % vx->words ||
	    ref_word(x) || c->home[ref_reg(x)] != b->id || c->home[ref_reg(q)] != b->id ||
	    c->into[ref_reg(x)] != REF_NONE)
		return false;
	for (unsigned w = 0; w < vx->words; w++)
		if (!word_fits(c, b, x + w, q + w))
			return false;
	return true;
}

static void rename_word(void *self, ref *r, unsigned words)
{
	const struct coalesce *c = self;
	(void)words;
	while (c->into[ref_reg(*r)] != REF_NONE)
		*r = c->into[ref_reg(*r)] + ref_word(*r);
}

static void look_through(struct coalesce *c, struct mblock *b)
{
	for (c->index = 0; c->index < b->n; c->index++) {
		struct minst *in = &b->ins[c->index];
		c->guarded = in->guard != REF_NONE;
		minst_uses(in, note_read, c);
		minst_defs(in, note_write, c);
	}
}

static void rename_in(struct coalesce *c, struct mblock *b)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < b->n; k++) {
		struct minst in = b->ins[k];
		minst_uses(&in, rename_word, c);
		minst_defs(&in, rename_word, c);
		if (!(is_copy(&in) && in.rd == in.rb))
			b->ins[n++] = in;
	}
	b->n = n;
}

void lower_coalesce(struct mfunc *f)
{
	size_t words = 4 * (size_t)f->nvregs + 4;
	struct coalesce c = {.f = f, .home = mfunc_homes(f)};
	c.into = arena_alloc(f->arena, (f->nvregs + 1) * sizeof *c.into);
	c.place = arena_alloc(f->arena, words * sizeof *c.place);
	for (uint32_t v = 0; v < f->nvregs; v++)
		c.into[v] = REF_NONE;
	for (size_t w = 0; w < words; w++)
		c.place[w] = (struct place){0, 0, UINT32_MAX};
	for (uint32_t i = 0; i < f->nrpo; i++)
		look_through(&c, f->blocks[f->rpo[i]]);
	for (uint32_t i = 0; i < f->nrpo; i++) {
		struct mblock *b = f->blocks[f->rpo[i]];
		for (uint32_t k = 0; k < b->n; k++)
			if (is_copy(&b->ins[k]) && fits(&c, b, b->ins[k].rb, b->ins[k].rd))
				c.into[ref_reg(b->ins[k].rb)] = b->ins[k].rd;
	}
	for (uint32_t i = 0; i < f->nrpo; i++)
		rename_in(&c, f->blocks[f->rpo[i]]);
}

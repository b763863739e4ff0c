// SPDX-License-Identifier: Apache-2.0
/* choose.c -- an instruction with a result used only as a side of a choice runs under the choice's predicate:
 *
 *   o = ...; t = x op y; d = p ? t : o        d = ...; @p d = x op y
 *
 * All in the same block: only the choice reads t, no instruction behind the choice reads o, and d is free from the
 * write of o on. */
#include "mir_visit.h"

enum { NEAR = 128 }; /* instructions in front of a choice to look at */

struct place { /* indices in the block */
	uint32_t writes, first_write, last_write;
	uint32_t reads, first_read, last_read;
};

struct choose {
	struct mfunc *f;
	uint32_t *home;      /* by register: mfunc_homes() */
	struct place *place; /* by register; holds where home is one block */
	uint32_t index;
};

static void note_read(void *self, ref *r, unsigned words)
{
	struct choose *c = self;
	struct place *p = &c->place[ref_reg(*r)];
	(void)words;
	if (!p->reads++)
		p->first_read = c->index;
	p->last_read = c->index;
}

static void note_write(void *self, ref *r, unsigned words)
{
	struct choose *c = self;
	struct place *p = &c->place[ref_reg(*r)];
	(void)words;
	if (!p->writes++)
		p->first_write = c->index;
	p->last_write = c->index;
}

static bool touches(struct minst *in, ref r)
{
	return minst_reads(in, r, 1) || minst_writes(in, r, 1);
}

/* A register of one word, unknown outside the block and written before the first read. */
static const struct place *place_of(const struct choose *c, const struct mblock *b, ref r)
{
	const struct vreg *v = ref_is_reg(r) ? &c->f->vregs[ref_reg(r)] : NULL;
	const struct place *p = v ? &c->place[ref_reg(r)] : NULL;
	return v && !v->fixed && !v->pred && v->words == 1 && c->home[ref_reg(r)] == b->id && p->writes && p->reads &&
	                       p->first_write < p->first_read
	               ? p
	               : NULL;
}

/* Uniform registers have fixed numbers: another instruction may write the register before the choice. */
static bool reads_uniform(const struct minst *in)
{
	for (unsigned i = 0; i < 3; i++)
		if (in->w.src[i] == WL_SRC_UREG)
			return true;
	return in->w.ur != 255;
}

static bool may_be_guarded(const struct minst *in)
{
	return minst_may_be_guarded(in) && !reads_uniform(in) && in->pd[0] == REF_NONE && in->pd[1] == REF_NONE &&
	       minst_words(in, WL_REG_RD) == 1 && in->w.urd == 255 && !minst_has_effect(in) && !minst_reads_memory(in);
}

struct between {
	struct mblock *b;
	uint32_t from, to; /* exclusive */
	bool written;
};

static void look_written(void *self, ref *r, unsigned words)
{
	struct between *x = self;
	for (uint32_t k = x->from + 1; k < x->to && !x->written; k++)
		x->written = minst_writes(&x->b->ins[k], *r, words);
}

/* The instruction that makes t may stand at the choice, and write d. */
static bool may_move(struct mblock *b, uint32_t from, uint32_t at, ref d)
{
	struct between x = {b, from, at, false};
	if (at - from > NEAR || !may_be_guarded(&b->ins[from]) || touches(&b->ins[from], d))
		return false;
	minst_uses(&b->ins[from], look_written, &x);
	return !x.written;
}

/* From the first write of o on, d may hold the value of o. */
static bool is_free(struct mblock *b, uint32_t from, uint32_t at, ref d)
{
	if (at - from > NEAR || minst_writes(&b->ins[from], d, 1))
		return false;
	for (uint32_t k = from + 1; k < at; k++)
		if (touches(&b->ins[k], d))
			return false;
	return true;
}

struct renaming {
	ref from, to;
};

static void rename_word(void *self, ref *r, unsigned words)
{
	const struct renaming *n = self;
	(void)words;
	if (*r == n->from)
		*r = n->to;
}

static void rename_range(struct mblock *b, uint32_t from, uint32_t to, ref o, ref d)
{
	struct renaming n = {o, d};
	for (uint32_t k = from; k <= to; k++) {
		if (k > from)
			minst_uses(&b->ins[k], rename_word, &n);
		minst_defs(&b->ins[k], rename_word, &n);
	}
}

/* The choice at `at`: t if the predicate is as `sense` says, else o. */
static bool guard_side(struct choose *c, struct mblock *b, uint32_t at, ref t, ref o, uint8_t sense)
{
	const struct minst sel = b->ins[at];
	const ref d = sel.rd;
	const struct place *pt = place_of(c, b, t), *po = place_of(c, b, o);
	struct place *pd = &c->place[ref_reg(d)];
	if (!pt || !po || t == o || t == d || o == d || pt->reads != 1 || pt->writes != 1 || po->last_read != at ||
	    po->last_write >= at || !may_move(b, pt->first_write, at, d) || !is_free(b, po->first_write, at, d))
		return false;
	b->ins[at] = b->ins[pt->first_write];
	b->ins[pt->first_write] = minst_make(WL_UOP_NOP, sel.line);
	b->ins[at].rd = d;
	b->ins[at].guard = sel.ps[0];
	b->ins[at].w.guard = sense;
	rename_range(b, po->first_write, at, o, d);
	if (po->first_write < pd->first_write)
		pd->first_write = po->first_write;
	if (!pd->reads || po->first_read < pd->first_read)
		pd->first_read = po->first_read;
	pd->writes += po->writes;
	pd->reads += po->reads;
	return true;
}

static void note_block(struct choose *c, struct mblock *b)
{
	for (c->index = 0; c->index < b->n; c->index++) {
		minst_uses(&b->ins[c->index], note_read, c);
		minst_defs(&b->ins[c->index], note_write, c);
	}
}

static void try_block(struct choose *c, struct mblock *b)
{
	bool any = false;
	for (uint32_t at = 0; at < b->n; at++) {
		const struct minst *sel = &b->ins[at];
		const ref ra = sel->ra, rb = sel->rb;
		const uint8_t sense = sel->w.ps[0] & NOT_P;
		if (sel->w.uop != WL_UOP_SEL || sel->guard != REF_NONE || sel->word || !ref_is_reg(sel->ps[0]) ||
		    !ref_is_reg(sel->rd) || sel->w.src[0] != WL_SRC_REG || sel->w.src[1] != WL_SRC_REG || sel->w.neg ||
		    sel->w.abs || sel->w.inv || (sel->w.flags & WL_F_PAIR))
			continue;
		if (guard_side(c, b, at, ra, rb, sense) || guard_side(c, b, at, rb, ra, sense ^ NOT_P))
			any = true;
	}
	if (any) {
		uint32_t n = 0;
		for (uint32_t k = 0; k < b->n; k++)
			if (b->ins[k].w.uop != WL_UOP_NOP || b->ins[k].word)
				b->ins[n++] = b->ins[k];
		b->n = n;
	}
}

void lower_choose(struct mfunc *f)
{
	struct choose c = {.f = f, .home = mfunc_homes(f)};
	c.place = arena_zalloc(f->arena, (f->nvregs + 1) * sizeof *c.place);
	for (uint32_t i = 0; i < f->nrpo; i++)
		note_block(&c, f->blocks[f->rpo[i]]);
	for (uint32_t i = 0; i < f->nrpo; i++)
		try_block(&c, f->blocks[f->rpo[i]]);
}

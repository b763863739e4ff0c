// SPDX-License-Identifier: Apache-2.0
/* values.c -- sources of the words of registers, for words with a single source. */
#include "mir_visit.h"
#include "values.h"

#include <string.h>

struct note {
	struct values *v;
	struct minst *in;
};

static void note_def(void *self, ref *r, unsigned words)
{
	struct note *n = self;
	for (unsigned w = 0; w < (words ? words : 1); w++) {
		struct value_def *d = &n->v->def[*r + w];
		d->in = n->in;
		d->block = n->v->block;
		d->index = n->v->index;
		d->count += n->in->guard == REF_NONE ? 1 : 2;
	}
}

static bool dominates(const struct values *v, const struct value_def *d, uint32_t block, uint32_t index)
{
	return d->block == block ? d->index < index : block_dominates(v->f, d->block, block);
}

const struct minst *value_of(const struct values *v, ref r)
{
	const struct value_def *d;
	if (!ref_is_reg(r) || r >= v->nwords)
		return NULL;
	d = &v->def[r];
	return d->count == 1 && dominates(v, d, v->block, v->index) ? d->in : NULL;
}

const struct minst *value_of_result(const struct values *v, ref r)
{
	return ref_is_reg(r) && r < v->nwords && v->def[r].count == 1 ? v->def[r].in : NULL;
}

const struct minst *value_of_pair(const struct values *v, ref r)
{
	const struct minst *in = value_of(v, r);
	return in && in == value_of(v, r + 1) ? in : NULL;
}

/* The place of the single definition of the result, for an instruction given by value_of(). */
static const struct value_def *place_of(const struct values *v, const struct minst *in)
{
	return &v->def[minst_words(in, WL_REG_RD) && ref_is_reg(in->rd) ? in->rd : in->pd[0]];
}

bool value_same_block(const struct values *v, const struct minst *a, const struct minst *b)
{
	return place_of(v, a)->block == place_of(v, b)->block;
}

bool value_stable(const struct values *v, const struct minst *user, ref r)
{
	const struct value_def *d;
	if (!ref_is_reg(r) || r >= v->nwords)
		return true;
	d = &v->def[r];
	return d->count == 1 && dominates(v, d, place_of(v, user)->block, place_of(v, user)->index);
}

bool value_stable_pair(const struct values *v, const struct minst *user, ref r)
{
	return r == REF_NONE || (r != REF_SP && value_stable(v, user, r) && value_stable(v, user, r + 1));
}

bool value_lasts(const struct values *v, const struct minst *user, ref r)
{
	const struct value_def *d, *from;
	if (value_stable(v, user, r))
		return true;
	if (v->f->vregs[ref_reg(r)].fixed)
		return false; /* values handed over by calls are there only for a moment */
	d = &v->def[r];
	from = place_of(v, user);
	return from->block == v->block && (d->last_in != v->block + 1 || d->last_index < from->index);
}

bool value_lasts_pair(const struct values *v, const struct minst *user, ref r)
{
	return r == REF_NONE || (r != REF_SP && value_lasts(v, user, r) && value_lasts(v, user, r + 1));
}

static void note_last(void *self, ref *r, unsigned words)
{
	struct values *v = self;
	for (unsigned w = 0; w < (words ? words : 1); w++)
		if (*r + w < v->nwords) {
			v->def[*r + w].last_in = v->block + 1;
			v->def[*r + w].last_index = v->index;
		}
}

void values_pass(struct values *v, struct minst *in)
{
	minst_defs(in, note_last, v);
}

void values_init(struct values *v, struct mfunc *f)
{
	*v = (struct values){.f = f, .nwords = 4 * f->nvregs};
	if (v->nwords + 4u > f->value_room) { /* a single pass at a time has values: new room would be new pages */
		f->value_room = v->nwords + v->nwords / 4 + 4u;
		f->value_defs = arena_alloc(f->arena, f->value_room * sizeof *v->def);
	}
	v->def = f->value_defs;
	memset(v->def, 0, (v->nwords + 4u) * sizeof *v->def);
	for (unsigned r = 0; r < WL_NUM_REGS; r++) /* written by calls, and by callers */
		for (unsigned w = 0; f->fixed[r] && w < f->vregs[f->fixed[r] - 1].words; w++)
			v->def[((f->fixed[r] - 1) << 2) + w].count = 2;
	for (uint32_t i = 0; i < f->nrpo; i++) {
		struct mblock *b = f->blocks[f->rpo[i]];
		v->block = b->id;
		for (v->index = 0; v->index < b->n; v->index++) {
			struct note n = {v, &b->ins[v->index]};
			minst_defs(n.in, note_def, &n);
		}
	}
}

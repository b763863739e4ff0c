// SPDX-License-Identifier: Apache-2.0
/* ways.c -- least and most events on the paths from a block to the common meeting block.
 *
 * Paths to another exit count for nothing: their threads wait for nobody. */
#include "analysis.h"

struct range {
	unsigned least, most;
	bool inside, meets;
};

struct walk {
	const struct analysis *a;
	uint32_t meet;
	struct range *range; /* by block: from the start of the block to the meeting place */
	struct count *own;   /* by block */
};

static void find_inside(struct walk *w, uint32_t from)
{
	const struct mfunc *f = &w->a->s.f;
	uint32_t *stack = arena_alloc(w->a->walk, (3 * f->nblocks + 3) * sizeof *stack), n = 0;
	stack[n++] = from;
	while (n) {
		const uint32_t b = stack[--n];
		if (b == w->meet || w->range[b].inside || !f->blocks[b]->reaches_end)
			continue;
		w->range[b] = (struct range){.inside = true, .least = WAY_MANY};
		for (unsigned k = 0; k < f->blocks[b]->nsucc; k++)
			stack[n++] = f->blocks[b]->succ[k];
	}
}

static bool update(struct walk *w, uint32_t b)
{
	const struct mblock *m = w->a->s.f.blocks[b];
	struct range r = {.inside = true, .least = WAY_MANY};
	bool changed;
	for (unsigned k = 0; k < m->nsucc; k++) {
		const struct range *to = &w->range[m->succ[k]];
		if (!to->meets)
			continue;
		r.meets = true;
		r.least = to->least < r.least ? to->least : r.least;
		r.most = to->most > r.most ? to->most : r.most;
	}
	if (!r.meets)
		return false;
	r.least = r.least + w->own[b].least > WAY_MANY ? WAY_MANY : r.least + w->own[b].least;
	r.most = r.most + w->own[b].most > WAY_MANY ? WAY_MANY : r.most + w->own[b].most;
	changed = r.least != w->range[b].least || r.most != w->range[b].most || !w->range[b].meets;
	w->range[b] = r;
	return changed;
}

static struct count count_block(const struct analysis *a, uint32_t b, event_count count, void *self, uint32_t *first)
{
	struct count sum = {0, 0};
	for (uint32_t i = a->s.first[b]; i < a->s.last[b]; i++) {
		const struct count c = count(self, i);
		sum.least += c.least;
		sum.most += c.most;
		if (c.most && *first == PTX_NONE)
			*first = i;
	}
	return sum;
}

struct way way_count(const struct analysis *a, uint32_t from, uint32_t meet, event_count count, void *self)
{
	const struct mfunc *f = &a->s.f;
	struct walk w = {.a = a, .meet = meet};
	uint32_t first = PTX_NONE;
	bool changed = true;
	if (from == meet)
		return (struct way){.meets = true, .first = PTX_NONE};
	arena_reset(a->walk);
	w.range = arena_zalloc(a->walk, (f->nblocks + 1) * sizeof *w.range);
	w.own = arena_zalloc(a->walk, (f->nblocks + 1) * sizeof *w.own);
	find_inside(&w, from);
	w.range[meet] = (struct range){.meets = true};
	for (uint32_t i = 0; i < f->nrpo; i++)
		if (w.range[f->rpo[i]].inside)
			w.own[f->rpo[i]] = count_block(a, f->rpo[i], count, self, &first);
	while (changed) {
		changed = false;
		for (uint32_t i = f->nrpo; i-- > 0;)
			if (w.range[f->rpo[i]].inside)
				changed |= update(&w, f->rpo[i]);
	}
	return (struct way){w.range[from].meets, w.range[from].least, w.range[from].most, first};
}

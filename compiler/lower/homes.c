// SPDX-License-Identifier: Apache-2.0
/* homes.c -- readers and writers of a register: within an instruction, or by block of a function. */
#include "mir_visit.h"

struct search {
	ref r;
	unsigned words;
	bool found;
};

static void look(void *self, ref *r, unsigned words)
{
	struct search *s = self;
	if (*r < s->r + s->words && s->r < *r + (words ? words : 1))
		s->found = true;
}

bool minst_reads(struct minst *in, ref r, unsigned words)
{
	struct search s = {r, words ? words : 1, false};
	minst_uses(in, look, &s);
	return s.found;
}

bool minst_writes(struct minst *in, ref r, unsigned words)
{
	struct search s = {r, words ? words : 1, false};
	minst_defs(in, look, &s);
	return s.found;
}

struct homes {
	uint32_t *home;
	uint32_t block;
};

static void note(void *self, ref *r, unsigned words)
{
	const struct homes *h = self;
	uint32_t *home = &h->home[ref_reg(*r)];
	(void)words;
	if (*home != h->block)
		*home = *home == NO_BLOCK ? h->block : MANY_BLOCKS;
}

uint32_t *mfunc_homes(const struct mfunc *f)
{
	struct homes h = {.home = arena_alloc(f->arena, (f->nvregs + 1) * sizeof *h.home)};
	for (uint32_t v = 0; v < f->nvregs; v++)
		h.home[v] = NO_BLOCK;
	for (uint32_t i = 0; i < f->nrpo; i++) {
		const struct mblock *b = f->blocks[f->rpo[i]];
		h.block = b->id;
		for (uint32_t k = 0; k < b->n; k++) {
			minst_uses(&b->ins[k], note, &h);
			minst_defs(&b->ins[k], note, &h);
		}
	}
	return h.home;
}

// SPDX-License-Identifier: Apache-2.0
/* live.c -- which words of which registers are wanted later, at both ends of every block.
 * Bit 4 * register + word. A guarded write does not end the life of the value before it. */
#include "mir.h"

#include <string.h>

struct sets {
	uint64_t *gen, *kill;
};

static void set_bits(uint64_t *set, ref r, unsigned words)
{
	set[r / 64] |= ((UINT64_C(1) << (words ? words : 1)) - 1) << (r % 64);
}

static void clear_bits(uint64_t *set, ref r, unsigned words)
{
	set[r / 64] &= ~(((UINT64_C(1) << (words ? words : 1)) - 1) << (r % 64));
}

static void note_use(void *self, ref *r, unsigned words)
{
	set_bits(((struct sets *)self)->gen, *r, words);
}

static void note_def(void *self, ref *r, unsigned words)
{
	struct sets *s = self;

	clear_bits(s->gen, *r, words);
	set_bits(s->kill, *r, words);
}

/* Backwards, so that what is used before it is written stays in gen. */
static void summarise(struct mblock *b, struct sets *s)
{
	for (uint32_t k = b->n; k-- > 0;) {
		struct minst *in = &b->ins[k];

		if (in->guard == REF_NONE)
			minst_defs(in, note_def, s);
		minst_uses(in, note_use, s);
	}
}

void lower_live(struct mfunc *f)
{
	size_t words = (4 * (size_t)f->nvregs + 63) / 64 + 1;
	struct sets *s = arena_alloc(f->arena, (f->nblocks + 1) * sizeof *s);
	bool changed = true;

	for (uint32_t i = 0; i < f->nrpo; i++) {
		struct mblock *b = f->blocks[f->rpo[i]];

		s[b->id].gen = arena_zalloc(f->arena, words * sizeof(uint64_t));
		s[b->id].kill = arena_zalloc(f->arena, words * sizeof(uint64_t));
		b->live_in = arena_zalloc(f->arena, words * sizeof(uint64_t));
		b->live_out = arena_zalloc(f->arena, words * sizeof(uint64_t));
		summarise(b, &s[b->id]);
	}
	while (changed) {
		changed = false;
		for (uint32_t i = f->nrpo; i-- > 0;) {
			struct mblock *b = f->blocks[f->rpo[i]];

			for (uint32_t k = 0; k < b->nsucc; k++)
				for (size_t w = 0; w < words; w++)
					b->live_out[w] |= f->blocks[b->succ[k]]->live_in[w];
			for (size_t w = 0; w < words; w++) {
				uint64_t in = s[b->id].gen[w] | (b->live_out[w] & ~s[b->id].kill[w]);

				if (in != b->live_in[w]) {
					b->live_in[w] = in;
					changed = true;
				}
			}
		}
	}
}

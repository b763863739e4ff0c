// SPDX-License-Identifier: Apache-2.0
/* spill.c -- registers without a place live in local memory, predicates in general registers; each use and each write
 * gets a register for just this instruction. */
#include "mir_visit.h"

struct spill {
	struct mfunc *f;
	const bool *spilled;
	uint32_t nspilled; /* registers known when the decision was made */
	uint32_t *slot;    /* of a register: the place in the frame; of a predicate: the register with the value */
	struct mblock *out;
	struct minst *in;
	struct minst after[4]; /* code behind the instruction */
	unsigned nafter;
};

static bool is_spilled(const struct spill *s, ref r)
{
	return ref_reg(r) < s->nspilled && s->spilled[ref_reg(r)];
}

static struct minst local_access(const struct spill *s, unsigned uop, ref r, unsigned words)
{
	struct minst in = minst_make(uop, s->in->line);
	in.ra = REF_SP;
	in.w.off = (int32_t)(s->slot[ref_reg(r)] + 4 * ref_word(r));
	in.w.size = (uint8_t)(4 * words);
	return in;
}

static uint32_t temporary(struct spill *s, bool pred, unsigned words)
{
	uint32_t t = pred ? mfunc_new_pred(s->f) : mfunc_new_reg(s->f, words);
	s->f->vregs[t].unspillable = true;
	return t;
}

/* t = the value of r, before the instruction. */
static void fetch(struct spill *s, ref r, unsigned words, uint32_t t)
{
	struct minst in;
	if (words) {
		s->f->loaded += 4 * words;
		in = local_access(s, WL_UOP_LDL, r, words);
		in.rd = t << 2;
	} else {
		in = minst_make(WL_UOP_ISETP, s->in->line);
		in.w.src[0] = in.w.src[1] = WL_SRC_REG;
		in.ra = s->slot[ref_reg(r)] << 2;
		in.w.op = WL_CMP_NE;
		in.pd[0] = t << 2;
	}
	mblock_append(s->f, s->out, &in);
}

static void put_away(struct spill *s, ref r, unsigned words, uint32_t t)
{
	struct minst in;
	if (words) {
		s->f->stored += 4 * words;
		in = local_access(s, WL_UOP_STL, r, words);
		in.rb = t << 2;
	} else {
		in = minst_make(WL_UOP_SEL, s->in->line);
		in.w.src[0] = WL_SRC_REG;
		in.w.src[1] = WL_SRC_IMM;
		in.w.imm = 1;
		in.ps[0] = t << 2;
		in.w.ps[0] = NOT_P; /* not t: A = 0, t: B = 1 */
		in.rd = s->slot[ref_reg(r)] << 2;
	}
	s->after[s->nafter++] = in;
}

static void on_use(void *self, ref *r, unsigned words)
{
	struct spill *s = self;
	uint32_t t;
	if (!is_spilled(s, *r))
		return;
	t = temporary(s, words == 0, words);
	fetch(s, *r, words, t);
	*r = t << 2;
}

static void on_def(void *self, ref *r, unsigned words)
{
	struct spill *s = self;
	uint32_t t;
	if (!is_spilled(s, *r))
		return;
	t = temporary(s, words == 0, words);
	if (s->in->guard != REF_NONE) /* where the guard is false the old value goes back */
		fetch(s, *r, words, t);
	put_away(s, *r, words, t);
	*r = t << 2;
}

static void make_slots(struct spill *s)
{
	for (uint32_t v = 0; v < s->nspilled; v++) {
		const struct vreg *r = &s->f->vregs[v];
		uint32_t bytes = 4u * r->words;
		if (!s->spilled[v])
			continue;
		if (r->pred) {
			s->slot[v] = mfunc_new_reg(s->f, 1);
		} else {
			s->slot[v] = (s->f->frame + bytes - 1) / bytes * bytes;
			s->f->frame = s->slot[v] + bytes;
			s->f->uses_sp = true;
		}
	}
}

void lower_spill(struct mfunc *f, const bool *spilled)
{
	struct spill s = {.f = f, .spilled = spilled, .nspilled = f->nvregs};
	s.slot = arena_zalloc(f->arena, (f->nvregs + 1) * sizeof *s.slot);
	make_slots(&s);
	for (uint32_t i = 0; i < f->norder; i++) {
		struct mblock *b = f->blocks[f->order[i]], old = *b;
		s.out = b;
		b->ins = NULL;
		b->n = b->cap = 0;
		for (uint32_t k = 0; k < old.n; k++) {
			struct minst in = old.ins[k];
			s.in = &in;
			s.nafter = 0;
			minst_defs(&in, on_def, &s);
			minst_uses(&in, on_use, &s);
			mblock_append(f, b, &in);
			for (unsigned n = 0; n < s.nafter; n++)
				mblock_append(f, b, &s.after[n]);
		}
	}
}

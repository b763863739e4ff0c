// SPDX-License-Identifier: Apache-2.0
/* expand_pairs.c -- pseudo instructions on register pairs become instructions of the machine. */
#include "mir.h"

/* Word `w` of source B of a pseudo instruction, put into source B of `to`. */
static void put_word(struct minst *to, const struct minst *from, unsigned w)
{
	to->w.src[1] = from->w.src[1];
	if (from->w.src[1] == WL_SRC_IMM) {
		to->w.imm = (uint32_t)(from->imm64 >> (32 * w));
		if (to->w.imm == 0) /* RZ */
			to->w.src[1] = WL_SRC_REG;
	} else if (from->w.src[1] == WL_SRC_CONST) {
		to->w.coff = from->w.coff + 4 * (int32_t)w;
	} else {
		to->rb = ref_is_reg(from->rb) ? from->rb + w : from->rb;
	}
}

static struct minst half(const struct minst *from, unsigned uop, unsigned w)
{
	struct minst in = minst_make(uop, from->line);
	in.guard = from->guard;
	in.w.guard = from->w.guard;
	in.rd = from->rd + w;
	put_word(&in, from, w);
	return in;
}

static void expand_mov(struct mfunc *f, struct mblock *out, const struct minst *in)
{
	/* Pairs are aligned: two pairs are the same or apart, and the order of the words does not matter. */
	for (unsigned w = 0; w < 2; w++) {
		struct minst mov = half(in, WL_UOP_MOV, w);
		mblock_append(f, out, &mov);
	}
}

static void expand_add(struct mfunc *f, struct mblock *out, const struct minst *in)
{
	uint32_t carry = mfunc_new_pred(f);
	for (unsigned w = 0; w < 2; w++) {
		struct minst add = half(in, WL_UOP_IADD3, w);
		add.w.src[0] = add.w.src[2] = WL_SRC_REG;
		add.ra = ref_is_reg(in->ra) ? in->ra + w : in->ra;
		if (w == 0) {
			add.pd[0] = carry << 2;
		} else {
			add.w.flags |= WL_F_X;
			add.ps[0] = carry << 2;
			add.w.ps[0] = 0;
			add.w.ps[1] = WL_PT | NOT_P;
		}
		mblock_append(f, out, &add);
	}
}

void lower_expand(struct mfunc *f)
{
	for (uint32_t i = 0; i < f->norder; i++) {
		struct mblock *b = f->blocks[f->order[i]], old = *b;
		b->ins = NULL;
		b->n = b->cap = 0;
		for (uint32_t k = 0; k < old.n; k++) {
			if (old.ins[k].w.uop == PSEUDO_MOV64)
				expand_mov(f, b, &old.ins[k]);
			else if (old.ins[k].w.uop == PSEUDO_ADD64)
				expand_add(f, b, &old.ins[k]);
			else
				mblock_append(f, b, &old.ins[k]);
		}
	}
}

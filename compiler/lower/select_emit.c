// SPDX-License-Identifier: Apache-2.0
/* select_emit.c -- machine instructions put into blocks, under the guard where the guard matters; moves; control inside
 * a PTX instruction. */
#include "mir_visit.h"
#include "select.h"

#include <stdio.h>

ref select_tmp(struct select *s, unsigned words)
{
	return vreg_ref(mfunc_new_reg(s->f, words));
}

ref select_tmp_pred(struct select *s)
{
	return vreg_ref(mfunc_new_pred(s->f));
}

static void note_named(void *self, ref *r, unsigned words)
{
	struct select *s = ((void **)self)[0];
	bool *named = ((void **)self)[1];
	(void)words;
	if (s->f->vregs[ref_reg(*r)].named)
		*named = true;
}

bool select_is_aligned(const struct ptx_instr *i)
{
	switch (i->op) {
	case PTX_OP_bar:
	case PTX_OP_bar_cta:
	case PTX_OP_bar_arrive:
	case PTX_OP_bar_cta_arrive:
	case PTX_OP_bar_red:
	case PTX_OP_bar_cta_red:
		return true;
	default:
		return ptx_has(i, PTX_M_aligned);
	}
}

void select_emit(struct select *s, struct minst *in)
{
	bool named = false;
	void *note[2] = {s, &named};

	in->line = s->line;
	in->polls = s->polls && (minst_has(in, WL_TRAIT(ATOMIC)) || minst_is_call(in));
	select_mark(s, in);
	if (s->guard != REF_NONE && in->guard == REF_NONE) {
		minst_defs(in, note_named, note);
		if (named || minst_has_effect(in) || minst_reads_memory(in)) {
			in->guard = s->guard;
			in->w.guard = s->guard_negated ? NOT_P : 0;
			in->fresh = !named;
		}
	}
	mblock_append(s->f, s->b, in);
}

bool select_word(struct select *s, struct minst *in, const char *text)
{
	char why[160] = "";
	in->word = arena_zalloc(s->f->arena, sizeof *in->word);
	if (wl_assemble(s->f->arch, text, 0, in->word, why, sizeof why) != WL_OK ||
	    wl_decode(s->f->arch, *in->word, &in->w) != WL_OK) {
		select_error(s, "internal error: no word for '%s': %s", text, why);
		return false;
	}
	in->keep = true;
	in->computes = true; /* no word waits for another thread */
	return true;
}

void select_text(struct select *s, const char *fmt, ...)
{
	struct minst in = minst_make(WL_UOP_NOP, s->line);
	char text[128];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (select_word(s, &in, text))
		select_emit(s, &in);
}

uint16_t select_row(struct select *s, const char *text)
{
	struct wl_word word;
	struct wl_inst in;
	char why[160] = "";
	if (wl_assemble(s->f->arch, text, 0, &word, why, sizeof why) == WL_OK &&
	    wl_decode(s->f->arch, word, &in) == WL_OK)
		return in.row;
	select_error(s, "internal error: no word for '%s': %s", text, why);
	return 0xffff;
}

/* A value of the constant bank, on targets with no bank operands in arithmetic. */
static bool load_constant(struct select *s, ref d, struct val v, unsigned bytes)
{
	struct minst in = minst_make(WL_UOP_LDC, s->line);
	if (v.kind != WL_SRC_CONST || s->f->target->bank_operands)
		return false;
	in.rd = d;
	in.w.off = (int32_t)v.off;
	in.w.size = (uint8_t)bytes;
	select_emit(s, &in);
	return true;
}

void select_mov(struct select *s, ref d, struct val v)
{
	struct minst in;
	if (load_constant(s, d, v, 4))
		return;
	in = select_alu(s, WL_UOP_MOV, d, VAL_ZERO, v, VAL_ZERO);

	select_emit(s, &in);
}

void select_mov64(struct select *s, ref d, struct val v)
{
	struct minst in = minst_make(PSEUDO_MOV64, s->line);
	if (load_constant(s, d, v, 8))
		return;
	in.rd = d;
	in.w.src[1] = (uint8_t)v.kind;
	in.rb = v.kind == WL_SRC_REG ? v.r : REF_NONE;
	in.imm64 = v.imm;
	in.w.coff = (int32_t)v.off;
	select_emit(s, &in);
}

ref select_in_reg(struct select *s, struct val v, unsigned bits)
{
	ref r;

	if (v.kind == WL_SRC_REG)
		return v.r;
	r = select_tmp(s, bits / 32);
	if (bits == 64)
		select_mov64(s, r, v);
	else
		select_mov(s, r, v);
	return r;
}

static void put_source(struct minst *in, unsigned which, struct val v)
{
	ref *r = which == 0 ? &in->ra : which == 1 ? &in->rb : &in->rc;

	in->w.src[which] = (uint8_t)v.kind;
	*r = REF_NONE;
	if (v.kind == WL_SRC_REG)
		*r = v.r;
	else if (v.kind == WL_SRC_IMM)
		in->w.imm = (uint32_t)v.imm;
	else
		in->w.coff = (int32_t)v.off;
}

struct minst select_alu(struct select *s, unsigned uop, ref d, struct val a, struct val b, struct val c)
{
	struct minst in = minst_make(uop, s->line);
	unsigned wide = uop == WL_UOP_IMAD_WIDE ? 64 : 32;
	bool taken; /* a word has room for only one source other than a register */

	if (a.kind != WL_SRC_REG)
		a = val_reg(select_in_reg(s, a, 32));
	if (!mfunc_takes(s->f, uop, 1, b.kind))
		b = val_reg(select_in_reg(s, b, 32));
	taken = b.kind != WL_SRC_REG;
	if (taken || !mfunc_takes(s->f, uop, 2, c.kind))
		c = val_reg(select_in_reg(s, c, wide));
	in.rd = d;
	if (minst_words(&in, WL_REG_RA))
		put_source(&in, 0, a);
	if (minst_words(&in, WL_REG_RB))
		put_source(&in, 1, b);
	if (minst_words(&in, WL_REG_RC))
		put_source(&in, 2, c);
	return in;
}

/* ---- control inside one instruction ------------------------------------------------------------------------ */

struct mblock *select_new_block(struct select *s)
{
	return mfunc_new_block(s->f);
}

static void place(struct select *s, struct mblock *b)
{
	mfunc_place(s->f, b->id);
	s->b = b;
}

void select_fall(struct select *s, struct mblock *to)
{
	if (s->b && s->b->next == NO_BLOCK && !(s->b->n && minst_ends_block(&s->b->ins[s->b->n - 1])))
		s->b->next = to->id;
	place(s, to);
}

static void branch(struct select *s, ref p, bool negated, struct mblock *to, bool together)
{
	struct minst in = minst_make(WL_UOP_BRA, s->line);
	struct mblock *on = select_new_block(s);
	in.target = to->id;
	in.guard = p;
	in.together = together;
	if (p != REF_NONE)
		in.w.guard = negated ? NOT_P : 0;
	mblock_append(s->f, s->b, &in);
	if (p != REF_NONE)
		s->b->next = on->id;
	place(s, on);
}

void select_branch(struct select *s, ref p, bool negated, struct mblock *to)
{
	branch(s, p, negated, to, false);
}

void select_branch_together(struct select *s, ref p, bool negated, struct mblock *to)
{
	branch(s, p, negated, to, true);
}

struct mblock *select_guard_around(struct select *s)
{
	struct mblock *behind;
	if (s->guard == REF_NONE)
		return NULL;
	behind = select_new_block(s);
	branch(s, s->guard, !s->guard_negated, behind, s->guard_same);
	s->guard = REF_NONE;
	s->guard_negated = false;
	return behind;
}

bool select_guarded(struct select *s, bool (*operation)(struct select *s))
{
	struct mblock *behind = select_guard_around(s);
	const bool good = operation(s);
	if (behind)
		select_fall(s, behind);
	return good;
}

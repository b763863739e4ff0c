// SPDX-License-Identifier: Apache-2.0
/* mir.c -- making machine instructions, and what each of them reads and writes. */
#include "mir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t new_vreg(struct mfunc *f, bool pred, unsigned words)
{
	if (f->nvregs == f->vregs_cap) {
		uint32_t cap = f->vregs_cap ? 2 * f->vregs_cap : 256;

		f->vregs = arena_grow(f->arena, f->vregs, f->vregs_cap * sizeof *f->vregs, cap * sizeof *f->vregs);
		f->vregs_cap = cap;
	}
	f->vregs[f->nvregs] = (struct vreg){.pred = pred, .words = (uint8_t)words, .phys = -1};
	return f->nvregs++;
}

uint32_t mfunc_new_reg(struct mfunc *f, unsigned words)
{
	return new_vreg(f, false, words);
}

uint32_t mfunc_new_pred(struct mfunc *f)
{
	return new_vreg(f, true, 1);
}

struct mblock *mfunc_new_block(struct mfunc *f)
{
	struct mblock *b = arena_zalloc(f->arena, sizeof *b);

	if (f->nblocks == f->blocks_cap) {
		uint32_t cap = f->blocks_cap ? 2 * f->blocks_cap : 64;

		f->blocks = arena_grow(f->arena, f->blocks, f->blocks_cap * sizeof(struct mblock *),
		                       cap * sizeof(struct mblock *));
		f->blocks_cap = cap;
	}
	b->id = f->nblocks;
	b->next = NO_BLOCK;
	b->idom = b->ipdom = b->loop = NO_BLOCK;
	f->blocks[f->nblocks++] = b;
	return b;
}

void mfunc_place(struct mfunc *f, uint32_t block)
{
	if (f->norder == f->order_cap) {
		uint32_t cap = f->order_cap ? 2 * f->order_cap : 64;

		f->order = arena_grow(f->arena, f->order, f->order_cap * sizeof *f->order, cap * sizeof *f->order);
		f->order_cap = cap;
	}
	f->order[f->norder++] = block;
}

struct minst minst_make(unsigned uop, uint32_t line)
{
	struct minst in = {.w = wl_inst_make(uop < WL_UOP_COUNT ? (enum wl_uop)uop : WL_UOP_NOP)};

	in.w.uop = (uint16_t)uop;
	if (uop == WL_UOP_IMAD)
		in.w.flags = WL_F_SIGNED; /* the low word is the same; this is the form without a suffix */
	in.rd = in.ra = in.rb = in.rc = in.guard = REF_NONE;
	in.pd[0] = in.pd[1] = REF_NONE;
	in.ps[0] = in.ps[1] = in.ps[2] = REF_NONE;
	in.target = NO_BLOCK;
	in.line = line;
	return in;
}

static void make_room(struct mfunc *f, struct mblock *b)
{
	if (b->n == b->cap) {
		uint32_t cap = b->cap ? 2 * b->cap : 16;

		b->ins = arena_grow(f->arena, b->ins, b->cap * sizeof *b->ins, cap * sizeof *b->ins);
		b->cap = cap;
	}
}

struct minst *mblock_append(struct mfunc *f, struct mblock *b, const struct minst *in)
{
	make_room(f, b);
	b->ins[b->n] = *in;
	return &b->ins[b->n++];
}

struct minst *mblock_insert(struct mfunc *f, struct mblock *b, uint32_t at, const struct minst *in)
{
	make_room(f, b);
	memmove(&b->ins[at + 1], &b->ins[at], (b->n - at) * sizeof *b->ins);
	b->ins[at] = *in;
	b->n++;
	return &b->ins[at];
}

/* Registers of each micro-operation, in the order d a b c: 1, 2 = that many registers, S = by the access size, I = by
 * the size of an integer, X, O = by the format in members xn, bop, - = none. Sources A, B, C of ALU instructions count
 * only where the source kind is a register. */
static const char *words_of(unsigned uop)
{
	switch (uop) {
	case PSEUDO_MOV64:
		return "2-2-";
	case PSEUDO_ADD64:
		return "222-";
	case WL_UOP_MOV:
	case WL_UOP_IABS:
	case WL_UOP_POPC:
	case WL_UOP_FLO:
	case WL_UOP_BREV:
	case WL_UOP_MUFU:
		return "1-1-";
	case WL_UOP_I2F:
		return "X-I-";
	case WL_UOP_F2I:
		return "I-X-";
	case WL_UOP_F2F:
		return "X-O-";
	case WL_UOP_FRND:
		return "X-X-";
	case WL_UOP_IADD3:
	case WL_UOP_IMAD:
	case WL_UOP_IMAD_HI:
	case WL_UOP_LOP3:
	case WL_UOP_SHF:
	case WL_UOP_PRMT:
	case WL_UOP_FFMA:
	case WL_UOP_SHFL:
		return "1111";
	case WL_UOP_LEA: /* of its forms, only the one that gives the low word is used */
	case WL_UOP_SEL:
	case WL_UOP_IMNMX:
	case WL_UOP_FADD:
	case WL_UOP_FMUL:
	case WL_UOP_FMNMX:
	case WL_UOP_HADD2:
	case WL_UOP_HMUL2:
		return "111-";
	case WL_UOP_HFMA2:
		return "1111";
	case WL_UOP_DADD:
		return "22-2";
	case WL_UOP_DMUL:
		return "222-";
	case WL_UOP_DFMA:
		return "2222";
	case WL_UOP_DSETP:
		return "-22-";
	case WL_UOP_IMAD_WIDE:
		return "2112";
	case WL_UOP_ISETP:
	case WL_UOP_FSETP:
		return "-11-";
	case WL_UOP_S2R:
	case WL_UOP_VOTE:
	case WL_UOP_B2R:
	case WL_UOP_BMOV_CLEAR:
		return "1---";
	case WL_UOP_CS2R:
		return "S---";
	case WL_UOP_MATCH:
		return "1S--";
	case WL_UOP_WARPSYNC:
	case WL_UOP_BMOV_R2B:
		return "-1--";
	case WL_UOP_NANOSLEEP:
		return "--1-";
	case WL_UOP_BAR:
		return "-11-";
	case WL_UOP_LDC:
	case WL_UOP_LDL:
	case WL_UOP_LDS:
		return "S1--";
	case WL_UOP_STL:
	case WL_UOP_STS:
		return "-1S-";
	case WL_UOP_LDG:
	case WL_UOP_LD:
		return "S2--";
	case WL_UOP_QSPC:
		return "-2--";
	case WL_UOP_STG:
	case WL_UOP_ST:
	case WL_UOP_RED:
		return "-2S-";
	case WL_UOP_ATOMG:
	case WL_UOP_ATOM:
		return "S2S-";
	case WL_UOP_ATOMG_CAS:
	case WL_UOP_ATOM_CAS:
		return "S2SS";
	case WL_UOP_ATOMS:
		return "S1S-";
	case WL_UOP_ATOMS_CAS:
		return "S1SS";
	case WL_UOP_ATOMS_CAST:
		return "S1SS";
	case WL_UOP_ATOMS_CAST_P:
		return "-1SS";
	default:
		return "----";
	}
}

unsigned minst_words(const struct minst *in, char operand)
{
	unsigned at = operand == 'd' ? 0 : (unsigned)(operand - 'a') + 1;
	char c = words_of(in->w.uop)[at];

	if (c == '-')
		return 0;
	if (c == 'S' || c == 'I')
		return in->w.size <= 4 ? 1 : in->w.size / 4;
	if (c == 'X' || c == 'O')
		return (c == 'X' ? in->w.xn : in->w.bop) == WL_FMT_F64 ? 2 : 1;
	return (unsigned)(c - '0');
}

bool minst_has_effect(const struct minst *in)
{
	switch (in->w.uop) {
	case WL_UOP_BRA:
	case WL_UOP_EXIT:
	case WL_UOP_BSSY:
	case WL_UOP_BSYNC:
	case WL_UOP_BREAK:
	case WL_UOP_BMOV_CLEAR:
	case WL_UOP_BMOV_R2B:
	case WL_UOP_WARPSYNC:
	case WL_UOP_YIELD:
	case WL_UOP_NANOSLEEP:
	case WL_UOP_STG:
	case WL_UOP_ST:
	case WL_UOP_STL:
	case WL_UOP_STS:
	case WL_UOP_ATOMG:
	case WL_UOP_ATOMG_CAS:
	case WL_UOP_ATOM:
	case WL_UOP_ATOM_CAS:
	case WL_UOP_RED:
	case WL_UOP_ATOMS:
	case WL_UOP_ATOMS_CAS:
	case WL_UOP_ATOMS_CAST:
	case WL_UOP_ATOMS_CAST_P:
	case WL_UOP_BAR:
	case WL_UOP_MEMBAR:
	case WL_UOP_ERRBAR:
	case WL_UOP_CCTL_IVALL:
	case WL_UOP_BPT_TRAP:
	case WL_UOP_B2R:
	case WL_UOP_MATCH:
	case WL_UOP_SHFL: /* other lanes read it: stays where it is */
	case WL_UOP_VOTE:
		return true;
	default:
		return in->keep;
	}
}

bool minst_reads_memory(const struct minst *in)
{
	return in->w.uop == WL_UOP_LDG || in->w.uop == WL_UOP_LD || in->w.uop == WL_UOP_LDS || in->w.uop == WL_UOP_LDL;
}

bool minst_ends_block(const struct minst *in)
{
	return in->w.uop == WL_UOP_BRA || (in->w.uop == WL_UOP_EXIT && in->guard == REF_NONE);
}

bool uop_takes_imm(unsigned uop, unsigned which)
{
	switch (uop) {
	case WL_UOP_IMAD:
		return which == 1 || which == 2;
	case WL_UOP_IMAD_WIDE:
	case PSEUDO_MOV64:
	case PSEUDO_ADD64:
	case WL_UOP_MOV:
	case WL_UOP_IADD3:
	case WL_UOP_LEA:
	case WL_UOP_LOP3:
	case WL_UOP_SHF:
	case WL_UOP_SEL:
	case WL_UOP_ISETP:
	case WL_UOP_IMNMX:
	case WL_UOP_PRMT:
	case WL_UOP_NANOSLEEP:
	case WL_UOP_FADD:
	case WL_UOP_FMUL:
	case WL_UOP_FFMA:
	case WL_UOP_FMNMX:
	case WL_UOP_FSETP:
		return which == 1;
	case WL_UOP_SHFL:
		return which == 1 || which == 2;
	default:
		return false;
	}
}

bool uop_takes_const(unsigned uop, unsigned which)
{
	switch (uop) {
	case WL_UOP_IMAD:
	case WL_UOP_IMAD_WIDE:
		return which == 1 || which == 2;
	case PSEUDO_MOV64:
	case PSEUDO_ADD64:
	case WL_UOP_MOV:
	case WL_UOP_IADD3:
	case WL_UOP_LOP3:
	case WL_UOP_SEL:
	case WL_UOP_ISETP:
	case WL_UOP_FADD:
	case WL_UOP_FMUL:
	case WL_UOP_FFMA:
	case WL_UOP_FMNMX:
	case WL_UOP_FSETP:
		return which == 1;
	default:
		return false;
	}
}

static bool is_alu_source(const struct minst *in, unsigned i)
{
	return in->w.src[i] == WL_SRC_REG;
}

/* Register operands of memory and control instructions are always registers; those of the rest by source kind. */
static bool by_kind(unsigned uop)
{
	switch (uop) {
	case WL_UOP_LDC:
	case WL_UOP_LDL:
	case WL_UOP_LDS:
	case WL_UOP_LDG:
	case WL_UOP_STL:
	case WL_UOP_STS:
	case WL_UOP_STG:
	case WL_UOP_LD:
	case WL_UOP_ST:
	case WL_UOP_QSPC:
	case WL_UOP_RED:
	case WL_UOP_ATOMG:
	case WL_UOP_ATOMG_CAS:
	case WL_UOP_ATOM:
	case WL_UOP_ATOM_CAS:
	case WL_UOP_ATOMS:
	case WL_UOP_ATOMS_CAS:
	case WL_UOP_ATOMS_CAST:
	case WL_UOP_ATOMS_CAST_P:
		return false;
	default:
		return true;
	}
}

void minst_uses(struct minst *in, ref_visit visit, void *self)
{
	bool kinds = by_kind(in->w.uop);
	unsigned wa = minst_words(in, 'a'), wb = minst_words(in, 'b'), wc = minst_words(in, 'c');

	if (wa && ref_is_reg(in->ra) && (!kinds || is_alu_source(in, 0)))
		visit(self, &in->ra, wa);
	if (wb && ref_is_reg(in->rb) && (!kinds || is_alu_source(in, 1)))
		visit(self, &in->rb, wb);
	if (wc && ref_is_reg(in->rc) && (!kinds || is_alu_source(in, 2)))
		visit(self, &in->rc, wc);
	for (unsigned i = 0; i < 3; i++)
		if (ref_is_reg(in->ps[i]))
			visit(self, &in->ps[i], 0);
	if (ref_is_reg(in->guard))
		visit(self, &in->guard, 0);
}

void minst_defs(struct minst *in, ref_visit visit, void *self)
{
	unsigned wd = minst_words(in, 'd');

	if (wd && ref_is_reg(in->rd))
		visit(self, &in->rd, wd);
	for (unsigned i = 0; i < 2; i++)
		if (ref_is_reg(in->pd[i]))
			visit(self, &in->pd[i], 0);
}

void lower_error(struct mfunc *f, uint32_t line, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	f->nerrors++;
	f->diag(f->diag_self,
	        &(struct wlcc_message){.severity = WLCC_ERROR, .file = f->file, .line = line, .text = text});
}

// SPDX-License-Identifier: Apache-2.0
/* mir.c -- making machine instructions, and traits of instructions. */
#include "mir.h"

#include "abi.h"

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

ref mfunc_fixed(struct mfunc *f, unsigned phys)
{
	if (!f->fixed[phys]) {
		uint32_t v = mfunc_new_reg(f, phys == ABI_RETURN_REG ? 2 : 1);
		f->vregs[v].fixed = f->vregs[v].unspillable = true;
		f->vregs[v].phys = (int16_t)phys;
		f->fixed[phys] = v + 1;
	}
	return (f->fixed[phys] - 1) << 2;
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
	b->next = b->rejoin = NO_BLOCK;
	b->idom = b->ipdom = b->loop = NO_BLOCK;
	f->blocks[f->nblocks++] = b;
	return b;
}

void mfunc_note(struct mfunc *f, uint32_t line, const char *format, ...)
{
	struct code_note *n = arena_alloc(f->keep, sizeof *n);
	char text[200];
	va_list ap;
	va_start(ap, format);
	const int len = vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	*n = (struct code_note){f->notes, NULL, line,
	                        arena_strndup(f->keep, text, len < (int)sizeof text ? (size_t)len : sizeof text - 1)};
	f->notes = n;
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
		uint32_t cap = b->cap ? 2 * b->cap : 4;
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

/* Registers of the pseudo micro-operations; uops.def has the registers of other micro-operations. */
static const uint8_t pseudo_words[PSEUDO_COUNT - WL_UOP_COUNT][WL_REG_COUNT] = {
        [PSEUDO_MOV64 - WL_UOP_COUNT] = {[WL_REG_RD] = 2, [WL_REG_RB] = 2},
        [PSEUDO_ADD64 - WL_UOP_COUNT] = {[WL_REG_RD] = 2, [WL_REG_RA] = 2, [WL_REG_RB] = 2},
        [PSEUDO_SYMBOL - WL_UOP_COUNT] = {[WL_REG_RD] = 1},
};

static bool is_pseudo(unsigned uop)
{
	return uop >= WL_UOP_COUNT;
}

unsigned minst_words(const struct minst *in, enum wl_reg r)
{
	return is_pseudo(in->w.uop) ? pseudo_words[in->w.uop - WL_UOP_COUNT][r] : wl_inst_words(&in->w, r);
}

bool minst_has(const struct minst *in, uint64_t traits)
{
	return !is_pseudo(in->w.uop) && wl_uop_has((enum wl_uop)in->w.uop, traits);
}

enum wl_sync_order minst_sync_order(const struct minst *in)
{
	return is_pseudo(in->w.uop) ? WL_ORDER_Free : wl_sync_row(wl_inst_sync_class(&in->w))->order;
}

bool minst_has_effect(const struct minst *in)
{
	return in->keep || minst_has(in, WL_TRAITS_EFFECT);
}

bool minst_reads_memory(const struct minst *in)
{
	return minst_has(in, WL_TRAIT(READS_MEMORY));
}

bool minst_ends_block(const struct minst *in)
{
	return in->w.uop == WL_UOP_BRA || minst_ends_path(in);
}

bool minst_ends_path(const struct minst *in)
{
	return (in->w.uop == WL_UOP_EXIT && in->guard == REF_NONE) || minst_has(in, WL_TRAIT(RETURNS));
}

bool minst_is_call(const struct minst *in)
{
	return minst_has(in, WL_TRAIT(CALLS));
}

/* The bits of a literal, or of the bank, are the source without change: an integer or float32. */
static bool is_plain(const struct wl_uop_traits *t, unsigned source, enum wl_src kind)
{
	uint8_t width = t->width[WL_REG_RA + source];
	if (t->traits & (WL_TRAIT(F64) | WL_TRAIT(HALF2) | WL_TRAIT(CONVERTS)))
		return false;
	return width == WL_WIDTH_ONE || width == WL_WIDTH_PAIR || (width == WL_WIDTH_TWO && kind == WL_SRC_CONST);
}

bool mfunc_takes(const struct mfunc *f, unsigned uop, unsigned source, enum wl_src kind)
{
	if (kind == WL_SRC_CONST && !f->target->bank_operands)
		return false;
	if (is_pseudo(uop)) /* each word becomes source B of a one-word operation */
		return source == 1 && wl_uop_takes(f->arch, WL_UOP_IADD3, source, kind);
	return is_plain(wl_uop_traits((enum wl_uop)uop), source, kind) &&
	       wl_uop_takes(f->arch, (enum wl_uop)uop, source, kind);
}

bool minst_may_be_guarded(const struct minst *in)
{
	const uint64_t not = WL_TRAIT(FLOW) | WL_TRAIT(CONVERGES) | WL_TRAIT(YIELDS) | WL_TRAIT(COLLECTIVE) |
	                     WL_TRAIT(BARRIER) | WL_TRAIT(FENCE) | WL_TRAIT(UNIFORM);
	return in->guard == REF_NONE && in->w.uop < WL_UOP_COUNT && !in->word && !in->call && !in->place &&
	       !minst_has(in, not );
}

static void tell(struct mfunc *f, enum wlcc_severity severity, uint32_t line, const char *fmt, va_list ap)
{
	char text[512];
	vsnprintf(text, sizeof text, fmt, ap);
	f->diag(f->diag_self,
	        &(struct wlcc_message){.severity = severity, .file = f->file, .line = line, .text = text});
}

void lower_warn(struct mfunc *f, uint32_t line, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	tell(f, WLCC_WARNING, line, fmt, ap);
	va_end(ap);
}

void lower_error(struct mfunc *f, uint32_t line, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	f->nerrors++;
	tell(f, WLCC_ERROR, line, fmt, ap);
	va_end(ap);
}

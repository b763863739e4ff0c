// SPDX-License-Identifier: Apache-2.0
/* emit_words.c -- blocks in order to words. */
#include "emit_words.h"

#include <stdio.h>

enum { WORD_BYTES = 16, CODE_ALIGN = 128 / WORD_BYTES };

static uint32_t place_blocks(struct mfunc *f)
{
	uint32_t at = 0;
	for (uint32_t i = 0; i < f->norder; i++) {
		struct mblock *b = f->blocks[f->order[i]];
		b->at = at;
		at += b->n;
	}
	return at;
}

/* A branch goes to the start of its block. BSSY names the instruction behind the BSYNC at the start of its block. */
static void set_target(const struct mfunc *f, struct minst *in, uint32_t at)
{
	uint32_t to;
	if (in->target == NO_BLOCK)
		return;
	to = f->blocks[in->target]->at + (in->w.uop == WL_UOP_BSSY);
	in->w.target = ((int64_t)to - (int64_t)(at + 1)) * WORD_BYTES;
}

/* Offsets in constant banks have 16 bits, signed in the tables. */
static int32_t bank_offset(int32_t off)
{
	return off > INT16_MAX && off <= UINT16_MAX ? off - UINT16_MAX - 1 : off;
}

/* WAIT_PRIMARY has its own opcode, a register for the report's value (RZ, as in ptxas's code) and a predicate for the
 * report. */
static struct wl_word put_form(struct wl_word w, const struct minst *in)
{
	enum { PRIMARY_OPCODE = 0xfa7, RZ = 0xff };
	const uint64_t report = UINT64_C(7) << (84 - 64), result = UINT64_C(7) << (81 - 64);
	switch (in->form) {
	case WAIT_CONDITIONAL:
		w.hi |= UINT64_C(1) << (74 - 64);
		break;
	case WAIT_PRIMARY:
		w.lo = (w.lo & ~UINT64_C(0xff0fff)) | PRIMARY_OPCODE | RZ << 16;
		w.hi = (w.hi & ~report) | (uint64_t)in->w.pd[1] << (84 - 64);
		break;
	case VOTE_UP0:
		w.hi &= ~result;
		break;
	default:
		break;
	}
	return w;
}

/* The word as given by the text, under the guard found by allocation. */
static struct wl_word guarded(struct wl_word w, uint8_t guard)
{
	w.lo = (w.lo & ~(UINT64_C(15) << 12)) | (uint64_t)(guard & 15) << 12;
	return w;
}

static bool encode(struct mfunc *f, struct minst *in, struct wl_word *out)
{
	const char *why = NULL;
	const uint8_t first = in->form == VOTE_UP0 ? 0 : in->w.pd[0], second = in->w.pd[1];
	enum wl_status status;
	if (in->word) {
		*in->word = guarded(*in->word, in->w.guard);
		*out = *in->word;
		return true;
	}
	in->w.coff = bank_offset(in->w.coff);
	if (in->w.uop == WL_UOP_LDC)
		in->w.off = bank_offset(in->w.off);
	if (in->form == WAIT_PRIMARY) /* the row lacks this result; UP0 is no predicate of allocation */
		in->w.pd[1] = WL_PT;
	if (in->form == VOTE_UP0)
		in->w.pd[0] = WL_PT;
	status = wl_encode_row(f->arch, &in->w, out, &in->w.row, &why);
	in->w.pd[0] = first;
	in->w.pd[1] = second;
	if (status == WL_OK) {
		*out = put_form(*out, in);
		if (in->oob) /* both bits set: .OOB, beside .FMZ and .FTZ; cmodel/isa/enc_half.def */
			out->hi |= UINT64_C(1) << (76 - 64) | UINT64_C(1) << (80 - 64);
		return true;
	}
	lower_error(f, in->line, "internal error: no encoding for %s: %s", wl_uop_name((enum wl_uop)in->w.uop),
	            why ? why : wl_status_name(status));
	return false;
}

/* Behind the code: a branch to itself, then nothing, up to a whole line of the instruction cache. */
static bool pad(struct mfunc *f, struct kernel_code *c, uint32_t n, uint32_t total)
{
	struct minst in = minst_make(WL_UOP_BRA, 0);
	in.w.target = -WORD_BYTES;
	for (uint32_t i = n; i < total; i++) {
		if (!encode(f, &in, &c->words[i]))
			return false;
		c->lines[i] = 0;
		in = minst_make(WL_UOP_NOP, 0);
	}
	return true;
}

/* Index of the word behind the next call. */
static uint32_t behind_call(const struct mblock *b, uint32_t k)
{
	while (k < b->n && !minst_is_call(&b->ins[k]))
		k++;
	return b->at + k + 1;
}

static enum place_kind kind_of(const struct mplace *p)
{
	if (p->symbol && p->symbol->kind == PTX_SYM_VAR && p->symbol->var->space != PTX_SP_global)
		return p->symbol->var->space == PTX_SP_const ? PLACE_CONSTANT : PLACE_SHARED;
	return p->high ? PLACE_HIGH : PLACE_LOW;
}

static void note_place(struct kernel_code *c, const struct mblock *b, uint32_t k)
{
	const struct mplace *place = b->ins[k].place;
	struct code_place *p = &c->places[c->nplaces++];
	*p = (struct code_place){.at = (b->at + k) * WORD_BYTES, .symbol = place->symbol, .addend = place->addend};
	if (minst_is_call(&b->ins[k]))
		p->kind = PLACE_CALL;
	else
		p->kind = kind_of(place);
	if (!place->symbol)
		p->addend += (int64_t)behind_call(b, k) * WORD_BYTES;
}

static uint32_t count_places(const struct mfunc *f)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < f->norder; i++)
		for (uint32_t k = 0; k < f->blocks[f->order[i]]->n; k++)
			n += f->blocks[f->order[i]]->ins[k].place != NULL;
	return n;
}

/* Registers have numbers here: the mask of WARPSYNC, the registers of an mbarrier's word. */
static void note_mark(struct kernel_code *c, const struct minst *in, uint32_t at)
{
	struct code_mark *m = &c->marks[c->nmarks++];
	const bool count = in->w.uop == WL_UOP_SYNCS_ARRIVE || in->w.uop == WL_UOP_ATOMS;
	*m = *in->mark;
	m->at = at * WORD_BYTES;
	m->reg = NO_MARK_REG;
	m->reg2 = NO_MARK_REG;
	if (m->kind == MARK_MBARRIER || m->kind == MARK_ATOM16)
		m->reg = in->w.ra;
	if (m->kind == MARK_MBARRIER && count)
		m->reg2 = in->w.rb;
	if (m->kind == MARK_COOP && in->w.uop == WL_UOP_WARPSYNC && ref_is_reg(in->ra))
		m->reg = in->w.ra;
}

/* Named barriers used: the highest number + 1; all 16 for a number in a register. */
static void count_barriers(struct kernel_code *c, const struct minst *in)
{
	uint32_t n = 16;
	if (in->w.uop != WL_UOP_BAR && in->w.uop != WL_UOP_UCGABAR)
		return;
	if (in->w.uop == WL_UOP_UCGABAR)
		n = 1;
	else if (in->w.src[0] == WL_SRC_IMM)
		n = in->w.imm + 1;
	if (c->barriers < n)
		c->barriers = n;
}

static bool returns_apart(const struct minst *in)
{
	return in->w.uop == WL_UOP_BSSY ||
	       (minst_is_call(in) && in->place && in->place->symbol && in->place->symbol->kind == PTX_SYM_FUNCTION &&
	        in->place->symbol->function->has_body);
}

bool lower_encode(struct mfunc *f, struct kernel_code *c)
{
	uint32_t n = place_blocks(f), total = (n + 1 + CODE_ALIGN - 1) / CODE_ALIGN * CODE_ALIGN, at = 0;
	c->n = total;
	c->words = arena_alloc(f->keep, total * sizeof *c->words);
	c->lines = arena_alloc(f->keep, total * sizeof *c->lines);
	c->exits = arena_alloc(f->keep, total * sizeof *c->exits);
	c->marks = arena_alloc(f->keep, total * sizeof *c->marks);
	c->nexits = c->nmarks = c->nplaces = 0;
	c->returns_apart = false;
	c->barriers = 0;
	c->places = arena_alloc(f->keep, (count_places(f) + 1) * sizeof *c->places);
	for (uint32_t i = 0; i < f->norder; i++) {
		struct mblock *b = f->blocks[f->order[i]];
		for (uint32_t k = 0; k < b->n; k++, at++) {
			set_target(f, &b->ins[k], at);
			if (!encode(f, &b->ins[k], &c->words[at]))
				return false;
			c->lines[at] = b->ins[k].line;
			if (b->ins[k].place)
				note_place(c, b, k);
			if (b->ins[k].w.uop == WL_UOP_EXIT)
				c->exits[c->nexits++] = at * WORD_BYTES;
			if (b->ins[k].mark)
				note_mark(c, &b->ins[k], at);
			count_barriers(c, &b->ins[k]);
			c->returns_apart |= returns_apart(&b->ins[k]);
		}
	}
	return pad(f, c, n, total);
}

void lower_put_sched(const struct mfunc *f, struct kernel_code *c)
{
	for (uint32_t i = 0; i < f->norder; i++) {
		const struct mblock *b = f->blocks[f->order[i]];
		for (uint32_t k = 0; k < b->n; k++)
			c->words[b->at + k] = wl_word_set_sched(c->words[b->at + k], b->ins[k].w.sched);
	}
}

// SPDX-License-Identifier: Apache-2.0
/* frame.c -- behind allocation: the stack of a thread, registers kept for the caller, the descriptor of global memory,
 * addresses filled in by the linker. */
#include "abi.h"
#include "mir.h"

static uint8_t number(const struct mfunc *f, ref r)
{
	return (uint8_t)f->vregs[ref_reg(r)].phys;
}

struct kept {
	uint8_t reg[256];
	unsigned nregs;
	uint32_t regs_at, cbars_at, ncbars;
	uint8_t cbar[WL_NUM_CBARS];
};

/* R1 = the word of the bank at `offset`: the high end of the thread's stack. */
static struct minst load_stack(const struct mfunc *f, uint32_t offset)
{
	struct minst in = minst_make(f->target->bank_operands ? WL_UOP_MOV : WL_UOP_LDC, f->src->pos.line);
	in.rd = f->sp;
	in.w.rd = ABI_STACK_REG;
	if (f->target->bank_operands) {
		in.w.src[1] = WL_SRC_CONST;
		in.w.coff = (int32_t)offset;
	} else {
		in.w.off = (int32_t)offset;
		in.w.size = 4;
	}
	return in;
}

/* R1 = `from` + `by`. */
static struct minst move_stack(const struct mfunc *f, ref from, int64_t by, uint32_t line)
{
	struct minst in = minst_make(WL_UOP_IADD3, line);
	in.rd = f->sp;
	in.ra = from;
	in.w.rd = ABI_STACK_REG;
	in.w.ra = number(f, from);
	in.w.src[0] = in.w.src[2] = WL_SRC_REG;
	in.w.src[1] = WL_SRC_IMM;
	in.w.imm = (uint32_t)by;
	return in;
}

/* Registers and barriers to be kept for the caller. */
static void find_kept(struct mfunc *f, struct kept *k)
{
	bool used[256] = {false};
	for (uint32_t v = 0; v < f->nvregs; v++)
		for (unsigned w = 0; !f->vregs[v].pred && f->vregs[v].phys >= 0 && w < f->vregs[v].words; w++)
			used[(unsigned)f->vregs[v].phys + w] = true;
	used[ABI_STACK_REG] = false;
	if (!f->calls) /* then only the return reads the pair */
		used[ABI_RETURN_REG] = used[ABI_RETURN_REG + 1] = false;
	for (unsigned r = 0; r < WL_NUM_REGS; r++)
		if (used[r] && !abi_clobbered(r))
			k->reg[k->nregs++] = (uint8_t)r;
	for (unsigned b = ABI_FIRST_KEPT_CBAR; b < WL_NUM_CBARS; b++)
		if (f->cbars >> b & 1)
			k->cbar[k->ncbars++] = (uint8_t)b;
	k->regs_at = f->frame;
	k->cbars_at = k->regs_at + 4 * k->nregs;
	f->frame = k->cbars_at + 4 * k->ncbars;
	f->uses_sp |= k->nregs || k->ncbars;
}

/* Access to the slot of a register, at [base + at]. */
static struct minst slot(const struct mfunc *f, ref base, unsigned uop, unsigned reg, uint32_t at, uint32_t line)
{
	struct minst in = minst_make(uop, line);
	in.ra = base;
	in.w.ra = number(f, base);
	in.w.off = (int32_t)at;
	in.w.size = 4;
	if (uop == WL_UOP_STL)
		in.w.rb = (uint8_t)reg;
	else
		in.w.rd = (uint8_t)reg;
	return in;
}

/* Inserts code at *at, and moves *at behind the code. */
static void put(struct mfunc *f, struct mblock *b, uint32_t *at, struct minst in)
{
	mblock_insert(f, b, (*at)++, &in);
}

enum { SCRATCH = 0 }; /* no argument and no result lies in R0 */

/* R2 = R1. */
static struct minst frame_pointer(const struct mfunc *f, uint32_t line)
{
	struct minst in = minst_make(WL_UOP_MOV, line);
	in.rd = f->frame_at;
	in.rb = f->sp;
	in.w.src[1] = WL_SRC_REG;
	in.w.rd = number(f, in.rd);
	in.w.rb = number(f, in.rb);
	return in;
}

static void enter(struct mfunc *f, struct mblock *b, const struct kept *k)
{
	uint32_t at = 0, line = f->src->pos.line;
	if (f->src->is_entry)
		put(f, b, &at, load_stack(f, wl_cb0_layout(f->arch)->stack));
	if (f->frame)
		put(f, b, &at, move_stack(f, f->sp, -(int64_t)f->frame, line));
	for (unsigned i = 0; i < k->nregs; i++)
		put(f, b, &at, slot(f, f->sp, WL_UOP_STL, k->reg[i], k->regs_at + 4 * i, line));
	for (unsigned i = 0; i < k->ncbars; i++) {
		struct minst in = minst_make(WL_UOP_BMOV_CLEAR, line);
		in.w.rd = SCRATCH;
		in.w.cbar = k->cbar[i];
		put(f, b, &at, in);
		put(f, b, &at, slot(f, f->sp, WL_UOP_STL, SCRATCH, k->cbars_at + 4 * i, line));
	}
	if (f->moves_stack)
		put(f, b, &at, frame_pointer(f, line));
}

static void leave(struct mfunc *f, struct mblock *b, uint32_t at, const struct kept *k)
{
	uint32_t line = b->ins[at].line;
	for (unsigned i = 0; i < k->ncbars; i++) {
		struct minst in = minst_make(WL_UOP_BMOV_R2B, line);
		put(f, b, &at, slot(f, f->frame_at, WL_UOP_LDL, SCRATCH, k->cbars_at + 4 * i, line));
		in.w.ra = SCRATCH;
		in.w.src[0] = WL_SRC_REG;
		in.w.cbar = k->cbar[i];
		put(f, b, &at, in);
	}
	if (f->frame && f->moves_stack) /* before R2 is the caller's again */
		put(f, b, &at, move_stack(f, f->frame_at, f->frame, line));
	for (unsigned i = k->nregs; i-- > 0;) /* the lowest last: R2 */
		put(f, b, &at, slot(f, f->frame_at, WL_UOP_LDL, k->reg[i], k->regs_at + 4 * i, line));
	if (f->frame && !f->moves_stack)
		put(f, b, &at, move_stack(f, f->sp, f->frame, line));
}

static void set_up_frame(struct mfunc *f)
{
	struct kept k = {.nregs = 0};
	if (!f->src->is_entry)
		find_kept(f, &k);
	f->frame = (f->frame + 15) / 16 * 16;
	for (uint32_t i = 0; i < f->norder; i++) {
		struct mblock *b = f->blocks[f->order[i]];
		for (uint32_t n = 0; n < b->n; n++)
			if (b->ins[n].above_frame)
				b->ins[n].w.off += (int32_t)f->frame;
		if (f->uses_sp && b->n && minst_has(&b->ins[b->n - 1], WL_TRAIT(RETURNS)))
			leave(f, b, b->n - 1, &k);
	}
	if (f->uses_sp)
		enter(f, f->blocks[f->order[0]], &k);
}

bool minst_takes_descriptor(const struct minst *in)
{
	switch (in->w.uop) {
	case WL_UOP_LDG:
	case WL_UOP_STG:
	case WL_UOP_LD:
	case WL_UOP_ST:
	case WL_UOP_LDG_256:
	case WL_UOP_STG_256:
	case WL_UOP_LDGSTS:
	case WL_UOP_RED:
	case WL_UOP_ATOM:
	case WL_UOP_ATOMG: /* compare-and-swap has no room for a descriptor */
		return true;
	default:
		return false;
	}
}

/* Accesses of global memory without a policy name the descriptor. The first instruction loads the descriptor, and code
 * behind each call loads the descriptor again. No other value stays in this uniform register. */
static void set_up_descriptor(struct mfunc *f)
{
	struct minst in = minst_make(WL_UOP_ULDC, f->src->pos.line);
	bool any = false;
	for (uint32_t i = 0; i < f->norder && f->target->descriptor != WL_NO_DESC; i++) {
		struct mblock *b = f->blocks[f->order[i]];
		for (uint32_t k = 0; k < b->n; k++)
			if (minst_takes_descriptor(&b->ins[k]) && b->ins[k].w.desc == WL_NO_DESC) {
				b->ins[k].w.desc = f->target->descriptor;
				any = true;
			}
	}
	if (!any)
		return;
	in.w.guard_uniform = true;
	in.w.urd = (uint8_t)f->target->descriptor;
	in.w.size = 8;
	in.w.coff = wl_cb0_layout(f->arch)->descriptor;
	for (uint32_t i = 0; f->calls && i < f->norder; i++) {
		struct mblock *b = f->blocks[f->order[i]];
		if (!b->n || !minst_is_call(&b->ins[b->n - 1]))
			continue;
		in.line = b->ins[b->n - 1].line;
		mblock_insert(f, f->blocks[b->next], 0, &in);
	}
	in.line = f->src->pos.line;
	mblock_insert(f, f->blocks[f->order[0]], 0, &in);
}

static void name_addresses(struct mfunc *f)
{
	for (uint32_t i = 0; i < f->norder; i++) {
		struct mblock *b = f->blocks[f->order[i]];
		for (uint32_t k = 0; k < b->n; k++) {
			struct minst *in = &b->ins[k], mov;
			if (in->w.uop != PSEUDO_SYMBOL)
				continue;
			mov = minst_make(WL_UOP_MOV, in->line);
			mov.rd = in->rd;
			mov.w.rd = in->w.rd;
			mov.guard = in->guard;
			mov.w.guard = in->w.guard;
			mov.w.src[1] = WL_SRC_IMM;
			mov.place = in->place;
			*in = mov;
		}
	}
}

void lower_frame(struct mfunc *f)
{
	set_up_frame(f);
	set_up_descriptor(f);
	name_addresses(f);
}

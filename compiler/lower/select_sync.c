// SPDX-License-Identifier: Apache-2.0
/* select_sync.c -- CTA barriers, fences, sleep. Rules: barrier.def, order.def. */
#include "archs.h"
#include "order.h"
#include "select.h"

/* ---- barriers ---- */

struct barrier {
	bool known_id, known_count;
	int64_t id, count;
};

enum { ALL_THREADS = INT32_MIN, MAX_COUNT = 4095 }; /* no literal: no count in the PTX; 0 is all threads, too */

static bool in_range(struct select *s, const struct barrier *b)
{
	if (b->known_id && (b->id < 0 || b->id > 15)) {
		select_error(s, "barrier number out of range: found %lld, expected 0 to 15", (long long)b->id);
		return false;
	}
	if (b->known_count && b->count != ALL_THREADS && (b->count < 0 || b->count > MAX_COUNT))
		lower_warn(s->f, s->line,
		           "thread count of a barrier out of range: found %lld, expected 0 to %d; the word holds %lld",
		           (long long)b->count, MAX_COUNT, (long long)(b->count & MAX_COUNT));
	return true;
}

/* Number and count in one register: count << 16 | number. Below sm_90 more than the 4 significant bits of the number
 * stay, as in NVIDIA's code: too large a number is a fault there. */
static ref packed(struct select *s, unsigned id, unsigned count)
{
	struct val number = val_reg(select_in_reg(s, select_src(s, id, 32), 32));
	ref t = select_tmp(s, 1);

	select_shift(s, t, true, false, val_reg(select_in_reg(s, select_src(s, count, 32), 32)), val_imm(16));
	if (s->f->arch < WL_SM90)
		select_lop3(s, t, val_reg(t), val_imm(MAX_COUNT << 16), number, (LUT_A & LUT_B) | (LUT_C & ~LUT_B));
	else
		select_lop3(s, t, number, val_imm(15), val_reg(t), (LUT_A & LUT_B) | LUT_C);
	return t;
}

/* Puts operands `first` (the number) and, if present, `first` + 1 (the count) into the instruction. */
static bool put_barrier(struct select *s, struct minst *in, unsigned first, bool has_count)
{
	struct barrier b = {.count = ALL_THREADS, .known_count = true};
	b.known_id =
	        select_literal(s, &s->i->ops[first], &b.id) && (s->f->opt > 0 || s->i->ops[first].kind == PTX_O_INT);
	if (has_count)
		b.known_count = select_literal(s, &s->i->ops[first + 1], &b.count);
	if (!in_range(s, &b))
		return false;
	in->w.src[0] = b.known_id ? WL_SRC_IMM : WL_SRC_REG;
	in->w.src[1] = b.known_count ? WL_SRC_IMM : WL_SRC_REG; /* imm2 = 0: all threads of the CTA */
	if (!b.known_id && !b.known_count) {
		in->ra = packed(s, first, first + 1);
		in->w.src[1] = WL_SRC_IMM;
		in->w.flags |= WL_F_HI;
	} else {
		if (b.known_id)
			in->w.imm = (uint32_t)b.id;
		else
			in->ra = select_in_reg(s, select_src(s, first, 32), 32);
		if (b.known_count)
			in->w.imm2 = b.count == ALL_THREADS ? 0 : (uint32_t)b.count & MAX_COUNT;
		else
			in->rb = select_in_reg(s, select_src(s, first + 1, 32), 32);
	}
	return true;
}

enum { ALIGNED = 1, LOOSE = 2 };

struct barrier_row {
	uint8_t operations, forms; /* bits */
	uint16_t first, last;
	uint32_t suffix;
	bool guard, apart;
};

static const struct barrier_row *find_row(const struct select *s, enum wl_bar op)
{
	enum { SYNC = 1 << WL_BAR_SYNC, ARV = 1 << WL_BAR_ARV, RED = 1 << WL_BAR_RED, ANY = 7, DEFER = WL_F_DEFER };
#define ROW(operation, form, first, last, suffix, guard, apart) {operation, form, first, last, suffix, guard, apart},
#define BARRIER(operation, form, archs, suffix, guard, apart)   ROW(operation, form, archs, suffix, guard, apart)
	static const struct barrier_row rows[] = {
#include "barrier.def"
	};
#undef ROW
	const unsigned form = select_is_aligned(s->i) ? ALIGNED : LOOSE;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		if ((rows[i].operations >> op & 1) && (rows[i].forms & form) && s->f->arch >= rows[i].first &&
		    s->f->arch <= rows[i].last)
			return &rows[i];
	return NULL;
}

/* Some way leads back over the instruction. */
static bool is_in_loop(const struct select *s)
{
	const uint32_t here = (uint32_t)(s->i - s->fn->instrs);
	for (uint32_t k = here; k < s->fn->ninstrs; k++) {
		const struct ptx_instr *i = &s->fn->instrs[k];
		if (i->op == PTX_OP_bra && i->ops[0].kind == PTX_O_LABEL &&
		    s->fn->labels[i->ops[0].label].instr <= here)
			return true;
	}
	return false;
}

/* ptxas 13.0 on sm_90 and later: lanes wait in front of a barrier where lanes may come apart. Without .aligned the wait
 * can hang: the others may wait at another place. */
static bool waits_as_ptxas(const struct select *s)
{
	const bool red = s->i->op == PTX_OP_barrier_red || s->i->op == PTX_OP_barrier_cta_red;
	if (!s->f->compat || s->f->arch < WL_SM90)
		return false;
	if (!s->guard_same && !select_is_aligned(s->i))
		return true;
	return s->apart && !(red && is_in_loop(s)); /* a reduction in a loop has no wait */
}

/* Code in front, and the suffix. Returns the block behind a guarded barrier with a jump around. */
static struct mblock *prepare(struct select *s, struct minst *in)
{
	const struct barrier_row *row = find_row(s, (enum wl_bar)in->w.op);
	struct mblock *behind = NULL;
	in->w.flags |= row->suffix;
	if ((row->guard && !s->guard_same) || (row->apart && s->apart) || waits_as_ptxas(s)) {
		if (s->guard != REF_NONE && s->f->arch >= WL_SM90)
			behind = select_guard_around(s);
		mfunc_note(s->f, s->line, "WARPSYNC in front: lanes may come to the barrier apart");
		select_meet(s, val_imm(0xffffffff));
	}
	return behind;
}

static bool barrier(struct select *s, enum wl_bar op)
{
	struct minst in = minst_make(WL_UOP_BAR, s->line);
	if (s->i->nops < 1 || s->i->nops > 2 || (op == WL_BAR_ARV && s->i->nops != 2))
		return false;
	in.w.op = (uint8_t)op;
	if (put_barrier(s, &in, 0, s->i->nops == 2)) {
		struct mblock *behind = prepare(s, &in);
		select_emit(s, &in);
		if (behind)
			select_fall(s, behind);
	}
	return true;
}

/* d, number, [count,] p: the result of the warp's last reduction is read behind the barrier. */
static bool reduction(struct select *s)
{
	const struct ptx_instr *i = s->i;
	struct minst in = minst_make(WL_UOP_BAR, s->line);
	struct mblock *behind;
	if (i->nops < 3 || i->nops > 4)
		return false;
	in.w.op = WL_BAR_RED;
	in.w.type = i->operation == PTX_M_popc ? WL_RED_POPC : i->operation == PTX_M_and ? WL_RED_AND : WL_RED_OR;
	in.ps[0] = select_pred(s, &i->ops[i->nops - 1], &in.w.ps[0]);
	if (!put_barrier(s, &in, 1, i->nops == 4))
		return true;
	behind = prepare(s, &in);
	select_emit(s, &in);
	in = minst_make(WL_UOP_B2R, s->line);
	if (i->operation == PTX_M_popc)
		in.rd = select_dst(s, 0);
	else
		in.pd[0] = select_dst(s, 0);
	select_emit(s, &in);
	if (behind)
		select_fall(s, behind);
	return true;
}

/* ---- fences ---- */

static bool fence(struct select *s)
{
	const struct ptx_instr *i = s->i;
	unsigned order = i->op == PTX_OP_membar ? PTX_M_sc : i->order == PTX_M_none ? PTX_M_acq_rel : i->order;
	struct mblock *behind;
	if (i->nops || !order_is_fence(order) || ptx_has(i, PTX_M_sync_restrict__shared__cta) ||
	    ptx_has(i, PTX_M_sync_restrict__shared__cluster) || ptx_has(i, PTX_M_mbarrier_init))
		return false;
	behind = select_guard_around(s);
	order_before(s, ORDERED_FENCE, order, i->scope);
	order_behind(s, ORDERED_FENCE, order, i->scope);
	if (behind)
		select_fall(s, behind);
	return true;
}

static bool sleep_ns(struct select *s)
{
	struct minst in = select_alu(s, WL_UOP_NANOSLEEP, REF_NONE, VAL_ZERO, select_src(s, 0, 32), VAL_ZERO);
	select_emit(s, &in);
	return true;
}

bool select_sync(struct select *s)
{
	switch (s->i->op) {
	case PTX_OP_bar:
	case PTX_OP_bar_cta:
	case PTX_OP_barrier:
	case PTX_OP_barrier_cta:
		return barrier(s, WL_BAR_SYNC);
	case PTX_OP_bar_arrive:
	case PTX_OP_bar_cta_arrive:
	case PTX_OP_barrier_arrive:
	case PTX_OP_barrier_cta_arrive:
		return barrier(s, WL_BAR_ARV);
	case PTX_OP_bar_red:
	case PTX_OP_bar_cta_red:
	case PTX_OP_barrier_red:
	case PTX_OP_barrier_cta_red:
		return reduction(s);
	case PTX_OP_membar:
	case PTX_OP_fence:
		return fence(s);
	case PTX_OP_nanosleep:
		return sleep_ns(s);
	default:
		return false;
	}
}

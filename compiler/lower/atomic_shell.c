// SPDX-License-Identifier: Apache-2.0
/* atomic_shell.c -- atomics as code: one instruction, or a loop around an instruction of the hardware. */
#include "atomic.h"
#include "order.h"

/* The instructions of each space. */
static const struct {
	uint16_t load, store, atom, cas;
} uops[] = {
        [ATOMIC_SHARED] = {WL_UOP_LDS, WL_UOP_STS, WL_UOP_ATOMS, WL_UOP_ATOMS_CAS},
        [ATOMIC_GLOBAL] = {WL_UOP_LDG, WL_UOP_STG, WL_UOP_ATOMG, WL_UOP_ATOMG_CAS},
        [ATOMIC_GENERIC] = {WL_UOP_LD, WL_UOP_ST, WL_UOP_ATOM, WL_UOP_ATOM_CAS},
};

static bool is_half(const struct atomic *a)
{
	return a->bits == 16;
}

static unsigned words_of(const struct atomic *a)
{
	return is_half(a) ? 1 : a->bits / 32;
}

/* An access to the place of the atomic; for 16 bits: to the word around the place. */
static struct minst access(struct select *s, const struct atomic *a, unsigned uop)
{
	struct minst in = minst_make(uop, s->line);
	select_put_address(&in, &a->at);
	in.w.size = (uint8_t)(4 * words_of(a));
	if (a->space != ATOMIC_SHARED)
		in.w.flags |= WL_F_E64;
	else if (uop == WL_UOP_LDS)
		in.w.flags |= select_lds_flags(s);
	select_hint(s, &in);
	return in;
}

static struct minst atomic_access(struct select *s, const struct atomic *a, unsigned uop)
{
	struct minst in = access(s, a, uop);
	if (a->space != ATOMIC_SHARED)
		order_atomic(s, &in);
	in.keep = a->acquires;
	return in;
}

/* Compare-and-swap reads the expected and the new value, in this order, from one aligned group of registers: all words
 * of ptxas do. nvdisasm prints other words as illegal. */
static void put_cas_values(struct select *s, struct minst *in, unsigned words, struct val expected, struct val next)
{
	ref both;

	if (words == 4) { /* no group of eight: two aligned groups */
		in->rb = expected.r;
		in->rc = next.r;
		return;
	}
	both = select_tmp(s, 2 * words);

	s->f->vregs[ref_reg(both)].unspillable = true; /* apart, the two values would not stay neighbours */
	for (unsigned w = 0; w < words; w++) {
		select_mov(s, both + w, val_word(expected, w));
		select_mov(s, both + words + w, val_word(next, w));
	}
	in->rb = both;
	in->rc = both + words;
}

static bool is_beyond(const struct atomic *a)
{
	return a->beyond && a->space == ATOMIC_SHARED;
}

static struct minst native_access(struct select *s, const struct atomic *a)
{
	const unsigned uop = is_beyond(a)          ? WL_UOP_ATOMSN
	                     : a->op == ATOMIC_CAS ? uops[a->space].cas
	                                           : uops[a->space].atom;
	struct minst in = atomic_access(s, a, uop);
	if (a->op == ATOMIC_CAS) {
		put_cas_values(s, &in, words_of(a), a->b, a->c);
		return in;
	}
	in.w.op = (uint8_t)a->op;
	in.w.type = (uint8_t)(is_beyond(a) ? a->shared_member : a->member);
	if (a->one) {
		in.w.flags |= WL_F_ONE;
		return in;
	}
	if (a->sign && ((a->op == WL_ATOM_ADD && !is_beyond(a)) || a->op == WL_ATOM_MIN || a->op == WL_ATOM_MAX))
		in.w.flags |= WL_F_SIGNED;
	in.rb = select_in_reg(s, a->b, a->bits);
	return in;
}

/* Kind of fences beside the access itself. */
static enum ordered what(const struct atomic *a)
{
	if (a->space != ATOMIC_SHARED)
		return ORDERED_ACCESS;
	return a->shell == SHELL_SPIN ? ORDERED_LOOPED : ORDERED_SHARED;
}

/* ptxas leaves these fences out from sm_90 on. */
static bool lost(const struct select *s, const struct atomic *a)
{
	return s->f->compat && s->f->arch >= WL_SM90 && what(a) == ORDERED_LOOPED;
}

static void before(struct select *s, const struct atomic *a)
{
	if (a->fenced && !lost(s, a))
		order_before(s, what(a), s->i->order, s->i->scope);
}

static void behind(struct select *s, const struct atomic *a)
{
	if (a->fenced && !lost(s, a))
		order_behind(s, what(a), s->i->order, s->i->scope);
}

static void native(struct select *s, const struct atomic *a)
{
	struct minst in = native_access(s, a);
	in.rd = a->d;
	if (a->d == REF_NONE && a->space == ATOMIC_GLOBAL && !a->acquires && a->op < WL_ATOM_EXCH)
		in.w.uop = WL_UOP_RED;
	before(s, a);
	select_emit(s, &in);
	behind(s, a);
}

/* ---- the new value ---- */

static void add_float(struct select *s, const struct atomic *a, ref d, ref old)
{
	struct val o = val_reg(old), b = val_reg(select_in_reg(s, a->b, is_half(a) ? 32 : a->bits));
	struct minst in;
	if (a->type == TYPE_F64) /* DADD adds A and C; of two NaNs C wins: ptxas puts the old value in C */
		in = select_alu(s, WL_UOP_DADD, d, b, VAL_ZERO, o);
	else
		in = select_alu(s, a->type == TYPE_F32 ? WL_UOP_FADD : WL_UOP_HADD2, d, o, b, VAL_ZERO);
	if (a->type == TYPE_BF16 || a->type == TYPE_BF16X2)
		in.w.flags |= WL_F_BF16;
	select_emit(s, &in);
}

static void choose_less(struct select *s, const struct atomic *a, ref d, struct val old)
{
	ref p = select_tmp_pred(s);

	select_cmp(s, p, a->op == WL_ATOM_MIN ? WL_CMP_LT : WL_CMP_GT, a->sign, 64, old, a->b);
	for (unsigned w = 0; w < 2; w++)
		select_sel(s, d + w, val_word(old, w), val_word(a->b, w), p, false);
}

uint8_t atomic_lut(unsigned op)
{
	return op == WL_ATOM_AND ? LUT_A & LUT_B : op == WL_ATOM_OR ? LUT_A | LUT_B : LUT_A ^ LUT_B;
}

static void combine_bits(struct select *s, const struct atomic *a, ref d, struct val old)
{
	uint8_t lut = atomic_lut(a->op);
	for (unsigned w = 0; w < 2; w++)
		select_lop3(s, d + w, val_word(old, w), val_word(a->b, w), VAL_ZERO, lut);
}

/* Equal: c; else the old value stays. */
static void swap_if_equal(struct select *s, const struct atomic *a, ref d, struct val old)
{
	ref p = select_tmp_pred(s);

	select_cmp(s, p, WL_CMP_EQ, false, a->bits, old, a->b);
	for (unsigned w = 0; w < words_of(a); w++)
		select_sel(s, d + w, val_reg(select_in_reg(s, val_word(a->c, w), 32)), val_word(old, w), p, false);
}

/* d = the operation on the old value and b. */
static void compute(struct select *s, const struct atomic *a, ref d, ref old)
{
	if (a->type != TYPE_INT32 && a->type != TYPE_INT64 && a->type != TYPE_HALF) {
		add_float(s, a, d, old);
		return;
	}
	switch (a->op) {
	case WL_ATOM_ADD:
		select_add64(s, d, val_reg(old), a->b, false);
		break;
	case WL_ATOM_MIN:
	case WL_ATOM_MAX:
		choose_less(s, a, d, val_reg(old));
		break;
	case WL_ATOM_EXCH:
		select_mov64(s, d, a->b);
		break;
	case ATOMIC_CAS:
		swap_if_equal(s, a, d, val_reg(old));
		break;
	default:
		combine_bits(s, a, d, val_reg(old));
	}
}

static void put_result(struct select *s, const struct atomic *a, ref old)
{
	if (a->d == REF_NONE)
		return;
	if (words_of(a) == 2)
		select_mov64(s, a->d, val_reg(old));
	else
		select_mov(s, a->d, val_reg(old));
}

/* ---- loops ---- */

/* Load, calculate, store unless another lane or warp has stored in between. */
static void spin_loop(struct select *s, const struct atomic *a)
{
	unsigned words = words_of(a);
	ref old = select_tmp(s, words), next = select_tmp(s, words), won = select_tmp(s, words), p = select_tmp_pred(s);
	struct mblock *loop = select_new_block(s);
	bool shared = a->space == ATOMIC_SHARED, pred = shared && s->f->target->cast_predicate;
	struct minst in;

	before(s, a);
	select_fall(s, loop);
	in = access(s, a, uops[a->space].load);
	in.rd = old;
	in.keep = in.computes = true;
	select_emit(s, &in);
	compute(s, a, next, old);
	in = access(s, a, !shared ? WL_UOP_ATOM_CAST : pred ? WL_UOP_ATOMS_CAST_P : WL_UOP_ATOMS_CAST);
	in.w.flags |= WL_F_SPIN;
	if (in.w.uop == WL_UOP_ATOM_CAST && s->f->ptxas >= 131) { /* ptxas 13.0 names no order */
		in.w.order = WL_MEM_STRONG;
		in.w.scope = WL_SCOPE_SM;
	}
	in.computes = true;
	in.rd = pred ? REF_NONE : won;
	in.pd[0] = pred ? p : REF_NONE;
	put_cas_values(s, &in, words, val_reg(old), val_reg(next));
	select_emit(s, &in);
	if (!pred)
		select_cmp(s, p, WL_CMP_EQ, false, 32, val_reg(won), val_imm(1));
	select_branch(s, p, true, loop);
	behind(s, a);
	put_result(s, a, old);
}

/* The address with its offset, in a register (pair). */
static ref whole_address(struct select *s, const struct atomic *a)
{
	ref t;

	if (a->space != ATOMIC_SHARED) {
		t = select_tmp(s, 2);
		select_add64(s, t, val_reg(a->at.base), val_imm((uint64_t)a->at.off), false);
	} else {
		t = select_tmp(s, 1);
		select_add(s, t, val_reg(a->at.base), val_imm((uint32_t)a->at.off));
	}
	return t;
}

struct halfword {
	struct atomic word; /* the atomic at the word around the 16 bits */
	ref shift, put;     /* of the 16 bits in the word; PRMT's choice to put in new bits */
};

static struct halfword around(struct select *s, const struct atomic *a)
{
	struct halfword h = {.word = *a, .shift = select_tmp(s, 1), .put = select_tmp(s, 1)};
	ref at = whole_address(s, a), aligned = select_tmp(s, a->space == ATOMIC_SHARED ? 1 : 2),
	    p = select_tmp_pred(s);

	if (a->space != ATOMIC_SHARED)
		select_mov(s, aligned + 1, val_reg(at + 1));
	select_lop3(s, aligned, val_reg(at), val_imm(0xfffffffc), VAL_ZERO, LUT_A & LUT_B);
	select_shift(s, h.shift, true, false, val_reg(at), val_imm(3));
	select_lop3(s, h.shift, val_reg(h.shift), val_imm(16), VAL_ZERO, LUT_A & LUT_B);
	select_cmp(s, p, WL_CMP_NE, false, 32, val_reg(h.shift), VAL_ZERO);
	select_mov(s, h.put, val_imm(0x3254));
	select_sel(s, h.put, val_reg(h.put), val_imm(0x5410), p, true);
	h.word.at = (struct address){.base = aligned};
	return h;
}

/* The word with the 16 bits replaced. */
static ref with_half(struct select *s, const struct halfword *h, ref word, struct val half)
{
	ref d = select_tmp(s, 1);
	struct minst in =
	        select_alu(s, WL_UOP_PRMT, d, val_reg(word), val_reg(h->put), val_reg(select_in_reg(s, half, 32)));

	select_emit(s, &in);
	return d;
}

static ref half_of(struct select *s, const struct halfword *h, ref word)
{
	ref d = select_tmp(s, 1);

	select_shift(s, d, false, false, val_reg(word), val_reg(h->shift));
	return d;
}

/* A compare-and-swap of 16 bits fails when the 16 bits differ. When the other half has changed, the loop goes round.
 * The value of the first load need not be right: the swap returns the value in memory. */
static void halfword_loop(struct select *s, const struct atomic *a)
{
	struct halfword h = around(s, a);
	struct mblock *loop = select_new_block(s), *out = select_new_block(s);
	ref old = select_tmp(s, 1), got = select_tmp(s, 1), same = select_tmp_pred(s), expected, next, t;
	struct minst in = access(s, &h.word, uops[a->space].load);

	in.rd = old;
	in.keep = in.computes = true;
	select_emit(s, &in);
	select_fall(s, loop);
	if (a->op == ATOMIC_CAS) {
		expected = with_half(s, &h, old, a->b);
		next = with_half(s, &h, old, a->c);
	} else {
		t = select_tmp(s, 1);
		expected = old;
		compute(s, a, t, half_of(s, &h, old));
		next = with_half(s, &h, old, val_reg(t));
	}
	before(s, a);
	in = atomic_access(s, &h.word, uops[a->space].cas);
	in.rd = got;
	in.computes = true;
	put_cas_values(s, &in, 1, val_reg(expected), val_reg(next));
	select_emit(s, &in);
	behind(s, a);
	select_cmp(s, same, WL_CMP_EQ, false, 32, val_reg(got), val_reg(expected));
	select_mov(s, old, val_reg(got));
	if (a->op == ATOMIC_CAS) {
		t = select_tmp(s, 1);
		select_branch(s, same, false, out);
		select_lop3(s, t, val_reg(got), val_reg(expected), VAL_ZERO, LUT_A ^ LUT_B);
		select_lop3(s, t, val_reg(half_of(s, &h, t)), val_imm(0xffff), VAL_ZERO, LUT_A & LUT_B);
		select_cmp(s, same, WL_CMP_EQ, false, 32, val_reg(t), VAL_ZERO);
		select_branch(s, same, false, loop);
	} else {
		select_branch(s, same, true, loop);
	}
	select_fall(s, out);
	put_result(s, a, half_of(s, &h, got));
}

/* ---- generic addresses outside the reach of ATOM ---- */

/* The thread's own memory: no other thread comes in between. */
static void load_and_store(struct select *s, const struct atomic *a, ref old)
{
	ref next = select_tmp(s, words_of(a));
	struct minst in = access(s, a, WL_UOP_LD);

	in.rd = old;
	select_emit(s, &in);
	compute(s, a, next, old);
	in = access(s, a, WL_UOP_ST);
	in.rb = next;
	select_emit(s, &in);
}

/* Lines of the L1 dropped behind ATOM may have been fetched again before a loop. */
static void behind_again(struct select *s, const struct atomic *a)
{
	if (a->fenced && a->acquires && !s->f->compat)
		behind(s, a);
}

static void in_shared_memory(struct select *s, const struct atomic *a, ref old)
{
	struct atomic at_shared = *a;
	ref at = select_tmp(s, 1);

	/* the low bits of a generic address in the window of shared memory */
	select_lop3(s, at, val_reg(whole_address(s, a)), val_imm(0xffffff), VAL_ZERO, LUT_A & LUT_B);
	at_shared.space = ATOMIC_SHARED;
	at_shared.at = (struct address){.base = at};
	at_shared.d = old;
	at_shared.fenced = false;
	if (a->beyond)
		native(s, &at_shared);
	else
		spin_loop(s, &at_shared);
	behind_again(s, a);
}

/* p = the address lies in this space (QSPC's number). */
static ref lies_in(struct select *s, const struct atomic *a, unsigned space)
{
	struct minst in = minst_make(WL_UOP_QSPC, s->line);
	select_put_address(&in, &a->at);
	in.w.flags = WL_F_E64;
	in.w.op = (uint8_t)space;
	in.pd[0] = select_tmp_pred(s);
	select_emit(s, &in);
	return in.pd[0];
}

/* Memory of another CTA of the cluster. */
static void in_far_memory(struct select *s, const struct atomic *a, ref old)
{
	struct atomic far = *a;
	far.d = old;
	far.fenced = false;
	spin_loop(s, &far);
	behind_again(s, a);
}

static void try_generic(struct select *s, const struct atomic *a)
{
	enum { SHARED_SPACE = 2, CLUSTER_SPACE = 3 };
	struct mblock *next = select_new_block(s), *plain, *out = select_new_block(s);
	ref old = select_tmp(s, words_of(a)), done = select_tmp_pred(s);
	struct minst in = native_access(s, a);

	in.rd = old;
	in.pd[0] = done;
	before(s, a);
	select_emit(s, &in);
	behind(s, a);
	select_branch(s, done, false, out);
	if (a->shell != SHELL_TRY_PLAIN) {
		select_branch(s, lies_in(s, a, SHARED_SPACE), true, next);
		in_shared_memory(s, a, old);
		select_branch(s, REF_NONE, false, out);
		select_fall(s, next);
	}
	if (a->shell == SHELL_TRY_FAR && s->f->arch >= WL_SM90) {
		plain = select_new_block(s);
		select_branch(s, lies_in(s, a, CLUSTER_SPACE), true, plain);
		in_far_memory(s, a, old);
		select_branch(s, REF_NONE, false, out);
		select_fall(s, plain);
	}
	load_and_store(s, a, old);
	select_fall(s, out);
	put_result(s, a, old);
}

static void explain(struct select *s, const struct atomic *a)
{
	const char *type = ptx_types[s->i->type[0]].name;
	const unsigned arch = (unsigned)s->f->arch;
	if (is_beyond(a))
		mfunc_note(s->f, s->line, "ATOMSN, beyond silicon: -mnative-shared (BEYOND of %s in atomic.def)", type);
	else if (a->shell == SHELL_SPIN)
		mfunc_note(s->f, s->line, "loop of CAST.SPIN: shared memory has no such atomic of %s on sm_%u", type,
		           arch);
	else if (a->shell == SHELL_HALFWORD)
		mfunc_note(s->f, s->line,
		           "loop of compare-and-swaps of the word around it: %s has no such atomic on sm_%u", type,
		           arch);
	else if (a->shell != SHELL_NATIVE)
		mfunc_note(s->f, s->line,
		           "ATOM tells the lanes that it could not serve: %slocal memory has code of its own",
		           a->shell == SHELL_TRY_PLAIN ? "" : "shared and ");
}

void atomic_emit(struct select *s, const struct atomic *a)
{
	explain(s, a);
	switch (a->shell) {
	case SHELL_NATIVE:
		native(s, a);
		break;
	case SHELL_SPIN:
		spin_loop(s, a);
		break;
	case SHELL_HALFWORD:
		halfword_loop(s, a);
		break;
	default:
		try_generic(s, a);
	}
}

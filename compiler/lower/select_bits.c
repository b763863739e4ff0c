// SPDX-License-Identifier: Apache-2.0
/* select_bits.c -- logic, shifts, bit fields, byte permutation, counting; of predicates too. */
#include "select.h"

void select_lop3(struct select *s, ref d, struct val a, struct val b, struct val c, uint8_t lut)
{
	struct minst in = select_alu(s, WL_UOP_LOP3, d, a, b, c);
	in.w.lut = lut;
	in.w.ps[0] = WL_PT | NOT_P;
	select_emit(s, &in);
}

/* The funnel shift of the words c:a by n. */
static void funnel(struct select *s, ref d, struct val a, struct val n, struct val c, unsigned type, uint32_t flags)
{
	struct minst in = select_alu(s, WL_UOP_SHF, d, a, n, c);
	in.w.type = (uint8_t)type;
	in.w.flags |= flags;
	select_emit(s, &in);
}

void select_shift(struct select *s, ref d, bool left, bool sign, struct val a, struct val n)
{
	if (n.kind == WL_SRC_IMM && n.imm >= 32) {
		if (!sign) {
			select_mov(s, d, VAL_ZERO);
			return;
		}
		n = val_imm(31);
	}
	if (left)
		funnel(s, d, a, n, VAL_ZERO, WL_SHF_U32, WL_F_LEFT);
	else
		funnel(s, d, VAL_ZERO, n, a, sign ? WL_SHF_S32 : WL_SHF_U32, WL_F_HI);
}

/* 64-bit shift of a by n (one word) into the pair d, which must not be a. */
static void shift64(struct select *s, ref d, bool left, bool sign, struct val a, struct val n)
{
	struct val lo = val_word(a, 0), hi = val_word(a, 1);
	if (n.kind == WL_SRC_IMM && n.imm >= 32) {
		struct val m = val_imm(n.imm - 32);
		if (left) {
			select_shift(s, d + 1, true, false, lo, m);
			select_mov(s, d, VAL_ZERO);
		} else {
			select_shift(s, d, false, sign, hi, m);
			if (sign)
				select_shift(s, d + 1, false, true, hi, val_imm(31));
			else
				select_mov(s, d + 1, VAL_ZERO);
		}
	} else if (left) {
		funnel(s, d, lo, n, VAL_ZERO, WL_SHF_U32, WL_F_LEFT);
		funnel(s, d + 1, lo, n, hi, WL_SHF_U64, WL_F_LEFT | WL_F_HI);
	} else {
		funnel(s, d, lo, n, hi, sign ? WL_SHF_S64 : WL_SHF_U64, 0);
		funnel(s, d + 1, VAL_ZERO, n, hi, sign ? WL_SHF_S32 : WL_SHF_U32, WL_F_HI);
	}
}

static void shift(struct select *s)
{
	const struct ptx_instr *i = s->i;
	unsigned bits = type_bits(i->type[0]);
	bool left = i->op == PTX_OP_shl, sign = !left && type_signed(i->type[0]);
	struct val a = select_src(s, 1, bits), n = select_src(s, 2, 32);
	ref d = select_dst(s, 0), t;

	if (bits == 64) {
		t = select_tmp(s, 2);
		shift64(s, t, left, sign, val_reg(select_in_reg(s, a, 64)), n);
		select_mov64(s, d, val_reg(t));
		return;
	}
	if (bits == 16 && !left)
		a = select_extend(s, a, 16, sign);
	select_shift(s, d, left, sign, a, n);
}

/* shf.{l,r}.{clamp,wrap}.b32 d, a, b, c: the words b:a by c. */
static void funnel_shift(struct select *s)
{
	bool left = s->i->mode == PTX_M_l;
	uint32_t flags = (left ? WL_F_LEFT | WL_F_HI : 0) | (s->i->clamp == PTX_M_wrap ? WL_F_WRAP : 0);
	struct val n = select_src(s, 3, 32);
	if (n.kind == WL_SRC_IMM)
		n = val_imm(s->i->clamp == PTX_M_wrap ? n.imm & 31 : n.imm > 32 ? 32 : n.imm);
	funnel(s, select_dst(s, 0), select_src(s, 1, 32), n, select_src(s, 2, 32), WL_SHF_U32, flags);
}

/* Two-source logic of 1 to 2 words. Both sources are read before a word of d is written only where words match, so
 * aliasing is harmless. */
static void logic(struct select *s, uint8_t lut)
{
	unsigned bits = type_bits(s->i->type[0]), words = bits == 64 ? 2 : 1;
	struct val a = select_src(s, 1, bits), b = s->i->nops > 2 ? select_src(s, 2, bits) : VAL_ZERO;
	ref d = select_dst(s, 0);

	if (a.kind != WL_SRC_REG) {
		struct val t = a;
		a = b;
		b = t;
	}
	for (unsigned w = 0; w < words; w++)
		select_lop3(s, d + w, val_word(a, w), val_word(b, w), VAL_ZERO, lut);
}

static void complement(struct select *s)
{
	unsigned bits = type_bits(s->i->type[0]), words = bits == 64 ? 2 : 1;
	struct val a = select_src(s, 1, bits);
	for (unsigned w = 0; w < words; w++)
		select_lop3(s, select_dst(s, 0) + w, VAL_ZERO, val_word(a, w), VAL_ZERO, (uint8_t)~LUT_B);
}

/* cnot: 1 where the source is zero. */
static void is_zero(struct select *s)
{
	unsigned bits = type_bits(s->i->type[0]);
	struct val a = select_extend(s, select_src(s, 1, bits), bits, false);
	ref p = select_tmp_pred(s), d = select_dst(s, 0);

	select_cmp(s, p, WL_CMP_EQ, false, bits == 64 ? 64 : 32, val_reg(select_in_reg(s, a, bits == 64 ? 64 : 32)),
	           VAL_ZERO);
	select_sel(s, d, VAL_ZERO, val_imm(1), p, true);
	if (bits == 64)
		select_mov(s, d + 1, VAL_ZERO);
}

/* lop3.or, lop3.and: also a predicate for a result other than 0, combined with another predicate. */
static bool lop3_with_predicate(struct select *s)
{
	const struct ptx_instr *i = s->i;
	const struct ptx_operand *d = &i->ops[0];
	struct minst in;
	if (i->nops != 6 || d->kind != PTX_O_PAIR || i->ops[4].kind != PTX_O_INT)
		return false;
	in = select_alu(s, WL_UOP_LOP3, select_operand_reg(s, &d->list[0]), select_src(s, 1, 32), select_src(s, 2, 32),
	                select_src(s, 3, 32));
	in.w.lut = (uint8_t)i->ops[4].imm;
	in.w.op = i->operation == PTX_M_and;
	in.pd[0] = select_operand_reg(s, &d->list[1]);
	in.ps[0] = select_pred(s, &i->ops[5], &in.w.ps[0]);
	select_emit(s, &in);
	return true;
}

static bool lop3(struct select *s)
{
	if (s->i->operation == PTX_M_and || s->i->operation == PTX_M_or)
		return lop3_with_predicate(s);
	if (s->i->nops != 5 || s->i->ops[4].kind != PTX_O_INT)
		return false;
	select_lop3(s, select_dst(s, 0), select_src(s, 1, 32), select_src(s, 2, 32), select_src(s, 3, 32),
	            (uint8_t)s->i->ops[4].imm);
	return true;
}

/* ---- counting ---- */

static ref unary(struct select *s, unsigned uop, ref d, struct val a, uint32_t flags)
{
	struct minst in = select_alu(s, uop, d, VAL_ZERO, a, VAL_ZERO);
	in.w.flags |= flags;
	select_emit(s, &in);
	return d;
}

static void popcount(struct select *s)
{
	unsigned bits = type_bits(s->i->type[0]);
	struct val a = select_src(s, 1, bits);
	ref d = select_dst(s, 0), lo, hi;

	if (bits == 32) {
		unary(s, WL_UOP_POPC, d, a, 0);
		return;
	}
	lo = unary(s, WL_UOP_POPC, select_tmp(s, 1), val_word(a, 0), 0);
	hi = unary(s, WL_UOP_POPC, select_tmp(s, 1), val_word(a, 1), 0);
	select_add(s, d, val_reg(lo), val_reg(hi));
}

/* Index of the highest set bit (signed: of the highest bit unlike the sign); all ones without a hit. */
static ref highest_bit(struct select *s, struct val a, unsigned bits, bool sign)
{
	ref lo, hi, up, p, none, r;
	struct val low = val_word(a, 0);

	if (bits == 32)
		return unary(s, WL_UOP_FLO, select_tmp(s, 1), a, sign ? WL_F_SIGNED : 0);
	if (sign) { /* in the low word, too, only bits unlike the sign of the whole count */
		ref m = select_tmp(s, 1), x = select_tmp(s, 1);

		select_shift(s, m, false, true, val_word(a, 1), val_imm(31));
		select_lop3(s, x, val_reg(m), low, VAL_ZERO, LUT_A ^ LUT_B);
		low = val_reg(x);
	}
	lo = unary(s, WL_UOP_FLO, select_tmp(s, 1), low, 0);
	hi = unary(s, WL_UOP_FLO, select_tmp(s, 1), val_word(a, 1), sign ? WL_F_SIGNED : 0);
	up = select_tmp(s, 1);
	none = select_tmp_pred(s);
	r = select_tmp(s, 1);
	p = none;
	select_cmp(s, p, WL_CMP_EQ, false, 32, val_reg(hi), val_imm(0xffffffff));
	select_add(s, up, val_reg(hi), val_imm(32));
	select_sel(s, r, val_reg(lo), val_reg(up), p, false);
	return r;
}

static void count_leading_zeros(struct select *s)
{
	unsigned bits = type_bits(s->i->type[0]);
	ref top = highest_bit(s, val_reg(select_in_reg(s, select_src(s, 1, bits), bits)), bits, false);
	struct minst in = select_alu(s, WL_UOP_IADD3, select_dst(s, 0), val_reg(top), val_imm(bits - 1), VAL_ZERO);

	in.w.neg = 1;
	select_emit(s, &in);
}

static void find_bit(struct select *s)
{
	unsigned bits = type_bits(s->i->type[0]);
	ref top = highest_bit(s, val_reg(select_in_reg(s, select_src(s, 1, bits), bits)), bits,
	                      type_signed(s->i->type[0]));
	ref d = select_dst(s, 0), t, p;
	struct minst in;

	if (!ptx_has(s->i, PTX_M_shiftamt)) {
		select_mov(s, d, val_reg(top));
		return;
	}
	/* The distance to the top; "none" stays all ones. */
	t = select_tmp(s, 1);
	p = select_tmp_pred(s);
	in = select_alu(s, WL_UOP_IADD3, t, val_reg(top), val_imm(bits - 1), VAL_ZERO);
	in.w.neg = 1;
	select_emit(s, &in);
	select_cmp(s, p, WL_CMP_EQ, false, 32, val_reg(top), val_imm(0xffffffff));
	select_sel(s, d, val_reg(top), val_reg(t), p, false);
}

static void reverse_bits(struct select *s)
{
	unsigned bits = type_bits(s->i->type[0]);
	struct val a = select_src(s, 1, bits);
	ref t;

	if (bits == 32) {
		unary(s, WL_UOP_BREV, select_dst(s, 0), a, 0);
		return;
	}
	t = select_tmp(s, 2);
	unary(s, WL_UOP_BREV, t, val_word(a, 1), 0);
	unary(s, WL_UOP_BREV, t + 1, val_word(a, 0), 0);
	select_mov64(s, select_dst(s, 0), val_reg(t));
}

/* ---- bit fields ---- */

/* Position and length count modulo 256. */
static struct val byte_of(struct select *s, unsigned n)
{
	struct val v = select_src(s, n, 32);
	ref t;

	if (v.kind == WL_SRC_IMM)
		return val_imm(v.imm & 0xff);
	if (val_is_zero(v))
		return v;
	t = select_tmp(s, 1);
	select_lop3(s, t, v, val_imm(0xff), VAL_ZERO, LUT_A & LUT_B);
	return val_reg(t);
}

static void shift_words(struct select *s, ref d, unsigned bits, bool left, bool sign, struct val a, struct val n)
{
	if (bits == 64)
		shift64(s, d, left, sign, a, n);
	else
		select_shift(s, d, left, sign, a, n);
}

/* `bits` minus n, and zero where n is larger. */
static struct val complement_length(struct select *s, unsigned bits, struct val n)
{
	ref least, t;
	struct minst in;

	if (n.kind == WL_SRC_IMM || val_is_zero(n)) {
		uint64_t len = n.kind == WL_SRC_IMM ? n.imm : 0;
		return val_imm(len > bits ? 0 : bits - len);
	}
	least = select_tmp(s, 1);
	t = select_tmp(s, 1);
	in = select_alu(s, WL_UOP_IMNMX, least, n, val_imm(bits), VAL_ZERO);
	in.w.ps[0] = WL_PT;
	select_emit(s, &in);
	in = select_alu(s, WL_UOP_IADD3, t, val_reg(least), val_imm(bits), VAL_ZERO);
	in.w.neg = 1;
	select_emit(s, &in);
	return val_reg(t);
}

/* bfe: move the field to the bottom (bits beyond the top are the sign), to the top, and back down. */
static void extract_field(struct select *s)
{
	unsigned bits = type_bits(s->i->type[0]), words = bits / 32;
	bool sign = type_signed(s->i->type[0]);
	struct val a = val_reg(select_in_reg(s, select_src(s, 1, bits), bits));
	struct val pos = byte_of(s, 2), up = complement_length(s, bits, byte_of(s, 3));
	ref low = select_tmp(s, words), top = select_tmp(s, words), r = select_tmp(s, words);

	shift_words(s, low, bits, false, sign, a, pos);
	shift_words(s, top, bits, true, false, val_reg(low), up);
	if (sign && up.kind == WL_SRC_IMM && up.imm >= bits)
		sign = false; /* an empty field is zero */
	shift_words(s, r, bits, false, sign, val_reg(top), up);
	if (words == 2)
		select_mov64(s, select_dst(s, 0), val_reg(r));
	else
		select_mov(s, select_dst(s, 0), val_reg(r));
}

/* bfi: mask of the field, then a under the mask, b elsewhere. */
static void insert_field(struct select *s)
{
	unsigned bits = type_bits(s->i->type[0]), words = bits / 32;
	struct val a = val_reg(select_in_reg(s, select_src(s, 1, bits), bits)), b = select_src(s, 2, bits);
	struct val pos = byte_of(s, 3), rest = complement_length(s, bits, byte_of(s, 4));
	struct val ones = val_reg(select_in_reg(s, val_imm(bits == 64 ? UINT64_MAX : UINT32_MAX), bits));
	ref field = select_tmp(s, words), mask = select_tmp(s, words), moved = select_tmp(s, words);
	ref r = select_tmp(s, words);

	shift_words(s, field, bits, false, false, ones, rest);
	shift_words(s, mask, bits, true, false, val_reg(field), pos);
	shift_words(s, moved, bits, true, false, a, pos);
	for (unsigned w = 0; w < words; w++)
		select_lop3(s, r + w, val_reg(moved + w), val_word(b, w), val_reg(mask + w),
		            (LUT_A & LUT_C) | (LUT_B & (uint8_t)~LUT_C));
	if (words == 2)
		select_mov64(s, select_dst(s, 0), val_reg(r));
	else
		select_mov(s, select_dst(s, 0), val_reg(r));
}

static bool permute(struct select *s)
{
	struct minst in;
	if (s->i->mode)
		return false;
	in = select_alu(s, WL_UOP_PRMT, select_dst(s, 0), select_src(s, 1, 32), select_src(s, 3, 32),
	                select_src(s, 2, 32));
	select_emit(s, &in);
	return true;
}

/* ---- predicates ---- */

static void predicate_logic(struct select *s, uint8_t lut)
{
	struct minst in = minst_make(WL_UOP_PLOP3, s->line);
	in.ps[0] = select_pred(s, &s->i->ops[1], &in.w.ps[0]);
	if (s->i->nops > 2)
		in.ps[1] = select_pred(s, &s->i->ops[2], &in.w.ps[1]);
	in.pd[0] = select_dst(s, 0);
	in.w.lut = lut;
	select_emit(s, &in);
}

static bool select_predicates(struct select *s)
{
	switch (s->i->op) {
	case PTX_OP_and:
		predicate_logic(s, LUT_A & LUT_B);
		return true;
	case PTX_OP_or:
		predicate_logic(s, LUT_A | LUT_B);
		return true;
	case PTX_OP_xor:
		predicate_logic(s, LUT_A ^ LUT_B);
		return true;
	case PTX_OP_not:
		predicate_logic(s, (uint8_t)~LUT_A);
		return true;
	case PTX_OP_mov:
		predicate_logic(s, LUT_A);
		return true;
	default:
		return false;
	}
}

bool select_bits(struct select *s)
{
	const struct ptx_instr *i = s->i;
	unsigned bits;
	if (i->ntypes == 0)
		return false;
	if (ptx_types[i->type[0]].cls == PTX_CLASS_PRED)
		return select_predicates(s);
	bits = type_bits(i->type[0]);
	if (bits != 16 && bits != 32 && bits != 64)
		return false;
	switch (i->op) {
	case PTX_OP_and:
		logic(s, LUT_A & LUT_B);
		return true;
	case PTX_OP_or:
		logic(s, LUT_A | LUT_B);
		return true;
	case PTX_OP_xor:
		logic(s, LUT_A ^ LUT_B);
		return true;
	case PTX_OP_not:
		complement(s);
		return true;
	case PTX_OP_cnot:
		is_zero(s);
		return true;
	case PTX_OP_lop3:
		return lop3(s);
	case PTX_OP_shl:
	case PTX_OP_shr:
		shift(s);
		return true;
	case PTX_OP_shf:
		funnel_shift(s);
		return true;
	case PTX_OP_popc:
		popcount(s);
		return true;
	case PTX_OP_clz:
		count_leading_zeros(s);
		return true;
	case PTX_OP_bfind:
		find_bit(s);
		return true;
	case PTX_OP_brev:
		reverse_bits(s);
		return true;
	case PTX_OP_bfe:
		extract_field(s);
		return true;
	case PTX_OP_bfi:
		insert_field(s);
		return true;
	case PTX_OP_prmt:
		return permute(s);
	default:
		return false;
	}
}

// SPDX-License-Identifier: Apache-2.0
/* select_move.c -- mov. */
#include "select.h"
#include "vector.h"

/* mov.b16 or .b32 of bytes: the bytes of a vector side by side, or apart. */
static bool pack_bytes(struct select *s)
{
	const struct ptx_operand *v = &s->i->ops[1];
	select_mov(s, select_dst(s, 0), val_reg(vector_pack(s, v->list, v->count, 1)));
	return true;
}

static bool unpack_bytes(struct select *s)
{
	const struct ptx_operand *to = &s->i->ops[0];
	ref v = select_tmp(s, 1), t[4];
	select_mov(s, v, select_src(s, 1, type_bits(s->i->type[0])));
	for (unsigned k = 0; k < to->count; k++)
		t[k] = vector_element(s, v, k, 1, false);
	for (unsigned k = 0; k < to->count; k++) {
		ref d = select_operand_reg(s, &to->list[k]);
		if (d != REF_NONE)
			select_mov(s, d, val_reg(t[k]));
	}
	return true;
}

/* mov.b64 {lo, hi}, %rd and the other way round, also in 16-bit pieces of 32 or 64 bits. */
static bool pack(struct select *s)
{
	const struct ptx_operand *v = &s->i->ops[1];
	unsigned bits = type_bits(s->i->type[0]), piece = bits / v->count, words = bits == 64 ? 2 : 1;
	ref d = select_dst(s, 0), t = select_tmp(s, words);

	if (piece == 8 && words == 1)
		return pack_bytes(s);
	if (piece != 32 && piece != 16)
		return false;
	for (unsigned k = 0; k < v->count; k++) {
		struct val x = select_operand(s, &v->list[k], piece);
		struct minst in;
		if (piece == 32) {
			select_mov(s, t + k, x);
		} else if (k % 2 == 0) {
			select_mov(s, t + k / 2, x);
		} else { /* low halves of both */
			in = select_alu(s, WL_UOP_PRMT, t + k / 2, val_reg(t + k / 2), val_imm(0x5410),
			                val_reg(select_in_reg(s, x, 32)));
			select_emit(s, &in);
		}
	}
	if (words == 2)
		select_mov64(s, d, val_reg(t));
	else
		select_mov(s, d, val_reg(t));
	return true;
}

static bool unpack(struct select *s)
{
	const struct ptx_operand *v = &s->i->ops[0];
	unsigned bits = type_bits(s->i->type[0]), piece = bits / v->count, words = bits == 64 ? 2 : 1;
	struct val a = select_src(s, 1, bits);
	ref t = select_tmp(s, words);

	if (piece == 8 && words == 1)
		return unpack_bytes(s);
	if (piece != 32 && piece != 16)
		return false;
	if (words == 2)
		select_mov64(s, t, a);
	else
		select_mov(s, t, a);
	for (unsigned k = 0; k < v->count; k++) {
		ref d = select_operand_reg(s, &v->list[k]);

		if (d == REF_NONE)
			continue;
		if (piece == 32)
			select_mov(s, d, val_reg(t + k));
		else if (k % 2 == 0)
			select_mov(s, d, val_reg(t + k / 2));
		else
			select_shift(s, d, false, false, val_reg(t + k / 2), val_imm(16));
	}
	return true;
}

/* A vector to another vector, possibly of the same registers in another order. */
static bool move_elements(struct select *s, unsigned bits)
{
	const struct ptx_operand *to = &s->i->ops[0], *from = &s->i->ops[1];
	ref t[8];
	if (to->kind != PTX_O_VECTOR || from->kind != PTX_O_VECTOR || bits > 64)
		return false;
	for (unsigned k = 0; k < to->count; k++) {
		struct val v = select_operand(s, &from->list[k], bits);
		t[k] = select_tmp(s, bits == 64 ? 2 : 1);
		bits == 64 ? select_mov64(s, t[k], v) : select_mov(s, t[k], v);
	}
	for (unsigned k = 0; k < to->count; k++) {
		ref d = select_operand_reg(s, &to->list[k]);
		if (d != REF_NONE)
			bits == 64 ? select_mov64(s, d, val_reg(t[k])) : select_mov(s, d, val_reg(t[k]));
	}
	return true;
}

/* 128 bits: a register, or two of 64 bits. */
static bool move_quad(struct select *s)
{
	const struct ptx_operand *to = &s->i->ops[0], *from = &s->i->ops[1];
	ref t = select_tmp(s, 4), d;
	for (unsigned w = 0; w < 4; w++) {
		struct val v = from->kind == PTX_O_VECTOR ? val_word(select_operand(s, &from->list[w / 2], 64), w % 2)
		                                          : val_reg(select_operand_reg(s, from) + w);
		if (from->kind != PTX_O_VECTOR && from->kind != PTX_O_REG)
			return false;
		select_mov(s, t + w, v);
	}
	for (unsigned w = 0; w < 4; w++) {
		d = select_operand_reg(s, to->kind == PTX_O_VECTOR ? &to->list[w / 2] : to);
		if (d != REF_NONE)
			select_mov(s, d + (to->kind == PTX_O_VECTOR ? w % 2 : w), val_reg(t + w));
	}
	return true;
}

static bool move(struct select *s)
{
	const struct ptx_instr *i = s->i;
	unsigned bits = i->ntypes ? type_bits(i->type[0]) : 0;
	if (i->vec > 1)
		return move_elements(s, bits);
	if (bits == 128)
		return move_quad(s);
	if (bits != 16 && bits != 32 && bits != 64)
		return false;
	if (i->ops[1].kind == PTX_O_VECTOR)
		return pack(s);
	if (i->ops[0].kind == PTX_O_VECTOR)
		return unpack(s);
	if (bits == 64) {
		struct val v = select_src(s, 1, 64);
		if (i->ops[1].kind == PTX_O_SREG && ptx_types[ptx_sreg_type(i->ops[1].sreg)].bits == 32) {
			ref t = select_tmp(s, 2);

			select_mov(s, t, v);
			select_mov(s, t + 1, VAL_ZERO);
			v = val_reg(t);
		}
		select_mov64(s, select_dst(s, 0), v);
	} else {
		select_mov(s, select_dst(s, 0), select_src(s, 1, bits));
	}
	return true;
}

bool select_move(struct select *s)
{
	return s->i->op == PTX_OP_mov && move(s);
}

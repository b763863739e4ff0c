// SPDX-License-Identifier: Apache-2.0
/* select_launch.c -- clusterlaunchcontrol: requests and their answers, of 16 bytes: word 0 the first CTA's x, word 1 y
 * and z of 16 bits each, bit 0 of word 2 whether the launch was canceled. */
#include "address.h"
#include "select.h"
#include "uniform_operands.h"

enum { AT }; /* place of the operands */

static ref shared_at(struct select *s, unsigned n)
{
	struct address a;
	return select_address(s, &s->i->ops[n], PTX_SP_shared, &a) ? select_shared_register(s, &a) : select_tmp(s, 1);
}

static void try_cancel(struct select *s)
{
	struct uniform_operands u = UNIFORM_NONE;
	u.r[AT] = shared_at(s, 0);
	u.r[AT + 1] = shared_at(s, 1);
	uniform_each_lane(s, &u, "UGETNEXTWORKID.%s [UR%u], [UR%u]",
	                  ptx_has(s->i, PTX_M_multicast__cluster__all) ? "BROADCAST" : "SELFCAST", UNIFORM_AT(AT),
	                  UNIFORM_AT(AT) + 1);
}

static void put(struct select *s, const struct ptx_operand *o, struct val v)
{
	if (o->kind == PTX_O_REG)
		select_mov(s, select_operand_reg(s, o), v);
}

static void put_y(struct select *s, const struct ptx_operand *o, ref word)
{
	if (o->kind == PTX_O_REG)
		select_lop3(s, select_operand_reg(s, o), val_reg(word), val_imm(0xffff), VAL_ZERO, LUT_A & LUT_B);
}

static void put_z(struct select *s, const struct ptx_operand *o, ref word)
{
	if (o->kind == PTX_O_REG)
		select_shift(s, select_operand_reg(s, o), false, false, val_reg(word), val_imm(16));
}

static void query(struct select *s)
{
	const struct ptx_operand *d = &s->i->ops[0];
	const ref words = select_in_reg(s, select_src(s, 1, 128), 128);
	if (ptx_has(s->i, PTX_M_is_canceled)) {
		const ref bit = select_tmp(s, 1);
		select_lop3(s, bit, val_reg(words + 2), val_imm(1), VAL_ZERO, LUT_A & LUT_B);
		select_cmp(s, select_operand_reg(s, d), WL_CMP_NE, false, 32, val_reg(bit), VAL_ZERO);
	} else if (ptx_has(s->i, PTX_M_get_first_ctaid)) {
		const ref kept = select_tmp(s, 1); /* a destination may be a word of the answer */
		select_mov(s, kept, val_reg(words + 1));
		put(s, &d->list[0], val_reg(words));
		put_y(s, &d->list[1], kept);
		put_z(s, &d->list[2], kept);
		put(s, &d->list[3], VAL_ZERO);
	} else if (ptx_has(s->i, PTX_M_get_first_ctaid__x)) {
		put(s, d, val_reg(words));
	} else if (ptx_has(s->i, PTX_M_get_first_ctaid__y)) {
		put_y(s, d, words + 1);
	} else {
		put_z(s, d, words + 1);
	}
}

bool select_launch(struct select *s)
{
	struct mblock *behind;
	if (s->i->op == PTX_OP_clusterlaunchcontrol_query_cancel) {
		query(s);
		return true;
	}
	behind = select_guard_around(s);
	try_cancel(s);
	if (behind)
		select_fall(s, behind);
	return true;
}

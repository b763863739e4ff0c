// SPDX-License-Identifier: Apache-2.0
/* select_matrix.c -- ldmatrix and stmatrix: matrices of 8 rows of 16 bytes in shared memory, a register of each lane
 * for each matrix. */
#include "address.h"
#include "select.h"
#include "vector.h"

static struct minst matrix(struct select *s, unsigned uop, const struct address *a)
{
	struct minst in = minst_make(uop, s->line);
	select_put_address(&in, a);
	in.w.size = 16; /* bytes of a row */
	in.w.lut = (uint8_t)((1u << s->i->vec) - 1);
	in.w.type = ptx_has(s->i, PTX_M_trans);
	in.keep = true;
	return in;
}

static void load(struct select *s, const struct address *a)
{
	const struct ptx_operand *list = s->i->ops[0].list;
	struct minst in = matrix(s, WL_UOP_LDSM, a);
	in.rd = select_tmp(s, s->i->vec);
	select_emit(s, &in);
	for (unsigned k = 0; k < s->i->vec; k++)
		if (list[k].kind == PTX_O_REG)
			select_mov(s, select_operand_reg(s, &list[k]), val_reg(in.rd + k));
}

static void store(struct select *s, const struct address *a)
{
	struct minst in = matrix(s, WL_UOP_STSM, a);
	in.rb = vector_pack(s, s->i->ops[1].list, s->i->vec, 4);
	select_emit(s, &in);
}

bool select_matrix(struct select *s)
{
	const bool loads = s->i->op == PTX_OP_ldmatrix;
	struct address a;
	if (!loads && s->i->op != PTX_OP_stmatrix)
		return false;
	if (!select_address(s, &s->i->ops[loads], PTX_SP_shared, &a))
		return true;
	if (!s->together) /* .sync: the lanes of the warp wait for one another */
		select_meet(s, val_imm(0xffffffff));
	loads ? load(s, &a) : store(s, &a);
	return true;
}

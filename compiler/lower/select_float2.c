// SPDX-License-Identifier: Apache-2.0
/* select_float2.c -- f32x2: two float32 side by side in 64 bits. sm_100 has instructions for both at once; other
 * targets calculate in turn. */
#include "select.h"

struct pair_row {
	uint16_t op, both, one; /* PTX, the instruction for both, for a single float */
	bool minus_b;
};

static const struct pair_row *find(unsigned op)
{
	static const struct pair_row rows[] = {
	        {PTX_OP_add, WL_UOP_FADD2, WL_UOP_FADD, false},
	        {PTX_OP_sub, WL_UOP_FADD2, WL_UOP_FADD, true},
	        {PTX_OP_mul, WL_UOP_FMUL2, WL_UOP_FMUL, false},
	        {PTX_OP_fma, WL_UOP_FFMA2, WL_UOP_FFMA, false},
	};
	for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
		if (rows[k].op == op)
			return &rows[k];
	return NULL;
}

bool select_float2(struct select *s)
{
	const struct ptx_instr *i = s->i;
	const struct pair_row *r = find(i->op);
	bool both = wl_arch_base(s->f->arch) == WL_SM100 && s->f->chip != 110;
	ref source[3], d;
	uint8_t round;
	if (!r || i->ntypes != 1 || i->type[0] != PTX_T_f32x2 || !select_rounding(i->round, &round))
		return false;
	for (unsigned k = 0; k < 3; k++)
		source[k] = k + 1 < i->nops ? select_in_reg(s, select_src(s, k + 1, 64), 64) : REF_NONE;
	d = select_tmp(s, 2);
	for (unsigned part = 0; part < (both ? 1 : 2); part++) {
		struct minst in = minst_make(both ? r->both : r->one, s->line);
		in.rd = d + part;
		in.ra = source[0] + part;
		in.rb = source[1] + part;
		in.w.src[0] = in.w.src[1] = WL_SRC_REG;
		if (i->nops > 3) {
			in.rc = source[2] + part;
			in.w.src[2] = WL_SRC_REG;
		}
		in.w.neg = r->minus_b ? 2 : 0;
		in.w.type = round;
		in.w.flags |= ptx_has(i, PTX_M_ftz) ? WL_F_FTZ : 0;
		in.w.shift = r->one == WL_UOP_FMUL && !both ? 4 : 0; /* times 2^0 */
		select_emit(s, &in);
	}
	select_mov64(s, select_dst(s, 0), val_reg(d));
	return true;
}

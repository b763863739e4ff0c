// SPDX-License-Identifier: Apache-2.0
/* select_root.c -- division, reciprocal and square root with the instruction's rounding.
 *
 * float32 to nearest: the sequence of NVIDIA's compiler, right as long as all values stay in the range of normal
 * numbers. Other values, and the other roundings, go by way of float64 (lib/float.ptx). float64 is always a function of
 * the library. */
#include "select.h"

static struct minst alu(struct select *s, unsigned uop, ref d, ref a, ref b, ref c)
{
	return select_alu(s, uop, d, val_reg(a), val_reg(b), val_reg(c));
}

static ref fma32(struct select *s, ref a, ref b, ref c, bool minus, uint8_t flags)
{
	ref d = select_tmp(s, 1);
	struct minst in = alu(s, WL_UOP_FFMA, d, a, b, c);
	in.w.neg = minus;
	in.w.flags |= flags;
	select_emit(s, &in);
	return d;
}

static ref mul32(struct select *s, ref a, ref b)
{
	ref d = select_tmp(s, 1);
	struct minst in = alu(s, WL_UOP_FMUL, d, a, b, REF_NONE);
	in.w.shift = 4; /* times 2^0 */
	select_emit(s, &in);
	return d;
}

static ref mufu(struct select *s, unsigned op, ref x)
{
	ref d = select_tmp(s, 1);
	struct minst in = alu(s, WL_UOP_MUFU, d, REF_NONE, x, REF_NONE);
	in.w.op = (uint8_t)op;
	select_emit(s, &in);
	return d;
}

static ref literal(struct select *s, uint32_t bits)
{
	return select_in_reg(s, val_imm(bits), 32);
}

/* ---- by way of float64 ---- */

static ref widen(struct select *s, ref x, bool ftz)
{
	ref d = select_tmp(s, 2);
	struct minst in = minst_make(WL_UOP_F2F, s->line);
	in.rd = d;
	in.rb = x;
	in.w.src[1] = WL_SRC_REG;
	in.w.xn = WL_FMT_F64;
	in.w.bop = WL_FMT_F32;
	if (ftz)
		in.w.flags |= WL_F_FTZ;
	select_emit(s, &in);
	return d;
}

static void narrow(struct select *s, ref d, ref x, uint8_t round, bool ftz)
{
	struct minst in = minst_make(WL_UOP_F2F, s->line);
	in.rd = d;
	in.rb = x;
	in.w.src[1] = WL_SRC_REG;
	in.w.xn = WL_FMT_F32;
	in.w.bop = WL_FMT_F64;
	in.w.type = round;
	if (ftz)
		in.w.flags |= WL_F_FTZ;
	select_emit(s, &in);
}

static void exact32(struct select *s, ref d, const ref *x, unsigned n, uint8_t round, bool ftz)
{
	struct val args[2];
	ref q = select_tmp(s, 2);
	for (unsigned k = 0; k < n; k++)
		args[k] = val_reg(widen(s, x[k], ftz));
	select_library(s, n == 2 ? "quotient_f32" : "root_f32", q, args, n);
	narrow(s, d, q, round, ftz);
}

/* ---- float32 to nearest, where nothing is too large or too small; p = not so ---- */

static ref fast_quotient(struct select *s, const ref *x, ref p)
{
	ref a = x[0], b = x[1], r = mufu(s, WL_MUFU_RCP, b), e, q;
	struct minst in = alu(s, WL_UOP_FCHK, REF_NONE, a, b, REF_NONE);
	in.pd[0] = p;
	select_emit(s, &in);
	e = fma32(s, b, r, literal(s, 0x3f800000), true, 0);
	r = fma32(s, r, e, r, false, 0);
	q = fma32(s, a, r, REF_NONE, false, 0);
	e = fma32(s, b, q, a, true, 0);
	q = fma32(s, r, e, q, false, 0);
	e = fma32(s, b, q, a, true, 0);
	return fma32(s, r, e, q, false, 0);
}

static ref fast_root(struct select *s, ref a, ref p)
{
	ref t = select_tmp(s, 1), r = mufu(s, WL_MUFU_RSQ, a), q, h, e;
	select_add(s, t, val_reg(a), val_imm(0xf3000000));
	select_cmp(s, p, WL_CMP_GT, false, 32, val_reg(t), val_imm(0x727fffff));
	q = mul32(s, a, r);
	h = mul32(s, r, literal(s, 0x3f000000));
	e = fma32(s, q, q, a, true, 0);
	return fma32(s, e, h, q, false, 0);
}

static bool float32(struct select *s)
{
	const struct ptx_instr *i = s->i;
	unsigned n = i->op == PTX_OP_div ? 2 : 1;
	bool ftz = ptx_has(i, PTX_M_ftz), root = i->op == PTX_OP_sqrt;
	struct mblock *around, *slow, *end;
	uint8_t round;
	ref x[2], d = select_dst(s, 0), q = select_tmp(s, 1), p = select_tmp_pred(s);
	if (!select_rounding(i->round, &round))
		return false;
	around = select_guard_around(s);
	x[0] = i->op == PTX_OP_rcp ? literal(s, 0x3f800000) : select_in_reg(s, select_src(s, 1, 32), 32);
	x[1] = root ? REF_NONE : select_in_reg(s, select_src(s, i->op == PTX_OP_rcp ? 1 : 2, 32), 32);
	n = root ? 1 : 2;
	if (round == WL_RN && !ftz) {
		s->f->vregs[ref_reg(q)].named = true; /* written on two ways */
		slow = select_new_block(s);
		end = select_new_block(s);
		select_mov(s, q, val_reg(root ? fast_root(s, x[0], p) : fast_quotient(s, x, p)));
		select_branch(s, p, true, end);
		select_fall(s, slow);
		exact32(s, q, x, n, round, ftz);
		select_fall(s, end);
	} else {
		exact32(s, q, x, n, round, ftz);
	}
	select_mov(s, d, val_reg(q));
	if (around)
		select_fall(s, around);
	return true;
}

static bool float64(struct select *s)
{
	const struct ptx_instr *i = s->i;
	struct val args[3];
	unsigned n = 0;
	uint8_t round;
	if (!select_rounding(i->round, &round))
		return false;
	if (i->op == PTX_OP_rcp)
		args[n++] = val_imm(UINT64_C(0x3ff0000000000000));
	args[n++] = select_src(s, 1, 64);
	if (i->op == PTX_OP_div)
		args[n++] = select_src(s, 2, 64);
	args[n++] = val_imm(round);
	return select_library(s, i->op == PTX_OP_sqrt ? "sqrt_f64" : "div_f64", select_dst(s, 0), args, n);
}

/* rcp and rsqrt of float64: the high word of about 20 bits, the low word zero. */
static bool approximation64(struct select *s)
{
	ref d = select_dst(s, 0), t = select_tmp(s, 2);
	struct val x = select_src(s, 1, 64);
	struct minst in =
	        select_alu(s, WL_UOP_MUFU, t + 1, VAL_ZERO, val_reg(select_in_reg(s, val_word(x, 1), 32)), VAL_ZERO);
	in.w.op = s->i->op == PTX_OP_rcp ? WL_MUFU_RCP64H : WL_MUFU_RSQ64H;
	select_emit(s, &in);
	select_mov(s, t, VAL_ZERO);
	select_mov64(s, d, val_reg(t));
	return true;
}

bool select_root(struct select *s)
{
	const struct ptx_instr *i = s->i;
	bool rounded = i->op == PTX_OP_div || i->op == PTX_OP_rcp || i->op == PTX_OP_sqrt;
	unsigned type = i->ntypes ? i->type[0] : PTX_T_none;
	if (i->round == PTX_M_approx && type == PTX_T_f64 && ptx_has(i, PTX_M_ftz) &&
	    (i->op == PTX_OP_rcp || i->op == PTX_OP_rsqrt))
		return approximation64(s);
	if (!rounded || i->round == PTX_M_approx || i->round == PTX_M_full)
		return false;
	return type == PTX_T_f32 ? float32(s) : type == PTX_T_f64 ? float64(s) : false;
}

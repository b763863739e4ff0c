// SPDX-License-Identifier: Apache-2.0
/* select_float.c -- float arithmetic and comparisons. Operations of one instruction stand in float.def. MUFU flushes
 * subnormal numbers: approximations around MUFU scale operands too small or too large for MUFU. */
#include "select.h"

enum source { NONE, a, b, c, n_a, n_b, m_a, MINUS_ZERO };

static const struct float_row {
	uint16_t op, type, from, uop;
	uint8_t source[3];
} float_rows[] = {
#define FLOAT(op, type, from, uop, sa, sb, sc) {PTX_OP_##op, PTX_T_##type, from, WL_UOP_##uop, {sa, sb, sc}},
#include "float.def"
};

static const struct float_row *find(const struct select *s)
{
	for (unsigned k = 0; k < sizeof float_rows / sizeof *float_rows; k++) {
		const struct float_row *r = &float_rows[k];
		if (r->op == s->i->op && r->type == s->i->type[0] && r->from <= (unsigned)s->f->arch)
			return r;
	}
	return NULL;
}

bool select_rounding(unsigned mod, uint8_t *type)
{
	switch (mod) {
	case PTX_M_none:
	case PTX_M_rn:
	case PTX_M_rni:
		*type = WL_RN;
		return true;
	case PTX_M_rm:
	case PTX_M_rmi:
		*type = WL_RM;
		return true;
	case PTX_M_rp:
	case PTX_M_rpi:
		*type = WL_RP;
		return true;
	case PTX_M_rz:
	case PTX_M_rzi:
		*type = WL_RZ_TRUNC;
		return true;
	default:
		return false;
	}
}

/* Source `which` (0 = A) of the instruction, from the row's code. */
static struct val source(struct select *s, unsigned code, struct minst *marks, unsigned which)
{
	unsigned bits = type_bits(s->i->type[0]);
	struct val v = VAL_ZERO;
	if (code == NONE)
		return v;
	if (code == n_a || code == n_b || code == MINUS_ZERO)
		marks->w.neg |= (uint8_t)(1u << which);
	if (code == m_a)
		marks->w.abs |= (uint8_t)(1u << which);
	if (code != MINUS_ZERO)
		v = select_src(s, code == b || code == n_b ? 2 : code == c ? 3 : 1, bits);
	if (bits == 64 || marks->w.neg >> which & 1 || marks->w.abs >> which & 1)
		v = val_reg(select_in_reg(s, v, bits == 64 ? 64 : 32));
	return v;
}

static bool arithmetic(struct select *s)
{
	const struct float_row *r = find(s);
	struct minst marks = minst_make(WL_UOP_NOP, s->line), in;
	struct val v[3];
	uint8_t round;
	if (!r || !select_rounding(s->i->round, &round) || ptx_has(s->i, PTX_M_relu) || ptx_has(s->i, PTX_M_oob) ||
	    (ptx_has(s->i, PTX_M_xorsign) && s->f->arch < WL_SM90) || (r->uop == WL_UOP_FMNMX && s->i->nops > 3))
		return false;
	for (unsigned k = 0; k < 3; k++)
		v[k] = source(s, r->source[k], &marks, k);
	for (unsigned k = 0; k < 2 && ptx_has(s->i, PTX_M_xorsign); k++)
		v[k] = val_reg(select_in_reg(s, v[k], 32)); /* words have no magnitude of a literal */
	if (v[0].kind != WL_SRC_REG && v[1].kind == WL_SRC_REG && !marks.w.neg && r->source[1] != NONE) {
		struct val t = v[0]; /* a literal factor or summand goes to B */

		v[0] = v[1];
		v[1] = t;
	}
	in = select_alu(s, r->uop, select_dst(s, 0), v[0], v[1], v[2]);
	in.w.neg = marks.w.neg;
	in.w.abs = marks.w.abs;
	in.w.type = round;
	if (ptx_has(s->i, PTX_M_ftz))
		in.w.flags |= WL_F_FTZ;
	if (ptx_has(s->i, PTX_M_sat))
		in.w.flags |= WL_F_SAT;
	if (r->uop == WL_UOP_FMNMX)
		in.w.ps[0] = s->i->op == PTX_OP_min ? WL_PT : WL_PT | NOT_P;
	if (ptx_has(s->i, PTX_M_NaN))
		in.w.flags |= WL_F_NAN;
	if (ptx_has(s->i, PTX_M_xorsign)) {
		in.w.flags |= WL_F_XORSIGN;
		in.w.abs = 3;
	}
	if (r->uop == WL_UOP_FMUL)
		in.w.shift = 4; /* times 2^0 */
	select_emit(s, &in);
	return true;
}

/* ---- comparisons ---- */

int select_float_comparison(unsigned mod)
{
	static const uint16_t mods[] = {PTX_M_none, PTX_M_lt,  PTX_M_eq,  PTX_M_le,  PTX_M_gt,
	                                PTX_M_ne,   PTX_M_ge,  PTX_M_num, PTX_M_nan, PTX_M_ltu,
	                                PTX_M_equ,  PTX_M_leu, PTX_M_gtu, PTX_M_neu, PTX_M_geu};

	for (unsigned k = 1; k < sizeof mods / sizeof *mods; k++)
		if (mods[k] == mod)
			return (int)k; /* in the coding of the words' field */
	return -1;
}

/* A FSETP or DSETP without results and combining predicate; false for other types and comparisons. */
bool select_float_compare(struct select *s, unsigned type, struct minst *in)
{
	int cmp = select_float_comparison(s->i->cmp);
	struct val x, y;
	if (cmp < 0 || (type != PTX_T_f32 && type != PTX_T_f64))
		return false;
	x = val_reg(select_in_reg(s, select_src(s, 1, type_bits(type)), type_bits(type)));
	y = select_src(s, 2, type_bits(type));
	if (type == PTX_T_f64)
		y = val_reg(select_in_reg(s, y, 64));
	*in = select_alu(s, type == PTX_T_f32 ? WL_UOP_FSETP : WL_UOP_DSETP, REF_NONE, x, y, VAL_ZERO);
	in->w.op = (uint8_t)cmp;
	if (ptx_has(s->i, PTX_M_ftz))
		in->w.flags |= WL_F_FTZ;
	return true;
}

/* ---- approximations ---- */

static const uint32_t Quarter = 0x3e800000, Half = 0x3f000000, One = 0x3f800000, Two24 = 0x4b800000;
static const uint32_t MinNormal = 0x00800000, Huge = 0x7e800000 /* 2^126 */;

static ref mul(struct select *s, ref x, struct val y)
{
	ref d = select_tmp(s, 1);
	struct minst in = select_alu(s, WL_UOP_FMUL, d, val_reg(x), y, VAL_ZERO);

	in.w.shift = 4;
	if (ptx_has(s->i, PTX_M_ftz))
		in.w.flags |= WL_F_FTZ;
	select_emit(s, &in);
	return d;
}

static ref mufu(struct select *s, unsigned op, ref x)
{
	ref d = select_tmp(s, 1);
	struct minst in = select_alu(s, WL_UOP_MUFU, d, VAL_ZERO, val_reg(x), VAL_ZERO);

	in.w.op = (uint8_t)op;
	select_emit(s, &in);
	return d;
}

/* x op y, or |x| op y. */
static ref is(struct select *s, ref x, bool magnitude, unsigned op, uint32_t y)
{
	ref p = select_tmp_pred(s);
	struct minst in = select_alu(s, WL_UOP_FSETP, REF_NONE, val_reg(x), val_imm(y), VAL_ZERO);

	in.w.op = (uint8_t)op;
	in.w.abs = magnitude;
	if (ptx_has(s->i, PTX_M_ftz))
		in.w.flags |= WL_F_FTZ;
	in.pd[0] = p;
	select_emit(s, &in);
	return p;
}

static ref choose(struct select *s, ref p, ref yes, struct val no)
{
	ref d = select_tmp(s, 1);

	select_sel(s, d, val_reg(yes), no, p, false);
	return d;
}

/* A subnormal x is multiplied by 2^24; p tells a subnormal x. */
static ref scale_up(struct select *s, ref x, ref p)
{
	return choose(s, p, mul(s, x, val_imm(Two24)), val_reg(x));
}

static ref is_subnormal(struct select *s, ref x)
{
	return is(s, x, true, WL_CMP_LT, MinNormal);
}

static ref plus(struct select *s, ref x, uint32_t y)
{
	ref d = select_tmp(s, 1);
	struct minst in = select_alu(s, WL_UOP_FADD, d, val_reg(x), val_imm(y), VAL_ZERO);

	select_emit(s, &in);
	return d;
}

static ref exponential(struct select *s, ref x)
{
	ref low = is(s, x, false, WL_CMP_LT, 0xc2fc0000 /* -126 */), r;

	r = mufu(s, WL_MUFU_EX2, choose(s, low, mul(s, x, val_imm(Half)), val_reg(x)));
	return choose(s, low, mul(s, r, val_reg(r)), val_reg(r));
}

static ref reciprocal(struct select *s, ref x)
{
	ref one = select_in_reg(s, val_imm(One), 32), up = select_in_reg(s, val_imm(Two24), 32);
	ref scale = choose(s, is_subnormal(s, x), up, val_reg(one));

	scale = choose(s, is(s, x, true, WL_CMP_GT, Huge), select_in_reg(s, val_imm(Quarter), 32), val_reg(scale));
	return mul(s, mufu(s, WL_MUFU_RCP, mul(s, x, val_reg(scale))), val_reg(scale));
}

static ref with_scaled_argument(struct select *s, unsigned op, ref x)
{
	ref low = is_subnormal(s, x), r = mufu(s, op, scale_up(s, x, low)), t;

	t = op == WL_MUFU_LG2    ? plus(s, r, 0xc1c00000 /* -24 */)
	    : op == WL_MUFU_SQRT ? mul(s, r, val_imm(0x39800000 /* 2^-12 */))
	                         : mul(s, r, val_imm(0x45800000 /* 2^12 */));
	return choose(s, low, t, val_reg(r));
}

static ref angle(struct select *s, unsigned op, ref x)
{
	ref d = select_tmp(s, 1);
	struct minst in = select_alu(s, WL_UOP_FMUL, d, val_reg(x), val_imm(0x3e22f983 /* 1 / 2 pi */), VAL_ZERO);

	in.w.shift = 4;
	in.w.type = WL_RZ_TRUNC;
	select_emit(s, &in);
	return mufu(s, op, d);
}

/* x / y with the divisor scaled until the reciprocal is a normal number. */
static ref quotient(struct select *s, ref x, ref y, bool full, bool ftz)
{
	ref p;

	if (full) {
		p = is(s, y, true, WL_CMP_GT, Huge);
		y = choose(s, p, mul(s, y, val_imm(Quarter)), val_reg(y));
		x = choose(s, p, mul(s, x, val_imm(Quarter)), val_reg(x));
	}
	if (!ftz) {
		p = is_subnormal(s, y);
		y = scale_up(s, y, p);
		x = scale_up(s, x, p);
	}
	return mul(s, mufu(s, WL_MUFU_RCP, y), val_reg(x));
}

static bool approximation(struct select *s)
{
	const struct ptx_instr *i = s->i;
	bool ftz = ptx_has(i, PTX_M_ftz), approx = i->round == PTX_M_approx, full = i->round == PTX_M_full;
	ref x, r;

	if (i->ntypes == 0 || i->type[0] != PTX_T_f32 || (!approx && !full))
		return false;
	x = select_in_reg(s, select_src(s, 1, 32), 32);
	switch (i->op) {
	case PTX_OP_ex2:
		r = ftz ? mufu(s, WL_MUFU_EX2, x) : exponential(s, x);
		break;
	case PTX_OP_lg2:
		r = ftz ? mufu(s, WL_MUFU_LG2, x) : with_scaled_argument(s, WL_MUFU_LG2, x);
		break;
	case PTX_OP_rcp:
		r = ftz ? mufu(s, WL_MUFU_RCP, x) : reciprocal(s, x);
		break;
	case PTX_OP_sqrt:
		r = ftz ? mufu(s, WL_MUFU_SQRT, x) : with_scaled_argument(s, WL_MUFU_SQRT, x);
		break;
	case PTX_OP_rsqrt:
		r = ftz ? mufu(s, WL_MUFU_RSQ, x) : with_scaled_argument(s, WL_MUFU_RSQ, x);
		break;
	case PTX_OP_sin:
		r = angle(s, WL_MUFU_SIN, x);
		break;
	case PTX_OP_cos:
		r = angle(s, WL_MUFU_COS, x);
		break;
	case PTX_OP_tanh:
		r = mufu(s, WL_MUFU_TANH, x);
		break;
	case PTX_OP_div:
		r = quotient(s, x, select_in_reg(s, select_src(s, 2, 32), 32), full, ftz);
		break;
	default:
		return false;
	}
	select_mov(s, select_dst(s, 0), val_reg(r));
	return true;
}

/* The magnitude of b with the sign of a. */
static bool copy_sign(struct select *s)
{
	unsigned bits = type_bits(s->i->type[0]), top = bits == 64;
	struct val x = val_reg(select_in_reg(s, select_src(s, 1, bits), bits));
	struct val y = val_reg(select_in_reg(s, select_src(s, 2, bits), bits));
	ref d = select_dst(s, 0), t = select_tmp(s, 1);

	/* where C is set A, else B */
	select_lop3(s, t, val_word(x, top), val_word(y, top), val_reg(select_in_reg(s, val_imm(0x80000000), 32)),
	            (LUT_A & LUT_C) | (LUT_B & (uint8_t)~LUT_C));
	if (top)
		select_mov(s, d, val_word(y, 0));
	select_mov(s, d + top, val_reg(t));
	return true;
}

bool select_float(struct select *s)
{
	if (s->i->ntypes == 0 || !type_float(s->i->type[0]))
		return false;
	if (s->i->op == PTX_OP_copysign)
		return copy_sign(s);
	return approximation(s) || arithmetic(s);
}

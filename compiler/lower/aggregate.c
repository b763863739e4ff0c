// SPDX-License-Identifier: Apache-2.0
/* aggregate.c -- one atomic access for all lanes of a warp at the same instruction. Rows of atomics: aggregate.def. */
#include "atomic.h"
#include "order.h"

enum { LAST_LANE = 31, SREG_LANE = 0, SREG_LANES_BELOW = 57 };
enum value { ANY, SAME };
enum result { UNWANTED, WANTED, EITHER };
enum how { NONE, TIMES, SCAN, REDUCE };

static enum how find_row(const struct atomic *a)
{
	enum {
		ADD = 1 << WL_ATOM_ADD,
		MIN = 1 << WL_ATOM_MIN,
		MAX = 1 << WL_ATOM_MAX,
		AND = 1 << WL_ATOM_AND,
		OR = 1 << WL_ATOM_OR,
		XOR = 1 << WL_ATOM_XOR
	};
	enum { INT32 = TYPE_INT32, INT64 = TYPE_INT64 };
	static const struct {
		uint16_t operations;
		uint8_t type, value, result, how;
	} rows[] = {
#define AGGREGATE(operations, type, value, result, how) {operations, type, value, result, how},
#include "aggregate.def"
	};
	enum result wanted = a->d != REF_NONE || a->acquires ? WANTED : UNWANTED;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		if ((rows[i].operations >> a->op & 1) && rows[i].type == a->type &&
		    (rows[i].value == ANY || a->same_value) && (rows[i].result == EITHER || rows[i].result == wanted))
			return (enum how)rows[i].how;
	return NONE;
}

/* ---- operations of lanes together ---- */

static ref special(struct select *s, unsigned number)
{
	struct minst in = minst_make(WL_UOP_S2R, s->line);
	in.rd = select_tmp(s, 1);
	in.w.imm = number;
	select_emit(s, &in);
	return in.rd;
}

static void active_lanes(struct select *s, unsigned ur)
{
	struct minst in = minst_make(WL_UOP_VOTEU, s->line);
	in.w.op = WL_VOTE_ANY;
	in.w.urd = (uint8_t)ur;
	select_emit(s, &in);
}

/* d = the operation on a uniform register. */
static ref of_uniform(struct select *s, unsigned uop, unsigned ur)
{
	struct minst in = minst_make(uop, s->line);
	in.rd = select_tmp(s, 1);
	in.w.src[1] = WL_SRC_UREG;
	in.w.ur = (uint8_t)ur;
	select_emit(s, &in);
	return in.rd;
}

/* The highest active lane, in a uniform register. */
static unsigned highest(struct select *s, unsigned mask)
{
	struct minst in = minst_make(WL_UOP_UFLO, s->line);
	in.w.urd = SELECT_UR + 1;
	in.w.src[1] = WL_SRC_UREG;
	in.w.ur = (uint8_t)mask;
	in.w.guard_uniform = true;
	in.keep = true; /* nobody counts the readers of uniform registers */
	select_emit(s, &in);
	return SELECT_UR + 1;
}

/* The lane's number equals `lane`, or the uniform register where `lane` is REF_NONE. */
static ref is_lane(struct select *s, ref lane, unsigned ur)
{
	struct minst in = minst_make(WL_UOP_ISETP, s->line);
	in.w.op = WL_CMP_EQ;
	in.w.src[0] = WL_SRC_REG;
	in.ra = special(s, SREG_LANE);
	in.w.src[1] = lane == REF_NONE ? WL_SRC_UREG : WL_SRC_REG;
	in.rb = lane;
	if (lane == REF_NONE)
		in.w.ur = (uint8_t)ur;
	in.pd[0] = select_tmp_pred(s);
	select_emit(s, &in);
	return in.pd[0];
}

static ref shuffle(struct select *s, unsigned op, ref v, struct val lane, unsigned clamp, ref in_range)
{
	struct minst in = minst_make(WL_UOP_SHFL, s->line);
	in.w.op = (uint8_t)op;
	in.rd = select_tmp(s, 1);
	in.pd[0] = in_range;
	in.w.src[0] = WL_SRC_REG;
	in.ra = v;
	in.w.src[1] = (uint8_t)lane.kind;
	in.rb = lane.r;
	in.w.imm = (uint32_t)lane.imm;
	in.w.src[2] = WL_SRC_IMM;
	in.w.imm2 = clamp;
	select_emit(s, &in);
	return in.rd;
}

/* ---- one access ---- */

/* By the lanes with p. */
static void access_where(struct select *s, const struct atomic *a, ref p)
{
	struct mblock *behind;
	if (a->shell == SHELL_NATIVE) {
		s->guard = p;
		atomic_emit(s, a);
		s->guard = REF_NONE;
		return;
	}
	behind = select_new_block(s);
	select_branch(s, p, true, behind);
	atomic_emit(s, a);
	select_fall(s, behind);
}

/* d = n * a.b. */
static void times(struct select *s, const struct atomic *a, ref d, struct val n)
{
	struct minst in;
	if (a->bits == 32) {
		select_umul32(s, d, n, a->b);
		return;
	}
	in = select_alu(s, WL_UOP_IMAD_WIDE, d, n, val_word(a->b, 0), VAL_ZERO);
	select_emit(s, &in);
	in = select_alu(s, WL_UOP_IMAD, d + 1, n, val_word(a->b, 1), val_reg(d + 1));
	select_emit(s, &in);
}

static void add_times(struct select *s, const struct atomic *a)
{
	struct atomic one = *a;
	ref count, leader, below, share, base, lane = REF_NONE;
	active_lanes(s, SELECT_UR);
	count = of_uniform(s, WL_UOP_POPC, SELECT_UR);
	if (a->d != REF_NONE)
		lane = of_uniform(s, WL_UOP_FLO, SELECT_UR);
	leader = is_lane(s, lane, lane == REF_NONE ? highest(s, SELECT_UR) : 0);
	one.b = val_reg(select_tmp(s, a->bits / 32));
	times(s, a, one.b.r, val_reg(count));
	if (a->d != REF_NONE)
		one.d = select_tmp(s, a->bits / 32);
	access_where(s, &one, leader);
	if (a->d == REF_NONE)
		return;
	below = select_tmp(s, 1);
	{
		struct minst in = minst_make(WL_UOP_LOP3, s->line);
		in.rd = below;
		in.ra = special(s, SREG_LANES_BELOW);
		in.w.src[0] = in.w.src[2] = WL_SRC_REG;
		in.w.src[1] = WL_SRC_UREG;
		in.w.ur = SELECT_UR;
		in.w.lut = LUT_A & LUT_B;
		in.w.ps[0] = WL_PT | NOT_P;
		select_emit(s, &in);
		in = minst_make(WL_UOP_POPC, s->line);
		in.rd = select_tmp(s, 1);
		in.w.src[1] = WL_SRC_REG;
		in.rb = below;
		select_emit(s, &in);
		below = in.rd;
	}
	share = select_tmp(s, a->bits / 32);
	base = select_tmp(s, a->bits / 32);
	for (unsigned w = 0; w < a->bits / 32; w++)
		select_mov(s, base + w, val_reg(shuffle(s, WL_SHFL_IDX, one.d + w, val_reg(lane), 0x1f, REF_NONE)));
	times(s, a, share, val_reg(below));
	if (a->bits == 32)
		select_add(s, a->d, val_reg(base), val_reg(share));
	else
		select_add64(s, a->d, val_reg(base), val_reg(share), false);
}

/* With lanes missing, each lane makes its own access. Selection goes on in the code for all 32 lanes. The returned
 * block follows this code. */
static struct mblock *unless_all(struct select *s, const struct atomic *a)
{
	struct minst vote = minst_make(WL_UOP_VOTE, s->line);
	struct mblock *full = select_new_block(s), *behind = select_new_block(s);
	ref all = select_tmp_pred(s);
	vote.w.op = WL_VOTE_ANY;
	vote.rd = select_tmp(s, 1);
	select_emit(s, &vote);
	select_cmp(s, all, WL_CMP_EQ, false, 32, val_reg(vote.rd), val_imm(0xffffffff));
	select_branch_together(s, all, false, full);
	atomic_emit(s, a);
	select_branch(s, REF_NONE, false, behind);
	select_fall(s, full);
	return behind;
}

static ref is_last(struct select *s)
{
	ref p = select_tmp_pred(s);
	select_cmp(s, p, WL_CMP_EQ, false, 32, val_reg(special(s, SREG_LANE)), val_imm(LAST_LANE));
	return p;
}

static void add_where(struct select *s, ref d, ref a, ref b, ref p)
{
	struct minst in = select_alu(s, WL_UOP_IADD3, d, val_reg(a), val_reg(b), VAL_ZERO);
	in.guard = p;
	in.w.guard = 0;
	select_emit(s, &in);
}

static void add_scan(struct select *s, const struct atomic *a)
{
	struct mblock *behind = unless_all(s, a);
	struct atomic one = *a;
	ref sum = select_tmp(s, 1), before, old, there;
	select_mov(s, sum, a->b);
	for (unsigned n = 1; n < 32; n *= 2) {
		ref in_range = select_tmp_pred(s);
		ref lower = shuffle(s, WL_SHFL_UP, sum, val_imm(n), 0, in_range);
		add_where(s, sum, sum, lower, in_range);
	}
	one.b = val_reg(sum);
	one.d = select_tmp(s, 1);
	access_where(s, &one, is_last(s));
	there = select_tmp_pred(s);
	before = shuffle(s, WL_SHFL_UP, sum, val_imm(1), 0, there);
	old = shuffle(s, WL_SHFL_IDX, one.d, val_imm(LAST_LANE), 0x1f, REF_NONE);
	if (a->d != REF_NONE) {
		ref d = select_tmp(s, 1);
		select_mov(s, d, val_reg(old));
		add_where(s, d, old, before, there);
		select_mov(s, a->d, val_reg(d));
	}
	select_fall(s, behind);
}

/* ---- reductions ---- */

static void combine(struct select *s, const struct atomic *a, ref d, ref x, ref y)
{
	struct minst in;
	switch (a->op) {
	case WL_ATOM_ADD:
		select_add(s, d, val_reg(x), val_reg(y));
		break;
	case WL_ATOM_MIN:
	case WL_ATOM_MAX:
		in = select_alu(s, WL_UOP_IMNMX, d, val_reg(x), val_reg(y), VAL_ZERO);
		in.w.flags = a->sign ? WL_F_SIGNED : 0;
		in.w.ps[0] = a->op == WL_ATOM_MIN ? WL_PT : WL_PT | NOT_P;
		select_emit(s, &in);
		break;
	default:
		select_lop3(s, d, val_reg(x), val_reg(y), VAL_ZERO, atomic_lut(a->op));
	}
}

static void reduce_by_shuffles(struct select *s, const struct atomic *a)
{
	struct mblock *behind = unless_all(s, a);
	struct atomic one = *a;
	if (!a->same_value) {
		ref v = select_in_reg(s, a->b, 32);
		for (unsigned n = 1; n < 32; n *= 2) {
			ref d = select_tmp(s, 1);
			combine(s, a, d, v, shuffle(s, WL_SHFL_BFLY, v, val_imm(n), 0x1f, REF_NONE));
			v = d;
		}
		one.b = val_reg(v);
	} else if (a->op == WL_ATOM_XOR) {
		one.b = VAL_ZERO; /* an even number of equal values */
	}
	access_where(s, &one, is_last(s));
	select_fall(s, behind);
}

static void reduce(struct select *s, const struct atomic *a)
{
	static const uint8_t op[] = {
	        [WL_ATOM_ADD] = WL_REDUX_SUM, [WL_ATOM_MIN] = WL_REDUX_MIN, [WL_ATOM_MAX] = WL_REDUX_MAX,
	        [WL_ATOM_AND] = WL_REDUX_AND, [WL_ATOM_OR] = WL_REDUX_OR,   [WL_ATOM_XOR] = WL_REDUX_XOR,
	};
	struct atomic one = *a;
	ref leader;
	if (s->f->arch < WL_SM80) {
		reduce_by_shuffles(s, a);
		return;
	}
	if (order_fences_before(s) && !a->fenced) { /* the order is NVIDIA's */
		one.b = val_reg(select_redux(s, op[a->op], a->sign && a->op <= WL_ATOM_MAX, a->b));
		active_lanes(s, SELECT_UR);
	} else {
		active_lanes(s, SELECT_UR);
		one.b = val_reg(select_redux(s, op[a->op], a->sign && a->op <= WL_ATOM_MAX, a->b));
	}
	leader = is_lane(s, REF_NONE, highest(s, SELECT_UR));
	access_where(s, &one, leader);
}

bool atomic_aggregate(struct select *s, const struct atomic *a)
{
	const unsigned way = a->same_address ? find_row(a) : NONE;
	if (way != NONE)
		mfunc_note(s->f, s->line, "one lane does it for the warp: all have the same address");
	switch (way) {
	case TIMES:
		add_times(s, a);
		return true;
	case SCAN:
		add_scan(s, a);
		return true;
	case REDUCE:
		reduce(s, a);
		return true;
	default:
		return false;
	}
}

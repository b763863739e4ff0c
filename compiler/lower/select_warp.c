// SPDX-License-Identifier: Apache-2.0
/* select_warp.c -- warp collectives: votes, shuffles, waits of a warp's lanes for each other. mask.def says which lanes
 * wait. */
#include "archs.h"
#include "select.h"

enum operation { DO_SHUFFLE, DO_MEET, DO_VOTE, DO_MATCH, DO_REDUX, DO_ELECT };
enum wrapper { NONE, CUT, WAIT, WAIT_CUT, EXCLUSIVE };

/* A mask known to leave lanes out stays in the code even where all lanes come together: WARP_MASK_SELF finds the lanes
 * outside the mask. PTX ISA, "shfl.sync": the result is undefined for lanes outside. */
static bool leaves_out(const struct select *s, unsigned n)
{
	int64_t mask;
	return !s->f->compat && select_literal(s, &s->i->ops[n], &mask) && (uint32_t)mask != 0xffffffff;
}

/* Words of ptxas. */
static void tell_overlap(const struct select *s)
{
	s->f->diag(
	        s->f->diag_self,
	        &(struct wlcc_message){.severity = WLCC_INFO,
	                               .file = s->f->file,
	                               .line = s->line,
	                               .text = "(C8100) Compiler assumes threads executing this sync instruction may "
	                                       "have distinct but overlapping membermasks."});
}

/* The mask comes from a ballot or activemask alone: lanes with the same ballot name each other. */
static bool names_active_lanes(const struct select *s, const struct ptx_operand *mask)
{
	if (mask->kind != PTX_O_REG || s->known[mask->reg].writes != 1)
		return false;
	for (uint32_t k = 0; k < s->fn->ninstrs; k++) {
		const struct ptx_instr *i = &s->fn->instrs[k];
		if (i->nops && i->ops[0].kind == PTX_O_REG && i->ops[0].reg == mask->reg)
			return i->op == PTX_OP_activemask || i->op == PTX_OP_vote;
	}
	return false;
}

void select_tell_overlap(const struct select *s, const struct ptx_operand *mask)
{
	if (s->f->arch == WL_SM75 && s->f->print_overlaps && !s->f->masks_apart && !select_same(s, mask) &&
	    !names_active_lanes(s, mask))
		tell_overlap(s);
}

static enum wrapper find_wrapper(const struct select *s, enum operation o, unsigned n)
{
	enum { SHUFFLE = 1, MEET = 2, VOTE = 4, MATCH = 8, REDUX = 16, ELECT = 32, ANY = 63 };
	enum { SAME = 1, VARIES = 2, TOGETHER = 1, APART = 2 };
#define ROW(operation, mask, where, first, last, wrapper) {operation, mask, where, first, last, wrapper},
#define MASK(operation, mask, where, archs, wrapper)      ROW(operation, mask, where, archs, wrapper)
	static const struct {
		uint8_t operations, masks, wheres; /* bits */
		uint16_t first, last;
		uint8_t wrapper;
	} rows[] = {
#include "mask.def"
	};
#undef ROW
	unsigned mask = select_same(s, &s->i->ops[n]) ? SAME : VARIES, where = s->together ? TOGETHER : APART;
	select_tell_overlap(s, &s->i->ops[n]);
	if (s->f->compat && s->f->arch >= WL_SM90 && mask == VARIES && where == APART &&
	    (o == DO_VOTE || o == DO_MATCH))
		return EXCLUSIVE; /* as ptxas */
	if (s->together && leaves_out(s, n))
		return o == DO_VOTE || o == DO_MATCH ? WAIT_CUT : WAIT;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		if ((rows[i].operations >> o & 1) && (rows[i].masks & mask) && (rows[i].wheres & where) &&
		    s->f->arch >= rows[i].first && s->f->arch <= rows[i].last)
			return (enum wrapper)rows[i].wrapper;
	return WAIT_CUT;
}

static void wait_for(struct select *s, struct val mask, bool exclusive)
{
	struct minst in = minst_make(WL_UOP_WARPSYNC, s->line);
	in.w.op = exclusive;
	if (mask.kind == WL_SRC_IMM && (s->f->target->literal_masks || (uint32_t)mask.imm == 0xffffffff)) {
		in.w.src[0] = WL_SRC_IMM;
		in.w.imm = (uint32_t)mask.imm;
	} else {
		in.w.src[0] = WL_SRC_REG;
		in.ra = select_in_reg(s, mask, 32);
	}
	select_emit(s, &in);
}

void select_meet(struct select *s, struct val mask)
{
	wait_for(s, mask, false);
}

/* The lanes of the mask of operand n come together by the row of mask.def. */
struct members {
	struct val mask;
	enum wrapper wrapper;
	bool cut;              /* results cover more lanes than the mask */
	struct mblock *behind; /* where the lanes of all masks meet again; NULL: no lanes part */
};

static struct members gather(struct select *s, enum operation o, unsigned n)
{
	struct members m = {.mask = select_src(s, n, 32)};
	m.wrapper = find_wrapper(s, o, n);
	m.cut = m.wrapper == CUT || m.wrapper == WAIT_CUT;
	if (m.wrapper == WAIT || m.wrapper == WAIT_CUT) {
		mfunc_note(s->f, s->line, "WARPSYNC kept: lanes of the mask may come here apart");
		wait_for(s, m.mask, false);
	}
	if (m.wrapper != EXCLUSIVE)
		return m;
	mfunc_note(s->f, s->line, "WARPSYNC.EXCLUSIVE: lanes may have different masks, those of each go on apart");
	m.behind = select_new_block(s);
	s->b->rejoin = m.behind->id;
	select_fall(s, select_new_block(s));
	wait_for(s, m.mask, true);
	return m;
}

static void part(struct select *s, const struct members *m)
{
	if (m->behind)
		select_fall(s, m->behind);
}

/* Lanes at the same instruction need not wait, but their accesses meet here. As in ptxas's code, NOP stands in the
 * place of the WARPSYNC, and tells wlrun --check=race. */
static void meet(struct select *s)
{
	const struct members m = gather(s, DO_MEET, 0);
	if (m.wrapper != WAIT && m.wrapper != WAIT_CUT && m.wrapper != EXCLUSIVE)
		select_text(s, "NOP");
}

static bool all_lanes(struct val mask)
{
	return mask.kind == WL_SRC_IMM && (uint32_t)mask.imm == 0xffffffff;
}

/* Mask of the active lanes where p holds. */
static ref ballot(struct select *s, ref d, ref p, uint8_t num)
{
	struct minst in = minst_make(WL_UOP_VOTE, s->line);
	in.w.op = WL_VOTE_ANY;
	in.rd = d;
	in.ps[0] = p;
	in.w.ps[0] = num;
	select_emit(s, &in);
	return d;
}

static struct val cut(struct select *s, ref v, struct val mask)
{
	ref t;

	if (all_lanes(mask))
		return val_reg(v);
	t = select_tmp(s, 1);
	select_lop3(s, t, val_reg(v), mask, VAL_ZERO, LUT_A & LUT_B);
	return val_reg(t);
}

/* Result of VOTE over the active lanes, in a predicate. */
static void vote_all_active(struct select *s, unsigned op, ref d, ref p, uint8_t num)
{
	struct minst in = minst_make(WL_UOP_VOTE, s->line);
	in.w.op = (uint8_t)op;
	in.pd[0] = d;
	in.ps[0] = p;
	in.w.ps[0] = num;
	select_emit(s, &in);
}

/* Mask of the active lanes, by way of a uniform register. */
static struct val active_lanes(struct select *s)
{
	struct minst in = minst_make(WL_UOP_VOTEU, s->line);
	in.w.op = WL_VOTE_ANY;
	in.w.urd = SELECT_UR;
	select_emit(s, &in);
	in = minst_make(WL_UOP_MOV, s->line);
	in.rd = select_tmp(s, 1);
	in.w.src[1] = WL_SRC_UREG;
	in.w.ur = SELECT_UR;
	select_emit(s, &in);
	return val_reg(in.rd);
}

/* The same over the lanes of the mask alone. */
static void vote_of_mask(struct select *s, const struct members *m, ref d, ref p, uint8_t num)
{
	bool all = s->i->mode == PTX_M_all;
	struct val here, yes;
	ref none;
	if (s->i->mode == PTX_M_any) {
		yes = cut(s, ballot(s, select_tmp(s, 1), p, num), m->mask);
		select_cmp(s, d, WL_CMP_NE, false, 32, yes, VAL_ZERO);
		return;
	}
	here = cut(s, active_lanes(s).r, m->mask);
	yes = cut(s, ballot(s, select_tmp(s, 1), p, num), m->mask);
	if (all) {
		select_cmp(s, d, WL_CMP_EQ, false, 32, yes, here);
		return;
	}
	none = select_tmp_pred(s);
	select_cmp(s, none, WL_CMP_EQ, false, 32, yes, VAL_ZERO);
	{
		struct minst in = select_alu(s, WL_UOP_ISETP, REF_NONE, yes, here, VAL_ZERO);
		in.w.op = WL_CMP_EQ;
		in.w.bop = WL_BOOL_OR;
		in.ps[0] = none;
		in.w.ps[0] = 0;
		in.pd[0] = d;
		select_emit(s, &in);
	}
}

static bool vote(struct select *s)
{
	const struct ptx_instr *i = s->i;
	bool sync = ptx_has(i, PTX_M_sync);
	struct members m = {.mask = val_imm(0xffffffff)};
	unsigned op = i->mode == PTX_M_all ? WL_VOTE_ALL : i->mode == PTX_M_any ? WL_VOTE_ANY : WL_VOTE_EQ;
	uint8_t num;
	ref p, d;
	if (i->nops != (sync ? 3 : 2) || (i->mode != PTX_M_ballot && op == WL_VOTE_EQ && !ptx_has(i, PTX_M_uni)))
		return false;
	if (sync)
		m = gather(s, DO_VOTE, 2);
	p = select_pred(s, &i->ops[1], &num);
	d = select_dst(s, 0);
	if (i->mode == PTX_M_ballot) {
		ref lanes = ballot(s, select_tmp(s, 1), p, num);
		select_mov(s, d, m.cut ? cut(s, lanes, m.mask) : val_reg(lanes));
	} else if (m.cut) {
		vote_of_mask(s, &m, d, p, num);
	} else {
		vote_all_active(s, op, d, p, num);
	}
	part(s, &m);
	return true;
}

static bool shuffle(struct select *s)
{
	const struct ptx_instr *i = s->i;
	const struct ptx_operand *d = &i->ops[0];
	struct minst in = minst_make(WL_UOP_SHFL, s->line);
	struct val lane, clamp;
	bool sync = ptx_has(i, PTX_M_sync);
	int64_t all, value;
	if (i->nops != (sync ? 5 : 4))
		return false;
	if ((i->mode == PTX_M_idx || i->mode == PTX_M_bfly) && d->kind == PTX_O_REG && i->ops[1].kind == PTX_O_INT &&
	    s->together && sync && select_literal(s, &i->ops[4], &all) && select_literal(s, &i->ops[1], &value)) {
		select_mov(s, select_operand_reg(s, d), select_src(s, 1, 32)); /* every lane has the same */
		return true;
	}
	if (sync)
		gather(s, DO_SHUFFLE, 4);
	in.w.op = i->mode == PTX_M_up     ? WL_SHFL_UP
	          : i->mode == PTX_M_down ? WL_SHFL_DOWN
	          : i->mode == PTX_M_bfly ? WL_SHFL_BFLY
	                                  : WL_SHFL_IDX;
	in.w.src[0] = WL_SRC_REG;
	in.ra = select_in_reg(s, select_src(s, 1, 32), 32);
	lane = select_src(s, 2, 32);
	clamp = select_src(s, 3, 32);
	if (lane.kind == WL_SRC_IMM || val_is_zero(lane)) {
		in.w.src[1] = WL_SRC_IMM;
		in.w.imm = (uint32_t)lane.imm & 31;
	} else {
		in.w.src[1] = WL_SRC_REG;
		in.rb = select_in_reg(s, lane, 32);
	}
	if (clamp.kind == WL_SRC_IMM || val_is_zero(clamp)) {
		in.w.src[2] = WL_SRC_IMM;
		in.w.imm2 = (uint32_t)clamp.imm & 0x1f1f;
	} else {
		in.w.src[2] = WL_SRC_REG;
		in.rc = select_in_reg(s, clamp, 32);
	}
	if (d->kind == PTX_O_PAIR) {
		in.rd = select_operand_reg(s, &d->list[0]);
		in.pd[0] = select_operand_reg(s, &d->list[1]);
	} else {
		in.rd = select_operand_reg(s, d);
	}
	select_emit(s, &in);
	return true;
}

/* The lanes with this lane's value. */
static ref matching(struct select *s, unsigned op, unsigned bits, ref all)
{
	struct minst in = minst_make(WL_UOP_MATCH, s->line);
	in.w.op = (uint8_t)op;
	in.w.size = bits == 64 ? 8 : 0;
	in.w.src[0] = WL_SRC_REG;
	in.ra = select_in_reg(s, select_src(s, 1, bits), bits);
	in.rd = select_tmp(s, 1);
	in.pd[0] = all;
	select_emit(s, &in);
	return in.rd;
}

/* match.any: the lanes of the mask with this lane's value. match.all: all lanes of the mask, and true, if all have the
 * same value. MATCH.ALL may be of no use (sm_75 lacks the instruction, and lanes outside the mask would count): then
 * the lanes of match.any are compared with the mask. */
static bool match(struct select *s)
{
	enum { MATCH_ALL, MATCH_ANY };
	const struct ptx_instr *i = s->i;
	bool pair = i->ops[0].kind == PTX_O_PAIR;
	const struct ptx_operand *d = pair ? &i->ops[0].list[0] : &i->ops[0];
	unsigned bits = type_bits(i->type[0]);
	struct members m;
	struct val same, here;
	ref p;

	if (i->nops != 3 || (i->mode != PTX_M_any && i->mode != PTX_M_all))
		return false;
	m = gather(s, DO_MATCH, 2);
	p = pair && i->ops[0].list[1].kind == PTX_O_REG ? select_operand_reg(s, &i->ops[0].list[1]) : REF_NONE;
	if (i->mode == PTX_M_any) {
		ref lanes = matching(s, MATCH_ANY, bits, REF_NONE);
		select_mov(s, select_operand_reg(s, d), m.cut ? cut(s, lanes, m.mask) : val_reg(lanes));
	} else if (!m.cut) {
		ref lanes = matching(s, MATCH_ALL, bits, p);
		if (d->kind == PTX_O_REG)
			select_mov(s, select_operand_reg(s, d), val_reg(lanes));
	} else {
		ref all = select_tmp_pred(s);
		here = cut(s, ballot(s, select_tmp(s, 1), REF_NONE, WL_PT), m.mask);
		same = cut(s, matching(s, MATCH_ANY, bits, REF_NONE), m.mask);
		select_cmp(s, all, WL_CMP_EQ, false, 32, same, here);
		same = val_reg(select_in_reg(s, same, 32));
		if (p != REF_NONE)
			select_cmp(s, p, WL_CMP_EQ, false, 32, same, here);
		if (d->kind == PTX_O_REG)
			select_sel(s, select_operand_reg(s, d), same, VAL_ZERO, all, false);
	}
	part(s, &m);
	return true;
}

static ref reduced(struct select *s, unsigned uop, unsigned op, uint32_t flags, struct val v)
{
	struct minst in = minst_make(uop, s->line);
	in.w.op = (uint8_t)op;
	in.w.flags = flags;
	in.w.src[0] = WL_SRC_REG;
	in.ra = select_in_reg(s, v, 32);
	in.w.urd = SELECT_UR + 2;
	if (s->f->chip == 110 && uop == WL_UOP_REDUX) /* sm_100 has CREDUX for some */
		in.w.row = select_row(s, "REDUX.SUM UR8, R0");
	select_emit(s, &in);
	in = minst_make(WL_UOP_MOV, s->line);
	in.rd = select_tmp(s, 1);
	in.w.src[1] = WL_SRC_UREG;
	in.w.ur = SELECT_UR + 2;
	select_emit(s, &in);
	return in.rd;
}

ref select_redux(struct select *s, unsigned op, bool sign, struct val v)
{
	return reduced(s, WL_UOP_REDUX, op, sign ? WL_F_SIGNED : 0, v);
}

/* Floats: on targets without an instruction, by way of integers in the order of floats. NaN lies at the losing end of
 * the order; with .NaN, at the winning end. */
static void reduce_floats(struct select *s, unsigned op)
{
	bool low = (s->i->operation == PTX_M_min) == ptx_has(s->i, PTX_M_NaN);
	struct val args[2] = {val_reg(select_in_reg(s, select_src(s, 1, 32), 32)),
	                      val_imm(low ? 0x80000000 : 0x7fffffff)};
	ref key = select_tmp(s, 1), d = select_tmp(s, 1);
	if (wl_arch_base(s->f->arch) == WL_SM100) {
		select_mov(s, select_dst(s, 0),
		           val_reg(reduced(s, WL_UOP_FREDUX, 2 * (op == WL_REDUX_MIN) + ptx_has(s->i, PTX_M_abs),
		                           ptx_has(s->i, PTX_M_NaN) ? WL_F_NAN : 0, args[0])));
		return;
	}
	if (ptx_has(s->i, PTX_M_abs)) {
		ref t = select_tmp(s, 1);
		select_lop3(s, t, args[0], val_imm(0x7fffffff), VAL_ZERO, LUT_A & LUT_B);
		args[0] = val_reg(t);
	}
	select_library(s, "float_key", key, args, 2);
	args[0] = val_reg(select_redux(s, op, true, val_reg(key)));
	select_library(s, "float_of_key", d, args, 1);
	select_mov(s, select_dst(s, 0), val_reg(d));
}

static bool reduce(struct select *s)
{
	const struct ptx_instr *i = s->i;
	struct members m;
	unsigned op;
	switch (i->operation) {
	case PTX_M_add:
		op = WL_REDUX_SUM;
		break;
	case PTX_M_min:
		op = WL_REDUX_MIN;
		break;
	case PTX_M_max:
		op = WL_REDUX_MAX;
		break;
	case PTX_M_and:
		op = WL_REDUX_AND;
		break;
	case PTX_M_or:
		op = WL_REDUX_OR;
		break;
	default:
		op = WL_REDUX_XOR;
	}
	if (i->nops != 3 || (type_float(i->type[0]) && i->operation != PTX_M_min && i->operation != PTX_M_max))
		return false;
	m = gather(s, DO_REDUX, 2);
	if (type_float(i->type[0])) {
		reduce_floats(s, op);
		part(s, &m);
		return true;
	}
	select_mov(s, select_dst(s, 0), val_reg(select_redux(s, op, type_signed(i->type[0]), select_src(s, 1, 32))));
	part(s, &m);
	return true;
}

/* d|p: the lowest lane of the mask; p: this lane is the lowest. */
static bool elect(struct select *s)
{
	const struct ptx_operand *d = &s->i->ops[0];
	struct minst in = minst_make(WL_UOP_ELECT, s->line);
	struct members m;
	if (s->i->nops != 2 || d->kind != PTX_O_PAIR)
		return false;
	m = gather(s, DO_ELECT, 1);
	in.w.urd = SELECT_UR;
	in.pd[0] = select_operand_reg(s, &d->list[1]);
	select_emit(s, &in);
	if (d->list[0].kind == PTX_O_REG) {
		in = minst_make(WL_UOP_MOV, s->line);
		in.rd = select_operand_reg(s, &d->list[0]);
		in.w.src[1] = WL_SRC_UREG;
		in.w.ur = SELECT_UR;
		select_emit(s, &in);
	}
	part(s, &m);
	return true;
}

bool select_warp(struct select *s)
{
	const struct ptx_instr *i = s->i;
	switch (i->op) {
	case PTX_OP_vote:
		return vote(s);
	case PTX_OP_shfl:
		return shuffle(s);
	case PTX_OP_match:
		return match(s);
	case PTX_OP_activemask:
		ballot(s, select_dst(s, 0), REF_NONE, WL_PT);
		return true;
	case PTX_OP_bar_warp:
		meet(s);
		return true;
	case PTX_OP_redux:
		return reduce(s);
	case PTX_OP_elect:
		return elect(s);
	default:
		return false;
	}
}

// SPDX-License-Identifier: Apache-2.0
/* select_mbarrier.c -- mbarriers: on sm_80 words of shared memory, served by ATOMS.ARRIVE and plain accesses; from
 * sm_90 on objects of their own (SYNCS). The bits of both layouts: docs/spec/mbarrier.md, "Layouts".
 *
 * A generic address of an object lies in shared memory: the low word is the shared address. */
#include "address.h"
#include "atomic.h"
#include "mbarrier.h"
#include "order.h"
#include "select.h"
#include "uniform_operands.h"

/* Members op and type of SYNCS.ARRIVE, in the numbering of uops.def: arrivals, and transactions that come or go. */
enum { MBAR_A1TR, MBAR_A1T0, MBAR_A0T1, MBAR_A0TR, MBAR_A0TX, MBAR_ART0 };
enum { MBAR_OLD, MBAR_TMASK, MBAR_RED };

static bool has_engine(const struct select *s)
{
	return s->f->arch >= WL_SM90;
}

static bool is_tagged(const struct ptx_instr *i)
{
	return ptx_has(i, PTX_M_layout__v1);
}

struct address mbarrier_object(struct select *s, unsigned n)
{
	const struct ptx_operand *o = &s->i->ops[n];
	struct address a = {.base = REF_NONE};
	select_address(s, o, PTX_SP_shared, &a);
	return a;
}

static struct minst at(unsigned uop, uint32_t line, const struct address *a, int32_t shift, unsigned bytes)
{
	struct minst in = minst_make(uop, line);
	in.ra = a->base;
	in.w.off = (int32_t)a->off + shift;
	in.w.size = (uint8_t)bytes;
	in.keep = true;
	return in;
}

static ref add(struct select *s, struct val a, struct val b, unsigned negated)
{
	ref d = select_tmp(s, 1);
	struct minst in = select_alu(s, WL_UOP_IADD3, d, a, b, VAL_ZERO);
	in.w.neg = (uint8_t)negated;
	select_emit(s, &in);
	return d;
}

static ref shifted(struct select *s, struct val v, unsigned by, bool left)
{
	ref d = select_tmp(s, 1);
	select_shift(s, d, left, false, v, val_imm(by));
	return d;
}

static ref masked(struct select *s, ref v, uint32_t mask)
{
	ref d = select_tmp(s, 1);
	select_lop3(s, d, val_reg(v), val_imm(mask), VAL_ZERO, LUT_A & LUT_B);
	return d;
}

/* base - v */
static ref less(struct select *s, uint32_t base, struct val v)
{
	int64_t literal;
	if (v.kind == WL_SRC_IMM) {
		literal = (int64_t)base - (int64_t)v.imm;
		return select_in_reg(s, val_imm((uint32_t)literal), 32);
	}
	return add(s, val_reg(select_in_reg(s, v, 32)), val_imm(base), 1);
}

/* ---- init ---- */

/* The word pair of a fresh object with `count` expected. Bit 0 tells layout v1. Only sm_107 has other fields in an
 * object of layout v1: counts of 9 bits. */
static ref fresh(struct select *s, struct val count)
{
	const bool tagged = is_tagged(s->i), narrow = tagged && s->f->arch == WL_SM107;
	ref d = select_tmp(s, 2), t;
	if (!has_engine(s)) {
		select_mov(s, d, val_reg(less(s, 0x40000000, count)));
		select_mov(s, d + 1, val_reg(less(s, 0x80000000, count)));
		return d;
	}
	t = less(s, narrow ? 0x200 : 0x100000, count);
	select_shift(s, d, true, false, val_reg(t), val_imm(narrow ? 4 : 1));
	if (tagged)
		select_lop3(s, d, val_reg(d), val_imm(1), VAL_ZERO, LUT_A | LUT_B);
	select_shift(s, d + 1, true, false, val_reg(t), val_imm(11));
	return d;
}

/* NVIDIA's code goes over the distinct values of a per-lane count on its own. */
static void each_count(struct select *s, struct val count)
{
	struct mblock *again;
	ref p;
	if (count.kind == WL_SRC_IMM || val_is_zero(count))
		return;
	again = select_new_block(s);
	p = select_tmp_pred(s);
	select_fall(s, again);
	uniform_compare(s, select_in_reg(s, count, 32), 0, p, false);
	select_branch(s, p, false, again);
}

/* SYNCS.EXCH takes uniform registers: lanes with another address or value go round again. */
static void exchange(struct select *s, const struct address *a, ref value, bool once)
{
	const char *name = s->f->arch == WL_SM107 ? "USYNCS" : "SYNCS"; /* the same word */
	struct uniform_operands u = UNIFORM_NONE;
	u.r[0] = select_shared_register(s, a);
	u.r[2] = value;
	u.r[3] = value + 1;
	if (once)
		uniform_once(s, &u, "%s.EXCH.64 URZ, [UR%u], UR%u", name, UNIFORM_AT(0), UNIFORM_AT(2));
	else
		uniform_each_value(s, &u, "FENCE.VIEW.ASYNC.S|SYNCS.EXCH.64 URZ, [UR%u], UR%u", UNIFORM_AT(0),
		                   UNIFORM_AT(2));
}

static bool init(struct select *s)
{
	struct address a = mbarrier_object(s, 0);
	struct val count = select_src(s, 1, 32);
	bool same = s->together && select_same(s, &s->i->ops[0]) && select_same(s, &s->i->ops[1]);
	struct minst in;
	ref value;
	if (s->f->arch == WL_SM90 && !same)
		each_count(s, count);
	value = fresh(s, count);
	if (s->f->arch == WL_SM90 || (has_engine(s) && same)) {
		exchange(s, &a, value, same);
		return true;
	}
	in = at(WL_UOP_STS, s->line, &a, 0, 8);
	in.rb = value;
	select_emit(s, &in);
	if (has_engine(s)) {
		select_text(s, "FENCE.VIEW.ASYNC.S");
		select_text(s, "SYNCS.CCTL.IVALL");
	}
	return true;
}

static bool invalidate(struct select *s)
{
	struct address a = mbarrier_object(s, 0);
	struct minst in = at(WL_UOP_SYNCS_CCTL, s->line, &a, 0, 0);
	if (has_engine(s))
		select_emit(s, &in);
	else
		select_text(s, "NOP"); /* the place for .nv.info */
	return true;
}

/* ---- arrivals ---- */

bool mbarrier_is_remote(const struct ptx_instr *i)
{
	return i->space[0] != PTX_SP_shared && i->space[0] != PTX_SP_shared_cta;
}

void mbarrier_release(struct select *s)
{
	static const enum wl_scope scopes[2] = {WL_SCOPE_CTA, WL_SCOPE_GPU};
	struct minst in;
	bool cluster = s->i->scope == PTX_M_cluster && s->i->order != PTX_M_relaxed;
	if (s->i->order == PTX_M_relaxed || (has_engine(s) && !cluster))
		return;
	for (unsigned k = 0; k <= cluster; k++) {
		in = minst_make(WL_UOP_MEMBAR, s->line);
		in.w.op = WL_MEMBAR_ALL;
		in.w.scope = scopes[k];
		select_emit(s, &in);
	}
	for (unsigned k = 0; k < 2 && cluster; k++) {
		in = minst_make(WL_UOP_ERRBAR, s->line);
		in.w.op = (uint8_t)k;
		select_emit(s, &in);
	}
}

static ref add_to(struct select *s, const struct address *a, int32_t shift, ref v)
{
	struct minst in = at(WL_UOP_ATOMS, s->line, a, shift, 4);
	in.w.op = WL_ATOM_ADD;
	in.rb = v;
	in.rd = select_tmp(s, 1);
	select_emit(s, &in);
	return in.rd;
}

/* The same; lanes with a common object add once for all lanes. */
static ref add_together(struct select *s, const struct address *a, int32_t shift, struct val count, ref n, bool result)
{
	struct atomic add = {.op = WL_ATOM_ADD,
	                     .type = TYPE_INT32,
	                     .bits = 32,
	                     .member = WL_AT_INT,
	                     .space = ATOMIC_SHARED,
	                     .at = *a,
	                     .d = result ? select_tmp(s, 1) : REF_NONE,
	                     .b = count,
	                     .shell = SHELL_NATIVE,
	                     .shared_shell = SHELL_NATIVE};
	add.same_address = select_same(s, &s->i->ops[1]);
	add.same_value = select_same(s, &s->i->ops[2]);
	add.at.off += shift;
	if (add.same_address && atomic_aggregate(s, &add))
		return add.d;
	return add_to(s, a, shift, n);
}

static void put_state(struct select *s, ref low, ref high)
{
	ref d = select_dst(s, 0), t;
	if (d == REF_NONE)
		return;
	t = select_tmp(s, 2);
	select_mov(s, t, val_reg(low));
	select_mov(s, t + 1, val_reg(high));
	select_mov64(s, d, val_reg(t));
}

static bool arrive80(struct select *s, bool drop)
{
	struct address a = mbarrier_object(s, 1);
	struct minst in;
	ref d;
	mbarrier_release(s);
	if (ptx_has(s->i, PTX_M_noComplete)) {
		struct val count = select_src(s, 2, 32);
		ref n = select_in_reg(s, count, 32), old;
		bool result = !select_unread(s, &s->i->ops[0]);
		if (drop)
			add_together(s, &a, 0, count, n, false);
		old = add_together(s, &a, 4, count, n, result);
		if (!result)
			return true;
		put_state(s, old, old); /* the low word of a state has no reader */
		return true;
	}
	if (drop) {
		in = at(WL_UOP_ATOMS, s->line, &a, 0, 4);
		in.w.flags |= WL_F_ONE;
		select_emit(s, &in);
	}
	in = at(WL_UOP_ATOMS_ARRIVE, s->line, &a, 0, 0);
	d = select_unread(s, &s->i->ops[0]) ? REF_NONE : select_dst(s, 0);
	in.rd = d == REF_NONE ? REF_NONE : select_tmp(s, 2);
	select_emit(s, &in);
	if (d != REF_NONE)
		select_mov64(s, d, val_reg(in.rd));
	return true;
}

/* The lowest 20 bits count in PTX; the operand is taken without change. */
static bool arrive_without_completing(struct select *s, const struct address *a, bool drop)
{
	struct val count = select_src(s, 2, 32);
	struct minst in = at(WL_UOP_SYNCS_ARRIVE, s->line, a, 0, 0), lt;
	struct mblock *again = NULL;
	ref n = select_in_reg(s, count, 32), before, high, p = REF_NONE;
	in.w.op = MBAR_ART0;
	in.w.flags |= drop ? WL_F_OPTOUT : 0;
	in.rb = n;
	if (select_unread(s, &s->i->ops[0])) {
		in.w.type = mbarrier_is_remote(s->i) ? MBAR_RED : MBAR_OLD;
		select_emit(s, &in);
		return true;
	}
	if (!(s->together && select_same(s, &s->i->ops[2]))) { /* lanes with one count at a time */
		each_count(s, count);
		again = select_new_block(s);
		select_fall(s, again);
		p = select_tmp_pred(s);
		uniform_compare(s, n, 0, p, false);
		in.guard = p;
		in.w.guard = NOT_P;
	}
	in.w.type = MBAR_TMASK;
	in.rd = select_tmp(s, 2);
	select_emit(s, &in);
	if (again)
		select_branch(s, p, false, again);
	/* as many arrivals of lower lanes came before this lane's */
	lt = minst_make(WL_UOP_S2R, s->line);
	lt.rd = select_tmp(s, 1);
	lt.w.imm = 57;
	select_emit(s, &lt);
	before = select_tmp(s, 1);
	select_lop3(s, before, val_reg(in.rd), val_reg(lt.rd), VAL_ZERO, LUT_A & LUT_B);
	lt = select_alu(s, WL_UOP_POPC, select_tmp(s, 1), VAL_ZERO, val_reg(before), VAL_ZERO);
	select_emit(s, &lt);
	high = select_tmp(s, 1);
	lt = select_alu(s, WL_UOP_IMAD, high, val_reg(shifted(s, val_reg(lt.rd), 11, true)), val_reg(n),
	                val_reg(in.rd + 1));
	select_emit(s, &lt);
	put_state(s, in.rd, high);
	return true;
}

static bool names_transactions(const struct ptx_instr *i)
{
	return i->op == PTX_OP_mbarrier_arrive_expect_tx || i->op == PTX_OP_mbarrier_arrive_drop_expect_tx;
}

static bool arrive90(struct select *s, bool drop)
{
	struct address a = mbarrier_object(s, 1);
	bool expect = names_transactions(s->i), sink = select_unread(s, &s->i->ops[0]);
	int64_t one;
	struct minst in;
	mbarrier_release(s);
	if (ptx_has(s->i, PTX_M_noComplete))
		return arrive_without_completing(s, &a, drop);
	in = at(WL_UOP_SYNCS_ARRIVE, s->line, &a, 0, 0);
	in.w.op = expect ? MBAR_A1TR : MBAR_A1T0;
	in.w.type = s->i->ops[0].kind == PTX_O_SINK && mbarrier_is_remote(s->i) ? MBAR_RED : MBAR_OLD;
	in.w.flags |= drop ? WL_F_OPTOUT : 0;
	if (s->i->nops > 2 && (expect || !select_literal(s, &s->i->ops[2], &one) || one != 1)) {
		in.w.op = expect ? MBAR_A1TR : MBAR_ART0;
		in.rb = select_in_reg(s, select_src(s, 2, 32), 32);
	}
	in.rd = sink ? REF_NONE : select_tmp(s, 2);
	select_emit(s, &in);
	if (!sink)
		select_mov64(s, select_dst(s, 0), val_reg(in.rd));
	return true;
}

static bool arrive(struct select *s, bool drop)
{
	return has_engine(s) ? arrive90(s, drop) : arrive80(s, drop);
}

static bool transaction(struct select *s, unsigned op)
{
	struct address a = mbarrier_object(s, 0);
	struct minst in = at(WL_UOP_SYNCS_ARRIVE, s->line, &a, 0, 0);
	in.w.op = (uint8_t)op;
	in.w.type = MBAR_RED;
	in.rb = select_in_reg(s, select_src(s, 1, 32), 32);
	select_emit(s, &in);
	return true;
}

/* ---- waits ---- */

/* Place of the object among the operands of a wait: a register for the report may stand in front. */
static unsigned waited_for(const struct ptx_instr *i)
{
	return i->ops[1].kind == PTX_O_REG ? 2 : 1;
}

/* A word with the requested phase in bit 31. */
static ref phase_word(struct select *s)
{
	const unsigned n = waited_for(s->i) + 1;
	if (s->i->op == PTX_OP_mbarrier_test_wait_parity || s->i->op == PTX_OP_mbarrier_try_wait_parity)
		return shifted(s, select_src(s, n, 32), 31, true);
	return select_in_reg(s, val_word(select_src(s, n, 64), 1), 32);
}

static ref waits_predicate(struct select *s)
{
	const struct ptx_operand *o = &s->i->ops[0];
	const struct ptx_operand *p = o->kind == PTX_O_PAIR ? &o->list[0] : o;
	return p->kind == PTX_O_REG ? select_operand_reg(s, p) : select_tmp_pred(s);
}

/* Reports of copies and the fabric on the phase: none in an object made by these chips. The value is 0 in ptxas's code
 * for sm_107, too. */
static void report_nothing(struct select *s, enum minst_form wait)
{
	const struct ptx_operand *o = &s->i->ops[0];
	if (wait != WAIT_PRIMARY && o->kind == PTX_O_PAIR && o->list[1].kind == PTX_O_REG)
		select_cmp(s, select_operand_reg(s, &o->list[1]), WL_CMP_NE, false, 32, VAL_ZERO, VAL_ZERO);
	if (waited_for(s->i) == 2)
		select_mov(s, select_dst(s, 1), VAL_ZERO);
}

/* The form of the wait: chips other than sm_107 have a single form, as both phases of an object go on together. */
static enum minst_form form_of_wait(const struct select *s)
{
	const struct ptx_operand *o = &s->i->ops[0];
	if (s->f->arch != WL_SM107)
		return FORM_PLAIN;
	if (ptx_has(s->i, PTX_M_phase_type__conditional))
		return WAIT_CONDITIONAL;
	return waited_for(s->i) == 2 || (o->kind == PTX_O_PAIR && o->list[1].kind == PTX_O_REG) ? WAIT_PRIMARY
	                                                                                        : FORM_PLAIN;
}

static void check(struct select *s, const struct address *a, ref phase, bool waits, ref p)
{
	const struct ptx_operand *o = &s->i->ops[0];
	struct minst in = at(WL_UOP_SYNCS_PHASECHK, s->line, a, 0, 0);
	in.w.op = waits;
	in.form = (uint8_t)form_of_wait(s);
	if (in.form == WAIT_PRIMARY && o->kind == PTX_O_PAIR && o->list[1].kind == PTX_O_REG)
		in.pd[1] = select_operand_reg(s, &o->list[1]);
	in.rb = phase;
	in.pd[0] = p;
	select_emit(s, &in);
}

static bool wait80(struct select *s)
{
	struct address a = mbarrier_object(s, 1);
	struct minst in = at(WL_UOP_LDS, s->line, &a, 4, 4);
	ref phase = phase_word(s), t = select_tmp(s, 1);
	in.rd = select_tmp(s, 1);
	select_emit(s, &in);
	select_lop3(s, t, val_reg(in.rd), val_reg(phase), VAL_ZERO, LUT_A ^ LUT_B);
	select_cmp(s, select_dst(s, 0), WL_CMP_LT, true, 32, val_reg(t), VAL_ZERO);
	return true;
}

static bool wait90(struct select *s, bool waits)
{
	const unsigned n = waited_for(s->i);
	struct address a = mbarrier_object(s, n);
	ref phase = phase_word(s), p = waits_predicate(s);
	struct mblock *end;
	struct minst in;
	check(s, &a, phase, waits, p);
	if (waits && s->i->nops > n + 2) { /* asleep for the time of the hint, then once more */
		end = select_new_block(s);
		select_branch(s, p, false, end);
		in = select_alu(s, WL_UOP_NANOSLEEP, REF_NONE, VAL_ZERO, select_src(s, n + 2, 32), VAL_ZERO);
		in.w.type = 1;
		select_emit(s, &in);
		check(s, &a, phase, false, p);
		select_fall(s, end);
	}
	if (s->i->scope == PTX_M_cluster && s->i->order != PTX_M_relaxed) {
		in = minst_make(WL_UOP_CCTL_IVALL, s->line);
		in.guard = p;
		in.w.guard = 0;
		select_emit(s, &in);
	}
	report_nothing(s, form_of_wait(s));
	return true;
}

/* Bit 0 of the object is the layout. */
static bool check_layout(struct select *s)
{
	struct address a = mbarrier_object(s, 1);
	struct minst in = at(WL_UOP_LDS, s->line, &a, 0, 8);
	in.w.row = select_row(s, "SYNCS.LD.64 R0, [R2+URZ]");
	in.rd = select_tmp(s, 2);
	select_emit(s, &in);
	select_cmp(s, select_dst(s, 0), is_tagged(s->i) ? WL_CMP_NE : WL_CMP_EQ, false, 32,
	           val_reg(masked(s, in.rd, 1)), VAL_ZERO);
	return true;
}

static bool pending_count(struct select *s)
{
	struct val state = select_src(s, 1, 64);
	ref t;
	if (has_engine(s)) {
		t = masked(s, shifted(s, val_word(state, 1), 11, false), 0xfffff);
		t = less(s, 0x100000, val_reg(t));
	} else {
		t = masked(s, select_in_reg(s, val_word(state, 1), 32), 0x7fffffff);
		t = less(s, 0x80000000, val_reg(t));
	}
	select_mov(s, select_dst(s, 0), val_reg(t));
	return true;
}

static bool operation(struct select *s)
{
	switch (s->i->op) {
	case PTX_OP_mbarrier_init:
		return init(s);
	case PTX_OP_mbarrier_inval:
		return invalidate(s);
	case PTX_OP_mbarrier_check_layout:
		return check_layout(s);
	case PTX_OP_mbarrier_arrive:
	case PTX_OP_mbarrier_arrive_expect_tx:
		return arrive(s, false);
	case PTX_OP_mbarrier_arrive_drop:
	case PTX_OP_mbarrier_arrive_drop_expect_tx:
		return arrive(s, true);
	case PTX_OP_mbarrier_expect_tx:
		return transaction(s, MBAR_A0TR);
	case PTX_OP_mbarrier_complete_tx:
		return transaction(s, MBAR_A0TX);
	case PTX_OP_mbarrier_test_wait:
	case PTX_OP_mbarrier_test_wait_parity:
		return has_engine(s) ? wait90(s, false) : wait80(s);
	case PTX_OP_mbarrier_try_wait:
	case PTX_OP_mbarrier_try_wait_parity:
		return wait90(s, true);
	default:
		return pending_count(s);
	}
}

bool select_mbarrier(struct select *s)
{
	if (s->i->op < PTX_OP_mbarrier_init || s->i->op > PTX_OP_mbarrier_complete_tx)
		return false;
	if (mbarrier_for_warp(s))
		return true;
	return select_guarded(s, operation);
}

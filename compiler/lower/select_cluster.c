// SPDX-License-Identifier: Apache-2.0
/* select_cluster.c -- CTAs of a cluster: addresses of each other's shared memory, their barrier; registers of a warp
 * (setmaxnreg). */
#include "address.h"
#include "order.h"
#include "register_limit.h"
#include "select.h"

enum { RANK_SHIFT = 24 }; /* an address of the cluster's shared memory: the CTA's rank, then 24 bits */
enum { CTAID_X = 37, CGA_CTA_ID = 136, CGA_SIZE = 138 }; /* special registers */

static bool is_generic(const struct ptx_instr *i)
{
	return i->space[0] != PTX_SP_shared_cluster;
}

/* An operand: an address as a value of two words (wide) or one. */
static struct val address_value(struct select *s, const struct ptx_operand *o, bool wide)
{
	return select_operand(s, o, wide ? 64 : 32);
}

/* The same place in the shared memory of CTA `rank`. */
static bool map_address(struct select *s)
{
	bool wide = type_bits(s->i->type[0]) == 64;
	struct val a = address_value(s, &s->i->ops[1], wide);
	ref d = select_dst(s, 0), t = select_tmp(s, 2);
	struct minst in = select_alu(s, WL_UOP_PRMT, t, val_reg(select_in_reg(s, select_src(s, 2, 32), 32)),
	                             val_imm(0x654), val_reg(select_in_reg(s, val_word(a, 0), 32)));
	select_emit(s, &in);
	if (!wide) {
		select_mov(s, d, val_reg(t));
		return true;
	}
	if (!is_generic(s->i))
		select_mov(s, t + 1, VAL_ZERO);
	else if (s->i->ops[1].kind == PTX_O_SYMBOL)
		select_mov(s, t + 1, select_shared_window(s));
	else
		select_mov(s, t + 1, val_word(a, 1));
	select_mov64(s, d, val_reg(t));
	return true;
}

static bool rank_of_address(struct select *s)
{
	bool wide = s->i->ntypes && type_bits(s->i->type[0]) == 64;
	const struct ptx_operand *o = &s->i->ops[1];
	struct val a;
	if (o->kind == PTX_O_SYMBOL) { /* a variable belongs to this CTA */
		select_mov(s, select_dst(s, 0), select_cluster_rank(s));
		return true;
	}
	a = address_value(s, o, wide);
	select_shift(s, select_dst(s, 0), false, false, val_word(a, 0), val_imm(RANK_SHIFT));
	return true;
}

/* ---- special registers ---- */

struct val select_cluster_rank(struct select *s)
{
	struct minst in = minst_make(WL_UOP_S2R, s->line);
	in.rd = select_tmp(s, 1);
	in.w.imm = CGA_CTA_ID;
	select_emit(s, &in);
	return val_reg(in.rd);
}

/* A word left by the driver in the constant bank, from sm_100 on in a copy chosen by the size of clusters. */
static struct val cluster_word(struct select *s, unsigned at)
{
	ref t = select_tmp(s, 1);
	struct minst in = minst_make(WL_UOP_CS2R, s->line);
	if (s->f->arch < WL_SM100)
		return val_const(at);
	in.w.size = 4;
	in.w.imm = CGA_SIZE;
	in.rd = select_tmp(s, 1);
	select_emit(s, &in);
	select_umul32(s, t, val_reg(in.rd), val_imm(0xffffff60)); /* a copy has 160 bytes */
	in = minst_make(WL_UOP_LDC, s->line);
	in.ra = t;
	in.w.off = (int32_t)at;
	in.w.size = 4;
	in.rd = select_tmp(s, 1);
	select_emit(s, &in);
	return val_reg(in.rd);
}

/* Number of the cluster in the grid, by the reciprocal of its size: exact, as %ctaid is a small number. */
static ref cluster_number(struct select *s, unsigned comp)
{
	struct val args[2];
	struct minst in = minst_make(WL_UOP_S2R, s->line);
	ref d = select_tmp(s, 1);
	in.rd = select_tmp(s, 1);
	in.w.imm = CTAID_X + comp;
	select_emit(s, &in);
	args[0] = val_reg(in.rd);
	args[1] = val_reg(select_in_reg(s, cluster_word(s, target_specials(s->f->target)->divisor + 4 * comp), 32));
	select_library(s, "cluster_number", d, args, 2);
	return d;
}

bool select_cluster_register(struct select *s, const struct ptx_operand *o, unsigned comp, struct val *v)
{
	const struct wl_cb0_specials *at = target_specials(s->f->target);
	struct minst in;
	ref d;
	switch (o->sreg) {
	case PTX_SR_cluster_ctarank:
		*v = select_cluster_rank(s);
		return true;
	case PTX_SR_cluster_nctarank:
		*v = cluster_word(s, at->cluster_rank);
		return true;
	case PTX_SR_cluster_nctaid:
		*v = cluster_word(s, at->cluster + 4 * comp);
		return true;
	case PTX_SR_nclusterid:
		*v = cluster_word(s, at->clusters + 4 * comp);
		return true;
	case PTX_SR_clusterid:
		*v = val_reg(cluster_number(s, comp));
		return true;
	case PTX_SR_cluster_ctaid:
		break;
	default:
		return false;
	}
	d = cluster_number(s, comp);
	{
		ref t = select_tmp(s, 1), size = select_in_reg(s, cluster_word(s, at->cluster + 4 * comp), 32);
		select_umul32(s, t, val_reg(d), val_reg(size));
		in = minst_make(WL_UOP_S2R, s->line);
		in.rd = select_tmp(s, 1);
		in.w.imm = CTAID_X + comp;
		select_emit(s, &in);
		d = in.rd;
		in = select_alu(s, WL_UOP_IADD3, select_tmp(s, 1), val_reg(d), val_reg(t), VAL_ZERO);
		in.w.neg = 2;
		select_emit(s, &in);
		*v = val_reg(in.rd);
	}
	return true;
}

/* ---- the cluster's barrier ---- */

static bool knows_cluster(const struct select *s)
{
	return s->fn->explicitcluster || s->fn->reqnctapercluster[0] || s->fn->blocksareclusters;
}

/* A kernel may be launched without clusters, as told by the driver in the constant bank: then the CTA is alone. Returns
 * the block for this case. */
static struct mblock *unless_alone(struct select *s)
{
	struct mblock *alone = select_new_block(s);
	ref p = select_tmp_pred(s), t = select_tmp(s, 1);
	select_mov(s, t, val_const(s->f->target->clustered));
	select_cmp(s, p, WL_CMP_EQ, false, 32, val_reg(t), val_imm(1));
	select_branch_together(s, p, true, alone);
	return alone;
}

static void meet_if_apart(struct select *s)
{
	if (s->apart)
		select_meet(s, val_imm(0xffffffff));
}

static bool arrive_at_cluster(struct select *s)
{
	struct mblock *behind = knows_cluster(s) ? NULL : unless_alone(s);
	meet_if_apart(s);
	if (s->i->order != PTX_M_relaxed)
		order_before(s, ORDERED_ACCESS, PTX_M_release, PTX_M_gpu);
	select_text(s, "UCGABAR_ARV");
	if (behind)
		select_fall(s, behind);
	return true;
}

static bool wait_for_cluster(struct select *s)
{
	struct mblock *alone = knows_cluster(s) ? NULL : unless_alone(s), *behind;
	struct minst in;
	meet_if_apart(s);
	select_text(s, "UCGABAR_WAIT");
	in = minst_make(WL_UOP_CCTL_IVALL, s->line);
	select_emit(s, &in);
	if (!alone)
		return true;
	behind = select_new_block(s);
	select_branch(s, REF_NONE, false, behind);
	select_fall(s, alone);
	in = minst_make(WL_UOP_BAR, s->line); /* of all threads of this CTA */
	in.w.op = WL_BAR_SYNC;
	in.w.flags |= WL_F_DEFER;
	in.w.src[0] = in.w.src[1] = WL_SRC_IMM;
	select_emit(s, &in);
	select_fall(s, behind);
	return true;
}

/* ---- registers of a warp, for the pool of the CTA or from the pool ---- */

static bool change_registers(struct select *s)
{
	const unsigned n = (unsigned)s->i->ops[0].imm;
	struct minst in = minst_make(WL_UOP_MOV, s->line);
	struct mblock *again;
	unsigned least;
	ref p;
	if (!s->f->src->is_entry || !register_entry(s->f->src, s->f->max_regs, &least))
		return true;
	if (s->i->op == PTX_OP_setmaxnreg_dec) {
		select_text(s, "USETMAXREG.DEALLOC.CTAPOOL 0x%x", n);
		return true;
	}
	again = select_new_block(s);
	select_fall(s, again);
	select_text(s, "USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0x%x", n);
	select_text(s, "USEL UR%u, URZ, 0x1, !UP0", SELECT_UR);
	in.rd = select_tmp(s, 1);
	in.w.src[1] = WL_SRC_UREG;
	in.w.ur = SELECT_UR;
	select_emit(s, &in);
	p = select_tmp_pred(s);
	select_cmp(s, p, WL_CMP_NE, false, 32, val_reg(in.rd), VAL_ZERO);
	select_branch_together(s, p, true, again);
	return true;
}

static bool operation(struct select *s)
{
	switch (s->i->op) {
	case PTX_OP_mapa:
		return map_address(s);
	case PTX_OP_getctarank:
		return rank_of_address(s);
	case PTX_OP_barrier_cluster_arrive:
		return arrive_at_cluster(s);
	case PTX_OP_barrier_cluster_wait:
		return wait_for_cluster(s);
	default:
		return change_registers(s);
	}
}

bool select_cluster(struct select *s)
{
	struct mblock *behind = NULL;
	bool good;
	switch (s->i->op) {
	case PTX_OP_barrier_cluster_arrive:
	case PTX_OP_barrier_cluster_wait:
	case PTX_OP_setmaxnreg_inc:
	case PTX_OP_setmaxnreg_dec:
		behind = select_guard_around(s);
		break;
	case PTX_OP_mapa:
	case PTX_OP_getctarank:
		break;
	default:
		return false;
	}
	good = operation(s);
	if (behind)
		select_fall(s, behind);
	return good;
}

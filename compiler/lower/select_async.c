// SPDX-License-Identifier: Apache-2.0
/* select_async.c -- copies beside the program: cp.async (LDGSTS), groups of copies and arrivals at mbarriers; launches
 * that depend on each other. */
#include "address.h"
#include "order.h"
#include "select.h"
#include "uniform_operands.h"

/* ---- cp.async ---- */

/* NVIDIA's code has three loads, never executed, before each copy on sm_90 and later. */
static void idle_loads(struct select *s)
{
	for (unsigned k = 0; k < 3 && s->f->arch >= WL_SM90; k++) {
		struct minst in = minst_make(WL_UOP_LDS, s->line);
		in.w.guard = WL_PT | NOT_P;
		in.w.size = 4;
		in.keep = true;
		mblock_append(s->f, s->b, &in);
	}
}

static void put_prefetch(const struct ptx_instr *i, struct minst *in)
{
	in->w.prefetch = ptx_has(i, PTX_M_L2__64B)    ? 1
	                 : ptx_has(i, PTX_M_L2__128B) ? 2
	                 : ptx_has(i, PTX_M_L2__256B) ? 3
	                                              : 0;
}

/* Only `n` bytes are read, the others become 0: the low bits of the address hold the number of zeros. */
static void fill_with_zeros(struct select *s, struct minst *in, const struct ptx_operand *o, unsigned bytes)
{
	int64_t n;
	if (select_literal(s, o, &n)) {
		if (n == 0)
			in->w.ps[0] = WL_PT | NOT_P;
		if (n > 0 && n < (int64_t)bytes) {
			ref t = select_tmp(s, 2);
			select_add64(s, t, val_reg(in->ra), val_imm(bytes - (uint64_t)n), false);
			in->ra = t;
			in->w.op = 1;
		}
		return;
	}
	{
		ref v = select_in_reg(s, select_operand(s, o, 32), 32), rest = select_tmp(s, 2), t = select_tmp(s, 2);
		struct minst sub = select_alu(s, WL_UOP_IADD3, rest, val_reg(v), val_imm(bytes), VAL_ZERO);
		sub.w.neg = 1;
		select_emit(s, &sub);
		select_mov(s, rest + 1, VAL_ZERO);
		select_add64(s, t, val_reg(in->ra), val_reg(rest), false);
		in->ra = t;
		in->ps[0] = select_tmp_pred(s);
		in->w.ps[0] = 0;
		select_cmp(s, in->ps[0], WL_CMP_NE, false, 32, val_reg(v), VAL_ZERO);
		in->w.op = 1;
	}
}

static bool copy(struct select *s)
{
	const struct ptx_instr *i = s->i;
	struct minst in = minst_make(WL_UOP_LDGSTS, s->line);
	struct address to, from;
	int64_t bytes;
	if (i->nops < 3 || !select_literal(s, &i->ops[2], &bytes))
		return false;
	if (!select_address(s, &i->ops[0], PTX_SP_shared, &to) || !select_address(s, &i->ops[1], PTX_SP_global, &from))
		return true;
	if (from.off) { /* the field of this instruction has only a few bits */
		ref t = select_tmp(s, 2);
		select_add64(s, t, val_reg(from.base), val_imm((uint64_t)from.off), false);
		from.base = t;
	}
	in.rb = to.base;
	in.w.imm = (uint32_t)to.off;
	in.ra = from.base;
	in.w.size = (uint8_t)bytes;
	in.w.flags |= WL_F_E64 | (ptx_has(i, PTX_M_cg) ? WL_F_BYPASS : 0);
	put_prefetch(i, &in);
	select_hint(s, &in);
	if (i->nops > 3u + ptx_has(i, PTX_M_L2__cache_hint)) {
		const struct ptx_operand *o = &i->ops[3];
		bool pred = o->kind == PTX_O_REG && s->f->vregs[s->reg[o->reg]].pred;
		if (pred) { /* where true, nothing is read */
			in.ps[0] = select_pred(s, o, &in.w.ps[0]);
			in.w.ps[0] ^= NOT_P;
		} else {
			fill_with_zeros(s, &in, o, (unsigned)bytes);
		}
	}
	in.keep = true;
	idle_loads(s);
	select_emit(s, &in);
	return true;
}

static void end_group(struct select *s)
{
	struct minst in = minst_make(WL_UOP_LDGDEPBAR, s->line);
	in.keep = true;
	s->f->copies = true;
	select_emit(s, &in);
}

static bool wait_group(struct select *s, int64_t n)
{
	select_text(s, "DEPBAR.LE SB%u, 0x%x", COPY_GROUP_BOARD, (unsigned)(n < 0 || n > 63 ? 63 : n));
	return true;
}

/* The mbarrier gets an arrival when the thread's copies have landed; without .noinc the mbarrier expects one more
 * first. */
static bool arrive_behind_copies(struct select *s)
{
	const struct ptx_instr *i = s->i;
	bool own = ptx_has(i, PTX_M_noinc), engine = s->f->arch >= WL_SM90;
	struct mblock *again = NULL;
	struct minst in, first;
	bool same;
	struct address a;
	ref base, p = select_tmp_pred(s);
	if (!select_address(s, &i->ops[0], PTX_SP_shared, &a))
		return true;
	base = select_shared_register(s, &a);
	if (!own && !engine) {
		first = minst_make(WL_UOP_ATOMS, s->line);
		first.w.op = WL_ATOM_ADD;
		first.w.size = 4;
		first.ra = base;
		first.w.off = 4;
		first.rb = select_in_reg(s, val_imm(0xffffffff), 32);
		select_emit(s, &first);
	}
	same = s->together && select_same(s, &i->ops[0]);
	if (!same) { /* the address is a uniform register: lanes with another address go round again */
		again = select_new_block(s);
		select_fall(s, again);
		uniform_compare(s, base, 0, p, false);
	} else {
		uniform_read(s, base, 0, REF_NONE);
	}
	if (!own && engine) {
		first = minst_make(WL_UOP_SYNCS_ARRIVE, s->line);
		first.w.op = 2; /* A0T1: a transaction more */
		first.w.type = 2;
		first.ra = base;
		first.keep = true;
		first.guard = same ? REF_NONE : p;
		first.w.guard = same ? first.w.guard : NOT_P;
		select_emit(s, &first);
	}
	in = minst_make(WL_UOP_ARRIVES, s->line);
	if (!same) {
		in.guard = p;
		in.w.guard = NOT_P;
	}
	in.w.ur = UNIFORM_AT(0);
	in.w.op = !engine ? 0 : own ? 1 : 2;
	in.keep = true;
	select_emit(s, &in);
	if (!same)
		select_branch(s, p, false, again);
	return true;
}

static bool operation(struct select *s)
{
	int64_t n;
	switch (s->i->op) {
	case PTX_OP_cp_async:
		return copy(s);
	case PTX_OP_cp_async_commit_group:
		end_group(s);
		return true;
	case PTX_OP_cp_async_wait_group:
		return select_literal(s, &s->i->ops[0], &n) && wait_group(s, n);
	case PTX_OP_cp_async_wait_all:
		end_group(s);
		return wait_group(s, 0);
	case PTX_OP_cp_async_mbarrier_arrive:
		return arrive_behind_copies(s);
	case PTX_OP_griddepcontrol:
		select_text(s, ptx_has(s->i, PTX_M_wait) ? "ACQBULK" : "PREEXIT");
		return true;
	default:
		return false;
	}
}

bool select_async(struct select *s)
{
	switch (s->i->op) {
	case PTX_OP_cp_async:
	case PTX_OP_cp_async_commit_group:
	case PTX_OP_cp_async_wait_group:
	case PTX_OP_cp_async_wait_all:
	case PTX_OP_cp_async_mbarrier_arrive:
	case PTX_OP_griddepcontrol:
		break;
	default:
		return false;
	}
	return select_guarded(s, operation);
}

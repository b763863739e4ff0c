// SPDX-License-Identifier: Apache-2.0
/* select_sync.c -- CTA barriers, fences, sleep; warp votes and shuffles. */
#include "select.h"

/* ---- barriers ---- */

static bool barrier(struct select *s, enum wl_bar op)
{
	const struct ptx_instr *i = s->i;
	struct minst in = minst_make(WL_UOP_BAR, s->line);
	struct val id, count;

	if (i->nops < 1 || i->nops > 2 || (op == WL_BAR_ARV && i->nops != 2))
		return false;
	id = select_src(s, 0, 32);
	in.w.op = (uint8_t)op;
	in.w.src[1] = WL_SRC_IMM; /* imm2 = 0: all threads of the CTA */
	if (i->ops[0].kind == PTX_O_INT) {
		if (i->ops[0].imm < 0 || i->ops[0].imm > 15) {
			select_error(s, "barrier %lld is out of range: found %lld, expected 0 to 15",
			             (long long)i->ops[0].imm, (long long)i->ops[0].imm);
			return true;
		}
		in.w.src[0] = WL_SRC_IMM;
		in.w.imm = (uint32_t)i->ops[0].imm;
		if (s->f->nbarriers <= in.w.imm)
			s->f->nbarriers = in.w.imm + 1;
	} else {
		in.w.src[0] = WL_SRC_REG;
		in.ra = select_in_reg(s, id, 32);
		s->f->nbarriers = 16;
	}
	if (i->nops == 2) {
		count = select_src(s, 1, 32);
		if (i->ops[1].kind == PTX_O_INT && i->ops[1].imm > 0 && i->ops[1].imm <= 4095) {
			in.w.imm2 = (uint32_t)i->ops[1].imm;
		} else {
			in.w.src[1] = WL_SRC_REG;
			in.rb = select_in_reg(s, count, 32);
		}
	}
	select_emit(s, &in);
	return true;
}

/* ---- fences ---- */

void select_fence(struct select *s, unsigned order, unsigned scope)
{
	struct minst in = minst_make(WL_UOP_MEMBAR, s->line);
	bool wide = scope != PTX_M_cta;

	in.w.op = order == PTX_M_sc || order == PTX_M_none ? WL_MEMBAR_SC : WL_MEMBAR_ALL;
	in.w.scope = !wide ? WL_SCOPE_CTA : scope == PTX_M_sys ? WL_SCOPE_SYS : WL_SCOPE_GPU;
	select_emit(s, &in);
	if (wide) {
		in = minst_make(WL_UOP_ERRBAR, s->line);
		select_emit(s, &in);
		in = minst_make(WL_UOP_CCTL_IVALL, s->line);
		select_emit(s, &in);
	}
}

static bool fence(struct select *s)
{
	const struct ptx_instr *i = s->i;

	if (i->scope == PTX_M_cluster || i->nops)
		return false;
	if (i->op == PTX_OP_membar)
		select_fence(s, PTX_M_sc, i->scope);
	else if (i->order == PTX_M_none || i->order == PTX_M_sc || i->order == PTX_M_acq_rel ||
	         i->order == PTX_M_acquire || i->order == PTX_M_release)
		select_fence(s, i->order == PTX_M_sc ? PTX_M_sc : PTX_M_acq_rel, i->scope);
	else
		return false;
	return true;
}

static bool sleep_ns(struct select *s)
{
	struct minst in = select_alu(s, WL_UOP_NANOSLEEP, REF_NONE, VAL_ZERO, select_src(s, 0, 32), VAL_ZERO);

	select_emit(s, &in);
	return true;
}

bool select_sync(struct select *s)
{
	switch (s->i->op) {
	case PTX_OP_bar:
	case PTX_OP_bar_cta:
	case PTX_OP_barrier:
	case PTX_OP_barrier_cta:
		return barrier(s, WL_BAR_SYNC);
	case PTX_OP_bar_arrive:
	case PTX_OP_bar_cta_arrive:
	case PTX_OP_barrier_arrive:
	case PTX_OP_barrier_cta_arrive:
		return barrier(s, WL_BAR_ARV);
	case PTX_OP_membar:
	case PTX_OP_fence:
		return fence(s);
	case PTX_OP_nanosleep:
		return sleep_ns(s);
	default:
		return false;
	}
}

// SPDX-License-Identifier: Apache-2.0
/* select_sync.c -- CTA barriers, fences, sleep; warp votes and shuffles. */
#include "order.h"
#include "select.h"

/* ---- barriers ---- */

static bool barrier(struct select *s, enum wl_bar op)
{
	const struct ptx_instr *i = s->i;
	struct minst in = minst_make(WL_UOP_BAR, s->line);
	int64_t id = 0, count = 0;
	bool known_id, known_count = true;

	if (i->nops < 1 || i->nops > 2 || (op == WL_BAR_ARV && i->nops != 2))
		return false;
	known_id = select_literal(s, &i->ops[0], &id);
	if (i->nops == 2)
		known_count = select_literal(s, &i->ops[1], &count);
	if (known_id && (id < 0 || id > 15)) {
		select_error(s, "barrier number out of range: found %lld, expected 0 to 15", (long long)id);
		return true;
	}
	if (i->nops == 2 && known_count && (count <= 0 || count > 4095)) {
		select_error(s, "thread count of a barrier out of range: found %lld, expected 1 to 4095",
		             (long long)count);
		return true;
	}
	if (!known_id && !known_count) {
		select_unsupported(s, "barrier number and thread count both in registers");
		return true;
	}
	in.w.op = (uint8_t)op;
	in.w.src[0] = known_id ? WL_SRC_IMM : WL_SRC_REG;
	if (known_id)
		in.w.imm = (uint32_t)id;
	else
		in.ra = select_in_reg(s, select_src(s, 0, 32), 32);
	in.w.src[1] = known_count ? WL_SRC_IMM : WL_SRC_REG; /* imm2 = 0: all threads of the CTA */
	if (known_count)
		in.w.imm2 = (uint32_t)count;
	else
		in.rb = select_in_reg(s, select_src(s, 1, 32), 32);
	if (!known_id)
		s->f->nbarriers = 16;
	else if (s->f->nbarriers <= (unsigned)id)
		s->f->nbarriers = (unsigned)id + 1;
	select_emit(s, &in);
	return true;
}

/* ---- fences ---- */

static bool fence(struct select *s)
{
	const struct ptx_instr *i = s->i;
	unsigned order = i->op == PTX_OP_membar ? PTX_M_sc : i->order == PTX_M_none ? PTX_M_acq_rel : i->order;
	struct mblock *behind;

	if (i->nops || !order_is_fence(order) || ptx_has(i, PTX_M_sync_restrict__shared__cta) ||
	    ptx_has(i, PTX_M_sync_restrict__shared__cluster) || ptx_has(i, PTX_M_mbarrier_init))
		return false;
	behind = select_guard_around(s);
	order_before(s, ORDERED_FENCE, order, i->scope);
	order_behind(s, ORDERED_FENCE, order, i->scope);
	if (behind)
		select_fall(s, behind);
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

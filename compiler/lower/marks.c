// SPDX-License-Identifier: Apache-2.0
/* marks.c -- instructions listed in .nv.info by offset. A debugger and the linker look for the offsets. */
#include "only_place.h"
#include "select.h"

#include "../object/code.h"

static bool meets_lanes(unsigned uop)
{
	switch (uop) {
	case WL_UOP_VOTE:
	case WL_UOP_SHFL:
	case WL_UOP_MATCH:
	case WL_UOP_REDUX:
		return true;
	default:
		return false;
	}
}

static bool is_atom16(const struct ptx_instr *i)
{
	if (i->op != PTX_OP_atom && i->op != PTX_OP_red)
		return false;
	switch (i->type[0]) {
	case PTX_T_b16:
	case PTX_T_f16:
	case PTX_T_bf16:
		return i->vec == 1;
	default:
		return false;
	}
}

/* ---- mbarriers ---- */

int select_mbarrier_op(const struct ptx_instr *i)
{
	const bool open = ptx_has(i, PTX_M_noComplete);
	switch (i->op) {
	case PTX_OP_mbarrier_init:
		return MARK_MB_INIT;
	case PTX_OP_mbarrier_inval:
		return MARK_MB_INVAL;
	case PTX_OP_mbarrier_arrive:
		return open ? MARK_MB_ARRIVE_NO_COMPLETE : MARK_MB_ARRIVE;
	case PTX_OP_mbarrier_arrive_drop:
		return open ? MARK_MB_DROP_NO_COMPLETE : MARK_MB_DROP;
	case PTX_OP_mbarrier_test_wait:
		return MARK_MB_TEST_WAIT;
	case PTX_OP_mbarrier_test_wait_parity:
		return MARK_MB_TEST_WAIT_PARITY;
	case PTX_OP_mbarrier_try_wait:
		return MARK_MB_TRY_WAIT;
	case PTX_OP_mbarrier_try_wait_parity:
		return MARK_MB_TRY_WAIT_PARITY;
	case PTX_OP_mbarrier_expect_tx:
		return MARK_MB_EXPECT_TX;
	case PTX_OP_mbarrier_complete_tx:
		return MARK_MB_COMPLETE_TX;
	case PTX_OP_cp_async_mbarrier_arrive:
		return MARK_MB_CP_ASYNC_ARRIVE;
	default:
		return -1; /* also an arrival with transactions: the assembler lists none */
	}
}

static bool touches_object(unsigned uop)
{
	switch (uop) {
	case WL_UOP_STS:
	case WL_UOP_LDS:
	case WL_UOP_ATOMS:
	case WL_UOP_ATOMS_ARRIVE:
	case WL_UOP_ARRIVES:
	case WL_UOP_SYNCS_EXCH:
	case WL_UOP_SYNCS_ARRIVE:
	case WL_UOP_SYNCS_PHASECHK:
	case WL_UOP_SYNCS_CCTL:
	case WL_UOP_NOP: /* in the place of an inval */
		return true;
	default:
		return false;
	}
}

static void find_object(struct select *s, struct code_mark *m)
{
	const struct ptx_operand *at = &s->i->ops[0];
	for (unsigned n = 0; n < s->i->nops; n++)
		if (s->i->ops[n].kind == PTX_O_ADDR) {
			at = &s->i->ops[n];
			break;
		}
	m->generic = !s->i->nspaces;
	if (at->kind == PTX_O_ADDR && at->base_kind == PTX_BASE_SYMBOL && at->sym->kind == PTX_SYM_VAR) {
		m->var = at->sym->var;
		m->offset = (uint32_t)at->off;
		if (!lower_var_offset(s->f, s->line, m->var, &m->place))
			m->var = NULL;
	}
}

/* ---- */

static struct code_mark *put(struct select *s, struct minst *in, enum mark_kind kind)
{
	struct code_mark *m = arena_zalloc(s->f->arena, sizeof *m);
	m->kind = kind;
	in->mark = m;
	return m;
}

/* The mask is the last operand. */
static void mask_of(struct select *s, struct code_mark *m)
{
	int64_t mask;
	m->in_register = !select_literal(s, &s->i->ops[s->i->nops - 1], &mask);
}

static void mark_mbarrier(struct select *s, struct minst *in, int op)
{
	struct code_mark *m;
	if (s->marked == s->i || !touches_object(in->w.uop))
		return;
	s->marked = s->i;
	m = put(s, in, MARK_MBARRIER);
	m->op = (uint8_t)op;
	find_object(s, m);
}

/* Of an internal function: in the place of the collective. */
static void mark_call(struct select *s, struct minst *in)
{
	if (lower_is_collective(s->i)) {
		mask_of(s, put(s, in, MARK_COOP));
	} else if (s->i->op == PTX_OP_barrier || s->i->op == PTX_OP_barrier_cta) {
		struct code_mark *m = put(s, in, MARK_BARRIER);
		m->loose = true;
		m->listed = true;
	}
}

void select_mark(struct select *s, struct minst *in)
{
	const unsigned uop = in->w.uop;
	int op;
	in->mark = NULL;
	if (!s->i || s->f->is_internal)
		return;
	if (minst_is_call(in)) {
		mark_call(s, in);
		return;
	}
	op = select_mbarrier_op(s->i);
	if (op >= 0) {
		mark_mbarrier(s, in, op);
		if (in->mark)
			return;
	}
	if (uop == WL_UOP_BAR || uop == WL_UOP_UCGABAR) {
		struct code_mark *m = put(s, in, MARK_BARRIER);
		m->loose = !select_is_aligned(s->i);
		m->listed = uop == WL_UOP_UCGABAR || (m->loose && in->w.op == WL_BAR_SYNC);
	} else if (lower_is_collective(s->i) && (meets_lanes(uop) || uop == WL_UOP_WARPSYNC || uop == WL_UOP_NOP)) {
		mask_of(s, put(s, in, MARK_COOP));
	} else if (meets_lanes(uop) && s->i->op != PTX_OP_activemask) {
		put(s, in, MARK_WARP_WIDE);
	} else if (is_atom16(s->i) &&
	           (uop == WL_UOP_LDG || uop == WL_UOP_LD || uop == WL_UOP_ATOM_CAS || uop == WL_UOP_ATOMG_CAS)) {
		put(s, in, MARK_ATOM16);
	}
}

// SPDX-License-Identifier: Apache-2.0
/* select_flow.c -- branches by index; instructions without a visible effect. */
#include "address.h"
#include "select.h"

/* brx.idx: a search for the index in the list of labels, by halves. */
static void search_label(struct select *s, ref index, const struct ptx_table *t, uint32_t low, uint32_t high)
{
	struct mblock *lower;
	uint32_t middle = low + (high - low) / 2;
	ref p;
	if (high - low == 1) {
		select_branch(s, REF_NONE, false, s->f->blocks[s->label[t->labels[low]]]);
		return;
	}
	lower = select_new_block(s);
	p = select_tmp_pred(s);
	select_cmp(s, p, WL_CMP_LT, false, 32, val_reg(index), val_imm(middle));
	select_branch(s, p, false, lower);
	search_label(s, index, t, middle, high);
	select_fall(s, lower);
	search_label(s, index, t, low, middle);
}

static bool branch_by_index(struct select *s)
{
	const struct ptx_instr *i = s->i;
	struct mblock *behind;
	if (i->nops != 2 || i->ops[1].kind != PTX_O_TABLE || !i->ops[1].table->count)
		return false;
	behind = select_guard_around(s);
	search_label(s, select_in_reg(s, select_src(s, 0, 32), 32), i->ops[1].table, 0, i->ops[1].table->count);
	if (behind)
		select_fall(s, behind);
	return true;
}

/* Effects of a CCTL on a line: values of the words' field. */
enum { PREFETCH_L1 = 0, PREFETCH_L2 = 1, KEEP_IN_L2 = 9, DEMOTE_IN_L2 = 10, DROP_FROM_L2 = 11 };

static bool cache_hint(struct select *s)
{
	const struct ptx_instr *i = s->i;
	struct minst in = minst_make(WL_UOP_CCTL, s->line);
	struct address a;
	if (i->space[0] == PTX_SP_local || ptx_has(i, PTX_M_tensormap)) /* nothing has to happen */
		return true;
	if (!select_address(s, &i->ops[0], PTX_SP_none, &a))
		return true;
	select_put_address(&in, &a);
	in.w.flags |= WL_F_E64;
	in.w.op = i->op == PTX_OP_discard            ? DROP_FROM_L2
	          : i->op == PTX_OP_applypriority    ? DEMOTE_IN_L2
	          : ptx_has(i, PTX_M_L2__evict_last) ? KEEP_IN_L2
	          : ptx_has(i, PTX_M_L1)             ? PREFETCH_L1
	                                             : PREFETCH_L2;
	select_emit(s, &in);
	return true;
}

/* Branches by index; also hints, and events for a debugger or profiler. */
bool select_flow(struct select *s)
{
	struct mblock *behind = NULL;
	int64_t n = 0;
	switch (s->i->op) {
	case PTX_OP_prefetch:
	case PTX_OP_prefetchu:
	case PTX_OP_applypriority:
	case PTX_OP_discard:
		return cache_hint(s);
	case PTX_OP_brkpt:
		behind = select_guard_around(s);
		select_text(s, "BPT.INT 0x1");
		break;
	case PTX_OP_pmevent:
		if (!select_literal(s, &s->i->ops[0], &n))
			return false;
		behind = select_guard_around(s);
		select_text(s, "PMTRIG 0x%x", 1u << (n & 15));
		break;
	case PTX_OP_brx_idx:
		return branch_by_index(s);
	default:
		return false;
	}
	if (behind)
		select_fall(s, behind);
	return true;
}

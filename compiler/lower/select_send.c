// SPDX-License-Identifier: Apache-2.0
/* select_send.c -- asynchronous stores and reductions of single values: st.async, red.async, multimem.st.async,
 * multimem.red.async. */
#include "address.h"
#include "order.h"
#include "select.h"
#include "vector.h"

/* The 32-bit address of an operand in shared memory. */
static ref shared_at(struct select *s, unsigned n)
{
	struct address a;
	return select_address(s, &s->i->ops[n], PTX_SP_shared, &a) ? select_shared_register(s, &a) : select_tmp(s, 1);
}

static ref value_of(struct select *s, unsigned *bytes)
{
	const struct ptx_instr *i = s->i;
	unsigned each = ptx_types[i->type[0]].bytes;
	*bytes = each * (i->vec > 1 ? i->vec : 1);
	if (i->vec > 1)
		return vector_pack(s, i->ops[1].list, i->vec, each);
	if (each == 16)
		return select_in_reg(s, select_src(s, 1, 128), 32); /* four words are always registers */
	return select_in_reg(s, select_src(s, 1, each < 4 ? 32 : 8 * each), each == 8 ? 64 : 32);
}

static unsigned reduction(unsigned mod)
{
	switch (mod) {
	case PTX_M_min:
		return WL_ATOM_MIN;
	case PTX_M_max:
		return WL_ATOM_MAX;
	case PTX_M_inc:
		return WL_ATOM_INC;
	case PTX_M_dec:
		return WL_ATOM_DEC;
	case PTX_M_and:
		return WL_ATOM_AND;
	case PTX_M_or:
		return WL_ATOM_OR;
	case PTX_M_xor:
		return WL_ATOM_XOR;
	default:
		return WL_ATOM_ADD;
	}
}

/* Into the shared memory of a CTA of the cluster; an mbarrier there hears of it. */
static void send(struct select *s, bool reduces)
{
	struct minst in = minst_make(reduces ? WL_UOP_REDAS : WL_UOP_STAS, s->line);
	unsigned bytes;
	in.rb = value_of(s, &bytes);
	in.ra = select_tmp(s, 2);
	select_mov(s, in.ra, val_reg(shared_at(s, 0)));
	select_mov(s, in.ra + 1, val_reg(shared_at(s, 2)));
	in.w.flags |= WL_F_E64;
	in.w.size = (uint8_t)bytes;
	if (reduces) {
		in.w.op = (uint8_t)reduction(s->i->operation);
		in.w.flags |= type_signed(s->i->type[0]) && bytes == 4 ? WL_F_SIGNED : 0;
	}
	in.keep = true;
	select_emit(s, &in);
}

/* Without an mbarrier, to global memory: nobody can wait for it, so that a release and a strong access say the same.
 * With .weak the store is a plain one. */
static bool send_to_global(struct select *s, bool reduces)
{
	const bool weak = ptx_has(s->i, PTX_M_weak);
	struct minst in = minst_make(reduces ? WL_UOP_RED : WL_UOP_STG, s->line);
	struct address a;
	unsigned bytes;
	if (!select_address(s, &s->i->ops[0], PTX_SP_global, &a))
		return true;
	if (!weak)
		order_before(s, ORDERED_ACCESS, PTX_M_release, s->i->scope);
	in.rb = value_of(s, &bytes);
	select_put_address(&in, &a);
	in.w.flags |= WL_F_E64;
	in.w.size = (uint8_t)bytes;
	if (reduces) {
		in.w.op = (uint8_t)reduction(s->i->operation);
		in.w.flags |= type_signed(s->i->type[0]) && bytes == 4 ? WL_F_SIGNED : 0;
	}
	if (!weak)
		order_atomic(s, &in);
	in.keep = true;
	select_emit(s, &in);
	return true;
}

bool select_send(struct select *s)
{
	const struct ptx_instr *i = s->i;
	const bool reduces = i->op == PTX_OP_red_async || i->op == PTX_OP_multimem_red_async;
	struct mblock *behind = select_guard_around(s);
	bool good = true;
	if (ptx_has(i, PTX_M_mbarrier__complete_tx__bytes))
		send(s, reduces);
	else
		good = send_to_global(s, reduces);
	if (behind)
		select_fall(s, behind);
	return good;
}

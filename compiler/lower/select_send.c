// SPDX-License-Identifier: Apache-2.0
/* select_send.c -- asynchronous stores and reductions of single values: st.async, red.async, multimem.st.async,
 * multimem.red.async. */
#include "atomic.h"
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

/* Makes of the instruction a reduction of `bytes` bytes. False: the operation is not known. */
static bool reduce(struct select *s, struct minst *in, unsigned bytes)
{
	const int op = atomic_operation(s->i->operation);
	in->w.op = (uint8_t)op;
	in->w.flags |= type_signed(s->i->type[0]) && bytes == 4 ? WL_F_SIGNED : 0;
	return op >= 0;
}

/* Into the shared memory of a CTA of the cluster; an mbarrier of this CTA counts the bytes. */
static bool send(struct select *s, bool reduces)
{
	struct minst in = minst_make(reduces ? WL_UOP_REDAS : WL_UOP_STAS, s->line);
	unsigned bytes;
	in.rb = value_of(s, &bytes);
	in.ra = select_tmp(s, 2);
	select_mov(s, in.ra, val_reg(shared_at(s, 0)));
	select_mov(s, in.ra + 1, val_reg(shared_at(s, 2)));
	in.w.flags |= WL_F_E64;
	in.w.size = (uint8_t)bytes;
	if (reduces && !reduce(s, &in, bytes))
		return false;
	in.keep = true;
	select_emit(s, &in);
	return true;
}

/* Without an mbarrier, to global memory: no thread can wait for the access, so a release and a strong access say the
 * same. With .weak the store is plain. */
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
	if (reduces && !reduce(s, &in, bytes))
		return false;
	if (!weak)
		order_atomic(s, &in);
	in.keep = true;
	select_emit(s, &in);
	return true;
}

static bool operation(struct select *s)
{
	const bool reduces = s->i->op == PTX_OP_red_async || s->i->op == PTX_OP_multimem_red_async;
	return ptx_has(s->i, PTX_M_mbarrier__complete_tx__bytes) ? send(s, reduces) : send_to_global(s, reduces);
}

bool select_send(struct select *s)
{
	return select_guarded(s, operation);
}

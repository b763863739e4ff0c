// SPDX-License-Identifier: Apache-2.0
/* select_bulk.c -- copies and reductions of many bytes at a time (cp.async.bulk, cp.reduce.async.bulk), with their
 * groups; fills (st.bulk); asynchronous stores and reductions of single values (st.async, red.async); fences of tensor maps.
 *
 * Their operands are uniform registers: where lanes may have different ones, or each lane's copy counts at an mbarrier,
 * a loop goes over the lanes. */
#include "address.h"
#include "order.h"
#include "select.h"
#include "uniform_operands.h"
#include "vector.h"

#include <stdio.h>

enum { INTO, AT, FROM = INTO + 2, SIZE = INTO + 4, POLICY = INTO + 6 }; /* places of the operands */

/* The 32-bit address of an operand in shared memory. */
static ref shared_at(struct select *s, unsigned n)
{
	struct address a;
	return select_address(s, &s->i->ops[n], PTX_SP_shared, &a) ? select_shared_register(s, &a) : select_tmp(s, 1);
}

static ref global_at(struct select *s, unsigned n)
{
	struct address a;
	ref d = select_tmp(s, 2);
	if (select_address(s, &s->i->ops[n], PTX_SP_global, &a))
		select_add64(s, d, val_reg(a.base), val_imm((uint64_t)a.off), false);
	return d;
}

static void put_pair(struct uniform_operands *u, unsigned at, ref pair)
{
	u->r[at] = pair;
	u->r[at + 1] = pair + 1;
}

/* The size in units of 16 bytes; above it a mask of CTAs or bytes. */
static ref size_word(struct select *s, unsigned n, const struct ptx_operand *mask)
{
	struct val size = select_src(s, n, 32);
	ref d = select_tmp(s, 1), t;
	struct minst in;
	if (size.kind == WL_SRC_IMM && !mask)
		return select_in_reg(s, val_imm((uint32_t)size.imm >> 4), 32);
	select_shift(s, d, false, false, size, val_imm(4));
	if (!mask) {
		select_lop3(s, d, val_reg(d), val_imm(0xffff), VAL_ZERO, LUT_A & LUT_B);
		return d;
	}
	t = select_tmp(s, 1);
	in = select_alu(s, WL_UOP_PRMT, t, val_reg(d), val_imm(0x5410),
	                val_reg(select_in_reg(s, select_operand(s, mask, 16), 32)));
	select_emit(s, &in);
	return t;
}

/* The operands behind the first four or three: a mask of 16 bits, a policy of 64, as far as they are there. */
static void read_rest(struct select *s, unsigned from, bool mask_first, bool masked, bool hint,
                      const struct ptx_operand **mask, struct uniform_operands *u)
{
	unsigned at = from + (hint && !mask_first);
	struct val policy;
	*mask = masked ? &s->i->ops[at] : NULL;
	if (!hint)
		return;
	policy = select_src(s, from + (masked && mask_first), 64);
	put_pair(u, POLICY, select_in_reg(s, policy, 64));
}

static bool all_same(const struct select *s)
{
	for (unsigned k = 0; k < s->i->nops; k++)
		if (!select_same(s, &s->i->ops[k]))
			return false;
	return s->together;
}

static const char *policy_text(bool hint, char *text, size_t n)
{
	snprintf(text, n, ", desc[UR%u]", UNIFORM_AT(POLICY));
	return hint ? text : "";
}

/* sm_120 has no copies into the shared memory of other CTAs: a function of the driver makes them. The arguments are R4
 * the destination, R6:R7 the source, R8 the size, R9 the mask of CTAs, R10 the mbarrier, R12:R13 the policy. Returns
 * the block behind, NULL on other architectures. */
static struct mblock *copy_by_driver(struct select *s, const struct uniform_operands *u, bool multicast)
{
	struct mblock *own = select_new_block(s), *behind;
	ref p = select_tmp_pred(s), rank = select_tmp(s, 1);
	struct call_argument args[10];
	struct val size;
	if (s->f->arch != WL_SM120)
		return NULL;
	behind = select_new_block(s);
	if (multicast) { /* of a cluster of one CTA the mask is 1 */
		select_lop3(s, rank, val_reg(select_in_reg(s, select_src(s, 4, 32), 32)), val_imm(0xffff), VAL_ZERO,
		            LUT_A & LUT_B);
		select_cmp(s, p, WL_CMP_EQ, false, 32, val_reg(rank), val_imm(1));
	} else {
		ref to = select_tmp(s, 1);
		select_shift(s, to, false, false, val_reg(u->r[INTO]), val_imm(24));
		select_cmp(s, p, WL_CMP_EQ, false, 32, val_reg(to), select_cluster_rank(s));
	}
	select_branch(s, p, false, own);
	size = select_src(s, 2, 32);
	args[0] = (struct call_argument){4, val_reg(u->r[INTO])};
	args[1] = (struct call_argument){5, VAL_ZERO};
	args[2] = (struct call_argument){6, val_reg(u->r[FROM])};
	args[3] = (struct call_argument){7, val_reg(u->r[FROM + 1])};
	args[4] = (struct call_argument){8, size};
	args[5] = (struct call_argument){10, val_reg(u->r[INTO + 1])};
	args[6] = (struct call_argument){11, VAL_ZERO};
	args[7] = (struct call_argument){12, u->r[POLICY] == REF_NONE ? VAL_ZERO : val_reg(u->r[POLICY])};
	args[8] = (struct call_argument){13, u->r[POLICY] == REF_NONE ? VAL_ZERO : val_reg(u->r[POLICY + 1])};
	args[9] = (struct call_argument){9, multicast ? select_src(s, 4, 16) : VAL_ZERO};
	select_call_driver(s, multicast ? DRIVER_BULK_MULTICAST : DRIVER_BULK_UNICAST, args, 10);
	select_branch(s, REF_NONE, false, behind);
	select_fall(s, own);
	return behind;
}

/* ---- cp.async.bulk ---- */

/* To shared memory from global memory or from this CTA's; an mbarrier hears of it. */
static void copy_in(struct select *s)
{
	const struct ptx_instr *i = s->i;
	bool within = i->space[1] == PTX_SP_shared_cta || i->space[1] == PTX_SP_shared;
	bool multicast = ptx_has(i, PTX_M_multicast__cluster), hint = ptx_has(i, PTX_M_L2__cache_hint);
	struct uniform_operands u = UNIFORM_NONE;
	const struct ptx_operand *mask;
	struct mblock *behind = NULL;
	char text[32];
	u.r[INTO] = shared_at(s, 0);
	u.r[INTO + 1] = shared_at(s, 3);
	if (within)
		u.r[FROM] = shared_at(s, 1);
	else
		put_pair(&u, FROM, global_at(s, 1));
	read_rest(s, 4, true, multicast, hint, &mask, &u);
	if (!within)
		behind = copy_by_driver(s, &u, multicast);
	if (behind) /* here the CTA is the only one */
		multicast = false;
	u.r[SIZE] = size_word(s, 2, multicast ? mask : NULL);
	uniform_each_lane(s, &u, "UBLKCP.S.%s%s [UR%u], [UR%u], UR%u%s", within ? "S" : "G",
	                  multicast ? ".MULTICAST" : "", UNIFORM_AT(INTO), UNIFORM_AT(FROM), UNIFORM_AT(SIZE),
	                  policy_text(hint, text, sizeof text));
	if (behind)
		select_fall(s, behind);
}

/* From shared to global memory; a group holds it. */
static void copy_out(struct select *s)
{
	bool masked = ptx_has(s->i, PTX_M_cp_mask), hint = ptx_has(s->i, PTX_M_L2__cache_hint);
	struct uniform_operands u = UNIFORM_NONE;
	const struct ptx_operand *mask;
	char text[32], word[128];
	put_pair(&u, INTO, global_at(s, 0));
	u.r[FROM] = shared_at(s, 1);
	read_rest(s, 3, false, masked, hint, &mask, &u);
	u.r[SIZE] = size_word(s, 2, mask);
	snprintf(word, sizeof word, "UBLKCP.G.S%s [UR%u], [UR%u], UR%u%s", masked ? ".DST_G_BYTE_MASK" : "",
	         UNIFORM_AT(INTO), UNIFORM_AT(FROM), UNIFORM_AT(SIZE), policy_text(hint, text, sizeof text));
	if (all_same(s))
		uniform_once(s, &u, "%s", word);
	else
		uniform_each_value(s, &u, "%s", word);
}

static void prefetch(struct select *s)
{
	bool hint = ptx_has(s->i, PTX_M_L2__cache_hint);
	struct uniform_operands u = UNIFORM_NONE;
	char text[32], word[128];
	put_pair(&u, FROM, global_at(s, 0));
	u.r[SIZE] = size_word(s, 1, NULL);
	if (hint)
		put_pair(&u, POLICY, select_in_reg(s, select_src(s, 2, 64), 64));
	snprintf(word, sizeof word, "UBLKPF.L2 [UR%u], UR%u%s", UNIFORM_AT(FROM), UNIFORM_AT(SIZE),
	         policy_text(hint, text, sizeof text));
	if (all_same(s))
		uniform_once(s, &u, "%s", word);
	else
		uniform_each_value(s, &u, "%s", word);
}

/* ---- st.bulk ---- */

/* The size in units of 8 bytes, as ptxas counts: bits 34:3 of the 64-bit operand. */
static ref words_of_fill(struct select *s)
{
	struct val size = select_src(s, 1, 64);
	ref d, high;
	if (size.kind == WL_SRC_IMM)
		return select_in_reg(s, val_imm((uint32_t)((uint64_t)size.imm >> 3)), 32);
	size = val_reg(select_in_reg(s, size, 64));
	d = select_tmp(s, 1);
	high = select_tmp(s, 1);
	select_shift(s, d, false, false, size, val_imm(3));
	select_shift(s, high, true, false, val_reg(size.r + 1), val_imm(29));
	select_lop3(s, d, val_reg(d), val_reg(high), VAL_ZERO, LUT_A | LUT_B);
	return d;
}

static void fill(struct select *s)
{
	struct uniform_operands u = UNIFORM_NONE;
	char word[64];
	u.r[INTO] = shared_at(s, 0);
	u.r[SIZE] = words_of_fill(s);
	snprintf(word, sizeof word, "UMEMSETS.64 [UR%u], URZ, UR%u", UNIFORM_AT(INTO), UNIFORM_AT(SIZE));
	if (all_same(s))
		uniform_once(s, &u, "%s", word);
	else
		uniform_each_value(s, &u, "%s", word);
}

/* ---- cp.reduce.async.bulk ---- */

static const char *operation_name(unsigned mod)
{
	switch (mod) {
	case PTX_M_add:
		return "ADD";
	case PTX_M_min:
		return "MIN";
	case PTX_M_max:
		return "MAX";
	case PTX_M_inc:
		return "INC";
	case PTX_M_dec:
		return "DEC";
	case PTX_M_and:
		return "AND";
	case PTX_M_or:
		return "OR";
	default:
		return "XOR";
	}
}

static const char *type_suffix(unsigned type)
{
	switch (type) {
	case PTX_T_s32:
		return ".S32";
	case PTX_T_s64:
		return ".S64";
	case PTX_T_f16:
		return ".F16.RN";
	case PTX_T_bf16:
		return ".BF16.RN";
	case PTX_T_f32:
		return ".F32.RN";
	case PTX_T_f64:
		return ".F64.RN";
	default:
		return type_bits(type) == 64 ? ".U64" : "";
	}
}

/* Each lane's copy counts: a reduction has to come in as often as lanes ask for it. */
static void reduce(struct select *s)
{
	const struct ptx_instr *i = s->i;
	bool out = i->space[0] == PTX_SP_global, hint = ptx_has(i, PTX_M_L2__cache_hint);
	struct uniform_operands u = UNIFORM_NONE;
	char text[32];
	if (out) {
		put_pair(&u, INTO, global_at(s, 0));
	} else {
		u.r[INTO] = shared_at(s, 0);
		u.r[INTO + 1] = shared_at(s, 3);
	}
	u.r[FROM] = shared_at(s, 1);
	if (hint)
		put_pair(&u, POLICY, select_in_reg(s, select_src(s, 3, 64), 64));
	u.r[SIZE] = size_word(s, 2, NULL);
	uniform_each_lane(s, &u, "UBLKRED.%s.S.%s%s [UR%u], [UR%u], UR%u%s", out ? "G" : "S",
	                  operation_name(i->operation), type_suffix(i->type[0]), UNIFORM_AT(INTO), UNIFORM_AT(FROM),
	                  UNIFORM_AT(SIZE), policy_text(hint, text, sizeof text));
}

/* ---- groups ---- */

static void end_group(struct select *s)
{
	s->f->bulk_copies = true;
	select_text(s, "UTMACMDFLUSH");
}

static void wait_group(struct select *s)
{
	int64_t n = 0;
	struct minst in;
	select_literal(s, &s->i->ops[0], &n);
	select_text(s, "DEPBAR.LE SB%u, 0x%x", BULK_GROUP_BOARD, (unsigned)(n < 0 || n > 63 ? 63 : n));
	if (ptx_has(s->i, PTX_M_read))
		return;
	in = minst_make(WL_UOP_CCTL_IVALL, s->line);
	select_emit(s, &in);
}

/* ---- st.async, red.async ---- */

static ref value_of(struct select *s, unsigned *bytes)
{
	const struct ptx_instr *i = s->i;
	unsigned each = ptx_types[i->type[0]].bytes;
	*bytes = each * (i->vec > 1 ? i->vec : 1);
	if (i->vec > 1)
		return vector_pack(s, i->ops[1].list, i->vec, each);
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

/* Without an mbarrier, to global memory: nobody can wait for it, so that a release and a strong access say the same. */
static bool send_to_global(struct select *s, bool reduces)
{
	struct minst in = minst_make(reduces ? WL_UOP_RED : WL_UOP_STG, s->line);
	struct address a;
	unsigned bytes;
	if (!select_address(s, &s->i->ops[0], PTX_SP_global, &a))
		return true;
	order_before(s, ORDERED_ACCESS, PTX_M_release, s->i->scope);
	in.rb = value_of(s, &bytes);
	select_put_address(&in, &a);
	in.w.flags |= WL_F_E64;
	in.w.size = (uint8_t)bytes;
	if (reduces) {
		in.w.op = (uint8_t)reduction(s->i->operation);
		in.w.flags |= type_signed(s->i->type[0]) && bytes == 4 ? WL_F_SIGNED : 0;
	}
	order_atomic(s, &in);
	select_emit(s, &in);
	return true;
}

/* ---- fences of tensor maps ---- */

static bool tensor_map_fence(struct select *s)
{
	struct uniform_operands u = UNIFORM_NONE;
	if (s->i->order == PTX_M_release) {
		order_before(s, ORDERED_ACCESS, PTX_M_release, s->i->scope);
		return true;
	}
	put_pair(&u, FROM, global_at(s, 0));
	uniform_each_value(s, &u,
	                   s->f->arch >= WL_SM100
	                           ? "DEPBAR {5,4,3,2,1,0}|CCTL.E.C.LDCU.IV.DEEP [UR%u]|UTMACCTL.IV [UR%u]"
	                           : "DEPBAR {5,4,3,2,1,0}|UTMACCTL.IV [UR%u]",
	                   UNIFORM_AT(FROM), UNIFORM_AT(FROM));
	return true;
}

static bool operation(struct select *s)
{
	const struct ptx_instr *i = s->i;
	bool reduces = i->op == PTX_OP_red_async;
	switch (i->op) {
	case PTX_OP_cp_async_bulk:
		i->space[0] == PTX_SP_global ? copy_out(s) : copy_in(s);
		return true;
	case PTX_OP_cp_async_bulk_prefetch:
		prefetch(s);
		return true;
	case PTX_OP_st_bulk:
		fill(s);
		return true;
	case PTX_OP_cp_reduce_async_bulk:
		reduce(s);
		return true;
	case PTX_OP_cp_async_bulk_commit_group:
		end_group(s);
		return true;
	case PTX_OP_cp_async_bulk_wait_group:
		wait_group(s);
		return true;
	case PTX_OP_st_async:
	case PTX_OP_red_async:
		if (!ptx_has(i, PTX_M_mbarrier__complete_tx__bytes))
			return send_to_global(s, reduces);
		send(s, reduces);
		return true;
	default:
		return tensor_map_fence(s);
	}
}

bool select_bulk(struct select *s)
{
	struct mblock *behind;
	bool good;
	switch (s->i->op) {
	case PTX_OP_cp_async_bulk:
	case PTX_OP_cp_async_bulk_prefetch:
	case PTX_OP_cp_reduce_async_bulk:
	case PTX_OP_cp_async_bulk_commit_group:
	case PTX_OP_cp_async_bulk_wait_group:
	case PTX_OP_st_async:
	case PTX_OP_st_bulk:
	case PTX_OP_red_async:
		break;
	default:
		if (s->i->op != PTX_OP_fence_proxy || !ptx_has(s->i, PTX_M_tensormap__generic))
			return false;
	}
	behind = select_guard_around(s);
	good = operation(s);
	if (behind)
		select_fall(s, behind);
	return good;
}

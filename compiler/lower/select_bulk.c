// SPDX-License-Identifier: Apache-2.0
/* select_bulk.c -- copies and reductions of many bytes at a time (cp.async.bulk, cp.reduce.async.bulk), with groups;
 * fills (st.bulk); tcgen05.commit.
 *
 * Operands are uniform registers. A loop goes over the lanes where lanes may have different operands, or where each
 * lane's copy counts at an mbarrier. */
#include "address.h"
#include "bulk_words.h"
#include "select.h"
#include "uniform_operands.h"

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

/* Operands behind the first four or three: a mask of 16 bits, a policy of 64, each only if present. */
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

/* sm_120 has no copies into the shared memory of other CTAs: a function of the driver makes the copy. The arguments are
 * R4 the destination, R6:R7 the source, R8 the size, R9 the mask of CTAs, R10 the mbarrier, R12:R13 the policy. Returns
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

/* To shared memory from global memory or from this CTA's; the copy counts at an mbarrier. */
static void copy_in(struct select *s)
{
	const struct ptx_instr *i = s->i;
	bool within = i->space[1] == PTX_SP_shared_cta || i->space[1] == PTX_SP_shared;
	bool hint = ptx_has(i, PTX_M_L2__cache_hint);
	enum multicast multicast = bulk_multicast(i);
	/* ignore_oob: unwanted bytes at both ends, by two operands; ptxas drops both operands, too */
	const unsigned mbar = ptx_has(i, PTX_M_ignore_oob) ? 5 : 3;
	struct uniform_operands u = UNIFORM_NONE;
	const struct ptx_operand *mask;
	struct mblock *behind = NULL;
	char text[32];
	u.r[INTO] = shared_at(s, 0);
	u.r[INTO + 1] = shared_at(s, mbar);
	if (within)
		u.r[FROM] = shared_at(s, 1);
	else
		put_pair(&u, FROM, global_at(s, 1));
	read_rest(s, mbar + 1, true, multicast != TO_ONE, hint, &mask, &u);
	if (!within && i->space[0] != PTX_SP_shared_cta)
		behind = copy_by_driver(s, &u, multicast != TO_ONE);
	if (behind) /* here the CTA is alone */
		multicast = TO_ONE;
	u.r[SIZE] = size_word(s, 2, multicast == TO_MASK16 ? mask : NULL);
	if (multicast == TO_MASK32)
		u.r[SIZE + 1] = select_in_reg(s, select_operand(s, mask, 32), 32);
	uniform_each_lane(s, &u, "UBLKCP.S.%s%s%s%s [UR%u], [UR%u], UR%u%s", within ? "S" : "G",
	                  bulk_multicast_name(multicast), bulk_validity(i), bulk_strength(i), UNIFORM_AT(INTO),
	                  UNIFORM_AT(FROM), UNIFORM_AT(SIZE), policy_text(hint, text, sizeof text));
	if (behind)
		select_fall(s, behind);
}

/* From shared to global memory; the copy belongs to a group. */
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
	snprintf(word, sizeof word, "UBLKCP.G.S%s%s [UR%u], [UR%u], UR%u%s", masked ? ".DST_G_BYTE_MASK" : "",
	         bulk_strength(s->i), UNIFORM_AT(INTO), UNIFORM_AT(FROM), UNIFORM_AT(SIZE),
	         policy_text(hint, text, sizeof text));
	if (all_same(s))
		uniform_once(s, &u, "%s", word);
	else
		uniform_each_value(s, &u, "%s", word);
}

/* Of lines of the L2: fetch; fetch to stay; stay no longer. */
static void prefetch(struct select *s)
{
	const bool stays = ptx_has(s->i, PTX_M_L2__evict_last);
	const char *name = s->i->op == PTX_OP_applypriority_async_bulk ? "UBLKL2CCTL.DM"
	                   : stays                                     ? "UBLKL2CCTL.PM"
	                   : s->f->arch == WL_SM107                    ? "UBLKL2CCTL.PF"
	                                                               : "UBLKPF.L2";
	bool hint = ptx_has(s->i, PTX_M_L2__cache_hint);
	struct uniform_operands u = UNIFORM_NONE;
	char text[32], word[128];
	put_pair(&u, FROM, global_at(s, 0));
	u.r[SIZE] = size_word(s, 1, NULL);
	if (hint)
		put_pair(&u, POLICY, select_in_reg(s, select_src(s, 2, 64), 64));
	snprintf(word, sizeof word, "%s [UR%u], UR%u%s", name, UNIFORM_AT(FROM), UNIFORM_AT(SIZE),
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

/* Each lane's copy counts: one reduction for each lane. */
static void reduce(struct select *s)
{
	const struct ptx_instr *i = s->i;
	bool out = i->space[0] == PTX_SP_global, hint = ptx_has(i, PTX_M_L2__cache_hint);
	struct uniform_operands u = UNIFORM_NONE;
	const char *strong = bulk_strength(i);
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
	if (i->op == PTX_OP_multimem_cp_reduce_async_bulk && i->order == PTX_M_none)
		strong = ".STRONG.SYS";
	uniform_each_lane(s, &u, "UBLKRED.%s.S.%s%s%s [UR%u], [UR%u], UR%u%s", out ? "G" : "S",
	                  operation_name(i->operation), type_suffix(i->type[0]), strong, UNIFORM_AT(INTO),
	                  UNIFORM_AT(FROM), UNIFORM_AT(SIZE), policy_text(hint, text, sizeof text));
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
	if (ptx_has(s->i, PTX_M_read) || ptx_has(s->i, PTX_M_sync_restrict__proxy__async))
		return;
	in = minst_make(WL_UOP_CCTL_IVALL, s->line);
	select_emit(s, &in);
}

/* ---- tcgen05.commit: mbarriers count finished work of the tensor core; no model here runs the word ---- */

static void commit(struct select *s)
{
	const struct ptx_instr *i = s->i;
	const enum multicast multicast = bulk_multicast(i);
	struct uniform_operands u = UNIFORM_NONE;
	char mask[16] = "";
	u.r[INTO] = shared_at(s, 0);
	if (multicast != TO_ONE) {
		u.r[FROM] = select_in_reg(s, select_operand(s, &i->ops[1], multicast == TO_MASK16 ? 16 : 32), 32);
		snprintf(mask, sizeof mask, ", UR%u", UNIFORM_AT(FROM));
	}
	uniform_each_lane(s, &u, "UTCBAR%s%s%s [UR%u], URZ%s", ptx_has(i, PTX_M_cta_group__2) ? ".2CTA" : "",
	                  multicast != TO_ONE ? ".MULTICAST" : "",
	                  ptx_has(i, PTX_M_sync_restrict__shared__read__mma__a) ? ".MMA_READ_SHM_A" : "",
	                  UNIFORM_AT(INTO), mask);
}

/* ---- the fabric: groups; reads and writes of other chips are not compiled ---- */

static void submit(struct select *s)
{
	if (ptx_has(s->i, PTX_M_op_restrict__fetching)) /* fetches need no group */
		return;
	end_group(s);
	if (s->i->op == PTX_OP_fabric_submit)
		select_text(s, "DEPBAR.LE SB%u, 0x0", BULK_GROUP_BOARD);
}

static void wait_fabric(struct select *s)
{
	int64_t n = 0;
	if (!ptx_has(s->i, PTX_M_sync_restrict__read) || !select_literal(s, &s->i->ops[0], &n))
		return; /* .reads: fabric.submit has waited */
	select_text(s, "DEPBAR.LE SB%u, 0x%x", BULK_GROUP_BOARD, (unsigned)(n < 0 || n > 63 ? 63 : n));
}

static bool operation(struct select *s)
{
	const struct ptx_instr *i = s->i;
	switch (i->op) {
	case PTX_OP_cp_async_bulk:
	case PTX_OP_multimem_cp_async_bulk:
		i->space[0] == PTX_SP_global ? copy_out(s) : copy_in(s);
		return true;
	case PTX_OP_cp_async_bulk_prefetch:
	case PTX_OP_applypriority_async_bulk:
		prefetch(s);
		return true;
	case PTX_OP_st_bulk:
		fill(s);
		return true;
	case PTX_OP_cp_reduce_async_bulk:
	case PTX_OP_multimem_cp_reduce_async_bulk:
		reduce(s);
		return true;
	case PTX_OP_tcgen05_commit:
		commit(s);
		return true;
	case PTX_OP_fabric_submit:
	case PTX_OP_fabric_submit_commit_group:
		submit(s);
		return true;
	case PTX_OP_fabric_wait:
		wait_fabric(s);
		return true;
	case PTX_OP_cp_async_bulk_commit_group:
		end_group(s);
		return true;
	case PTX_OP_cp_async_bulk_wait_group:
		wait_group(s);
		return true;
	default:
		return false;
	}
}

bool select_bulk(struct select *s)
{
	return select_guarded(s, operation);
}

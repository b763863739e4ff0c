// SPDX-License-Identifier: Apache-2.0
/* select_policy.c -- policies of the L2 cache: 64 bits made by createpolicy. An access with a cache hint names a policy
 * by the uniform register of its descriptor. Only the cache reads policies. The low word is 0; the high word:
 *
 *            31:28  27  26:25    24         23:20             18:12               11:5
 *   part     1      0   primary  secondary  sixteenths - 1    0                   0
 *   range    1      1   primary  secondary  log2(block) - 12  first block's low   how many blocks (127: or more)
 *
 * primary: 0 unchanged, 1 first, 2 last, 3 normal; secondary: 1 first, else unchanged. All bits are as in the code of
 * NVIDIA's assembler (docs/lowering.md). */
#include "address.h"
#include "select.h"
#include "uniform_operands.h"

enum { POLICY = 6 }; /* place of the uniform pair of a policy */

static uint32_t priorities(const struct ptx_instr *i)
{
	static const struct {
		enum ptx_mod mod;
		uint32_t primary;
	} rows[] = {{PTX_M_L2__evict_unchanged, 0},
	            {PTX_M_L2__evict_first, 1},
	            {PTX_M_L2__evict_last, 2},
	            {PTX_M_L2__evict_normal, 3}};
	bool second = false;
	uint32_t bits = 1u << 28;
	for (unsigned n = 0; n < i->nmods; n++)
		for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
			if (i->mods[n] != PTX_Q_MOD(rows[k].mod))
				continue;
			if (!second)
				bits |= rows[k].primary << 25;
			else if (rows[k].mod == PTX_M_L2__evict_first)
				bits |= 1u << 24;
			second = true;
		}
	return bits;
}

/* Number of sixteenths: 15.99 times the part, rounded down, plus 1. */
static void policy_of_part(struct select *s, ref d)
{
	const struct ptx_instr *i = s->i;
	uint32_t bits = priorities(i);
	float part = 1.0f;
	struct val args[2];
	if (i->nops > 1 && i->ops[1].kind != PTX_O_FLOAT) {
		args[0] = select_src(s, 1, 32);
		args[1] = val_imm(bits);
		select_library(s, "policy_of_part", d, args, 2);
		return;
	}
	if (i->nops > 1)
		part = (float)i->ops[1].f64;
	select_mov64(s, d, val_imm((uint64_t)(bits | ((unsigned)(part * 15.99f) & 15) << 20) << 32));
}

static void policy_of_range(struct select *s, ref d)
{
	struct val args[4];
	struct address a;
	if (!select_address(s, &s->i->ops[1], PTX_SP_global, &a))
		return;
	args[0] = val_reg(select_tmp(s, 2));
	select_add64(s, args[0].r, val_reg(a.base), val_imm((uint64_t)a.off), false);
	args[1] = select_src(s, 2, 32);
	args[2] = select_src(s, 3, 32);
	args[3] = val_imm(priorities(s->i) | 1u << 27);
	select_library(s, "policy_of_range", d, args, 4);
}

bool select_policy(struct select *s)
{
	switch (s->i->op) {
	case PTX_OP_createpolicy_fractional:
		policy_of_part(s, select_dst(s, 0));
		return true;
	case PTX_OP_createpolicy_range:
		policy_of_range(s, select_dst(s, 0));
		return true;
	case PTX_OP_createpolicy_cvt: /* the 64 bits are the policy */
		select_mov64(s, select_dst(s, 0), select_src(s, 1, 64));
		return true;
	default:
		return false;
	}
}

void select_hint(struct select *s, struct minst *in)
{
	const struct ptx_instr *i = s->i;
	ref policy;
	if (!ptx_has(i, PTX_M_L2__cache_hint) || !minst_takes_descriptor(in))
		return;
	policy = select_in_reg(s, select_src(s, i->nops - 1u, 64), 64);
	for (unsigned w = 0; w < 2; w++)
		uniform_read(s, policy + w, POLICY + w, REF_NONE);
	in->w.desc = UNIFORM_AT(POLICY);
	if (s->f->arch == WL_SM80) /* words of sm_80 tell a policy from the descriptor of all memory */
		in->w.flags |= WL_F_POLICY;
}

// SPDX-License-Identifier: Apache-2.0
/* select_atomic.c -- atom and red. Shared memory has one instruction for each 32-bit operation and for exchange and
 * compare-and-swap of 32 and 64 bits; other 64-bit operations and float addition are loops around
 * ATOMS.CAST.SPIN, whose failed tries (a lane of its bank group went first, or the value changed) come round again. */
#include "select.h"
#include "address.h"

struct atomic {
	unsigned op, bits;
	bool sign, is_float, cas;
	unsigned space;
	struct address at;
	ref d; /* REF_NONE: the old value is not wanted */
	struct val b, c;
};

static int operation(unsigned mod)
{
	switch (mod) {
	case PTX_M_add:
		return WL_ATOM_ADD;
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
	case PTX_M_exch:
		return WL_ATOM_EXCH;
	default:
		return -1;
	}
}

static struct minst access(struct select *s, const struct atomic *a, unsigned uop)
{
	struct minst in = minst_make(uop, s->line);

	select_put_address(&in, &a->at);
	in.w.size = (uint8_t)(a->bits / 8);
	in.w.op = (uint8_t)a->op;
	if (a->sign && (a->op == WL_ATOM_MIN || a->op == WL_ATOM_MAX) && !a->cas)
		in.w.flags |= WL_F_SIGNED;
	return in;
}

/* Compare-and-swap reads the expected and the new value from one aligned group of registers, in that order: all words
 * of ptxas do, and nvdisasm prints others as illegal. */
static void put_cas_values(struct select *s, struct minst *in, unsigned bits, struct val expected, struct val next)
{
	unsigned words = bits / 32;
	ref both = select_tmp(s, 2 * words);

	s->f->vregs[ref_reg(both)].unspillable = true; /* apart, the two would not stay neighbours */
	for (unsigned w = 0; w < words; w++) {
		select_mov(s, both + w, val_word(expected, w));
		select_mov(s, both + words + w, val_word(next, w));
	}
	in->rb = both;
	in->rc = both + words;
}

static void one_instruction(struct select *s, const struct atomic *a)
{
	bool shared = a->space == PTX_SP_shared;
	unsigned uop = shared ? (a->cas ? WL_UOP_ATOMS_CAS : WL_UOP_ATOMS) : (a->cas ? WL_UOP_ATOMG_CAS : WL_UOP_ATOMG);
	struct minst in = access(s, a, uop);

	in.rd = a->d;
	if (a->cas)
		put_cas_values(s, &in, a->bits, a->b, a->c);
	else
		in.rb = select_in_reg(s, a->b, a->bits);
	if (!shared) {
		in.w.flags |= WL_F_E64;
		in.w.order = WL_MEM_STRONG;
		in.w.scope = s->i->scope == PTX_M_sys   ? WL_SCOPE_SYS
		             : s->i->scope == PTX_M_cta ? WL_SCOPE_CTA
		                                        : WL_SCOPE_GPU;
		if (a->d == REF_NONE && !a->cas && a->op != WL_ATOM_EXCH)
			in.w.uop = WL_UOP_RED;
	}
	select_emit(s, &in);
}

/* What the loop stores: the operation on the old value and b. */
static void compute(struct select *s, const struct atomic *a, ref d, ref old)
{
	struct val o = val_reg(old);
	struct minst in;
	ref p;

	if (a->is_float) {
		in = select_alu(s, WL_UOP_FADD, d, o, val_reg(select_in_reg(s, a->b, 32)), VAL_ZERO);
		select_emit(s, &in);
		return;
	}
	switch (a->op) {
	case WL_ATOM_ADD:
		select_add64(s, d, o, a->b, false);
		return;
	case WL_ATOM_MIN:
	case WL_ATOM_MAX:
		p = select_tmp_pred(s);
		select_cmp(s, p, a->op == WL_ATOM_MIN ? WL_CMP_LT : WL_CMP_GT, a->sign, 64, o, a->b);
		for (unsigned w = 0; w < 2; w++)
			select_sel(s, d + w, val_word(o, w), val_word(a->b, w), p, false);
		return;
	default:
		for (unsigned w = 0; w < 2; w++)
			select_lop3(s, d + w, val_word(o, w), val_word(a->b, w), VAL_ZERO,
			            a->op == WL_ATOM_AND  ? LUT_A & LUT_B
			            : a->op == WL_ATOM_OR ? LUT_A | LUT_B
			                                  : LUT_A ^ LUT_B);
	}
}

static void spin_loop(struct select *s, const struct atomic *a)
{
	unsigned words = a->bits / 32;
	ref old = select_tmp(s, words), next = select_tmp(s, words), won = select_tmp(s, words), p = select_tmp_pred(s);
	struct mblock *behind = select_guard_around(s), *loop = select_new_block(s);
	struct minst in;

	select_fall(s, loop);
	in = access(s, a, WL_UOP_LDS);
	in.w.op = 0;
	in.w.flags &= ~(uint32_t)WL_F_SIGNED;
	in.rd = old;
	in.keep = true;
	select_emit(s, &in);
	compute(s, a, next, old);
	in = access(s, a, WL_UOP_ATOMS_CAST);
	in.w.op = 0;
	in.w.flags = WL_F_SPIN;
	in.rd = won;
	put_cas_values(s, &in, a->bits, val_reg(old), val_reg(next));
	select_emit(s, &in);
	select_cmp(s, p, WL_CMP_EQ, false, 32, val_reg(won), val_imm(1));
	select_branch(s, p, true, loop);
	if (a->d != REF_NONE && words == 2)
		select_mov64(s, a->d, val_reg(old));
	else if (a->d != REF_NONE)
		select_mov(s, a->d, val_reg(old));
	if (behind)
		select_fall(s, behind);
}

static bool has_instruction(const struct atomic *a)
{
	if (a->is_float)
		return false;
	if (a->space == PTX_SP_global)
		return a->bits == 32 || (a->op != WL_ATOM_INC && a->op != WL_ATOM_DEC);
	return a->bits == 32 || a->cas || a->op == WL_ATOM_EXCH;
}

static bool has_loop(const struct atomic *a)
{
	if (a->space != PTX_SP_shared)
		return false;
	if (a->is_float)
		return a->bits == 32 && a->op == WL_ATOM_ADD;
	return a->bits == 64 && a->op != WL_ATOM_INC && a->op != WL_ATOM_DEC;
}

bool select_atomic(struct select *s)
{
	const struct ptx_instr *i = s->i;
	bool red = i->op == PTX_OP_red;
	unsigned first = red ? 0 : 1;
	struct atomic a = {.cas = i->operation == PTX_M_cas, .d = REF_NONE, .space = i->space[0]};
	int op = a.cas ? 0 : operation(i->operation);
	unsigned order = i->order;

	if ((i->op != PTX_OP_atom && !red) || op < 0 || i->ntypes != 1 || i->vec > 1)
		return false;
	if (a.space == PTX_SP_none) {
		select_unsupported(s, "generic addresses");
		return true;
	}
	if (a.space == PTX_SP_shared_cta)
		a.space = PTX_SP_shared;
	a.op = (unsigned)op;
	a.bits = type_bits(i->type[0]);
	a.sign = type_signed(i->type[0]);
	a.is_float = type_float(i->type[0]) && i->operation != PTX_M_exch;
	if ((a.space != PTX_SP_shared && a.space != PTX_SP_global) || (a.bits != 32 && a.bits != 64) ||
	    ptx_has(i, PTX_M_noftz) || (!has_instruction(&a) && !has_loop(&a)))
		return false;
	if (!select_address(s, &i->ops[first], a.space, &a.at))
		return true;
	if (!red)
		a.d = select_dst(s, 0);
	a.b = select_src(s, first + 1, a.bits);
	if (a.cas)
		a.c = select_src(s, first + 2, a.bits);
	if (order == PTX_M_release || order == PTX_M_acq_rel)
		select_fence(s, PTX_M_acq_rel, i->scope);
	if (has_instruction(&a))
		one_instruction(s, &a);
	else
		spin_loop(s, &a);
	if (order == PTX_M_acquire || order == PTX_M_acq_rel)
		select_fence(s, PTX_M_acq_rel, i->scope);
	return true;
}

// SPDX-License-Identifier: Apache-2.0
/* select_operand.c -- the operands of PTX instructions as values: registers, literals, special registers, addresses of
 * variables, predicates. */
#include "select.h"

#include <string.h>

struct val val_word(struct val v, unsigned word)
{
	switch (v.kind) {
	case WL_SRC_IMM:
		return val_imm((uint32_t)(v.imm >> (32 * word)));
	case WL_SRC_CONST:
		return val_const(v.off + 4 * word);
	default:
		return val_reg(v.r == REF_NONE ? REF_NONE : v.r + word);
	}
}

bool val_is_zero(struct val v)
{
	return v.kind == WL_SRC_REG && v.r == REF_NONE;
}

static uint64_t low_bits(uint64_t v, unsigned bits)
{
	return bits >= 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}

static uint64_t float_bits(const struct ptx_operand *o, unsigned bits)
{
	uint64_t u;
	if (bits == 32) {
		float f = (float)o->f64;
		uint32_t w;
		if (o->is_f32)
			return o->f32_bits;
		memcpy(&w, &f, sizeof w);
		return w;
	}
	memcpy(&u, &o->f64, sizeof u);
	return u;
}

static struct val s2r(struct select *s, unsigned number, bool keep)
{
	struct minst in = minst_make(WL_UOP_S2R, s->line);
	in.rd = select_tmp(s, 1);
	in.w.imm = number;
	in.keep = keep;
	select_emit(s, &in);
	return val_reg(in.rd);
}

struct val select_shared_window(struct select *s)
{
	enum { SWIN_HI = 47 };
	unsigned at = wl_cb0_layout(s->f->arch)->shared_window;
	return at == WL_CB0_NONE ? s2r(s, SWIN_HI, false) : val_const(at + 4);
}

static struct val field_of(struct select *s, struct val v, unsigned first, unsigned bits)
{
	const ref at = select_tmp(s, 1), d = select_tmp(s, 1);
	select_shift(s, at, false, false, v, val_imm(first));
	select_lop3(s, d, val_reg(at), val_imm((1u << bits) - 1), VAL_ZERO, 0xc0);
	return val_reg(d);
}

static struct val read_clock(struct select *s, unsigned number, unsigned bits)
{
	struct minst in = minst_make(WL_UOP_CS2R, s->line);
	in.w.size = bits == 64 ? 8 : 4;
	in.w.imm = number;
	in.keep = true;
	in.rd = select_tmp(s, in.w.size / 4);
	select_emit(s, &in);
	return val_reg(in.rd);
}

static struct val read_bank(struct select *s, const struct ptx_operand *o, unsigned offset)
{
	if (offset != WL_CB0_NONE)
		return val_const(offset);
	select_error(s, "reading special register '%%%s' is not built yet", ptx_sreg_name(o->sreg));
	return VAL_ZERO;
}

enum { SMEMSZ = 50 }; /* all of a CTA's shared memory, with the system's part */

/* Where the system keeps a part, a word of bank 0 has the size of the part. */
static struct val without_kept(struct select *s, struct val all)
{
	const struct wl_cb0_specials *at = target_specials(s->f->target);
	struct minst in;
	if (at->shared == WL_CB0_NONE)
		return all;
	in = select_alu(s, WL_UOP_IADD3, select_tmp(s, 1), all, val_const(at->shared), VAL_ZERO);
	in.w.neg = 2;
	select_emit(s, &in);
	return val_reg(in.rd);
}

/* The size in bank 0, but no more than the CTA has. */
static struct val aggregate_size(struct select *s)
{
	const struct wl_cb0_specials *at = target_specials(s->f->target);
	const struct val all = s2r(s, SMEMSZ, false);
	struct minst in = select_alu(s, WL_UOP_IMNMX, select_tmp(s, 1), all, val_const(at->aggregate), VAL_ZERO);
	in.w.ps[0] = WL_PT;
	select_emit(s, &in);
	return val_reg(in.rd);
}

/* The system's part of shared memory: the first KiB from sm_90 on, the end on older chips. */
static struct val reserved(struct select *s, unsigned sreg)
{
	enum { KEPT = 0x400, FROM_SM100 = 0x40 };
	const struct wl_cb0_specials *at = target_specials(s->f->target);
	s->f->system_shared = true;
	if (sreg == PTX_SR_reserved_smem_offset_end)
		return val_const(at->reserved_end);
	if (sreg == PTX_SR_reserved_smem_offset_1)
		return val_const(at->reserved_groups);
	if (s->f->arch >= WL_SM90)
		return sreg == PTX_SR_reserved_smem_offset_cap                           ? val_imm(KEPT)
		       : sreg == PTX_SR_reserved_smem_offset_0 && s->f->arch >= WL_SM100 ? val_imm(FROM_SM100)
		                                                                         : VAL_ZERO;
	const struct val all = s2r(s, SMEMSZ, false);
	return sreg == PTX_SR_reserved_smem_offset_cap ? all : without_kept(s, all);
}

static bool shared_sizes(struct select *s, const struct ptx_operand *o, struct val *v)
{
	if (o->sreg == PTX_SR_total_smem_size)
		*v = without_kept(s, s2r(s, SMEMSZ, false));
	else if (o->sreg == PTX_SR_aggr_smem_size)
		*v = aggregate_size(s);
	else if (o->sreg >= PTX_SR_reserved_smem_offset_begin && o->sreg <= PTX_SR_reserved_smem_offset_1)
		*v = reserved(s, o->sreg);
	else
		return false;
	return true;
}

/* Warps of an SM: a number of the chip before sm_90. CUDA C++ Programming Guide, technical specifications. */
static struct val warps_of_sm(struct select *s)
{
	enum { VIRTCFG = 2 };
	const bool base = s->f->chip == WL_SM80;
	return s->f->arch == WL_SM75   ? val_imm(32)
	       : s->f->arch == WL_SM80 ? val_imm(base ? 64 : 48)
	                               : field_of(s, s2r(s, VIRTCFG, false), 8, 8);
}

static struct val special(struct select *s, const struct ptx_operand *o, unsigned bits)
{
	const struct wl_cb0_layout *bank = wl_cb0_layout(s->f->arch);
	const struct wl_cb0_specials *specials = target_specials(s->f->target);
	unsigned comp = o->comp == PTX_COMP_ALL ? 0 : o->comp;
	if (comp > 2 && (o->sreg == PTX_SR_ntid || o->sreg == PTX_SR_nctaid))
		return val_imm(1);
	if (comp > 2)
		return VAL_ZERO;
	struct val v;
	if (select_cluster_register(s, o, comp, &v) || shared_sizes(s, o, &v))
		return v;
	if (o->sreg >= PTX_SR_envreg0 && o->sreg <= PTX_SR_envreg31)
		return val_const(specials->envreg + 4u * (o->sreg - PTX_SR_envreg0));
	if (o->sreg == PTX_SR_nwarpid)
		return warps_of_sm(s);
	switch (o->sreg) {
#define S2R(reg, number, keep)                                                                                         \
	case PTX_SR_##reg:                                                                                             \
		return s2r(s, (number) + comp, keep);
#define FIELD(reg, number, first, bits)                                                                                \
	case PTX_SR_##reg:                                                                                             \
		return field_of(s, s2r(s, number, false), first, bits);
#define CLOCK(reg, number)                                                                                             \
	case PTX_SR_##reg:                                                                                             \
		return read_clock(s, number, bits);
#define BANK(reg, member)                                                                                              \
	case PTX_SR_##reg:                                                                                             \
		return read_bank(s, o, member);
#include "sreg.def"
	default:
		return read_bank(s, o, WL_CB0_NONE);
	}
}

static struct val symbol_address(struct select *s, const struct ptx_symbol *symbol, int64_t off)
{
	ref d = select_tmp(s, 2);
	for (unsigned w = 0; w < 2; w++)
		select_symbol_word(s, d + w, symbol, off, w);
	return val_reg(d);
}

struct val select_shared_address(struct select *s, struct val at, unsigned bits)
{
	ref d = select_tmp(s, bits / 32), rank;
	if (s->f->arch < WL_SM90) {
		select_mov(s, d, at);
		if (bits == 64)
			select_mov(s, d + 1, VAL_ZERO);
		return val_reg(d);
	}
	rank = select_tmp(s, 1);
	select_shift(s, rank, true, false, select_cluster_rank(s), val_imm(24));
	select_add(s, d, val_reg(rank), at);
	if (bits == 64)
		select_mov(s, d + 1, VAL_ZERO);
	return val_reg(d);
}

bool select_is_linked(const struct select *s, const struct ptx_var *v)
{
	return s->m->relocatable &&
	       (v->space == PTX_SP_const || v->space == PTX_SP_shared || v->space == PTX_SP_shared_cta);
}

/* The address of a variable or function as a value of its state space. */
static struct val symbol(struct select *s, const struct ptx_operand *o, unsigned bits)
{
	const struct ptx_var *v = o->sym->kind == PTX_SYM_VAR ? o->sym->var : NULL;
	uint32_t at;
	ref d;

	if (!v || v->space == PTX_SP_global)
		return symbol_address(s, o->sym, o->off);
	if (select_is_linked(s, v)) {
		d = select_tmp(s, bits / 32);
		select_symbol_word(s, d, o->sym, o->off, false);
		if (v->space != PTX_SP_const && s->m->clusters)
			return select_shared_address(s, val_reg(d), bits);
		if (bits == 64)
			select_mov(s, d + 1, VAL_ZERO);
		return val_reg(d);
	}
	if (select_is_call_param(s, v))
		at = ((const struct param_words *)v->user)->offset;
	else if (!lower_var_offset(s->f, s->line, v, &at))
		return VAL_ZERO;
	at += (uint32_t)o->off;
	if (v->space == PTX_SP_shared && s->m->clusters)
		return select_shared_address(s, val_imm(at), bits);
	if (v->space != PTX_SP_local && !select_is_call_param(s, v))
		return val_imm(at);
	s->f->uses_sp = true;
	d = select_tmp(s, bits / 32);
	select_add(s, d, val_reg(REF_SP), val_imm(at));
	if (bits == 64)
		select_mov(s, d + 1, VAL_ZERO);
	return val_reg(d);
}

ref select_operand_reg(struct select *s, const struct ptx_operand *o)
{
	if (o->kind != PTX_O_REG)
		return REF_NONE;
	if (s->fn->regs[o->reg].vec > 1) {
		select_error(s, "vector registers are not built yet");
		return REF_NONE;
	}
	return vreg_ref(s->reg[o->reg]);
}

struct val select_operand(struct select *s, const struct ptx_operand *o, unsigned bits)
{
	switch (o->kind) {
	case PTX_O_REG:
		if (o->negated) {
			select_unsupported(s, "a negated register operand");
			return VAL_ZERO;
		}
		return val_reg(select_operand_reg(s, o));
	case PTX_O_INT:
		return val_imm(low_bits((uint64_t)o->imm, bits));
	case PTX_O_FLOAT:
		return val_imm(float_bits(o, bits));
	case PTX_O_SYMBOL:
		return symbol(s, o, bits);
	case PTX_O_SREG:
		return special(s, o, bits);
	default:
		select_unsupported(s, "an operand of this kind");
		return VAL_ZERO;
	}
}

struct val select_src(struct select *s, unsigned n, unsigned bits)
{
	if (n >= s->i->nops) {
		select_unsupported(s, "an operand that is missing");
		return VAL_ZERO;
	}
	return select_operand(s, &s->i->ops[n], bits);
}

bool select_literal(const struct select *s, const struct ptx_operand *o, int64_t *value)
{
	if (o->kind == PTX_O_INT)
		*value = o->imm;
	else if (o->kind == PTX_O_REG && !o->negated && s->known[o->reg].writes == 1 && s->known[o->reg].literal)
		*value = s->known[o->reg].value;
	else
		return false;
	return true;
}

bool select_same(const struct select *s, const struct ptx_operand *o)
{
	switch (o->kind) {
	case PTX_O_INT:
	case PTX_O_FLOAT:
	case PTX_O_SYMBOL:
		return true;
	case PTX_O_REG:
		return !s->uniform.varies[o->reg];
	case PTX_O_ADDR:
		return o->base_kind != PTX_BASE_REG || !s->uniform.varies[o->reg];
	default:
		return false;
	}
}

bool select_unread(const struct select *s, const struct ptx_operand *o)
{
	return o->kind == PTX_O_SINK || (o->kind == PTX_O_REG && !s->uniform.read[o->reg]);
}

ref select_dst(struct select *s, unsigned n)
{
	return select_operand_reg(s, &s->i->ops[n]);
}

ref select_pred(struct select *s, const struct ptx_operand *o, uint8_t *num)
{
	*num = WL_PT;
	if (o->kind == PTX_O_REG) {
		*num = o->negated ? NOT_P : 0;
		return select_operand_reg(s, o);
	}
	if (o->kind == PTX_O_SREG && o->sreg == PTX_SR_is_explicit_cluster) {
		ref p = select_tmp_pred(s);
		*num = 0;
		select_cmp(s, p, WL_CMP_EQ, false, 32,
		           val_reg(select_in_reg(s, val_const(s->f->target->clustered), 32)), val_imm(1));
		return p;
	}
	if (o->kind == PTX_O_INT)
		*num = o->imm ? WL_PT : WL_PT | NOT_P;
	else
		select_unsupported(s, "a predicate operand of this kind");
	return REF_NONE;
}

// SPDX-License-Identifier: Apache-2.0
/* select_memory.c -- loads and stores: parameters, global, shared and local memory, vectors. */
#include "address.h"
#include "order.h"
#include "select.h"
#include "vector.h"

static bool wide_addresses(unsigned space)
{
	return space == PTX_SP_global || space == PTX_SP_none;
}

bool select_address(struct select *s, const struct ptx_operand *o, unsigned space, struct address *a)
{
	uint32_t at;
	ref t;

	*a = (struct address){.base = REF_NONE};
	if (o->kind == PTX_O_ADDR && o->base_kind == PTX_BASE_SYMBOL && o->sym->kind == PTX_SYM_VAR &&
	    select_is_call_param(s, o->sym->var)) {
		a->param = select_param_words(s, o->sym->var);
		a->off = o->off;
		if (a->param->in_frame) {
			s->f->uses_sp = true;
			a->base = REF_SP;
			a->off += a->param->offset;
			a->param = NULL;
		}
		return true;
	}
	if (o->kind != PTX_O_ADDR) {
		select_unsupported(s, "an address of this kind");
		return false;
	}
	if (o->base_kind == PTX_BASE_SYMBOL && wide_addresses(space)) {
		if (o->sym->kind != PTX_SYM_VAR || o->sym->var->space != PTX_SP_global) {
			select_unsupported(s, "this name as a global or generic address");
			return false;
		}
		a->base = select_tmp(s, 2);
		for (unsigned w = 0; w < 2; w++)
			select_symbol_word(s, a->base + w, o->sym, o->off, w);
		return true;
	}
	if (o->base_kind == PTX_BASE_SYMBOL && o->sym->kind == PTX_SYM_VAR && select_is_linked(s, o->sym->var)) {
		t = select_tmp(s, 1);
		select_symbol_word(s, t, o->sym, o->off, false);
		a->base = space == PTX_SP_const || !s->m->clusters ? t : select_shared_address(s, val_reg(t), 32).r;
		return true;
	}
	if (o->base_kind == PTX_BASE_SYMBOL) {
		if (o->sym->kind != PTX_SYM_VAR || !lower_var_offset(s->f, s->line, o->sym->var, &at))
			return false;
		if (space == PTX_SP_local) {
			s->f->uses_sp = true;
			a->base = REF_SP;
		}
		a->off = (int64_t)at + o->off;
	} else if (o->base_kind == PTX_BASE_IMM) {
		a->off = o->imm;
	} else {
		a->base = vreg_ref(s->reg[o->reg]);
		a->off = o->off;
	}
	if (space == PTX_SP_const && (a->off < INT16_MIN || a->off > INT16_MAX)) {
		t = select_tmp(s, 1);
		select_add(s, t, val_reg(a->base), val_imm((uint32_t)a->off));
		*a = (struct address){.base = t};
	}
	if (wide_addresses(space) && (a->base == REF_NONE || !fits_offset(s->f, a->off))) {
		t = select_tmp(s, 2);
		select_add64(s, t, val_reg(a->base), val_imm((uint64_t)a->off), false);
		*a = (struct address){.base = t};
	} else if (a->base == REF_NONE ? a->off < 0 || a->off >= 1 << 24 : !fits_offset(s->f, a->off)) {
		t = select_tmp(s, 1);
		select_add(s, t, val_reg(a->base), val_imm((uint32_t)a->off));
		*a = (struct address){.base = t};
	}
	return true;
}

unsigned select_space_of_name(const struct ptx_operand *o)
{
	const struct ptx_var *v = select_names_variable(o) && o->sym->kind == PTX_SYM_VAR ? o->sym->var : NULL;
	return v && (v->space == PTX_SP_shared || v->space == PTX_SP_local) ? v->space : PTX_SP_none;
}

ref select_shared_register(struct select *s, const struct address *a)
{
	ref d;
	if (a->base == REF_NONE)
		return select_shared_address(s, val_imm((uint32_t)a->off), 32).r;
	d = select_tmp(s, 1);
	select_add(s, d, val_reg(a->base), val_imm((uint32_t)a->off));
	return d;
}

bool select_cluster_address(struct select *s, const struct ptx_operand *o, struct address *a)
{
	ref t;
	if (!select_address(s, o, PTX_SP_shared, a))
		return false;
	if (a->base == REF_NONE && select_names_variable(o))
		*a = (struct address){.base = select_shared_register(s, a)};
	t = select_tmp(s, 2);
	select_mov(s, t, val_reg(a->base));
	select_mov(s, t + 1, select_shared_window(s));
	a->base = t;
	return true;
}

void select_put_address(struct minst *in, const struct address *a)
{
	in->ra = a->base;
	in->w.off = (int32_t)a->off;
}

uint32_t select_lds_flags(const struct select *s)
{
	return s->f->arch < WL_SM80 ? WL_F_U : 0;
}

static bool is_shared(unsigned space)
{
	return space == PTX_SP_shared || space == PTX_SP_shared_cta;
}

static bool is_param(unsigned space)
{
	return space == PTX_SP_param || space == PTX_SP_param_entry || space == PTX_SP_param_func;
}

static bool is_ordered(const struct ptx_instr *i)
{
	return (i->order != PTX_M_none && i->order != PTX_M_weak) || ptx_has(i, PTX_M_mmio);
}

enum { SECTOR = 32, CONSTANT_BANK = 3 }; /* bytes; the bank of .const variables */

/* An access of `bytes` at a (+ shift bytes). */
static struct minst access(struct select *s, unsigned uop, const struct address *a, int32_t shift, unsigned bytes)
{
	struct minst in = minst_make(uop, s->line);
	select_put_address(&in, a);
	in.w.off += shift;
	in.w.size = (uint8_t)bytes;
	if (uop != WL_UOP_LDS && uop != WL_UOP_STS && uop != WL_UOP_LDL && uop != WL_UOP_STL && uop != WL_UOP_LDC) {
		in.w.flags |= WL_F_E64;
		order_access(s, &in);
		select_hint(s, &in);
	}
	if (uop == WL_UOP_LDS)
		in.w.flags |= select_lds_flags(s);
	in.keep = is_ordered(s->i);
	return in;
}

static unsigned load_uop(unsigned space)
{
	return space == PTX_SP_global  ? WL_UOP_LDG
	       : space == PTX_SP_none  ? WL_UOP_LD
	       : space == PTX_SP_local ? WL_UOP_LDL
	                               : WL_UOP_LDS;
}

static unsigned store_uop(unsigned space)
{
	return space == PTX_SP_global  ? WL_UOP_STG
	       : space == PTX_SP_none  ? WL_UOP_ST
	       : space == PTX_SP_local ? WL_UOP_STL
	                               : WL_UOP_STS;
}

/* The value read, of `bytes`, in d; less than 4 bytes extended by the type. */
static void load_into(struct select *s, ref d, unsigned space, const struct address *a, int32_t shift, unsigned bytes)
{
	struct minst in;
	if (a->param) {
		select_param_load(s, d, a->param, a->off + shift, bytes, type_signed(s->i->type[0]));
		return;
	}
	if (space == PTX_SP_const) {
		in = access(s, WL_UOP_LDC, a, shift, bytes);
		in.w.cbank = CONSTANT_BANK;
		in.rd = d;
		if (bytes < 4 && type_signed(s->i->type[0]))
			in.w.flags |= WL_F_SIGNED;
		select_emit(s, &in);
		return;
	}
	if (is_param(space)) {
		uint32_t off = (uint32_t)(a->off + shift);
		if (a->base != REF_NONE || bytes < 4) {
			in = access(s, WL_UOP_LDC, a, shift, bytes < 4 ? bytes : 4);
			if (bytes < 4 && type_signed(s->i->type[0]))
				in.w.flags |= WL_F_SIGNED;
			for (unsigned w = 0; w < (bytes <= 4 ? 1 : bytes / 4); w++) {
				in.rd = d + w;
				select_emit(s, &in);
				in.w.off += 4;
			}
		} else if (bytes == 8) {
			select_mov64(s, d, val_const(off));
		} else {
			for (unsigned w = 0; w < bytes / 4; w++)
				select_mov(s, d + w, val_const(off + 4 * w));
		}
		return;
	}
	in = access(s, load_uop(space), a, shift, bytes);
	in.rd = d;
	if (bytes < 4 && type_signed(s->i->type[0]))
		in.w.flags |= WL_F_SIGNED;
	select_emit(s, &in);
}

static ref load(struct select *s, unsigned space, const struct address *a, int32_t shift, unsigned bytes)
{
	ref d = select_tmp(s, bytes <= 4 ? 1 : bytes / 4);

	load_into(s, d, space, a, shift, bytes);
	return d;
}

/* A loaded element into its register, possibly wider than the element. */
static void put_element(struct select *s, const struct ptx_operand *o, ref v, unsigned bytes)
{
	ref d = select_operand_reg(s, o), t;

	if (d == REF_NONE)
		return;
	if (s->f->vregs[ref_reg(d)].words == 1) {
		select_mov(s, d, val_reg(v));
	} else if (bytes == 8) {
		select_mov64(s, d, val_reg(v));
	} else {
		t = select_tmp(s, 2);
		select_mov(s, t, val_reg(v));
		if (type_signed(s->i->type[0]))
			select_shift(s, t + 1, false, true, val_reg(v), val_imm(31));
		else
			select_mov(s, t + 1, VAL_ZERO);
		select_mov64(s, d, val_reg(t));
	}
}

/* Elements to read or write: n, with an instruction each or one for all. */
struct elements {
	const struct ptx_operand *list;
	unsigned n, bytes;
	bool together;
};

/* multimem.st also stores floats of 8 bits; st has no types of 8-bit floats. */
static unsigned element_bytes(const struct ptx_instr *i)
{
	const unsigned type = i->ntypes ? i->type[0] : PTX_T_none;
	return i->op == PTX_OP_multimem_st ? type_bits(type) / 8 : ptx_types[type].bytes;
}

static struct elements elements_of(const struct ptx_instr *i, const struct ptx_operand *o)
{
	struct elements e = {.bytes = element_bytes(i)};
	if (o->kind == PTX_O_VECTOR) {
		e.list = o->list;
		e.n = o->count;
	} else {
		e.list = o;
		e.n = 1;
	}
	e.together = e.n > 1 && e.n * e.bytes <= 16;
	return e;
}

/* An access of 256 bits: of global memory, also by generic addresses of global memory. */
static bool is_whole_sector(const struct select *s, unsigned space, const struct elements *e)
{
	return s->f->arch >= WL_SM100 && wide_addresses(space) && e->n * e->bytes == SECTOR && e->bytes >= 4;
}

/* The offset counts sectors. */
static struct minst sector_access(struct select *s, unsigned uop, const struct address *a)
{
	struct address at = *a;
	struct minst in = minst_make(uop, s->line);
	if (!fits_field(s->f, &in, a->off)) {
		at = (struct address){.base = select_tmp(s, 2)};
		select_add64(s, at.base, val_reg(a->base), val_imm((uint64_t)a->off), false);
	}
	in = access(s, uop, &at, 0, SECTOR);
	if (uop == WL_UOP_LDG_256)
		in.w.lut = 0xff; /* all words */
	return in;
}

static void load_sector(struct select *s, const struct address *a, const struct elements *e)
{
	struct minst in = sector_access(s, WL_UOP_LDG_256, a);
	in.rd = select_tmp(s, 4);
	in.rc = select_tmp(s, 4);
	select_emit(s, &in);
	for (unsigned k = 0; k < e->n; k++)
		if (e->list[k].kind == PTX_O_REG)
			put_element(s, &e->list[k], (k < e->n / 2 ? in.rd : in.rc) + k % (e->n / 2) * e->bytes / 4,
			            e->bytes);
}

static void store_sector(struct select *s, const struct address *a, const struct elements *e)
{
	const ref low = vector_pack(s, e->list, e->n / 2, e->bytes);
	const ref high = vector_pack(s, e->list + e->n / 2, e->n / 2, e->bytes);
	struct minst in = sector_access(s, WL_UOP_STG_256, a);
	in.rb = low;
	in.rc = high;
	select_emit(s, &in);
}

static bool ld(struct select *s, unsigned space, const struct address *a)
{
	struct elements e = elements_of(s->i, &s->i->ops[0]);
	if (is_whole_sector(s, space, &e)) {
		load_sector(s, a, &e);
		return true;
	}
	if (e.n == 1) {
		ref d = select_operand_reg(s, e.list);

		if (d != REF_NONE && s->f->vregs[ref_reg(d)].words == (e.bytes <= 4 ? 1 : e.bytes / 4)) {
			load_into(s, d, space, a, 0, e.bytes);
			return true;
		}
	}
	if (e.together && !is_param(space) && space != PTX_SP_const && !a->param) {
		ref v = load(s, space, a, 0, e.n * e.bytes);

		for (unsigned k = 0; k < e.n; k++)
			if (e.list[k].kind == PTX_O_REG)
				put_element(s, &e.list[k], vector_element(s, v, k, e.bytes, type_signed(s->i->type[0])),
				            e.bytes);
	} else {
		ref v[8];

		for (unsigned k = 0; k < e.n; k++) /* the address may be a destination */
			v[k] = load(s, space, a, (int32_t)(k * e.bytes), e.bytes);
		for (unsigned k = 0; k < e.n; k++)
			put_element(s, &e.list[k], v[k], e.bytes);
	}
	return true;
}

static bool st(struct select *s, unsigned space, const struct address *a)
{
	struct elements e = elements_of(s->i, &s->i->ops[1]);
	struct minst in;
	for (unsigned k = 0; a->param && k < e.n; k++)
		select_param_store(s, a->param, a->off + k * e.bytes, e.bytes,
		                   select_operand(s, &e.list[k], e.bytes < 4 ? 32 : 8 * e.bytes));
	if (a->param)
		return true;
	if (is_whole_sector(s, space, &e)) {
		store_sector(s, a, &e);
		return true;
	}
	if (e.together) {
		ref v = vector_pack(s, e.list, e.n, e.bytes);
		in = access(s, store_uop(space), a, 0, e.n * e.bytes);
		in.rb = v;
		select_emit(s, &in);
		return true;
	}
	for (unsigned k = 0; k < e.n; k++) {
		struct val x = select_operand(s, &e.list[k], e.bytes < 4 ? 32 : 8 * e.bytes);
		in = access(s, store_uop(space), a, (int32_t)(k * e.bytes), e.bytes);
		if (e.bytes < 4 && type_signed(s->i->type[0])) /* the bytes are the same */
			in.w.flags |= WL_F_SIGNED;
		in.rb = select_in_reg(s, x, e.bytes == 8 ? 64 : 32);
		select_emit(s, &in);
	}
	return true;
}

/* A parameter of a call or of a function, with an address: local memory. */
static bool in_own_frame(struct select *s, const struct ptx_operand *o, unsigned space)
{
	const struct ptx_var *v = o->base_kind == PTX_BASE_SYMBOL && o->sym->kind == PTX_SYM_VAR ? o->sym->var : NULL;
	if (!is_param(space) || o->kind != PTX_O_ADDR)
		return false;
	if (v)
		return select_is_call_param(s, v) && v->user && ((const struct param_words *)v->user)->in_frame;
	return !s->fn->is_entry && o->base_kind == PTX_BASE_REG;
}

bool select_memory(struct select *s)
{
	const struct ptx_instr *i = s->i;
	unsigned space = is_shared(i->space[0]) ? PTX_SP_shared : i->space[0];
	unsigned bytes = element_bytes(i);
	bool load = i->op == PTX_OP_ld || i->op == PTX_OP_ldu;
	enum ordered what = space == PTX_SP_shared ? ORDERED_SHARED : ORDERED_ACCESS;
	struct mblock *behind = NULL;
	bool cluster = space == PTX_SP_shared_cluster;
	struct address a;
	if ((!load && i->op != PTX_OP_st && i->op != PTX_OP_multimem_st) || i->order == PTX_M_sc)
		return false;
	if (in_own_frame(s, &i->ops[load ? 1 : 0], space))
		space = PTX_SP_local;
	if (space == PTX_SP_none && i->nops > 1)
		space = select_space_of_name(&i->ops[load ? 1 : 0]);
	if (cluster) /* a variable's name means this CTA's variable */
		space = i->nops > 1 && select_names_variable(&i->ops[load ? 1 : 0]) ? PTX_SP_shared : PTX_SP_none;
	if ((!wide_addresses(space) && space != PTX_SP_shared && space != PTX_SP_local && !is_param(space) &&
	     !(load && space == PTX_SP_const)) ||
	    bytes == 0 || bytes > (i->vec > 1 ? 8 : 16) || i->nops < 2)
		return false;
	if (!(cluster && space == PTX_SP_none ? select_cluster_address(s, &i->ops[load ? 1 : 0], &a)
	                                      : select_address(s, &i->ops[load ? 1 : 0], space, &a)))
		return true;
	if (i->order == PTX_M_release || i->order == PTX_M_acquire)
		behind = select_guard_around(s);
	if (ptx_has(i, PTX_M_mmio) && i->order == PTX_M_release) /* as NVIDIA's code */
		order_before(s, what, PTX_M_release, PTX_M_cta);
	order_before(s, what, i->order, i->scope);
	load ? ld(s, space, &a) : st(s, space, &a);
	order_behind(s, what, i->order, i->scope);
	if (behind)
		select_fall(s, behind);
	return true;
}

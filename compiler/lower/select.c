// SPDX-License-Identifier: Apache-2.0
/* select.c -- the walk over a kernel's PTX instructions; operands to values; emission. */
#include "library.h"
#include "select.h"

#include <stdio.h>
#include <string.h>

void select_error(struct select *s, const char *fmt, ...)
{
	char text[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	lower_error(s->f, s->line, "%s", text);
}

/* The instruction as it was written, without operands: name and qualifiers. */
static void full_name(const struct ptx_instr *i, char *buf, size_t n)
{
	size_t at = (size_t)snprintf(buf, n, "%s", ptx_op_name(i->op));
	for (unsigned k = 0; k < i->nmods && at < n; k++) {
		uint16_t q = i->mods[k];
		const char *word = (q & 0x8000)   ? ptx_types[q & 0x3fff].name
		                   : (q & 0x4000) ? ptx_space_name(q & 0x3fff)
		                                  : ptx_mod_name(q);

		at += (size_t)snprintf(buf + at, n - at, ".%s", word);
	}
}

void select_unsupported(struct select *s, const char *what)
{
	char name[256];
	full_name(s->i, name, sizeof name);
	if (what)
		select_error(s, "code generation for '%s' is not built yet: %s", name, what);
	else
		select_error(s, "code generation for '%s' is not built yet for sm_%u", name, (unsigned)s->f->arch);
}

ref select_tmp(struct select *s, unsigned words)
{
	return vreg_ref(mfunc_new_reg(s->f, words));
}

ref select_tmp_pred(struct select *s)
{
	return vreg_ref(mfunc_new_pred(s->f));
}

/* ---- values ------------------------------------------------------------------------------------------------ */

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

/* Shared memory of a CTA, and what the system keeps of it: from sm_90 on the first KiB, before the end. */
static bool shared_sizes(struct select *s, const struct ptx_operand *o, struct val *v)
{
	enum { KEPT = 0x400, FROM_SM100 = 0x40, SMEMSZ = 50 };
	const struct wl_cb0_specials *at = target_specials(s->f->target);
	const bool first = s->f->arch >= WL_SM90, total = o->sreg == PTX_SR_total_smem_size;
	if (!total && (o->sreg < PTX_SR_reserved_smem_offset_begin || o->sreg > PTX_SR_reserved_smem_offset_1))
		return false;
	s->f->system_shared |= !total;
	if (o->sreg == PTX_SR_reserved_smem_offset_end || o->sreg == PTX_SR_reserved_smem_offset_1) {
		*v = val_const(o->sreg == PTX_SR_reserved_smem_offset_1 ? at->reserved_groups : at->reserved_end);
	} else if (first) {
		*v = total                                                                ? val_const(at->shared)
		     : o->sreg == PTX_SR_reserved_smem_offset_cap                         ? val_imm(KEPT)
		     : o->sreg == PTX_SR_reserved_smem_offset_0 && s->f->arch >= WL_SM100 ? val_imm(FROM_SM100)
		                                                                          : VAL_ZERO;
	} else {
		*v = s2r(s, SMEMSZ, false);
		if (o->sreg != PTX_SR_reserved_smem_offset_cap && at->shared != WL_CB0_NONE) {
			struct minst in =
			        select_alu(s, WL_UOP_IADD3, select_tmp(s, 1), *v, val_const(at->shared), VAL_ZERO);
			in.w.neg = 2;
			select_emit(s, &in);
			*v = val_reg(in.rd);
		}
	}
	return true;
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

/* Where a cluster's CTAs reach into each other's shared memory, the address says whose it is. */
static struct val shared_of_cluster(struct select *s, struct val at, unsigned bits)
{
	ref d = select_tmp(s, bits / 32), rank = select_tmp(s, 1);
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
			return shared_of_cluster(s, val_reg(d), bits);
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
		return shared_of_cluster(s, val_imm(at), bits);
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

/* ---- emission ---------------------------------------------------------------------------------------------- */

static void note_named(void *self, ref *r, unsigned words)
{
	struct select *s = ((void **)self)[0];
	bool *named = ((void **)self)[1];
	(void)words;
	if (s->f->vregs[ref_reg(*r)].named)
		*named = true;
}

void select_emit(struct select *s, struct minst *in)
{
	bool named = false;
	void *note[2] = {s, &named};

	in->line = s->line;
	if (s->guard != REF_NONE && in->guard == REF_NONE) {
		minst_defs(in, note_named, note);
		if (named || minst_has_effect(in) || minst_reads_memory(in)) {
			in->guard = s->guard;
			in->w.guard = s->guard_negated ? NOT_P : 0;
			in->fresh = !named;
		}
	}
	mblock_append(s->f, s->b, in);
}

void select_text(struct select *s, const char *fmt, ...)
{
	struct minst in = minst_make(WL_UOP_NOP, s->line);
	char text[128], why[160] = "";
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	in.word = arena_zalloc(s->f->arena, sizeof *in.word);
	if (wl_assemble(s->f->arch, text, 0, in.word, why, sizeof why) != WL_OK ||
	    wl_decode(s->f->arch, *in.word, &in.w) != WL_OK) {
		select_error(s, "internal error: no word for '%s': %s", text, why);
		return;
	}
	in.keep = true;
	in.computes = true; /* none of them waits for what another thread does */
	select_emit(s, &in);
}

/* A value of the constant bank where arithmetic cannot read it. */
static bool load_constant(struct select *s, ref d, struct val v, unsigned bytes)
{
	struct minst in = minst_make(WL_UOP_LDC, s->line);
	if (v.kind != WL_SRC_CONST || s->f->target->bank_operands)
		return false;
	in.rd = d;
	in.w.off = (int32_t)v.off;
	in.w.size = (uint8_t)bytes;
	select_emit(s, &in);
	return true;
}

void select_mov(struct select *s, ref d, struct val v)
{
	struct minst in;
	if (load_constant(s, d, v, 4))
		return;
	in = select_alu(s, WL_UOP_MOV, d, VAL_ZERO, v, VAL_ZERO);

	select_emit(s, &in);
}

void select_mov64(struct select *s, ref d, struct val v)
{
	struct minst in = minst_make(PSEUDO_MOV64, s->line);
	if (load_constant(s, d, v, 8))
		return;
	in.rd = d;
	in.w.src[1] = (uint8_t)v.kind;
	in.rb = v.kind == WL_SRC_REG ? v.r : REF_NONE;
	in.imm64 = v.imm;
	in.w.coff = (int32_t)v.off;
	select_emit(s, &in);
}

ref select_in_reg(struct select *s, struct val v, unsigned bits)
{
	ref r;

	if (v.kind == WL_SRC_REG)
		return v.r;
	r = select_tmp(s, bits / 32);
	if (bits == 64)
		select_mov64(s, r, v);
	else
		select_mov(s, r, v);
	return r;
}

static void put_source(struct minst *in, unsigned which, struct val v)
{
	ref *r = which == 0 ? &in->ra : which == 1 ? &in->rb : &in->rc;

	in->w.src[which] = (uint8_t)v.kind;
	*r = REF_NONE;
	if (v.kind == WL_SRC_REG)
		*r = v.r;
	else if (v.kind == WL_SRC_IMM)
		in->w.imm = (uint32_t)v.imm;
	else
		in->w.coff = (int32_t)v.off;
}

struct minst select_alu(struct select *s, unsigned uop, ref d, struct val a, struct val b, struct val c)
{
	struct minst in = minst_make(uop, s->line);
	unsigned wide = uop == WL_UOP_IMAD_WIDE ? 64 : 32;
	bool taken; /* one source of another kind than register is all that a word can hold */

	if (a.kind != WL_SRC_REG)
		a = val_reg(select_in_reg(s, a, 32));
	if (!mfunc_takes(s->f, uop, 1, b.kind))
		b = val_reg(select_in_reg(s, b, 32));
	taken = b.kind != WL_SRC_REG;
	if (taken || !mfunc_takes(s->f, uop, 2, c.kind))
		c = val_reg(select_in_reg(s, c, wide));
	in.rd = d;
	if (minst_words(&in, WL_REG_RA))
		put_source(&in, 0, a);
	if (minst_words(&in, WL_REG_RB))
		put_source(&in, 1, b);
	if (minst_words(&in, WL_REG_RC))
		put_source(&in, 2, c);
	return in;
}

/* ---- control inside one instruction ------------------------------------------------------------------------ */

struct mblock *select_new_block(struct select *s)
{
	return mfunc_new_block(s->f);
}

static void place(struct select *s, struct mblock *b)
{
	mfunc_place(s->f, b->id);
	s->b = b;
}

void select_fall(struct select *s, struct mblock *to)
{
	if (s->b && s->b->next == NO_BLOCK && !(s->b->n && minst_ends_block(&s->b->ins[s->b->n - 1])))
		s->b->next = to->id;
	place(s, to);
}

static void branch(struct select *s, ref p, bool negated, struct mblock *to, bool together)
{
	struct minst in = minst_make(WL_UOP_BRA, s->line);
	struct mblock *on = select_new_block(s);
	in.target = to->id;
	in.guard = p;
	in.together = together;
	if (p != REF_NONE)
		in.w.guard = negated ? NOT_P : 0;
	mblock_append(s->f, s->b, &in);
	if (p != REF_NONE)
		s->b->next = on->id;
	place(s, on);
}

void select_branch(struct select *s, ref p, bool negated, struct mblock *to)
{
	branch(s, p, negated, to, false);
}

void select_branch_together(struct select *s, ref p, bool negated, struct mblock *to)
{
	branch(s, p, negated, to, true);
}

struct mblock *select_guard_around(struct select *s)
{
	struct mblock *behind;
	if (s->guard == REF_NONE)
		return NULL;
	behind = select_new_block(s);
	branch(s, s->guard, !s->guard_negated, behind, s->guard_same);
	s->guard = REF_NONE;
	return behind;
}

/* ---- the walk ---------------------------------------------------------------------------------------------- */

static bool end_thread(struct select *s)
{
	struct minst in = minst_make(WL_UOP_EXIT, s->line);
	select_emit(s, &in);
	if (s->guard == REF_NONE)
		place(s, select_new_block(s));
	return true;
}

static bool select_control(struct select *s)
{
	const struct ptx_instr *i = s->i;
	struct minst in;
	switch (i->op) {
	case PTX_OP_bra:
		if (i->ops[0].kind != PTX_O_LABEL)
			return false;
		branch(s, s->guard, s->guard_negated, s->f->blocks[s->label[i->ops[0].label]], s->guard_same);
		return true;
	case PTX_OP_ret:
		if (s->epilogue) {
			select_branch(s, s->guard, s->guard_negated, s->epilogue);
			return true;
		}
		return end_thread(s);
	case PTX_OP_exit:
		return end_thread(s);
	case PTX_OP_trap:
		in = minst_make(WL_UOP_BPT_TRAP, s->line);
		select_emit(s, &in);
		return true;
	default:
		return false;
	}
}

static void select_instr(struct select *s)
{
	static bool (*const families[])(struct select *) = {
	        select_control, select_flow,     select_call,    select_half,  select_long,          select_int,
	        select_bits,    select_div,      select_compare, select_move,  select_convert,       select_root,
	        select_float,   select_mbarrier, select_bulk,    select_async, select_memory,        select_atomic,
	        select_sync,    select_warp,     select_cluster, select_stack, select_convert_steps, select_video,
	        select_float2,  select_policy,   select_space,
	};

	for (unsigned k = 0; k < sizeof families / sizeof *families; k++)
		if (families[k](s))
			return;
	if (!select_by_name(s))
		select_unsupported(s, NULL);
}

static void make_registers(struct select *s)
{
	s->reg = arena_alloc(s->f->arena, (s->fn->nregs + 1) * sizeof *s->reg);
	for (uint32_t r = 0; r < s->fn->nregs; r++) {
		unsigned bits = type_bits(s->fn->regs[r].type);
		s->reg[r] = ptx_types[s->fn->regs[r].type].cls == PTX_CLASS_PRED
		                    ? mfunc_new_pred(s->f)
		                    : mfunc_new_reg(s->f, bits <= 32 ? 1 : bits / 32);
		s->f->vregs[s->reg[r]].named = true;
	}
}

static void note_writes(struct select *s, const struct ptx_operand *o)
{
	if (o->kind == PTX_O_REG && s->known[o->reg].writes < 2)
		s->known[o->reg].writes++;
	if (o->kind == PTX_O_VECTOR || o->kind == PTX_O_PAIR || o->kind == PTX_O_LIST)
		for (unsigned i = 0; i < o->count; i++)
			note_writes(s, &o->list[i]);
}

/* Every first operand counts as written: that is too much for stores, and never too little. */
static void find_literals(struct select *s)
{
	s->known = arena_zalloc(s->f->arena, (s->fn->nregs + 1) * sizeof *s->known);
	for (uint32_t k = 0; k < s->fn->ninstrs; k++) {
		const struct ptx_instr *i = &s->fn->instrs[k];
		if (i->nops)
			note_writes(s, &i->ops[0]);
		if (i->op == PTX_OP_mov && i->guard == PTX_NONE && i->ops[0].kind == PTX_O_REG &&
		    i->ops[1].kind == PTX_O_INT) {
			s->known[i->ops[0].reg].literal = true;
			s->known[i->ops[0].reg].value = i->ops[1].imm;
		}
	}
}

/* Block of each label; at[i] is the block that starts at instruction i, NULL where none does. */
static struct mblock **make_labels(struct select *s)
{
	struct mblock **at = arena_zalloc(s->f->arena, (s->fn->ninstrs + 1) * sizeof(struct mblock *));
	s->label = arena_alloc(s->f->arena, (s->fn->nlabels + 1) * sizeof *s->label);
	for (uint32_t l = 0; l < s->fn->nlabels; l++) {
		uint32_t i = s->fn->labels[l].instr;
		if (i > s->fn->ninstrs)
			i = s->fn->ninstrs;
		if (!at[i])
			at[i] = mfunc_new_block(s->f);
		s->label[l] = at[i]->id;
	}
	return at;
}

/* The name that lower/lib has for the instruction with its words in this order. */
static const struct ptx_function *library_for(const struct select *s, const struct ptx_instr *i, char *name, size_t n)
{
	full_name(i, name, n);
	for (char *c = name; *c; c++)
		if (*c == '.' || *c == ':')
			*c = '_';
	return library_find(s->f->library, name);
}

static bool is_type(uint16_t word)
{
	return word & 0x8000;
}

/* Tries every order of words[from..n-1]. */
static const struct ptx_function *try_orders(const struct select *s, const struct ptx_instr *i, uint16_t *words,
                                             unsigned from, unsigned n, char *name, size_t size)
{
	const struct ptx_function *fn = NULL;
	if (from >= n)
		return library_for(s, i, name, size);
	for (unsigned k = from; !fn && k < n; k++) {
		const uint16_t first = words[from];
		words[from] = words[k];
		words[k] = first;
		fn = try_orders(s, i, words, from + 1, n, name, size);
		words[k] = words[from];
		words[from] = first;
	}
	return fn;
}

/* PTX takes qualifiers in any order: that of the source, then types last and what is in front of them in every order.
 */
static const struct ptx_function *find_by_name(const struct select *s, char *name, size_t n)
{
	enum { MOST = 8, MOST_TURNED = 4 };
	const struct ptx_function *fn = library_for(s, s->i, name, n);
	struct ptx_instr i = *s->i;
	uint16_t words[MOST];
	unsigned at = 0, types;
	if (fn || i.nmods > MOST)
		return fn;
	i.mods = words;
	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned k = 0; k < i.nmods; k++)
			if (is_type(s->i->mods[k]) == pass)
				words[at++] = s->i->mods[k];
	for (types = at; types > 0 && is_type(words[types - 1]);)
		types--;
	return types <= MOST_TURNED ? try_orders(s, &i, words, 0, types, name, n) : NULL;
}

/* The instruction as a name of lower/lib. */
bool select_by_name(struct select *s)
{
	const struct ptx_function *fn;
	struct val args[4];
	char name[256];
	ref d;
	fn = s->i->nops >= 2 && s->i->nops <= 5 ? find_by_name(s, name, sizeof name) : NULL;
	if (!fn || fn->nparams != s->i->nops - 1u)
		return false;
	d = select_operand_reg(s, &s->i->ops[0]);
	for (unsigned k = 1; k < s->i->nops; k++)
		args[k - 1] = select_operand(s, &s->i->ops[k], type_bits(fn->params[k - 1]->type));
	return select_library(s, name, d, args, s->i->nops - 1u);
}

static bool select_body(struct select *s)
{
	struct mblock **at = make_labels(s);
	for (uint32_t k = 0; k <= s->fn->ninstrs; k++) {
		if (at[k])
			select_fall(s, at[k]);
		if (k == s->fn->ninstrs)
			break;
		s->i = &s->fn->instrs[k];
		if (!s->inlined)
			s->line = s->i->pos.line;
		s->guard = s->i->guard == PTX_NONE ? REF_NONE : vreg_ref(s->reg[s->i->guard]);
		s->guard_negated = s->i->guard_negated;
		s->guard_same = s->i->guard == PTX_NONE || !s->uniform.varies[s->i->guard] || s->uniform.agreed[k];
		s->apart = s->uniform.apart[k];
		s->together = s->guard_same && !s->apart;
		select_instr(s);
	}
	s->guard = REF_NONE;
	return s->f->nerrors == 0;
}

/* Of a body that is put in the place of an instruction nothing is known. */
static void nothing_uniform(struct select *s)
{
	size_t regs = s->fn->nregs + 1u, instrs = s->fn->ninstrs + 1u;
	bool *all = arena_alloc(s->f->arena, regs > instrs ? regs : instrs);
	memset(all, true, regs > instrs ? regs : instrs);
	s->uniform = (struct uniform){.varies = all, .read = all, .apart = all};
	s->uniform.agreed = arena_zalloc(s->f->arena, instrs);
}

/* d = the function of lower/lib, of the arguments: a walk of its own over its body. */
bool select_library(struct select *s, const char *name, ref d, const struct val *args, unsigned n)
{
	struct select in = *s;
	struct mblock *behind = select_guard_around(s);
	in.fn = library_find(s->f->library, name);
	if (!in.fn || in.fn->nparams != n)
		return false;
	in.b = s->b;
	in.guard = REF_NONE;
	in.inlined = true;
	nothing_uniform(&in);
	in.epilogue = select_new_block(s);
	make_registers(&in);
	find_literals(&in);
	if (d != REF_NONE && s->f->vregs[ref_reg(d)].pred)
		in.reg[in.fn->rets[0]->reg] = ref_reg(d);
	for (unsigned k = 0; k < n; k++) {
		ref r = vreg_ref(in.reg[in.fn->params[k]->reg]);
		if (s->f->vregs[ref_reg(r)].words == 2)
			select_mov64(&in, r, args[k]);
		else
			select_mov(&in, r, val_word(args[k], 0));
	}
	select_body(&in);
	select_fall(&in, in.epilogue);
	s->b = in.b;
	s->carry = in.carry;
	if (d != REF_NONE && !s->f->vregs[ref_reg(d)].pred) {
		ref r = vreg_ref(in.reg[in.fn->rets[0]->reg]);
		if (s->f->vregs[ref_reg(d)].words == 2)
			select_mov64(s, d, val_reg(r));
		else
			select_mov(s, d, val_reg(r));
	}
	if (behind)
		select_fall(s, behind);
	return true;
}

bool lower_select(struct mfunc *f, const struct lower_module *m)
{
	struct select s = {.f = f, .m = m, .fn = f->src, .carry = REF_NONE, .guard = REF_NONE, .top = REF_NONE};
	struct minst exit;
	s.line = f->src->pos.line;
	place(&s, select_new_block(&s));
	make_registers(&s);
	find_literals(&s);
	select_place_params(&s);
	select_stack_begin(&s);
	lower_uniform(f->arena, s.fn, &s.uniform);
	if (!f->src->is_entry) {
		s.epilogue = select_new_block(&s);
		select_enter(&s);
	}
	select_body(&s);
	/* Running off the end is returning. */
	s.line = s.fn->end_line;
	s.guard = REF_NONE;
	if (s.epilogue) {
		select_fall(&s, s.epilogue);
		select_return(&s);
		return f->nerrors == 0;
	}
	exit = minst_make(WL_UOP_EXIT, s.fn->end_line);
	mblock_append(f, s.b, &exit);
	return f->nerrors == 0;
}

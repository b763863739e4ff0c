// SPDX-License-Identifier: Apache-2.0
/* select_call.c -- functions: entry and return, calls, and the variables of arguments.
 *
 * A .param variable of a function or of a call is words in registers, unless its address is taken or the access goes
 * through a register: then the variable lies in the frame. */
#include <assert.h>
#include "abi.h"
#include "address.h"
#include "select.h"

static bool is_param_space(unsigned space)
{
	return space == PTX_SP_param || space == PTX_SP_param_func;
}

bool select_is_call_param(const struct select *s, const struct ptx_var *v)
{
	return is_param_space(v->space) && !(s->fn->is_entry && v->index != PTX_NONE);
}

static uint32_t words_of(const struct ptx_var *v)
{
	uint32_t bytes = v->size ? (uint32_t)v->size : ptx_types[v->type].bytes;
	return (bytes + 3) / 4;
}

struct param_words *select_param_words(struct select *s, struct ptx_var *v)
{
	struct param_words *p = v->user;
	if (p)
		return p;
	p = arena_zalloc(s->f->arena, sizeof *p);
	p->words = words_of(v);
	for (uint32_t w = 0; w < p->words; w++) {
		uint32_t r = mfunc_new_reg(s->f, 1);
		s->f->vregs[r].named = true;
		if (w == 0)
			p->first = r;
	}
	v->user = p;
	return p;
}

static void put_in_frame(struct select *s, struct ptx_var *v)
{
	struct param_words *p = arena_zalloc(s->f->arena, sizeof *p);
	uint32_t align = v->align > 4 ? v->align : 4;
	p->words = words_of(v);
	p->in_frame = true;
	s->f->frame = (s->f->frame + align - 1) / align * align;
	p->offset = s->f->frame;
	s->f->frame += 4 * p->words;
	v->user = p;
}

static ref word(const struct param_words *p, uint32_t w)
{
	return vreg_ref(p->first + w);
}

static struct minst stack_access(struct select *s, unsigned uop, uint32_t offset)
{
	struct minst in = minst_make(uop, s->line);
	s->f->uses_sp = true;
	in.ra = REF_SP;
	in.w.off = (int32_t)offset;
	in.w.size = 4;
	return in;
}

/* Word w of the variable as a value. */
static struct val read_word(struct select *s, const struct param_words *p, uint32_t w)
{
	struct minst in;
	if (!p->in_frame)
		return val_reg(word(p, w));
	in = stack_access(s, WL_UOP_LDL, p->offset + 4 * w);
	in.rd = select_tmp(s, 1);
	select_emit(s, &in);
	return val_reg(in.rd);
}

static void write_word(struct select *s, const struct param_words *p, uint32_t w, ref v)
{
	struct minst in;
	if (!p->in_frame) {
		select_mov(s, word(p, w), val_reg(v));
		return;
	}
	in = stack_access(s, WL_UOP_STL, p->offset + 4 * w);
	in.rb = v;
	select_emit(s, &in);
}

/* ---- accesses: ld.param, st.param ---- */

void select_param_load(struct select *s, ref d, const struct param_words *p, int64_t off, unsigned bytes, bool sign)
{
	struct val v;
	if (off < 0 || (uint64_t)off + bytes > 4 * (uint64_t)p->words) {
		select_error(s, "access outside of a parameter: byte %lld of %u", (long long)off, 4 * p->words);
		return;
	}
	if (bytes >= 4) {
		for (unsigned w = 0; w < bytes / 4; w++)
			select_mov(s, d + w, val_reg(word(p, (uint32_t)off / 4 + w)));
		return;
	}
	v = val_reg(word(p, (uint32_t)off / 4));
	if (off % 4) {
		ref t = select_tmp(s, 1);
		select_shift(s, t, false, false, v, val_imm(8 * (uint64_t)(off % 4)));
		v = val_reg(t);
	}
	select_mov(s, d, select_extend(s, v, 8 * bytes, sign));
}

void select_param_store(struct select *s, const struct param_words *p, int64_t off, unsigned bytes, struct val v)
{
	/* bytes of PRMT: 0 to 3 of the word as it was, 4 to 7 of the value */
	static const uint16_t byte[4] = {0x3214, 0x3240, 0x3410, 0x4210}, half[2] = {0x3254, 0x5410};
	struct minst in;
	ref d;
	if (off < 0 || (uint64_t)off + bytes > 4 * (uint64_t)p->words) {
		select_error(s, "access outside of a parameter: byte %lld of %u", (long long)off, 4 * p->words);
		return;
	}
	d = word(p, (uint32_t)off / 4);
	if (bytes >= 4) {
		for (unsigned w = 0; w < bytes / 4; w++)
			select_mov(s, d + w * 4, val_word(v, w));
		return;
	}
	in = select_alu(s, WL_UOP_PRMT, d, val_reg(d), val_imm(bytes == 1 ? byte[off % 4] : half[off % 4 / 2]),
	                val_reg(select_in_reg(s, v, 32)));
	select_emit(s, &in);
}

/* ---- variables in need of an address ---- */

static void look_at(struct select *s, const struct ptx_operand *o, bool memory)
{
	bool address = o->kind == PTX_O_ADDR && o->base_kind == PTX_BASE_SYMBOL && !memory;
	if (o->kind == PTX_O_VECTOR || o->kind == PTX_O_PAIR || o->kind == PTX_O_PARTS)
		for (unsigned i = 0; i < o->count; i++)
			look_at(s, &o->list[i], memory);
	if ((o->kind != PTX_O_SYMBOL && !address) || o->sym->kind != PTX_SYM_VAR)
		return;
	if (select_is_call_param(s, o->sym->var) && !o->sym->var->user)
		put_in_frame(s, o->sym->var);
}

static uint32_t outgoing_bytes(struct mfunc *f, const struct ptx_instr *i)
{
	const struct ptx_function *proto = select_prototype(i);
	struct abi_call c;
	if (!proto)
		return 0;
	abi_call(f->arena, proto, &c);
	return c.stack_bytes;
}

uint32_t select_outgoing(struct mfunc *f, const struct ptx_function *fn)
{
	uint32_t most = 0;
	for (uint32_t k = 0; k < fn->ninstrs; k++)
		if (fn->instrs[k].op == PTX_OP_call) {
			uint32_t n = outgoing_bytes(f, &fn->instrs[k]);
			f->calls = true;
			if (n > most)
				most = n;
		}
	return (most + 15) / 16 * 16;
}

void select_place_params(struct select *s)
{
	for (uint32_t i = 0; !s->fn->is_entry && i < s->fn->nparams; i++)
		s->fn->params[i]->user = NULL;
	for (uint32_t i = 0; i < s->fn->nrets; i++)
		s->fn->rets[i]->user = NULL;
	for (uint32_t k = 0; k < s->fn->ninstrs; k++) {
		const struct ptx_instr *i = &s->fn->instrs[k];
		bool memory = (i->op == PTX_OP_ld || i->op == PTX_OP_st) && i->nspaces && is_param_space(i->space[0]);
		for (unsigned n = 0; n < i->nops && i->op != PTX_OP_call; n++)
			look_at(s, &i->ops[n], memory);
	}
}

/* ---- entry and return of a function ---- */

static struct minst caller_access(struct select *s, uint32_t offset)
{
	struct minst in = stack_access(s, WL_UOP_LDL, offset);
	in.above_frame = true;
	return in;
}

void select_enter(struct select *s)
{
	struct abi_call c;
	abi_call(s->f->arena, s->fn, &c);
	s->abi = c;
	if (c.by_address) { /* R4 has the address of the results */
		s->result_at = select_tmp(s, 1);
		select_mov(s, s->result_at, val_reg(mfunc_fixed(s->f, ABI_FIRST_REG)));
	}
	for (uint32_t i = 0; i < s->fn->nparams; i++) {
		struct ptx_var *v = s->fn->params[i];
		const struct abi_place *at = &c.params[i];
		const struct param_words *p = v->reg == PTX_NONE ? select_param_words(s, v) : NULL;
		for (uint32_t w = 0; w < at->words; w++) {
			ref x = select_tmp(s, 1);
			if (at->in_regs) {
				x = mfunc_fixed(s->f, at->at + w);
			} else {
				struct minst in = caller_access(s, at->at + 4 * w);
				in.rd = x;
				select_emit(s, &in);
			}
			if (p)
				write_word(s, p, w, x);
			else if (s->f->vregs[s->reg[v->reg]].pred)
				select_cmp(s, vreg_ref(s->reg[v->reg]), WL_CMP_NE, false, 32, val_reg(x), VAL_ZERO);
			else
				select_mov(s, vreg_ref(s->reg[v->reg]) + w, val_reg(x));
		}
	}
}

static struct val result_word(struct select *s, const struct ptx_var *v, uint32_t w)
{
	uint32_t r;
	if (v->reg == PTX_NONE)
		return read_word(s, select_param_words(s, (struct ptx_var *)(uintptr_t)v), w);
	r = s->reg[v->reg];
	if (s->f->vregs[r].pred) {
		ref t = select_tmp(s, 1);
		select_sel(s, t, val_imm(1), VAL_ZERO, vreg_ref(r), false);
		return val_reg(t);
	}
	return val_reg(vreg_ref(r) + w);
}

static void add_use(struct mcall *c, ref r)
{
	c->use[c->nuses++] = r;
}

void select_return(struct select *s)
{
	struct minst in = minst_make(WL_UOP_RET_ABS, s->line);
	struct mcall *c = arena_zalloc(s->f->arena, sizeof *c);
	for (uint32_t i = 0; i < s->fn->nrets; i++)
		for (uint32_t w = 0; w < s->abi.rets[i].words; w++) {
			struct val v = result_word(s, s->fn->rets[i], w);
			if (s->abi.by_address) {
				struct minst st = minst_make(WL_UOP_STL, s->line);
				st.ra = s->result_at;
				st.w.off = (int32_t)(s->abi.rets[i].at + 4 * w);
				st.w.size = 4;
				st.rb = select_in_reg(s, v, 32);
				select_emit(s, &st);
			} else {
				ref r = mfunc_fixed(s->f, s->abi.rets[i].at + w);
				select_mov(s, r, v);
				add_use(c, r);
			}
		}
	in.w.src[0] = WL_SRC_REG;
	in.ra = mfunc_fixed(s->f, ABI_RETURN_REG);
	in.call = c;
	select_emit(s, &in);
}

/* ---- calls ---- */

const struct ptx_function *select_prototype(const struct ptx_instr *i)
{
	const struct ptx_operand *what = &i->ops[1];
	if (what->kind == PTX_O_SYMBOL)
		return what->sym->kind == PTX_SYM_FUNCTION ? what->sym->function : NULL;
	if (i->nops < 4 || i->ops[3].kind != PTX_O_TABLE)
		return NULL;
	if (i->ops[3].table->kind == PTX_TABLE_PROTOTYPE)
		return i->ops[3].table->prototype;
	if (i->ops[3].table->kind == PTX_TABLE_CALL && i->ops[3].table->count)
		return i->ops[3].table->functions[0]->function;
	return NULL;
}

/* Word w of an argument with `words` words. */
static struct val argument_word(struct select *s, const struct ptx_operand *o, uint32_t words, uint32_t w)
{
	if (o->kind == PTX_O_SYMBOL && o->sym->kind == PTX_SYM_VAR && select_is_call_param(s, o->sym->var)) {
		const struct param_words *p = select_param_words(s, o->sym->var);
		return w < p->words ? read_word(s, p, w) : VAL_ZERO;
	}
	if (o->kind == PTX_O_REG && s->f->vregs[s->reg[o->reg]].pred) {
		uint8_t negated;
		ref p = select_pred(s, o, &negated), t = select_tmp(s, 1);
		select_sel(s, t, val_imm(1), VAL_ZERO, p, negated & NOT_P);
		return val_reg(t);
	}
	return val_word(select_operand(s, o, words > 1 ? 64 : 32), w);
}

static void put_result(struct select *s, const struct ptx_operand *o, uint32_t w, ref v)
{
	ref d;
	if (o->kind == PTX_O_SYMBOL && o->sym->kind == PTX_SYM_VAR && select_is_call_param(s, o->sym->var)) {
		write_word(s, select_param_words(s, o->sym->var), w, v);
		return;
	}
	d = select_operand_reg(s, o);
	if (d == REF_NONE)
		return;
	if (s->f->vregs[ref_reg(d)].pred)
		select_cmp(s, d, WL_CMP_NE, false, 32, val_reg(v), VAL_ZERO);
	else
		select_mov(s, d + w, val_reg(v));
}

static void pass_arguments(struct select *s, const struct abi_call *c, const struct ptx_operand *args,
                           struct mcall *note)
{
	struct {
		unsigned reg;
		struct val v;
	} in_regs[ABI_END_REG];
	unsigned n = 0;
	for (uint32_t i = 0; i < args->count; i++)
		for (uint32_t w = 0; w < c->params[i].words; w++) {
			struct val v = argument_word(s, &args->list[i], c->params[i].words, w);
			if (c->params[i].in_regs) {
				in_regs[n].reg = c->params[i].at + w;
				in_regs[n++].v = v;
			} else {
				struct minst st = stack_access(s, WL_UOP_STL, c->params[i].at + 4 * w);
				if (s->top != REF_NONE)
					st.ra = s->top;
				st.rb = select_in_reg(s, v, 32);
				select_emit(s, &st);
			}
		}
	for (unsigned i = 0; i < n; i++) { /* nothing comes between: these registers have no other user now */
		ref r = mfunc_fixed(s->f, in_regs[i].reg);
		select_mov(s, r, in_regs[i].v);
		add_use(note, r);
	}
}

void select_symbol_word(struct select *s, ref d, const struct ptx_symbol *symbol, int64_t addend, bool high)
{
	struct minst in = minst_make(PSEUDO_SYMBOL, s->line);
	in.place = arena_zalloc(s->f->arena, sizeof *in.place);
	*in.place = (struct mplace){.symbol = symbol, .addend = addend, .high = high};
	in.rd = d;
	select_emit(s, &in);
}

/* The pair of registers with the address; a register of 32 bits is extended by zero. */
static ref function_address(struct select *s, const struct ptx_operand *what)
{
	const ref r = select_operand_reg(s, what);
	if (what->kind != PTX_O_REG || ptx_types[s->fn->regs[what->reg].type].bits == 64)
		return r;
	const ref pair = select_tmp(s, 2);
	select_mov(s, pair, val_reg(r));
	select_mov(s, pair + 1, val_imm(0));
	return pair;
}

void select_call_of(struct select *s, const struct ptx_instr *i, const struct ptx_function *proto)
{
	const struct ptx_operand *what = &i->ops[1];
	struct mcall *note = arena_zalloc(s->f->arena, sizeof *note);
	bool direct = what->kind == PTX_O_SYMBOL;
	struct minst in = minst_make(direct ? WL_UOP_CALL_ABS : WL_UOP_CALL_ABX, s->line);
	ref back = mfunc_fixed(s->f, ABI_RETURN_REG);
	uint32_t area = 0;
	struct abi_call c;
	abi_call(s->f->arena, proto, &c);
	if (c.by_address) {
		uint32_t bytes = 0;
		for (uint32_t k = 0; k < proto->nrets; k++)
			bytes = c.rets[k].at + 4 * c.rets[k].words;
		area = (s->f->frame + 15) / 16 * 16;
		s->f->frame = area + bytes;
		s->f->uses_sp = true;
	}
	pass_arguments(s, &c, &i->ops[2], note);
	if (c.by_address) {
		ref r = mfunc_fixed(s->f, ABI_FIRST_REG);
		select_add(s, r, val_reg(REF_SP), val_imm(area));
		add_use(note, r);
	}
	if (direct) {
		in.place = arena_zalloc(s->f->arena, sizeof *in.place);
		in.place->symbol = what->sym;
	} else {
		in.w.src[0] = WL_SRC_REG;
		in.ra = function_address(s, what);
	}
	select_symbol_word(s, back, NULL, 0, false);
	select_symbol_word(s, back + 1, NULL, 0, true);
	add_use(note, back);
	add_use(note, back + 1);
	if (s->top != REF_NONE)
		add_use(note, s->top);
	for (uint32_t k = 0; k < proto->nrets && !c.by_address; k++)
		for (uint32_t w = 0; w < c.rets[k].words; w++)
			note->def[note->ndefs++] = mfunc_fixed(s->f, c.rets[k].at + w);
	in.call = note;
	in.keep = true;
	s->f->uses_sp = true;
	select_emit(s, &in);
	select_fall(s, select_new_block(s)); /* the return address is the first word of a block */
	for (uint32_t k = 0; k < proto->nrets; k++)
		for (uint32_t w = 0; w < c.rets[k].words; w++) {
			ref v;
			if (c.by_address) {
				struct minst ld = stack_access(s, WL_UOP_LDL, area + c.rets[k].at + 4 * w);
				ld.rd = v = select_tmp(s, 1);
				select_emit(s, &ld);
			} else {
				v = mfunc_fixed(s->f, c.rets[k].at + w);
			}
			put_result(s, &i->ops[0].list[k], w, v);
		}
}

bool select_call(struct select *s)
{
	const struct ptx_instr *i = s->i;
	const struct ptx_function *proto;
	struct mblock *behind;
	if (i->op != PTX_OP_call)
		return false;
	proto = select_prototype(i);
	if (!proto) {
		select_unsupported(s, "a call without a prototype");
		return true;
	}
	assert(i->ops[0].count == proto->nrets && i->ops[2].count == proto->nparams);
	behind = select_guard_around(s);
	select_call_of(s, i, proto);
	if (behind)
		select_fall(s, behind);
	return true;
}

/* ---- calls of the driver ---- */

/* One symbol for all calls: the writer of objects tells symbols apart by address. No code changes the functions. */
static struct ptx_function driver_functions[DRIVER_FUNCTIONS] = {
        [DRIVER_BULK_UNICAST] = {.name = "__cuda_syscall_cp_async_bulk_unicast"},
        [DRIVER_BULK_MULTICAST] = {.name = "__cuda_syscall_cp_async_bulk_multicast"},
};

static const struct ptx_symbol driver_symbols[DRIVER_FUNCTIONS] = {
        [DRIVER_BULK_UNICAST] = {"__cuda_syscall_cp_async_bulk_unicast",
                                 PTX_SYM_FUNCTION,
                                 {.function = &driver_functions[DRIVER_BULK_UNICAST]}},
        [DRIVER_BULK_MULTICAST] = {"__cuda_syscall_cp_async_bulk_multicast",
                                   PTX_SYM_FUNCTION,
                                   {.function = &driver_functions[DRIVER_BULK_MULTICAST]}},
};

void select_call_driver(struct select *s, enum driver_function which, const struct call_argument *args, unsigned n)
{
	struct mcall *note = arena_zalloc(s->f->arena, sizeof *note);
	struct minst in = minst_make(WL_UOP_CALL_ABS, s->line);
	ref back = mfunc_fixed(s->f, ABI_RETURN_REG);
	for (unsigned k = 0; k < n; k++) {
		ref r = mfunc_fixed(s->f, args[k].reg);
		select_mov(s, r, args[k].v);
		add_use(note, r);
	}
	in.place = arena_zalloc(s->f->arena, sizeof *in.place);
	in.place->symbol = &driver_symbols[which];
	for (unsigned w = 0; w < 2; w++) {
		select_symbol_word(s, back + w, NULL, 0, w);
		add_use(note, back + w);
	}
	if (s->top != REF_NONE)
		add_use(note, s->top);
	in.call = note;
	in.keep = true;
	s->f->uses_sp = true;
	s->f->calls = true;
	select_emit(s, &in);
	select_fall(s, select_new_block(s)); /* the return address is the first word of a block */
}

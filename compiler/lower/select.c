// SPDX-License-Identifier: Apache-2.0
/* select.c -- the walk over a kernel's PTX instructions, and over functions of lower/lib in the place of
 * instructions. */
#include "library.h"
#include "only_place.h"
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

/* The instruction as written, without operands: name and qualifiers. */
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

/* ---- the walk ---------------------------------------------------------------------------------------------- */

static bool end_thread(struct select *s)
{
	struct minst in = minst_make(WL_UOP_EXIT, s->line);
	select_emit(s, &in);
	if (s->guard == REF_NONE)
		select_fall(s, select_new_block(s));
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
		(s->guard_same ? select_branch_together : select_branch)(s, s->guard, s->guard_negated,
		                                                         s->f->blocks[s->label[i->ops[0].label]]);
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

/* families.def holds each operation of ptx/ops.def once. */
enum {
#define PTX_OP(op, ...) ROW_OF_##op,
#define PTX_OP_PREFIX(...)
#define PTX_OP_UNMODELLED(...)
#include "../ptx/ops.def"
#undef PTX_OP
#undef PTX_OP_PREFIX
#undef PTX_OP_UNMODELLED
	OPERATIONS
};
enum {
#define OWNS(op, ...) FAMILIES_OF_##op,
#define NOBODY(op)    FAMILIES_OF_##op,
#include "families.def"
#undef OWNS
#undef NOBODY
	OWNED
};
_Static_assert((int)OPERATIONS == (int)OWNED, "families.def needs one row for each operation of ptx/ops.def");

static void select_instr(struct select *s)
{
	enum { MOST = 6 };
	static bool (*const families[PTX_OP_COUNT][MOST])(struct select *) = {
#define OWNS(op, ...) [PTX_OP_##op] = {__VA_ARGS__},
#define NOBODY(op)
#include "families.def"
#undef OWNS
#undef NOBODY
	};

	for (unsigned k = 0; k < MOST && families[s->i->op][k]; k++)
		if (families[s->i->op][k](s))
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

static bool is_barrier(const struct ptx_instr *i)
{
	switch (i->op) {
	case PTX_OP_bar:
	case PTX_OP_bar_cta:
	case PTX_OP_barrier:
	case PTX_OP_barrier_cta:
	case PTX_OP_bar_arrive:
	case PTX_OP_bar_cta_arrive:
	case PTX_OP_barrier_arrive:
	case PTX_OP_barrier_cta_arrive:
		return true;
	default:
		return false;
	}
}

/* A predicate of two literals. */
static bool literal_compare(const struct ptx_instr *i, int64_t *value)
{
	if (i->op != PTX_OP_setp || i->nops != 3 || i->guard != PTX_NONE || i->operation ||
	    i->ops[0].kind != PTX_O_REG || i->ops[1].kind != PTX_O_INT || i->ops[2].kind != PTX_O_INT ||
	    (i->cmp != PTX_M_eq && i->cmp != PTX_M_ne))
		return false;
	*value = (i->ops[1].imm == i->ops[2].imm) == (i->cmp == PTX_M_eq);
	return i->ops[1].imm == i->ops[2].imm; /* other literals may be equal in fewer bits */
}

/* The guard is false in every thread. */
static bool never_runs(const struct select *s)
{
	const struct known *k = s->i->guard == PTX_NONE ? NULL : &s->known[s->i->guard];
	return k && k->writes == 1 && k->literal && !s->inlined && (k->value != 0) == s->i->guard_negated;
}

/* Every first operand counts as written: too much for stores, never too little. */
static void find_literals(struct select *s)
{
	int64_t value;
	s->known = arena_zalloc(s->f->arena, (s->fn->nregs + 1) * sizeof *s->known);
	for (uint32_t k = 0; k < s->fn->nparams; k++) /* the caller writes */
		if (s->fn->params[k]->reg != PTX_NONE)
			s->known[s->fn->params[k]->reg].writes = 1;
	for (uint32_t k = 0; k < s->fn->ninstrs; k++) {
		const struct ptx_instr *i = &s->fn->instrs[k];
		const unsigned results = uniform_results(i);
		for (unsigned n = 0; n < results && !is_barrier(i); n++)
			note_writes(s, &i->ops[n]);
		if (literal_compare(i, &value)) {
			s->known[i->ops[0].reg].literal = true;
			s->known[i->ops[0].reg].value = value;
		}
		if (i->op == PTX_OP_mov && i->guard == PTX_NONE && i->ops[0].kind == PTX_O_REG &&
		    i->ops[1].kind == PTX_O_INT) {
			s->known[i->ops[0].reg].literal = true;
			s->known[i->ops[0].reg].value = i->ops[1].imm;
		}
	}
}

/* Block of each label; at[i] is the block with its start at instruction i, NULL without such a block. */
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

/* The function of lower/lib for the instruction with its words in this order. */
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

/* PTX takes qualifiers in any order. The search tries the order of the source. Then types come last, with the other
 * qualifiers in every order. */
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

/* The pragmas in front of instruction k: in the block of a label at k, or else in the block before. */
static void note_pragmas(const struct select *s, uint32_t k, struct mblock *labelled, uint32_t *next)
{
	for (; *next < s->fn->npragmas; ++*next) {
		const struct ptx_pragma *p = &s->fn->pragmas[*next];
		struct mblock *b = p->behind_label ? labelled : s->b;
		if (p->instr != PTX_NONE && p->instr > k)
			return;
		if (p->instr == k && b && strcmp(p->text, "nounroll") == 0)
			b->nounroll = true;
	}
}

static bool select_body(struct select *s)
{
	struct mblock **at = make_labels(s);
	uint32_t pragma = 0;
	for (uint32_t k = 0; k <= s->fn->ninstrs; k++) {
		note_pragmas(s, k, at[k], &pragma);
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
		s->only_place = s->uniform.only[k];
		s->polls = s->uniform.polls[k];
		s->b->whole |= !s->apart;
		s->together = s->guard_same && !s->apart;
		if (!never_runs(s))
			select_instr(s);
	}
	s->guard = REF_NONE;
	return s->f->nerrors == 0;
}

/* Nothing is known of a body in the place of an instruction. */
static void nothing_uniform(struct select *s)
{
	size_t regs = s->fn->nregs + 1u, instrs = s->fn->ninstrs + 1u;
	bool *all = arena_alloc(s->f->arena, regs > instrs ? regs : instrs);
	memset(all, true, regs > instrs ? regs : instrs);
	s->uniform = (struct uniform){.varies = all, .read = all, .apart = all};
	s->uniform.agreed = arena_zalloc(s->f->arena, instrs);
	s->uniform.only = arena_zalloc(s->f->arena, instrs);
	s->uniform.polls = arena_zalloc(s->f->arena, instrs);
}

/* d = the function of lower/lib, of the arguments: another walk, over the body of the function. */
bool select_library(struct select *s, const char *name, ref d, const struct val *args, unsigned n)
{
	struct mblock *behind = select_guard_around(s);
	struct select in = *s;
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

/* Places where lanes are apart, and collectives with a place of their own, follow from each other: the more lanes are
 * apart, the fewer collectives. */
static void find_uniform(struct select *s)
{
	const size_t n = s->fn->ninstrs + 1u;
	bool again = !s->f->compat;
	s->uniform.only = arena_zalloc(s->f->arena, n);
	if (again)
		lower_only_place(s->f->arena, s->fn, NULL, s->uniform.only);
	lower_uniform(s->f->arena, s->fn, s->f->compat, &s->uniform);
	while (again) {
		bool *only = arena_zalloc(s->f->arena, n);
		lower_only_place(s->f->arena, s->fn, &s->uniform, only);
		again = memcmp(only, s->uniform.only, n) != 0;
		s->uniform.only = only;
		if (again)
			lower_uniform(s->f->arena, s->fn, false, &s->uniform);
	}
}

bool lower_select(struct mfunc *f, const struct lower_module *m)
{
	struct select s = {.f = f, .m = m, .fn = f->src, .carry = REF_NONE, .guard = REF_NONE, .top = REF_NONE};
	struct minst exit;
	s.line = f->src->pos.line;
	select_fall(&s, select_new_block(&s));
	make_registers(&s);
	find_literals(&s);
	select_place_params(&s);
	select_stack_begin(&s);
	find_uniform(&s);
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

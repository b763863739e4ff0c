// SPDX-License-Identifier: Apache-2.0
/* variable_offsets.c -- places of variables in their state spaces.
 *
 * Shared memory of every kernel holds, in this order: the module's variables named by functions (not kernels), and the
 * functions' own variables; the module's variables named by this kernel; the kernel's own; then the unsized arrays. A
 * function thus finds its variables at the same place for every caller. Constants lie in bank 3, as in the object; the
 * linker places global variables. */
#include "../object/code.h"
#include "select.h"

/* The variable itself keeps the place: user = offset + 1, and NULL means no place. */
static void set_offset(struct ptx_var *v, uint32_t offset)
{
	v->user = (void *)((uintptr_t)offset + 1);
}

static uint32_t align_up(uint32_t at, uint32_t align)
{
	return align ? (at + align - 1) / align * align : at;
}

static void place_next(struct mfunc *f, uint32_t *at, uint32_t limit, struct ptx_var *v, const char *what)
{
	uint64_t start = align_up(*at, v->align);
	if (v->size > limit || start + v->size > limit) {
		lower_error(f, v->pos.line, "variable '%s' does not fit: %s has %u bytes", v->name, what, limit);
		return;
	}
	set_offset(v, (uint32_t)start);
	*at = (uint32_t)(start + v->size);
}

static bool is_shared(const struct ptx_var *v)
{
	return v->space == PTX_SP_shared || v->space == PTX_SP_shared_cta;
}

static bool is_sized_shared(const struct ptx_var *v)
{
	return is_shared(v) && !v->unsized;
}

static void place_shared_var(struct lower_module *m, struct mfunc *f, struct ptx_var *v)
{
	enum { LARGEST = 228 << 10 }; /* of any chip; the limit of a kernel is less: hold_limit() */
	place_next(f, &m->shared_static, LARGEST, v, "shared memory");
}

static void place_shared(struct lower_module *m, struct mfunc *f, struct ptx_var *const *vars, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (is_sized_shared(vars[i]))
			place_shared_var(m, f, vars[i]);
}

/* ---- users of the module's variables ---- */

static const char by_functions; /* the mark of variables named by functions (not kernels) */

static void mark_operand(const struct ptx_operand *o, const void *mark)
{
	if (o->kind == PTX_O_VECTOR || o->kind == PTX_O_PAIR || o->kind == PTX_O_PARTS) {
		for (unsigned i = 0; i < o->count; i++)
			mark_operand(&o->list[i], mark);
		return;
	}
	if ((o->kind == PTX_O_SYMBOL || (o->kind == PTX_O_ADDR && o->base_kind == PTX_BASE_SYMBOL)) &&
	    o->sym->kind == PTX_SYM_VAR && o->sym->var->mark != &by_functions)
		o->sym->var->mark = mark;
}

static void mark_named(const struct ptx_function *fn, const void *mark)
{
	for (uint32_t k = 0; k < fn->ninstrs; k++)
		for (unsigned n = 0; n < fn->instrs[k].nops; n++)
			mark_operand(&fn->instrs[k].ops[n], mark);
}

static bool has_shared(const struct ptx_module *ptx)
{
	for (uint32_t i = 0; i < ptx->nvars; i++)
		if (is_sized_shared(ptx->vars[i]))
			return true;
	return false;
}

static void place_marked(struct lower_module *m, struct mfunc *f, const struct ptx_module *ptx, const void *mark)
{
	for (uint32_t i = 0; i < ptx->nvars; i++)
		if (is_sized_shared(ptx->vars[i]) && ptx->vars[i]->mark == mark)
			place_shared_var(m, f, ptx->vars[i]);
}

/* Static shared memory of a kernel, at most, on every chip. The words are ptxas's. */
static void hold_limit(const struct lower_module *m, const struct ptx_function *kernel, struct mfunc *f)
{
	enum { MOST = 0xc000 };
	const uint32_t bytes = m->shared_static - f->target->shared_base;
	if (kernel->is_entry && bytes > MOST && !m->relocatable)
		lower_error(f, kernel->pos.line, "Entry function '%s' uses too much shared data (0x%x bytes, 0x%x max)",
		            kernel->name, bytes, MOST);
}

static uint32_t unsized_align(uint32_t align, struct ptx_var *const *vars, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (is_shared(vars[i]) && vars[i]->unsized && vars[i]->align > align)
			align = vars[i]->align;
	return align;
}

/* All unsized arrays start at the end of the static variables, with the strictest alignment of the arrays. */
static void place_unsized(struct lower_module *m, struct ptx_var *const *vars, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (is_shared(vars[i]) && vars[i]->unsized) {
			set_offset(vars[i], m->shared_dynamic);
			m->shared_static = m->shared_dynamic;
		}
}

static void place_all_shared(struct lower_module *m, const struct ptx_module *ptx, const struct ptx_function *kernel,
                             struct mfunc *f)
{
	uint32_t align = 16, start;
	m->shared_static = f->target->shared_base;
	if (has_shared(ptx)) {
		for (uint32_t i = 0; i < ptx->nvars; i++)
			if (is_sized_shared(ptx->vars[i]))
				ptx->vars[i]->user = NULL; /* the place for another kernel */
		if (kernel->is_entry)
			mark_named(kernel, kernel);
		place_marked(m, f, ptx, &by_functions);
	}
	for (uint32_t i = 0; i < m->ninner; i++)
		place_shared(m, f, m->inner[i]->vars, m->inner[i]->nvars);
	if (kernel->is_entry) {
		place_marked(m, f, ptx, kernel);
		place_shared(m, f, kernel->vars, kernel->nvars);
	}
	hold_limit(m, kernel, f);
	align = unsized_align(unsized_align(align, ptx->vars, ptx->nvars), kernel->vars, kernel->nvars);
	start = align_up(m->shared_static, align);
	if (m->shared_dynamic < start)
		m->shared_dynamic = start;
	place_unsized(m, ptx->vars, ptx->nvars);
	place_unsized(m, kernel->vars, kernel->nvars);
}

void lower_place(struct lower_module *m, const struct ptx_module *ptx, const struct ptx_function *kernel,
                 struct mfunc *f)
{
	enum { LOCAL_LIMIT = 1 << 19 };
	m->ptx = ptx;
	m->kernel = kernel;
	m->local_bytes = select_outgoing(f, kernel); /* arguments of calls at R1 come first */
	m->param_base =
	        kernel->is_entry ? wl_cb0_param_base(f->arch, kernel->param_size) : wl_cb0_layout(f->arch)->param;
	for (uint32_t i = 0; kernel->is_entry && i < kernel->nparams; i++)
		set_offset(kernel->params[i], m->param_base + (uint32_t)kernel->params[i]->offset);
	place_all_shared(m, ptx, kernel, f);
	for (uint32_t i = 0; i < kernel->nvars; i++)
		if (kernel->vars[i]->space == PTX_SP_local)
			place_next(f, &m->local_bytes, LOCAL_LIMIT, kernel->vars[i], "local memory");
	m->local_bytes = align_up(m->local_bytes, 16);
}

static void name_shared(struct kernel_code *c, struct ptx_var *const *vars, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (is_shared(vars[i]) && !vars[i]->unsized && vars[i]->user)
			c->shared_vars[c->nshared_vars++] =
			        (struct code_var){vars[i], (uint32_t)((uintptr_t)vars[i]->user - 1)};
}

void lower_name_shared(const struct lower_module *m, const struct mfunc *f, struct kernel_code *c)
{
	size_t n = (size_t)m->ptx->nvars + m->kernel->nvars;
	for (uint32_t i = 0; i < m->ninner; i++)
		n += m->inner[i]->nvars;
	c->nshared_vars = 0;
	c->shared_vars = arena_alloc(f->keep, (n + 1) * sizeof *c->shared_vars);
	if (!m->kernel->is_entry)
		return;
	name_shared(c, m->ptx->vars, m->ptx->nvars);
	for (uint32_t i = 0; i < m->ninner; i++)
		name_shared(c, m->inner[i]->vars, m->inner[i]->nvars);
	name_shared(c, m->kernel->vars, m->kernel->nvars);
}

bool lower_var_offset(struct mfunc *f, uint32_t line, const struct ptx_var *v, uint32_t *offset)
{
	*offset = 0;
	if (v->user) {
		*offset = (uint32_t)((uintptr_t)v->user - 1);
		return true;
	}
	if (f->nerrors) /* the reason has been reported */
		return false;
	lower_error(f, line, "variable '%s' in state space .%s is not built yet", v->name, ptx_space_name(v->space));
	return false;
}

/* ---- the module ---- */

static void add_vars(struct module_vars *to, struct mfunc *f, struct ptx_var *const *vars, uint32_t n)
{
	enum { BANK_LIMIT = 65536 };
	for (uint32_t i = 0; i < n; i++) {
		struct ptx_var *v = vars[i];
		if ((v->space != PTX_SP_global && v->space != PTX_SP_const) || v->linkage == PTX_LINK_EXTERN)
			continue;
		if (v->space == PTX_SP_const)
			place_next(f, &to->constant_bytes, BANK_LIMIT, v, "constant memory");
		to->list[to->n++] = v;
	}
}

static bool names_unsized(const struct ptx_function *fn)
{
	for (uint32_t k = 0; k < fn->ninstrs; k++)
		for (unsigned n = 0; n < fn->instrs[k].nops; n++) {
			const struct ptx_operand *o = &fn->instrs[k].ops[n];
			bool symbol =
			        o->kind == PTX_O_SYMBOL || (o->kind == PTX_O_ADDR && o->base_kind == PTX_BASE_SYMBOL);
			if (symbol && o->sym->kind == PTX_SYM_VAR && o->sym->var->unsized)
				return true;
		}
	return false;
}

static uint32_t most_shared(const struct ptx_module *ptx, const struct module_vars *vars, struct mfunc *f)
{
	uint32_t most = 0;
	for (uint32_t i = 0; i < ptx->nfunctions; i++)
		if (ptx->functions[i]->is_entry) {
			struct lower_module m = {.inner = vars->inner, .ninner = vars->ninner};
			place_all_shared(&m, ptx, ptx->functions[i], f);
			if (m.shared_dynamic > most)
				most = m.shared_dynamic;
		}
	return most;
}

static bool instruction_asks(const struct ptx_instr *i)
{
	if (i->op == PTX_OP_mapa || i->op == PTX_OP_getctarank || i->op == PTX_OP_barrier_cluster_arrive)
		return true;
	if (i->space[0] == PTX_SP_shared_cluster || i->space[1] == PTX_SP_shared_cluster || i->scope == PTX_M_cluster)
		return true;
	for (unsigned k = 0; k < i->nops; k++)
		if (i->ops[k].kind == PTX_O_SREG && i->ops[k].sreg == PTX_SR_cluster_ctarank)
			return true;
	return false;
}

static bool asks_about_clusters(const struct ptx_module *ptx)
{
	for (uint32_t i = 0; i < ptx->nfunctions; i++) {
		const struct ptx_function *f = ptx->functions[i];
		if (f->explicitcluster || f->reqnctapercluster[0] || f->maxclusterrank || f->blocksareclusters)
			return true;
		for (uint32_t k = 0; k < f->ninstrs; k++)
			if (instruction_asks(&f->instrs[k]))
				return true;
	}
	return false;
}

bool lower_place_module(const struct ptx_module *ptx, const struct wlcc_options *o, struct module_vars *vars,
                        uint32_t *shared_dynamic)
{
	struct mfunc f = {.arena = (struct arena *)(uintptr_t)&ptx->arena,
	                  .file = o->file,
	                  .diag = o->diag,
	                  .diag_self = o->diag_self,
	                  .arch = o->arch,
	                  .target = lower_target(o->arch)};
	uint32_t n = ptx->nvars;
	for (uint32_t i = 0; i < ptx->nfunctions; i++)
		n += ptx->functions[i]->nvars;
	*vars = (struct module_vars){.list = arena_alloc(f.arena, (n + 1) * sizeof *vars->list)};
	vars->inner = arena_alloc(f.arena, (ptx->nfunctions + 1) * sizeof(struct ptx_function *));
	for (uint32_t i = 0; i < ptx->nfunctions; i++)
		if (!ptx->functions[i]->is_entry && ptx->functions[i]->nvars)
			vars->inner[vars->ninner++] = ptx->functions[i];
	if (has_shared(ptx))
		for (uint32_t i = 0; i < ptx->nfunctions; i++)
			if (!ptx->functions[i]->is_entry)
				mark_named(ptx->functions[i], &by_functions);
	vars->clusters = o->arch >= WL_SM90 && asks_about_clusters(ptx);
	add_vars(vars, &f, ptx->vars, ptx->nvars);
	*shared_dynamic = 0;
	for (uint32_t i = 0; i < ptx->nfunctions; i++)
		add_vars(vars, &f, ptx->functions[i]->vars, ptx->functions[i]->nvars);
	for (uint32_t i = 0; i < ptx->nfunctions && !*shared_dynamic && !f.nerrors; i++)
		if (!ptx->functions[i]->is_entry && names_unsized(ptx->functions[i]))
			*shared_dynamic = most_shared(ptx, vars, &f);
	return f.nerrors == 0;
}

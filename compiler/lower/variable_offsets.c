// SPDX-License-Identifier: Apache-2.0
/* variable_offsets.c -- where the variables of a kernel lie in their state spaces. */
#include "select.h"

/* The place is kept in the variable itself: user = offset + 1, so that NULL says "none". */
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

void lower_place(struct lower_module *m, const struct ptx_module *ptx, const struct ptx_function *kernel,
                 struct mfunc *f)
{
	enum { SHARED_LIMIT = 65536, LOCAL_LIMIT = 1 << 19 };
	uint32_t align = 16;
	m->ptx = ptx;
	m->kernel = kernel;
	m->shared_static = f->target->shared_base;
	m->local_bytes = 0;
	m->param_base = wl_cb0_layout(f->arch)->param;
	for (uint32_t i = 0; i < kernel->nparams; i++)
		set_offset(kernel->params[i], m->param_base + (uint32_t)kernel->params[i]->offset);
	for (uint32_t i = 0; i < ptx->nvars; i++)
		if (is_shared(ptx->vars[i]) && !ptx->vars[i]->unsized)
			place_next(f, &m->shared_static, SHARED_LIMIT, ptx->vars[i], "shared memory");
	for (uint32_t i = 0; i < kernel->nvars; i++) {
		struct ptx_var *v = kernel->vars[i];
		if (is_shared(v) && !v->unsized)
			place_next(f, &m->shared_static, SHARED_LIMIT, v, "shared memory");
		else if (v->space == PTX_SP_local)
			place_next(f, &m->local_bytes, LOCAL_LIMIT, v, "local memory");
	}
	/* Unsized arrays all start where the static variables end, as the strictest of them wants. */
	for (uint32_t i = 0; i < ptx->nvars; i++)
		if (is_shared(ptx->vars[i]) && ptx->vars[i]->unsized && ptx->vars[i]->align > align)
			align = ptx->vars[i]->align;
	m->shared_dynamic = align_up(m->shared_static, align);
	for (uint32_t i = 0; i < ptx->nvars; i++)
		if (is_shared(ptx->vars[i]) && ptx->vars[i]->unsized) {
			set_offset(ptx->vars[i], m->shared_dynamic);
			m->shared_static = m->shared_dynamic;
		}
	m->local_bytes = align_up(m->local_bytes, 16);
}

bool lower_var_offset(struct mfunc *f, uint32_t line, const struct ptx_var *v, uint32_t *offset)
{
	*offset = 0;
	if (v->user) {
		*offset = (uint32_t)((uintptr_t)v->user - 1);
		return true;
	}
	lower_error(f, line, "variable '%s' in state space .%s is not built yet", v->name, ptx_space_name(v->space));
	return false;
}

// SPDX-License-Identifier: Apache-2.0
#include "order.h"

#include "archs.h"

enum fences { MEMBAR_ALL = 1, MEMBAR_SC = 2, ERRBAR = 4, CGAERRBAR = 8, IVALL = 16 };
enum distance { NEAR, WIDE };

struct fence_row {
	enum ordered what;
	unsigned order;
	enum distance distance;
	unsigned first_arch, last_arch;
	unsigned before, after;
};

#define ROW(what, order, distance, first, last, before, after)                                                         \
	{ORDERED_##what, PTX_M_##order, distance, first, last, before, after},
#define FENCES(what, order, distance, archs, before, after) ROW(what, order, distance, archs, before, after)
#define ACCESS(word, order, scope)
#define HINT(word, member, value)
static const struct fence_row fence_rows[] = {
#include "order.def"
};
#undef ROW

enum implied { NAMED, CTA, GPU, SYSTEM };

#define FENCES(what, order, distance, archs, before, after)
#define ACCESS(word, order, scope) {PTX_M_##word, order, scope},
#define HINT(word, member, value)
static const struct {
	unsigned word;
	enum wl_mem_order order;
	enum implied scope;
} access_rows[] = {
#include "order.def"
};

static const struct fence_row *find(const struct select *s, enum ordered what, unsigned order, unsigned scope)
{
	enum distance d = scope == PTX_M_cta ? NEAR : WIDE;
	for (unsigned i = 0; i < sizeof fence_rows / sizeof *fence_rows; i++) {
		const struct fence_row *r = &fence_rows[i];
		if (r->what == what && r->order == order && r->distance == d && s->f->arch >= r->first_arch &&
		    s->f->arch <= r->last_arch)
			return r;
	}
	return NULL;
}

bool order_beside(const struct select *s)
{
	return s->f->target->fences_beside;
}

bool order_fences_before(const struct select *s)
{
	const struct fence_row *r = find(s, ORDERED_ACCESS, s->i->order, s->i->scope);
	return r && r->before;
}

bool order_is_fence(unsigned order)
{
	for (unsigned i = 0; i < sizeof fence_rows / sizeof *fence_rows; i++)
		if (fence_rows[i].what == ORDERED_FENCE && fence_rows[i].order == order)
			return true;
	return false;
}

/* .gpu, .gl, .cluster and no scope are equal. */
static enum wl_scope scope_of(const struct select *s, unsigned scope)
{
	if (scope == PTX_M_cta)
		return s->f->arch < WL_SM80 ? WL_SCOPE_CTA : WL_SCOPE_SM;
	return scope == PTX_M_sys ? WL_SCOPE_SYS : WL_SCOPE_GPU;
}

static void emit(struct select *s, unsigned fences, unsigned scope)
{
	struct minst in;
	if (fences & (MEMBAR_ALL | MEMBAR_SC)) {
		in = minst_make(WL_UOP_MEMBAR, s->line);
		in.w.op = fences & MEMBAR_SC ? WL_MEMBAR_SC : WL_MEMBAR_ALL;
		in.w.scope = scope == PTX_M_cta ? WL_SCOPE_CTA : scope_of(s, scope);
		select_emit(s, &in);
	}
	if (s->f->knobs.no_errbars)
		fences &= ~(unsigned)(ERRBAR | CGAERRBAR);
	if (fences & ERRBAR) {
		in = minst_make(WL_UOP_ERRBAR, s->line);
		select_emit(s, &in);
	}
	if (fences & CGAERRBAR) {
		in = minst_make(WL_UOP_ERRBAR, s->line);
		in.w.op = 1;
		select_emit(s, &in);
	}
	if (fences & IVALL) {
		in = minst_make(WL_UOP_CCTL_IVALL, s->line);
		select_emit(s, &in);
	}
}

void order_before(struct select *s, enum ordered what, unsigned order, unsigned scope)
{
	const struct fence_row *r = find(s, what, order, scope);
	if (r)
		emit(s, r->before, scope);
}

void order_behind(struct select *s, enum ordered what, unsigned order, unsigned scope)
{
	const struct fence_row *r = find(s, what, order, scope);
	if (r)
		emit(s, r->after, scope);
}

static void put_hints(const struct ptx_instr *i, struct minst *in)
{
#define FENCES(what, order, distance, archs, before, after)
#define ACCESS(word, order, scope)
#define HINT(word, member, value)                                                                                      \
	if (ptx_has(i, PTX_M_##word))                                                                                  \
		in->w.member = (value);
#include "order.def"
}

void order_access(const struct select *s, struct minst *in)
{
	static const unsigned implied[] = {[CTA] = PTX_M_cta, [GPU] = PTX_M_gpu, [SYSTEM] = PTX_M_sys};
	put_hints(s->i, in);
	for (unsigned k = 0; k < sizeof access_rows / sizeof *access_rows; k++) {
		if (!ptx_has(s->i, (enum ptx_mod)access_rows[k].word))
			continue;
		in->w.order = access_rows[k].order;
		in->w.scope = scope_of(s, access_rows[k].scope == NAMED ? s->i->scope : implied[access_rows[k].scope]);
		return;
	}
}

void order_atomic(const struct select *s, struct minst *in)
{
	put_hints(s->i, in);
	in->w.order = WL_MEM_STRONG;
	in->w.scope = scope_of(s, s->i->scope);
}

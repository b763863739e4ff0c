// SPDX-License-Identifier: Apache-2.0
/* select_proxy.c -- fences between proxies, the ways to memory: proxy.def has the code of each fence. */
#include "address.h"
#include "order.h"
#include "select.h"
#include "uniform_operands.h"

#include <stdio.h>

enum steps {
	SC_BOTH = 1,
	MEMBAR_CTA = 2,
	MEMBAR_GPU = 4,
	MEMBAR_SCOPE = 8,
	ERRORS = 16,
	VIEW_S = 32,
	IVALL = 64,
	VIEW_G = 128,
	MAP = 256,
	WARNING = 512,
	SAME = -1
};
enum scopes { ANY, NEAR, WIDE, SYS };

struct proxy_row {
	unsigned word;
	unsigned order, restriction; /* ANYTHING, or a qualifier */
	enum scopes scopes;
	int steps, ptxas;
};

enum { ANYTHING = 0xffff };
#define ORDER_any                         ANYTHING
#define ORDER_none                        PTX_M_none
#define ORDER_acquire                     PTX_M_acquire
#define ORDER_release                     PTX_M_release
#define ORDER_acq_rel                     PTX_M_acq_rel
#define RESTRICTION_any                   ANYTHING
#define RESTRICTION_read                  PTX_M_sync_restrict__read
#define RESTRICTION_shared__cluster       PTX_M_sync_restrict__shared__cluster
#define RESTRICTION_shared__cluster__read PTX_M_sync_restrict__shared__cluster__read

static const struct proxy_row rows[] = {
#define PROXY(word, order, restriction, scopes, steps, ptxas)                                                          \
	{PTX_M_##word, ORDER_##order, RESTRICTION_##restriction, scopes, (steps), (ptxas)},
#include "proxy.def"
};

static bool in_scope(const struct ptx_instr *i, enum scopes scopes)
{
	switch (scopes) {
	case NEAR:
		return i->scope == PTX_M_cta;
	case WIDE:
		return i->scope != PTX_M_cta;
	case SYS:
		return i->scope == PTX_M_sys;
	default:
		return true;
	}
}

static const struct proxy_row *find(const struct ptx_instr *i)
{
	for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
		const struct proxy_row *r = &rows[k];
		if (ptx_has(i, (enum ptx_mod)r->word) && (r->order == ANYTHING || r->order == i->order) &&
		    (r->restriction == ANYTHING || ptx_has(i, (enum ptx_mod)r->restriction)) && in_scope(i, r->scopes))
			return r;
	}
	return NULL;
}

static void membar(struct select *s, unsigned op, enum wl_scope scope)
{
	struct minst in = minst_make(WL_UOP_MEMBAR, s->line);
	in.w.op = (uint8_t)op;
	in.w.scope = (uint8_t)scope;
	select_emit(s, &in);
}

static enum wl_scope scope_of(const struct ptx_instr *i)
{
	return i->scope == PTX_M_cta ? WL_SCOPE_CTA : i->scope == PTX_M_sys ? WL_SCOPE_SYS : WL_SCOPE_GPU;
}

/* The same memory by another address: NVIDIA's code waits for both the device and the system. */
static void both(struct select *s)
{
	static const enum wl_scope scopes[] = {WL_SCOPE_GPU, WL_SCOPE_SYS, WL_SCOPE_GPU};
	const unsigned first = s->f->arch == WL_SM80 ? 1 : 0, n = s->f->arch < WL_SM80 ? 1 : 2;
	for (unsigned k = first; k < first + n; k++)
		membar(s, WL_MEMBAR_SC, scopes[k]);
}

static void errors(struct select *s)
{
	for (unsigned k = 0; k < 2; k++) {
		struct minst in = minst_make(WL_UOP_ERRBAR, s->line);
		in.w.op = (uint8_t)k;
		select_emit(s, &in);
	}
}

/* Lanes with other maps go round again. ptxas 13.1 and later also end the commands given to the unit of tensor maps. */
static void read_map_anew(struct select *s)
{
	struct uniform_operands u = UNIFORM_NONE;
	const bool once = s->together && select_same(s, &s->i->ops[0]);
	struct address a;
	char words[160], drop[48] = "";
	u.r[0] = select_tmp(s, 2);
	u.r[1] = u.r[0] + 1;
	if (select_address(s, &s->i->ops[0], PTX_SP_global, &a))
		select_add64(s, u.r[0], val_reg(a.base), val_imm((uint64_t)a.off), false);
	if (s->f->arch >= WL_SM100)
		snprintf(drop, sizeof drop, "CCTL.E.C.LDCU.IV.DEEP [UR%u]|", UNIFORM_AT(0));
	snprintf(words, sizeof words, "DEPBAR {5,4,3,2,1,0}|%sUTMACCTL.IV [UR%u]%s", drop, UNIFORM_AT(0),
	         s->f->ptxas >= 131 ? "|UTMACMDFLUSH" : "");
	if (once)
		uniform_once(s, &u, "%s", words);
	else
		uniform_each_value(s, &u, "%s", words);
}

static void emit(struct select *s, int steps)
{
	struct minst in;
	if (steps & WARNING)
		lower_warn(s->f, s->line,
		           "'fence.proxy.tensormap::generic.acq_rel' acquires no tensor map, as in ptxas's code");
	if (steps & SC_BOTH)
		both(s);
	if (steps & (MEMBAR_CTA | MEMBAR_GPU | MEMBAR_SCOPE))
		membar(s, WL_MEMBAR_ALL,
		       steps & MEMBAR_CTA   ? WL_SCOPE_CTA
		       : steps & MEMBAR_GPU ? WL_SCOPE_GPU
		                            : scope_of(s->i));
	if (steps & ERRORS)
		errors(s);
	if (steps & VIEW_S)
		select_text(s, "FENCE.VIEW.ASYNC.S");
	if (steps & IVALL) {
		in = minst_make(WL_UOP_CCTL_IVALL, s->line);
		select_emit(s, &in);
	}
	if (steps & VIEW_G)
		select_text(s, "FENCE.VIEW.ASYNC.G");
	if (steps & MAP)
		read_map_anew(s);
}

/* Of asynchronous copies, without an order. */
static void async_fence(struct select *s)
{
	const struct ptx_instr *i = s->i;
	if (i->nspaces && i->space[0] == PTX_SP_global) {
		select_text(s, "FENCE.VIEW.ASYNC.G");
		return;
	}
	membar(s, WL_MEMBAR_ALL, i->nspaces && i->space[0] == PTX_SP_shared_cta ? WL_SCOPE_CTA : WL_SCOPE_GPU);
	select_text(s, "FENCE.VIEW.ASYNC.S");
}

/* tensormap.cp_fenceproxy: 128 bytes from shared to global memory, a word by each lane, and a release. */
static void copy_map(struct select *s)
{
	const bool sys = s->i->scope == PTX_M_sys;
	ref place = select_tmp(s, 1), to = select_tmp(s, 2), wide = select_tmp(s, 2);
	struct minst lane = minst_make(WL_UOP_S2R, s->line), in;
	struct address from, at;
	if (!select_address(s, &s->i->ops[1], PTX_SP_shared, &from) ||
	    !select_address(s, &s->i->ops[0], PTX_SP_global, &at))
		return;
	lane.rd = select_tmp(s, 1);
	select_emit(s, &lane);
	select_shift(s, wide, true, false, val_reg(lane.rd), val_imm(2));
	select_mov(s, wide + 1, VAL_ZERO);
	select_add(s, place, val_reg(select_shared_register(s, &from)), val_reg(wide));
	select_add64(s, to, val_reg(at.base), val_imm((uint64_t)at.off), false);
	select_add64(s, to, val_reg(to), val_reg(wide), false);
	in = minst_make(WL_UOP_LDS, s->line);
	in.ra = place;
	in.rd = select_tmp(s, 1);
	in.w.size = 4;
	in.keep = true;
	select_emit(s, &in);
	at = (struct address){.base = to};
	lane = minst_make(sys ? WL_UOP_STG : WL_UOP_ATOMG, s->line);
	select_put_address(&lane, &at);
	lane.rb = in.rd;
	lane.w.flags |= WL_F_E64;
	lane.w.size = 4;
	lane.keep = true;
	if (!sys) {
		lane.w.op = WL_ATOM_EXCH;
		lane.w.order = WL_MEM_STRONG;
		lane.w.scope = WL_SCOPE_GPU;
		lane.rd = select_tmp(s, 1); /* without a result ptxas has an ATOMG here, too */
	}
	select_emit(s, &lane);
	if (sys)
		membar(s, WL_MEMBAR_ALL, WL_SCOPE_SYS);
}

static bool operation(struct select *s)
{
	const struct ptx_instr *i = s->i;
	const struct proxy_row *r = i->op == PTX_OP_tensormap_cp_fenceproxy ? NULL : find(i);
	if (i->op == PTX_OP_tensormap_cp_fenceproxy) {
		copy_map(s);
		return true;
	}
	if (r) {
		emit(s, s->f->compat && r->ptxas != SAME ? r->ptxas : r->steps);
		return true;
	}
	/* fence.mbarrier_init: no part can be seen earlier; fence.acquire of shared memory of the cluster */
	if (ptx_has(i, PTX_M_mbarrier_init) || ptx_has(i, PTX_M_sync_restrict__shared__cluster))
		return true;
	if (ptx_has(i, PTX_M_sync_restrict__shared__cta)) {
		emit(s, MEMBAR_CTA | VIEW_S);
		return true;
	}
	if (!ptx_has(i, PTX_M_async))
		return false;
	async_fence(s);
	return true;
}

static bool is_proxy_fence(const struct ptx_instr *i)
{
	if (i->op == PTX_OP_membar_proxy || i->op == PTX_OP_fence_proxy || i->op == PTX_OP_tensormap_cp_fenceproxy)
		return true;
	return i->op == PTX_OP_fence &&
	       (ptx_has(i, PTX_M_mbarrier_init) || ptx_has(i, PTX_M_alias) ||
	        ptx_has(i, PTX_M_sync_restrict__shared__cta) || ptx_has(i, PTX_M_sync_restrict__shared__cluster));
}

bool select_proxy(struct select *s)
{
	if (!is_proxy_fence(s->i))
		return false;
	return select_guarded(s, operation);
}

// SPDX-License-Identifier: Apache-2.0
/* demand.c -- demands of the PTX memory model on each instruction.
 *
 * Sources: PTX ISA, "Memory Consistency Model", and the purpose of single words of NVIDIA's code. MEMBAR orders
 * everything seen and written by the thread before. ERRBAR and CGAERRBAR (sm_90 on) surface the errors of stores
 * visible to others. CCTL.IVALL drops the lines of the first-level cache. A CTA has one first-level cache, without
 * coherence with the caches of other CTAs. So:
 *
 *   release at scope s   every path from an earlier access has MEMBAR at s or wider, then the error barriers if s is
 *                        wider than the CTA
 *   acquire at scope s   if s is wider than the CTA, every path to a later access has CCTL.IVALL. Before sm_90 only the
 *                        own CTA reaches shared memory: nothing to drop
 *   sc                   MEMBAR.SC
 *   acq_rel              both release and acquire; a fence stands for all accesses before and behind
 *   strong               the word says STRONG (MMIO), and a scope at least as wide
 *
 * An mbarrier of sm_90 on orders within the CTA by itself. */
#include <stdlib.h>

#include "orders.h"

const char *reach_name(enum reach r)
{
	static const char *const names[] = {"none", "CTA", "GPU", "SYS"};
	return names[r];
}

static enum reach reach_of(const struct ptx_instr *i, enum reach otherwise)
{
	switch (i->scope) {
	case PTX_M_cta:
		return REACH_CTA;
	case PTX_M_cluster:
	case PTX_M_gpu:
	case PTX_M_gl:
		return REACH_GPU;
	case PTX_M_sys:
		return REACH_SYS;
	default:
		return otherwise;
	}
}

static bool is_private(const struct ptx_instr *i)
{
	switch (i->space[0]) {
	case PTX_SP_const:
	case PTX_SP_local:
	case PTX_SP_param:
	case PTX_SP_param_entry:
	case PTX_SP_param_func:
		return true;
	default:
		return false;
	}
}

static void read_order(struct demand *d)
{
	switch (d->i->order) {
	case PTX_M_acquire:
		d->acquire = true;
		break;
	case PTX_M_release:
		d->release = true;
		break;
	case PTX_M_acq_rel:
	case PTX_M_sc:
		d->acquire = d->release = true;
		d->sc = d->i->order == PTX_M_sc;
		break;
	default:
		break;
	}
}

static void read_access(struct demand *d)
{
	const struct ptx_instr *i = d->i;
	if (is_private(i) || ptx_has(i, PTX_M_nc)) {
		d->deed = DEED_NONE;
		return;
	}
	d->mmio = ptx_has(i, PTX_M_mmio);
	d->strong = d->mmio || (i->order && i->order != PTX_M_weak);
	d->reach = d->strong ? reach_of(i, i->order == PTX_M_volatile ? REACH_SYS : REACH_GPU) : REACH_NONE;
	read_order(d);
}

/* Arrivals release and waits acquire, unless relaxed. The scope is the CTA, unless the instruction says cluster. */
static void read_mbarrier(struct demand *d, enum deed deed)
{
	d->deed = deed;
	if (d->i->order == PTX_M_relaxed)
		return;
	d->release = deed == DEED_ARRIVE;
	d->acquire = deed == DEED_WAIT;
	d->reach = reach_of(d->i, REACH_CTA);
}

static void read_cluster_barrier(struct demand *d, enum deed deed)
{
	d->deed = deed;
	if (d->i->order == PTX_M_relaxed)
		return;
	d->release = deed == DEED_ARRIVE;
	d->acquire = deed == DEED_WAIT;
	d->reach = REACH_GPU;
}

static void read_fence(struct demand *d)
{
	const struct ptx_instr *i = d->i;
	d->deed = DEED_FENCE;
	if (i->op == PTX_OP_membar) {
		d->acquire = d->release = d->sc = true;
	} else {
		read_order(d);
		if (!i->order)
			d->acquire = d->release = true;
	}
	if (ptx_has(i, PTX_M_mbarrier_init) || ptx_has(i, PTX_M_sync_restrict__shared__cta) ||
	    ptx_has(i, PTX_M_sync_restrict__shared__cluster))
		d->deed = DEED_NONE; /* for mbarriers alone */
	d->reach = reach_of(i, REACH_GPU);
}

static struct demand read(const struct ptx_function *f, uint32_t at)
{
	const struct ptx_instr *i = &f->instrs[at];
	struct demand d = {.i = i, .f = f, .at = at};
	d.own_shared = i->space[0] == PTX_SP_shared || i->space[0] == PTX_SP_shared_cta;
	switch ((enum ptx_op)i->op) {
	case PTX_OP_ld:
		d.deed = DEED_LOAD;
		read_access(&d);
		break;
	case PTX_OP_st:
	case PTX_OP_st_async:
		d.deed = DEED_STORE;
		read_access(&d);
		break;
	case PTX_OP_atom:
	case PTX_OP_red:
		d.deed = DEED_ATOMIC;
		d.strong = true;
		d.reach = reach_of(i, REACH_GPU);
		read_order(&d);
		break;
	case PTX_OP_membar:
	case PTX_OP_fence:
		read_fence(&d);
		break;
	case PTX_OP_mbarrier_arrive:
	case PTX_OP_mbarrier_arrive_expect_tx:
	case PTX_OP_mbarrier_arrive_drop:
	case PTX_OP_mbarrier_arrive_drop_expect_tx:
		read_mbarrier(&d, DEED_ARRIVE);
		break;
	case PTX_OP_mbarrier_test_wait:
	case PTX_OP_mbarrier_test_wait_parity:
	case PTX_OP_mbarrier_try_wait:
	case PTX_OP_mbarrier_try_wait_parity:
		read_mbarrier(&d, DEED_WAIT);
		break;
	case PTX_OP_barrier_cluster_arrive:
		read_cluster_barrier(&d, DEED_ARRIVE);
		break;
	case PTX_OP_barrier_cluster_wait:
		read_cluster_barrier(&d, DEED_WAIT);
		break;
	case PTX_OP_call:
		d.deed = DEED_CALL;
		break;
	case PTX_OP_red_async:
		if (i->order == PTX_M_release) {
			d.deed = DEED_ATOMIC;
			d.strong = d.release = true;
			d.reach = reach_of(i, REACH_GPU);
			break;
		}
		d.deed = DEED_OTHER;
		break;
	case PTX_OP_wmma: /* .load and .store; .mma has no word that touches memory */
	case PTX_OP_ldu:
	case PTX_OP_st_bulk:
	case PTX_OP_ldmatrix:
	case PTX_OP_stmatrix:
	case PTX_OP_clusterlaunchcontrol_try_cancel_async:
	case PTX_OP_cp_async:
	case PTX_OP_cp_async_mbarrier_arrive:
	case PTX_OP_cp_async_bulk:
	case PTX_OP_cp_reduce_async_bulk:
	case PTX_OP_mbarrier_init:
	case PTX_OP_mbarrier_inval:
	case PTX_OP_mbarrier_expect_tx:
	case PTX_OP_mbarrier_complete_tx:
	case PTX_OP_bar:
	case PTX_OP_bar_arrive:
	case PTX_OP_bar_red:
	case PTX_OP_bar_cta:
	case PTX_OP_bar_cta_arrive:
	case PTX_OP_bar_cta_red:
	case PTX_OP_barrier:
	case PTX_OP_barrier_arrive:
	case PTX_OP_barrier_red:
	case PTX_OP_barrier_cta:
	case PTX_OP_barrier_cta_arrive:
	case PTX_OP_barrier_cta_red:
		d.deed = DEED_OTHER;
		break;
	default:
		break;
	}
	return d;
}

unsigned demand_before(const struct demand *d, enum wl_arch arch)
{
	bool engine = d->deed == DEED_ARRIVE && arch >= WL_SM90;
	if (!d->release || (engine && d->reach == REACH_CTA))
		return 0;
	return STAGE_MEMBAR | (d->reach > REACH_CTA ? STAGE_ERRBAR : 0) |
	       (d->reach > REACH_CTA && arch >= WL_SM90 ? STAGE_CGAERRBAR : 0);
}

unsigned demand_behind(const struct demand *d, enum wl_arch arch)
{
	bool alone = d->own_shared && arch < WL_SM90;
	return d->acquire && d->reach > REACH_CTA && !alone ? STAGE_IVALL : 0;
}

static int by_line(const void *a, const void *b)
{
	const struct demand *x = a, *y = b;
	if (x->i->pos.line != y->i->pos.line)
		return x->i->pos.line < y->i->pos.line ? -1 : 1;
	return x->i->pos.col < y->i->pos.col ? -1 : x->i->pos.col > y->i->pos.col;
}

static uint32_t function_number(const struct ptx_module *m, const struct ptx_function *f)
{
	for (uint32_t i = 0; i < m->nfunctions; i++)
		if (m->functions[i] == f)
			return i;
	return 0;
}

bool demands_read(const struct ptx_module *m, struct demands *out)
{
	uint32_t most = 0;
	*out = (struct demands){.module = m};
	for (uint32_t k = 0; k < m->nfunctions; k++)
		most += m->functions[k]->ninstrs;
	out->list = calloc(most + 1, sizeof *out->list);
	out->of = calloc(m->nfunctions + 1, sizeof *out->of);
	if (!out->list || !out->of)
		return false;
	for (uint32_t k = 0; k < m->nfunctions; k++) {
		const struct ptx_function *f = m->functions[k];
		out->of[k] = calloc(f->ninstrs + 1, sizeof **out->of);
		if (!out->of[k])
			return false;
		for (uint32_t i = 0; i < f->ninstrs; i++) {
			struct demand d = read(f, i);
			if (d.deed != DEED_NONE)
				out->list[out->n++] = d;
		}
	}
	qsort(out->list, out->n, sizeof *out->list, by_line);
	for (uint32_t i = 0, k = 0; i < out->n; i++) {
		if (out->list[i].f != m->functions[k])
			k = function_number(m, out->list[i].f);
		out->of[k][out->list[i].at] = i + 1;
	}
	return true;
}

void demands_free(struct demands *d)
{
	for (uint32_t k = 0; d->of && k < d->module->nfunctions; k++)
		free(d->of[k]);
	free(d->of);
	free(d->list);
}

uint32_t demand_of(const struct demands *d, const struct ptx_function *f, uint32_t instr)
{
	return d->of[function_number(d->module, f)][instr];
}

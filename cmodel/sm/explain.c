// SPDX-License-Identifier: Apache-2.0
/* explain.c -- the state of a run in words: faults, deadlocks, limits, and the place of each warp. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "explain.h"
#include "groups.h"
#include "internal_call.h"
#include "misuse.h"
#include "waiting.h"
#include "warplock/waiting.h"
#include "usyncs.h"

enum {
	FAR_AWAY = 65536, /* bytes from a buffer: nobody miscounts by more */
	FACTS = 2000
};

/* A text that grows to the end of the buffer and no further. */
struct text {
	char *buf;
	size_t n, len;
};

static __attribute__((format(printf, 2, 3))) void add(struct text *t, const char *format, ...)
{
	va_list ap;
	if (t->len >= t->n)
		return;
	va_start(ap, format);
	int len = vsnprintf(t->buf + t->len, t->n - t->len, format, ap);
	va_end(ap);
	t->len += len > 0 ? (size_t)len : 0;
}

/* "HMMA, ": the instruction of a word outside of the tables, if the opcode tells. */
static const char *out_of_scope(struct wl_word w)
{
	switch (w.lo & 0xfff) {
#define WORD(opcode, name)                                                                                             \
	case opcode:                                                                                                   \
		return name ", ";
#include "out_of_scope.def"
#undef WORD
	default:
		return "";
	}
}

/* "pc 0x120 `BAR.SYNC 0x0` (hist.ptx, line 31)" */
static void add_place(struct text *t, const struct wl_program *p, uint32_t pc)
{
	char inst[160];
	uint32_t i = pc / 16;
	const struct wl_function *f = wl_program_function(p, i);
	add(t, "pc 0x%x", pc);
	if (f && f->external)
		return;
	if (f && strcmp(f->name, p->name) != 0)
		add(t, " (0x%x of %s)", pc - 16 * f->first, f->name);
	if (i >= p->ninst) {
		add(t, " (the code ends at 0x%x)", p->ninst * 16);
		return;
	}
	if (wl_print(p->arch, p->words[i], pc, inst, sizeof inst) >= 0) {
		add(t, " `%s`", inst);
	} else {
		char hex[33];
		wl_word_format(p->words[i], hex);
		add(t, " (%sunknown word %s)", out_of_scope(p->words[i]), hex);
	}
	const char *file;
	unsigned line;
	if (wl_program_line(p, i, &file, &line))
		add(t, " (%s, line %u)", file, line);
}

/* The calls replaced by the inlined code. */
static void add_calls(struct text *t, const struct wl_program *p, uint32_t pc)
{
	const struct wl_place *at = wl_program_place(p, pc / 16);
	char chain[WL_WHERE];
	if (!at || !at->caller)
		return;
	wl_place_chain(p->places, at, chain, sizeof chain);
	add(t, " [%s]", chain);
}

/* Of lanes in a function of the assembler, without a line: the call. */
static void add_caller(struct text *t, const struct wl_gpu *g, unsigned sm, unsigned warp, uint32_t lanes, uint32_t pc)
{
	uint32_t call;
	if (!internal_call(g, sm, warp, lanes, pc, &call))
		return;
	add(t, " called at ");
	add_place(t, g->program, call);
}

void explain_place(const struct wl_program *p, uint32_t pc, char *buf, size_t n)
{
	struct text t = {buf, n, 0};
	add_place(&t, p, pc);
}

void explain_calls(const struct wl_program *p, uint32_t pc, char *buf, size_t n)
{
	struct text t = {buf, n, 0};
	if (n)
		*buf = 0;
	add_calls(&t, p, pc);
}

void explain_shared(const struct wl_gpu *g, uint32_t addr, char *buf, size_t n)
{
	char object[120];
	if (wl_program_shared_object(g->program, g->shared_per_cta, addr, object, sizeof object))
		snprintf(buf, n, "%s (shared address 0x%x)", object, addr);
	else
		snprintf(buf, n, "shared address 0x%x", addr);
}

/* Distance of an address outside of all buffers to the nearest buffer, if near: the buffer meant. */
static void add_nearest(struct text *t, const struct wl_gmem *g, uint64_t addr)
{
	const struct wl_buf *nearest = NULL;
	uint64_t least = FAR_AWAY;
	for (uint32_t i = 0; i < g->nbuf; i++) {
		const struct wl_buf *b = &wl_gmem_buffers(g)[i];
		const uint64_t far = addr < b->addr ? b->addr - addr : addr - (b->addr + b->size);
		if (far >= least)
			continue;
		least = far;
		nearest = b;
	}
	if (!nearest)
		return;
	if (addr < nearest->addr)
		add(t, ", %llu bytes in front of ", (unsigned long long)least);
	else if (least)
		add(t, ", %llu bytes behind the end of ", (unsigned long long)least);
	else
		add(t, ", right behind ");
	if (nearest->name)
		add(t, "buffer '%s' (%llu bytes at 0x%llx)", nearest->name, (unsigned long long)nearest->size,
		    (unsigned long long)nearest->addr);
	else
		add(t, "memory that no argument names (%llu bytes at 0x%llx)", (unsigned long long)nearest->size,
		    (unsigned long long)nearest->addr);
}

/* Advice on a word without a meaning. */
static void add_hint(struct text *t, const struct wl_gpu *g)
{
	const struct trouble *x = &g->trouble;
	if (g->outcome == WL_FAULTED && x->fault == WL_FAULT_ILLEGAL_INSTRUCTION && x->pc / 16 < g->program->ninst &&
	    g->program->insts[x->pc / 16].uop == WL_UOP_ATOMSN)
		add(t, "; built with -mnative-shared: run with --native");
	if (g->outcome == WL_FAULTED && x->fault == WL_FAULT_ILLEGAL_INSTRUCTION && x->pc / 16 < g->program->ninst &&
	    wl_atoms_is_matrix(&g->program->insts[x->pc / 16]) && x->lanes != ALL_LANES)
		add(t, "; a matrix needs all 32 lanes of the warp, here 0x%08x", x->lanes);
}

/* An address of shared memory: the variable at the address and, in a cluster, the CTA. */
static void add_shared_place(struct text *t, const struct wl_gpu *g)
{
	const struct trouble *x = &g->trouble;
	const uint32_t rank = (uint32_t)x->addr >> WL_RANK_SHIFT;
	const struct cta *cta = &gpu_sm(g, x->sm)->cta[gpu_warp(g, x->sm, x->warp_index)->slot];
	const struct cta *home = &gpu_sm(g, cta->home.sm)->cta[cta->home.slot];
	const uint32_t at = (uint32_t)x->addr & ((1u << WL_RANK_SHIFT) - 1);
	char object[120];
	if (wl_program_shared_object(g->program, g->shared_per_cta, at, object, sizeof object))
		add(t, " (%s)", object);
	if (g->cluster_ctas == 1)
		return;
	if (rank >= g->cluster_ctas) {
		add(t, ", rank %u of cluster %u, which has %u CTAs", rank, cta->cluster, g->cluster_ctas);
		return;
	}
	const struct place p = home->member[rank];
	const struct cta *there = &gpu_sm(g, p.sm)->cta[p.slot];
	add(t, ", rank %u of cluster %u: CTA %u%s", rank, cta->cluster, there->number,
	    there->state == CTA_RUNS ? "" : ", which has ended");
}

static bool names_shared(const struct wl_gpu *g)
{
	const struct trouble *x = &g->trouble;
	const bool inside = x->has_addr && x->pc / 16 < g->program->ninst;
	const enum wl_unit unit = inside ? wl_uop_unit(g->program->insts[x->pc / 16].uop) : WL_UNIT_FRONT;
	return unit == WL_UNIT_atoms_pipe || unit == WL_UNIT_mbarrier_engine ||
	       (inside && (x->fault == WL_FAULT_MISUSE || x->fault == WL_FAULT_CLUSTER_TARGET ||
	                   x->fault == WL_FAULT_CLUSTER_RANK));
}

/* Lanes at different barriers: each place with lanes. */
static void add_places(struct text *t, const struct wl_gpu *g)
{
	const struct warp *w = gpu_warp(g, g->trouble.sm, g->trouble.warp_index);
	for (unsigned i = 0; i < w->ngroups; i++) {
		const struct group *grp = &w->g[i];
		if (grp->state != GROUP_BAR_WARP)
			continue;
		add(t, "; lanes 0x%08x at ", grp->mask);
		if (grp->bar_op >= BAR_OF_CLUSTER)
			add(t, "the barrier of the cluster, ");
		else
			add(t, "barrier %u, ", grp->bar_id);
		add_place(t, g->program, (grp->pc - 1) * 16);
	}
}

/* The other place of a misuse: an earlier init or inval, say. */
static void add_misuse(struct text *t, const struct wl_gpu *g)
{
	const uint32_t i = g->trouble.misuse;
	if (!i || i > g->misuse.n)
		return;
	const struct wl_misuse_found *f = &g->misuse.found[i - 1];
	add(t, "; misuse %s: %s", wl_misuse_name(f->kind), wl_misuse_sentence(f->kind));
	if (f->kind == WL_MISUSE_MASK_SELF)
		add(t, ", the mask is 0x%08x", (uint32_t)f->addr);
	if (!f->there.lanes || f->kind == WL_MISUSE_BARRIER_PLACES)
		return;
	add(t, "; %s CTA %u warp %u lanes 0x%08x at ", explain_role(g, f), f->there.cta, f->there.warp, f->there.lanes);
	add_place(t, g->program, f->there.pc);
}

/* An mbarrier lay at the address: tells the warp of the inval, or of the init of an overwritten mbarrier. */
static void add_ended(struct text *t, const struct wl_gpu *g)
{
	const struct trouble *x = &g->trouble;
	const struct sm *sm = gpu_sm(g, x->sm);
	const struct wl_window *w = &sm->units.smem.window[gpu_warp(g, x->sm, x->warp_index)->slot];
	const struct mbar_life *l = misuse_life(sm, w->base + (uint32_t)x->addr - w->origin);
	if (x->fault != WL_FAULT_MBAR_UNINIT || x->misuse || !l)
		return;
	const struct wl_misuse_place *p = l->state == LIFE_ENDED ? &l->ended : &l->made;
	add(t, "; the mbarrier there was %s by warp %u at ",
	    l->state == LIFE_ENDED ? "invalidated and overwritten: mbarrier.inval" : "overwritten: mbarrier.init",
	    p->warp);
	add_place(t, g->program, p->pc);
}

static void add_trouble(struct text *t, const struct wl_gpu *g)
{
	const struct trouble *x = &g->trouble;
	if (g->outcome == WL_FAULTED)
		add(t, "%s: %s%s%s", wl_fault_name(x->fault), wl_fault_text(x->fault), *x->text ? ": " : "", x->text);
	else
		add(t, "%s", x->text);
	if (x->has_addr)
		add(t, ", address 0x%llx", (unsigned long long)x->addr);
	if (names_shared(g))
		add_shared_place(t, g);
	if (x->has_addr && x->fault == WL_FAULT_GLOBAL_OUT_OF_RANGE)
		add_nearest(t, g->gmem, x->addr);
	add(t, "; kernel %s, ", g->program->name);
	add_place(t, g->program, x->pc);
	add_caller(t, g, x->sm, x->warp_index, x->lanes, x->pc);
	add(t, ", CTA %u, warp %u, lanes 0x%08x", x->cta, x->warp, x->lanes);
	add_calls(t, g->program, x->pc);
	if (g->outcome == WL_FAULTED && x->fault == WL_FAULT_BAR_NOT_CONVERGED)
		add_places(t, g);
	if (g->outcome == WL_FAULTED) {
		add_misuse(t, g);
		add_ended(t, g);
	}
	add_hint(t, g);
}

/* The mbarrier at `addr` of the CTA's window. */
static void add_mbarrier(struct text *t, const struct wl_gpu *g, unsigned sm, const struct warp *w, uint32_t addr)
{
	const struct wl_smem *smem = &gpu_sm(g, sm)->units.smem;
	char state[120], name[200];
	wl_mbar_describe(smem, smem->window[w->slot].base + addr, state, sizeof state);
	explain_shared(g, addr, name, sizeof name);
	const bool bare = strncmp(name, "shared address", 14) == 0 || strncmp(name, "dynamic shared memory", 21) == 0;
	add(t, "waits at the mbarrier %s%s: %s", bare ? "at " : "", name, state);
}

/* A warp in wait in a unit. */
static void add_unit_wait(struct text *t, const struct wl_gpu *g, unsigned sm, const struct warp *w)
{
	const struct wl_units *units = &gpu_sm(g, sm)->units;
	const struct wl_mbar_wait *m = &units->mbarrier_engine.wait[w - gpu_warp(g, sm, 0)];
	if (m->on)
		add_mbarrier(t, g, sm, w, m->id * 8u - units->smem.window[w->slot].base);
	else
		add(t, "waits in its unit");
}

/* A spinning group: the word read over and over by the lowest lane. */
static void add_spin(struct text *t, const struct wl_gpu *g, unsigned sm, const struct warp *w, const struct group *grp)
{
	const struct polls *p = (const struct polls *)block_at(g, g->at_polls);
	p += (uint64_t)sm * g->config.warps_per_sm + (uint64_t)(w - gpu_warp(g, sm, 0));
	const struct poll *l = &p->lane[lowest(grp->mask)];
	if (!l->size) {
		add(t, "goes round for ever");
		return;
	}
	if (usyncs_asks(g->program->insts[l->pc / 16].uop)) {
		add_mbarrier(t, g, sm, w, (uint32_t)l->addr);
		return;
	}
	char what[400];
	struct wl_waiting r;
	waiting_row(g, sm, (unsigned)(w - gpu_warp(g, sm, 0)), grp, &r);
	wl_waiting_text(&r, what, sizeof what);
	add(t, "%s", what);
	if (l->pc != grp->pc * 16) {
		add(t, ", read at ");
		add_place(t, g->program, l->pc);
	}
}

static void add_registers(struct text *t, const struct wl_gpu *g, unsigned sm, const struct warp *w,
                          const struct group *grp)
{
	char what[300];
	struct wl_waiting r;
	waiting_row(g, sm, (unsigned)(w - gpu_warp(g, sm, 0)), grp, &r);
	wl_waiting_text(&r, what, sizeof what);
	add(t, "waits for %s", what);
}

static void add_cluster(struct text *t, const struct wl_gpu *g, unsigned sm, const struct warp *w,
                        const struct group *grp)
{
	struct wl_waiting r;
	waiting_row(g, sm, (unsigned)(w - gpu_warp(g, sm, 0)), grp, &r);
	add(t, "waits at the barrier of cluster %u: %u of %u threads arrived", r.cluster, r.arrived, r.expected);
}

/* The wait of a standing group. */
static void add_wait(struct text *t, const struct wl_gpu *g, unsigned sm, const struct warp *w, const struct group *grp)
{
	const struct wl_units *units = &gpu_sm(g, sm)->units;
	const struct wl_bar_cta *bars = &units->barrier_file.cta[w->slot];
	const struct wl_conv_warp *conv = &units->convergence.warp[w - gpu_warp(g, sm, 0)];
	const uint32_t *wait_for = grp->state == GROUP_BSYNC ? conv->set[grp->id] : conv->wait_for;
	uint32_t lanes = 0;
	unsigned arrived;
	switch (grp->state) {
	case GROUP_READY:
		if (w->asked && !warp_is_held(w)) {
			add_registers(t, g, sm, w, grp);
			break;
		}
		if (g->spins && !warp_is_held(w)) {
			add_spin(t, g, sm, w, grp);
			break;
		}
		if (w->state == WARP_UNIT) {
			add_unit_wait(t, g, sm, w);
			break;
		}
		add(t, w->state == WARP_RESULT || w->state == WARP_PARKED ? "waits for its result"
		       : !warp_is_held(w)                                 ? "can go on"
		       : w->state == WARP_COPIES                          ? "waits for copies"
		                                                          : "waits for its posted requests");
		break;
	case GROUP_BSYNC:
	case GROUP_WARPSYNC:
		for (uint32_t m = grp->mask; m; m &= m - 1)
			lanes |= wait_for[lowest(m)];
		add(t, "waits for lanes 0x%08x", lanes & w->live & ~grp->mask);
		break;
	case GROUP_BAR_WARP:
		if (grp->bar_op >= BAR_OF_CLUSTER)
			add(t, "waits at the barrier of its cluster");
		else
			add(t, "waits at barrier %u", grp->id);
		add(t, " for lanes 0x%08x of its warp", w->live & ~groups_waiting_at_bar(w));
		break;
	case GROUP_BAR:
		if (grp->bar_op >= BAR_OF_CLUSTER) {
			add_cluster(t, g, sm, w, grp);
			break;
		}
		arrived = bars->bar[grp->id].here;
		add(t, "waits at barrier %u: %u of %u threads arrived", grp->id, arrived * WL_WARP_LANES,
		    (arrived + wl_bar_missing(bars, grp->id)) * WL_WARP_LANES);
		break;
	}
}

/* A waiting group stands behind the instruction of the wait. */
static uint32_t group_pc(const struct warp *w, unsigned i)
{
	const struct group *g = &w->g[i];
	const bool in_unit = (w->state == WARP_UNIT || w->state == WARP_COPIES) && i == w->cur;
	return (g->state == GROUP_READY && !in_unit ? g->pc : g->pc - 1) * 16;
}

/* Of a spinning group: the read. */
static uint32_t read_pc(const struct wl_gpu *g, unsigned sm, const struct warp *w, unsigned i)
{
	const struct group *grp = &w->g[i];
	const struct polls *p = (const struct polls *)block_at(g, g->at_polls);
	p += (uint64_t)sm * g->config.warps_per_sm + (uint64_t)(w - gpu_warp(g, sm, 0));
	const struct poll *l = &p->lane[lowest(grp->mask)];
	const bool spins = grp->state == GROUP_READY && g->spins && !warp_is_held(w) && !w->asked && l->size;
	return spins ? l->pc : group_pc(w, i);
}

static void add_group(struct text *t, const struct wl_gpu *g, unsigned sm, const struct warp *w, unsigned i)
{
	add(t, "CTA %u warp %u lanes 0x%08x at ", w->cta, w->thread0 / WL_WARP_LANES, w->g[i].mask);
	add_place(t, g->program, group_pc(w, i));
	add_caller(t, g, sm, (unsigned)(w - gpu_warp(g, sm, 0)), w->g[i].mask, group_pc(w, i));
	add(t, " ");
	add_wait(t, g, sm, w, &w->g[i]);
	struct wl_waiting r;
	char facts[FACTS];
	waiting_row(g, sm, (unsigned)(w - gpu_warp(g, sm, 0)), &w->g[i], &r);
	wl_waiting_facts(g, &r, facts, sizeof facts);
	add(t, "%s", facts);
	add_calls(t, g->program, read_pc(g, sm, w, i));
}

/* Calls `line` for each group of each live warp. */
static void each_group(const struct wl_gpu *g, void (*line)(void *self, const char *text), void *self)
{
	char buf[600 + 2 * WL_WHERE + FACTS];
	for (unsigned sm = 0; sm < g->config.sms; sm++) {
		for (unsigned k = 0; k < g->cta_slots * g->warps_per_cta; k++) {
			const struct warp *w = gpu_warp(g, sm, k);
			for (unsigned i = 0; w->live && i < w->ngroups; i++) {
				struct text t = {buf, sizeof buf, 0};
				add_group(&t, g, sm, w, i);
				line(self, buf);
			}
		}
	}
}

struct first_line {
	struct text *t;
	unsigned count;
};

static void take_first(void *self, const char *text)
{
	struct first_line *f = self;
	if (!f->count++)
		add(f->t, "%s", text);
}

/* The first of the live groups, and the number of further groups. */
static void add_standing(struct text *t, const struct wl_gpu *g)
{
	struct first_line f = {t, 0};
	each_group(g, take_first, &f);
	if (f.count > 1)
		add(t, "; and %u more", f.count - 1);
}

static void add_judged(struct text *t, const struct wl_gpu *g)
{
	add(t, "kernel %s does not get on, for %llu warp instructions ", g->program->name,
	    (unsigned long long)g->quiet.issued);
	if (g->quiet.ns)
		add(t, "and %llu s of the clock ", (unsigned long long)(g->quiet.ns / 1000000000));
	add(t, "its warps have read the same words and no memory has changed: ");
}

void wl_gpu_detail(const struct wl_gpu *g, char *buf, size_t n)
{
	struct text t = {buf, n, 0};
	if (n)
		buf[0] = 0;
	switch (g->outcome) {
	case WL_RUNNING:
		add(&t, "kernel %s is running", g->program->name);
		break;
	case WL_ENDED:
		add(&t, "kernel %s ended: %u CTAs", g->program->name, g->ctas);
		if (g->canceled)
			add(&t, ", the launches of %u of them canceled", g->canceled);
		break;
	case WL_DEADLOCK:
		if (g->spins == SPIN_JUDGED)
			add_judged(&t, g);
		else
			add(&t,
			    g->spins ? "kernel %s cannot end, its warps wait in loops and no memory changes any more: "
			             : "no warp of kernel %s can go on: ",
			    g->program->name);
		add_standing(&t, g);
		break;
	case WL_LIMIT:
		add(&t, "kernel %s is not at its end after %llu warp instructions: ", g->program->name,
		    (unsigned long long)g->issued);
		add_standing(&t, g);
		break;
	case WL_FAULTED:
	case WL_ERROR:
		add_trouble(&t, g);
		break;
	}
}

void wl_gpu_explain(const struct wl_gpu *g, void (*line)(void *self, const char *text), void *self)
{
	if (g->next_cta < g->ctas) {
		char buf[80];
		snprintf(buf, sizeof buf, "%u of %u CTAs have not started", g->ctas - g->next_cta, g->ctas);
		line(self, buf);
	}
	each_group(g, line, self);
}

// SPDX-License-Identifier: Apache-2.0
/* misuse.c -- misuses left undefined by PTX and maybe executed by silicon (misuse.def). The run notes each pair of
 * places once, and goes on or ends by the mode of the kind. The front end judges all kinds: the units, in C and in RTL,
 * execute the words. misuse_mbarrier.c has the kinds of mbarriers. */
#include <stdio.h>
#include <string.h>

#include "exec.h"
#include "explain.h"
#include "misuse.h"
#include "stop.h"
#include "observe.h"

enum { GOES_ON, TOLD, FAULTS };
static const struct kind {
	const char *name, *sentence;
	uint8_t by_default;
	enum wl_fault fault;
} kinds[WL_MISUSE_COUNT] = {
#define MISUSE(name, option, by_default, fault, sentence) {option, sentence, by_default, WL_FAULT_##fault},
#include "misuse.def"
};

const char *wl_misuse_name(enum wl_misuse kind)
{
	return kinds[kind].name;
}

const char *wl_misuse_sentence(enum wl_misuse kind)
{
	return kinds[kind].sentence;
}

bool wl_misuse_faults(enum wl_misuse kind)
{
	return kinds[kind].by_default == FAULTS;
}

static bool parse_mode(const char *text, uint8_t *mode)
{
	static const char *const names[] = {
	        [WL_MISUSE_SILICON] = "silicon", [WL_MISUSE_REPORT] = "report", [WL_MISUSE_FAULT] = "fault"};
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(text, names[i]) == 0) {
			*mode = (uint8_t)i;
			return true;
		}
	return false;
}

bool wl_misuse_parse(const char *text, uint8_t mode[WL_MISUSE_COUNT])
{
	const char *is = strchr(text, '=');
	uint8_t m;
	if (!parse_mode(is ? is + 1 : text, &m))
		return false;
	if (!is)
		memset(mode, m, WL_MISUSE_COUNT);
	for (unsigned i = 0; is && i < WL_MISUSE_COUNT; i++)
		if (strlen(kinds[i].name) == (size_t)(is - text) &&
		    strncmp(kinds[i].name, text, (size_t)(is - text)) == 0) {
			mode[i] = m;
			return true;
		}
	return !is;
}

/* ---- findings ---- */

static bool is_fault(const struct wl_gpu *g, enum wl_misuse kind)
{
	const uint8_t mode = g->misuse.mode[kind];
	return mode == WL_MISUSE_SILICON ? wl_misuse_faults(kind) : mode == WL_MISUSE_FAULT;
}

static struct wl_misuse_place place_here(const struct exec *x, uint32_t lanes)
{
	return (struct wl_misuse_place){.pc = x->pc * 16,
	                                .sm = x->sm_index,
	                                .cta = x->w->cta,
	                                .warp = x->w->thread0 / WL_WARP_LANES,
	                                .lanes = lanes,
	                                .time = sm_time(x->sm) + x->done};
}

/* Index of the finding; WL_MISUSE_MOST: no room. */
static unsigned note(struct wl_gpu *g, const struct wl_misuse_found *f)
{
	struct misuses *m = &g->misuse;
	unsigned i = 0;
	if (g->observer && f->kind != WL_MISUSE_COPY_EARLY) /* checks find these by themselves: COPY_UNDERWAY */
		observe_misuse(g, f);
	while (i < m->n && (m->found[i].kind != f->kind || m->found[i].here.pc != f->here.pc ||
	                    m->found[i].there.pc != f->there.pc || m->found[i].id != f->id))
		i++;
	if (i == WL_MISUSE_MOST) {
		m->more++;
		return i;
	}
	if (i == m->n) {
		m->found[m->n++] = *f;
		m->found[i].forgiven =
		        g->misuse.mode[f->kind] == WL_MISUSE_SILICON && kinds[f->kind].by_default == GOES_ON;
	}
	m->found[i].times++;
	return i;
}

bool misuse_goes_on(struct wl_gpu *g, unsigned warp, const struct wl_misuse_found *f)
{
	const unsigned i = note(g, f);
	if (!is_fault(g, f->kind))
		return true;
	if (i < WL_MISUSE_MOST)
		g->misuse.found[i].ends = true;
	stop_at(g, f->here.sm, warp, f->here.pc, f->here.lanes, kinds[f->kind].fault, f->has_addr, f->addr);
	g->trouble.misuse = i + 1;
	return false;
}

static bool goes_on(const struct exec *x, const struct wl_misuse_found *f)
{
	return misuse_goes_on(x->gpu, x->warp_index, f);
}

bool misuse_tell(struct exec *x, struct wl_misuse_found *f, uint32_t lanes)
{
	f->here = place_here(x, lanes);
	return goes_on(x, f);
}

void wl_gpu_set_misuse(struct wl_gpu *g, const uint8_t mode[WL_MISUSE_COUNT])
{
	memcpy(g->misuse.mode, mode, sizeof g->misuse.mode);
}

unsigned wl_gpu_misuses(const struct wl_gpu *g, const struct wl_misuse_found **found, uint64_t *more)
{
	*found = g->misuse.found;
	*more = g->misuse.more;
	return g->misuse.n;
}

/* ---- barriers ---- */

/* The helper of sm_75 and sm_80 for an unaligned barrier, where all lanes meet: WARPSYNC, barrier, return. */
static bool in_helper(const struct wl_program *p, uint32_t i)
{
	return i && i + 1 < p->ninst && p->insts[i - 1].uop == WL_UOP_WARPSYNC &&
	       (p->insts[i + 1].uop == WL_UOP_RET_REL || p->insts[i + 1].uop == WL_UOP_RET_ABS);
}

/* Is the barrier at instruction i of the aligned form? The words of both forms are the same. The object lists unaligned
 * barriers (COOP_GROUP_INSTR_OFFSETS); a barrier behind BRA.DIV or WARPSYNC.COLLECTIVE is unaligned, too. */
static bool is_aligned(const struct wl_program *p, uint32_t i)
{
	enum { NEAR = 8 };
	if (!p->tells_loose || in_helper(p, i))
		return false;
	for (uint32_t k = 0; k < p->nloose; k++)
		if (p->loose[k] == i)
			return false;
	for (uint32_t k = 1; k <= NEAR && k <= i; k++) {
		const struct wl_inst *in = &p->insts[i - k];
		if (in->uop == WL_UOP_BRA_DIV || (in->uop == WL_UOP_WARPSYNC && in->op))
			return false;
		if (wl_uop_traits((enum wl_uop)in->uop)->traits & WL_TRAIT(LEAVES))
			break;
	}
	return true;
}

static uint32_t lanes_at(const struct warp *w, uint32_t pc)
{
	uint32_t lanes = 0;
	for (unsigned i = 0; i < w->ngroups; i++)
		lanes |= w->g[i].pc == pc ? w->g[i].mask : 0;
	return lanes;
}

bool misuse_barrier(struct exec *x)
{
	const struct warp *w = x->w;
	const struct wl_program *p = x->gpu->program;
	const uint32_t first = w->g[0].pc;
	for (unsigned i = 1; i < w->ngroups; i++) {
		const uint32_t pc = w->g[i].pc;
		if (pc == first || (!is_aligned(p, first - 1) && !is_aligned(p, pc - 1)))
			continue;
		const uint32_t low = pc < first ? pc : first, high = pc < first ? first : pc;
		struct wl_misuse_found f = {.kind = WL_MISUSE_BARRIER_PLACES, .id = w->g[0].bar_id};
		x->pc = low - 1;
		f.there = place_here(x, lanes_at(w, high));
		f.there.pc = 16 * (high - 1);
		f.here = place_here(x, lanes_at(w, low));
		if (!goes_on(x, &f))
			return false;
	}
	return true;
}

/* State of the named barriers of a CTA at the end of the CTA. */
static bool at_end(struct exec *x, const struct wl_bar_cta *bars, unsigned id)
{
	const unsigned first = x->w->slot * x->gpu->warps_per_cta;
	x->pc = x->w->exit_pc;
	struct wl_misuse_found f = {.here = place_here(x, x->w->exited), .id = id};
	if (bars->past[id].unattended) {
		f.kind = WL_MISUSE_BARRIER_UNATTENDED;
		f.warps = bars->past[id].last_unattended >> first;
		if (!goes_on(x, &f))
			return false;
	}
	f.kind = WL_MISUSE_BARRIER_LEFT_OPEN;
	f.warps = bars->bar[id].arrived >> first;
	return !f.warps || goes_on(x, &f);
}

bool misuse_left_open(struct exec *x)
{
	const struct wl_bar_cta *bars = &x->sm->units.barrier_file.cta[x->w->slot];
	for (unsigned id = 0; id < WL_NAMED_BARS; id++)
		if ((bars->bar[id].arrived || bars->past[id].unattended) && !at_end(x, bars, id))
			return false;
	return true;
}

/* ---- lanes, spaces ---- */

void misuse_warp_mask(struct exec *x, bool asked)
{
	uint32_t self = 0;
	for (uint32_t m = x->mask; m; m &= m - 1)
		self |= ~x->a[lowest(m)] & m & -m;
	if (!self)
		return;
	const struct wl_misuse_found f = {
	        .kind = WL_MISUSE_MASK_SELF, .here = place_here(x, self), .addr = x->a[lowest(self)]};
	const unsigned at = asked ? note(x->gpu, &f) : WL_MISUSE_MOST;
	if (is_fault(x->gpu, f.kind)) { /* the fault is the unit's: the unit judges, too */
		x->gpu->trouble.misuse = at + 1;
		if (at < WL_MISUSE_MOST)
			x->gpu->misuse.found[at].ends = true;
		return;
	}
	x->mask &= ~self;
}

bool misuse_local_atomic(struct exec *x, uint32_t lanes, uint64_t addr)
{
	const struct wl_misuse_found f = {
	        .kind = WL_MISUSE_LOCAL_ATOMIC, .here = place_here(x, lanes), .has_addr = true, .addr = addr};
	return goes_on(x, &f);
}

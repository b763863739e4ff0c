// SPDX-License-Identifier: Apache-2.0
/* misuse.c -- misuses that PTX leaves undefined and that silicon may execute (misuse.def): the run notes each pair of
 * places once, and goes on or ends as the mode of the kind says. The front end judges all kinds: the units, in C and in
 * RTL, execute the words. */
#include <stdio.h>
#include <string.h>

#include "exec.h"
#include "explain.h"
#include "misuse.h"
#include "stop.h"
#include "observe.h"

enum { GOES_ON, FAULTS };
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

/* Index of the finding; WL_MISUSE_MOST: there was no room. */
static unsigned note(struct wl_gpu *g, const struct wl_misuse_found *f)
{
	struct misuses *m = &g->misuse;
	unsigned i = 0;
	if (g->observer)
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
		m->found[i].forgiven = g->misuse.mode[f->kind] == WL_MISUSE_SILICON && !is_fault(g, f->kind);
	}
	m->found[i].times++;
	return i;
}

static bool goes_on(struct exec *x, const struct wl_misuse_found *f)
{
	const unsigned i = note(x->gpu, f);
	if (!is_fault(x->gpu, f->kind))
		return true;
	if (i < WL_MISUSE_MOST)
		x->gpu->misuse.found[i].ends = true;
	stop_fault(x, kinds[f->kind].fault, f->here.lanes, f->has_addr, f->addr);
	x->gpu->trouble.misuse = i + 1;
	return false;
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

/* The helper of sm_75 and sm_80 in which all lanes of an unaligned barrier meet: WARPSYNC, barrier, return. */
static bool in_helper(const struct wl_program *p, uint32_t i)
{
	return i && i + 1 < p->ninst && p->insts[i - 1].uop == WL_UOP_WARPSYNC &&
	       (p->insts[i + 1].uop == WL_UOP_RET_REL || p->insts[i + 1].uop == WL_UOP_RET_ABS);
}

/* Whether the barrier at instruction i is of the aligned form. The words of both forms are the same. The object lists
 * unaligned ones (COOP_GROUP_INSTR_OFFSETS); an unaligned one stands behind BRA.DIV or WARPSYNC.COLLECTIVE, too. */
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

/* What the named barriers of a CTA keep when it ends. */
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
	const struct wl_misuse_found f = {.kind = WL_MISUSE_MASK_SELF, .here = place_here(x, self)};
	const unsigned at = asked ? note(x->gpu, &f) : WL_MISUSE_MOST;
	if (is_fault(x->gpu, f.kind)) { /* the unit's, which judges too */
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

/* ---- mbarriers ---- */

static struct mbar_life *life_at(struct sm *sm, uint32_t addr)
{
	return &sm->life[addr / 8 % MBAR_LIVES];
}

const struct mbar_life *misuse_life(const struct sm *sm, uint32_t addr)
{
	const struct mbar_life *l = &sm->life[addr / 8 % MBAR_LIVES];
	return l->state != LIFE_NONE && l->addr == addr ? l : NULL;
}

void misuse_forget(struct sm *sm, unsigned slot)
{
	for (unsigned i = 0; i < MBAR_LIVES; i++)
		if (sm->life[i].state != LIFE_NONE && sm->life[i].slot == slot) {
			sm->ended_mbars -= sm->life[i].state == LIFE_ENDED;
			sm->life[i].state = LIFE_NONE;
		}
}

static struct mbar_life *life_for(struct exec *x, uint32_t addr)
{
	struct mbar_life *l = life_at(x->sm, addr);
	if (l->state != LIFE_NONE && l->addr == addr && l->slot == x->w->slot)
		return l;
	x->sm->ended_mbars -= l->state == LIFE_ENDED;
	*l = (struct mbar_life){.addr = addr, .slot = x->w->slot};
	return l;
}

/* Address in the SM's shared memory of the object that the lane names; false: the lane names none of the own CTA. */
static bool object_of(const struct exec *x, unsigned lane, uint32_t *addr)
{
	const struct wl_window *w = &x->sm->units.smem.window[x->w->slot];
	const uint32_t ra = x->in->ra == WL_RZ ? 0 : x->r[x->in->ra][lane];
	const uint32_t at = wl_shared_address(x->in, ra, read_ur(x, x->in->ur)) - wl_shared_origin(x->in, w->origin);
	*addr = w->base + at;
	return w->valid && at % 8 == 0 && (uint64_t)at + 8 <= w->size;
}

/* From sm_100 on STS.64 makes mbarriers, too: it has made one since the inval. */
static bool is_new_again(const struct exec *x, uint32_t addr)
{
	return x->sm->units.smem.stored[addr / 512] >> addr / 8 % 64 & 1;
}

static struct wl_misuse_found found_at(const struct exec *x, enum wl_misuse kind, uint32_t lanes, uint32_t addr)
{
	return (struct wl_misuse_found){.kind = kind,
	                                .here = place_here(x, lanes),
	                                .has_addr = true,
	                                .addr = addr - x->sm->units.smem.window[x->w->slot].base};
}

/* Somebody waits there: the place. */
static bool waits_there(const struct exec *x, uint32_t addr, struct wl_misuse_place *there)
{
	for (unsigned k = 0; k < x->gpu->warps_per_cta; k++) {
		const unsigned warp = x->w->slot * x->gpu->warps_per_cta + k;
		const struct wl_mbar_wait *wait = &x->sm->units.mbarrier_engine.wait[warp];
		const struct warp *w = gpu_warp(x->gpu, x->sm_index, warp);
		if (!wait->on || wait->id != addr / 8)
			continue;
		*there = (struct wl_misuse_place){.pc = (w->g[w->cur].pc - 1) * 16,
		                                  .sm = x->sm_index,
		                                  .cta = w->cta,
		                                  .warp = k,
		                                  .lanes = w->g[w->cur].mask,
		                                  .time = w->ran_at};
		return true;
	}
	return false;
}

/* Is the finding one that counts now? Before the DUT is asked (not `asked`) only a fault does. */
static bool judged(struct exec *x, const struct wl_misuse_found *f, bool asked)
{
	return (!asked && !is_fault(x->gpu, f->kind)) || goes_on(x, f);
}

static bool makes(struct exec *x, uint32_t lanes, uint32_t addr, bool asked)
{
	const struct mbar_life *old = misuse_life(x->sm, addr);
	struct wl_misuse_found f = found_at(x, WL_MISUSE_MBAR_REINIT, lanes, addr);
	if (old && old->state == LIFE_MADE && wl_smem_marked(&x->sm->units.smem, addr)) {
		f.there = old->made;
		if (!judged(x, &f, asked))
			return false;
	}
	if (!asked)
		return true;
	struct mbar_life *l = life_for(x, addr);
	x->sm->ended_mbars -= l->state == LIFE_ENDED;
	l->state = LIFE_MADE;
	l->made = f.here;
	return true;
}

static bool ends(struct exec *x, uint32_t lanes, uint32_t addr, bool asked)
{
	const struct mbar_life *old = misuse_life(x->sm, addr);
	const bool marked = wl_smem_marked(&x->sm->units.smem, addr);
	const bool twice = old && old->state == LIFE_ENDED && marked && !is_new_again(x, addr);
	struct wl_misuse_found f =
	        found_at(x, twice ? WL_MISUSE_MBAR_INVAL_TWICE : WL_MISUSE_MBAR_INVAL_IN_USE, lanes, addr);
	if (twice)
		f.there = old->ended;
	if ((twice || (marked && waits_there(x, addr, &f.there))) && !judged(x, &f, asked))
		return false;
	if (!asked)
		return true;
	struct mbar_life *l = life_for(x, addr);
	x->sm->ended_mbars += l->state != LIFE_ENDED;
	l->state = LIFE_ENDED;
	x->sm->units.smem.stored[addr / 512] &= ~(UINT64_C(1) << addr / 8 % 64);
	if (!twice)
		l->ended = f.here;
	return true;
}

static bool uses(struct exec *x, uint32_t lanes, uint32_t addr, bool asked)
{
	const struct mbar_life *l = misuse_life(x->sm, addr);
	struct wl_misuse_found f = found_at(x, WL_MISUSE_MBAR_INVAL_IN_USE, lanes, addr);
	if (!l || l->state != LIFE_ENDED || !wl_smem_marked(&x->sm->units.smem, addr))
		return true;
	if (is_new_again(x, addr)) {
		x->sm->ended_mbars--;
		life_at(x->sm, addr)->state = LIFE_NONE;
		return true;
	}
	f.there = l->ended;
	return judged(x, &f, asked);
}

/* The parity of the phase before the first: true at once, and meant where a producer finds an empty buffer. Bytes that
 * are outstanding tell a consumer. */
static bool waits_early(struct exec *x, uint32_t lanes, uint32_t addr, bool asked)
{
	const struct wl_units *u = &x->sm->units;
	const struct wl_mbar_seen *seen = wl_mbar_seen(&u->mbarrier_engine, x->w->slot, addr);
	const struct wl_mbar_state now = wl_mbar_state(&u->smem, addr);
	const bool one = x->in->rb != WL_RZ && x->r[x->in->rb][lowest(lanes)] >> 31;
	struct wl_misuse_found f = found_at(x, WL_MISUSE_MBAR_WAIT_EARLY, lanes, addr);
	if (!one || now.phase || now.tx <= 0 || !seen || !seen->made || seen->phases || !wl_smem_marked(&u->smem, addr))
		return true;
	return judged(x, &f, asked);
}

/* Arrivals of the lanes at one object: silicon adds them up before the object changes. */
static uint64_t arrivals_of(const struct exec *x, uint32_t lanes)
{
	uint64_t n = 0;
	if (x->in->op == WL_MBAR_A1TR || x->in->op == WL_MBAR_A1T0)
		return (uint64_t)__builtin_popcount(lanes);
	for (uint32_t m = x->in->op == WL_MBAR_ART0 && x->in->rb != WL_RZ ? lanes : 0; m; m &= m - 1)
		n += x->r[x->in->rb][lowest(m)];
	return n;
}

/* In lockstep the object may lag: a request under way can still change the object. Then nothing is said. */
static bool arrives_over(struct exec *x, uint32_t lanes, uint32_t addr, bool asked)
{
	const struct wl_units *u = &x->sm->units;
	struct wl_misuse_found f = found_at(x, WL_MISUSE_MBAR_OVER, lanes, addr);
	if (x->in->uop != WL_UOP_SYNCS_ARRIVE || !(lanes & (lanes - 1)) || !wl_smem_marked(&u->smem, addr) ||
	    x->gpu->inflight > x->gpu->waits || arrivals_of(x, lanes) <= wl_mbar_state(&u->smem, addr).pending)
		return true;
	return judged(x, &f, asked);
}

/* ---- launches ---- */

static void see(struct sm *sm, struct cta *c)
{
	sm->refusals -= c->refusal == REFUSAL_LANDED;
	c->refusal = REFUSAL_SEEN;
}

/* A wait at the mbarrier of a refusal, whose phase is complete. */
static void sees_refusal(struct exec *x, uint32_t lanes, uint32_t addr)
{
	struct cta *c = &x->sm->cta[x->w->slot];
	const bool one = x->in->rb != WL_RZ && x->r[x->in->rb][lowest(lanes)] >> 31;
	if (c->refusal == REFUSAL_LANDED && c->refusal_mbarrier == addr &&
	    (bool)wl_mbar_state(&x->sm->units.smem, addr).phase != one)
		see(x->sm, c);
}

void misuse_answered(struct wl_gpu *g, unsigned sm, unsigned slot, uint32_t mbarrier,
                     const struct wl_misuse_place *asked)
{
	struct sm *s = gpu_sm(g, sm);
	struct cta *c = &s->cta[slot];
	if (c->refusal != REFUSAL_NONE)
		return;
	c->refusal = REFUSAL_LANDED;
	c->refusal_mbarrier = mbarrier;
	c->refused = *asked;
	s->refusals++;
	for (unsigned k = 0; k < g->warps_per_cta; k++) {
		const struct wl_mbar_wait *wait = &s->units.mbarrier_engine.wait[slot * g->warps_per_cta + k];
		if (wait->on && wait->id == mbarrier / 8)
			see(s, c);
	}
}

bool misuse_launch(struct exec *x)
{
	const struct cta *c = &x->sm->cta[x->w->slot];
	const struct wl_misuse_found f = {
	        .kind = WL_MISUSE_LAUNCH_REFUSED, .here = place_here(x, x->mask), .there = c->refused};
	return c->refusal != REFUSAL_SEEN || goes_on(x, &f);
}

static bool asks(struct exec *x, uint32_t lanes, uint32_t addr, bool asked)
{
	if (asked && x->in->uop == WL_UOP_SYNCS_PHASECHK && x->sm->refusals)
		sees_refusal(x, lanes, addr);
	return uses(x, lanes, addr, asked) && arrives_over(x, lanes, addr, asked) &&
	       (x->in->uop != WL_UOP_SYNCS_PHASECHK || waits_early(x, lanes, addr, asked));
}

bool misuse_mbarrier(struct exec *x, bool asked)
{
	const uint16_t uop = x->in->uop;
	bool good = true;
	if (!x->sm->units.smem.has_marks || x->in->flags & WL_F_ILLEGAL)
		return true;
	for (uint32_t left = x->mask; left && good;) {
		uint32_t addr, lanes = 0;
		if (!object_of(x, lowest(left), &addr)) {
			left &= left - 1;
			continue;
		}
		for (uint32_t m = left, other; m; m &= m - 1)
			lanes |= (uint32_t)(object_of(x, lowest(m), &other) && other == addr) << lowest(m);
		left &= ~lanes;
		good = uop == WL_UOP_SYNCS_EXCH   ? makes(x, lanes, addr, asked)
		       : uop == WL_UOP_SYNCS_CCTL ? ends(x, lanes, addr, asked)
		                                  : asks(x, lanes, addr, asked);
	}
	return good;
}

bool misuse_remote_arrive(struct exec *x, uint32_t lanes, uint32_t addr, bool asked)
{
	const struct wl_misuse_found f = {
	        .kind = WL_MISUSE_REMOTE_ARRIVE, .here = place_here(x, lanes), .has_addr = true, .addr = addr};
	return judged(x, &f, asked);
}

/* ---- in words ---- */

static void add_place(const struct wl_gpu *g, const struct wl_misuse_place *p, char *buf, size_t n)
{
	char place[300];
	explain_place(g->program, p->pc, place, sizeof place);
	snprintf(buf, n, "CTA %u warp %u lanes 0x%08x at %s, time %llu", p->cta, p->warp, p->lanes, place,
	         (unsigned long long)p->time);
}

/* What the other place is. */
static const char *role(enum wl_misuse kind)
{
	switch (kind) {
	case WL_MISUSE_BARRIER_PLACES:
		return "and";
	case WL_MISUSE_MBAR_REINIT:
		return "the earlier mbarrier.init:";
	case WL_MISUSE_MBAR_INVAL_TWICE:
		return "the earlier mbarrier.inval:";
	case WL_MISUSE_LAUNCH_REFUSED:
		return "the request that was refused:";
	default:
		return "the other place:";
	}
}

static void name_object(const struct wl_gpu *g, const struct wl_misuse_found *f, char *buf, size_t n)
{
	char warps[80] = "";
	size_t len = 0;
	*buf = 0;
	if (f->has_addr && wl_space_of(f->addr) == WL_SPACE_LOCAL) {
		snprintf(buf, n, ", local address 0x%x", (uint32_t)f->addr);
	} else if (f->has_addr) {
		char name[120];
		explain_shared(g, (uint32_t)f->addr, name, sizeof name);
		snprintf(buf, n, ", %s", name);
	} else if (f->warps) {
		for (uint64_t m = f->warps; m && len < sizeof warps; m &= m - 1)
			len += (size_t)snprintf(warps + len, sizeof warps - len, "%s%d", len ? ", " : "",
			                        __builtin_ctzll(m));
		snprintf(buf, n, ", barrier %u, arrived: warps {%s}", f->id, warps);
	}
}

void wl_gpu_misuse_text(const struct wl_gpu *g, const struct wl_misuse_found *f, char *buf, size_t n)
{
	char here[420], there[420], object[240], times[48] = "";
	add_place(g, &f->here, here, sizeof here);
	name_object(g, f, object, sizeof object);
	if (f->times > 1)
		snprintf(times, sizeof times, " (%llu times)", (unsigned long long)f->times);
	if (!f->there.lanes) {
		snprintf(buf, n, "misuse %s: %s%s: %s%s", kinds[f->kind].name, kinds[f->kind].sentence, object, here,
		         times);
		return;
	}
	add_place(g, &f->there, there, sizeof there);
	snprintf(buf, n, "misuse %s: %s%s: %s; %s %s%s", kinds[f->kind].name, kinds[f->kind].sentence, object, here,
	         role(f->kind), there, times);
}

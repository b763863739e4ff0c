// SPDX-License-Identifier: Apache-2.0
/* waiting.c -- the waits of a launch: a row for each live group of lanes. */
#include "warplock/waiting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "misuse.h"
#include "waiting.h"
#include "warplock/alu.h"
#include "usyncs.h"

const char *wl_wait_name(enum wl_wait w)
{
	static const char *const name[] = {
	        [WL_WAIT_NONE] = "nothing",           [WL_WAIT_BARRIER] = "barrier",
	        [WL_WAIT_LANES] = "lanes at barrier", [WL_WAIT_BSYNC] = "bsync",
	        [WL_WAIT_WARPSYNC] = "warpsync",      [WL_WAIT_SPIN] = "spin",
	        [WL_WAIT_RESULT] = "result",          [WL_WAIT_CLUSTER] = "cluster barrier",
	        [WL_WAIT_MBAR] = "mbarrier",          [WL_WAIT_REGISTERS] = "registers",
	};
	return name[w];
}

/* ---- a single group ---- */

static void exit_places(const struct wl_gpu *g, struct wl_waiting *r)
{
	for (uint64_t m = r->exited; m; m &= m - 1) {
		const unsigned warp = (unsigned)__builtin_ctzll(m);
		r->exit_pc[warp] = 16 * gpu_warp(g, r->sm, r->slot * g->warps_per_cta + warp)->exit_pc;
	}
}

static void past_phases(const struct wl_bar_cta *bars, unsigned first, struct wl_waiting *r)
{
	const struct wl_bar_past *p = &bars->past[r->id % WL_NAMED_BARS];
	const unsigned ended = bars->bar[r->id % WL_NAMED_BARS].phase;
	r->npast = ended < WL_BAR_PAST ? ended : WL_BAR_PAST;
	for (unsigned i = 0; i < r->npast; i++) {
		const unsigned at = (ended - 1 - i) % WL_BAR_PAST;
		r->past[i] = p->who[at] >> first;
		r->attended[i] = p->attended >> at & 1;
	}
}

/* Warps of the CTA still missing in the open phase: a phase without a count does not wait for exited warps. */
static void missing_warps(const struct wl_gpu *g, const struct wl_bar_cta *bars, struct wl_waiting *r)
{
	const struct wl_named_bar *b = &bars->bar[r->id % WL_NAMED_BARS];
	const unsigned first = r->slot * g->warps_per_cta;
	uint64_t live = 0;
	for (unsigned w = 0; w < g->warps_per_cta; w++) {
		const struct warp *warp = gpu_warp(g, r->sm, first + w);
		live |= (uint64_t)(warp->live != 0) << w;
	}
	const uint64_t all = g->warps_per_cta == 64 ? UINT64_MAX : (UINT64_C(1) << g->warps_per_cta) - 1;
	r->missing = all & ~(b->arrived >> first) & (b->counted ? all : live);
	r->exited = r->missing & ~live;
	exit_places(g, r);
	past_phases(bars, first, r);
	r->phase = b->phase;
	r->arrived = b->here * WL_WARP_LANES;
	r->expected = (b->here + wl_bar_missing(bars, r->id)) * WL_WARP_LANES;
}

/* Threads are counted in whole warps; exited threads are not waited for. */
static void at_cluster(const struct wl_gpu *g, const struct cta *cta, struct wl_waiting *r)
{
	const struct cta *home = &gpu_sm(g, cta->home.sm)->cta[cta->home.slot];
	const struct wl_cbar *seen[WL_MAX_CLUSTER];
	unsigned n = 0;
	r->what = WL_WAIT_CLUSTER;
	for (unsigned rank = 0; rank < g->cluster_ctas; rank++) {
		const struct place p = home->member[rank];
		const struct wl_cbar *bar = wl_cbar_of(&gpu_sm(g, p.sm)->units.cluster_barrier, p.slot);
		bool counted = !bar;
		for (unsigned i = 0; i < n; i++)
			counted |= seen[i] == bar;
		if (counted)
			continue;
		seen[n++] = bar;
		r->phase = bar->phase;
		r->arrived += WL_WARP_LANES * (unsigned)__builtin_popcountll(bar->arrived);
		r->expected += WL_WARP_LANES * (unsigned)__builtin_popcountll(bar->live);
	}
}

static void at_mbarrier(const struct wl_gpu *g, uint32_t addr, struct wl_waiting *r);

static const struct poll *poll_of(const struct wl_gpu *g, unsigned sm, unsigned warp, unsigned lane)
{
	const struct polls *p = (const struct polls *)block_at(g, g->at_polls);
	return &p[(uint64_t)sm * g->config.warps_per_sm + warp].lane[lane];
}

static bool asks_mbarrier(const struct wl_gpu *g, const struct poll *l)
{
	return l->size && usyncs_asks(g->program->insts[l->pc / 16].uop);
}

/* The parity asked for by the lane: the register of the operand is unchanged. */
static void asked_parity(const struct wl_gpu *g, const struct poll *l, unsigned lane, struct wl_waiting *r)
{
	const struct wl_inst *in = &g->program->insts[l->pc / 16];
	r->asks_known = true;
	r->asks = in->rb != WL_RZ && gpu_regs(g, r->sm, r->warp_slot)[in->rb][lane] >> 31;
}

/* element: bytes of an element, 0 = unknown. */
static void name_element(const char *name, uint32_t element, uint64_t into, struct wl_waiting *r)
{
	char rest[24] = "";
	const uint64_t over = element ? into % element : into;
	if (over)
		snprintf(rest, sizeof rest, "+%llu", (unsigned long long)over);
	if (element)
		snprintf(r->object, sizeof r->object, "%.80s[%llu]%s", name, (unsigned long long)(into / element),
		         rest);
	else
		snprintf(r->object, sizeof r->object, "%.80s%s", name, rest);
}

static void name_shared(const struct wl_gpu *g, struct wl_waiting *r)
{
	wl_program_shared_object(g->program, g->shared_per_cta, r->addr, r->object, sizeof r->object);
}

/* The variable of the module, or the buffer, at a global address. */
static void name_global(const struct wl_gpu *g, uint64_t addr, struct wl_waiting *r)
{
	const struct wl_program *p = g->program;
	const struct wl_buf *b = wl_gmem_find(g->gmem, addr);
	if (b && b->name && addr >= b->addr && addr - b->addr < b->size)
		name_element(b->name, b->element, addr - b->addr, r);
	for (uint32_t i = 0; i < p->nglobals; i++)
		if (addr >= p->globals[i].at && addr - p->globals[i].at < p->globals[i].size)
			name_element(p->globals[i].shown, 0, addr - p->globals[i].at, r);
}

static void registers(const struct wl_gpu *g, const struct warp *w, struct wl_waiting *r)
{
	const struct cta *cta = &gpu_sm(g, r->sm)->cta[r->slot];
	r->what = WL_WAIT_REGISTERS;
	r->regs_asked = w->asked;
	r->regs_held = w->regs;
	r->regs_free = cta->free_regs;
	r->regs_all = cta->free_regs;
	for (unsigned k = 0; k < g->warps_per_cta; k++)
		r->regs_all += gpu_warp(g, r->sm, r->slot * g->warps_per_cta + k)->regs;
}

static void spins(const struct wl_gpu *g, struct wl_waiting *r)
{
	const unsigned lane = wl_lowest(r->lanes);
	const struct poll *l = poll_of(g, r->sm, r->warp_slot, lane);
	if (asks_mbarrier(g, l)) {
		at_mbarrier(g, (uint32_t)l->addr, r);
		asked_parity(g, l, lane, r);
		return;
	}
	r->what = WL_WAIT_SPIN;
	r->size = l->size;
	r->addr = l->addr;
	r->value = l->value;
	const uint32_t words[] = {(uint32_t)l->value, (uint32_t)(l->value >> 32)};
	_Static_assert(sizeof r->numbers == WL_NUMBERS_TEXT, "the text has its whole length");
	if (l->size && l->size <= sizeof words)
		wl_atomic_numbers(&g->program->insts[l->pc / 16], words, l->size, r->numbers, sizeof r->numbers);
	r->shared = l->size && wl_uop_unit(g->program->insts[l->pc / 16].uop) == WL_UNIT_atoms_pipe;
	if (r->shared)
		name_shared(g, r);
	else if (l->size)
		name_global(g, r->addr, r);
}

/* Copies still to tell bytes to the mbarrier at `addr` of the SM's shared memory. */
static void count_copies(const struct wl_gpu *g, uint32_t addr, struct wl_waiting *r)
{
	for (unsigned sm = 0; sm < g->config.sms; sm++) {
		const struct async *a = &gpu_sm(g, sm)->async;
		const struct copy *c;
		FOR_COPIES(a, c)
		{
			if (c->there.sm != r->sm || c->fills || (c->kind != COPY_IN && c->kind != COPY_STORE))
				continue;
			uint32_t bytes = c->kind == COPY_IN && c->mbarrier == addr ? c->bytes : 0;
			for (uint32_t m = c->kind == COPY_STORE ? c->lanes : 0; m; m &= m - 1)
				bytes += c->bar[wl_lowest(m)] == addr ? c->size : 0;
			r->copies += bytes != 0;
			r->flying += bytes;
		}
	}
}

/* The warp waits at the mbarrier at `addr` of the SM's shared memory, parked or between two looks. */
static bool waits_there(const struct wl_gpu *g, const struct wl_waiting *r, unsigned warp, uint32_t addr)
{
	const struct wl_mbar_wait *wait = &gpu_sm(g, r->sm)->units.mbarrier_engine.wait[warp];
	const struct wl_smem *smem = &gpu_sm(g, r->sm)->units.smem;
	const struct warp *w = gpu_warp(g, r->sm, warp);
	const bool same = wait->id == addr / 8u && wait->slot == r->slot;
	if (wait->on || !w->live)
		return wait->on && same;
	for (unsigned i = 0; g->spins && i < w->ngroups; i++) {
		const struct poll *l = poll_of(g, r->sm, warp, wl_lowest(w->g[i].mask));
		if (asks_mbarrier(g, l) && smem->window[r->slot].base + (uint32_t)l->addr == addr)
			return true;
	}
	return false;
}

/* Warps of other CTAs may owe arrivals: the program has the form for mbarriers of the cluster. */
static bool others_arrive(const struct wl_gpu *g)
{
	for (uint32_t i = 0; g->cluster_ctas > 1 && i < g->program->ninst; i++)
		if (g->program->insts[i].uop == WL_UOP_SYNCS_ARRIVE && g->program->insts[i].type == WL_MBAR_RED)
			return true;
	return false;
}

/* Warps of other CTAs on the SM, by number on the SM: far_last of the last phase, far_missing with arrivals missing. */
static uint64_t far_warps(const struct wl_gpu *g, const struct wl_mbar_seen *s, struct wl_waiting *r)
{
	for (unsigned k = 0; k < WL_MAX_WARPS; k++) {
		if (k / g->warps_per_cta == r->slot)
			continue;
		r->far_last |= (uint64_t)(s->before[k] != 0) << k;
		r->far_missing |= (uint64_t)(s->ended && s->now[k] < s->before[k]) << k;
	}
	return r->far_last;
}

/* Warps still missing in the phase. An mbarrier counts arrivals and names no warps. Missing are the warps with more
 * arrivals in the phase before; in the first phase the warps without an arrival and without a wait at the mbarrier;
 * else the warps with fewer arrivals than others. In the first phase no warp is named if warps of other CTAs arrive,
 * too. */
static void missing_there(const struct wl_gpu *g, uint32_t addr, struct wl_waiting *r)
{
	const struct wl_mbarrier_engine *e = &gpu_sm(g, r->sm)->units.mbarrier_engine;
	const struct wl_mbar_seen *s = wl_mbar_seen(e, r->slot, addr);
	static const struct wl_mbar_seen nobody;
	const unsigned first = r->slot * g->warps_per_cta;
	uint64_t less = 0, none = 0, there = 0;
	uint16_t most = 0;
	s = s ? s : &nobody;
	for (unsigned w = 0; w < g->warps_per_cta; w++) {
		r->from[w] = s->now[first + w];
		most = r->from[w] > most ? r->from[w] : most;
		there |= (uint64_t)waits_there(g, r, first + w, addr) << w;
		if (s->ended ? r->from[w] < s->before[first + w] : !r->from[w] && !(there >> w & 1))
			none |= UINT64_C(1) << w;
		if (!gpu_warp(g, r->sm, first + w)->live)
			r->exited |= UINT64_C(1) << w;
	}
	for (unsigned w = 0; w < g->warps_per_cta; w++)
		less |= (uint64_t)(r->from[w] < most && !(there >> w & 1)) << w;
	const bool owed = r->arrived < r->expected;
	uint64_t last = far_warps(g, s, r);
	for (unsigned w = 0; w < g->warps_per_cta; w++)
		last |= (uint64_t)(s->before[first + w] != 0) << w;
	r->far_missing = owed ? r->far_missing : 0;
	r->others_owe = owed && (!s->ended || !last) && others_arrive(g);
	r->missing = !owed || r->others_owe ? 0 : none || r->far_missing ? none : less;
	r->exited &= r->missing;
	exit_places(g, r);
	r->phases_known = s->made;
	r->phases = s->phases;
	r->landed = s->landed;
	for (unsigned w = 0; w < g->warps_per_cta; w++)
		r->last_from |= (uint64_t)(s->before[first + w] != 0) << w;
}

/* `addr`: in the CTA's window. */
static void at_mbarrier(const struct wl_gpu *g, uint32_t addr, struct wl_waiting *r)
{
	const struct wl_smem *smem = &gpu_sm(g, r->sm)->units.smem;
	const uint32_t there = smem->window[r->slot].base + addr;
	const struct wl_mbar_state s = wl_mbar_state(smem, there);
	r->what = WL_WAIT_MBAR;
	r->addr = addr;
	r->phase = s.phase;
	r->expected = s.expected;
	r->arrived = s.expected > s.pending ? s.expected - s.pending : 0;
	r->tx = s.tx;
	name_shared(g, r);
	count_copies(g, there, r);
	missing_there(g, there, r);
	const struct mbar_life *life = misuse_life(gpu_sm(g, r->sm), there);
	if (life && life->slot == r->slot)
		r->made = life->made;
}

/* Parked in mbarrier_engine. */
static bool is_parked(const struct wl_gpu *g, struct wl_waiting *r)
{
	const struct wl_units *u = &gpu_sm(g, r->sm)->units;
	const struct wl_mbar_wait *m = &u->mbarrier_engine.wait[r->warp_slot];
	if (!m->on)
		return false;
	r->pc -= 16;
	r->parked = true;
	at_mbarrier(g, m->id * 8u - u->smem.window[r->slot].base, r);
	r->asks = m->parity;
	r->asks_known = true;
	return true;
}

static uint32_t lanes_at_bar(const struct warp *w)
{
	uint32_t lanes = 0;
	for (unsigned i = 0; i < w->ngroups; i++)
		if (w->g[i].state == GROUP_BAR_WARP)
			lanes |= w->g[i].mask;
	return lanes;
}

void waiting_row(const struct wl_gpu *g, unsigned sm, unsigned k, const struct group *grp, struct wl_waiting *r)
{
	const struct warp *w = gpu_warp(g, sm, k);
	const struct wl_units *units = &gpu_sm(g, sm)->units;
	const struct wl_conv_warp *conv = &units->convergence.warp[k];
	const uint32_t *set = grp->state == GROUP_BSYNC ? conv->set[grp->id] : conv->wait_for;
	*r = (struct wl_waiting){.sm = sm,
	                         .slot = w->slot,
	                         .warp_slot = k,
	                         .cta = w->cta,
	                         .warp = w->thread0 / WL_WARP_LANES,
	                         .lanes = grp->mask,
	                         .pc = (grp->state == GROUP_READY ? grp->pc : grp->pc - 1) * 16,
	                         .id = grp->id,
	                         .cluster = gpu_sm(g, sm)->cta[w->slot].cluster};
	const struct wl_cbar *bar = wl_cbar_of(&units->cluster_barrier, w->slot);
	r->at_cluster = bar && bar->arrived >> k & 1;
	switch (grp->state) {
	case GROUP_READY:
		r->id = 0;
		if ((w->state == WARP_UNIT || w->state == WARP_RESULT || w->state == WARP_PARKED) && is_parked(g, r))
			break;
		if (warp_is_held(w))
			r->what = WL_WAIT_RESULT;
		else if (w->asked)
			registers(g, w, r);
		else if (g->spins)
			spins(g, r);
		break;
	case GROUP_BSYNC:
	case GROUP_WARPSYNC:
		r->what = grp->state == GROUP_BSYNC ? WL_WAIT_BSYNC : WL_WAIT_WARPSYNC;
		for (uint32_t m = grp->mask; m; m &= m - 1)
			r->missing_lanes |= set[wl_lowest(m)];
		r->missing_lanes &= w->live & ~grp->mask;
		break;
	case GROUP_BAR_WARP:
		r->what = WL_WAIT_LANES;
		r->missing_lanes = w->live & ~lanes_at_bar(w);
		break;
	case GROUP_BAR:
		if (grp->bar_op >= BAR_OF_CLUSTER) {
			at_cluster(g, &gpu_sm(g, sm)->cta[w->slot], r);
			break;
		}
		r->what = WL_WAIT_BARRIER;
		missing_warps(g, &units->barrier_file.cta[w->slot], r);
		break;
	}
}

void wl_mbarrier_name(const struct wl_waiting *g, char *buf, size_t n)
{
	const char *at = strncmp(g->object, "dynamic shared memory", 21) == 0 ? "at " : "";
	if (*g->object)
		snprintf(buf, n, "mbarrier %s%s (shared address 0x%llx)", at, g->object, (unsigned long long)g->addr);
	else
		snprintf(buf, n, "mbarrier at shared address 0x%llx", (unsigned long long)g->addr);
}

static void mbarrier_text(const struct wl_waiting *g, char *buf, size_t n)
{
	char name[200], bytes[80] = "", copies[80] = "";
	wl_mbarrier_name(g, name, sizeof name);
	if (g->tx)
		snprintf(bytes, sizeof bytes, ", %d bytes are %s", g->tx < 0 ? -g->tx : g->tx,
		         g->tx < 0 ? "complete that nobody expects yet" : "outstanding");
	if (g->copies)
		snprintf(copies, sizeof copies, ", %u copies of %u bytes are under way", g->copies, g->flying);
	snprintf(buf, n, "%s, phase %u: %u of %u arrivals%s%s", name, g->phase, g->arrived, g->expected, bytes, copies);
}

static void spin_text(const struct wl_waiting *g, char *buf, size_t n)
{
	const char *space = g->shared ? "shared" : "generic";
	char value[sizeof g->numbers + 40];
	snprintf(value, sizeof value, "which stays 0x%llx%s%s", (unsigned long long)g->value, *g->numbers ? " = " : "",
	         g->numbers);
	if (g->size && *g->object)
		snprintf(buf, n, "spins on %s (%s address 0x%llx), %s", g->object, space, (unsigned long long)g->addr,
		         value);
	else if (g->size)
		snprintf(buf, n, "spins on %s address 0x%llx, %s", space, (unsigned long long)g->addr, value);
	else
		snprintf(buf, n, "goes round for ever");
}

void wl_waiting_text(const struct wl_waiting *g, char *buf, size_t n)
{
	switch (g->what) {
	case WL_WAIT_NONE:
		snprintf(buf, n, "can go on");
		break;
	case WL_WAIT_BARRIER:
		snprintf(buf, n, "barrier %u: %u of %u threads have arrived", g->id, g->arrived, g->expected);
		break;
	case WL_WAIT_LANES:
		if (!g->missing_lanes)
			snprintf(buf, n, "barrier %u: the other lanes of its warp stand at another place", g->id);
		else
			snprintf(buf, n, "barrier %u: lanes 0x%08x of its warp", g->id, g->missing_lanes);
		break;
	case WL_WAIT_BSYNC:
	case WL_WAIT_WARPSYNC:
		snprintf(buf, n, "lanes 0x%08x of its warp", g->missing_lanes);
		break;
	case WL_WAIT_SPIN:
		spin_text(g, buf, n);
		break;
	case WL_WAIT_RESULT:
		snprintf(buf, n, "the answer of a unit");
		break;
	case WL_WAIT_REGISTERS:
		snprintf(buf, n,
		         "%u registers a thread (%u asked, %u held): the pool of its CTA has %u for one warp; pool and "
		         "warps together have %u",
		         g->regs_asked - g->regs_held, g->regs_asked, g->regs_held, g->regs_free,
		         g->regs_all * WL_WARP_LANES);
		break;
	case WL_WAIT_MBAR:
		mbarrier_text(g, buf, n);
		break;
	case WL_WAIT_CLUSTER:
		snprintf(buf, n, "barrier of cluster %u: %u of %u threads have arrived", g->cluster, g->arrived,
		         g->expected);
		break;
	}
}

/* ---- all groups ---- */

static unsigned count_groups(const struct wl_gpu *g, struct wl_waiting *to)
{
	unsigned n = 0;
	for (unsigned sm = 0; sm < g->config.sms; sm++)
		for (unsigned k = 0; k < g->cta_slots * g->warps_per_cta; k++) {
			const struct warp *w = gpu_warp(g, sm, k);
			for (unsigned i = 0; w->live && i < w->ngroups; i++, n++)
				if (to)
					waiting_row(g, sm, k, &w->g[i], &to[n]);
		}
	return n;
}

bool wl_gpu_waits(const struct wl_gpu *g, struct wl_waits *w)
{
	*w = (struct wl_waits){.n = count_groups(g, NULL)};
	w->group = calloc(w->n + 1, sizeof *w->group);
	if (w->group)
		count_groups(g, w->group);
	if (w->group && waiting_circle(w))
		return true;
	wl_waits_free(w);
	return false;
}

bool wl_gpu_is_apart(const struct wl_gpu *g)
{
	return g->outcome == WL_FAULTED && g->trouble.fault == WL_FAULT_BAR_NOT_CONVERGED;
}

void wl_waits_free(struct wl_waits *w)
{
	free(w->group);
	free(w->circle);
	*w = (struct wl_waits){0};
}

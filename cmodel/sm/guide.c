// SPDX-License-Identifier: Apache-2.0
/* guide.c -- turns of a guided run (guide.h). All turns have a single instruction, so a repeated run finds the same
 * time. */
#include "guide.h"

#include <stdlib.h>

#include "exec.h"
#include "groups.h"
#include "guide_turns.h"
#include "sleep.h"
#include "step.h"

enum { SLICE = 64, VISITS = 2, MOST_LOCAL = 4096 /* bytes of a thread: polls beyond are not recognised */ };

/* Return of a warp to the same state while nothing changes (after R. Brent's search for cycles). */
struct guide_poll {
	uint64_t changes, hash, time; /* time: of the warp, at the last visit */
	uint32_t visits, mark, pc;
	bool blocked;
};

bool wl_gpu_guide(struct wl_gpu *gpu, struct wl_guide *guide)
{
	gpu->guide = guide;
	guide->at = guide->done = guide->first = 0;
	guide->last_sm = guide->last_slot = -1;
	guide->lost = true;
	guide->poll = calloc((size_t)gpu->config.sms * WL_MAX_WARPS, sizeof *guide->poll);
	return guide->poll != NULL;
}

void wl_guide_done(struct wl_guide *guide)
{
	free(guide->poll);
	guide->poll = NULL;
}

uint64_t wl_gpu_clocks(const struct wl_gpu *gpu)
{
	return gpu->seen.clocks;
}

void guide_ran(struct wl_gpu *g, const struct warp *w, unsigned count)
{
	if (g->guide->ran && count)
		g->guide->ran(g->guide->self, w->cta, w->thread0 / WL_WARP_LANES, count);
}

bool guide_chooses(const struct wl_gpu *g)
{
	return g->guide->stops || g->guide->turn;
}

/* ---- polls ---- */

static uint64_t changes_of(const struct wl_gpu *g)
{
	return g->seen.changes + g->seen.unclear;
}

static void mix(uint64_t *h, const void *data, size_t size)
{
	const uint32_t *p = data;
	for (size_t i = 0; i < size / 4; i++)
		*h = (*h ^ p[i]) * UINT64_C(0x9e3779b97f4a7c15) + (*h >> 29);
}

/* All state that decides the next step of the warp, but for memory. */
static uint64_t hash_of(const struct wl_gpu *g, unsigned sm, unsigned slot)
{
	const struct warp *w = gpu_warp(g, sm, slot);
	uint64_t h = w->live;
	mix(&h, gpu_regs(g, sm, slot), g->reg_rows * sizeof(lane_row));
	mix(&h, w->preds, sizeof w->preds);
	mix(&h, gpu_local(g, sm, slot, 0), (size_t)WL_WARP_LANES * g->local_bytes);
	mix(&h, w->rpc, sizeof w->rpc);
	for (unsigned i = 0; i < w->ngroups; i++) {
		const struct group *p = &w->g[i];
		const uint32_t of[] = {p->mask, p->pc, p->state, p->id, w->ngroups > 1 ? p->ran : 0u, i == w->cur};
		mix(&h, of, sizeof of);
		mix(&h, w->uni[p->uni], sizeof w->uni[0]);
	}
	return h;
}

/* Before an instruction that sees effects of others: has the warp been in this state, with no change since? */
static bool polls(struct wl_gpu *g, unsigned sm, unsigned slot, uint32_t pc)
{
	struct guide_poll *p = &g->guide->poll[sm * WL_MAX_WARPS + slot];
	const uint64_t now = changes_of(g);
	if (p->changes != now) {
		*p = (struct guide_poll){.changes = now};
		return false;
	}
	const uint64_t time = gpu_warp(g, sm, slot)->time;
	if (p->blocked || p->time == time || g->local_bytes > MOST_LOCAL)
		return p->blocked;
	p->time = time;
	if (++p->visits < VISITS)
		return false;
	const uint64_t h = hash_of(g, sm, slot);
	p->blocked = p->mark && p->hash == h && p->pc == pc;
	if (p->visits >= 2 * p->mark) {
		p->mark = p->visits;
		p->hash = h;
		p->pc = pc;
	}
	return p->blocked;
}

static bool blocked(const struct wl_gpu *g, unsigned sm, unsigned slot)
{
	const struct guide_poll *p = &g->guide->poll[sm * WL_MAX_WARPS + slot];
	return p->blocked && p->changes == changes_of(g);
}

/* ---- turns ---- */

static void wake(struct wl_gpu *g, unsigned sm)
{
	struct sm *s = gpu_sm(g, sm);
	if (sm_time(s) >= s->next_wake)
		sleep_end(g, sm);
	for (uint64_t m = s->asleep; m; m &= m - 1) {
		const unsigned slot = (unsigned)__builtin_ctzll(m);
		struct warp *w = gpu_warp(g, sm, slot);
		if (warp_is_held(w))
			continue;
		for (unsigned i = 0; i < w->ngroups; i++)
			w->g[i].wake = 0;
		w->wake = 0;
		warp_set_ready(g, sm, slot);
	}
}

static bool is_ready(const struct wl_gpu *g, unsigned sm, unsigned slot)
{
	return gpu_sm(g, sm)->ready >> slot & 1;
}

static uint32_t place_of(struct wl_gpu *g, unsigned sm, unsigned slot)
{
	struct warp *w = gpu_warp(g, sm, slot);
	groups_pick(w, false);
	return w->g[w->cur].pc;
}

static void one(struct wl_gpu *g, unsigned sm, unsigned slot)
{
	if (g->issued >= g->limit) {
		g->outcome = WL_LIMIT;
		return;
	}
	step_warp(g, sm, slot, 1);
}

static bool is_seen(const struct wl_gpu *g, uint32_t pc)
{
	return pc < g->program->ninst && gpu_ops(g)[pc].unit != WL_UNIT_FRONT;
}

/* Up to the next stop. False: the warp stands at a stop, or polls. */
static bool run_free(struct wl_gpu *g, unsigned sm, unsigned slot)
{
	unsigned n = 0;
	for (; n < SLICE && g->outcome == WL_RUNNING && is_ready(g, sm, slot); n++) {
		const uint32_t pc = place_of(g, sm, slot);
		if (blocked(g, sm, slot) || g->guide->stops(g->guide->self, pc))
			break;
		if (is_seen(g, pc) && polls(g, sm, slot, pc))
			break;
		one(g, sm, slot);
		wake(g, sm);
	}
	return n != 0;
}

static void name(const struct wl_gpu *g, unsigned sm, unsigned slot, struct wl_guide_warp *to)
{
	const struct warp *w = gpu_warp(g, sm, slot);
	*to = (struct wl_guide_warp){sm, slot, w->cta, w->thread0 / WL_WARP_LANES, w->g[w->cur].pc};
}

static bool choose(struct wl_gpu *g, bool *any)
{
	static struct wl_guide_warp of[GUIDE_MOST];
	struct wl_guide *k = g->guide;
	unsigned n = 0;
	int last = -1;
	for (unsigned sm = 0; sm < g->config.sms; sm++) {
		for (uint64_t m = gpu_sm(g, sm)->ready; m && n < GUIDE_MOST; m &= m - 1) {
			const unsigned slot = (unsigned)__builtin_ctzll(m);
			const bool is_last = (int)sm == k->last_sm && (int)slot == k->last_slot;
			*any = true;
			if (blocked(g, sm, slot) || polls(g, sm, slot, place_of(g, sm, slot)))
				continue;
			name(g, sm, slot, &of[n]);
			if (is_last && !k->lost)
				last = (int)n;
			n++;
		}
	}
	if (!n)
		return false;
	const int chosen = k->choose(k->self, of, n, last);
	if (chosen < 0) {
		g->outcome = WL_LIMIT;
		return true;
	}
	k->last_sm = (int)of[chosen].sm;
	k->last_slot = (int)of[chosen].slot;
	k->lost = false;
	one(g, of[chosen].sm, of[chosen].slot);
	wake(g, of[chosen].sm);
	k->lost = !is_ready(g, of[chosen].sm, of[chosen].slot);
	return true;
}

/* Repeats turns. A turn of an absent or waiting warp is left out. */
static bool follow(struct wl_gpu *g)
{
	struct wl_guide *k = g->guide;
	while (k->at < k->turns) {
		const struct wl_guide_turn *t = &k->turn[k->at];
		for (unsigned i = 0; k->done < t->count && i < g->config.sms * WL_MAX_WARPS; i++) {
			const unsigned sm = i / WL_MAX_WARPS, slot = i % WL_MAX_WARPS;
			if (!is_ready(g, sm, slot))
				continue;
			const struct warp *w = gpu_warp(g, sm, slot);
			if (w->cta != t->cta || w->thread0 / WL_WARP_LANES != t->warp)
				continue;
			const uint64_t before = g->issued;
			one(g, sm, slot);
			k->done += (uint32_t)(g->issued - before);
			if (g->issued != before || g->outcome != WL_RUNNING)
				return true;
		}
		k->at++;
		k->done = 0;
	}
	g->guide = NULL;
	return true;
}

bool guide_turn(struct wl_gpu *g)
{
	struct wl_guide *k = g->guide;
	bool any = false;
	for (unsigned sm = 0; sm < g->config.sms; sm++)
		wake(g, sm);
	if (g->outcome != WL_RUNNING)
		return true;
	if (k->turn)
		return follow(g);
	for (unsigned sm = 0; sm < g->config.sms; sm++)
		for (uint64_t m = gpu_sm(g, sm)->ready; m; m &= m - 1)
			if (run_free(g, sm, (unsigned)__builtin_ctzll(m))) {
				const unsigned slot = (unsigned)__builtin_ctzll(m);
				if ((int)sm == k->last_sm && (int)slot == k->last_slot)
					k->lost |= !is_ready(g, sm, slot);
				any = true;
			}
	if (any)
		return true;
	if (choose(g, &any))
		return true;
	if (any) /* all ready warps poll: the run's own watch tells the reason of the hang */
		g->guide = NULL;
	return any;
}

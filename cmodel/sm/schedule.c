// SPDX-License-Identifier: Apache-2.0
/* schedule.c -- policies that draw the next warp and the length of the turn, each a function of the seed.
 *
 * Policies: `random`, `pct` and `delay` (docs/schedules.md). `steady` and `fair` need nothing of this file: both go
 * round robin, and step_turn knows the length of the turns. While spin.c watches the run all policies go round robin,
 * since a watch must see every warp.
 *
 * `pct` follows S. Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs" (ASPLOS
 * 2010): warps have drawn priorities, and the ready warp with the highest priority runs. At drawn points the running
 * warp falls below all warps not yet fallen. The length of a run is not known beforehand, so the points lie in windows
 * of doubling length. A warp with a long run while others were ready falls below all others: warps spin for actions of
 * others.
 *
 * A policy only chooses among ready warps, so no choice keeps a kernel from the end. */
#include "exec.h"
#include "schedule.h"
#include "sleep.h"

enum {
	LONGEST_TURN = 64,
	PCT_TURN = 8,            /* instructions until a warp of higher priority gets the turn, at most */
	PCT_POINTS = 8,          /* change points of a window, at most */
	PCT_SHORTEST = 5,        /* of windows, and of runs of a warp: log2 of instructions */
	PCT_LONGEST = 15,        /* of windows */
	PCT_LONGEST_RUN = 12,    /* of runs of a warp */
	DELAY_RAREST = 4,        /* log2 of instructions without a delay, for each with a delay */
	DELAY_LONGEST = 10,      /* log2 of instructions executed meanwhile by others */
	FIRST_PRIORITY = 1 << 30 /* warps start with this or more; fallen warps get less */
};

static uint32_t draw(struct wl_gpu *g, uint32_t below)
{
	const uint64_t bits = mix32(g->config.seed ^ UINT64_C(0x5ced), ++g->schedule.draws);
	return (uint32_t)(bits * below >> 32);
}

static uint32_t draw_power(struct wl_gpu *g, unsigned least, unsigned most)
{
	return UINT32_C(1) << (least + draw(g, most - least + 1));
}

/* Most seeds stretch the order, a few run fairly or steadily. */
static enum wl_schedule explore(struct wl_gpu *g)
{
	static const uint8_t of[16] = {WL_SCHEDULE_RANDOM, WL_SCHEDULE_RANDOM, WL_SCHEDULE_RANDOM, WL_SCHEDULE_RANDOM,
	                               WL_SCHEDULE_RANDOM, WL_SCHEDULE_PCT,    WL_SCHEDULE_PCT,    WL_SCHEDULE_PCT,
	                               WL_SCHEDULE_PCT,    WL_SCHEDULE_DELAY,  WL_SCHEDULE_DELAY,  WL_SCHEDULE_DELAY,
	                               WL_SCHEDULE_DELAY,  WL_SCHEDULE_DELAY,  WL_SCHEDULE_FAIR,   WL_SCHEDULE_STEADY};
	return (enum wl_schedule)of[draw(g, 16)];
}

static void next_change(struct wl_gpu *g)
{
	struct schedule *p = &g->schedule;
	if (p->passed == p->points) {
		p->passed = 0;
		p->window *= p->window < UINT64_C(1) << 40 ? 2 : 1;
	}
	p->passed++;
	const uint64_t mean = p->window / p->points + 1;
	p->change = g->issued + 1 + draw(g, mean < UINT32_MAX / 2 ? (uint32_t)(2 * mean) : UINT32_MAX);
}

void schedule_begin(struct wl_gpu *g)
{
	struct schedule *p = &g->schedule;
	if (g->config.schedule == WL_SCHEDULE_EXPLORE)
		g->config.schedule = explore(g);
	p->turn = draw_power(g, 0, 6);
	p->in_order = draw(g, 4) == 0;
	p->points = 1 + draw(g, PCT_POINTS);
	p->window = draw_power(g, PCT_SHORTEST, PCT_LONGEST);
	p->longest_run = draw_power(g, PCT_SHORTEST, PCT_LONGEST_RUN);
	p->one_in = draw_power(g, 0, DELAY_RAREST);
	p->delay = draw_power(g, 2, DELAY_LONGEST);
	next_change(g);
}

bool schedule_draws(const struct wl_gpu *g)
{
	return g->config.schedule >= WL_SCHEDULE_RANDOM && !g->watch;
}

void schedule_warp_starts(struct wl_gpu *g, struct warp *w)
{
	w->priority =
	        FIRST_PRIORITY + mix32(g->config.seed ^ UINT64_C(0x9c7), ((uint64_t)w->cta << 32) + w->thread0) / 2;
	w->held = w->drawn = 0;
}

/* ---- the next warp ---- */

/* Ready warps without a delay. If all are delayed, and nothing else is under way (`alone`), the delays end. */
static uint64_t not_held(struct wl_gpu *g, struct sm *s, unsigned sm, uint64_t ready, bool alone)
{
	for (uint64_t m = s->held; m; m &= m - 1) {
		const unsigned warp = (unsigned)__builtin_ctzll(m);
		if (gpu_warp(g, sm, warp)->held <= g->issued)
			s->held &= ~(UINT64_C(1) << warp);
	}
	if (!(ready & ~s->held) && alone)
		s->held &= ~ready;
	return ready & ~s->held;
}

static unsigned nth(uint64_t bits, unsigned n)
{
	while (n--)
		bits &= bits - 1;
	return (unsigned)__builtin_ctzll(bits);
}

static unsigned highest(const struct wl_gpu *g, unsigned sm, uint64_t bits)
{
	unsigned best = (unsigned)__builtin_ctzll(bits);
	for (; bits; bits &= bits - 1) {
		const unsigned warp = (unsigned)__builtin_ctzll(bits);
		if (gpu_warp(g, sm, warp)->priority > gpu_warp(g, sm, best)->priority)
			best = warp;
	}
	return best;
}

static int choose(struct wl_gpu *g, unsigned sm, uint64_t bits, unsigned last)
{
	if (!bits)
		return -1;
	if (g->config.schedule == WL_SCHEDULE_PCT)
		return (int)highest(g, sm, bits);
	if (g->schedule.in_order)
		return step_next_warp(bits, last);
	return (int)nth(bits, draw(g, (uint32_t)__builtin_popcountll(bits)));
}

int schedule_next(struct wl_gpu *g, unsigned sm, uint64_t ready, unsigned last)
{
	return choose(g, sm, not_held(g, gpu_sm(g, sm), sm, ready, !gpu_busy(g)), last);
}

bool schedule_rests(struct wl_gpu *g)
{
	return g->config.schedule == WL_SCHEDULE_PCT || draw(g, 2);
}

/* ---- the turn of a warp ---- */

/* Below all warps started or fallen so far, or anywhere below the warps not yet fallen. */
static void fall(struct wl_gpu *g, struct warp *w, bool lowest_of_all)
{
	g->schedule.lowest++;
	w->priority = lowest_of_all ? FIRST_PRIORITY / 2 - g->schedule.lowest % (FIRST_PRIORITY / 2)
	                            : FIRST_PRIORITY / 2 + draw(g, FIRST_PRIORITY / 2);
}

static void priorities_change(struct wl_gpu *g, unsigned sm, unsigned warp, uint64_t done)
{
	struct schedule *p = &g->schedule;
	const uint32_t who = sm * WL_MAX_WARPS + warp;
	p->run = p->running == who ? p->run + done : done;
	p->running = who;
	if (g->issued >= p->change) {
		next_change(g);
		fall(g, gpu_warp(g, sm, warp), false);
	} else if (p->run >= p->longest_run) {
		p->run = 0;
		fall(g, gpu_warp(g, sm, warp), true);
	}
}

/* Before an instruction visible to others, or with a view of others' actions. Once for each instruction. */
static bool delays(struct wl_gpu *g, unsigned sm, unsigned warp)
{
	struct warp *w = gpu_warp(g, sm, warp);
	const uint32_t pc = w->g[w->cur].pc;
	if (pc >= g->program->ninst || gpu_ops(g)[pc].unit == WL_UNIT_FRONT || w->drawn == w->time + 1)
		return false;
	w->drawn = w->time + 1;
	if (draw(g, 2 * g->schedule.one_in))
		return false;
	w->held = g->issued + 1 + draw(g, g->schedule.delay);
	gpu_sm(g, sm)->held |= UINT64_C(1) << warp;
	return true;
}

static unsigned length(struct wl_gpu *g)
{
	const struct schedule *p = &g->schedule;
	const bool pct = g->config.schedule == WL_SCHEDULE_PCT;
	const uint64_t left = g->limit > g->issued ? g->limit - g->issued : 0;
	uint64_t n = 1 + draw(g, pct && p->turn > PCT_TURN ? PCT_TURN : p->turn);
	if (pct && p->change > g->issued && p->change - g->issued < n)
		n = p->change - g->issued;
	return (unsigned)(left < n ? left : n);
}

enum step_end schedule_run(struct wl_gpu *g, unsigned sm, unsigned warp)
{
	enum step_end how = STEP_TURN_OVER;
	const uint64_t before = g->issued;
	unsigned n = length(g);
	if (!n) {
		g->outcome = WL_LIMIT;
		return STEP_OVER;
	}
	if (g->config.schedule != WL_SCHEDULE_DELAY) {
		how = step_warp(g, sm, warp, n);
		if (g->config.schedule == WL_SCHEDULE_PCT)
			priorities_change(g, sm, warp, g->issued - before);
		return how;
	}
	for (; n && how == STEP_TURN_OVER && gpu_sm(g, sm)->ready >> warp & 1 && !delays(g, sm, warp); n--)
		how = step_warp(g, sm, warp, 1);
	return how;
}

/* ---- the C model alone ---- */

static uint64_t wake(struct wl_gpu *g, unsigned sm)
{
	struct sm *s = gpu_sm(g, sm);
	if (sm_time(s) >= s->next_wake)
		sleep_end(g, sm);
	return s->ready;
}

bool schedule_step_sm(struct wl_gpu *g, unsigned sm)
{
	struct sm *s = gpu_sm(g, sm);
	const uint64_t ready = wake(g, sm);
	if (g->outcome != WL_RUNNING)
		return true;
	const int warp = choose(g, sm, not_held(g, s, sm, ready, true), s->last);
	if (warp < 0)
		return false;
	s->last = (uint32_t)warp;
	schedule_run(g, sm, (unsigned)warp);
	return true;
}

/* The SM of the ready warp with the highest priority, or a drawn SM; -1: no warp is ready. */
static int choose_sm(struct wl_gpu *g)
{
	const bool pct = g->config.schedule == WL_SCHEDULE_PCT;
	int chosen = -1;
	uint32_t best = 0, n = 0;
	for (unsigned sm = 0; sm < g->config.sms && g->outcome == WL_RUNNING; sm++) {
		const uint64_t ready = wake(g, sm);
		if (!ready)
			continue;
		n++;
		const uint32_t mine = pct ? gpu_warp(g, sm, highest(g, sm, ready))->priority : draw(g, n) == 0;
		if (chosen >= 0 && mine <= (pct ? best : 0))
			continue;
		best = mine;
		chosen = (int)sm;
	}
	return chosen;
}

bool schedule_turn(struct wl_gpu *g)
{
	const int sm = g->config.sms > 1 ? choose_sm(g) : 0;
	if (g->outcome != WL_RUNNING)
		return true;
	return sm >= 0 && schedule_step_sm(g, (unsigned)sm);
}

enum wl_schedule wl_gpu_schedule(const struct wl_gpu *g)
{
	return (enum wl_schedule)g->config.schedule;
}

// SPDX-License-Identifier: Apache-2.0
/* ahead.c -- SOURCE: does a quiet launch in lockstep ever get on?
 *
 * Units in the DUT answer thousands of times slower than the C model alone. So a copy of the launch runs ahead on the C
 * model alone, as in wlrun, until spin.c gives a verdict or something changes. SOURCE takes the copy while the DUT
 * holds nothing but waits for other warps. The C units of the copy hold these waits, since REF has counted the waits. A
 * copy with progress gives no verdict: the launch itself goes on in lockstep, and every instruction is checked. So does
 * a launch whose copy has made the clock leap, and then went on to other words, to other waits, or to code without a
 * clock: the launch waits the full time. */
#include <stdlib.h>
#include <string.h>

#include "ahead.h"
#include "spin.h"
#include "step.h"
#include "usyncs.h"

enum {
	SLICE = 1 << 18, /* instructions between two looks at the copy */
	SLICES = 64,     /* at most, plus ... */
	OF_WARP = 16,    /* ... so many for each live warp of the launch: four times the length of a judgement */
	LEAPING = 3,     /* times as many for a copy whose clock leaps: there are hundreds of leaps to a judgement */
};

/* A launch running ahead, and the state at the start. */
struct ahead {
	struct wl_gpu *gpu;
	struct wl_gmem gmem;
	uint64_t changes, shared;
	uint32_t slices; /* so far */
	uint32_t *ran;   /* of each warp: the last slice with a run of the warp, 0: none */
	uint64_t *time;  /* of each warp, at the end of the last slice */
	uint64_t *able;  /* of each SM: the warps that could go on at the start */
};

static uint32_t all_warps(const struct wl_gpu *g)
{
	return g->config.sms * g->config.warps_per_sm;
}

static void ahead_free(struct ahead *a)
{
	free(a->gpu);
	free(a->gmem.mem);
	free(a->ran);
	free(a->time);
	free(a->able);
}

static void *copy_of(const void *from, uint64_t bytes)
{
	void *to = malloc(bytes ? bytes : 1);
	if (to)
		memcpy(to, from, bytes);
	return to;
}

/* The warp stands at a question for the DUT alone. */
static bool is_between(const struct warp *w)
{
	return warp_asks(w) || w->state == WARP_OFFERED || w->state == WARP_SLOT || w->state == WARP_EXIT;
}

static bool any_between(const struct wl_gpu *g)
{
	for (unsigned sm = 0; sm < g->dut_sms; sm++)
		for (unsigned k = 0; k < g->config.warps_per_sm; k++)
			if (gpu_warp(g, sm, k)->live && is_between(gpu_warp(g, sm, k)))
				return true;
	return false;
}

/* A wait of the DUT becomes a wait of the C units, as if the warp had come to the instruction in C. A waiting fence is
 * over: in C a fence takes no time. */
static void wait_in_c(struct wl_gpu *g, unsigned sm, unsigned warp)
{
	struct warp *w = gpu_warp(g, sm, warp);
	if (w->state != WARP_PARKED)
		return;
	if (usyncs_asks(g->program->insts[w->wait.pc].uop)) {
		warp_enter(w, WARP_UNIT);
		w->wait.give_up = sm_time(gpu_sm(g, sm)) + SUSPEND;
	} else {
		warp_enter(w, WARP_RUNS);
	}
}

static void sm_in_c(struct wl_gpu *g, unsigned sm)
{
	struct sm *s = gpu_sm(g, sm);
	s->units.elsewhere = 0;
	s->async.outside = false;
	for (unsigned warp = 0; warp < g->config.warps_per_sm; warp++) {
		if (!gpu_warp(g, sm, warp)->live)
			continue;
		wait_in_c(g, sm, warp);
		warp_set_ready(g, sm, warp);
	}
}

/* From here on the copy asks nobody and tells nobody. */
static void leave_dut(struct wl_gpu *g)
{
	const unsigned sms = g->dut_sms;
	g->source = false;
	g->dut = g->dut_sms = 0;
	g->inflight = g->waits = g->offered = 0;
	g->answers = g->gave_up = 0;
	g->host = (struct wl_host){0};
	g->print = NULL;
	g->observer = NULL;
	g->guide = NULL;
	for (unsigned sm = 0; sm < sms; sm++)
		sm_in_c(g, sm);
	spin_start_over(g);
}

static bool ahead_new(struct ahead *a, const struct wl_gpu *g)
{
	const uint32_t n = all_warps(g);
	*a = (struct ahead){.gpu = copy_of(g, g->bytes), .gmem = *g->gmem};
	a->gmem.mem = copy_of(g->gmem->mem, g->gmem->bytes);
	a->ran = calloc(n, sizeof *a->ran);
	a->time = calloc(n, sizeof *a->time);
	a->able = calloc(g->config.sms, sizeof *a->able);
	if (!a->gpu || !a->gmem.mem || !a->ran || !a->time || !a->able)
		return false;
	a->gpu->gmem = &a->gmem;
	gpu_set_pointers(a->gpu);
	leave_dut(a->gpu);
	a->changes = g->seen.changes;
	a->shared = spin_sum_shared(a->gpu);
	for (uint32_t i = 0; i < n; i++)
		a->time[i] = gpu_warp(a->gpu, 0, i)->time;
	for (unsigned sm = 0; sm < g->config.sms; sm++)
		a->able[sm] = sm_not_stuck(gpu_sm(a->gpu, sm));
	return true;
}

/* A change visible to others. */
static bool gets_on(const struct ahead *a)
{
	const struct wl_gpu *g = a->gpu;
	return g->seen.changes != a->changes || g->copies || spin_sum_shared(g) != a->shared;
}

static enum wl_outcome run_slice(struct ahead *a)
{
	struct wl_gpu *g = a->gpu;
	g->outcome = WL_RUNNING;
	g->limit = g->issued + SLICE;
	const enum wl_outcome o = wl_gpu_run(g);
	a->slices++;
	for (uint32_t i = 0; i < all_warps(g); i++) {
		const uint64_t time = gpu_warp(g, 0, i)->time;
		a->ran[i] = time != a->time[i] ? a->slices : a->ran[i];
		a->time[i] = time;
	}
	return o;
}

/* Every warp with a run in the copy ran in the later half, too: the launch stands at the places of the hang. */
static bool same_warps(const struct ahead *a)
{
	for (uint32_t i = 0; i < all_warps(a->gpu); i++)
		if (a->ran[i] && a->ran[i] < a->slices / 2)
			return false;
	return true;
}

/* What the copy says of a launch whose clock does not leap: nothing, unless the whole copy stood still but for the time. */
static bool stood_still(const struct ahead *a)
{
	const struct wl_gpu *g = a->gpu;
	if (!spin_leapt(g))
		return true;
	if (g->spins != SPIN_JUDGED || g->quiet.ns != spin_leapt(g))
		return false;
	for (unsigned sm = 0; sm < g->config.sms; sm++)
		if (a->able[sm] & ~sm_not_stuck(gpu_sm(g, sm)))
			return false;
	return true;
}

static uint32_t live_warps(const struct wl_gpu *g)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < all_warps(g); i++)
		n += gpu_warp(g, 0, i)->live != 0;
	return n;
}

static enum ahead_says verdict(struct ahead *a, struct quiet_run *quiet)
{
	const struct wl_gpu *g = a->gpu;
	*quiet = g->quiet;
	if (g->outcome != WL_DEADLOCK || g->spins == SPIN_NONE || gets_on(a) || !same_warps(a) || !stood_still(a))
		return AHEAD_GETS_ON;
	return g->spins == SPIN_PROVEN ? AHEAD_PROVEN : AHEAD_JUDGED;
}

enum ahead_says ahead_run(const struct wl_gpu *gpu, struct quiet_run *quiet)
{
	struct ahead a;
	enum ahead_says says = AHEAD_GETS_ON;
	if (any_between(gpu))
		return AHEAD_LATER;
	if (!ahead_new(&a, gpu)) {
		ahead_free(&a);
		return AHEAD_NO_MEMORY;
	}
	const uint32_t most = SLICES + OF_WARP * live_warps(a.gpu);
	while (a.slices < (spin_leapt(a.gpu) ? LEAPING * most : most)) {
		const enum wl_outcome o = run_slice(&a);
		if (o != WL_LIMIT) {
			says = verdict(&a, quiet);
			break;
		}
		if (gets_on(&a))
			break;
	}
	ahead_free(&a);
	return says;
}

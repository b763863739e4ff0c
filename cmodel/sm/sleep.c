// SPDX-License-Identifier: Apache-2.0
/* sleep.c -- time, and sleeping warps.
 *
 * Time is the number of instructions issued by the SM, plus skipped time. While a group of lanes sleeps (NANOSLEEP),
 * other groups of the warp run. When all ready groups sleep, the warp sleeps until the first group wakes. Order of
 * waking inside a warp follows the warp's own time (instructions and sleeps). So the behaviour of a warp depends on its
 * own state alone: spin.c and replay rely on this rule. When no warp of any SM can go on but some sleep, time jumps to
 * the nearest end of a sleep. Source: docs/spec/time.md, "Clocks"; docs/spec/time.md, "Sleep". */
#include "exec.h"
#include "exec_unit.h"
#include "sleep.h"
#include "step.h"

enum { MOST_SLEEP = 1000000 }; /* ns: PTX ISA, "nanosleep" */

/* The shortest time asked for by a lane: a thread may wake early, not late. Lanes of the group without the NANOSLEEP
 * wait with the others, as behind any instruction of the others. */
void sleep_group(struct exec *x)
{
	uint32_t least = MOST_SLEEP;
	for (uint32_t m = x->mask; m; m &= m - 1)
		least = x->b[lowest(m)] < least ? x->b[lowest(m)] : least;
	for (unsigned i = 0; i < x->w->ngroups; i++)
		if (x->w->g[i].mask & x->mask && x->w->g[i].state == GROUP_READY)
			x->w->g[i].wake = x->w->time + x->done + 1 + least;
}

/* Time of the first waking of a ready group, in the warp's time. Not above the warp's present time: some group is
 * awake. */
static uint64_t first_wake(const struct warp *w)
{
	uint64_t first = UINT64_MAX;
	for (unsigned i = 0; i < w->ngroups; i++)
		if (w->g[i].state == GROUP_READY && w->g[i].wake < first)
			first = w->g[i].wake;
	return first;
}

bool sleep_warp(struct sm *s, struct warp *w)
{
	uint64_t first = first_wake(w);
	if (first > w->time) {
		w->wake = w->ran_at + (first - w->time);
		w->time = first;
	}
	if (w->wake <= sm_time(s))
		return false;
	if (w->wake < s->next_wake)
		s->next_wake = w->wake;
	return true;
}

bool sleep_unit(struct sm *s, const struct warp *w)
{
	if (w->wait.give_up < s->next_wake)
		s->next_wake = w->wait.give_up;
	return true;
}

void sleep_end(struct wl_gpu *gpu, unsigned sm)
{
	struct sm *s = gpu_sm(gpu, sm);
	s->next_wake = UINT64_MAX;
	async_land(gpu, sm);
	uint64_t asleep = s->asleep;
	for (; asleep; asleep &= asleep - 1) {
		const unsigned warp = (unsigned)__builtin_ctzll(asleep);
		const struct warp *w = gpu_warp(gpu, sm, warp);
		if (w->state == WARP_UNIT && w->wait.give_up && w->wait.give_up <= sm_time(s))
			unit_give_up(gpu, sm, warp);
		warp_set_ready(gpu, sm, warp);
	}
}

void sleep_until(struct wl_gpu *gpu, unsigned sm, uint64_t time)
{
	struct sm *s = gpu_sm(gpu, sm);
	if (time > sm_time(s))
		s->skipped += time - sm_time(s);
	sleep_end(gpu, sm);
}

/* Time may go on although nobody runs: a warp will wake, or a copy will land. */
static bool passes(const struct sm *s)
{
	return s->asleep || (s->async.n && !s->async.outside);
}

static uint64_t nearest(const struct wl_gpu *gpu)
{
	uint64_t least = UINT64_MAX;
	for (unsigned sm = 0; sm < gpu->config.sms; sm++) {
		const struct sm *s = gpu_sm(gpu, sm);
		uint64_t now = sm_time(s), left = s->next_wake > now ? s->next_wake - now : 0;
		if (passes(s) && left < least)
			least = left;
	}
	return least;
}

/* No further than to the end of the SM's first sleep, so a replayed order finds the same time. */
static void pass(struct wl_gpu *gpu, unsigned sm, uint64_t ns)
{
	struct sm *s = gpu_sm(gpu, sm);
	uint64_t now = sm_time(s), left = s->next_wake > now ? s->next_wake - now : 0;
	sleep_until(gpu, sm, now + (ns < left ? ns : left));
}

static bool any_ready(const struct wl_gpu *gpu)
{
	for (unsigned sm = 0; sm < gpu->config.sms; sm++)
		if (gpu_sm(gpu, sm)->ready)
			return true;
	return false;
}

bool sleep_jump(struct wl_gpu *gpu)
{
	uint64_t ns = any_ready(gpu) ? UINT64_MAX : nearest(gpu);
	for (unsigned sm = 0; ns != UINT64_MAX && sm < gpu->config.sms; sm++)
		if (passes(gpu_sm(gpu, sm)))
			pass(gpu, sm, ns);
	return ns != UINT64_MAX;
}

void sleep_idle(struct wl_gpu *gpu)
{
	uint64_t longest = 0;
	for (unsigned sm = 0; sm < gpu->config.sms; sm++) {
		struct sm *s = gpu_sm(gpu, sm);
		uint64_t ran = s->issued - s->idle_from;
		s->idle_from = s->issued;
		longest = ran > longest ? ran : longest;
	}
	for (unsigned sm = 0; sm < gpu->config.sms; sm++) {
		bool waits = sm_in_dut(gpu, sm) && gpu_busy(gpu); /* for results: the wait may end at any time */
		if (passes(gpu_sm(gpu, sm)) && !gpu_sm(gpu, sm)->ready && !waits)
			pass(gpu, sm, longest);
	}
}

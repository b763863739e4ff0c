// SPDX-License-Identifier: Apache-2.0
/* barrier_file.c -- cycles of barrier_file behind a single port. A header goes through the queue, is held until the
 * head bus is free, and is judged in the cycle after the head bus.
 *
 *   taken   queue   held   bus   judged        (EXIT: on the bus)
 *     0       2       3     4      5
 *
 * An EXIT occupies the stage of judgement for one cycle, for two cycles when the CTA has a phase about to shrink. A
 * request with an answer (ARV, B2R, faults) needs one of two places for answers, and so does an EXIT. Answers of both
 * kinds go out in turn, one a cycle. */
#include "warplock/timing.h"

enum { FROM_PORT = 2 /* cycles from the port to the end of the queue */ };

void wl_barrier_timing_take(struct wl_barrier_timing *t, uint64_t cycle, unsigned warp, bool ends)
{
	t->queue[t->in % WL_BARRIER_TIMING_QUEUE].from = cycle + FROM_PORT;
	t->queue[t->in % WL_BARRIER_TIMING_QUEUE].warp = (uint8_t)warp;
	t->queue[t->in++ % WL_BARRIER_TIMING_QUEUE].ends = ends;
}

/* Which kind of answer goes out in this cycle: in turn if both kinds wait. */
static bool unit_is_served(const struct wl_barrier_timing *t)
{
	return t->unit_answers && (!t->exit_answers || t->served_exit);
}
static bool exit_is_served(const struct wl_barrier_timing *t)
{
	return t->exit_answers && !unit_is_served(t);
}

/* The stage of judgement has room for the next arrival. */
static bool judge_is_free(const struct wl_barrier_timing *t, bool judged)
{
	return t->judge == WL_BARRIER_NOBODY || judged || (t->judge_ends && t->looked);
}

struct wl_barrier_timing_cycle wl_barrier_timing_look(const struct wl_barrier_timing *t)
{
	return (struct wl_barrier_timing_cycle){
	        .judge = t->judge_ends ? WL_BARRIER_NOBODY : t->judge,
	        .room = t->unit_answers < WL_BARRIER_TIMING_ANSWERS,
	        .ends = t->judge_ends && t->looked && t->looks,
	};
}

/* The next warp on the bus: the lowest warp above the last warp, else the lowest. */
static uint8_t next_held(const struct wl_barrier_timing *t)
{
	const uint64_t above = t->held & ~((UINT64_C(2) << t->last) - 1);
	return (uint8_t)__builtin_ctzll(above ? above : t->held);
}

unsigned wl_barrier_timing_step(struct wl_barrier_timing *t, uint64_t cycle, bool judged, bool answers)
{
	const bool unit_taken = unit_is_served(t), exit_taken = exit_is_served(t);
	const bool free = judge_is_free(t, judged);
	const bool exit_goes =
	        t->bus != WL_BARRIER_NOBODY && t->bus_ends && free && t->exit_answers < WL_BARRIER_TIMING_ANSWERS;
	const bool goes = t->bus != WL_BARRIER_NOBODY && (t->bus_ends ? exit_goes : free);
	const unsigned left = exit_goes ? t->bus : WL_BARRIER_NOBODY;
	if (unit_taken || exit_taken)
		t->served_exit = exit_taken;
	t->unit_answers = (uint8_t)(t->unit_answers + (judged && answers) - unit_taken);
	t->exit_answers = (uint8_t)(t->exit_answers + exit_goes - exit_taken);
	if (goes) {
		t->judge = t->bus;
		t->judge_ends = t->bus_ends;
		t->looked = true; /* until wl_barrier_timing_looks finds something to look at */
		t->looks = false;
	} else if (free) {
		t->judge = WL_BARRIER_NOBODY;
		t->judge_ends = false;
	} else if (t->judge_ends) {
		t->looked = true;
	}
	if (goes)
		t->bus = WL_BARRIER_NOBODY;
	if (t->held && t->bus == WL_BARRIER_NOBODY) {
		t->bus = t->last = next_held(t);
		t->bus_ends = t->ends >> t->bus & 1;
		t->held &= ~(UINT64_C(1) << t->bus);
	}
	if (t->out != t->in && t->queue[t->out % WL_BARRIER_TIMING_QUEUE].from <= cycle) {
		const uint64_t bit = UINT64_C(1) << t->queue[t->out % WL_BARRIER_TIMING_QUEUE].warp;
		t->held |= bit;
		t->ends = t->queue[t->out++ % WL_BARRIER_TIMING_QUEUE].ends ? t->ends | bit : t->ends & ~bit;
	}
	return left;
}

void wl_barrier_timing_looks(struct wl_barrier_timing *t)
{
	t->looked = false;
	t->looks = true;
}

void wl_barrier_timing_start(struct wl_barrier_timing *t)
{
	*t = (struct wl_barrier_timing){.judge = WL_BARRIER_NOBODY, .bus = WL_BARRIER_NOBODY, .served_exit = true};
}

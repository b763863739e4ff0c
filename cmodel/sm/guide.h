// SPDX-License-Identifier: Apache-2.0
/* guide.h -- a run with an order chosen from outside: exploration, and the repetition of a schedule.
 *
 * A guide chooses before each instruction with a stop. Instructions without a stop run at once, warp by warp. Sleeps
 * end at once: PTX promises no time. A warp that polls without any change is no choice before something changes. */
#ifndef WARPLOCK_GUIDE_H
#define WARPLOCK_GUIDE_H

#include "warplock/sm.h"

enum { GUIDE_MOST = 1024 };

struct wl_guide_warp {
	uint32_t sm, slot, cta, warp, pc;
};
struct wl_guide_turn {
	uint32_t cta, warp, count; /* instructions */
};
struct wl_guide {
	void *self;
	/* NULL: the policy of the run chooses, and the guide only sees the turns. */
	bool (*stops)(void *self, uint32_t pc);
	/* Chooses among n warps; -1: the run is given up. last: the warp of the last choice, -1: cannot go on. */
	int (*choose)(void *self, const struct wl_guide_warp *of, unsigned n, int last);
	void (*ran)(void *self, uint32_t cta, uint32_t warp, unsigned count);
	/* Turns to repeat, in place of stops and choose; behind the last turn the policy of the run chooses. */
	const struct wl_guide_turn *turn;
	size_t turns;
	/* state of guide.c */
	size_t at;
	uint32_t done, first;
	int last_sm, last_slot;
	bool lost; /* the warp of the last choice has waited since */
	struct guide_poll *poll;
};

/* Before wl_gpu_run; the guide must outlive the run. False: no memory. */
bool wl_gpu_guide(struct wl_gpu *gpu, struct wl_guide *guide);
void wl_guide_done(struct wl_guide *guide);
/* How often the run has read a clock. */
uint64_t wl_gpu_clocks(const struct wl_gpu *gpu);

#endif

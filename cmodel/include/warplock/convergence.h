// SPDX-License-Identifier: Apache-2.0
/* convergence.h -- the 16 convergence barriers of each warp: the lanes each lane waits for, and the lanes released.
 *
 * The front end keeps the program counters; the barriers know none.
 * Source: docs/spec/convergence.md, "Instructions"; docs/spec/convergence.md, "Who goes on". */
#ifndef WARPLOCK_CONVERGENCE_H
#define WARPLOCK_CONVERGENCE_H

#include "warplock/unit.h"

/* Kinds of lanes at WARPSYNC. .EXCLUSIVE and .COLLECTIVE: the lanes of a set go on apart from other lanes. */
enum wl_warpsync { WL_WARPSYNC_PLAIN, WL_WARPSYNC_APART, WL_WARPSYNCS };

/* A barrier is a row of lane sets, one set for each lane. Two sides of a branch may use the same number at the same
 * time, since the compiler gives numbers by place in the code. */
struct wl_conv_warp {
	uint32_t live;
	uint32_t waits;   /* lanes at a BSYNC or WARPSYNC */
	uint32_t yielded; /* lanes with a YIELD since the lane's last BSSY, BSYNC or WARPSYNC */
	uint16_t bars;    /* barriers with waiting lanes */
	uint32_t at_bsync[WL_NUM_CBARS];
	uint32_t at_warpsync[WL_WARPSYNCS];
	uint32_t set[WL_NUM_CBARS][WL_WARP_LANES];
	uint32_t wait_for[WL_WARP_LANES]; /* WARPSYNC: the mask of each lane */
};
/* The warps of a CTA slot as launched, as the DUT gets them. */
struct wl_conv_cta {
	uint8_t first_warp, warps, last_lanes; /* lanes of the CTA's last warp */
};
struct wl_convergence {
	struct wl_conv_warp warp[WL_MAX_WARPS];
	struct wl_conv_cta cta[WL_MAX_CTAS];
};

void wl_conv_start(struct wl_conv_warp *w, uint32_t lanes);
/* Returned lanes: lanes released from a wait. */
void wl_conv_bssy(struct wl_conv_warp *w, unsigned bar, uint32_t lanes);
uint32_t wl_conv_bsync(struct wl_conv_warp *w, unsigned bar, uint32_t lanes);
uint32_t wl_conv_break(struct wl_conv_warp *w, unsigned bar, uint32_t lanes);
/* sets: the mask of each lane. No lane misuses its mask. */
uint32_t wl_conv_warpsync(struct wl_conv_warp *w, enum wl_warpsync kind, uint32_t lanes,
                          const uint32_t sets[WL_WARP_LANES]);
/* Lanes with a misused mask. self: the lane's own mask leaves the lane out. mismatch: two lanes at the same place name
 * each other in different masks; the later lane faults. self is judged first. */
struct wl_conv_misuse {
	uint32_t self, mismatch;
};
struct wl_conv_misuse wl_conv_judge(const struct wl_conv_warp *w, enum wl_warpsync kind, uint32_t lanes,
                                    const uint32_t sets[WL_WARP_LANES]);
/* A yielding lane may spin for the work of a lane at BSYNC. So lanes waiting for yielding lanes alone go on, and leave
 * the sets of these yielding lanes. */
uint32_t wl_conv_yield(struct wl_conv_warp *w, uint32_t lanes);
uint32_t wl_conv_exit(struct wl_conv_warp *w, uint32_t lanes);
/* BMOV: put sets the lanes' sets from a row; clear empties the lanes' sets. */
void wl_conv_put(struct wl_conv_warp *w, unsigned bar, uint32_t lanes, const uint32_t row[WL_WARP_LANES]);
void wl_conv_clear(struct wl_conv_warp *w, unsigned bar, uint32_t lanes);
/* The lanes of `lanes` with the word of the lowest lane. */
uint32_t wl_conv_same_set(const uint32_t row[WL_WARP_LANES], uint32_t lanes);

#endif

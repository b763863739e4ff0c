// SPDX-License-Identifier: Apache-2.0
/* barrier_file.h -- the 16 named barriers of each resident CTA: sync, arrive, reduce. The unit counts whole warps.
 *
 * Source: docs/spec/barriers.md, "Barriers". */
#ifndef WARPLOCK_BARRIER_FILE_H
#define WARPLOCK_BARRIER_FILE_H

#include "warplock/unit.h"

enum { WL_NAMED_BARS = 16, WL_BAR_FIXED = 64 /* never more releases under way than warps */ };

/* One phase of a barrier. A phase is open while some warp has arrived. Completion leaves the barrier ready for the
 * next phase. */
struct wl_named_bar {
	uint64_t arrived; /* warps of the SM */
	uint64_t waiting; /* waiting warps: arrived warps, without warps of BAR.ARV */
	uint16_t phase;   /* number of phases before */
	uint16_t yes;     /* reduction: threads with vote yes */
	bool all;         /* reduction: whether every vote was yes */
	bool counted;     /* some arrival gave a count: EXIT does not shrink the phase */
	uint8_t here;     /* number of arrived warps */
	uint8_t count;    /* expected warps: the given count, or the CTA's warps as launched */
	uint8_t mode;     /* 0: sync and arrive; else 1 + enum wl_bar_red */
};
/* History of phases, for reports alone. */
enum { WL_BAR_PAST = 4 };
struct wl_bar_past {
	uint64_t who[WL_BAR_PAST]; /* warps of the SM in phase n, at n % WL_BAR_PAST */
	uint8_t attended;          /* bit n % WL_BAR_PAST: some warp waited for phase n */
	uint32_t unattended;       /* phases without a waiting warp; the last such phase: */
	uint64_t last_unattended;
};
struct wl_bar_cta {
	bool open;
	uint8_t warps, live; /* as launched; not yet exited */
	struct wl_named_bar bar[WL_NAMED_BARS];
	struct wl_bar_past past[WL_NAMED_BARS];
};
struct wl_barrier_file {
	struct wl_bar_cta cta[WL_MAX_CTAS];
	uint16_t result[WL_MAX_WARPS]; /* B2R.RESULT: result of each warp's last reduction */
	uint8_t nfixed;                /* releases fixed by apply, not yet handed out by wl_units_released */
	struct wl_released fixed[WL_BAR_FIXED];
};

/* The arrival of a whole warp. */
struct wl_bar_arrival {
	uint8_t op, red;    /* enum wl_bar, enum wl_bar_red */
	uint32_t id, count; /* threads; 0: not given */
	uint32_t live, yes; /* live lanes; live lanes with a true predicate */
};

void wl_bar_open(struct wl_barrier_file *f, unsigned slot, unsigned warps);
void wl_bar_close(struct wl_barrier_file *f, unsigned slot);
/* Static faults: SLOT_CLOSED, BAR_BAD_ID, BAR_BAD_COUNT. */
enum wl_fault wl_bar_check(const struct wl_barrier_file *f, unsigned slot, const struct wl_bar_arrival *a);
/* The warp arrives. wl_bar_check must have returned NONE. A fault changes nothing. r->warps: released warps, 0 = none.
 * f->result holds results of a reduction. */
enum wl_fault wl_bar_arrive(struct wl_barrier_file *f, unsigned slot, unsigned warp, const struct wl_bar_arrival *a,
                            struct wl_released *r);
/* A warp's last lanes are gone. An EXIT completes at most one barrier, since all live warps must wait at the
 * barrier. */
void wl_bar_exit(struct wl_barrier_file *f, unsigned slot, struct wl_released *r);
/* Number of warps missing in the phase. */
unsigned wl_bar_missing(const struct wl_bar_cta *cta, unsigned id);

#endif

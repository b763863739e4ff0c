// SPDX-License-Identifier: Apache-2.0
/* barrier_file.h -- the 16 named barriers of each resident CTA: sync, arrive, reduce. The unit counts whole warps.
 *
 * Source: docs/spec/barriers.md, "Barriers". */
#ifndef WARPLOCK_BARRIER_FILE_H
#define WARPLOCK_BARRIER_FILE_H

#include "warplock/unit.h"

enum { WL_NAMED_BARS = 16, WL_BAR_FIXED = 64 /* more releases than warps cannot be under way */ };

/* One phase of a barrier. It is open while some warp has arrived; what completes it leaves it ready for the next. */
struct wl_named_bar {
	uint64_t arrived; /* warps of the SM */
	uint64_t waiting; /* those of them that wait: all but BAR.ARV */
	uint16_t phase;   /* how many came before */
	uint16_t yes;     /* reduction: threads that voted yes, and ... */
	bool all;         /* ... whether all that voted did */
	bool counted;     /* some arrival gave a count: warps that exit are not taken off */
	uint8_t here;     /* how many have arrived */
	uint8_t count;    /* warps expected: the count given, or the CTA's warps as launched */
	uint8_t mode;     /* 0: sync and arrive; else 1 + enum wl_bar_red */
};
struct wl_bar_cta {
	bool open;
	uint8_t warps, live; /* as launched; that have not exited */
	struct wl_named_bar bar[WL_NAMED_BARS];
};
struct wl_barrier_file {
	struct wl_bar_cta cta[WL_MAX_CTAS];
	uint16_t result[WL_MAX_WARPS]; /* of each warp's last reduction: B2R.RESULT */
	uint8_t nfixed;                /* releases that apply has fixed and nobody has taken */
	struct wl_released fixed[WL_BAR_FIXED];
};

/* What a whole warp brings. */
struct wl_bar_arrival {
	uint8_t op, red;    /* enum wl_bar, enum wl_bar_red */
	uint32_t id, count; /* threads; 0: not given */
	uint32_t live, yes; /* lanes; those of them whose predicate holds */
};

void wl_bar_open(struct wl_barrier_file *f, unsigned slot, unsigned warps);
void wl_bar_close(struct wl_barrier_file *f, unsigned slot);
/* Faults that are known at the request: SLOT_CLOSED, BAR_BAD_ID, BAR_BAD_COUNT. */
enum wl_fault wl_bar_check(const struct wl_barrier_file *f, unsigned slot, const struct wl_bar_arrival *a);
/* The warp arrives; wl_bar_check has said NONE. On a fault nothing has changed. r->warps: who goes on now, 0 = nobody;
 * results of a reduction are in f->result. */
enum wl_fault wl_bar_arrive(struct wl_barrier_file *f, unsigned slot, unsigned warp, const struct wl_bar_arrival *a,
                            struct wl_released *r);
/* A warp's last lanes are gone: at most one barrier is complete by that, since all live warps wait there. */
void wl_bar_exit(struct wl_barrier_file *f, unsigned slot, struct wl_released *r);
/* Warps that the phase still needs before it is complete. */
unsigned wl_bar_missing(const struct wl_bar_cta *cta, unsigned id);

#endif

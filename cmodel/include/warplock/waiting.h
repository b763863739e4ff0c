/* SPDX-License-Identifier: Apache-2.0
 * waiting.h -- waits between groups of lanes when a run stands still: a row for each live group, and a circle of
 * groups, if the waits form a circle. */
#ifndef WARPLOCK_WAITING_H
#define WARPLOCK_WAITING_H

#include "warplock/sm.h"

enum wl_wait {
	WL_WAIT_NONE,      /* the group can go on */
	WL_WAIT_BARRIER,   /* at a named barrier, for other warps of the CTA */
	WL_WAIT_LANES,     /* at a named barrier, for other lanes of the warp: the warp has not arrived */
	WL_WAIT_BSYNC,     /* for other lanes of the warp */
	WL_WAIT_WARPSYNC,  /* likewise */
	WL_WAIT_SPIN,      /* spins; reads `addr` over and over, if `size` is not 0 */
	WL_WAIT_RESULT,    /* for the answer of a unit */
	WL_WAIT_CLUSTER,   /* at the barrier of the cluster, for warps of the cluster's CTAs */
	WL_WAIT_REGISTERS, /* for registers of the CTA's pool: USETMAXREG.TRY_ALLOC */
	WL_WAIT_MBAR,      /* at the mbarrier at shared address `addr`, parked or asking over and over */
};
const char *wl_wait_name(enum wl_wait w); /* "barrier" ... */

struct wl_waiting {
	unsigned sm, slot, warp_slot;
	uint32_t cta, warp; /* the warp's number in the CTA */
	uint32_t lanes, pc; /* pc in bytes: the instruction of the wait */
	enum wl_wait what;
	unsigned id;                /* barrier */
	unsigned phase;             /* earlier phases of the barrier */
	unsigned arrived, expected; /* threads */
	uint64_t missing;           /* missing warps of the CTA, by number in the CTA */
	uint64_t exited;            /* missing warps after their exit */
	uint32_t cluster;           /* number of the cluster */
	bool at_cluster;            /* the warp is not missing at the cluster's barrier */
	uint32_t missing_lanes;     /* missing lanes of the own warp */
	uint64_t addr, value;       /* WL_WAIT_SPIN */
	char numbers[160];          /* the value of an atomic operation on floats as numbers; else "" */
	unsigned size;
	bool shared;
	uint32_t exit_pc[64]; /* of exited warps: the last EXIT, in bytes */
	/* WL_WAIT_BARRIER: warps of the last phases, the newest phase first, and whether some warp waited for each
	 * phase */
	unsigned npast;
	uint64_t past[4];
	bool attended[4];
	/* WL_WAIT_REGISTERS: of a thread; free: of a thread, by warp */
	unsigned regs_asked, regs_held, regs_free, regs_all;
	/* WL_WAIT_MBAR; `phase` is the phase bit, `expected` and `arrived` count arrivals */
	bool asks; /* the parity awaited by the group, if asks_known */
	bool asks_known;
	bool phases_known;           /* since the init: */
	uint32_t phases;             /* ended phases */
	uint64_t last_from;          /* warps with an arrival in the last ended phase */
	struct wl_misuse_place made; /* the init; lanes 0: unknown */
	char object[120];            /* at `addr`: "full+8", "lock[1]", "dynamic shared memory + 0x10"; "" = unknown */
	int32_t tx;                  /* bytes outstanding; below 0: bytes complete before their expect_tx */
	uint32_t landed;             /* complete bytes in the open phase */
	uint32_t copies, flying;     /* copies under way with completion at the object, and the bytes of the copies */
	uint64_t far_last;           /* arrived warps of other CTAs in the last ended phase, by number on the SM */
	uint64_t far_missing;        /* of far_last, warps with fewer arrivals in this phase */
	bool parked;                 /* parked in the unit */
	bool others_owe;             /* missing warps are unknown: warps of other CTAs of the cluster arrive, too */
	uint16_t from[64];           /* arrivals in this phase of each warp of the CTA */
};

struct wl_waits {
	unsigned n, ncircle;
	struct wl_waiting *group; /* by SM, warp and lowest lane */
	unsigned *circle;         /* each group waits for the next, the last for the first; no group can get on alone */
};

/* False: memory is short. */
bool wl_gpu_waits(const struct wl_gpu *gpu, struct wl_waits *w);
/* The fault of the run is that lanes of a warp stand at different barriers: rows tell the places. */
bool wl_gpu_is_apart(const struct wl_gpu *gpu);
void wl_waits_free(struct wl_waits *w);
/* Group `a` waits for group `b`. */
bool wl_waits_for(const struct wl_waits *w, unsigned a, unsigned b);
/* Sufficient number of missing warps: a barrier with a count takes any warps of its CTA. */
unsigned wl_waits_needed(const struct wl_waiting *g);
/* "mbarrier full+8 (shared address 0x408)" */
void wl_mbarrier_name(const struct wl_waiting *g, char *buf, size_t n);
/* Further facts, behind the text of a group: "; missing: warp 2 (exited at pc 0x120 ...)"; may be empty. */
void wl_waiting_facts(const struct wl_gpu *gpu, const struct wl_waiting *g, char *buf, size_t n);
/* "barrier 3: 64 of 96 threads have arrived", without end. */
void wl_waiting_text(const struct wl_waiting *g, char *buf, size_t n);

#endif

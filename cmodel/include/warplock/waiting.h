/* SPDX-License-Identifier: Apache-2.0
 * waiting.h -- who waits for whom when a run stands still: a row for each group of lanes that lives, and the circle
 * among them if there is one. */
#ifndef WARPLOCK_WAITING_H
#define WARPLOCK_WAITING_H

#include "warplock/sm.h"

enum wl_wait {
	WL_WAIT_NONE,      /* it can go on */
	WL_WAIT_BARRIER,   /* at a named barrier, for other warps of its CTA */
	WL_WAIT_LANES,     /* at a named barrier, for other lanes of its warp, which has not arrived yet */
	WL_WAIT_BSYNC,     /* for other lanes of its warp */
	WL_WAIT_WARPSYNC,  /* likewise */
	WL_WAIT_SPIN,      /* goes round; reads `addr` over and over, if it reads anything (`size`) */
	WL_WAIT_RESULT,    /* for the answer of a unit */
	WL_WAIT_CLUSTER,   /* at the barrier of its cluster, for warps of its CTAs */
	WL_WAIT_REGISTERS, /* for registers of its CTA's pool: USETMAXREG.TRY_ALLOC */
	WL_WAIT_MBAR,      /* at the mbarrier at shared address `addr`, parked there or asking over and over */
};
const char *wl_wait_name(enum wl_wait w); /* "barrier" ... */

struct wl_waiting {
	unsigned sm, slot, warp_slot;
	uint32_t cta, warp; /* the warp's number in its CTA */
	uint32_t lanes, pc; /* pc in bytes: the instruction that it waits at */
	enum wl_wait what;
	unsigned id;                /* barrier */
	unsigned phase;             /* phases of the barrier before this one */
	unsigned arrived, expected; /* threads */
	uint64_t missing;           /* warps of the CTA that have not arrived, by their number in it */
	uint64_t exited;            /* those of them that have exited */
	uint32_t cluster;           /* number of its cluster */
	bool at_cluster;            /* its warp is not missing at the cluster's barrier */
	uint32_t missing_lanes;     /* of its own warp */
	uint64_t addr, value;       /* WL_WAIT_SPIN */
	unsigned size;
	bool shared;
	uint32_t exit_pc[64]; /* of those that have exited: their last EXIT, in bytes */
	/* WL_WAIT_BARRIER: who made up the last phases, the newest first, and whether some warp waited for each */
	unsigned npast;
	uint64_t past[4];
	bool attended[4];
	/* WL_WAIT_REGISTERS: of a thread; free: of a thread, by warp */
	unsigned regs_asked, regs_held, regs_free, regs_all;
	/* WL_WAIT_MBAR; `phase` is its bit, `expected` and `arrived` count arrivals */
	bool asks;                   /* the parity that it asks for ... */
	bool asks_known;             /* ... if that is known */
	bool phases_known;           /* since its init: */
	uint32_t phases;             /* how many have ended, ... */
	uint64_t last_from;          /* ... and warps that arrived in the last one */
	struct wl_misuse_place made; /* its init; lanes 0: unknown */
	const char *name;            /* of the variable that it lies in, NULL = the program holds none; */
	uint32_t into;               /* bytes from where that begins */
	int32_t tx;                  /* bytes outstanding; below 0: complete that nobody expects yet */
	uint32_t copies, flying;     /* copies under way that will tell it of bytes, and how many of these */
	bool parked;                 /* in the unit now */
	uint16_t from[64];           /* arrivals in this phase of each warp of the CTA */
};

struct wl_waits {
	unsigned n, ncircle;
	struct wl_waiting *group; /* by SM, warp and lowest lane */
	unsigned *circle;         /* groups each of which waits for the next one, and the last for the first */
};

/* False: no memory. */
bool wl_gpu_waits(const struct wl_gpu *gpu, struct wl_waits *w);
/* The fault of the run is that lanes of a warp stand at different barriers: rows tell where. */
bool wl_gpu_is_apart(const struct wl_gpu *gpu);
void wl_waits_free(struct wl_waits *w);
/* Whether group `a` waits for group `b`. */
bool wl_waits_for(const struct wl_waits *w, unsigned a, unsigned b);
/* "mbarrier full+8 (shared address 0x408)" */
void wl_mbarrier_name(const struct wl_waiting *g, char *buf, size_t n);
/* What else is known, behind the text of a group: "; missing: warp 2 (exited at pc 0x120 ...)"; may be empty. */
void wl_waiting_facts(const struct wl_gpu *gpu, const struct wl_waiting *g, char *buf, size_t n);
/* "barrier 3: 64 of 96 threads have arrived", without end. */
void wl_waiting_text(const struct wl_waiting *g, char *buf, size_t n);

#endif

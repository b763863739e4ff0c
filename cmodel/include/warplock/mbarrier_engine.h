// SPDX-License-Identifier: Apache-2.0
/* mbarrier_engine.h -- mbarriers: 64-bit objects in shared memory, counters of arrivals and transactions, and warps
 * waiting for phases. Source: docs/spec/mbarrier.md, "Operations"; docs/spec/mbarrier.md, "Waits". */
#ifndef WARPLOCK_MBARRIER_ENGINE_H
#define WARPLOCK_MBARRIER_ENGINE_H

#include "warplock/smem_banks.h"
#include "warplock/unit.h"

/* SYNCS.ARRIVE, member op: amounts of arrivals (A) and transactions (T). */
enum wl_mbar_op { WL_MBAR_A1TR, WL_MBAR_A1T0, WL_MBAR_A0T1, WL_MBAR_A0TR, WL_MBAR_A0TX, WL_MBAR_ART0, WL_MBAR_ACT0 };
/* WL_MBAR_ACT0: of USYNCS.ARRIVE alone. */
enum wl_mbar_wait_form { WL_MBAR_PLAIN, WL_MBAR_CONDITIONAL, WL_MBAR_PRIMARY }; /* SYNCS.PHASECHK, member type */
enum wl_mbar_result { WL_MBAR_OLD, WL_MBAR_TMASK, WL_MBAR_RED };                /* SYNCS.ARRIVE, member type */

/* LAND events, member land: an arrival from outside of the SM's instructions. */
enum wl_land {
	WL_LAND_WRITE,  /* bytes of a copy */
	WL_LAND_READ,   /* bytes of shared memory have been read for a copy */
	WL_LAND_TX,     /* `bytes` transactions of the mbarrier at addr are complete */
	WL_LAND_ARRIVE, /* the mbarrier at addr gets an arrival */
	WL_LAND_REDUCE, /* M = op(M, bytes of a copy) */
	WL_LAND_REPORT, /* a checked copy's report to the mbarrier: bit 8 of `bytes` a match, bits 7:0 a value */
};

enum { WL_MBAR_FIXED = 64 /* never more releases under way than warps */ };

/* A warp waiting in TRYWAIT. */
struct wl_mbar_wait {
	bool on;
	bool parity; /* of the awaited phase */
	uint16_t slot;
	uint16_t id;      /* address in the SM's shared memory / 8 */
	bool conditional; /* for the conditional phase (sm_107) */
};
/* Arrivals of each warp at an object, for reports alone: in the open phase, and in the phase before. */
enum { WL_MBAR_SEEN = 64 /* remembered objects: the later of two with the same place */ };
struct wl_mbar_seen {
	bool made;  /* SYNCS.EXCH has made the object since the entry began */
	bool ended; /* a phase has ended */
	/* Of PTX, 1 is v0 and 2 is v1: at the latest SYNCS.EXCH, else at the first change, until another layout is
	 * taken. 0: unknown, or invalid since. */
	uint8_t layout;
	uint32_t phases; /* ended phases */
	uint32_t landed; /* complete bytes in the open phase */
	uint16_t now[WL_MAX_WARPS], before[WL_MAX_WARPS];
};
struct wl_mbarrier_engine {
	struct wl_mbar_wait wait[WL_MAX_WARPS];
	uint8_t nfixed; /* releases fixed by apply, not yet handed out by wl_units_released */
	struct wl_released fixed[WL_MBAR_FIXED];
	uint64_t flips; /* completed phases */
	/* 1 << 31 | slot << 16 | id as in struct wl_mbar_wait; 0: a free place */
	uint32_t seen_at[WL_MBAR_SEEN];
	struct wl_mbar_seen seen[WL_MBAR_SEEN];
};

struct wl_mbar_plan {
	struct wl_plan common;
	uint32_t addr[WL_WARP_LANES];   /* from the start of the CTA's window, also for other CTAs' objects */
	uint8_t slot[WL_WARP_LANES];    /* slot of the object's CTA */
	uint32_t mates[WL_WARP_LANES];  /* of a lane without fault: all lanes without fault at the lane's object */
	uint32_t before[WL_WARP_LANES]; /* TMASK, at the lowest mate: high word before the mate's turn */
	uint32_t turns;                 /* lanes after their turn */
	bool one;                       /* TRYWAIT of all lanes for one phase of one object: judged in the last pass */
};

/* A landing at the mbarrier at `addr` of the SM's shared memory. Faults as of an instruction. A fault changes
 * nothing. */
enum wl_fault wl_mbar_land(struct wl_units *u, unsigned slot, uint32_t addr, enum wl_land kind, uint32_t amount);

/* wlrun's fast path, layout B; `addr` as above, in the window of slot. False: nothing was done, since the word is no
 * mbarrier or some lane would fault. */
/* ARRIVE of `lanes` lanes, one after the other, each with operand `b`. *old: the object before the first lane. */
bool wl_mbar_bring(struct wl_units *u, unsigned slot, uint32_t addr, unsigned warp, enum wl_mbar_op op, uint32_t b,
                   unsigned lanes, uint64_t *old);
/* PHASECHK. *complete: the phase of this parity is complete. */
bool wl_mbar_look(const struct wl_units *u, uint32_t addr, bool parity, bool *complete);
/* TRYWAIT of an incomplete phase: the warp waits for the phase. */
void wl_mbar_park(struct wl_units *u, unsigned slot, uint32_t addr, unsigned warp, bool parity);
/* The wait ends without the phase. */
void wl_mbar_unpark(struct wl_units *u, unsigned warp);

/* Fields of an object from sm_90 on. */
struct wl_mbar_state {
	bool phase;
	uint32_t pending, expected;
	int32_t tx; /* bytes outstanding; below 0: bytes complete before their expect_tx */
};
struct wl_mbar_state wl_mbar_state(const struct wl_smem *s, uint32_t addr);
/* Arrivals at the object; NULL: the object is not remembered. */
const struct wl_mbar_seen *wl_mbar_seen(const struct wl_mbarrier_engine *e, unsigned slot, uint32_t addr);

/* The object has had another layout of PTX, neither inval nor wl_mbar_take_layout came between. */
bool wl_mbar_relaid(const struct wl_units *u, unsigned slot, uint32_t addr);
/* The present layout counts from now on: the other one has been told. */
void wl_mbar_take_layout(struct wl_units *u, unsigned slot, uint32_t addr);

/* The mbarrier in words, for reports of waits: "phase 1, 2 of 3 arrivals are missing, 512 bytes are outstanding". */
void wl_mbar_describe(const struct wl_smem *s, uint32_t addr, char *buf, size_t n);

#endif

// SPDX-License-Identifier: Apache-2.0
/* mbarrier_engine.h -- mbarriers: 64-bit objects in shared memory that count arrivals and transactions, and warps that
 * wait for their phases. Source: docs/spec/mbarrier.md, "Operations"; docs/spec/mbarrier.md, "Waits". */
#ifndef WARPLOCK_MBARRIER_ENGINE_H
#define WARPLOCK_MBARRIER_ENGINE_H

#include "warplock/smem_banks.h"
#include "warplock/unit.h"

/* SYNCS.ARRIVE: what it adds to arrivals (A) and transactions (T); member op. */
enum wl_mbar_op { WL_MBAR_A1TR, WL_MBAR_A1T0, WL_MBAR_A0T1, WL_MBAR_A0TR, WL_MBAR_A0TX, WL_MBAR_ART0 };
enum wl_mbar_result { WL_MBAR_OLD, WL_MBAR_TMASK, WL_MBAR_RED }; /* member type */

/* LAND events: what has arrived from outside of the SM's instructions; member land. */
enum wl_land {
	WL_LAND_WRITE,  /* bytes of a copy */
	WL_LAND_READ,   /* bytes of a copy from shared memory have been read */
	WL_LAND_TX,     /* `bytes` transactions of the mbarrier at addr are complete */
	WL_LAND_ARRIVE, /* the mbarrier at addr gets an arrival */
	WL_LAND_REDUCE, /* bytes of a copy are added to what is there, or the like */
};

enum { WL_MBAR_FIXED = 64 /* more releases than warps cannot be under way */ };

/* A warp that waits in TRYWAIT. */
struct wl_mbar_wait {
	bool on;
	bool parity; /* of the phase that it waits for */
	uint16_t slot;
	uint16_t id; /* address in the SM's shared memory / 8 */
};
/* Arrivals of each warp at an object, for reports alone: in the open phase, and in the one before. */
enum { WL_MBAR_SEEN = 16 /* objects that are remembered, the last used ones */ };
struct wl_mbar_seen {
	bool ended; /* a phase has */
	uint16_t now[WL_MAX_WARPS], before[WL_MAX_WARPS];
};
struct wl_mbarrier_engine {
	struct wl_mbar_wait wait[WL_MAX_WARPS];
	uint8_t nfixed; /* releases that apply has fixed and nobody has taken */
	struct wl_released fixed[WL_MBAR_FIXED];
	uint64_t flips;                 /* phases completed so far */
	uint32_t seen_at[WL_MBAR_SEEN]; /* 1 << 31 | slot << 16 | id as of struct wl_mbar_wait; 0: nothing is remembered
	                                   there */
	struct wl_mbar_seen seen[WL_MBAR_SEEN];
	uint8_t next_seen;
};

struct wl_mbar_plan {
	struct wl_plan common;
	uint32_t addr[WL_WARP_LANES];   /* from the beginning of the CTA's window, also of what lies in another one's */
	uint8_t slot[WL_WARP_LANES];    /* whose object it is */
	uint32_t mates[WL_WARP_LANES];  /* of a lane without fault: such lanes at the same object, itself too */
	uint32_t before[WL_WARP_LANES]; /* TMASK: high word before the turn of the lowest of the mates; at that lane */
	uint32_t turns;                 /* lanes that have had theirs */
	bool one;                       /* TRYWAIT of all lanes for one phase of one object: judged in its last pass */
};

/* Something from outside happens to the mbarrier at `addr` of the SM's shared memory. MBAR_UNINIT ... as of an
 * instruction; nothing has changed then. */
enum wl_fault wl_mbar_land(struct wl_units *u, unsigned slot, uint32_t addr, enum wl_land kind, uint32_t amount);

/* wlrun's fast path, layout B; `addr` as above, of slot's window. False: nothing was done; there is no mbarrier, or
 * some lane would fault. */
/* ARRIVE of so many lanes, one behind the other, with the operand `b` of each: what the object was before the first. */
bool wl_mbar_bring(struct wl_units *u, unsigned slot, uint32_t addr, unsigned warp, enum wl_mbar_op op, uint32_t b,
                   unsigned lanes, uint64_t *old);
/* PHASECHK: whether the phase of this parity is complete. */
bool wl_mbar_look(const struct wl_units *u, uint32_t addr, bool parity, bool *complete);
/* TRYWAIT of an incomplete phase: the warp waits for it. */
void wl_mbar_park(struct wl_units *u, unsigned slot, uint32_t addr, unsigned warp, bool parity);
/* What the second of two lanes that bring `arrivals` one behind the other finds, beside what the first one does. */
uint64_t wl_mbar_step(unsigned arrivals);

/* What an object of layout B holds. */
struct wl_mbar_state {
	bool phase;
	uint32_t pending, expected;
	int32_t tx; /* bytes outstanding; below 0: complete that nobody expects yet */
};
struct wl_mbar_state wl_mbar_state(const struct wl_smem *s, uint32_t addr);
/* Who has arrived there; NULL: nobody is remembered. */
const struct wl_mbar_seen *wl_mbar_seen(const struct wl_mbarrier_engine *e, unsigned slot, uint32_t addr);

/* The mbarrier in words, for somebody who waits there: "phase 1, 2 of 3 arrivals are missing, 512 bytes are". */
void wl_mbar_describe(const struct wl_smem *s, uint32_t addr, char *buf, size_t n);

#endif

// SPDX-License-Identifier: Apache-2.0
/* sm_state.h -- private: an SM: CTAs, units, mbarriers. */
#ifndef WARPLOCK_SM_SM_STATE_H
#define WARPLOCK_SM_SM_STATE_H

#include "warp.h"

/* An ended CTA keeps the slot until all CTAs of the cluster have ended: no other CTA gets the memory named by the CTA's
 * addresses. */
enum cta_state { CTA_FREE, CTA_RUNS, CTA_ENDED /* not told to the host yet */ };
enum cta_refusal { REFUSAL_NONE, REFUSAL_LANDED, REFUSAL_SEEN };
struct cta {
	uint32_t number;
	uint32_t id[3];
	uint8_t state; /* enum cta_state */
	uint8_t rank;  /* in the cluster */
	uint32_t live_warps;
	uint32_t cluster;
	struct place home; /* of the cluster's CTA of rank 0; only this CTA has: */
	struct place member[WL_MAX_CLUSTER];
	uint32_t live_ctas;
	/* clusterlaunchcontrol: the answer "no cluster is left", and whether a warp has waited for the answer */
	uint8_t refusal;           /* enum cta_refusal */
	uint32_t refusal_mbarrier; /* in the shared memory of the SM */
	struct wl_misuse_place refused;
	uint32_t free_regs; /* USETMAXREG: registers given back by warps, counted for a thread of a single warp */
};

/* Life of an mbarrier: SYNCS.EXCH makes, SYNCS.CCTL.IV ends an mbarrier. Found by address; of two mbarriers at the same
 * entry the later stays. */
enum { MBAR_LIVES = 64 };
enum mbar_life_state { LIFE_NONE, LIFE_MADE, LIFE_ENDED };
struct mbar_life {
	uint32_t addr; /* in the SM's shared memory */
	uint16_t slot;
	uint8_t state; /* enum mbar_life_state */
	struct wl_misuse_place made, ended;
};

struct sm {
	uint64_t ready;     /* warps that can go on */
	uint64_t asleep;    /* warps that can go on when time has passed */
	uint64_t held;      /* schedule.c: delayed warps */
	uint64_t next_wake; /* not above the time of the first waking, landing or timeout; UINT64_MAX: none */
	uint64_t issued;    /* instructions; plus skipped time: the clock */
	uint64_t skipped;
	uint64_t idle_from; /* sleep_idle: value of issued at the last call */
	uint64_t from_gpu;  /* SOURCE: bytes from the wl_gpu to here */
	uint32_t last;      /* warp that ran last */
	uint32_t last_of_port[WL_MAX_PORTS];
	struct wl_units units;
	struct cta cta[WL_MAX_CTAS];
	struct async async;
	uint32_t ended_mbars; /* entries in state LIFE_ENDED */
	uint32_t refusals;    /* CTAs with a refusal that no warp has waited for */
	struct mbar_life life[MBAR_LIVES];
};

#endif

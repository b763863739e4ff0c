// SPDX-License-Identifier: Apache-2.0
/* observe.h -- events of a run of the C model, for observers: race checker, traces, profiles.
 *
 * An observer is chosen before the run (wl_gpu_observe) and gets an event for each warp instruction with an access to
 * shared or global memory or a meeting of threads, and for each later step of a copy. Events come in the order of the
 * run. Without an observer nothing is recorded.
 *
 * Addresses: `addr` is the address in the instruction's sense (shared memory: offset in the window of CTA `owner`).
 * `at` numbers all bytes shared in a launch: global memory first, then the shared memory of each SM. */
#ifndef WARPLOCK_OBSERVE_H
#define WARPLOCK_OBSERVE_H

#include "warplock/sm.h"

enum wl_seen_kind {
	WL_SEEN_CTA_START, /* at, bytes: window of the CTA in shared memory */
	WL_SEEN_EXIT,      /* lanes end */
	WL_SEEN_FRESH,     /* at, bytes: malloc gives this memory to a thread */
	/* memory */
	WL_SEEN_ACCESS, /* reads, writes, atomic; order and scope stand in inst; addr, at, owner, size of each lane */
	WL_SEEN_MBAR_INIT,  /* a word becomes an mbarrier, or no longer is an mbarrier: at, bytes */
	WL_SEEN_FENCE,      /* MEMBAR */
	WL_SEEN_INVALIDATE, /* CCTL.IVALL: the acquire side beyond the CTA */
	WL_SEEN_PROXY,      /* FENCE.VIEW.ASYNC; space */
	/* meetings */
	WL_SEEN_LANES,           /* these lanes of the warp have met: WARPSYNC, or a NOP in the place of a WARPSYNC */
	WL_SEEN_BAR_ARRIVE,      /* the warp has arrived at named barrier `id`; waits; count: of threads, 0: none given,
	                       * and ended warps count as arrived */
	WL_SEEN_BAR_RELEASE,     /* barrier `id` is complete: `warps` of the SM go on */
	WL_SEEN_CLUSTER_ARRIVE,  /* ... at the barrier of the cluster */
	WL_SEEN_CLUSTER_WAIT,    /* the warp waits at the barrier, or (no waits) need not */
	WL_SEEN_CLUSTER_RELEASE, /* `warps` of the SM go on from the barrier */
	WL_SEEN_MBAR_ARRIVE,     /* about to arrive: addr, at, owner of each lane; phases: of the objects before */
	WL_SEEN_MBAR_PASSED,     /* a wait for a phase has succeeded: likewise, phases now */
	/* copies: kind, from and to */
	WL_SEEN_COPY,        /* asked for; at: the mbarrier of the copy (of VALUE and ARRIVAL of each lane), if any */
	WL_SEEN_COPY_TOLD,   /* the mbarrier at `at` has been told the completion; phases: afterwards */
	WL_SEEN_COPY_LANDED, /* all bytes have landed */
	WL_SEEN_COMMIT,      /* copies of copy_kinds, a mask, are the next group of scoreboard `id` */
	WL_SEEN_COPIES_DONE, /* at most `most` groups of scoreboard `id` are under way */
	/* for checks of misuse, initialisation and bounds */
	WL_SEEN_MBAR_ASKED, /* a wait is about to be executed: addr, at, owner, `parity` of each lane; phases before */
	WL_SEEN_MASKS,      /* WARPSYNC is about to be executed: mask of each lane in addr */
	WL_SEEN_SHUFFLE,    /* SHFL is about to be executed: the lane read by each lane in addr */
	WL_SEEN_LOCAL,      /* reads, writes local memory: addr of each lane, size */
	WL_SEEN_FREED,      /* at: free takes this memory back */
	WL_SEEN_MISUSE,     /* found: a misuse of misuse.h */
	WL_SEEN_FAULT,      /* id: the fault at the end of the run; lanes; addr[0] where has_addr */
	/* for observers with `issues` */
	WL_SEEN_ISSUE, /* after an instruction; lanes 0: all were predicated off; passes, waits, time */
};

enum wl_seen_space { WL_SEEN_SHARED = 1, WL_SEEN_GLOBAL = 2 };
enum wl_seen_copy {
	WL_SEEN_BY_LANE, /* LDGSTS: bytes of each lane, global to shared memory */
	WL_SEEN_VALUE,   /* STAS, REDAS: a value of each lane to shared memory */
	WL_SEEN_BULK_IN, /* bulk, to shared memory */
	WL_SEEN_BULK_OUT,
	WL_SEEN_ARRIVAL, /* ARRIVES: an arrival behind the copies of the threads */
};

struct wl_seen {
	enum wl_seen_kind kind;
	uint32_t sm, slot, warp_slot; /* place of the warp */
	uint32_t cta, warp;           /* the warp's number in the CTA */
	uint32_t lanes, live;         /* executing lanes; lanes before their exit */
	uint32_t group;               /* of events of an instruction: lanes at the instruction, guarded or not */
	const struct wl_conv_warp *convergence; /* of events of an instruction: the warp's barriers; NULL: not known */
	uint32_t pc;                            /* instruction index */
	const struct wl_inst *inst;             /* NULL: no instruction */
	/* accesses */
	bool reads, writes, atomic;
	uint8_t size;
	uint32_t shared;    /* lanes with an address in shared memory; other lanes: global memory */
	uint32_t stored;    /* lanes with a write: of a compare-and-swap the successful lanes */
	uint32_t unchanged; /* lanes with a store of the value already in memory, */
	uint32_t kept;      /* lanes with the lane's own value in memory after the instruction */
	uint32_t excluded;  /* active lanes with an address in local memory: not observed */
	uint32_t owner[WL_WARP_LANES];
	uint64_t addr[WL_WARP_LANES], at[WL_WARP_LANES];
	/* meetings */
	uint32_t id, count;
	bool waits;
	uint32_t phases; /* of mbarriers, a bit a lane; of a copy bit 0 */
	uint64_t warps;
	/* copies */
	enum wl_seen_copy copy;
	uint32_t copy_kinds, most, space;
	uint64_t serial; /* of the SM */
	bool reduces;
	uint32_t bytes;                                  /* of a bulk copy */
	uint64_t from[WL_WARP_LANES], to[WL_WARP_LANES]; /* as `at`; of a bulk copy [0]; UINT64_MAX: nothing is read */
	uint32_t length[WL_WARP_LANES];                  /* bytes read */
	uint32_t from_space;
	/* checks of misuse */
	uint32_t parity; /* a bit a lane */
	bool has_addr;
	const struct wl_misuse_found *found;
	/* issues */
	uint8_t passes; /* of an access to shared memory, else 0 */
	uint64_t time;  /* of the SM: earlier warp instructions, and the time skipped asleep */
};

struct wl_observer {
	void *self;
	void (*event)(void *self, const struct wl_seen *e);
	bool issues; /* wants WL_SEEN_ISSUE, too */
};
/* Before wl_gpu_run. The observer must outlive the run; NULL: nobody. */
void wl_gpu_observe(struct wl_gpu *gpu, const struct wl_observer *o);
const struct wl_observer *wl_gpu_observer(const struct wl_gpu *gpu); /* NULL: nobody */

/* Sizes of the launch, for observers. */
struct wl_seen_shape {
	uint32_t ctas, warps_per_cta, threads, cluster_ctas;
	uint64_t global_bytes,
	        shared_bytes; /* `at` of SM n's shared memory begins at global_bytes + n * shared_bytes */
	unsigned sms;
	uint32_t local_bytes;      /* of a thread */
	uint32_t cta_shared;       /* bytes of shared memory of a CTA */
	uint64_t heap, heap_bytes; /* of malloc: global address; 0: none */
	const struct wl_program *program;
	const struct wl_gmem *gmem;
};
void wl_gpu_shape(const struct wl_gpu *gpu, struct wl_seen_shape *out);

#endif

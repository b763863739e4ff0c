// SPDX-License-Identifier: Apache-2.0
/* gpu.h -- private: the state of a launch, in a single block.
 *
 * Everything lies in the block behind struct wl_gpu, at offsets from the struct. So a snapshot is a copy. Public
 * functions first set the few pointers (struct wl_units) again. */
#ifndef WARPLOCK_SM_GPU_H
#define WARPLOCK_SM_GPU_H

#include "op.h"
#include "sm_state.h"
#include "warplock/sm.h"

struct trouble {
	enum wl_fault fault;
	bool has_addr;
	uint32_t pc; /* bytes */
	uint32_t sm, cta, warp, lanes;
	uint64_t addr;   /* of the lowest faulting lane */
	uint32_t misuse; /* 1 + index of the finding behind the fault; 0: another fault */
	uint32_t warp_index;
	char text[480]; /* outcome error: the error in words; fault ASSERT: the assertion */
};

/* Reads of a warp while spin.c watched the run: each lane's last read, and a set of all reads by hash. */
struct poll {
	uint64_t addr, value; /* shared memory: address in the window of the CTA */
	uint32_t pc;          /* bytes */
	uint32_t size;        /* 0 = no read */
};
enum { SEEN_WORDS = 16 };
struct polls {
	struct poll lane[WL_WARP_LANES];
	uint64_t seen[SEEN_WORDS];
};
/* Counts for spin.c, of all events: can any event ever wake warps in a loop? Only the functions observe_... count. */
struct observer {
	uint64_t changes; /* changes visible to other warps: memory gets another value, a CTA starts, lanes exit */
	uint64_t unclear; /* obstacles to a proof: readings of a clock, arrivals at barriers */
	uint64_t clocks;  /* number of readings of a clock */
};
/* Choices of the seed for the policy of the order (schedule.c), and the progress. */
struct schedule {
	uint64_t draws;
	uint32_t turn; /* instructions of a turn, at most */
	bool in_order; /* the next warp is not drawn */
	/* pct */
	uint32_t points, passed, lowest;
	uint32_t running; /* warp that ran last */
	uint64_t window, change, run, longest_run;
	/* delay */
	uint32_t one_in, delay;
};
enum spin_verdict { SPIN_NONE, SPIN_PROVEN, SPIN_JUDGED };

/* What has passed since the last change: instructions, and the time of all leaps (0: the warps look at no clock). */
struct quiet_run {
	uint64_t issued, ns;
};

struct misuses {
	uint8_t mode[WL_MISUSE_COUNT]; /* enum wl_misuse_mode */
	uint32_t n;
	uint64_t more; /* findings without room */
	struct wl_misuse_found found[WL_MISUSE_MOST];
};

struct wl_observer;
struct wl_guide;
struct wl_gpu {
	struct wl_config config;
	const struct wl_program *program;
	struct wl_gmem *gmem;
	struct wl_host host;
	uint64_t heap, heap_bytes; /* of malloc: address and size */
	uint64_t workspace;        /* of a cooperative launch; 0: none */
	void (*print)(void *self, const char *text, size_t n);
	void *print_self;
	uint32_t grid[3], block[3];
	uint32_t ctas, next_cta, done_ctas;
	uint32_t canceled;                 /* CTAs with launch taken back by a kernel: in next_cta and done_ctas */
	uint32_t cluster[3], cluster_ctas; /* of a cluster: without one, 1 */
	bool given_cluster;                /* by the launch or the kernel */
	struct place home;                 /* of the cluster now starting */
	bool refill;                       /* slots are free or CTAs ended: grid_fill has work */
	uint32_t threads, warps_per_cta, cta_slots, shared_per_cta, local_bytes;
	uint32_t reg_rows; /* rows of a warp's registers */
	uint64_t limit, issued;
	enum wl_outcome outcome;
	struct trouble trouble;
	struct misuses misuse;
	struct observer seen;
	struct schedule schedule;
	bool watch;                /* reads are noted in the polls */
	uint8_t spins;             /* enum spin_verdict; deadlock: warps can go on, but nothing will ever change */
	uint32_t copies;           /* under way in the agents of all SMs */
	struct quiet_run quiet;    /* SPIN_JUDGED */
	uint64_t answers, gave_up; /* SOURCE: of units in the DUT; waits that gave up */
	const struct wl_observer *observer; /* NULL: nobody looks on */
	struct wl_guide *guide;             /* NULL: the policy chooses the order */
	uint64_t executed[WL_UNIT_COUNT];
	uint64_t conflicts[WL_WARP_LANES + 1];
	/* SOURCE */
	bool source;
	uint64_t local_generic; /* accesses of atom_unit executed in C, although the DUT has the unit */
	uint32_t dut;           /* units with instructions as requests, on SMs below dut_sms, 1 << enum wl_unit */
	unsigned dut_sms;       /* each of these SMs has a separate DUT */
	uint32_t inflight;      /* requests accepted and not retired */
	bool fault_seen;        /* a request has faulted; the first faulted request: */
	struct wl_tag first_fault;
	uint32_t waits;   /* requests in flight waiting in the DUT for other warps: idle until something else happens */
	uint32_t offered; /* requests given by next and not accepted yet */
	/* offsets from this struct */
	uint64_t at_ops, at_rows, at_sms, at_warps, at_regs, at_local, at_shared, at_cbank0, at_polls, at_spin,
	        at_marked_regs, at_kept;
	uint64_t bytes;
	uint8_t passes; /* of the last access to shared memory, for observers */
};

static inline void *block_at(const struct wl_gpu *g, uint64_t offset)
{
	return (char *)(uintptr_t)g + offset;
}
static inline struct op *gpu_ops(const struct wl_gpu *g)
{
	return block_at(g, g->at_ops);
}
static inline struct sm *gpu_sm(const struct wl_gpu *g, unsigned sm)
{
	return (struct sm *)block_at(g, g->at_sms) + sm;
}
static inline struct warp *gpu_warp(const struct wl_gpu *g, unsigned sm, unsigned warp)
{
	return (struct warp *)block_at(g, g->at_warps) + sm * g->config.warps_per_sm + warp;
}
typedef uint32_t lane_row[WL_WARP_LANES];
static inline lane_row *gpu_regs(const struct wl_gpu *g, unsigned sm, unsigned warp)
{
	return (lane_row *)block_at(g, g->at_regs) + (uint64_t)(sm * g->config.warps_per_sm + warp) * g->reg_rows;
}
static inline uint8_t *gpu_local(const struct wl_gpu *g, unsigned sm, unsigned warp, unsigned lane)
{
	uint64_t thread = (uint64_t)(sm * g->config.warps_per_sm + warp) * WL_WARP_LANES + lane;
	return (uint8_t *)block_at(g, g->at_local) + thread * g->local_bytes;
}

static inline void observe_change(struct wl_gpu *g, bool changed)
{
	g->seen.changes += changed;
}
/* The front end has stored to memory at host address p: tells the holder of a second image of global memory. */
static inline void observe_store(const struct wl_gpu *g, const uint8_t *p, unsigned size)
{
	if (__builtin_expect(g->host.store != NULL, 0) && (uintptr_t)p - (uintptr_t)g->gmem->mem < g->gmem->bytes)
		g->host.store(g->host.self, (uint64_t)(p - g->gmem->mem), size);
}
/* A warp meets others at a barrier or in a unit: the others may wait for this warp. */
static inline void observe_meeting(struct wl_gpu *g)
{
	g->seen.unclear++;
}
/* A reader of the time sees something new. */
static inline void observe_clock(struct wl_gpu *g)
{
	g->seen.unclear++;
	g->seen.clocks++;
}

static inline uint64_t sm_time(const struct sm *s)
{
	return s->issued + s->skipped;
}
static inline uint64_t sm_not_stuck(const struct sm *s) /* warps that can go on now or later */
{
	return s->ready | s->asleep;
}

/* Sets pointers into the block, whenever a public function is entered: the block may have been moved. */
static inline void gpu_set_pointers(struct wl_gpu *g)
{
	for (unsigned sm = 0; sm < g->config.sms; sm++) {
		struct wl_units *u = &gpu_sm(g, sm)->units;
		u->smem.mem = (uint8_t *)block_at(g, g->at_shared) + (uint64_t)sm * g->config.shared_bytes;
		u->gmem = g->gmem;
	}
}

/* 32 bits of a hash of a and b: poison and turn lengths. */
static inline uint32_t mix32(uint64_t a, uint64_t b)
{
	uint64_t z = a * UINT64_C(0x9e3779b97f4a7c15) + b + UINT64_C(0x2545f4914f6cdd1d);
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)(z >> 32);
}

#endif

// SPDX-License-Identifier: Apache-2.0
/* sm.h -- FRONT: the SIMT front end. Kernels, device memory, warps, convergence, scheduling, CTAs of a grid.
 *
 * A wl_gpu runs a single kernel launch. wl_gpu_run executes unit instructions at once through the C units. As a SOURCE
 * (wl_gpu_source) a wl_gpu offers unit instructions and waits for their retirement. A run is a function of program,
 * launch and config.seed; as a SOURCE also of the order of the calls. */
#ifndef WARPLOCK_SM_H
#define WARPLOCK_SM_H

#include "warplock/lockstep.h"
#include "warplock/misuse.h"
#include "warplock/program.h"
#include "warplock/units.h"

struct wl_launch {
	uint32_t grid[3], block[3];
	uint32_t cluster[3]; /* CTAs of a cluster; [0] = 0: the kernel's own requirement, or none */
	uint32_t dynamic_shared;
	const uint8_t *params;     /* param_bytes bytes */
	uint64_t limit;            /* warp instructions before WL_LIMIT; 0 = 2^63 */
	uint64_t heap, heap_bytes; /* of malloc: address and size of zeroed global memory; 0 = none */
	void (*print)(void *self, const char *text, size_t n); /* gets the kernel's prints; NULL = dropped */
	void *print_self;
	uint64_t workspace; /* cooperative launch: address of 8 bytes for the grid's barrier; 0 = not cooperative */
	uint32_t sms_told;  /* %nsmid; 0: config.sms */
	bool in_order;      /* residency in_order / all: lower-numbered CTAs start first (always true today) */
};

struct wl_gpu; /* opaque; a single relocatable block */

/* Checks config, program and launch. *out is a single malloc with registers, shared memory and all other state. On
 * failure `why` gets a line: found and expected. gmem and program stay the caller's and must outlive *out. */
enum wl_status wl_gpu_create(const struct wl_config *config, const struct wl_program *program, struct wl_gmem *gmem,
                             const struct wl_launch *launch, struct wl_gpu **out, char *why, size_t whyn);
void wl_gpu_free(struct wl_gpu *gpu);
/* CTAs of this launch running at the same time, over all SMs. */
uint32_t wl_gpu_resident(const struct wl_gpu *gpu);

/* Units (1 << enum wl_unit) for instructions and clusters of the program. */
uint32_t wl_gpu_needs(const struct wl_gpu *gpu);
/* The program has LDSM or STSM. Not every form of the RTL has the two instructions. */
bool wl_gpu_moves_matrices(const struct wl_gpu *gpu);

/* Runs to the end on the C model alone. */
enum wl_outcome wl_gpu_run(struct wl_gpu *gpu);
/* The same in pieces: stops with WL_RUNNING after n warp instructions or more, at most one turn of each SM more. The
 * order of a run in pieces is the order of the whole run. */
enum wl_outcome wl_gpu_run_some(struct wl_gpu *gpu, uint64_t n);

/* The SOURCE of lockstep. units (1 << enum wl_unit): the DUT's units of SM 0. Instructions for these units are
 * requests, and only REF changes the units' state in wl_gpu_units(gpu, 0). `host` may be NULL. */
struct wl_source wl_gpu_source(struct wl_gpu *gpu, uint32_t units, const struct wl_host *host);
/* The same for the first n SMs, each SM with its own DUT and SOURCE. The harness asks the SOURCEs in turn, SM 0's
 * SOURCE first in every cycle. */
void wl_gpu_sources(struct wl_gpu *gpu, uint32_t units, const struct wl_host *host, unsigned n,
                    struct wl_source *source);
struct wl_smem *wl_gpu_smem(struct wl_gpu *gpu, unsigned sm);
struct wl_units *wl_gpu_units(struct wl_gpu *gpu, unsigned sm); /* units of the SM, shared memory included */

/* Replay (wlrun --schedule): stepping by the lines of an order log, after wl_gpu_source. An impossible step returns
 * WL_ERR_RANGE with a line in `why`. CTAs start and end by these calls only. */
enum wl_status wl_gpu_launch_cta(struct wl_gpu *gpu, unsigned sm, unsigned slot, uint32_t cta, char *why, size_t whyn);
enum wl_status wl_gpu_end_cta(struct wl_gpu *gpu, unsigned sm, unsigned slot, uint32_t cta, char *why, size_t whyn);
/* `count` instructions of FRONT in the group of lanes with `lane`. The group becomes the warp's current group. */
enum wl_status wl_gpu_step(struct wl_gpu *gpu, unsigned sm, unsigned warp, unsigned lane, unsigned count, char *why,
                           size_t whyn);
/* A piece of an asynchronous copy lands: number of the copy, enum wl_land, address and bytes of the piece. */
enum wl_status wl_gpu_land(struct wl_gpu *gpu, unsigned sm, uint32_t copy, uint32_t kind, uint32_t addr, uint32_t bytes,
                           char *why, size_t whyn);
/* The request of the current group of `warp`; false without a request, or when the group must wait. */
bool wl_gpu_request(struct wl_gpu *gpu, unsigned sm, unsigned warp, struct wl_req *req);
/* Nothing more will come. Returns ended, deadlock (nothing can go on) or running. */
enum wl_outcome wl_gpu_settle(struct wl_gpu *gpu);

/* State of the run. */
enum wl_schedule wl_gpu_schedule(const struct wl_gpu *gpu); /* never EXPLORE: the seed has chosen */
enum wl_outcome wl_gpu_outcome(const struct wl_gpu *gpu);
enum wl_fault wl_gpu_fault(const struct wl_gpu *gpu); /* of a run with outcome WL_FAULTED, else WL_FAULT_NONE */
uint64_t wl_gpu_ctas_done(const struct wl_gpu *gpu, uint64_t *ctas); /* ended CTAs; *ctas: all CTAs of the grid */
uint64_t wl_gpu_warp_instructions(const struct wl_gpu *gpu);
uint64_t wl_gpu_executed(const struct wl_gpu *gpu, enum wl_unit unit); /* warp instructions by unit */
/* In lockstep, atom_unit instructions without a request to the DUT: generic accesses of lanes to local memory. */
uint64_t wl_gpu_local_generic(const struct wl_gpu *gpu);
uint64_t wl_gpu_conflicts(const struct wl_gpu *gpu, unsigned passes); /* atoms_pipe instructions by passes, 0..32 */
/* A line for `detail` of the report: the fault with kernel, pc, instruction, source line, CTA, warp, lanes and address;
 * or the deadlock or limit. */
void wl_gpu_detail(const struct wl_gpu *gpu, char *buf, size_t n);
/* A line for each live warp: place and wait. Calls `line` for each line. */
void wl_gpu_explain(const struct wl_gpu *gpu, void (*line)(void *self, const char *text), void *self);

#endif

// SPDX-License-Identifier: Apache-2.0
/* sync_passes.h -- the passes on synchronisation instructions, and the knobs of the passes: docs/sync-passes.md. */
#ifndef WLCC_LOWER_SYNC_PASSES_H
#define WLCC_LOWER_SYNC_PASSES_H

#include <stdbool.h>
#include <stdint.h>

struct mfunc;

enum sync_mode {
	SYNC_AS_WRITTEN, /* each barrier and fence of the PTX stays, as in the code of ptxas 13.0 */
	SYNC_FENCES,     /* fences of a block go if another fence beside makes the fence needless */
	SYNC_BARRIERS,   /* barriers, too, in kernels without calls */
	SYNC_CALLS       /* and in kernels that call functions without a barrier */
};

struct sync_knobs {
	enum sync_mode mode;
	bool no_errbars;
	bool stage;        /* StageAndFence runs */
	bool no_internals; /* collectives stay where written, even where lanes come apart */
	bool no_paths;     /* OriRemoveRedundantBarriers looks at runs of equal length alone */
	unsigned unroll;   /* most copies of the body of a loop; 0 and 1: no loop is unrolled */
};

/* Work of the passes in a function; merged: fences of copies of a loop; loops: unrolled loops; internal: calls of
 * internal functions. */
struct sync_removed {
	unsigned barriers, fences, merged, loops, internal, waits;
};

/* ---- fences.c ---- */

struct minst;
struct mblock;

/* A MEMBAR with the ERRBAR, CGAERRBAR and CCTL.IVALL behind, or a CCTL.IVALL alone. */
struct fence {
	uint32_t first, end; /* instructions of the block */
	bool membar, sc, errbar, cga, drops;
	unsigned reach;
};

/* Between two barriers or fences of a run: the instruction neither touches memory nor has another effect. */
bool sync_is_between(const struct minst *in);
/* The fence at `at`. False: no fence. */
bool sync_read_fence(const struct mblock *b, uint32_t at, struct fence *x);
/* The first fence from `at` on, with nothing but arithmetic in front. */
bool sync_next_fence(const struct mblock *b, uint32_t at, struct fence *y);
/* Each part of x is as strong as the same part of y. */
bool sync_covers(const struct fence *x, const struct fence *y);
void sync_take_out(struct mblock *b, const struct fence *x);

/* ---- the passes ---- */

void lower_stage_and_fence(struct mfunc *f);
void lower_remove_barriers(struct mfunc *f);
void lower_optimize_sync(struct mfunc *f);
void lower_drop_warpsyncs(struct mfunc *f); /* pass 100, behind the frame */

#endif

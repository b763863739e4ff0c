/* SPDX-License-Identifier: Apache-2.0
 * converge_ref.h -- the convergence barriers of a warp, lane by lane, for the bench of the RTL.
 * Source: docs/spec/convergence.md, "Instructions"; docs/spec/convergence.md, "Who goes on";
 * docs/spec/convergence.md, "Faults". */
#ifndef CONVERGE_REF_H
#define CONVERGE_REF_H

#include <stdbool.h>
#include <stdint.h>

enum { REF_LANES = 32, REF_BARS = 16 };
/* The order of the kinds in rtl/gen/wl_units.vh, and EXIT. */
enum ref_kind {
	REF_BSSY,
	REF_BSYNC,
	REF_BREAK,
	REF_CLEAR,
	REF_B2R,
	REF_R2B,
	REF_WARPSYNC,
	REF_YIELD,
	REF_EXIT,
	REF_KINDS
};

struct ref_op {
	enum ref_kind kind;
	bool apart; /* of WARPSYNC */
	unsigned bar;
	uint32_t lanes;
	uint32_t row[REF_LANES]; /* REF_R2B, REF_WARPSYNC */
};

struct ref_lane {
	bool live, waits, at_warpsync, yielded;
	bool named;           /* by the YIELD of this step */
	unsigned place;       /* the barrier; at WARPSYNC: whether apart */
	bool mask[REF_LANES]; /* of WARPSYNC */
};
struct ref_warp {
	unsigned width; /* lanes of the warp */
	struct ref_lane lane[REF_LANES];
	bool in[REF_BARS][REF_LANES][REF_LANES]; /* [barrier][lane with the set][lane in the set] */
};

/* Faulting lanes of a WARPSYNC. */
struct ref_misuse {
	uint32_t self, mismatch;
	bool waiting; /* the mask of a lane differs from the mask of an earlier lane */
};

/* Effects of the step, for floors. */
struct ref_seen {
	unsigned arrived, left, at_once; /* lanes beginning to wait; going on later, or in the same step */
	unsigned let_go, unbound;        /* lanes let go by YIELD; sets losing such a lane */
	unsigned stood;                  /* let go by a YIELD naming the waiting lane */
	unsigned groups, rows;           /* groups waiting at the end of steps; going on from a BSYNC */
};

void ref_launch(struct ref_warp *w, unsigned width, unsigned lanes);
uint32_t ref_mask(const struct ref_warp *w, const bool set[REF_LANES]);
uint32_t ref_live(const struct ref_warp *w);
uint32_t ref_ready(const struct ref_warp *w);
struct ref_misuse ref_misused(const struct ref_warp *w, const struct ref_op *op);
/* Faulting lanes do nothing. `old`: the row of the barrier before. Returns the lanes going on after a wait, or after
 * beginning to wait. */
uint32_t ref_step(struct ref_warp *w, const struct ref_op *op, uint32_t old[REF_LANES], struct ref_seen *seen);

#endif

/* SPDX-License-Identifier: Apache-2.0
 * converge_ref.h -- the convergence barriers of one warp, lane by lane, for the bench of the RTL.
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
	unsigned place;       /* the barrier, or whether it goes on apart */
	bool mask[REF_LANES]; /* of WARPSYNC */
};
struct ref_warp {
	unsigned width; /* lanes that there are */
	struct ref_lane lane[REF_LANES];
	bool in[REF_BARS][REF_LANES][REF_LANES]; /* [barrier][whose set][who is in it] */
};

/* Lanes of a WARPSYNC that fault. */
struct ref_misuse {
	uint32_t self, mismatch;
	bool waiting; /* one of them has another mask than a lane that came before */
};

/* What the step did, for floors. */
struct ref_seen {
	unsigned arrived, left, at_once; /* lanes that begin to wait; that go on later, or in the same step */
	unsigned let_go, unbound;        /* that YIELD lets go; sets that they are taken out of */
	unsigned stood;                  /* let go by a YIELD that names them where they wait */
	unsigned groups, rows; /* of lanes that wait together at the end of steps; that go on from a BSYNC then */
};

void ref_launch(struct ref_warp *w, unsigned width, unsigned lanes);
uint32_t ref_mask(const struct ref_warp *w, const bool set[REF_LANES]);
uint32_t ref_live(const struct ref_warp *w);
uint32_t ref_ready(const struct ref_warp *w);
struct ref_misuse ref_misused(const struct ref_warp *w, const struct ref_op *op);
/* Lanes that fault do nothing. `old`: the row of the barrier before. Returns who goes on that waited or
 * began to wait. */
uint32_t ref_step(struct ref_warp *w, const struct ref_op *op, uint32_t old[REF_LANES], struct ref_seen *seen);

#endif

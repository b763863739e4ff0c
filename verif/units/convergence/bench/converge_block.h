/* SPDX-License-Identifier: Apache-2.0
 * converge_block.h -- drives the block converge_step alone. The bench holds the state of a warp between the
 * instructions, like convergence. After every instruction the bench compares the whole state: waiting lanes with place
 * and mask, yielded lanes, every lane's set of every barrier. Inputs without meaning are noise: the place of a lane not
 * waiting, the row of a barrier without a row. */
#ifndef CONVERGE_BLOCK_H
#define CONVERGE_BLOCK_H

#include "../../../common/rng.h"
#include "converge_ref.h"
#include "../../bench_main.h"
#include "pins/converge_step.h"

/* Inputs and outputs of the block. */
struct block_state {
	uint32_t live, waits, yielded, at[REF_LANES], want[REF_LANES], used, cleared[REF_BARS];
	uint32_t set[REF_BARS][REF_LANES];
};

struct block {
	struct model model;
	PINS_MEMBERS(converge_step);
	unsigned lanes, bars, bar_bits;
	uint32_t all;
	struct rng rng;
	struct block_state state;
	unsigned long steps, errors;
};

/* Required effect of a step. */
struct block_step {
	const struct ref_op *op;
	const struct ref_warp *after;
	const uint32_t *old;   /* the row before, of the step's first barrier */
	struct ref_misuse bad; /* faulting lanes */
	bool lets_go;          /* a YIELD lets lanes go */
	uint32_t bars;         /* barriers of a YIELD, in turn */
};

void block_open(struct block *b, const struct bench_args *a);
/* A new warp: no lane waits, no barrier has a row. */
void block_launch(struct block *b, uint32_t live);
/* A state with this meaning; of several possible states, any. */
void block_place(struct block *b, const struct ref_warp *w);
void block_take(struct block *b, const struct block_step *step);
/* Without an instruction nothing is written, and no lane faults. */
void block_idle(struct block *b);

#endif

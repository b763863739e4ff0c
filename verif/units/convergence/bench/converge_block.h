/* SPDX-License-Identifier: Apache-2.0
 * converge_block.h -- drives the block converge_step alone: the state of one warp is held here between the
 * instructions, as convergence holds it. After every instruction all of it is compared: who waits, where and for whom,
 * who has yielded, every lane's set of every barrier. Of what has no meaning (a place where nobody waits, the row of a
 * barrier that has none) the block is handed noise. */
#ifndef CONVERGE_BLOCK_H
#define CONVERGE_BLOCK_H

#include "../../../common/rng.h"
#include "converge_ref.h"
#include "../../rtl_model.h"

#define BLOCK_PINS(PIN)                                                                                                \
	PIN(valid_i)                                                                                                   \
	PIN(exit_i)                                                                                                    \
	PIN(kind_i)                                                                                                    \
	PIN(apart_i)                                                                                                   \
	PIN(bar_i)                                                                                                     \
	PIN(lanes_i)                                                                                                   \
	PIN(stands_i)                                                                                                  \
	PIN(row_i)                                                                                                     \
	PIN(live_i)                                                                                                    \
	PIN(waits_i)                                                                                                   \
	PIN(yielded_i)                                                                                                 \
	PIN(at_i)                                                                                                      \
	PIN(want_i)                                                                                                    \
	PIN(used_i)                                                                                                    \
	PIN(cleared_i)                                                                                                 \
	PIN(set_i)                                                                                                     \
	PIN(live_o)                                                                                                    \
	PIN(waits_o)                                                                                                   \
	PIN(yielded_o)                                                                                                 \
	PIN(at_o)                                                                                                      \
	PIN(want_o)                                                                                                    \
	PIN(used_o)                                                                                                    \
	PIN(cleared_o)                                                                                                 \
	PIN(set_we_o)                                                                                                  \
	PIN(set_o)                                                                                                     \
	PIN(row_o)                                                                                                     \
	PIN(ready_o)                                                                                                   \
	PIN(self_o)                                                                                                    \
	PIN(odds_o)

/* What the block is given and gives back. */
struct block_state {
	uint32_t live, waits, yielded, at[REF_LANES], want[REF_LANES], used, cleared[REF_BARS];
	uint32_t set[REF_BARS][REF_LANES];
};

struct block {
	struct model model;
#define MEMBER(name) uint8_t *name;
	BLOCK_PINS(MEMBER)
#undef MEMBER
	unsigned lanes, bars, bar_bits;
	uint32_t all;
	struct rng rng;
	struct block_state state;
	unsigned long steps, errors;
};

/* What a step must do. */
struct block_step {
	const struct ref_op *op;
	const struct ref_warp *after;
	const uint32_t *old;   /* the row of the first barrier that it looks at, before */
	struct ref_misuse bad; /* lanes that fault */
	bool lets_go;          /* by a YIELD somebody goes on */
	uint32_t bars;         /* barriers that a YIELD looks at, one after the other */
};

void block_open(struct block *b, const char *path, uint64_t seed);
/* A new warp: nobody waits, no barrier has a row. */
void block_launch(struct block *b, uint32_t live);
/* A state that means this; of several that do, any. */
void block_place(struct block *b, const struct ref_warp *w);
void block_take(struct block *b, const struct block_step *step);
/* Nothing is asked: nothing is written, nobody faults. */
void block_idle(struct block *b);

#endif

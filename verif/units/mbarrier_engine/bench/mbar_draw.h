/* SPDX-License-Identifier: Apache-2.0
 * mbar_draw.h -- random instructions for mbarrier_engine: mostly legal, often just what a phase lacks that some warp
 * waits for. */
#ifndef MBAR_DRAW_H
#define MBAR_DRAW_H

#include "mbar_bench.h"

/* Of a warp that does not wait; cycles pass until there is one. */
void mbar_draw(struct mbar_bench *b, struct mbar_req *r);
/* So many, and then all answers; who still waits gives up. */
void mbar_random_traffic(struct mbar_bench *b, unsigned count);

#endif

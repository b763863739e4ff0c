/* SPDX-License-Identifier: Apache-2.0
 * mbar_draw.h -- random instructions for mbarrier_engine: mostly legal, often exactly the missing part of an awaited
 * phase. */
#ifndef MBAR_DRAW_H
#define MBAR_DRAW_H

#include "mbar_bench.h"

/* For a warp not waiting; cycles pass until a warp is free. */
void mbar_draw(struct mbar_bench *b, struct mbar_req *r);
/* `count` instructions, then all answers; warps still waiting give up. */
void mbar_random_traffic(struct mbar_bench *b, unsigned count);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* draw.h -- the activity of the warps: random requests, and CTAs that come and go.
 *
 *   draw.c      warps in turn; accesses to shared memory, collectives
 *   arrivals.c  programs of barriers, always able to finish
 *   mbarriers.c mbarriers: waits for phases end by themselves */
#ifndef WARPLOCK_SOC_DRAW_H
#define WARPLOCK_SOC_DRAW_H

#include "flight.h"

/* Marsaglia's xorshift of 32 bits, as wide as the CPU. */
uint32_t draw_u32(void);
const struct entry *draw_entry(enum entry_group group); /* some entry of the group */
const struct entry *draw_nth(enum entry_group group, unsigned i);
const struct entry *draw_arrival(unsigned kind, unsigned form); /* of GROUP_ARRIVAL */
void draw_use(struct flight *f, const struct entry *entry);     /* word, decoded word, posted, header */

/* Opens the CTAs of a window. */
void draw_start(uint32_t seed, uint32_t window);
/* A CTA leaves after the EXITs of all warps, or a CTA comes. */
void draw_turn(void);
/* The next request of some warp; false: no warp has a request now. */
bool draw_next(struct flight *f);

/* mbarriers.c */
void mbarrier_draw(struct flight *f);

/* arrivals.c */
void arrivals_start(uint32_t seed, uint32_t window);
void arrivals_open(unsigned slot);
bool arrivals_left(unsigned warp); /* the EXIT of the warp has been given */
bool arrivals_next(struct flight *f, unsigned warp);

#endif

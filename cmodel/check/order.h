// SPDX-License-Identifier: Apache-2.0
/* order.h -- the partial order of a run, for exploration: the racing accesses, and a number for the run so far.
 *
 * Two accesses of a word are ordered when at least one writes. Barriers, ends of warps and starts of CTAs order warps.
 * Two runs with the same partial order reach the same state. Two accesses of a word race when no other order leads from
 * the first to the second. */
#ifndef WARPLOCK_CHECK_ORDER_H
#define WARPLOCK_CHECK_ORDER_H

#include "warplock/observe.h"

struct order; /* opaque */
struct order *order_create(const struct wl_seen_shape *shape);
void order_free(struct order *o);
/* A new run begins. next: another observer of the events; NULL: none. */
void order_begin(struct order *o, const struct wl_observer *next);
const struct wl_observer *order_observer(struct order *o);
/* Runs with the same partial order so far have the same number. */
uint64_t order_state(const struct order *o);
/* The instruction has raced in some run. */
bool order_races(const struct order *o, uint32_t pc);
bool order_grew(const struct order *o);   /* ... in this run, for the first time */
bool order_copies(const struct order *o); /* the run has requested asynchronous copies */

#endif

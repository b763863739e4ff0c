// SPDX-License-Identifier: Apache-2.0
/* order.h -- the partial order of a run, for exploration: which accesses race, and a number for what has happened.
 *
 * Two accesses of a word are ordered when one of the two writes. Barriers, ends of warps and starts of CTAs order warps.
 * Two runs with the same partial order reach the same state. An access races when no other order leads to it. */
#ifndef WARPLOCK_CHECK_ORDER_H
#define WARPLOCK_CHECK_ORDER_H

#include "warplock/observe.h"

struct order; /* opaque */
struct order *order_create(const struct wl_seen_shape *shape);
void order_free(struct order *o);
/* A new run begins. next: who sees the events, too; NULL = nobody. */
void order_begin(struct order *o, const struct wl_observer *next);
const struct wl_observer *order_observer(struct order *o);
/* The same for runs whose events so far have one partial order. */
uint64_t order_state(const struct order *o);
/* Instructions that have raced in some run. */
bool order_races(const struct order *o, uint32_t pc);
bool order_grew(const struct order *o);   /* ... in this run for the first time */
bool order_copies(const struct order *o); /* asynchronous copies have been asked for */

#endif

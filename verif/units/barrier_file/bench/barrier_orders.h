/* SPDX-License-Identifier: Apache-2.0
 * barrier_orders.h -- four warps at two named barriers, in every order in which they can arrive.
 *
 * The way of a CTA through its states: of each barrier who has arrived in the phase, who of them waits, who gave a
 * count, and what the phase before has left in the unit's RAM, which must not count any more. In every state that comes
 * of arrivals every arrival is made, on several ports every set of arrivals in one cycle, so an order of any length
 * over any number of phases is made of steps that were taken. What each must do is barrier_ref's; who is tested walks
 * along, since a unit cannot be put into a state. */
#ifndef BARRIER_ORDERS_H
#define BARRIER_ORDERS_H

#include "barrier_ref.h"

enum { ORDER_WARPS = 4, ORDER_BARRIERS = 2, ORDER_SLOT = 1 };
/* Ways to arrive. */
enum order_how { ORDER_SYNC, ORDER_ARV, ORDER_COUNTED /* SYNC with a count */, ORDER_HOWS };

struct orders {
	unsigned ports, need; /* warps that a phase wants; below 4 all give the count */
	uint32_t hows;        /* bit i: enum order_how i is used */
	bool with_left;       /* what the phase before has left is part of a state */
	void *self;
	/* A CTA of four warps comes to the slot. */
	void (*launch)(void *self, struct orders *o);
	/* Arrivals of different ports that come together; when it returns, `ref` is as after them (orders_apply, in
	 * the order in which they were judged). False: something was wrong. */
	bool (*arrive)(void *self, struct orders *o, unsigned n, const struct bar_request *q);

	struct ref ref;
	uint8_t left[ORDER_BARRIERS][ORDER_WARPS]; /* how each warp stands in what was last written of its port */
	unsigned long states, steps, ends, faults, together;
};

/* One arrival without fault. */
struct ref_release orders_apply(struct orders *o, const struct bar_request *q);
/* Everything. False: something was wrong, or was never reached. */
bool orders_walk(struct orders *o);
/* The (4!)^4 orders of SYNC at barrier 0, 1, 0, 1, in the last phase `first` of the 4! orders alone. */
bool orders_of_syncs(struct orders *o, unsigned first);

/* What a run walks through, on the RTL and on the C twin: `need`, kinds of arrivals (bits) and `with_left`
 * of struct orders. */
struct order_walk {
	unsigned need;
	uint32_t hows;
	bool with_left;
};
enum { ORDER_WALKS = 4 };
extern const struct order_walk order_walks[ORDER_WALKS];

#endif

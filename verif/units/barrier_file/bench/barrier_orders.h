/* SPDX-License-Identifier: Apache-2.0
 * barrier_orders.h -- four warps at two named barriers, in every possible order of arrivals.
 *
 * The walk leads a CTA through its states. A state holds for each barrier: the warps arrived in the phase, the waiting
 * warps, the warps with a count, and what the phase before left in the unit's RAM. Remains of a phase must not count
 * any more. In every state reached by arrivals, the walk makes every arrival. On several ports the walk makes every set
 * of arrivals of one cycle. So every order, of any length over any number of phases, consists of steps taken.
 * barrier_ref says the outcome of each step. The tested unit walks along, since no state can be put into a unit. */
#ifndef BARRIER_ORDERS_H
#define BARRIER_ORDERS_H

#include "barrier_ref.h"

enum { ORDER_WARPS = 4, ORDER_BARRIERS = 2, ORDER_SLOT = 1 };
/* Ways to arrive. */
enum order_how { ORDER_SYNC, ORDER_ARV, ORDER_COUNTED /* SYNC with a count */, ORDER_HOWS };

struct orders {
	unsigned ports, need; /* warps wanted by a phase; below 4 all arrivals give the count */
	uint32_t hows;        /* bit i: enum order_how i is used */
	bool with_left;       /* remains of the phase before are part of a state */
	void *self;
	/* A CTA of four warps comes to the slot. */
	void (*launch)(void *self, struct orders *o);
	/* Arrivals of different ports at once. On return `ref` has taken the arrivals (orders_apply, in the order of
	 * judgement). False: a mismatch. */
	bool (*arrive)(void *self, struct orders *o, unsigned n, const struct bar_request *q);

	struct ref ref;
	uint8_t left[ORDER_BARRIERS][ORDER_WARPS]; /* role of each warp as last written by its port */
	unsigned long states, steps, ends, faults, together;
};

/* An arrival without fault. */
struct ref_release orders_apply(struct orders *o, const struct bar_request *q);
/* Takes all steps. False: a mismatch, or a step was never reached. */
bool orders_walk(struct orders *o);
/* The (4!)^4 orders of SYNC at barrier 0, 1, 0, 1; in the last phase only `first` of the 4! orders. */
bool orders_of_syncs(struct orders *o, unsigned first);

/* The walks of a run, on the RTL and on the C twin: `need`, kinds of arrivals (bits) and `with_left` of struct
 * orders. */
struct order_walk {
	unsigned need;
	uint32_t hows;
	bool with_left;
};
enum { ORDER_WALKS = 4 };
extern const struct order_walk order_walks[ORDER_WALKS];

#endif

/* SPDX-License-Identifier: Apache-2.0
 * cluster_orders.h -- every order in which four CTAs of a warp each can go through two phases of the barrier of their
 * cluster, and what must come of each step. Known of a warp is only how often it has arrived: the k-th wait is over
 * when no warp that lives has arrived less than k times. */
#ifndef CLUSTER_ORDERS_H
#define CLUSTER_ORDERS_H

#include <stdbool.h>
#include <stdint.h>

enum { ORDER_WARPS = 4, ORDER_STEPS = 5 * ORDER_WARPS };
enum order_op { ORDER_ARRIVE, ORDER_WAIT, ORDER_EXIT };

struct order_step {
	unsigned warp;
	enum order_op op;
	bool parks;        /* WAIT: for its phase */
	uint32_t released; /* warps that go on by it, */
	unsigned phase;    /* behind so many phases before */
};

/* Calls `each` for every order; the arrivals of the first phase come in the order of the warps' numbers, since warps
 * are alike: who runs it gives them other numbers. `leaver`: this warp ends instead of arriving again; ORDER_WARPS:
 * none does. Returns how many there were. False of `each` ends it. */
typedef bool order_fn(void *self, const struct order_step *step, unsigned n);
uint64_t cluster_orders(unsigned leaver, order_fn *each, void *self);

/* The `nth` of the 24 ways to number the warps. */
void order_numbers(unsigned nth, unsigned number[ORDER_WARPS]);

#endif

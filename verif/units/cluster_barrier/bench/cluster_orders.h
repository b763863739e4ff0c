/* SPDX-License-Identifier: Apache-2.0
 * cluster_orders.h -- every order of four CTAs, each of one warp, through two phases of the barrier of their cluster,
 * and the expected outcome of each step. The reference knows only the number of arrivals of each warp. The k-th wait is
 * over when each live warp has arrived at least k times. */
#ifndef CLUSTER_ORDERS_H
#define CLUSTER_ORDERS_H

#include <stdbool.h>
#include <stdint.h>

enum { ORDER_WARPS = 4, ORDER_STEPS = 5 * ORDER_WARPS };
enum order_op { ORDER_ARRIVE, ORDER_WAIT, ORDER_EXIT };

struct order_step {
	unsigned warp;
	enum order_op op;
	bool parks;        /* a WAIT parks */
	uint32_t released; /* warps released by the step, */
	unsigned phase;    /* after so many ended phases */
};

/* Calls `each` for every order. The arrivals of the first phase come in the order of the warps' numbers, since warps
 * are alike: the caller renumbers the warps. `leaver`: this warp exits instead of the second arrival; ORDER_WARPS: no
 * warp exits. Returns the number of orders. False from `each` ends the enumeration. */
typedef bool order_fn(void *self, const struct order_step *step, unsigned n);
uint64_t cluster_orders(unsigned leaver, order_fn *each, void *self);

/* The `nth` of the 24 ways to number the warps. */
void order_numbers(unsigned nth, unsigned number[ORDER_WARPS]);

#endif

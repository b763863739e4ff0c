// SPDX-License-Identifier: Apache-2.0
/* order.h -- memory orders: fences around accesses, and the order of an access itself. Rules: order.def. */
#ifndef WLCC_LOWER_ORDER_H
#define WLCC_LOWER_ORDER_H

#include "select.h"

enum ordered { ORDERED_ACCESS, ORDERED_SHARED, ORDERED_LOOPED, ORDERED_FENCE };

/* The fences that stand before, and behind, something of the order and scope (enum ptx_mod, PTX_M_none too). Nothing
 * for an order that no row of that kind has. */
void order_before(struct select *s, enum ordered what, unsigned order, unsigned scope);
void order_behind(struct select *s, enum ordered what, unsigned order, unsigned scope);
bool order_is_fence(unsigned order);
/* Fences of an atomic stand beside the access, inside loops and behind the choice of one lane for all; else
 * around the whole. */
bool order_beside(const struct select *s);
/* The instruction at hand has a fence in front of it. */
bool order_fences_before(const struct select *s);

/* Order, scope and hints of the instruction at hand, put into its access of global or generic memory. */
void order_access(const struct select *s, struct minst *in);
/* An atomic is always strong. */
void order_atomic(const struct select *s, struct minst *in);

#endif

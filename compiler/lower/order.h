// SPDX-License-Identifier: Apache-2.0
/* order.h -- memory orders: fences around accesses, and the order of an access itself. Rules: order.def. */
#ifndef WLCC_LOWER_ORDER_H
#define WLCC_LOWER_ORDER_H

#include "select.h"

enum ordered { ORDERED_ACCESS, ORDERED_SHARED, ORDERED_LOOPED, ORDERED_FENCE };

/* Fences before, and behind, an access or a fence of the order and scope (enum ptx_mod, PTX_M_none too). No fence for
 * an order without a row of this kind. */
void order_before(struct select *s, enum ordered what, unsigned order, unsigned scope);
void order_behind(struct select *s, enum ordered what, unsigned order, unsigned scope);
bool order_is_fence(unsigned order);
/* Fences of an atomic stand beside the access, inside loops and behind the choice of one lane for all; else around the
 * whole. */
bool order_beside(const struct select *s);
/* A fence stands in front of the instruction at hand. */
bool order_fences_before(const struct select *s);

/* Puts order, scope and hints of the instruction at hand into its access of global or generic memory. */
void order_access(const struct select *s, struct minst *in);
/* An atomic is always strong. */
void order_atomic(const struct select *s, struct minst *in);

#endif

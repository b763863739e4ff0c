// SPDX-License-Identifier: Apache-2.0
/* orderlog.h -- the order log: the order in which things happened in a run, without any value.
 *
 * Text, one event a line, single spaces, numbers decimal but lane masks (8 hex digits, 0x before them). Lines that
 * start with '#' are comments; the first line is the signature. A tag is written SM WARP N (warp slot, request number
 * since the warp's launch).
 *
 *   warplock order 1
 *   cta SM SLOT CTA             the CTA starts in the slot
 *   end SM SLOT CTA             the CTA's slot is free again
 *   step SM WARP LANE COUNT     FRONT executed COUNT instructions in the group of lanes that holds LANE
 *   accept SM WARP N LANE       the request of the group that holds LANE (its lowest lane) was taken by the unit
 *   fault SM WARP N CODE LANES  these lanes fault with enum wl_fault CODE
 *   commit SM WARP N LANES      these lanes take effect now
 *   retire SM WARP N            results handed back
 */
#ifndef WARPLOCK_ORDERLOG_H
#define WARPLOCK_ORDERLOG_H

#include <stddef.h>

#include "warplock/lockstep.h"

enum wl_order_kind {
	WL_ORDER_CTA,
	WL_ORDER_END,
	WL_ORDER_STEP,
	WL_ORDER_ACCEPT,
	WL_ORDER_FAULT,
	WL_ORDER_COMMIT,
	WL_ORDER_RETIRE,
};

struct wl_order {
	enum wl_order_kind kind;
	uint32_t sm;
	uint32_t slot, cta; /* CTA, END */
	uint32_t warp;      /* the others */
	uint32_t n;         /* ACCEPT, FAULT, COMMIT, RETIRE */
	uint32_t lane;      /* STEP, ACCEPT */
	uint32_t count;     /* STEP */
	uint32_t code;      /* FAULT */
	uint32_t lanes;     /* FAULT, COMMIT */
};

/* Text of an event, with the line end. Returns its length; buf holds at least 96 bytes. */
int wl_order_format(const struct wl_order *o, char *buf, size_t n);
/* An event from a line, which ends at its line end or at the end of the text. false: `why` names what was found and
 * expected. Comments and empty lines are for the caller. */
bool wl_order_parse(const char *line, struct wl_order *o, char *why, size_t whyn);
/* The first line, with its end. */
#define WL_ORDER_SIGNATURE "warplock order 1\n"

#endif

// SPDX-License-Identifier: Apache-2.0
/* orderlog.h -- the order log: the order of events in a run, without any value.
 *
 * Text, an event a line, single spaces, numbers decimal but lane and warp masks (hexadecimal, 0x before them), units
 * by name. Lines starting with '#' are comments; the first line is the signature. A tag is written SM WARP N (warp
 * slot, request number since the warp's launch).
 *
 *   warplock order 2
 *   of ...                      the launch (cmodel/tools/origin.h)
 *   units MASK                  bits 1 << enum wl_unit: units with instructions of SM 0 as requests; without the
 *                               line atoms_pipe alone. Before every line below
 *   cta SM SLOT CTA             the CTA starts in the slot
 *   end SM SLOT CTA             the CTA's slot is free again
 *   step SM WARP LANE COUNT     FRONT executed COUNT instructions in the group of lanes with LANE
 *   accept SM WARP N LANE       the unit took the request of the group with LANE (the lowest lane)
 *   fault SM WARP N CODE LANES  LANES fault with enum wl_fault CODE
 *   commit SM WARP N LANES      LANES take effect now
 *   retire SM WARP N            results handed back
 *   exit SM WARP N              the warp's EXIT takes effect
 *   release SM UNIT SLOT ID PHASE WARPS
 *                               WARPS, in wait for the unit's object ID, go on: the requests retire
 *   choice SM WARP N            the request gives the wait up and retires
 *   land SM UNIT SLOT COPY KIND ADDR BYTES
 *                               a piece of the SM's asynchronous copy number COPY takes effect */
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
	WL_ORDER_EXIT,
	WL_ORDER_RELEASE,
	WL_ORDER_CHOICE,
	WL_ORDER_LAND,
	WL_ORDER_UNITS,
};

struct wl_order {
	enum wl_order_kind kind;
	uint32_t sm;
	uint32_t slot, cta;   /* CTA, END; slot: RELEASE, LAND */
	uint32_t warp;        /* of a request, STEP */
	uint32_t n;           /* of a request */
	uint32_t lane;        /* STEP, ACCEPT */
	uint32_t count;       /* STEP */
	uint32_t code;        /* FAULT; LAND: the kind */
	uint32_t lanes;       /* FAULT, COMMIT; UNITS: the mask */
	uint32_t unit;        /* RELEASE, LAND: enum wl_unit */
	uint32_t id, phase;   /* RELEASE; id: LAND, the number of the copy */
	uint32_t addr, bytes; /* LAND */
	uint64_t warps;       /* RELEASE */
};

/* Text of an event, with the line end. Returns its length; buf holds at least 128 bytes. */
int wl_order_format(const struct wl_order *o, char *buf, size_t n);
/* An event from a line; the line ends at a line end or at the end of the text. false: `why` names the text found and
 * expected. Comments and empty lines are for the caller. */
bool wl_order_parse(const char *line, struct wl_order *o, char *why, size_t whyn);
/* The first line, with the line end. */
#define WL_ORDER_SIGNATURE "warplock order 2\n"

#endif

// SPDX-License-Identifier: Apache-2.0
/* landing.h -- a piece of an asynchronous copy; a piece lands in shared memory at once. In lockstep the harness brings
 * the piece to the DUT's landing port, and REF lands the same piece at the LAND event.
 *
 * Source: docs/spec/async.md, "Landing". */
#ifndef WARPLOCK_LANDING_H
#define WARPLOCK_LANDING_H

#include "warplock/gmem.h"
#include "warplock/mbarrier_engine.h"

enum { WL_LANDING_MOST = 128 /* bytes of a piece: a row of the banks at most */ };

/* Source of the bytes of a piece. */
enum wl_landing_source {
	WL_LANDING_VALUE,  /* `value` */
	WL_LANDING_GLOBAL, /* global memory at `source`; the last `zeros` bytes are zeros, unread */
	WL_LANDING_READ,   /* the bytes of this copy's READ before */
};

struct wl_landing {
	enum wl_land kind;
	uint16_t slot;
	uint32_t copy;  /* number of the copy in the SM */
	uint8_t index;  /* index of the copy among copies under way, below 128 */
	uint8_t lane;   /* of copies by lanes */
	uint32_t at;    /* of bulk copies: first byte of the piece in the copy */
	uint32_t addr;  /* in the SM's shared memory. WRITE READ REDUCE: within one row of the banks, multiple of 4 */
	uint32_t bytes; /* WRITE READ REDUCE: multiple of 4; TX: transactions; ARRIVE: 1 */
	/* WRITE, REDUCE */
	uint8_t from; /* enum wl_landing_source */
	uint8_t zeros;
	uint64_t source;
	uint32_t value[4];
	/* REDUCE: M = op(M, B) for numbers of `size` bytes, 4 or 8 */
	uint8_t op, size;
	bool sgn;
};

/* The bytes of a WRITE or REDUCE, from any source but a READ. */
void wl_landing_fetch(const struct wl_gmem *g, const struct wl_landing *l, uint8_t data[WL_LANDING_MOST]);
/* The piece lands. A READ leaves its bytes in `data`. Returns the fault of the mbarrier; a fault changes nothing. */
enum wl_fault wl_land(struct wl_units *u, const struct wl_landing *l, uint8_t data[WL_LANDING_MOST]);

#endif

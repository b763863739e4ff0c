// SPDX-License-Identifier: Apache-2.0
/* warp_collective.h -- votes, shuffles, matches, reductions, elections: pure functions on rows of 32 lanes.
 *
 * Words carry no mask of members: the lanes that execute are the members. Source: docs/spec/warp.md, "Members". */
#ifndef WARPLOCK_WARP_COLLECTIVE_H
#define WARPLOCK_WARP_COLLECTIVE_H

#include "warplock/unit.h"

/* yes: members with a true predicate. */
static inline bool wl_vote(enum wl_vote op, uint32_t yes, uint32_t members)
{
	switch (op) {
	case WL_VOTE_ALL:
		return yes == members;
	case WL_VOTE_ANY:
		return yes != 0;
	case WL_VOTE_EQ:
		break;
	}
	return yes == members || yes == 0;
}
/* from[i]: the lane chosen by b[i] and c[i]; i itself when the choice is out of range. Returns the lanes whose choice is in
 * range. */
uint32_t wl_shfl_sources(enum wl_shfl op, const uint32_t b[WL_WARP_LANES], const uint32_t c[WL_WARP_LANES],
                         uint32_t from[WL_WARP_LANES]);
/* d[i] = a of the lane chosen by b[i] and c[i]. b: lane number, distance or mask. c: clamp in bits 4:0, segment mask in
 * bits 12:8. The reader gets the reader's own value when the choice is out of range, and 0 when the choice does not
 * execute. Returns the lanes whose choice is in range. d must not be a, b or c. */
uint32_t wl_shfl(enum wl_shfl op, uint32_t members, const uint32_t a[WL_WARP_LANES], const uint32_t b[WL_WARP_LANES],
                 const uint32_t c[WL_WARP_LANES], uint32_t d[WL_WARP_LANES]);
/* d[i] = members with the value of lane i; with `all`: all members when all values are equal, else 0. hi: upper words,
 * NULL for values of 32 bits. True when all values are equal. Words of d outside of members mean nothing. */
bool wl_match(bool all, uint32_t members, const uint32_t lo[WL_WARP_LANES], const uint32_t *hi,
              uint32_t d[WL_WARP_LANES]);
uint32_t wl_redux(enum wl_redux op, bool sgn, uint32_t members, const uint32_t a[WL_WARP_LANES]);
/* The least (op & 2) or the greatest float32, -0 below +0; of absolute values (op & 1). NaNs do not count, unless every
 * member holds a NaN. With `nan` one NaN is enough for the canonical NaN. */
uint32_t wl_fredux(unsigned op, bool nan, uint32_t members, const uint32_t a[WL_WARP_LANES]);
/* The elected lane, as a mask: the lowest of `able`; 0 without one. */
static inline uint32_t wl_elect(uint32_t able)
{
	return able & (0 - able);
}

#endif

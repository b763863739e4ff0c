// SPDX-License-Identifier: Apache-2.0
/* smem_banks_inline.h -- the question that most beats are settled with: whether lanes meet in a bank. Internal. */
#ifndef WARPLOCK_SMEM_BANKS_INLINE_H
#define WARPLOCK_SMEM_BANKS_INLINE_H

#include "lane_row.h"
#include "warplock/smem_banks.h"

/* Whether the lanes of `todo` all go to different bank groups: then they can go in one pass. */
INLINE bool smem_no_conflict(const uint32_t addr[WL_WARP_LANES], uint32_t base, unsigned shift, unsigned groups,
                             uint32_t todo)
{
	uint32_t used = 0; /* a bit for each bank group */
	if (todo == UINT32_MAX) {
		for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)
			used |= UINT32_C(1) << ((base + addr[lane]) >> shift & (groups - 1));
		return used == UINT32_MAX;
	}
	for (uint32_t left = todo; left; left &= left - 1) {
		uint32_t bit = UINT32_C(1) << ((base + addr[__builtin_ctz(left)]) >> shift & (groups - 1));
		if (used & bit)
			return false;
		used |= bit;
	}
	return true;
}

#endif

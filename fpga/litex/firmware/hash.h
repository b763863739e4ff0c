/* SPDX-License-Identifier: Apache-2.0 */
/* hash.h -- a hash of words for each side; FNV with a shift, quick on a CPU without a wide multiplier. */
#ifndef WARPLOCK_SOC_HASH_H
#define WARPLOCK_SOC_HASH_H

#include <stdint.h>

enum { REF, DUT, SIDES };
#define HASH_START 2166136261u

static inline void hash_add(uint32_t *hash, uint32_t word)
{
	*hash = (*hash ^ word) * 16777619u;
	*hash ^= *hash >> 15;
}

#endif

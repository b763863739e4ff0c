/* SPDX-License-Identifier: Apache-2.0
 * cccl_expected.h -- a function for each kernel of kernels.def: the expected `out`, computed on the host, thread after
 * thread, from the library's documentation of each function. */
#ifndef CCCL_EXPECTED_H
#define CCCL_EXPECTED_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "../expected.h"

typedef unsigned __int128 u128;
typedef uint64_t u64;
typedef uint32_t u32;

enum { INPUTS = 2048, OUTPUTS = 1024, N = 128 }; /* N: threads of a block */

extern u32 in[INPUTS], out[OUTPUTS];

#define EACH(i, n) for (u32 i = 0; i < (n); i++)

static inline u32 float_bits(float f)
{
	u32 b;
	memcpy(&b, &f, 4);
	return b;
}

static inline void put64(u32 at, u64 v)
{
	out[at] = (u32)v;
	out[at + 1] = (u32)(v >> 32);
}

#define KERNEL(name, from, grid) void cccl_##from(u32 grid_of);
#include "kernels.def"
#undef KERNEL

#endif

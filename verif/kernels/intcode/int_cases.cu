// SPDX-License-Identifier: Apache-2.0
/* int_cases.cu -- a kernel for each case of int_cases.h: a thread reads its words, computes, writes its results.
 *
 * int_cases.fatbin holds what `nvcc -O3 -arch=sm_75 -cubin` and `-arch=sm_90` make of it, packed by
 * `fatbinary -64 --compress-all --create=int_cases.fatbin --image3=kind=elf,sm=75,file=... --image3=kind=elf,sm=90,...`. */
#include "int_cases.h"

#define KERNEL(name)                                                                                                   \
	extern "C" __global__ void k_##name(const uint32_t *in, uint32_t *out)                                         \
	{                                                                                                              \
		uint32_t t = blockIdx.x * blockDim.x + threadIdx.x, a[CASE_IN], r[CASE_OUT];                           \
		for (int i = 0; i < CASE_IN; i++)                                                                      \
			a[i] = in[t * CASE_IN + i];                                                                    \
		case_##name(a, r);                                                                                     \
		for (int i = 0; i < CASE_OUT; i++)                                                                     \
			out[t * CASE_OUT + i] = r[i];                                                                  \
	}
CASES(KERNEL)

// SPDX-License-Identifier: Apache-2.0
// Helpers of calls.cuh, inlined at several lines of four kernels.
#include "calls.cuh"

extern "C" __global__ void hangs_low(unsigned *lock, unsigned *out)
{
	lock_it(lock);
	out[0] = 1;
}

extern "C" __global__ void hangs_deep(unsigned *lock, unsigned *out)
{
	table t = {out};
	t.put(threadIdx.x, 3);
	t.guarded(lock, 7);
}

extern "C" __global__ void faults(unsigned *lock, unsigned *out)
{
	table t = {out};
	t.put(threadIdx.x, 3);
	if (lock[0] == 0)
		t.put(threadIdx.x + (1 << 20), 4);
}

extern "C" __global__ void races(unsigned *lock, unsigned *out)
{
	__shared__ unsigned all[64];
	table t = {all};
	t.put(threadIdx.x, lock[0]);
	out[threadIdx.x] = all[63 - threadIdx.x];
	t.put(63 - threadIdx.x, lock[1]);
}

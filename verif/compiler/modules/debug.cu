// SPDX-License-Identifier: Apache-2.0
// Compiled with -G (functions in sections of their own, stack sizes that nobody knows) and with -lineinfo.
__device__ __noinline__ unsigned collatz(unsigned n)
{
	unsigned steps = 0;
	while (n > 1) {
		n = n & 1 ? 3 * n + 1 : n / 2;
		steps++;
	}
	return steps;
}

extern "C" __global__ void debugged(unsigned *out, unsigned n)
{
	unsigned t = threadIdx.x;
	out[t] = collatz(t + 1);
	if (n)
		out[1 << 28] = t;
}

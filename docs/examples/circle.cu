// SPDX-License-Identifier: Apache-2.0
// circle: two warps take two named barriers in opposite orders, so each warp waits for the other for ever.
extern "C" __global__ void circle(unsigned *out)
{
	if (threadIdx.x < 32) {
		asm volatile("bar.sync 1, 64;");
		asm volatile("bar.sync 2, 64;");
	} else {
		asm volatile("bar.sync 2, 64;");
		asm volatile("bar.sync 1, 64;");
	}
	out[threadIdx.x] = 1;
}

// SPDX-License-Identifier: Apache-2.0
// One arrival of `lanes` lanes at an mbarrier of `count`. act_patch.py changes the form of the SYNCS.ARRIVE in the
// cubin (bits 87:84), act_run.cpp runs a cubin.   usage: nvcc -cubin -arch=sm_90 act.cu; act_patch.py act.cubin 2
// act2.cubin; act_run act2.cubin COUNT LANES
typedef unsigned u32;
typedef unsigned long long u64;
extern "C" __global__ void act(u64 *out, u32 count, u32 lanes)
{
	__shared__ alignas(8) u64 b;
	u32 a = (u32)__cvta_generic_to_shared(&b);
	u64 t = 0;
	if (threadIdx.x == 0)
		asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(a), "r"(count) : "memory");
	__syncwarp();
	if (threadIdx.x < lanes) {
		asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(a) : "memory");
	}
	__syncwarp();
	out[threadIdx.x] = t;
	if (threadIdx.x == 0)
		out[32] = b;
}

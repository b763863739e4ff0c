// SPDX-License-Identifier: Apache-2.0
// nv_histogram: legacy overloads; a histogram in shared memory, flushed to global memory.
#define KERNEL __attribute__((nvptx_kernel)) void
#define SHARED __attribute__((address_space(3)))
typedef unsigned u32;
typedef unsigned long long u64;

static SHARED u32 local[64];

KERNEL nv_histogram(const u32 *data, u32 n, u32 *bins)
{
	u32 t = __nvvm_read_ptx_sreg_tid_x(), size = __nvvm_read_ptx_sreg_ntid_x();
	if (t < 64)
		local[t] = 0;
	__syncthreads();
	for (u32 i = __nvvm_read_ptx_sreg_ctaid_x() * size + t; i < n; i += size * __nvvm_read_ptx_sreg_nctaid_x())
		atomicAdd_block((u32 *)&local[data[i] * 7 % 61], 1u);
	__syncthreads();
	if (t < 64)
		atomicAdd(&bins[t], local[t]);
}

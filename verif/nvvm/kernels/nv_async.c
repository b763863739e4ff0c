// SPDX-License-Identifier: Apache-2.0
// nv_async: tiles brought to shared memory by asynchronous copies of 4, 8 and 16 bytes, then summed.
#define KERNEL __attribute__((nvptx_kernel)) void
#define SHARED __attribute__((address_space(3)))
typedef unsigned u32;
typedef unsigned long long u64;

static SHARED u32 tile[128 * 4] __attribute__((aligned(16)));

KERNEL nv_async(u32 *in, u32 *out)
{
	u32 t = __nvvm_read_ptx_sreg_tid_x(), sum = 0;
	in += __nvvm_read_ptx_sreg_ctaid_x() * 512;
	if (t % 3 == 0) {
		__nv_memcpy_async_shared_global_16((void *)&tile[4 * t], &in[4 * t], 16);
	} else if (t % 3 == 1) {
		__nv_memcpy_async_shared_global_8((void *)&tile[4 * t], &in[4 * t], 8);
		__nv_memcpy_async_shared_global_8((void *)&tile[4 * t + 2], &in[4 * t + 2], 8);
	} else {
		for (u32 i = 0; i < 4; i++)
			__nv_memcpy_async_shared_global_4((void *)&tile[4 * t + i], &in[4 * t + i], 4);
	}
	__asm__ volatile("cp.async.wait_all;" ::: "memory");
	__syncthreads();
	for (u32 i = 0; i < 4; i++)
		sum += tile[(4 * t + 5 * i + 4) % 512] * (i + 1);
	out[__nvvm_read_ptx_sreg_ctaid_x() * 128 + t] = sum;
}

// SPDX-License-Identifier: Apache-2.0
// nv_lock: a spin lock by acquire compare-and-exchange and release store, taken by a thread of each block in turn.
#define KERNEL __attribute__((nvptx_kernel)) void
#define SHARED __attribute__((address_space(3)))
typedef unsigned u32;
typedef unsigned long long u64;

KERNEL nv_lock(u32 *lock, u32 *data, u32 turns)
{
	if (__nvvm_read_ptx_sreg_tid_x() != 0)
		return;
	for (u32 k = 0; k < turns; k++) {
		u32 free = 0;
		while (!__nv_atomic_compare_exchange_n(lock, &free, 1u, 0, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELAXED,
		                                       __NV_THREAD_SCOPE_DEVICE))
			free = 0;
		u32 seen = data[0];
		data[0] = seen + 1;
		data[1] += seen & 3;
		__nv_atomic_store_n(lock, 0u, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
	}
}

// SPDX-License-Identifier: Apache-2.0
// nv_cas128: a 128-bit pair, count and checksum, kept together by compare-and-exchange.
#define KERNEL __attribute__((nvptx_kernel)) void
#define SHARED __attribute__((address_space(3)))
typedef unsigned u32;
typedef unsigned long long u64;

typedef unsigned __int128 u128;

KERNEL nv_cas128(u128 *pair)
{
	u32 t = __nvvm_read_ptx_sreg_tid_x() + __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x();
	u128 old = __nv_atomic_load_n(pair, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE), new;
	do {
		u64 count = (u64)old + 1, sum = (u64)(old >> 64) + (u64)t * t;
		new = (u128)sum << 64 | count;
	} while (!__nv_atomic_compare_exchange_n(pair, &old, new, 0, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED,
	                                         __NV_THREAD_SCOPE_DEVICE));
}

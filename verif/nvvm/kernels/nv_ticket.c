// SPDX-License-Identifier: Apache-2.0
// nv_ticket: a ticket lock; the order of entry is the order of the tickets.
#define KERNEL __attribute__((nvptx_kernel)) void
#define SHARED __attribute__((address_space(3)))
typedef unsigned u32;
typedef unsigned long long u64;

KERNEL nv_ticket(u32 *lock, u32 *log)
{
	if (__nvvm_read_ptx_sreg_tid_x() % 32 != 0)
		return;
	u32 mine = __nv_atomic_fetch_add(&lock[0], 1u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
	while (__nv_atomic_load_n(&lock[1], __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) != mine)
		;
	log[mine] = mine * mine + lock[2];
	lock[2] += 3;
	__nv_atomic_store_n(&lock[1], mine + 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}

// SPDX-License-Identifier: Apache-2.0
// nv_orders: a counter for each order and scope, and every other operation once.
#define KERNEL __attribute__((nvptx_kernel)) void
#define SHARED __attribute__((address_space(3)))
typedef unsigned u32;
typedef unsigned long long u64;

#define ALL_SCOPES(o, i)                                                                                               \
	__nv_atomic_fetch_add(&count[5 * (i) + 0], t, o, 0);                                                           \
	__nv_atomic_fetch_add(&count[5 * (i) + 1], t, o, 1);                                                           \
	__nv_atomic_fetch_add(&count[5 * (i) + 2], t, o, 2);                                                           \
	__nv_atomic_fetch_add(&count[5 * (i) + 3], t, o, 3);                                                           \
	__nv_atomic_fetch_add(&count[5 * (i) + 4], t, o, 4)

KERNEL nv_orders(u32 *count, int *ops, u64 *wide)
{
	u32 t = __nvvm_read_ptx_sreg_tid_x() + 1;
	ALL_SCOPES(__NV_ATOMIC_RELAXED, 0);
	ALL_SCOPES(__NV_ATOMIC_CONSUME, 1);
	ALL_SCOPES(__NV_ATOMIC_ACQUIRE, 2);
	ALL_SCOPES(__NV_ATOMIC_RELEASE, 3);
	ALL_SCOPES(__NV_ATOMIC_ACQ_REL, 4);
	ALL_SCOPES(__NV_ATOMIC_SEQ_CST, 5);
	__nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
	__nv_atomic_fetch_sub(&ops[0], (int)t, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
	__nv_atomic_fetch_max(&ops[1], (int)(t * 37 % 101) - 50, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
	__nv_atomic_fetch_min(&ops[2], (int)(t * 37 % 101) - 50, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
	__nv_atomic_fetch_or(&ops[3], 1 << t % 31, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
	__nv_atomic_fetch_and(&ops[4], ~(1 << t % 29), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
	__nv_atomic_fetch_xor(&ops[5], (int)(t * 0x9e3779b1u), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
	__nv_atomic_fetch_add(&wide[0], (u64)t << 30, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
	__nv_atomic_fetch_max(&wide[1], (u64)t << 40 | t, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
}

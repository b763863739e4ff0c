// SPDX-License-Identifier: Apache-2.0
// arch sm_75
// error atomic exchange is valid only on objects of size 4, 8 or 16 bytes.
__attribute__((nvptx_kernel)) void k(short *p, short *q)
{
	*q = __nv_atomic_exchange_n(p, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

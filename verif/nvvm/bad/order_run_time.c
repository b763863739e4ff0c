// SPDX-License-Identifier: Apache-2.0
// arch sm_75
// error order_run_time.c:6:11: error: __nv_atomic_fetch_add: atomic operation's memory order
__attribute__((nvptx_kernel)) void k(int *p, int *q, int order)
{
	*q = 1 + __nv_atomic_fetch_add(p, 1, order, 3);
}

// SPDX-License-Identifier: Apache-2.0
// sb -- store buffering. ring: CTA k stores its word, fences (fence.sc), reads that of the next CTA: not all three read 0. rmw: atom x;
// atom y against atom y; atom x, acq_rel: not both second ones read 0. iriw: two readers with fence.sc between their reads
// agree which of two stores was first. relaxed: stores and reads without any fence: every outcome is allowed.
#include "litmus.cuh"

extern "C" __global__ void sb(u32 *x, u32 *ring, u32 *a, u32 *b, u32 *rmw, u32 *p, u32 *q, u32 *iriw, u32 *w, u32 *relaxed)
{
	const u32 role = ROLE, cta = blockIdx.x;
	FOR_EACH_INSTANCE(n) {
		if (role % 2 == 0) {
			st_weak(&x[cta * INSTANCES * 8 + FAR(n)], 1);
			fence_sc();
			ring[cta * INSTANCES + n] = ld_weak(&x[(cta + 1) % 3 * INSTANCES * 8 + FAR(n)]);
		} else if (role == 1) {
			atom_add_acq_rel(&a[FAR(n)], 1);
			rmw[n] = atom_add_acq_rel(&b[n], 1);
		} else if (role == 3) {
			atom_add_acq_rel(&b[n], 1);
			rmw[INSTANCES + n] = atom_add_acq_rel(&a[FAR(n)], 1);
		}
		if (role == 1) {
			st_relaxed(&p[n], 1);
			st_relaxed(&w[n], 1);
			relaxed[n] = ld_relaxed(&w[INSTANCES + n]);
		} else if (role == 3) {
			st_relaxed(&q[FAR(n)], 1);
			st_relaxed(&w[INSTANCES + n], 1);
			relaxed[INSTANCES + n] = ld_relaxed(&w[n]);
		} else if (role >= 4) {
			const u32 *first = role == 4 ? &p[n] : &q[FAR(n)], *second = role == 4 ? &q[FAR(n)] : &p[n];
			const u32 r = ld_relaxed(first);
			fence_sc();
			iriw[(role - 4) * INSTANCES + n] = r | ld_relaxed(second) << 1;
		}
	}
}

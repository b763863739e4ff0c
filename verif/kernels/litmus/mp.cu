// SPDX-License-Identifier: Apache-2.0
// mp -- message passing through three CTAs. chain: data, release of a flag; another CTA's atomic moves the flag on; the
// third acquires it and must find the data. wrc: who sees a store and then releases a flag hands the store on with it. fetch:
// atomic on the flag, then a fence. Forbidden: the flag and not the data.
#include "litmus.cuh"

extern "C" __global__ void mp(u32 *x, u32 *flag, u32 *chain, u32 *y, u32 *told, u32 *wrc, u32 *z, u32 *ready, u32 *fetch)
{
	const u32 role = ROLE;
	FOR_EACH_INSTANCE(n) {
		if (role == 0) {
			st_weak(&z[n], n + 7);
			st_release(&ready[FAR(n)], 1);
			st_weak(&x[FAR(n)], n + 1);
			st_release(&flag[n], 1);
		} else if (role == 2) {
			while (atom_cas(&flag[n], 1, 2) != 1) {
			}
			const u32 was = atom_add(&ready[FAR(n)], 1);
			fence_acq_rel();
			fetch[n] = was == 1 ? ld_weak(&z[n]) : ~0u; // ~0: it was not there yet
		} else if (role == 4) {
			while (ld_acquire(&flag[n]) != 2) {
			}
			chain[n] = ld_weak(&x[FAR(n)]);
		} else if (role == 1) {
			st_relaxed(&y[FAR(n)], n + 3);
		} else if (role == 3) {
			while (ld_relaxed(&y[FAR(n)]) == 0) {
			}
			st_release(&told[n], 1);
		} else {
			while (ld_acquire(&told[n]) == 0) {
			}
			wrc[n] = ld_relaxed(&y[FAR(n)]);
		}
	}
}

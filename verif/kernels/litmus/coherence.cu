// SPDX-License-Identifier: Apache-2.0
// coherence -- one order of the stores to a location, that nobody reads backwards (CoRR, CoWW, CoWR, CoRW). CTA 0 stores 1, then
// 2, CTA 1 stores 3, then 4; each reads behind its stores; three warps read four times. litmus.check.c looks for an order of
// the four that explains all readers and what is left.
#include "litmus.cuh"

extern "C" __global__ void coherence(u32 *x, u32 *own, u32 *seen)
{
	const u32 role = ROLE;
	FOR_EACH_INSTANCE(n) {
		u32 *at = n & 1 ? &x[n] : &x[INSTANCES + FAR(n)];
		if (role == 0 || role == 2) {
			const u32 first = role + 1;
			st_relaxed(at, first);
			st_relaxed(at, first + 1);
			own[role / 2 * INSTANCES + n] = ld_relaxed(at);
		} else if (role != 1) {
			u32 r = 0;
			for (u32 k = 0; k < 4; k++)
				r |= ld_relaxed(at) << 8 * k;
			seen[(role - 3) * INSTANCES + n] = r;
		}
	}
}

// SPDX-License-Identifier: Apache-2.0
// rmw -- read-modify-writes are of one piece: nothing comes between what they read and what they write. All six warps.
// Forbidden, whoever is first: two additions that return one value; a value that an exchange loses or two get; a store that slips
// into an addition. litmus.check.c tells what is allowed.
#include "litmus.cuh"

extern "C" __global__ void rmw(u32 *counter, u32 *added, u32 *slot, u32 *swapped, u32 *tally, u32 *tried, u32 *cell, u32 *left)
{
	const u32 role = ROLE;
	FOR_EACH_INSTANCE(n) {
		const u32 me = role * INSTANCES + n, at = n % 4;
		added[me] = atom_add(&counter[at], 1);
		swapped[me] = atom_exch(&slot[at], me + 1);
		u32 seen = ld_relaxed(&tally[at]), now;
		while ((now = atom_cas(&tally[at], seen, seen + 1)) != seen)
			seen = now;
		tried[me] = seen;
		if (role == 0)
			left[n] = atom_add(&cell[n], 1);
		else if (role == 2)
			st_relaxed(&cell[n], 5);
		else if (role == 4)
			left[INSTANCES + n] = atom_add(&cell[n], 16);
	}
}

// SPDX-License-Identifier: Apache-2.0
/* flip.h -- fields of a unit for the self-test: each is flipped once and must be noticed. */
#ifndef WARPLOCK_COSIM_FLIP_H
#define WARPLOCK_COSIM_FLIP_H

/* FLIP(name, type, where, how): a function to change a field of the object `where` (a type *, NULL while missing) by
 * `how`, with `at` as the object's name, and to say whether the object was there. */
#define FLIP(name, type, where, how)                                                                                   \
	static bool name(struct lockstep *ls, struct shim_out *out)                                                    \
	{                                                                                                              \
		type *at = where;                                                                                      \
		(void)ls;                                                                                              \
		if (at)                                                                                                \
			how;                                                                                           \
		return at != NULL;                                                                                     \
	}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* polls.h -- loops around a try until another thread has done its part, on the PTX of a function. */
#ifndef WLCC_LOWER_POLLS_H
#define WLCC_LOWER_POLLS_H

#include "skeleton.h"
#include "uniform.h"

struct polls_of {
	struct arena *arena;
	const struct ptx_function *fn;
	const struct skeleton *s;
	struct uniform_user **users; /* by register */
	const uint8_t *writes;       /* by register: 0, 1, 2 = more */
	bool compat;                 /* as ptxas: memory is not looked at */
};

/* tries, by header of a loop: some instruction in the loop waits for others.
 * polls, by instruction in a loop: an atomic with a result to decide a way out of a loop around; a compare-and-swap or an
 * exchange, perhaps for a lock; a call of a function with a wait for others. */
void polls_find(const struct polls_of *of, bool *tries, bool *polls);

/* The loops are not known: each atomic, and each call of a function that may wait. */
void polls_all(const struct ptx_function *fn, bool *polls);

#endif

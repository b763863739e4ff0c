/* SPDX-License-Identifier: Apache-2.0 */
/* polls.h -- loops that try until another thread has done its part, on the PTX of a function. */
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
	bool compat;                 /* as ptxas, which does not look at memory */
};

/* tries, by header of a loop: some instruction in the loop waits for others.
 * polls, by instruction in a loop: an atomic whose result decides a way out of a loop around; a compare-and-swap or an
 * exchange, which may take a lock; a call of a function that may wait for others. */
void polls_find(const struct polls_of *of, bool *tries, bool *polls);

/* The loops are not known: each atomic, and each call of a function that may wait. */
void polls_all(const struct ptx_function *fn, bool *polls);

#endif

// SPDX-License-Identifier: Apache-2.0
/* stall.h -- back-pressure: four patterns of stalling a side of a DUT, as a function of seed and cycle. */
#ifndef WARPLOCK_STALL_H
#define WARPLOCK_STALL_H

#include <stdbool.h>

#include "rng.h"

enum stall_kind { STALL_NEVER, STALL_ALTERNATE, STALL_RANDOM, STALL_LONG, STALL_KINDS };

struct stall {
	enum stall_kind kind;
	bool on;
	unsigned left; /* cycles left with the same `on`, STALL_LONG */
	struct rng rng;
};

/* Is this cycle stalled? Called once a cycle. */
static inline bool stall_now(struct stall *s)
{
	switch (s->kind) {
	case STALL_ALTERNATE:
		s->on = !s->on;
		break;
	case STALL_RANDOM:
		s->on = rng_next(&s->rng) >> 63;
		break;
	case STALL_LONG:
		if (s->left == 0) {
			s->on = !s->on;
			s->left = 1 + rng_below(&s->rng, s->on ? 100 : 60);
		}
		s->left--;
		break;
	default:
		s->on = false;
	}
	return s->on;
}

#endif

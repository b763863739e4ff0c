// SPDX-License-Identifier: Apache-2.0
/* hazard_state.h -- private to the hazard checker: results and operands under way when a word issues. */
#ifndef WARPLOCK_HAZARD_STATE_H
#define WARPLOCK_HAZARD_STATE_H

#include "warplock/hazard.h"

enum { NO_GUARD = 0xff };
enum pending_kind { FIXED_RESULT, SLOW_RESULT, LATE_OPERAND };

struct pending {
	uint32_t pc;
	uint16_t slot;
	uint8_t kind;   /* enum pending_kind */
	bool high;      /* not the lowest word of the result */
	uint8_t guard;  /* predicate number of the file it was guarded with, NO_GUARD; + GUARD_NOT */
	uint8_t own;    /* its scoreboard, WL_NO_BOARD */
	uint8_t boards; /* those of it and of later ones of its queue: any of them answers */
	uint8_t later;  /* instructions since then that set `own` */
	uint8_t age;
};

struct state {
	struct pending *p; /* ordered by slot, pc, kind */
	unsigned n, cap;
	bool known;
};

/* False without memory. A state that is all zero is empty; the caller frees p. */
bool state_insert(struct state *s, const struct pending *x);
bool state_copy(struct state *to, const struct state *from);
/* What holds on both ways holds; what is under way on one of them is under way. *changed: `to` is another one now. */
bool state_merge(struct state *to, const struct state *from, bool *changed);

#endif

// SPDX-License-Identifier: Apache-2.0
/* hazard_state.h -- private to the hazard checker: results and operands under way at the issue of a word. */
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
	uint8_t guard;  /* number of the guard predicate, + GUARD_NOT; or NO_GUARD */
	uint8_t own;    /* scoreboard of the entry, or WL_NO_BOARD */
	uint8_t boards; /* of the entry and of later instructions of the queue: any of these boards answers */
	uint8_t later;  /* later instructions setting `own` */
	uint8_t age;
};

struct state {
	struct pending *p; /* ordered by slot, pc, kind */
	unsigned n, cap;
	bool known;
};

/* False: no memory. A zeroed state is empty; the caller frees p. */
bool state_insert(struct state *s, const struct pending *x);
bool state_copy(struct state *to, const struct state *from);
/* Facts of both ways stay. An entry under way on either way is under way. *changed: `to` has changed. */
bool state_merge(struct state *to, const struct state *from, bool *changed);

#endif

/* SPDX-License-Identifier: Apache-2.0
 * converge_walk.h -- every state that a small warp can come to at its convergence barriers, and in each of them every
 * instruction that its lanes can execute. What each step must do is converge_ref's; who is tested is told of all of
 * them. What has no meaning is no part of a state: the sets of lanes that have left, where nobody waits. */
#ifndef CONVERGE_WALK_H
#define CONVERGE_WALK_H

#include "converge_ref.h"

struct walk_rules {
	const char *name;
	unsigned lanes, bars; /* lanes of the warp, 4 at most; barriers that are named, 2 at most */
	uint32_t kinds;       /* bit k: enum ref_kind k is executed */
	bool rows_alike;      /* the lanes of a WARPSYNC, or of a BMOV, bring one word; else each any word */
};

struct walk_edge {
	const struct ref_warp *before, *after;
	struct ref_op op;
	uint32_t old[REF_LANES]; /* the row of op.bar, before */
	struct ref_misuse bad;
	uint32_t bars; /* a YIELD: barriers at which lanes wait; op.bar is the first one */
	bool lets_go;  /* it lets somebody go */
};

struct walk_count {
	unsigned long states, steps, kinds[REF_KINDS], faults;
	struct ref_seen seen;
};

/* Until all is done, or a step says false. `width`: lanes that the words have. */
struct walk_count walk_all(const struct walk_rules *rules, unsigned width,
                           bool (*step)(void *self, const struct walk_edge *edge), void *self);

#endif

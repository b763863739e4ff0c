/* SPDX-License-Identifier: Apache-2.0
 * converge_walk.h -- every reachable state of a small warp at its convergence barriers, and in each state every
 * possible instruction of its lanes. converge_ref says the required effect of each step; the tested unit gets all
 * steps. A state has no parts without meaning: sets of lanes after EXIT, the place of a lane not waiting. */
#ifndef CONVERGE_WALK_H
#define CONVERGE_WALK_H

#include "converge_ref.h"

struct walk_rules {
	const char *name;
	unsigned lanes, bars; /* lanes of the warp, 4 at most; named barriers, 2 at most */
	uint32_t kinds;       /* bit k: enum ref_kind k is executed */
	bool rows_alike;      /* the lanes of a WARPSYNC, or of a BMOV, bring the same word; else any words */
};

struct walk_edge {
	const struct ref_warp *before, *after;
	struct ref_op op;
	uint32_t old[REF_LANES]; /* the row of op.bar, before */
	struct ref_misuse bad;
	uint32_t bars; /* a YIELD: barriers with waiting lanes; op.bar is the first */
	bool lets_go;  /* a YIELD lets lanes go */
};

struct walk_count {
	unsigned long states, steps, kinds[REF_KINDS], faults;
	struct ref_seen seen;
};

/* Until all steps are done, or a step returns false. `width`: lanes of the words. */
struct walk_count walk_all(const struct walk_rules *rules, unsigned width,
                           bool (*step)(void *self, const struct walk_edge *edge), void *self);

#endif

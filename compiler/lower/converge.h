// SPDX-License-Identifier: Apache-2.0
/* converge.h -- private: regions of divergence, for converge.c and converge_waits.c. */
#ifndef WLCC_LOWER_CONVERGE_H
#define WLCC_LOWER_CONVERGE_H

#include "mir.h"

#define NO_REGION NO_BLOCK

struct region {
	uint32_t start;          /* BSSY stands at the end of this block */
	uint32_t meet;           /* the ways meet at the start of this block */
	uint32_t meet_depth;     /* of meet in the tree of post-dominators */
	uint32_t sync;           /* block made for the BSYNC */
	uint32_t nenter, *enter; /* predecessors of meet inside the region */
	uint32_t same_meet;      /* previous region with the same meeting place */
	uint32_t same_start;     /* next region within this region with the same start */
	uint32_t around;         /* innermost region around this region */
	uint8_t cbar;
	bool dropped;
};

/* A branch without a barrier for its lanes. */
struct parted {
	uint32_t branch, meet;
};

enum { FRONTIER_KEPT = 16 };

struct frontier {
	uint32_t n, block[FRONTIER_KEPT];
};

enum loop_kind { LOOP_PLAIN, LOOP_TRIES, LOOP_ONLY_WAITS };

struct converge {
	struct mfunc *f;
	struct region *r;
	uint32_t n;
	struct parted *parted;
	uint32_t nparted;
	bool tries;                  /* in code with cycles of several entries: some instruction tries */
	uint8_t *kind;               /* by header: enum loop_kind */
	uint32_t *waiting, nwaiting; /* headers of loops that only wait */
	uint32_t *meeting, nmeeting; /* by block: last region with its meeting place here */
	uint32_t *seen, search;      /* by block: last search that came by */
	uint32_t *stack;
	struct frontier *frontier; /* by block */
};

/* x lies between start and meet (start itself does). */
static inline bool inside(const struct mfunc *f, const struct region *r, uint32_t x)
{
	return block_dominates(f, r->start, x) &&
	       (!block_dominates(f, r->meet, x) || block_dominates(f, r->meet, r->start));
}

static inline uint32_t first_line(const struct mblock *b)
{
	return b->n ? b->ins[0].line : 0;
}

/* For the branches in `parted`, once all barriers of regions stand. */
void converge_insert_waits(const struct converge *c);

#endif

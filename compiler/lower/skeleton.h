// SPDX-License-Identifier: Apache-2.0
/* skeleton.h -- the blocks and branches of a PTX function, without instructions: for analyses on PTX. */
#ifndef WLCC_LOWER_SKELETON_H
#define WLCC_LOWER_SKELETON_H

#include "mir.h"

struct skeleton {
	struct mfunc f;         /* blocks and branches, with the results of lower_cfg */
	uint32_t *block_of;     /* by instruction */
	uint32_t *first, *last; /* by block: instructions, first <= i < last */
};

/* A call ends a block. False: a jump table or a computed branch; the edges are not known then. */
bool skeleton_make(struct arena *a, const struct ptx_function *fn, struct skeleton *s);

#endif

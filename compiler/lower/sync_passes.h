// SPDX-License-Identifier: Apache-2.0
/* sync_passes.h -- the passes on synchronisation instructions, and the knobs that steer them: docs/sync-passes.md. */
#ifndef WLCC_LOWER_SYNC_PASSES_H
#define WLCC_LOWER_SYNC_PASSES_H

#include <stdbool.h>

struct mfunc;

enum sync_mode {
	SYNC_AS_WRITTEN, /* each barrier and fence of the PTX stays, as ptxas 13.0 leaves them */
	SYNC_FENCES,     /* fences of a block that another fence beside them makes needless go */
	SYNC_BARRIERS,   /* barriers, too, in kernels without calls */
	SYNC_CALLS       /* and in kernels that call functions without a barrier */
};

struct sync_knobs {
	enum sync_mode mode;
	bool no_errbars;
};

/* What the passes took out of a function. */
struct sync_removed {
	unsigned barriers, fences;
};

/* Between two barriers or fences of a run: the instruction neither touches memory nor has another effect. */
struct minst;
bool sync_is_between(const struct minst *in);

void lower_remove_barriers(struct mfunc *f);
void lower_optimize_sync(struct mfunc *f);

#endif

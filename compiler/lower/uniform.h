// SPDX-License-Identifier: Apache-2.0
/* uniform.h -- which values are the same in all lanes of a warp, and where all of its lanes are together. */
#ifndef WLCC_LOWER_UNIFORM_H
#define WLCC_LOWER_UNIFORM_H

#include "mir.h"

/* All err on the side of true. */
struct uniform {
	bool *varies; /* by PTX register: lanes that read it together may read different values */
	bool *read;   /* by PTX register: some instruction reads it */
	bool *apart;  /* by PTX instruction: some lanes of the warp may be elsewhere */
	bool *agreed; /* by PTX instruction: a branch that all lanes that come to it take, or none: one of its ways
	                 leads to an aligned barrier */
	bool *only;   /* by PTX instruction: a collective that needs no common place with another one, only_place.h */
};

/* How many operands an instruction writes, those in front: two where a wait of an mbarrier gives a report, too. Zero
 * where the first operand cannot be a destination. */
unsigned uniform_results(const struct ptx_instr *i);

void lower_uniform(struct arena *a, const struct ptx_function *fn, struct uniform *u);

#endif

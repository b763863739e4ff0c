// SPDX-License-Identifier: Apache-2.0
/* uniform.h -- values equal in all lanes of a warp, and places where all lanes of the warp are together. */
#ifndef WLCC_LOWER_UNIFORM_H
#define WLCC_LOWER_UNIFORM_H

#include "mir.h"

/* All members but `polls` err on the side of true. */
struct uniform {
	bool *varies; /* by PTX register: lanes at the same read may get different values */
	bool *read;   /* by PTX register: some instruction reads the register */
	bool *apart;  /* by PTX instruction: some lanes of the warp may be elsewhere */
	bool *agreed; /* by PTX instruction: all lanes at a branch take the branch, or none: a way has an aligned barrier */
	bool *polls; /* by PTX instruction: an atomic in a loop; the result decides a way out of a loop around */
	bool *only;  /* by PTX instruction: a collective without need of a common place with others, only_place.h */
};

/* Number of operands written by an instruction, from the front: two where a wait of an mbarrier also gives a report.
 * Zero where the first operand cannot be a destination. */
unsigned uniform_results(const struct ptx_instr *i);

/* `only` is given: only_place.h. compat: as ptxas, which takes lanes to meet behind places where lanes wait for others. */
void lower_uniform(struct arena *a, const struct ptx_function *fn, bool compat, struct uniform *u);

#endif

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
	bool *polls; /* by PTX instruction: polls.h */
	bool *only;  /* by PTX instruction: a collective without need of a common place with others, only_place.h */
};

/* Number of operands written by an instruction, from the front: two where a wait of an mbarrier also gives a report.
 * Zero where the first operand cannot be a destination. */
unsigned uniform_results(const struct ptx_instr *i);

typedef void (*uniform_visit)(void *self, uint32_t reg, uint32_t instr);

/* The registers written by instruction i. */
void uniform_visit_results(const struct ptx_function *fn, uint32_t i, uniform_visit visit, void *self);

/* A load of a kernel's parameter by name, or of a constant. */
bool uniform_reads_constants(const struct ptx_instr *i);

/* An instruction that reads a register. */
struct uniform_user {
	uint32_t instr;
	struct uniform_user *next;
};

/* `only` is given: only_place.h. compat: as ptxas, which takes lanes to meet behind places where lanes wait for others. */
void lower_uniform(struct arena *a, const struct ptx_function *fn, bool compat, struct uniform *u);

#endif

// SPDX-License-Identifier: Apache-2.0
/* figures.h -- what wlrun prints of a run: instructions by unit, the policy, conflicts of banks. */
#ifndef WARPLOCK_FIGURES_H
#define WARPLOCK_FIGURES_H

#include "job.h"
#include "report.h"

void figures_print(const struct job *job, const struct report *r);

#endif

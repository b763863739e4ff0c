// SPDX-License-Identifier: Apache-2.0
/* figures.h -- figures of a run, printed by wlrun: instructions by unit, the policy, bank conflicts. */
#ifndef WARPLOCK_FIGURES_H
#define WARPLOCK_FIGURES_H

#include "job.h"
#include "report.h"

void figures_print(const struct job *job, const struct report *r);

#endif

// SPDX-License-Identifier: Apache-2.0
/* safety.h -- warnings about barriers and mbarrier objects in PTX: docs/barrier-safety.md. */
#ifndef WLCC_SAFETY_H
#define WLCC_SAFETY_H

#include "../ptx/ptx.h"

/* Prints the warnings requested in o->warnings. False: a warning was printed and warnings count as errors. */
bool safety_check(struct ptx_module *m, const struct wlcc_options *o);

#endif

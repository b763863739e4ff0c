// SPDX-License-Identifier: Apache-2.0
/* library.h -- functions of lower/lib, parsed at the first request, and kept as long as the list. */
#ifndef WLCC_LOWER_LIBRARY_H
#define WLCC_LOWER_LIBRARY_H

#include "../ptx/ptx.h"

struct library;

/* NULL: no function has this name. The list starts as NULL. */
const struct ptx_function *library_find(struct library **lib, const char *name);
void library_free(struct library **lib);

#endif

// SPDX-License-Identifier: Apache-2.0
/* tool.h -- what the small command line tools share: the architecture option. */
#ifndef WARPLOCK_TOOL_H
#define WARPLOCK_TOOL_H

#include "warplock/config.h"

/* "sm_75" (or "sm_90a", "75") to the architecture; 0 when there is none of that name. */
enum wl_arch tool_parse_arch(const char *text);

#endif

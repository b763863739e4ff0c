// SPDX-License-Identifier: Apache-2.0
/* window.h -- a window: reset, two CTAs, random requests in lockstep with the C units; then a hash of all records of
 * each side. */
#ifndef WARPLOCK_SOC_WINDOW_H
#define WARPLOCK_SOC_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

void window_identify(void);
/* Says the two hashes; with `replay` the first differing record, or the lack of differences. */
void window_run(uint32_t seed, uint32_t window, uint32_t requests, bool replay);

#endif

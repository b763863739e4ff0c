// SPDX-License-Identifier: Apache-2.0
/* window.h -- a window: reset, one CTA, random requests in lockstep with the C units; then a hash of all records of each side. */
#ifndef WARPLOCK_SOC_WINDOW_H
#define WARPLOCK_SOC_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

void window_identify(void);
/* Says the two hashes; with `replay` the first record that differs, or that none does. */
void window_run(uint32_t seed, uint32_t window, uint32_t requests, bool replay);

#endif

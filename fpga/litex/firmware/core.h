// SPDX-License-Identifier: Apache-2.0
/* core.h -- sync_core behind its window on the bus (docs/bus.md), and the serial line. */
#ifndef WARPLOCK_SOC_CORE_H
#define WARPLOCK_SOC_CORE_H

#include <stdbool.h>
#include <stdint.h>

enum { CORE_PAYLOAD = 2032 };

/* Sends a command. Returns the bytes of the answer, or -1: refused, or the core is stuck. Both buffers hold whole
 * words, the last word perhaps in part. */
int core_command(unsigned type, const void *payload, unsigned n, void *answer);
/* So far: commands, and bytes of payloads and answers. */
extern uint32_t core_commands, core_bytes;
/* A command has not ended, as with a core that takes no more requests. No command goes out before a reset. */
extern bool core_stuck;
void core_reset(void);
/* Words of global memory, shared with atom_unit. */
volatile uint32_t *core_global(void);

void line_put(char c);
int line_get(void);                                                        /* -1: nothing received */
void line_say(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* a line with its checksum */

#endif

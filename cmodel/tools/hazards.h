// SPDX-License-Identifier: Apache-2.0
/* hazards.h -- wlobjdump --check-hazards. */
#ifndef TOOLS_HAZARDS_H
#define TOOLS_HAZARDS_H

#include <stdbool.h>
#include <stddef.h>

/* Judges the scheduling fields of every kernel and function of an object (`entry`: of that one), one line for each
 * finding and one that counts. False when there was a finding, or the object cannot be read (a line on standard
 * error). `file` is its name in the lines. */
bool hazards_check(const char *file, const unsigned char *elf, size_t size, const char *entry);

#endif

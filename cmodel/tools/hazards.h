// SPDX-License-Identifier: Apache-2.0
/* hazards.h -- wlobjdump --check-hazards. */
#ifndef TOOLS_HAZARDS_H
#define TOOLS_HAZARDS_H

#include <stdbool.h>
#include <stddef.h>

/* Judges the scheduling fields of every kernel and function of an object (`entry`: of a single kernel or function), a
 * line for each finding and a line with the count. False after a finding, or when the object cannot be read (a line on
 * standard error). `file` is the object's name in the lines. */
bool hazards_check(const char *file, const unsigned char *elf, size_t size, const char *entry);

#endif

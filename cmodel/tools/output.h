// SPDX-License-Identifier: Apache-2.0
/* output.h -- standard output of a tool, perhaps a file on a full disk. */
#ifndef WARPLOCK_OUTPUT_H
#define WARPLOCK_OUTPUT_H

/* First call of main: a tool without writable standard output ends with a line and EXIT_BAD, whatever the tool's own
 * status. */
void output_guard(const char *tool);

#endif

// SPDX-License-Identifier: Apache-2.0
/* output.h -- standard output of a tool, which may be a file on a full disk. */
#ifndef WARPLOCK_OUTPUT_H
#define WARPLOCK_OUTPUT_H

/* First call of main: a tool whose standard output cannot be written ends with a line and EXIT_BAD, whatever the tool
 * wanted to end with. */
void output_guard(const char *tool);

#endif

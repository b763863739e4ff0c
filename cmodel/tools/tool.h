// SPDX-License-Identifier: Apache-2.0
/* tool.h -- what the small command line tools share: input by lines. */
#ifndef WARPLOCK_TOOL_H
#define WARPLOCK_TOOL_H

#include <stdbool.h>

/* A line of any length, without its end; `name` is the file's, `no` counts from 1. */
typedef void (*tool_line_fn)(void *self, const char *name, unsigned no, char *text);

/* Reads a file by lines, or standard input when it is NULL or "-". False, told as a message of `tool`, when it cannot
 * be read to its end. */
bool tool_each_line(const char *tool, const char *file, tool_line_fn line, void *self);

#endif

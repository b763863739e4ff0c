// SPDX-License-Identifier: Apache-2.0
/* tool.h -- shared by the small command line tools: input by lines. */
#ifndef WARPLOCK_TOOL_H
#define WARPLOCK_TOOL_H

#include <stdbool.h>

/* A line of any length, without the newline; `name` is the file's, `no` counts from 1. */
typedef void (*tool_line_fn)(void *self, const char *name, unsigned no, char *text);

/* Reads a file by lines, or standard input when `file` is NULL or "-". False, with a message of `tool`, when the file
 * cannot be read to the end. */
bool tool_each_line(const char *tool, const char *file, tool_line_fn line, void *self);

#endif

// SPDX-License-Identifier: Apache-2.0
/* unfinished.h -- output files while a program writes the files. A file is written under another name beside the final
 * name, and renamed in the end. A terminating signal (SIGINT, SIGTERM, SIGHUP, SIGPIPE) removes the other name: no half
 * file is left, and an older file stays unchanged. */
#ifndef WARPLOCK_UNFINISHED_H
#define WARPLOCK_UNFINISHED_H

#include <stdbool.h>

/* The name to write to; `path` itself for a device, a pipe or /dev/stdout. NULL with errno set: no room. */
const char *unfinished_begin(const char *path);
/* keep: renames the file to `path`; else removes the file. False with errno set when the rename fails. */
bool unfinished_end(const char *path, bool keep);
/* Whether a line without an end stands on standard error (progress.h): a terminating signal erases the line. */
void unfinished_line(bool stands);
/* Removes all unfinished files, and the line: for a handler of signals. */
void unfinished_drop(void);

#endif

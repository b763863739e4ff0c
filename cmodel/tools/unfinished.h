// SPDX-License-Identifier: Apache-2.0
/* unfinished.h -- output files while a program writes them. A file is written under another name beside its own and renamed
 * in the end. A signal that ends the program (SIGINT, SIGTERM, SIGHUP, SIGPIPE) removes the other name: no half file is
 * left, and an older file stays as it was. */
#ifndef WARPLOCK_UNFINISHED_H
#define WARPLOCK_UNFINISHED_H

#include <stdbool.h>

/* The name to write to; `path` itself where it is a device, a pipe or /dev/stdout. NULL with errno set: no room. */
const char *unfinished_begin(const char *path);
/* keep: renames the file to `path`; else removes it. False with errno set when the rename fails. */
bool unfinished_end(const char *path, bool keep);
/* Whether a line without an end stands on standard error (progress.h): such a signal erases the line. */
void unfinished_line(bool stands);
/* Removes all of them, and the line: for a handler of signals. */
void unfinished_drop(void);

#endif

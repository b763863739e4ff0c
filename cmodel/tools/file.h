// SPDX-License-Identifier: Apache-2.0
/* file.h -- whole files in and out. */
#ifndef WARPLOCK_FILE_H
#define WARPLOCK_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* The content, followed by a 0 byte that does not count; free() it. NULL with a line in err on failure. */
unsigned char *file_read(const char *path, size_t *size, char *err, size_t errn);
/* Whether file_write could write it: told before a long run, not behind it. */
bool file_can_write(const char *path, char *err, size_t errn);
/* Whether a file that grows during a run could be written: it may be a device or a pipe. */
bool file_can_append(const char *path, char *err, size_t errn);
/* The same of files in a folder, which is made when it is not there. */
bool file_can_fill(const char *dir, char *err, size_t errn);
/* Both paths lead to one regular file. */
bool file_same(const char *a, const char *b);
/* Written under another name and renamed: the file is there complete or as it was before. */
bool file_write(const char *path, const void *data, size_t size, char *err, size_t errn);

#endif

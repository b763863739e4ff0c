// SPDX-License-Identifier: Apache-2.0
/* file.h -- whole files in and out. */
#ifndef WARPLOCK_FILE_H
#define WARPLOCK_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* The content, followed by an uncounted 0 byte; free() the result. NULL with a line in err on failure. */
unsigned char *file_read(const char *path, size_t *size, char *err, size_t errn);
/* Whether the file can be read and begins with the text. */
bool file_begins(const char *path, const char *text);
/* Whether file_write could write the file: told before a long run, not afterwards. */
bool file_can_write(const char *path, char *err, size_t errn);
/* Whether a file growing during a run could be written; a device or a pipe is allowed. */
bool file_can_append(const char *path, char *err, size_t errn);
/* The same for files in a folder; a missing folder is made. */
bool file_can_fill(const char *dir, char *err, size_t errn);
/* Both paths lead to the same regular file. */
bool file_same(const char *a, const char *b);
/* Written under another name and renamed: the file is complete or unchanged. */
bool file_write(const char *path, const void *data, size_t size, char *err, size_t errn);

#endif

// SPDX-License-Identifier: Apache-2.0
#include "file.h"
#include "unfinished.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void *fail(const char *path, char *err, size_t errn)
{
	snprintf(err, errn, "%s: %s", path, strerror(errno));
	return NULL;
}

enum { STREAM_MOST = 1 << 28 /* bytes of a device or a pipe: a device may have no end */ };

static unsigned char *read_all(FILE *f, size_t *size)
{
	unsigned char *data = NULL;
	size_t have = 0, room = 0;
	struct stat s;
	const bool endless = fstat(fileno(f), &s) != 0 || !S_ISREG(s.st_mode);
	for (;;) {
		if (endless && have > STREAM_MOST) {
			errno = EFBIG;
			break;
		}
		if (have + 1 >= room) {
			room = room ? 2 * room : 65536;
			unsigned char *more = realloc(data, room);
			if (!more)
				break;
			data = more;
		}
		size_t n = fread(data + have, 1, room - have - 1, f);
		have += n;
		if (n)
			continue;
		if (ferror(f))
			break;
		data[have] = 0;
		*size = have;
		return data;
	}
	free(data);
	return NULL;
}

unsigned char *file_read(const char *path, size_t *size, char *err, size_t errn)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return fail(path, err, errn);
	unsigned char *data = read_all(f, size); /* a folder fails here: EISDIR */
	if (!data)
		fail(path, err, errn);
	fclose(f);
	return data;
}

bool file_begins(const char *path, const char *text)
{
	FILE *f = fopen(path, "rb");
	bool begins = f != NULL;
	for (const char *p = text; begins && *p; p++)
		begins = getc(f) == (unsigned char)*p;
	if (f)
		fclose(f);
	return begins;
}

/* Makes the name of the file until the rename to `path`; free() the result. */
static char *temporary(const char *path)
{
	size_t n = strlen(path) + 24;
	char *temp = malloc(n);
	if (temp)
		snprintf(temp, n, "%s.%ld.tmp", path, (long)getpid());
	return temp;
}

bool file_can_write(const char *path, char *err, size_t errn)
{
	struct stat there;
	if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
		if (S_ISDIR(there.st_mode))
			errno = EISDIR;
		return (!S_ISDIR(there.st_mode) && access(path, W_OK) == 0) || fail(path, err, errn);
	}
	char *temp = temporary(path), *slash = temp ? strrchr(temp, '/') : NULL;
	if (!temp)
		return fail(path, err, errn);
	bool can = lstat(temp, &there) == 0 || errno == ENOENT; /* not a name of too many characters */
	if (slash)
		slash[slash == temp] = 0;
	can = can && access(slash ? temp : ".", W_OK | X_OK) == 0;
	if (!can)
		fail(path, err, errn);
	free(temp);
	return can;
}

bool file_can_append(const char *path, char *err, size_t errn)
{
	FILE *f = fopen(path, "ab");
	if (f && fclose(f) == 0)
		return true;
	snprintf(err, errn, "cannot write %s: %s", path, strerror(errno));
	return false;
}

bool file_can_fill(const char *dir, char *err, size_t errn)
{
	struct stat there;
	if (mkdir(dir, 0777) && errno != EEXIST)
		return fail(dir, err, errn);
	if (stat(dir, &there) == 0 && !S_ISDIR(there.st_mode))
		errno = ENOTDIR;
	else if (access(dir, W_OK | X_OK) == 0)
		return true;
	return fail(dir, err, errn);
}

bool file_same(const char *a, const char *b)
{
	struct stat x, y;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

bool file_write(const char *path, const void *data, size_t size, char *err, size_t errn)
{
	struct stat there;
	if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) { /* a device or pipe cannot be replaced by a file */
		FILE *f = fopen(path, "wb");
		bool ok = f && fwrite(data, 1, size, f) == size;
		ok = f && fclose(f) == 0 && ok;
		return ok || fail(path, err, errn);
	}
	const char *temp = unfinished_begin(path);
	FILE *f = temp ? fopen(temp, "wb") : NULL;
	bool ok = f && fwrite(data, 1, size, f) == size;
	ok = f && fclose(f) == 0 && ok;
	if (!ok)
		fail(path, err, errn);
	if (!temp)
		return false;
	const bool there_now = unfinished_end(path, ok);
	return (ok && there_now) || (ok && fail(path, err, errn));
}

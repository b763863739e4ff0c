// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE /* renameat2 */
#include "unfinished.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 16 };

/* Apart from the names: the search for a free entry touches a single page of memory. */
static volatile sig_atomic_t used[FILES];
/* `beside`: the second file of the writer of an FST, while the FST is open. */
static struct unfinished {
	char path[PATH_MAX], temp[PATH_MAX + 24], beside[PATH_MAX + 32];
} files[FILES];

static volatile sig_atomic_t line;

static void erase_line(void)
{
	static const char erase[] = "\r\033[K";
	const ssize_t done = line ? write(STDERR_FILENO, erase, sizeof erase - 1) : 0;
	(void)done; /* nobody is left to tell */
	line = 0;
}

void unfinished_drop(void)
{
	erase_line();
	for (unsigned i = 0; i < FILES; i++)
		if (used[i]) {
			unlink(files[i].temp);
			unlink(files[i].beside);
		}
}

static void end(int number)
{
	unfinished_drop();
	signal(number, SIG_DFL);
	raise(number);
}

/* An ignored signal (nohup), or a signal with a handler, is left alone: the handler calls unfinished_drop. */
static void watch(void)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
	struct sigaction now;
	for (unsigned i = 0; i < sizeof ends / sizeof ends[0]; i++)
		if (sigaction(ends[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
			signal(ends[i], end);
}

void unfinished_line(bool stands)
{
	if (stands && !line)
		watch();
	line = stands;
}

static struct unfinished *find(const char *path)
{
	for (unsigned i = 0; i < FILES; i++)
		if (used[i] && strcmp(files[i].path, path) == 0)
			return &files[i];
	return NULL;
}

static struct unfinished *free_one(void)
{
	for (unsigned i = 0; i < FILES; i++)
		if (!used[i])
			return &files[i];
	errno = EMFILE;
	return NULL;
}

const char *unfinished_begin(const char *path)
{
	struct stat there;
	if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
		return path;
	struct unfinished *u = find(path);
	if (u)
		return u->temp;
	if (!(u = free_one()))
		return NULL;
	if (strlen(path) >= sizeof u->path) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	watch();
	strcpy(u->path, path);
	snprintf(u->temp, sizeof u->temp, "%s.%ld.tmp", path, (long)getpid());
	snprintf(u->beside, sizeof u->beside, "%s.%ld.tmp.hier", path, (long)getpid());
	used[u - files] = 1;
	return u->temp;
}

/* Renames the new file to the name of the old file, atomically. If an old file exists, the two files change places and
 * the old file is removed: after a replacement some file systems first write the new file to the disk. */
static bool put_in_place(const struct unfinished *u)
{
#ifdef RENAME_EXCHANGE
	if (renameat2(AT_FDCWD, u->temp, AT_FDCWD, u->path, RENAME_EXCHANGE) == 0)
		return unlink(u->temp) == 0;
#endif
	return rename(u->temp, u->path) == 0;
}

bool unfinished_end(const char *path, bool keep)
{
	struct unfinished *u = find(path);
	if (!u) /* a device */
		return true;
	const bool ok = !keep || put_in_place(u);
	const int why = errno;
	if (!keep || !ok)
		unlink(u->temp);
	used[u - files] = 0;
	errno = why;
	return ok;
}

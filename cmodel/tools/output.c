// SPDX-License-Identifier: Apache-2.0
#include "output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exit_code.h"

static const char *guarded;

static void flush_output(void)
{
	errno = 0;
	const bool earlier = ferror(stdout);
	if (!fflush(stdout) && !earlier)
		return;
	if (!errno && write(STDOUT_FILENO, "\n", 1) == 1) /* an earlier part is missing: once more, for the reason */
		errno = 0;
	fprintf(stderr, "%s: cannot write standard output%s%s\n", guarded, errno ? ": " : "",
	        errno ? strerror(errno) : "");
	_exit(EXIT_BAD);
}

void output_guard(const char *tool)
{
	guarded = tool;
	atexit(flush_output);
}

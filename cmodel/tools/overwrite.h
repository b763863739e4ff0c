// SPDX-License-Identifier: Apache-2.0
/* overwrite.h -- an output in the place of an input of the same run: told before the run. Two paths are the same file
 * by device and inode. */
#ifndef WARPLOCK_OVERWRITE_H
#define WARPLOCK_OVERWRITE_H

#include <stdbool.h>
#include <stddef.h>

enum { OVERWRITE_OUTPUTS = 8 };

struct overwrite {
	/* Inputs, NULL = none. Files named in the launch file are inputs, too. */
	const char *launch, *program, *schedule;
	/* Outputs by option, path NULL = none; dump: a folder for NAME.bin of each buffer. */
	struct overwrite_output {
		const char *option, *path;
	} out[OVERWRITE_OUTPUTS];
	const char *dump;
};

/* True: `why` names the option, the file and the part of the file in the run. An unreadable launch file names no
 * files. */
bool overwrites(const struct overwrite *o, char *why, size_t n);

#endif

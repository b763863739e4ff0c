// SPDX-License-Identifier: Apache-2.0
/* planted.c -- whether a planted bug has a number: rows `plant NUMBER ...` of verif/units/UNIT/NAME.plant. */
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "options.h"

enum { NO_BUG = 4095 /* a model with planted bugs, and none chosen */ };

static bool file_has(const char *path, unsigned number)
{
	char line[512];
	unsigned found;
	bool has = false;
	FILE *f = fopen(path, "r");
	while (f && !has && fgets(line, sizeof line, f))
		has = sscanf(line, "plant %u ", &found) == 1 && found == number;
	if (f)
		fclose(f);
	return has;
}

bool planted_is_there(unsigned number)
{
	char root[PATH_MAX], pattern[PATH_MAX + 40];
	glob_t files;
	bool has =
	        number == NO_BUG || getenv("WL_CHANGED"); /* a model of numbered changes: verif/cosim/operator_sweep */
	if (has || !model_root(root, sizeof root))
		return true; /* the model cannot be built, which is told then */
	snprintf(pattern, sizeof pattern, "%s/verif/units/*/*.plant", root);
	if (glob(pattern, 0, NULL, &files) != 0)
		return false;
	for (size_t i = 0; i < files.gl_pathc && !has; i++)
		has = file_has(files.gl_pathv[i], number);
	globfree(&files);
	return has;
}

// SPDX-License-Identifier: Apache-2.0
/* The chip of a run, for a user naming no chip: the program's own, if the program names a chip. */
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "image_chip.h"
#include "job.h"
#include "ptx_chip.h"

/* The first chip with PTX in the launch file. */
static unsigned launch_chip(const struct launch_file *l)
{
	char why[JOB_ERROR];
	for (unsigned chip = ptx_chip_from(0); chip; chip = ptx_chip_from(chip + 1))
		if (launch_ptx_for(l, chip, why, sizeof why))
			return chip;
	return 0;
}

unsigned job_chip_of(const char *name, const unsigned char *data, size_t size, const char *entry)
{
	char suffix;
	return job_is_ptx(name, data, size) ? ptx_chip((const char *)data, &suffix) : image_chip(data, size, entry);
}

static unsigned program_chip(const char *path, const char *entry)
{
	char why[JOB_ERROR];
	size_t size;
	unsigned char *data = file_read(path, &size, why, sizeof why);
	unsigned chip = data ? job_chip_of(path, data, size, entry) : 0;
	free(data);
	return chip;
}

unsigned job_chip(const char *launch_path, const char *program_path, const char *entry)
{
	char why[JOB_ERROR];
	struct launch_file *l = launch_path ? calloc(1, sizeof *l) : NULL;
	unsigned chip = 0;
	if (l && !launch_read(launch_path, l, why, sizeof why)) {
		free(l);
		l = NULL;
	}
	if (program_path)
		chip = program_chip(program_path, entry ? entry : l && l->kernel[0] ? l->kernel : NULL);
	else if (l)
		chip = launch_chip(l);
	if (l)
		launch_free(l);
	free(l);
	return chip ? chip : WL_DEFAULT_CHIP;
}

// SPDX-License-Identifier: Apache-2.0
/* The chip of a run that nobody named: the program's own, where the program says one. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "job.h"
#include "warplock/object.h"

enum { CHIPS = 256 }; /* numbers are below */

/* The next chip from a number on; 0: none. */
static unsigned chip_from(unsigned n)
{
	while (n < CHIPS && !wl_arch_of_chip(n))
		n++;
	return n < CHIPS ? n : 0;
}

/* The operand of the first .target outside comments: that chip, or the oldest one after it, since PTX runs on later
 * ones; 0 when there is none. Anything that this misreads is the parser's to judge. */
static unsigned target_of(const char *text)
{
	for (const char *p = text; *p; p++) {
		if (p[0] == '/' && p[1] == '/') {
			p += strcspn(p, "\n");
		} else if (p[0] == '/' && p[1] == '*') {
			const char *end = strstr(p + 2, "*/");
			if (!end)
				return 0;
			p = end + 1;
		} else if (strncmp(p, ".target", 7) == 0 && isspace((unsigned char)p[7])) {
			p += 7 + strspn(p + 7, " \t\r\n");
			long n = strncmp(p, "sm_", 3) ? 0 : strtol(p + 3, NULL, 10);
			return n > 0 && n < CHIPS ? chip_from((unsigned)n) : 0;
		}
		if (!*p)
			break;
	}
	return 0;
}

/* A cubin says its own; of a fat binary the first architecture that it has code for, or else PTX for. Where that is
 * damaged, or is several kernels of which none is named, loading it will say so. */
static unsigned image_chip(const unsigned char *data, size_t size, const char *entry)
{
	char why[200];
	unsigned ptx = 0, found = 0;
	for (unsigned chip = chip_from(0); chip && !found; chip = chip_from(chip + 1)) {
		struct wl_image image;
		struct wl_object *o;
		enum wl_status status = wl_image_find(data, size, chip, entry, &image, why, sizeof why);
		if (status == WL_ERR_NO_ENTRY)
			continue;
		if (status != WL_OK)
			return chip;
		if (image.kind == WL_IMAGE_PTX) {
			ptx = ptx ? ptx : chip;
		} else if (wl_object_open(image.data, image.size, &o, why, sizeof why) == WL_OK) {
			found = wl_object_chip(o);
			wl_object_close(o);
		}
		wl_image_free(&image);
	}
	return found ? found : ptx;
}

/* The first that the launch file names PTX for. */
static unsigned launch_chip(const struct launch_file *l)
{
	char why[JOB_ERROR];
	for (unsigned chip = chip_from(0); chip; chip = chip_from(chip + 1))
		if (launch_ptx_for(l, chip, why, sizeof why))
			return chip;
	return 0;
}

static unsigned program_chip(const char *path, const char *entry)
{
	char why[JOB_ERROR];
	size_t size;
	unsigned char *data = file_read(path, &size, why, sizeof why);
	unsigned chip = !data                          ? 0
	                : job_is_ptx(path, data, size) ? target_of((char *)data)
	                                               : image_chip(data, size, entry);
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
	free(l);
	return chip ? chip : chip_from(0);
}

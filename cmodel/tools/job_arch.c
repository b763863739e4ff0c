// SPDX-License-Identifier: Apache-2.0
/* The architecture of a run that nobody named: the program's own, where the program says one. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "job.h"
#include "warplock/object.h"

static const enum wl_arch all[] = {
#define ARCH(n) WL_SM##n,
        WL_ARCHS(ARCH, ARCH)
#undef ARCH
};
enum { ARCHS = sizeof all / sizeof *all };

/* The operand of the first .target outside comments: the oldest architecture from that on, since PTX runs on later
 * ones; 0 when there is none. Anything that this misreads is the parser's to judge. */
static enum wl_arch target_of(const char *text)
{
	for (const char *p = text; *p; p++) {
		if (p[0] == '/' && p[1] == '/') {
			p += strcspn(p, "\n");
		} else if (p[0] == '/' && p[1] == '*') {
			const char *end = strstr(p + 2, "*/");
			if (!end)
				return (enum wl_arch)0;
			p = end + 1;
		} else if (strncmp(p, ".target", 7) == 0 && isspace((unsigned char)p[7])) {
			p += 7 + strspn(p + 7, " \t\r\n");
			long n = strncmp(p, "sm_", 3) ? 0 : strtol(p + 3, NULL, 10);
			for (unsigned i = 0; i < ARCHS; i++)
				if (n > 0 && n <= (long)all[i])
					return all[i];
			return (enum wl_arch)0;
		}
		if (!*p)
			break;
	}
	return (enum wl_arch)0;
}

/* A cubin says its own; of a fat binary the first architecture that it has code for, or else PTX for. Where that is
 * damaged, or is several kernels of which none is named, loading it will say so. */
static enum wl_arch image_arch(const unsigned char *data, size_t size, const char *entry)
{
	char why[200];
	enum wl_arch ptx = (enum wl_arch)0, found = (enum wl_arch)0;
	for (unsigned i = 0; i < ARCHS && !found; i++) {
		struct wl_image image;
		struct wl_object *o;
		enum wl_status status = wl_image_find(data, size, all[i], entry, &image, why, sizeof why);
		if (status == WL_ERR_NO_ENTRY)
			continue;
		if (status != WL_OK)
			return all[i];
		if (image.kind == WL_IMAGE_PTX) {
			ptx = ptx ? ptx : all[i];
		} else if (wl_object_open(image.data, image.size, &o, why, sizeof why) == WL_OK) {
			found = wl_object_arch(o);
			wl_object_close(o);
		}
		wl_image_free(&image);
	}
	return found ? found : ptx;
}

/* The first that the launch file names PTX for. */
static enum wl_arch launch_arch(const struct launch_file *l)
{
	char why[JOB_ERROR];
	for (unsigned i = 0; i < ARCHS; i++)
		if (launch_ptx_for(l, all[i], why, sizeof why))
			return all[i];
	return (enum wl_arch)0;
}

static enum wl_arch program_arch(const char *path, const char *entry)
{
	char why[JOB_ERROR];
	size_t size;
	unsigned char *data = file_read(path, &size, why, sizeof why);
	enum wl_arch arch = !data                          ? (enum wl_arch)0
	                    : job_is_ptx(path, data, size) ? target_of((char *)data)
	                                                   : image_arch(data, size, entry);
	free(data);
	return arch;
}

enum wl_arch job_arch(const char *launch_path, const char *program_path, const char *entry)
{
	char why[JOB_ERROR];
	struct launch_file *l = launch_path ? calloc(1, sizeof *l) : NULL;
	enum wl_arch arch = (enum wl_arch)0;
	if (l && !launch_read(launch_path, l, why, sizeof why)) {
		free(l);
		l = NULL;
	}
	if (program_path)
		arch = program_arch(program_path, entry ? entry : l && l->kernel[0] ? l->kernel : NULL);
	else if (l)
		arch = launch_arch(l);
	free(l);
	return arch ? arch : all[0];
}

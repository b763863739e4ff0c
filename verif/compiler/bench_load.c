// SPDX-License-Identifier: Apache-2.0
/* bench_load -- time to open an object, and to load a kernel of the object (linked and decoded).
 *
 *   bench_load FILE.cubin
 *
 * Prints `open_ms`, `load_ms` (open and load the last kernel, like wlrun) and `list_ms` (load every kernel of the
 * object, opened once), best of several runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "warplock/object.h"

enum { Runs = 15 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return 1000 * ((double)t.tv_sec + 1e-9 * (double)t.tv_nsec);
}

static void fail(const char *what)
{
	fprintf(stderr, "bench_load: %s\n", what);
	exit(1);
}

static void load(const struct wl_object *o, const char *kernel)
{
	struct wl_program p;
	char why[300];
	if (wl_object_program(o, kernel, &p, why, sizeof why) != WL_OK)
		fail(why);
	wl_program_free(&p);
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

int main(int argc, char **argv)
{
	FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
	unsigned char *bytes;
	double open_ms = 1e9, load_ms = 1e9, list_ms = 1e9;
	struct wl_code code, last = {.name = NULL};
	struct wl_object *o;
	unsigned kernels = 0;
	size_t size;
	char why[300];
	if (!f || fseek(f, 0, SEEK_END) != 0) {
		fputs("usage: bench_load FILE.cubin\n", stderr);
		return 2;
	}
	size = (size_t)ftell(f);
	rewind(f);
	bytes = malloc(size);
	if (!bytes || fread(bytes, 1, size, f) != size)
		fail("cannot read the file");
	fclose(f);
	for (unsigned run = 0; run < Runs; run++) {
		double start = now();
		if (wl_object_open(bytes, size, &o, why, sizeof why) != WL_OK)
			fail(why);
		open_ms = least(open_ms, now() - start);
		kernels = 0;
		for (uint32_t i = 0; wl_object_code(o, i, &code); i++)
			if (code.kernel) {
				last = code;
				kernels++;
			}
		if (!last.name)
			fail("no kernel in the file");
		load(o, last.name);
		load_ms = least(load_ms, now() - start);
		start = now();
		for (uint32_t i = 0; wl_object_code(o, i, &code); i++)
			if (code.kernel)
				load(o, code.name);
		list_ms = least(list_ms, now() - start);
		wl_object_close(o);
	}
	printf("open_ms %.3f\nload_ms %.3f\nlist_ms %.3f\n", open_ms, load_ms, list_ms);
	printf("best of %d runs; %s: %zu bytes, %u kernels\n", Runs, argv[1], size, kernels);
	free(bytes);
	return 0;
}

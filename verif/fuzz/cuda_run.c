// SPDX-License-Identifier: Apache-2.0
/* cuda_run.c -- the kernels of a program of cuda_fuzz on the C model.
 *
 *   cuda_run FILE ARCH EXPECTED BLOCKS THREADS NUMBER...
 *
 * FILE: PTX (through wlcc), cubin or fat binary. Kernel kNUMBER writes BLOCKS * (32 * THREADS + 16) words (variables of
 * each thread, shared cells of each block), changes a word of each thread, and 16 cells. EXPECTED holds these words,
 * kernel after kernel. Prints a line for each wrong kernel, then 'N passed, N failed'. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "warplock/object.h"
#include "warplock/sm.h"
#include "wlcc.h"

enum { WHY = 400, OUT = 32, CELLS = 16, LIMIT = 30000000 };

static unsigned char *read_file(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	if (!f) {
		fprintf(stderr, "cuda_run: %s: cannot be read\n", path);
		exit(2);
	}
	fseek(f, 0, SEEK_END);
	*size = (size_t)ftell(f);
	rewind(f);
	unsigned char *data = malloc(*size + 1);
	if (fread(data, 1, *size, f) != *size)
		exit(2);
	data[*size] = 0;
	fclose(f);
	return data;
}

static void note(void *self, const struct wlcc_message *m)
{
	if (m->severity == WLCC_ERROR)
		fprintf(stderr, "%s: line %u: %s\n", (const char *)self, m->line, m->text);
}

/* PTX becomes an object; of a fat binary the part for the architecture is taken. */
static unsigned char *object_of(char *path, enum wl_arch arch, int opt, size_t *size)
{
	unsigned char *data = read_file(path, size);
	struct wl_image image;
	char why[WHY];
	if (wl_image_is_fatbin(data, *size)) {
		if (wl_image_find(data, *size, arch, NULL, &image, why, sizeof why) != WL_OK) {
			fprintf(stderr, "cuda_run: %s: %s\n", path, why);
			exit(2);
		}
		unsigned char *part = malloc(image.size);
		memcpy(part, image.data, image.size);
		*size = image.size;
		wl_image_free(&image);
		free(data);
		return part;
	}
	if (!strstr(path, ".ptx"))
		return data;
	struct wlcc_options o = {
	        .arch = arch, .suffix = 'a', .opt = opt, .file = path, .diag = note, .diag_self = path};
	struct wlcc_bytes object;
	if (!wlcc_compile_ptx((const char *)data, *size, &o, false, &object))
		exit(1);
	free(data);
	*size = object.size;
	return object.data;
}

struct shape {
	unsigned blocks, threads;
	size_t variables, words; /* in front of the threads' cells; in all */
};

static bool run(const struct wl_program *p, const struct shape *s, unsigned number, uint32_t *found, char *why)
{
	struct wl_config config = wl_config_default();
	struct wl_gmem g = {.bytes = 4 * s->words + 4096};
	uint8_t params[WL_PARAM_MOST] = {0};
	struct wl_launch l = {.grid = {s->blocks, 1, 1}, .block = {s->threads, 1, 1}, .params = params, .limit = LIMIT};
	struct wl_gpu *gpu;
	uint64_t at[3];
	const uint32_t seed = number * 977;
	const size_t parts[3] = {s->variables, (size_t)s->blocks * s->threads, CELLS};
	config.arch = p->arch;
	config.seed = number + 1;
	g.mem = calloc(1, g.bytes);
	for (unsigned i = 0; i < 3; i++) {
		at[i] = wl_gmem_add(&g, 4 * parts[i]);
		memcpy(params + 8 * i, &at[i], 8);
	}
	memcpy(params + 24, &seed, 4);
	bool good = wl_gpu_create(&config, p, &g, &l, &gpu, why, WHY) == WL_OK;
	if (good) {
		good = wl_gpu_run(gpu) == WL_ENDED;
		if (!good)
			wl_gpu_detail(gpu, why, WHY);
		for (unsigned i = 0; i < 3; found += parts[i++])
			memcpy(found, wl_gmem_at(&g, at[i], 4 * parts[i]), 4 * parts[i]);
		wl_gpu_free(gpu);
	}
	free(g.mem);
	return good;
}

static bool same(const struct shape *s, const uint32_t *found, const uint32_t *expected, char *why)
{
	static const char *const names[OUT] = {"w0",      "w1",      "w2",      "w3",      "w4", "w5", "d0", "d0 high",
	                                       "d1",      "d1 high", "d2",      "d2 high", "f0", "f1", "f2", "g0",
	                                       "g0 high", "g1",      "g1 high", "h0",      "h1", "b0", "b1", "a0",
	                                       "a1",      "a2",      "a3",      "a4",      "a5", "a6", "a7", "-"};
	const size_t own = (size_t)s->blocks * s->threads;
	for (size_t i = 0; i < s->words; i++) {
		if (found[i] == expected[i])
			continue;
		if (i < own * OUT)
			snprintf(why, WHY, "block %zu thread %zu: %s 0x%08x, expected 0x%08x", i / OUT / s->threads,
			         i / OUT % s->threads, names[i % OUT], found[i], expected[i]);
		else
			snprintf(why, WHY, "%s %zu: 0x%08x, expected 0x%08x",
			         i < s->variables         ? "shared cell"
			         : i < s->variables + own ? "thread's cell"
			                                  : "global cell",
			         i < s->variables         ? i - own * OUT
			         : i < s->variables + own ? i - s->variables
			                                  : i - s->variables - own,
			         found[i], expected[i]);
		return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	unsigned wrong = 0, right = 0;
	size_t size, expected_bytes;
	int opt = 2;
	if (argc > 1 && !strcmp(argv[1], "-O0")) {
		opt = 0;
		argv++;
		argc--;
	}
	const enum wl_arch arch = argc > 6 ? wl_arch_parse(argv[2], NULL) : 0;
	if (!arch) {
		fputs("usage: cuda_run [-O0] FILE ARCH EXPECTED BLOCKS THREADS NUMBER...\n", stderr);
		return 2;
	}
	struct shape s = {.blocks = (unsigned)atoi(argv[4]), .threads = (unsigned)atoi(argv[5])};
	s.variables = (size_t)s.blocks * (OUT * s.threads + CELLS);
	s.words = s.variables + (size_t)s.blocks * s.threads + CELLS;
	unsigned char *object = object_of(argv[1], arch, opt, &size), *expected = read_file(argv[3], &expected_bytes);
	uint32_t *found = malloc(4 * s.words);
	if (expected_bytes != (size_t)(argc - 6) * 4 * s.words) {
		fprintf(stderr, "cuda_run: %s has %zu bytes, expected %zu\n", argv[3], expected_bytes,
		        (size_t)(argc - 6) * 4 * s.words);
		return 2;
	}
	for (int i = 6; i < argc; i++) {
		char name[40], why[WHY] = "";
		struct wl_program p;
		snprintf(name, sizeof name, "k%s", argv[i]);
		bool good = wl_object_load(object, size, name, &p, why, sizeof why) == WL_OK;
		if (good) {
			good = run(&p, &s, (unsigned)atoi(argv[i]), found, why) &&
			       same(&s, found, (const uint32_t *)(void *)expected + (size_t)(i - 6) * s.words, why);
			wl_program_free(&p);
		}
		right += good;
		wrong += !good;
		if (!good)
			printf("%s: %s\n", name, why);
	}
	free(object);
	free(expected);
	free(found);
	printf("%u passed, %u failed\n", right, wrong);
	return wrong != 0;
}

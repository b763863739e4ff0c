// SPDX-License-Identifier: Apache-2.0
/* run_cubin.c -- a stranger's program over the installed library alone: loads a cubin of the kernel `accounts`, runs
 * the kernel, writes the three buffers to standard output. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <warplock/gmem.h>
#include <warplock/object.h>
#include <warplock/sm.h>

int main(int argc, char **argv)
{
	static unsigned char file[1 << 20];
	static const uint64_t sizes[3] = {6 * 8, 24 * 4, 24 * 4};
	char why[256] = "no file";
	FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
	size_t size = f ? fread(file, 1, sizeof file, f) : 0;
	struct wl_program p;
	if (!f || wl_object_load(file, size, "accounts", &p, why, sizeof why) != WL_OK)
		return fprintf(stderr, "run_cubin: %s\n", why), 1;
	struct wl_gmem mem = {.bytes = 1 << 16, .mem = calloc(1, 1 << 16)};
	uint64_t params[3];
	for (int i = 0; i < 3; i++)
		params[i] = wl_gmem_add(&mem, sizes[i]);
	struct wl_config config = wl_config_default();
	struct wl_launch launch = {.grid = {3, 1, 1}, .block = {112, 1, 1}, .params = (const uint8_t *)params};
	struct wl_gpu *gpu;
	if (wl_gpu_create(&config, &p, &mem, &launch, &gpu, why, sizeof why) != WL_OK)
		return fprintf(stderr, "run_cubin: %s\n", why), 1;
	enum wl_outcome o = wl_gpu_run(gpu);
	for (int i = 0; i < 3; i++)
		fwrite(wl_gmem_at(&mem, params[i], (uint32_t)sizes[i]), 1, sizes[i], stdout);
	wl_gpu_free(gpu);
	wl_program_free(&p);
	free(mem.mem);
	fclose(f);
	return o == WL_ENDED ? 0 : 1;
}

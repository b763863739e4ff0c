// SPDX-License-Identifier: Apache-2.0
/* cccl_expected.c -- expected `out` of the kernels of this folder (computed by the files *_expected.c here).
 *
 *   cccl_expected DIR     writes DIR/KERNEL.out.bin */
#include "cccl_expected.h"

u32 in[INPUTS], out[OUTPUTS];

static const struct {
	const char *name;
	void (*work)(u32 grid);
	u32 grid;
} kernels[] = {
#define KERNEL(name, from, grid) {#name, cccl_##from, grid},
#include "kernels.def"
#undef KERNEL
};

int main(int argc, char **argv)
{
	char file[64];
	if (argc != 2) {
		fputs("usage: cccl_expected DIR\n", stderr);
		return 2;
	}
	EACH(i, INPUTS)
	in[i] = rnd(16, 0, 1000000, i);
	EACH(k, sizeof kernels / sizeof *kernels)
	{
		memset(out, 0, sizeof out);
		kernels[k].work(kernels[k].grid);
		snprintf(file, sizeof file, "%s.out", kernels[k].name);
		save(argv[1], file, out, sizeof out);
	}
	return 0;
}

// SPDX-License-Identifier: Apache-2.0
/* bench_cmodel.c -- warp instructions per second of the C model without records. The loop is one eighth shared atomics.
 * Second measure: the cost of global atomics, a quarter of a loop. Prints `cmodel_warp_instr_per_s VALUE` and
 * `cmodel_global_atomics_ratio VALUE`; --seconds S sets the length (default 1). --turns N: the first loop once, N turns
 * of each warp, for counters of host instructions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernel.h"

static const char loop[] = "S2R R0, SR_TID.X\n"
                           "MOV R5, 0x3\n"
                           "MOV R6, RZ\n"
                           "MOV R10, RZ\n"
                           "MOV R11, c[0x0][0x160]\n"
                           "again:\n"
                           "ATOMS.ADD R4, [R0.X4], R5\n"
                           "IADD3 R6, R6, R4, RZ\n"
                           "LOP3.LUT R7, R6, 0xff, RZ, 0xc0, !PT\n"
                           "IMAD R8, R7, 0x3, R6\n"
                           "SHF.L.U32 R9, R8, 0x2, RZ\n"
                           "IADD3 R10, R10, 0x1, RZ\n"
                           "ISETP.NE.AND P0, PT, R10, R11, PT\n"
                           "@P0 BRA {again}\n"
                           "EXIT\n";

/* Two of eight instructions: global atomics, or sums of the same registers. */
#define QUARTER(one, two)                                                                                              \
	"S2R R0, SR_TID.X\n"                                                                                           \
	"MOV R5, 0x3\n"                                                                                                \
	"MOV R6, RZ\n"                                                                                                 \
	"MOV R10, RZ\n"                                                                                                \
	"MOV R11, c[0x0][0x160]\n"                                                                                     \
	"MOV R12, c[0x0][0x168]\n"                                                                                     \
	"MOV R13, c[0x0][0x16c]\n"                                                                                     \
	"MOV R14, 0x4\n"                                                                                               \
	"IMAD.WIDE R2, R0, R14, R12\n"                                                                                 \
	"again:\n" one "\n"                                                                                            \
	"IADD3 R6, R6, R4, RZ\n"                                                                                       \
	"LOP3.LUT R7, R6, 0xff, RZ, 0xc0, !PT\n" two "\n"                                                              \
	"IMAD R8, R7, 0x3, R6\n"                                                                                       \
	"IADD3 R10, R10, 0x1, RZ\n"                                                                                    \
	"ISETP.NE.AND P0, PT, R10, R11, PT\n"                                                                          \
	"@P0 BRA {again}\n"                                                                                            \
	"EXIT\n"
static const char with_global[] = QUARTER("ATOMG.E.ADD.STRONG.GPU PT, R4, [R2], R5", "RED.E.MAX.STRONG.GPU [R2], R7");
static const char without_global[] = QUARTER("IADD3 R4, R2, R5, RZ", "IADD3 R9, R2, R7, RZ");

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds for `turns` turns of the loop in 8 warps; number of instructions in *instructions. */
static double run(const char *text, uint32_t turns, uint64_t *instructions)
{
	struct kernel k;
	kernel_init(&k, text);
	k.prog.regs = 16;
	k.prog.shared_bytes = 1024;
	k.launch.block[0] = 256;
	k.launch.limit = 0;
	k.param[0] = turns;
	kernel_words(&k, 1, 256, 0);
	double start = now();
	if (kernel_run(&k) != WL_ENDED) {
		fprintf(stderr, "bench_cmodel: %s\n", k.detail);
		exit(1);
	}
	double seconds = now() - start;
	*instructions = wl_gpu_warp_instructions(k.gpu);
	kernel_free(&k);
	return seconds;
}

/* The two loops take turns: a machine of varying speed slows both alike. */
static void compare_global(uint32_t turns)
{
	double best[2] = {1e9, 1e9};
	uint64_t n;
	for (int i = 0; i < 10; i++) {
		const double s = run(i % 2 ? with_global : without_global, turns, &n);
		best[i % 2] = s < best[i % 2] ? s : best[i % 2];
	}
	printf("cmodel_global_atomics_ratio %.2f\n", best[0] / best[1]);
	printf("speed of a loop that is one quarter ATOMG.ADD and RED.MAX, against the same loop with sums instead\n");
}

int main(int argc, char **argv)
{
	uint64_t n;
	if (argc == 3 && !strcmp(argv[1], "--turns") && atoi(argv[2]) > 0) {
		run(loop, (uint32_t)atoi(argv[2]), &n);
		printf("%llu warp instructions\n", (unsigned long long)n);
		return 0;
	}
	double want = argc == 3 && !strcmp(argv[1], "--seconds") ? atof(argv[2]) : 1, best = 0, spent = 0;
	if (argc != 1 && (argc != 3 || want <= 0)) {
		fprintf(stderr, "usage: bench_cmodel [--seconds S | --turns N]\n");
		return 2;
	}
	double probe = run(loop, 20000, &n);
	uint32_t turns = (uint32_t)(20000 * (want / 5) / (probe > 1e-6 ? probe : 1e-6)) + 1;
	for (int i = 0; i < 5; i++) {
		double s = run(loop, turns, &n);
		spent += s;
		if ((double)n / s > best)
			best = (double)n / s;
	}
	printf("cmodel_warp_instr_per_s %.0f\n", best);
	printf("best of 5 runs of %llu warp instructions, one eighth ATOMS.ADD without conflicts, 8 warps; %.2f s "
	       "CPU\n",
	       (unsigned long long)n, spent);
	compare_global(turns);
	return 0;
}

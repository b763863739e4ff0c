// SPDX-License-Identifier: Apache-2.0
/* cunits_bench.c -- speed of the fast path of atoms_pipe; a benchmark, not a test.
 *
 * Prints a line for each kind of access: million warp instructions per second, best of five. */
#include <stdio.h>
#include <time.h>

#include "cunits_oracle.h"

enum { ROUNDS = 5, WARPS = 64, CALLS = 400000 };

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(void)
{
	static const struct {
		const char *name;
		enum wl_uop uop;
		uint8_t size, rd;
		uint8_t stride; /* of the lanes, in words; 0 = anywhere */
		bool passes;
		uint32_t mask;
	} kinds[] = {
	        {"ATOMS.ADD, conflict-free", WL_UOP_ATOMS, 4, 5, 1, false, UINT32_MAX},
	        {"ATOMS.ADD, conflict-free, passes counted", WL_UOP_ATOMS, 4, 5, 1, true, UINT32_MAX},
	        {"ATOMS.ADD, no destination", WL_UOP_ATOMS, 4, WL_RZ, 1, false, UINT32_MAX},
	        {"ATOMS.ADD, random words", WL_UOP_ATOMS, 4, 5, 0, false, UINT32_MAX},
	        {"ATOMS.ADD, random words, passes counted", WL_UOP_ATOMS, 4, 5, 0, true, UINT32_MAX},
	        {"ATOMS.ADD, half the lanes", WL_UOP_ATOMS, 4, 5, 1, false, 0x55555555},
	        {"ATOMS.CAS, conflict-free", WL_UOP_ATOMS_CAS, 4, 5, 1, false, UINT32_MAX},
	        {"LDS, conflict-free", WL_UOP_LDS, 4, 5, 1, false, UINT32_MAX},
	        {"LDS, random words, passes counted", WL_UOP_LDS, 4, 5, 0, true, UINT32_MAX},
	        {"STS, conflict-free", WL_UOP_STS, 4, WL_RZ, 1, false, UINT32_MAX},
	        {"LDS.64, conflict-free", WL_UOP_LDS, 8, 4, 2, false, UINT32_MAX},
	};
	static _Alignas(16) uint8_t mem[65536];
	static uint32_t regs[WARPS][12][WL_WARP_LANES];
	const struct wl_config c = wl_config_default();
	struct rng r = rng_seed(1, 0);
	struct wl_smem s;
	wl_smem_init(&s, &c, mem);
	wl_smem_open(&s, 0, 0, sizeof mem, 1, 0);
	for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
		struct wl_inst in = {.uop = (uint16_t)kinds[k].uop, .size = kinds[k].size, .rd = kinds[k].rd};
		uint8_t fault[WL_WARP_LANES];
		uint64_t sum = 0;
		double best = 1e9;
		in.ra = 1;
		in.rb = 2;
		in.rc = 3;
		in.ur = 255;
		for (unsigned w = 0; w < WARPS; w++)
			for (unsigned lane = 0; lane < WL_WARP_LANES; lane++) {
				uint32_t word = kinds[k].stride ? w * 32 + lane * kinds[k].stride : rng_below(&r, 4096);
				regs[w][1][lane] = word * 4;
				regs[w][2][lane] = lane;
			}
		for (unsigned round = 0; round < ROUNDS; round++) {
			double start = seconds();
			for (unsigned i = 0; i < CALLS; i++) {
				unsigned passes = 0;
				sum += wl_atoms_exec(&s, 0, &in, regs[i % WARPS], kinds[k].mask, 0, fault,
				                     kinds[k].passes ? &passes : NULL);
				sum += passes;
			}
			double t = seconds() - start;
			best = t < best ? t : best;
		}
		printf("%-44s %7.1f M warp-instr/s   (%.2f passes each)\n", kinds[k].name, CALLS / best / 1e6,
		       (double)sum / ((double)CALLS * ROUNDS));
	}
	return 0;
}

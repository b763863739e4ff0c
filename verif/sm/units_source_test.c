// SPDX-License-Identifier: Apache-2.0
/* units_source_test.c -- FRONT as SOURCE of every unit (source_dut.h). Each kernel must end as on the C model alone:
 * outcome, detail and memory. */
#include <stdlib.h>
#include <string.h>

#include "source_dut.h"

enum { WORDS = 256 };
#define EVERY (BIT(atoms_pipe) | BIT(atom_unit) | BIT(barrier_file) | BIT(warp_collective) | BIT(fence_unit))

struct config {
	const char *text;
	uint32_t threads, ctas;
};

static void setup(struct kernel *k, const struct config *c, uint32_t **out)
{
	kernel_init(k, c->text);
	k->prog.shared_bytes = 1024;
	k->prog.regs = 32;
	k->launch.block[0] = c->threads;
	k->launch.grid[0] = c->ctas;
	*out = kernel_words(k, 0, WORDS * 4, 0);
	kernel_words(k, 1, WORDS, 0);
}

/* On the C model alone, and in lockstep with `units` for eight seeds. `seen` gets the requests by unit. */
static void same_as_alone(const struct config *c, uint32_t units, uint64_t seen[WL_UNIT_COUNT])
{
	struct kernel alone, k;
	static struct dut d;
	uint32_t *want, *got;
	setup(&alone, c, &want);
	const enum wl_outcome outcome = kernel_run(&alone);
	for (uint64_t seed = 1; seed <= 8; seed++) {
		setup(&k, c, &got);
		const enum wl_outcome o = dut_run(&k, &d, units, seed);
		if (o != outcome || (outcome != WL_ENDED && strcmp(k.detail, alone.detail)))
			fail_msg("seed %u: %s: %s\nalone: %s", (unsigned)seed, wl_outcome_name(o), k.detail,
			         alone.detail);
		if (outcome == WL_ENDED)
			assert_memory_equal(got, want, WORDS * 4 * sizeof *got);
		for (unsigned u = 0; u < WL_UNIT_COUNT; u++) {
			if (outcome != WL_FAULTED && u != WL_UNIT_sync_core && units >> u & 1)
				assert_int_equal(d.seen[u], wl_gpu_executed(k.gpu, (enum wl_unit)u));
			seen[u] += d.seen[u];
		}
		kernel_free(&k);
	}
	kernel_free(&alone);
}

/* R8 of each thread: the block's reduction, over shuffles, shared memory, barriers, atomics and fences. */
static const char reduce[] = PROLOGUE
        "IADD3 R8, R5, 0x1, RZ\nSHFL.DOWN PT, R9, R8, 0x10, 0x1f\nIADD3 R8, R8, R9, RZ\nSHFL.DOWN PT, R9, R8, 0x8, "
        "0x1f\nIADD3 R8, R8, R9, RZ\nSTS [R0.X4], R8\nBAR.SYNC 0x0\nLOP3.LUT R6, R0, 0x1f, RZ, 0x3c, !PT\nLDS R10, "
        "[R6.X4]\nIADD3 R8, R8, R10, RZ\nATOMS.ADD RZ, [0x200], R8\nBAR.SYNC 0x0\nLDS R10, [0x200]\n"
        "ISETP.LT.U32.AND P0, PT, R0, 0x21, PT\nBAR.RED.POPC 0x2, P0\nB2R.RESULT R11\nIADD3 R8, R10, R11, RZ\n"
        "MOV R12, c[0x0][0x168]\nMOV R13, c[0x0][0x16c]\nMEMBAR.SC.GPU\nRED.E.ADD.STRONG.GPU [R12], R8\n"
        "ATOMG.E.ADD.STRONG.GPU PT, R14, [R12+0x20], R0\nVOTE.ANY R15, PT, P0\nIADD3 R8, R8, R15, RZ\n" STORE_R8;

static void test_reduce(void **x)
{
	(void)x;
	uint64_t seen[WL_UNIT_COUNT] = {0};
	same_as_alone(&(struct config){reduce, 96, 2}, EVERY, seen);
	for (unsigned u = 0; u < WL_UNIT_COUNT; u++)
		assert_true(!(EVERY >> u & 1) || seen[u]);
	assert_int_equal(seen[WL_UNIT_sync_core], 8 * 3 * 2); /* each warp's EXIT */
	same_as_alone(&(struct config){reduce, 70, 3}, BIT(atoms_pipe) | BIT(barrier_file), seen);
	same_as_alone(&(struct config){reduce, 70, 3}, BIT(warp_collective), seen);
	same_as_alone(&(struct config){reduce, 256, 2}, BIT(atom_unit) | BIT(fence_unit), seen);
}

/* Pairs of registers as one operand: 8 values different in the upper word alone, 4 lanes each. */
static void test_pairs(void **x)
{
	(void)x;
	struct kernel k;
	static struct dut d;
	uint32_t *out;
	setup(&k,
	      &(struct config){PROLOGUE "MOV R6, 0x5\nLOP3.LUT R7, R0, 0x7, RZ, 0xc0, !PT\n"
	                                "MATCH.ANY.U64 R8, R6\n" STORE_R8,
	                       32, 1},
	      &out);
	assert_int_equal(dut_run(&k, &d, BIT(warp_collective), 1), WL_ENDED);
	for (uint32_t t = 0; t < 32; t++)
		assert_int_equal(out[t], UINT32_C(0x01010101) << t % 8);
	kernel_free(&k);
}

#define P0_ODD "LOP3.LUT R6, R0, 0x1, RZ, 0xc0, !PT\nISETP.EQ.AND P0, PT, R6, 0x1, PT\n"

/* Lanes of a warp come to one barrier by different ways, warps leave, a producer only arrives. */
static void test_divergent(void **x)
{
	(void)x;
	uint64_t seen[WL_UNIT_COUNT] = {0};
	static const char text[] = PROLOGUE
	        "MOV R8, R0\nISETP.GE.U32.AND P1, PT, R0, 0x60, PT\n@P1 EXIT\nLOP3.LUT R6, R0, 0x1, RZ, 0xc0, "
	        "!PT\nISETP.EQ.AND P0, PT, R6, 0x1, PT\n@P0 BRA {odd}\nSTS [R0.X4], R0\nBAR.SYNC 0x3\nBRA "
	        "{on}\nodd:\nYIELD\nSTS [R0.X4], R0\nBAR.SYNC 0x3\non:\nLDS R8, [R0.X4]\nISETP.LT.U32.AND P2, PT, R0, "
	        "0x20, PT\n@P2 BRA {arrive}\nBAR.SYNC 0x1, 0x60\nBRA {end}\narrive:\nBAR.ARV 0x1, "
	        "0x60\nend:\n" STORE_R8;
	same_as_alone(&(struct config){text, 128, 2}, EVERY, seen);
	same_as_alone(&(struct config){text, 128, 2}, BIT(barrier_file), seen);
	/* the barrier's number comes from the register of the last lanes to arrive */
	same_as_alone(
	        &(struct config){PROLOGUE P0_ODD
	                         "ISETP.LT.U32.AND P0, PT, R0, 0x20, P0\nMOV R8, R0\nMOV R9, 0x7\n@P0 MOV R9, 0x3\n@P0 "
	                         "BRA {odd}\nBAR.SYNC 0x3\nBRA {on}\nodd:\nYIELD\nYIELD\nBAR.SYNC R9\non:\n" STORE_R8,
	                         64, 1},
	        EVERY, seen);
	assert_true(seen[WL_UNIT_sync_core] && seen[WL_UNIT_barrier_file]);
}

static void test_ends_badly(void **x)
{
	(void)x;
	uint64_t seen[WL_UNIT_COUNT] = {0};
	const uint32_t every[] = {EVERY, BIT(barrier_file)};
	static const char *const texts[] = {
	        /* warp 0 waits for an ended warp */
	        PROLOGUE "ISETP.GE.U32.AND P1, PT, R0, 0x20, PT\n@P1 EXIT\nBAR.SYNC 0x1, 0x40\n" STORE_R8,
	        /* each warp at a barrier of its own */
	        PROLOGUE
	        "SHF.R.U32.HI R7, RZ, 0x5, R0\nBAR.SYNC 0x0\nMEMBAR.SC.GPU\nBAR.SYNC 0x0\nBAR.SYNC R7\n" STORE_R8,
	        /* faults: at the request, by state, and found by the front end */
	        "MOV R7, 0x11\nBAR.SYNC R7\nEXIT\n",
	        "BAR.ARV 0x1, 0x40\nBAR.ARV 0x1, 0x20\nEXIT\n",
	        "S2R R0, SR_LANEID\nBAR.SYNC 0x1, 0x20\nISETP.LT.U32.AND P1, PT, R0, 0x5, PT\n@P1 BRA {low}\nBAR.SYNC "
	        "0x2\nEXIT\nlow:\nYIELD\nBAR.SYNC 0x1\nEXIT\n",
	};
	for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++)
		for (unsigned u = 0; u < 2; u++)
			same_as_alone(&(struct config){texts[i], i >= 2 ? 32 : 64, 1}, every[u], seen);
}

/* A warp spins beside waits in the DUT: the verdict is as if the waiting warps were idle. */
static void test_spins_beside_waits(void **x)
{
	(void)x;
	struct kernel k;
	static struct dut d;
	uint32_t *out;
	setup(&k,
	      &(struct config){PROLOGUE "ISETP.LT.U32.AND P0, PT, R0, 0x20, PT\n@P0 BRA {spin}\nBAR.SYNC 0x0\n" STORE_R8
	                                "spin:\nLDG.E.SYS R8, [R2]\nISETP.EQ.AND P1, PT, R8, RZ, PT\n@P1 BRA {spin}\n"
	                                "BAR.SYNC 0x0\n" STORE_R8,
	                       64, 1},
	      &out);
	assert_int_equal(dut_run(&k, &d, EVERY, 1), WL_DEADLOCK);
	assert_non_null(strstr(k.detail, "spins on"));
	assert_int_equal(d.n, 1);
	kernel_free(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_reduce),
	        cmocka_unit_test(test_pairs),
	        cmocka_unit_test(test_divergent),
	        cmocka_unit_test(test_ends_badly),
	        cmocka_unit_test(test_spins_beside_waits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

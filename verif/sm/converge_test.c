// SPDX-License-Identifier: Apache-2.0
/* converge_test.c -- lanes of a warp at different places: branches, convergence barriers, exits, locks inside a warp,
 * named barriers; and runs with a bad end. Expected values are worked out by hand for each thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "source_dut.h"

/* Units of the DUT: none (the C model alone), the unit alone, and the unit with the other units that its lanes wait
 * in. */
static const uint32_t duts[] = {0, BIT(convergence),
                                BIT(convergence) | BIT(barrier_file) | BIT(warp_collective) | BIT(atoms_pipe)};
enum { DUTS = sizeof duts / sizeof duts[0] };
static struct dut dut;

static enum wl_outcome run_on(struct kernel *k, unsigned at)
{
	return duts[at] ? dut_run(k, &dut, duts[at], at) : kernel_run(k);
}

/* PROLOGUE, body, STORE_R8 in one warp, with each DUT. want: expression over t (thread). */
#define EACH(body, want)                                                                                               \
	for (unsigned at = 0; at < DUTS; at++) {                                                                       \
		struct kernel k;                                                                                       \
		kernel_init(&k, PROLOGUE body STORE_R8);                                                               \
		const uint32_t *out = kernel_words(&k, 0, 32, 0xdeadbeef);                                             \
		if (run_on(&k, at) != WL_ENDED)                                                                        \
			fail_msg("DUT of units 0x%x: %s", duts[at], k.detail);                                         \
		for (uint32_t t = 0; t < 32; t++)                                                                      \
			if (out[t] != (uint32_t)(want))                                                                \
				fail_msg("DUT of units 0x%x: %s: thread %u has 0x%x, expected 0x%x", duts[at], body,   \
				         t, out[t], (uint32_t)(want));                                                 \
		kernel_free(&k);                                                                                       \
	}

#define P0_LOW16 "ISETP.LT.U32.AND P0, PT, R0, 0x10, PT\n"
#define P1_ODD   "LOP3.LUT R6, R0, 0x1, RZ, 0xc0, !PT\nISETP.EQ.AND P1, PT, R6, 0x1, PT\n"

static void test_if_else(void **x)
{
	(void)x;
	/* both sides count their lanes; after BSYNC all 32 lanes are together again */
	EACH(P0_LOW16 "BSSY B0, {join}\n@P0 BRA {low}\nMOV R8, 0x2\nVOTE.ANY R9, PT, PT\nBRA {meet}\n"
	              "low:\nMOV R8, 0x1\nVOTE.ANY R9, PT, PT\nmeet:\nBSYNC B0\njoin:\nVOTE.ANY R10, PT, PT\n"
	              "IADD3 R8, R8, R9, R10\n",
	     t < 16 ? 1 + 0xffff + 0xffffffff : 2 + 0xffff0000 + 0xffffffff);
}

/* Groups that meet away from their BSYNC keep their uniform registers apart. A group can lose its turn between VOTEU
 * and the use of the result, at a place that another group passes. */
static void test_uniforms_of_groups(void **x)
{
	(void)x;
	char text[4000];
	for (unsigned pad = 0; pad < 72; pad++)
		for (unsigned at = 0; at < DUTS; at++) {
			struct kernel k;
			int n = sprintf(text, PROLOGUE P0_LOW16 "@!P0 BRA {high}\n");
			for (unsigned i = 0; i < pad; i++)
				n += sprintf(text + n, "NOP\n");
			sprintf(text + n,
			        "BRA {all}\nhigh:\nNOP\nall:\nVOTEU.ANY UR4, UPT, PT\nNOP\nNOP\nNOP\nNOP\nNOP\nMOV R8, "
			        "UR4\n"
			        "SHF.R.U32.HI R8, RZ, R0, R8\nLOP3.LUT R8, R8, 0x1, RZ, 0xc0, !PT\n" STORE_R8);
			kernel_init(&k, text);
			const uint32_t *out = kernel_words(&k, 0, 32, 0xdeadbeef);
			assert_int_equal(run_on(&k, at), WL_ENDED);
			for (uint32_t t = 0; t < 32; t++)
				if (out[t] != 1)
					fail_msg("DUT of units 0x%x, %u NOPs: thread %u is not in its own vote",
					         duts[at], pad, t);
			kernel_free(&k);
		}
}

static void test_nested(void **x)
{
	(void)x;
	EACH(P0_LOW16 P1_ODD
	     "MOV R8, RZ\nBSSY B0, {out}\n@P0 BRA {low}\n"
	     "IADD3 R8, R8, 0x1, RZ\nBRA {end}\n"
	     "low:\nBSSY B1, {in}\n@P1 BRA {odd}\nIADD3 R8, R8, 0x10, RZ\nBRA {meet}\n"
	     "odd:\nIADD3 R8, R8, 0x20, RZ\nmeet:\nBSYNC B1\nin:\n"
	     "VOTE.ANY R9, PT, PT\nLOP3.LUT R9, R9, 0xffff, RZ, 0x3c, !PT\nIADD3 R8, R8, R9, RZ\n" /* 0 when all 16 are
	                                                                                              here */
	     "end:\nBSYNC B0\nout:\nVOTE.ANY R9, PT, PT\nLOP3.LUT R9, RZ, R9, RZ, 0x33, !PT\nIADD3 R8, R8, R9, RZ\n",
	     t >= 16 ? 1
	     : t % 2 ? 0x20
	             : 0x10);
}

/* Both sides of a branch use the same inner barrier number at the same time. */
static void test_same_number_on_both_sides(void **x)
{
	(void)x;
	EACH(P0_LOW16 P1_ODD
	     "BSSY B0, {out}\n@P0 BRA {low}\n"
	     "BSSY B1, {in1}\n@P1 BRA {odd1}\nYIELD\nodd1:\nYIELD\nBSYNC B1\nin1:\nVOTE.ANY R8, PT, PT\nBRA {end}\n"
	     "low:\nBSSY B1, {in2}\n@P1 BRA {odd2}\nYIELD\nodd2:\nYIELD\nBSYNC B1\nin2:\nVOTE.ANY R8, PT, PT\n"
	     "end:\nBSYNC B0\nout:\nNOP\n",
	     t < 16 ? 0xffff : 0xffff0000);
}

/* Lane t runs the loop t + 1 times; all lanes leave together. */
static void test_loop(void **x)
{
	(void)x;
	EACH("MOV R8, RZ\nBSSY B0, {out}\nagain:\nIADD3 R8, R8, 0x1, RZ\nISETP.LE.U32.AND P0, PT, R8, R0, PT\n@P0 BRA "
	     "{again}\n"
	     "BSYNC B0\nout:\nVOTE.ANY R9, PT, PT\nLOP3.LUT R9, RZ, R9, RZ, 0x33, !PT\nIADD3 R8, R8, R9, RZ\n",
	     t + 1);
}

/* Lanes leave the loop at two places: odd lanes break out of the barrier and go elsewhere. */
static void test_break(void **x)
{
	(void)x;
	EACH(P1_ODD
	     "MOV R8, RZ\nBSSY B0, {out}\nagain:\nIADD3 R8, R8, 0x1, RZ\n"
	     "@P1 BREAK B0\n@P1 BRA {aside}\n"
	     "ISETP.LT.U32.AND P0, PT, R8, 0x5, PT\n@P0 BRA {again}\nBSYNC B0\nout:\nVOTE.ANY R9, PT, PT\nBRA {end}\n"
	     "aside:\nVOTE.ANY R9, PT, PT\nend:\nIADD3 R8, R8, R9, RZ\n",
	     t % 2 ? 1 + 0xaaaaaaaa : 5 + 0x55555555);
}

/* A register keeps the barrier's lanes across code that uses the same barrier number. */
static void test_save_and_restore(void **x)
{
	(void)x;
	struct kernel k;
	kernel_init(
	        &k, PROLOGUE P0_LOW16
	        "BSSY B0, {out}\n@P0 BRA {meet}\n"
	        "BMOV.32.CLEAR R12, B0\nBSSY B0, {in}\nISETP.LT.U32.AND P2, PT, R0, 0x18, PT\n@P2 BRA {skip}\nYIELD\n"
	        "skip:\nBSYNC B0\nin:\nVOTE.ANY R8, PT, PT\nBMOV.32 B0, R12\n"
	        "meet:\nBSYNC B0\nout:\nVOTE.ANY R9, PT, PT\nSEL R8, RZ, R8, P0\nIADD3 R8, R8, R9, RZ\n" STORE_R8);
	const uint32_t *out = kernel_words(&k, 0, 32, 0);
	ends(&k);
	for (uint32_t t = 0; t < 32; t++)
		assert_int_equal(out[t], (t < 16 ? 0 : 0xffff0000) + 0xffffffff);
	kernel_free(&k);
}

/* Without any barrier both sides still make progress, and are one group again at the same instruction. */
static void test_no_barrier(void **x)
{
	(void)x;
	EACH(P0_LOW16 "MOV R8, 0x5\n@P0 BRA {on}\nMOV R8, 0x6\non:\nIADD3 R8, R8, R0, RZ\n", (t < 16 ? 5 : 6) + t);
	EACH(P0_LOW16
	     "@!P0 BRA {high}\nMOV R8, 0x1\nBRA {high}\nNOP\nhigh:\nWARPSYNC 0xffffffff\nVOTE.ANY R8, PT, PT\n",
	     0xffffffff);
}

/* Nobody waits any longer for lanes that exit inside. */
static void test_exit_inside(void **x)
{
	(void)x;
	EACH(P0_LOW16 "MOV R8, 0x7\nSTG.E.SYS [R2], R8\nBSSY B0, {out}\n@P0 BRA {low}\nYIELD\nEXIT\n"
	              "low:\nBSYNC B0\nout:\nVOTE.ANY R8, PT, PT\n",
	     t < 16 ? 0xffff : 7);
	EACH(P0_LOW16 "MOV R8, 0x7\nSTG.E.SYS [R2], R8\n@!P0 EXIT\nWARPSYNC 0xffffffff\nVOTE.ANY R8, PT, PT\n",
	     t < 16 ? 0xffff : 7);
}

static void test_warpsync(void **x)
{
	(void)x;
	/* odd and even lanes take different ways; lanes wait for each other in 16 pairs only */
	EACH("LOP3.LUT R6, R0, 0x1e, RZ, 0xc0, !PT\nMOV R7, 0x3\nSHF.L.U32 R7, R7, R6, RZ\n" P1_ODD
	     "@P1 BRA {odd}\nYIELD\nYIELD\nodd:\nWARPSYNC R7\nMOV R8, R7\n",
	     3u << (t & 30));
}

/* The unit's mask comes from constant memory. */
static void test_warpsync_constant(void **x)
{
	(void)x;
	for (unsigned at = 0; at < DUTS; at++) {
		struct kernel k;
		kernel_init(&k, PROLOGUE P0_LOW16 "@P0 BRA {low}\nYIELD\nYIELD\nlow:\nWARPSYNC c[0x0][0x168]\n"
		                                  "VOTE.ANY R8, PT, PT\n" STORE_R8);
		const uint32_t *out = kernel_words(&k, 0, 32, 0);
		k.param[1] = UINT32_MAX;
		if (run_on(&k, at) != WL_ENDED)
			fail_msg("DUT of units 0x%x: %s", duts[at], k.detail);
		for (uint32_t t = 0; t < 32; t++)
			assert_int_equal(out[t], UINT32_MAX);
		kernel_free(&k);
	}
}

/* BREAK and BSYNC with a predicate false in all lanes do nothing, and make no request to the unit. */
static void test_no_lane(void **x)
{
	(void)x;
	EACH("ISETP.GE.U32.AND P2, PT, R0, 0x20, PT\nBSSY B0, {out}\nBREAK P2, B0\nBSYNC P2, B0\nBMOV.32 R8, B0\n"
	     "BSYNC B0\nout:\nVOTE.ANY R9, PT, PT\nLOP3.LUT R8, R8, R9, RZ, 0xc0, !PT\n",
	     UINT32_MAX);
	assert_int_equal(dut.seen[WL_UNIT_convergence], 3); /* BSSY, BMOV, BSYNC; the EXIT ends the warp */
}

/* Odd lanes wait until the even lanes, still running, wait for the barrier, too. */
static void test_some_lanes(void **x)
{
	(void)x;
	EACH(P1_ODD "BSSY B0, {out}\nBSYNC P1, B0\nVOTE.ANY R8, PT, PT\nBSYNC B0\nout:\n",
	     t % 2 ? 0xaaaaaaaa : 0x55555555);
}

/* Loops that get on by themselves: the waiting lanes stay, however often the two other groups take turns. */
#define LOOPS(each)                                                                                                    \
	P0_LOW16 P1_ODD "MOV R8, RZ\nMOV R10, c[0x0][0x160]\nMOV R11, c[0x0][0x164]\nBSSY B0, {out}\n@P0 BRA {meet}\n" \
	                "@P1 BRA {odd}\neven:\n" each "@P2 BRA {even}\nBRA {meet}\nodd:\n" each                        \
	                "@P2 BRA {odd}\nmeet:\nBSYNC B0\nout:\nVOTE.ANY R8, PT, PT\n"
#define LOOK  "LDG.E.STRONG.SYS R9, [R10]\n"
#define COUNT "IADD3 R8, R8, 0x1, RZ\n"

static void test_patience(void **x)
{
	(void)x;
	EACH(LOOPS(COUNT "ISETP.LT.U32.AND P2, PT, R8, 0x7530, PT\n"), UINT32_MAX);
	EACH(LOOPS(COUNT LOOK "ISETP.LT.U32.AND P2, PT, R8, 0x2710, PT\n"), UINT32_MAX);
	EACH(LOOPS(COUNT "I2F.U32 R12, R8\n" LOOK "FSETP.LT.AND P2, PT, R12, 10000, PT\n"), UINT32_MAX);
	EACH(LOOPS(COUNT LOOK "LOP3.LUT P2, RZ, R8, 0x4000, RZ, 0xc0, !PT\nISETP.LT.U32.AND P2, PT, R8, 0x3000, !P2\n"),
	     UINT32_MAX);
	EACH(LOOPS(COUNT "SHF.R.U32.HI R12, RZ, 0xe, R8\nISETP.EQ.AND P2, PT, R12, RZ, PT\n"), UINT32_MAX);
	EACH(LOOPS("CS2R R12, SR_CLOCKLO\n" LOOK "ISETP.LT.U32.AND P2, PT, R12, 0x20000, PT\n"), UINT32_MAX);
}

/* Lanes 0 to 2 set a flag after a wait for the lanes that spin on the flag. In the end lanes 0 to 2 are let go. */
static void test_spinners(void **x)
{
	(void)x;
	EACH("ISETP.LT.U32.AND P1, PT, R0, 0x3, PT\nMOV R8, 0x9\nMOV R10, c[0x0][0x160]\nMOV R11, c[0x0][0x164]\n"
	     "BSSY B0, {out}\n@P1 BRA {met}\nwait:\nLDG.E.STRONG.SYS R9, [R10]\n"
	     "ISETP.NE.AND P0, PT, R9, 0x9, PT\n@P0 BRA {wait}\nmet:\nBSYNC B0\nout:\n@P1 STG.E.STRONG.SYS [R2], R8\n",
	     9);
}

/* Spins of other kinds: count looks, do more at every 64th look, delay, look at two words, come together in each round. */
static void test_kinds_of_spins(void **x)
{
	(void)x;
#define SPIN(before, look)                                                                                             \
	EACH("ISETP.LT.U32.AND P1, PT, R0, 0x3, PT\nMOV R8, 0x9\nMOV R10, c[0x0][0x160]\nMOV R11, c[0x0][0x164]\n"     \
	     "LOP3.LUT R6, R0, 0x1, RZ, 0xc0, !PT\nISETP.EQ.AND P3, PT, R6, 0x1, PT\nMOV R12, RZ\nMOV R13, RZ\n"       \
	     "BSSY B0, {out}\n@P1 BRA {met}\nwait:\n" before look                                                      \
	     "ISETP.NE.AND P0, PT, R9, 0x9, PT\n@P0 BRA {wait}\nmet:\nBSYNC B0\nout:\n"                                \
	     "@P1 STG.E.STRONG.SYS [R2], R8\n",                                                                        \
	     9)
	SPIN("IADD3 R12, P2, R12, 0x1, RZ\n", LOOK);
	SPIN("IADD3 R12, R12, 0x1, RZ\nLOP3.LUT P2, RZ, R12, 0x3f, RZ, 0xc0, !PT\n@P2 BRA {on}\nNOP\non:\n", LOOK);
	SPIN("MOV R12, RZ\ndelay:\nIADD3 R12, R12, 0x1, RZ\nISETP.LT.U32.AND P2, PT, R12, 0x64, PT\n@P2 BRA {delay}\n",
	     LOOK);
	SPIN("LDG.E.STRONG.SYS R9, [R10+0x4]\nISETP.EQ.AND P2, PT, R9, 0x9, PT\n@P2 BRA {met}\n", LOOK);
	SPIN("BSSY B1, {together}\n@P3 BRA {odd}\n" LOOK "BRA {both}\nodd:\n" LOOK "both:\nBSYNC B1\ntogether:\n", "");
	SPIN("ATOMG.E.CAS.STRONG.GPU PT, R9, [R10], R8, R8\n", "");
	SPIN("ISETP.EQ.U32.AND P2, PT, R0, 0x3, PT\n@P2 " LOOK "SHFL.IDX PT, R9, R9, 0x3, 0x1f\n", ""); /* for all */
}

/* The same, with spinners in code that saved the barrier's lanes and uses the barrier's number. The spinners return
 * with a set that names lanes 0 to 2. By then lanes 0 to 2 wait for the spinners elsewhere. */
static void test_spinners_with_another_set(void **x)
{
	(void)x;
#define FUNCTION(behind)                                                                                               \
	"ISETP.LT.U32.AND P1, PT, R0, 0x3, PT\nMOV R8, 0x9\nMOV R10, c[0x0][0x160]\nMOV R11, c[0x0][0x164]\n"          \
	"BSSY B0, {out}\n@P1 BRA {met}\nBMOV.32.CLEAR R12, B0\nBSSY B0, {in}\nwait:\nLDG.E.STRONG.SYS R9, [R10]\n"     \
	"ISETP.NE.AND P0, PT, R9, 0x9, PT\n@P0 BRA {wait}\nBSYNC B0\nin:\nBMOV.32 B0, R12\nmet:\nBSYNC B0\nout:\n"     \
	"@P1 STG.E.STRONG.SYS [R2], R8\n" behind "VOTE.ANY R8, PT, PT\n"
	EACH(FUNCTION("WARPSYNC 0xffffffff\n"), UINT32_MAX);
	EACH(FUNCTION("BAR.SYNC 0x0\n"), UINT32_MAX);
}

/* Lanes that wait for each other at BSYNCs alone. A set that names absent lanes holds nobody for ever. All lanes at one
 * BSYNC, with two different sets; and lanes at two places. */
static void test_standstill(void **x)
{
	(void)x;
	EACH(P0_LOW16 "MOV R12, 0xffff0001\nSEL R12, R12, 0xffffffff, P0\nBMOV.32 B0, R12\nBSYNC B0\n"
	              "WARPSYNC 0xffffffff\nVOTE.ANY R8, PT, PT\n",
	     UINT32_MAX);
	EACH(P1_ODD "MOV R12, 0xffffffff\nBMOV.32 B0, R12\nBMOV.32 B1, R12\n@P1 BRA {odd}\nBSYNC B0\nBRA {on}\n"
	            "odd:\nBSYNC B1\non:\nWARPSYNC 0xffffffff\nVOTE.ANY R8, PT, PT\n",
	     UINT32_MAX);
}

static void test_call_return(void **x)
{
	(void)x;
	/* two callers, one function; the return address is absolute, hence RET adds minus its next address */
	EACH(P0_LOW16 "MOV R8, 0x64\nMOV R11, RZ\nBSSY B0, {out}\n@P0 BRA {low}\n"
	              "MOV R10, {back1}\nCALL.REL.NOINC {add}\nback1:\nIADD3 R8, R8, 0x1, RZ\nBRA {meet}\n"
	              "low:\nMOV R10, {back2}\nCALL.REL.NOINC {add}\nback2:\nIADD3 R8, R8, 0x2, RZ\n"
	              "meet:\nBSYNC B0\nout:\nBRA {end}\n"
	              "add:\nIADD3 R8, R8, R0, RZ\nRET.REL.NODEC R10 0x0\nend:\nNOP\n",
	     100 + t + (t < 16 ? 2 : 1));
}

/* A lock in shared memory, taken by every lane of several warps. The holder's lanes must make progress while the other
 * lanes of the warp spin. */
#define LOCK                                                                                                           \
	"again:\nATOMS.CAS R9, [RZ], R10, R11\nISETP.NE.AND P0, PT, R9, RZ, PT\n@P0 BRA {again}\n"                     \
	"LDS.U R12, [0x4]\nIADD3 R12, R12, 0x1, RZ\nSTS [0x4], R12\nATOMS.EXCH RZ, [RZ], RZ\n"

static void test_lock(void **x)
{
	(void)x;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct kernel k;
		kernel_init(&k, PROLOGUE
		            "MOV R10, RZ\nMOV R11, 0x1\nISETP.NE.AND P1, PT, R0, RZ, PT\n@!P1 STS.64 [RZ], R14\n"
		            "@!P1 STS [RZ], RZ\n@!P1 STS [0x4], RZ\nBAR.SYNC 0x0\n" LOCK
		            "WARPSYNC 0xffffffff\nBAR.SYNC 0x0\nLDS.U R8, [0x4]\n" STORE_R8);
		k.prog.shared_bytes = 16;
		k.config.seed = seed;
		k.launch.block[0] = 96;
		const uint32_t *out = kernel_words(&k, 0, 96, 0);
		ends(&k);
		for (unsigned i = 0; i < 96; i++)
			assert_int_equal(out[i], 96);
		kernel_free(&k);
	}
}

/* --- named barriers ---------------------------------------------------------------------------------------- */

static void test_barrier_all(void **x)
{
	(void)x;
	struct kernel k; /* warp w passes w turns before the first barrier; neighbours exchange three times */
	kernel_init(
	        &k, PROLOGUE
	        "SHF.R.U32.HI R7, RZ, 0x5, R0\nspin:\nIADD3 R7, R7, -0x1, RZ\nISETP.GT.AND P0, PT, R7, RZ, PT\n@P0 BRA "
	        "{spin}\n"
	        "STS [R0.X4], R0\nBAR.SYNC 0x0\nIADD3 R6, R0, 0x21, RZ\nISETP.GE.U32.AND P0, PT, R6, c[0x0][0x0], PT\n"
	        "@P0 IADD3 R6, R6, -c[0x0][0x0], RZ\nLDS.U R8, [R6.X4]\nBAR.SYNC 0x0\nIADD3 R8, R8, 0x3e8, RZ\nSTS "
	        "[R0.X4], R8\n"
	        "BAR.SYNC 0x0\nLDS.U R8, [R6.X4]\n" STORE_R8);
	k.prog.shared_bytes = 4096;
	k.launch.block[0] = 1000; /* the last warp has 8 lanes */
	const uint32_t *out = kernel_words(&k, 0, 1000, 0);
	ends(&k);
	for (unsigned i = 0; i < 1000; i++)
		assert_int_equal(out[i], 1000 + (i + 66) % 1000);
	kernel_free(&k);
}

/* Warps 1..3 hand items to warp 0 over barriers 1 (full) and 2 (empty): ARV on one side, SYNC on the other. */
static void test_producer_consumer(void **x)
{
	(void)x;
	struct kernel k;
	kernel_init(&k, PROLOGUE "MOV R8, RZ\nMOV R9, RZ\nISETP.LT.U32.AND P0, PT, R0, 0x20, PT\n@P0 BRA {consume}\n"
	                         "produce:\nIADD3 R9, R9, 0x1, RZ\nIMAD R10, R9, 0x64, R0\nSTS [R0.X4], R10\nBAR.ARV "
	                         "0x1, 0x80\nBAR.SYNC 0x2, 0x80\n"
	                         "ISETP.LT.U32.AND P1, PT, R9, 0x4, PT\n@P1 BRA {produce}\nEXIT\n"
	                         "consume:\nIADD3 R9, R9, 0x1, RZ\nBAR.SYNC 0x1, 0x80\nLDS.U R10, [R0.X4+0x80]\nLDS.U "
	                         "R11, [R0.X4+0x100]\nLDS.U R12, [R0.X4+0x180]\n"
	                         "IADD3 R8, R8, R10, R11\nIADD3 R8, R8, R12, RZ\nBAR.ARV 0x2, 0x80\n"
	                         "ISETP.LT.U32.AND P1, PT, R9, 0x4, PT\n@P1 BRA {consume}\n" STORE_R8);
	k.prog.shared_bytes = 512;
	k.launch.block[0] = 128;
	const uint32_t *out = kernel_words(&k, 0, 128, 0);
	ends(&k);
	for (unsigned i = 0; i < 32; i++) /* sum over turns 1..4 and warps 1..3 of 100 turn + thread */
		assert_int_equal(out[i], 3 * 1000 + 4 * (3 * i + 32 + 64 + 96));
	kernel_free(&k);
}

/* A barrier of all threads no longer counts an ended warp. */
static void test_barrier_and_exit(void **x)
{
	(void)x;
	struct kernel k;
	kernel_init(&k, PROLOGUE "ISETP.LT.U32.AND P0, PT, R0, 0x40, PT\nMOV R8, 0x9\n@!P0 EXIT\nBAR.SYNC 0x0\n"
	                         "ISETP.LT.U32.AND P0, PT, R0, 0x5, PT\n@P0 EXIT\nBAR.SYNC 0x0\n" STORE_R8);
	k.launch.block[0] = 160;
	const uint32_t *out = kernel_words(&k, 0, 160, 0);
	ends(&k);
	for (unsigned i = 0; i < 160; i++)
		assert_int_equal(out[i], i < 5 || i >= 64 ? 0 : 9);
	kernel_free(&k);
}

/* Lanes of a warp come to the barrier by different paths. */
static void test_barrier_divergent(void **x)
{
	(void)x;
	EACH(P0_LOW16 "@P0 BRA {low}\nBAR.SYNC 0x0\nBRA {on}\nlow:\nYIELD\nBAR.SYNC 0x0\non:\nMOV R8, R0\n", t);
}

/* --- runs with a bad end ------------------------------------------------------------------------------------ */

static void expect_end(const char *text, enum wl_outcome outcome, const char *const *phrases)
{
	struct kernel k;
	kernel_init(&k, text);
	k.prog.shared_bytes = 256;
	k.launch.block[0] = 64;
	kernel_words(&k, 0, 64, 0);
	enum wl_outcome o = kernel_run(&k);
	if (o != outcome)
		fail_msg("%s: outcome %s: %s", text, wl_outcome_name(o), k.detail);
	for (; *phrases; phrases++)
		if (!strstr(k.detail, *phrases))
			fail_msg("'%s' is not in: %s", *phrases, k.detail);
	kernel_free(&k);
}
#define EXPECT(text, outcome, ...) expect_end(text, outcome, (const char *const[]){__VA_ARGS__, NULL})

static void test_faults(void **x)
{
	(void)x;
	EXPECT(PROLOGUE "ISETP.EQ.AND P0, PT, R0, 0x25, PT\n@P0 IADD3 R2, R2, 0x1, RZ\nLDG.E.SYS R8, [R2]\nEXIT\n",
	       WL_FAULTED, "MISALIGNED_ADDRESS", "kernel test", "pc 0x70", "`LDG.E.SYS R8, [R2]`", "CTA 0", "warp 1",
	       "lanes 0x00000020", "address 0x300000095");
	EXPECT(PROLOGUE "STG.E.SYS [R2+0x80], R0\nEXIT\n", WL_FAULTED, "GLOBAL_OUT_OF_RANGE",
	       "`STG.E.SYS [R2+0x80], R0`", "lanes 0xffffffff", "address 0x300000100");
	/* three lanes of a warp, and five: the last lane is outside; all lanes are misaligned */
	EXPECT(PROLOGUE "ISETP.LT.U32.AND P0, PT, R0, 0x3, PT\n@P0 LDG.E.SYS R8, [R2+0xf8]\nEXIT\n", WL_FAULTED,
	       "GLOBAL_OUT_OF_RANGE", "lanes 0x00000004", "address 0x300000100");
	EXPECT(PROLOGUE "ISETP.LT.U32.AND P0, PT, R0, 0x5, PT\n@P0 STG.E.SYS [R2+0xf0], R0\nEXIT\n", WL_FAULTED,
	       "GLOBAL_OUT_OF_RANGE", "lanes 0x00000010", "address 0x300000100");
	EXPECT(PROLOGUE "ISETP.LT.U32.AND P0, PT, R0, 0x3, PT\n@P0 RED.E.ADD.STRONG.GPU [R2+0x2], R0\nEXIT\n",
	       WL_FAULTED, "MISALIGNED_ADDRESS", "lanes 0x00000007", "address 0x300000002");
	EXPECT("MOV R2, RZ\nMOV R3, RZ\nRED.E.ADD.STRONG.GPU [R2], R0\nEXIT\n", WL_FAULTED, "GLOBAL_OUT_OF_RANGE",
	       "address 0x0;");
	EXPECT("S2R R0, SR_TID.X\nSTS [R0.X4+0x10], R0\nEXIT\n", WL_FAULTED, "SHARED_OUT_OF_RANGE", "lanes 0xf0000000",
	       "address 0x100", "warp 1");
	EXPECT("S2R R0, SR_TID.X\nATOMS.ADD R1, [R0+0x1], R0\nEXIT\n", WL_FAULTED, "MISALIGNED_ADDRESS",
	       "lanes 0x77777777", "address 0x1");
	EXPECT("MOV R0, 0x100\nLDL R1, [R0]\nEXIT\n", WL_FAULTED, "LOCAL_OUT_OF_RANGE", "address 0x100");
	EXPECT("S2R R0, SR_TID.X\nISETP.EQ.AND P0, PT, R0, RZ, PT\n@P0 EXIT\nNOP\n", WL_FAULTED, "INVALID_PC",
	       "pc 0x40", "the code ends at 0x40");
	EXPECT("NOP\nBRA 0x1000\n", WL_FAULTED, "INVALID_PC");
}

static void test_source_line(void **x)
{
	(void)x;
	struct kernel k;
	uint32_t lines[] = {7, 31, 32};
	char source[] = "hist.ptx";
	kernel_init(&k, "MOV R2, 0x3\nLDS R4, [R2]\nEXIT\n");
	k.prog.lines = lines;
	k.prog.source = source;
	assert_int_equal(kernel_run(&k), WL_FAULTED);
	assert_non_null(strstr(k.detail, "(hist.ptx, line 31)"));
	k.prog.lines = NULL;
	k.prog.source = NULL;
	kernel_free(&k);
}

static void test_deadlocks(void **x)
{
	(void)x;
	EXPECT(PROLOGUE "ISETP.LT.U32.AND P0, PT, R0, 0x20, PT\n@P0 BRA {first}\nBAR.SYNC 0x1, "
	                "0x40\nEXIT\nfirst:\nBAR.SYNC 0x2, 0x40\nEXIT\n",
	       WL_DEADLOCK, "no warp of kernel test can go on", "barrier 2: 32 of 64 threads arrived", "and 1 more");
	EXPECT("S2R R0, SR_LANEID\n" P0_LOW16 "@P0 BRA {low}\nBAR.SYNC 0x0\nEXIT\nlow:\nWARPSYNC 0xffffffff\nEXIT\n",
	       WL_DEADLOCK, "waits at barrier 0 for lanes 0x0000ffff of its warp", "and 3 more");
}

/* The longer report has a line for each group of lanes. */
static void find_line(void *self, const char *text)
{
	*(unsigned *)self += strstr(text, "`WARPSYNC 0xffffffff`") && strstr(text, "waits for lanes 0xffff0000");
}

static void test_explain(void **x)
{
	(void)x;
	struct kernel k;
	unsigned lines = 0;
	kernel_init(&k, "S2R R0, SR_LANEID\n" P0_LOW16
	                "@P0 BRA {low}\nBAR.SYNC 0x0\nEXIT\nlow:\nWARPSYNC 0xffffffff\nEXIT\n");
	k.launch.block[0] = 64;
	assert_int_equal(kernel_run(&k), WL_DEADLOCK);
	wl_gpu_explain(k.gpu, find_line, &lines);
	assert_int_equal(lines, 2);
	kernel_free(&k);
}

static void test_limit(void **x)
{
	(void)x;
	EXPECT("NOP\nagain:\nIADD3 R0, R0, 0x1, RZ\nBRA {again}\n", WL_LIMIT,
	       "not at its end after 1000000 warp instructions", "CTA 0 warp 0", "and 1 more");
}

static void test_not_built(void **x)
{
	(void)x;
	EXPECT("S2R R0, SR_PM0\nEXIT\n", WL_ERROR, "special register 100", "S2R R0, SR_PM0");
	EXPECT("BMOV.32 R4, MACTIVE\nEXIT\n", WL_ERROR, "not built yet", "BMOV.32 R4, MACTIVE");
	EXPECT("MOV R0, c[0x5][0x10]\nEXIT\n", WL_ERROR, "constant bank 5");
	EXPECT("ISETP.NE.AND P0, PT, RZ, RZ, PT\n@P0 BMOV.32 R4, MACTIVE\n@P0 MOV R0, c[0x5][0x10]\nEXIT\n", WL_ENDED,
	       "ended");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_if_else),
	        cmocka_unit_test(test_nested),
	        cmocka_unit_test(test_uniforms_of_groups),
	        cmocka_unit_test(test_same_number_on_both_sides),
	        cmocka_unit_test(test_loop),
	        cmocka_unit_test(test_break),
	        cmocka_unit_test(test_save_and_restore),
	        cmocka_unit_test(test_no_barrier),
	        cmocka_unit_test(test_exit_inside),
	        cmocka_unit_test(test_warpsync),
	        cmocka_unit_test(test_warpsync_constant),
	        cmocka_unit_test(test_no_lane),
	        cmocka_unit_test(test_some_lanes),
	        cmocka_unit_test(test_patience),
	        cmocka_unit_test(test_kinds_of_spins),
	        cmocka_unit_test(test_spinners),
	        cmocka_unit_test(test_spinners_with_another_set),
	        cmocka_unit_test(test_standstill),
	        cmocka_unit_test(test_call_return),
	        cmocka_unit_test(test_lock),
	        cmocka_unit_test(test_barrier_all),
	        cmocka_unit_test(test_producer_consumer),
	        cmocka_unit_test(test_barrier_and_exit),
	        cmocka_unit_test(test_barrier_divergent),
	        cmocka_unit_test(test_faults),
	        cmocka_unit_test(test_source_line),
	        cmocka_unit_test(test_deadlocks),
	        cmocka_unit_test(test_explain),
	        cmocka_unit_test(test_limit),
	        cmocka_unit_test(test_not_built),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

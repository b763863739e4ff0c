// SPDX-License-Identifier: Apache-2.0
/* front_test.c -- FRONT on small kernels: special registers, collectives, floats, memory, global atomics, grids. The
 * host computes the expected values, thread by thread. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "kernel_test.h"
#include "warplock/observe.h"

#define EACH(body, want) EACH_THREAD(64, body, want)

static void test_special(void **x)
{
	(void)x;
	EACH("S2R R8, SR_LANEID\n", lane);
	EACH("S2R R8, SR_TID.X\n", t);
	EACH("S2R R8, SR_TID.Y\n", 0);
	EACH("S2R R8, SR_CTAID.X\n", 0);
	EACH("S2R R8, SR_EQMASK\n", 1u << lane);
	EACH("S2R R8, SR_LTMASK\n", (1u << lane) - 1);
	EACH("S2R R8, SR_LEMASK\n", (2u << lane) - 1);
	EACH("S2R R8, SR_GTMASK\n", ~((2u << lane) - 1));
	EACH("S2R R8, SR_GEMASK\n", ~((1u << lane) - 1));
	EACH("CS2R R8, SRZ\n", 0);
	EACH("CS2R R6, SRZ\nMOV R8, R7\n", 0);
	EACH("S2UR UR4, SR_CTAID.X\nMOV R8, UR4\n", 0);
	EACH("ULDC.64 UR4, c[0x0][0x0]\nMOV R8, UR4\n", 64);
	EACH("ULDC.64 UR4, c[0x0][0x0]\nMOV R8, UR5\n", 1);
	EACH("LDC R8, c[0x0][0x0]\n", 64);
	EACH("R2UR UR4, R0\nMOV R8, UR4\n", t & ~31u);
	/* clock: instructions issued; the later value is not smaller */
	EACH("CS2R R6, SR_CLOCKLO\nCS2R R8, SR_CLOCKLO\nIADD3 R8, R8, -R6, RZ\n", 1);
}

static void test_three_dimensions(void **x)
{
	(void)x;
	struct kernel k;
	kernel_init(&k, "S2R R0, SR_TID.X\nS2R R1, SR_TID.Y\nS2R R2, SR_TID.Z\n"
	                "S2R R3, SR_CTAID.X\nS2R R4, SR_CTAID.Y\nS2R R5, SR_CTAID.Z\n"
	                "IMAD R6, R2, 0x3, R1\nIMAD R6, R6, 0x5, R0\n" /* thread = (z * 3 + y) * 5 + x */
	                "IMAD R7, R5, 0x2, R4\nIMAD R7, R7, 0x3, R3\n" /* CTA = (z * 2 + y) * 3 + x */
	                "IMAD R7, R7, 0x1e, R6\n"
	                "MOV R9, 0x4\nIMAD.WIDE.U32 R8, R7, R9, c[0x0][0x160]\n"
	                "STG.E.SYS [R8], R7\nEXIT\n");
	memcpy(k.launch.block, (uint32_t[]){5, 3, 2}, sizeof k.launch.block);
	memcpy(k.launch.grid, (uint32_t[]){3, 2, 4}, sizeof k.launch.grid);
	const uint32_t *out = kernel_words(&k, 0, 30 * 24, 0xffffffff);
	ends(&k);
	for (uint32_t i = 0; i < 30 * 24; i++)
		assert_int_equal(out[i], i);
	kernel_free(&k);
}

static uint32_t lanes_with(uint32_t (*bit)(uint32_t))
{
	uint32_t m = 0;
	for (uint32_t i = 0; i < 32; i++)
		m |= bit(i) << i;
	return m;
}
static uint32_t is_multiple_of_3(uint32_t lane)
{
	return lane % 3 == 0;
}

#define P_THIRD "IMAD.WIDE.U32 R6, R0, -0x55555555, RZ\nSHF.R.U32.HI R7, RZ, 0x1, R7\nIMAD R6, R7, -0x3, R0\n"

static void test_vote(void **x)
{
	(void)x;
	uint32_t third = lanes_with(is_multiple_of_3);
	/* lane % 3 through the lane number of the first warp */
	EACH("S2R R0, SR_LANEID\n" P_THIRD "ISETP.EQ.AND P0, PT, R6, RZ, PT\nVOTE.ANY R8, PT, P0\n", third);
	EACH("VOTE.ANY R8, PT, PT\n", 0xffffffff);
	EACH("ISETP.LT.U32.AND P0, PT, R0, 0x28, PT\nVOTE.ALL R6, P1, P0\nSEL R8, R0, RZ, P1\n", t < 32 ? t : 0);
	EACH("ISETP.GT.U32.AND P0, PT, R0, 0x28, PT\nVOTE.ANY R6, P1, P0\nSEL R8, R0, RZ, P1\n", t < 32 ? 0 : t);
	EACH("ISETP.GT.U32.AND P0, PT, R0, 0x3f, PT\nVOTE.EQ R6, P1, P0\nMOV R8, 0x1\nSEL R8, R8, RZ, P1\n", 1);
	EACH("S2R R6, SR_LANEID\nISETP.LT.U32.AND P0, PT, R6, 0x5, PT\nVOTEU.ANY UR4, UPT, P0\nMOV R8, UR4\n", 0x1f);
	EACH("S2R R6, SR_LANEID\nISETP.LT.U32.AND P0, PT, R6, 0x5, PT\nVOTEU.ANY UR4, UPT, P0\n"
	     "UPOPC UR5, UR4\nUFLO.U32 UR6, UR4\nMOV R8, UR5\nIMAD R8, R8, 0x64, RZ\nMOV R9, UR6\nIADD3 R8, R8, R9, "
	     "RZ\n",
	     504);
	/* only active lanes vote */
	EACH("MOV R8, 0x7\nISETP.GE.U32.AND P0, PT, R0, 0x4, PT\n@P0 VOTE.ANY R8, PT, PT\n", t < 4    ? 7
	                                                                                     : t < 32 ? 0xfffffff0
	                                                                                              : 0xffffffff);
}

static void test_shuffle(void **x)
{
	(void)x;
	EACH("SHFL.IDX PT, R8, R0, 0x5, 0x1f\n", (t & ~31u) + 5);
	EACH("SHFL.BFLY PT, R8, R0, 0x10, 0x1f\n", t ^ 16);
	EACH("SHFL.UP PT, R8, R0, 0x1, RZ\n", lane ? t - 1 : t);
	EACH("SHFL.DOWN PT, R8, R0, 0x3, 0x1f\n", lane < 29 ? t + 3 : t);
	EACH("SHFL.UP P0, R6, R0, 0x4, RZ\nSEL R8, R6, 0x63, P0\n", lane >= 4 ? t - 4 : 99);
	EACH("SHFL.DOWN P0, R6, R0, 0x4, 0x1f\nSEL R8, R6, 0x63, P0\n", lane < 28 ? t + 4 : 99);
	/* segments of 8 lanes: c = (32 - 8) << 8 | clamp */
	EACH("SHFL.IDX PT, R8, R0, 0x2, 0x181f\n", (t & ~7u) + 2);
	EACH("SHFL.DOWN PT, R8, R0, 0x2, 0x1807\n", lane % 8 < 6 ? t + 2 : t);
	EACH("SHFL.UP PT, R8, R0, 0x2, 0x1800\n", lane % 8 >= 2 ? t - 2 : t);
	EACH("LOP3.LUT R6, R0, 0x1f, RZ, 0x3c, !PT\nSHFL.IDX PT, R8, R0, R6, 0x1f\n", t ^ 31);
	/* an inactive lane gives 0, and the predicate tells of the range */
	EACH("MOV R8, 0x7\nIADD3 R6, R0, 0x64, RZ\nISETP.LT.U32.AND P1, PT, R0, 0x10, PT\n@P1 SHFL.IDX P0, R8, R6, "
	     "0x14, "
	     "0x1f\n@P1 SEL R8, R8, 0x63, P0\n",
	     t < 16 ? 0 : 7);
	EACH("MOV R8, 0x7\nISETP.LT.U32.AND P1, PT, R0, 0x10, PT\n@P1 SHFL.DOWN P0, R8, R0, 0x8, 0x1f\n", t < 8 ? t + 8
	                                                                                                  : t < 16 ? 0
	                                                                                                           : 7);
}

static uint32_t bits_of(float f)
{
	uint32_t u;
	memcpy(&u, &f, 4);
	return u;
}

static void test_float(void **x)
{
	(void)x;
	EACH("I2F.U32 R8, R0\n", bits_of((float)t));
	EACH("IADD3 R6, R0, -0x20, RZ\nI2F R8, R6\n", bits_of((float)((int)t - 32)));
	/* 2^25 + t: the last two bits of the integer are rounded away */
	EACH("IADD3 R6, R0, 0x2000000, RZ\nI2F.U32 R8, R6\n", bits_of((float)(0x2000000 + t)));
	EACH("IADD3 R6, R0, 0x2000000, RZ\nI2F.U32.RP R8, R6\n", bits_of(0x1p25f) + (t + 3) / 4);
	EACH("IADD3 R6, R0, 0x2000000, RZ\nI2F.U32.RZ R8, R6\n", bits_of(0x1p25f) + t / 4);
	EACH("IADD3 R6, R0, 0x2000000, RZ\nI2F.U32.RM R8, R6\n", bits_of(0x1p25f) + t / 4);
	EACH("MOV R6, 0xffffffff\nI2F.U32 R8, R6\n", bits_of(0x1p32f));
	EACH("I2F.U32 R6, R0\nMUFU.RCP R8, R6\n", t ? bits_of(1.0f / (float)t) : 0x7f800000);
	EACH("I2F.U32 R6, R0\nFMUL R6, R6, 0.75\nF2I.FTZ.U32.TRUNC.NTZ R8, R6\n", t * 3 / 4);
	EACH("I2F.U32 R6, R0\nFMUL R6, R6, -0.75\nF2I.FTZ.U32.TRUNC.NTZ R8, R6\n", 0);
	EACH("I2F.U32 R6, R0\nFMUL R6, R6, -0.75\nF2I.TRUNC.NTZ R8, R6\n", -(int)(t * 3 / 4));
	EACH("I2F.U32 R6, R0\nFMUL R6, R6, 1e+30\nF2I.FTZ.U32.TRUNC.NTZ R8, R6\n", t ? 0xffffffff : 0);
	EACH("I2F.U32 R6, R0\nMOV R7, 0x3f000000\nFADD R8, R6, R7\n", bits_of((float)t + 0.5f));
	EACH("I2F.U32 R6, R0\nFADD R8, R6, -R6\n", 0);
	EACH("I2F.U32 R6, R0\nFFMA R8, R6, R6, 1\n", bits_of((float)(t * t + 1)));
	/* one rounding only: (1 + t 2^-23)^2 - 1 shows a second */
	EACH("IADD3 R6, R0, 0x3f800000, RZ\nFFMA R8, R6, R6, -1\n",
	     bits_of((float)((double)(1 + t * 0x1p-23) * (1 + t * 0x1p-23) - 1)));
}

/* Unsigned division as compilers build it: approximate reciprocal, one Newton step in integers, two corrections. */
static void test_division(void **x)
{
	(void)x;
	for (uint32_t divisor = 1; divisor < 200; divisor += divisor < 10 ? 1 : 37) {
		struct kernel k;
		kernel_init(
		        &k, PROLOGUE
		        "IMAD R12, R0, 0x9e3779b, R0\nMOV R13, c[0x0][0x168]\n"
		        "I2F.U32.RP R6, R13\nMUFU.RCP R6, R6\nIADD3 R6, R6, 0xffffffe, RZ\n"
		        "F2I.FTZ.U32.TRUNC.NTZ R7, R6\nIADD3 R9, RZ, -R7, RZ\nIMAD R9, R9, R13, RZ\n"
		        "MOV R6, RZ\nIMAD.HI.U32 R7, R7, R9, R6\n"
		        "IMAD.HI.U32 R8, R7, R12, RZ\n"
		        "IADD3 R9, RZ, -R8, RZ\nIMAD R9, R9, R13, R12\n"
		        "ISETP.GE.U32.AND P0, PT, R9, R13, PT\n@P0 IADD3 R9, R9, -R13, RZ\n@P0 IADD3 R8, R8, 0x1, RZ\n"
		        "ISETP.GE.U32.AND P0, PT, R9, R13, PT\n@P0 IADD3 R8, R8, 0x1, RZ\n" STORE_R8);
		k.launch.block[0] = 64;
		k.param[1] = divisor;
		const uint32_t *out = kernel_words(&k, 0, 64, 0);
		ends(&k);
		for (uint32_t t = 0; t < 64; t++) {
			uint32_t n = t * 0x9e3779bu + t;
			if (out[t] != n / divisor)
				fail_msg("%u / %u = %u", n, divisor, out[t]);
		}
		kernel_free(&k);
	}
}

static void test_global_memory(void **x)
{
	(void)x;
	struct kernel k;
	/* every size; the bytes of a word are joined again in another width */
	kernel_init(&k,
	            PROLOGUE "LDG.E.SYS R8, [R2]\nMOV R7, 0x10\nIMAD.WIDE.U32 R10, R0, R7, c[0x0][0x168]\n"
	                     "STG.E.U8.SYS [R10], R8\nSHF.R.U32.HI R9, RZ, 0x8, R8\nSTG.E.U8.SYS [R10+0x1], R9\n"
	                     "SHF.R.U32.HI R9, RZ, 0x10, R8\nSTG.E.U16.SYS [R10+0x2], R9\n"
	                     "LDG.E.S8.SYS R12, [R10+0x3]\nLDG.E.U8.SYS R13, [R10+0x3]\nSTG.E.64.SYS [R10+0x8], R12\n"
	                     "LDG.E.128.SYS R16, [R10]\nMOV R20, R19\nMOV R21, R18\nMOV R22, R17\nMOV R23, R16\n"
	                     "STG.E.128.SYS [R10], R20\nLDG.E.S16.SYS R24, [R2+0x2]\nLDG.E.U16.SYS R25, [R2+0x2]\n"
	                     "IMAD.WIDE.U32 R10, R0, R7, c[0x0][0x170]\nSTG.E.64.SYS [R10+-0x8], R24\nEXIT\n");
	uint32_t *in = kernel_words(&k, 0, 32, 0), *out = kernel_words(&k, 1, 128, 0),
	         *more = kernel_words(&k, 2, 128, 0);
	k.param[2] += 8;
	for (uint32_t i = 0; i < 32; i++)
		in[i] = i * 0x9e3779b9u;
	ends(&k);
	for (uint32_t i = 0; i < 32; i++) {
		assert_int_equal(out[4 * i + 3], in[i]);
		assert_int_equal(out[4 * i + 2], 0);
		assert_int_equal(out[4 * i + 1], (uint32_t)(int8_t)(in[i] >> 24));
		assert_int_equal(out[4 * i], in[i] >> 24);
		assert_int_equal(more[4 * i], (uint32_t)(int16_t)(in[i] >> 16));
		assert_int_equal(more[4 * i + 1], in[i] >> 16);
	}
	kernel_free(&k);
}

static void local_memory(const char *body)
{
	struct kernel k;
	char text[1000];
	snprintf(text, sizeof text, "%s%s%s", PROLOGUE "MOV R6, 0x7\nMOV R7, 0x9\n", body,
	         "IADD3 R8, R8, R12, R13\n" STORE_R8);
	kernel_init(&k, text);
	k.prog.local_bytes = 32;
	k.launch.block[0] = 64;
	k.launch.grid[0] = 3;
	const uint32_t *out = kernel_words(&k, 0, 192, 0);
	ends(&k);
	for (uint32_t i = 0; i < 192; i++)
		assert_int_equal(out[i], i + 16);
	kernel_free(&k);
}

static void test_local_memory(void **x)
{
	(void)x;
	local_memory("MOV R10, c[0x0][0x28]\nIADD3 R10, R10, -0x20, RZ\nSTL [R10], R5\nSTL.64 [R10+0x8], R6\n"
	             "LDL R8, [R10]\nLDL.64 R12, [R10+0x8]\n");
	/* with a uniform base, alone and beside a register */
	local_memory("MOV R10, 0x4\nULDC UR4, c[0x0][0x28]\nUIADD3 UR4, UR4, -0x20, URZ\nSTL [UR4], R5\n"
	             "STL.64 [R10+UR4+0x4], R6\nLDL R8, [R10+UR4+-0x4]\nLDL.64 R12, [UR4+0x8]\n");
}

static void test_global_atomics(void **x)
{
	(void)x;
	struct kernel k;
	/* words of parameter 1: 0 add, 1 max u32, 2 min s32, 3 or, 4 and, 5 xor, 6 inc, 7 cas ticket, 8:9 add.64 */
	kernel_init(
	        &k, PROLOGUE
	        "MOV R10, c[0x0][0x168]\nMOV R11, c[0x0][0x16c]\nMOV R6, 0x1\n"
	        "ATOMG.E.ADD.STRONG.GPU PT, R8, [R10], R6\nSTG.E.SYS [R2], R8\n"
	        "RED.E.MAX.STRONG.GPU [R10+0x4], R5\nIADD3 R7, RZ, -R5, RZ\nRED.E.MIN.S32.STRONG.GPU [R10+0x8], R7\n"
	        "S2R R9, SR_LANEID\nSHF.L.U32 R9, R6, R9, RZ\nRED.E.OR.STRONG.GPU [R10+0xc], R9\n"
	        "LOP3.LUT R9, RZ, R9, RZ, 0x33, !PT\nRED.E.AND.STRONG.GPU [R10+0x10], R9\n"
	        "RED.E.XOR.STRONG.GPU [R10+0x14], R5\nMOV R9, 0x9\nATOMG.E.INC.STRONG.GPU PT, R8, [R10+0x18], R9\n"
	        "again:\nLDG.E.SYS R12, [R10+0x1c]\nIADD3 R13, R12, 0x3, RZ\n"
	        "ATOMG.E.CAS.STRONG.GPU PT, R14, [R10+0x1c], R12, R13\nISETP.NE.AND P0, PT, R14, R12, PT\n@P0 BRA "
	        "{again}\n"
	        "MOV R16, 0xffffffff\nMOV R17, 0x1\nRED.E.ADD.64.STRONG.GPU [R10+0x20], R16\nEXIT\n");
	k.launch.block[0] = 96;
	k.launch.grid[0] = 5;
	uint32_t *out = kernel_words(&k, 0, 480, 0), *m = kernel_words(&k, 1, 10, 0), seen[480] = {0}, eor = 0;
	m[4] = 0xffffffff;
	m[6] = 4;
	ends(&k);
	for (uint32_t i = 0; i < 480; i++) {
		assert_true(out[i] < 480 && !seen[out[i]]);
		seen[out[i]] = 1;
		eor ^= i;
	}
	assert_int_equal(m[0], 480);
	assert_int_equal(m[1], 479);
	assert_int_equal(m[2], (uint32_t)-479);
	assert_int_equal(m[3], 0xffffffff);
	assert_int_equal(m[4], 0);
	assert_int_equal(m[5], eor);
	assert_int_equal(m[6], (4 + 480) % 10);
	assert_int_equal(m[7], 480 * 3);
	assert_int_equal((uint64_t)m[9] << 32 | m[8], 480 * UINT64_C(0x1ffffffff));
	kernel_free(&k);
}

/* A loop of the whole warp, then two halves that take numbers from one counter. The order of the numbers shows the ends
 * of the halves' turns. With an observer the model runs another loop over the instructions. Both loops must make the
 * same turns. */
enum { TURN_WORDS = 64, TAKEN = 40 };
static void numbers_taken(uint32_t rounds, const struct wl_observer *o, uint32_t out[32])
{
	static char text[8192];
	struct kernel k;
	size_t n = (size_t)snprintf(text, sizeof text,
	                            "S2R R0, SR_TID.X\nMOV R2, c[0x0][0x160]\nMOV R3, c[0x0][0x164]\nMOV R5, 0x1\n"
	                            "MOV R6, RZ\nMOV R10, RZ\nMOV R9, 0x4\n"
	                            "IMAD.WIDE.U32 R12, R0, R9, c[0x0][0x168]\nagain:\nIADD3 R10, R10, 0x1, RZ\n"
	                            "ISETP.LT.U32.AND P0, PT, R10, 0x%x, PT\n@P0 BRA {again}\n"
	                            "ISETP.LT.U32.AND P1, PT, R0, 0x10, PT\n@P1 BRA {low}\n",
	                            (unsigned)rounds);
	for (unsigned half = 0; half < 2; half++) {
		for (unsigned i = 0; i < TAKEN; i++)
			n += (size_t)snprintf(text + n, sizeof text - n,
			                      "ATOMG.E.ADD.STRONG.GPU PT, R4, [R2], R5\nIMAD R6, R6, 0x3, R4\n");
		n += (size_t)snprintf(text + n, sizeof text - n, "STG.E.SYS [R12], R6\nEXIT\n%s", half ? "" : "low:\n");
	}
	kernel_init(&k, text);
	kernel_words(&k, 0, 1, 0);
	const uint32_t *words = kernel_words(&k, 1, 32, 0);
	kernel_start(&k);
	wl_gpu_observe(k.gpu, o);
	assert_int_equal(wl_gpu_run(k.gpu), WL_ENDED);
	memcpy(out, words, 32 * sizeof *out);
	kernel_free(&k);
}

static void look(void *self, const struct wl_seen *e)
{
	(void)self;
	(void)e;
}

static void test_turns(void **x)
{
	(void)x;
	const struct wl_observer o = {.event = look, .issues = true};
	uint32_t quick[32], seen[32];
	for (uint32_t rounds = 1; rounds <= TURN_WORDS; rounds++) {
		numbers_taken(rounds, NULL, quick);
		numbers_taken(rounds, &o, seen);
		assert_memory_equal(quick, seen, sizeof quick);
	}
}

/* CTAs: numbers, windows without overlap, slots used again, several SMs. */
static void test_grid(void **x)
{
	(void)x;
	for (unsigned sms = 1; sms <= 3; sms += 2) {
		struct kernel k;
		kernel_init(&k, PROLOGUE "STS [R0.X4], R5\nBAR.SYNC 0x0\nLOP3.LUT R6, R0, 0x3f, RZ, 0x3c, !PT\nLDS.U "
		                         "R8, [R6.X4]\n" STORE_R8);
		k.prog.shared_bytes = 1000; /* rounded up to 1008 */
		k.config.sms = sms;
		k.config.shared_bytes = 4096;
		k.launch.block[0] = 64;
		k.launch.grid[0] = 50;
		const uint32_t *out = kernel_words(&k, 0, 64 * 50, 0);
		ends(&k);
		assert_int_equal(wl_gpu_resident(k.gpu), 4 * sms);
		for (uint32_t i = 0; i < 64 * 50; i++)
			assert_int_equal(out[i], i ^ 63);
		assert_int_equal(wl_gpu_executed(k.gpu, WL_UNIT_atoms_pipe), 50 * 2 * 2);
		assert_int_equal(wl_gpu_executed(k.gpu, WL_UNIT_barrier_file), 50 * 2);
		kernel_free(&k);
	}
}

/* Start contents depend on the seed alone. */
static void test_seed(void **x)
{
	(void)x;
	uint32_t first[64] = {0};
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct kernel k;
		kernel_init(&k, PROLOGUE "LDS R9, [R0.X4]\nSEL R10, R9, 0x5, P3\nIADD3 R8, R20, R10, RZ\n" STORE_R8);
		k.prog.shared_bytes = 1024;
		k.launch.block[0] = 64;
		k.config.seed = seed == 3 ? 1 : seed;
		const uint32_t *out = kernel_words(&k, 0, 64, 0);
		ends(&k);
		if (seed == 1)
			memcpy(first, out, sizeof first);
		else
			assert_int_equal(memcmp(first, out, sizeof first) == 0, seed == 3);
		kernel_free(&k);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_special),        cmocka_unit_test(test_three_dimensions),
	        cmocka_unit_test(test_vote),           cmocka_unit_test(test_shuffle),
	        cmocka_unit_test(test_float),          cmocka_unit_test(test_division),
	        cmocka_unit_test(test_global_memory),  cmocka_unit_test(test_local_memory),
	        cmocka_unit_test(test_global_atomics), cmocka_unit_test(test_grid),
	        cmocka_unit_test(test_seed),           cmocka_unit_test(test_turns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL) | kernel_covers("front_test");
}

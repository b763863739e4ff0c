// SPDX-License-Identifier: Apache-2.0
/* uop_control_test.c -- branches, calls, convergence, collectives, barriers, special registers and constants in ptxas's
 * forms, on sm_75 and sm_90, in a CTA of two warps. The host computes R8 of each thread for comparison. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../cmodel/sm/gpu.h"
#include "kernel.h"

enum { THREADS = 64, ALL = 0, SM75 = 75, SM90 = 90 };

/* R0 = lane, P0 = lane < 16, P1 = lane is odd, R4 = a mixed number of the lane. */
#define PROLOGUE                                                                                                       \
	"S2R R0, SR_LANEID\n"                                                                                          \
	"ISETP.LT.U32.AND P0, PT, R0, 0x10, PT\n"                                                                      \
	"LOP3.LUT R1, R0, 0x1, RZ, 0xc0, !PT\n"                                                                        \
	"ISETP.NE.U32.AND P1, PT, R1, RZ, PT\n"                                                                        \
	"IMAD R4, R0, 0x9e3779b1, R0\n"
static uint32_t mixed(uint32_t lane)
{
	return lane * 0x9e3779b1u + lane;
}

static void run(enum wl_arch arch, const char *body, uint32_t r8[THREADS])
{
	char text[2000];
	struct kernel k;
	snprintf(text, sizeof text, PROLOGUE "%sEXIT\n", body);
	kernel_init_for(&k, arch, text);
	k.launch.block[0] = THREADS;
	k.prog.shared_bytes = 16 * THREADS;
	k.param[0] = UINT64_C(0x8899aabbccddeeff);
	if (kernel_run(&k) != WL_ENDED)
		fail_msg("sm_%d: %s%s", (int)arch, body, k.detail);
	for (unsigned t = 0; t < THREADS; t++)
		r8[t] = gpu_regs(k.gpu, 0, t / 32)[8][t % 32];
	kernel_free(&k);
}

/* only: one architecture, or ALL; want: expression over t (thread) and lane. */
#define EACH(only, body, want)                                                                                         \
	for (int arch = SM75; arch <= SM90; arch += SM90 - SM75) {                                                     \
		uint32_t r8[THREADS];                                                                                  \
		if ((only) != ALL && (only) != arch)                                                                   \
			continue;                                                                                      \
		run((enum wl_arch)arch, body, r8);                                                                     \
		for (uint32_t t = 0; t < THREADS; t++) {                                                               \
			const uint32_t lane = t % 32;                                                                  \
			(void)lane;                                                                                    \
			if (r8[t] != (uint32_t)(want))                                                                 \
				fail_msg("sm_%d: %sthread %u has 0x%x, expected 0x%x", arch, body, t, r8[t],           \
				         (uint32_t)(want));                                                            \
		}                                                                                                      \
	}

/* Bit k of R8: UPk after the request. */
#define POOL(k, n)                                                                                                     \
	"USETMAXREG.TRY_ALLOC.CTAPOOL UP0, " n "\nPLOP3.LUT P2, PT, PT, PT, UP0, 0x80, 0x0\n@P2 LOP3.LUT R8, R8, " k   \
	", RZ, 0xfc, !PT\n"

/* Threads of both warps have 64 registers. Warp 0 may take the registers that warp 1 gives back, to the last
 * register. */
static void test_registers(void **state)
{
	(void)state;
	struct kernel k;
	const char *text =
	        "S2R R0, SR_TID.X\nMOV R8, RZ\nISETP.GE.U32.AND P0, PT, R0, 0x20, PT\n@P0 BRA {gives}\n" /* nobody gave
	                                                                                                    yet: */
	        POOL("0x1", "0x48") POOL("0x2", "0x40")
	                POOL("0x4", "0x8") "BAR.SYNC 0x0\nBAR.SYNC 0x0\n" /* 40 are there: */
	        POOL("0x8", "0x69") POOL("0x10", "0x58") POOL("0x20", "0x69") POOL("0x40", "0x68") POOL(
	                "0x80", "0x70") "EXIT\n"
	                                "gives:\nBAR.SYNC 0x0\nUSETMAXREG.DEALLOC.CTAPOOL "
	                                "0x48\nUSETMAXREG.DEALLOC.CTAPOOL 0x18\n"
	                                "USETMAXREG.DEALLOC.CTAPOOL 0x20\nBAR.SYNC 0x0\n" POOL("0x1", "0x18") "EXIT\n";
	for (enum wl_arch arch = WL_SM90; arch <= WL_SM120; arch = arch == WL_SM90    ? WL_SM100
	                                                           : arch == WL_SM100 ? WL_SM120
	                                                                              : (enum wl_arch)(WL_SM120 + 1)) {
		kernel_init_for(&k, arch, text);
		k.launch.block[0] = THREADS;
		k.prog.regs = 64;
		if (kernel_run(&k) != WL_ENDED)
			fail_msg("sm_%d: %s", (int)arch, k.detail);
		assert_int_equal(gpu_regs(k.gpu, 0, 0)[8][0], 0x2 | 0x4 | 0x10 | 0x40);
		assert_int_equal(gpu_regs(k.gpu, 0, 1)[8][0], 0x1);
		kernel_free(&k);
	}
}

/* Nobody gives a register back: the loop of ptxas for setmaxnreg.inc hangs, and the hang is found. */
static void test_no_registers(void **state)
{
	(void)state;
	struct kernel k;
	kernel_init_for(&k, WL_SM90,
	                "x:\nNOP\nUSETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0x80\nPLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x0\n"
	                "@!P0 BRA {x}\nEXIT\n");
	k.prog.regs = 64;
	assert_int_equal(kernel_run(&k), WL_DEADLOCK);
	kernel_free(&k);
}

static void test_branches(void **state)
{
	(void)state;
	EACH(ALL, "MOV R8, 0x1\n@P0 BRA {x}\nMOV R8, 0x2\nx:\n", lane < 16 ? 1 : 2);
	EACH(ALL, "MOV R8, 0x1\n@!P0 BRA {x}\nMOV R8, 0x2\nx:\n", lane < 16 ? 2 : 1);
	EACH(ALL, "MOV R8, 0x1\n@P0 BRA P1, {x}\nMOV R8, 0x2\nx:\n", lane < 16 && lane & 1 ? 1 : 2);
	EACH(ALL, "MOV R8, 0x1\nBRA !P1, {x}\nMOV R8, 0x2\nx:\n", lane & 1 ? 2 : 1);
	EACH(ALL, "MOV R8, RZ\nx:\nIADD3 R8, R8, 0x1, RZ\nISETP.LT.U32.AND P2, PT, R8, R0, PT\n@P2 BRA {x}\n",
	     lane ? lane : 1);
	/* all or none */
	EACH(ALL, "MOV R8, 0x1\n@P1 BRA.U {x}\nMOV R8, 0x2\nx:\n", 2);
	EACH(ALL, "MOV R8, 0x1\nBRA.U {x}\nMOV R8, 0x2\nx:\n", 1);
	EACH(ALL, "MOV R8, 0x1\n@!P1 BRA {x}\n@P1 BRA.U {x}\nMOV R8, 0x2\nx:\n", 1);
	EACH(SM75, "MOV R8, 0x1\nBRA.U P1, {x}\nMOV R8, 0x2\nx:\n", 2);
	EACH(SM90, "UISETP.NE.U32.AND UP0, UPT, URZ, 0x5, UPT\nMOV R8, 0x1\nBRA.U UP0, {x}\nMOV R8, 0x2\nx:\n", 1);
	EACH(SM90, "UISETP.NE.U32.AND UP0, UPT, URZ, 0x5, UPT\nMOV R8, 0x1\nBRA.U !UP0, {x}\nMOV R8, 0x2\nx:\n", 2);
	EACH(SM90, "UISETP.NE.U32.AND UP3, UPT, URZ, 0x5, UPT\nMOV R8, 0x1\nBRA.U UP3, {x}\nMOV R8, 0x2\nx:\n", 1);
	EACH(SM90, "UISETP.EQ.U32.AND UP3, UPT, URZ, 0x5, UPT\nMOV R8, 0x1\nBRA.U UP3, {x}\nMOV R8, 0x2\nx:\n", 2);
	EACH(SM90, "UISETP.NE.U32.AND UP0, UPT, URZ, 0x5, UPT\nMOV R8, 0x1\n@P1 BRA.U UP0, {x}\nMOV R8, 0x2\nx:\n",
	     lane & 1 ? 1 : 2);
	/* a switch of ptxas: offsets from the kernel's start; the field of BRX subtracts the next address */
	EACH(ALL,
	     "MOV R5, RZ\nMOV R4, {a}\n@P0 MOV R4, {b}\n@P1 MOV R4, {c}\nBRX R4 -{n}\nn:\nMOV R8, 0x9\nEXIT\n"
	     "a:\nMOV R8, 0x1\nEXIT\nb:\nMOV R8, 0x2\nEXIT\nc:\nMOV R8, 0x3\n",
	     lane & 1    ? 3
	     : lane < 16 ? 2
	                 : 1);
	EACH(ALL, "MOV R5, RZ\nMOV R4, {a}\nBRX !P1, R4 -{n}\nn:\nMOV R8, 0x9\nEXIT\na:\nMOV R8, 0x1\n",
	     lane & 1 ? 9 : 1);
	/* lanes leave if the active lanes differ from the mask */
	EACH(SM90, "MOV R8, 0x1\nUMOV UR4, 0xffffffff\nBRA.DIV UR4, {x}\nMOV R8, 0x2\nx:\n", 2);
	EACH(SM90, "MOV R8, 0x1\nUMOV UR4, 0xffff\nBRA.DIV UR4, {x}\nMOV R8, 0x2\nx:\n", 1);
	EACH(SM90, "MOV R8, 0x1\nUMOV UR4, 0xffff\n@!P0 BRA {x}\nBRA.DIV UR4, {x}\nMOV R8, 0x2\nx:\n",
	     lane < 16 ? 2 : 1);
}

/* Without a mask the question is about the living lanes of the warp. */
static void test_branches_by_convergence(void **state)
{
	(void)state;
#define ASK(how)  "MOV R8, 0x1\n" how " {x}\nMOV R8, 0x2\nx:\n"
#define APART     "@!P0 BRA {z}\n"
#define REST_GONE "@!P0 EXIT\n"
	EACH(SM75, ASK("BRA.DIV"), 2);
	EACH(SM75, ASK("BRA.CONV"), 1);
	EACH(SM75, "MOV R8, 0x3\n" APART ASK("BRA.DIV") "z:\n", lane < 16 ? 1 : 3);
	EACH(SM75, "MOV R8, 0x3\n" APART ASK("BRA.CONV") "z:\n", lane < 16 ? 2 : 3);
	/* guard and predicate are part of the question; all active lanes go the same way */
	EACH(SM75, ASK("@P1 BRA.DIV"), 1);
	EACH(SM75, ASK("@P1 BRA.CONV"), 2);
	EACH(SM75, ASK("BRA.DIV P1,"), 1);
	EACH(SM75, ASK("BRA.CONV !P1,"), 2);
	/* exited lanes are not missed */
	EACH(SM75, "MOV R8, 0x2\n" REST_GONE ASK("BRA.CONV"), lane < 16 ? 1 : 2);
	EACH(SM75, "MOV R8, 0x1\n" REST_GONE ASK("BRA.DIV"), lane < 16 ? 2 : 1);
#undef ASK
}

static void test_calls(void **state)
{
	(void)state;
#define FUNCTION(back) "\nb:\nIADD3 R8, R8, 0x1, RZ\nEXIT\nf:\nMOV R8, R0\n" back "\nMOV R8, 0x77\n"
#define RETURN_TO_B    "MOV R20, {b}\nMOV R21, RZ\n"
	EACH(ALL, RETURN_TO_B "CALL.REL.NOINC {f}" FUNCTION("RET.REL.NODEC R20 0x0"), lane + 1);
	EACH(ALL, RETURN_TO_B "CALL.REL.NOINC {f}" FUNCTION("RET.ABS.NODEC R20 0x0"), lane + 1);
	EACH(ALL, RETURN_TO_B "CALL.ABS.NOINC {f}" FUNCTION("RET.ABS.NODEC R20 0x0"), lane + 1);
	EACH(ALL, RETURN_TO_B "MOV R4, {f}\nMOV R5, RZ\nCALL.ABS.NOINC R4" FUNCTION("RET.ABS.NODEC R20 0x0"), lane + 1);
	EACH(ALL,
	     RETURN_TO_B
	     "MOV R8, 0x5\nMOV R4, {f}\nMOV R5, RZ\nCALL.ABS.NOINC R4 0x10" FUNCTION("RET.ABS.NODEC R20 0x0"),
	     6);
	EACH(ALL, RETURN_TO_B "MOV R4, {f}\nMOV R5, RZ\nCALL.REL.NOINC R4 0x0" FUNCTION("RET.REL.NODEC R20 0x0"),
	     lane + 1);
	/* lanes with the second predicate go, the other lanes go on */
#define SOME(call, back) RETURN_TO_B "MOV R4, {f}\nMOV R5, RZ\nMOV R8, 0x5\n" call FUNCTION(back)
	EACH(ALL, SOME("@P0 CALL.REL.NOINC P1, {f}", "RET.REL.NODEC R20 0x0"), lane < 16 && lane & 1 ? lane + 1 : 6);
	EACH(ALL, SOME("CALL.ABS.NOINC !P1, {f}", "RET.ABS.NODEC R20 0x0"), lane & 1 ? 6 : lane + 1);
	EACH(ALL, SOME("CALL.ABS.NOINC P1, R4", "RET.ABS.NODEC R20 0x0"), lane & 1 ? lane + 1 : 6);
	EACH(ALL, SOME("@!P0 CALL.REL.NOINC !P1, R4 0x0", "RET.REL.NODEC R20 0x0"),
	     lane >= 16 && !(lane & 1) ? lane + 1 : 6);
	EACH(ALL,
	     SOME("CALL.REL.NOINC {f}",
	          "@!P0 RET.REL.NODEC !P1, R20 0x0\nIADD3 R8, R8, 0x64, RZ\nRET.REL.NODEC R20 0x0"),
	     lane >= 16 && !(lane & 1) ? lane + 1 : lane + 101);
	EACH(ALL,
	     SOME("CALL.REL.NOINC {f}", "@P0 RET.ABS.NODEC P1, R20 0x0\nIADD3 R8, R8, 0x64, RZ\nRET.ABS.NODEC R20 0x0"),
	     lane < 16 && lane & 1 ? lane + 1 : lane + 101);
#undef SOME
	/* functions by pointer: each half of the warp calls another function */
	EACH(ALL,
	     RETURN_TO_B
	     "MOV R4, {f}\n@P0 MOV R4, {g}\nMOV R5, RZ\nCALL.ABS.NOINC R4\nb:\nIADD3 R8, R8, 0x1, RZ\nEXIT\n"
	     "f:\nMOV R8, R0\nRET.ABS.NODEC R20 0x0\ng:\nMOV R8, 0x64\nRET.ABS.NODEC R20 0x0\n",
	     lane < 16 ? 101 : lane + 1);
	EACH(ALL,
	     "MOV R4, 0x7\nRPCMOV.32 Rpc.LO, R0\nRPCMOV.32 Rpc.HI, R4\n@P0 RPCMOV.32 Rpc.LO, R4\nMOV R8, 0x64\n"
	     "RPCMOV.32 R5, Rpc.HI\nRPCMOV.32 R6, Rpc.LO\n@!P0 RPCMOV.32 R8, Rpc.LO\n"
	     "IMAD R8, R5, 0x3e8, R8\nIADD3 R8, R8, R6, RZ\n",
	     lane < 16 ? 7107 : 7000 + 2 * lane);
	EACH(SM90, "LEPC R8, {x}\nx:\nMOV R4, {x}\nIADD3 R8, R8, -R4, R9\n", 0);
}

static void test_convergence(void **state)
{
	(void)state;
	EACH(ALL, "BSSY B0, {m}\n@P0 BRA {e}\nNOP\ne:\nBSYNC B0\nm:\nVOTE.ANY R8, PT, PT\n", 0xffffffff);
	EACH(ALL,
	     "BSSY B0, {m}\n@P0 BRA {e}\nVOTE.ANY R8, PT, PT\nBRA {f}\ne:\nVOTE.ANY R8, PT, PT\nf:\nBSYNC B0\nm:\n",
	     lane < 16 ? 0xffff : 0xffff0000);
	/* nobody waits for lanes that break out */
	EACH(ALL, "BSSY B0, {m}\n@P1 BREAK B0\n@P1 BRA {e}\nBSYNC B0\nm:\nVOTE.ANY R8, PT, PT\nEXIT\ne:\nMOV R8, 0x7\n",
	     lane & 1 ? 7 : 0x55555555);
	EACH(ALL, "BSSY B0, {m}\nBREAK P1, B0\nBMOV.32 R8, B0\n@P1 BRA {m}\nBSYNC B0\nm:\n", lane & 1 ? 0 : 0x55555555);
	EACH(ALL, "BSSY B3, {m}\nBMOV.32 R8, B3\nm:\n", 0xffffffff);
	EACH(ALL, "BSSY B3, {m}\nBMOV.32.CLEAR R7, B3\nBMOV.32 R6, B3\nIADD3 R8, R7, R6, RZ\nm:\n", 0xffffffff);
	EACH(ALL, "MOV R5, 0x55555555\n@P1 MOV R5, 0xaaaaaaaa\nBMOV.32 B6, R5\nBSYNC B6\nVOTE.ANY R8, PT, PT\n",
	     0xffffffff);
	EACH(ALL, "MOV R5, 0x55555555\n@P1 MOV R5, 0xaaaaaaaa\nBMOV.32 B6, R5\nBMOV.32 R8, B6\n",
	     lane & 1 ? 0xaaaaaaaa : 0x55555555);
	EACH(ALL, "BMOV.32 B6, 0x55555555\n@P1 BMOV.32 B6, 0xaaaaaaaa\nBMOV.32 R8, B6\n",
	     lane & 1 ? 0xaaaaaaaa : 0x55555555);
	EACH(ALL, "MOV R5, 0xffffffff\n@P0 BRA {x}\nYIELD\nx:\nWARPSYNC R5\nVOTE.ANY R8, PT, PT\n", 0xffffffff);
	/* either half of the warp may go first: the reader yields before reading the writer's word */
#define WORD_OF_WARP "S2R R5, SR_TID.X\nSHF.R.U32.HI R6, RZ, 0x5, R5\nSTS [R6.X4], RZ\nMOV R7, 0x7\n@P0 BRA {low}\n"
#define WRITES       "STS [R6.X4], R7\nMOV R8, 0x1\nEXIT\n"
#define READS        "YIELD\nLDS R8, [R6.X4]\nEXIT\n"
	EACH(ALL, WORD_OF_WARP READS "low:\n" WRITES, lane < 16 ? 1 : 7);
	EACH(ALL, WORD_OF_WARP WRITES "low:\n" READS, lane < 16 ? 7 : 1);
	EACH(ALL, "MOV R8, 0x1\n@P0 EXIT P1\nMOV R8, 0x2\nEXIT !P1\nMOV R8, 0x3\n",
	     lane < 16 && lane & 1 ? 1
	     : lane & 1            ? 3
	                           : 2);
	EACH(ALL, "MOV R8, 0x5\n@P0 EXIT\nVOTE.ANY R8, PT, PT\nEXIT\n", lane < 16 ? 5 : 0xffff0000);
	/* two masks: each set of lanes is alone between WARPSYNC.EXCLUSIVE or .COLLECTIVE and the next barrier */
#define TWO_MASKS "MOV R5, 0xffff0000\n@P0 MOV R5, 0xffff\nBSSY B0, {m}\n"
	EACH(SM90, TWO_MASKS "WARPSYNC.EXCLUSIVE R5\nVOTE.ANY R8, PT, PT\nBSYNC B0\nm:\n",
	     lane < 16 ? 0xffff : 0xffff0000);
	EACH(SM90, TWO_MASKS "WARPSYNC.EXCLUSIVE R5\nNOP\nBSYNC B0\nm:\nVOTE.ANY R8, PT, PT\n", 0xffffffff);
	EACH(SM90, TWO_MASKS "WARPSYNC.COLLECTIVE R5, {l}\nVOTE.ANY R8, PT, PT\nENDCOLLECTIVE\nl:\nBSYNC B0\nm:\n",
	     lane < 16 ? 0xffff : 0xffff0000);
	EACH(SM90,
	     TWO_MASKS
	     "WARPSYNC.COLLECTIVE R5, {l}\nNOP\nENDCOLLECTIVE\nl:\nYIELD\nVOTE.ANY R8, PT, PT\nBSYNC B0\nm:\n",
	     0xffffffff);
	/* question of ptxas before a collective with a mask in a register: same mask in all lanes, and all its lanes
	 * here? */
#define ASK "REDUX.OR UR8, R5\nR2UR P2, URZ, R5\nMOV R8, 0x1\n@!P2 BRA.DIV UR8, {slow}\nMOV R8, 0x2\nslow:\n"
	EACH(SM90, "MOV R5, 0xffffffff\n" ASK, 2);
	EACH(SM90, "MOV R5, 0xffff0000\n@P0 MOV R5, 0xffff\n" ASK, 1);
	EACH(SM90, "MOV R5, 0xffffffff\n@P0 BRA {on}\nNOP\nNOP\nMOV R8, 0x5\nEXIT\non:\n" ASK, lane < 16 ? 1 : 5);
}

static uint32_t lanes_where(bool (*holds)(uint32_t lane, uint32_t of), uint32_t of)
{
	uint32_t m = 0;
	for (uint32_t i = 0; i < 32; i++)
		m |= (uint32_t)holds(i, of) << i;
	return m;
}
static bool same_third(uint32_t lane, uint32_t of)
{
	return lane / 3 == of / 3;
}

/* PTX ISA, "shfl.sync". */
static uint32_t shfl(char mode, uint32_t lane, uint32_t b, uint32_t c, bool *in_range)
{
	uint32_t clamp = c & 31, mask = c >> 8 & 31, max = (lane & mask) | (clamp & ~mask), min = lane & mask;
	int j;
	b &= 31;
	switch (mode) {
	case 'U':
		j = (int)lane - (int)b;
		*in_range = j >= (int)max;
		break;
	case 'D':
		j = (int)(lane + b);
		*in_range = j <= (int)max;
		break;
	case 'B':
		j = (int)(lane ^ b);
		*in_range = j <= (int)max;
		break;
	default:
		j = (int)(min | (b & ~mask));
		*in_range = j <= (int)max;
	}
	return *in_range ? (uint32_t)j : lane;
}
static uint32_t shuffled(char mode, uint32_t lane, uint32_t b, uint32_t c)
{
	bool in_range;
	uint32_t from = shfl(mode, lane, b, c, &in_range);
	return mixed(from) ^ (in_range ? 0x80000000u : 0);
}

static void test_shuffle(void **state)
{
	(void)state;
	static const char *const mode[] = {"UP", "DOWN", "BFLY", "IDX"};
	static const uint32_t c[] = {0, 0x1f, 0x1c03, 0x181f, 0x1800, 0x100f};
	for (unsigned m = 0; m < 4; m++)
		for (unsigned i = 0; i < sizeof c / sizeof c[0]; i++) {
			char text[300];
#define FLIP "@P2 LOP3.LUT R8, R8, 0x80000000, RZ, 0x3c, !PT\n"
			snprintf(text, sizeof text, "SHFL.%s P2, R8, R4, 0x5, 0x%x\n" FLIP, mode[m], c[i]);
			EACH(ALL, text, shuffled(mode[m][0], lane, 5, c[i]));
			snprintf(text, sizeof text, "IMAD R5, R0, 0x7, RZ\nSHFL.%s P2, R8, R4, R5, 0x%x\n" FLIP,
			         mode[m], c[i]);
			EACH(ALL, text, shuffled(mode[m][0], lane, lane * 7, c[i]));
			snprintf(text, sizeof text, "MOV R5, 0x3\nMOV R6, 0x%x\nSHFL.%s P2, R8, R4, R5, R6\n" FLIP,
			         c[i], mode[m]);
			EACH(ALL, text, shuffled(mode[m][0], lane, 3, c[i]));
			snprintf(text, sizeof text, "MOV R6, 0x%x\nSHFL.%s P2, R8, R4, 0x9, R6\n" FLIP, c[i], mode[m]);
			EACH(ALL, text, shuffled(mode[m][0], lane, 9, c[i]));
		}
}

static uint32_t reduced(char op, bool sgn, uint32_t from, uint32_t step)
{
	uint32_t d = mixed(from);
	for (uint32_t i = from + step; i < 32; i += step) {
		uint32_t v = mixed(i);
		bool less = sgn ? (int32_t)v < (int32_t)d : v < d;
		d = op == '&'             ? d & v
		    : op == '|'           ? d | v
		    : op == '^'           ? d ^ v
		    : op == '+'           ? d + v
		    : (op == '<') == less ? v
		                          : d;
	}
	return d;
}

static void test_collectives(void **state)
{
	(void)state;
#define PICK_P2 "SEL R8, R8, RZ, P2\n"
	EACH(ALL, "VOTE.ANY R8, P2, P0\n" PICK_P2, 0xffff);
	EACH(ALL, "VOTE.ALL R8, P2, P0\n" PICK_P2, 0);
	EACH(ALL, "VOTE.EQ R8, P2, P0\n" PICK_P2, 0);
	EACH(ALL, "VOTE.EQ R8, P2, PT\n" PICK_P2, 0xffffffff);
	EACH(ALL, "VOTE.EQ R8, P2, !PT\n@P2 MOV R8, 0x5\n", 5);
	EACH(ALL, "VOTE.ALL R8, P2, PT\n" PICK_P2, 0xffffffff);
	EACH(ALL, "MOV R8, 0x9\n@P0 VOTE.ALL R8, P2, P1\n", lane < 16 ? 0xaaaa : 9);
	EACH(ALL, "MOV R8, 0x9\n@P0 VOTE.ALL P2, P0\n@P0 SEL R8, R0, RZ, P2\n", lane < 16 ? lane : 9);
	/* lanes / 3 */
#define THIRDS "IMAD.WIDE.U32 R6, R0, 0x55555556, RZ\n"
	EACH(ALL, THIRDS "MATCH.ANY R8, R7\n", lanes_where(same_third, lane));
	EACH(ALL, THIRDS "MOV R6, 0x5\nMATCH.ANY.U64 R8, R6\n", lanes_where(same_third, lane));
	EACH(ALL, THIRDS "MOV R8, 0x9\n@P0 MATCH.ANY R8, R7\n", lane < 16 ? lanes_where(same_third, lane) & 0xffff : 9);
	EACH(ALL, THIRDS "MATCH.ALL P2, R8, R7\n@P2 MOV R8, 0x1\n", 0);
	EACH(ALL, "MOV R7, 0x3\nMATCH.ALL P2, R8, R7\n" PICK_P2, 0xffffffff);
	EACH(ALL, "MOV R6, 0x3\nMOV R7, R0\nMATCH.ALL.U64 P2, R8, R6\n@P2 MOV R8, 0x1\n", 0);
	static const struct {
		const char *text;
		char op;
		bool sgn;
	} redux[] = {{"REDUX UR4, R4", '&', false},        {"REDUX.OR UR4, R4", '|', false},
	             {"REDUX.XOR UR4, R4", '^', false},    {"REDUX.SUM UR4, R4", '+', false},
	             {"REDUX.SUM.S32 UR4, R4", '+', true}, {"REDUX.MIN UR4, R4", '<', false},
	             {"REDUX.MIN.S32 UR4, R4", '<', true}, {"REDUX.MAX UR4, R4", '>', false},
	             {"REDUX.MAX.S32 UR4, R4", '>', true}};
	for (unsigned i = 0; i < sizeof redux / sizeof redux[0]; i++) {
		char text[200];
		snprintf(text, sizeof text, "%s\nMOV R8, UR4\n", redux[i].text);
		EACH(SM90, text, reduced(redux[i].op, redux[i].sgn, 0, 1));
		snprintf(text, sizeof text, "MOV R8, 0x9\n@P1 BRA {o}\nEXIT\no:\n%s\nMOV R8, UR4\n", redux[i].text);
		EACH(SM90, text, lane & 1 ? reduced(redux[i].op, redux[i].sgn, 1, 2) : 9);
	}
	EACH(SM90, "ELECT P2, UR4, PT\nMOV R8, UR4\n@P2 MOV R8, 0x64\n", lane ? 0 : 100);
	EACH(SM90, "ELECT P2, UR4, P1\nMOV R8, UR4\n@P2 MOV R8, 0x64\n", lane == 1 ? 100 : 1);
}

static void test_barriers(void **state)
{
	(void)state;
	EACH(ALL, "BAR.RED.POPC 0x0, P1\nB2R.RESULT R8\n", 32);
	EACH(ALL, "BAR.RED.POPC 0x3, 0x40, !P0\nB2R.RESULT R8\n", 32);
	EACH(ALL, "BAR.RED.AND 0x0, P1\nB2R.RESULT R8, P2\nSEL R8, R0, 0x7, P2\n", 7);
	EACH(ALL, "BAR.RED.OR 0x0, P1\nB2R.RESULT R8, P2\nSEL R8, R0, 0x7, P2\n", lane);
	EACH(ALL, "BAR.RED.AND 0x1, PT\nB2R.RESULT R8, P2\nSEL R8, R0, 0x7, P2\n", lane);
	EACH(ALL, "BAR.SYNC 0x2, 0x40\nMOV R8, R0\n", lane);
	EACH(ALL, "MOV R5, 0x3\nBAR.SYNC R5, 0x40\nMOV R8, R0\n", lane);
	/* the first warp arrives and goes on, the second warp waits for the arrival */
	EACH(ALL,
	     "S2R R5, SR_TID.X\nISETP.LT.U32.AND P2, PT, R5, 0x20, PT\nMOV R8, R5\n@P2 BRA {a}\nBAR.SYNC 0x1, "
	     "0x40\nEXIT\n"
	     "a:\nBAR.ARV 0x1, 0x40\n",
	     t);
}

static void test_special(void **state)
{
	(void)state;
	EACH(ALL, "S2R R8, SR_LANEID\n", lane);
	EACH(ALL, "S2R R8, SR_TID.X\n", t);
	EACH(ALL, "S2R R8, SR_TID\n", t);
	EACH(ALL, "S2R R8, SR_CTAID.Z\n", 0);
	EACH(ALL, "S2R R8, SR_EQMASK\n", 1u << lane);
	EACH(ALL, "S2R R8, SR_LTMASK\n", (1u << lane) - 1);
	EACH(ALL, "S2R R8, SR_LEMASK\n", (2u << lane) - 1);
	EACH(ALL, "S2R R8, SR_GTMASK\n", ~((2u << lane) - 1));
	EACH(ALL, "S2R R8, SR_GEMASK\n", ~((1u << lane) - 1));
	EACH(ALL, "CS2R R8, SRZ\n", 0);
	EACH(ALL, "MOV R8, 0x5\nCS2R.32 R8, SRZ\n", 0);
	EACH(ALL, "MOV R7, 0x5\nCS2R R6, SRZ\nMOV R8, R7\n", 0);
	EACH(ALL, "CS2R.32 R6, SR_CLOCKLO\nCS2R.32 R8, SR_CLOCKLO\nIADD3 R8, R8, -R6, RZ\n", 1);
	EACH(ALL, "LDC R8, c[0x0][0x0]\n", THREADS);
	EACH(SM75, "LDC R8, c[0x0][0x160]\n", 0xccddeeff);
	EACH(SM90, "LDC R8, c[0x0][0x210]\n", 0xccddeeff);
	EACH(SM75, "LDC.64 R6, c[0x0][0x160]\nMOV R8, R7\n", 0x8899aabb);
	EACH(SM75, "LDC.U8 R8, c[0x0][0x161]\n", 0xee);
	EACH(SM75, "LDC.S8 R8, c[0x0][0x161]\n", 0xffffffee);
	EACH(SM75, "LDC.U16 R8, c[0x0][0x162]\n", 0xccdd);
	EACH(SM75, "LDC.S16 R8, c[0x0][0x162]\n", 0xffffccdd);
	EACH(SM75, "SEL R5, RZ, 0x4, P0\nLDC R8, c[0x0][R5+0x160]\n", lane < 16 ? 0xccddeeff : 0x8899aabb);
	EACH(SM90, "SEL R5, RZ, 0x4, P0\nLDC R8, c[0x0][R5+0x210]\n", lane < 16 ? 0xccddeeff : 0x8899aabb);
}

/* Generic addresses: R2:R3 is each thread's word of shared memory, holding R4. R6:R7 lies in global memory, first byte
 * at WL_GLOBAL_BASE. R10:R11 is local. */
static void test_generic(void **state)
{
	(void)state;
	assert_int_equal(WL_SHARED_WINDOW, UINT64_C(0x100000000));
	assert_int_equal(WL_LOCAL_WINDOW, UINT64_C(0x200000000));
	assert_int_equal(WL_GLOBAL_BASE, UINT64_C(0x300000000));
#define WORD                                                                                                           \
	"S2R R2, SR_TID.X\nSHF.L.U32 R2, R2, 0x2, RZ\nMOV R3, 0x1\nMOV R6, RZ\nMOV R7, 0x3\nMOV R10, RZ\nMOV R11, "    \
	"0x2\n"                                                                                                        \
	"ST.E.SYS [R2], R4\n"
#define READ "LD.E.SYS R8, [R2]\n"
	EACH(SM75, WORD READ, mixed(lane));
	EACH(SM75, WORD "LD.E.S16.STRONG.SYS R8, [R2]\n", (int16_t)mixed(lane));
	EACH(SM75, WORD "LDS.U R8, [R2]\n", mixed(lane));
	EACH(SM75, WORD "ST.E.U16.STRONG.SYS [R2+0x2], R0\n" READ, (mixed(lane) & 0xffff) | lane << 16);
	EACH(SM75, WORD "ATOM.E.ADD.STRONG.GPU PT, R8, [R2], R0\n", mixed(lane));
	EACH(SM75, WORD "ATOM.E.ADD.STRONG.GPU PT, R9, [R2], R0\n" READ, mixed(lane) + lane);
	EACH(SM75, WORD "ATOM.E.MAX.S32.STRONG.GPU PT, R9, [R2], RZ\n" READ,
	     (int32_t)mixed(lane) > 0 ? mixed(lane) : 0);
	EACH(SM75, WORD "SEL R12, R4, RZ, P1\nATOM.E.CAS.STRONG.SYS PT, R8, [R2], R12, R0\n", mixed(lane));
	EACH(SM75, WORD "SEL R12, R4, 0x1, P1\nMOV R13, R0\nATOM.E.CAS.STRONG.SYS PT, R9, [R2], R12, R13\n" READ,
	     lane & 1 ? lane : mixed(lane));
	EACH(SM75,
	     WORD "SEL R12, R4, 0x1, P1\nMOV R13, R0\nATOM.E.CAST.SPIN.STRONG.GPU PT, R9, [R2], R12, R13\n" READ
	          "IMAD R8, R9, 0x3, R8\n",
	     lane & 1 ? lane + 3 : mixed(lane));
	EACH(SM75, WORD "QSPC.E.S P2, RZ, [R2]\nSEL R8, R0, 0x77, P2\n", lane);
	EACH(SM75, WORD "QSPC.E.S P2, RZ, [R6]\nSEL R8, R0, 0x77, P2\n", 0x77);
	EACH(SM75, WORD "QSPC.E.G P2, RZ, [R6]\nSEL R8, R0, 0x77, P2\n", lane);
	EACH(SM75, WORD "QSPC.E.L P2, RZ, [R10]\nSEL R8, R0, 0x77, P2\n", lane);
	EACH(SM75, WORD "QSPC.E.G P2, RZ, [R2]\nSEL R8, R0, 0x77, P2\n", 0x77);
}

/* Forms of some architectures only. */
static void test_others(void **state)
{
	(void)state;
	uint32_t r8[THREADS];
	run(WL_SM120,
	    "UMOV UR4, 0x5\nUMOV UR5, 0x6\nCS2UR UR4, SRZ\nIADD3 R8, PT, PT, R0, UR4, RZ\nIADD3 R8, PT, PT, R8, UR5, "
	    "RZ\n",
	    r8);
	for (uint32_t t = 0; t < THREADS; t++)
		assert_int_equal(r8[t], t % 32);
	run(WL_SM120,
	    "UMOV UR4, 0x5\nUMOV UR5, 0x6\nCS2UR.32 UR4, SRZ\nIADD3 R8, PT, PT, R0, UR4, RZ\n"
	    "IADD3 R8, PT, PT, R8, UR5, RZ\n",
	    r8);
	for (uint32_t t = 0; t < THREADS; t++)
		assert_int_equal(r8[t], t % 32 + 6);
	/* odd lanes offer the right old value */
	run(WL_SM120,
	    "S2R R2, SR_TID.X\nSHF.L.U32 R2, R2, 0x2, RZ\nSTS [R2], R4\nSEL R12, R4, 0x1, P1\n"
	    "ATOMS.CAST.SPIN P2, [R2], R12, R0\nLDS R8, [R2]\n@P2 LOP3.LUT R8, R8, 0x100, RZ, 0xfc, !PT\n",
	    r8);
	for (uint32_t t = 0; t < THREADS; t++)
		assert_int_equal(r8[t], t & 1 ? t % 32 | 0x100 : mixed(t % 32));
	/* 16 bytes: the stored value comes back in R12 to R15; odd lanes compare with the memory's value, and see the
	 * change */
	run(WL_SM120,
	    "S2R R2, SR_TID.X\nSHF.L.U32 R2, R2, 0x4, RZ\nMOV R16, R0\nMOV R17, R4\nMOV R18, 0x3\nMOV R19, 0x4\n"
	    "STS.128 [R2], R16\nSEL R17, R4, 0x1, P1\nMOV R20, 0x9\nMOV R21, 0x8\nMOV R22, 0x7\nMOV R23, 0x6\n"
	    "ATOMS.CAS.128 R12, [R2], R16, R20\nATOMS.EXCH.128 R24, [R2], R16\nIMAD R8, R24, 0x100, R13\n"
	    "IADD3 R8, PT, PT, R8, R15, R27\n",
	    r8);
	for (uint32_t t = 0; t < THREADS; t++)
		assert_int_equal(r8[t], (t & 1 ? 9 : t % 32) * 0x100 + mixed(t % 32) + 4 + (t & 1 ? 6 : 4));
	/* %nclusterid.x and %cluster_nctarank as ptxas's code reads both: one CTA, each CTA a cluster */
	for (int arch = WL_SM100; arch <= WL_SM120; arch += WL_SM120 - WL_SM100) {
		run((enum wl_arch)arch,
		    "CS2R.32 R5, SR_CgaSize\nMOV R6, 0xffffff60\nIMAD R5, R5, R6, RZ\nLDC R8, c[0x0][R5+0x2c0]\n"
		    "LDC R6, c[0x0][R5+0x2cc]\nLEA R8, R6, R8, 0x4\n",
		    r8);
		for (uint32_t t = 0; t < THREADS; t++)
			assert_int_equal(r8[t], 0x11);
		/* %clusterid.x: ptxas's code multiplies %ctaid.x by the float */
		run((enum wl_arch)arch, "LDC R8, c[0x0][0x2b0]\n", r8);
		assert_int_equal(r8[0], 0x3f800000);
	}
	struct kernel k;
	kernel_init_for(&k, WL_SM80,
	                "S2R R0, SR_TID.X\nSHF.L.U32 R2, R0, 0x2, RZ\nMOV R3, 0x4\n"
	                "IMAD.WIDE.U32 R4, R0, R3, c[0x0][0x160]\nULDC.64 UR4, c[0x0][0x118]\n"
	                "LDGSTS.E [R2], [R4.64]\nLDGDEPBAR\nDEPBAR.LE SB0, 0x0\nLDS R8, [R2]\nEXIT\n");
	k.launch.block[0] = THREADS;
	k.prog.shared_bytes = 4 * THREADS;
	uint32_t *words = kernel_words(&k, 0, THREADS, 0);
	for (uint32_t t = 0; t < THREADS; t++)
		words[t] = mixed(t) + 7;
	if (kernel_run(&k) != WL_ENDED)
		fail_msg("%s", k.detail);
	for (uint32_t t = 0; t < THREADS; t++)
		assert_int_equal(gpu_regs(k.gpu, 0, t / 32)[8][t % 32], mixed(t) + 7);
	kernel_free(&k);
}

/* Runs stopped by the program. */
static void test_trap(void **state)
{
	(void)state;
	for (int arch = SM75; arch <= SM90; arch += SM90 - SM75) {
		struct kernel k;
		kernel_init_for(&k, (enum wl_arch)arch, PROLOGUE "@P0 BPT.TRAP\nEXIT\n");
		assert_int_equal(kernel_run(&k), WL_FAULTED);
		assert_non_null(strstr(k.detail, "TRAP"));
		kernel_free(&k);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_branches),     cmocka_unit_test(test_registers),
	        cmocka_unit_test(test_no_registers), cmocka_unit_test(test_branches_by_convergence),
	        cmocka_unit_test(test_calls),        cmocka_unit_test(test_convergence),
	        cmocka_unit_test(test_shuffle),      cmocka_unit_test(test_collectives),
	        cmocka_unit_test(test_barriers),     cmocka_unit_test(test_special),
	        cmocka_unit_test(test_generic),      cmocka_unit_test(test_trap),
	        cmocka_unit_test(test_others),
	};
	return cmocka_run_group_tests(tests, NULL, NULL) | kernel_covers("uop_control_test") | kernel_all_covered();
}

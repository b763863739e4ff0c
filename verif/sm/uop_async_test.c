// SPDX-License-Identifier: Apache-2.0
/* uop_async_test -- asynchronous copies: no byte is visible before the landing, every byte after the wait. Bulk copies
 * both ways and within shared memory, reductions, groups, mbarriers with arrivals by copies, faults at the start and at
 * the landing. Each under several seeds; the seed chooses time and order of the landings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../cmodel/sm/gpu.h"
#include "kernel.h"

enum { SEEDS = 6, WORDS = 1024, SHARED = 8192, AREA = 0x400 /* of shared memory, where copies land */ };

/* Of sm_90. UR4: descriptor. UR6:7: first parameter, global memory. UR10 the area, UR11 the mbarrier at 0; INIT_1 and
 * INIT_32 expect 1 and 32 arrivals. UR14: bytes / 16. R0: thread, R2: offset of the thread's word in the area, R4:5 the
 * word in global memory. R3: the thread number times 0x10001. */
#define PROLOGUE                                                                                                       \
	"ULDC.64 UR4, c[0x0][0x208]\nULDC.64 UR6, c[0x0][0x210]\nUMOV UR10, 0x400\nUMOV UR11, 0x0\n"                   \
	"UMOV UR14, 0x80\nS2R R0, SR_TID.X\nSHF.L.U32 R2, R0, 0x2, RZ\nIMAD R3, R0, 0x10001, RZ\n"                     \
	"LDC.64 R4, c[0x0][0x210]\nMOV R6, 0x1\nIMAD.WIDE.U32 R4, R2, R6, R4\nISETP.NE.U32.AND P0, PT, R0, RZ, PT\n"   \
	"MOV R7, 0x11111111\nSTS [R2+0x400], R7\nSTS [R2+0x480], R7\nSTS [R2+0xb80], R7\n"
#define INIT(low, high) "UMOV UR8, " low "\nUMOV UR9, " high "\nSYNCS.EXCH.64 URZ, [UR11], UR8\n"
#define INIT_1          INIT("0x1ffffe", "0x7ffff800")
#define INIT_32         INIT("0x1fffc0", "0x7fff0000")
#define EXPECT(bytes)   "MOV R8, " bytes "\n@!P0 SYNCS.ARRIVE.TRANS64 RZ, [UR11], R8\n"
#define WAIT            "wait:\nSYNCS.PHASECHK.TRANS64.TRYWAIT P1, [UR11], RZ\n@!P1 BRA {wait}\n"

static uint32_t source(unsigned i)
{
	return i * 2654435761u + 12345;
}

static struct kernel k;
static uint32_t *global;

static void prepare(enum wl_arch arch, const char *text, unsigned seed)
{
	kernel_init_for(&k, arch, text);
	k.prog.shared_bytes = SHARED;
	k.config.seed = seed;
	global = kernel_words(&k, 0, WORDS, 0);
	for (unsigned i = 0; i < WORDS; i++)
		global[i] = source(i);
}

static enum wl_outcome begin(enum wl_arch arch, const char *text, unsigned seed)
{
	prepare(arch, text, seed);
	return kernel_run(&k);
}

static void ends(enum wl_arch arch, const char *text, unsigned seed)
{
	if (begin(arch, text, seed) != WL_ENDED)
		fail_msg("seed %u: %s", seed, k.detail);
}

static uint32_t reg(unsigned r, unsigned lane)
{
	const lane_row *rows = gpu_regs(k.gpu, 0, 0);
	return rows[r][lane];
}

/* 2 KiB in: before the wait no byte, after the wait all bytes, the last words too. */
static void test_in(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		ends(WL_SM90,
		     PROLOGUE INIT_1 EXPECT(
		             "0x800") "UBLKCP.S.G [UR10], [UR6], UR14\nLDS R16, [R2+0x400]\nLDS R17, "
		                      "[R2+0xb80]\n" WAIT
		                      "LDS R18, [R2+0x400]\nLDS R19, [R2+0xb80]\nLDS.64 R20, [RZ]\nEXIT\n",
		     seed);
		for (unsigned lane = 0; lane < 32; lane++) {
			assert_int_equal(reg(16, lane), 0x11111111);
			assert_int_equal(reg(17, lane), 0x11111111);
			assert_int_equal(reg(18, lane), source(lane));
			assert_int_equal(reg(19, lane), source(480 + lane));
			assert_int_equal(reg(20, lane), 0x1ffffe);
			assert_int_equal(reg(21, lane), 0xfffff800); /* one phase is complete, no byte is left over */
		}
		kernel_free(&k);
	}
}

/* Bytes land before any arrival expects bytes; the arrival ends the phase. */
static void test_before_expect(void **state)
{
	(void)state;
	ends(WL_SM90,
	     PROLOGUE INIT_1 "UMOV UR14, 0x8\nUBLKCP.S.G [UR10], [UR6], UR14\nNANOSLEEP 0x3e8\nLDS.64 R20, [RZ]\n"
	                     "SYNCS.PHASECHK.TRANS64 P2, [UR11], RZ\n" EXPECT("0x80") WAIT
	     "LDS R18, [R2+0x400]\n"
	     "SEL R19, R0, RZ, P2\nEXIT\n",
	     1);
	assert_int_equal(reg(20, 0), 0x1ffffe | 128u << 21);
	assert_int_equal(reg(21, 0), 0x7ffff800);
	assert_int_equal(reg(19, 5), 0);
	assert_int_equal(reg(18, 31), source(31));
	kernel_free(&k);
}

/* Out: two groups. First at most one group may be in flight, then none. */
static void test_out(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		ends(WL_SM90,
		     PROLOGUE "STS [R2+0x400], R3\nUMOV UR14, 0x8\nUBLKCP.G.S [UR6], [UR10], UR14\nUTMACMDFLUSH\n"
		              "UIADD3 UR6, UR6, 0x200, URZ\nUBLKCP.G.S [UR6], [UR10], UR14\n"
		              "UTMACMDFLUSH\nLDG.E R16, desc[UR4][R4.64]\nLDG.E R17, desc[UR4][R4.64+0x200]\n"
		              "DEPBAR.LE SB0, 0x1\nLDG.E R18, desc[UR4][R4.64]\nDEPBAR.LE SB0, 0x0\n"
		              "LDG.E R19, desc[UR4][R4.64+0x200]\nEXIT\n",
		     seed);
		for (unsigned lane = 0; lane < 32; lane++) {
			assert_int_equal(reg(16, lane), source(lane));
			assert_int_equal(reg(17, lane), source(128 + lane));
			assert_int_equal(reg(18, lane), lane * 0x10001);
			assert_int_equal(reg(19, lane), lane * 0x10001);
		}
		assert_int_equal(global[32], source(32));
		kernel_free(&k);
	}
}

/* As in code of -O0: a commit gives its group the scoreboard of reads, and the next word waits for the scoreboard, with
 * any operand of DEPBAR. */
static void wait_by_field(struct wl_program *p)
{
	for (uint32_t i = 0; i + 1 < p->ninst; i++) {
		if (p->insts[i].uop != WL_UOP_UTMACMDFLUSH)
			continue;
		p->insts[i].sched.wrbar = 7;
		p->insts[i].sched.rdbar = 1;
		p->insts[i + 1].sched.wait = 1u << 1;
	}
}

static void test_wait_field(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		prepare(WL_SM90,
		        PROLOGUE "STS [R2+0x400], R3\nUMOV UR14, 0x8\nUBLKCP.G.S [UR6], [UR10], UR14\nUTMACMDFLUSH\n"
		                 "MOV R9, R3\nDEPBAR.LE SB0, 0x0\nLDG.E R18, desc[UR4][R4.64]\nEXIT\n",
		        seed);
		wait_by_field(&k.prog);
		assert_int_equal(kernel_run(&k), WL_ENDED);
		for (unsigned lane = 0; lane < 32; lane++)
			assert_int_equal(reg(18, lane), lane * 0x10001);
		kernel_free(&k);
	}
}

/* A kernel that does not wait: the copies land all the same, from their sources. */
static void test_not_waited_for(void **state)
{
	(void)state;
	ends(WL_SM90, PROLOGUE "STS [R2+0x400], R3\nUMOV UR14, 0x8\nUBLKCP.G.S [UR6], [UR10], UR14\nEXIT\n", 3);
	for (unsigned i = 0; i < 32; i++)
		assert_int_equal(global[i], i * 0x10001);
	kernel_free(&k);
}

static void test_within(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		ends(WL_SM90,
		     PROLOGUE INIT_1 EXPECT(
		             "0x80") "STS [R2+0x400], R3\nUMOV UR14, 0x8\nUMOV UR16, 0x400\nUMOV UR17, 0x0\n"
		                     "UMOV UR18, 0x480\nUMOV UR19, 0x0\nUBLKCP.S.S [UR18], [UR16], UR14\n" WAIT
		                     "LDS R18, [R2+0x480]\nEXIT\n",
		     seed);
		for (unsigned lane = 0; lane < 32; lane++)
			assert_int_equal(reg(18, lane), lane * 0x10001);
		kernel_free(&k);
	}
}

static uint32_t halves(uint32_t a, uint32_t b) /* small whole numbers as f16 */
{
	float x, y;
	const _Float16 *ha = (const _Float16 *)&a, *hb = (const _Float16 *)&b;
	_Float16 sum[2];
	for (unsigned i = 0; i < 2; i++) {
		x = (float)ha[i];
		y = (float)hb[i];
		sum[i] = (_Float16)(x + y);
	}
	uint32_t out;
	memcpy(&out, sum, 4);
	return out;
}

static uint32_t reduced(unsigned op, uint32_t m, uint32_t b)
{
	float x, y;
	uint32_t bits;
	switch (op) {
	case 0:
		return m + b;
	case 1:
		return (int32_t)m < (int32_t)b ? m : b;
	case 2:
		return m & b;
	case 3:
		return m >= b ? 0 : m + 1;
	case 4:
		memcpy(&x, &m, 4);
		memcpy(&y, &b, 4);
		x += y;
		memcpy(&bits, &x, 4);
		return bits;
	default:
		return halves(m, b);
	}
}

static void test_reductions(void **state)
{
	static const char *const name[] = {"ADD", "MIN.S32", "AND", "INC", "ADD.F32.RN", "ADD.F16.RN"};
	(void)state;
	for (unsigned op = 0; op < 6; op++) {
		char text[2000];
		const uint32_t constant = op == 4 ? 0x3fc00000 : op == 5 ? 0x40003c00 : 0x70000000; /* 1.5; 2, 1 */
		snprintf(text, sizeof text,
		         PROLOGUE
		         "MOV R9, 0x%x\nSTS [R2+0x400], R9\nUMOV UR14, 0x8\nUBLKRED.G.S.%s [UR6], [UR10], UR14\n"
		         "UTMACMDFLUSH\nDEPBAR.LE SB0, 0x0\nLDG.E R18, desc[UR4][R4.64]\nEXIT\n",
		         constant, name[op]);
		kernel_init_for(&k, WL_SM90, text);
		k.prog.shared_bytes = SHARED;
		global = kernel_words(&k, 0, WORDS, 0);
		uint32_t before[32];
		for (unsigned i = 0; i < 32; i++)
			before[i] = global[i] = op == 4 ? 0x40000000 + (i << 20) : op == 5 ? 0x44004200 : source(i);
		assert_int_equal(kernel_run(&k), WL_ENDED);
		for (unsigned lane = 0; lane < 32; lane++)
			if (reg(18, lane) != reduced(op, before[lane], constant))
				fail_msg("%s: 0x%08x, expected 0x%08x", name[op], reg(18, lane),
				         reduced(op, before[lane], constant));
		kernel_free(&k);
	}
	/* within shared memory, 64 bits: carries go over */
	ends(WL_SM90,
	     PROLOGUE INIT_1 EXPECT(
	             "0x80") "MOV R9, 0xffffffff\nSTS [R2+0x400], R9\nSTS [R2+0x480], R9\nUMOV UR14, 0x8\n"
	                     "UMOV UR18, 0x480\nUMOV UR19, 0x0\nUBLKRED.S.S.ADD.U64 [UR18], [UR10], UR14\n" WAIT
	                     "LDS R18, [R2+0x480]\nEXIT\n",
	     1);
	assert_int_equal(reg(18, 6), 0xfffffffe);
	assert_int_equal(reg(18, 7), 0xffffffff);
	kernel_free(&k);
}

/* Each thread's own copies, then the thread's arrival: with the count raised before, and with the count of INIT. */
static void test_arrivals(void **state)
{
	static const char *const text[] = {
	        PROLOGUE INIT_32 "LDGSTS.E [R2+0x400], desc[UR4][R4.64]\nSYNCS.ARRIVE.TRANS64.RED.A0T1 RZ, [UR11], RZ\n"
	                         "ARRIVES.LDGSTSBAR.64.TRANSCNT [UR11]\nLDS R16, [R2+0x400]\n"
	                         "SYNCS.ARRIVE.TRANS64.A1T0 RZ, [UR11], RZ\n" WAIT "LDS R18, [R2+0x400]\nEXIT\n",
	        PROLOGUE INIT_32 "LDGSTS.E [R2+0x400], desc[UR4][R4.64]\nLDGSTS.E [R2+0x480], desc[UR4][R4.64+0x80]\n"
	                         "ARRIVES.LDGSTSBAR.64.ARVCNT [UR11]\nLDS R16, [R2+0x400]\n" WAIT
	                         "LDS R18, [R2+0x400]\nLDS R19, [R2+0x480]\nEXIT\n"};
	(void)state;
	for (unsigned seed = 1; seed <= SEEDS; seed++)
		for (unsigned i = 0; i < 2; i++) {
			ends(WL_SM90, text[i], seed);
			for (unsigned lane = 0; lane < 32; lane++) {
				assert_int_equal(reg(16, lane), 0x11111111);
				assert_int_equal(reg(18, lane), source(lane));
				if (i)
					assert_int_equal(reg(19, lane), source(32 + lane));
			}
			kernel_free(&k);
		}
}

/* sm_80: pending counts in the high word, no transactions; the phase is polled. */
static void test_arrivals_80(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		ends(WL_SM80,
		     "ULDC.64 UR4, c[0x0][0x118]\nUMOV UR11, 0x0\nS2R R0, SR_TID.X\nSHF.L.U32 R2, R0, 0x2, RZ\n"
		     "LDC.64 R4, c[0x0][0x160]\nMOV R6, 0x1\nIMAD.WIDE.U32 R4, R2, R6, R4\nMOV R8, 0x3fffffe0\n"
		     "MOV R9, 0x7fffffe0\nSTS.64 [RZ], R8\nMOV R7, 0x11111111\nSTS [R2+0x400], R7\n"
		     "LDGSTS.E [R2+0x400], [R4.64]\nARRIVES.LDGSTSBAR.64 [UR11]\nLDS R16, [R2+0x400]\n"
		     "wait:\nLDS R10, [0x4]\nISETP.GE.AND P1, PT, R10, RZ, PT\n@P1 BRA {wait}\nLDS R18, "
		     "[R2+0x400]\nEXIT\n",
		     seed);
		for (unsigned lane = 0; lane < 32; lane++) {
			assert_int_equal(reg(16, lane), 0x11111111);
			assert_int_equal(reg(18, lane), source(lane));
			assert_int_equal(reg(10, lane), 0xffffffe0);
		}
		kernel_free(&k);
	}
}

/* Groups of LDGSTS: only the groups named by the wait have landed for certain. */
static void test_groups(void **state)
{
	unsigned early = 0;
	(void)state;
	for (unsigned seed = 1; seed <= 4 * SEEDS; seed++) {
		ends(WL_SM90,
		     PROLOGUE
		     "LDGSTS.E [R2+0x400], desc[UR4][R4.64]\nLDGDEPBAR\n"
		     "LDGSTS.E [R2+0x480], desc[UR4][R4.64+0x80]\nLDGDEPBAR\nDEPBAR.LE SB0, 0x1\n"
		     "LDS R16, [R2+0x400]\nLDS R17, [R2+0x480]\nDEPBAR.LE SB0, 0x0\nLDS R18, [R2+0x480]\nEXIT\n",
		     seed);
		for (unsigned lane = 0; lane < 32; lane++) {
			assert_int_equal(reg(16, lane), source(lane));
			assert_int_equal(reg(18, lane), source(32 + lane));
			early += reg(17, lane) == 0x11111111;
		}
		kernel_free(&k);
	}
	assert_true(early > 32); /* in some runs the second group lands later than the first */
}

static void test_stores(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		ends(WL_SM90,
		     PROLOGUE INIT_1 EXPECT("0x100") "IADD3 R10, R2, 0x400, RZ\nMOV R11, RZ\nSTAS [R10.64], R3\n"
		                                     "IADD3 R12, R2, 0x480, RZ\nMOV R13, RZ\nREDAS.ADD [R12.64], R3\n"
		                                     "LDS R16, [R2+0x400]\n" WAIT
		                                     "LDS R18, [R2+0x400]\nLDS R19, [R2+0x480]\nEXIT\n",
		     seed);
		for (unsigned lane = 0; lane < 32; lane++) {
			assert_int_equal(reg(16, lane), 0x11111111);
			assert_int_equal(reg(18, lane), lane * 0x10001);
			assert_int_equal(reg(19, lane), 0x11111111 + lane * 0x10001);
		}
		kernel_free(&k);
	}
}

/* sm_100: a mask of bytes in every 16. */
static void test_byte_mask(void **state)
{
	(void)state;
	ends(WL_SM100,
	     "LDCU.64 UR4, c[0x0][0x358]\nLDCU.64 UR6, c[0x0][0x380]\nUMOV UR10, 0x400\nUMOV UR14, 0x100f0008\n"
	     "S2R R0, SR_TID.X\nSHF.L.U32 R2, R0, 0x2, RZ\nSTS [R2+0x400], RZ\n"
	     "UBLKCP.G.S.DST_G_BYTE_MASK [UR6], [UR10], UR14\nUBLKPF.L2 [UR6], UR14\nEXIT\n",
	     2);
	for (unsigned i = 0; i < 32; i += 4) {
		assert_int_equal(global[i], 0);
		assert_int_equal(global[i + 1], source(i + 1));
		assert_int_equal(global[i + 3], source(i + 3) & 0xffffff00);
	}
	kernel_free(&k);
}

/* sm_100. All CTAs have started: the answer is a refusal, written at once, and the mbarrier counts 16 bytes. */
#define PROLOGUE_100                                                                                                   \
	"S2R R0, SR_TID.X\nSHF.L.U32 R2, R0, 0x2, RZ\nISETP.NE.U32.AND P0, PT, R0, RZ, PT\nMOV R7, 0x11111111\n"       \
	"STS [R2+0x400], R7\nUMOV UR10, 0x400\nUMOV UR11, 0x0\n"
static void test_no_launch(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		ends(WL_SM100,
		     PROLOGUE_100 INIT_1 EXPECT(
		             "0x10") "UGETNEXTWORKID.SELFCAST [UR10], [UR11]\nLDS R16, [R2+0x400]\n" WAIT
		                     "LDS R18, [R2+0x400]\nEXIT\n",
		     seed);
		for (unsigned lane = 0; lane < 32; lane++) {
			assert_int_equal(reg(16, lane), 0x11111111);
			assert_int_equal(reg(18, lane), lane < 4 ? 0 : 0x11111111);
		}
		kernel_free(&k);
	}
}

/* Two CTAs of the grid have not started: the first CTA gets both, by number, and then a refusal. */
static void test_launches(void **state)
{
	static const char *const text = PROLOGUE_100 INIT_1
	        "MOV R8, 0x10\nMOV R9, RZ\nUMOV UR12, 0x0\n"
	        "again:\n@!P0 SYNCS.ARRIVE.TRANS64 RZ, [UR11], R8\nUGETNEXTWORKID.BROADCAST [UR10], [UR11]\n"
	        "wait:\nSYNCS.PHASECHK.TRANS64.TRYWAIT P1, [UR11], R9\n@!P1 BRA {wait}\n"
	        "LOP3.LUT R9, R9, 0x80000000, RZ, 0x3c, !PT\nLDS.128 R20, [0x400]\nMOV R16, R17\nMOV R17, R18\n"
	        "MOV R18, R20\nLOP3.LUT P2, RZ, R22, 0x1, RZ, 0xc0, !PT\n@P2 BRA {again}\nEXIT\n";
	(void)state;
	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		prepare(WL_SM100, text, seed);
		k.config.ctas_per_sm = 1;
		k.launch.grid[0] = 3;
		assert_int_equal(kernel_run(&k), WL_ENDED);
		assert_int_equal(reg(16, 0), 1);
		assert_int_equal(reg(17, 5), 2);
		assert_int_equal(reg(18, 9) | reg(22, 9), 0);
		assert_non_null(strstr(k.detail, "the launches of 2 of them canceled"));
		kernel_free(&k);
	}
}

static void test_faults_100(void **state)
{
	static const struct {
		const char *text, *says;
	} rows[] = {{"UMOV UR10, 0x408\nUGETNEXTWORKID.SELFCAST [UR10], [UR11]\n", "MISALIGNED_ADDRESS"},
	            {"UMOV UR11, 0x4\nUGETNEXTWORKID.SELFCAST [UR10], [UR11]\n", "MISALIGNED_ADDRESS"},
	            {"UMOV UR10, 0x2000\nUGETNEXTWORKID.SELFCAST [UR10], [UR11]\n", "SHARED_OUT_OF_RANGE"},
	            {"UMOV UR11, 0x2000\nUGETNEXTWORKID.BROADCAST [UR10], [UR11]\n", "SHARED_OUT_OF_RANGE"},
	            {"UGETNEXTWORKID.SELFCAST [UR10], [UR11]\nNANOSLEEP 0x1000\n", "MBAR_UNINIT"}};
	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char text[3000];
		snprintf(text, sizeof text, PROLOGUE_100 "%sEXIT\n", rows[i].text);
		const enum wl_outcome o = begin(WL_SM100, text, 1);
		if (o != WL_FAULTED || !strstr(k.detail, rows[i].says))
			fail_msg("row %u: outcome %d: %s", i, (int)o, k.detail);
		kernel_free(&k);
	}
}

#define FILL                                                                                                           \
	"S2R R0, SR_TID.X\nSHF.L.U32 R2, R0, 0x2, RZ\nMOV R3, 0x22222222\nSTS [R2+0x400], R3\nSTS [R2+0x480], R3\n"    \
	"UMOV UR10, 0x408\nUMOV UR14, 0x3\n"

/* Words of 64 bits, zeros visible to the warp at once; no words; faults, without any fill after the fault. */
static void test_fill(void **state)
{
	static const struct {
		const char *text, *says;
		uint32_t first, last; /* byte offsets of the zeros in the area */
	} rows[] = {{"UMEMSETS.64 [UR10], URZ, UR14\n", "", 8, 32},
	            {"UMEMSETS.64 [UR10+0x10], URZ, UR14\n", "", 24, 48},
	            {"UMEMSETS.64 [UR10+-0x8], URZ, UR14\n", "", 0, 24},
	            {"@!UPT UMEMSETS.64 [UR10], URZ, UR14\n", "", 0, 0},
	            {"UMEMSETS.64 [UR10], URZ, URZ\n", "", 0, 0},
	            {"UMOV UR14, 0x1f\nUMEMSETS.64 [UR10], URZ, UR14\n", "", 8, 256},
	            {"UMEMSETS.64 [UR10+0x4], URZ, UR14\n", "MISALIGNED_ADDRESS", 0, 0},
	            {"UMEMSETS.64 [UR10+0x1be8], URZ, UR14\n", "SHARED_OUT_OF_RANGE", 0, 0},
	            {"UMOV UR10, 0x1000408\nUMEMSETS.64 [UR10], URZ, UR14\n", "SHARED_OUT_OF_RANGE", 0, 0},
	            {"UMOV UR14, 0x20000000\nUMEMSETS.64 [UR10], URZ, UR14\n", "SHARED_OUT_OF_RANGE", 0, 0}};
	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char text[2000];
		snprintf(text, sizeof text, FILL "%sLDS R16, [R2+0x400]\nLDS R17, [R2+0x480]\nEXIT\n", rows[i].text);
		const enum wl_outcome o = begin(i % 2 ? WL_SM120 : WL_SM100, text, i + 1);
		if (o != (*rows[i].says ? WL_FAULTED : WL_ENDED) || !strstr(k.detail, rows[i].says))
			fail_msg("row %u: outcome %d: %s; expected \"%s\"", i, (int)o, k.detail, rows[i].says);
		for (unsigned lane = 0; lane < 64 && o == WL_ENDED; lane++)
			assert_int_equal(reg(16 + lane / 32, lane % 32),
			                 4 * lane >= rows[i].first && 4 * lane < rows[i].last ? 0 : 0x22222222);
		kernel_free(&k);
	}
}

static void test_faults(void **state)
{
	static const struct {
		const char *text, *says;
	} rows[] = {{"UMOV UR10, 0x408\nUBLKCP.S.G [UR10], [UR6], UR14\n", "MISALIGNED_ADDRESS"},
	            {"UMOV UR11, 0x4\nUBLKCP.S.G [UR10], [UR6], UR14\n", "MISALIGNED_ADDRESS"},
	            {"UMOV UR10, 0x1ff0\nUBLKCP.S.G [UR10], [UR6], UR14\n", "SHARED_OUT_OF_RANGE"},
	            {"UMOV UR10, 0x1000400\nUBLKCP.S.G [UR10], [UR6], UR14\n", "SHARED_OUT_OF_RANGE"},
	            {"UMOV UR14, 0x101\nUBLKCP.S.G [UR10], [UR6], UR14\n", "GLOBAL_OUT_OF_RANGE"},
	            {"UMOV UR7, 0x0\nUBLKCP.G.S [UR6], [UR10], UR14\n", "GLOBAL_OUT_OF_RANGE"},
	            {"UMOV UR14, 0x30001\nUBLKCP.S.G.MULTICAST [UR10], [UR6], UR14\n", "CLUSTER_RANK"},
	            /* found at the landing: no mbarrier; more bytes than the mbarrier can count; more arrivals than
	               expected */
	            {"UBLKCP.S.G [UR10], [UR6], UR14\nNANOSLEEP 0x1000\n", "MBAR_UNINIT"},
	            {INIT_1 "MOV R8, 0xfffff\n@!P0 SYNCS.ARRIVE.TRANS64.RED.A0TX RZ, [UR11], R8\nUMOV UR14, 0x8\n"
	                    "UBLKCP.S.G [UR10], [UR6], UR14\nNANOSLEEP 0x1000\n",
	             "MBAR_TX_RANGE"},
	            {INIT_32
	             "ARRIVES.LDGSTSBAR.64.ARVCNT [UR11]\nNANOSLEEP 0x1000\n@!P0 SYNCS.ARRIVE.TRANS64.OPTOUT.ART0 RZ, "
	             "[UR11], R6\n",
	             ""},
	            {INIT_1 "@P0 ARRIVES.LDGSTSBAR.64.ARVCNT [UR11]\n@!P0 ARRIVES.LDGSTSBAR.64.ARVCNT [UR11+0x8]\n"
	                    "NANOSLEEP 0x1000\n",
	             "MBAR_UNINIT"},
	            {INIT_1 "UMOV UR14, 0x0\nUBLKCP.S.G.MULTICAST [UR10], [UR6], UR14\n", ""}};
	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char text[3000];
		snprintf(text, sizeof text, PROLOGUE "%sEXIT\n", rows[i].text);
		const enum wl_outcome o = begin(WL_SM90, text, 1);
		if (o != (*rows[i].says ? WL_FAULTED : WL_ENDED) || !strstr(k.detail, rows[i].says))
			fail_msg("row %u: outcome %d: %s; expected \"%s\"", i, (int)o, k.detail, rows[i].says);
		kernel_free(&k);
	}
}

/* Arrivals of many lanes at one object: all lanes get the high word before the instruction; the low register stays. */
static void test_tokens(void **state)
{
	(void)state;
	ends(WL_SM90,
	     PROLOGUE INIT("0x1fff80", "0x7ffe0000") /* 64 arrivals */
	     "MOV R8, 0x10\nMOV R9, 0x2\nSYNCS.ARRIVE.TRANS64.A1T0 R20, [UR11], RZ\n"
	     "@P0 SYNCS.ARRIVE.TRANS64.A1T0 R22, [UR11], RZ\nSYNCS.PHASECHK.TRANS64 P2, [UR11], RZ\n"
	     "@!P0 SYNCS.ARRIVE.TRANS64 R24, [UR11], R8\n@!P0 SYNCS.ARRIVE.TRANS64.RED.A0TX RZ, [UR11], R8\n"
	     "SYNCS.PHASECHK.TRANS64.TRYWAIT P3, [UR11], RZ\nLDS.64 R26, [RZ]\n"
	     "SYNCS.ARRIVE.TRANS64.ART0 R28, [UR11], R9\nLDS.64 R30, [RZ]\n"
	     "SEL R32, R8, RZ, P2\nSEL R33, R8, RZ, P3\nEXIT\n",
	     1);
	for (unsigned lane = 0; lane < 32; lane++) {
		assert_int_equal(reg(21, lane), 0x7ffe0000);
		if (lane)
			assert_int_equal(reg(23, lane), 0x7ffe0000 + (32 << 11));
		assert_int_equal(reg(26, lane), 0x1fff80);
		assert_int_equal(reg(27, lane), 0xfffe0000);
		assert_int_equal(reg(29, lane), 0xfffe0000);
		assert_int_equal(reg(31, lane), 0x7ffe0000);
		assert_int_equal(reg(32, lane), 0);
		assert_int_equal(reg(33, lane), 0x10);
	}
	assert_int_equal(reg(25, 0), 0x7ffff800);
	kernel_free(&k);
}

/* An arrival without result (.RED) leaves the register, and counts all the same. */
static void test_no_token(void **state)
{
	(void)state;
	ends(WL_SM90,
	     PROLOGUE INIT("0x1fff80", "0x7ffe0000") /* 64 arrivals */
	     "MOV R20, 0x5\nMOV R21, 0x6\nSYNCS.ARRIVE.TRANS64.RED.A1T0 R20, [UR11], RZ\nLDS.64 R30, [RZ]\nEXIT\n",
	     1);
	for (unsigned lane = 0; lane < 32; lane++) {
		assert_int_equal(reg(20, lane), 0x5);
		assert_int_equal(reg(21, lane), 0x6);
		assert_int_equal(reg(31, lane), 0x7ffe0000 + (32 << 11));
	}
	kernel_free(&k);
}

/* More copies than the agent keeps: the oldest copies make room. */
static void test_many(void **state)
{
	(void)state;
	ends(WL_SM90,
	     PROLOGUE "MOV R20, 0x190\nloop:\nLDGSTS.E [R2+0x400], desc[UR4][R4.64]\nIADD3 R20, R20, -0x1, RZ\n"
	              "ISETP.NE.U32.AND P1, PT, R20, RZ, PT\n@P1 BRA {loop}\nLDGDEPBAR\nDEPBAR.LE SB0, 0x0\n"
	              "LDS R18, [R2+0x400]\nEXIT\n",
	     5);
	for (unsigned lane = 0; lane < 32; lane++)
		assert_int_equal(reg(18, lane), source(lane));
	kernel_free(&k);
}

/* Copies of tensors are refused by name. */
static void test_tensors(void **state)
{
	static const char *const rows[] = {
	        "UTMALDG.2D [UR4], [UR8]", "UTMALDG.5D.IM2COL.MULTICAST [UR4], [UR8], UR7, desc[UR12]",
	        "UTMASTG.1D [UR4], [UR8], desc[UR12]", "UTMAREDG.3D.MAX [UR4], [UR8]", "UTMAPF.L2.4D [UR4], [UR8]"};
	static const enum wl_arch archs[] = {WL_SM90, WL_SM100, WL_SM120};
	(void)state;
	for (unsigned a = 0; a < sizeof archs / sizeof *archs; a++)
		for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
			char text[200];
			snprintf(text, sizeof text, "%s\nEXIT\n", rows[i]);
			const enum wl_outcome o = begin(archs[a], text, 1);
			if (o != WL_ERROR || !strstr(k.detail, "not built yet") || !strstr(k.detail, rows[i]))
				fail_msg("%s: outcome %d: %s", rows[i], (int)o, k.detail);
			kernel_free(&k);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_in),         cmocka_unit_test(test_before_expect),
	        cmocka_unit_test(test_out),        cmocka_unit_test(test_not_waited_for),
	        cmocka_unit_test(test_within),     cmocka_unit_test(test_reductions),
	        cmocka_unit_test(test_arrivals),   cmocka_unit_test(test_arrivals_80),
	        cmocka_unit_test(test_groups),     cmocka_unit_test(test_stores),
	        cmocka_unit_test(test_byte_mask),  cmocka_unit_test(test_fill),
	        cmocka_unit_test(test_faults),     cmocka_unit_test(test_tokens),
	        cmocka_unit_test(test_no_token),   cmocka_unit_test(test_many),
	        cmocka_unit_test(test_wait_field), cmocka_unit_test(test_tensors),
	        cmocka_unit_test(test_no_launch),  cmocka_unit_test(test_launches),
	        cmocka_unit_test(test_faults_100),
	};
	return cmocka_run_group_tests(tests, NULL, NULL) | kernel_covers("uop_async_test");
}

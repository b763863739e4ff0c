// SPDX-License-Identifier: Apache-2.0
/* cluster_test.c -- clusters as kernels use and misuse clusters: refused launches, addresses of other CTAs, the
 * cluster's barrier; on one SM, and with the CTAs of a cluster on several SMs. Each fault by name and place. */
#include <string.h>

#include "../../cmodel/sm/gpu.h"
#include "kernel_test.h"
#include "warplock/waiting.h"

enum { SHARED = 4096 };

/* Of sm_90. R0: thread; R1: rank of the CTA; R2: the CTA's shared memory (rank << 24), R3: the shared memory of the
 * other CTA of two; R4:5: R3 as a generic address. UR4: descriptor; UR6:7: parameter 0; UR10: as R3. P0: rank is 0. */
#define BEGIN                                                                                                          \
	"ULDC.64 UR4, c[0x0][0x208]\nULDC.64 UR6, c[0x0][0x210]\nS2R R0, SR_TID.X\nS2R R1, SR_CgaCtaId\n"              \
	"SHF.L.U32 R2, R1, 0x18, RZ\nLOP3.LUT R3, R2, 0x1000000, RZ, 0x3c, !PT\nMOV R4, R3\nS2R R5, SR_SWINHI\n"       \
	"R2UR UR10, R3\nISETP.EQ.U32.AND P0, PT, R1, RZ, PT\n"
/* An mbarrier for one arrival at offset 0x10 of the CTA's own shared memory; UR12 holds the base. */
#define INIT "R2UR UR12, R2\nUMOV UR8, 0x1ffffe\nUMOV UR9, 0x7ffff800\nSYNCS.EXCH.64 URZ, [UR12+0x10], UR8\n"
#define MEET "UCGABAR_ARV\nUCGABAR_WAIT\n"
#define LATE "NANOSLEEP 0x2000\n"

static struct kernel k;

struct shape {
	uint32_t ctas, cluster, threads, sms, slots;
};
static const struct shape two = {2, 2, 32, 1, 16}, apart = {2, 2, 32, 2, 1}, four = {4, 4, 64, 1, 16},
                          pairs = {4, 4, 64, 2, 2}, sixteen = {32, 16, 64, 1, 16}, wide = {32, 16, 64, 4, 4};

static uint32_t *out;

static enum wl_outcome run(const struct shape *s, const char *body)
{
	char text[4000];
	snprintf(text, sizeof text, BEGIN "%s\nEXIT\n", body);
	kernel_init_for(&k, WL_SM90, text);
	k.prog.shared_bytes = SHARED;
	k.launch.grid[0] = s->ctas;
	k.launch.cluster[0] = s->cluster;
	k.launch.cluster[1] = k.launch.cluster[2] = 1;
	k.launch.block[0] = s->threads;
	k.config.sms = s->sms;
	k.config.ctas_per_sm = s->slots;
	out = kernel_words(&k, 0, 1024, 0x5a5a5a5a);
	return kernel_run(&k);
}

static void passes(const struct shape *s, const char *body)
{
	if (run(s, body) != WL_ENDED)
		fail_msg("%s: %s", body, k.detail);
}

static void faults(const struct shape *s, const char *body, const char *const *phrases)
{
	const enum wl_outcome o = run(s, body);
	if (o != WL_FAULTED)
		fail_msg("%s: outcome %s: %s", body, wl_outcome_name(o), k.detail);
	for (; *phrases; phrases++)
		if (!strstr(k.detail, *phrases))
			fail_msg("%s: '%s' is not in: %s", body, *phrases, k.detail);
	kernel_free(&k);
}
/* On one SM, and with each CTA on a separate SM. */
#define FAULTS(body, ...)                                                                                              \
	do {                                                                                                           \
		faults(&two, body, (const char *const[]){__VA_ARGS__, NULL});                                          \
		faults(&apart, body, (const char *const[]){__VA_ARGS__, NULL});                                        \
	} while (0)

/* ---- launches ---- */

static void refused(enum wl_arch arch, const uint32_t grid[3], const uint32_t cluster[3], const char *says)
{
	char why[400];
	struct wl_gpu *gpu;
	kernel_init_for(&k, arch, "EXIT\n");
	memcpy(k.launch.grid, grid, sizeof k.launch.grid);
	memcpy(k.launch.cluster, cluster, sizeof k.launch.cluster);
	k.prog.shared_bytes = 16384;
	k.prog.max_cluster = 12;
	k.launch.params = (const uint8_t *)k.param;
	const enum wl_status s = wl_gpu_create(&k.config, &k.prog, &k.mem, &k.launch, &gpu, why, sizeof why);
	if ((s == WL_OK) != !*says || (s != WL_OK && !strstr(why, says)))
		fail_msg("status %d: %s; expected \"%s\"", (int)s, s == WL_OK ? "" : why, says);
	wl_gpu_free(gpu);
	kernel_free(&k);
}
#define DIMS(x, y, z) ((const uint32_t[3]){x, y, z})

static void test_launch(void **state)
{
	(void)state;
	refused(WL_SM90, DIMS(8, 2, 1), DIMS(4, 1, 1), "");
	refused(WL_SM90, DIMS(8, 2, 1), DIMS(0, 0, 0), "");
	refused(WL_SM75, DIMS(8, 2, 1), DIMS(1, 1, 1), "");
	refused(WL_SM80, DIMS(8, 2, 1), DIMS(2, 1, 1), "clusters of CTAs need sm_90 or later, the machine is sm_80");
	refused(WL_SM90, DIMS(6, 2, 1), DIMS(4, 1, 1), "grid [6, 2, 1] is no multiple of its clusters [4, 1, 1]");
	refused(WL_SM90, DIMS(8, 2, 3), DIMS(1, 1, 2), "no multiple");
	refused(WL_SM90, DIMS(32, 2, 1), DIMS(8, 2, 1), "CTAs of a cluster of this kernel: 16, at most 12");
	refused(WL_SM90, DIMS(32, 2, 1), DIMS(32, 1, 1), "CTAs of a cluster: 32, at most 16");
	refused(WL_SM90, DIMS(1u << 31, 2, 1), DIMS(1u << 31, 2, 1), "grid dimension x");
	refused(WL_SM90, DIMS(8, 2, 1), DIMS(4, 2, 1),
	        "a cluster has 8 CTAs, but only 4 CTAs of this kernel run at a time");
	kernel_init_for(&k, WL_SM90, "EXIT\n");
	k.launch.params = (const uint8_t *)k.param;
	k.prog.required_cluster[0] = 2;
	k.prog.required_cluster[1] = k.prog.required_cluster[2] = 1;
	k.launch.grid[0] = 4;
	memcpy(k.launch.cluster, DIMS(4, 1, 1), sizeof k.launch.cluster);
	char why[400];
	struct wl_gpu *gpu;
	assert_int_equal(wl_gpu_create(&k.config, &k.prog, &k.mem, &k.launch, &gpu, why, sizeof why), WL_ERR_LAUNCH);
	assert_non_null(strstr(why, "clusters are [4, 1, 1], the kernel requires [2, 1, 1]"));
	memcpy(k.launch.cluster, DIMS(0, 0, 0), sizeof k.launch.cluster);
	assert_int_equal(wl_gpu_create(&k.config, &k.prog, &k.mem, &k.launch, &gpu, why, sizeof why), WL_OK);
	assert_int_equal(gpu->cluster_ctas, 2);
	wl_gpu_free(gpu);
	kernel_free(&k);
}

/* ---- addresses ---- */

static void test_addresses(void **state)
{
	const struct shape *shapes[] = {&two, &apart};
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		/* own memory with and without LDS; the other CTA's memory by load, store, atomic */
		passes(shapes[i],
		       "IMAD R8, R0, 0x4, R2\nIMAD R9, R1, 0x100, R0\nSTS [R8+0x100], R9\n" MEET
		       "IMAD R6, R0, 0x4, R4\nMOV R7, R5\nLD.E R10, desc[UR4][R6.64+0x100]\n"
		       "ST.E desc[UR4][R6.64+0x200], R9\nMOV R11, 0x3\n" MEET
		       "ATOM.E.ADD.STRONG.GPU PT, R12, desc[UR4][R6.64+0x200], R11\n" MEET
		       "LDS R13, [R8+0x200]\nIADD3 R14, R10, R13, R12\nIMAD R15, R1, 0x20, R0\nMOV R16, 0x4\n"
		       "LDC.64 R18, c[0x0][0x210]\nIMAD.WIDE.U32 R16, R15, R16, R18\nSTG.E desc[UR4][R16.64], R14\n");
		for (uint32_t rank = 0; rank < 2; rank++)
			for (uint32_t t = 0; t < 32; t++) {
				const uint32_t own = 256 * rank + t, other = 256 * (1 - rank) + t;
				assert_int_equal(out[rank * 32 + t], other + (other + 3) + own);
			}
		kernel_free(&k);
	}
}

static void test_bad_addresses(void **state)
{
	(void)state;
	FAULTS("MOV R4, 0x5000000\nLD.E R8, desc[UR4][R4.64]", "CLUSTER_RANK", "address 0x5000000", "LD.E");
	FAULTS("MOV R4, 0x2000000\nST.E desc[UR4][R4.64], R0", "CLUSTER_RANK");
	FAULTS("MOV R4, 0x5000000\nATOM.E.ADD.STRONG.GPU PT, R8, desc[UR4][R4.64], R0", "CLUSTER_RANK");
	FAULTS("MOV R4, 0x5000002\nATOM.E.ADD.STRONG.GPU PT, R8, desc[UR4][R4.64], R0", "MISALIGNED_ADDRESS");
	FAULTS("MOV R4, 0x5000002\nLD.E R8, desc[UR4][R4.64]", "MISALIGNED_ADDRESS");
	FAULTS("LD.E R8, desc[UR4][R4.64+0x1000]", "SHARED_OUT_OF_RANGE");
	FAULTS("ATOM.E.ADD.STRONG.GPU PT, R8, desc[UR4][R4.64+0x1000], R0", "SHARED_OUT_OF_RANGE");
	/* instructions that reach only the CTA's own window */
	FAULTS("LDS R8, [R3]", "SHARED_OUT_OF_RANGE");
	FAULTS("STS [R3], R0", "SHARED_OUT_OF_RANGE");
	FAULTS("ATOMS.ADD R8, [R3], R0", "SHARED_OUT_OF_RANGE");
	/* of an ended CTA */
	FAULTS("@!P0 EXIT\n" LATE "LD.E R8, desc[UR4][R4.64]", "CLUSTER_TARGET", "CTA 0");
	FAULTS("@P0 EXIT\n" LATE "ATOM.E.ADD.STRONG.GPU PT, R8, desc[UR4][R4.64], R0", "CLUSTER_TARGET", "CTA 1");
	FAULTS("@P0 EXIT\n" LATE "SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [R3+URZ+0x10], RZ", "CLUSTER_TARGET");
	FAULTS("@P0 EXIT\n" LATE "MOV R8, R3\nIADD3 R9, R3, 0x10, RZ\nSTAS [R8.64], R0", "CLUSTER_TARGET");
	FAULTS(INIT MEET "@P0 EXIT\n" LATE "R2UR UR9, R3\nR2UR UR8, R3\nUMOV UR14, 0x2\nUBLKCP.S.G [UR8], [UR6], UR14",
	       "CLUSTER_TARGET");
}

/* A copy on the way to a CTA that ends before the landing; pieces of the last CTA's own copies still land. */
static void test_late_copies(void **state)
{
	(void)state;
#define BUT_LATER(copy) INIT MEET "@!P0 BRA {leave}\n" copy "UCGABAR_ARV\n" LATE "EXIT\nleave:\n" MEET
	FAULTS(BUT_LATER("UMOV UR9, 0x1000010\nUMOV UR8, 0x1000100\nUMOV UR14, 0x80\nUBLKCP.S.G [UR8], [UR6], UR14\n"),
	       "CLUSTER_TARGET", "UBLKCP");
	FAULTS(BUT_LATER("IADD3 R8, R3, 0x100, RZ\nIADD3 R9, R3, 0x10, RZ\nSTAS [R8.64], R0\n"), "CLUSTER_TARGET",
	       "STAS");
}

/* An address without a register is the CTA's own, with any rank. */
static void test_own(void **state)
{
	const struct shape *shapes[] = {&two, &apart};
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		passes(shapes[i], "IADD3 R8, R1, 0x70, RZ\nISETP.EQ.U32.AND P1, PT, R0, RZ, PT\nSTS [0x100], R8\n"
		                  "LDS R9, [R2+0x100]\n@P1 ATOMS.ADD R10, [0x100], R1\nLDS R11, [0x100]\n"
		                  "IADD3 R12, R9, R10, R11\nLDC.64 R18, c[0x0][0x210]\nMOV R16, 0x4\n"
		                  "IMAD.WIDE.U32 R16, R1, R16, R18\n"
		                  "@P1 STG.E desc[UR4][R16.64], R12\n");
		for (uint32_t rank = 0; rank < 2; rank++)
			assert_int_equal(out[rank], 3 * 0x70 + 4 * rank);
		kernel_free(&k);
	}
}

/* .S is the CTA's own part of .D, the memory of the whole cluster; rank 5 is in no cluster of two. */
static void test_spaces(void **state)
{
	const struct shape *shapes[] = {&two, &apart};
	(void)state;
#define ASK(space, at, bit) "QSPC.E." space " P1, RZ, [" at "]\n@P1 LOP3.LUT R8, R8, " bit ", RZ, 0xfc, !PT\n"
	for (unsigned i = 0; i < 2; i++) {
		passes(shapes[i],
		       "MOV R20, R2\nMOV R21, R5\nMOV R22, 0x5000000\nMOV R23, R5\nMOV R8, RZ\n" ASK("S", "R20", "0x1")
		               ASK("D", "R20", "0x2") ASK("S", "R4", "0x4") ASK("D", "R4", "0x8")
		                       ASK("S", "R22", "0x10")
		                               ASK("D", "R22", "0x20") "LDC.64 R18, c[0x0][0x210]\nMOV R16, 0x4\n"
		                                                       "IMAD.WIDE.U32 R16, R1, R16, R18\n"
		                                                       "STG.E desc[UR4][R16.64], R8\n");
		for (uint32_t rank = 0; rank < 2; rank++)
			assert_int_equal(out[rank], 0x1 | 0x2 | 0x8);
		kernel_free(&k);
	}
#undef ASK
}

/* ---- mbarriers and copies ---- */

#define P1_FIRST "ISETP.EQ.U32.AND P1, PT, R0, RZ, PT\n"
#define OUT_R16  "LDC.64 R18, c[0x0][0x210]\nMOV R16, 0x4\nIMAD.WIDE.U32 R16, R0, R16, R18\n"
#define WAIT     "SYNCS.PHASECHK.TRANS64.TRYWAIT P2, [R2+URZ+0x10], RZ\n"

/* LDGSTS into the CTA's own memory, by an offset and by an address, and ARRIVES, with any rank. The global address
 * comes from a uniform pair, too. */
static void test_own_copies(void **state)
{
	const struct shape *shapes[] = {&two, &apart};
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		passes(shapes[i], P1_FIRST OUT_R16
		       "SHF.L.U32 R10, R1, 0x9, RZ\nIADD3 R16, R16, R10, RZ\n" /* 128 words each */
		       "IMAD R8, R1, 0x1000, R0\nSTG.E desc[UR4][R16.64], R8\n" INIT MEET
		       "@P1 LDGSTS.E [0x100], desc[UR4][R16.64+0x4]\nIADD3 R11, R10, 0x8, RZ\n"
		       "@P1 LDGSTS.E [R2+0x104], [R11.U32+UR6]\n@P1 ARRIVES.LDGSTSBAR.64.ARVCNT [UR12+0x10]\n"
		       "first:\n" WAIT "@!P2 BRA {first}\nLDS R20, [R2+0x100]\nLDS R21, [R2+0x104]\n"
		       "@P1 STG.E desc[UR4][R16.64+0x100], R20\n@P1 STG.E desc[UR4][R16.64+0x104], R21\n");
		for (uint32_t rank = 0; rank < 2; rank++) {
			assert_int_equal(out[rank * 128 + 64], rank * 0x1000 + 1);
			assert_int_equal(out[rank * 128 + 65], rank * 0x1000 + 2);
		}
		kernel_free(&k);
	}
}

/* CTA 1 names its own memory; the copy goes to CTA 0 alone. */
static void test_multicast(void **state)
{
	const struct shape *shapes[] = {&two, &apart};
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		passes(shapes[i], P1_FIRST OUT_R16
		       "IMAD R8, R0, 0x7, R0\n@!P0 STG.E desc[UR4][R16.64], R8\n" INIT MEET
		       "@P0 BRA {receives}\nIADD3 R10, R2, 0x100, RZ\nIADD3 R11, R2, 0x10, RZ\nR2UR UR8, R10\n"
		       "R2UR UR9, R11\nUMOV UR14, 0x10002\nUBLKCP.S.G.MULTICAST [UR8], [UR6], UR14\nBRA {end}\n"
		       "receives:\nMOV R8, 0x20\n@P1 SYNCS.ARRIVE.TRANS64 RZ, [UR12+0x10], R8\nwait:\n" WAIT
		       "@!P2 BRA {wait}\nSHF.L.U32 R9, R0, 0x2, RZ\nLDS R20, [R9+0x100]\n"
		       "STG.E desc[UR4][R16.64+0x100], R20\nend:\n" MEET);
		for (uint32_t t = 0; t < 8; t++)
			assert_int_equal(out[64 + t], 8 * t);
		kernel_free(&k);
	}
}

static void test_mbarriers(void **state)
{
	(void)state;
	FAULTS("MOV R3, 0x7000010\nSYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [R3+URZ], RZ", "CLUSTER_RANK",
	       "address 0x7000010");
	FAULTS("MOV R3, 0x7000012\nSYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [R3+URZ], RZ", "MISALIGNED_ADDRESS");
	FAULTS("SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [R3+URZ+0x10], RZ", "MBAR_UNINIT");
	/* no instruction reads the contents of another CTA's object */
	FAULTS(INIT MEET "SYNCS.ARRIVE.TRANS64.A1T0 R8, [R3+URZ+0x10], RZ\n" MEET, "BAD_SPACE");
	FAULTS(INIT MEET "SYNCS.PHASECHK.TRANS64 P1, [R3+URZ+0x10], RZ\n" MEET, "BAD_SPACE");
	FAULTS(INIT MEET "SYNCS.CCTL.IV [R3+URZ+0x10]\n" MEET, "BAD_SPACE");
	FAULTS("UMOV UR8, 0x1ffffe\nUMOV UR9, 0x7ffff800\nSYNCS.EXCH.64 URZ, [UR10+0x10], UR8\n" MEET, "BAD_SPACE");
	FAULTS("MOV R8, 0x7000100\nMOV R9, 0x7000010\nSTAS [R8.64], R0", "CLUSTER_RANK");
	FAULTS(INIT MEET "IADD3 R8, R3, 0x100, RZ\nIADD3 R9, R2, 0x10, RZ\nSTAS [R8.64], R0\n" MEET,
	       "SHARED_OUT_OF_RANGE"); /* data in one CTA, mbarrier in another */
	FAULTS(INIT MEET "UMOV UR9, 0x10\nUMOV UR8, 0x1000100\nUMOV UR14, 0x2\nUBLKCP.S.G [UR8], [UR6], UR14\n" MEET,
	       "SHARED_OUT_OF_RANGE");
	FAULTS(INIT MEET
	       "UMOV UR9, 0x10\nUMOV UR8, 0x100\nUMOV UR14, 0x40002\nUBLKCP.S.G.MULTICAST [UR8], [UR6], UR14\n" MEET,
	       "CLUSTER_RANK");
	FAULTS(INIT MEET
	       "UMOV UR9, 0x5000010\nUMOV UR8, 0x5000100\nUMOV UR14, 0x2\nUBLKCP.S.G [UR8], [UR6], UR14\n" MEET,
	       "CLUSTER_RANK");
	/* INIT expects one arrival a phase; the arrival of the warp's second lane opens the next phase */
	passes(&apart, INIT MEET "ISETP.EQ.U32.AND P1, PT, R0, 0x7, PT\n"
	                         "@P1 SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [R3+URZ+0x10], RZ\nwait:\n"
	                         "SYNCS.PHASECHK.TRANS64.TRYWAIT P2, [R2+URZ+0x10], RZ\n@!P2 BRA {wait}\n" MEET);
	kernel_free(&k);
}

/* ---- the barrier ---- */

static void test_barrier(void **state)
{
	(void)state;
	FAULTS("UCGABAR_WAIT", "CBAR_WAIT_NO_ARRIVE", "`UCGABAR_WAIT`", "lanes 0xffffffff");
	FAULTS(MEET "UCGABAR_WAIT", "CBAR_WAIT_NO_ARRIVE");
	FAULTS("@P0 BRA {wait}\n" LATE "wait:\nUCGABAR_ARV\nUCGABAR_ARV", "CBAR_DOUBLE_ARRIVE", "CTA 0");
	FAULTS("ISETP.LT.U32.AND P1, PT, R0, 0x10, PT\n@P1 BRA {other}\nUCGABAR_ARV\nUCGABAR_WAIT\nEXIT\nother:\n"
	       "UCGABAR_WAIT\n",
	       "BAR_NOT_CONVERGED");
	FAULTS("ISETP.LT.U32.AND P1, PT, R0, 0x10, PT\n@P1 BRA {other}\nUCGABAR_ARV\nUCGABAR_WAIT\nEXIT\nother:\n"
	       "BAR.SYNC.DEFER_BLOCKING 0x0\n",
	       "BAR_NOT_CONVERGED");
	/* two arrivals by halves of a warp are one arrival; a wait is optional; exited warps are not waited for */
	const struct shape *shapes[] = {&two, &apart, &four, &pairs, &sixteen, &wide};
	for (unsigned i = 0; i < 6; i++) {
		passes(shapes[i], "ISETP.LT.U32.AND P1, PT, R0, 0x10, PT\n@P1 BRA {other}\nUCGABAR_ARV\nBRA {on}\n"
		                  "other:\nUCGABAR_ARV\non:\nUCGABAR_WAIT\n" MEET);
		kernel_free(&k);
		passes(shapes[i], "@P0 " LATE "UCGABAR_ARV\n@!P0 EXIT\nUCGABAR_WAIT\n" MEET);
		kernel_free(&k);
		passes(shapes[i], "@P0 EXIT\n" MEET LATE MEET);
		kernel_free(&k);
		passes(shapes[i], "ISETP.LT.U32.AND P1, PT, R0, 0x20, PT\n" MEET "@P1 EXIT\n" MEET MEET);
		kernel_free(&k);
	}
}

/* After the wait every CTA sees all writes before the arrivals, phase after phase. */
static void test_phases(void **state)
{
	const struct shape *shapes[] = {&four, &pairs};
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		passes(shapes[i], "LDC.64 R18, c[0x0][0x210]\nMOV R20, 0x8\nIMAD R10, R1, 0x40, R0\nMOV R11, 0x4\n"
		                  "IMAD.WIDE.U32 R12, R10, R11, R18\nLOP3.LUT R14, R10, 0x40, RZ, 0x3c, !PT\n"
		                  "LOP3.LUT R14, R14, 0x3f, RZ, 0x3c, !PT\nIMAD.WIDE.U32 R14, R14, R11, R18\n"
		                  "STG.E desc[UR4][R12.64], R10\nloop:\n" MEET "LDG.E R16, desc[UR4][R14.64]\n" MEET
		                  "IADD3 R16, R16, 0x1, RZ\nSTG.E desc[UR4][R12.64], R16\nIADD3 R20, R20, -0x1, RZ\n"
		                  "ISETP.NE.U32.AND P1, PT, R20, RZ, PT\n@P1 BRA {loop}\n");
		for (uint32_t t = 0; t < 256; t++) /* an even number of exchanges: at home again, 8 higher */
			assert_int_equal(out[t], t + 8);
		kernel_free(&k);
	}
}

/* The report names the missing warps and their CTA. */
static void test_hang(void **state)
{
	const struct shape *shapes[] = {&four, &pairs};
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct wl_waits w;
		assert_int_equal(run(shapes[i],
		                     "ISETP.EQ.U32.AND P1, PT, R1, 0x2, PT\nISETP.GE.U32.AND P1, PT, R0, 0x20, P1\n"
		                     "@P1 BAR.SYNC.DEFER_BLOCKING 0x3\nUCGABAR_ARV\nUCGABAR_WAIT"),
		                 WL_DEADLOCK);
		if (!strstr(k.detail, "threads arrived; missing: CTA 2 warp 1 (lanes 0xffffffff at pc 0x"))
			fail_msg("%s", k.detail);
		assert_true(wl_gpu_waits(k.gpu, &w));
		assert_int_equal(w.n, 8);
		for (unsigned g = 0; g < w.n; g++) {
			const bool late = w.group[g].cta == 2 && w.group[g].warp == 1;
			assert_int_equal(w.group[g].what, late ? WL_WAIT_BARRIER : WL_WAIT_CLUSTER);
			assert_int_equal(w.group[g].arrived, late ? 32 : 7 * 32);
			assert_int_equal(w.group[g].expected, late ? 64 : 8 * 32);
			for (unsigned h = 0; h < w.n && !late; h++)
				assert_int_equal(wl_waits_for(&w, g, h), w.group[h].cta == 2 && w.group[h].warp == 1);
		}
		assert_int_equal(w.ncircle, 2);
		wl_waits_free(&w);
		kernel_free(&k);
	}
}

/* A kernel without a cluster is a cluster of one. */
static void test_alone(void **state)
{
	const struct shape none = {3, 0, 64, 1, 16};
	(void)state;
	passes(&none, MEET MEET);
	kernel_free(&k);
	faults(&none, "LDS R8, [R3]", (const char *const[]){"SHARED_OUT_OF_RANGE", NULL});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_launch),        cmocka_unit_test(test_addresses),
	        cmocka_unit_test(test_bad_addresses), cmocka_unit_test(test_late_copies),
	        cmocka_unit_test(test_mbarriers),     cmocka_unit_test(test_barrier),
	        cmocka_unit_test(test_phases),        cmocka_unit_test(test_hang),
	        cmocka_unit_test(test_alone),         cmocka_unit_test(test_own),
	        cmocka_unit_test(test_own_copies),    cmocka_unit_test(test_multicast),
	        cmocka_unit_test(test_spaces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL) | kernel_covers("cluster_test");
}

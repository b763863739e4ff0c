// SPDX-License-Identifier: Apache-2.0
/* special_test.c -- code of ptxas for special registers of PTX: words of constant bank 0 and S2R. The places are those
 * of ptxas 13.0 for `mov %v, %NAME` on each architecture; the values follow from the launch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "kernel.h"

enum { CTAS = 3, THREADS = 70, DYNAMIC = 96 };

/* `read` leaves the value in R8; every thread stores R8. Returns the words of all threads. */
static const uint32_t *run(struct kernel *k, enum wl_arch arch, const char *read)
{
	char text[1000];
	snprintf(text, sizeof text,
	         "S2R R0, SR_TID.X\nS2R R1, SR_CTAID.X\nMOV R4, 0x46\nIMAD R5, R1, R4, R0\nMOV R4, 0x4\n"
	         "MOV R2, c[0x0][0x%x]\nMOV R3, c[0x0][0x%x]\nIMAD.WIDE.U32 R2, R5, R4, R2\n%s"
	         "ST.E%s [R2], R8\nEXIT\n",
	         wl_cb0_layout(arch)->param, wl_cb0_layout(arch)->param + 4, read, arch == WL_SM75 ? ".SYS" : "");
	kernel_init_for(k, arch, text);
	k->prog.shared_bytes = 64;
	k->prog.local_bytes = 32;
	k->config.sms = 5;
	k->launch.grid[0] = CTAS;
	k->launch.block[0] = THREADS;
	k->launch.dynamic_shared = DYNAMIC;
	k->launch.workspace = UINT64_C(0x123456789a);
	const uint32_t *out = kernel_words(k, 0, CTAS * THREADS, 0xdeadbeef);
	if (kernel_run(k) != WL_ENDED)
		fail_msg("%s", k->detail);
	return out;
}

static void expect_all(enum wl_arch arch, const char *name, const char *read, uint32_t want)
{
	struct kernel k;
	const uint32_t *out = run(&k, arch, read);
	for (unsigned i = 0; i < CTAS * THREADS; i++)
		if (out[i] != want)
			fail_msg("sm_%d: %s of thread %u is 0x%x, expected 0x%x", (int)arch, name, i, out[i], want);
	kernel_free(&k);
}

static void expect_word(enum wl_arch arch, const char *name, unsigned offset, uint32_t want)
{
	char read[60];
	snprintf(read, sizeof read, "MOV R8, c[0x0][0x%x]\n", offset);
	expect_all(arch, name, read, want);
}

static void test_constants_sm75(void **x)
{
	(void)x;
	expect_word(WL_SM75, "generic address of __constant__, low word", 0x50, (uint32_t)WL_CONST_BASE);
	expect_word(WL_SM75, "generic address of __constant__, high word", 0x54, WL_CONST_BASE >> 32);
	expect_word(WL_SM75, "generic address of bank 0, low word", 0x40, (uint32_t)WL_PARAM_BASE);
	expect_word(WL_SM75, "generic address of bank 0, high word", 0x44, WL_PARAM_BASE >> 32);
	expect_word(WL_SM75, "the last parameter's last byte", 0x114, 0x160 + 8 * KERNEL_PARAMS - 1);
	expect_word(WL_SM80, "the last parameter's last byte", 0x12c, 0x160 + 8 * KERNEL_PARAMS - 1);
	expect_word(WL_SM75, "%envreg1", 0x8c, 0x12);
	expect_word(WL_SM75, "%envreg2", 0x90, 0x3456789a);
	expect_word(WL_SM75, "%dynamic_smem_size", 0x2c, DYNAMIC);
	expect_word(WL_SM80, "what the system keeps of shared memory", 0x114, 0);
	expect_word(WL_SM80, "%reserved_smem_offset_end", 0x120, 64 + DYNAMIC);
	expect_word(WL_SM75, "%gridid", 0x30, 1);
	expect_word(WL_SM75, "%nsmid", 0x10c, 5);
}

static void test_constants_sm90(void **x)
{
	(void)x;
	expect_word(WL_SM90, "generic address of __constant__, high word", 0xd4, WL_CONST_BASE >> 32);
	expect_word(WL_SM90, "generic address of parameters, low word", 0x198, (uint32_t)WL_PARAM_BASE + 0x210);
	expect_word(WL_SM90, "generic address of parameters, high word", 0x19c, WL_PARAM_BASE >> 32);
	expect_word(WL_SM90, "that of their last byte", 0x1a0, (uint32_t)WL_PARAM_BASE + 0x210 + 8 * KERNEL_PARAMS - 1);
	expect_word(WL_SM90, "%envreg1", 0x44, 0x12);
	expect_word(WL_SM90, "%envreg2", 0x48, 0x3456789a);
	expect_word(WL_SM90, "%dynamic_smem_size", 0x2c, DYNAMIC);
	expect_word(WL_SM90, "what the system keeps of shared memory", 0x114, 0);
	expect_word(WL_SM90, "%aggr_smem_size", 0x13c, 64 + DYNAMIC);
	expect_word(WL_SM90, "%nsmid", 0x10c, 5);
	/* a launch without clusters: each CTA is a cluster */
	expect_word(WL_SM90, "%cluster_nctaid.x", 0x144, 1);
	expect_word(WL_SM90, "%cluster_nctaid.z", 0x14c, 1);
	expect_word(WL_SM90, "factor of %clusterid.y, a float32", 0x154, 0x3f800000);
	expect_word(WL_SM90, "%nclusterid.x", 0x15c, CTAS);
	expect_word(WL_SM90, "%nclusterid.z", 0x164, 1);
	expect_word(WL_SM90, "%cluster_nctarank", 0x188, 1);
}

/* %total_smem_size is SR_SMEMSZ without the system's part (none on sm_75), in units of 16 bytes. */
static void test_registers(void **x)
{
	(void)x;
	expect_all(WL_SM75, "%total_smem_size", "S2R R8, SR_SMEMSZ\n", 64 + DYNAMIC);
	/* code of nvcc -G: has the stack, growing down from 32 bytes here, gone below this offset? */
	expect_all(WL_SM75, "SR_LMEMHIOFF", "S2R R8, SR_LMEMHIOFF\n", 0);
	expect_all(WL_SM90, "%nwarpid", "S2R R8, SR_VIRTCFG\nSHF.R.U32.HI R8, RZ, 0x8, R8\nSGXT.U32 R8, R8, 0x8\n", 48);
}

/* %warpid: three warps for each of three CTAs; each warp of an SM has another number. */
static void test_warpid(void **x)
{
	(void)x;
	static const enum wl_arch archs[] = {WL_SM75, WL_SM90};
	for (unsigned a = 0; a < 2; a++) {
		struct kernel k;
		const uint32_t *out =
		        run(&k, archs[a], "S2R R8, SR_VIRTID\nSHF.R.U32.HI R8, RZ, 0x8, R8\nSGXT.U32 R8, R8, 0x7\n");
		for (unsigned i = 0; i < CTAS * THREADS; i++) {
			assert_true(out[i] < 48);
			assert_int_equal(out[i] - out[i - i % THREADS], i % THREADS / 32);
		}
		kernel_free(&k);
	}
}

/* Values that differ by lane; the clock goes on. */
static void test_lanes(void **x)
{
	(void)x;
	static const char *const names[] = {"SR_LANEID", "SR_EQMASK", "SR_LTMASK",
	                                    "SR_LEMASK", "SR_GTMASK", "SR_GEMASK"};
	for (unsigned n = 0; n < sizeof names / sizeof *names; n++) {
		struct kernel k;
		char read[60];
		snprintf(read, sizeof read, "S2R R8, %s\n", names[n]);
		const uint32_t *out = run(&k, WL_SM75, read);
		for (unsigned i = 0; i < CTAS * THREADS; i++) {
			const unsigned lane = i % THREADS % 32;
			const uint64_t bit = UINT64_C(1) << lane, all = UINT32_MAX;
			const uint64_t want[] = {lane, bit, bit - 1, 2 * bit - 1, all - (2 * bit - 1), all - (bit - 1)};
			assert_int_equal(out[i], want[n]);
		}
		kernel_free(&k);
	}
	struct kernel k;
	const uint32_t *out =
	        run(&k, WL_SM75, "CS2R R10, SR_CLOCKLO\nNOP\nCS2R R8, SR_CLOCKLO\nIADD3 R8, R8, -R10, RZ\n");
	for (unsigned i = 0; i < CTAS * THREADS; i++)
		assert_in_range(out[i], 1, 1000000);
	kernel_free(&k);
}

/* SR_TID holds x in 15:0, y in 25:16, z in 31:26. */
static void test_packed_tid(void **x)
{
	(void)x;
	enum { X = 5, Y = 3, Z = 4 };
	struct kernel k;
	char text[600];
	snprintf(text, sizeof text,
	         "S2R R0, SR_TID.X\nS2R R1, SR_TID.Y\nS2R R5, SR_TID.Z\nMOV R4, 0x3\nIMAD R1, R5, R4, R1\nMOV R4, 0x5\n"
	         "IMAD R5, R1, R4, R0\nMOV R4, 0x4\nMOV R2, c[0x0][0x%x]\nMOV R3, c[0x0][0x%x]\n"
	         "IMAD.WIDE.U32 R2, R5, R4, R2\nS2R R8, SR_TID\nST.E.SYS [R2], R8\nEXIT\n",
	         wl_cb0_layout(WL_SM75)->param, wl_cb0_layout(WL_SM75)->param + 4);
	kernel_init_for(&k, WL_SM75, text);
	k.launch.block[0] = X, k.launch.block[1] = Y, k.launch.block[2] = Z;
	const uint32_t *out = kernel_words(&k, 0, X * Y * Z, 0xdeadbeef);
	if (kernel_run(&k) != WL_ENDED)
		fail_msg("%s", k.detail);
	for (unsigned i = 0; i < X * Y * Z; i++)
		assert_int_equal(out[i], i % X | i / X % Y << 16 | i / X / Y << 26);
	kernel_free(&k);
}

/* LDC adds a register and an offset; shorter loads are extended. */
static void test_ldc(void **x)
{
	(void)x;
	expect_all(WL_SM75, "LDC of %dynamic_smem_size", "MOV R9, 0x20\nLDC R8, c[0x0][R9+0xc]\n", DYNAMIC);
	expect_all(WL_SM75, "LDC without a register", "LDC R8, c[0x0][0x90]\n", 0x3456789a);
	expect_all(WL_SM75, "LDC of a byte", "MOV R9, 0x90\nLDC.U8 R8, c[0x0][R9]\n", 0x9a);
	expect_all(WL_SM75, "LDC of a signed byte", "MOV R9, 0x90\nLDC.S8 R8, c[0x0][R9]\n", 0xffffff9a);
	expect_all(WL_SM75, "LDC of two words", "MOV R9, 0x8c\nLDC.64 R8, c[0x0][R9]\nMOV R8, R9\n", 0x3456789a);
	expect_all(WL_SM75, "SR_SWINHI", "S2R R8, SR_SWINHI\n", WL_SHARED_WINDOW >> 32);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_constants_sm75),
	        cmocka_unit_test(test_constants_sm90),
	        cmocka_unit_test(test_registers),
	        cmocka_unit_test(test_warpid),
	        cmocka_unit_test(test_lanes),
	        cmocka_unit_test(test_packed_tid),
	        cmocka_unit_test(test_ldc),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

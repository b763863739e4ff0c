// SPDX-License-Identifier: Apache-2.0
/* uop_global256_test.c -- accesses of 256 bits: register of each word, with each mask, under a guard; and faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../cmodel/sm/gpu.h"
#include "kernel.h"

enum { LANES = 32, WORDS = 8, UNTOUCHED = 0x55555555 };

static const enum wl_arch archs[] = {WL_SM100, WL_SM120};

/* R0 lane, R2:R3 the lane's sector of the first buffer, R4:R5 the lane's sector of the second, P0: odd lanes; R40 to
 * R51 0x55555555. */
#define BEFORE                                                                                                         \
	"S2R R0, SR_LANEID\nSHF.L.U32 R1, R0, 0x5, RZ\nLDC.64 R2, c[0x0][0x380]\nLDC.64 R4, c[0x0][0x388]\n"           \
	"LDCU.64 UR4, c[0x0][0x358]\nIADD3 R2, P1, PT, R2, R1, RZ\nIADD3.X R3, PT, PT, R3, RZ, RZ, P1, !PT\n"          \
	"IADD3 R4, P1, PT, R4, R1, RZ\nIADD3.X R5, PT, PT, R5, RZ, RZ, P1, !PT\nLOP3.LUT R6, R0, 0x1, RZ, 0xc0, !PT\n" \
	"ISETP.NE.AND P0, PT, R6, RZ, PT\n"

static uint32_t value(unsigned lane, unsigned word)
{
	return 0x1000 * (lane + 1) + word;
}

static void start(struct kernel *k, enum wl_arch arch, const char *instruction, uint32_t **from, uint32_t **to)
{
	char text[3000] = BEFORE;
	for (unsigned r = 40; r < 52; r++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "MOV R%u, 0x55555555\n", r);
	snprintf(text + strlen(text), sizeof text - strlen(text), "%s\nEXIT\n", instruction);
	kernel_init_for(k, arch, text);
	*from = kernel_words(k, 0, LANES * WORDS, 0);
	*to = kernel_words(k, 1, LANES * WORDS, UNTOUCHED);
	for (unsigned i = 0; i < LANES * WORDS; i++)
		(*from)[i] = value(i / WORDS, i % WORDS);
}

static void expect_half(struct kernel *k, const char *text, unsigned r, unsigned mask, unsigned first, unsigned lane)
{
	const lane_row *regs = gpu_regs(k->gpu, 0, 0);
	for (unsigned word = 0; word < 4; word++)
		if (mask >> word & 1 && regs[r++][lane] != value(lane, first + word))
			fail_msg("%s: lane %u: R%u is 0x%x, not word %u", text, lane, r - 1, regs[r - 1][lane],
			         first + word);
	for (; r % 4; r++)
		if (regs[r][lane] != UNTOUCHED)
			fail_msg("%s: lane %u: R%u has changed", text, lane, r);
}

static void loads_with(enum wl_arch arch, const char *guard, unsigned mask)
{
	struct kernel k;
	uint32_t *from, *to;
	char text[100], which[20] = "";
	if (mask != 0xff)
		snprintf(which, sizeof which, ", 0x%x", mask);
	snprintf(text, sizeof text, "%sLDG.E.ENL2.256 R48, R40, desc[UR4][R2.64]%s", guard, which);
	start(&k, arch, text, &from, &to);
	if (kernel_run(&k) != WL_ENDED)
		fail_msg("%s: %s", text, k.detail);
	for (unsigned lane = 0; lane < LANES; lane++) {
		const bool runs = !*guard || lane % 2;
		expect_half(&k, text, 40, runs ? mask & 15 : 0, 0, lane);
		expect_half(&k, text, 48, runs ? mask >> 4 : 0, 4, lane);
	}
	kernel_free(&k);
}

static void test_loads(void **state)
{
	(void)state;
	static const unsigned masks[] = {0xff, 0x93, 0xdd, 0x01, 0x80, 0x0f, 0xf0, 0x6a};
	for (unsigned k = 0; k < 2 * sizeof masks / sizeof masks[0]; k++) {
		loads_with(archs[k % 2], "", masks[k / 2]);
		loads_with(archs[k % 2], "@P0 ", masks[k / 2]);
	}
}

/* The address may be in registers that get results, and beside a uniform register and an offset. */
static void test_addresses(void **state)
{
	(void)state;
	static const char *const texts[] = {
	        "LDG.E.ENL2.256 R8, R4, desc[UR4][R2.64]\nLDG.E.ENL2.256 R8, R0, desc[UR4][R2.64]\n",
	        "LDG.E.ENL2.256 R8, R0, [R2.64+URZ]\n",
	        /* 32 bits beside a uniform register: the upper 32 bits are ignored */
	        "MOV R6, R1\nMOV R7, 0x7\nLDCU.64 UR6, c[0x0][0x380]\nLDG.E.ENL2.256 R8, R0, [R6.U32+UR6]\n",
	        "IADD3 R2, P1, PT, R2, 0x200000, RZ\nIADD3.X R3, PT, PT, R3, RZ, RZ, P1, !PT\n"
	        "LDG.E.ENL2.256 R8, R0, desc[UR4][R2.64+-0x200000]\n"};
	for (unsigned k = 0; k < 2 * sizeof texts / sizeof texts[0]; k++) {
		struct kernel kernel;
		uint32_t *from, *to;
		start(&kernel, archs[k % 2], texts[k / 2], &from, &to);
		if (kernel_run(&kernel) != WL_ENDED)
			fail_msg("%s: %s", texts[k / 2], kernel.detail);
		const lane_row *regs = gpu_regs(kernel.gpu, 0, 0);
		for (unsigned i = 0; i < LANES * WORDS; i++)
			assert_int_equal(regs[(i % WORDS < 4 ? 0 : 4) + i % WORDS][i / WORDS], from[i]);
		kernel_free(&kernel);
	}
}

static void test_stores(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		bool odd_only;
	} rows[] = {{"STG.E.ENL2.256 desc[UR4][R4.64], R40, R48\n", false},
	            {"@P0 STG.E.ENL2.256 desc[UR4][R4.64], R40, R48\n", true},
	            {"MOV R8, R1\nMOV R9, 0x7\nLDCU.64 UR6, c[0x0][0x388]\nSTG.E.ENL2.256 [R8.U32+UR6], R40, R48\n",
	             false}};
	for (unsigned k = 0; k < 2 * sizeof rows / sizeof rows[0]; k++) {
		const bool odd_only = rows[k / 2].odd_only;
		struct kernel kernel;
		uint32_t *from, *to;
		char text[300];
		snprintf(text, sizeof text, "LDG.E.ENL2.256 R48, R40, desc[UR4][R2.64]\n%s", rows[k / 2].text);
		start(&kernel, archs[k % 2], text, &from, &to);
		if (kernel_run(&kernel) != WL_ENDED)
			fail_msg("%s: %s", text, kernel.detail);
		for (unsigned i = 0; i < LANES * WORDS; i++)
			assert_int_equal(to[i], odd_only && i / WORDS % 2 == 0 ? (uint32_t)UNTOUCHED : from[i]);
		kernel_free(&kernel);
	}
}

/* A fault names the first lane's kind; lanes without a fault may have stored. */
static void test_faults(void **state)
{
	(void)state;
	static const struct {
		const char *text, *fault;
	} rows[] = {
	        {"LDG.E.ENL2.256 R48, R40, desc[UR4][R2.64+0x20]", "GLOBAL_OUT_OF_RANGE"},
	        {"STG.E.ENL2.256 desc[UR4][R4.64+0x20], R40, R48", "GLOBAL_OUT_OF_RANGE"},
	        {"IADD3 R2, PT, PT, R2, 0x10, RZ\nLDG.E.ENL2.256 R48, R40, desc[UR4][R2.64]", "MISALIGNED_ADDRESS"},
	        {"IADD3 R4, PT, PT, R4, 0x8, RZ\nSTG.E.ENL2.256 desc[UR4][R4.64], R40, R48", "MISALIGNED_ADDRESS"},
	};
	for (unsigned k = 0; k < 2 * sizeof rows / sizeof rows[0]; k++) {
		struct kernel kernel;
		uint32_t *from, *to;
		start(&kernel, archs[k % 2], rows[k / 2].text, &from, &to);
		assert_int_equal(kernel_run(&kernel), WL_FAULTED);
		if (!strstr(kernel.detail, rows[k / 2].fault))
			fail_msg("%s: %s", rows[k / 2].text, kernel.detail);
		kernel_free(&kernel);
	}
}

/* A store of uniform registers: once, with the bytes of its size, and only under a true guard. */
static void test_uniform_stores(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint32_t low, high;
		const char *fault;
	} rows[] = {
	        {"USTGR.E.NA.STRONG.GPU [UR6+0x8], UR8", 0x89abcdef, UNTOUCHED, NULL},
	        {"USTGR.E.NA.64.STRONG.SYS [UR6+0x8], UR8", 0x89abcdef, 0x01234567, NULL},
	        {"USTGR.E.NA.U16.MMIO.GPU [UR6+0xa], UR8", 0xcdef5555, UNTOUCHED, NULL},
	        {"USTGR.E.NA.S8.MMIO.SYS [UR6+0x9], UR8", 0x5555ef55, UNTOUCHED, NULL},
	        {"@!UPT USTGR.E.NA.STRONG.GPU [UR6+0x8], UR8", UNTOUCHED, UNTOUCHED, NULL},
	        {"USTGR.E.NA.STRONG.GPU [UR6+0x6], UR8", 0, 0, "MISALIGNED_ADDRESS"},
	        {"USTGR.E.NA.STRONG.GPU [UR6+0x400], UR8", 0, 0, "GLOBAL_OUT_OF_RANGE"},
	};
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct kernel kernel;
		uint32_t *from, *to;
		char text[200];
		snprintf(text, sizeof text, "LDCU.64 UR6, c[0x0][0x388]\nUMOV UR8, 0x89abcdef\nUMOV UR9, 0x1234567\n%s",
		         rows[k].text);
		start(&kernel, WL_SM100, text, &from, &to);
		assert_int_equal(kernel_run(&kernel), rows[k].fault ? WL_FAULTED : WL_ENDED);
		if (rows[k].fault) {
			if (!strstr(kernel.detail, rows[k].fault))
				fail_msg("%s: %s", rows[k].text, kernel.detail);
		} else {
			for (unsigned i = 0; i < LANES * WORDS; i++)
				assert_int_equal(to[i], i == 2   ? rows[k].low
				                        : i == 3 ? rows[k].high
				                                 : (uint32_t)UNTOUCHED);
		}
		kernel_free(&kernel);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_loads),  cmocka_unit_test(test_addresses),      cmocka_unit_test(test_stores),
	        cmocka_unit_test(test_faults), cmocka_unit_test(test_uniform_stores),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed | kernel_covers("uop_global256_test");
}

// SPDX-License-Identifier: Apache-2.0
/* uop_usyncs_test -- mbarrier words of sm_107 at one address, and copies with a report. Objects by hand from the tables
 * of docs/spec/mbarrier.md, "Words at one address". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../cmodel/sm/gpu.h"
#include "kernel.h"

/* UR6: the mbarrier of layout v1 at byte 0 of the window, expected 100; UR7: an operand, 5. P0: lanes 0 to 6. R20:R21
 * the object at the end, by LDS. */
#define START                                                                                                          \
	"UMOV UR6, 0x0\nUMOV UR7, 0x5\nUMOV UR8, 0x19c1\nUMOV UR9, 0xce000\nUMOV UR12, 0x1\n"                          \
	"USYNCS.EXCH.64 URZ, [UR6], UR8\nS2R R0, SR_TID.X\nISETP.LT.U32.AND P0, PT, R0, 0x7, PT\n"
#define END "LDS.64 R20, [RZ]\nMOV R10, UR10\nMOV R11, UR11\nEXIT\n"

static struct kernel k;
static uint32_t *global;

static uint32_t reg(unsigned r, unsigned lane)
{
	const lane_row *rows = gpu_regs(k.gpu, 0, 0);
	return rows[r][lane];
}

static enum wl_outcome begin(const char *text)
{
	kernel_init_for(&k, WL_SM107, text);
	k.prog.shared_bytes = 8192;
	global = kernel_words(&k, 0, 64, 0x11111111);
	return kernel_run(&k);
}

/* The object after `text`, as two words. */
static void ends(const char *text, uint32_t high, uint32_t low)
{
	char all[2000];
	snprintf(all, sizeof all, "%s%s%s", START, text, END);
	if (begin(all) != WL_ENDED)
		fail_msg("%s: %s", text, k.detail);
	for (unsigned lane = 0; lane < 32; lane++)
		if (reg(20, lane) != low || reg(21, lane) != high)
			fail_msg("%s: lane %u has %08x %08x, not %08x %08x", text, lane, reg(21, lane), reg(20, lane),
			         high, low);
}

/* 100 pending is 0x19c in 9 bits, counting up; a pending arrival is 0x800 of the high word. */
static void test_arrivals(void **state)
{
	static const struct {
		const char *text;
		uint32_t arrivals, drops;
	} rows[] = {{"", 0, 0},
	            {"USYNCS.ARRIVE.TRANS64.ACT0 URZ, [UR6], UR7\n", 32, 0},
	            {"USYNCS.ARRIVE.TRANS64.A1T0 URZ, [UR6], UR7\n", 1, 0},
	            {"USYNCS.ARRIVE.TRANS64.ART0 URZ, [UR6], UR7\n", 5, 0},
	            {"USYNCS.ARRIVE.TRANS64.OPTOUT.ART0 URZ, [UR6], UR7\n", 5, 5},
	            {"USYNCS.ARRIVE.TRANS64.RED.ACT0 URZ, [UR6], UR7\n", 32, 0},
	            {"@P0 SYNCSU.ARRIVE.TRANS64.A1T0 URZ, [UR6]\n", 7, 0},
	            {"@!P0 SYNCSU.ARRIVE.TRANS64.OPTOUT.A1T0 URZ, [UR6]\n", 25, 25},
	            {"USYNCS.ARRIVE.TRANS64.RED.A1T0.MULTICAST [UR6], UR7, UR12\n", 1, 0},
	            {"USYNCS.ARRIVE.TRANS64.RED.OPTOUT.ACT0.MULTICAST [UR6], UR7, UR12\n", 32, 32},
	            {"USYNCS.ARRIVE.TRANS64.RED.ART0.MULTICAST [UR6], UR7, UR12\n", 5, 0},
	            {"@P0 SYNCSU.ARRIVE.TRANS64.RED.A1T0.MULTICAST [UR6], UR12\n", 7, 0},
	            {"@P0 SYNCSU.ARRIVE.TRANS64.RED.OPTOUT.A1T0.MULTICAST [UR6], UR12\n", 7, 7},
	            {"@P0 SYNCSU.ARRIVE.TRANS64.RED.A1T0 URZ, [UR6]\n", 7, 0},
	            {"USYNCS.ARRIVE.TRANS64.RED.A1T0.MULTICAST [UR6], UR7, URZ\n", 0, 0}};
	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		ends(rows[i].text, 0xce000 + 0x800 * rows[i].arrivals, 0x19c1 + 0x10 * rows[i].drops);
		kernel_free(&k);
	}
}

/* The register has the object before all lanes. */
static void test_tokens(void **state)
{
	(void)state;
	ends("USYNCS.ARRIVE.TRANS64.ACT0 URZ, [UR6], UR7\nUSYNCS.ARRIVE.TRANS64.ACT0 UR10, [UR6], UR7\n",
	     0xce000 + 64 * 0x800, 0x19c1);
	assert_int_equal(reg(11, 9), 0xce000 + 32 * 0x800);
	kernel_free(&k);
	ends("@P0 SYNCSU.ARRIVE.TRANS64.A1T0 UR10, [UR6]\n", 0xce000 + 7 * 0x800, 0x19c1);
	assert_int_equal(reg(11, 9), 0xce000);
	kernel_free(&k);
}

/* .RED has no result, also where the word names a register for the result. */
static void test_red_keeps(void **state)
{
	(void)state;
	ends("UMOV UR10, 0x77\nUMOV UR11, 0x78\nUSYNCS.ARRIVE.TRANS64.RED.A1T0 UR10, [UR6], UR7\n", 0xce800, 0x19c1);
	assert_int_equal(reg(10, 9), 0x77);
	assert_int_equal(reg(11, 9), 0x78);
	kernel_free(&k);
	ends("UMOV UR10, 0x77\nUMOV UR11, 0x78\n@P0 SYNCSU.ARRIVE.TRANS64.RED.A1T0 UR10, [UR6]\n", 0xce000 + 7 * 0x800,
	     0x19c1);
	assert_int_equal(reg(10, 9), 0x77);
	assert_int_equal(reg(11, 9), 0x78);
	kernel_free(&k);
}

/* Transactions stand negated from bit 21 on. */
static void test_transactions(void **state)
{
	(void)state;
	ends("USYNCS.ARRIVE.TRANS64 URZ, [UR6], UR7\n", 0xcebff, 0xff6019c1); /* one arrives and 5 bytes are expected */
	kernel_free(&k);
	ends("USYNCS.ARRIVE.TRANS64.A0T1 URZ, [UR6], UR7\n", 0xce3ff, 0xffe019c1);
	kernel_free(&k);
	ends("USYNCS.ARRIVE.TRANS64.RED.MULTICAST [UR6], UR7, UR12\n", 0xcebff, 0xff6019c1);
	kernel_free(&k);
	ends("USYNCS.ARRIVE.TRANS64.RED.A0T1.MULTICAST [UR6], UR7, UR12\n", 0xce3ff, 0xffe019c1);
	kernel_free(&k);
	ends("USYNCS.ARRIVE.TRANS64.RED.A0TR URZ, [UR6], UR7\n", 0xce3ff, 0xff6019c1); /* 5 bytes are expected */
	kernel_free(&k);
	ends("USYNCS.ARRIVE.TRANS64.RED.A0TX URZ, [UR6], UR7\n", 0xce000, 0x00a019c1);
	kernel_free(&k);
	ends("USYNCS.ARRIVE.TRANS64.RED.A0TR.MULTICAST [UR6], UR7, UR12\n", 0xce3ff, 0xff6019c1);
	kernel_free(&k);
	ends("USYNCS.ARRIVE.TRANS64.RED.A0TX.MULTICAST [UR6], UR7, UR12\n", 0xce000, 0x00a019c1);
	kernel_free(&k);
}

/* Uniform predicates: completed phases. The phase ends by 100 arrivals. */
static void test_waits(void **state)
{
	const char *const end = "UMOV UR7, 0x64\nUSYNCS.ARRIVE.TRANS64.ART0 URZ, [UR6], UR7\n";
	const char *const ask = "UMOV UR7, 0x0\nUSYNCS.PHASECHK.TRANS64%s, [UR6], UR7\nMOV R30, RZ\nMOV R31, 0x1\n"
	                        "UMOV UR14, 0x0\n@UP1 UMOV UR14, 0x1\nMOV R30, UR14\n";
	static const char *const forms[] = {" UP1",
	                                    ".TRYWAIT UP1",
	                                    ".CONDITIONAL UP1",
	                                    ".TRYWAIT.CONDITIONAL UP1",
	                                    ".PRIMARY UP1, UP2, URZ",
	                                    ".TRYWAIT.PRIMARY UP1, UP2, URZ"};
	(void)state;
	for (unsigned i = 0; i < 6; i++)
		for (unsigned done = 0; done < 2; done++) {
			char text[1000], one[300];
			snprintf(one, sizeof one, ask, forms[i]);
			snprintf(text, sizeof text, "%s%s", done ? end : "", one);
			ends(text, done ? 0x800ce000 : 0xce000, done ? 0x19c9 : 0x19c1);
			assert_int_equal(reg(30, 3), done);
			kernel_free(&k);
		}
}

/* The phase ended with a report (bit 2): the primary phase is complete, the conditional phase goes on. */
static void test_phases(void **state)
{
	static const struct {
		const char *form;
		unsigned done, report;
	} rows[] = {{" UP1", 1, 0},
	            {".TRYWAIT UP1", 1, 0},
	            {".CONDITIONAL UP1", 0, 0},
	            {".TRYWAIT.CONDITIONAL UP1", 0, 0},
	            {".PRIMARY UP1, UP2, URZ", 1, 1},
	            {".TRYWAIT.PRIMARY UP1, UP2, URZ", 1, 1}};
	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[1000];
		snprintf(text, sizeof text,
		         "UMOV UR8, 0x19c5\nUMOV UR9, 0x800ce000\nUSYNCS.EXCH.64 URZ, [UR6], UR8\nUMOV UR7, 0x0\n"
		         "USYNCS.PHASECHK.TRANS64%s, [UR6], UR7\nUMOV UR14, 0x0\n@UP1 UMOV UR14, 0x1\nMOV R30, UR14\n"
		         "UMOV UR14, 0x0\n@UP2 UMOV UR14, 0x1\nMOV R31, UR14\n",
		         rows[i].form);
		ends(text, 0x800ce000, 0x19c5);
		if (reg(30, 3) != rows[i].done || reg(31, 3) != rows[i].report)
			fail_msg("%s: %u %u, not %u %u", rows[i].form, reg(30, 3), reg(31, 3), rows[i].done,
			         rows[i].report);
		kernel_free(&k);
	}
}

/* The second warp completes the phase later: .TRYWAIT waits for the arrivals, the plain question does not. */
static void test_trywait(void **state)
{
	static const char *const forms[2][3] = {
	        {" UP1", ".CONDITIONAL UP1", ".PRIMARY UP1, UP2, URZ"},
	        {".TRYWAIT UP1", ".TRYWAIT.CONDITIONAL UP1", ".TRYWAIT.PRIMARY UP1, UP2, URZ"}};
	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		char text[2000];
		snprintf(text, sizeof text,
		         "S2R R0, SR_TID.X\nISETP.LT.U32.AND P1, PT, R0, 0x20, PT\n@!P1 BRA {OTHER}\n" START
		         "UMOV UR7, 0x0\nUSYNCS.PHASECHK.TRANS64%s, [UR6], UR7\nUMOV UR14, 0x0\n@UP1 UMOV UR14, 0x1\n"
		         "MOV R30, UR14\nEXIT\nOTHER:\nNANOSLEEP 0x100\nUMOV UR6, 0x0\nUMOV UR7, 0x64\n"
		         "USYNCS.ARRIVE.TRANS64.ART0 URZ, [UR6], UR7\nEXIT\n",
		         forms[i / 3][i % 3]);
		kernel_init_for(&k, WL_SM107, text);
		k.prog.shared_bytes = 8192;
		k.launch.block[0] = 64;
		if (kernel_run(&k) != WL_ENDED)
			fail_msg("%s: %s", forms[i / 3][i % 3], k.detail);
		if (reg(30, 3) != i / 3)
			fail_msg("%s: %u", forms[i / 3][i % 3], reg(30, 3));
		kernel_free(&k);
	}
}

static void test_inval(void **state)
{
	(void)state;
	ends("USYNCS.CCTL.IV [UR6]\n", 0xce000, 0x19c1);
	kernel_free(&k);
	assert_int_equal(begin(START "USYNCS.CCTL.IV [UR6+0x8]\n" END), WL_FAULTED); /* there is no mbarrier */
	assert_int_equal(wl_gpu_fault(k.gpu), WL_FAULT_MBAR_UNINIT);
	kernel_free(&k);
}

/* Sixteen bytes; the instruction checks the last word, and bit 1 holds the report. */
static void test_reports(void **state)
{
	static const struct {
		const char *what;
		uint32_t last, miss;
	} rows[] = {{".VALIDCHK_80000000", 0x80000000, 0x80000001}, {".VALIDCHK_XXXX8000", 0x12348000, 0x80008001},
	            {".VALIDCHK_XXXXXX80", 0x12345680, 0x80808081}, {".VALIDCHK_XXXXXXX8", 0x12345678, 0x88888887},
	            {".VALIDCHK_EVERY_FF", 0x00ff0000, 0x0ff00ff0}, {".MULTICAST32", 1, 1}};
	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		for (unsigned hit = 0; hit < 2; hit++) {
			char text[1000];
			snprintf(text, sizeof text,
			         START "UMOV UR16, 0x400\nUMOV UR17, 0x0\nUMOV UR20, 0x1\nUMOV UR21, 0x1\n"
			               "LDCU.64 UR18, c[0x0][0x380]\nUBLKCP.S.G%s [UR16], [UR18], UR20\n"
			               "NANOSLEEP 0x1000\n" END,
			         rows[i].what);
			kernel_init_for(&k, WL_SM107, text);
			k.prog.shared_bytes = 8192;
			global = kernel_words(&k, 0, 4, 0x11111111);
			global[3] = hit ? rows[i].last : rows[i].miss;
			if (kernel_run(&k) != WL_ENDED)
				fail_msg("%s: %s", rows[i].what, k.detail);
			assert_int_equal(reg(20, 0), 0x19c1 + 0x02000000 + (hit && i < 5 ? 2 : 0)); /* tx -16 */
			kernel_free(&k);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_arrivals),     cmocka_unit_test(test_tokens), cmocka_unit_test(test_red_keeps),
	        cmocka_unit_test(test_transactions), cmocka_unit_test(test_waits),  cmocka_unit_test(test_phases),
	        cmocka_unit_test(test_trywait),      cmocka_unit_test(test_inval),  cmocka_unit_test(test_reports)};
	return cmocka_run_group_tests(tests, NULL, NULL) | kernel_covers("uop_usyncs_test");
}

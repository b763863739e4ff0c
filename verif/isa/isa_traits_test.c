// SPDX-License-Identifier: Apache-2.0
/* isa_traits_test -- traits of micro-operations: effects, posted requests, widths, forms. Lists by hand, and the words
 * of words.tsv, made by NVIDIA's tools.
 *
 *   isa_traits_test WORDS     lines: arch TAB word TAB text */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "warplock/hazard.h"

static const char *path;

/* All micro-operations with an effect beyond their registers, and a few without. */
static void effects(void **state)
{
	(void)state;
	static const uint16_t with[] = {
	        WL_UOP_BRA,        WL_UOP_BRX,          WL_UOP_EXIT,       WL_UOP_CALL_REL,   WL_UOP_RET_REL,
	        WL_UOP_BSSY,       WL_UOP_BSYNC,        WL_UOP_BREAK,      WL_UOP_BMOV_CLEAR, WL_UOP_BMOV_R2B,
	        WL_UOP_WARPSYNC,   WL_UOP_YIELD,        WL_UOP_NANOSLEEP,  WL_UOP_STG,        WL_UOP_STL,
	        WL_UOP_STS,        WL_UOP_ST,           WL_UOP_ATOMG,      WL_UOP_ATOMG_CAS,  WL_UOP_RED,
	        WL_UOP_ATOM,       WL_UOP_ATOM_CAS,     WL_UOP_ATOM_CAST,  WL_UOP_ATOMS,      WL_UOP_ATOMS_CAS,
	        WL_UOP_ATOMS_CAST, WL_UOP_ATOMS_CAST_P, WL_UOP_LDGSTS,     WL_UOP_BAR,        WL_UOP_B2R,
	        WL_UOP_MEMBAR,     WL_UOP_ERRBAR,       WL_UOP_CCTL_IVALL, WL_UOP_SHFL,       WL_UOP_VOTE,
	        WL_UOP_ATOMSN,     WL_UOP_VOTEU,        WL_UOP_MATCH,      WL_UOP_REDUX,      WL_UOP_ELECT};
	static const uint16_t without[] = {WL_UOP_NOP,    WL_UOP_MOV,     WL_UOP_IADD3, WL_UOP_IMAD_WIDE, WL_UOP_ISETP,
	                                   WL_UOP_LDG,    WL_UOP_LDS,     WL_UOP_LDL,   WL_UOP_LDC,       WL_UOP_S2R,
	                                   WL_UOP_FFMA,   WL_UOP_DFMA,    WL_UOP_MUFU,  WL_UOP_R2P,       WL_UOP_ULDC,
	                                   WL_UOP_UIADD3, WL_UOP_BMOV_B2R};
	for (unsigned i = 0; i < sizeof with / sizeof with[0]; i++)
		if (!wl_uop_has(with[i], WL_TRAITS_EFFECT))
			fail_msg("%s has no effect", wl_uop_name(with[i]));
	for (unsigned i = 0; i < sizeof without / sizeof without[0]; i++)
		if (wl_uop_has(without[i], WL_TRAITS_EFFECT))
			fail_msg("%s has an effect", wl_uop_name(without[i]));
}

/* Changes memory and names no destination; EXIT. Source: docs/spec/lockstep.md, "Posted requests". */
static void posted(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		bool posted;
	} rows[] = {{"LDS RZ, [R2]", false},
	            {"LDS R4, [R2]", false},
	            {"STS [R2], R4", true},
	            {"ATOMS.ADD RZ, [R2], R4", true},
	            {"ATOMS.ADD R6, [R2], R4", false},
	            {"ATOMS.CAS RZ, [R2], R4, R5", true},
	            {"ATOMSN.ADD.F64.RN RZ, [R2], R4", true},
	            {"ATOMSN.ADD.F64.RN R6, [R2], R4", false},
	            {"RED.E.ADD.STRONG.GPU [R2], R4", true},
	            {"ATOMG.E.ADD.STRONG.GPU PT, RZ, [R2], R4", true},
	            {"ATOMG.E.ADD.STRONG.GPU P0, RZ, [R2], R4", false},
	            {"LDG.E.SYS RZ, [R2]", false},
	            {"SHFL.IDX PT, RZ, R2, R3, R4", false},
	            {"BAR.SYNC 0x0", false},
	            {"BAR.ARV 0x0, 0x40", false},
	            {"EXIT", true}};
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char err[160] = "";
		struct wl_word w;
		struct wl_inst in;
		if (wl_assemble(WL_SM75, rows[i].text, 0, &w, err, sizeof err) != WL_OK)
			fail_msg("%s: %s", rows[i].text, err);
		assert_int_equal(wl_decode(WL_SM75, w, &in), WL_OK);
		if (wl_inst_posted(&in) != rows[i].posted)
			fail_msg("%s: posted %d", rows[i].text, !rows[i].posted);
	}
}

static unsigned words(enum wl_arch arch, const char *text, enum wl_reg r)
{
	char err[160] = "";
	struct wl_word w;
	struct wl_inst in;
	if (wl_assemble(arch, text, 0, &w, err, sizeof err) != WL_OK)
		fail_msg("%s: %s", text, err);
	assert_int_equal(wl_decode(arch, w, &in), WL_OK);
	return wl_inst_words(&in, r);
}

static void widths(void **state)
{
	(void)state;
	assert_int_equal(words(WL_SM75, "IMAD.WIDE R2, R4, R5, R6", WL_REG_RD), 2);
	assert_int_equal(words(WL_SM75, "IMAD.WIDE R2, R4, R5, R6", WL_REG_RA), 1);
	assert_int_equal(words(WL_SM75, "IMAD.WIDE R2, R4, R5, R6", WL_REG_RC), 2);
	assert_int_equal(words(WL_SM75, "LDS.128 R4, [R2]", WL_REG_RD), 4);
	assert_int_equal(words(WL_SM75, "LDS.U8 R4, [R2]", WL_REG_RD), 1);
	assert_int_equal(words(WL_SM75, "LDS.U8 R4, [R2]", WL_REG_RB), 0);
	assert_int_equal(words(WL_SM75, "ATOMSN.MAX.S64 R4, [R2], R6", WL_REG_RD), 2);
	assert_int_equal(words(WL_SM75, "ATOMSN.MAX.S64 R4, [R2], R6", WL_REG_RA), 1);
	assert_int_equal(words(WL_SM75, "ATOMSN.MAX.S64 R4, [R2], R6", WL_REG_RB), 2);
	assert_int_equal(words(WL_SM75, "ATOMSN.ADD.BF16x2.RN R4, [R2], R6", WL_REG_RB), 1);
	assert_int_equal(words(WL_SM75, "STG.E.64.SYS [R2], R4", WL_REG_RA), 2);
	assert_int_equal(words(WL_SM75, "STG.E.64.SYS [R2], R4", WL_REG_RB), 2);
	assert_int_equal(words(WL_SM90, "LDG.E R2, desc[UR4][R6.64]", WL_REG_DESC), 2);
	assert_int_equal(words(WL_SM90, "LDG.E R2, [R6.U32+UR4]", WL_REG_RA), 1);
	assert_int_equal(words(WL_SM75, "F2F.F64.F32 R2, R4", WL_REG_RD), 2);
	assert_int_equal(words(WL_SM75, "F2F.F64.F32 R2, R4", WL_REG_RB), 1);
	assert_int_equal(words(WL_SM75, "I2F.F64 R2, R4", WL_REG_RD), 2);
	assert_int_equal(words(WL_SM75, "CS2R.32 R2, SR_CLOCKLO", WL_REG_RD), 1);
	assert_int_equal(words(WL_SM75, "CS2R R2, SRZ", WL_REG_RD), 2);
}

/* Uniform registers that a tensor copy reads at UR8. Source: life ranges of nvdisasm 13.0 (-plr). */
static void tensor_registers(void **state)
{
	(void)state;
	static const struct {
		enum wl_arch arch;
		const char *text;
		unsigned words;
	} rows[] = {{WL_SM90, "UTMALDG.1D [UR8], [UR4]", 3},
	            {WL_SM90, "UTMALDG.5D.IM2COL [UR8], [UR4], UR6", 7},
	            {WL_SM90, "UTMASTG.1D [UR8], [UR4]", 2},
	            {WL_SM120, "UTMAREDG.5D.ADD [UR8], [UR4]", 6},
	            {WL_SM90, "UTMAPF.L2.1D [UR8], [UR4]", 1},
	            {WL_SM100, "UTMAPF.L2.4D [UR8], [UR4]", 4},
	            {WL_SM100, "UTMALDG.2D.GATHER4 [UR8], [UR4]", 7},
	            {WL_SM100, "UTMASTG.2D.SCATTER4 [UR8], [UR4]", 6},
	            {WL_SM100, "UTMAPF.L2.2D.GATHER4 [UR8], [UR4]", 5},
	            {WL_SM90, "UTMACCTL.PF [UR8]", 2}};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		char err[160] = "";
		struct wl_word w;
		struct wl_access a;
		unsigned words = 0;
		if (wl_assemble(rows[i].arch, rows[i].text, 0, &w, err, sizeof err) != WL_OK)
			fail_msg("%s: %s", rows[i].text, err);
		assert_true(wl_access_of(rows[i].arch, w, &a));
		for (unsigned k = 0; k < a.n; k++)
			words += a.op[k].slot == WL_SLOT_UR + 8 ? a.op[k].words : 0;
		if (words != rows[i].words)
			fail_msg("%s: %u registers at UR8, not %u", rows[i].text, words, rows[i].words);
	}
}

static bool has(const struct wl_access *a, const struct wl_operand *o)
{
	for (unsigned i = 0; i < a->n; i++)
		if (!memcmp(&a->op[i], o, sizeof *o))
			return true;
	return false;
}

/* Words of NVIDIA's tools have forms that the micro-operation takes; an instruction touches the operands of the
 * word. */
static void forms(void **state)
{
	(void)state;
	FILE *f = fopen(path, "r");
	char line[600], hex[33];
	int arch;
	unsigned n = 0;
	assert_non_null(f);
	while (fgets(line, sizeof line, f)) {
		struct wl_word w;
		struct wl_inst in;
		if (sscanf(line, "%d\t%32s", &arch, hex) != 2 || !wl_word_parse(hex, &w) ||
		    wl_decode(arch, w, &in) != WL_OK || in.uop == WL_UOP_UNMODELLED)
			continue;
		n++;
		if (!wl_uop_takes_all(arch, in.uop, in.src))
			fail_msg("sm_%d %s: its sources are no form of %s", arch, line, wl_uop_name(in.uop));
		for (unsigned i = 0; i < 3; i++)
			assert_true(wl_uop_takes(arch, in.uop, i, in.src[i]));
		struct wl_access of_word, of_inst;
		assert_true(wl_access_of(arch, w, &of_word));
		wl_inst_access(arch, &in, &of_inst);
		for (unsigned i = 0; i < of_word.n; i++) /* BAR prints its only register twice */
			if (!has(&of_inst, &of_word.op[i]))
				fail_msg("sm_%d %s: operand %u is not found without the word", arch, line, i);
	}
	fclose(f);
	printf("%u words\n", n);
	assert_true(n > 2000);
}

/* Forms of some architectures only. */
static void some_forms(void **state)
{
	(void)state;
	assert_true(wl_uop_takes(WL_SM75, WL_UOP_IADD3, 1, WL_SRC_CONST));
	assert_false(wl_uop_takes(WL_SM100, WL_UOP_IADD3, 1, WL_SRC_CONST));
	assert_true(wl_uop_takes(WL_SM100, WL_UOP_IADD3, 1, WL_SRC_UREG));
	assert_true(wl_uop_takes(WL_SM75, WL_UOP_MOV, 1, WL_SRC_IMM));
	assert_false(wl_uop_takes(WL_SM75, WL_UOP_MOV, 0, WL_SRC_IMM));
	assert_true(wl_uop_takes(WL_SM75, WL_UOP_IMAD, 2, WL_SRC_IMM));
	assert_false(wl_uop_takes_all(WL_SM75, WL_UOP_IMAD, (const uint8_t[3]){WL_SRC_REG, WL_SRC_IMM, WL_SRC_IMM}));
	assert_false(wl_uop_takes((enum wl_arch)70, WL_UOP_MOV, 1, WL_SRC_IMM));
}

/* sm_80's words include I2FP of sm_86. The decoded instruction is written as I2F, an instruction of sm_80. */
static void newer_words(void **state)
{
	(void)state;
	struct wl_word w, made;
	struct wl_inst in;
	assert_true(wl_word_parse("000fca00002014000000000600067245", &w));
	assert_int_equal(wl_decode(WL_SM80, w, &in), WL_OK);
	assert_int_equal(in.uop, WL_UOP_I2F);
	in.row = 0xffff; /* as for the compiler: any row */
	assert_int_equal(wl_encode(WL_SM80, &in, &made, NULL), WL_OK);
	assert_int_equal(made.lo & 0xfff, 0x306);
}

static void architectures(void **state)
{
	(void)state;
	char suffix = '?';
	assert_int_equal(wl_arch_parse("sm_75", &suffix), WL_SM75);
	assert_int_equal(suffix, 0);
	assert_int_equal(wl_arch_parse("sm_90a", &suffix), WL_SM90);
	assert_int_equal(suffix, 'a');
	assert_int_equal(wl_arch_parse("100f", &suffix), WL_SM100);
	assert_int_equal(suffix, 'f');
	assert_int_equal(wl_arch_parse("120", NULL), WL_SM120);
	/* chips that run another architecture's words */
	static const unsigned chip[][2] = {{75, 75},   {86, 80},   {87, 80},   {88, 80},   {89, 80},
	                                   {103, 100}, {121, 120}, {110, 100}, {107, 107}, {106, 0}};
	for (unsigned i = 0; i < sizeof chip / sizeof chip[0]; i++) {
		char name[16];
		snprintf(name, sizeof name, "sm_%u", chip[i][0]);
		assert_int_equal(wl_arch_of_chip(chip[i][0]), chip[i][1]);
		assert_int_equal(wl_arch_parse(name, NULL), chip[i][1]);
		assert_int_equal(wl_chip_parse(name, NULL), chip[i][1] ? chip[i][0] : 0);
	}
	assert_int_equal(wl_chip_parse("sm_121a", &suffix), 121);
	assert_int_equal(suffix, 'a');
	static const char *const none[] = {"", "sm_", "sm_76", "sm_75a", "sm_090", "sm_90 ", "SM_75", "sm_1000"};
	for (unsigned i = 0; i < sizeof none / sizeof none[0]; i++)
		assert_int_equal(wl_arch_parse(none[i], NULL), 0);
	assert_int_equal(wl_arch_index((enum wl_arch)86), -1);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(effects),          cmocka_unit_test(posted),      cmocka_unit_test(widths),
	        cmocka_unit_test(tensor_registers), cmocka_unit_test(forms),       cmocka_unit_test(some_forms),
	        cmocka_unit_test(architectures),    cmocka_unit_test(newer_words),
	};
	if (argc != 2) {
		fputs("usage: isa_traits_test WORDS\n", stderr);
		return 2;
	}
	path = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}

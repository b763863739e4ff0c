// SPDX-License-Identifier: Apache-2.0
/* passes_test.c -- purpose of each optimising pass, on a few lines of PTX: the number of occurrences of a mnemonic in
 * the code. The numbers follow from the demands of the lines and the abilities of a machine instruction, not from the
 * output of the compiler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wlcc.h"

struct count {
	const char *text; /* text contained in a line */
	int times;        /* -1: at least once */
};

struct row {
	const char *what, *body;
	struct count want[4];
};

/* %r1 %r2 %r3 hold a separate value for each lane, %r4 is the thread's number, %d1 a pointer. Registers are written
 * once, as in compiler output. */
static const struct row rows[] = {
        {"shortcut: a branch to the end is a guarded EXIT",
         "setp.gt.u32 %p, %r1, 9; @%p bra DONE; atom.global.add.u32 %r5, [%d1], %r2; atom.global.add.u32 %r5, [%d1+4], "
         "%r5; "
         "st.global.u32 [%d1+8], %r5; DONE:",
         {{"@P0 EXIT", 1}, {"BSSY", 0}, {"BSYNC", 0}}},
        {"predicate: a short arm is guarded",
         "setp.gt.u32 %p, %r1, 9; @%p bra ON; add.u32 %r2, %r2, %r3; st.shared.u32 [%r3], %r2; ON: st.global.u32 "
         "[%d1], %r2;",
         {{"@!P0 STS", 1}, {"BSSY", 0}, {"BRA", 1 /* behind the code */}}},
        {"predicate: two short arms",
         "setp.gt.u32 %p, %r1, 9; @%p bra ELSE; add.u32 %r2, %r2, %r3; bra.uni ON; ELSE: mul.lo.u32 %r2, %r2, %r3; ON: "
         "st.global.u32 [%d1], %r2;",
         {{"@P0 IMAD", 1}, {"@!P0 IADD3", 1}, {"BSSY", 0}, {"BRA", 1}}},
        {"predicate: not where lanes meet in the arm",
         "setp.gt.u32 %p, %r1, 9; @%p bra ON; shfl.sync.idx.b32 %r2, %r2, 0, 31, 1; ON: st.global.u32 [%d1], %r2;",
         {{"BSSY", 1}, {"@P0 BRA", 1}}},
        {"predicate: not a long arm",
         "setp.gt.u32 %p, %r1, 9; @%p bra ON; mul.hi.u32 %r2, %r2, %r3; mul.hi.u32 %r2, %r2, %r1; mul.hi.u32 %r2, %r2, "
         "%r3; "
         "mul.hi.u32 %r2, %r2, %r1; mul.hi.u32 %r2, %r2, %r3; mul.hi.u32 %r2, %r2, %r1; mul.hi.u32 %r2, %r2, %r3; "
         "mul.hi.u32 %r2, "
         "%r2, %r1; mul.hi.u32 %r2, %r2, %r3; ON: st.global.u32 [%d1], %r2;",
         {{"BSSY", 1}, {"@P0 BRA", 1}}},
        {"number: the same twice",
         "mul.lo.u32 %r5, %r1, %r2; mul.lo.u32 %r6, %r1, %r2; st.global.v2.u32 [%d1], {%r5, %r6};",
         {{"IMAD R", 1}}},
        {"number: not when a source has changed",
         "mul.lo.u32 %r5, %r1, %r2; add.u32 %r1, %r1, 1; mul.lo.u32 %r6, %r1, %r2; st.global.v2.u32 [%d1], {%r5, %r6};",
         {{"IMAD R", 2}}},
        {"number: predicates",
         "setp.lt.u32 %p, %r1, %r2; setp.lt.u32 %q, %r1, %r2; selp.b32 %r5, 3, 4, %p; selp.b32 %r6, 5, %r3, %q; "
         "st.global.v2.u32 "
         "[%d1], {%r5, %r6};",
         {{"ISETP", 1}}},
        {"combine: logic of three values",
         "and.b32 %r5, %r1, %r2; not.b32 %r6, %r5; or.b32 %r7, %r6, %r3; st.global.u32 [%d1], %r7;",
         {{"LOP3", 1}}},
        {"combine: logic of four values",
         "and.b32 %r5, %r1, %r2; xor.b32 %r6, %r3, %r4; or.b32 %r7, %r5, %r6; st.global.u32 [%d1], %r7;",
         {{"LOP3", 2}}},
        {"combine: a value that others read, too, stays",
         "and.b32 %r5, %r1, %r2; or.b32 %r6, %r5, %r3; st.global.v2.u32 [%d1], {%r5, %r6};",
         {{"LOP3", 2}}},
        {"combine: and with all ones", "and.b32 %r5, %r1, -1; st.global.u32 [%d1], %r5;", {{"LOP3", 0}}},
        {"combine: a sum of three",
         "add.u32 %r5, %r1, %r2; sub.u32 %r6, %r5, %r3; st.global.u32 [%d1], %r6;",
         {{"IADD3", 1}}},
        {"combine: what is left of a division",
         "mul.lo.u32 %r5, %r1, 5; sub.u32 %r6, %r2, %r5; st.global.u32 [%d1], %r6;",
         {{"IMAD R", 1}, {"-0x5", 1}, {"IADD3", 0}}},
        {"combine: a predicate made a value and a predicate again",
         "setp.lt.u32 %p, %r1, %r2; selp.u32 %r5, 1, 0, %p; setp.ne.u32 %q, %r5, 0; @%q st.global.u32 [%d1], %r1;",
         {{"ISETP", 1}, {"SEL", 0}, {"@P0 STG", 1}}},
        {"combine: and the other way round",
         "setp.lt.u32 %p, %r1, %r2; selp.u32 %r5, 0, 1, %p; setp.ne.u32 %q, %r5, 0; @%q st.global.u32 [%d1], %r1;",
         {{"ISETP", 1}, {"SEL", 0}, {"@!P0 STG", 1}}},
        {"combine: LOP3 tells whether its result is zero",
         "and.b32 %r5, %r1, 31; setp.eq.s32 %p, %r5, 0; @%p st.global.u32 [%d1], %r1;",
         {{"LOP3.LUT P0, RZ", 1}, {"ISETP", 0}}},
        {"fold: an array's element",
         "ld.param.u64 %d2, [b]; mul.wide.u32 %d3, %r1, 12; add.s64 %d2, %d2, %d3; st.global.u32 [%d2], %r2;",
         {{"IMAD.WIDE.U32", 1}, {", c[0x0][0x168]", 1}, {"IADD3", 0}}},
        {"coalesce: data of a vector store",
         "mul.lo.u32 %r5, %r1, 3; mul.lo.u32 %r6, %r2, 5; mul.lo.u32 %r7, %r3, 7; mul.lo.u32 %r8, %r1, 9; "
         "st.global.v4.u32 [%d1], "
         "{%r5, %r6, %r7, %r8};",
         {{"IMAD R", 4}, {"MOV", 2 /* the pointer */}, {"STG.E.128", 1}}},
        {"coalesce: not what is written again behind the copy",
         "mul.lo.u32 %r5, %r1, 3; mul.lo.u32 %r6, %r2, 5; mov.u32 %r7, %r5; st.global.v2.u32 [%d1], {%r5, %r6}; "
         "add.u32 %r5, %r5, 1; "
         "st.global.v2.u32 [%d1+8], {%r7, %r5};",
         {{"IADD3", 1}, {"STG.E.64", 2}}},
        {"uniform: a warp agrees on a way to an aligned barrier",
         "setp.gt.u32 %p, %r4, 63; @%p bra ON; st.shared.u32 [%r3], %r2; bar.sync 1, 64; ld.shared.u32 %r2, [%r3+4]; "
         "ON: "
         "st.global.u32 [%d1], %r2;",
         {{"WARPSYNC", 0}, {"BSSY", 0}, {"BAR.SYNC", 1}}},
        {"uniform: but not on barriers for some of its lanes",
         "setp.gt.u32 %p, %r4, 63; @%p bra ON; st.shared.u32 [%r3], %r2; barrier.sync 1, 64; ld.shared.u32 %r2, "
         "[%r3+4]; ON: "
         "st.global.u32 [%d1], %r2;",
         {{"BSSY", 1}, {"BAR.SYNC", 1}}},
};

static void silent(void *self, const struct wlcc_message *m)
{
	fprintf(stderr, "line %u: %s\n", m->line, m->text);
	*(bool *)self = true;
}

/* The code of the body for sm_75; the caller frees it. */
static char *code_of(const char *body, int opt)
{
	char ptx[4096], *text = NULL;
	size_t size = 0;
	bool errors = false;
	FILE *to = open_memstream(&text, &size);
	struct wlcc_options o = {
	        .arch = WL_SM75, .opt = opt, .file = "row", .diag = silent, .diag_self = &errors, .emit_sass = to};
	struct wlcc_bytes out;
	snprintf(ptx, sizeof ptx,
	         ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b)\n{\n"
	         ".reg .pred %%p, %%q; .reg .b32 %%r<9>; .reg .b64 %%d<9>;\nld.param.u64 %%d1, [a];\nmov.u32 %%r4, "
	         "%%tid.x;\n"
	         "shl.b32 %%r0, %%r4, 4;\nld.shared.u32 %%r1, [%%r0+256];\nld.shared.u32 %%r2, "
	         "[%%r0+512];\nld.shared.u32 "
	         "%%r3, [%%r0+768];\n%s\nret;\n}\n",
	         body);
	if (!wlcc_compile_ptx(ptx, strlen(ptx), &o, false, &out))
		fail_msg("does not compile: %s", body);
	free(out.data);
	fclose(to);
	return text;
}

static int lines_with(const char *text, const char *what)
{
	int n = 0;
	for (const char *line = text; *line;) {
		const char *end = strchr(line, '\n'), *at = strstr(line, what);
		n += at && at < end;
		line = end + 1;
	}
	return n;
}

static void rows_hold(void **state)
{
	int bad = 0;
	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *text = code_of(rows[i].body, 2);
		for (unsigned k = 0; k < 4 && rows[i].want[k].text; k++) {
			int n = lines_with(text, rows[i].want[k].text), want = rows[i].want[k].times;
			if (want < 0 ? n > 0 : n == want)
				continue;
			print_error("FAILED %s\n  found    '%s' %d times\n  expected %d\n%s", rows[i].what,
			            rows[i].want[k].text, n, want, text);
			bad++;
		}
		free(text);
	}
	print_message("%u rows\n", (unsigned)(sizeof rows / sizeof *rows));
	assert_int_equal(bad, 0);
}

/* Two chains of products, written one behind the other in PTX. The code alternates between the chains, so that no
 * product waits for long. */
static void chains_take_turns(void **state)
{
	char *text = code_of("mul.hi.u32 %r5, %r1, %r3; mul.hi.u32 %r5, %r5, %r3; mul.hi.u32 %r5, %r5, %r3; mul.hi.u32 "
	                     "%r6, %r2, %r4; "
	                     "mul.hi.u32 %r6, %r6, %r4; mul.hi.u32 %r6, %r6, %r4; st.global.v2.u32 [%d1], {%r5, %r6};",
	                     2),
	     *line = text;
	unsigned turn[6], n = 0, changes = 0;
	char first[8] = "";
	(void)state;
	while ((line = strstr(line, "IMAD.HI.U32 R")) != NULL && n < 6) {
		char last[8] = "";
		unsigned r[3];
		if (sscanf(line, "IMAD.HI.U32 R%u, R%u, R%u", &r[0], &r[1], &r[2]) == 3)
			snprintf(last, sizeof last, "%u", r[2]); /* the constant factor tells the chains apart */
		if (!n)
			memcpy(first, last, sizeof first);
		turn[n++] = strcmp(first, last) != 0;
		line++;
	}
	assert_int_equal(n, 6);
	for (unsigned i = 1; i < n; i++)
		changes += turn[i] != turn[i - 1];
	if (changes < 4)
		fail_msg("the chains take turns %u times, expected 4 or more:\n%s", changes, text);
	free(text);
}

static void every_pass_prints(void **state)
{
	static const char ptx[] =
	        ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n.reg .b64 %d<3>;\n"
	        ".reg .b32 %r<3>;\n.reg .pred %p;\nld.param.u64 %d1, [a];\nmov.u32 %r1, %tid.x;\nsetp.eq.u32 %p, %r1, "
	        "7;\n"
	        "@%p bra ON;\nst.global.u32 [%d1], %r1;\nON: ret;\n}\n";
	unsigned n = 0;
	(void)state;
	for (const char *pass; (pass = wlcc_pass_name(n)) != NULL; n++) {
		char *text = NULL, head[80];
		size_t size = 0;
		bool errors = false;
		FILE *to = open_memstream(&text, &size);
		struct wlcc_options o = {.arch = WL_SM75,
		                         .opt = 2,
		                         .file = "k",
		                         .diag = silent,
		                         .diag_self = &errors,
		                         .dump_after = pass,
		                         .dump_to = to};
		struct wlcc_bytes out;
		assert_true(wlcc_compile_ptx(ptx, strlen(ptx), &o, false, &out));
		fclose(to);
		snprintf(head, sizeof head, "// k after %s\n", pass);
		if (strncmp(text, head, strlen(head)) != 0 || !strstr(text, "STG") || !strstr(text, "B0:"))
			fail_msg("after %s: found\n%s", pass, text);
		free(text);
		free(out.data);
	}
	assert_true(n > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(rows_hold), cmocka_unit_test(chains_take_turns),
	                                   cmocka_unit_test(every_pass_prints)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

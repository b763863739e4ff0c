// SPDX-License-Identifier: Apache-2.0
/* ops_test.c -- every row of rows.def, compiled with operands in registers and as literals, at -O0 and -O2, with and
 * without a guard. Each kernel runs with corner values and random values. The host gives the expected result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../common/rng.h"
#include "rows.h"
#include "run_ptx.h"

enum { Threads = 256 };

static uint64_t corner(struct rng *rng)
{
	static const uint64_t values[] = {0,
	                                  1,
	                                  2,
	                                  3,
	                                  7,
	                                  15,
	                                  16,
	                                  31,
	                                  32,
	                                  33,
	                                  63,
	                                  64,
	                                  65,
	                                  255,
	                                  256,
	                                  0x7fff,
	                                  0x8000,
	                                  0xffff,
	                                  0x10000,
	                                  0x7fffffff,
	                                  0x80000000,
	                                  0xfffffffe,
	                                  0xffffffff,
	                                  0x100000000,
	                                  0x7fffffffffffffff,
	                                  0x8000000000000000,
	                                  0xfffffffffffffffe,
	                                  0xffffffffffffffff};
	uint64_t r = rng_next(rng);

	switch (r >> 60) {
	case 0:
	case 1:
	case 2:
	case 3:
	case 4:
	case 5:
		return values[(r >> 8) % (sizeof values / sizeof *values)];
	case 6:
		return (r >> 8) % 80;
	case 7:
		return -((r >> 8) % 80);
	default:
		return rng_next(rng) >> ((r >> 8) % 64);
	}
}

static uint64_t operand(char kind, struct rng *rng)
{
	uint64_t v = kind_cut(kind, corner(rng));
	if ((kind == 'z' || kind == 'y' || kind == 'x') && v == 0)
		v = 3;
	return v;
}

static const char *reg_of(char kind)
{
	return kind == 'p' ? "%p" : kind_bits(kind) == 64 ? "%d" : kind_bits(kind) == 16 ? "%h" : "%w";
}

/* literal: number of the literal operand, or -1; v: value of the literal. */
static void write_kernel(char *text, size_t n, const struct row *r, int literal, uint64_t v, bool guarded)
{
	const char *bar = strchr(r->text, '|');
	size_t at = 0;
	unsigned nargs = row_nargs(r);
#define PUT(...) at += (size_t)snprintf(text + at, n - at, __VA_ARGS__)
	PUT(".version 8.0\n.target sm_75\n.address_size 64\n"
	    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
	    ".reg .pred %%p<9>; .reg .b16 %%h<9>; .reg .b32 %%w<9>; .reg .b64 %%d<9>; .reg .b64 %%a<4>; .reg .b32 "
	    "%%t;\n"
	    "ld.param.u64 %%a0, [in];\nld.param.u64 %%a1, [out];\nmov.u32 %%t, %%tid.x;\n"
	    "mul.wide.u32 %%a2, %%t, 32;\nadd.s64 %%a0, %%a0, %%a2;\nmul.wide.u32 %%a3, %%t, 8;\nadd.s64 %%a1, %%a1, "
	    "%%a3;\n"
	    "setp.ne.s32 %%p8, %%t, 5;\nmov.u64 %%d7, 77;\ncvt.u16.u64 %%h7, %%d7;\nmov.u32 %%w7, 77;\n"
	    "setp.eq.s32 %%p7, %%t, %%t;\n");
	for (unsigned i = 0; i < nargs; i++) {
		if ((int)i == literal)
			continue;
		PUT("ld.global.u64 %%d%u, [%%a0+%u];\n", i, 8 * i);
		if (r->arg[i] == 'p')
			PUT("setp.ne.s64 %%p%u, %%d%u, 0;\n", i, i);
		else if (kind_bits(r->arg[i]) == 16)
			PUT("cvt.u16.u64 %%h%u, %%d%u;\n", i, i);
		else if (kind_bits(r->arg[i]) == 32)
			PUT("cvt.u32.u64 %%w%u, %%d%u;\n", i, i);
	}
	PUT("%s%.*s %s7", guarded ? "@%p8 " : "", bar ? (int)(bar - r->text) : 99, r->text, reg_of(r->result));
	for (unsigned i = 0; i < nargs; i++) {
		if ((int)i == literal)
			PUT(", %lld", (long long)v);
		else
			PUT(", %s%u", reg_of(r->arg[i]), i);
	}
	PUT("%s%s;\n", bar ? ", " : "", bar ? bar + 1 : "");
	if (r->result == 'p')
		PUT("selp.u64 %%d7, 1, 0, %%p7;\n");
	else if (kind_bits(r->result) == 16)
		PUT("cvt.u64.u16 %%d7, %%h7;\n");
	else if (kind_bits(r->result) == 32)
		PUT("cvt.u64.u32 %%d7, %%w7;\n");
	PUT("st.global.u64 [%%a1], %%d7;\nret;\n}\n");
#undef PUT
}

static void try_row(const struct row *r, int literal, bool guarded, enum wl_arch arch, int opt, struct rng *rng)
{
	static uint64_t in[Threads][4], out[Threads];
	char text[4096], why[1024];
	uint64_t v = literal >= 0 ? operand(r->arg[literal], rng) : 0;
	struct run_setup s = {.ptx = text,
	                      .arch = arch,
	                      .opt = opt,
	                      .grid = 1,
	                      .block = Threads,
	                      .nbufs = 2,
	                      .buf = {{in, sizeof in}, {out, sizeof out}}};

	for (unsigned t = 0; t < Threads; t++)
		for (unsigned i = 0; i < 4; i++)
			in[t][i] = i < row_nargs(r) ? operand(r->arg[i], rng) : 0;
	write_kernel(text, sizeof text, r, literal, v, guarded);
	memset(out, 0xee, sizeof out);
	if (!run_ptx(&s, why, sizeof why))
		fail_msg("%s sm_%u -O%d: %s\n%s", r->text, (unsigned)arch, opt, why, text);
	for (unsigned t = 0; t < Threads; t++) {
		uint64_t x[4], want;
		for (unsigned i = 0; i < 4; i++)
			x[i] = (int)i == literal ? v : in[t][i];
		want = kind_cut(r->result, r->value(x[0], x[1], x[2], x[3]));
		if (guarded && t == 5)
			want = r->result == 'p' ? 1 : 77;
		if (out[t] != want)
			fail_msg("%s -O%d%s literal %d: a=%llx b=%llx c=%llx e=%llx gives %llx, expected %llx\n%s",
			         r->text, opt, guarded ? " guarded" : "", literal, (unsigned long long)x[0],
			         (unsigned long long)x[1], (unsigned long long)x[2], (unsigned long long)x[3],
			         (unsigned long long)out[t], (unsigned long long)want, text);
	}
}

/* mov of a literal and similar rows have their own form; predicates are no literals here. */
static bool may_be_literal(const struct row *r, unsigned i)
{
	return r->arg[i] != 'p' && strncmp(r->text, "cvt", 3) != 0;
}

static void test_row(void **arg)
{
	const struct row *r = *arg;
	struct rng rng = rng_seed(1, (uint64_t)(r - rows));
	for (int opt = 0; opt <= 2; opt += 2) {
		try_row(r, -1, false, WL_SM75, opt, &rng);
		try_row(r, -1, true, WL_SM75, opt, &rng);
		for (unsigned i = 0; i < row_nargs(r); i++)
			if (may_be_literal(r, i))
				for (unsigned k = 0; k < 3; k++)
					try_row(r, (int)i, k == 2, WL_SM75, opt, &rng);
	}
	for (unsigned k = 1; k < NUM_ARCHS; k++) {
		try_row(r, -1, k % 2 == 0, all_archs[k], 2, &rng);
		for (unsigned i = 0; i < row_nargs(r); i++) /* architectures differ in the allowed literals */
			for (int opt = 0; opt <= 2 && may_be_literal(r, i); opt += 2)
				try_row(r, (int)i, k % 2 != 0, all_archs[k], opt, &rng);
	}
}

int main(void)
{
	struct CMUnitTest *tests = calloc(nrows, sizeof *tests);
	int failed;
	for (unsigned i = 0; i < nrows; i++)
		tests[i] = (struct CMUnitTest){
		        .name = rows[i].text, .test_func = test_row, .initial_state = (void *)(uintptr_t)&rows[i]};
	failed = _cmocka_run_group_tests("ops", tests, nrows, NULL, NULL);
	free(tests);
	return failed != 0;
}

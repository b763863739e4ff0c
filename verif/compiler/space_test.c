// SPDX-License-Identifier: Apache-2.0
/* space_test.c -- isspacep and cvta of every state space on every architecture. An address is in its own space and in
 * no other; parameters are in global memory, too. The way there and back leads to the same place. A generic load finds
 * the word at the address. */
#include <stdio.h>
#include <string.h>

#include "run_ptx.h"

enum { WORD = 0x5eed1234 };

/* %a: a generic address; the results of isspacep in the order of `spaces`; the word at the address. */
static const struct {
	const char *what, *ptx, *in;
	uint32_t word;
} rows[] = {
        {"a constant", "cvta.const.u64 %a, c + 4;", "C", 22},
        {"the last constant's last byte", "cvta.const.u64 %t, c; add.u64 %b, %t, 15; cvta.const.u64 %a, c + 12;", "C",
         44},
        {"a parameter", "cvta.param.u64 %a, w;", "PG", WORD},
        {"one by its register", "mov.u64 %t, w; cvta.param.u64 %a, %t;", "PG", WORD},
        {"a parameter there and back",
         "cvta.param.u64 %a, w; cvta.to.param.u64 %t, %a; ld.param.u32 %r1, [%t]; xor.b32 %r1, %r1, %r1; "
         "cvta.param.u64 %a, %t;",
         "PG", WORD},
        {"a constant there and back",
         "cvta.const.u64 %a, c; cvta.to.const.u64 %t, %a; cvta.const.u64 %a, %t; add.u64 %a, %a, 8;", "C", 33},
        {"shared memory", "st.shared.u32 [s + 4], 77; cvta.shared.u64 %t, s; add.u64 %a, %t, 4;", "S", 77},
        {"local memory", "st.local.u32 [l], 88; cvta.local.u64 %a, l;", "L", 88},
        {"a global variable", "cvta.global.u64 %a, g;", "G", 99},
};
static const struct {
	char name;
	const char *space;
} spaces[] = {{'C', "const"}, {'P', "param"}, {'S', "shared"}, {'L', "local"}, {'G', "global"}};
enum { SPACES = sizeof spaces / sizeof spaces[0] };

static int fails(const char *what, enum wl_arch arch, int opt, const char *why)
{
	fprintf(stderr, "FAILED: sm_%d -O%d: %s: %s\n", (int)arch, opt, what, why);
	return 1;
}

static int check(unsigned row, enum wl_arch arch, int opt)
{
	uint32_t out[SPACES + 1] = {0};
	char text[4000], why[1000];
	struct run_setup s = {.ptx = text,
	                      .arch = arch,
	                      .opt = opt,
	                      .grid = 1,
	                      .block = 1,
	                      .nbufs = 1,
	                      .pass_word = true,
	                      .word = WORD};
	int n = snprintf(text, sizeof text,
	                 ".version 8.0\n.target sm_%d\n.address_size 64\n"
	                 ".const .align 4 .b32 c[4] = {11, 22, 33, 44};\n.global .align 4 .u32 g = 99;\n"
	                 ".visible .entry k(.param .u64 p, .param .u32 w)\n{\n"
	                 ".reg .b64 %%o, %%a, %%b, %%t; .reg .b32 %%r<4>; .reg .pred %%p;\n"
	                 ".shared .align 4 .b32 s[4]; .local .align 4 .b32 l[2];\n"
	                 "ld.param.u64 %%o, [p];\n%s\nld.u32 %%r2, [%%a]; st.global.u32 [%%o], %%r2;\n",
	                 arch < WL_SM100 ? (int)arch : 90, rows[row].ptx);
	for (unsigned k = 0; k < SPACES; k++)
		n += snprintf(text + n, sizeof text - (size_t)n,
		              "isspacep.%s %%p, %%a; selp.u32 %%r3, 1, 0, %%p; st.global.u32 [%%o+%u], %%r3;\n",
		              spaces[k].space, 4 * k + 4);
	snprintf(text + n, sizeof text - (size_t)n, "ret;\n}\n");
	s.buf[0].data = out;
	s.buf[0].size = sizeof out;
	if (!run_ptx(&s, why, sizeof why))
		return fails(rows[row].what, arch, opt, why);
	if (out[0] != rows[row].word)
		return fails(rows[row].what, arch, opt, "the word there is another one");
	for (unsigned k = 0; k < SPACES; k++)
		if (out[1 + k] != (strchr(rows[row].in, spaces[k].name) != NULL))
			return fails(rows[row].what, arch, opt, spaces[k].space);
	return 0;
}

int main(void)
{
	int failed = 0;
	for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++)
		for (unsigned a = 0; a < NUM_ARCHS; a++)
			failed |= check(row, all_archs[a], 0) | check(row, all_archs[a], 2);
	return failed;
}

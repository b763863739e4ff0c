// SPDX-License-Identifier: Apache-2.0
/* policy_test.c -- policies of the L2: the 64 bits of createpolicy against host arithmetic and against constants
 * folded by ptxas 13.0, and the words with a policy. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run_ptx.h"

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

enum { Threads = 64 };
static const enum wl_arch archs[] = {WL_SM80, WL_SM90, WL_SM100, WL_SM120};
enum { NARCHS = sizeof archs / sizeof *archs };

/* For every architecture, and unoptimised: all results agree. */
static void run_all(const char *text, void *in, size_t in_bytes, void *out, size_t out_bytes)
{
	char why[1024];
	void *first = malloc(out_bytes);
	assert_non_null(first);
	for (unsigned k = 0; k < NARCHS + 1; k++) {
		struct run_setup s = {.ptx = text,
		                      .arch = archs[k % NARCHS],
		                      .opt = k < NARCHS ? 2 : 0,
		                      .grid = 1,
		                      .block = Threads,
		                      .nbufs = 2,
		                      .buf = {{in, in_bytes}, {out, out_bytes}}};
		memset(out, 0xee, out_bytes);
		if (!run_ptx(&s, why, sizeof why))
			fail_msg("sm_%u -O%d: %s\n%s", (unsigned)s.arch, s.opt, why, text);
		if (k)
			assert_memory_equal(first, out, out_bytes);
		memcpy(first, out, out_bytes);
	}
	free(first);
}

/* ---- the 64 bits ---- */

static const struct kind {
	const char *words;
	uint32_t part, range; /* bits 31:24 of the high word */
} kinds[] = {
        {"L2::evict_last", 0x14, 0x1c},
        {"L2::evict_last.L2::evict_first", 0x15, 0x1d},
        {"L2::evict_last.L2::evict_unchanged", 0x14, 0x1c},
        {"L2::evict_normal", 0x16, 0x1e},
        {"L2::evict_normal.L2::evict_first", 0x17, 0x1f},
        {"L2::evict_normal.L2::evict_unchanged", 0x16, 0x1e},
        {"L2::evict_first", 0x12, 0x1a},
        {"L2::evict_first.L2::evict_first", 0x13, 0x1b},
        {"L2::evict_first.L2::evict_unchanged", 0x12, 0x1a},
        {"L2::evict_unchanged", 0x10, 0x18},
        {"L2::evict_unchanged.L2::evict_first", 0x11, 0x19},
        {"L2::evict_unchanged.L2::evict_unchanged", 0x10, 0x18},
};
enum { NKINDS = sizeof kinds / sizeof *kinds };

/* ptxas -arch sm_80: the constants for these literals, on any architecture. */
static void test_folded(void **x)
{
	static const struct {
		const char *part;
		uint32_t high;
	} rows[] = {{"0.5", 0x700000}, {"0.3", 0x400000}, {"0.3126", 0x400000}, {"0f3D800000", 0}, {"1.0", 0xf00000}};
	enum { NROWS = sizeof rows / sizeof *rows };
	char text[16384];
	uint64_t out[NKINDS][NROWS + 1], none[1] = {0};
	size_t n = (size_t)snprintf(text, sizeof text,
	                            HEAD ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b64 %%p, %%at;\n"
	                                 "ld.param.u64 %%at, [out];\n");
	for (unsigned k = 0; k < NKINDS; k++)
		for (unsigned r = 0; r <= NROWS; r++)
			n += (size_t)snprintf(
			        text + n, sizeof text - n,
			        "createpolicy.fractional.%s.b64 %%p%s%s;\nst.global.u64 [%%at+%u], %%p;\n",
			        kinds[k].words, r < NROWS ? ", " : "", r < NROWS ? rows[r].part : "",
			        (unsigned)((k * (NROWS + 1) + r) * 8));
	snprintf(text + n, sizeof text - n, "ret;\n}\n");
	run_all(text, none, sizeof none, out, sizeof out);
	for (unsigned k = 0; k < NKINDS; k++)
		for (unsigned r = 0; r <= NROWS; r++)
			assert_int_equal(out[k][r],
			                 (uint64_t)(kinds[k].part << 24 | (r < NROWS ? rows[r].high : 0xf00000)) << 32);
	(void)x;
}

struct input {
	uint64_t at;
	uint32_t part, total;
	float share;
	uint32_t spare;
};

static uint64_t of_share(uint32_t kind, float share)
{
	const double scaled = (double)(share * 15.99f);
	return (uint64_t)(kind << 24 | ((uint32_t)scaled & 15) << 20) << 32;
}

static uint64_t of_range(uint32_t kind, const struct input *in)
{
	if (!in->total)
		return UINT64_C(0x18000000) << 32;
	const int bits = (int)ceil(log2((double)(float)in->total)), shift = bits - 7 > 12 ? bits - 7 : 12;
	const uint32_t ahead = (1u << shift) - 1 + in->part;
	const uint64_t first = in->at >> shift, blocks = ((in->at + ahead) >> shift) - first;
	return (uint64_t)(kind << 24 | (uint32_t)(shift - 12) << 20 | (uint32_t)(first & 127) << 12 |
	                  (uint32_t)(blocks < 127 ? blocks : 127) << 5)
	       << 32;
}

static uint32_t draw(void)
{
	static uint64_t s = 0x9e3779b97f4a7c15;
	s = s * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(s >> 32);
}

/* Totals of all sizes, including powers of two and zero; parts of the totals, and more. */
static void fill(struct input in[Threads])
{
	for (unsigned t = 0; t < Threads; t++) {
		in[t].at = ((uint64_t)draw() << 32 | draw()) >> draw() % 40;
		in[t].total = t % 3 == 0 ? 1u << t / 3 : draw() >> t % 32;
		in[t].part = t % 5 == 0 ? draw() : in[t].total / (t % 4 + 1);
		in[t].share = (float)(draw() % 1000 + 1) / 1000.0f;
	}
	in[7].total = 0;
	in[8].at = UINT64_MAX - 5000;
	in[9].total = UINT32_MAX; /* 2^32 as a float */
	in[10].share = 1.0f;
	in[11].share = 0.0f;
}

static void test_calculated(void **x)
{
	char text[16384];
	struct input in[Threads];
	uint64_t out[Threads][2 * NKINDS + 1];
	size_t n = (size_t)snprintf(
	        text, sizeof text,
	        HEAD ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b64 %%p, %%at, %%i, %%a;\n"
	             ".reg .b32 %%t, %%part, %%total; .reg .f32 %%f;\n"
	             "ld.param.u64 %%i, [in];\nld.param.u64 %%at, [out];\nmov.u32 %%t, %%tid.x;\n"
	             "mad.wide.u32 %%i, %%t, 24, %%i;\nmad.wide.u32 %%at, %%t, %u, %%at;\n"
	             "ld.global.u64 %%a, [%%i];\nld.global.u32 %%part, [%%i+8];\nld.global.u32 %%total, [%%i+12];\n"
	             "ld.global.f32 %%f, [%%i+16];\n",
	        (unsigned)sizeof out[0]);
	for (unsigned k = 0; k < NKINDS; k++)
		n += (size_t)snprintf(text + n, sizeof text - n,
		                      "createpolicy.fractional.%s.b64 %%p, %%f;\nst.global.u64 [%%at+%u], %%p;\n"
		                      "createpolicy.range%s.%s.b64 %%p, [%%a+%d], %%part, %%total;\n"
		                      "st.global.u64 [%%at+%u], %%p;\n",
		                      kinds[k].words, 16 * k, k % 2 ? ".global" : "", kinds[k].words,
		                      k % 3 == 1 ? 4096 : 0, 16 * k + 8);
	snprintf(text + n, sizeof text - n,
	         "createpolicy.cvt.L2.b64 %%p, %%a;\nst.global.u64 [%%at+%u], %%p;\nret;\n}\n", 16 * NKINDS);
	memset(in, 0, sizeof in);
	fill(in);
	run_all(text, in, sizeof in, out, sizeof out);
	for (unsigned t = 0; t < Threads; t++) {
		for (unsigned k = 0; k < NKINDS; k++) {
			struct input moved = in[t];
			moved.at += k % 3 == 1 ? 4096 : 0;
			assert_int_equal(out[t][2 * k], of_share(kinds[k].part, in[t].share));
			assert_int_equal(out[t][2 * k + 1], of_range(kinds[k].range, &moved));
		}
		assert_int_equal(out[t][2 * NKINDS], in[t].at);
	}
	(void)x;
}

/* ---- words ---- */

static const struct {
	const char *ptx;
	unsigned hinted; /* number of words with the policy */
} accesses[] = {
        {"ld.global.L2::cache_hint.u32 %r, [%a], %p;", 1},
        {"ld.global.L2::cache_hint.v4.u32 {%r, %r1, %r2, %r3}, [%a], %p;", 1},
        {"ld.L2::cache_hint.u64 %d, [%a+8], %p;", 1},
        {"ld.global.nc.L2::cache_hint.L2::128B.u32 %r, [%a], %p;", 1},
        {"st.global.L2::cache_hint.v2.u32 [%a], {%r, %r}, %p;", 1},
        {"st.L2::cache_hint.u16 [%a], %h, %p;", 1},
        {"atom.global.add.L2::cache_hint.u32 %r, [%a], %r1, %p;", 1},
        {"atom.global.exch.L2::cache_hint.b64 %d, [%a], %d, %p;", 1},
        {"atom.max.L2::cache_hint.s32 %r, [%a], %r1, %p;", 1},
        {"red.global.add.L2::cache_hint.f32 [%a], %f, %p;", 1},
        {"red.add.L2::cache_hint.u32 [%a], %r1, %p;", 1},
        /* ATOM, and for local memory LD and ST */
        {"atom.add.L2::cache_hint.u64 %d, [%a], %d, %p;", 3},
        {"cp.async.ca.shared.global.L2::cache_hint [%r], [%a], 16, %p;", 1},
        {"cp.async.cg.shared.global.L2::cache_hint.L2::256B [%r], [%a], 16, 8, %p;", 1},
        {"@%q ld.global.L2::cache_hint.u32 %r, [%a], %p;", 1},
        {"ld.global.u32 %r, [%a];", 0},
        {"red.global.add.u32 [%a], %r1;", 0},
};

/* Counts the words with a policy. Each comes behind two R2UR that read a register pair into the uniform pair. */
static unsigned count_hinted(const struct wl_program *p, enum wl_arch arch, const char *ptx)
{
	unsigned hinted = 0;
	uint16_t low = 0, high = 0;
	for (uint32_t i = 0; i < p->ninst; i++) {
		struct wl_inst in;
		if (wl_decode(arch, p->words[i], &in) != WL_OK)
			fail_msg("sm_%u: word %u of %s", (unsigned)arch, i, ptx);
		if (in.uop == WL_UOP_R2UR && in.urd == 12)
			low = in.ra;
		if (in.uop == WL_UOP_R2UR && in.urd == 13)
			high = in.ra;
		if (in.uop == WL_UOP_UNMODELLED || in.desc == WL_NO_DESC || in.desc == 4)
			continue;
		if (in.desc != 12 || high != low + 1 || low % 2 || (arch == WL_SM80) != ((in.flags & WL_F_POLICY) != 0))
			fail_msg("sm_%u: %s: desc UR%u, of R%u and R%u, flags 0x%x", (unsigned)arch, ptx, in.desc, low,
			         high, in.flags);
		hinted++;
	}
	return hinted;
}

static void test_words(void **x)
{
	char text[2048], why[1024];
	for (unsigned k = 0; k < sizeof accesses / sizeof *accesses; k++)
		for (unsigned n = 0; n < 2 * NARCHS; n++) {
			struct wl_program p;
			snprintf(text, sizeof text,
			         HEAD
			         ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
			         ".reg .b64 %%p, %%a, %%d; .reg .b32 %%r<4>; .reg .b32 %%r; .reg .b16 %%h; .reg .f32 "
			         "%%f; .reg .pred %%q;\n"
			         "ld.param.u64 %%a, [in];\nld.param.u64 %%p, [out];\nmov.u32 %%r1, %%tid.x;\n"
			         "mad.wide.u32 %%a, %%r1, 16, %%a;\nmov.u32 %%r, %%r1;\ncvt.u64.u32 %%d, %%r1;\n"
			         "cvt.u16.u32 %%h, %%r1;\ncvt.rn.f32.u32 %%f, %%r1;\nsetp.lt.u32 %%q, %%r1, 5;\n%s\n"
			         "st.global.u32 [%%a], %%r;\nst.global.u64 [%%a+8], %%d;\nret;\n}\n",
			         accesses[k].ptx);
			if (!build_ptx(text, archs[n / 2], n % 2 ? 2 : 0, &p, why, sizeof why))
				fail_msg("sm_%u: %s\n%s", (unsigned)archs[n / 2], why, text);
			const unsigned hinted = count_hinted(&p, archs[n / 2], accesses[k].ptx);
			if (hinted != accesses[k].hinted)
				fail_msg("sm_%u -O%u: %s: %u words with a policy, expected %u", (unsigned)archs[n / 2],
				         n % 2 ? 2 : 0, accesses[k].ptx, hinted, accesses[k].hinted);
			wl_program_free(&p);
		}
	(void)x;
}

/* Accesses of 256 bits, from sm_100 on: the texts of ptxas 13.0. */
static void test_sectors(void **x)
{
	static const struct {
		const char *ptx, *text;
		unsigned hinted;
	} rows[] = {
	        {"ld.global.v4.b64 {%d0, %d1, %d2, %d3}, [%a];", "LDG.E.ENL2.256 ", 0},
	        {"ld.global.L2::evict_last.v4.b64 {%d0, %d1, %d2, %d3}, [%a];", "LDG.E.ELL2.256 ", 0},
	        {"ld.global.L2::evict_first.v4.b64 {%d0, %d1, %d2, %d3}, [%a];", "LDG.E.EFL2.256 ", 0},
	        {"ld.global.L2::evict_normal.L2::128B.v4.b64 {%d0, %d1, %d2, %d3}, [%a];", "LDG.E.ENL2.LTC128B.256 ",
	         0},
	        {"ld.global.L2::cache_hint.v4.b64 {%d0, %d1, %d2, %d3}, [%a], %p;", "LDG.E.ENL2.256 ", 1},
	        {"st.global.L2::evict_first.v4.b64 [%a], {%d0, %d1, %d2, %d3};", "STG.E.EFL2.256 ", 0},
	        {"st.global.L2::evict_last.v4.b64 [%a], {%d0, %d1, %d2, %d3};", "STG.E.ELL2.256 ", 0},
	        {"st.global.L2::cache_hint.v4.b64 [%a], {%d0, %d1, %d2, %d3}, %p;", "STG.E.ENL2.256 ", 1},
	};
	char text[2048], why[1024], word[256];
	for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
		for (unsigned n = 2; n < NARCHS; n++) {
			struct wl_program p;
			unsigned found = 0;
			snprintf(text, sizeof text,
			         ".version 8.8\n.target sm_100\n.address_size 64\n"
			         ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
			         ".reg .b64 %%p, %%a, %%d<4>;\n"
			         "ld.param.u64 %%a, [in];\nld.param.u64 %%p, [out];\nmov.u64 %%d0, %%a;\n"
			         "mov.u64 %%d1, %%p;\nmov.u64 %%d2, 5;\nmov.u64 %%d3, 7;\n%s\n"
			         "st.global.v2.u64 [%%a], {%%d0, %%d3};\nret;\n}\n",
			         rows[k].ptx);
			if (!build_ptx(text, archs[n], 2, &p, why, sizeof why))
				fail_msg("sm_%u: %s\n%s", (unsigned)archs[n], why, text);
			for (uint32_t i = 0; i < p.ninst; i++)
				found += wl_print(archs[n], p.words[i], 0, word, sizeof word) > 0 &&
				         strstr(word, rows[k].text) != NULL;
			if (found != 1 || count_hinted(&p, archs[n], rows[k].ptx) != rows[k].hinted)
				fail_msg("sm_%u: %s: %u words %s", (unsigned)archs[n], rows[k].ptx, found,
				         rows[k].text);
			wl_program_free(&p);
		}
	(void)x;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_folded), cmocka_unit_test(test_calculated),
	                                   cmocka_unit_test(test_words), cmocka_unit_test(test_sectors)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

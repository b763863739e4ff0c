// SPDX-License-Identifier: Apache-2.0
/* uop_mufu_test.c -- MUFU on sm_75 and sm_90: within the greatest errors of the PTX ISA for rcp, sqrt, rsqrt, sin, cos,
 * lg2, ex2, tanh .approx (each becomes a MUFU), and by the tables of results for the corners. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "nearest.h"
#include "probe.h"

enum { ROUNDS = 200 };
static const enum wl_arch archs[] = {WL_SM75, WL_SM90};

static long double turns_sin(long double v)
{
	return sinl(v * 6.283185307179586476925286766559L);
}
static long double turns_cos(long double v)
{
	return cosl(v * 6.283185307179586476925286766559L);
}
static long double reciprocal(long double v)
{
	return 1 / v;
}
static long double rsqrt(long double v)
{
	return 1 / sqrtl(v);
}

static const struct {
	const char *name;
	long double (*f)(long double);
	double least, most; /* arguments */
	double relative, absolute;
} functions[] = {
        /* 2^-22.4 = 1.807e-7, 2^-22.6 = 1.573e-7, 2^-20.9 = 5.110e-7, 2^-10.987 = 4.927e-4 */
        {"RCP", reciprocal, 0x1p-126, 0x1p126, 0x1p-23, 0},   {"SQRT", sqrtl, 0x1p-126, 0x1p127, 0x1p-23, 0},
        {"RSQ", rsqrt, 0x1p-126, 0x1p127, 1.807e-7, 0},       {"EX2", exp2l, -126, 127, 0x1p-22, 0},
        {"LG2", log2l, 0x1p-126, 0x1p127, 0x1p-22, 1.573e-7}, {"SIN", turns_sin, -0.5, 0.5, 0, 5.110e-7},
        {"COS", turns_cos, -0.5, 0.5, 0, 5.110e-7},           {"TANH", tanhl, -20, 20, 4.927e-4, 0},
};

static void check(const char *text, uint32_t in, double is, long double want, double relative, double absolute)
{
	long double off = fabsl(is - want);
	if (!(off <= absolute || off <= relative * fabsl(want)))
		fail_msg("%s of 0x%08x: %.9g, expected %.9Lg", text, in, is, want);
}

static void test_bounds(void **x)
{
	(void)x;
	for (unsigned a = 0; a < 2; a++)
		for (unsigned k = 0; k < sizeof functions / sizeof functions[0]; k++) {
			char text[40];
			struct probe p;
			struct probe_state s, d;
			snprintf(text, sizeof text, "MUFU.%s R8, R2", functions[k].name);
			probe_open(&p, archs[a], text);
			unsigned seen = 0;
			for (unsigned round = 0; round < ROUNDS; round++) {
				memset(&s, 0, sizeof s);
				for (unsigned l = 0; l < PROBE_LANES; l++)
					s.r[2][l] = probe_f32();
				probe_run(&p, &s, &d);
				for (unsigned l = 0; l < PROBE_LANES; l++) {
					float v = f32(s.r[2][l]);
					if (!(v >= functions[k].least && v <= functions[k].most) ||
					    (v != 0 && fabsf(v) < 0x1p-126f))
						continue;
					seen++;
					check(text, s.r[2][l], f32(d.r[8][l]), functions[k].f(v), functions[k].relative,
					      functions[k].absolute);
				}
			}
			assert_true(seen > 1000);
			probe_close(&p);
		}
}

/* Results of the corners, from the tables of the PTX ISA; subnormals count as zero, and so do subnormal results. */
static void test_corners(void **x)
{
	(void)x;
	const uint32_t inf = 0x7f800000, ninf = 0xff800000, nan = 0x7fffffff, nz = 0x80000000, one = 0x3f800000;
	const uint32_t in[] = {0, nz, 1, 0x80000001, inf, ninf, 0x7fc12345, 0xff812345, 0xbf800000, 0x7e800001};
	const struct {
		const char *name;
		uint32_t out[10];
	} t[] = {
	        {"RCP", {inf, ninf, inf, ninf, 0, nz, nan, nan, 0xbf800000, 0}},
	        {"SQRT", {0, nz, 0, nz, inf, nan, nan, nan, nan, 0x5f000000}},
	        {"RSQ", {inf, ninf, inf, ninf, 0, nan, nan, nan, nan, 0x1fffffff}},
	        {"LG2", {ninf, ninf, ninf, ninf, inf, nan, nan, nan, nan, 0x42fc0000}},
	        {"EX2", {one, one, one, one, inf, 0, nan, nan, 0x3f000000, inf}},
	        {"SIN", {0, nz, 0, nz, nan, nan, nan, nan, 0, 0}},
	        {"COS", {one, one, one, one, nan, nan, nan, nan, one, one}},
	        {"TANH", {0, nz, 0, nz, one, 0xbf800000, nan, nan, 0xbf42f7d6, one}},
	};
	for (unsigned a = 0; a < 2; a++)
		for (unsigned k = 0; k < sizeof t / sizeof t[0]; k++) {
			char text[40];
			struct probe p;
			struct probe_state s, d;
			snprintf(text, sizeof text, "MUFU.%s R8, R2", t[k].name);
			probe_open(&p, archs[a], text);
			memset(&s, 0, sizeof s);
			for (unsigned l = 0; l < PROBE_LANES; l++)
				s.r[2][l] = in[l % 10];
			probe_run(&p, &s, &d);
			for (unsigned l = 0; l < 10; l++) {
				if (l >= 8 && (t[k].name[0] == 'S' || t[k].name[0] == 'C') && t[k].name[1] != 'Q')
					continue; /* bounds, not corners */
				if (d.r[8][l] != t[k].out[l])
					fail_msg("%s of 0x%08x: 0x%08x, expected 0x%08x", text, in[l], d.r[8][l],
					         t[k].out[l]);
			}
			probe_close(&p);
		}
}

static double high64(uint32_t hi)
{
	return f64((uint64_t)hi << 32);
}

/* rcp and rsqrt.approx.ftz.f64: 20 bits of fraction, low word ignored and zero. */
static void test_high_words(void **x)
{
	(void)x;
	for (unsigned a = 0; a < 2; a++)
		for (unsigned rsq = 0; rsq < 2; rsq++) {
			struct probe p;
			struct probe_state s, d;
			const char *text = rsq ? "MUFU.RSQ64H R8, R2" : "MUFU.RCP64H R8, R2";
			probe_open(&p, archs[a], text);
			unsigned seen = 0;
			for (unsigned round = 0; round < ROUNDS; round++) {
				memset(&s, 0, sizeof s);
				for (unsigned l = 0; l < PROBE_LANES; l++)
					s.r[2][l] = (uint32_t)(probe_f64() >> 32);
				probe_run(&p, &s, &d);
				for (unsigned l = 0; l < PROBE_LANES; l++) {
					double v = high64(s.r[2][l]), is = high64(d.r[8][l]);
					bool tiny = fabs(v) < 0x1p-1022;
					uint32_t neg = s.r[2][l] >> 31;
					if (isnan(v) || (rsq && neg && !tiny)) {
						assert_int_equal(d.r[8][l], 0x7fffffff);
					} else if (tiny) {
						assert_int_equal(d.r[8][l], 0x7ff00000 | neg << 31);
					} else if (isinf(v) || (!rsq && fabs(v) > 0x1p1022)) {
						assert_int_equal(d.r[8][l], neg << 31);
					} else {
						seen++;
						check(text, s.r[2][l], is, rsq ? rsqrt(v) : reciprocal(v), 0x1p-20, 0);
					}
				}
			}
			assert_true(seen > 1000);
			probe_close(&p);
		}
}

/* ex2 and tanh of halves. */
static void test_halves(void **x)
{
	(void)x;
	static const struct {
		enum wl_arch arch;
		const char *text;
		bool bf16, high, tanh;
		double relative, absolute;
	} t[] = {
	        /* 2^-9.9, 2^-7; 2^-10.987, 2^-8 and, for the least results, half a unit of the format */
	        {WL_SM75, "MUFU.EX2.F16 R8, R2", false, false, false, 1.0467e-3, 3e-8},
	        {WL_SM75, "MUFU.EX2.F16 R8, R2.H1", false, true, false, 1.0467e-3, 3e-8},
	        {WL_SM75, "MUFU.TANH.F16 R8, R2", false, false, true, 0, 4.927e-4},
	        {WL_SM90, "MUFU.EX2.BF16 R8, R2.H1", true, true, false, 0x1p-7, 0},
	        {WL_SM90, "MUFU.TANH.BF16 R8, R2", true, false, true, 0, 0x1p-8},
	        {WL_SM90, "MUFU.EX2.F16 R8, -R2", false, false, false, 1.0467e-3, 3e-8},
	};
	for (unsigned k = 0; k < sizeof t / sizeof t[0]; k++) {
		struct probe p;
		struct probe_state s, d;
		struct small f = t[k].bf16 ? SMALL_BF16 : SMALL_F16;
		unsigned inf = t[k].bf16 ? 0x7f80 : 0x7c00, seen = 0;
		probe_open(&p, t[k].arch, t[k].text);
		for (unsigned round = 0; round < ROUNDS; round++) {
			memset(&s, 0, sizeof s);
			for (unsigned l = 0; l < PROBE_LANES; l++)
				s.r[2][l] = probe_f16(t[k].bf16) | (uint32_t)probe_f16(t[k].bf16) << 16;
			probe_run(&p, &s, &d);
			for (unsigned l = 0; l < PROBE_LANES; l++) {
				uint32_t h = t[k].high ? s.r[2][l] >> 16 : s.r[2][l] & 0xffff, r = d.r[8][l] & 0xffff;
				if (strstr(t[k].text, "-R2"))
					h ^= 0x8000;
				if ((h & 0x7fff) > inf) {
					assert_int_equal(r, 0x7fff);
					continue;
				}
				if ((h & 0x7fff) == inf)
					continue;
				long double v = (long double)small_value(f, h & 0x7fff) * (h >> 15 ? -1 : 1);
				long double want = t[k].tanh ? tanhl(v) : exp2l(v);
				if (want > 65000 || (t[k].bf16 && fabsl(want) < 0x1p-126L))
					continue;
				seen++;
				long double is = (long double)small_value(f, r & 0x7fff) * (r >> 15 ? -1 : 1);
				check(t[k].text, h, (double)is, want, t[k].relative, t[k].absolute);
			}
		}
		assert_true(seen > 1000);
		probe_close(&p);
	}
}

static void test_coverage(void **x)
{
	(void)x;
	assert_true(probe_all_covered("uop_mufu_test"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_bounds), cmocka_unit_test(test_corners),  cmocka_unit_test(test_high_words),
	        cmocka_unit_test(test_halves), cmocka_unit_test(test_coverage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL) | kernel_covers("uop_mufu_test");
}

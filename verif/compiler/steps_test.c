// SPDX-License-Identifier: Apache-2.0
/* steps_test.c -- conversions made by the compiler in several steps, against numbers found another way: the nearest
 * of all values of a format; also alloca. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <math.h>

#include <cmocka.h>

#include "../common/float_bits.h"
#include "../common/rng.h"
#include "run_ptx.h"

enum { Threads = 64, Rounds = 24 };

/* Runs `body` for many inputs. `body` reads %rd1 (64 bits of input) and leaves 32 bits in %r1. */
static void apply_for(const char *target, enum wl_arch arch, const char *body, const uint64_t in[Threads],
                      uint32_t out[Threads], int opt)
{
	char text[2048], why[512] = "";
	uint32_t words[Threads] = {0};
	uint64_t copy[Threads];
	snprintf(text, sizeof text,
	         ".version 8.6\n.target %s\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
	         ".reg .b64 %%rd<9>; .reg .b32 %%r<9>; .reg .b16 %%h<9>; .reg .f32 %%f<9>; .reg .f64 %%d<9>;\n"
	         "ld.param.u64 %%rd2, [in];\nld.param.u64 %%rd3, [out];\nmov.u32 %%r2, %%tid.x;\n"
	         "mad.wide.u32 %%rd2, %%r2, 8, %%rd2;\nmad.wide.u32 %%rd3, %%r2, 4, %%rd3;\nld.global.u64 %%rd1, "
	         "[%%rd2];\n"
	         "cvt.u32.u64 %%r3, %%rd1;\nmov.b32 %%f1, %%r3;\nmov.b64 %%d1, %%rd1;\n%s\nst.global.u32 [%%rd3], "
	         "%%r1;\nret;\n}\n",
	         target, body);
	memcpy(copy, in, sizeof copy);
	struct run_setup s = {.ptx = text, .arch = arch, .opt = opt, .grid = 1, .block = Threads, .nbufs = 2};
	s.buf[0].data = copy;
	s.buf[0].size = sizeof copy;
	s.buf[1].data = words;
	s.buf[1].size = sizeof words;
	if (!run_ptx(&s, why, sizeof why))
		fail_msg("%s: %s", body, why);
	memcpy(out, words, sizeof words);
}

static void apply(const char *body, const uint64_t in[Threads], uint32_t out[Threads], int opt)
{
	apply_for("sm_90", WL_SM90, body, in, out, opt);
}

/* The value of a code with this many bits of exponent and mantissa. */
static double value_of(uint32_t code, unsigned exponent, unsigned mantissa)
{
	int bias = (1 << (exponent - 1)) - 1, e = (int)(code >> mantissa & ((1u << exponent) - 1));
	double m = (double)(code & ((1u << mantissa) - 1)) / (1 << mantissa);
	return e ? ldexp(1 + m, e - bias) : ldexp(m, 1 - bias);
}

/* The code of the number nearest to |x|, the even code of two; at most `largest`. */
static uint32_t nearest(double x, unsigned exponent, unsigned mantissa, uint32_t largest)
{
	uint32_t best = 0;
	x = fmin(x, value_of(largest, exponent, mantissa));
	for (uint32_t c = 1; c <= largest; c++) {
		double d = fabs(value_of(c, exponent, mantissa) - x),
		       now = fabs(value_of(best, exponent, mantissa) - x);
		if (d < now || (d == now && !(c & 1)))
			best = c;
	}
	return best;
}

static void inputs(uint64_t in[Threads], struct rng *rng)
{
	static const float special[] = {0,     -0.0f, 1,     -1,           448,           464,  480,
	                                57344, 61440, 1e30f, 0.001953125f, 0.0009765625f, 1e-6f};
	for (unsigned k = 0; k < Threads; k++) {
		uint64_t r = rng_next(rng);
		float f = ldexpf((float)(int32_t)r, (int)(r >> 40) % 40 - 45);
		in[k] = (r & ~UINT64_C(0xffffffff)) | bits32(k < 13 ? special[k] : f);
	}
	in[13] = 0x7fc00000;
	in[14] = 0x7f800000;
	in[15] = 0xff800000;
}

static void small_floats(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		unsigned exponent, mantissa;
		uint32_t largest;
	} formats[] = {{"e4m3x2", 4, 3, 0x7e}, {"e5m2x2", 5, 2, 0x7b}};
	uint64_t in[Threads];
	struct rng rng = rng_seed(99, 0);
	uint32_t out[Threads], back[Threads];
	char body[256];
	for (unsigned round = 0; round < Rounds; round++) {
		const unsigned f = round % 2;
		inputs(in, &rng);
		snprintf(body, sizeof body, "cvt.rn.satfinite.%s.f32 %%h1, %%f1, %%f1;\ncvt.u32.u16 %%r1, %%h1;",
		         formats[f].name);
		apply(body, in, out, round % 3 ? 2 : 0);
		snprintf(body, sizeof body, "cvt.rn.satfinite.%s.f32 %%h1, %%f1, %%f1;\ncvt.rn.f16x2.%s %%r1, %%h1;",
		         formats[f].name, formats[f].name);
		apply(body, in, back, 2);
		for (unsigned k = 0; k < Threads; k++) {
			const float x = f32((uint32_t)in[k]);
			uint32_t want = isnan(x) ? 0x7f
			                         : nearest(fabs((double)x), formats[f].exponent, formats[f].mantissa,
			                                   formats[f].largest) |
			                                   (signbit(x) ? 0x80 : 0);
			if (out[k] != want * 0x101)
				fail_msg("%s of %a: found %x, expected %x", formats[f].name, x, out[k], want * 0x101);
			if (isnan(x)) {
				assert_int_equal(back[k], 0x7fff7fff);
				continue;
			}
			const double h = value_of(back[k] & 0x7fff, 5, 10),
			             same = value_of(want & 0x7f, formats[f].exponent, formats[f].mantissa);
			if (h != same || (back[k] >> 15 & 1) != want >> 7 || back[k] >> 16 != (back[k] & 0xffff))
				fail_msg("half of %s %x: found %x, that is %g, expected %g", formats[f].name, want,
				         back[k], h, same);
		}
	}
}

/* The number of a format after rounding, at most `largest`. */
static double rounded(double x, int mantissa, int least, double largest, bool cut)
{
	int e = x == 0 ? least : ilogb(x) < least ? least : ilogb(x);
	if (isinf(x))
		return copysign(largest, x);
	double q = ldexp(1, e - mantissa), y = (cut ? trunc(x / q) : nearbyint(x / q)) * q;
	return fmin(fmax(y, -largest), largest);
}

/* Finite halves: converted in one instruction or more. */
static void finite_halves(void **state)
{
	(void)state;
	static const struct {
		const char *target;
		enum wl_arch arch;
	} archs[] = {{"sm_75", WL_SM75}, {"sm_80", WL_SM80}, {"sm_90", WL_SM90}, {"sm_100", WL_SM100}};
	uint64_t in[Threads];
	struct rng rng = rng_seed(31, 0);
	uint32_t out[Threads];
	char body[128];
	for (unsigned round = 0; round < 64; round++) {
		const unsigned a = round / 8 % 4;
		const bool brain = a && round & 4, cut = round & 1, relu = a && round & 2;
		inputs(in, &rng);
		in[16] = bits32(65519.0f), in[17] = bits32(-65520.0f), in[18] = 0x7f7fffff;
		snprintf(body, sizeof body, "cvt.%s%s.satfinite.%s.f32 %%h1, %%f1;\ncvt.u32.u16 %%r1, %%h1;",
		         cut ? "rz" : "rn", relu ? ".relu" : "", brain ? "bf16" : "f16");
		apply_for(archs[a].target, archs[a].arch, body, in, out, round % 3 ? 2 : 0);
		for (unsigned k = 0; k < Threads; k++) {
			const float x = f32((uint32_t)in[k]);
			double want = brain ? rounded((double)x, 7, -126, (double)f32(0x7f7f0000), cut)
			                    : rounded((double)x, 10, -14, 65504, cut);
			const double got =
			        (brain ? (double)f32((out[k] & 0x7fff) << 16) : value_of(out[k] & 0x7fff, 5, 10)) *
			        (out[k] >> 15 ? -1 : 1);
			if (relu && want < 0)
				want = 0;
			if (isnan(x) ? out[k] != 0x7fff : got != want)
				fail_msg("%s on %s of %a: found %x, expected %a", body, archs[a].target, (double)x,
				         out[k], want);
		}
	}
}

/* bfloat16 of integers of 64 bits and of float64: the neighbour chosen by the rounding. */
static void brain_floats(void **state)
{
	(void)state;
	static const char *const rounds[] = {"rn", "rz", "rm", "rp"};
	uint64_t in[Threads];
	struct rng rng = rng_seed(5, 0);
	uint32_t out[Threads];
	char body[128];
	for (unsigned round = 0; round < Rounds; round++) {
		const char *r = rounds[round % 4];
		for (unsigned k = 0; k < Threads; k++)
			in[k] = (uint64_t)((int64_t)rng_next(&rng) >> (rng_next(&rng) % 64));
		/* half way between two numbers, except for the last bit; float64 cannot hold the last bit */
		in[0] = UINT64_C(0x4040000000000001);
		in[1] = UINT64_C(0x40bfffffffffffff);
		in[2] = 0 - in[0];
		in[3] = UINT64_C(0x4040000000000000);
		snprintf(body, sizeof body, "cvt.%s.bf16.s64 %%h1, %%rd1;\ncvt.u32.u16 %%r1, %%h1;", r);
		apply(body, in, out, round % 3 ? 2 : 0);
		for (unsigned k = 0; k < Threads; k++) {
			const long double x = (long double)(int64_t)in[k], got = f32(out[k] << 16);
			const uint32_t below = out[k] & 0x7fff ? out[k] - 1 : 0x8001, above = out[k] + 1;
			const long double error = got - x, less = f32(below << 16) - x, more = f32(above << 16) - x;
			const bool minus = out[k] >> 15;
			bool good;
#define MAGNITUDE(v) ((v) < 0 ? -(v) : (v))
			switch (r[1]) {
			case 'n':
				good = MAGNITUDE(error) <= MAGNITUDE(less) && MAGNITUDE(error) <= MAGNITUDE(more) &&
				       ((MAGNITUDE(error) < MAGNITUDE(less) && MAGNITUDE(error) < MAGNITUDE(more)) ||
				        !(out[k] & 1));
				break;
			case 'z':
				good = minus ? error >= 0 && more < 0 : error <= 0 && (x == 0 || more > 0);
				break;
			case 'm':
				good = error <= 0 && (minus ? less > 0 || error == 0 : x == 0 || more > 0);
				break;
			default:
				good = error >= 0 && (minus ? more < 0 || error == 0 : less < 0 || error == 0);
			}
			if (!good)
				fail_msg("cvt.%s.bf16.s64 of %lld: found %x, that is %g", r, (long long)in[k], out[k],
				         f32(out[k] << 16));
		}
	}
}

static void tf32_and_saturation(void **state)
{
	(void)state;
	uint64_t in[Threads];
	struct rng rng = rng_seed(7, 0);
	uint32_t out[Threads];
	for (unsigned round = 0; round < Rounds; round++) {
		inputs(in, &rng);
		apply("cvt.rna.tf32.f32 %r1, %f1;", in, out, 2);
		for (unsigned k = 0; k < Threads; k++) {
			const float x = f32((uint32_t)in[k]), got = f32(out[k]);
			assert_int_equal(out[k] & 0x1fff, 0);
			if (isfinite(x) && fabs((double)got - x) > fabs((double)f32(out[k] + 0x2000) - got) / 2)
				fail_msg("tf32 of %a: found %a", x, got);
		}
		apply("cvt.rn.sat.f32.s32 %f2, %r3;\nmov.b32 %r1, %f2;", in, out, 2);
		for (unsigned k = 0; k < Threads; k++)
			assert_int_equal(out[k], (int32_t)(uint32_t)in[k] > 0 ? 0x3f800000 : 0);
		apply("cvt.sat.f64.f64 %d2, %d1;\ncvt.rn.f32.f64 %f2, %d2;\nmov.b32 %r1, %f2;", in, out, 2);
		for (unsigned k = 0; k < Threads; k++) {
			double d;
			memcpy(&d, &in[k], sizeof d);
			assert_int_equal(out[k], bits32(d > 1 ? 1 : d > 0 ? (float)d : 0));
		}
	}
}

/* Reductions of float32 over a warp. */
static void float_reductions(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		bool min, abs, nan;
	} forms[] = {{"min", true, false, false},
	             {"max", false, false, false},
	             {"min.abs", true, true, false},
	             {"max.NaN", false, false, true},
	             {"min.NaN", true, false, true}};
	uint64_t in[Threads];
	struct rng rng = rng_seed(11, 0);
	uint32_t out[Threads];
	char body[128];
	for (unsigned round = 0; round < Rounds; round++)
		for (unsigned f = 0; f < sizeof forms / sizeof *forms; f++) {
			inputs(in, &rng);
			if (round % 2)
				in[13] = 0; /* then the first warp has no NaN */
			snprintf(body, sizeof body, "redux.sync.%s.f32 %%f2, %%f1, -1;\nmov.b32 %%r1, %%f2;",
			         forms[f].text);
			apply_for("sm_100a", WL_SM100, body, in, out, round % 3 ? 2 : 0);
			for (unsigned k = 0; k < Threads; k++) {
				float want = NAN;
				bool any_nan = false;
				for (unsigned j = k / 32 * 32; j < k / 32 * 32 + 32; j++) {
					float x = f32((uint32_t)in[j]);
					if (forms[f].abs)
						x = fabsf(x);
					any_nan |= isnan(x) != 0;
					want = forms[f].min ? fminf(want, x) : fmaxf(want, x);
				}
				if (forms[f].nan && any_nan)
					want = NAN;
				if (isnan(want) ? out[k] != 0x7fffffff : f32(out[k]) != want)
					fail_msg("redux.%s: found %x, expected %a", forms[f].text, out[k], want);
			}
		}
}

static uint32_t saturated(int32_t v, unsigned bits, bool sign)
{
	const int32_t top = (int32_t)((1u << (bits - sign)) - 1), bottom = sign ? -top - 1 : 0;
	return (uint32_t)(v > top ? top : v < bottom ? bottom : v) & ((1u << bits) - 1);
}

/* cvt.pack, and the comparison of two halves with a single result: the result of the low halves. */
static void packs(void **state)
{
	(void)state;
	static const enum wl_arch archs[] = {WL_SM75, WL_SM80, WL_SM90, WL_SM100, WL_SM120};
	uint64_t in[Threads];
	struct rng rng = rng_seed(8, 0);
	uint32_t out[Threads];
	char body[256];
	for (unsigned round = 0; round < 20; round++) {
		const bool sign = round & 1, bytes = round & 2;
		const unsigned bits = bytes ? 8 : 16;
		for (unsigned k = 0; k < Threads; k++) {
			int32_t a = (int32_t)rng_next(&rng) >> (rng_next(&rng) % 32);
			int32_t b = (int32_t)rng_next(&rng) >> (rng_next(&rng) % 32);
			in[k] = (uint64_t)(uint32_t)b << 32 | (uint32_t)a;
		}
		snprintf(body, sizeof body, "mov.b64 {%%r4, %%r5}, %%rd1;\ncvt.pack.sat.%c%u.s32%s %%r1, %%r4, %%r5%s;",
		         sign ? 's' : 'u', bits, bytes ? ".b32" : "", bytes ? ", %r4" : "");
		apply_for("sm_75", archs[round / 4], body, in, out, round % 3 ? 2 : 0);
		for (unsigned k = 0; k < Threads; k++) {
			const int32_t a = (int32_t)(uint32_t)in[k], b = (int32_t)(in[k] >> 32);
			const uint32_t want = saturated(a, bits, sign) << bits | saturated(b, bits, sign) |
			                      (bytes ? (uint32_t)a << 16 : 0);
			if (out[k] != want)
				fail_msg("%s of %d, %d: found %x, expected %x", body, a, b, out[k], want);
		}
		for (unsigned k = 0; k < Threads; k++)
			in[k] = rng_next(&rng) & UINT64_C(0xbfffbfffbfffbfff); /* no infinities */
		snprintf(body, sizeof body,
		         ".reg .pred %%p;\nmov.b64 {%%r4, %%r5}, %%rd1;\nsetp.%s.f16x2 %%p, %%r4, %%r5;\n"
		         "selp.u32 %%r1, 1, 0, %%p;",
		         sign ? "lt" : "ge");
		apply_for("sm_75", archs[round / 4], body, in, out, 2);
		for (unsigned k = 0; k < Threads; k++) {
			const uint32_t h = in[k] & 0xffff, l = in[k] >> 32 & 0xffff;
			const double a = value_of(h & 0x7fff, 5, 10) * (h >> 15 ? -1 : 1),
			             b = value_of(l & 0x7fff, 5, 10) * (l >> 15 ? -1 : 1);
			assert_int_equal(out[k], sign ? a < b : a >= b);
		}
	}
}

/* Two arrays, the second freed and allocated again. */
static void stack(void **state)
{
	(void)state;
	uint64_t in[Threads];
	uint32_t out[Threads];
	for (unsigned k = 0; k < Threads; k++)
		in[k] = k % 9 + 1;
	for (int opt = 0; opt <= 2; opt += 2) {
		apply(".reg .pred %p<2>;\nshl.b64 %rd4, %rd1, 3;\nalloca.u64 %rd5, %rd4, 8;\nst.local.u32 [%rd5], 7;\n"
		      "stacksave.u64 %rd6;\nalloca.u64 %rd7, %rd4, 8;\nst.local.u32 [%rd7], 11;\nstackrestore.u64 "
		      "%rd6;\n"
		      "alloca.u64 %rd8, %rd4, 8;\nld.local.u32 %r1, [%rd8];\nld.local.u32 %r4, [%rd5];\nmad.lo.u32 "
		      "%r1, %r1, 100, %r4;",
		      in, out, opt);
		for (unsigned k = 0; k < Threads; k++)
			assert_int_equal(out[k], 1107);
	}
}

/* A thread's stack has 1,024 bytes, 64 of them for the function itself. A larger alloca traps instead of taking
 * memory of others, and so does an invalid size. An alloca not executed takes no memory. */
static void stack_ends(void **state)
{
	static const struct {
		uint64_t bytes;
		bool done, fits;
	} cases[] = {{16, true, true},          {960, true, true},          {961, true, false},
	             {2096, true, false},       {1 << 20, true, false},     {0xfffff7f0, true, false},
	             {0xffffffff, true, false}, {0x100000010, true, false}, {16, false, true},
	             {2096, false, true},       {0xffffffff, false, true},  {0x100000010, false, true}};
	(void)state;
	for (unsigned i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
		const unsigned c = i / 2, opt = i % 2 * 2;
		for (unsigned a = 0; a < NUM_ARCHS; a++) {
			char text[1500], why[1000] = "";
			uint32_t out[32] = {0};
			snprintf(text, sizeof text,
			         ".version 8.7\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 q)\n{\n"
			         ".local .align 4 .b8 own[64];\n.reg .b64 %%rd<9>;\n.reg .b32 %%r<9>;\n.reg .pred "
			         "%%p<2>;\n"
			         "ld.param.u64 %%rd1, [q];\nmov.u32 %%r2, %%tid.x;\nmul.wide.u32 %%rd2, %%r2, 4;\n"
			         "add.u64 %%rd1, %%rd1, %%rd2;\nmov.u64 %%rd3, own;\nst.local.u32 [%%rd3], 77;\n"
			         "setp.%s.u32 %%p1, %%r2, 32;\nmov.u64 %%rd4, %llu;\nmov.u64 %%rd5, own+4;\n"
			         "@%%p1 alloca.u64 %%rd5, %%rd4, 16;\nst.local.u32 [%%rd5], %%r2;\n"
			         "ld.local.u32 %%r1, [%%rd3];\nst.global.u32 [%%rd1], %%r1;\nret;\n}\n",
			         cases[c].done ? "lt" : "gt", (unsigned long long)cases[c].bytes);
			const struct run_setup setup = {.ptx = text,
			                                .arch = all_archs[a],
			                                .opt = (int)opt,
			                                .grid = 1,
			                                .block = 32,
			                                .nbufs = 1,
			                                .buf = {{out, sizeof out}}};
			const bool ended = run_ptx(&setup, why, sizeof why);
			if (ended != cases[c].fits || (!ended && !strstr(why, "TRAP")))
				fail_msg("alloca of %llu, -O%u: %s %s", (unsigned long long)cases[c].bytes, opt,
				         ended ? "ended" : "failed", why);
			for (unsigned k = 0; ended && k < 32; k++)
				assert_int_equal(out[k], 77);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(small_floats),
	        cmocka_unit_test(finite_halves),
	        cmocka_unit_test(brain_floats),
	        cmocka_unit_test(tf32_and_saturation),
	        cmocka_unit_test(float_reductions),
	        cmocka_unit_test(packs),
	        cmocka_unit_test(stack),
	        cmocka_unit_test(stack_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

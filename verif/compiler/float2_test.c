// SPDX-License-Identifier: Apache-2.0
/* float2_test.c -- PTX of sm_100 and later: two float32 in 64 bits, powers of two in 8 bits; also lop3 with a
 * predicate, on all architectures. The expected results are the host's arithmetic. */
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../common/float_bits.h"
#include "run_ptx.h"

enum { THREADS = 64, RESULTS = 14 };

static const char body[] = ".address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
                           ".reg .b64 %d<40>; .reg .b32 %r<40>; .reg .b16 %h<9>; .reg .pred %p<9>;\n"
                           "ld.param.u64 %d0, [in]; ld.param.u64 %d1, [out]; mov.u32 %r0, %tid.x;\n"
                           "mad.wide.u32 %d0, %r0, 24, %d0; mad.wide.u32 %d1, %r0, 112, %d1;\n"
                           "ld.global.b64 %d2, [%d0]; ld.global.b64 %d3, [%d0+8]; ld.global.b64 %d4, [%d0+16];\n"
                           "mov.b64 {%r2, %r3}, %d2; mov.b64 {%r4, %r5}, %d3; mov.b64 {%r6, %r7}, %d4;\n"
                           "setp.lt.s32 %p1, %r6, 0;\n";
static const char pairs[] = "add.f32x2 %d10, %d2, %d3; st.global.b64 [%d1], %d10;\n"
                            "sub.rz.f32x2 %d10, %d2, %d3; st.global.b64 [%d1+8], %d10;\n"
                            "mul.rp.f32x2 %d10, %d2, %d3; st.global.b64 [%d1+16], %d10;\n"
                            "fma.rm.f32x2 %d10, %d2, %d3, %d4; st.global.b64 [%d1+24], %d10;\n"
                            "mov.b64 %d11, 0x400000003f800000;\n"
                            "@%p1 fma.rn.f32x2 %d4, %d2, %d11, %d4; st.global.b64 [%d1+32], %d4;\n";
static const char powers[] =
        "cvt.rp.ue8m0x2.f32 %h1, %r2, %r4; cvt.u64.u16 %d10, %h1; st.global.b64 [%d1+40], %d10;\n"
        "cvt.rz.satfinite.ue8m0x2.bf16x2 %h1, %r2; cvt.u64.u16 %d10, %h1; st.global.b64 [%d1+48], %d10;\n"
        "cvt.u16.u32 %h2, %r2; cvt.rn.bf16x2.ue8m0x2 %r10, %h2; cvt.u64.u32 %d10, %r10;\n"
        "st.global.b64 [%d1+56], %d10;\n";
static const char small_floats[] =
        "{ .reg .b8 %b1, %b2; .reg .b16 %x; .reg .b32 %y;\n"
        "and.b32 %y, %r2, 0x3f3f; cvt.u16.u32 %x, %y; cvt.rn.f16x2.e2m3x2 %r10, %x; cvt.u64.u32 %d10, %r10; "
        "st.global.b64 [%d1+80], %d10;\n"
        "cvt.rn.f16x2.e3m2x2 %r10, %x; cvt.u64.u32 %d10, %r10; st.global.b64 [%d1+88], %d10;\n"
        "cvt.u16.u32 %x, %r2; mov.b16 {%b1, %b2}, %x; cvt.rn.f16x2.e2m1x2 %r10, %b2; cvt.u64.u32 %d10, %r10; "
        "st.global.b64 [%d1+96], %d10;\n"
        "mov.b32 %r11, 0x3f800000; cvt.rn.satfinite.e2m1x2.f32 %b1, %r4, %r11; mov.b16 %x, {%b1, 0}; cvt.u64.u16 %d10, "
        "%x;\n"
        "st.global.b64 [%d1+104], %d10; }\n";
static const char logic[] =
        "lop3.and.b32 %r10|%p2, %r2, %r4, %r6, 0x80, !%p1; selp.b32 %r11, 1, 0, %p2;\n"
        "mov.b64 %d10, {%r10, %r11}; st.global.b64 [%d1+64], %d10;\n"
        "lop3.or.b32 _|%p3, %r2, %r2, %r2, 0, %p1; selp.b64 %d10, 5, 6, %p3; st.global.b64 [%d1+72], %d10;\n";

static uint64_t both(char op, int mode, const uint64_t *in)
{
	uint32_t a = (uint32_t)in[0], b = (uint32_t)in[1], c = (uint32_t)in[2];
	return arithmetic32(op, mode, a, b, c) |
	       (uint64_t)arithmetic32(op, mode, (uint32_t)(in[0] >> 32), (uint32_t)(in[1] >> 32),
	                              (uint32_t)(in[2] >> 32))
	               << 32;
}

/* The code of the power of two at or above the magnitude. The magnitude is a normal number below 2^127. */
static uint32_t above(uint32_t v)
{
	int e;
	return (uint32_t)(frexp(fabs((double)f32(v)), &e) == 0.5 ? e - 1 : e) + 127;
}
static uint32_t below(uint32_t v)
{
	int e;
	frexp(fabs((double)f32(v)), &e);
	return (uint32_t)(e - 1) + 127;
}

/* A small float: sign, exponent, mantissa; no infinity, no NaN. */
static double small(uint32_t code, unsigned exponents, unsigned mantissas)
{
	int bias = (1 << (exponents - 1)) - 1;
	int e = (int)(code >> mantissas & ((1u << exponents) - 1));
	uint32_t m = code & ((1u << mantissas) - 1);
	double v = e ? ldexp(1 + ldexp(m, -(int)mantissas), e - bias) : ldexp(m, 1 - bias - (int)mantissas);
	return code >> (exponents + mantissas) & 1 ? -v : v;
}

/* Two small floats, a byte or a nibble each, as float16: float16 holds all values. */
static uint64_t as_halves(uint32_t codes, unsigned exponents, unsigned mantissas)
{
	unsigned width = exponents + mantissas == 3 ? 4 : 8;
	uint64_t both_halves = 0;
	for (unsigned k = 0; k < 2; k++) {
		uint32_t code = codes >> width * k & ((1u << width) - 1);
		double v = small(code, exponents, mantissas);
		uint32_t half = 0;
		while (half < 0x7c00 && small(half, 5, 10) != fabs(v))
			half++;
		both_halves |= (uint64_t)(half | (signbit(v) ? 0x8000u : 0)) << 16 * k;
	}
	return both_halves;
}

/* The nearest code; of two equally near codes the even code; beyond the range the greatest code. */
static uint32_t nearest_small(double v, unsigned exponents, unsigned mantissas)
{
	uint32_t best = 0, sign = signbit(v) ? 1u << (exponents + mantissas) : 0;
	for (uint32_t c = 1; c < 1u << (exponents + mantissas); c++) {
		double d = fabs(fabs(v) - small(c, exponents, mantissas)),
		       was = fabs(fabs(v) - small(best, exponents, mantissas));
		if (d < was || (d == was && c % 2 == 0))
			best = c;
	}
	return best | sign;
}

static void expect(const uint64_t *in, uint64_t *out)
{
	uint32_t a = (uint32_t)in[0], b = (uint32_t)in[1], c = (uint32_t)in[2];
	bool negative = (int32_t)c < 0;
	const uint64_t by_one_and_two[3] = {in[0], UINT64_C(0x400000003f800000), in[2]};
	out[0] = both('+', FE_TONEAREST, in);
	out[1] = both('-', FE_TOWARDZERO, in);
	out[2] = both('*', FE_UPWARD, in);
	out[3] = both('f', FE_DOWNWARD, in);
	out[4] = negative ? both('f', FE_TONEAREST, by_one_and_two) : in[2];
	out[5] = above(b) | above(a) << 8;
	out[6] = below(a << 16) | below(a & 0xffff0000) << 8;
	for (unsigned k = 0; k < 2; k++) {
		uint32_t code = a >> 8 * k & 0xff;
		out[7] = (k ? out[7] : 0) |
		         (uint64_t)(code == 0xff ? 0x7fff : result32(ldexpf(1, (int)code - 127)) >> 16) << 16 * k;
	}
	out[8] = (a & b & c) | (uint64_t)((a & b & c) != 0 && !negative) << 32;
	out[9] = negative ? 5 : 6;
	out[10] = as_halves(a & 0x3f3f, 2, 3);
	out[11] = as_halves(a & 0x3f3f, 3, 2);
	out[12] = as_halves(a >> 8 & 0xff, 2, 1);
	out[13] = 2 | nearest_small((double)f32(b), 2, 1) << 4; /* 1 is code 2 */
}

/* Numbers within a few powers of two around 1: every operation cuts bits off. */
static uint32_t number(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	uint32_t v = (uint32_t)(*seed >> 32);
	uint32_t f = (v & 0x807fffff) | (120 + (v >> 23 & 15)) << 23;
	return (f & 0xffff007f) | (0x3f00u + (v >> 7 & 0x180)); /* the low half is a valid bfloat16 too */
}

static void run(enum wl_arch arch, const char *target, int opt, bool floats)
{
	uint64_t in[THREADS][3], out[THREADS][RESULTS], seed = (uint64_t)arch;
	char text[8192], why[1024];
	struct run_setup s = {.ptx = text, .arch = arch, .opt = opt, .grid = 1, .block = THREADS, .nbufs = 2};
	for (unsigned t = 0; t < THREADS; t++)
		for (unsigned k = 0; k < 3; k++) {
			in[t][k] = number(&seed);
			in[t][k] |= (uint64_t)number(&seed) << 32;
		}
	memset(out, 0, sizeof out);
	snprintf(text, sizeof text, ".version %s\n.target %s\n%s%s%s%s%sret;\n}\n", floats ? "8.8" : "8.2", target,
	         body, floats ? pairs : "", floats ? powers : "", floats ? small_floats : "", logic);
	s.buf[0].data = in;
	s.buf[0].size = sizeof in;
	s.buf[1].data = out;
	s.buf[1].size = sizeof out;
	if (!run_ptx(&s, why, sizeof why))
		fail_msg("%s -O%d: %s", target, opt, why);
	for (unsigned t = 0; t < THREADS; t++) {
		uint64_t want[RESULTS];
		expect(in[t], want);
		for (unsigned k = floats ? 0 : 8; k < (floats ? RESULTS : 10); k++)
			if (out[t][k] != want[k])
				fail_msg("%s -O%d: thread %u, result %u: %016llx (expected %016llx)", target, opt, t, k,
				         (unsigned long long)out[t][k], (unsigned long long)want[k]);
	}
}

static void all(void **state)
{
	static const char *const names[NUM_ARCHS] = {"sm_75", "sm_80", "sm_90", "sm_100a", "sm_120a"};
	(void)state;
	for (unsigned a = 0; a < NUM_ARCHS; a++)
		for (int opt = 0; opt <= 2; opt += 2)
			run(all_archs[a], names[a], opt, all_archs[a] >= WL_SM100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(all)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

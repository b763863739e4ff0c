// SPDX-License-Identifier: Apache-2.0
/* float2_test.c -- PTX of sm_100 and later: two float32 in 64 bits, powers of two in 8 bits; and lop3 with a predicate,
 * which all have. Results are the host's arithmetic. */
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "run_ptx.h"

enum { THREADS = 64, RESULTS = 10 };

static const char body[] = ".address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
                           ".reg .b64 %d<40>; .reg .b32 %r<40>; .reg .b16 %h<9>; .reg .pred %p<9>;\n"
                           "ld.param.u64 %d0, [in]; ld.param.u64 %d1, [out]; mov.u32 %r0, %tid.x;\n"
                           "mad.wide.u32 %d0, %r0, 24, %d0; mad.wide.u32 %d1, %r0, 80, %d1;\n"
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
static const char logic[] =
        "lop3.and.b32 %r10|%p2, %r2, %r4, %r6, 0x80, !%p1; selp.b32 %r11, 1, 0, %p2;\n"
        "mov.b64 %d10, {%r10, %r11}; st.global.b64 [%d1+64], %d10;\n"
        "lop3.or.b32 _|%p3, %r2, %r2, %r2, 0, %p1; selp.b64 %d10, 5, 6, %p3; st.global.b64 [%d1+72], %d10;\n";

static float float_of(uint32_t v)
{
	float f;
	memcpy(&f, &v, sizeof f);
	return f;
}

static uint32_t bits(float f)
{
	uint32_t v;
	memcpy(&v, &f, sizeof v);
	return f != f ? 0x7fffffff : v;
}

static uint32_t host(char op, int mode, uint32_t a, uint32_t b, uint32_t c)
{
	volatile float x = float_of(a), y = float_of(b), z = float_of(c), r;
	fesetround(mode);
	r = op == '+' ? x + y : op == '-' ? x - y : op == '*' ? x * y : fmaf(x, y, z);
	fesetround(FE_TONEAREST);
	return bits(r);
}

static uint64_t both(char op, int mode, const uint64_t *in)
{
	uint32_t a = (uint32_t)in[0], b = (uint32_t)in[1], c = (uint32_t)in[2];
	return host(op, mode, a, b, c) |
	       (uint64_t)host(op, mode, (uint32_t)(in[0] >> 32), (uint32_t)(in[1] >> 32), (uint32_t)(in[2] >> 32))
	               << 32;
}

/* The code of the power of two at or above the magnitude, which is a normal number below 2^127. */
static uint32_t above(uint32_t v)
{
	int e;
	return (uint32_t)(frexp(fabs((double)float_of(v)), &e) == 0.5 ? e - 1 : e) + 127;
}
static uint32_t below(uint32_t v)
{
	int e;
	frexp(fabs((double)float_of(v)), &e);
	return (uint32_t)(e - 1) + 127;
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
		out[7] = (k ? out[7] : 0) | (uint64_t)(code == 0xff ? 0x7fff : bits(ldexpf(1, (int)code - 127)) >> 16)
		                                    << 16 * k;
	}
	out[8] = (a & b & c) | (uint64_t)((a & b & c) != 0 && !negative) << 32;
	out[9] = negative ? 5 : 6;
}

/* Numbers of a few powers of two around 1, so that bits are cut off everywhere. */
static uint32_t number(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	uint32_t v = (uint32_t)(*seed >> 32);
	uint32_t f = (v & 0x807fffff) | (120 + (v >> 23 & 15)) << 23;
	return (f & 0xffff007f) | (0x3f00u + (v >> 7 & 0x180)); /* the low half is a bfloat16 too */
}

static void run(enum wl_arch arch, const char *target, int opt, bool floats)
{
	uint64_t in[THREADS][3], out[THREADS][RESULTS], seed = (uint64_t)arch;
	char text[4096], why[1024];
	struct run_setup s = {.ptx = text, .arch = arch, .opt = opt, .grid = 1, .block = THREADS, .nbufs = 2};
	for (unsigned t = 0; t < THREADS; t++)
		for (unsigned k = 0; k < 3; k++) {
			in[t][k] = number(&seed);
			in[t][k] |= (uint64_t)number(&seed) << 32;
		}
	memset(out, 0, sizeof out);
	snprintf(text, sizeof text, ".version %s\n.target %s\n%s%s%s%sret;\n}\n", floats ? "8.8" : "8.2", target, body,
	         floats ? pairs : "", floats ? powers : "", logic);
	s.buf[0].data = in;
	s.buf[0].size = sizeof in;
	s.buf[1].data = out;
	s.buf[1].size = sizeof out;
	if (!run_ptx(&s, why, sizeof why))
		fail_msg("%s -O%d: %s", target, opt, why);
	for (unsigned t = 0; t < THREADS; t++) {
		uint64_t want[RESULTS];
		expect(in[t], want);
		for (unsigned k = floats ? 0 : 8; k < RESULTS; k++)
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

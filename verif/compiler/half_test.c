// SPDX-License-Identifier: Apache-2.0
/* half_test.c -- sums and products of halves with float32, comparisons whose result is a half, and what .ftz flushes in
 * conversions of bfloat16, against float32 arithmetic of the host. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run_ptx.h"

enum { LANES = 32, CASES = 64 * LANES };

static float f(uint32_t bits)
{
	float v;
	memcpy(&v, &bits, sizeof v);
	return v;
}
static uint32_t u(float v)
{
	uint32_t bits;
	memcpy(&bits, &v, sizeof bits);
	return v != v ? 0x7fffffff : bits;
}
static float brain(uint32_t v)
{
	return f(v << 16);
}
static float half(uint32_t v)
{
	const uint32_t e = v >> 10 & 31, m = v & 0x3ff;
	const float a = e == 31 ? (m ? NAN : INFINITY)
	                : e     ? ldexpf((float)(m | 0x400), (int)e - 25)
	                        : ldexpf((float)m, -24);
	return v & 0x8000 ? -a : a;
}
static float flush(float v)
{
	return fpclassify(v) == FP_SUBNORMAL ? copysignf(0, v) : v;
}
static float sat(float v)
{
	return v != v || v <= 0 ? 0 : v > 1 ? 1 : v;
}
static float up(float a, float b)
{
	volatile float x = a, y = b, d;
	fesetround(FE_UPWARD);
	d = x + y;
	fesetround(FE_TONEAREST);
	return d;
}
static float cut(float a, float b, float c)
{
	volatile float x = a, y = b, z = c, d;
	fesetround(FE_TOWARDZERO);
	d = fmaf(x, y, z);
	fesetround(FE_TONEAREST);
	return d;
}
/* To bfloat16 and nearest even. */
static uint32_t to_brain(float v)
{
	const uint32_t bits = u(v);
	return v != v ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/* %h1 %h2: low halves of %r1 %r2; a b c: the three words; the result is %r0, of halves %h0. */
#define ROWS(ROW)                                                                                                      \
	ROW("add.f32.f16 %r0, %h1, %r3;", 100, u(half(a) + f(c)))                                                      \
	ROW("add.rp.f32.f16 %r0, %h1, %r3;", 100, u(up(half(a), f(c))))                                                \
	ROW("add.sat.f32.bf16 %r0, %h1, %r3;", 100, u(sat(brain(a) + f(c))))                                           \
	ROW("sub.f32.bf16 %r0, %h1, %r3;", 100, u(brain(a) - f(c)))                                                    \
	ROW("sub.f32.f16 %r0, %h2, 0f3FC00000;", 100, u(half(b) - 1.5f))                                               \
	ROW("fma.rn.f32.f16 %r0, %h1, %h2, %r3;", 100, u(fmaf(half(a), half(b), f(c))))                                \
	ROW("fma.rz.f32.bf16 %r0, %h1, %h2, %r3;", 100, u(cut(brain(a), brain(b), f(c))))                              \
	ROW("fma.rn.sat.f32.bf16 %r0, %h1, %h2, %r3;", 100, u(sat(fmaf(brain(a), brain(b), f(c)))))                    \
	ROW("set.lt.f16.s32 %h0, %r1, %r2;", 75, (int32_t)A < (int32_t)B ? 0x3c00 : 0)                                 \
	ROW("set.hi.f16.u32 %h0, %r1, %r2;", 75, A > B ? 0x3c00 : 0)                                                   \
	ROW("set.ne.f16.b16 %h0, %h1, %h2;", 75, a != b ? 0x3c00 : 0)                                                  \
	ROW("set.gtu.f16.f32 %h0, %r1, %r2;", 75, !(f(A) <= f(B)) ? 0x3c00 : 0)                                        \
	ROW("set.le.f16.f16 %h0, %h1, %h2;", 75, half(a) <= half(b) ? 0x3c00 : 0)                                      \
	ROW("cvt.ftz.f32.bf16 %r0, %h1;", 90, u(flush(brain(a))))                                                      \
	ROW("cvt.rn.ftz.bf16.f32 %h0, %r3;", 90, to_brain(flush(f(c))))                                                \
	ROW("cvt.f32.bf16 %r0, %h1;", 90, u(brain(a)))

static const struct {
	const char *ptx;
	int from;
} rows[] = {
#define ROW(ptx, from, value) {ptx, from},
        ROWS(ROW)
#undef ROW
};
enum { NROWS = sizeof rows / sizeof rows[0] };

static uint32_t expected(unsigned row, uint32_t A, uint32_t B, uint32_t c)
{
	const uint32_t a = A & 0xffff, b = B & 0xffff;
	unsigned n = 0;
#define ROW(ptx, from, value)                                                                                          \
	if (n++ == row)                                                                                                \
		return value;
	ROWS(ROW)
#undef ROW
	return 0;
}

static uint32_t next(void)
{
	static uint64_t x = 0x9e3779b97f4a7c15;
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return (uint32_t)(x >> 20);
}

/* Floats near one, halves of any kind, corners. */
static uint32_t value(void)
{
	static const uint32_t corners[] = {0,          0x8000,     0x3c00,     0x7c00,     0xfc00,     0x7e00,
	                                   0x0001,     0x83ff,     0x3f80,     0x3f800000, 0x7f800000, 0x80000001,
	                                   0x007fffff, 0x80000000, 0x00400000, 0xbf800000};
	const uint32_t r = next();
	return r % 3 == 0 ? corners[r / 3 % 16] : r % 3 == 1 ? (next() & 0x87ffffff) + 0x38000000 : next();
}

static bool same(unsigned row, uint32_t found, uint32_t want)
{
	if (strstr(rows[row].ptx, "%h0"))
		return (found & 0xffff) == want;
	return found == want || (f(found) != f(found) && f(want) != f(want)); /* which NaN is nobody's business */
}

static int run(unsigned row, enum wl_arch arch, int opt)
{
	static uint32_t in[CASES][4], out[CASES];
	char text[2000], why[1000];
	struct run_setup s = {.ptx = text, .arch = arch, .opt = opt, .grid = CASES / LANES, .block = LANES, .nbufs = 2};
	snprintf(text, sizeof text,
	         ".version 8.8\n.target sm_%d\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q)\n{\n"
	         ".reg .b64 %%a, %%b, %%t; .reg .b32 %%r<5>, %%i, %%j, %%n; .reg .b16 %%h<3>;\n"
	         "ld.param.u64 %%a, [p]; ld.param.u64 %%b, [q]; mov.u32 %%i, %%tid.x; mov.u32 %%j, %%ctaid.x;\n"
	         "mov.u32 %%n, %%ntid.x; mad.lo.u32 %%i, %%j, %%n, %%i; mul.wide.u32 %%t, %%i, 16;\n"
	         "add.u64 %%a, %%a, %%t; mul.wide.u32 %%t, %%i, 4; add.u64 %%b, %%b, %%t;\n"
	         "ld.global.v4.u32 {%%r1, %%r2, %%r3, %%r4}, [%%a]; cvt.u16.u32 %%h1, %%r1; cvt.u16.u32 %%h2, %%r2;\n"
	         "%s\n%s st.global.u32 [%%b], %%r0;\nret;\n}\n",
	         arch < WL_SM100 ? (int)arch : 100, rows[row].ptx,
	         strstr(rows[row].ptx, "%h0") ? "cvt.u32.u16 %r0, %h0;" : "");
	for (unsigned k = 0; k < 4 * CASES; k++)
		in[k / 4][k % 4] = value();
	s.buf[0].data = in;
	s.buf[0].size = sizeof in;
	s.buf[1].data = out;
	s.buf[1].size = sizeof out;
	if (!run_ptx(&s, why, sizeof why)) {
		fprintf(stderr, "FAILED: sm_%d -O%d: %s: %s\n", (int)arch, opt, rows[row].ptx, why);
		return 1;
	}
	for (unsigned k = 0; k < CASES; k++) {
		const uint32_t want = expected(row, in[k][0], in[k][1], in[k][2]);
		if (same(row, out[k], want))
			continue;
		fprintf(stderr, "FAILED: sm_%d -O%d: %s of %x %x %x: %x, expected %x\n", (int)arch, opt, rows[row].ptx,
		        in[k][0], in[k][1], in[k][2], out[k], want);
		return 1;
	}
	return 0;
}

int main(void)
{
	int failed = 0;
	for (unsigned row = 0; row < NROWS; row++)
		for (unsigned a = 0; a < NUM_ARCHS; a++)
			for (int opt = 0; opt < 3 && (int)all_archs[a] >= rows[row].from; opt += 2)
				failed |= run(row, all_archs[a], opt);
	return failed;
}

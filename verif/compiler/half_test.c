// SPDX-License-Identifier: Apache-2.0
/* half_test.c -- sums and products of halves with float32, comparisons with a half as result, and the values flushed
 * by .ftz in conversions of bfloat16; qualifiers in the source's own order, behind types. Against float32 arithmetic
 * of the host. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../common/float_bits.h"
#include "../common/rng.h"
#include "run_ptx.h"

enum { LANES = 32, CASES = 64 * LANES };

static float brain(uint32_t v)
{
	return f32(v << 16);
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
	return f32(arithmetic32('+', FE_UPWARD, bits32(a), bits32(b), 0));
}
static float cut(float a, float b, float c)
{
	return f32(arithmetic32('f', FE_TOWARDZERO, bits32(a), bits32(b), bits32(c)));
}
static int32_t most(int32_t a, int32_t b)
{
	const int32_t v = a > b ? a : b;
	return v > 0 ? v : 0;
}
/* .xorsign.abs: of the magnitudes, with the sign of the product. A number wins over NaN. */
static float with_sign(float magnitude, float a, float b)
{
	return (bits32(a) ^ bits32(b)) >> 31 ? -magnitude : magnitude;
}
static float smaller(float a, float b)
{
	const float x = fabsf(a), y = fabsf(b);
	return with_sign(y != y || x < y ? x : y, a, b);
}
static float larger(float a, float b)
{
	const float x = fabsf(a), y = fabsf(b);
	return with_sign(y != y || x > y ? x : y, a, b);
}
/* Of a value that is a half. */
static uint32_t to_half(float v)
{
	for (uint32_t k = 0; k < 0x8000; k++)
		if (half(k) == fabsf(v))
			return k | (signbit(v) ? 0x8000 : 0);
	return 0x7fff;
}
/* To bfloat16 and nearest even. */
static uint32_t to_brain(float v)
{
	const uint32_t bits = result32(v);
	return v != v ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/* %h1 %h2: low halves of %r1 %r2; a b c: the three words; the result is %r0, made of halves %h0. */
#define ROWS(ROW)                                                                                                      \
	ROW("add.f32.f16 %r0, %h1, %r3;", 100, result32(half(a) + f32(c)))                                             \
	ROW("add.rp.f32.f16 %r0, %h1, %r3;", 100, result32(up(half(a), f32(c))))                                       \
	ROW("add.sat.f32.bf16 %r0, %h1, %r3;", 100, result32(sat(brain(a) + f32(c))))                                  \
	ROW("sub.f32.bf16 %r0, %h1, %r3;", 100, result32(brain(a) - f32(c)))                                           \
	ROW("sub.f32.f16 %r0, %h2, 0f3FC00000;", 100, result32(half(b) - 1.5f))                                        \
	ROW("fma.rn.f32.f16 %r0, %h1, %h2, %r3;", 100, result32(fmaf(half(a), half(b), f32(c))))                       \
	ROW("fma.rz.f32.bf16 %r0, %h1, %h2, %r3;", 100, result32(cut(brain(a), brain(b), f32(c))))                     \
	ROW("fma.rn.sat.f32.bf16 %r0, %h1, %h2, %r3;", 100, result32(sat(fmaf(brain(a), brain(b), f32(c)))))           \
	ROW("set.lt.f16.s32 %h0, %r1, %r2;", 75, (int32_t)A < (int32_t)B ? 0x3c00 : 0)                                 \
	ROW("set.hi.f16.u32 %h0, %r1, %r2;", 75, A > B ? 0x3c00 : 0)                                                   \
	ROW("set.ne.f16.b16 %h0, %h1, %h2;", 75, a != b ? 0x3c00 : 0)                                                  \
	ROW("set.gtu.f16.f32 %h0, %r1, %r2;", 75, !(f32(A) <= f32(B)) ? 0x3c00 : 0)                                    \
	ROW("set.le.f16.f16 %h0, %h1, %h2;", 75, half(a) <= half(b) ? 0x3c00 : 0)                                      \
	ROW("cvt.ftz.f32.bf16 %r0, %h1;", 90, result32(flush(brain(a))))                                               \
	ROW("cvt.rn.ftz.bf16.f32 %h0, %r3;", 90, to_brain(flush(f32(c))))                                              \
	ROW("cvt.f32.bf16 %r0, %h1;", 90, result32(brain(a)))                                                          \
	ROW("max.s32.relu %r0, %r1, %r2;", 90, (uint32_t)most((int32_t)A, (int32_t)B))                                 \
	ROW("min.xorsign.abs.f32 %r0, %r1, %r2;", 90, result32(smaller(f32(A), f32(B))))                               \
	ROW("min.xorsign.abs.f32 %r0, 0fC0000000, %r1;", 90, result32(smaller(-2, f32(A))))                            \
	ROW("max.xorsign.abs.f32 %r0, %r1, 0f80000000;", 90, result32(larger(f32(A), -0.0f)))                          \
	ROW("mov.b32 %r0, 0fBF800000; max.xorsign.abs.f32 %r0, %r0, %r1;", 90, result32(larger(-1, f32(A))))           \
	ROW("min.xorsign.abs.f16 %h0, %h1, %h2;", 90, to_half(smaller(half(a), half(b))))                              \
	ROW("mov.b16 %h0, 0xbc00; max.xorsign.abs.f16 %h0, %h0, %h1;", 90, to_half(larger(-1, half(a))))               \
	ROW("div.f32.rn %r0, %r1, %r2;", 75, result32(f32(A) / f32(B)))                                                \
	ROW("slct.u32.f32.ftz %r0, %r1, %r2, %r3;", 75, flush(f32(c)) >= 0 ? A : B)

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

/* Floats near one, halves of any kind, corners. */
static uint32_t value(struct rng *rng)
{
	static const uint32_t corners[] = {0,          0x8000,     0x3c00,     0x7c00,     0xfc00,     0x7e00,
	                                   0x0001,     0x83ff,     0x3f80,     0x3f800000, 0x7f800000, 0x80000001,
	                                   0x007fffff, 0x80000000, 0x00400000, 0xbf800000};
	const uint32_t r = rng_u32(rng);
	return r % 3 == 0 ? corners[r / 3 % 16] : r % 3 == 1 ? (rng_u32(rng) & 0x87ffffff) + 0x38000000 : rng_u32(rng);
}

static bool same(unsigned row, uint32_t found, uint32_t want)
{
	if (strstr(rows[row].ptx, "%h0"))
		return (found & 0xffff) == want;
	return found == want ||
	       (f32(found) != f32(found) && f32(want) != f32(want)); /* the kind of NaN does not matter here */
}

static int run(unsigned row, enum wl_arch arch, int opt)
{
	static uint32_t in[CASES][4], out[CASES];
	char text[2000], why[1000];
	struct rng rng = rng_seed(row, (unsigned)arch);
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
		in[k / 4][k % 4] = value(&rng);
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

// SPDX-License-Identifier: Apache-2.0
/* float_test.c -- float arithmetic, comparisons and conversions of PTX, compiled at -O0 and -O2, operands in
 * registers and as literals, against the host's IEEE arithmetic. Approximations are compared with libm, within the
 * bounds of the PTX manual. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run_ptx.h"

enum { Threads = 256 };

/* Kinds of values: f float32, g float64, w 32-bit and d 64-bit integers, p predicate, n none. */

static float f_of(uint64_t v)
{
	uint32_t w = (uint32_t)v;
	float f;
	memcpy(&f, &w, sizeof f);
	return f;
}

static uint64_t of_f(float f)
{
	uint32_t w;
	memcpy(&w, &f, sizeof w);
	return w;
}

static double g_of(uint64_t v)
{
	double g;
	memcpy(&g, &v, sizeof g);
	return g;
}

static uint64_t of_g(double g)
{
	uint64_t v;
	memcpy(&v, &g, sizeof v);
	return v;
}

/* Numbers win over NaN, and -0 is below +0. */
static float least(float x, float y)
{
	return isnan(x) ? y : isnan(y) ? x : x < y || (x == y && signbit(x)) ? x : y;
}

static float most(float x, float y)
{
	return isnan(x) ? y : isnan(y) ? x : x > y || (x == y && !signbit(x)) ? x : y;
}

static float rounded(float (*op)(float, float), float x, float y, int mode)
{
	int before = fegetround();
	volatile float vx = x, vy = y, r;

	fesetround(mode);
	r = op(vx, vy);
	fesetround(before);
	return r;
}

static float sum(float x, float y)
{
	volatile float r = x + y;

	return r;
}

static float product(float x, float y)
{
	volatile float r = x * y;

	return r;
}

static float quotient(float x, float y)
{
	volatile float r = x / y;
	return r;
}

static float root(float x, float y)
{
	volatile float r = sqrtf(x);
	(void)y;
	return r;
}

static double rounded64(double (*op)(double, double), double x, double y, int mode)
{
	int before = fegetround();
	volatile double vx = x, vy = y, r;
	fesetround(mode);
	r = op(vx, vy);
	fesetround(before);
	return r;
}

static double quotient64(double x, double y)
{
	volatile double r = x / y;
	return r;
}

static double root64(double x, double y)
{
	volatile double r = sqrt(x);
	(void)y;
	return r;
}

/* As least() and most(), for float64. */
static double extreme64(double x, double y, bool low)
{
	if (isnan(x) || isnan(y))
		return isnan(x) ? y : x;
	return x == y ? (signbit(x) ? 1 : 0) == low ? x : y : (x < y) == low ? x : y;
}

/* Subnormal numbers are zeros. */
static float flush(float x)
{
	return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

static int kind_of(float x)
{
	int k = fpclassify(x);
	return k == FP_ZERO ? FP_NORMAL : k;
}

static uint64_t clamped(double v, double low, double high)
{
	return isnan(v) ? 0 : (uint64_t)(int64_t)(v < low ? low : v > high ? high : v);
}

#define A  f_of(a)
#define B  f_of(b)
#define C  f_of(c)
#define GA g_of(a)
#define GB g_of(b)
#define GC g_of(c)
#define ROWS(ROW)                                                                                                      \
	ROW("add.f32", f, f, f, n, of_f(A + B), 0)                                                                     \
	ROW("sub.f32", f, f, f, n, of_f(A - B), 0)                                                                     \
	ROW("mul.f32", f, f, f, n, of_f(A *B), 0)                                                                      \
	ROW("add.rz.f32", f, f, f, n, of_f(rounded(sum, A, B, FE_TOWARDZERO)), 0)                                      \
	ROW("add.rm.f32", f, f, f, n, of_f(rounded(sum, A, B, FE_DOWNWARD)), 0)                                        \
	ROW("mul.rp.f32", f, f, f, n, of_f(rounded(product, A, B, FE_UPWARD)), 0)                                      \
	ROW("add.sat.f32", f, f, f, n, of_f(isnan(A + B) ? 0 : fminf(fmaxf(A + B, 0), 1)), 0)                          \
	ROW("fma.rn.f32", f, f, f, f, of_f(fmaf(A, B, C)), 0)                                                          \
	ROW("neg.f32", f, f, n, n, of_f(-A), 0)                                                                        \
	ROW("abs.f32", f, f, n, n, of_f(fabsf(A)), 0)                                                                  \
	ROW("min.f32", f, f, f, n, of_f(least(A, B)), 0)                                                               \
	ROW("max.f32", f, f, f, n, of_f(most(A, B)), 0)                                                                \
	ROW("copysign.f32", f, f, f, n, of_f(copysignf(B, A)), 0)                                                      \
	ROW("add.f64", g, g, g, n, of_g(GA + GB), 0)                                                                   \
	ROW("sub.f64", g, g, g, n, of_g(GA - GB), 0)                                                                   \
	ROW("mul.f64", g, g, g, n, of_g(GA *GB), 0)                                                                    \
	ROW("fma.rn.f64", g, g, g, g, of_g(fma(GA, GB, GC)), 0)                                                        \
	ROW("neg.f64", g, g, n, n, of_g(-GA), 0)                                                                       \
	ROW("abs.f64", g, g, n, n, of_g(fabs(GA)), 0)                                                                  \
	ROW("copysign.f64", g, g, g, n, of_g(copysign(GB, GA)), 0)                                                     \
	ROW("selp.f32", f, f, f, p, c ? a : b, 0)                                                                      \
	ROW("setp.eq.f32", p, f, f, n, A == B, 0)                                                                      \
	ROW("setp.ne.f32", p, f, f, n, A<B || A> B, 0)                                                                 \
	ROW("setp.lt.f32", p, f, f, n, A < B, 0)                                                                       \
	ROW("setp.le.f32", p, f, f, n, A <= B, 0)                                                                      \
	ROW("setp.gt.f32", p, f, f, n, A > B, 0)                                                                       \
	ROW("setp.ge.f32", p, f, f, n, A >= B, 0)                                                                      \
	ROW("setp.equ.f32", p, f, f, n, !(A < B || A > B), 0)                                                          \
	ROW("setp.neu.f32", p, f, f, n, !(A == B), 0)                                                                  \
	ROW("setp.ltu.f32", p, f, f, n, !(A >= B), 0)                                                                  \
	ROW("setp.leu.f32", p, f, f, n, !(A > B), 0)                                                                   \
	ROW("setp.gtu.f32", p, f, f, n, !(A <= B), 0)                                                                  \
	ROW("setp.geu.f32", p, f, f, n, !(A < B), 0)                                                                   \
	ROW("setp.num.f32", p, f, f, n, !isnan(A) && !isnan(B), 0)                                                     \
	ROW("setp.nan.f32", p, f, f, n, isnan(A) || isnan(B), 0)                                                       \
	ROW("setp.lt.f64", p, g, g, n, GA < GB, 0)                                                                     \
	ROW("setp.geu.f64", p, g, g, n, !(GA < GB), 0)                                                                 \
	ROW("set.lt.u32.f32", w, f, f, n, A < B ? 0xffffffff : 0, 0)                                                   \
	ROW("set.gt.f32.f32", f, f, f, n, A > B ? of_f(1) : 0, 0)                                                      \
	ROW("cvt.rn.f32.s32", f, w, n, n, of_f((float)(int32_t)a), 0)                                                  \
	ROW("cvt.rn.f32.u32", f, w, n, n, of_f((float)(uint32_t)a), 0)                                                 \
	ROW("cvt.rn.f32.u8", f, w, n, n, of_f((float)(uint8_t)a), 0)                                                   \
	ROW("cvt.rn.f32.s16", f, w, n, n, of_f((float)(int16_t)a), 0)                                                  \
	ROW("cvt.rn.f32.s64", f, d, n, n, of_f((float)(int64_t)a), 0)                                                  \
	ROW("cvt.rn.f32.u64", f, d, n, n, of_f((float)a), 0)                                                           \
	ROW("cvt.rn.f64.s32", g, w, n, n, of_g((double)(int32_t)a), 0)                                                 \
	ROW("cvt.rn.f64.u64", g, d, n, n, of_g((double)a), 0)                                                          \
	ROW("cvt.rzi.s32.f32", w, f, n, n, clamped(truncf(A), INT32_MIN, INT32_MAX), 0)                                \
	ROW("cvt.rni.s32.f32", w, f, n, n, clamped(rintf(A), INT32_MIN, INT32_MAX), 0)                                 \
	ROW("cvt.rmi.s32.f32", w, f, n, n, clamped(floorf(A), INT32_MIN, INT32_MAX), 0)                                \
	ROW("cvt.rpi.u32.f32", w, f, n, n, clamped(ceilf(A), 0, UINT32_MAX), 0)                                        \
	ROW("cvt.rzi.u8.f32", w, f, n, n, clamped(truncf(A), 0, 255), 0)                                               \
	ROW("cvt.rzi.s16.f32", w, f, n, n, clamped(truncf(A), INT16_MIN, INT16_MAX), 0)                                \
	ROW("cvt.rni.f32.f32", f, f, n, n, of_f(rintf(A)), 0)                                                          \
	ROW("cvt.rzi.f32.f32", f, f, n, n, of_f(truncf(A)), 0)                                                         \
	ROW("cvt.sat.f32.f32", f, f, n, n, of_f(isnan(A) ? 0 : fminf(fmaxf(A, 0), 1)), 0)                              \
	ROW("cvt.rmi.f64.f64", g, g, n, n, of_g(floor(GA)), 0)                                                         \
	ROW("cvt.f64.f32", g, f, n, n, of_g((double)A), 0)                                                             \
	ROW("cvt.rn.f32.f64", f, g, n, n, of_f((float)GA), 0)                                                          \
	ROW("div.rn.f32", f, f, f, n, of_f(A / B), 0)                                                                  \
	ROW("div.rz.f32", f, f, f, n, of_f(rounded(quotient, A, B, FE_TOWARDZERO)), 0)                                 \
	ROW("div.rm.f32", f, f, f, n, of_f(rounded(quotient, A, B, FE_DOWNWARD)), 0)                                   \
	ROW("div.rp.f32", f, f, f, n, of_f(rounded(quotient, A, B, FE_UPWARD)), 0)                                     \
	ROW("div.rn.ftz.f32", f, f, f, n, of_f(flush(flush(A) / flush(B))), 0)                                         \
	ROW("rcp.rn.f32", f, f, n, n, of_f(1 / A), 0)                                                                  \
	ROW("rcp.rz.f32", f, f, n, n, of_f(rounded(quotient, 1, A, FE_TOWARDZERO)), 0)                                 \
	ROW("sqrt.rn.f32", f, f, n, n, of_f(sqrtf(A)), 0)                                                              \
	ROW("sqrt.rm.f32", f, f, n, n, of_f(rounded(root, A, 0, FE_DOWNWARD)), 0)                                      \
	ROW("sqrt.rp.f32", f, f, n, n, of_f(rounded(root, A, 0, FE_UPWARD)), 0)                                        \
	ROW("div.rn.f64", g, g, g, n, of_g(GA / GB), 0)                                                                \
	ROW("div.rz.f64", g, g, g, n, of_g(rounded64(quotient64, GA, GB, FE_TOWARDZERO)), 0)                           \
	ROW("div.rm.f64", g, g, g, n, of_g(rounded64(quotient64, GA, GB, FE_DOWNWARD)), 0)                             \
	ROW("div.rp.f64", g, g, g, n, of_g(rounded64(quotient64, GA, GB, FE_UPWARD)), 0)                               \
	ROW("rcp.rn.f64", g, g, n, n, of_g(1 / GA), 0)                                                                 \
	ROW("rcp.rp.f64", g, g, n, n, of_g(rounded64(quotient64, 1, GA, FE_UPWARD)), 0)                                \
	ROW("sqrt.rn.f64", g, g, n, n, of_g(sqrt(GA)), 0)                                                              \
	ROW("sqrt.rz.f64", g, g, n, n, of_g(rounded64(root64, GA, 0, FE_TOWARDZERO)), 0)                               \
	ROW("sqrt.rp.f64", g, g, n, n, of_g(rounded64(root64, GA, 0, FE_UPWARD)), 0)                                   \
	ROW("min.f64", g, g, g, n, of_g(extreme64(GA, GB, true)), 0)                                                   \
	ROW("max.f64", g, g, g, n, of_g(extreme64(GA, GB, false)), 0)                                                  \
	ROW("testp.finite.f32", p, f, n, n, isfinite(A), 0)                                                            \
	ROW("testp.normal.f32", p, f, n, n, kind_of(A) == FP_NORMAL, 0)                                                \
	ROW("testp.subnormal.f32", p, f, n, n, kind_of(A) == FP_SUBNORMAL, 0)                                          \
	ROW("testp.infinite.f64", p, g, n, n, isinf(GA) != 0, 0)                                                       \
	ROW("testp.notanumber.f64", p, g, n, n, isnan(GA), 0)                                                          \
	ROW("testp.number.f64", p, g, n, n, !isnan(GA), 0)                                                             \
	ROW("slct.u32.f32", w, w, w, f, C >= 0 ? a : b, 0)                                                             \
	ROW("slct.f64.f32", g, g, g, f, C >= 0 ? a : b, 0)                                                             \
	ROW("rsqrt.approx.f64", g, g, n, n, of_g(1 / sqrt(GA)), 0x1p-50)                                               \
	ROW("ex2.approx.f32", f, f, n, n, of_f((float)exp2((double)A)), 0x1p-22)                                       \
	ROW("lg2.approx.f32", f, f, n, n, of_f((float)log2((double)A)), 0x1p-21)                                       \
	ROW("rcp.approx.f32", f, f, n, n, of_f(1 / A), 0x1p-22)                                                        \
	ROW("sqrt.approx.f32", f, f, n, n, of_f(sqrtf(A)), 0x1p-22)                                                    \
	ROW("rsqrt.approx.f32", f, f, n, n, of_f((float)(1 / sqrt((double)A))), 0x1p-22)                               \
	ROW("tanh.approx.f32", f, f, n, n, of_f(fabsf(A) < 0x1p-126f ? 0 : (float)tanh((double)A)), 0x1p-11)           \
	ROW("div.full.ftz.f32", f, f, f, n, of_f(flush(flush(A) / flush(B))), 0x1p-21)                                 \
	ROW("div.full.f32", f, f, f, n, of_f(A / B), 0x1p-21)

struct row {
	const char *text;
	char result, arg[3];
	double bound; /* relative error; 0 = exact */
	unsigned index;
};

enum {
#define ROW(text, r, ka, kb, kc, expression, bound) +1
	NumRows = 0 ROWS(ROW)
#undef ROW
};

/* The expected value of row k: picks the expression by its index. */
static uint64_t mean(unsigned k, uint64_t a, uint64_t b, uint64_t c)
{
	unsigned n = 0;
#define ROW(text, r, ka, kb, kc, expression, bound)                                                                    \
	if (n++ == k)                                                                                                  \
		return (uint64_t)(expression);
	ROWS(ROW)
#undef ROW
	return 0;
}

static struct row rows[NumRows] = {
#define ROW(text, r, ka, kb, kc, expression, bound) {text, #r[0], {#ka[0], #kb[0], #kc[0]}, bound, 0},
        ROWS(ROW)
#undef ROW
};

static uint64_t draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state * UINT64_C(0x2545f4914f6cdd1d);
}

/* A number with a significand beside a power of two, and often an exponent at an end of the range. */
static uint64_t beside_power(unsigned bits, unsigned fraction, uint64_t *state)
{
	const uint64_t ones = (UINT64_C(1) << fraction) - 1, r = draw(state), some = draw(state);
	const uint64_t all = (UINT64_C(1) << (bits - 1 - fraction)) - 1;
	const uint64_t low = r & 1 ? ones - (r >> 1) % 3 : r & 2 ? (r >> 2) % 3 : ones & (ones << (r >> 2) % fraction);
	const uint64_t exponent = some & 1   ? all / 2 + (some >> 1) % 3
	                          : some & 2 ? (some >> 2) % 2 * (all - 1)
	                                     : some >> 8;
	return (some >> 7 & 1) << (bits - 1) | (exponent & all) << fraction | low;
}

static uint64_t operand(char kind, uint64_t *state)
{
	static const float corners[] = {0.0f,   -0.0f,  1.0f,        -1.0f,     0.5f,   2.5f,      -3.5f,
	                                1e30f,  1e38f,  16777217.0f, -1e-38f,   1e-44f, 3e-39f,    2147483648.0f,
	                                255.5f, 1e-20f, INFINITY,    -INFINITY, NAN,    -65536.0f, 0.1f};
	uint64_t r = draw(state);
	float f = corners[(r >> 8) % (sizeof corners / sizeof *corners)];

	switch (kind) {
	case 'f':
		return r & 1   ? of_f(f)
		       : r & 2 ? of_f((float)(int32_t)draw(state) / 65536)
		       : r & 4 ? beside_power(32, 23, state)
		               : draw(state) >> 32;
	case 'g':
		return r & 1   ? of_g(f)
		       : r & 2 ? of_g((double)(int64_t)draw(state) / 1e9)
		       : r & 4 ? beside_power(64, 52, state)
		               : draw(state);
	case 'w':
		return (draw(state) >> 32) >> (r % 32);
	case 'p':
		return r & 1;
	default:
		return draw(state) >> (r % 64);
	}
}

static void write_kernel(char *text, size_t n, const struct row *r, int literal, uint64_t v)
{
	size_t at = 0;
#define PUT(...) at += (size_t)snprintf(text + at, n - at, __VA_ARGS__)
	PUT(".version 8.0\n.target sm_75\n.address_size 64\n"
	    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
	    ".reg .pred %%p<9>; .reg .f32 %%f<9>; .reg .b32 %%w<9>, %%t; .reg .f64 %%g<9>; .reg .b64 %%d<9>, %%a<4>;\n"
	    "ld.param.u64 %%a0, [in];\nld.param.u64 %%a1, [out];\nmov.u32 %%t, %%tid.x;\n"
	    "mad.wide.u32 %%a0, %%t, 24, %%a0;\nmad.wide.u32 %%a1, %%t, 8, %%a1;\n");
	for (unsigned i = 0; i < 3; i++) {
		char k = r->arg[i];
		if (k == 'p')
			PUT("ld.global.u32 %%w%u, [%%a0+%u];\nsetp.ne.s32 %%p%u, %%w%u, 0;\n", i, 8 * i, i, i);
		else if (k != 'n')
			PUT("ld.global.%s %%%c%u, [%%a0+%u];\n",
			    k == 'f'   ? "f32"
			    : k == 'g' ? "f64"
			    : k == 'w' ? "u32"
			               : "u64",
			    k, i, 8 * i);
	}
	PUT("%s %%%c7", r->text, r->result);
	for (unsigned i = 0; i < 3 && r->arg[i] != 'n'; i++) {
		if ((int)i == literal && r->arg[i] == 'f')
			PUT(", 0f%08x", (unsigned)v);
		else if ((int)i == literal && r->arg[i] == 'g')
			PUT(", 0d%016llx", (unsigned long long)v);
		else
			PUT(", %%%c%u", r->arg[i], i);
	}
	PUT(";\n");
	if (r->result == 'p')
		PUT("selp.u64 %%d7, 1, 0, %%p7;\nst.global.u64 [%%a1], %%d7;\n");
	else if (r->result == 'w' || r->result == 'f')
		PUT("st.global.b32 [%%a1], %%%c7;\n", r->result);
	else
		PUT("st.global.b64 [%%a1], %%%c7;\n", r->result);
	PUT("ret;\n}\n");
#undef PUT
}

static bool near(const struct row *r, uint64_t found, uint64_t want)
{
	double x, y;
	if (r->result != 'f' && r->result != 'g')
		return found == (r->result == 'w' ? want & 0xffffffff : want);
	x = r->result == 'f' ? f_of(found) : g_of(found);
	y = r->result == 'f' ? f_of(want) : g_of(want);
	if (isnan(x) || isnan(y))
		return isnan(x) && isnan(y);
	if (r->bound == 0)
		return found == want;
	return x == y || fabs(x - y) <= r->bound * fabs(y) + 0x1p-140;
}

static void try_row(const struct row *r, int literal, enum wl_arch arch, int opt, uint64_t *state)
{
	static uint64_t in[Threads][3], out[Threads];
	char text[4096], why[1024];
	uint64_t v = literal >= 0 ? operand(r->arg[literal], state) : 0;
	struct run_setup s = {.ptx = text,
	                      .arch = arch,
	                      .opt = opt,
	                      .grid = 1,
	                      .block = Threads,
	                      .nbufs = 2,
	                      .buf = {{in, sizeof in}, {out, sizeof out}}};

	for (unsigned t = 0; t < Threads; t++)
		for (unsigned i = 0; i < 3; i++)
			in[t][i] = (int)i == literal ? v : operand(r->arg[i], state);
	memset(out, 0, sizeof out);
	write_kernel(text, sizeof text, r, literal, v);
	if (!run_ptx(&s, why, sizeof why))
		fail_msg("%s sm_%u -O%d: %s\n%s", r->text, (unsigned)arch, opt, why, text);
	for (unsigned t = 0; t < Threads; t++) {
		uint64_t want = mean(r->index, in[t][0], in[t][1], in[t][2]);
		if (!near(r, out[t], want))
			fail_msg("%s -O%d literal %d: a=%llx b=%llx c=%llx gives %llx, expected %llx", r->text, opt,
			         literal, (unsigned long long)in[t][0], (unsigned long long)in[t][1],
			         (unsigned long long)in[t][2], (unsigned long long)out[t], (unsigned long long)want);
	}
}

static bool may_be_literal(const struct row *r, int i)
{
	return (r->arg[i] == 'f' || r->arg[i] == 'g') && strncmp(r->text, "cvt", 3) != 0;
}

static void test_row(void **arg)
{
	const struct row *r = *arg;
	uint64_t state = 88172645463325252u + r->index;
	for (unsigned k = 0; k < NUM_ARCHS; k++) /* architectures differ in the operands allowed as literals */
		for (int opt = 0; opt <= 2; opt += 2)
			for (int literal = -1; literal < 3; literal++)
				if (literal < 0 || may_be_literal(r, literal))
					try_row(r, literal, all_archs[k], opt, &state);
}

int main(void)
{
	struct CMUnitTest *tests = calloc(NumRows, sizeof *tests);
	int failed;
	for (unsigned i = 0; i < NumRows; i++) {
		rows[i].index = i;
		tests[i] = (struct CMUnitTest){.name = rows[i].text, .test_func = test_row, .initial_state = &rows[i]};
	}
	failed = _cmocka_run_group_tests("floats", tests, NumRows, NULL, NULL);
	free(tests);
	return failed != 0;
}

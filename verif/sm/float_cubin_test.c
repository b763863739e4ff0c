// SPDX-License-Identifier: Apache-2.0
/* float_cubin_test.c -- float code of nvcc, from float_kernels.cu, on the C model, against the host: exact for
 * operations that CUDA calls correctly rounded, else within the greatest errors of the CUDA C++ Programming Guide.
 *   float_cubin_test FILE.cubin */
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "half_reference.h"
#include "probe.h"
#include "warplock/object.h"

enum { N = 1024, THREADS = 128, MOST = 32 };
static unsigned char image[1 << 20];
static size_t image_bytes;
/* Called through pointers: the compiler's own expansions ignore the rounding direction. */
static double (*volatile host_rint)(double) = rint;
static float (*volatile host_sqrtf)(float) = sqrtf;
static double (*volatile host_sqrt)(double) = sqrt;

static void fail_with(const char *kernel, const char *why)
{
	fail_msg("%s: %s", kernel, why);
}

/* Runs a kernel with three inputs of N elements; out holds MOST * N. */
static void run(const char *kernel, const void *const in[3], const size_t each[3], void *out, size_t out_each)
{
	struct wl_program p;
	struct wl_gmem mem = {.bytes = (3 + MOST) * 8 * N + 4096};
	struct wl_config config = wl_config_default();
	uint8_t params[WL_PARAM_MOST] = {0};
	struct wl_launch launch = {.grid = {N / THREADS, 1, 1}, .block = {THREADS, 1, 1}, .params = params};
	struct wl_gpu *gpu;
	char why[400];
	mem.mem = calloc(1, mem.bytes);
	if (wl_object_load(image, image_bytes, kernel, &p, why, sizeof why) != WL_OK)
		fail_with(kernel, why);
	for (unsigned i = 0; i < 4; i++) {
		uint64_t bytes = i < 3 ? each[i] * N : out_each * MOST * N, at = wl_gmem_add(&mem, bytes);
		memcpy(params + p.params[i].offset, &at, 8);
		if (i < 3)
			memcpy(wl_gmem_at(&mem, at, bytes), in[i], bytes);
	}
	config.arch = p.arch;
	if (wl_gpu_create(&config, &p, &mem, &launch, &gpu, why, sizeof why) != WL_OK)
		fail_with(kernel, why);
	if (wl_gpu_run(gpu) != WL_ENDED) {
		wl_gpu_detail(gpu, why, sizeof why);
		fail_with(kernel, why);
	}
	uint64_t at;
	memcpy(&at, params + p.params[3].offset, 8);
	memcpy(out, wl_gmem_at(&mem, at, out_each * MOST * N), out_each * MOST * N);
	wl_gpu_free(gpu);
	wl_program_free(&p);
	free(mem.mem);
}

/* A number wins over NaN, -0 is below +0. */
#define LESS(x, y)    (isnan(x) ? (y) : isnan(y) || (x) < (y) || ((x) == (y) && signbit(x)) ? (x) : (y))
#define GREATER(x, y) (isnan(x) ? (y) : isnan(y) || (x) > (y) || ((x) == (y) && signbit(y)) ? (x) : (y))

#define IN(direction, type, expression)                                                                                \
	{                                                                                                              \
		fesetround(direction);                                                                                 \
		volatile type r_ = (expression);                                                                       \
		fesetround(FE_TONEAREST);                                                                              \
		want[k++] = r_;                                                                                        \
	}

static void same32(const char *kernel, unsigned k, uint32_t is, uint32_t want, uint32_t a, uint32_t b)
{
	if (is != want && !(isnan(f32(is)) && isnan(f32(want))))
		fail_msg("%s, result %u: 0x%08x, expected 0x%08x of 0x%08x 0x%08x", kernel, k, is, want, a, b);
}

static void test_single_exact(void **state)
{
	(void)state;
	static float v[3][N], out[MOST * N];
	for (unsigned i = 0; i < 3 * N; i++)
		v[i / N][i % N] = f32(probe_f32());
	run("single_exact", (const void *[]){v[0], v[1], v[2]}, (size_t[]){4, 4, 4}, out, 4);
	for (unsigned i = 0; i < N; i++) {
		volatile float x = v[0][i], y = v[1][i], z = v[2][i];
		float want[MOST];
		unsigned k = 0;
		IN(FE_TONEAREST, float, x / y)
		IN(FE_TONEAREST, float, 1 / y)
		IN(FE_TONEAREST, float, host_sqrtf(x))
		IN(FE_TONEAREST, float, fmaf(x, y, z))
		IN(FE_DOWNWARD, float, x / y)
		IN(FE_UPWARD, float, x / y)
		IN(FE_TOWARDZERO, float, x / y)
		IN(FE_DOWNWARD, float, host_sqrtf(x))
		IN(FE_UPWARD, float, host_sqrtf(x))
		IN(FE_DOWNWARD, float, x + y)
		IN(FE_UPWARD, float, x *y)
		IN(FE_TOWARDZERO, float, fmaf(x, y, z))
		IN(FE_TONEAREST, float, (float)host_rint(x))
		IN(FE_TONEAREST, float, floorf(x))
		IN(FE_TONEAREST, float, ceilf(x))
		IN(FE_TONEAREST, float, truncf(x))
		IN(FE_TONEAREST, float, roundf(x))
		IN(FE_TONEAREST, float, LESS(x, y))
		IN(FE_TONEAREST, float, GREATER(x, y))
		IN(FE_TONEAREST, float, copysignf(x, y))
		IN(FE_TONEAREST, float, fdimf(x, y))
		IN(FE_TONEAREST, float, fmodf(x, y))
		for (unsigned j = 0; j < k; j++)
			same32("single_exact", j, bits32(out[j * N + i]), bits32(want[j]), bits32(x), bits32(y));
	}
}

static void near(const char *kernel, unsigned k, double is, long double want, int frac_bits, int least_exp, double ulps,
                 double a)
{
	int e = 0;
	frexpl(want, &e);
	e = e - 1 < least_exp ? least_exp : e - 1;
	long double ulp = ldexpl(1, e - frac_bits),
	            most = frac_bits == 23 ? (long double)FLT_MAX : (long double)DBL_MAX;
	if (fabsl(want) > most ? fabs(is) < (double)most : fabsl(is - want) > ulps * ulp)
		fail_msg("%s, result %u of %.17g: %.17g, expected %.17Lg within %.0f ulp", kernel, k, a, is, want,
		         ulps);
}

static void test_single_close(void **state)
{
	(void)state;
	static float v[3][N], out[MOST * N];
	for (unsigned i = 0; i < N; i++) {
		v[0][i] = ((float)probe_random() * 0x1p-32f - 0.5f) * (i % 8 ? 40.0f : 200000.0f);
		v[1][i] = (float)probe_random() * (i % 2 ? 0x1p-32f : 0x1p-20f) + 0x1p-60f;
	}
	run("single_close", (const void *[]){v[0], v[1], v[2]}, (size_t[]){4, 4, 4}, out, 4);
	for (unsigned i = 0; i < N; i++) {
		float x = v[0][i], y = v[1][i];
		const struct {
			long double want;
			double ulps;
		} t[] = {{sinl(x), 2},           {cosl(x), 2},  {expl(x), 2},    {logl(y), 1},
		         {exp2l(x), 2},          {log2l(y), 1}, {powl(y, x), 4}, {tanhl(x), 2},
		         {1 / sqrtl(y), 2},      {cbrtl(x), 1}, {atanl(x), 2},   {expl(x), 2 + floor(fabs(1.173 * x))},
		         {(long double)x / y, 2}};
		for (unsigned j = 0; j < sizeof t / sizeof t[0]; j++)
			if (!(j == 11 && fabsl(t[j].want) < 0x1p-126L)) /* __expf may flush results */
				near("single_close", j, out[j * N + i], t[j].want, 23, -126, t[j].ulps, x);
	}
}

static void same64(const char *kernel, unsigned k, uint64_t is, uint64_t want, uint64_t a, uint64_t b)
{
	if (is != want && !(isnan(f64(is)) && isnan(f64(want))))
		fail_msg("%s, result %u: 0x%llx, expected 0x%llx of 0x%llx 0x%llx", kernel, k, (unsigned long long)is,
		         (unsigned long long)want, (unsigned long long)a, (unsigned long long)b);
}

static void test_double_exact(void **state)
{
	(void)state;
	static double v[3][N], out[MOST * N];
	for (unsigned i = 0; i < 3 * N; i++)
		v[i / N][i % N] = f64(probe_f64());
	run("double_exact", (const void *[]){v[0], v[1], v[2]}, (size_t[]){8, 8, 8}, out, 8);
	for (unsigned i = 0; i < N; i++) {
		volatile double x = v[0][i], y = v[1][i], z = v[2][i];
		double want[MOST];
		unsigned k = 0;
		IN(FE_TONEAREST, double, x / y)
		IN(FE_TONEAREST, double, 1 / y)
		IN(FE_TONEAREST, double, host_sqrt(x))
		IN(FE_TONEAREST, double, fma(x, y, z))
		IN(FE_DOWNWARD, double, x / y)
		IN(FE_UPWARD, double, x / y)
		IN(FE_TOWARDZERO, double, host_sqrt(x))
		IN(FE_UPWARD, double, x + y)
		IN(FE_DOWNWARD, double, x *y)
		IN(FE_TONEAREST, double, host_rint(x))
		IN(FE_TONEAREST, double, floor(x))
		IN(FE_TONEAREST, double, round(x))
		IN(FE_TONEAREST, double, LESS(x, y))
		IN(FE_TONEAREST, double, GREATER(x, y))
		IN(FE_TONEAREST, float, (float)x)
		IN(FE_DOWNWARD, float, (float)x)
		for (unsigned j = 0; j < k; j++)
			same64("double_exact", j, bits64(out[j * N + i]), bits64(want[j]), bits64(x), bits64(y));
	}
}

static void test_double_close(void **state)
{
	(void)state;
	static double v[3][N], out[MOST * N];
	for (unsigned i = 0; i < N; i++) {
		v[0][i] = ((double)probe_random() * 0x1p-32 - 0.5) * (i % 8 ? 40 : 1400);
		v[1][i] = (double)probe_random() * (i % 2 ? 0x1p-32 : 0x1p-20) + 0x1p-60;
	}
	run("double_close", (const void *[]){v[0], v[1], v[2]}, (size_t[]){8, 8, 8}, out, 8);
	for (unsigned i = 0; i < N; i++) {
		near("double_close", 0, out[i], expl(v[0][i]), 52, -1022, 1, v[0][i]);
		near("double_close", 1, out[N + i], logl(v[1][i]), 52, -1022, 1, v[1][i]);
		near("double_close", 2, out[2 * N + i], 1 / sqrtl(v[1][i]), 52, -1022, 1, v[1][i]);
	}
}

/* PTX ISA, "cvt": saturated; NaN gives 0, or the highest bit alone with 64 bits on either side. */
static uint64_t integer(double v, int direction, unsigned bits, bool sgn, bool wide)
{
	long double most = ldexpl(1, (int)(sgn ? bits - 1 : bits)) - 1, least = sgn ? -most - 1 : 0;
	if (isnan(v))
		return wide ? UINT64_C(1) << (bits - 1) : 0;
	fesetround(direction);
	volatile double r = host_rint(v);
	fesetround(FE_TONEAREST);
	long double x = r > most ? most : r < least ? least : r;
	return (sgn ? (uint64_t)(int64_t)x : (uint64_t)x) & ~UINT64_C(0) >> (64 - bits);
}
static uint64_t single(long double v, int direction)
{
	fesetround(direction);
	volatile long double in = v;
	volatile float r = (float)in;
	fesetround(FE_TONEAREST);
	return bits32(r);
}
static uint64_t twice(long double v, int direction)
{
	fesetround(direction);
	volatile long double in = v;
	volatile double r = (double)in;
	fesetround(FE_TONEAREST);
	return bits64(r);
}
static uint64_t half(double v, enum direction to)
{
	uint32_t sign = signbit(v) ? 0x8000 : 0;
	return isnan(v) ? 0x7fff : isinf(v) ? sign | 0x7c00 : sign | small_round(SMALL_F16, exact_of(v), sign, to);
}

static void test_convert(void **state)
{
	(void)state;
	static float a[N];
	static double b[N];
	static int64_t c[N];
	static uint64_t out[MOST * N];
	for (unsigned i = 0; i < N; i++) {
		a[i] = i % 3 ? ((float)probe_random() - 0x1p31f) * ldexpf(1, (int)(probe_random() % 70) - 36)
		             : f32(probe_f32());
		b[i] = i % 3 ? ((double)probe_random() - 0x1p31) * ldexp(1, (int)(probe_random() % 70) - 36)
		             : f64(probe_f64());
		c[i] = (int64_t)((uint64_t)probe_random() << 32 | probe_random()) >> probe_random() % 64;
	}
	run("convert", (const void *[]){a, b, c}, (size_t[]){4, 8, 8}, out, 8);
	for (unsigned i = 0; i < N; i++) {
		float f = a[i];
		double d = b[i];
		int64_t s = c[i];
		uint64_t u = (uint64_t)s;
		uint32_t h = (uint32_t)s & 0xffff;
		struct fmt f16 = {0};
		double hv = is_nan(f16, h)   ? NAN
		            : is_inf(f16, h) ? (h >> 15 ? -INFINITY : INFINITY)
		                             : (double)value(f16, h);
		const uint64_t want[] = {integer(f, FE_TONEAREST, 32, true, false),
		                         integer(f, FE_TOWARDZERO, 32, true, false),
		                         integer(f, FE_DOWNWARD, 32, true, false),
		                         integer(f, FE_UPWARD, 32, false, false),
		                         integer(f, FE_TONEAREST, 64, true, true),
		                         integer(f, FE_TOWARDZERO, 64, false, true),
		                         integer(d, FE_DOWNWARD, 32, true, true),
		                         integer(d, FE_TONEAREST, 32, false, true),
		                         integer(d, FE_UPWARD, 64, true, true),
		                         integer(d, FE_TONEAREST, 64, false, true),
		                         single((int32_t)s, FE_TONEAREST),
		                         single((uint32_t)s, FE_TOWARDZERO),
		                         single(s, FE_UPWARD),
		                         single(u, FE_TONEAREST),
		                         twice(s, FE_DOWNWARD),
		                         twice(u, FE_UPWARD),
		                         twice((int16_t)s, FE_TONEAREST),
		                         single((int8_t)s, FE_TONEAREST),
		                         half(f, NEAREST),
		                         half(f, ZERO),
		                         half(f, UP),
		                         half(d, NEAREST),
		                         s ? small_round(SMALL_F16, exact_of(s), s < 0, NEAREST) | (s < 0 ? 0x8000 : 0)
		                           : 0,
		                         is_nan(f16, h) ? 0x7fffffff
		                         : h == 0x8000  ? 0x80000000
		                                        : bits32((float)hv),
		                         integer(hv, FE_TOWARDZERO, 32, true, false)};
		for (unsigned j = 0; j < sizeof want / sizeof want[0]; j++)
			if (out[j * N + i] != want[j])
				fail_msg("convert, result %u: 0x%llx, expected 0x%llx of %.9g %.17g 0x%llx", j,
				         (unsigned long long)out[j * N + i], (unsigned long long)want[j], f, d,
				         (unsigned long long)s);
	}
}

static void test_halves(void **state)
{
	(void)state;
	static uint32_t v[3][N], out[MOST * N];
	for (unsigned i = 0; i < 3 * N; i++)
		v[i / N][i % N] = probe_f16(false) | (uint32_t)probe_f16(false) << 16;
	run("halves", (const void *[]){v[0], v[1], v[2]}, (size_t[]){4, 4, 4}, out, 4);
	const struct fmt plain = {0}, sat = {.sat = true};
	for (unsigned i = 0; i < N; i++)
		for (unsigned part = 0; part < 2; part++) {
			uint32_t x = v[0][i] >> 16 * part & 0xffff, y = v[1][i] >> 16 * part & 0xffff,
			         z = v[2][i] >> 16 * part & 0xffff;
			bool un = is_nan(plain, x) || is_nan(plain, y);
			int kx = x >> 15 ? -(int)(x & 0x7fff) : (int)x, ky = y >> 15 ? -(int)(y & 0x7fff) : (int)y;
			const uint32_t want[] = {
			        sum(plain, x, y, 0),
			        sum(plain, x, y ^ 0x8000, 0),
			        product(plain, x, y, 0),
			        fused(plain, x, y, z),
			        sum(sat, x, y, 0),
			        !un && kx < ky ? 0x3c00 : 0,
			        un || kx != ky ? 0x3c00 : 0,
			        part ? product(plain, x, v[1][i] & 0xffff, 0) : sum(plain, x, v[1][i] >> 16, 0)};
			for (unsigned j = 0; j < 8; j++)
				if ((out[j * N + i] >> 16 * part & 0xffff) != want[j])
					fail_msg("halves, result %u: 0x%08x, half %u expected 0x%04x of 0x%04x 0x%04x "
					         "0x%04x",
					         j, out[j * N + i], part, want[j], x, y, z);
		}
}

int main(int argc, char **argv)
{
	FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
	if (!f) {
		fputs("usage: float_cubin_test FILE.cubin\n", stderr);
		return 2;
	}
	image_bytes = fread(image, 1, sizeof image, f);
	fclose(f);
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_single_exact), cmocka_unit_test(test_single_close),
	        cmocka_unit_test(test_double_exact), cmocka_unit_test(test_double_close),
	        cmocka_unit_test(test_convert),      cmocka_unit_test(test_halves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

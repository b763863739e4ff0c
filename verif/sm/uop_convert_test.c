// SPDX-License-Identifier: Apache-2.0
/* uop_convert_test.c -- conversions on sm_75 and sm_90. Integers: the host's rint and long double in the host's
 * rounding direction, within the bounds and by the NaN rule of the PTX ISA ("cvt"). Formats: the host's casts; for 16
 * and 8 bits a search of the format's values (nearest.h). */
#include <fenv.h>
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

enum { ROUNDS = 12 };
enum format { F32, F16, F64, BF16 };
static const char *const names[] = {".F32", ".F16", ".F64", ".BF16"};
static const struct {
	const char *to_float, *to_int;
	int host;
	enum direction dir;
} modes[] = {{"", "", FE_TONEAREST, NEAREST},
             {".RM", ".FLOOR", FE_DOWNWARD, DOWN},
             {".RP", ".CEIL", FE_UPWARD, UP},
             {".RZ", ".TRUNC", FE_TOWARDZERO, ZERO}};

/* Called through a pointer: the compiler's own expansion of rint ignores the rounding direction. */
static double (*volatile host_rint)(double) = rint;

/* ---- a source value of any format ---- */

struct source {
	uint64_t bits;
	bool nan, inf, neg;
	double v; /* of a number: exact */
};

static struct source source_of(enum format f, uint64_t bits, bool flush)
{
	struct source s = {.bits = bits};
	uint32_t w = (uint32_t)bits;
	if (f == F16) {
		s.neg = w >> 15 & 1;
		s.nan = (w & 0x7fff) > 0x7c00;
		s.inf = (w & 0x7fff) == 0x7c00;
		s.v = (double)small_value(SMALL_F16, w & 0x7fff);
		s.v = s.inf ? INFINITY : s.v;
		s.v = s.neg ? -s.v : s.v;
		return s;
	}
	if (f == BF16)
		w <<= 16;
	if (f == F64) {
		memcpy(&s.v, &bits, sizeof s.v);
	} else {
		if (flush && !(w & 0x7f800000))
			w &= 0x80000000;
		s.v = f32(w);
	}
	s.nan = isnan(s.v);
	s.inf = isinf(s.v);
	s.neg = signbit(s.v);
	return s;
}

/* Floats for conversion to integers: within, just beyond, and far beyond the range, with and without fractions. */
static uint64_t random_float(enum format f)
{
	double d = 0;
	float x;
	if (f == F16 || f == BF16)
		return probe_f16(f == BF16);
	if (probe_random() % 3 == 0)
		return f == F64 ? probe_f64() : probe_f32();
	static const int edges[] = {7, 8, 15, 16, 31, 32, 63, 64};
	switch (probe_random() % 3) {
	case 0:
		d = ldexp(1, edges[probe_random() % 8]) + (double)(probe_random() % 9) / 4 - 1;
		break;
	case 1:
		d = (double)(probe_random() % 2048) / 4;
		break;
	default:
		d = (double)probe_random() * (double)(probe_random() % 4096) / 1024;
	}
	d = probe_random() & 1 ? -d : d;
	x = (float)d;
	return f == F64 ? bits64(d) : bits32(x);
}

static void put(struct probe_state *s, unsigned l, enum format f, uint64_t v, bool high)
{
	if (f == F64)
		probe_set_pair(s, 2, l, v);
	else if (f == F16 || f == BF16)
		s->r[2][l] = high ? (uint32_t)v << 16 | 0x1234 : (uint32_t)v | 0x56780000;
	else
		s->r[2][l] = (uint32_t)v;
}

/* ---- float to integer ---- */

/* PTX ISA, "cvt": out of range gives the nearest integer. NaN gives 0 if neither side has 64 bits, else only the
 * highest bit. */
static uint64_t to_integer(struct source s, enum format f, unsigned bits, bool sgn, int mode)
{
	long double most = ldexpl(1, (int)(sgn ? bits - 1 : bits)) - 1, least = sgn ? -most - 1 : 0;
	if (s.nan)
		return f == F64 || bits == 64 ? UINT64_C(1) << (bits - 1) : 0;
	fesetround(mode);
	volatile double in = s.v, r = host_rint(in);
	fesetround(FE_TONEAREST);
	long double v = r;
	v = v > most ? most : v < least ? least : v;
	return sgn ? (uint64_t)(int64_t)v : (uint64_t)v;
}

static void run_f2i(enum wl_arch arch, enum format f, unsigned bits, bool sgn, unsigned m, bool flush, bool high)
{
	char text[120], type[8];
	struct probe p;
	struct probe_state s, d;
	bool wide = bits == 64 || f == F64;
	snprintf(type, sizeof type, ".%c%u", sgn ? 'S' : 'U', bits);
	if (bits == 32 && sgn)
		type[0] = 0;
	snprintf(text, sizeof text, "F2I%s%s%s%s%s R8, R2%s", flush ? ".FTZ" : "", type, f == F32 ? "" : names[f],
	         modes[m].to_int, wide ? "" : ".NTZ", high ? ".H1" : "");
	probe_open(&p, arch, text);
	for (unsigned round = 0; round < ROUNDS; round++) {
		uint64_t v[PROBE_LANES];
		memset(&s, 0, sizeof s);
		for (unsigned l = 0; l < PROBE_LANES; l++)
			put(&s, l, f, v[l] = random_float(f), high);
		probe_run(&p, &s, &d);
		for (unsigned l = 0; l < PROBE_LANES; l++) {
			uint64_t want = to_integer(source_of(f, v[l], flush), f, bits, sgn, modes[m].host);
			uint64_t mask = ~UINT64_C(0) >> (64 - bits), is = probe_pair(&d, 8, l);
			if ((is ^ want) & mask)
				fail_msg("%s, sm_%d: 0x%llx, expected 0x%llx of 0x%llx", text, (int)arch,
				         (unsigned long long)is, (unsigned long long)(want & mask),
				         (unsigned long long)v[l]);
		}
	}
	probe_close(&p);
}

/* Immediates of 16 bits: numbers as written. */
static void test_f16_immediates(void **x)
{
	static const struct {
		const char *text;
		uint64_t want, mask;
	} rows[] = {
	        {"F2I.S16.F16.FLOOR.NTZ R8, -1.5", 0xfffe, 0xffff},
	        {"F2I.U32.F16.NTZ R8, 2.5", 2, UINT32_MAX},
	        {"F2I.F16.CEIL.NTZ R8, 0.25", 1, UINT32_MAX},
	        {"F2I.S64.F16 R8, -65504", -UINT64_C(65504), UINT64_MAX},
	        {"FRND.F16.CEIL R8, 1.25", 0x4000, 0xffff},
	        {"FRND.F16 R8, -2.5", 0xc000, 0xffff},
	};
	(void)x;
	for (unsigned i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
		struct probe p;
		struct probe_state s, d;
		probe_open(&p, i & 1 ? WL_SM90 : WL_SM75, rows[i / 2].text);
		memset(&s, 0, sizeof s);
		probe_run(&p, &s, &d);
		for (unsigned l = 0; l < PROBE_LANES; l++)
			if ((probe_pair(&d, 8, l) ^ rows[i / 2].want) & rows[i / 2].mask)
				fail_msg("%s: 0x%llx", rows[i / 2].text, (unsigned long long)probe_pair(&d, 8, l));
		probe_close(&p);
	}
}

static void test_f2i(void **x)
{
	(void)x;
	for (unsigned a = 0; a < 2; a++)
		for (unsigned bits = 8; bits <= 64; bits *= 2)
			for (unsigned sgn = 0; sgn < 2; sgn++)
				for (unsigned m = 0; m < 4; m++) {
					enum wl_arch arch = a ? WL_SM90 : WL_SM75;
					run_f2i(arch, F32, bits, sgn, m, false, false);
					run_f2i(arch, F32, bits, sgn, m, true, false);
					run_f2i(arch, F16, bits, sgn, m, false, m & 1);
					run_f2i(arch, F64, bits, sgn, m, false, false);
					if (a)
						run_f2i(arch, BF16, bits, sgn, m, false, false);
				}
}

/* ---- to floats ---- */

/* A real number, given exactly as long double, in format f: by the host's cast or by search. */
static uint64_t to_float(enum format f, long double v, bool neg, unsigned m)
{
	if (f == F16 || f == BF16) {
		struct small shape = f == F16 ? SMALL_F16 : SMALL_BF16;
		return small_round(shape, exact_of(v), neg, modes[m].dir) | (uint64_t)neg << 15;
	}
	volatile long double in = v;
	uint64_t bits = 0;
	fesetround(modes[m].host);
	if (f == F32) {
		volatile float r = (float)in;
		bits = bits32(r);
	} else {
		volatile double r = (double)in;
		bits = bits64(r);
	}
	fesetround(FE_TONEAREST);
	if (v == 0)
		bits = f == F32 ? (uint64_t)neg << 31 : (uint64_t)neg << 63;
	return bits;
}

static uint64_t mask_of(enum format f)
{
	return f == F64 ? ~UINT64_C(0) : f == F32 ? 0xffffffff : 0xffff;
}

static void check(const struct probe *p, uint64_t is, uint64_t want, uint64_t of, enum format f)
{
	if ((is ^ want) & mask_of(f))
		fail_msg("%s, sm_%d: 0x%llx, expected 0x%llx of 0x%llx", p->text, (int)p->arch, (unsigned long long)is,
		         (unsigned long long)want, (unsigned long long)of);
}

static uint64_t random_integer(void)
{
	uint64_t v = (uint64_t)probe_random() << 32 | probe_random();
	v >>= probe_random() % 64;
	if (probe_random() % 3 == 0) /* ties */
		v = (v << 20 | UINT64_C(1) << 19) << probe_random() % 40;
	return probe_random() & 1 ? 0 - v : v;
}

static void run_i2f(enum wl_arch arch, enum format f, unsigned bits, bool sgn, unsigned m, unsigned part)
{
	char text[120], type[8];
	struct probe p;
	struct probe_state s, d;
	static const char *const parts[] = {"", ".B1", ".B2", ".B3", ".H1"};
	snprintf(type, sizeof type, ".%c%u", sgn ? 'S' : 'U', bits);
	if (bits == 32 && sgn)
		type[0] = 0;
	snprintf(text, sizeof text, "I2F%s%s%s R8, R2%s", f == F32 ? "" : names[f], type, modes[m].to_float,
	         parts[part]);
	probe_open(&p, arch, text);
	for (unsigned round = 0; round < ROUNDS; round++) {
		memset(&s, 0, sizeof s);
		for (unsigned l = 0; l < PROBE_LANES; l++)
			probe_set_pair(&s, 2, l, random_integer());
		probe_run(&p, &s, &d);
		for (unsigned l = 0; l < PROBE_LANES; l++) {
			uint64_t v = probe_pair(&s, 2, l) >> (part == 4 ? 16 : 8 * part);
			v = v << (64 - bits) >> (64 - bits);
			long double real_v =
			        sgn ? (long double)((int64_t)(v << (64 - bits)) >> (64 - bits)) : (long double)v;
			check(&p, probe_pair(&d, 8, l), to_float(f, real_v, real_v < 0, m), v, f);
		}
	}
	probe_close(&p);
}

static void test_i2f(void **x)
{
	(void)x;
	for (unsigned a = 0; a < 2; a++)
		for (unsigned bits = 8; bits <= 64; bits *= 2)
			for (unsigned sgn = 0; sgn < 2; sgn++)
				for (unsigned m = 0; m < 4; m++)
					for (unsigned f = 0; f < (a && bits >= 16 ? 4u : 3u); f++)
						run_i2f(a ? WL_SM90 : WL_SM75, (enum format)f, bits, sgn, m,
						        bits == 8 && f != BF16              ? m
						        : bits == 16 && f != BF16 && m == 2 ? 4
						                                            : 0);
	struct probe p;
	struct probe_state s, d;
	static const char *const packed[] = {"I2FP.F32.S32 R8, R2", "I2FP.F32.U32 R8, R2", "I2FP.F32.S32.RZ R8, R2",
	                                     "I2FP.F32.U32.RZ R8, R2"};
	for (unsigned i = 0; i < 4; i++) {
		probe_open(&p, WL_SM90, packed[i]);
		memset(&s, 0, sizeof s);
		for (unsigned l = 0; l < PROBE_LANES; l++)
			s.r[2][l] = (uint32_t)random_integer();
		probe_run(&p, &s, &d);
		for (unsigned l = 0; l < PROBE_LANES; l++) {
			long double v = i & 1 ? (long double)s.r[2][l] : (long double)(int32_t)s.r[2][l];
			check(&p, d.r[8][l], to_float(F32, v, v < 0, i < 2 ? 0 : 3), s.r[2][l], F32);
		}
		probe_close(&p);
	}
	/* an immediate of 64 bits is their high half */
	static const struct {
		const char *text;
		double value;
	} high[] = {{"I2F.F64.S64 R8, -0x3ff80000", -0x3ff80000 * 0x1p32},
	            {"I2F.F64.U64 R8, 0xc0080000", 0xc0080000 * 0x1p32},
	            {"I2F.F64.S64.RZ R8, 0x7", 0x7 * 0x1p32}};
	for (unsigned i = 0; i < 6; i++) {
		probe_open(&p, i < 3 ? WL_SM75 : WL_SM90, high[i % 3].text);
		memset(&s, 0, sizeof s);
		probe_run(&p, &s, &d);
		for (unsigned l = 0; l < PROBE_LANES; l++)
			assert_true(probe_pair(&d, 8, l) == bits64(high[i % 3].value));
		probe_close(&p);
	}
}

static uint64_t nan_of(enum format to, enum format from, uint64_t bits)
{
	if (to != F64)
		return to == F32 ? 0x7fffffff : 0x7fff;
	unsigned frac = from == F32    ? 23
	                : from == F16  ? 10
	                : from == BF16 ? 7
	                               : 52,
	         width = from == F64   ? 64
	                 : from == F32 ? 32
	                               : 16;
	return (bits >> (width - 1) & 1) << 63 | UINT64_C(0x7ff8) << 48 |
	       (bits & ((UINT64_C(1) << frac) - 1)) << (52 - frac);
}

static uint64_t expected_float(enum format to, struct source s, enum format from, unsigned m)
{
	static const uint64_t infinite[] = {
	        [F32] = 0x7f800000, [F16] = 0x7c00, [F64] = UINT64_C(0x7ff) << 52, [BF16] = 0x7f80};
	unsigned top = to == F64 ? 63 : to == F32 ? 31 : 15;
	if (s.nan)
		return nan_of(to, from, s.bits);
	if (s.inf)
		return infinite[to] | (uint64_t)s.neg << top;
	return to_float(to, s.v, s.neg, m);
}

static void run_f2f(enum wl_arch arch, enum format to, enum format from, unsigned m, bool flush, bool high)
{
	char text[120];
	struct probe p;
	struct probe_state s, d;
	snprintf(text, sizeof text, "F2F%s%s%s%s R8, R2%s", flush ? ".FTZ" : "", names[to], names[from],
	         modes[m].to_float, high ? ".H1" : "");
	probe_open(&p, arch, text);
	for (unsigned round = 0; round < 2 * ROUNDS; round++) {
		uint64_t v[PROBE_LANES];
		memset(&s, 0, sizeof s);
		for (unsigned l = 0; l < PROBE_LANES; l++) {
			float near_tie = (float)(int32_t)(probe_random() & 0x1fff) * 0.25f;
			v[l] = from == F64 ? probe_f64() : from == F32 ? probe_f32() : probe_f16(from == BF16);
			if (from == F32 && probe_random() % 4 == 0)
				memcpy(&v[l], &near_tie, sizeof near_tie);
			v[l] &= mask_of(from);
			put(&s, l, from, v[l], high);
		}
		probe_run(&p, &s, &d);
		for (unsigned l = 0; l < PROBE_LANES; l++) {
			uint64_t want = expected_float(to, source_of(from, v[l], flush), from, m);
			if (flush && to == F32 && !(want & 0x7f800000))
				want &= 0x80000000;
			check(&p, probe_pair(&d, 8, l), want, v[l], to);
		}
	}
	probe_close(&p);
}

static void test_f2f(void **x)
{
	(void)x;
	for (unsigned m = 0; m < 4; m++)
		for (unsigned flush = 0; flush < 2; flush++)
			for (unsigned a = 0; a < 2; a++) {
				enum wl_arch arch = a ? WL_SM90 : WL_SM75;
				run_f2f(arch, F32, F64, m, flush, false);
				run_f2f(arch, F16, F64, m, false, false);
				run_f2f(arch, F64, F32, m, flush, false);
				run_f2f(arch, F64, F16, m, false, m & 1);
				run_f2f(arch, F16, F32, m == 3 ? 2 : m, flush, false);
				run_f2f(a ? WL_SM90 : WL_SM80, BF16, F32, m, flush, false);
				if (a) {
					run_f2f(arch, F32, BF16, m, flush, false);
					run_f2f(arch, BF16, F16, m, false, false);
					run_f2f(arch, F16, BF16, m, false, false);
					run_f2f(arch, BF16, F64, m, false, false);
					run_f2f(arch, F64, BF16, m, false, false);
				}
			}
}

static void run_frnd(enum wl_arch arch, enum format f, unsigned m, bool flush)
{
	char text[120];
	struct probe p;
	struct probe_state s, d;
	snprintf(text, sizeof text, "FRND%s%s%s R8, -R2", flush ? ".FTZ" : "", f == F32 ? "" : names[f],
	         modes[m].to_int);
	probe_open(&p, arch, text);
	for (unsigned round = 0; round < ROUNDS; round++) {
		uint64_t v[PROBE_LANES];
		memset(&s, 0, sizeof s);
		for (unsigned l = 0; l < PROBE_LANES; l++)
			put(&s, l, f, v[l] = random_float(f), false);
		probe_run(&p, &s, &d);
		for (unsigned l = 0; l < PROBE_LANES; l++) {
			uint64_t neg = v[l] ^ UINT64_C(1) << (f == F64 ? 63 : f == F32 ? 31 : 15);
			struct source src = source_of(f, neg, flush);
			fesetround(modes[m].host);
			volatile double in = src.v, r = host_rint(in);
			fesetround(FE_TONEAREST);
			src.v = r;
			check(&p, probe_pair(&d, 8, l), expected_float(f, src, f, 0), v[l], f);
		}
	}
	probe_close(&p);
}

static void test_frnd(void **x)
{
	(void)x;
	for (unsigned m = 0; m < 4; m++)
		for (unsigned a = 0; a < 2; a++) {
			for (unsigned f = 0; f < (a ? 4 : 3); f++)
				run_frnd(a ? WL_SM90 : WL_SM75, (enum format)f, m, false);
			run_frnd(a ? WL_SM90 : WL_SM75, F32, m, true);
		}
}

/* ---- several values in a register ---- */

static int64_t clamp(int64_t v, unsigned bits, bool sgn)
{
	int64_t most = (INT64_C(1) << (sgn ? bits - 1 : bits)) - 1, least = sgn ? -most - 1 : 0;
	return v > most ? most : v < least ? least : v;
}

static void test_packed_integers(void **x)
{
	(void)x;
	static const struct {
		const char *type;
		unsigned bits;
		bool sgn;
		const char *rest;
	} t[] = {{"U8", 8, false, ""},  {"S8", 8, true, ""},     {"U16", 16, false, ""},
	         {"S16", 16, true, ""}, {"U4", 4, false, ".24"}, {"S4", 4, true, ".24"}};
	struct probe p;
	struct probe_state s, d;
	for (unsigned i = 0; i < 6; i++)
		for (unsigned a = 0; a < 2; a++)
			for (unsigned one = 0; one < (i < 4 ? 2 : 1); one++) {
				char text[80];
				snprintf(text, sizeof text,
				         one ? "I2I.%s.S32.SAT R8, R4" : "I2IP.%s.S32.SAT R8, R2, R4, R6%s", t[i].type,
				         t[i].rest);
				probe_open(&p, a ? WL_SM90 : WL_SM75, text);
				for (unsigned round = 0; round < ROUNDS; round++) {
					memset(&s, 0, sizeof s);
					for (unsigned l = 0; l < PROBE_LANES; l++) {
						s.r[2][l] = (uint32_t)random_integer() >> probe_random() % 28;
						s.r[4][l] = (uint32_t)random_integer() >> probe_random() % 28;
						s.r[6][l] = probe_random();
					}
					probe_run(&p, &s, &d);
					for (unsigned l = 0; l < PROBE_LANES; l++) {
						uint64_t m = (UINT64_C(1) << t[i].bits) - 1;
						uint64_t hi =
						        (uint64_t)clamp((int32_t)s.r[2][l], t[i].bits, t[i].sgn) & m;
						uint64_t lo =
						        (uint64_t)clamp((int32_t)s.r[4][l], t[i].bits, t[i].sgn) & m;
						uint64_t want =
						        lo | hi << t[i].bits | (uint64_t)s.r[6][l] << 2 * t[i].bits;
						if (one)
							assert_int_equal(d.r[8][l] & m, lo);
						else
							assert_int_equal(d.r[8][l], (uint32_t)want);
					}
				}
				probe_close(&p);
			}
	for (unsigned m = 0; m < 4; m += 3)
		for (unsigned sgn = 0; sgn < 2; sgn++) {
			char text[80];
			snprintf(text, sizeof text, "F2IP.%s.F32%s.NTZ R8, R2, R4, R6", sgn ? "S8" : "U8",
			         modes[m].to_int);
			probe_open(&p, WL_SM90, text);
			for (unsigned round = 0; round < ROUNDS; round++) {
				memset(&s, 0, sizeof s);
				for (unsigned l = 0; l < PROBE_LANES; l++) {
					s.r[2][l] = (uint32_t)random_float(F32);
					s.r[4][l] = (uint32_t)random_float(F32);
					s.r[6][l] = probe_random();
				}
				probe_run(&p, &s, &d);
				for (unsigned l = 0; l < PROBE_LANES; l++) {
					uint64_t hi = to_integer(source_of(F32, s.r[2][l], false), F32, 8, sgn,
					                         modes[m].host) &
					              0xff;
					uint64_t lo = to_integer(source_of(F32, s.r[4][l], false), F32, 8, sgn,
					                         modes[m].host) &
					              0xff;
					assert_int_equal(d.r[8][l], lo | hi << 8 | s.r[6][l] << 16);
				}
			}
			probe_close(&p);
		}
}

/* One number in a small format, with .RELU and .SATFINITE. */
static uint32_t narrow(struct small f, struct source s, bool relu, bool finite, enum direction dir)
{
	unsigned width = (unsigned)(f.exp_bits + f.frac_bits), inf = ((1u << f.exp_bits) - 1) << f.frac_bits;
	if (s.nan)
		return (1u << width) - 1;
	if (relu && s.neg)
		return 0;
	unsigned most = f.no_inf ? (1u << width) - 2 : inf - 1, over = f.no_inf ? most + 1 : inf;
	unsigned r = s.inf ? over : small_round(f, exact_of(s.v), s.neg, dir);
	if (finite && r > most)
		r = most;
	return r | (uint32_t)s.neg << width;
}

static void test_packed_floats(void **x)
{
	(void)x;
	static const struct {
		const char *text;
		const struct small *f;
		unsigned half; /* bits of each result */
		bool two, relu, finite;
		enum direction dir;
	} t[] = {{"F2FP.F16.F32.PACK_AB R8, R2, R4", &SMALL_F16, 16, true, false, false, NEAREST},
	         {"F2FP.F16.F32.PACK_AB.RZ R8, R2, R4", &SMALL_F16, 16, true, false, false, ZERO},
	         {"F2FP.SATFINITE.RELU.F16.F32.PACK_AB R8, R2, R4", &SMALL_F16, 16, true, true, true, NEAREST},
	         {"F2FP.BF16.F32.PACK_AB R8, R2, R4", &SMALL_BF16, 16, true, false, false, NEAREST},
	         {"F2FP.RELU.BF16.F32.PACK_AB.RZ R8, R2, R4", &SMALL_BF16, 16, true, true, false, ZERO},
	         {"F2FP.RELU.F16.F32.MERGE_C R8, R4, RZ", &SMALL_F16, 16, false, true, false, NEAREST},
	         {"F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R8, R2, R4, R6", &SMALL_E4M3, 8, true, false, true, NEAREST},
	         {"F2FP.SATFINITE.E5M2.F32.PACK_AB_MERGE_C R8, R2, R4, R6", &SMALL_E5M2, 8, true, false, true, NEAREST},
	         {"F2FP.SATFINITE.RELU.E5M2.F32.PACK_AB_MERGE_C R8, R2, R4, R6", &SMALL_E5M2, 8, true, true, true,
	          NEAREST},
	         {"F2FP.TF32.F32.PACK_B R8, R4", &SMALL_TF32, 19, false, false, false, NEAREST},
	         {"F2FP.RELU.TF32.F32.PACK_B.RZ R8, R4", &SMALL_TF32, 19, false, true, false, ZERO}};
	struct probe p;
	struct probe_state s, d;
	const unsigned rows = sizeof t / sizeof t[0];
	for (unsigned k = 0; k < 2 * rows; k++) {
		const unsigned i = k % rows;
		if (k >= rows && t[i].half != 8) /* sm_80 has the same words as sm_89 */
			continue;
		probe_open(&p, k < rows ? WL_SM90 : WL_SM80, t[i].text);
		for (unsigned round = 0; round < 2 * ROUNDS; round++) {
			memset(&s, 0, sizeof s);
			for (unsigned l = 0; l < PROBE_LANES; l++)
				for (unsigned r = 2; r <= 6; r += 2)
					s.r[r][l] = probe_random() % 2 ? probe_f32()
					                               : (uint32_t)probe_f16(true) << 16 |
					                                         (probe_random() & 0x18000);
			probe_run(&p, &s, &d);
			for (unsigned l = 0; l < PROBE_LANES; l++) {
				uint32_t lo = narrow(*t[i].f, source_of(F32, s.r[4][l], false), t[i].relu, t[i].finite,
				                     t[i].dir);
				uint32_t hi = narrow(*t[i].f, source_of(F32, s.r[2][l], false), t[i].relu, t[i].finite,
				                     t[i].dir);
				uint64_t want = lo | (t[i].two ? (uint64_t)hi << t[i].half : 0);
				if (strstr(t[i].text, ", R6")) /* C fills the bits above the low 16 */
					want |= s.r[6][l] << 16;
				if (t[i].half == 19) /* the format's NaN is float32's */
					want = isnan(source_of(F32, s.r[4][l], false).v) ? 0x7fffffff : want << 13;
				if (d.r[8][l] != want)
					fail_msg("%s: 0x%08x, expected 0x%08x of 0x%08x 0x%08x", t[i].text, d.r[8][l],
					         (uint32_t)want, s.r[2][l], s.r[4][l]);
			}
		}
		probe_close(&p);
	}
}

/* C beside one result: the real meaning is unknown. */
static void test_merged_half(void **x)
{
	(void)x;
	assert_true(kernel_refuses(WL_SM90, "F2FP.F16.F32.MERGE_C R8, R4, R6"));
	assert_true(kernel_refuses(WL_SM80, "F2FP.BF16.MERGE_C R8, R4, R6"));
	assert_true(kernel_refuses(WL_SM90, "F2FP.F16.F32.MERGE_C R8, R4, 1.5"));
}

/* Between halves and floats of 8 bits: every value. */
static void test_floats_of_8_bits(void **x)
{
	(void)x;
	struct probe p;
	struct probe_state s, d;
	for (unsigned way = 0; way < 4; way++) {
		const bool e5 = way % 2;
		const enum wl_arch arch = way / 2 ? WL_SM80 : WL_SM90; /* sm_89's words, given as sm_80's */
		struct small f = e5 ? SMALL_E5M2 : SMALL_E4M3;
		unsigned special = e5 ? 0x7c : 0x7f;
		probe_open(&p, arch, e5 ? "F2FP.F16.E5M2.UNPACK_B R8, R2" : "F2FP.F16.E4M3.UNPACK_B R8, R2");
		for (unsigned k = 0; k < 256; k += PROBE_LANES) {
			memset(&s, 0, sizeof s);
			for (unsigned l = 0; l < PROBE_LANES; l++)
				s.r[2][l] = (k + l) | (255 - k - l) << 8;
			probe_run(&p, &s, &d);
			for (unsigned l = 0; l < PROBE_LANES; l++)
				for (unsigned half = 0; half < 2; half++) {
					unsigned v = s.r[2][l] >> 8 * half & 0xff, mag = v & 0x7f;
					uint32_t want =
					        small_round(SMALL_F16, exact_of(small_value(f, mag)), false, NEAREST) |
					        v >> 7 << 15;
					if (mag >= special)
						want = mag == special && e5 ? 0x7c00 | v >> 7 << 15 : 0x7fff;
					assert_int_equal(d.r[8][l] >> 16 * half & 0xffff, want);
				}
		}
		probe_close(&p);
		probe_open(&p, arch,
		           e5 ? "F2FP.SATFINITE.E5M2.F16.UNPACK_B_MERGE_C R8, R2, R6"
		              : "F2FP.SATFINITE.E4M3.F16.UNPACK_B_MERGE_C R8, R2, R6");
		for (unsigned round = 0; round < 40; round++) {
			memset(&s, 0, sizeof s);
			for (unsigned l = 0; l < PROBE_LANES; l++)
				s.r[2][l] = probe_f16(false) | (uint32_t)probe_f16(false) << 16,
				s.r[6][l] = probe_random();
			probe_run(&p, &s, &d);
			for (unsigned l = 0; l < PROBE_LANES; l++) {
				uint32_t lo =
				        narrow(f, source_of(F16, s.r[2][l] & 0xffff, false), false, true, NEAREST);
				uint32_t hi = narrow(f, source_of(F16, s.r[2][l] >> 16, false), false, true, NEAREST);
				assert_int_equal(d.r[8][l], lo | hi << 8 | s.r[6][l] << 16);
			}
		}
		probe_close(&p);
	}
}

static void test_coverage(void **x)
{
	(void)x;
	assert_true(probe_all_covered("uop_convert_test"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_f2i),
	        cmocka_unit_test(test_f16_immediates),
	        cmocka_unit_test(test_i2f),
	        cmocka_unit_test(test_f2f),
	        cmocka_unit_test(test_frnd),
	        cmocka_unit_test(test_packed_integers),
	        cmocka_unit_test(test_packed_floats),
	        cmocka_unit_test(test_merged_half),
	        cmocka_unit_test(test_floats_of_8_bits),
	        cmocka_unit_test(test_coverage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL) | kernel_covers("uop_convert_test");
}

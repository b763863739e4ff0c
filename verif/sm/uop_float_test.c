// SPDX-License-Identifier: Apache-2.0
/* uop_float_test.c -- float32 and float64 arithmetic and comparisons on sm_75 and sm_90 against the host's, with the
 * host's rounding direction set. The GPU's rules beyond IEEE 754 are written here a second time: one NaN for float32,
 * one operand's quiet NaN for float64 (invalid operations give 0xfff8000000000000), .FTZ, .SAT, .FMZ. */
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../cmodel/alu/float_bits.h"
#include "probe.h"

enum { ROUNDS = 40 };
static const enum wl_arch archs[] = {WL_SM75, WL_SM90};
static const struct {
	const char *text;
	int host;
} modes[] = {{"", FE_TONEAREST}, {".RM", FE_DOWNWARD}, {".RP", FE_UPWARD}, {".RZ", FE_TOWARDZERO}};

static bool nan64(uint64_t v)
{
	return (v & INT64_MAX) > UINT64_C(0x7ff) << 52;
}

static uint32_t ftz(uint32_t v)
{
	return (v & 0x7fffffff) < 0x00800000 ? v & 0x80000000 : v;
}

/* ---- the host's arithmetic in a direction; volatile keeps the compiler from folding or moving operations ---- */

static uint32_t host32(char op, int mode, uint32_t a, uint32_t b, uint32_t c, float scale)
{
	volatile float x = f32(a), y = f32(b), z = f32(c), r;
	fesetround(mode);
	if (op == '+')
		r = x + y;
	else if (op == '*' && scale == 1)
		r = x * y;
	else if (op == '*') { /* the exact product and the scaled product are doubles */
		volatile double exact = (double)x * y * scale;
		r = (float)exact;
	} else
		r = fmaf(x, y, z);
	fesetround(FE_TONEAREST);
	return bits32(r);
}

static uint64_t host64(char op, int mode, uint64_t a, uint64_t b, uint64_t c)
{
	volatile double x = f64(a), y = f64(b), z = f64(c), r;
	const uint64_t operand[3] = {op == '+' ? c : a, op == '+' ? a : b, c}; /* order of the operands for NaN */
	for (unsigned i = 0; i < (op == 'f' ? 3 : 2); i++)
		if (nan64(operand[i]))
			return operand[i] | UINT64_C(1) << 51;
	fesetround(mode);
	r = op == '+' ? x + z : op == '*' ? x * y : fma(x, y, z);
	fesetround(FE_TONEAREST);
	return r != r ? UINT64_C(0xfff8000000000000) : bits64(r);
}

/* ---- float32 ---- */

static void fill(struct probe_state *s)
{
	memset(s, 0, sizeof *s);
	for (unsigned l = 0; l < PROBE_LANES; l++) {
		uint32_t a = probe_f32(), b = probe_f32(), c = probe_f32();
		if (probe_random() % 8 == 0)
			b = a ^ (probe_random() & 0x80000003); /* sums that cancel */
		if (probe_random() % 8 == 0)
			c = bits32(-(f32(a) * f32(b)));
		s->r[2][l] = a, s->r[4][l] = b, s->r[6][l] = c;
	}
	for (unsigned p = 0; p < 6; p++)
		s->p[p] = probe_random();
	s->ur[0] = probe_f32();
	s->ur[1] = probe_f32();
}

struct sum {
	const char *op;
	char kind;
	bool flush, sat, fmz;
	float scale;
	const char *operands;
	int shape; /* of the operands: see below */
};

/* Operand forms: 0 registers, 1 signs, 2 immediate as last, 3 uniform as last, 4 constant as last (sm_75). */
static void operands(int shape, const struct probe_state *s, unsigned l, bool three, uint32_t v[3])
{
	v[0] = s->r[2][l], v[1] = s->r[4][l], v[2] = s->r[6][l];
	uint32_t *last = three ? &v[2] : &v[1];
	if (shape == 1) {
		v[0] ^= 0x80000000;
		*last = (*last & 0x7fffffff) ^ 0x80000000;
	} else if (shape == 2)
		*last = 0xbfc00000;
	else if (shape == 3)
		*last = s->ur[0];
	else if (shape == 4)
		*last = 0x3fc00000;
}
static const char *const two[] = {"R2, R4", "-R2, -|R4|", "R2, -1.5", "R2, UR4", "R2, c[0x0][0x160]"};
static const char *const three[] = {"R2, R4, R6", "-R2, R4, -|R6|", "R2, R4, -1.5", "R2, R4, UR4",
                                    "R2, R4, c[0x0][0x160]"};

static uint32_t expected32(const struct sum *t, int mode, const uint32_t in[3])
{
	uint32_t v[3];
	bool small = t->flush || t->fmz;
	for (unsigned i = 0; i < 3; i++)
		v[i] = small ? ftz(in[i]) : in[i];
	uint32_t r;
	if (t->fmz && t->kind != '+' && (!(v[0] & 0x7fffffff) || !(v[1] & 0x7fffffff)))
		r = t->kind == '*' ? 0 : host32('+', mode, 0, v[2], 0, 1);
	else
		r = host32(t->kind, mode, v[0], v[1], v[2], t->scale);
	if (isnan(f32(r)))
		return t->sat ? 0 : 0x7fffffff;
	if (small)
		r = ftz(r);
	if (t->sat)
		r = f32(r) > 0 ? f32(r) < 1 ? r : 0x3f800000 : 0;
	return r;
}

static void run_sum(const struct sum *t, enum wl_arch arch, unsigned m)
{
	char text[120];
	struct probe p;
	struct probe_state s, d;
	const char *scale = t->scale == 8        ? ".M8"
	                    : t->scale == 4      ? ".M4"
	                    : t->scale == 2      ? ".M2"
	                    : t->scale == 0.5f   ? ".D2"
	                    : t->scale == 0.25f  ? ".D4"
	                    : t->scale == 0.125f ? ".D8"
	                                         : "";
	snprintf(text, sizeof text, "%s%s%s%s%s%s R8, %s", t->op, t->fmz ? ".FMZ" : "", t->flush ? ".FTZ" : "", scale,
	         modes[m].text, t->sat ? ".SAT" : "", t->operands);
	probe_open(&p, arch, text);
	for (unsigned round = 0; round < ROUNDS; round++) {
		fill(&s);
		probe_run(&p, &s, &d);
		for (unsigned l = 0; l < PROBE_LANES; l++) {
			uint32_t v[3];
			operands(t->shape, &s, l, t->kind == 'f', v);
			uint32_t want = expected32(t, modes[m].host, v);
			if (d.r[8][l] != want)
				fail_msg("%s, sm_%d: 0x%08x, expected 0x%08x of 0x%08x 0x%08x 0x%08x", text, (int)arch,
				         d.r[8][l], want, v[0], v[1], v[2]);
			s.r[8][l] = d.r[8][l];
		}
		assert_memory_equal(&s, &d, sizeof s);
	}
	probe_close(&p);
}

static void test_sums(void **x)
{
	(void)x;
	static const float scales[] = {1, 8, 4, 2, 0.5f, 0.25f, 0.125f};
	for (unsigned a = 0; a < 2; a++)
		for (unsigned m = 0; m < 4; m++)
			for (int shape = 0; shape < (archs[a] == WL_SM75 ? 5 : 4); shape++)
				for (unsigned f = 0; f < 4; f++) {
					bool flush = f & 1, sat = f & 2;
					run_sum(&(struct sum){"FADD", '+', flush, sat, false, 1, two[shape], shape},
					        archs[a], m);
					run_sum(&(struct sum){"FFMA", 'f', flush, sat, false, 1, three[shape], shape},
					        archs[a], m);
					for (unsigned k = 0; k < (shape == 0 ? 7 : 1); k++)
						run_sum(&(struct sum){"FMUL", '*', flush, sat, false, scales[k],
						                      two[shape], shape},
						        archs[a], m);
				}
	for (unsigned a = 0; a < 2; a++) {
		run_sum(&(struct sum){"FMUL", '*', false, false, true, 1, two[0], 0}, archs[a], 0);
		run_sum(&(struct sum){"FFMA", 'f', false, false, true, 1, three[0], 0}, archs[a], 0);
	}
}

/* Hosts with a fused operation execute FFMA by it; the code for other hosts must give the same. */
static void test_fused(void **x)
{
	(void)x;
	struct probe_state s;
	for (unsigned round = 0; round < 100 * ROUNDS; round++) {
		fill(&s);
		for (unsigned l = 0; l < PROBE_LANES; l++) {
			const uint32_t *a = &s.r[2][l], *b = &s.r[4][l], *c = &s.r[6][l];
			const uint32_t want = host32('f', FE_TONEAREST, *a, *b, *c, 1);
			const uint32_t got = bits32(fused_float(f32(*a), f32(*b), f32(*c)));
			if (got != want && !(isnan(f32(got)) && isnan(f32(want))))
				fail_msg("0x%08x, expected 0x%08x of 0x%08x 0x%08x 0x%08x", got, want, *a, *b, *c);
		}
	}
}

/* ---- comparisons ---- */

static const char *const compares[] = {"F",   "LT",  "EQ",  "LE",  "GT",  "NE",  "GE",  "NUM",
                                       "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "T"};

static bool holds(const char *op, double a, double b)
{
	bool un = isnan(a) || isnan(b);
	if (!strcmp(op, "F"))
		return false;
	if (!strcmp(op, "T"))
		return true;
	if (!strcmp(op, "NUM"))
		return !un;
	if (!strcmp(op, "NAN"))
		return un;
	if (un)
		return strlen(op) == 3;
	bool r = op[0] == 'L' ? a < b : op[0] == 'G' ? a > b : op[0] == 'N' ? a != b : a == b;
	return r || ((op[0] == 'L' || op[0] == 'G') && op[1] == 'E' && a == b);
}

static bool joined(const char *how, bool c, bool p)
{
	return how[0] == 'A' ? c && p : how[0] == 'O' ? c || p : c != p;
}

static void run_compare(enum wl_arch arch, const char *op, const char *how, bool flush, bool wide)
{
	char text[2][120];
	struct probe p[2];
	struct probe_state s, d[2];
	snprintf(text[0], 120, wide ? "DSETP.%s.%s P3, P4, R2, R4, !P0" : "FSETP.%s%s.%s P3, P4, R2, R4, !P0", op,
	         wide    ? how
	         : flush ? ".FTZ"
	                 : "",
	         how);
	snprintf(text[1], 120, "FSET.BF.%s%s.%s R8, R2, R4, !P0", op, flush ? ".FTZ" : "", how);
	for (unsigned i = 0; i < (wide ? 1 : 2); i++)
		probe_open(&p[i], arch, text[i]);
	for (unsigned round = 0; round < 8; round++) {
		fill(&s);
		for (unsigned l = 0; l < PROBE_LANES && wide; l++) {
			uint64_t a = probe_f64();
			probe_set_pair(&s, 2, l, a);
			probe_set_pair(&s, 4, l, probe_random() % 4 ? probe_f64() : a);
		}
		for (unsigned i = 0; i < (wide ? 1 : 2); i++)
			probe_run(&p[i], &s, &d[i]);
		for (unsigned l = 0; l < PROBE_LANES; l++) {
			uint32_t a = s.r[2][l], b = s.r[4][l];
			bool c = wide ? holds(op, f64(probe_pair(&s, 2, l)), f64(probe_pair(&s, 4, l)))
			              : holds(op, f32(flush ? ftz(a) : a), f32(flush ? ftz(b) : b));
			bool other = !(s.p[0] >> l & 1);
			if ((d[0].p[3] >> l & 1) != joined(how, c, other) ||
			    (d[0].p[4] >> l & 1) != joined(how, !c, other))
				fail_msg("%s, sm_%d: P3 %u P4 %u of 0x%08x 0x%08x, P0 %u", text[0], (int)arch,
				         d[0].p[3] >> l & 1, d[0].p[4] >> l & 1, a, b, !other);
			if (!wide)
				assert_int_equal(d[1].r[8][l], joined(how, c, other) ? 0x3f800000 : 0);
		}
	}
	for (unsigned i = 0; i < (wide ? 1 : 2); i++)
		probe_close(&p[i]);
}

static void test_compares(void **x)
{
	(void)x;
	static const char *const how[] = {"AND", "OR", "XOR"};
	for (unsigned a = 0; a < 2; a++)
		for (unsigned op = 0; op < 16; op++)
			for (unsigned h = 0; h < 3; h++) {
				run_compare(archs[a], compares[op], how[h], false, false);
				run_compare(archs[a], compares[op], how[h], true, false);
				if (op != 0 && op != 15)
					run_compare(archs[a], compares[op], how[h], false, true);
			}
}

/* ---- choices ---- */

/* PTX ISA, min and max: NaN loses unless .NaN; -0 is below +0. */
static uint32_t minmax(uint32_t a, uint32_t b, bool min, bool nan)
{
	bool an = isnan(f32(a)), bn = isnan(f32(b));
	if ((an && bn) || (nan && (an || bn)))
		return 0x7fffffff;
	if (an || bn)
		return an ? b : a;
	int64_t ka = a >> 31 ? -(int64_t)(a & 0x7fffffff) - 1 : a, kb = b >> 31 ? -(int64_t)(b & 0x7fffffff) - 1 : b;
	return (ka < kb) == min ? a : b;
}

static void run_minmax(enum wl_arch arch, const char *mods, bool flush, bool nan, bool xor_sign)
{
	char text[120];
	struct probe p;
	struct probe_state s, d;
	snprintf(text, sizeof text, "FMNMX%s R8, %s, !P1", mods, xor_sign ? "|R2|, |R4|" : "R2, -R4");
	probe_open(&p, arch, text);
	for (unsigned round = 0; round < ROUNDS; round++) {
		fill(&s);
		probe_run(&p, &s, &d);
		for (unsigned l = 0; l < PROBE_LANES; l++) {
			uint32_t a = s.r[2][l], b = s.r[4][l], sign = (a ^ b) & 0x80000000;
			if (flush)
				a = ftz(a), b = ftz(b);
			bool min = !(s.p[1] >> l & 1);
			uint32_t want = xor_sign ? minmax(a & 0x7fffffff, b & 0x7fffffff, min, nan)
			                         : minmax(a, b ^ 0x80000000, min, nan);
			if (xor_sign && want != 0x7fffffff)
				want |= sign;
			if (d.r[8][l] != want)
				fail_msg("%s, sm_%d: 0x%08x, expected 0x%08x of 0x%08x 0x%08x", text, (int)arch,
				         d.r[8][l], want, a, b);
		}
	}
	probe_close(&p);
}

static void test_choices(void **x)
{
	(void)x;
	run_minmax(WL_SM75, "", false, false, false);
	run_minmax(WL_SM75, ".FTZ", true, false, false);
	run_minmax(WL_SM90, "", false, false, false);
	run_minmax(WL_SM90, ".FTZ.NAN", true, true, false);
	run_minmax(WL_SM90, ".XORSIGN", false, false, true);
	run_minmax(WL_SM90, ".FTZ.NAN.XORSIGN", true, true, true);
	for (unsigned a = 0; a < 2; a++)
		for (unsigned flush = 0; flush < 2; flush++) {
			struct probe p;
			struct probe_state s, d;
			probe_open(&p, archs[a], flush ? "FSEL.FTZ R8, -R2, |R4|, P2" : "FSEL R8, -R2, |R4|, P2");
			fill(&s);
			probe_run(&p, &s, &d);
			for (unsigned l = 0; l < PROBE_LANES; l++) {
				uint32_t v = s.p[2] >> l & 1 ? s.r[2][l] ^ 0x80000000 : s.r[4][l] & 0x7fffffff;
				assert_int_equal(d.r[8][l], flush ? ftz(v) : v);
			}
			probe_close(&p);
		}
}

/* The quick division: where FCHK says safe, ptxas's five steps give the quotient rounded to nearest. */
static void test_fchk(void **x)
{
	(void)x;
	unsigned safe = 0;
	for (unsigned arch = 0; arch < 2; arch++) {
		struct probe p;
		struct probe_state s, d;
		probe_open(&p, archs[arch], "FCHK P3, R2, R4");
		for (unsigned round = 0; round < 200; round++) {
			fill(&s);
			probe_run(&p, &s, &d);
			for (unsigned l = 0; l < PROBE_LANES; l++) {
				float a = f32(s.r[2][l]), b = f32(s.r[4][l]), r = 1 / b;
				if (d.p[3] >> l & 1)
					continue;
				float e = fmaf(-b, r, 1), q;
				r = fmaf(r, e, r);
				q = a * r;
				q = fmaf(r, fmaf(-b, q, a), q);
				assert_int_equal(bits32(q), bits32(a / b));
				safe++;
			}
		}
		probe_close(&p);
	}
	assert_true(safe > 2000); /* a check that is never safe would pass, too */
}

/* ---- float64 ---- */

static void run_double(enum wl_arch arch, const char *op, char kind, const char *args, int shape, unsigned m)
{
	char text[120];
	struct probe p;
	struct probe_state s, d;
	snprintf(text, sizeof text, "%s%s R8, %s", op, modes[m].text, args);
	probe_open(&p, arch, text);
	for (unsigned round = 0; round < ROUNDS; round++) {
		fill(&s);
		s.ur[0] = probe_random(), s.ur[1] = probe_random();
		for (unsigned l = 0; l < PROBE_LANES; l++) {
			uint64_t a = probe_f64(), b = probe_f64();
			if (l % 8 == 0) { /* an invalid product, with addends of all kinds */
				a = (uint64_t)round << 63;
				b = (uint64_t)probe_random() << 63 | UINT64_C(0x7ff0000000000000);
			}
			probe_set_pair(&s, 2, l, a);
			probe_set_pair(&s, 4, l, probe_random() % 8 ? b : a ^ (probe_random() & 3));
			probe_set_pair(&s, 6, l, probe_random() % 4 ? probe_f64() : bits64(-(f64(a) * f64(b))));
		}
		probe_run(&p, &s, &d);
		for (unsigned l = 0; l < PROBE_LANES; l++) {
			uint64_t v[3] = {probe_pair(&s, 2, l), probe_pair(&s, 4, l), probe_pair(&s, 6, l)};
			uint64_t *last = kind == '*' ? &v[1] : &v[2];
			if (shape == 1) {
				v[0] ^= UINT64_C(1) << 63;
				*last |= UINT64_C(1) << 63;
			} else if (shape == 2)
				*last = UINT64_C(0xbff8000000000000);
			else if (shape == 3)
				*last = (uint64_t)s.ur[1] << 32 | s.ur[0];
			uint64_t want = host64(kind, modes[m].host, v[0], v[1], v[2]), is = probe_pair(&d, 8, l);
			if (is != want)
				fail_msg("%s, sm_%d: 0x%016llx, expected 0x%016llx of 0x%016llx 0x%016llx 0x%016llx",
				         text, (int)arch, (unsigned long long)is, (unsigned long long)want,
				         (unsigned long long)v[0], (unsigned long long)v[1], (unsigned long long)v[2]);
		}
	}
	probe_close(&p);
}

static void test_doubles(void **x)
{
	(void)x;
	static const char *const sum[] = {"R2, R6", "-R2, -|R6|", "R2, -1.5", "R2, UR4"};
	static const char *const mul[] = {"R2, R4", "-R2, -|R4|", "R2, -1.5", "R2, UR4"};
	static const char *const fused[] = {"R2, R4, R6", "-R2, R4, -|R6|", "R2, R4, -1.5", "R2, R4, UR4"};
	for (unsigned a = 0; a < 2; a++)
		for (unsigned m = 0; m < 4; m++)
			for (int shape = 0; shape < 4; shape++) {
				run_double(archs[a], "DADD", '+', sum[shape], shape, m);
				run_double(archs[a], "DMUL", '*', mul[shape], shape, m);
				run_double(archs[a], "DFMA", 'f', fused[shape], shape, m);
			}
}

/* DSETP.MIN and .MAX with ptxas's selections after them are PTX's min.f64 and max.f64. */
static void test_double_minmax(void **x)
{
	(void)x;
	for (unsigned a = 0; a < 2; a++)
		for (unsigned min = 0; min < 2; min++) {
			struct probe p;
			struct probe_state s, d;
			probe_open(&p, archs[a],
			           min ? "DSETP.MIN.AND P3, P4, R2, R4, PT" : "DSETP.MAX.AND P3, P4, R2, R4, PT");
			for (unsigned round = 0; round < ROUNDS; round++) {
				fill(&s);
				for (unsigned l = 0; l < PROBE_LANES; l++) {
					probe_set_pair(&s, 2, l, probe_f64());
					probe_set_pair(&s, 4, l,
					               probe_random() % 4 ? probe_f64()
					                                  : (uint64_t)(probe_random() & 1) << 63);
				}
				probe_run(&p, &s, &d);
				for (unsigned l = 0; l < PROBE_LANES; l++) {
					uint64_t va = probe_pair(&s, 2, l), vb = probe_pair(&s, 4, l);
					uint64_t got = d.p[3] >> l & 1 ? va : vb;
					if (d.p[4] >> l & 1)
						got = vb | UINT64_C(1) << 51;
					if (nan64(va) && nan64(vb)) {
						assert_true(nan64(got));
						continue;
					}
					uint64_t want = nan64(va) ? vb : nan64(vb) ? va : 0;
					if (!nan64(va) && !nan64(vb)) {
						bool less = f64(va) < f64(vb) ||
						            (f64(va) == f64(vb) && va >> 63 > vb >> 63);
						want = less == (min != 0) ? va : vb;
					}
					assert_int_equal(got, want);
				}
			}
			probe_close(&p);
		}
}

static void test_coverage(void **x)
{
	(void)x;
	assert_true(probe_all_covered("uop_float_test"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_fused),         cmocka_unit_test(test_sums),     cmocka_unit_test(test_compares),
	        cmocka_unit_test(test_choices),       cmocka_unit_test(test_fchk),     cmocka_unit_test(test_doubles),
	        cmocka_unit_test(test_double_minmax), cmocka_unit_test(test_coverage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL) | kernel_covers("uop_float_test");
}

// SPDX-License-Identifier: Apache-2.0
/* uop_half_test.c -- arithmetic on float16 and bfloat16 halves, sm_75 and sm_90, against exact sums and products in 113
 * bits, rounded by a search of the format's values (nearest.h). */
#include <fenv.h>
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

enum { ROUNDS = 16 };

static uint32_t both(uint32_t (*op)(struct fmt, uint32_t, uint32_t, uint32_t), struct fmt f, uint32_t a, uint32_t b,
                     uint32_t c)
{
	return op(f, a & 0xffff, b & 0xffff, c & 0xffff) | op(f, a >> 16, b >> 16, c >> 16) << 16;
}

/* Half and sign of an operand; texts in pick_text. */
enum pick { PLAIN, LOW, HIGH, NEG, ABS, NEG_HIGH, PICKS };
static const char *const pick_text[] = {"R%d", "R%d.H0_H0", "R%d.H1_H1", "-R%d", "|R%d|", "-R%d.H1_H1"};
static uint32_t pick(enum pick p, uint32_t v)
{
	switch (p) {
	case LOW:
		return (v & 0xffff) * 0x10001;
	case HIGH:
		return (v >> 16) * 0x10001;
	case NEG:
		return v ^ 0x80008000;
	case ABS:
		return v & 0x7fff7fff;
	case NEG_HIGH:
		return ((v >> 16) * 0x10001) ^ 0x80008000;
	default:
		return v;
	}
}

static void fill(struct probe_state *s, bool bf16)
{
	memset(s, 0, sizeof *s);
	for (unsigned l = 0; l < PROBE_LANES; l++) {
		for (unsigned r = 2; r <= 6; r += 2)
			s->r[r][l] = probe_f16(bf16) | (uint32_t)probe_f16(bf16) << 16;
		if (probe_random() % 6 == 0)
			s->r[4][l] = s->r[2][l] ^ (probe_random() & 0x80018001);
	}
	for (unsigned p = 0; p < 6; p++)
		s->p[p] = probe_random();
	s->ur[0] = probe_f16(bf16) | (uint32_t)probe_f16(bf16) << 16;
}

static void run(enum wl_arch arch, const char *name, const char *mods, struct fmt f, unsigned terms,
                uint32_t (*op)(struct fmt, uint32_t, uint32_t, uint32_t), enum pick pa, enum pick pb, enum pick pc)
{
	char text[160], a[32], b[32], c[32];
	struct probe p;
	struct probe_state s, d;
	snprintf(a, sizeof a, pick_text[pa], 2);
	snprintf(b, sizeof b, pick_text[pb], 4);
	snprintf(c, sizeof c, pick_text[pc], 6);
	snprintf(text, sizeof text, "%s%s R8, %s, %s%s%s", name, mods, a, b, terms == 3 ? ", " : "",
	         terms == 3 ? c : "");
	probe_open(&p, arch, text);
	for (unsigned round = 0; round < ROUNDS; round++) {
		fill(&s, f.bf16);
		probe_run(&p, &s, &d);
		for (unsigned l = 0; l < PROBE_LANES; l++) {
			uint32_t va = pick(pa, s.r[2][l]), vb = pick(pb, s.r[4][l]), vc = pick(pc, s.r[6][l]);
			uint32_t want = both(op, f, va, vb, vc);
			if (d.r[8][l] != want)
				fail_msg("%s, sm_%d: 0x%08x, expected 0x%08x of 0x%08x 0x%08x 0x%08x", text, (int)arch,
				         d.r[8][l], want, va, vb, vc);
			s.r[8][l] = want;
		}
		assert_memory_equal(&s, &d, sizeof s);
	}
	probe_close(&p);
}

static void every_pick(enum wl_arch arch, const char *mods, struct fmt f, bool fma_only)
{
	for (unsigned k = 0; k < PICKS; k++) {
		enum pick a = (enum pick)k, b = (enum pick)((k * 5 + 1) % PICKS), c = (enum pick)((k + 2) % PICKS);
		if (!fma_only) {
			run(arch, "HADD2", mods, f, 2, sum, a, b, PLAIN);
			run(arch, "HMUL2", mods, f, 2, product, a, b, PLAIN);
		}
		run(arch, "HFMA2", mods, f, 3, fused, a, b, c);
	}
}

static void test_arithmetic(void **x)
{
	(void)x;
	every_pick(WL_SM75, "", (struct fmt){0}, false);
	every_pick(WL_SM75, ".FTZ", (struct fmt){.ftz = true}, false);
	every_pick(WL_SM75, ".SAT", (struct fmt){.sat = true}, false);
	every_pick(WL_SM75, ".FTZ.SAT", (struct fmt){.ftz = true, .sat = true}, false);
	every_pick(WL_SM90, "", (struct fmt){0}, false);
	every_pick(WL_SM90, ".FTZ.SAT", (struct fmt){.ftz = true, .sat = true}, false);
	every_pick(WL_SM90, ".RELU", (struct fmt){.relu = true}, true);
	every_pick(WL_SM90, ".BF16_V2", (struct fmt){.bf16 = true}, false);
	every_pick(WL_SM90, ".BF16_V2.RELU", (struct fmt){.bf16 = true, .relu = true}, true);
	run(WL_SM90, "HFMA2.MMA", "", (struct fmt){0}, 3, fused, PLAIN, PLAIN, PLAIN);
	run(WL_SM90, "HFMA2.MMA", ".BF16_V2.RELU", (struct fmt){.bf16 = true, .relu = true}, 3, fused, NEG, PLAIN, ABS);
}

/* Immediates: two halves, the high half first; and the moves that ptxas makes with immediates. */
static void test_immediates(void **x)
{
	(void)x;
	static const struct {
		enum wl_arch arch;
		const char *text;
		struct fmt f;
		int op; /* 0 sum, 1 product, 2 A * imm + C, 3 A * B + imm, 4 imm */
	} cases[] = {
	        {WL_SM75, "HADD2 R8, R2, -1.5, 2", {0}, 0},
	        {WL_SM75, "HMUL2 R8, R2, -1.5, 2", {0}, 1},
	        {WL_SM75, "HFMA2 R8, R2, -1.5, 2, R6", {0}, 2},
	        {WL_SM75, "HFMA2 R8, R2, R4, -1.5, 2", {0}, 3},
	        {WL_SM90, "HADD2 R8, R2, -1.5, 2", {0}, 0},
	        {WL_SM90, "HFMA2.MMA R8, R2, -1.5, 2, R6", {0}, 2},
	        {WL_SM90, "HMUL2.BF16_V2 R8, R2, -1.5, 2", {.bf16 = true}, 1},
	        {WL_SM90, "HFMA2.BF16_V2 R8, R2, R4, -1.5, 2", {.bf16 = true}, 3},
	        {WL_SM90, "HFMA2.MMA R8, -RZ, RZ, -1.5, 2", {0}, 4},
	        {WL_SM75, "HADD2 R8, R2, UR4", {0}, 5},
	        {WL_SM90, "HMUL2 R8, R2, UR4", {0}, 6},
	};
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct probe p;
		struct probe_state s, d;
		struct fmt f = cases[i].f;
		uint32_t imm = f.bf16 ? 0xbfc04000 : 0xbe004000;
		probe_open(&p, cases[i].arch, cases[i].text);
		for (unsigned round = 0; round < ROUNDS; round++) {
			fill(&s, f.bf16);
			probe_run(&p, &s, &d);
			for (unsigned l = 0; l < PROBE_LANES; l++) {
				uint32_t a = s.r[2][l], b = s.r[4][l], c = s.r[6][l], want = imm;
				switch (cases[i].op) {
				case 0:
					want = both(sum, f, a, imm, 0);
					break;
				case 1:
					want = both(product, f, a, imm, 0);
					break;
				case 2:
					want = both(fused, f, a, imm, c);
					break;
				case 3:
					want = both(fused, f, a, b, imm);
					break;
				case 5:
					want = both(sum, f, a, s.ur[0], 0);
					break;
				case 6:
					want = both(product, f, a, s.ur[0], 0);
				}
				if (d.r[8][l] != want)
					fail_msg("%s: 0x%08x, expected 0x%08x of 0x%08x", cases[i].text, d.r[8][l],
					         want, a);
			}
		}
		probe_close(&p);
	}
}

/* float16 to float32, and float32 to float16 towards zero: ptxas's uses of HADD2. */
static void test_conversions(void **x)
{
	(void)x;
	static const struct {
		enum wl_arch arch;
		const char *text;
		bool high, sat;
	} up[] = {{WL_SM75, "HADD2.F32 R8, R2.H0_H0, -RZ.H0_H0", false, false},
	          {WL_SM75, "HADD2.F32.SAT R8, R2.H1_H1, -RZ.H0_H0", true, true},
	          {WL_SM90, "HADD2.F32 R8, -RZ, R2.H1_H1", true, false}};
	struct probe p;
	struct probe_state s, d;
	for (unsigned i = 0; i < 3; i++) {
		probe_open(&p, up[i].arch, up[i].text);
		for (unsigned round = 0; round < ROUNDS; round++) {
			fill(&s, false);
			probe_run(&p, &s, &d);
			for (unsigned l = 0; l < PROBE_LANES; l++) {
				uint32_t h = up[i].high ? s.r[2][l] >> 16 : s.r[2][l] & 0xffff, want;
				float f = is_inf((struct fmt){0}, h) ? (h >> 15 ? -INFINITY : INFINITY)
				                                     : (float)value((struct fmt){0}, h);
				if (h >> 15 && !(h & 0x7fff))
					f = -0.0f;
				if (up[i].sat)
					f = f > 0 ? f < 1 ? f : 1 : 0;
				memcpy(&want, &f, sizeof want);
				if (is_nan((struct fmt){0}, h))
					want = up[i].sat ? 0 : 0x7fffffff;
				assert_int_equal(d.r[8][l], want);
			}
		}
		probe_close(&p);
	}
	probe_open(&p, WL_SM75, "HADD2 R8, -R2.F32, -RZ.H0_H0");
	for (unsigned round = 0; round < 4 * ROUNDS; round++) {
		fill(&s, false);
		for (unsigned l = 0; l < PROBE_LANES; l++)
			s.r[2][l] = probe_f32();
		probe_run(&p, &s, &d);
		for (unsigned l = 0; l < PROBE_LANES; l++) {
			uint32_t v = s.r[2][l] ^ 0x80000000, want = 0x7fff;
			float f;
			memcpy(&f, &v, sizeof f);
			if (isinf(f))
				want = 0x7c00 | v >> 31 << 15;
			else if (!isnan(f))
				want = small_round(SMALL_F16, exact_of(f), v >> 31, ZERO) | v >> 31 << 15;
			assert_int_equal(d.r[8][l] & 0xffff, want);
		}
	}
	probe_close(&p);
}

/* ---- comparisons, minimum and maximum ---- */

static const char *const compares[] = {"LT",  "EQ",  "LE",  "GT",  "NE",  "GE",  "NUM",
                                       "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU"};

static bool holds(const char *op, struct fmt f, uint32_t a, uint32_t b)
{
	bool un = is_nan(f, a) || is_nan(f, b);
	if (!strcmp(op, "NUM") || !strcmp(op, "NAN"))
		return un == !strcmp(op, "NAN");
	if (un)
		return strlen(op) == 3;
	/* infinities are greater than all numbers by their bits alone */
	int32_t ka = a >> 15 ? -(int32_t)(a & 0x7fff) : (int32_t)a, kb = b >> 15 ? -(int32_t)(b & 0x7fff) : (int32_t)b;
	bool r = op[0] == 'L' ? ka < kb : op[0] == 'G' ? ka > kb : op[0] == 'N' ? ka != kb : ka == kb;
	return r || ((op[0] == 'L' || op[0] == 'G') && op[1] == 'E' && ka == kb);
}

/* A float32 made from a half compares as the half. */
static void test_compares_of_float32(void **x)
{
	(void)x;
	const struct fmt f = {0};
	struct probe p;
	struct probe_state s, d;
	static const char *const rows[] = {
	        "HSETP2.GEU.AND P3, P4, R2.H0_H0, R4.F32, PT", "HSETP2.GEU.AND P3, P4, R4.F32, R2.H0_H0, PT",
	        "HSET2.BF.LT.AND R8, R2.H0_H0, R4.F32, PT", "HSET2.BF.LT.AND R8, R4.F32, R2.H0_H0, PT"};
	for (unsigned k = 0; k < 8; k++) {
		const bool first = k / 2 % 2; /* the float32 is the first source */
		probe_open(&p, k % 2 ? WL_SM80 : WL_SM75, rows[k / 2]);
		for (unsigned round = 0; round < ROUNDS; round++) {
			fill(&s, false);
			uint32_t half[PROBE_LANES];
			for (unsigned l = 0; l < PROBE_LANES; l++) {
				const uint32_t h = half[l] = l % 4 ? probe_f16(false) : s.r[2][l] & 0xffff;
				float v = is_inf(f, h) ? INFINITY : (float)value(f, h & 0x7fff);
				if (is_nan(f, h))
					v = NAN;
				memcpy(&s.r[4][l], &v, sizeof v);
				s.r[4][l] |= h >> 15 << 31;
			}
			probe_run(&p, &s, &d);
			for (unsigned l = 0; l < PROBE_LANES; l++) {
				const uint32_t h = s.r[2][l] & 0xffff, a = first ? half[l] : h, b = first ? h : half[l];
				if (k < 4)
					assert_int_equal(d.p[3] >> l & 1, holds("GEU", f, a, b));
				else
					assert_int_equal(d.r[8][l], holds("LT", f, a, b) ? 0x3c003c00 : 0);
			}
		}
		probe_close(&p);
	}
}

static bool joined(char how, bool c, bool p)
{
	return how == 'A' ? c && p : how == 'O' ? c || p : c != p;
}

static void run_compare(enum wl_arch arch, struct fmt f, const char *op, const char *how)
{
	char text[3][120];
	struct probe p[3];
	struct probe_state s, d[3];
	const char *b = f.bf16 ? ".BF16_V2" : "", *z = f.ftz ? ".FTZ" : "";
	snprintf(text[0], 120, "HSETP2%s.%s%s.%s P3, P4, -R2, R4.H1_H1, P0", b, op, z, how);
	snprintf(text[1], 120, "HSET2%s.%s%s.%s R8, R2, |R4|, !P1", b, op, z, how);
	snprintf(text[2], 120, "HSET2%s.BF.%s%s.%s R8, R2.H0_H0, R4, P2", b, op, z, how);
	for (unsigned i = 0; i < 3; i++)
		probe_open(&p[i], arch, text[i]);
	for (unsigned round = 0; round < 6; round++) {
		fill(&s, f.bf16);
		for (unsigned i = 0; i < 3; i++)
			probe_run(&p[i], &s, &d[i]);
		for (unsigned l = 0; l < PROBE_LANES; l++) {
			uint32_t a = s.r[2][l], v = s.r[4][l], one = f.bf16 ? 0x3f80 : 0x3c00;
			for (unsigned half = 0; half < 2; half++) {
				uint32_t ah = ftz(f, a >> 16 * half & 0xffff), vh = ftz(f, v >> 16 * half & 0xffff);
				bool c0 = joined(how[0], holds(op, f, ah ^ 0x8000, ftz(f, v >> 16)), s.p[0] >> l & 1);
				bool c1 = joined(how[0], holds(op, f, ah, vh & 0x7fff), !(s.p[1] >> l & 1));
				bool c2 = joined(how[0], holds(op, f, ftz(f, a & 0xffff), vh), s.p[2] >> l & 1);
				assert_int_equal(d[0].p[3 + half] >> l & 1, c0);
				assert_int_equal(d[1].r[8][l] >> 16 * half & 0xffff, c1 ? 0xffff : 0);
				assert_int_equal(d[2].r[8][l] >> 16 * half & 0xffff, c2 ? one : 0);
			}
		}
	}
	for (unsigned i = 0; i < 3; i++)
		probe_close(&p[i]);
}

static void test_compares(void **x)
{
	(void)x;
	static const char *const how[] = {"AND", "OR", "XOR"};
	for (unsigned op = 0; op < sizeof compares / sizeof compares[0]; op++)
		for (unsigned h = 0; h < 3; h++) {
			run_compare(WL_SM75, (struct fmt){0}, compares[op], how[h]);
			run_compare(WL_SM75, (struct fmt){.ftz = true}, compares[op], how[h]);
			run_compare(WL_SM90, (struct fmt){0}, compares[op], how[h]);
			run_compare(WL_SM90, (struct fmt){.bf16 = true}, compares[op], how[h]);
		}
}

/* PTX ISA, min and max of halves. */
static uint32_t minmax(struct fmt f, uint32_t a, uint32_t b, bool min, bool nan)
{
	if ((is_nan(f, a) && is_nan(f, b)) || (nan && (is_nan(f, a) || is_nan(f, b))))
		return 0x7fff;
	if (is_nan(f, a) || is_nan(f, b))
		return is_nan(f, a) ? b : a;
	int32_t ka = a >> 15 ? -(int32_t)(a & 0x7fff) - 1 : (int32_t)a,
	        kb = b >> 15 ? -(int32_t)(b & 0x7fff) - 1 : (int32_t)b;
	return (ka < kb) == min ? a : b;
}

static void test_minmax(void **x)
{
	(void)x;
	for (unsigned bits = 0; bits < 16; bits++) {
		char text[120];
		struct fmt f = {.bf16 = bits & 1, .ftz = bits & 2};
		bool nan = bits & 4, xors = bits & 8;
		struct probe p;
		struct probe_state s, d;
		snprintf(text, sizeof text, "HMNMX2%s%s%s%s R8, %s, !P1", f.bf16 ? ".BF16_V2" : "", f.ftz ? ".FTZ" : "",
		         nan ? ".NAN" : "", xors ? ".XORSIGN" : "", xors ? "|R2|, |R4|.H1_H1" : "-R2, R4.H1_H1");
		probe_open(&p, WL_SM90, text);
		for (unsigned round = 0; round < ROUNDS; round++) {
			fill(&s, f.bf16);
			probe_run(&p, &s, &d);
			for (unsigned l = 0; l < PROBE_LANES; l++)
				for (unsigned half = 0; half < 2; half++) {
					uint32_t a = ftz(f, s.r[2][l] >> 16 * half & 0xffff),
					         b = ftz(f, s.r[4][l] >> 16);
					bool min = !(s.p[1] >> l & 1);
					uint32_t want = xors ? minmax(f, a & 0x7fff, b & 0x7fff, min, nan)
					                     : minmax(f, a ^ 0x8000, b, min, nan);
					if (xors && want != 0x7fff)
						want |= (a ^ b) & 0x8000;
					if ((d.r[8][l] >> 16 * half & 0xffff) != want)
						fail_msg("%s: 0x%08x, half %u expected 0x%04x of 0x%04x 0x%04x", text,
						         d.r[8][l], half, want, a, b);
				}
		}
		probe_close(&p);
	}
}

/* A float32 as a source: the real meaning is known for conversions and comparisons alone. */
static void test_float32_sources(void **x)
{
	(void)x;
	static const char *const rows[] = {
	        "HMNMX2 R8, R2.F32, R4, P0", "HMNMX2 R8, R2, R4.F32, P0", "HMUL2 R8, R2.F32, R4",
	        "HMUL2 R8, R2, R4.F32",      "HFMA2 R8, R2.F32, R4, R6",  "HFMA2 R8, R2, R4.F32, R6",
	        "HFMA2 R8, R2, R4, R6.F32",  "HADD2.F32 R8, -RZ, R4.F32", "HADD2.F32 R8, R2.F32, R4.H0_H0"};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_true(kernel_refuses(WL_SM80, rows[i]));
}

/* VHMNMX: of three sources, each with a half, a sign and bars of its own. */
static void test_minmax_of_three(void **x)
{
	(void)x;
	for (unsigned bits = 0; bits < 8; bits++) {
		char text[120];
		struct fmt f = {.bf16 = bits & 1, .ftz = bits & 2};
		bool nan = bits & 4;
		struct probe p;
		struct probe_state s, d;
		snprintf(text, sizeof text, "VHMNMX%s%s%s R8, -R2.H1_H1, |R4|, R6.H0_H0, P1", f.bf16 ? ".BF16_V2" : "",
		         f.ftz ? ".FTZ" : "", nan ? ".NAN" : "");
		probe_open(&p, WL_SM90, text);
		for (unsigned round = 0; round < ROUNDS; round++) {
			fill(&s, f.bf16);
			probe_run(&p, &s, &d);
			for (unsigned l = 0; l < PROBE_LANES; l++)
				for (unsigned half = 0; half < 2; half++) {
					uint32_t a = ftz(f, s.r[2][l] >> 16) ^ 0x8000,
					         b = ftz(f, s.r[4][l] >> 16 * half & 0x7fff),
					         c = ftz(f, s.r[6][l] & 0xffff);
					bool min = s.p[1] >> l & 1;
					uint32_t want = minmax(f, minmax(f, a, b, min, nan), c, min, nan);
					if ((d.r[8][l] >> 16 * half & 0xffff) != want)
						fail_msg("%s: 0x%08x, half %u expected 0x%04x of 0x%04x 0x%04x 0x%04x",
						         text, d.r[8][l], half, want, a, b, c);
				}
		}
		probe_close(&p);
	}
}

/* FHADD, FHFMA: halves are float32 numbers, too. The expected values are the host's float32 arithmetic. */
static float widened(bool bf16, uint32_t h)
{
	const uint32_t exp = h >> 10 & 31, frac = h & 0x3ff;
	const float size = exp == 31 ? (frac ? NAN : INFINITY)
	                   : exp     ? ldexpf(1024.f + (float)frac, (int)exp - 25)
	                             : ldexpf((float)frac, -24);
	return bf16 ? f32(h << 16) : h >> 15 ? -size : size;
}

static void test_mixed(void **x)
{
	(void)x;
	static const struct {
		const char *text;
		int mode;
	} rounds[] = {{"", FE_TONEAREST}, {".RM", FE_DOWNWARD}, {".RP", FE_UPWARD}, {".RZ", FE_TOWARDZERO}};
	for (unsigned bits = 0; bits < 32; bits++) {
		char text[120];
		const bool bf16 = bits & 1, sat = bits & 2, fma = bits & 4;
		struct probe p;
		struct probe_state s, d;
		snprintf(text, sizeof text, "%s%s%s%s R8, -R2%s, %s", fma ? "FHFMA" : "FHADD", bf16 ? ".BF16" : "",
		         rounds[bits / 8].text, sat ? ".SAT" : "", fma ? "" : ".H1", fma ? "R4.H1, -R6" : "|R4|");
		probe_open(&p, WL_SM100, text);
		for (unsigned round = 0; round < ROUNDS; round++) {
			fill(&s, bf16);
			for (unsigned l = 0; l < PROBE_LANES; l++) {
				s.r[6][l] = probe_f32();
				if (!fma)
					s.r[4][l] = probe_f32();
			}
			probe_run(&p, &s, &d);
			for (unsigned l = 0; l < PROBE_LANES; l++) {
				volatile float a = -widened(bf16, fma ? s.r[2][l] & 0xffff : s.r[2][l] >> 16), r;
				volatile float b = fma ? widened(bf16, s.r[4][l] >> 16) : f32(s.r[4][l] & 0x7fffffff);
				volatile float c = -f32(s.r[6][l]);
				fesetround(rounds[bits / 8].mode);
				r = fma ? fmaf(a, b, c) : a + b;
				fesetround(FE_TONEAREST);
				uint32_t want = r != r ? 0x7fffffff : bits32(r);
				if (sat)
					want = r != r || !(r > 0) ? 0 : r > 1 ? 0x3f800000 : want;
				if (d.r[8][l] != want)
					fail_msg("%s: 0x%08x, expected 0x%08x of 0x%08x 0x%08x 0x%08x", text, d.r[8][l],
					         want, s.r[2][l], s.r[4][l], s.r[6][l]);
			}
		}
		probe_close(&p);
	}
}

static void test_coverage(void **x)
{
	(void)x;
	assert_true(probe_all_covered("uop_half_test"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_arithmetic),
	        cmocka_unit_test(test_immediates),
	        cmocka_unit_test(test_conversions),
	        cmocka_unit_test(test_compares),
	        cmocka_unit_test(test_compares_of_float32),
	        cmocka_unit_test(test_minmax),
	        cmocka_unit_test(test_float32_sources),
	        cmocka_unit_test(test_minmax_of_three),
	        cmocka_unit_test(test_mixed),
	        cmocka_unit_test(test_coverage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL) | kernel_covers("uop_half_test");
}

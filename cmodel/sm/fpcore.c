// SPDX-License-Identifier: Apache-2.0
#include "fpcore.h"

enum { TOP = 125 }; /* place of the leading bit in sums, with a bit of headroom for the carry */

struct shape {
	uint8_t exp_bits, frac_bits, low; /* low: unused bits below the fraction */
	bool no_inf;                      /* the greatest exponent holds numbers; only all ones is NaN */
	bool no_nan;                      /* all ones is a number, too */
};

static struct shape shape_of(enum wl_format f)
{
	static const struct shape shapes[] = {
	        [WL_FMT_F32] = {8, 23, 0, false},      [WL_FMT_F16] = {5, 10, 0, false},
	        [WL_FMT_F64] = {11, 52, 0, false},     [WL_FMT_BF16] = {8, 7, 0, false},
	        [WL_FMT_TF32] = {8, 10, 13, false},    [WL_FMT_E4M3] = {4, 3, 0, true},
	        [WL_FMT_E5M2] = {5, 2, 0, false},      [WL_FMT_E2M3] = {2, 3, 0, true, true},
	        [WL_FMT_E3M2] = {3, 2, 0, true, true}, [WL_FMT_E2M1] = {2, 1, 0, true, true},
	};
	return shapes[f];
}

static unsigned bits_of(fp_mant m)
{
	uint64_t hi = (uint64_t)(m >> 64), lo = (uint64_t)m;
	return hi ? 128 - (unsigned)__builtin_clzll(hi) : lo ? 64 - (unsigned)__builtin_clzll(lo) : 0;
}

/* m shifted right; the lowest bit also stands for all lost bits. */
static fp_mant shift_jam(fp_mant m, unsigned n)
{
	if (n == 0)
		return m;
	if (n > 127)
		return m != 0;
	return m >> n | ((m & (((fp_mant)1 << n) - 1)) != 0);
}

struct fp_num fp_unpack(enum wl_format f, uint64_t bits)
{
	struct shape s = shape_of(f);
	int bias = (1 << (s.exp_bits - 1)) - 1, top = (1 << s.exp_bits) - 1;
	bits >>= s.low;
	uint64_t frac = bits & ((UINT64_C(1) << s.frac_bits) - 1);
	int exp = (int)(bits >> s.frac_bits) & top;
	struct fp_num n = {.neg = bits >> (s.frac_bits + s.exp_bits) & 1};
	bool all_ones = frac == (UINT64_C(1) << s.frac_bits) - 1;
	if (exp == top && !s.no_nan && (!s.no_inf || all_ones)) {
		n.kind = frac ? FP_K_NAN : FP_K_INF;
		n.mant = (fp_mant)frac << (52 - s.frac_bits);
	} else if (exp || frac) {
		n.kind = FP_K_FINITE;
		n.mant = exp ? frac | UINT64_C(1) << s.frac_bits : frac;
		n.exp = (exp ? exp : 1) - bias - s.frac_bits;
	}
	return n;
}

static bool rounds_up(enum wl_round mode, bool neg, bool odd, fp_mant rest, fp_mant half)
{
	switch (mode) {
	case WL_RN:
		return rest > half || (rest == half && odd);
	case WL_RM:
		return neg && rest;
	case WL_RP:
		return !neg && rest;
	default:
		return false;
	}
}

/* mant without its lowest `cut` bits, rounded. */
static fp_mant cut_off(struct fp_num n, unsigned cut, enum wl_round mode)
{
	fp_mant m = n.mant;
	if (cut == 0)
		return m;
	if (cut > 127) {
		m = 1; /* far below half a unit */
		cut = 2;
	}
	fp_mant kept = m >> cut, rest = m & (((fp_mant)1 << cut) - 1);
	return kept + rounds_up(mode, n.neg, kept & 1, rest, (fp_mant)1 << (cut - 1));
}

static uint64_t nan_bits(enum wl_format f, struct fp_num n)
{
	switch (f) {
	case WL_FMT_F64:
		return (uint64_t)n.neg << 63 | UINT64_C(0x7ff8) << 48 | (uint64_t)n.mant;
	case WL_FMT_F32:
	case WL_FMT_TF32:
		return 0x7fffffff;
	case WL_FMT_E4M3:
	case WL_FMT_E5M2:
		return 0x7f;
	case WL_FMT_E2M3: /* formats without NaN: the greatest number */
	case WL_FMT_E3M2:
		return 0x1f;
	case WL_FMT_E2M1:
		return 7;
	default:
		return 0x7fff;
	}
}

uint64_t fp_round(enum wl_format f, struct fp_num n, enum wl_round mode, bool finite)
{
	struct shape s = shape_of(f);
	int bias = (1 << (s.exp_bits - 1)) - 1;
	uint64_t sign = (uint64_t)n.neg << (s.frac_bits + s.exp_bits), inf = ((UINT64_C(1) << s.exp_bits) - 1)
	                                                                     << s.frac_bits;
	uint64_t most = s.no_inf ? (inf | ((UINT64_C(1) << s.frac_bits) - (s.no_nan ? 1 : 2))) : inf - 1;
	uint64_t over = s.no_inf ? most + 1 : inf; /* E4M3: NaN stands where infinity would */
	bool stays = finite || mode == WL_RZ_TRUNC || (mode == WL_RM && !n.neg) || (mode == WL_RP && n.neg);
	uint64_t v;
	switch (n.kind) {
	case FP_K_NAN:
		return nan_bits(f, n);
	case FP_K_ZERO:
		return sign << s.low;
	case FP_K_INF:
		return (sign | (finite ? most : over)) << s.low;
	default:
		break;
	}
	int width = (int)bits_of(n.mant), lead = n.exp + width - 1; /* weight of the leading bit */
	bool normal = lead >= 1 - bias;
	int ulp = (normal ? lead : 1 - bias) - s.frac_bits, cut = ulp - n.exp;
	fp_mant kept = cut >= 0 ? cut_off(n, (unsigned)cut, mode) : n.mant << -cut;
	if (lead > bias + 1)
		v = over;
	else /* the leading 1 of a normal number adds 1 to the exponent field, as a carry does */
		v = normal ? (uint64_t)kept + ((uint64_t)(lead - 1 + bias) << s.frac_bits) : (uint64_t)kept;
	if (v >= over)
		v = stays ? most : over;
	return (sign | v) << s.low;
}

struct fp_num fp_integer(uint64_t magnitude, bool neg)
{
	return (struct fp_num){.kind = magnitude ? FP_K_FINITE : FP_K_ZERO, .neg = neg && magnitude, .mant = magnitude};
}

struct fp_num fp_mul(struct fp_num a, struct fp_num b)
{
	if (a.kind == FP_K_NAN)
		return a;
	if (b.kind == FP_K_NAN)
		return b;
	struct fp_num n = {.kind = FP_K_ZERO, .neg = a.neg != b.neg};
	if (a.kind == FP_K_INF || b.kind == FP_K_INF) {
		if (a.kind == FP_K_ZERO || b.kind == FP_K_ZERO)
			return fp_invalid();
		n.kind = FP_K_INF;
	} else if (a.kind == FP_K_FINITE && b.kind == FP_K_FINITE) {
		n.kind = FP_K_FINITE;
		n.mant = a.mant * b.mant;
		n.exp = a.exp + b.exp;
	}
	return n;
}

static struct fp_num with_top(struct fp_num n)
{
	unsigned up = TOP + 1 - bits_of(n.mant);
	n.mant <<= up;
	n.exp -= (int)up;
	return n;
}

/* Two finite numbers, neither zero. */
static struct fp_num add_finite(struct fp_num a, struct fp_num b, enum wl_round mode)
{
	a = with_top(a);
	b = with_top(b);
	if (a.exp < b.exp || (a.exp == b.exp && a.mant < b.mant)) {
		struct fp_num t = a;
		a = b;
		b = t;
	}
	unsigned shift = (unsigned)(a.exp - b.exp);
	fp_mant small = shift_jam(b.mant, shift > 127 ? 128 : shift);
	a.mant = a.neg == b.neg ? a.mant + small : a.mant - small;
	if (!a.mant)
		a = (struct fp_num){.kind = FP_K_ZERO, .neg = mode == WL_RM};
	return a;
}

struct fp_num fp_add(struct fp_num a, struct fp_num b, enum wl_round mode)
{
	if (a.kind == FP_K_NAN)
		return a;
	if (b.kind == FP_K_NAN)
		return b;
	if (a.kind == FP_K_INF && b.kind == FP_K_INF && a.neg != b.neg)
		return fp_invalid();
	if (a.kind == FP_K_INF || b.kind == FP_K_INF)
		return a.kind == FP_K_INF ? a : b;
	if (a.kind == FP_K_ZERO && b.kind == FP_K_ZERO) {
		a.neg = a.neg == b.neg ? a.neg : mode == WL_RM;
		return a;
	}
	if (a.kind == FP_K_ZERO || b.kind == FP_K_ZERO)
		return a.kind == FP_K_ZERO ? b : a;
	return add_finite(a, b, mode);
}

struct fp_num fp_integral(struct fp_num n, enum wl_round mode)
{
	if (n.kind != FP_K_FINITE || n.exp >= 0)
		return n;
	n.mant = cut_off(n, (unsigned)-n.exp, mode);
	n.exp = 0;
	if (!n.mant)
		n.kind = FP_K_ZERO;
	return n;
}

// SPDX-License-Identifier: Apache-2.0
/* float_rows.c -- the host's side of float_rows.def. */
#include "float_rows.h"

#include <fenv.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#define S32(v) ((int64_t)(int32_t)(v))
#define S64(v) ((int64_t)(v))
#define TOP    (UINT64_C(1) << 63)

static float f(uint64_t v)
{
	const uint32_t bits = (uint32_t)v;
	float r;
	memcpy(&r, &bits, sizeof r);
	volatile float late = r; /* read after the rounding direction was set */
	return late;
}

static double g(uint64_t v)
{
	double r;
	memcpy(&r, &v, sizeof r);
	volatile double late = r;
	return late;
}

static float e(uint64_t v)
{
	const uint16_t bits = (uint16_t)v;
	_Float16 r;
	memcpy(&r, &bits, sizeof r);
	return (float)r;
}

static uint64_t bits_f(float v)
{
	uint32_t r;
	memcpy(&r, &v, sizeof r);
	return v != v ? 0x7fffffff : r;
}

static uint64_t bits_d(double v)
{
	uint64_t r;
	memcpy(&r, &v, sizeof r);
	return v != v ? UINT64_C(0x7fffffffffffffff) : r;
}

static uint64_t bits_h(_Float16 v)
{
	uint16_t r;
	memcpy(&r, &v, sizeof r);
	return v != v ? 0x7fff : r;
}

static uint64_t half(float v)
{
	return bits_h((_Float16)v);
}

static uint64_t flushed(uint64_t bits)
{
	return bits & 0x7f800000 ? bits : bits & 0x80000000;
}

static float z(uint64_t v)
{
	return f(flushed(v & 0xffffffff));
}

static uint64_t saturate(float v)
{
	return v != v || !(v > 0) ? 0 : bits_f(v > 1 ? 1 : v);
}

/* A NaN gives way to a number; -0 is below +0. */
static uint64_t lesser(uint64_t a, uint64_t b, bool least, bool nan)
{
	const float x = f(a), y = f(b);
	if (x != x || y != y)
		return nan || (x != x && y != y) ? 0x7fffffff : x != x ? b : a;
	return (x < y || (x == y && (signbit(x) != 0) > (signbit(y) != 0))) == least ? a : b;
}

static uint64_t lesser_d(uint64_t a, uint64_t b, bool least)
{
	const double x = g(a), y = g(b);
	if (x != x || y != y)
		return bits_d(x != x ? y : x);
	return (x < y || (x == y && (signbit(x) != 0) > (signbit(y) != 0))) == least ? a : b;
}

static uint64_t whole(double v, double low, double high)
{
	return (uint64_t)(int64_t)(v < low ? low : v > high ? high : v);
}

static uint64_t long_whole(double v)
{
	return v < -0x1p63 ? TOP : v >= 0x1p63 ? TOP - 1 : (uint64_t)(int64_t)v;
}

/* Evaluates in a rounding direction. */
static uint64_t turned_back(uint64_t v)
{
	fesetround(FE_TONEAREST);
	return v;
}
#define IN(mode, value) (fesetround(mode), turned_back(value))

const struct row float_rows[] = {
#define ROW(text, r, ka, kb, kc, expression) {text, #r[0], {#ka[0], #kb[0], #kc[0], 'n'}, NULL},
#include "float_rows.def"
#undef ROW
#undef F32_ARITHMETIC
#undef TO_INT
#undef F_COMPARE
};
const unsigned num_float_rows = sizeof float_rows / sizeof *float_rows;

uint64_t float_value(const struct row *r, uint64_t a, uint64_t b, uint64_t c)
{
	const unsigned wanted = (unsigned)(r - float_rows);
	unsigned n = 0;
#define ROW(text, result, ka, kb, kc, expression)                                                                      \
	if (n++ == wanted)                                                                                             \
		return (uint64_t)(expression);
#include "float_rows.def"
	return 0;
}

/* Decides by the text's last type, for conversions by the first type. */
char float_result(const struct row *r)
{
	static const char *const types[] = {".f32", ".f64", ".f16"};
	const char *first = NULL;
	unsigned which = 0;
	if (r->result == 'p')
		return 0;
	for (unsigned i = 0; i < 3; i++) {
		const char *at = strstr(r->text, types[i]);
		if (at && (!first || at < first)) {
			first = at;
			which = i;
		}
	}
	if (!first)
		return 0;
	if (!strncmp(r->text, "cvt", 3))
		for (const char *at = r->text; at < first; at++)
			if ((at[1] == 's' || at[1] == 'u') && at[0] == '.' && at[2] >= '1' && at[2] <= '9')
				return 0; /* to an integer */
	return "fge"[which];
}

uint64_t one_nan(char format, uint64_t v)
{
	return format == 'f'                            ? bits_f(f(v))
	       : format == 'g'                          ? bits_d(g(v))
	       : format == 'e' && (v & 0x7fff) > 0x7c00 ? 0x7fff
	                                                : v;
}

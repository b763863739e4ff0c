// SPDX-License-Identifier: Apache-2.0
/* elem.c -- elements of buffers: conversion of integers to the element type, generated contents, printing. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elem.h"

static const struct elem_type types[] = {
        {"u8", ELEM_UNSIGNED, 1},  {"s8", ELEM_SIGNED, 1},   {"u16", ELEM_UNSIGNED, 2}, {"s16", ELEM_SIGNED, 2},
        {"u32", ELEM_UNSIGNED, 4}, {"s32", ELEM_SIGNED, 4},  {"u64", ELEM_UNSIGNED, 8}, {"s64", ELEM_SIGNED, 8},
        {"f16", ELEM_HALF, 2},     {"bf16", ELEM_BFLOAT, 2}, {"f32", ELEM_FLOAT, 4},    {"f64", ELEM_FLOAT, 8},
};

const struct elem_type *elem_find(const char *name)
{
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (strcmp(types[i].name, name) == 0)
			return &types[i];
	return NULL;
}

bool elem_is_real(const struct elem_type *t)
{
	return t->kind != ELEM_UNSIGNED && t->kind != ELEM_SIGNED;
}

static uint32_t float_bits(float f)
{
	uint32_t bits;
	memcpy(&bits, &f, sizeof bits);
	return bits;
}

/* Round to nearest even on the bits of a float: drops `drop` bits of the fraction. */
static uint32_t round_fraction(uint32_t bits, unsigned drop)
{
	uint32_t half = 1u << (drop - 1), odd = bits >> drop & 1;
	return (bits + half - 1 + odd) >> drop;
}

/* f16 pattern of a float; too large becomes infinity, below the smallest normal becomes subnormal. */
static uint16_t half_bits(float f)
{
	uint32_t bits = float_bits(f), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
	if (magnitude >= 0x47800000) /* 2^16 */
		return (uint16_t)(sign | (magnitude > 0x7f800000 ? 0x7e00 : 0x7c00));
	if (magnitude < 0x38800000) { /* 2^-14: the fraction is counted in units of 2^-24 */
		float units = (f < 0 ? -f : f) * 16777216.0f;
		uint32_t whole = (uint32_t)units;
		float rest = units - (float)whole;
		whole += rest > 0.5f || (rest == 0.5f && whole & 1);
		return (uint16_t)(sign | whole);
	}
	uint32_t h = round_fraction(magnitude - 0x38000000, 13);
	return (uint16_t)(sign | (h > 0x7c00 ? 0x7c00 : h));
}

/* The float next to v with an odd fraction, if v is no float: a second rounding then goes in the direction of v. */
static float to_odd(double v)
{
	float f = (float)v;
	uint32_t bits;
	if ((double)f == v || v != v)
		return f;
	bits = float_bits(f);
	if ((f < 0 ? -(double)f : (double)f) > (v < 0 ? -v : v))
		bits--; /* towards zero: the largest number of infinity */
	bits |= 1;
	memcpy(&f, &bits, sizeof f);
	return f;
}

bool elem_real_fits(const struct elem_type *t, double v)
{
	const uint64_t bits = elem_from_real(t, v), sign = UINT64_C(1) << (8 * t->bytes - 1);
	const uint64_t infinite = t->kind == ELEM_HALF     ? 0x7c00
	                          : t->kind == ELEM_BFLOAT ? 0x7f80
	                          : t->bytes == 4          ? 0x7f800000
	                                                   : UINT64_C(0x7ff) << 52;
	return (bits & ~sign) < infinite;
}

uint64_t elem_from_real(const struct elem_type *t, double v)
{
	uint64_t bits = 0;
	float f = (float)v;
	switch (t->kind) {
	case ELEM_HALF:
		return half_bits(to_odd(v));
	case ELEM_BFLOAT:
		return round_fraction(float_bits(to_odd(v)), 16);
	default:
		if (t->bytes == 4)
			return float_bits(f);
		memcpy(&bits, &v, sizeof bits);
		return bits;
	}
}

uint64_t elem_from_int(const struct elem_type *t, int64_t v)
{
	if (t->kind == ELEM_UNSIGNED || t->kind == ELEM_SIGNED)
		return t->bytes == 8 ? (uint64_t)v : (uint64_t)v & ((UINT64_C(1) << 8 * t->bytes) - 1);
	return elem_from_real(t, (double)v);
}

/* Integers from -2^(n-1) to 2^n - 1 have an n-bit pattern: -1 is a usual way to write all ones. */
bool elem_fits(const struct elem_type *t, int64_t v)
{
	if (elem_is_real(t))
		return elem_real_fits(t, (double)v);
	if (t->bytes == 8)
		return true;
	int64_t span = INT64_C(1) << 8 * t->bytes;
	return v >= -span / 2 && v < span;
}

/* Element i of random:SEED:LO:HI. */
static uint32_t random_element(uint32_t seed, uint32_t lo, uint32_t hi, uint32_t i)
{
	uint32_t x = seed * 0x9e3779b9u + i * 0x85ebca6bu + 1;
	x = (x ^ x >> 16) * 0x7feb352du;
	x = (x ^ x >> 15) * 0x846ca68bu;
	x ^= x >> 16;
	uint32_t span = hi - lo + 1;
	return span ? lo + x % span : x;
}

uint64_t launch_element(const struct elem_type *t, const struct launch_fill *f, uint64_t i)
{
	switch (f->kind) {
	case FILL_IOTA:
		return elem_from_int(t, (int64_t)i);
	case FILL_CONST:
		return f->constant;
	case FILL_LIST:
		return f->list[i];
	case FILL_RANDOM:
		return elem_from_int(t, random_element(f->seed, f->lo, f->hi, (uint32_t)i));
	default:
		return 0;
	}
}

static bool parse_u32(const char **p, uint32_t *out)
{
	char *end;
	if (**p < '0' || **p > '9')
		return false;
	unsigned long long v = strtoull(*p, &end, 10);
	*p = end;
	*out = (uint32_t)v;
	return v <= UINT32_MAX;
}

static bool parse_random(const char *s, struct launch_fill *f)
{
	return parse_u32(&s, &f->seed) && *s++ == ':' && parse_u32(&s, &f->lo) && *s++ == ':' &&
	       parse_u32(&s, &f->hi) && !*s && f->lo <= f->hi;
}

static bool parse_const(const struct elem_type *t, const char *s, struct launch_fill *f)
{
	char *end;
	const bool real = elem_is_real(t);
	if (!*s || strspn(s, real ? "+-.0123456789eE" : "-0123456789") != strlen(s))
		return false;
	if (real) {
		const double v = strtod(s, &end);
		f->constant = elem_from_real(t, v);
		return !*end && elem_real_fits(t, v);
	}
	errno = 0;
	int64_t v = *s == '-' ? strtoll(s, &end, 10) : (int64_t)strtoull(s, &end, 10);
	f->constant = elem_from_int(t, v);
	return !*end && !errno && elem_fits(t, v);
}

bool elem_fill_parse(const struct elem_type *t, const char *text, struct launch_fill *out)
{
	if (strcmp(text, "zero") == 0)
		out->kind = FILL_ZERO;
	else if (strcmp(text, "iota") == 0)
		out->kind = FILL_IOTA;
	else if (strncmp(text, "const:", 6) == 0)
		out->kind = FILL_CONST;
	else if (strncmp(text, "random:", 7) == 0)
		out->kind = FILL_RANDOM;
	else
		return false;
	snprintf(out->text, sizeof out->text, "%s", text);
	return out->kind == FILL_CONST    ? parse_const(t, text + 6, out)
	       : out->kind == FILL_RANDOM ? parse_random(text + 7, out)
	                                  : true;
}

static double half_value(uint32_t v)
{
	const uint32_t e = v >> 10 & 31, m = v & 0x3ff;
	const double sign = v >> 15 ? -1 : 1;
	if (e == 31)
		return m ? (double)NAN : sign * (double)INFINITY;
	return sign * (e ? ldexp(1024 + m, (int)e - 25) : ldexp(m, -24));
}

static double bfloat_value(uint32_t v)
{
	const uint32_t bits = v << 16;
	float f;
	memcpy(&f, &bits, sizeof f);
	return (double)f;
}

void launch_print_element(const struct elem_type *t, const unsigned char *bytes, char *buf, size_t n)
{
	uint64_t v = 0;
	float f;
	double d;
	memcpy(&v, bytes, t->bytes);
	unsigned spare = 64 - 8 * t->bytes;
	switch (t->kind) {
	case ELEM_UNSIGNED:
		snprintf(buf, n, "%llu", (unsigned long long)v);
		break;
	case ELEM_SIGNED:
		snprintf(buf, n, "%lld", (long long)((int64_t)(v << spare) >> spare));
		break;
	case ELEM_FLOAT:
		memcpy(&f, bytes, sizeof f);
		memcpy(&d, &v, sizeof d);
		snprintf(buf, n, "%.17g", t->bytes == 4 ? (double)f : d);
		break;
	default:
		snprintf(buf, n, "%.9g (0x%04llx)",
		         t->kind == ELEM_HALF ? half_value((uint32_t)v) : bfloat_value((uint32_t)v),
		         (unsigned long long)v);
	}
}

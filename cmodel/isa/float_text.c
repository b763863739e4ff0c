// SPDX-License-Identifier: Apache-2.0
/* float_text.c -- float immediates as texts of NVIDIA's disassembler. The text loses NaN payloads. */
#include "float_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sign at the top, then exponent, then fraction; FD is the high half of a float64. */
struct format {
	unsigned width, exp_bits, frac_bits;
};

static struct format format_of(unsigned kind)
{
	switch (kind) {
	case ISA_KIND_FD:
		return (struct format){32, 11, 20};
	case ISA_KIND_FH:
		return (struct format){16, 5, 10};
	case ISA_KIND_FB:
		return (struct format){16, 8, 7};
	default:
		return (struct format){32, 8, 23};
	}
}

int isa_float_print(uint32_t bits, unsigned kind, char *buf, size_t n)
{
	struct format f = format_of(kind);
	uint32_t frac = bits & ((1u << f.frac_bits) - 1), exp = bits >> f.frac_bits & ((1u << f.exp_bits) - 1);
	bool neg = bits >> (f.width - 1) & 1;
	if (exp == (1u << f.exp_bits) - 1)
		return snprintf(buf, n, "%c%s", neg ? '-' : '+',
		                !frac                       ? "INF"
		                : frac >> (f.frac_bits - 1) ? "QNAN"
		                                            : "SNAN");
	if (!exp && !frac)
		return snprintf(buf, n, "%s", neg ? "-0.0" : "0");
	int bias = (1 << (f.exp_bits - 1)) - 1;
	double x = exp ? ldexp((double)(frac | 1u << f.frac_bits), (int)exp - bias - (int)f.frac_bits)
	               : ldexp((double)frac, 1 - bias - (int)f.frac_bits);
	return snprintf(buf, n, x >= 1e9 ? "%.20e" : "%.20g", neg ? -x : x);
}

/* Magnitude to bits, rounded to nearest even; overflow gives infinity. */
static uint32_t pack(double x, struct format f)
{
	int bias = (1 << (f.exp_bits - 1)) - 1, e;
	if (x == 0)
		return 0;
	frexp(x, &e);
	int exp = e - 1 + bias;
	int scale = exp > 0 ? (int)f.frac_bits - (e - 1) : (int)f.frac_bits - 1 + bias;
	uint64_t q = (uint64_t)nearbyint(ldexp(x, scale));
	/* A fraction rounded up to the next power of two carries into the exponent by itself. */
	uint64_t v = exp > 0 ? ((uint64_t)(exp - 1) << f.frac_bits) + q : q;
	uint64_t inf = (uint64_t)((1u << f.exp_bits) - 1) << f.frac_bits;
	return (uint32_t)(v > inf ? inf : v);
}

const char *isa_float_parse(const char *s, unsigned kind, uint32_t *bits)
{
	static const struct {
		const char *name;
		unsigned frac; /* 0 = zeros, 1 = all bits set, 2 = all bits but the quiet bit */
	} special[] = {{"INF", 0}, {"QNAN", 1}, {"SNAN", 2}};
	struct format f = format_of(kind);
	bool neg = *s == '-';
	if (*s == '-' || *s == '+')
		s++;
	uint32_t sign = neg ? 1u << (f.width - 1) : 0;
	for (unsigned i = 0; i < 3; i++) {
		size_t len = strlen(special[i].name);
		if (strncmp(s, special[i].name, len))
			continue;
		uint32_t all = (1u << f.frac_bits) - 1;
		uint32_t frac = special[i].frac == 0 ? 0 : special[i].frac == 1 ? all : all >> 1;
		*bits = sign | ((1u << f.exp_bits) - 1) << f.frac_bits | frac;
		return s + len;
	}
	if (*s < '0' || *s > '9')
		return NULL;
	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
		return NULL;
	char *end;
	*bits = sign | pack(strtod(s, &end), f);
	return end;
}

// SPDX-License-Identifier: Apache-2.0
/* exec_double.c -- float64 in register pairs, rounded to nearest even, and conversions from and to it. */
#include <math.h>

#include "exec.h"

#define QUIET_NAN64 UINT64_C(0x7fffffffffffffff)

/* abs and neg are the instruction's own: the pair's sign is in the high word. */
static double source(const struct exec *x, unsigned i, const uint32_t *row, unsigned lane)
{
	uint64_t bits = (uint64_t)row[WL_WARP_LANES + lane] << 32 | row[lane];
	double d;
	if (x->in->abs >> i & 1)
		bits &= INT64_MAX;
	if (x->in->neg >> i & 1)
		bits ^= UINT64_C(1) << 63;
	memcpy(&d, &bits, sizeof d);
	return d;
}

static void put(uint32_t *lo, uint32_t *hi, unsigned lane, double d)
{
	uint64_t bits = QUIET_NAN64;
	if (d == d)
		memcpy(&bits, &d, sizeof bits);
	lo[lane] = (uint32_t)bits;
	hi[lane] = (uint32_t)(bits >> 32);
}

#define EACH_DOUBLE(value)                                                                                             \
	ROW(lo);                                                                                                       \
	ROW(hi);                                                                                                       \
	FOR_LANES (i)                                                                                                  \
		put(lo, hi, i, value);                                                                                 \
	return write_rd64(x, lo, hi)

enum flow exec_DADD(struct exec *x)
{
	EACH_DOUBLE(source(x, 0, x->a, i) + source(x, 2, x->c, i));
}
enum flow exec_DMUL(struct exec *x)
{
	EACH_DOUBLE(source(x, 0, x->a, i) * source(x, 1, x->b, i));
}
enum flow exec_DFMA(struct exec *x)
{
	EACH_DOUBLE(fma(source(x, 0, x->a, i), source(x, 1, x->b, i), source(x, 2, x->c, i)));
}

enum flow exec_DSETP(struct exec *x)
{
	uint32_t c = 0;
	FOR_LANES (i)
		c |= (uint32_t)compare_float(x->in->op, source(x, 0, x->a, i), source(x, 1, x->b, i)) << i;
	return write_compare(x, c);
}

// SPDX-License-Identifier: Apache-2.0
/* exec_mufu.c -- functions of a float. RCP and SQRT are correctly rounded. The other functions are computed by the
 * host's library in double and rounded once. The hardware's exact bits are not known (docs/float.md); results here are
 * closer to the exact value than the hardware's. */
#include <math.h>

#include "exec.h"
#include "fpcore.h"
#include "../alu/half.h"

/* SIN and COS take the argument in turns: the program multiplies by 1 / (2 pi) first. */
static double function(unsigned op, double b)
{
	const double turn = 6.283185307179586476925286766559;
	switch (op) {
	case WL_MUFU_COS:
		return cos(b * turn);
	case WL_MUFU_SIN:
		return sin(b * turn);
	case WL_MUFU_EX2:
		return exp2(b);
	case WL_MUFU_LG2:
		return log2(b);
	case WL_MUFU_RSQ:
	case WL_MUFU_RSQ64H:
		return 1 / sqrt(b);
	case WL_MUFU_SQRT:
		return sqrt(b);
	case WL_MUFU_TANH:
		return tanh(b);
	default:
		return 1 / b;
	}
}

/* Subnormals count as zero and become zero. */
static uint32_t single(unsigned op, uint32_t b)
{
	float f = float_of(fp_flush32(b));
	f = op == WL_MUFU_RCP ? 1.0f / f : op == WL_MUFU_SQRT ? (float)sqrt(f) : (float)function(op, f);
	uint32_t bits = bits_of_float(f);
	return (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffffffu : fp_flush32(bits);
}

/* High words of two float64; the low words count as zero. Subnormals as above, NaN is 0x7fffffff. */
static uint32_t high_word(unsigned op, uint32_t b)
{
	double d = function(op, double_of((uint64_t)(b & 0x7ff00000u ? b : b & 0x80000000u) << 32));
	if (d != d)
		return 0x7fffffffu;
	uint64_t bits = bits_of_double(d);
	bits += (bits >> 52 & 0x7ff) < 0x7ff ? bits & UINT64_C(0x80000000) : 0; /* to nearest: ties may go either way */
	uint32_t high = (uint32_t)(bits >> 32);
	return high & 0x7ff00000u ? high : high & 0x80000000u;
}

enum flow exec_MUFU(struct exec *x)
{
	ROW(d);
	const struct wl_inst *in = x->in;
	const bool high = in->op == WL_MUFU_RCP64H || in->op == WL_MUFU_RSQ64H;
	if (!high && in->xn != WL_FMT_F16 && in->xn != WL_FMT_BF16) { /* nearly always */
		FOR_LANES (i)
			d[i] = x->mask >> i & 1 ? single(in->op, x->b[i]) : 0;
		return write_rd(x, d);
	}
	FOR_LANES (i) {
		uint32_t b = x->b[i], h = half_source(in, 1, b) & 0xffff;
		if (high)
			d[i] = high_word(in->op, b);
		else if (in->xn == WL_FMT_F16)
			d[i] = double_to_half(function(in->op, half_to_double(h)));
		else
			d[i] = double_to_bf16(function(in->op, bf16_to_double(fp_flush16(h, true))));
	}
	return write_rd(x, d);
}

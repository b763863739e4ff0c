// SPDX-License-Identifier: Apache-2.0
/* exec_wide.c -- integers of 64 bits in register pairs (WL_F_PAIR). Words [32..63] of a source are the high halves.
 * Immediates of 32 bits are sign-extended (prepare.c). */
#include "exec.h"

static uint64_t pair(const uint32_t *row, unsigned lane)
{
	return (uint64_t)row[WL_WARP_LANES + lane] << 32 | row[lane];
}

static enum flow write_pairs(struct exec *x, const uint64_t *d)
{
	ROW(lo);
	ROW(hi);
	FOR_LANES (i) {
		lo[i] = (uint32_t)d[i];
		hi[i] = (uint32_t)(d[i] >> 32);
	}
	return write_rd64(x, lo, hi);
}

/* Negated sources were complemented; op->plus adds the missing 1s. */
enum flow exec_IADD(struct exec *x)
{
	bool wide = x->in->flags & WL_F_PAIR;
	uint32_t carry_in = x->in->flags & WL_F_X ? read_pred(x, x->in->ps[0]) : 0, carry = 0;
	uint64_t d[WL_WARP_LANES];
	FOR_LANES (i) {
		uint64_t a = wide ? pair(x->a, i) : x->a[i], b = wide ? pair(x->b, i) : x->b[i];
		uint64_t plus = x->op->plus + (carry_in >> i & 1), low = a + b;
		d[i] = low + plus;
		carry |= (uint32_t)(wide ? low < a || d[i] < low : d[i] >> 32 != 0) << i;
	}
	write_pred(x, x->in->pd[0], carry);
	if (wide)
		return write_pairs(x, d);
	ROW(lo);
	FOR_LANES (i)
		lo[i] = (uint32_t)d[i];
	return write_rd(x, lo);
}

enum flow mov_pair(struct exec *x)
{
	return write_rd64(x, x->b, x->b + WL_WARP_LANES);
}

enum flow sel_pair(struct exec *x)
{
	uint32_t first = read_pred(x, x->in->ps[0]);
	uint64_t d[WL_WARP_LANES];
	FOR_LANES (i)
		d[i] = pair(first >> i & 1 ? x->a : x->b, i);
	return write_pairs(x, d);
}

/* -1, 0 or 1: how a stands to b. */
static int order(bool is_signed, uint64_t a, uint64_t b)
{
	bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;
	return less ? -1 : a != b;
}

bool compare_pair(const struct wl_inst *in, uint64_t a, uint64_t b)
{
	int o = order(in->flags & WL_F_SIGNED, a, b);
	unsigned is = o < 0 ? WL_CMP_LT : o == 0 ? WL_CMP_EQ : WL_CMP_GT; /* op is a set of these bits */
	return (in->op & is) != 0;
}

enum flow isetp_pair(struct exec *x)
{
	uint32_t c = 0;
	FOR_LANES (i)
		c |= (uint32_t)compare_pair(x->in, pair(x->a, i), pair(x->b, i)) << i;
	return write_compare(x, c);
}

enum flow imnmx_pair(struct exec *x)
{
	uint32_t min = read_pred(x, x->in->ps[0]);
	uint64_t d[WL_WARP_LANES];
	FOR_LANES (i) {
		bool a_less = order(x->in->flags & WL_F_SIGNED, pair(x->a, i), pair(x->b, i)) < 0;
		d[i] = pair(a_less == (min >> i & 1) ? x->a : x->b, i);
	}
	return write_pairs(x, d);
}

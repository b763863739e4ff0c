// SPDX-License-Identifier: Apache-2.0
/* exec_packed.c -- integers of 8 and 16 bits side by side in a register, and minima and maxima fused with others. */
#include "exec.h"
#include "scalar.h"

#define SGN (x->in->flags & WL_F_SIGNED)

/* Part i of v, of 8 or 16 bits. */
static int32_t part(uint32_t v, unsigned bits, bool sgn, unsigned i)
{
	uint32_t u = v >> bits * i & ((1u << bits) - 1);
	return sgn && u >> (bits - 1) ? (int32_t)u - (1 << bits) : (int32_t)u;
}

static uint32_t halves(uint32_t low, uint32_t high)
{
	return (low & 0xffff) | high << 16;
}

static uint32_t sum(bool two, uint32_t a, uint32_t b)
{
	return two ? halves(a + b, (a >> 16) + (b >> 16)) : a + b;
}

static int64_t least_or_most(bool least, int64_t a, int64_t b)
{
	return (a < b) == least ? a : b;
}

static int64_t number(uint32_t v, bool sgn)
{
	return sgn ? (int64_t)(int32_t)v : (int64_t)v;
}

/* min or max of two values, at least 0 with .RELU. */
static uint32_t choose(const struct wl_inst *in, bool least, uint32_t a, uint32_t b)
{
	bool sgn = in->flags & WL_F_SIGNED, relu = in->op;
	if (!in->xn) {
		int64_t d = least_or_most(least, number(a, sgn), number(b, sgn));
		return (uint32_t)(relu && d < 0 ? 0 : d);
	}
	int64_t d[2];
	for (unsigned i = 0; i < 2; i++) {
		d[i] = least_or_most(least, part(a, 16, sgn, i), part(b, 16, sgn, i));
		if (relu && d[i] < 0)
			d[i] = 0;
	}
	return halves((uint32_t)d[0], (uint32_t)d[1]);
}

enum flow exec_VIADD(struct exec *x)
{
	ROW(d);
	if (x->in->xn) {
		FOR_LANES (i)
			d[i] = sum(true, x->a[i], x->b[i]);
	} else {
		FOR_LANES (i)
			d[i] = x->a[i] + x->b[i];
	}
	return write_rd(x, d);
}

enum flow exec_VIMNMX(struct exec *x)
{
	ROW(d);
	uint32_t least = read_pred(x, x->in->ps[0]);
	FOR_LANES (i)
		d[i] = choose(x->in, least >> i & 1, x->a[i], x->b[i]);
	return write_rd(x, d);
}

/* .RELU of the first of two maxima or minima does not change the result of the second one's. */
enum flow exec_VIMNMX3(struct exec *x)
{
	ROW(d);
	uint32_t least = read_pred(x, x->in->ps[0]);
	FOR_LANES (i) {
		bool min = least >> i & 1;
		d[i] = choose(x->in, min, choose(x->in, min, x->a[i], x->b[i]), x->c[i]);
	}
	return write_rd(x, d);
}

enum flow exec_VIADDMNMX(struct exec *x)
{
	ROW(d);
	uint32_t least = read_pred(x, x->in->ps[0]);
	FOR_LANES (i)
		d[i] = choose(x->in, least >> i & 1, sum(x->in->xn, x->a[i], x->b[i]), x->c[i]);
	return write_rd(x, d);
}

enum flow exec_VABSDIFF4(struct exec *x)
{
	bool sgn = !x->in->type, accumulate = x->in->op;
	ROW(d);
	FOR_LANES (i) {
		uint32_t bytes = 0, total = x->c[i];
		for (unsigned k = 0; k < 4; k++) {
			int32_t diff = part(x->a[i], 8, sgn, k) - part(x->b[i], 8, sgn, k);
			uint32_t size = (uint32_t)(diff < 0 ? -diff : diff);
			bytes |= size << 8 * k;
			total += size;
		}
		d[i] = accumulate ? total : bytes;
	}
	return write_rd(x, d);
}

/* type: bit 0 = A is signed, bit 1 = B is signed. */
enum flow exec_IDP(struct exec *x)
{
	bool a_signed = x->in->type & 1, b_signed = x->in->type & 2, bytes = x->in->op == WL_IDP_4A;
	unsigned n = bytes ? 4 : 2, from = x->in->op == WL_IDP_2A_HI ? 2 : 0;
	ROW(d);
	FOR_LANES (i) {
		uint32_t total = x->c[i];
		for (unsigned k = 0; k < n; k++)
			total += (uint32_t)(part(x->a[i], bytes ? 8 : 16, a_signed, k) *
			                    part(x->b[i], 8, b_signed, from + k));
		d[i] = total;
	}
	return write_rd(x, d);
}

// SPDX-License-Identifier: Apache-2.0
/* exec_packed.c -- integers of 8 and 16 bits side by side in a register; minima and maxima fused with other
 * operations. */
#include "exec.h"
#include "scalar.h"

#define SGN (x->in->flags & WL_F_SIGNED)

/* Part i of v, of 8 or 16 bits. */
static int32_t part(uint32_t v, unsigned bits, bool sgn, unsigned i)
{
	uint32_t u = v >> bits * i & ((1u << bits) - 1);
	return sgn && u >> (bits - 1) ? (int32_t)u - (1 << bits) : (int32_t)u;
}

static int64_t number(uint32_t v, bool sgn)
{
	return sgn ? (int64_t)(int32_t)v : (int64_t)v;
}

/* Parts of a register: one of 32 bits, two of 16 or four of 8. */
static unsigned parts_of(const struct wl_inst *in)
{
	return in->xn == 2 ? 4 : in->xn + 1u;
}
static int64_t get_part(const struct wl_inst *in, uint32_t v, unsigned i)
{
	bool sgn = in->flags & WL_F_SIGNED;
	return in->xn ? part(v, 32 / parts_of(in), sgn, i) : number(v, sgn);
}
static uint32_t put_part(const struct wl_inst *in, unsigned i, int64_t v)
{
	unsigned bits = 32 / parts_of(in);
	return (uint32_t)((uint64_t)v & ((UINT64_C(1) << bits) - 1)) << bits * i;
}

static int64_t saturated(const struct wl_inst *in, int64_t v)
{
	unsigned bits = 32 / parts_of(in);
	bool sgn = in->flags & WL_F_SIGNED;
	int64_t most = sgn ? (INT64_C(1) << (bits - 1)) - 1 : (INT64_C(1) << bits) - 1, least = sgn ? -most - 1 : 0;
	return v < least ? least : v > most ? most : v;
}

/* A + B part by part; the sign of a source applies to each part. */
static uint32_t sum(const struct wl_inst *in, uint32_t a, uint32_t b)
{
	uint32_t d = 0;
	for (unsigned i = 0; i < parts_of(in); i++) {
		int64_t pa = get_part(in, a, i), pb = get_part(in, b, i);
		int64_t v = (in->neg & 1 ? -pa : pa) + (in->neg & 2 ? -pb : pb);
		d |= put_part(in, i, in->flags & WL_F_SAT ? saturated(in, v) : v);
	}
	return d;
}

static int64_t least_or_most(bool least, int64_t a, int64_t b)
{
	return (a < b) == least ? a : b;
}

/* min or max of two values, at least 0 with .RELU. */
static uint32_t choose(const struct wl_inst *in, bool least, uint32_t a, uint32_t b)
{
	uint32_t d = 0;
	for (unsigned i = 0; i < parts_of(in); i++) {
		int64_t v = least_or_most(least, get_part(in, a, i), get_part(in, b, i));
		d |= put_part(in, i, in->op && v < 0 ? 0 : v);
	}
	return d;
}

/* Of whole registers, lane by lane: `least` has the lanes for the minimum. */
LANE_LOOP static void choose_row(const struct wl_inst *in, uint32_t least, const uint32_t *a, const uint32_t *b,
                                 uint32_t *d)
{
	const bool sgn = in->flags & WL_F_SIGNED, relu = sgn && in->op;
	const uint32_t sign = sgn ? 0x80000000u : 0;
	ROW(min);
	mask_row(least, min);
#pragma GCC ivdep
	FOR_LANES (i) { /* d may be a or b */
		const uint32_t less = (a[i] ^ sign) < (b[i] ^ sign) ? UINT32_MAX : 0, is_b = less ^ min[i];
		const uint32_t v = (a[i] & ~is_b) | (b[i] & is_b);
		d[i] = relu && v >> 31 ? 0 : v;
	}
}

static void choose_lanes(const struct exec *x, const uint32_t *a, const uint32_t *b, uint32_t *d)
{
	const uint32_t least = read_pred(x, x->in->ps[0]);
	if (!x->in->xn) {
		choose_row(x->in, least, a, b, d);
		return;
	}
	FOR_LANES (i)
		d[i] = choose(x->in, least >> i & 1, a[i], b[i]);
}

enum flow exec_VIADD(struct exec *x)
{
	ROW(d);
	if (x->in->xn || x->in->flags & WL_F_SAT) {
		FOR_LANES (i)
			d[i] = sum(x->in, x->a[i], x->b[i]);
	} else {
		FOR_LANES (i)
			d[i] = x->a[i] + x->b[i];
	}
	return write_rd(x, d);
}

enum flow exec_VIMNMX(struct exec *x)
{
	ROW(d);
	choose_lanes(x, x->a, x->b, d);
	return write_rd(x, d);
}

/* .RELU of the first of two maxima or minima does not change the result of the second. */
enum flow exec_VIMNMX3(struct exec *x)
{
	ROW(d);
	choose_lanes(x, x->a, x->b, d);
	choose_lanes(x, d, x->c, d);
	return write_rd(x, d);
}

enum flow exec_VIADDMNMX(struct exec *x)
{
	ROW(d);
	FOR_LANES (i)
		d[i] = x->in->xn ? sum(x->in, x->a[i], x->b[i]) : x->a[i] + x->b[i];
	choose_lanes(x, d, x->c, d);
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

// SPDX-License-Identifier: Apache-2.0
/* exec_float2.c -- two float32 side by side in a pair of registers (sm_100). FADD, FMUL and FFMA define each result. A
 * source is a pair, a pair with swapped parts, or a single register for both parts. */
#include "exec.h"
#include "../alu/float_bits.h"
#include "fpcore.h"

enum { QUIET_NAN = 0x7fffffff };

/* Part `part` (0 low) of source i, with the sign of this source. */
static uint32_t part_of(const struct exec *x, unsigned i, const uint32_t *row, unsigned lane, unsigned part)
{
	const struct wl_inst *in = x->in;
	unsigned high = in->sel[i] == WL_PAIR_F32 ? 0 : part ^ (in->sel[i] == WL_PAIR_LO_HI);
	uint32_t v = row[high * WL_WARP_LANES + lane];
	if (in->abs >> i & 1)
		v &= 0x7fffffffu;
	if (in->neg >> i & 1)
		v ^= 0x80000000u;
	return in->flags & (WL_F_FTZ | WL_F_FMZ) ? fp_flush32(v) : v;
}

static struct fp_num number(uint32_t v)
{
	return fp_unpack(WL_FMT_F32, v);
}

/* .FMZ: zero times anything is +0. */
static struct fp_num product(const struct wl_inst *in, struct fp_num a, struct fp_num b)
{
	if (in->flags & WL_F_FMZ && (a.kind == FP_K_ZERO || b.kind == FP_K_ZERO))
		return (struct fp_num){.kind = FP_K_ZERO};
	return fp_mul(a, b);
}

static uint32_t result(const struct wl_inst *in, uint32_t a, uint32_t b, uint32_t c)
{
	struct fp_num n, p = number(a), q = number(b);
	if (in->uop == WL_UOP_FADD2)
		n = fp_add(p, q, in->type);
	else if (in->uop == WL_UOP_FMUL2)
		n = product(in, p, q);
	else
		n = fp_add(product(in, p, q), number(c), in->type);
	if (n.kind == FP_K_NAN)
		return QUIET_NAN;
	uint32_t v = (uint32_t)fp_round(WL_FMT_F32, n, in->type, false);
	return in->flags & (WL_F_FTZ | WL_F_FMZ) ? fp_flush32(v) : v;
}

static enum flow both(struct exec *x, unsigned sources)
{
	ROW(lo);
	ROW(hi);
	FOR_LANES (i)
		for (unsigned part = 0; part < 2; part++) {
			uint32_t a = part_of(x, 0, x->a, i, part), b = part_of(x, 1, x->b, i, part);
			uint32_t c = sources > 2 ? part_of(x, 2, x->c, i, part) : 0;
			(part ? hi : lo)[i] = result(x->in, a, b, c);
		}
	return write_rd64(x, lo, hi);
}

enum flow exec_FADD2(struct exec *x)
{
	return both(x, 2);
}
enum flow exec_FMUL2(struct exec *x)
{
	return both(x, 2);
}
enum flow exec_FFMA2(struct exec *x)
{
	return both(x, 3);
}

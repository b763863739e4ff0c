// SPDX-License-Identifier: Apache-2.0
/* exec_half.c -- arithmetic on two float16 halves of a register. */
#include "exec.h"
#include "half.h"

/* The halves of a word that a source names: 0 both, 2 the low one twice, 3 the high one twice; then signs. */
static uint32_t halves(const struct wl_inst *in, unsigned i, unsigned which, uint32_t v)
{
	if (which == 2)
		v = (v & 0xffff) | v << 16;
	else if (which == 3)
		v = v >> 16 | (v & 0xffff0000u);
	if (in->abs >> i & 1)
		v &= 0x7fff7fffu;
	return in->neg >> i & 1 ? v ^ 0x80008000u : v;
}

enum flow exec_HADD2(struct exec *x)
{
	ROW(d);
	FOR_LANES (i)
		d[i] = half2_add(halves(x->in, 0, x->in->xn, x->a[i]), halves(x->in, 1, x->in->bop, x->b[i]));
	return write_rd(x, d);
}

/* -0 * 0 + C with a C of two immediates is how the assembler moves a constant: the bits of C are the result then. */
enum flow exec_HFMA2(struct exec *x)
{
	ROW(d);
	const struct wl_inst *in = x->in;
	if (in->src[2] == WL_SRC_IMM && in->ra == WL_RZ && in->neg & 1 && in->rb == WL_RZ)
		return write_rd(x, x->c);
	FOR_LANES (i) {
		uint32_t a = halves(in, 0, in->xn, x->a[i]), b = halves(in, 1, in->bop, x->b[i]);
		uint32_t c = halves(in, 2, 0, x->c[i]);
		d[i] = half_fma(a & 0xffff, b & 0xffff, c & 0xffff) | half_fma(a >> 16, b >> 16, c >> 16) << 16;
	}
	return write_rd(x, d);
}

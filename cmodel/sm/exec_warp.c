// SPDX-License-Identifier: Apache-2.0
/* exec_warp.c -- the unit `warp_collective` in C: votes and shuffles among the active lanes of a warp. */
#include "exec.h"

/* Whether all, any, or all-or-none of the active lanes have the predicate. */
static bool vote(unsigned op, uint32_t yes, uint32_t active)
{
	return op == WL_VOTE_ALL ? yes == active : op == WL_VOTE_ANY ? yes != 0 : yes == active || yes == 0;
}

enum flow exec_VOTE(struct exec *x)
{
	ROW(d);
	uint32_t yes = x->mask & read_pred(x, x->in->ps[0]);
	FOR_LANES (i)
		d[i] = yes;
	write_pred(x, x->in->pd[0], vote(x->in->op, yes, x->mask) ? ALL_LANES : 0);
	return write_rd(x, d);
}

enum flow exec_VOTEU(struct exec *x)
{
	uint32_t yes = x->mask & read_pred(x, x->in->ps[0]);
	if (x->in->pd[0] != WL_PT)
		x->uni[UPRED + x->in->pd[0]] = vote(x->in->op, yes, x->mask) ? ALL_LANES : 0;
	return write_ur(x, x->in->urd, yes);
}

/* Lane that lane i reads, and whether it lies in its segment; out of range it reads itself. b: lane number, distance
 * or mask; c: clamp in 4:0, segment mask in 12:8 (PTX ISA, "shfl.sync"). */
static unsigned shuffle_source(unsigned op, unsigned i, uint32_t b, uint32_t c, bool *in_range)
{
	unsigned segment = c >> 8 & 31, limit = (i & segment) | (c & 31 & ~segment), j;
	b &= 31;
	switch (op) {
	case WL_SHFL_UP:
		j = i - b;
		*in_range = (int)j >= (int)limit;
		break;
	case WL_SHFL_DOWN:
		j = i + b;
		*in_range = j <= limit;
		break;
	case WL_SHFL_BFLY:
		j = i ^ b;
		*in_range = j <= limit;
		break;
	default:
		j = (i & segment) | (b & ~segment);
		*in_range = j <= limit;
	}
	return *in_range ? j & 31 : i;
}

enum flow exec_SHFL(struct exec *x)
{
	ROW(d);
	uint32_t ranged = 0;
	FOR_LANES (i) {
		bool in_range;
		d[i] = x->a[shuffle_source(x->in->op, i, x->b[i], x->c[i], &in_range)];
		ranged |= (uint32_t)in_range << i;
	}
	write_pred(x, x->in->pd[0], ranged);
	return write_rd(x, d);
}

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

static uint64_t match_value(const struct exec *x, unsigned lane)
{
	return x->in->size == 8 ? (uint64_t)x->a[WL_WARP_LANES + lane] << 32 | x->a[lane] : x->a[lane];
}

enum flow exec_MATCH(struct exec *x)
{
	ROW(d);
	uint32_t all = 0;
	FOR_LANES (i) {
		uint32_t same = 0;
		for (uint32_t m = x->mask; m; m &= m - 1)
			same |= (uint32_t)(match_value(x, lowest(m)) == match_value(x, i)) << lowest(m);
		all |= (uint32_t)(same == x->mask) << i;
		d[i] = x->in->op || same == x->mask ? same : 0;
	}
	write_pred(x, x->in->pd[0], all);
	return write_rd(x, d);
}

enum flow exec_REDUX(struct exec *x)
{
	bool sgn = x->in->flags & WL_F_SIGNED;
	uint32_t v = x->a[lowest(x->mask)];
	for (uint32_t m = x->mask & (x->mask - 1); m; m &= m - 1) {
		uint32_t a = x->a[lowest(m)];
		bool less = sgn ? (int32_t)a < (int32_t)v : a < v;
		switch (x->in->op) {
		case WL_REDUX_AND:
			v &= a;
			break;
		case WL_REDUX_OR:
			v |= a;
			break;
		case WL_REDUX_XOR:
			v ^= a;
			break;
		case WL_REDUX_SUM:
			v += a;
			break;
		case WL_REDUX_MIN:
			v = less ? a : v;
			break;
		default:
			v = less ? v : a;
		}
	}
	return write_ur(x, x->in->urd, v);
}

/* Without a lane to elect the predicate is false and the register keeps its value. */
enum flow exec_ELECT(struct exec *x)
{
	uint32_t able = x->mask & read_pred(x, x->in->ps[0]);
	write_pred(x, x->in->pd[0], able & (0 - able));
	return able ? write_ur(x, x->in->urd, lowest(able)) : FLOW_NEXT;
}

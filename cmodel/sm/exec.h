// SPDX-License-Identifier: Apache-2.0
/* exec.h -- private: helpers of the functions exec_<uop>. */
#ifndef WARPLOCK_EXEC_H
#define WARPLOCK_EXEC_H

#include <string.h>

#include "../units/lane_row.h"
#include "exec_state.h"

/* A row of 32 words under construction. */
#define ROW(name) _Alignas(16) uint32_t name[WL_WARP_LANES]

/* The lanes of x->mask of a register. */
static inline void write_part(const struct exec *x, uint32_t *to, const uint32_t *d)
{
	ROW(m);
	mask_row(x->mask, m);
	FOR_OWN_LANES (i)
		to[i] = (to[i] & ~m[i]) | (d[i] & m[i]);
}
static inline void write_row(struct exec *x, uint8_t rd, const uint32_t *d)
{
	if (rd == WL_RZ)
		return;
	if (x->mask == ALL_LANES)
		memcpy(x->r[rd], d, sizeof(lane_row));
	else
		write_part(x, x->r[rd], d);
}

static inline enum flow write_rd(struct exec *x, const uint32_t *d)
{
	write_row(x, x->in->rd, d);
	return FLOW_NEXT;
}

/* The same row for functions that write lane i after the last read of lane i of the sources, in FOR_OWN_LANES: the
 * register itself when all lanes execute. A function with RESULT ends with write_result. */
#define RESULT(name)                                                                                                   \
	ROW(name##_apart);                                                                                             \
	uint32_t *const name = result_row(x, name##_apart)
static inline uint32_t *result_row(const struct exec *x, uint32_t *apart)
{
	return x->mask == ALL_LANES && x->in->rd != WL_RZ ? x->r[x->in->rd] : apart;
}
static inline enum flow write_result(const struct exec *x, const uint32_t *d)
{
	if (x->mask != ALL_LANES && x->in->rd != WL_RZ)
		write_part(x, x->r[x->in->rd], d);
	return FLOW_NEXT;
}

/* 64-bit result; with the low half to RZ the high half goes nowhere, too. */
static inline enum flow write_rd64(struct exec *x, const uint32_t *lo, const uint32_t *hi)
{
	if (x->in->rd != WL_RZ) {
		write_row(x, x->in->rd, lo);
		write_row(x, x->in->rd + 1u == WL_RZ ? WL_RZ : (uint8_t)(x->in->rd + 1), hi);
	}
	return FLOW_NEXT;
}

/* Predicate input: 0..7, + 8 when negated. */
static inline uint32_t read_pred(const struct exec *x, uint8_t ps)
{
	return x->w->preds[ps & 7] ^ (ps & 8 ? ALL_LANES : 0);
}

static inline void write_pred(struct exec *x, uint8_t pd, uint32_t value)
{
	if (pd != WL_PT)
		x->w->preds[pd] = (x->w->preds[pd] & ~x->mask) | (value & x->mask);
}

/* Result of a comparison: pd0 = c bop ps0, pd1 = !c bop ps0. */
static inline uint32_t combine(unsigned bop, uint32_t a, uint32_t b)
{
	return bop == WL_BOOL_AND ? a & b : bop == WL_BOOL_OR ? a | b : a ^ b;
}
static inline enum flow write_compare(struct exec *x, uint32_t c)
{
	uint32_t other = read_pred(x, x->in->ps[0]);
	uint32_t p0 = combine(x->in->bop, c, other), p1 = combine(x->in->bop, ~c, other);
	write_pred(x, x->in->pd[0], p0);
	write_pred(x, x->in->pd[1], p1);
	return FLOW_NEXT;
}
/* Float comparison by the word's field: 0 false, 1..6 as enum wl_cmp, 7 ordered, 8 unordered, 9..14 as 1..6 or
 * unordered, 15 true. */
static inline bool compare_float(unsigned op, double a, double b)
{
	unsigned is = a != a || b != b ? 8 : a < b ? 1 : a == b ? 2 : 4; /* op is a set of these bits */
	return (op & is) != 0;
}

uint32_t saturate32(uint32_t bits); /* exec_float.c */
bool special_is_clock(uint32_t sr); /* exec_special.c: a special register that counts time */

/* Uniform registers: 255 (or 63) is URZ. */
static inline uint32_t read_ur(const struct exec *x, uint8_t ur)
{
	return ur >= URZ_SLOT ? 0 : x->uni[ur];
}
static inline uint32_t read_ur_hi(const struct exec *x, uint8_t ur)
{
	return ur >= URZ_SLOT - 1 ? 0 : x->uni[ur + 1];
}
static inline enum flow write_ur(struct exec *x, uint8_t urd, uint32_t value)
{
	if (urd < URZ_SLOT)
		x->uni[urd] = value;
	return FLOW_NEXT;
}

/* Writes memory visible to other warps. All plain writes of instructions come through here. Whether a write changes
 * anything decides whether spinning warps can ever go on (spin.c). */
static inline void write_memory(struct exec *x, uint8_t *p, const void *v, unsigned size)
{
	bool same = size == 4   ? memcmp(p, v, 4) == 0 /* a memcmp of known size is no call */
	            : size == 8 ? memcmp(p, v, 8) == 0
	                        : memcmp(p, v, size) == 0;
	if (same)
		return;
	memcpy(p, v, size);
	observe_change(x->gpu, true);
	observe_store(x->gpu, p, size);
}

/* exec_wide.c: the same on pairs of registers (WL_F_PAIR) */
enum flow mov_pair(struct exec *x);
enum flow sel_pair(struct exec *x);
enum flow isetp_pair(struct exec *x);
enum flow imnmx_pair(struct exec *x);
bool compare_pair(const struct wl_inst *in, uint64_t a, uint64_t b); /* a op b */

/* True: the warp must wait for posted requests before this instruction (memory, barriers, fences, exit). */
static inline bool must_drain(const struct exec *x)
{
	return x->w->posted != 0;
}

#endif

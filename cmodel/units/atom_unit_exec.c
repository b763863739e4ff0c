// SPDX-License-Identifier: Apache-2.0
/* atom_unit_exec.c -- atomics on global memory for wlrun. The word of every lane is known to exist. The whole
 * instruction runs at once on the warp's registers, lowest lane first, without plan and record. Nearly all instructions
 * have 32 bits and run in loops with the operation known at compile time. */
#include <assert.h>
#include <string.h>

#include "../alu/atomic_alu_inline.h"
#include "lane_row.h"
#include "warplock/atom_unit.h"

static const uint32_t zeros[WL_WARP_LANES];

/* The lanes of an instruction. Register rows of missing operands read as 0. */
struct lanes {
	uint8_t *const *at; /* NULL: all 32 lanes, from `row` on, consecutive */
	uint8_t *row;
	uint32_t mask;
	const uint32_t *b, *b1, *c, *c1;
	uint32_t *d, *d1; /* NULL: no such register */
};

static const uint32_t *operand(uint32_t (*regs)[WL_WARP_LANES], unsigned r)
{
	return r < WL_RZ ? regs[r] : zeros;
}

/* Known to the loop of an operation at compile time. */
struct known {
	bool cas;
	enum wl_atom_op op;
	bool sgn, keep;
};

INLINE uint32_t turn32(uint8_t *at, const struct lanes *x, struct known k, unsigned lane)
{
	uint32_t old, now;
	memcpy(&old, at, 4);
	now = k.cas ? old == x->b[lane] ? x->c[lane] : old : atomic_alu32(k.op, k.sgn, old, x->b[lane]);
	memcpy(at, &now, 4);
	if (k.keep)
		x->d[lane] = old;
	return old ^ now;
}

/* In a row every lane has a word of its own. The order of lanes does not matter, and the lanes may run as vectors. */
INLINE bool loop32(const struct lanes *from, struct known k)
{
	const struct lanes x = *from; /* a local: no store changes `x` */
	uint32_t changed = 0;
	if (!x.at) {
#pragma GCC ivdep
		for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)
			changed |= turn32(x.row + 4 * lane, &x, k, lane);
		return changed != 0;
	}
	for (uint32_t m = x.mask; m; m &= m - 1)
		changed |= turn32(x.at[wl_lowest(m)], &x, k, wl_lowest(m));
	return changed != 0;
}

INLINE bool exec32(const struct lanes *x, const struct wl_inst *in, bool keep)
{
	const bool sgn = in->flags & WL_F_SIGNED;
	if (wl_atom_is_cas(in))
		return loop32(x, (struct known){true, WL_ATOM_ADD, false, keep});
	switch (in->op) {
#define ROW(OP, SGN)                                                                                                   \
	case WL_ATOM_##OP:                                                                                             \
		return loop32(x, (struct known){false, WL_ATOM_##OP, SGN, keep});
		ROW(ADD, false)
		ROW(MIN, sgn)
		ROW(MAX, sgn)
		ROW(INC, false)
		ROW(DEC, false)
		ROW(AND, false)
		ROW(OR, false)
		ROW(XOR, false)
		ROW(EXCH, false)
#undef ROW
	}
	assert(!"an atomic operation of the table");
	return false;
}

/* CAST, floats, 64 bits. Each loop knows the size at compile time. */
INLINE bool exec_size(const struct lanes *from, const struct wl_inst *in, unsigned size)
{
	const struct lanes x = *from;
	uint64_t changed = 0;
	for (uint32_t m = x.mask; m; m &= m - 1) {
		const unsigned lane = wl_lowest(m);
		uint64_t old = 0, now, result;
		memcpy(&old, x.at[lane], size);
		now = wl_atom_turn(in, old, x.b[lane] | (uint64_t)x.b1[lane] << 32,
		                   x.c[lane] | (uint64_t)x.c1[lane] << 32, &result);
		memcpy(x.at[lane], &now, size);
		changed |= old ^ now;
		if (x.d)
			x.d[lane] = (uint32_t)result;
		if (x.d1)
			x.d1[lane] = (uint32_t)(result >> 32);
	}
	return changed != 0;
}

static bool exec_any(const struct lanes *x, const struct wl_inst *in)
{
	return in->size == 8 ? exec_size(x, in, 8) : exec_size(x, in, 4);
}

static struct lanes lanes_of(const struct wl_inst *in, uint32_t (*regs)[WL_WARP_LANES], uint32_t mask)
{
	const bool wide = in->size == 8, keep = wl_atom_has_result(in);
	assert(in->size == 4 || wide);
	return (struct lanes){.mask = mask,
	                      .b = operand(regs, in->rb),
	                      .b1 = operand(regs, wide ? in->rb + 1u : WL_RZ),
	                      .c = operand(regs, in->rc),
	                      .c1 = operand(regs, wide ? in->rc + 1u : WL_RZ),
	                      .d = keep ? regs[in->rd] : NULL,
	                      .d1 = keep && wide && in->rd + 1 < WL_RZ ? regs[in->rd + 1] : NULL};
}

static bool is_plain32(const struct wl_inst *in)
{
	return in->size == 4 && in->type == WL_AT_INT && in->uop != WL_UOP_ATOM_CAST;
}

LANE_LOOP static bool run32(const struct lanes *x, const struct wl_inst *in)
{
	return x->d ? exec32(x, in, true) : exec32(x, in, false);
}

bool wl_atom_exec(const struct wl_inst *in, uint8_t *const at[WL_WARP_LANES], uint32_t (*regs)[WL_WARP_LANES],
                  uint32_t mask)
{
	struct lanes x = lanes_of(in, regs, mask);
	x.at = at;
	return is_plain32(in) ? run32(&x, in) : exec_any(&x, in);
}

bool wl_atom_row_exec(const struct wl_inst *in, uint8_t *at, uint32_t (*regs)[WL_WARP_LANES], bool *changed)
{
	if (!is_plain32(in))
		return false;
	struct lanes x = lanes_of(in, regs, UINT32_MAX);
	x.row = at;
	*changed = run32(&x, in);
	return true;
}

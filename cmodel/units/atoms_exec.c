// SPDX-License-Identifier: Apache-2.0
/* atoms_exec.c -- atoms_pipe as wlrun needs it: the whole instruction at once on the warp's registers, no plan, no
 * record. Addresses of all lanes first, then their turns, lowest lane first; 32-bit accesses of a full warp without a
 * fault, which are nearly all there are, run in loops that know their operation. */
#include <assert.h>
#include <string.h>

#include "atoms_pipe_inline.h"

static const uint32_t zeros[WL_WARP_LANES];

struct exec {
	const struct wl_inst *in;
	uint8_t *mem;                 /* first byte of the window */
	uint32_t addr[WL_WARP_LANES]; /* of all lanes; those of lanes that do not take part mean nothing */
	uint32_t ok;
};

/* Register n as an operand: registers from RZ on read as zero, also as the upper part of a wide operand. */
static const uint32_t *operand(uint32_t (*regs)[WL_WARP_LANES], unsigned n)
{
	return n < WL_RZ ? regs[n] : zeros;
}

static void exec_addresses(struct exec *x, uint32_t (*regs)[WL_WARP_LANES], uint32_t ur)
{
	const uint32_t addend = atoms_addend(x->in, ur);
	const uint32_t *ra = operand(regs, x->in->ra);
	const unsigned xn = x->in->xn;
	for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)
		x->addr[lane] = (ra[lane] << xn) + addend;
}

/* Whether some lane of all 32 has a fault; `last` is the highest address that is in range. */
static bool any_fault(const struct exec *x, uint32_t last)
{
	const uint32_t low = x->in->size - 1u;
	uint32_t bad = 0;
	for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)
		bad |= (x->addr[lane] & low) | (x->addr[lane] > last);
	return bad != 0;
}

/* Takes the lanes that fault out of x->ok and returns them. */
static uint32_t exec_faults(struct exec *x, const struct wl_window *w, uint8_t fault[WL_WARP_LANES])
{
	if (!(x->in->flags & WL_F_ILLEGAL) && w->valid && w->size >= x->in->size &&
	    !any_fault(x, w->size - x->in->size))
		return 0;
	uint32_t faulted = 0;
	for (uint32_t left = x->ok; left; left &= left - 1) {
		unsigned lane = (unsigned)__builtin_ctz(left);
		enum wl_fault f = x->in->flags & WL_F_ILLEGAL ? WL_FAULT_ILLEGAL_INSTRUCTION
		                                              : atoms_lane_fault(w, x->addr[lane], x->in->size);
		if (f != WL_FAULT_NONE) {
			fault[lane] = (uint8_t)f;
			faulted |= UINT32_C(1) << lane;
		}
	}
	x->ok &= ~faulted;
	return faulted;
}

/* ---- passes ---- */

/* Passes of a beat of loads: different words of the fullest bank group. */
static unsigned load_passes(const struct exec *x, uint32_t base, uint32_t lanes, unsigned groups)
{
	const uint32_t width = atoms_bank_bytes(x->in->size);
	uint32_t word[WL_WARP_LANES][WL_WARP_LANES];
	uint8_t words[WL_WARP_LANES] = {0};
	unsigned most = 0;
	for (; lanes; lanes &= lanes - 1) {
		uint32_t addr = base + x->addr[__builtin_ctz(lanes)];
		unsigned group = addr / width & (groups - 1), i = 0;
		while (i < words[group] && word[group][i] != addr)
			i++;
		if (i < words[group])
			continue;
		word[group][i] = addr;
		words[group] = (uint8_t)(i + 1);
		most = i + 1 > most ? i + 1 : most;
	}
	return most;
}

/* Passes of a beat of stores or atomics: lanes of the fullest bank group. */
static unsigned update_passes(const struct exec *x, uint32_t base, uint32_t lanes, unsigned groups)
{
	const unsigned shift = (unsigned)__builtin_ctz(atoms_bank_bytes(x->in->size));
	uint8_t count[WL_WARP_LANES] = {0};
	unsigned most = 0;
	for (; lanes; lanes &= lanes - 1) {
		unsigned group = (base + x->addr[__builtin_ctz(lanes)]) >> shift & (groups - 1);
		unsigned n = ++count[group];
		most = n > most ? n : most;
	}
	return most;
}

/* A full warp in one beat on 32 different banks needs one pass: worth asking first, it is the usual case. */
static bool one_pass(const struct exec *x)
{
	uint32_t banks = 0;
	for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)
		banks |= UINT32_C(1) << (x->addr[lane] >> 2 & 31);
	return banks == UINT32_MAX;
}

/* `losers` need no bank, but a beat of them alone takes a pass. */
static unsigned count_passes(const struct wl_smem *s, const struct exec *x, uint32_t base, uint32_t losers)
{
	const unsigned groups = atoms_bank_groups(s, x->in->size);
	if (x->ok == UINT32_MAX && s->lanes == 32 && groups == 32 && one_pass(x))
		return 1;
	const uint32_t beat_mask = UINT32_MAX >> (WL_WARP_LANES - s->lanes);
	unsigned passes = 0;
	for (unsigned beat = 0; beat < WL_WARP_LANES / s->lanes; beat++) {
		uint32_t lanes = x->ok & beat_mask << beat * s->lanes;
		uint32_t todo = lanes & ~losers;
		if (!todo)
			passes += lanes != 0;
		else if (x->in->uop == WL_UOP_LDS)
			passes += load_passes(x, base, todo, groups);
		else
			passes += update_passes(x, base, todo, groups);
	}
	return passes;
}

/* ---- 32-bit accesses: one loop for each operation ---- */

struct operands {
	const uint32_t *b, *c;
	uint32_t *d;
};

static inline __attribute__((always_inline)) void turn32(const struct exec *x, const struct operands *v,
                                                         enum wl_uop uop, enum wl_atom_op op, bool sgn, bool keep,
                                                         unsigned lane)
{
	uint8_t *at = x->mem + x->addr[lane];
	uint32_t old, now, b = v->b[lane];
	memcpy(&old, at, 4);
	uint32_t result = old;
	if (uop == WL_UOP_LDS) {
		if (keep)
			v->d[lane] = result;
		return;
	}
	if (uop == WL_UOP_STS) {
		memcpy(at, &b, 4);
		return;
	}
	if (uop == WL_UOP_ATOMS) {
		now = atomic_alu32(op, sgn, old, b);
	} else {
		now = old == b ? v->c[lane] : old;
		result = uop == WL_UOP_ATOMS_CAST ? old == b : old;
	}
	memcpy(at, &now, 4);
	if (keep)
		v->d[lane] = result;
}

/* Constant arguments make this two plain loops: all lanes, or the lanes of x->ok. */
static inline __attribute__((always_inline)) void loop32(const struct exec *x, const struct operands *v,
                                                         enum wl_uop uop, enum wl_atom_op op, bool sgn, bool keep)
{
	if (x->ok == UINT32_MAX) {
		for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)
			turn32(x, v, uop, op, sgn, keep, lane);
		return;
	}
	for (uint32_t left = x->ok; left; left &= left - 1)
		turn32(x, v, uop, op, sgn, keep, (unsigned)__builtin_ctz(left));
}

static inline __attribute__((always_inline)) void exec_atoms32(const struct exec *x, const struct operands *v,
                                                               bool keep)
{
	const bool sgn = x->in->flags & WL_F_SIGNED;
	switch (x->in->op) {
#define ROW(OP)                                                                                                        \
	case WL_ATOM_##OP:                                                                                             \
		loop32(x, v, WL_UOP_ATOMS, WL_ATOM_##OP, false, keep);                                                 \
		return;
#define ROW_SIGNED(OP)                                                                                                 \
	case WL_ATOM_##OP:                                                                                             \
		if (sgn)                                                                                               \
			loop32(x, v, WL_UOP_ATOMS, WL_ATOM_##OP, true, keep);                                          \
		else                                                                                                   \
			loop32(x, v, WL_UOP_ATOMS, WL_ATOM_##OP, false, keep);                                         \
		return;
		ROW(ADD)
		ROW_SIGNED(MIN)
		ROW_SIGNED(MAX)
		ROW(INC)
		ROW(DEC)
		ROW(AND)
		ROW(OR)
		ROW(XOR)
		ROW(EXCH)
#undef ROW
#undef ROW_SIGNED
	}
	assert(!"an atomic operation of the table");
}

/* True when it was done here. */
static bool exec32(const struct exec *x, uint32_t (*regs)[WL_WARP_LANES])
{
	const struct wl_inst *in = x->in;
	const bool keep = in->rd < WL_RZ;
	const struct operands v = {operand(regs, in->rb), operand(regs, in->rc), keep ? regs[in->rd] : NULL};
	if (in->size != 4)
		return false;
	switch (in->uop) {
	case WL_UOP_LDS:
		if (keep)
			loop32(x, &v, WL_UOP_LDS, WL_ATOM_ADD, false, true);
		return true;
	case WL_UOP_STS:
		loop32(x, &v, WL_UOP_STS, WL_ATOM_ADD, false, false);
		return true;
	case WL_UOP_ATOMS:
		if (keep)
			exec_atoms32(x, &v, true);
		else
			exec_atoms32(x, &v, false);
		return true;
	case WL_UOP_ATOMS_CAS:
		if (keep)
			loop32(x, &v, WL_UOP_ATOMS_CAS, WL_ATOM_ADD, false, true);
		else
			loop32(x, &v, WL_UOP_ATOMS_CAS, WL_ATOM_ADD, false, false);
		return true;
	default:
		return false;
	}
}

/* ---- every size ---- */

static struct wl_lane gather(uint32_t (*regs)[WL_WARP_LANES], unsigned first, unsigned words, unsigned lane)
{
	struct wl_lane v = {{0}};
	for (unsigned i = 0; i < words; i++)
		v.w[i] = operand(regs, first + i)[lane];
	return v;
}

static void exec_any(const struct exec *x, uint32_t (*regs)[WL_WARP_LANES], uint32_t losers)
{
	const struct wl_inst *in = x->in;
	const unsigned words = (in->size + 3u) / 4;
	/* the result of CAST is one register, whatever it compared */
	const unsigned results = in->uop == WL_UOP_STS ? 0 : in->uop == WL_UOP_ATOMS_CAST ? 1 : words;
	for (uint32_t left = x->ok; left; left &= left - 1) {
		unsigned lane = (unsigned)__builtin_ctz(left);
		uint8_t *at = x->mem + x->addr[lane];
		struct wl_lane b = gather(regs, in->rb, words, lane), c = gather(regs, in->rc, words, lane), result;
		struct wl_lane old = atoms_load(at, in->size);
		struct wl_lane now = atoms_lane_turn(in, &old, &b, &c, losers >> lane & 1, &result);
		memcpy(at, &now, in->size);
		for (unsigned i = 0; i < results && in->rd + i < WL_RZ; i++)
			regs[in->rd + i][lane] = result.w[i];
	}
}

uint32_t wl_atoms_exec(struct wl_smem *s, unsigned slot, const struct wl_inst *in, uint32_t (*regs)[WL_WARP_LANES],
                       uint32_t mask, uint32_t ur, uint8_t fault[WL_WARP_LANES], unsigned *passes)
{
	const struct wl_window *w = &s->window[slot];
	struct exec x;
	x.in = in;
	x.mem = s->mem + w->base;
	x.ok = mask;
	exec_addresses(&x, regs, ur);
	uint32_t faulted = exec_faults(&x, w, fault);
	if (passes)
		*passes = 0;
	if (!x.ok)
		return faulted;
	uint32_t losers = atoms_spin_losers(in, x.addr, x.ok);
	if (!exec32(&x, regs))
		exec_any(&x, regs, losers);
	if (passes)
		*passes = count_passes(s, &x, w->base, losers);
	return faulted;
}

// SPDX-License-Identifier: Apache-2.0
/* atoms_pipe_inline.h -- private: shared code of plan/apply (atoms_pipe.c) and wlrun's fast path
 * (atoms_pipe_exec.c). */
#ifndef WARPLOCK_ATOMS_PIPE_INLINE_H
#define WARPLOCK_ATOMS_PIPE_INLINE_H

#include <string.h>

#include "../alu/atomic_alu_inline.h"
#include "warplock/atoms_pipe.h"

/* Words without a meaning: by their row, or because the configuration has no native operations. */
static inline bool atoms_illegal(const struct wl_smem *s, const struct wl_inst *in)
{
	return in->flags & WL_F_ILLEGAL || (in->uop == WL_UOP_ATOMSN && !s->native);
}

/* Address faults of a lane: misaligned comes before out of range. */
static inline enum wl_fault atoms_lane_fault(const struct wl_window *w, uint32_t addr, uint32_t size)
{
	if (addr & (size - 1))
		return WL_FAULT_MISALIGNED_ADDRESS;
	if (!w->valid || (uint64_t)addr + size > w->size)
		return WL_FAULT_SHARED_OUT_OF_RANGE;
	return WL_FAULT_NONE;
}

/* No lane of all 32 has an address fault: one loop without decisions. */
static inline __attribute__((always_inline)) bool atoms_all_in_range(const struct wl_window *w, uint32_t size,
                                                                     const uint32_t addr[WL_WARP_LANES])
{
	if (!w->valid || w->size < size)
		return false;
	const uint32_t last = w->size - size;
	uint32_t bad = 0;
	for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)
		bad |= (addr[lane] & (size - 1)) | (addr[lane] > last);
	return bad == 0;
}

/* .SPIN: the architectural bank, whatever LANES and BANKS: address bits 6:2. For 64 bits the bank is bits 6:3: bit 2 is
 * 0, since no misaligned lane comes here. Windows start at multiples of 16, so groups are the same for window-relative
 * and absolute addresses. */
static inline unsigned atoms_spin_group(uint32_t addr)
{
	return addr >> 2 & 31;
}

/* Compare and store with the outcome in a register or a predicate. */
static inline bool atoms_is_cast(const struct wl_inst *in)
{
	return in->uop == WL_UOP_ATOMS_CAST || in->uop == WL_UOP_ATOMS_CAST_P;
}

/* Lanes on a word that go together: all lanes of loads; with COMBINE also lanes of stores and of foldable
 * operations. */
static inline enum wl_smem_share atoms_share(const struct wl_inst *in)
{
	switch (in->uop) {
	case WL_UOP_LDS:
	case WL_UOP_LDSM:
		return WL_SMEM_LOADS;
	case WL_UOP_STS:
	case WL_UOP_STSM:
		return WL_SMEM_COMBINES;
	case WL_UOP_ATOMS:
		return in->size == 4 && in->op != WL_ATOM_INC && in->op != WL_ATOM_DEC ? WL_SMEM_COMBINES
		                                                                       : WL_SMEM_APART;
	case WL_UOP_ATOMSN:
		return in->type == WL_AT_INT ? WL_SMEM_APART : WL_SMEM_FLOATS;
	default:
		return WL_SMEM_APART;
	}
}

/* Lanes of `ok` that fail at once: over the whole warp only the lowest lane of each group tries. */
static inline uint32_t atoms_spin_losers(const struct wl_inst *in, const uint32_t addr[WL_WARP_LANES], uint32_t ok)
{
	uint32_t tried = 0, losers = 0;
	if (!atoms_is_cast(in) || !(in->flags & WL_F_SPIN))
		return 0;
	for (; ok; ok &= ok - 1) {
		unsigned lane = (unsigned)__builtin_ctz(ok);
		uint32_t group = UINT32_C(1) << atoms_spin_group(addr[lane]);
		losers |= tried & group ? UINT32_C(1) << lane : 0;
		tried |= group;
	}
	return losers;
}

/* Nearly all requests: 32-bit accesses with the same action in every lane. `losers`: of a .SPIN. */
static inline bool atoms_is_plain32(const struct wl_inst *in, uint32_t losers)
{
	return in->size == 4 && !losers && !(in->flags & WL_F_ONE) && in->uop != WL_UOP_ATOMS_CAST_P &&
	       in->uop != WL_UOP_ATOMSN;
}

/* atoms_pipe_passes.c: passes of the lanes in `ok`, as in the plan. `row`: all lanes, consecutive words of the access
 * size. `losers` need no bank. */
unsigned atoms_passes(const struct wl_smem *s, const struct wl_inst *in, uint32_t base,
                      const uint32_t addr[WL_WARP_LANES], uint32_t ok, bool row, uint32_t losers);

/* The helpers below with a size are inlined into loops that know the size. */
static inline __attribute__((always_inline)) struct wl_lane atoms_load(const uint8_t *at, uint32_t size)
{
	struct wl_lane word = {{0}};
	memcpy(&word, at, size);
	return word;
}

/* A loaded word as the register gets the value: narrower words extend to 32 bits. */
static inline struct wl_lane atoms_extend(bool sgn, struct wl_lane word, uint32_t size)
{
	if (sgn && size == 1)
		word.w[0] = (uint32_t)(int8_t)word.w[0];
	if (sgn && size == 2)
		word.w[0] = (uint32_t)(int16_t)word.w[0];
	return word;
}

static inline uint64_t atoms_pair(const struct wl_lane *word)
{
	return word->w[0] | (uint64_t)word->w[1] << 32;
}

/* ATOMSN of 4 or 8 bytes. Of 4 bytes the words above do not count. */
static inline struct wl_lane atoms_native(const struct wl_inst *in, const struct wl_lane *old, const struct wl_lane *b)
{
	struct wl_lane now = *old;
	const uint64_t m = atoms_pair(old), v = atoms_pair(b);
	const uint64_t word =
	        in->type == WL_AT_INT
	                ? wl_atomic_alu64((enum wl_atom_op)in->op, in->flags & WL_F_SIGNED, m, v)
	                : wl_atomic_float((enum wl_atom_type)in->type, (enum wl_atom_op)in->op, in->size, m, v);
	memcpy(&now, &word, in->size);
	return now;
}

/* One lane's turn. Returns the new value of the lane's word; bytes above the access size are 0. *result: value of the
 * lane's registers. `loser`: the lane of a .SPIN fails at once. */
static inline __attribute__((always_inline)) struct wl_lane
atoms_lane_turn(const struct wl_inst *in, uint32_t size, const struct wl_lane *old, const struct wl_lane *b,
                const struct wl_lane *c, bool loser, struct wl_lane *result)
{
	struct wl_lane now = *old;
	*result = *old;
	switch (in->uop) {
	case WL_UOP_LDS:
		*result = atoms_extend(in->flags & WL_F_SIGNED, *old, size);
		break;
	case WL_UOP_STS:
		memcpy(&now, b, size);
		break;
	case WL_UOP_ATOMS:
		if (in->op == WL_ATOM_EXCH) {
			memcpy(&now, b, size);
		} else {
			assert(size == 4 && "wider arithmetic is flagged illegal by its row");
			now.w[0] = atomic_alu32((enum wl_atom_op)in->op, in->flags & WL_F_SIGNED, old->w[0], b->w[0]);
		}
		break;
	case WL_UOP_ATOMSN:
		now = atoms_native(in, old, b);
		break;
	case WL_UOP_ATOMS_CAS:
		if (memcmp(old, b, size) == 0)
			memcpy(&now, c, size);
		break;
	case WL_UOP_ATOMS_CAST:
	case WL_UOP_ATOMS_CAST_P: {
		bool hit = !loser && memcmp(old, b, size) == 0;
		if (hit)
			memcpy(&now, c, size);
		*result = (struct wl_lane){{hit}};
		break;
	}
	default:
		assert(!"a micro-operation of atoms_pipe");
	}
	return now;
}

#endif

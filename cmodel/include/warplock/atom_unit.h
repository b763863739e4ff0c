// SPDX-License-Identifier: Apache-2.0
/* atom_unit.h -- global and generic memory: LDG, LD, STG, ST, ATOMG, ATOM, RED and their CAS and CAST forms.
 *
 * Lanes go by sectors of 32 bytes. The unit holds nothing between two requests.
 * Source: docs/spec/global-memory.md, "Sectors"; docs/spec/global-memory.md, "Spaces". */
#ifndef WARPLOCK_ATOM_UNIT_H
#define WARPLOCK_ATOM_UNIT_H

#include "warplock/address.h"
#include "warplock/smem_banks.h"
#include "warplock/unit.h"

enum {
	WL_SECTOR = 32,
	WL_HALF_SECTOR = 16 /* memory answers whether it exists for each half of a sector: a granule of a buffer */
};

/* The COMMITs of a request: the passes of atoms_pipe over its lanes in shared memory, in their order and before all
 * others, then one for each sector, that of the lowest lane first in the plan and in any order in the hardware. */
struct wl_atom_plan {
	struct wl_plan common;
	uint64_t addr[WL_WARP_LANES];
	uint32_t shared;       /* lanes of ok whose generic address lies in the shared window */
	uint32_t others;       /* those of them that lie in another CTA's */
	uint32_t refused;      /* lanes that a predicate result leaves to the code behind: they do nothing, the answer
	                          is false */
	uint8_t shared_passes; /* COMMITs of those in shared memory */
	uint8_t passes;        /* of the record: those in shared memory and the turns at the banks of each sector */
};

/* Where the configuration combines, lanes with one address may go in one pass: stores, and integers of 32 and 64 bits
 * that can be folded. */
bool wl_atom_combines(const struct wl_inst *in);
/* Passes over the lanes of one sector, which lie there at p->addr; `combine` words of a pass take all their lanes. */
unsigned wl_atom_sector_passes(const struct wl_inst *in, const struct wl_atom_plan *p, unsigned combine,
                               uint32_t lanes);

/* What an instruction does to the memory of a lane. */
static inline bool wl_atom_is_load(const struct wl_inst *in)
{
	return in->uop == WL_UOP_LDG || in->uop == WL_UOP_LD;
}
static inline bool wl_atom_is_store(const struct wl_inst *in)
{
	return in->uop == WL_UOP_STG || in->uop == WL_UOP_ST;
}
static inline bool wl_atom_is_cas(const struct wl_inst *in)
{
	return in->uop == WL_UOP_ATOMG_CAS || in->uop == WL_UOP_ATOM_CAS || in->uop == WL_UOP_ATOM_CAST;
}
static inline bool wl_atom_is_generic(const struct wl_inst *in)
{
	return in->uop == WL_UOP_LD || in->uop == WL_UOP_ST || in->uop == WL_UOP_ATOM || in->uop == WL_UOP_ATOM_CAS ||
	       in->uop == WL_UOP_ATOM_CAST;
}

/* The uniform register of a request is a part of the address, or else the policy of the L2 that the word names. */
static inline uint64_t wl_atom_ur(const struct wl_req *req)
{
	return req->inst.ur == WL_NO_UR ? 0 : req->ur;
}
static inline bool wl_atom_policy(const struct wl_req *req, uint64_t *policy)
{
	const bool named = req->inst.desc != WL_NO_DESC;
	*policy = named ? req->ur : 0;
	return named;
}

/* New value of the word of an atomic of 4 or 8 bytes, and in *result what the lane's register gets. */
uint64_t wl_atom_turn(const struct wl_inst *in, uint64_t old, uint64_t b, uint64_t c, uint64_t *result);
/* The same for every size, and for loads and stores. Bytes above the size are 0. */
struct wl_lane wl_atom_turn_wide(const struct wl_inst *in, const struct wl_lane *old, const struct wl_lane *b,
                                 const struct wl_lane *c, struct wl_lane *result);
/* Whether the instruction has a result register and names one. */
bool wl_atom_has_result(const struct wl_inst *in);
/* Whether shared memory does the operation: loads and stores, integers of 32 bits, and what compares or exchanges,
 * whatever its width. */
bool wl_atom_shared_serves(const struct wl_inst *in);
/* What the CTA's own shared memory leaves to loops, and that of other CTAs of the cluster does: there the code behind
 * has none (words of ptxas: QSPC.E.D leads to one for float32 and float64 alone). Integers of 64 bits, sums of pairs of
 * f16 and bf16. */
bool wl_atom_others_serve(const struct wl_inst *in);

/* The request of atoms_pipe that the lanes with generic addresses in shared memory are, with the same tag. Where some
 * lie in other CTAs' it is one for all of the SM's shared memory: its slot is WL_SMEM_WHOLE. */
struct wl_units;
void wl_atom_shared_request(const struct wl_units *u, const struct wl_req *req, const uint64_t addr[WL_WARP_LANES],
                            uint32_t lanes, struct wl_req *to);

/* wlrun's fast path for atomics of 4 and 8 bytes: at[] is where each lane of mask finds its word, regs the warp's
 * registers as [reg][32]. Writes the result registers. True when some word has another value than before. */
bool wl_atom_exec(const struct wl_inst *in, uint8_t *const at[WL_WARP_LANES], uint32_t (*regs)[WL_WARP_LANES],
                  uint32_t mask);
/* The same where all 32 lanes find theirs from `at` on, one behind the other. False: it is not one of 32 bits, and
 * nothing was done. */
bool wl_atom_row_exec(const struct wl_inst *in, uint8_t *at, uint32_t (*regs)[WL_WARP_LANES], bool *changed);

#endif

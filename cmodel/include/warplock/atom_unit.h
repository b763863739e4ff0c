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
	WL_HALF_SECTOR = 16 /* granule of a buffer: memory tells for each half of a sector whether the half exists */
};

/* The COMMITs of a request. First the passes of atoms_pipe over lanes in shared memory, in order. Then one COMMIT for
 * each sector: in the plan the sector of the lowest lane first, in the hardware any order. */
struct wl_atom_plan {
	struct wl_plan common;
	uint64_t addr[WL_WARP_LANES];
	uint32_t shared;       /* lanes of ok with a generic address in the shared window */
	uint32_t others;       /* lanes of shared with an address of another CTA */
	uint32_t refused;      /* lanes without effect; predicate result false: the following code serves the lanes */
	uint8_t shared_passes; /* COMMITs of lanes in shared memory */
	uint8_t passes;        /* of the record: passes in shared memory, and passes over each sector */
};

/* With COMBINE, lanes with one address may go in one pass: stores, and foldable operations on integers of 32 and 64
 * bits. */
bool wl_atom_combines(const struct wl_inst *in);
/* Passes over the lanes of one sector, at p->addr. In a pass `combine` words take all lanes of the word. */
unsigned wl_atom_sector_passes(const struct wl_inst *in, const struct wl_atom_plan *p, unsigned combine,
                               uint32_t lanes);

/* Kinds of accesses. */
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

/* The uniform register of a request is part of the address, or else the policy of the L2, when the word names a
 * descriptor. */
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

/* New value of the word of an atomic of 4 or 8 bytes. *result: value of the lane's register. */
uint64_t wl_atom_turn(const struct wl_inst *in, uint64_t old, uint64_t b, uint64_t c, uint64_t *result);
/* The same for every size, and for loads and stores. Bytes above the size are 0. */
struct wl_lane wl_atom_turn_wide(const struct wl_inst *in, const struct wl_lane *old, const struct wl_lane *b,
                                 const struct wl_lane *c, struct wl_lane *result);
/* The instruction names a result register. */
bool wl_atom_has_result(const struct wl_inst *in);
/* Shared memory serves the operation: loads and stores, integers of 32 bits, CAS and EXCH of any width. */
bool wl_atom_shared_serves(const struct wl_inst *in);
/* Additional operations on other CTAs' shared memory: integers of 64 bits, sums of pairs of f16 and bf16.
 * Source: docs/spec/clusters.md, "Atomics on other CTAs". */
bool wl_atom_others_serve(const struct wl_inst *in);

/* The request of atoms_pipe for the lanes with generic addresses in shared memory, with the same tag. If some lanes
 * name other CTAs, the request is for all of the SM's shared memory: its slot is WL_SMEM_WHOLE. */
struct wl_units;
void wl_atom_shared_request(const struct wl_units *u, const struct wl_req *req, const uint64_t addr[WL_WARP_LANES],
                            uint32_t lanes, struct wl_req *to);

/* wlrun's fast path for atomics of 4 and 8 bytes. at[]: the word of each lane of mask. regs: the warp's registers as
 * [reg][32]. Writes the result registers. True when some word has changed. */
bool wl_atom_exec(const struct wl_inst *in, uint8_t *const at[WL_WARP_LANES], uint32_t (*regs)[WL_WARP_LANES],
                  uint32_t mask);
/* The same for all 32 lanes; the words lie at `at`, one behind the other. False: the access is not of 32 bits, and
 * nothing was done. */
bool wl_atom_row_exec(const struct wl_inst *in, uint8_t *at, uint32_t (*regs)[WL_WARP_LANES], bool *changed);

#endif

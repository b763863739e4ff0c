// SPDX-License-Identifier: Apache-2.0
/* atoms_pipe.h -- LDS, STS, ATOMS, ATOMS.CAS, ATOMS.CAST(.SPIN): shared-memory accesses and atomics of a warp.
 *
 * Source: docs/spec/shared-memory.md, "Results"; docs/spec/shared-memory.md, "Passes"; docs/spec/shared-memory.md,
 * "SPIN". */
#ifndef WARPLOCK_ATOMS_PIPE_H
#define WARPLOCK_ATOMS_PIPE_H

#include "warplock/address.h"
#include "warplock/smem_banks.h"
#include "warplock/unit.h"

/* LDSM and STSM: matrices; some lanes hold the addresses of the rows. */
static inline bool wl_atoms_is_matrix(const struct wl_inst *in)
{
	return in->uop == WL_UOP_LDSM || in->uop == WL_UOP_STSM;
}
/* Lanes with an address in use: of matrices eight lanes for each matrix. */
static inline uint32_t wl_atoms_rows(const struct wl_inst *in)
{
	return wl_atoms_is_matrix(in) ? UINT32_MAX >> (32 - 8 * __builtin_popcount(in->lut & 15u)) : UINT32_MAX;
}

/* The part of a request independent of the content of memory. Addresses (address.h) are relative to the window: the
 * CTA's byte 0 is address 0, and the byte address in the banks is window.base + address. */
struct wl_atoms_plan {
	struct wl_plan common; /* passes in the order of the beats */
	uint32_t
	        spin_losers; /* lanes of ok with no bank: .SPIN, lanes failing at once; matrices, lanes without a row */
	uint32_t stores;     /* lanes with a certain store: all, lanes with a row, or none; none for compares */
	uint32_t writes;     /* lanes writing Rd: all or none */
	bool narrow;         /* rows hold the record's lanes: struct wl_atoms_narrow */
	uint8_t pass_beat[WL_WARP_LANES];
	uint32_t addr[WL_WARP_LANES]; /* window-relative byte address of each active lane */
};
void wl_atoms_plan(const struct wl_smem *s, const struct wl_req *req, struct wl_atoms_plan *plan);
/* Lanes take effect, lowest first. `lanes`: a subset of plan->ok, not yet applied. Fills the lanes' members of rec
 * (result, addr, old, now, committed, written). wl_atoms_start must have started rec. */
void wl_atoms_start(const struct wl_req *req, const struct wl_atoms_plan *plan, struct wl_record *rec);
void wl_atoms_apply(struct wl_smem *s, const struct wl_req *req, const struct wl_atoms_plan *plan, uint32_t lanes,
                    struct wl_record *rec);
/* Completes rec (passes, faults). Asserts: every lane of plan->ok has been applied. */
void wl_atoms_finish(const struct wl_req *req, const struct wl_atoms_plan *plan, struct wl_record *rec);

/* The unit for lockstep. Lockstep reads few records. Lanes of 32-bit accesses go to rows beside the plan, a third as
 * wide as the record; `fill` copies the rows to the record. All else is as in wl_atoms_pipe_ops. */
struct wl_atoms_words {
	uint32_t old[WL_WARP_LANES]; /* of committed lanes: the word before the lane's turn */
	uint32_t now[WL_WARP_LANES]; /* and after the turn; unused for loads */
};
struct wl_atoms_narrow {
	struct wl_atoms_plan plan; /* plan.narrow: `words` is in use */
	struct wl_atoms_words words;
};
extern const struct wl_unit_ops wl_atoms_narrow_ops;

/* wlrun's fast path: the same architectural result without plan and record. in: the decoded instruction. regs: the
 * warp's registers as [reg][32] (RZ must not be indexed). mask: active lanes. ur: value of the uniform register. Writes
 * destination registers of lanes without a fault. Returns the faulted lanes, with the codes in `fault`. *passes: number
 * of passes of the plan (for s->lanes and s->banks); NULL = not computed. */
uint32_t wl_atoms_exec(struct wl_smem *s, unsigned slot, const struct wl_inst *in, uint32_t (*regs)[WL_WARP_LANES],
                       uint32_t mask, uint32_t ur, uint8_t fault[WL_WARP_LANES], unsigned *passes);
/* The same for instructions with an optional predicate result (ATOMS_CAST_P). *preds: lanes with a true result. */
uint32_t wl_atoms_exec_preds(struct wl_smem *s, unsigned slot, const struct wl_inst *in,
                             uint32_t (*regs)[WL_WARP_LANES], uint32_t mask, uint32_t ur, uint8_t fault[WL_WARP_LANES],
                             unsigned *passes, uint32_t *preds);

#endif

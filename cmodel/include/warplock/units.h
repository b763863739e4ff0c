// SPDX-License-Identifier: Apache-2.0
/* units.h -- REF: the C twins of the hardware units. Explicit state, no time, no I/O, no allocation.
 *
 * Each unit is plan (pure) / apply (named lanes take effect) / finish (the record). wlrun applies all lanes at once,
 * lockstep applies them as COMMIT events come. Source of every rule: "Contracts" of the design and section 4 of
 * "Lockstep in detail"; arithmetic: PTX atomics digest, section 3. */
#ifndef WARPLOCK_UNITS_H
#define WARPLOCK_UNITS_H

#include "warplock/lockstep.h"

/* --- atomic_alu: one lane's read-modify-write ------------------------------------------------------------- */

/* New value of a word: op(old, b) on 32 bits; MIN and MAX signed when `sgn`. */
uint32_t wl_atomic_alu32(enum wl_atom_op op, bool sgn, uint32_t old, uint32_t b);
/* EXCH on 64 bits is the identity on b; compare-and-swap: */
static inline uint64_t wl_atomic_cas(uint64_t old, uint64_t b, uint64_t c)
{
	return old == b ? c : old;
}

/* --- smem_banks: the storage ------------------------------------------------------------------------------ */

struct wl_window {
	uint32_t base, size; /* bytes, multiples of 16; base + size <= shared_bytes */
	bool valid;
};

/* Shared memory of one SM. `mem` is owned by the caller: shared_bytes bytes, little endian, 16-byte aligned. */
struct wl_smem {
	uint8_t *mem;
	uint32_t bytes;
	uint8_t lanes, banks, combine; /* the configuration: passes depend on it, values never */
	struct wl_window window[WL_MAX_CTAS];
};
void wl_smem_init(struct wl_smem *s, const struct wl_config *c, uint8_t *mem);
/* Word (32 bits) at a byte address that is a multiple of 4 and below `bytes`. */
uint32_t wl_smem_read(const struct wl_smem *s, uint32_t addr);
void wl_smem_write(struct wl_smem *s, uint32_t addr, uint32_t value);
/* Opens the window of a CTA slot and fills it with wl_fill_word(seed, cta, offset within the window). */
void wl_smem_open(struct wl_smem *s, unsigned slot, uint32_t base, uint32_t size, uint64_t seed, uint32_t cta);
void wl_smem_close(struct wl_smem *s, unsigned slot);

/* --- atoms_pipe: LDS, STS, ATOMS, ATOMS.CAS, ATOMS.CAST(.SPIN) -------------------------------------------- */

/* Everything that does not depend on the content of memory. Address of a lane: Ra << xn (Ra = RZ: nothing) + UR +
 * off; off is zero-extended when Ra is RZ and there is no UR, else sign-extended; the sum is 32 bits. Window-relative:
 * the CTA's byte 0 is address 0; the byte address in the banks is window.base + address. */
struct wl_atoms_plan {
	struct wl_plan common;        /* passes in the order of the beats */
	uint32_t addr[WL_WARP_LANES]; /* window-relative byte address of each active lane */
	uint32_t spin_losers;         /* .SPIN: lanes of ok that fail at once */
	uint8_t pass_beat[WL_WARP_LANES];
};
void wl_atoms_plan(const struct wl_smem *s, const struct wl_req *req, struct wl_atoms_plan *plan);
/* Lanes take effect, lowest first; `lanes` is a subset of plan->ok not applied before. Fills the lanes' members of
 * rec (result, addr, old, now, committed, written). rec must have been started with wl_atoms_start. */
void wl_atoms_start(const struct wl_req *req, const struct wl_atoms_plan *plan, struct wl_record *rec);
void wl_atoms_apply(struct wl_smem *s, const struct wl_req *req, const struct wl_atoms_plan *plan, uint32_t lanes,
                    struct wl_record *rec);
/* Completes rec (passes, faults). Asserts that every lane of plan->ok was applied. */
void wl_atoms_finish(const struct wl_req *req, const struct wl_atoms_plan *plan, struct wl_record *rec);

/* wlrun's fast path, the same architectural result with no plan and no record. `in` is the decoded instruction, regs
 * the warp's registers as [reg][32] (RZ must not be indexed), mask the active lanes, ur the uniform register value.
 * Writes destination registers of lanes that do not fault. Returns the lanes that faulted, with their codes. `passes`
 * gets the number of passes of the plan (for s->lanes and s->banks); NULL = not wanted and not computed. */
uint32_t wl_atoms_exec(struct wl_smem *s, unsigned slot, const struct wl_inst *in, uint32_t (*regs)[WL_WARP_LANES],
                       uint32_t mask, uint32_t ur, uint8_t fault[WL_WARP_LANES], unsigned *passes);

#endif

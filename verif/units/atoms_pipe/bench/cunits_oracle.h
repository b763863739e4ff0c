// SPDX-License-Identifier: Apache-2.0
/* cunits_oracle.h -- expected values and stimulus for the tests of the C units.
 *
 * All expected values are computed here a second time, slowly and in another manner than in the units: addresses as
 * 64-bit sums and remainders, memory as bytes, values as 128-bit integers, passes by playing the arbitration bank by
 * bank. Of the units' functions only wl_smem_init, wl_smem_open and wl_smem_close are called here. */
#ifndef CUNITS_ORACLE_H
#define CUNITS_ORACLE_H

#include "../../../common/rng.h"
#include "warplock/units.h"

/* ---- an instruction on the registers of a warp ---- */
struct stim {
	struct wl_inst inst;
	unsigned slot;
	uint32_t mask, ur;
	uint32_t regs[WL_NUM_REGS][WL_WARP_LANES];
};
enum mix {
	MIX_ANY,   /* every instruction, size and address pattern, faults among them */
	MIX_LEGAL, /* no faults */
	MIX_SPIN,  /* CAST.SPIN only */
};
/* Fills *t with a random instruction, operands and a mask that is never 0. Registers not named by the instruction keep
 * their values. */
void stim_random(struct rng *r, enum mix mix, const struct wl_smem *s, struct stim *t);
/* The request as made by SOURCE. Bits of Ra above 31 hold rubbish: shared addresses have 32 bits. */
void stim_request(const struct stim *t, struct wl_req *req);

/* Windows for slots 0..3 (sizes and bases of no round number), 4 empty, 5 opened and closed again, the others never
 * opened; memory full of few different values, so that compares succeed and fail. */
void smem_for_test(struct wl_smem *s, const struct wl_config *c, uint8_t *mem, struct rng *r);

/* ---- expectations ---- */
struct expect_plan {
	uint32_t addr[WL_WARP_LANES]; /* window-relative */
	uint32_t ok, faulted, losers;
	uint8_t fault[WL_WARP_LANES];
	unsigned passes;
	uint32_t pass_lanes[WL_WARP_LANES];
	unsigned pass_beat[WL_WARP_LANES];
};
void oracle_plan(const struct wl_smem *s, const struct wl_req *req, struct expect_plan *e);
/* Effect of `lanes`, lowest first, on `mem` and on the lanes' members of rec. */
void oracle_apply(const struct wl_smem *s, uint8_t *mem, const struct wl_req *req, const struct expect_plan *e,
                  uint32_t lanes, struct wl_record *rec);
uint32_t oracle_alu32(enum wl_atom_op op, bool sgn, uint32_t old, uint32_t b);

/* Explains a failing comparison: prints the seed and the instruction. */
void stim_explain(const char *what, uint64_t seed, unsigned long index, const struct wl_req *req);

#endif

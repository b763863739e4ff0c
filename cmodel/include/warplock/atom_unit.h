// SPDX-License-Identifier: Apache-2.0
/* atom_unit.h -- atomics on global and generic memory: ATOMG, ATOM, RED and their CAS and CAST forms.
 *
 * "Lockstep in detail", section 4. Lanes go by sectors of 32 bytes; the unit holds nothing between two requests. */
#ifndef WARPLOCK_ATOM_UNIT_H
#define WARPLOCK_ATOM_UNIT_H

#include "warplock/address.h"
#include "warplock/unit.h"

enum { WL_SECTOR = 32, WL_FP_LANES = 4 /* lanes that the float adders serve in a pass */ };

struct wl_atom_plan {
	struct wl_plan common; /* a COMMIT for each sector, that of the lowest lane first; one for the lanes in shared
	                          memory */
	uint64_t addr[WL_WARP_LANES];
	uint32_t shared;  /* lanes of a generic address in the shared window: all in the first COMMIT */
	uint32_t refused; /* lanes that a predicate result leaves to the code behind: they do nothing, the answer is
	                     false */
	uint8_t turns;    /* passes of the record: the sum over the sectors of the turns at their banks */
};

/* New value of a word, and in *result what the lane's register gets. Sizes 4 and 8. */
uint64_t wl_atom_turn(const struct wl_inst *in, uint64_t old, uint64_t b, uint64_t c, uint64_t *result);
/* Whether the result register and predicate of the instruction exist. */
bool wl_atom_has_result(const struct wl_inst *in);
/* Lanes with these addresses that the instruction leaves to the code behind it, which asks its predicate: those outside
 * of global memory. */
uint32_t wl_atom_refused(const struct wl_inst *in, uint32_t lanes, const uint64_t addr[WL_WARP_LANES]);

#endif

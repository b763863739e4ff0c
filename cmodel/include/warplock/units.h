// SPDX-License-Identifier: Apache-2.0
/* units.h -- REF: the C twins of the hardware units of an SM. Explicit state, no time, no I/O, no allocation.
 *
 * Each unit has the same interface (unit.h): plan (pure), apply (named lanes take effect), finish (the record).
 * wlrun applies all lanes at once. Lockstep applies lanes as events come.
 *
 * Source: docs/spec/units.md, "Twins"; docs/spec/units.md, "Lane order"; docs/spec/units.md, "Faults". */
#ifndef WARPLOCK_UNITS_H
#define WARPLOCK_UNITS_H

#include "warplock/alu.h"
#include "warplock/gmem.h"
#include "warplock/lockstep.h"
#include "warplock/unit.h"
#define UNIT_HEADERS
#include "warplock/units.def"
#undef UNIT_HEADERS

/* State of all units of an SM. Relocatable, except the pointers to the two memories: the owner sets both again. */
struct wl_units {
#define STATE(type, member) struct type member;
#include "warplock/units.def"
#undef STATE
	uint32_t elsewhere;   /* units (1 << enum wl_unit) stepped by the DUT; wl_units_event leaves out these units */
	struct wl_gmem *gmem; /* global memory of the launch, the caller's; NULL: every address is outside */
};

void wl_units_init(struct wl_units *u, const struct wl_config *c, uint8_t *mem); /* mem: as in wl_smem_init */
void wl_units_open(struct wl_units *u, const struct wl_cta_start *start);
void wl_units_close(struct wl_units *u, unsigned slot);
void wl_units_event(struct wl_units *u, const struct wl_event *ev); /* EXIT, LAND: to every unit */
bool wl_units_released(struct wl_units *u, struct wl_released *r);  /* the next release fixed by a unit */

#endif

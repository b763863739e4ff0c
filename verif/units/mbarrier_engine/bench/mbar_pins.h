/* SPDX-License-Identifier: Apache-2.0
 * mbar_pins.h -- the pins of sync_core for the benches of mbarrier_engine: members of a bench, filled by a model. Any
 * model of one port with mbarrier_engine. */
#ifndef MBAR_PINS_H
#define MBAR_PINS_H

#include "../../rtl_model.h"
#include "pins/sync_core.h"

struct mbar_pins {
	PINS_MEMBERS(sync_core);
	unsigned lanes_of_release;
};

static inline void mbar_find_pins(const struct model *m, struct mbar_pins *p)
{
	PINS_FIND(sync_core, p, m);
	/* a lane for all units, a lane for each pair of banks, a lane for timeouts, and a lane for each port of
	 * barrier_file and of cluster_barrier */
	const unsigned units = (unsigned)model_param(m, "Units", 9);
	p->lanes_of_release = (unsigned)model_param(m, "Banks", 32) / 2 + 2 +
	                      ((units >> 2 & 1) + (units >> 7 & 1)) * (unsigned)model_param(m, "Ports", 1);
}

/* Offers a CTA in a slot at the configuration port for the next clock edge. */
static inline void mbar_offer_cta(const struct mbar_pins *p, unsigned slot, uint32_t base, uint32_t size, unsigned rank,
                                  unsigned warps)
{
	pin_set(p->cfg_slot_i, 0, 4, slot);
	pin_set(p->cfg_window_valid_i, 0, 1, 1);
	pin_set(p->cfg_base_i, 0, 17, base);
	pin_set(p->cfg_size_i, 0, 17, size);
	pin_set(p->cfg_rank_i, 0, 4, rank);
	pin_set(p->cfg_warps_i, 0, 6, warps);
	*p->cfg_valid_i = 1;
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 * mbar_pins.h -- the pins of sync_core for the benches of mbarrier_engine: members of a bench, filled by a model. Any
 * model of one port with mbarrier_engine. */
#ifndef MBAR_PINS_H
#define MBAR_PINS_H

#include "../../rtl_model.h"

/* PIN(member, name of the pin) */
#define MBAR_PINS(PIN)                                                                                                 \
	PIN(clk, clk_i)                                                                                                \
	PIN(rst, rst_i)                                                                                                \
	PIN(arch, arch_i)                                                                                              \
	PIN(req_valid, req_valid_i)                                                                                    \
	PIN(req_ready, req_ready_o)                                                                                    \
	PIN(req_tag, req_tag_i)                                                                                        \
	PIN(req_word, req_word_i)                                                                                      \
	PIN(req_mask, req_mask_i)                                                                                      \
	PIN(req_slot, req_slot_i)                                                                                      \
	PIN(req_ur, req_ur_i)                                                                                          \
	PIN(req_ra, req_ra_i)                                                                                          \
	PIN(req_rb, req_rb_i)                                                                                          \
	PIN(rsp_valid, rsp_valid_o)                                                                                    \
	PIN(rsp_ready, rsp_ready_i)                                                                                    \
	PIN(rsp_tag, rsp_tag_o)                                                                                        \
	PIN(rsp_last, rsp_last_o)                                                                                      \
	PIN(rsp_mask, rsp_mask_o)                                                                                      \
	PIN(rsp_pred, rsp_pred_o)                                                                                      \
	PIN(rsp_data, rsp_data_o)                                                                                      \
	PIN(rsp_passes, rsp_passes_o)                                                                                  \
	PIN(rsp_fault, rsp_fault_o)                                                                                    \
	PIN(rel_valid, rel_valid_o)                                                                                    \
	PIN(rel_gave_up, rel_gave_up_o)                                                                                \
	PIN(rel_unit, rel_unit_o)                                                                                      \
	PIN(rel_slot, rel_slot_o)                                                                                      \
	PIN(rel_id, rel_id_o)                                                                                          \
	PIN(rel_phase, rel_phase_o)                                                                                    \
	PIN(rel_warps, rel_warps_o)                                                                                    \
	PIN(rel_value, rel_value_o)                                                                                    \
	PIN(cfg_valid, cfg_valid_i)                                                                                    \
	PIN(cfg_slot, cfg_slot_i)                                                                                      \
	PIN(cfg_open, cfg_window_valid_i)                                                                              \
	PIN(cfg_base, cfg_base_i)                                                                                      \
	PIN(cfg_size, cfg_size_i)                                                                                      \
	PIN(cfg_rank, cfg_rank_i)                                                                                      \
	PIN(cfg_warps, cfg_warps_i)                                                                                    \
	PIN(land_valid, land_valid_i)                                                                                  \
	PIN(land_ready, land_ready_o)                                                                                  \
	PIN(idle, idle_o)

#define MBAR_PIN_MEMBER(member, name) uint8_t *member;

struct mbar_pins {
	MBAR_PINS(MBAR_PIN_MEMBER)
	unsigned lanes_of_release;
};

static inline void mbar_find_pins(const struct model *m, struct mbar_pins *p)
{
#define FIND(member, pin) p->member = model_pin(m, #pin);
	MBAR_PINS(FIND)
#undef FIND
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
	pin_set(p->cfg_slot, 0, 4, slot);
	pin_set(p->cfg_open, 0, 1, 1);
	pin_set(p->cfg_base, 0, 17, base);
	pin_set(p->cfg_size, 0, 17, size);
	pin_set(p->cfg_rank, 0, 4, rank);
	pin_set(p->cfg_warps, 0, 6, warps);
	*p->cfg_valid = 1;
}

#endif

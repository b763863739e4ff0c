/* SPDX-License-Identifier: Apache-2.0 */
/* sm.h -- the SM on both sides: state of the C units, and commands for the same state of the core. */
#ifndef WARPLOCK_SOC_SM_H
#define WARPLOCK_SOC_SM_H

#include "../../../verif/cosim/link/link_state.h"
#include "warplock/units.h"

enum {
	WARPS = WL_MAX_WARPS,
	SLOTS = WL_MAX_CTAS,
	SLOT_WARPS = WARPS / SLOTS,
	SHARED = 4096,
	SLOT_BYTES = SHARED / SLOTS,
	GLOBAL = 2048
};

#define GLOBAL_BASE UINT64_C(0x40000000) /* of the bus; the region of fpga/litex/soc.py */

extern struct wl_units units;
extern struct dut dut; /* parameters of the core, and snapshots received */
/* A command, and the answer with a status byte in front. */
extern uint8_t sm_out[], sm_in[];

/* The units of the core that the firmware was made for (fpga/litex/make). */
#define SM_HAS(unit) (WL_SOC_UNITS >> WL_UNIT_##unit & 1)
bool sm_identify(void);   /* false: no core answers, or a core with other units */
uint32_t sm_clocks(void); /* of the core's clock, since power-up */

void sm_reset(uint32_t seed, uint32_t window);
void sm_open(unsigned slot);
void sm_close(unsigned slot);
bool sm_is_open(unsigned slot);

/* Fetches snapshots; false: none came. */
bool sm_poll(void);

/* global.c: global memory is a copy for the C units, and memory on the bus for the core. */
void global_open(uint64_t seed, uint32_t window);
void global_hash(uint32_t hash[2]);

/* All of shared memory goes into the hashes. */
void sm_hash_memory(uint32_t hash[2]);
/* The wait of each warp in the core; unit SM_GOES: the warp does not wait. */
enum { SM_GOES = 0xff };
struct sm_wait {
	uint32_t tag;
	uint16_t id;
	uint8_t unit, slot;
};
void sm_waits(struct sm_wait wait[WARPS]);

#endif

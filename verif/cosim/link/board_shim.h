// SPDX-License-Identifier: Apache-2.0
/* board_shim.h -- the C face of a verilated board: a clock and two wires (fpga/link/link_core.sv), or accesses over a
 * bus (link_axil.sv, link_wb.sv). */
#ifndef WARPLOCK_COSIM_BOARD_SHIM_H
#define WARPLOCK_COSIM_BOARD_SHIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum bus_answer { BUS_OKAY, BUS_ERROR, BUS_BROKEN }; /* BROKEN: no answer, or against the rules of the bus */

struct bus_access {
	uint32_t offset, data; /* data: to write, or as read */
	uint8_t write, strobe;
};

struct board_api {
	unsigned clocks_per_bit;
	void *(*create)(void);             /* after reset */
	int (*clock)(void *board, int rx); /* a clock with the host's wire at `rx`; the board's wire afterwards */
	void (*destroy)(void *board);
	/* An access with random delays; NULL: the board has two wires. With BUS_BROKEN the reason is at *why. */
	enum bus_answer (*access)(void *board, struct bus_access *a, uint32_t delays, const char **why);
	int awake; /* the board works while the wires are still: the clock never waits for the host */
	/* Words in reach of the board as a bus master, at the address 40000000h; NULL: the board is no master. */
	uint32_t *(*memory)(void *board);
};

__attribute__((visibility("default"))) const struct board_api *wl_board(void);

#ifdef __cplusplus
}
#endif
#endif

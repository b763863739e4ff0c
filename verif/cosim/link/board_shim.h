// SPDX-License-Identifier: Apache-2.0
/* board_shim.h -- the C face of a verilated board (fpga/link/link_core.sv): a clock and two wires. */
#ifndef WARPLOCK_COSIM_BOARD_SHIM_H
#define WARPLOCK_COSIM_BOARD_SHIM_H

#ifdef __cplusplus
extern "C" {
#endif

struct board_api {
	unsigned clocks_per_bit;
	void *(*create)(void);             /* after reset */
	int (*clock)(void *board, int rx); /* one clock with the host's wire at `rx`; the board's wire after it */
	void (*destroy)(void *board);
};

__attribute__((visibility("default"))) const struct board_api *wl_board(void);

#ifdef __cplusplus
}
#endif
#endif

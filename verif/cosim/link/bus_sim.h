// SPDX-License-Identifier: Apache-2.0
/* bus_sim.h -- private: the CPU in front of a simulated bus (docs/bus.md). Takes frames of the host from a pty and
 * gives each frame to the registers of the window, as firmware would. */
#ifndef WARPLOCK_COSIM_BUS_SIM_H
#define WARPLOCK_COSIM_BUS_SIM_H

#include <stdint.h>

#include "board_shim.h"

/* Until the host has gone, or the bus is broken: this is told on standard error. */
void bus_sim_run(const struct board_api *api, void *board, int pty, uint64_t seed);

#endif

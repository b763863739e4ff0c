// SPDX-License-Identifier: Apache-2.0
/* board_sim.h -- a simulated board: the board's own logic, with the UART bit by bit or the bus access by access, joined
 * to the host through a pty. */
#ifndef WARPLOCK_COSIM_BOARD_SIM_H
#define WARPLOCK_COSIM_BOARD_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct board_sim {
	pid_t pid;
	char tty[64]; /* for the host to open */
};

/* Starts the board as a separate process. `library`: made by build_board. `noise`: a byte in so many is damaged,
 * dropped or doubled, both ways; 0 = none. False, with the reason in `why`. */
bool board_sim_start(struct board_sim *b, const char *library, unsigned noise, uint64_t seed, char *why, size_t whyn);
void board_sim_stop(struct board_sim *b);

#endif

// SPDX-License-Identifier: Apache-2.0
/* board_sim.h -- a board that is simulated: the board's own logic, its UART bit by bit or its bus access by access, joined to
 * the host through a pty. */
#ifndef WARPLOCK_COSIM_BOARD_SIM_H
#define WARPLOCK_COSIM_BOARD_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct board_sim {
	pid_t pid;
	char tty[64]; /* what the host opens */
};

/* Starts it in a process of its own. `library`: what build_board made. `noise`: one byte in so many is damaged, dropped
 * or doubled, both ways; 0 = none. False, with the reason in `why`. */
bool board_sim_start(struct board_sim *b, const char *library, unsigned noise, uint64_t seed, char *why, size_t whyn);
void board_sim_stop(struct board_sim *b);

#endif

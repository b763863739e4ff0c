// SPDX-License-Identifier: Apache-2.0
/* link_dut.h -- a board as DUT: the harness's use of shim.h, done through the link. */
#ifndef WARPLOCK_COSIM_LINK_DUT_H
#define WARPLOCK_COSIM_LINK_DUT_H

#include <stdio.h>

#include "../model.h"

/* dut_word.c: whether WHAT is a value of --dut; the boards and speeds possible in a value. */
bool dut_word(const char *what);
void dut_put_words(FILE *to);
/* Letters of the name in BOARD or BOARD:routed; 0: neither. */
unsigned dut_board_name(const char *board, bool *routed);
/* Splits TTY[@BAUD], n bytes for TTY. False: no name, or a speed impossible on a line. */
bool dut_board_line(const char *where, char *tty, size_t n, unsigned *baud);

/* --dut WHAT. `uart`: a simulated board of hw->lanes and hw->banks; `uart:BOARD`: of fpga/boards; `axi`, `wb`: the core
 * behind a bus (docs/bus.md); `board:TTY[@BAUD]`: a real board. `memory`: bytes of global memory on the simulated
 * board. Sets *hw to the board's parameters, and model->api. `launch`: for a kernel. One board at a time. False, with
 * the reason in `why`. */
bool dut_open(struct model *m, const char *what, struct wl_config *hw, uint32_t units, bool launch, unsigned noise,
              unsigned memory, char *why, size_t whyn);
/* A line about the traffic on the wire. */
void dut_print(const struct model *m, FILE *out);
void dut_close(struct model *m);
/* The link of the open board. */
struct link *dut_link(void);

#endif

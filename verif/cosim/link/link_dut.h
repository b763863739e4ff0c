// SPDX-License-Identifier: Apache-2.0
/* link_dut.h -- a board as DUT: what the harness does through shim.h, done through the link. */
#ifndef WARPLOCK_COSIM_LINK_DUT_H
#define WARPLOCK_COSIM_LINK_DUT_H

#include <stdio.h>

#include "../model.h"

/* dut_word.c: whether WHAT is a value of --dut; the boards and speeds that a value may name. */
bool dut_word(const char *what);
void dut_put_words(FILE *to);
/* Letters of the name in BOARD or BOARD:routed; 0: neither. */
unsigned dut_board_name(const char *board, bool *routed);
/* Splits TTY[@BAUD], n bytes for TTY. False: no name, or no speed that a line can have. */
bool dut_board_line(const char *where, char *tty, size_t n, unsigned *baud);

/* --dut WHAT: `uart` simulates a board of hw->lanes and hw->banks, `uart:BOARD` one of fpga/boards, `axi` and `wb` the core
 * behind a bus (docs/bus.md), `board:TTY[@BAUD]` is one that is there. `memory`: bytes of global memory on the simulated one. Sets in *hw what the board has, and
 * model->api; `launch`: for a kernel. One at a time. False, with the reason in `why`. */
bool dut_open(struct model *m, const char *what, struct wl_config *hw, uint32_t units, bool launch, unsigned noise,
              unsigned memory, char *why, size_t whyn);
/* One line: what went over the wire. */
void dut_print(const struct model *m, FILE *out);
void dut_close(struct model *m);
/* The link of the one that is open. */
struct link *dut_link(void);

#endif

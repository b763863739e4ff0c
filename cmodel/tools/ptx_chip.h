// SPDX-License-Identifier: Apache-2.0
/* ptx_chip.h -- the chip of PTX, for a user naming no chip. */
#ifndef WARPLOCK_PTX_CHIP_H
#define WARPLOCK_PTX_CHIP_H

/* The operand of the first .target outside comments: the named chip, or the oldest built chip after the named chip,
 * since PTX runs on later chips. *suffix gets the letter, 'a' or 'f', else 0. 0: no chip; the parser then reports the
 * error. */
unsigned ptx_chip(const char *text, char *suffix);
/* The next built chip from a number on; 0: none. */
unsigned ptx_chip_from(unsigned n);

#endif

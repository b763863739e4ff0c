// SPDX-License-Identifier: Apache-2.0
/* ptx_chip.h -- the chip of PTX where nobody names one. */
#ifndef WARPLOCK_PTX_CHIP_H
#define WARPLOCK_PTX_CHIP_H

/* The operand of the first .target outside comments: that chip, or the oldest built one after it, since PTX runs on
 * later ones. *suffix gets its letter, 'a' or 'f', else 0. 0: there is none; what is wrong then is the parser's to
 * tell. */
unsigned ptx_chip(const char *text, char *suffix);
/* The next built chip from a number on; 0: none. */
unsigned ptx_chip_from(unsigned n);

#endif

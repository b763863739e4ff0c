// SPDX-License-Identifier: Apache-2.0
/* float_text.h -- float immediates as text, both ways (private to cmodel/isa). */
#ifndef WARPLOCK_ISA_FLOAT_TEXT_H
#define WARPLOCK_ISA_FLOAT_TEXT_H

#include "isa_table.h"

/* Text of float bits: %.20g, from 1e9 up %.20e, +INF, -QNAN, -0.0. Returns the length. */
int isa_float_print(uint32_t bits, unsigned kind, char *buf, size_t n);

/* The inverse. Returns the first character behind the number; NULL without a number. */
const char *isa_float_parse(const char *s, unsigned kind, uint32_t *bits);

#endif

// SPDX-License-Identifier: Apache-2.0
/* float_rows.h -- float instructions with their meaning on the host; float_rows.def is the table. */
#ifndef VERIF_FUZZ_FLOAT_ROWS_H
#define VERIF_FUZZ_FLOAT_ROWS_H

#include "../compiler/rows.h"

extern const struct row float_rows[];
extern const unsigned num_float_rows;
uint64_t float_value(const struct row *r, uint64_t a, uint64_t b, uint64_t c);

/* Format of the row's result, for the single NaN: 'f', 'g', 'e' for a float of 32, 64, 16 bits, 0 for other results. */
char float_result(const struct row *r);
uint64_t one_nan(char format, uint64_t v);

#endif

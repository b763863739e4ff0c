// SPDX-License-Identifier: Apache-2.0
/* rows.h -- instructions with their meaning on the host; rows.def is the table. */
#ifndef VERIF_COMPILER_ROWS_H
#define VERIF_COMPILER_ROWS_H

#include <stdbool.h>
#include <stdint.h>

struct row {
	const char *text;    /* behind a '|': last operands, copied unchanged */
	char result, arg[4]; /* kinds, see rows.def; 'n' = none */
	uint64_t (*value)(uint64_t a, uint64_t b, uint64_t c, uint64_t e);
};
extern const struct row rows[];
extern const unsigned nrows;

unsigned kind_bits(char kind); /* for w d h p and the not-zero kinds */
uint64_t kind_cut(char kind, uint64_t v);
unsigned row_nargs(const struct row *r);

#endif

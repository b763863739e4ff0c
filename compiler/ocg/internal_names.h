// SPDX-License-Identifier: Apache-2.0
/* internal_names.h -- names that the assembler makes itself: internal functions, symbols of mbarrier objects. */
#ifndef WLCC_OCG_INTERNAL_NAMES_H
#define WLCC_OCG_INTERNAL_NAMES_H

#include <stdbool.h>
#include <stdio.h>

/* The name begins as one of these. */
bool internal_is_name(const char *name);
/* `wlcc --explain-ocg`: number, spellings, PTX, where the function is called. False: no such name, or a refused one. */
bool internal_explain(const char *name, unsigned chip, FILE *to);
/* Suffix of the symbol and class of an operation (enum mark_mbarrier); NULL: there is none of that number. */
const char *internal_mbarrier(unsigned type, bool *trivial);

#endif

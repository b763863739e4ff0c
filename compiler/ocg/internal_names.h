// SPDX-License-Identifier: Apache-2.0
/* internal_names.h -- names made by the assembler itself: internal functions, symbols of mbarrier objects. */
#ifndef WLCC_OCG_INTERNAL_NAMES_H
#define WLCC_OCG_INTERNAL_NAMES_H

#include <stdbool.h>
#include <stdio.h>

/* Does the name begin like an internal name? */
bool internal_is_name(const char *name);
/* `wlcc --explain-ocg`: number, spellings, PTX, conditions of calls. False: unknown or refused name. */
bool internal_explain(const char *name, unsigned chip, FILE *to);
/* Suffix of the symbol and class of an operation (enum mark_mbarrier); NULL: unknown number. */
const char *internal_mbarrier(unsigned type, bool *trivial);

#endif

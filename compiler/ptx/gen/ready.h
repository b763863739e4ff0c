// SPDX-License-Identifier: Apache-2.0
/* ready.h -- private to the table generator of the front end, for ptx_tables.inc. */
#ifndef WLCC_PTX_GEN_READY_H
#define WLCC_PTX_GEN_READY_H

#include "../forms.h"
#include "../words.h"

/* Both are 0 before. */
void ready_form(struct ptx_form *f, struct ptx_group group[MAX_GROUPS], const struct ptx_form_row *row);
void ready_rule(struct ptx_rule *r, struct ptx_term term[MAX_TERMS], const struct ptx_rule_row *row);
/* The value of a word, or 0. */
unsigned find_word(enum ptx_word_kind kind, const char *s, size_t n);

#endif

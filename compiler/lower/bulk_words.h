// SPDX-License-Identifier: Apache-2.0
/* bulk_words.h -- suffixes that words of bulk copies and of copies of tensors have in common. */
#ifndef WLCC_LOWER_BULK_WORDS_H
#define WLCC_LOWER_BULK_WORDS_H

#include "select.h"

/* To one CTA, to those of a mask of 16 or of 32 bits. */
enum multicast { TO_ONE, TO_MASK16, TO_MASK32 };

enum multicast bulk_multicast(const struct ptx_instr *i);
const char *bulk_multicast_name(enum multicast m);
/* What the copy looks for in the bytes, to report of it to the mbarrier: sm_107. */
const char *bulk_validity(const struct ptx_instr *i);
/* The order that a copy names. */
const char *bulk_strength(const struct ptx_instr *i);

#endif

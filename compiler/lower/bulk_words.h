// SPDX-License-Identifier: Apache-2.0
/* bulk_words.h -- common suffixes of words of bulk copies and of copies of tensors. */
#ifndef WLCC_LOWER_BULK_WORDS_H
#define WLCC_LOWER_BULK_WORDS_H

#include "select.h"

/* To one CTA, to the CTAs of a mask of 16 or of 32 bits. */
enum multicast { TO_ONE, TO_MASK16, TO_MASK32 };

enum multicast bulk_multicast(const struct ptx_instr *i);
const char *bulk_multicast_name(enum multicast m);
/* Pattern of bytes for the copy to look for and to report to the mbarrier: sm_107. */
const char *bulk_validity(const struct ptx_instr *i);
/* The order of a copy. */
const char *bulk_strength(const struct ptx_instr *i);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * async.h -- what the words of red_async and write_async say. */
#ifndef WLCC_OCG_ASYNC_H
#define WLCC_OCG_ASYNC_H

#include "ocg.h"

enum word_class { ORDER, DOMAIN, SCOPE, MMIO, VECTOR, TYPE, OP, CLASSES };
enum { GLOBAL = 1, SHARED = 2, GPU = 5, SYS = 6, U32 = OCG_U32, U64 = OCG_U64, S32 = OCG_S32, SMALL = OCG_SMALL };

/* Of each class the last word, 0 = none. */
struct said {
	int of[CLASSES];
	bool shared; /* the word stands in the name, so that an mbarrier is an operand, whatever follows */
};

struct said ocg_async_words(const struct ocg_call *c);
unsigned ocg_async_data(const struct said *s);  /* how many data operands */
unsigned ocg_async_first(const struct said *s); /* the first of them: behind the address and the mbarrier */

#endif

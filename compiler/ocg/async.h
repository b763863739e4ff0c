/* SPDX-License-Identifier: Apache-2.0
 *
 * async.h -- meaning of the words of red_async and write_async. */
#ifndef WLCC_OCG_ASYNC_H
#define WLCC_OCG_ASYNC_H

#include "ocg.h"

enum word_class { ORDER, DOMAIN, SCOPE, MMIO, VECTOR, TYPE, OP, CLASSES };
enum { GLOBAL = 1, SHARED = 2, GPU = 5, SYS = 6, U32 = OCG_U32, U64 = OCG_U64, S32 = OCG_S32, SMALL = OCG_SMALL };

/* The last word of each class, 0 = none. */
struct said {
	int of[CLASSES];
	bool shared; /* "shared" is in the name: an mbarrier is an operand, whatever words follow */
};

struct said ocg_async_words(const struct ocg_call *c);
unsigned ocg_async_data(const struct said *s);  /* number of data operands */
unsigned ocg_async_first(const struct said *s); /* the first data operand: behind the address and the mbarrier */

#endif

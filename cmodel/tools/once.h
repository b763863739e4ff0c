// SPDX-License-Identifier: Apache-2.0
/* once.h -- options with a file or folder as the value: of two different values the first would be dropped without a
 * word. */
#ifndef WARPLOCK_ONCE_H
#define WARPLOCK_ONCE_H

#include <stdbool.h>

enum { ONCE_MOST = 64 };
struct once {
	int option[ONCE_MOST];
	const char *value[ONCE_MOST];
	unsigned n;
};

/* NULL: the option is new, or was given with this value. Else the value before. A NULL value is told as "". */
const char *once_before(struct once *o, int option, const char *value);

#endif

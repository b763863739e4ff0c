// SPDX-License-Identifier: Apache-2.0
/* internal.h -- the assembler's internal functions, as far as the functions of a module call them. */
#ifndef WLCC_LOWER_INTERNAL_H
#define WLCC_LOWER_INTERNAL_H

#include "../ptx/ptx.h"

struct internal {
	struct internal *next;
	const char *text; /* its PTX: one for each text */
	struct ptx_module *module;
};

/* In the order of their first call. All zero: none. */
struct internals {
	struct internal *first, *last;
	unsigned n;
};

/* The function that `text` defines under `name`; in objects the name is `$__internal_N_$name`. */
const struct ptx_function *internals_find(struct internals *in, const char *name, const char *text);
void internals_free(struct internals *in);

#endif

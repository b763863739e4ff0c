// SPDX-License-Identifier: Apache-2.0
/* internal.h -- the assembler's internal functions, as far as called by functions of a module. */
#ifndef WLCC_LOWER_INTERNAL_H
#define WLCC_LOWER_INTERNAL_H

#include "../ptx/ptx.h"

struct internal {
	struct internal *next;
	const char *text; /* PTX of the function; each text once */
	struct ptx_module *module;
};

/* In the order of the first calls. All zero: none. */
struct internals {
	struct internal *first, *last;
	unsigned n;
};

/* The function defined by `text`, under `name`; in objects the name is `$__internal_N_$name`. */
const struct ptx_function *internals_find(struct internals *in, const char *name, const char *text);
void internals_free(struct internals *in);

#endif

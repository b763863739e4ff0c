// SPDX-License-Identifier: Apache-2.0
/* debug_names.h -- the section .debug_str of a PTX text: names of inlined functions, by label. */
#ifndef WLCC_DEBUG_NAMES_H
#define WLCC_DEBUG_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../ptx/ast.h"

struct debug_names {
	unsigned char *bytes; /* the section as in memory, and a NUL behind the last byte */
	size_t size, room;
	size_t nlabels, labels_room;
	struct debug_label {
		char *name;
		uint32_t at;
	} * labels;
};

/* Of all sections .debug_str of the module; without one, the names are empty. */
void debug_names_read(const struct ptx_item *items, uint32_t n, struct debug_names *out);
/* Offset of `label` + `offset`; of an unknown label, the offset of an empty name. */
uint32_t debug_names_find(const struct debug_names *d, const char *label, uint32_t offset);
void debug_names_free(struct debug_names *d);

#endif

// SPDX-License-Identifier: Apache-2.0
/* debug_sections.h -- line tables of an object. */
#ifndef WLCC_DEBUG_SECTIONS_H
#define WLCC_DEBUG_SECTIONS_H

#include "line_program.h"
#include "object.h"

struct debug_section {
	unsigned char *data; /* owned by the caller, like `relocations` and `names` */
	size_t size;
	unsigned char *names; /* .debug_str; NULL: no code was inlined */
	size_t names_size;
	uint32_t nrelocations;
	struct debug_relocation {
		uint64_t at;
		uint32_t kernel;
	} * relocations;
};

/* .debug_line (`source`: lines of the files named by .loc) or .nv_debug_line_sass (lines of the PTX). False: no word
 * has a line of this kind. */
bool debug_section(const struct object_input *in, bool source, struct debug_section *out);

#endif

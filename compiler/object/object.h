// SPDX-License-Identifier: Apache-2.0
/* object.h -- writes object files: ELF64 in the form of NVIDIA's cubins, for code, parameters and resources, and
 * Warplock's own section with the source line of every instruction. cmodel/object reads these files.
 *
 * Source: docs/spec/objects.md, "Container"; docs/spec/objects.md, "Sections". */
#ifndef WLCC_OBJECT_H
#define WLCC_OBJECT_H

#include "code.h"
#include "wlcc.h"

struct object_input {
	enum wl_arch arch;
	unsigned chip;    /* number named in the file; the words are the words of `arch` */
	bool relocatable; /* for the linker of device code */
	uint32_t nkernels;
	const struct kernel_code *kernels;
	uint32_t nvars; /* of the state spaces global and const; a const variable has its offset in user (+ 1) */
	const struct ptx_var *const *vars;
	uint32_t constant_bytes;
	uint32_t nshared; /* for the linker: variables of shared memory visible to other objects */
	const struct ptx_var *const *shared;
	const char *source;           /* name of the PTX file, for the line table */
	const struct ptx_file *files; /* of the .file directives */
	uint32_t nfiles;
	const struct ptx_item *items; /* of the module */
	uint32_t nitems;
	const char *text; /* the PTX */
	size_t text_size;
};

/* Lays the object out in a single allocation, owned by the caller (free out->data). */
void object_write(const struct object_input *in, struct wlcc_bytes *out);

#endif

// SPDX-License-Identifier: Apache-2.0
/* object.h -- object files: ELF64 in the form of NVIDIA's cubins, as far as code, parameters and resources go, and a
 * section of ours with the source line of every instruction.
 *
 * Facts on the container: "Real instruction encodings" section 3 of the project's notes and readelf on ptxas's output.
 */
#ifndef WLCC_OBJECT_H
#define WLCC_OBJECT_H

#include "../lower/code.h"
#include "wlcc.h"

struct object_input {
	enum wl_arch arch;
	uint32_t nkernels;
	const struct kernel_code *kernels;
	const char *source;           /* name of the PTX file, for the line table */
	const struct ptx_file *files; /* of the .file directives */
	uint32_t nfiles;
	const char *text; /* the PTX */
	size_t text_size;
};

/* Lays the object out in one allocation of the caller's (free out->data). */
void object_write(const struct object_input *in, struct wlcc_bytes *out);

/* Numbers shared by writer and reader. */
enum {
	EM_CUDA_MACHINE = 190,
	OSABI_CUDA = 0x41,
	ABI_VERSION_CUDA = 8,
	SHT_CUDA_INFO = 0x70000000,
	STO_CUDA_ENTRY = 0x10,
	EIFMT_NONE = 1,
	EIFMT_BYTE = 2,
	EIFMT_HALF = 3,
	EIFMT_BLOCK = 4,
};
/* Attributes of .nv.info, EIATTR_REGCOUNT and the like. */
enum {
#define EIATTR(number, name, shape) EIATTR_##name = number,
#include "eiattr.def"
#undef EIATTR
};
#define LINES_SECTION ".warplock.lines." /* + kernel: u32 version 1, u32 count, u32 line[count], source name, NUL */

#endif

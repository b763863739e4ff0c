// SPDX-License-Identifier: Apache-2.0
/* cubin_format.h -- numbers of the container missing in <elf.h>. The compiler's writer uses these numbers, too.
 * Source: docs/spec/objects.md, "Container"; docs/spec/objects.md, "Sections". */
#ifndef WARPLOCK_CUBIN_FORMAT_H
#define WARPLOCK_CUBIN_FORMAT_H

enum {
	EM_CUDA_MACHINE = 190,
	OSABI_CUDA = 0x41,
	ABI_VERSION_CUDA = 8,
	SHT_CUDA_INFO = 0x70000000,
	SHT_CUDA_CALLGRAPH = 0x70000001,
	/* of objects for the linker of device code; GLOBAL, LOCAL and SHARED hold no bytes in the file */
	SHT_CUDA_GLOBAL = 0x70000007,
	SHT_CUDA_GLOBAL_INIT = 0x70000008,
	SHT_CUDA_LOCAL = 0x70000009,
	SHT_CUDA_SHARED = 0x7000000a,
	SHT_CUDA_CONSTANT0 = 0x70000064,
	SHT_CUDA_CONSTANT3 = 0x70000067,
	STT_CUDA_OBJECT = 13,
	STO_CUDA_MANAGED = 0x04, /* read in cubins of nvcc 13.0 for __managed__ variables */
	STO_CUDA_ENTRY = 0x10,
	STO_CUDA_GLOBAL = 0x20,
	STO_CUDA_SHARED = 0x40,
	STO_CUDA_CONSTANT = 0x80,
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
/* Kinds of relocations. */
enum {
#define RELOC(name, ...) R_CUDA_##name,
#include "reloc.def"
#undef RELOC
};
#define LINES_SECTION ".warplock.lines." /* + kernel: u32 version 1, u32 count, u32 line[count], source name, NUL */
/* + kernel: u32 offset of each barrier of the unaligned form. .nv.info names only some of the barriers. */
#define LOOSE_SECTION ".warplock.loose."

#endif

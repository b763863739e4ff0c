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
	const char *source; /* name of the PTX file, for the line table */
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
	EIATTR_MAX_THREADS = 0x05,
	EIATTR_PARAM_CBANK = 0x0a,
	EIATTR_REQNTID = 0x10,
	EIATTR_FRAME_SIZE = 0x11,
	EIATTR_MIN_STACK_SIZE = 0x12,
	EIATTR_KPARAM_INFO = 0x17,
	EIATTR_CBANK_PARAM_SIZE = 0x19,
	EIATTR_MAXREG_COUNT = 0x1b,
	EIATTR_EXIT_INSTR_OFFSETS = 0x1c,
	EIATTR_REGCOUNT = 0x2f,
	EIATTR_CUDA_API_VERSION = 0x37,
	EIATTR_NUM_BARRIERS = 0x4c,
	EIFMT_NONE = 1,
	EIFMT_BYTE = 2,
	EIFMT_HALF = 3,
	EIFMT_BLOCK = 4,
};
#define LINES_SECTION ".warplock.lines." /* + kernel: u32 version 1, u32 count, u32 line[count], source name, NUL */

#endif

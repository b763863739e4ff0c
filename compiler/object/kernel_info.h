// SPDX-License-Identifier: Apache-2.0
/* kernel_info.h -- the records of .nv.info.NAME: facts on a kernel for the driver, the linker and debuggers. */
#ifndef WLCC_KERNEL_INFO_H
#define WLCC_KERNEL_INFO_H

#include "code.h"
#include "elf_buffer.h"

enum { CUDA_API = 130 }; /* 13.0: the form of the records */
enum { NO_SYMBOL = 0 };

/* Numbers of symbols named in records. */
struct info_symbols {
	uint32_t bank;      /* the section of the constant bank */
	uint32_t *variable; /* by mark: of the mbarrier's variable, or NO_SYMBOL */
	uint32_t nexterns, *externs;
};

/* shared: the kernel uses the shared memory reserved by the system. */
void kernel_info(struct buffer *b, enum wl_arch arch, const struct kernel_code *k, const struct info_symbols *symbols,
                 bool shared);

#endif

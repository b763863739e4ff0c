// SPDX-License-Identifier: Apache-2.0
/* kernel.h -- small kernels written as text, for tests of FRONT. */
#ifndef VERIF_SM_KERNEL_H
#define VERIF_SM_KERNEL_H

#include "warplock/sm.h"

enum { KERNEL_PARAMS = 16, KERNEL_HEAP = 1 << 20 };

struct kernel {
	struct wl_program prog;
	struct wl_gmem mem;
	struct wl_launch launch;
	struct wl_config config;
	uint64_t param[KERNEL_PARAMS]; /* c[0x0][0x160], c[0x0][0x168] ... */
	struct wl_gpu *gpu;
	char detail[1024];
};

/* One instruction a line, in the disassembler's form. `NAME:` alone on a line is a label, `{NAME}` in an instruction
 * the label's address. Registers 0..63. Ends the test program on an error of the text. Grid and block are 1 x 1 x 1 and
 * 32 x 1 x 1 until the caller changes k->launch. */
void kernel_init(struct kernel *k, const char *text);
/* The same for another architecture than sm_75; parameters begin at wl_cb0_layout(arch)->param. */
void kernel_init_for(struct kernel *k, enum wl_arch arch, const char *text);
/* A buffer of n words on the heap, all `fill`; parameter `param` holds the address. */
uint32_t *kernel_words(struct kernel *k, unsigned param, uint32_t n, uint32_t fill);
/* Creates the launch; ends the test program on a refusal. */
void kernel_start(struct kernel *k);
/* kernel_start and wl_gpu_run; k->detail is filled. */
enum wl_outcome kernel_run(struct kernel *k);
void kernel_free(struct kernel *k);
/* Does a run end at the instruction with the error for a combination missing in the model? Prints the outcome if
 * not. */
bool kernel_refuses(enum wl_arch arch, const char *instruction);

/* uop_covered.def names for each micro-operation the test program with the directed cases. Returns 0 if this program's
 * kernels held all micro-operations that the table gives to `test`; else prints the missing micro-operations. */
int kernel_covers(const char *test);
/* 0 if the table has every micro-operation of uops.def that FRONT or a unit in C alone executes. */
int kernel_all_covered(void);

#endif

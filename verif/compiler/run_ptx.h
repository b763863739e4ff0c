// SPDX-License-Identifier: Apache-2.0
/* run_ptx.h -- PTX text through the compiler and the C model, for tests. */
#ifndef VERIF_COMPILER_RUN_PTX_H
#define VERIF_COMPILER_RUN_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "warplock/object.h"
#include "wlcc.h"

struct run_setup {
	const char *ptx;
	enum wl_arch arch; /* 0: sm_75 */
	int opt;
	uint32_t grid, block;
	uint32_t dynamic_shared;
	/* buffers, in the order of the kernel's pointer parameters; changed in place */
	unsigned nbufs;
	struct {
		void *data;
		size_t size;
	} buf[8];
	bool pass_word; /* a last u32 parameter with this value */
	uint32_t word;
};

/* Architectures with code generation, sm_75 first. */
enum { NUM_ARCHS = 5 };
extern const enum wl_arch all_archs[NUM_ARCHS];

/* Compiles and loads the only kernel. On failure `why` gets the messages. The caller frees *p. */
bool build_ptx(const char *ptx, enum wl_arch arch, int opt, struct wl_program *p, char *why, size_t whyn);
/* Compiles, checks the scheduling fields (sched_check.h), runs. */
bool run_ptx(const struct run_setup *s, char *why, size_t whyn);

#endif

// SPDX-License-Identifier: Apache-2.0
/* code.h -- the finished code of one kernel, as the object writer takes it. */
#ifndef WLCC_CODE_H
#define WLCC_CODE_H

#include <stdint.h>

#include "../ptx/ast.h"
#include "warplock/isa.h"

/* A word that the linker completes: with the address of a function or variable, or of a place in the same code. */
struct code_place {
	uint32_t at; /* byte */
	enum place_kind {
		PLACE_LOW,
		PLACE_HIGH,
		PLACE_CONSTANT,
		PLACE_SHARED,
		PLACE_CALL
	} kind; /* word of the address that MOV loads; offset in bank 3, in shared memory; target */
	const struct ptx_symbol *symbol; /* NULL: this code */
	int64_t addend;
};

#define UNKNOWN_STACK 0xffffffffu

/* A kernel, or another function. */
struct kernel_code {
	const struct ptx_function *src;
	uint32_t n;
	struct wl_word *words;
	uint32_t *lines;         /* PTX line of each word, 0 = none */
	uint32_t nexits, *exits; /* byte offsets of EXIT instructions */
	uint32_t nloose, *loose; /* and of barriers of the unaligned form */
	uint32_t nplaces;
	struct code_place *places;
	uint32_t nshared_vars; /* variables of shared memory, and where they lie */
	struct code_var {
		const struct ptx_var *var;
		uint32_t at;
	} * shared_vars;
	struct code_note {
		struct code_note *older, *next; /* next: of the same line, when that is printed */
		uint32_t line;                  /* of the PTX */
		const char *text;
	} * notes;         /* why code is as it is, the last one first */
	unsigned max_regs; /* that it may use */
	bool calls;
	bool system_shared;      /* it uses what the system keeps of shared memory */
	uint32_t stored, loaded; /* bytes, by code that spills */
	uint32_t regs, frame, shared, barriers, param_base, param_bytes;
	uint32_t stack; /* its frame and those of what it calls (stacks.h); UNKNOWN_STACK: that cannot be told */
};

#endif

// SPDX-License-Identifier: Apache-2.0
/* code.h -- the finished code of a kernel, for the object writer. */
#ifndef WLCC_CODE_H
#define WLCC_CODE_H

#include <stdint.h>

#include "../ptx/ast.h"
#include "warplock/isa.h"

/* A word completed by the linker: with the address of a function or variable, or of a place in the same code. */
struct code_place {
	uint32_t at; /* byte */
	enum place_kind {
		PLACE_LOW,
		PLACE_HIGH,
		PLACE_CONSTANT,
		PLACE_SHARED,
		PLACE_CALL
	} kind;                          /* word of the address for MOV; offset in bank 3, in shared memory; target */
	const struct ptx_symbol *symbol; /* NULL: this code */
	int64_t addend;
};

#define UNKNOWN_STACK 0xffffffffu

/* An instruction named in .nv.info. */
struct code_mark {
	enum mark_kind {
		MARK_NONE,
		MARK_COOP, /* lanes of a warp come together: votes, shuffles and similar */
		MARK_BARRIER,
		MARK_WARP_WIDE, /* the same uops in code made by the compiler itself */
		MARK_ATOM16,    /* a load or a compare-and-swap of an emulated atomic of 16 bits */
		MARK_MBARRIER   /* of a PTX instruction on an mbarrier, the first access */
	} kind;
	uint32_t at;       /* byte */
	uint8_t op;        /* MBARRIER: enum mark_mbarrier */
	uint8_t reg, reg2; /* mask, address or state and count; NO_MARK_REG */
	bool in_register;  /* COOP: the mask is in a register */
	bool loose;        /* BARRIER: of the unaligned form, lanes of a warp may come to several barriers */
	bool listed;       /* BARRIER: as ptxas lists: of the unaligned form only bar.sync, and cluster barriers */
	bool generic;      /* MBARRIER: the address is generic */
	const struct ptx_var *var; /* MBARRIER: the variable; the object starts at offset bytes; NULL: unknown */
	uint32_t offset, place;    /* place: of the variable in shared memory */
};

enum { NO_MARK_REG = 0xff };

/* Numbers of mbarrier operations in .nv.info. */
enum mark_mbarrier {
	MARK_MB_INIT,
	MARK_MB_ARRIVE,
	MARK_MB_ARRIVE_NO_COMPLETE,
	MARK_MB_DROP,
	MARK_MB_DROP_NO_COMPLETE,
	MARK_MB_TEST_WAIT,
	MARK_MB_TEST_WAIT_PARITY,
	MARK_MB_CP_ASYNC_ARRIVE,
	MARK_MB_INVAL,
	MARK_MB_TRY_WAIT,
	MARK_MB_TRY_WAIT_PARITY,
	MARK_MB_EXPECT_TX,
	MARK_MB_COMPLETE_TX
};

/* A kernel, or another function. */
struct kernel_code {
	const struct ptx_function *src;
	uint32_t n;
	struct wl_word *words;
	uint32_t *lines;         /* PTX line of each word, 0 = none */
	uint32_t nexits, *exits; /* byte offsets of EXIT instructions */
	uint32_t nmarks;
	struct code_mark *marks; /* in the order of the code */
	bool returns_apart;      /* BSSY, or a call of a function of the module */
	uint32_t nplaces;
	struct code_place *places;
	uint32_t nshared_vars; /* variables of shared memory, with positions */
	struct code_var {
		const struct ptx_var *var;
		uint32_t at;
	} * shared_vars;
	struct code_note {
		struct code_note *older, *next; /* next: note of the same line, for the listing */
		uint32_t line;                  /* of the PTX */
		const char *text;
	} * notes;         /* reasons for the code, the newest first */
	unsigned max_regs; /* limit of registers */
	bool calls;
	bool system_shared;      /* uses the shared memory reserved by the system */
	uint32_t stored, loaded; /* bytes, by code that spills */
	uint32_t regs, frame, shared, barriers, param_base, param_bytes;
	uint32_t stack; /* the frame plus the frames of callees (stacks.h); UNKNOWN_STACK: unknown */
};

#endif

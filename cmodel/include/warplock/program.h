// SPDX-License-Identifier: Apache-2.0
/* program.h -- one kernel with code, constants and variables, decoded: made by a loader, run by the front end. */
#ifndef WARPLOCK_PROGRAM_H
#define WARPLOCK_PROGRAM_H

#include "warplock/isa.h"

/* One kernel, decoded once. The loader (warplock/object.h) or a caller fills and owns the program. */
struct wl_program {
	char name[256];
	enum wl_arch arch;
	uint32_t ninst;
	struct wl_word *words; /* [ninst], address of word i = 16 * i */
	struct wl_inst *insts; /* [ninst]; uop UNMODELLED where wl_decode knows no row */
	uint32_t *lines;       /* [ninst] source line of each instruction, 0 = unknown; may be NULL */
	char *source;          /* name of the source file, may be NULL */
	uint32_t nsources;     /* of programs with lines of several files: their names */
	char **sources;
	uint16_t *source_of;   /* [ninst] which of them; NULL = `source` for all */
	uint32_t regs;         /* registers a thread uses */
	uint32_t shared_bytes; /* static shared memory, from sm_90 on with the system's */
	bool system_shared;    /* the code uses the system's part of a CTA's shared memory */
	uint32_t local_bytes;  /* frame of a thread */
	uint32_t param_base;   /* offset of the parameters in constant bank 0 */
	uint32_t param_bytes;
	uint32_t nparams; /* at most WL_PARAM_MOST */
	struct wl_param {
		uint32_t offset, size; /* within the parameter area */
	} * params;                    /* [nparams] */
	uint32_t cbank_bytes[8];       /* images of constant banks other than 0: bank 2 literals, bank 3 .const ... */
	uint8_t *cbank[8];
	uint32_t max_threads;         /* 0 = no limit stated */
	uint32_t required_block[3];   /* the only legal block of a launch; [0] = 0: any */
	uint32_t required_cluster[3]; /* CTAs of a cluster; [0] = 0: none */
	uint32_t max_cluster;         /* CTAs of a cluster, at most; 0 = no limit stated */
	/* Variables of the module (__device__, strings, tables of pointers) with their start values: [data_bytes] bytes
	 * for WL_MODULE_BASE (wl_gmem_add_module). All addresses in words, banks and data are filled in. */
	uint8_t *data;
	uint64_t data_bytes;
	uint64_t constants_at; /* generic address of constant bank 3; 0: WL_CONST_BASE */
	/* Parts of the code, in this order: the kernel, functions that the kernel may call, functions that the object
	 * lacks. The last kind has count 1: one instruction that no row knows, so that a call ends with the name. */
	uint32_t nfunctions;
	struct wl_function {
		char *name;
		uint32_t first, count; /* instructions */
		bool external;
	} * functions;
	/* Barriers of the unaligned form, as instruction indices: their words do not tell. tells_loose: the object lists
	 * them. */
	bool tells_loose;
	uint32_t nloose, *loose;
	/* Variables of the module and of constant bank 3, by address, where the object names them. */
	uint32_t nglobals;
	struct wl_global_var {
		char *name;
		uint64_t at, size;
		bool managed; /* __managed__: host and kernels share it */
	} * globals;
	/* Variables in shared memory, where the object names them. */
	uint32_t nshared;
	struct wl_shared_var {
		char *name;
		uint32_t at, size;
	} * shared;
};
/* The function of instruction i, NULL = unknown. */
const struct wl_function *wl_program_function(const struct wl_program *p, uint32_t i);
/* Source file and line of instruction i; false where none is known. Of code that was inlined it is the line of the call
 * in the function that it was inlined into. */
bool wl_program_line(const struct wl_program *p, uint32_t i, const char **file, unsigned *line);
void wl_program_free(struct wl_program *p);

#endif

// SPDX-License-Identifier: Apache-2.0
/* program.h -- a kernel with code, constants and variables, decoded: made by a loader, run by the front end. */
#ifndef WARPLOCK_PROGRAM_H
#define WARPLOCK_PROGRAM_H

#include "warplock/isa.h"

/* A place in a source file. Of inlined code: the inlined function, and the place of the call. */
struct wl_place {
	const char *file, *function; /* function NULL: not inlined, or without a name */
	uint32_t line;
	uint32_t caller; /* 1 + the index of the place of the call; 0: not inlined */
};

/* A kernel, decoded once. The loader (warplock/object.h) or a caller fills and owns the program. */
struct wl_program {
	char name[256];
	enum wl_arch arch;
	uint32_t ninst;
	struct wl_word *words; /* [ninst], address of word i = 16 * i */
	struct wl_inst *insts; /* [ninst]; uop UNMODELLED where wl_decode knows no row */
	uint32_t *lines;       /* [ninst] line of each instruction in PTX or assembly, 0 = unknown; may be NULL */
	char *source;          /* name of the PTX or assembly file, may be NULL */
	/* Places in the sources, from the object's line table (.loc of PTX, nvcc -lineinfo). */
	uint32_t nplaces;
	struct wl_place *places;
	uint32_t *place_of; /* [ninst] 1 + the index of a place, 0 = unknown; may be NULL */
	uint32_t ntexts;
	char **texts;          /* names of the places; the program owns them */
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
	uint32_t max_threads;       /* 0 = no limit stated */
	uint32_t required_block[3]; /* the only legal block of a launch; [0] = 0: any */
	bool of_tiles;              /* the compiler chose the block: a launch asks for one thread (wl_program_block) */
	uint32_t required_cluster[3]; /* CTAs of a cluster; [0] = 0: none */
	uint32_t max_cluster;         /* CTAs of a cluster, at most; 0 = no limit stated */
	/* Variables of the module (__device__, strings, tables of pointers) with their start values: [data_bytes] bytes
	 * for WL_MODULE_BASE (wl_gmem_add_module). All addresses in words, banks and data are filled in. */
	uint8_t *data;
	uint64_t data_bytes;
	uint64_t constants_at; /* generic address of constant bank 3; 0: WL_CONST_BASE */
	/* Parts of the code, in this order: the kernel, functions callable by the kernel, functions missing in the
	 * object. A missing function has count 1: an instruction without a row, so that a call ends with the name. */
	uint32_t nfunctions;
	struct wl_function {
		char *name;
		uint32_t first, count; /* instructions */
		bool external;
	} * functions;
	/* Barriers of the unaligned form, as instruction indices: the words do not tell the form. tells_loose: the
	 * object has the list. */
	bool tells_loose;
	uint32_t nloose, *loose;
	/* Variables of the module and of constant bank 3, by address, where the object names them. */
	uint32_t nglobals;
	struct wl_global_var {
		char *name;  /* in the object */
		char *shown; /* for messages: the name in C++ */
		uint64_t at, size;
		bool managed; /* __managed__: shared by host and kernels */
	} * globals;
	/* Variables in shared memory, where the object names them. */
	uint32_t nshared;
	struct wl_shared_var {
		char *name, *shown; /* as above */
		uint32_t at, size;
	} * shared;
};
/* The block of a launch with the given `block`: a launch of one thread gets the block of a kernel of tiles. */
void wl_program_block(const struct wl_program *p, uint32_t block[3]);
/* The function of instruction i, NULL = unknown. */
const struct wl_function *wl_program_function(const struct wl_program *p, uint32_t i);
/* Source file and line of instruction i; false where unknown. Of inlined code: the line of the outermost call. Without
 * a line table of sources: the line of the PTX or of the assembly. */
bool wl_program_line(const struct wl_program *p, uint32_t i, const char **file, unsigned *line);
/* The innermost place of instruction i; NULL where the line table has none. */
const struct wl_place *wl_program_place(const struct wl_program *p, uint32_t i);
/* " (k.cu, line 8)"; of inlined code " (k.cu, line 8) [lock (lock.h, line 3) inlined at k.cu, line 8]"; else "". */
enum { WL_WHERE = 1200 /* bytes: enough for every text */ };
void wl_program_where(const struct wl_program *p, uint32_t i, char *buf, size_t n);
/* "lock (lock.h, line 3) inlined at k.cu, line 8", with the last part of each path; "" for a place without a call. */
void wl_place_chain(const struct wl_place *places, const struct wl_place *place, char *buf, size_t n);
/* The object at byte `addr` of the shared memory of a CTA with `bytes`: "full", "full+8", or, behind the static
 * variables, "dynamic shared memory + 0x10". False: the program names nothing at `addr`. */
bool wl_program_shared_object(const struct wl_program *p, uint32_t bytes, uint64_t addr, char *buf, size_t n);
void wl_program_free(struct wl_program *p);

#endif

// SPDX-License-Identifier: Apache-2.0
/* launch.h -- launch files: the kernel, the grid, the arguments with start and expected contents, the expected end.
 *
 * Reading checks every field; the first bad field is the error: file, field, found, expected. */
#ifndef WARPLOCK_LAUNCH_H
#define WARPLOCK_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "warplock/config.h"

enum {
	LAUNCH_MAX_ARGS = 256,
	LAUNCH_NAME = 128,
	LAUNCH_PATH = 1024,
	LAUNCH_MAX_PTX = 16,
	LAUNCH_HEAP = 8 << 20,        /* as on a GPU without a set limit */
	LAUNCH_STACK_MOST = 512 << 10 /* local memory of a thread */
};
#define LAUNCH_ADDRESS UINT64_C(0xa00000000) /* first address for a launch file: behind all memory of the tools */

/* Element types. */
enum elem_kind { ELEM_UNSIGNED, ELEM_SIGNED, ELEM_FLOAT, ELEM_HALF, ELEM_BFLOAT };
struct elem_type {
	const char *name;
	enum elem_kind kind;
	unsigned bytes;
};

/* Kinds of contents of a buffer, at the start or as expected. The program in the launch file's field `checker` checks a
 * rule, not the tools. */
enum fill_kind {
	FILL_NOTHING,
	FILL_ZERO,
	FILL_IOTA,
	FILL_CONST,
	FILL_RANDOM,
	FILL_FILE,
	FILL_RULE,
	FILL_UNWRITTEN,
	FILL_LIST
};
struct launch_fill {
	enum fill_kind kind;
	uint64_t constant;      /* FILL_CONST: bytes of an element */
	uint32_t seed, lo, hi;  /* FILL_RANDOM */
	uint64_t *list;         /* FILL_LIST: bytes of each element, count of the buffer */
	char text[LAUNCH_PATH]; /* path of the file, name of the rule, else the text in the launch file */
};

/* Bytes of an argument of kind "bytes". */
struct launch_field {
	uint32_t at;
	uint8_t bytes;
	int buffer;     /* index in launch_file.arg of the buffer with the added address; -1: none */
	uint64_t value; /* little endian */
};

struct launch_arg {
	char name[LAUNCH_NAME];
	bool is_buffer, is_bytes;
	const struct elem_type *type; /* not of bytes */
	uint64_t value;               /* scalar: bytes, little endian */
	/* bytes: 0 outside of all fields */
	uint32_t size, end; /* as stated, 0 = not; end of the last field */
	unsigned nfields;
	struct launch_field *field;
	/* buffer */
	uint64_t count;
	uint64_t address; /* 0: any */
	struct launch_fill init, expect;
};

struct launch_file {
	char path[LAUNCH_PATH];
	char kernel[256];
	uint32_t grid[3], block[3];
	uint32_t cluster[3]; /* [0] = 0: not given */
	uint32_t dynamic_shared;
	uint64_t heap; /* bytes for malloc */
	/* Addresses of buffers in the place of memory of the tools; 0: the tools place the memory. */
	uint64_t variables_at, constants_at, heap_at;
	uint32_t stack;            /* bytes of a thread's stack at least */
	char expect[16];           /* "pass", "deadlock", "fault", "limit" */
	char checker[LAUNCH_PATH]; /* file of the checker of the rules; "": none */
	bool all_resident;    /* residency "all": every CTA must run at the same time; true for a cooperative launch */
	bool cooperative;     /* the CTAs of the grid may wait for each other, with a workspace for the barrier */
	char ignored[128];    /* names of unknown fields, for a warning: "expct, args[2] 'bins': cuont"; cut when
	                      long */
	unsigned nargs, nall; /* arguments; arguments and further buffers */
	struct launch_arg arg[LAUNCH_MAX_ARGS];
	unsigned nptx;
	struct launch_ptx {
		char arch[16], file[LAUNCH_PATH];
	} ptx[LAUNCH_MAX_PTX];
};

/* Reads and checks a launch file. Paths in *out are relative to the working directory already. On failure `err` gets a
 * line. */
bool launch_read(const char *path, struct launch_file *out, char *err, size_t errn);
void launch_free(struct launch_file *l); /* the allocations of launch_read */
/* A launch without a file: a CTA of a single warp, no arguments, expected to end. */
void launch_default(struct launch_file *out);
/* PTX for the chip, or else for the architecture of the chip's words; NULL with a line in err when the file names
 * none. */
const char *launch_ptx_for(const struct launch_file *l, unsigned chip, char *err, size_t errn);
/* The bytes of an argument of kind "bytes", over zeros; addr[i] is the address of buffer i of the file. */
void launch_bytes_fill(const struct launch_arg *a, const uint64_t *addr, uint8_t *to);
/* Element i of contents not from a file, as bytes, little endian. */
uint64_t launch_element(const struct elem_type *t, const struct launch_fill *f, uint64_t i);
/* An element as text: numbers as numbers, patterns of 2-byte floats in hex. */
void launch_print_element(const struct elem_type *t, const unsigned char *bytes, char *buf, size_t n);

#endif

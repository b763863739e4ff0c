// SPDX-License-Identifier: Apache-2.0
/* launch.h -- launch files: the kernel, its grid, its arguments with start and expected contents, how it should end.
 *
 * Reading checks every field; the first bad one is the error: file, field, found, expected. */
#ifndef WARPLOCK_LAUNCH_H
#define WARPLOCK_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "warplock/config.h"

enum {
	LAUNCH_MAX_ARGS = 128,
	LAUNCH_NAME = 128,
	LAUNCH_PATH = 1024,
	LAUNCH_MAX_PTX = 16,
	LAUNCH_HEAP = 8 << 20,        /* as on a GPU where no limit is set */
	LAUNCH_STACK_MOST = 512 << 10 /* local memory of a thread */
};

/* Element types. */
enum elem_kind { ELEM_UNSIGNED, ELEM_SIGNED, ELEM_FLOAT, ELEM_HALF, ELEM_BFLOAT };
struct elem_type {
	const char *name;
	enum elem_kind kind;
	unsigned bytes;
};

enum init_kind { INIT_ZERO, INIT_IOTA, INIT_CONST, INIT_RANDOM, INIT_FILE };
enum arg_expect { EXPECT_NOTHING, EXPECT_FILE, EXPECT_RULE };

struct launch_arg {
	char name[LAUNCH_NAME];
	bool is_buffer;
	const struct elem_type *type;
	uint64_t value; /* scalar: its bytes, little endian */
	/* buffer */
	uint64_t count;
	enum init_kind init;
	uint64_t constant;     /* INIT_CONST: bytes of an element */
	uint32_t seed, lo, hi; /* INIT_RANDOM */
	char init_file[LAUNCH_PATH];
	enum arg_expect expect;
	char expect_file[LAUNCH_PATH]; /* path, or name of the rule */
};

struct launch_file {
	char path[LAUNCH_PATH];
	char kernel[256];
	uint32_t grid[3], block[3];
	uint32_t cluster[3]; /* [0] = 0: not given */
	uint32_t dynamic_shared;
	uint64_t heap;     /* bytes that malloc can give */
	uint32_t stack;    /* bytes of a thread's stack at least */
	char expect[16];   /* "pass", "deadlock", "fault", "limit" */
	bool all_resident; /* residency "all": every CTA must run at the same time; true for a cooperative launch */
	bool cooperative;  /* the CTAs of the grid may wait for each other: there is a workspace for their barrier */
	char ignored[128]; /* names of fields that are not known, for a warning: "expct, args[2] 'bins': cuont"; cut
	                      when long */
	unsigned nargs;
	struct launch_arg arg[LAUNCH_MAX_ARGS];
	unsigned nptx;
	struct launch_ptx {
		char arch[16], file[LAUNCH_PATH];
	} ptx[LAUNCH_MAX_PTX];
};

/* Reads and checks a launch file. Paths in *out are relative to the working directory already. On failure `err` gets
 * one line. */
bool launch_read(const char *path, struct launch_file *out, char *err, size_t errn);
/* A launch without a file: one CTA of one warp, no arguments, expected to end. */
void launch_default(struct launch_file *out);
/* PTX for the chip, or else for the architecture whose words it runs; NULL with a line in err when the
 * file names none. */
const char *launch_ptx_for(const struct launch_file *l, unsigned chip, char *err, size_t errn);
/* Element i of the start contents of a buffer that does not come from a file, as bytes, little endian. */
uint64_t launch_element(const struct launch_arg *a, uint64_t i);
/* An element as text: numbers as numbers, patterns of 2-byte floats in hex. */
void launch_print_element(const struct elem_type *t, const unsigned char *bytes, char *buf, size_t n);

#endif

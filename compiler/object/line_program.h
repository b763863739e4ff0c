// SPDX-License-Identifier: Apache-2.0
/* line_program.h -- line tables in the form of DWARF version 2, as in NVIDIA's tools. */
#ifndef WLCC_LINE_PROGRAM_H
#define WLCC_LINE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct line_row {
	uint32_t address, file, line;
	uint32_t caller; /* of inlined code: 1 + the row of the call, an earlier row of the sequence; 0: not inlined */
	uint32_t function; /* of inlined code: offset of the function's name in .debug_str */
};
/* The rows of a kernel in the order of addresses, and the size of the kernel. */
struct line_sequence {
	const struct line_row *rows;
	uint32_t nrows, size;
	uint64_t relocate; /* out: position of the kernel's address in the table */
};

/* Returns the table in a single allocation, owned by the caller, with the size in *size. Files are numbered from 1.
 * Without files, the lines are lines of the PTX text. */
unsigned char *line_program(const char *const *files, uint32_t nfiles, struct line_sequence *sequences, uint32_t n,
                            size_t *size);

#endif

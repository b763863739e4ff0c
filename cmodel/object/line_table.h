// SPDX-License-Identifier: Apache-2.0
/* line_table.h -- private to cmodel/object: the rows of a line table. */
#ifndef WARPLOCK_LINE_TABLE_H
#define WARPLOCK_LINE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NO_FILE = UINT32_MAX };

struct line_place {
	uint64_t at;       /* address, as relocated */
	uint32_t file;     /* index of the table's files, or NO_FILE */
	uint32_t line;     /* 0: unknown */
	uint32_t caller;   /* of inlined code: 1 + the row of the call, which is an earlier row; 0: not inlined */
	uint64_t function; /* of inlined code: offset of the function's name in .debug_str */
	bool end;          /* of a sequence: nothing is known from here on */
};

struct line_table {
	size_t nrows, rows_room, nfiles, files_room;
	struct line_place *rows; /* in the order of the table */
	char **files;
};

/* Reads all units of versions 2 to 4 and leaves out other units. False: the table is damaged, or no memory; the caller
 * frees *out in each case. */
bool line_table_read(const unsigned char *data, size_t size, struct line_table *out);
void line_table_free(struct line_table *t);

#endif

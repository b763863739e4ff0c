// SPDX-License-Identifier: Apache-2.0
/* debug_sections.c -- which lines the words of the kernels come from: source lines where the PTX has .loc, and lines of
 * the PTX itself. */
#include "debug_sections.h"

#include <stdlib.h>

static const struct ptx_loc *loc_of(const struct ptx_function *fn, uint32_t ptx_line)
{
	uint32_t low = 0, high = fn->ninstrs;
	while (low < high) { /* the first instruction of that line or a later one */
		uint32_t middle = low + (high - low) / 2;

		if (fn->instrs[middle].pos.line < ptx_line)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == fn->ninstrs || fn->instrs[low].pos.line != ptx_line || fn->instrs[low].loc == PTX_NONE)
		return NULL;
	return &fn->locs[fn->instrs[low].loc];
}

/* File numbers in the table are places in the list of .file directives, from 1. */
static uint32_t file_number(const struct object_input *in, uint32_t number)
{
	for (uint32_t i = 0; i < in->nfiles; i++)
		if (in->files[i].number == number)
			return i + 1;
	return 0;
}

static uint32_t find_rows(const struct object_input *in, const struct kernel_code *k, bool source,
                          struct line_row *rows)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < k->n; i++) {
		struct line_row r = {.address = 16 * i, .line = k->lines[i]}; /* the PTX is file 0 */
		const struct ptx_loc *loc = source && r.line ? loc_of(k->src, r.line) : NULL;

		if (loc) {
			r.file = file_number(in, loc->file);
			r.line = loc->line;
		}
		if ((source && !r.file) || !r.line)
			continue; /* of no line: goes with the word before */
		if (n && rows[n - 1].file == r.file && rows[n - 1].line == r.line)
			continue;
		rows[n++] = r;
	}
	return n;
}

bool debug_section(const struct object_input *in, bool source, struct debug_section *out)
{
	const char **files = calloc(in->nfiles + 1, sizeof *files);
	uint32_t words = 0, used = 0, rows = 0;
	struct line_row *row;
	for (uint32_t i = 0; i < in->nkernels; i++)
		words += in->kernels[i].n;
	*out = (struct debug_section){0};
	row = calloc(words + 1, sizeof *row);
	out->relocations = calloc(in->nkernels + 1, sizeof *out->relocations);
	struct line_sequence *sequences = calloc(in->nkernels + 1, sizeof *sequences);
	if (!files || !row || !out->relocations || !sequences)
		abort();
	for (uint32_t i = 0; i < in->nfiles; i++)
		files[i] = in->files[i].name;
	for (uint32_t i = 0; i < in->nkernels; i++) {
		const struct kernel_code *k = &in->kernels[i];
		uint32_t n = find_rows(in, k, source, row + rows);
		if (!n)
			continue;
		out->relocations[used].kernel = i;
		sequences[used++] = (struct line_sequence){.rows = row + rows, .nrows = n, .size = 16 * k->n};
		rows += n;
	}
	if (used)
		out->data = line_program(files, source ? in->nfiles : 0, sequences, used, &out->size);
	for (uint32_t i = 0; i < used; i++)
		out->relocations[i].at = sequences[i].relocate;
	out->nrelocations = used;
	free(files);
	free(row);
	free(sequences);
	return used > 0;
}

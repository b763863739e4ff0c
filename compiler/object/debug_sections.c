// SPDX-License-Identifier: Apache-2.0
/* debug_sections.c -- lines of the words of kernels: source lines where the PTX has .loc, and lines of the PTX
 * itself. */
#include "debug_sections.h"

#include <stdlib.h>
#include <string.h>

#include "debug_names.h"

static const struct ptx_loc *loc_of(const struct ptx_function *fn, uint32_t ptx_line)
{
	uint32_t low = 0, high = fn->ninstrs;
	while (low < high) { /* the first instruction of this line or a later line */
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

/* The rows of a kernel. */
struct making {
	const struct object_input *in;
	const struct kernel_code *k;
	const struct debug_names *names;
	struct line_row *rows;
	uint32_t n;
	uint32_t *row_of; /* [locs of the function] 1 + the first row, 0: no row */
	bool calls;       /* code was inlined */
};

/* The .loc at the call of an inlined .loc: the last .loc of the same place above; NULL: not found. */
static const struct ptx_loc *caller_of(const struct ptx_function *fn, const struct ptx_loc *loc)
{
	for (const struct ptx_loc *c = loc; c-- > fn->locs;)
		if (c->file == loc->caller_file && c->line == loc->caller_line && c->col == loc->caller_col)
			return c;
	return NULL;
}

static void add_row(struct making *m, struct line_row r)
{
	const struct line_row *last = m->n ? &m->rows[m->n - 1] : NULL;
	if (!last || last->file != r.file || last->line != r.line || last->caller != r.caller ||
	    last->function != r.function)
		m->rows[m->n++] = r;
}

/* 1 + the row of the call. Makes the row if missing. */
static uint32_t call_row(struct making *m, const struct ptx_loc *loc, uint32_t address, unsigned depth);

static void add_loc(struct making *m, const struct ptx_loc *loc, uint32_t address, unsigned depth)
{
	struct line_row r = {.address = address, .file = file_number(m->in, loc->file), .line = loc->line};
	if (!r.file || !r.line)
		return; /* without a line: belongs to the previous word */
	if (loc->caller_file) {
		r.caller = call_row(m, loc, address, depth);
		r.function = r.caller ? debug_names_find(m->names, loc->function, loc->function_offset) : 0;
		m->calls |= r.caller != 0;
	}
	add_row(m, r);
	if (!m->row_of[loc - m->k->src->locs])
		m->row_of[loc - m->k->src->locs] = m->n;
}

static uint32_t call_row(struct making *m, const struct ptx_loc *loc, uint32_t address, unsigned depth)
{
	enum { DEEPEST = 200 };
	const struct ptx_loc *caller = depth < DEEPEST ? caller_of(m->k->src, loc) : NULL;
	if (caller) {
		uint32_t *row = &m->row_of[caller - m->k->src->locs];
		if (!*row)
			add_loc(m, caller, address, depth + 1);
		return *row;
	}
	const struct line_row r = {
	        .address = address, .file = file_number(m->in, loc->caller_file), .line = loc->caller_line};
	if (!r.file || !r.line)
		return 0;
	add_row(m, r);
	return m->n;
}

static uint32_t find_rows(struct making *m, bool source)
{
	const struct kernel_code *k = m->k;
	const struct ptx_loc *last = NULL;
	for (uint32_t i = 0; i < k->n; i++) {
		const struct ptx_loc *loc = source && k->lines[i] ? loc_of(k->src, k->lines[i]) : NULL;
		if (loc && loc != last)
			add_loc(m, loc, 16 * i, 0);
		else if (!source && k->lines[i])
			add_row(m, (struct line_row){.address = 16 * i, .line = k->lines[i]}); /* the PTX is file 0 */
		last = loc ? loc : last;
	}
	return m->n;
}

/* Most rows of a kernel: a row for each word, and two for each .loc. */
static size_t rows_of(const struct kernel_code *k)
{
	return (size_t)k->n + 2 * (size_t)k->src->nlocs;
}

bool debug_section(const struct object_input *in, bool source, struct debug_section *out)
{
	const char **files = calloc(in->nfiles + 1, sizeof *files);
	size_t room = 1, locs = 1;
	uint32_t used = 0, rows = 0;
	struct debug_names names;
	bool calls = false;
	for (uint32_t i = 0; i < in->nkernels; i++) {
		room += rows_of(&in->kernels[i]);
		locs = in->kernels[i].src->nlocs > locs ? in->kernels[i].src->nlocs : locs;
	}
	*out = (struct debug_section){0};
	struct line_row *row = calloc(room, sizeof *row);
	uint32_t *row_of = calloc(locs, sizeof *row_of);
	out->relocations = calloc(in->nkernels + 1, sizeof *out->relocations);
	struct line_sequence *sequences = calloc(in->nkernels + 1, sizeof *sequences);
	if (!files || !row || !row_of || !out->relocations || !sequences)
		abort();
	debug_names_read(in->items, source ? in->nitems : 0, &names);
	for (uint32_t i = 0; i < in->nfiles; i++)
		files[i] = in->files[i].name;
	for (uint32_t i = 0; i < in->nkernels; i++) {
		const struct kernel_code *k = &in->kernels[i];
		memset(row_of, 0, locs * sizeof *row_of);
		struct making m = {in, k, &names, row + rows, 0, row_of, false};
		const uint32_t n = find_rows(&m, source);
		calls |= m.calls;
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
	if (calls) {
		out->names = names.bytes;
		out->names_size = names.size;
		names.bytes = NULL;
	}
	debug_names_free(&names);
	free(files);
	free(row_of);
	free(row);
	free(sequences);
	return used > 0;
}

// SPDX-License-Identifier: Apache-2.0
/* lines.c -- source lines of an object: .debug_line of nvcc -lineinfo and -G, and of our own compiler.
 *
 * Every sequence of a cubin's line table begins at an address named by a relocation, since each function has a section
 * of its own. Relocations are done in a copy of the table: section s lies at s << SECTION_SHIFT. */
#include <stdlib.h>
#include <string.h>

#include "cubin.h"
#include "demangle.h"
#include "line_table.h"

enum { SECTION_SHIFT = 32, NAMES = 1024, DEEPEST = 64 /* most places named of a chain */ };

struct name {
	uint64_t at; /* in .debug_str */
	char *text;
};

struct wl_lines {
	struct line_table table;
	struct sorted {
		uint64_t at;
		uint32_t row;
		bool end;
	} * order; /* [table.nrows] rows by address */
	const unsigned char *strings;
	size_t nstrings, ntexts, texts_room;
	char **texts;             /* readable names of functions */
	struct name names[NAMES]; /* the names used last, by offset */
};

/* The section with all relocations done, in memory of the caller's. */
static unsigned char *relocated(const struct wl_object *o, uint32_t section)
{
	const struct cubin_section *s = &o->sections[section];
	unsigned char *copy = malloc(s->head.sh_size);
	struct cubin_relocation rel;
	const char *name;
	Elf64_Sym sym;
	if (!copy)
		return NULL;
	memcpy(copy, s->data, s->head.sh_size);
	for (uint32_t k = s->relocations; k; k = o->sections[k].more)
		for (uint64_t i = 0; cubin_relocation(o, k, i, &rel); i++) {
			if (rel.type != R_CUDA_64 || rel.offset > s->head.sh_size || s->head.sh_size - rel.offset < 8 ||
			    !cubin_symbol(o, rel.symbol, &sym, &name)) {
				free(copy);
				return NULL;
			}
			uint64_t value =
			        ((uint64_t)sym.st_shndx << SECTION_SHIFT) + sym.st_value + (uint64_t)rel.addend;
			memcpy(copy + rel.offset, &value, sizeof value);
		}
	return copy;
}

/* By address. Among rows at the same address the last row in the table counts; the end of a sequence never counts. */
static int by_place(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (x->end != y->end)
		return x->end ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static bool sort_rows(struct wl_lines *l)
{
	const size_t n = l->table.nrows;
	l->order = n < UINT32_MAX ? malloc((n + 1) * sizeof *l->order) : NULL;
	for (size_t i = 0; l->order && i < n; i++)
		l->order[i] = (struct sorted){l->table.rows[i].at, (uint32_t)i, l->table.rows[i].end};
	if (l->order && n)
		qsort(l->order, n, sizeof *l->order, by_place);
	return l->order != NULL;
}

void wl_lines_close(struct wl_lines *l)
{
	if (!l)
		return;
	line_table_free(&l->table);
	for (size_t i = 0; i < l->ntexts; i++)
		free(l->texts[i]);
	free(l->texts);
	free(l->order);
	free(l);
}

#define DEBUG_LINE ".debug_line"
#define PTX_LINE   ".nv_debug_line_sass"

static struct wl_lines *open_table(const struct wl_object *o, const char *name)
{
	const uint32_t section = cubin_find(o, name, ""), strings = cubin_find(o, ".debug_str", "");
	if (section == NO_SECTION || !o->sections[section].data || !o->sections[section].head.sh_size)
		return NULL;
	struct wl_lines *l = calloc(1, sizeof *l);
	unsigned char *copy = l ? relocated(o, section) : NULL;
	const bool good = copy && line_table_read(copy, o->sections[section].head.sh_size, &l->table) && sort_rows(l);
	free(copy);
	if (!good) {
		wl_lines_close(l);
		return NULL;
	}
	if (strings != NO_SECTION && o->sections[strings].data) {
		l->strings = o->sections[strings].data;
		l->nstrings = o->sections[strings].head.sh_size;
	}
	return l;
}

struct wl_lines *wl_lines_open(const struct wl_object *o)
{
	return open_table(o, DEBUG_LINE);
}

static const struct line_place *find_place(const struct wl_lines *l, uint32_t section, uint64_t offset)
{
	uint64_t at = ((uint64_t)section << SECTION_SHIFT) + offset;
	size_t low = 0, high = l ? l->table.nrows : 0;
	while (low < high) { /* the first row behind */
		size_t middle = (low + high) / 2;

		if (l->order[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	const struct line_place *p = low ? &l->table.rows[l->order[low - 1].row] : NULL;
	return p && !p->end && p->at >> SECTION_SHIFT == section && p->line ? p : NULL;
}

/* The readable name, valid as long as l; NULL: no memory, or no such name. */
static const char *function_name(struct wl_lines *l, uint64_t at)
{
	struct name *n = &l->names[at % NAMES];
	char text[300];
	if (n->text && n->at == at)
		return n->text;
	if (at >= l->nstrings || !memchr(l->strings + at, 0, l->nstrings - at))
		return NULL;
	if (l->ntexts == l->texts_room) {
		const size_t room = l->texts_room ? 2 * l->texts_room : 64;
		char **more = realloc(l->texts, room * sizeof *more);
		if (!more)
			return NULL;
		l->texts = more;
		l->texts_room = room;
	}
	demangle((const char *)l->strings + at, text, sizeof text);
	char *copy = strdup(text);
	if (!copy)
		return NULL;
	*n = (struct name){at, copy};
	return l->texts[l->ntexts++] = copy;
}

static const char *file_name(const struct wl_lines *l, const struct line_place *p)
{
	return p->file == NO_FILE ? NULL : l->table.files[p->file];
}

static struct wl_place as_place(struct wl_lines *l, const struct line_place *p)
{
	struct wl_place to = {.file = file_name(l, p), .line = p->line};
	if (!to.file)
		to.file = "source";
	if (p->caller)
		to.function = function_name(l, p->function);
	if (to.function && !*to.function)
		to.function = NULL;
	return to;
}

uint32_t wl_lines_find(struct wl_lines *l, uint32_t section, uint64_t offset, struct wl_place *chain, uint32_t most)
{
	const struct line_place *p = find_place(l, section, offset);
	uint32_t n = 0;
	if (!p || !file_name(l, p))
		return 0;
	for (; n < most; p = &l->table.rows[p->caller - 1]) {
		chain[n] = as_place(l, p);
		n++;
		if (!p->caller)
			break;
		chain[n - 1].caller = n < most ? n + 1 : 0;
	}
	return n;
}

/* Our own table holds the lines directly. */
static bool own_ptx_lines(const struct wl_object *o, const struct wl_code *code, uint32_t *lines)
{
	uint32_t section = cubin_find(o, LINES_SECTION, code->name);
	const struct cubin_section *s = &o->sections[section];
	if (section == NO_SECTION || !s->data || s->head.sh_size < 8 + 4 * (uint64_t)code->nwords)
		return false;
	memcpy(lines, s->data + 8, 4 * (size_t)code->nwords);
	return true;
}

uint32_t *wl_object_ptx_lines(const struct wl_object *o, const struct wl_code *code)
{
	uint32_t *lines = calloc(code->nwords + 1, sizeof *lines);
	struct wl_lines *l;
	if (!lines || own_ptx_lines(o, code, lines))
		return lines;
	l = open_table(o, PTX_LINE);
	for (uint32_t i = 0; l && i < code->nwords; i++) {
		const struct line_place *p = find_place(l, code->section, WORD_BYTES * (uint64_t)i);
		lines[i] = p ? p->line : 0;
	}
	if (!l) {
		free(lines);
		lines = NULL;
	}
	wl_lines_close(l);
	return lines;
}

/* State of the walk from rows to the places of a program. */
struct filling {
	struct wl_lines *l;
	struct wl_program *p;
	uint32_t *place; /* [rows] 1 + place of the row, 0: none yet */
	size_t room;
};

/* 1 + the place of a row, with all places of calls in front; 0: no memory. */
static uint32_t place_of(struct filling *f, const struct line_place *row)
{
	const struct line_place *rows = f->l->table.rows, *chain[DEEPEST];
	uint32_t n = 0, caller = 0;
	for (;; row = &rows[row->caller - 1]) {
		chain[n++] = row;
		caller = f->place[row - rows];
		if (caller || !row->caller || n == DEEPEST)
			break;
	}
	if (n == DEEPEST && !caller) { /* leave out the places between */
		while (row->caller)
			row = &rows[row->caller - 1];
		chain[n - 1] = row;
		caller = f->place[row - rows];
	}
	for (n -= caller != 0; n--;) {
		if (f->p->nplaces == f->room) {
			const size_t room = f->room ? 2 * f->room : 64;
			struct wl_place *more = realloc(f->p->places, room * sizeof *more);
			if (!more)
				return 0;
			f->p->places = more;
			f->room = room;
		}
		f->p->places[f->p->nplaces] = as_place(f->l, chain[n]);
		f->p->places[f->p->nplaces].caller = caller;
		caller = f->place[chain[n] - rows] = ++f->p->nplaces;
	}
	return caller;
}

/* Places of the words of a single function. */
static bool function_places(struct filling *f, uint32_t section, const struct wl_function *of)
{
	for (uint32_t i = 0; i < of->count; i++) {
		const struct line_place *row = find_place(f->l, section, WORD_BYTES * (uint64_t)i);
		if (row && file_name(f->l, row) && !(f->p->place_of[of->first + i] = place_of(f, row)))
			return false;
	}
	return true;
}

/* The program owns the texts from here on. */
static bool hand_texts(struct wl_lines *l, struct wl_program *p)
{
	p->texts = calloc(l->table.nfiles + l->ntexts + 1, sizeof *p->texts);
	if (!p->texts)
		return false;
	for (size_t i = 0; i < l->table.nfiles; i++)
		p->texts[p->ntexts++] = l->table.files[i];
	for (size_t i = 0; i < l->ntexts; i++)
		p->texts[p->ntexts++] = l->texts[i];
	l->table.nfiles = l->ntexts = 0;
	return true;
}

enum wl_status wl_object_program_lines(const struct wl_object *o, struct wl_program *p)
{
	struct wl_lines *l = p->place_of ? NULL : wl_lines_open(o);
	if (!l)
		return WL_OK;
	struct filling f = {l, p, calloc(l->table.nrows + 1, sizeof *f.place), 0};
	p->place_of = calloc(p->ninst, sizeof *p->place_of);
	bool good = f.place && p->place_of;
	for (uint32_t k = 0; good && k < p->nfunctions; k++) {
		const struct wl_function *of = &p->functions[k];
		const uint32_t section = of->external ? NO_SECTION : cubin_find(o, TEXT_SECTION, of->name);
		if (section != NO_SECTION)
			good = function_places(&f, section, of);
	}
	good = good && hand_texts(l, p);
	if (!good)
		p->nplaces = 0;
	free(f.place);
	wl_lines_close(l);
	return good ? WL_OK : WL_ERR_NOMEM;
}

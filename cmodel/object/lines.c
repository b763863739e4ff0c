// SPDX-License-Identifier: Apache-2.0
/* lines.c -- source lines of an object: .debug_line of nvcc -lineinfo and -G, read by libdw.
 *
 * Every sequence of a cubin's line table begins at an address that a relocation names, since each function has a
 * section of its own. libdw knows no relocations of this machine. So libdw gets a copy of the file with all relocations
 * done: section s lies at s << SECTION_SHIFT. */
#include <elfutils/libdw.h>
#include <elfutils/version.h>
#include <stdlib.h>
#include <string.h>

#include "cubin.h"

enum { SECTION_SHIFT = 32 };

struct place {
	uint64_t at;                  /* section << SECTION_SHIFT | offset */
	const char *file, *user_file; /* and of the call that the code was inlined at, the outermost one */
	unsigned line, user_line;
	bool end; /* of a sequence: nothing is known from here on */
	uint32_t order;
};

struct wl_lines {
	unsigned char *copy; /* the file; names of source files lie in what libdw made of it */
	Elf *elf;
	Dwarf *dwarf;
	size_t n, room;
	struct place *place; /* sorted by address */
};

static bool relocate(const struct wl_object *o, uint32_t section, struct wl_lines *l)
{
	const struct cubin_section *s = &o->sections[section];
	struct cubin_relocation rel;
	const char *name;
	Elf64_Sym sym;

	for (uint32_t k = s->relocations; k; k = o->sections[k].more)
		for (uint64_t i = 0; cubin_relocation(o, k, i, &rel); i++) {
			if (rel.type != R_CUDA_64 || rel.offset > s->head.sh_size || s->head.sh_size - rel.offset < 8 ||
			    !cubin_symbol(o, rel.symbol, &sym, &name))
				return false;
			uint64_t value =
			        ((uint64_t)sym.st_shndx << SECTION_SHIFT) + sym.st_value + (uint64_t)rel.addend;
			memcpy(l->copy + s->head.sh_offset + rel.offset, &value, sizeof value);
		}
	return true;
}

/* Lines of NVIDIA's tools say what they were inlined at: the outermost call. */
static Dwarf_Line *outermost(Dwarf_Lines *lines, Dwarf_Line *line)
{
#if _ELFUTILS_PREREQ(0, 188)
	enum { DEEPEST = 100 };
	Dwarf_Line *context;
	for (unsigned depth = 0; depth < DEEPEST && (context = dwarf_linecontext(lines, line)) != NULL; depth++)
		line = context;
#else
	(void)lines;
#endif
	return line;
}

static bool add(struct wl_lines *l, Dwarf_Lines *lines, Dwarf_Line *line)
{
	struct place p = {.order = (uint32_t)l->n};
	Dwarf_Addr at;
	int number;

	if (l->n == l->room) {
		size_t room = l->room ? 2 * l->room : 256;
		struct place *grown = realloc(l->place, room * sizeof *grown);
		if (!grown)
			return false;
		l->place = grown;
		l->room = room;
	}
	if (dwarf_lineaddr(line, &at) != 0 || dwarf_lineno(line, &number) != 0 ||
	    dwarf_lineendsequence(line, &p.end) != 0)
		return true; /* a row that says nothing */
	p.at = at;
	p.line = number > 0 ? (unsigned)number : 0;
	p.file = dwarf_linesrc(line, NULL, NULL);
	line = outermost(lines, line);
	if (dwarf_lineno(line, &number) != 0)
		number = 0;
	p.user_line = number > 0 ? (unsigned)number : 0;
	p.user_file = dwarf_linesrc(line, NULL, NULL);
	l->place[l->n++] = p;
	return true;
}

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (x->end != y->end)
		return x->end ? -1 : 1; /* the next sequence counts */
	return x->order < y->order ? -1 : x->order > y->order;
}

static bool read_tables(struct wl_lines *l)
{
	Dwarf_Off at = 0, next;
	Dwarf_Files *files;
	Dwarf_Lines *lines;
	size_t nfiles, nlines;
	Dwarf_CU *cu = NULL;

	for (; dwarf_next_lines(l->dwarf, at, &next, &cu, &files, &nfiles, &lines, &nlines) == 0; at = next)
		for (size_t i = 0; i < nlines; i++)
			if (!add(l, lines, dwarf_onesrcline(lines, i)))
				return false;
	if (l->n)
		qsort(l->place, l->n, sizeof *l->place, by_place);
	return true;
}

void wl_lines_close(struct wl_lines *l)
{
	if (!l)
		return;
	dwarf_end(l->dwarf);
	elf_end(l->elf);
	free(l->copy);
	free(l->place);
	free(l);
}

#define DEBUG_LINE ".debug_line"
#define PTX_LINE   ".nv_debug_line_sass"

static unsigned char *name_in_copy(const struct wl_object *o, struct wl_lines *l, uint32_t section)
{
	return l->copy + o->sections[o->name_table].head.sh_offset + o->sections[section].head.sh_name;
}

/* libdw reads the section .debug_line alone: in the copy the other table gets that name. */
static void swap_names(const struct wl_object *o, struct wl_lines *l, uint32_t section)
{
	uint32_t usual = cubin_find(o, DEBUG_LINE, "");
	if (usual != NO_SECTION)
		name_in_copy(o, l, usual)[1] = '_';
	memcpy(name_in_copy(o, l, section), DEBUG_LINE, sizeof DEBUG_LINE);
}

static struct wl_lines *open_table(const struct wl_object *o, const char *name)
{
	uint32_t section = cubin_find(o, name, "");
	struct wl_lines *l;
	bool good;
	if (section == NO_SECTION || !o->sections[section].data || !o->sections[section].head.sh_size)
		return NULL;
	l = calloc(1, sizeof *l);
	if (!l)
		return NULL;
	l->copy = malloc(o->size);
	good = l->copy != NULL;
	if (good) {
		memcpy(l->copy, o->bytes, o->size);
		good = relocate(o, section, l);
	}
	if (good && strcmp(name, PTX_LINE) == 0)
		swap_names(o, l, section);
	if (good) {
		l->elf = elf_memory((char *)l->copy, o->size);
		l->dwarf = l->elf ? dwarf_begin_elf(l->elf, DWARF_C_READ, NULL) : NULL;
		good = l->dwarf && read_tables(l);
	}
	if (good)
		return l;
	wl_lines_close(l);
	return NULL;
}

struct wl_lines *wl_lines_open(const struct wl_object *o)
{
	return open_table(o, DEBUG_LINE);
}

static const struct place *find_place(const struct wl_lines *l, uint32_t section, uint64_t offset)
{
	uint64_t at = ((uint64_t)section << SECTION_SHIFT) + offset;
	size_t low = 0, high = l ? l->n : 0;
	while (low < high) { /* the first one behind */
		size_t middle = (low + high) / 2;

		if (l->place[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || l->place[low - 1].end || l->place[low - 1].at >> SECTION_SHIFT != section ||
	    !l->place[low - 1].line)
		return NULL;
	return &l->place[low - 1];
}

bool wl_lines_find(const struct wl_lines *l, uint32_t section, uint64_t offset, const char **file, unsigned *line)
{
	const struct place *p = find_place(l, section, offset);
	if (!p || !p->file)
		return false;
	*file = p->file;
	*line = p->line;
	return true;
}

/* Our own table holds the lines as they are. */
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
		const struct place *p = find_place(l, code->section, WORD_BYTES * (uint64_t)i);
		lines[i] = p ? p->line : 0;
	}
	if (!l) {
		free(lines);
		lines = NULL;
	}
	wl_lines_close(l);
	return lines;
}

/* The number of a source of the program, which has it from now on; -1: no memory. */
static int source_number(struct wl_program *p, const char *file)
{
	uint32_t i = 0;
	while (i < p->nsources && strcmp(p->sources[i], file) != 0)
		i++;
	if (i < p->nsources || i > UINT16_MAX)
		return i < p->nsources ? (int)i : -1;
	char **more = realloc(p->sources, (i + 1) * sizeof *more), *name = strdup(file);
	if (more)
		p->sources = more;
	if (!more || !name) {
		free(name);
		return -1;
	}
	p->sources[p->nsources++] = name;
	return (int)i;
}

/* Lines of the words of one function. */
static bool function_lines(const struct wl_lines *l, uint32_t section, const struct wl_function *f,
                           struct wl_program *p)
{
	const char *last = NULL;
	int number = -1;
	for (uint32_t i = 0; i < f->count; i++) {
		const struct place *at = find_place(l, section, WORD_BYTES * (uint64_t)i);
		if (!at || !at->user_file)
			continue;
		if (at->user_file != last)
			number = source_number(p, at->user_file);
		last = at->user_file;
		if (number < 0)
			return false;
		p->lines[f->first + i] = at->user_line;
		p->source_of[f->first + i] = (uint16_t)number;
	}
	return true;
}

enum wl_status wl_object_program_lines(const struct wl_object *o, struct wl_program *p)
{
	struct wl_lines *l = p->lines ? NULL : wl_lines_open(o);
	bool good;
	if (!l)
		return WL_OK;
	p->lines = calloc(p->ninst, sizeof *p->lines);
	p->source_of = calloc(p->ninst, sizeof *p->source_of);
	good = p->lines && p->source_of;
	for (uint32_t k = 0; good && k < p->nfunctions; k++) {
		const struct wl_function *f = &p->functions[k];
		const uint32_t section = f->external ? NO_SECTION : cubin_find(o, TEXT_SECTION, f->name);
		if (section != NO_SECTION)
			good = function_lines(l, section, f, p);
	}
	wl_lines_close(l);
	if (good && p->nsources)
		p->source = strdup(p->sources[0]);
	return good && (p->source || !p->nsources) ? WL_OK : WL_ERR_NOMEM;
}

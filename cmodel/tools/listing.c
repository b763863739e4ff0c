// SPDX-License-Identifier: Apache-2.0
/* listing.c -- a single pass over an opened object. Labels, relocations and source lines of addresses are collected
 * beforehand and printed with the code. */
#include "listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "warplock/hazard.h"

/* A text at an offset of a section. */
struct note {
	uint32_t section, order;
	uint64_t offset;
	char *text;
};

struct notes {
	struct note *note;
	size_t n, room;
};

struct view {
	const struct listing *l;
	const struct wl_object *o;
	struct wl_lines *lines;
	struct notes labels;      /* of all sections, sorted */
	struct notes relocations; /* of the section at hand, sorted */
	uint32_t section;         /* the section of the collected relocations */
	bool good;
};

static void *must(void *p)
{
	if (!p) {
		fputs("wlobjdump: out of memory\n", stderr);
		exit(1);
	}
	return p;
}

static void add_note(struct notes *notes, uint32_t section, uint64_t offset, const char *text)
{
	if (notes->n == notes->room) {
		notes->room = notes->room ? 2 * notes->room : 64;
		notes->note = must(realloc(notes->note, notes->room * sizeof *notes->note));
	}
	notes->note[notes->n] = (struct note){section, (uint32_t)notes->n, offset, must(strdup(text))};
	notes->n++;
}

static int by_place(const void *a, const void *b)
{
	const struct note *x = a, *y = b;
	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void sort_notes(struct notes *notes)
{
	if (notes->n)
		qsort(notes->note, notes->n, sizeof *notes->note, by_place);
}

static void clear_notes(struct notes *notes)
{
	for (size_t i = 0; i < notes->n; i++)
		free(notes->note[i].text);
	notes->n = 0;
}

static void free_notes(struct notes *notes)
{
	clear_notes(notes);
	free(notes->note);
}

/* The first note at or behind the place. */
static size_t first_note(const struct notes *notes, uint32_t section, uint64_t offset)
{
	struct note key = {.section = section, .offset = offset};
	size_t low = 0, high = notes->n;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (by_place(&notes->note[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void take_label(void *self, uint32_t section, uint64_t offset, const char *name)
{
	struct view *v = self;
	add_note(&v->labels, section, offset, name);
}

static void take_relocation(void *self, uint64_t offset, const char *text)
{
	struct view *v = self;
	add_note(&v->relocations, v->section, offset, text);
}

static void take_attribute(void *self, const char *text)
{
	(void)self;
	printf("//   %s\n", text);
}

static void collect_relocations(struct view *v, uint32_t section)
{
	clear_notes(&v->relocations);
	v->section = section;
	wl_object_relocations(v->o, section, take_relocation, v);
	sort_notes(&v->relocations);
}

/* ---- a kernel or function ---- */

static bool complain(struct view *v, const char *name, const char *why)
{
	fprintf(stderr, "wlobjdump: %s: %s%s%s\n", v->l->file, name, *name ? ": " : "", why);
	return v->good = false;
}

static bool print_head(struct view *v, const struct wl_code *code)
{
	struct wl_program p;
	char why[256];
	if (wl_object_resources(v->o, code, &p, why, sizeof why) != WL_OK)
		return complain(v, code->name, why);
	printf("%s %s\n// sm_%u, %u instructions, %u registers, ", code->kernel ? ".entry" : ".func", code->name,
	       wl_object_chip(v->o), p.ninst, p.regs);
	if (code->kernel)
		printf("%u bytes of shared memory, %u of frame, %u of parameters at c[0x0][0x%x]\n", p.shared_bytes,
		       p.local_bytes, p.param_bytes, p.param_base);
	else
		printf("%u bytes of frame\n", p.local_bytes);
	if (wl_object_attributes(v->o, code->name, take_attribute, v, why, sizeof why) != WL_OK)
		return complain(v, code->name, why);
	return true;
}

/* Lines before the word at this offset: names of functions, and a new source line. */
static void print_before(const struct view *v, const struct wl_code *code, uint64_t offset, size_t *label,
                         const char **file, unsigned *line, char calls[WL_WHERE])
{
	enum { CALLS = 8 };
	struct wl_place chain[CALLS];
	char text[WL_WHERE];
	for (; *label < v->labels.n && v->labels.note[*label].section == code->section &&
	       v->labels.note[*label].offset <= offset;
	     ++*label)
		printf("%s:\n", v->labels.note[*label].text);
	const uint32_t n = wl_lines_find(v->lines, code->section, offset, chain, CALLS);
	if (!n)
		return;
	wl_place_chain(chain, chain, text, sizeof text);
	if (chain->line == *line && *file && strcmp(chain->file, *file) == 0 && strcmp(text, calls) == 0)
		return;
	printf("        // %s, line %u%s%s%s\n", chain->file, chain->line, *text ? " [" : "", text, *text ? "]" : "");
	*file = chain->file;
	*line = chain->line;
	memcpy(calls, text, sizeof text);
}

void listing_class(enum wl_arch arch, struct wl_word w, char *text, size_t room)
{
	struct wl_access a;
	char number[16] = "";
	*text = 0;
	if (!wl_access_of(arch, w, &a) || a.sync == wl_sync_row(WL_SYNC_None))
		return;
	if (a.sync->number)
		snprintf(number, sizeof number, " %u", a.sync->number);
	snprintf(text, room, " // class%s %s, mask 0x%x", number, a.sync->name, (unsigned)a.sync->mask);
}

static void print_code(struct view *v, const struct wl_code *code)
{
	enum wl_arch arch = wl_object_arch(v->o);
	size_t label = first_note(&v->labels, code->section, 0), relocation = 0;
	const char *file = NULL;
	unsigned line = 0;
	char text[512], hex[33], class[64] = "", calls[WL_WHERE] = "";
	collect_relocations(v, code->section);
	for (uint32_t i = 0; i < code->nwords; i++) {
		uint64_t offset = 16 * (uint64_t)i;
		struct wl_word w;
		memcpy(&w, code->bytes + offset, sizeof w);
		bool known = (v->l->raw ? wl_print_raw : wl_print)(arch, w, offset, text, sizeof text) >= 0;
		wl_word_format(w, hex);
		print_before(v, code, offset, &label, &file, &line, calls);
		if (v->l->classes)
			listing_class(arch, w, class, sizeof class);
		printf("        /*%04x*/  %-56s /* %s */%s\n", (unsigned)offset, known ? text : "(no instruction)", hex,
		       class);
		for (; relocation < v->relocations.n && v->relocations.note[relocation].offset < offset + 16;
		     relocation++)
			printf("                  // %s\n", v->relocations.note[relocation].text);
		v->good &= known;
	}
}

/* ---- the rest ---- */

static void print_section(void *self, uint32_t section, const char *name, uint64_t bytes)
{
	struct view *v = self;
	if (!bytes)
		return;
	printf(".section %s\n//   %llu bytes\n", name, (unsigned long long)bytes);
	collect_relocations(v, section);
	for (size_t i = 0; i < v->relocations.n; i++)
		printf("//   /*%04llx*/ %s\n", (unsigned long long)v->relocations.note[i].offset,
		       v->relocations.note[i].text);
}

static void print_object(struct view *v)
{
	struct wl_code code;
	bool listed = false;
	char why[300];
	wl_object_labels(v->o, take_label, v);
	sort_notes(&v->labels);
	v->lines = v->l->lines ? wl_lines_open(v->o) : NULL;
	for (uint32_t i = 0; wl_object_code(v->o, i, &code); i++) {
		if (v->l->entry && strcmp(v->l->entry, code.name) != 0)
			continue;
		listed = true;
		if (print_head(v, &code))
			print_code(v, &code);
	}
	wl_lines_close(v->lines);
	if (v->l->entry && !listed) {
		snprintf(why, sizeof why, "object holds no kernel '%s'", v->l->entry);
		complain(v, "", why);
	} else if (!v->l->entry) {
		wl_object_sections(v->o, print_section, v);
		puts(".section .nv.info");
		if (wl_object_attributes(v->o, NULL, take_attribute, v, why, sizeof why) != WL_OK)
			complain(v, "", why);
	}
}

bool listing_print(const struct listing *l, const unsigned char *elf, size_t size)
{
	struct view v = {.l = l, .good = true};
	struct wl_object *o;
	char why[256];
	if (wl_object_open(elf, size, &o, why, sizeof why) != WL_OK)
		return complain(&v, "", why);
	v.o = o;
	print_object(&v);
	free_notes(&v.labels);
	free_notes(&v.relocations);
	wl_object_close(o);
	return v.good;
}

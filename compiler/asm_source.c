// SPDX-License-Identifier: Apache-2.0
/* asm_source.c -- two passes over the text: labels and directives, then instructions. */
#include "asm_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object/object.h"
#include "warplock/spa50.h"

enum { MAX_KERNELS = 64, MAX_LABELS = 1024, MAX_PARAMS = 128, MAX_LINE = 256, MAX_NAME = 64 };

struct label {
	char name[MAX_NAME];
	uint32_t kernel;
	uint64_t addr;
};

struct source {
	enum wl_arch arch;
	bool spa50;
	const char *file;
	unsigned line, errors;
	uint32_t nkernels, nlabels;
	struct kernel_code code[MAX_KERNELS];
	struct ptx_function function[MAX_KERNELS];
	struct ptx_symbol symbol[MAX_KERNELS]; /* for the object writer: a name for each kernel */
	char name[MAX_KERNELS][MAX_NAME];
	struct ptx_var params[MAX_KERNELS][MAX_PARAMS];
	struct ptx_var *list[MAX_KERNELS][MAX_PARAMS];
	struct label labels[MAX_LABELS];
};

static void error(struct source *s, const char *what, const char *found)
{
	fprintf(stderr, "%s:%u: %s \"", s->file, s->line, what);
	for (unsigned i = 0; found[i] && i < 60; i++) {
		const unsigned char c = (unsigned char)found[i];
		fprintf(stderr, c < ' ' || c > '~' ? "\\x%02x" : "%c", c); /* no control of a terminal */
	}
	fputs("\"\n", stderr);
	s->errors++;
}

static struct kernel_code *current(struct source *s)
{
	return s->nkernels ? &s->code[s->nkernels - 1] : NULL;
}

static void open_kernel(struct source *s, const char *name)
{
	if (s->nkernels == MAX_KERNELS || !*name || strlen(name) >= MAX_NAME) {
		error(s, "kernel name expected, found", name);
		return;
	}
	uint32_t i = s->nkernels++;
	memcpy(s->name[i], name, strlen(name) + 1);
	s->function[i] = (struct ptx_function){
	        .name = s->name[i], .is_entry = true, .has_body = true, .params = s->list[i], .sym = &s->symbol[i]};
	s->symbol[i] = (struct ptx_symbol){.name = s->name[i], .kind = PTX_SYM_FUNCTION, .function = &s->function[i]};
	s->code[i] =
	        (struct kernel_code){.src = &s->function[i], .regs = 1, .param_base = wl_cb0_layout(s->arch)->param};
}

static void add_param(struct source *s, uint32_t size, const char *text)
{
	uint32_t k = s->nkernels - 1;
	struct ptx_function *f = &s->function[k];
	if (!size || f->nparams == MAX_PARAMS) {
		error(s, "size of a parameter expected, found", text);
		return;
	}
	uint32_t align = size >= 8 ? 8 : size >= 4 ? 4 : size;
	uint32_t offset = (s->code[k].param_bytes + align - 1) / align * align;
	s->params[k][f->nparams] = (struct ptx_var){.offset = offset, .size = size};
	s->list[k][f->nparams] = &s->params[k][f->nparams];
	f->nparams++;
	if ((uint64_t)offset + size > WL_PARAM_MOST)
		error(s, "parameters take more than 32764 bytes at", text);
	s->code[k].param_bytes = offset + size;
	s->code[k].param_base = wl_cb0_param_base(s->arch, offset + size);
	f->param_size = offset + size;
}

static void directive(struct source *s, const char *word, const char *rest)
{
	char *end;
	unsigned long value = strtoul(rest, &end, 0);
	if (!strcmp(word, ".entry")) {
		open_kernel(s, rest);
		return;
	}
	if (!s->nkernels) {
		error(s, ".entry NAME expected first, found", word);
		return;
	}
	bool number = end != rest && !*end && value <= 0x100000;
	if (!number && (!strcmp(word, ".param") || !strcmp(word, ".shared") || !strcmp(word, ".local")))
		error(s, "number of bytes expected, found", rest);
	else if (!strcmp(word, ".param"))
		add_param(s, (uint32_t)value, rest);
	else if (!strcmp(word, ".shared"))
		current(s)->shared = (uint32_t)value;
	else if (!strcmp(word, ".local"))
		current(s)->frame = (uint32_t)value;
	else
		error(s, "directive .entry, .param, .shared or .local expected, found", word);
}

static void add_label(struct source *s, const char *name, uint64_t addr)
{
	if (!s->nkernels || s->nlabels == MAX_LABELS || !*name || strlen(name) >= MAX_NAME) {
		error(s, "label outside a kernel, or too many, or too long:", name);
		return;
	}
	for (uint32_t i = 0; i < s->nlabels; i++)
		if (s->labels[i].kernel == s->nkernels && !strcmp(s->labels[i].name, name))
			error(s, "label is there twice:", name);
	struct label *l = &s->labels[s->nlabels++];
	memcpy(l->name, name, strlen(name) + 1);
	l->kernel = s->nkernels;
	l->addr = addr;
}

/* Copies the text. An address replaces a label in the last operand. */
static void resolve(const struct source *s, const char *text, char *out, size_t n)
{
	size_t len = strlen(text);
	while (len && (text[len - 1] == ';' || text[len - 1] == ' '))
		len--;
	size_t at = len;
	while (at && text[at - 1] != ' ' && text[at - 1] != ',')
		at--;
	for (uint32_t i = 0; i < s->nlabels && at; i++)
		if (s->labels[i].kernel == s->nkernels && strlen(s->labels[i].name) == len - at &&
		    !strncmp(s->labels[i].name, text + at, len - at)) {
			snprintf(out, n, "%.*s0x%llx", (int)at, text, (unsigned long long)s->labels[i].addr);
			return;
		}
	snprintf(out, n, "%.*s", (int)len, text);
}

/* Counts the registers of the instruction for the resource count. */
static void note_registers(struct kernel_code *k, enum wl_arch arch, struct wl_word w)
{
	struct wl_inst in;
	if (wl_decode(arch, w, &in) != WL_OK)
		return;
	uint32_t wide = in.size > 4 ? in.size / 4u : in.uop == WL_UOP_IMAD_WIDE || in.uop == WL_UOP_RET_REL ? 2 : 1;
	const uint8_t regs[] = {in.rd, in.ra, in.rb, in.rc};
	for (unsigned i = 0; i < 4; i++) {
		uint32_t top = regs[i] + (i == 1 && in.flags & WL_F_E64 && wide < 2 ? 2 : wide);
		if (regs[i] != WL_RZ && top > k->regs)
			k->regs = top > WL_NUM_REGS ? WL_NUM_REGS : top;
	}
	if (in.uop == WL_UOP_BAR)
		k->barriers = 16;
}

/* ATOMS behind an optional guard: the SPA 5.0 dialect has another text for ATOMS. */
static bool is_atoms(const char *text)
{
	if (*text == '@') {
		text += strspn(text, "@! ");
		text += strcspn(text, " ");
		text += strspn(text, " ");
	}
	return !strncmp(text, "ATOMS", 5);
}

static bool assemble(const struct source *s, const char *text, uint64_t addr, struct wl_word *w, char *err, size_t n)
{
	char resolved[2 * MAX_LINE];
	if (s->spa50 && is_atoms(text))
		return wl_spa50_assemble(text, w, err, n) == WL_OK;
	const char *raw = strstr(text, "{raw:");
	size_t head = raw ? (size_t)(raw - text) : strlen(text);
	char plain[MAX_LINE];
	while (head && text[head - 1] == ' ')
		head--;
	snprintf(plain, sizeof plain, "%.*s", (int)head, text);
	resolve(s, plain, resolved, sizeof resolved);
	if (raw)
		snprintf(resolved + strlen(resolved), sizeof resolved - strlen(resolved), " %s", raw);
	return wl_assemble_raw(s->arch, resolved, addr, w, err, n) == WL_OK;
}

static void instruction(struct source *s, const char *text)
{
	struct kernel_code *k = current(s);
	char err[200];
	struct wl_word w;
	if (!assemble(s, text, 16 * (uint64_t)k->n, &w, err, sizeof err)) {
		fprintf(stderr, "%s:%u: %s\n", s->file, s->line, err);
		s->errors++;
	}
	struct wl_inst in = {0};
	if (wl_decode(s->arch, w, &in) == WL_OK && in.uop == WL_UOP_EXIT)
		k->exits[k->nexits++] = 16 * k->n;
	else if (in.uop == WL_UOP_BAR || in.uop == WL_UOP_UCGABAR) /* the text does not name the form */
		k->marks[k->nmarks++] = (struct code_mark){
		        .kind = MARK_BARRIER, .at = 16 * k->n, .loose = true, .listed = true, .reg = NO_MARK_REG};
	note_registers(k, s->arch, w);
	k->lines[k->n] = s->line;
	k->words[k->n++] = w;
}

/* Reads one line without its comment and without blanks around the rest. Returns the start of the next line. */
static const char *next_line(const char *text, bool hash_comments, char *line)
{
	size_t all = strcspn(text, "\n"), len = hash_comments ? strcspn(text, "#\n") : all;
	const char *comment = strstr(text, "//");
	if (comment && (size_t)(comment - text) < len)
		len = (size_t)(comment - text);
	size_t start = 0;
	while (start < len && strchr(" \t\r", text[start]))
		start++;
	while (len > start && strchr(" \t\r", text[len - 1]))
		len--;
	snprintf(line, MAX_LINE, "%.*s", (int)(len - start), text + start);
	for (char *c = line; *c; c++)
		*c = *c == '\t' ? ' ' : *c;
	return text[all] ? text + all + 1 : NULL;
}

static void pass(struct source *s, const char *text, bool second)
{
	char line[MAX_LINE];
	uint64_t addr = 0;
	s->nkernels = 0;
	s->line = 0;
	while (text) {
		text = next_line(text, s->spa50, line);
		s->line++;
		size_t len = strlen(line);
		if (line[0] == '.') {
			size_t word = strcspn(line, " ");
			char *rest = line + word + strspn(line + word, " ");
			bool entry = !strncmp(line, ".entry", word) && word == 6;
			line[word] = 0;
			addr = entry ? 0 : addr;
			if (second && entry && s->nkernels < MAX_KERNELS)
				s->nkernels++; /* opened by the first pass */
			else if (!second)
				directive(s, line, rest);
		} else if (len && line[len - 1] == ':' && !strchr(line, ' ')) {
			line[len - 1] = 0;
			if (!second)
				add_label(s, line, addr);
		} else if (len) {
			addr += 16;
			if (second)
				instruction(s, line);
			else if (current(s))
				current(s)->n++;
			else
				error(s, ".entry NAME expected first, found", line);
		}
	}
}

bool asm_source_assemble(unsigned chip, bool spa50, const char *file, const char *text, unsigned char **out,
                         size_t *size)
{
	struct source *s = calloc(1, sizeof *s);
	if (!s) {
		fprintf(stderr, "%s: out of memory\n", file);
		return false;
	}
	s->arch = wl_arch_of_chip(chip);
	s->spa50 = spa50;
	s->file = file;
	pass(s, text, false);
	uint32_t nkernels = s->nkernels;
	if (!nkernels && !s->errors)
		error(s, "no kernel; .entry NAME expected before the end of", file);
	bool room = true;
	for (uint32_t i = 0; i < nkernels; i++) {
		struct kernel_code *k = &s->code[i];
		k->words = calloc(k->n + 1u, sizeof *k->words);
		k->lines = calloc(k->n + 1u, sizeof *k->lines);
		k->exits = calloc(k->n + 1u, sizeof *k->exits);
		k->marks = calloc(k->n + 1u, sizeof *k->marks);
		room = room && k->words && k->lines && k->exits && k->marks;
		k->n = 0;
	}
	if (!room) {
		fprintf(stderr, "%s: out of memory\n", file);
		s->errors++;
	}
	if (!s->errors)
		pass(s, text, true);
	if (!s->errors) {
		struct object_input in = {
		        .arch = s->arch, .chip = chip, .nkernels = nkernels, .kernels = s->code, .source = file};
		struct wlcc_bytes bytes = {NULL, 0};
		object_write(&in, &bytes);
		*out = bytes.data;
		*size = bytes.size;
	}
	for (uint32_t i = 0; i < nkernels; i++) {
		free(s->code[i].words);
		free(s->code[i].lines);
		free(s->code[i].exits);
		free(s->code[i].marks);
	}
	bool ok = !s->errors;
	free(s);
	return ok;
}

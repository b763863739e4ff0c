// SPDX-License-Identifier: Apache-2.0
/* library.c -- instructions written in PTX (lib/...): finds the function by name, parses the text, and puts the body in
 * the place of the instruction. */
#include "library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const lines[] = {
#include "lower_library.inc"
};
enum { NLINES = sizeof lines / sizeof *lines, MAX_TEXT = 16384 };

struct library {
	struct library *next;
	struct ptx_module *module;
	char name[64];
};

static bool is_function(const char *line, const char *name)
{
	size_t n = strlen(name);
	const char *at;
	if (strncmp(line, ".func", 5) != 0)
		return false;
	at = strstr(line, ") ");
	return at && strncmp(at + 2, name, n) == 0 && at[2 + n] == '(';
}

static unsigned find_line(const char *name)
{
	unsigned i = 0;
	while (i < NLINES && !is_function(lines[i], name))
		i++;
	return i;
}

static void quiet(void *self, const struct wlcc_message *m)
{
	fprintf(stderr, "library of instructions: line %u: %s\n", (unsigned)m->line, m->text);
	(void)self;
}

static struct ptx_module *parse(unsigned at)
{
	static const char head[] = ".version 9.0\n.target sm_90\n.address_size 64\n";
	struct ptx_options o = {.file = "library", .diag = quiet};
	char *text = malloc(MAX_TEXT);
	size_t n = sizeof head - 1;
	struct ptx_module *m;
	if (!text)
		abort();
	memcpy(text, head, n);
	for (bool end = false; at < NLINES && !end; at++) {
		size_t k = strlen(lines[at]);
		if (n + k > MAX_TEXT)
			abort();
		memcpy(text + n, lines[at], k);
		n += k;
		end = lines[at][0] == '}';
	}
	m = ptx_parse(text, n, &o);
	free(text);
	return m;
}

const struct ptx_function *library_find(struct library **lib, const char *name)
{
	unsigned at;
	struct library *l;
	for (l = *lib; l; l = l->next)
		if (strcmp(l->name, name) == 0)
			return l->module->functions[0];
	at = find_line(name);
	if (at == NLINES)
		return NULL;
	l = calloc(1, sizeof *l);
	if (!l)
		abort();
	l->module = parse(at);
	if (!l->module) {
		free(l);
		return NULL;
	}
	snprintf(l->name, sizeof l->name, "%s", name);
	l->next = *lib;
	*lib = l;
	return l->module->functions[0];
}

void library_free(struct library **lib)
{
	while (*lib) {
		struct library *l = *lib;
		*lib = l->next;
		ptx_module_free(l->module);
		free(l);
	}
}

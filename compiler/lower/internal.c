// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void complain(void *self, const struct wlcc_message *m)
{
	(void)self;
	fprintf(stderr, "internal function: line %u: %s\n", (unsigned)m->line, m->text);
}

static struct ptx_module *parse(const char *text)
{
	static const char head[] = ".version 9.0\n.target sm_90\n.address_size 64\n";
	struct ptx_options o = {.file = "internal function", .diag = complain};
	const size_t n = sizeof head - 1, k = strlen(text);
	char *whole = malloc(n + k);
	struct ptx_module *m;
	if (!whole)
		abort();
	memcpy(whole, head, n);
	memcpy(whole + n, text, k);
	m = ptx_parse(whole, n + k, &o);
	free(whole);
	return m;
}

/* Instructions of an internal function belong to no line of the kernel's PTX. */
static void leave_lines_out(struct ptx_function *f)
{
	f->pos.line = 0;
	f->end_line = 0;
	for (uint32_t i = 0; i < f->ninstrs; i++)
		f->instrs[i].pos.line = 0;
}

static void name_function(struct ptx_module *m, unsigned number, const char *name)
{
	enum { ROOM = 96 };
	struct ptx_function *f = m->functions[0];
	char *full = arena_alloc(&m->arena, ROOM);
	struct ptx_symbol *sym = arena_alloc(&m->arena, sizeof *sym);
	snprintf(full, ROOM, "$__internal_%u_$%s", number, name);
	*sym = *f->sym;
	sym->name = full;
	f->name = full;
	f->sym = sym;
}

const struct ptx_function *internals_find(struct internals *in, const char *name, const char *text)
{
	struct internal *x;
	for (x = in->first; x; x = x->next)
		if (strcmp(x->text, text) == 0)
			return x->module->functions[0];
	x = calloc(1, sizeof *x);
	if (!x)
		abort();
	x->module = parse(text);
	if (!x->module) {
		free(x);
		return NULL;
	}
	x->text = arena_strndup(&x->module->arena, text, strlen(text));
	name_function(x->module, in->n, name);
	leave_lines_out(x->module->functions[0]);
	if (in->last)
		in->last->next = x;
	else
		in->first = x;
	in->last = x;
	in->n++;
	return x->module->functions[0];
}

void internals_free(struct internals *in)
{
	while (in->first) {
		struct internal *x = in->first;
		in->first = x->next;
		ptx_module_free(x->module);
		free(x);
	}
	*in = (struct internals){0};
}

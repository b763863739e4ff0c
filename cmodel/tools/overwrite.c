// SPDX-License-Identifier: Apache-2.0
#include "overwrite.h"

#include <stdio.h>
#include <stdlib.h>

#include "file.h"
#include "launch.h"

struct check {
	const struct overwrite *o;
	char *why;
	size_t n;
};

static bool replaces(const struct check *c, const char *option, const char *path, const char *input, const char *what)
{
	if (!path || !input || !*input || !file_same(path, input))
		return false;
	snprintf(c->why, c->n, "%s: %s is %s of this run: an output cannot replace an input", option, path, what);
	return true;
}

static bool any_replaces(const struct check *c, const struct launch_file *l, const char *input, const char *what)
{
	char path[LAUNCH_PATH + LAUNCH_NAME + 8];
	for (unsigned i = 0; i < OVERWRITE_OUTPUTS; i++)
		if (replaces(c, c->o->out[i].option, c->o->out[i].path, input, what))
			return true;
	for (unsigned i = 0; c->o->dump && i < l->nall; i++) {
		snprintf(path, sizeof path, "%s/%s.bin", c->o->dump, l->arg[i].name);
		if (l->arg[i].is_buffer && replaces(c, "--dump", path, input, what))
			return true;
	}
	return false;
}

static bool replaces_named(const struct check *c, const struct launch_file *l)
{
	bool bad = any_replaces(c, l, l->checker, "the checker");
	for (unsigned i = 0; !bad && i < l->nptx; i++)
		bad = any_replaces(c, l, l->ptx[i].file, "the PTX");
	for (unsigned i = 0; !bad && i < l->nall; i++) {
		const struct launch_arg *a = &l->arg[i];
		if (a->is_buffer && a->init.kind == FILL_FILE)
			bad = any_replaces(c, l, a->init.text, "the start content of a buffer");
		if (!bad && a->is_buffer && a->expect.kind == FILL_FILE)
			bad = any_replaces(c, l, a->expect.text, "the expected content of a buffer");
	}
	return bad;
}

static bool has_output(const struct overwrite *o)
{
	bool has = o->dump != NULL;
	for (unsigned i = 0; i < OVERWRITE_OUTPUTS; i++)
		has |= o->out[i].path != NULL;
	return has;
}

bool overwrites(const struct overwrite *o, char *why, size_t n)
{
	if (!has_output(o))
		return false;
	char err[400];
	const struct check c = {o, why, n};
	struct launch_file *l = calloc(1, sizeof *l);
	if (!l)
		return false;
	const bool again = o->launch && file_same(o->launch, o->launch); /* a pipe can be read once */
	const bool known = again && launch_read(o->launch, l, err, sizeof err);
	if (!known)
		l->nall = l->nptx = 0;
	const bool bad = any_replaces(&c, l, o->launch, "the launch file") ||
	                 any_replaces(&c, l, o->program, "the program") ||
	                 any_replaces(&c, l, o->schedule, "the schedule") || (known && replaces_named(&c, l));
	if (known)
		launch_free(l);
	free(l);
	return bad;
}

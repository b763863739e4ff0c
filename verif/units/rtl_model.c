// SPDX-License-Identifier: Apache-2.0
#include "rtl_model.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function of the library. POSIX guarantees the conversion; ISO C has no cast for the conversion. */
static void symbol(const struct model *m, const char *name, void *function)
{
	void *address = dlsym(m->library, name);
	if (!address) {
		fprintf(stderr, "model: %s\n", dlerror());
		exit(2);
	}
	memcpy(function, &address, sizeof address);
}

/* Models left open by a bench are closed at exit: otherwise the counts for `make coverage` are lost. */
static struct model left[4];
enum { MOST_LEFT = sizeof left / sizeof left[0] };

static void close_left(void)
{
	for (unsigned i = 0; i < MOST_LEFT; i++) {
		if (left[i].self) {
			left[i].destroy(left[i].self);
		}
	}
}

static void remember(const struct model *m)
{
	static bool asked;
	unsigned i = 0;
	if (!asked) {
		asked = atexit(close_left) == 0;
	}
	while (i < MOST_LEFT && left[i].self) {
		i++;
	}
	if (i < MOST_LEFT) {
		left[i] = *m;
	}
}

static void forget(const struct model *m)
{
	for (unsigned i = 0; i < MOST_LEFT; i++) {
		if (left[i].self == m->self) {
			left[i].self = NULL;
		}
	}
}

void model_open(struct model *m, const char *path)
{
	void *(*create)(void);
	const char *(*params)(void);
	m->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!m->library) {
		fprintf(stderr, "model: %s\n", dlerror());
		exit(2);
	}
	symbol(m, "model_new", &create);
	symbol(m, "model_free", &m->destroy);
	symbol(m, "model_eval", &m->eval);
	symbol(m, "model_pin", &m->find);
	symbol(m, "model_params", &params);
	m->self = create();
	m->params = params();
	remember(m);
	/* The change of verif/mutation/mutants that is on, in a netlist with changes. */
	m->changed = false;
	if (getenv("WARPLOCK_MUTANT") && model_has_pin(m, "mutant_i")) {
		char *end;
		const unsigned long number = strtoul(getenv("WARPLOCK_MUTANT"), &end, 0);
		if (*end || number > UINT16_MAX) { /* zero would look like a mutant without a finder */
			fprintf(stderr, "WARPLOCK_MUTANT is '%s', expected a number from 0 to 65535\n",
			        getenv("WARPLOCK_MUTANT"));
			exit(2);
		}
		pin_set(model_pin(m, "mutant_i"), 0, 16, (uint32_t)number);
		m->changed = number != 0;
	}
}

void model_close(struct model *m)
{
	forget(m);
	m->destroy(m->self);
	dlclose(m->library);
}

bool model_has_pin(const struct model *m, const char *name)
{
	unsigned bytes;
	return m->find(m->self, name, &bytes) != NULL;
}

void model_plant(const struct model *m, unsigned bug)
{
	pin_set(model_pin(m, "bug_i"), 0, 12, bug);
}

uint8_t *model_pin(const struct model *m, const char *name)
{
	unsigned bytes;
	void *data = m->find(m->self, name, &bytes);
	if (!data) {
		fprintf(stderr, "model: no pin %s\n", name);
		exit(2);
	}
	return data;
}

unsigned model_param(const struct model *m, const char *name, unsigned fallback)
{
	size_t n = strlen(name);
	for (const char *p = m->params; p && *p; p = strchr(p, ' ')) {
		p += *p == ' ';
		if (strncmp(p, name, n) == 0 && p[n] == '=') {
			return (unsigned)strtoul(p + n + 1, NULL, 0);
		}
	}
	return fallback;
}

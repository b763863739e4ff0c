// SPDX-License-Identifier: Apache-2.0
/* unit_ref_open.c -- opens the reference of a unit: name, parameters, memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit_ref.h"
#include "warplock/config_check.h"

static _Thread_local char open_error[400];

/* The units, each with the oldest architecture. */
static const struct offer {
	enum wl_unit unit;
	enum wl_arch from;
	const char *from_name;
} offered[] = {{WL_UNIT_atoms_pipe, WL_SM75, ""},      {WL_UNIT_atom_unit, WL_SM75, ""},
               {WL_UNIT_barrier_file, WL_SM75, ""},    {WL_UNIT_mbarrier_engine, WL_SM80, "sm_80"},
               {WL_UNIT_warp_collective, WL_SM75, ""}, {WL_UNIT_convergence, WL_SM75, ""},
               {WL_UNIT_fence_unit, WL_SM75, ""},      {WL_UNIT_cluster_barrier, WL_SM90, "sm_90"}};
enum { OFFERED = sizeof offered / sizeof offered[0] };

const char *wl_unit_open_error(void)
{
	return open_error;
}

const char *wl_unit_list(void)
{
	static _Thread_local char list[200];
	list[0] = 0;
	for (unsigned i = 0; i < OFFERED; i++) {
		const size_t at = strlen(list);
		snprintf(list + at, sizeof list - at, "%s%s", i ? ", " : "", wl_unit_name(offered[i].unit));
	}
	return list;
}

static const struct offer *find_unit(const char *name)
{
	for (unsigned i = 0; i < OFFERED; i++)
		if (!strcmp(name, wl_unit_name(offered[i].unit)))
			return &offered[i];
	snprintf(open_error, sizeof open_error, "unit '%.60s' is unknown; there are %s", name, wl_unit_list());
	return NULL;
}

struct parameters {
	struct wl_config config;
	bool any_passes;
};

static bool number(const char *key, const char *value, uint64_t *out)
{
	char *end;
	*out = strtoull(value, &end, 0);
	if (*value >= '0' && *value <= '9' && !*end)
		return true;
	snprintf(open_error, sizeof open_error, "parameter %s=%s: expected a number", key, value);
	return false;
}

/* A single parameter "KEY=VALUE". */
static bool set(struct parameters *p, char *text)
{
	struct wl_config *c = &p->config;
	const struct {
		const char *key;
		unsigned *to;
	} numbers[] = {
	        {"lanes", &c->lanes}, {"banks", &c->banks}, {"combine", &c->combine}, {"shared", &c->shared_bytes}};
	uint64_t n;
	char *value = strchr(text, '=');
	if (value)
		*value++ = 0;
	if (value && !strcmp(text, "arch")) {
		c->arch = wl_arch_parse(value, NULL);
		c->chip = wl_chip_parse(value, NULL);
		if (!c->arch)
			snprintf(open_error, sizeof open_error, "parameter arch=%.60s: expected one of %s", value,
			         WL_CHIP_NAMES);
		return c->arch != 0;
	}
	if (value && !strcmp(text, "passes")) {
		p->any_passes = !strcmp(value, "any");
		if (p->any_passes || !strcmp(value, "model"))
			return true;
		snprintf(open_error, sizeof open_error, "parameter passes=%.60s: expected model or any", value);
		return false;
	}
	if (value && !strcmp(text, "seed"))
		return number(text, value, &c->seed);
	for (unsigned i = 0; value && i < sizeof numbers / sizeof numbers[0]; i++)
		if (!strcmp(text, numbers[i].key)) {
			if (!number(text, value, &n))
				return false;
			*numbers[i].to = n > UINT32_MAX ? UINT32_MAX : (unsigned)n;
			return true;
		}
	snprintf(open_error, sizeof open_error,
	         "parameter '%.60s': expected arch, lanes, banks, combine, shared, seed or passes, and =VALUE", text);
	return false;
}

static bool read_parameters(const char *text, struct parameters *p)
{
	char copy[256], *rest = copy;
	if (strlen(text) >= sizeof copy) {
		snprintf(open_error, sizeof open_error, "parameters: expected at most %zu characters", sizeof copy - 1);
		return false;
	}
	strcpy(copy, text);
	for (char *word; (word = strtok_r(rest, " ,", &rest));)
		if (!set(p, word))
			return false;
	return wl_config_check(&p->config, open_error, sizeof open_error) == WL_OK;
}

static struct wl_unit_ref *make(const struct offer *o, const struct parameters *p)
{
	struct wl_unit_ref *u = calloc(1, sizeof *u);
	uint8_t *memory = calloc(1, p->config.shared_bytes);
	if (!u || !memory) {
		snprintf(open_error, sizeof open_error, "memory is short");
		free(u);
		free(memory);
		return NULL;
	}
	u->unit = o->unit;
	u->ops = wl_unit_ops(o->unit);
	u->arch = p->config.arch;
	u->shared_bytes = p->config.shared_bytes;
	u->seed = p->config.seed;
	u->any_passes = p->any_passes;
	u->memory = memory;
	wl_units_init(&u->units, &p->config, memory);
	u->units.gmem = &u->gmem;
	return u;
}

struct wl_unit_ref *wl_unit_open(const char *name, const char *parameters)
{
	struct parameters p = {.config = wl_config_default()};
	open_error[0] = 0;
	const struct offer *o = find_unit(name);
	if (!o || !read_parameters(parameters, &p))
		return NULL;
	if (p.config.arch < o->from) {
		snprintf(open_error, sizeof open_error, "unit '%s': expected parameter arch=%s or later", name,
		         o->from_name);
		return NULL;
	}
	return make(o, &p);
}

void wl_unit_close(struct wl_unit_ref *u)
{
	if (u) {
		free(u->memory);
		free(u->gmem.mem);
	}
	free(u);
}

// SPDX-License-Identifier: Apache-2.0
#include "model.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "warplock/isa.h"

bool model_root(char *buf, size_t n)
{
	char path[PATH_MAX], script[PATH_MAX + 32];
	const char *env = getenv("WARPLOCK_ROOT");
	if (env) {
		snprintf(path, sizeof path, "%s", env);
	} else {
		ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
		if (len < 0)
			return false;
		path[len] = 0;
	}
	/* upwards from build/bin, or build/san/bin */
	for (;;) {
		snprintf(script, sizeof script, "%s/verif/cosim/build_model", path);
		if (access(script, X_OK) == 0)
			return (size_t)snprintf(buf, n, "%s", path) < n;
		char *slash = strrchr(path, '/');
		if (env || !slash || slash == path)
			return false;
		*slash = 0;
	}
}

/* First line that a command prints; its exit status. */
static int first_line(const char *command, char *line, int n)
{
	FILE *p = popen(command, "r");
	if (!p)
		return -1;
	line[0] = 0;
	if (fgets(line, n, p))
		line[strcspn(line, "\n")] = 0;
	return pclose(p);
}

/* The words of build_model for what it is built with. */
static void flag_words(uint32_t units, const struct wl_config *hw, unsigned flags, char words[80])
{
	int n = units == 1 ? 0 : snprintf(words, 80, " units=%u", units);
	n += hw->combine ? snprintf(words + n, 80 - (size_t)n, " combine=%u", hw->combine) : 0;
	n += hw->native ? snprintf(words + n, 80 - (size_t)n, " native") : 0;
	snprintf(words + n, 80 - (size_t)n, "%s%s%s%s%s", flags & MODEL_NETLIST ? " netlist" : "",
	         flags & MODEL_PLANTED ? " planted" : "", flags & MODEL_WAVE ? " wave" : "",
	         flags & MODEL_XRAND ? " xrand" : "", flags & MODEL_ASSERT ? " assert" : "");
}

bool model_make(const char *script, const char *words, const char *what, char *path, size_t pathn, char *why,
                size_t whyn)
{
	char root[PATH_MAX], command[PATH_MAX + 128], line[256];
	if (!model_root(root, sizeof root)) {
		snprintf(why, whyn, "cannot find the RTL: set WARPLOCK_ROOT to the source tree of Warplock");
		return false;
	}
	for (int building = 0; building < 2; building++) {
		snprintf(command, sizeof command, "'%s/%s' %s %s", root, script, building ? "" : "-n", words);
		if (first_line(command, line, sizeof line) == 0) {
			snprintf(path, pathn, "%s/%s", root, line);
			return true;
		}
		if (!building)
			fprintf(stderr, "wlcosim: building the %s\n", what);
	}
	snprintf(why, whyn, "the %s could not be built", what);
	return false;
}

uint32_t model_units(uint32_t units, unsigned flags)
{
	const uint32_t pipe = 1u << WL_UNIT_atoms_pipe, convergence = 1u << WL_UNIT_convergence;
	const uint32_t all = 0
#define UNIT(name, words, preds, in_c, in_front, in_rtl, holds) | (uint32_t)(in_rtl) << WL_UNIT_##name
#include "warplock/units.def"
#undef UNIT
	        ;
	if (flags & MODEL_NETLIST || getenv("WARPLOCK_OWN_UNITS"))
		return units;
	if (units == pipe)
		return units;
	return units & convergence ? all : all & ~convergence;
}

bool model_load(struct model *m, const struct wl_config *hw, uint32_t units, unsigned flags, char *why, size_t whyn)
{
	char flag[80], words[112], what[144];
	memset(m, 0, sizeof *m);
	flag_words(model_units(units, flags), hw, flags, flag);
	snprintf(words, sizeof words, "%u %u %u%s", hw->lanes, hw->banks, hw->ports, flag);
	snprintf(what, sizeof what, "RTL model (%u lanes, %u banks, %u ports%s%s)", hw->lanes, hw->banks, hw->ports,
	         *flag ? ";" : "", flag);
	if (!model_make("verif/cosim/build_model", words, what, m->path, sizeof m->path, why, whyn))
		return false;
	m->library = dlopen(m->path, RTLD_NOW | RTLD_LOCAL);
	if (!m->library) {
		snprintf(why, whyn, "cannot load %s: %s", m->path, dlerror());
		return false;
	}
	const struct shim_api *(*entry)(void);
	*(void **)&entry = dlsym(m->library, "wl_shim");
	m->api = entry ? entry() : NULL;
	if (m->api && m->api->abi == SHIM_ABI) {
		m->own = *m->api;
		m->own.units = units;
		m->api = &m->own;
		return true;
	}
	snprintf(why, whyn, "%s is not a model of this version", m->path);
	model_unload(m);
	return false;
}

void model_unload(struct model *m)
{
	if (m->library)
		dlclose(m->library);
	m->library = NULL;
	m->api = NULL;
}

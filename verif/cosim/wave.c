// SPDX-License-Identifier: Apache-2.0
/* wave.c -- the save file that opens a wave in GTKWave with the signals of sync_core grouped by unit. */
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "rtl_units.h"
#include "unit.h"

static const struct cosim_signal signals[] = {
#define SIGNAL(group, name, fixed, times) {group, name, fixed, times},
#include "wave.def"
#undef SIGNAL
        {0},
};

/* One of all units; of each unit whose releases have lanes of their own, one more for each port. */
static unsigned releases(const struct wl_config *hw, uint32_t units)
{
	return 1 + (unsigned)__builtin_popcount(units & RTL_UNITS_RELEASES) * hw->ports;
}

static unsigned width(const struct cosim_signal *s, const struct wl_config *hw, uint32_t units)
{
	unsigned w = s->fixed;
	for (const char *p = s->times; *p; p++)
		w *= *p == 'P' ? hw->ports : *p == 'L' ? hw->lanes : *p == 'R' ? releases(hw, units) : hw->banks;
	return w;
}

static void put_signals(FILE *f, const struct cosim_signal *s, const struct wl_config *hw, uint32_t units)
{
	for (const char *group = ""; s->group; s++) {
		if (strcmp(group, s->group) != 0)
			fprintf(f, "@200\n-%s\n", s->group);
		group = s->group;
		const unsigned w = width(s, hw, units);
		if (s->fixed == 1 && !*s->times)
			fprintf(f, "@28\nTOP.%s\n", s->name);
		else
			fprintf(f, "@22\nTOP.%s[%u:0]\n", s->name, w - 1);
	}
}

bool write_gtkw(const char *fst, const struct wl_config *hw, uint32_t units)
{
	char path[4096];
	const char *dot = strrchr(fst, '.'), *slash = strrchr(fst, '/');
	const int stem = dot && (!slash || dot > slash) ? (int)(dot - fst) : (int)strlen(fst);
	if ((size_t)snprintf(path, sizeof path, "%.*s.gtkw", stem, fst) >= sizeof path)
		return false;
	FILE *f = fopen(path, "w");
	if (!f) {
		fprintf(stderr, "wlcosim: cannot write %s\n", path);
		return false;
	}
	fprintf(f, "[dumpfile] \"%s\"\n[timestart] 0\n[size] 1600 900\n[sst_expanded] 1\n", fst);
	put_signals(f, signals, hw, units);
	for (const struct cosim_unit *const *u = cosim_units; *u; u++)
		if ((*u)->signals && units >> (*u)->unit & 1)
			put_signals(f, (*u)->signals, hw, units);
	return fclose(f) == 0;
}

// SPDX-License-Identifier: Apache-2.0
/* wave.c -- the save file that opens a wave in GTKWave with the signals of sync_core grouped by unit. */
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "unit.h"

static const struct cosim_signal signals[] = {
#define SIGNAL(group, name, fixed, times) {group, name, fixed, times},
#include "wave.def"
#undef SIGNAL
        {0},
};

static unsigned width(const struct cosim_signal *s, const struct shim_api *api)
{
	unsigned w = s->fixed;
	for (const char *p = s->times; *p; p++)
		w *= *p == 'P' ? api->ports : *p == 'L' ? api->lanes : *p == 'R' ? api->releases : api->banks;
	return w;
}

static void put_signals(FILE *f, const struct cosim_signal *s, const struct shim_api *api)
{
	for (const char *group = ""; s->group; s++) {
		if (strcmp(group, s->group) != 0)
			fprintf(f, "@200\n-%s\n", s->group);
		group = s->group;
		const unsigned w = width(s, api);
		if (s->fixed == 1 && !*s->times)
			fprintf(f, "@28\nTOP.%s\n", s->name);
		else
			fprintf(f, "@22\nTOP.%s[%u:0]\n", s->name, w - 1);
	}
}

bool write_gtkw(const char *fst, const struct shim_api *api, uint64_t cycle)
{
	enum { CYCLE = 10, SHOWN_BEFORE = 8 }; /* times of a wave; at zoom 1 a cycle is 20 pixels wide */
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
	fprintf(f, "[dumpfile] \"%s\"\n[timestart] %llu\n[size] 1600 900\n*1.000000 %llu\n[sst_expanded] 1\n", fst,
	        (unsigned long long)(cycle > SHOWN_BEFORE ? (cycle - SHOWN_BEFORE) * CYCLE : 0),
	        (unsigned long long)(cycle * CYCLE));
	put_signals(f, signals, api);
	for (const struct cosim_unit *const *u = cosim_units; *u; u++)
		if ((*u)->signals && api->units >> (*u)->unit & 1)
			put_signals(f, (*u)->signals, api);
	return fclose(f) == 0;
}

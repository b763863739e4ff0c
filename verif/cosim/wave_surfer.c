// SPDX-License-Identifier: Apache-2.0
/* wave_surfer.c -- commands that open a wave in Surfer: the signals of the GTKWave file in the same order, a divider
 * for each group, the cursor at the marker. Surfer reads `#` as a comment and `;` as an end, and a name ends at a
 * space. Surfer before 0.6 says an error for zoom_to and carries out the other commands. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../cmodel/tools/unfinished.h"
#include "options.h"
#include "wave.h"

static void put_divider(FILE *f, const char *group)
{
	fputs("divider_add ", f);
	for (; *group; group++)
		fputc(*group == ' ' ? '_' : *group, f);
	fputc('\n', f);
}

static void put_list(FILE *f, const struct cosim_signal *s)
{
	for (const char *group = ""; s->group; s++) {
		if (strcmp(group, s->group) != 0)
			put_divider(f, s->group);
		group = s->group;
		fprintf(f, "variable_add TOP.%s\n", s->name);
	}
}

bool write_sucl(const char *stem, const char *fst, const struct shim_api *api, uint64_t cycle)
{
	char path[4400];
	snprintf(path, sizeof path, "%s.sucl", stem);
	const char *temp = unfinished_begin(path);
	FILE *f = temp ? fopen(temp, "w") : NULL;
	if (!f) {
		fprintf(stderr, "wlcosim: cannot write %s: %s\n", path, strerror(errno));
		return false;
	}
	if (!strpbrk(fst, " \t#;"))
		fprintf(f, "load_file %s\n", fst);
	put_list(f, wave_signals);
	for (const struct cosim_unit *const *u = cosim_units; *u; u++)
		if ((*u)->signals && api->units >> (*u)->unit & 1)
			put_list(f, (*u)->signals);
	const uint64_t from = cycle > WAVE_BEFORE ? cycle - WAVE_BEFORE : 0;
	fprintf(f, "cursor_set %llu\nzoom_to %llu %llu\n", (unsigned long long)(cycle * WAVE_CYCLE),
	        (unsigned long long)(from * WAVE_CYCLE), (unsigned long long)((from + WAVE_SHOWN) * WAVE_CYCLE));
	return wave_close(path, f);
}

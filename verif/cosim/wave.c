// SPDX-License-Identifier: Apache-2.0
/* wave.c -- the save file to open a wave in GTKWave: signals of sync_core grouped by unit, signals of ports, lanes and
 * banks apart. Also the lists for GTKWave to show faults, units, operations and instructions as text. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../cmodel/tools/unfinished.h"
#include "options.h"
#include "wave.h"

const struct cosim_signal wave_signals[] = {
#define SIGNAL(group, name, fixed, times) {group, name, fixed, times},
#include "wave.def"
#undef SIGNAL
        {0},
};

/* Text for values of a signal, beside the number: a list or a program in the wave's folder. */
struct reading {
	const char *name, *ending;
	bool program;
};
static const struct reading readings[] = {
        {"rsp_fault_o", "faults.txt", false},
        {"rel_unit_o", "units.txt", false},
        {"req_word_i", "words.sh", true},
};
static const char operation_of[] = "dec_unit", operation_is[] = "dec_kind"; /* both together name an operation */

struct gtkw {
	FILE *f;
	const struct shim_api *api;
	char stem[4096]; /* of the files beside the wave */
};

static unsigned copies(const struct shim_api *api, char letter)
{
	return letter == 'P' ? api->ports : letter == 'L' ? api->lanes : letter == 'R' ? api->releases : api->banks;
}

static bool ends_in(const char *text, const char *end)
{
	const size_t n = strlen(text), m = strlen(end);
	return n >= m && strcmp(text + n - m, end) == 0;
}

/* GTKWave takes the name of a program up to the first space: with a space in the path, words appear as numbers. */
static bool readable(const struct gtkw *g, const struct reading *r)
{
	return r && (!r->program || !strpbrk(g->stem, " \t"));
}

/* The flags of a trace, and of the trace's reader: 20 right-justified, 2 hexadecimal, 8 binary, 2000 by a list, 4000 by
 * a program. */
static void put_kind(const struct gtkw *g, unsigned bits, const struct reading *r)
{
	if (!readable(g, r))
		r = NULL;
	fprintf(g->f, "@%x\n", (bits == 1 ? 0x28u : 0x22u) | (!r ? 0 : r->program ? 0x4000 : 0x2000));
	if (r)
		fprintf(g->f, "^%s1 %s.%s\n", r->program ? ">" : "", g->stem, r->ending);
}

/* Bits high .. low of a signal of w bits, in GTKWave's numbers: the highest is 0. */
static void put_bits(const struct gtkw *g, const char *name, unsigned w, unsigned low, unsigned bits)
{
	for (unsigned i = 0; i < bits; i++)
		fprintf(g->f, " (%u)TOP.%s[%u:0]", w - low - bits + i, name, w - 1);
}

/* A signal of several ports, lanes or banks: a closed group with a trace for each. */
static void put_parts(const struct gtkw *g, const struct cosim_signal *s, unsigned parts, const struct reading *r)
{
	const char *short_name = strrchr(s->name, '.') ? strrchr(s->name, '.') + 1 : s->name;
	fprintf(g->f, "@c00200\n-%s\n", short_name);
	for (unsigned n = 0; n < parts; n++) {
		put_kind(g, s->fixed, r);
		fprintf(g->f, "#{%s", short_name);
		unsigned left = parts, at = n;
		for (const char *p = s->times; *p; p++) {
			left /= copies(g->api, *p);
			if (copies(g->api, *p) > 1)
				fprintf(g->f, ".%s%u",
				        *p == 'P'   ? "port"
				        : *p == 'L' ? "lane"
				        : *p == 'R' ? "release"
				                    : "bank",
				        at / left);
			at %= left;
		}
		fputc('}', g->f);
		put_bits(g, s->name, s->fixed * parts, n * s->fixed, s->fixed);
		fputc('\n', g->f);
	}
	fprintf(g->f, "@1401200\n-%s\n", short_name);
}

static void put_signals(const struct gtkw *g, const struct cosim_signal *s)
{
	const struct cosim_signal *unit = NULL;
	for (const char *group = ""; s->group; s++) {
		const struct reading *reading = NULL;
		unsigned parts = 1;
		if (strcmp(group, s->group) != 0)
			fprintf(g->f, "@200\n-%s\n", s->group);
		group = s->group;
		for (const char *p = s->times; *p; p++)
			parts *= copies(g->api, *p);
		for (unsigned i = 0; i < sizeof readings / sizeof readings[0]; i++)
			if (strcmp(s->name, readings[i].name) == 0)
				reading = &readings[i];
		if (s->fixed > 1 && parts > 1) {
			put_parts(g, s, parts, reading);
			continue;
		}
		const unsigned w = s->fixed * parts;
		put_kind(g, *s->times ? 0 : w, reading);
		if (w == 1) /* a vector of a single bit has a special name in GTKWave */
			fprintf(g->f, "TOP.%s%s\n", s->name, *s->times ? "[0]" : "");
		else
			fprintf(g->f, "TOP.%s[%u:0]\n", s->name, w - 1);
		if (ends_in(s->name, operation_of)) {
			unit = s;
		} else if (unit && ends_in(s->name, operation_is)) {
			put_kind(g, 0, &(struct reading){.ending = "operations.txt"});
			fputs("#{operation}", g->f);
			put_bits(g, unit->name, unit->fixed, 0, unit->fixed);
			put_bits(g, s->name, s->fixed, 0, s->fixed);
			fputc('\n', g->f);
		}
	}
}

bool wave_close(const char *path, FILE *f)
{
	errno = 0;
	bool good = !ferror(f) && fflush(f) == 0;
	good = fclose(f) == 0 && good;
	const int why = errno;
	if (unfinished_end(path, good) && good)
		return true;
	fprintf(stderr, "wlcosim: cannot write %s: %s\n", path, strerror(good ? errno : why ? why : EIO));
	return false;
}

static FILE *beside(const struct gtkw *g, const char *ending)
{
	char path[sizeof g->stem + 32];
	snprintf(path, sizeof path, "%s.%s", g->stem, ending);
	const char *temp = unfinished_begin(path);
	FILE *f = temp ? fopen(temp, "w") : NULL;
	if (!f)
		fprintf(stderr, "wlcosim: cannot write %s: %s\n", path, strerror(errno));
	return f;
}

static bool finish(const struct gtkw *g, const char *ending, FILE *f)
{
	char path[sizeof g->stem + 32];
	snprintf(path, sizeof path, "%s.%s", g->stem, ending);
	return f && wave_close(path, f);
}

/* Lists for GTKWave, a line for each value: the value in hexadecimal and the text. Faults; units and {unit, kind}, from
 * the definitions of the RTL. */
static bool write_lists(const struct gtkw *g, const char *root)
{
	char line[256], name[64], path[4096], units[16][64] = {""};
	unsigned number;
	FILE *faults = beside(g, "faults.txt"), *names = beside(g, "units.txt"),
	     *operations = beside(g, "operations.txt");
	snprintf(path, sizeof path, "%s/rtl/gen/wl_units.vh", root);
	FILE *in = fopen(path, "r");
	for (unsigned i = 0; faults && i < WL_FAULT_COUNT; i++)
		if (strcmp(wl_fault_name((enum wl_fault)i), "UNKNOWN_FAULT") != 0)
			fprintf(faults, "%02x %s\n", i, i ? wl_fault_name((enum wl_fault)i) : "-");
	while (in && names && operations && fgets(line, sizeof line, in)) {
		if (sscanf(line, "`define WL_UNIT_%63s 4'd%u", name, &number) == 2 && number < 16) {
			snprintf(units[number], sizeof units[number], "%s", name);
			fprintf(names, "%x %s\n", number, name);
		} else if (sscanf(line, "`define WL_%63s 5'd%u", name, &number) == 2) {
			for (unsigned u = 0; u < 16; u++) {
				const size_t n = strlen(units[u]);
				if (n && strncmp(name, units[u], n) == 0 && name[n] == '_')
					fprintf(operations, "%03x %s\n", u << 5 | number, name + n + 1);
			}
		}
	}
	const bool good_in = in && !ferror(in);
	if (!good_in)
		fprintf(stderr, "wlcosim: cannot read %s: %s\n", path, strerror(errno));
	if (in)
		fclose(in);
	bool good = finish(g, "faults.txt", faults) && good_in;
	good = finish(g, "units.txt", names) && good;
	return finish(g, "operations.txt", operations) && good;
}

/* The program for GTKWave to get the text of a word. */
static bool write_words(const struct gtkw *g, const char *root, enum wl_arch arch)
{
	char path[sizeof g->stem + 32];
	FILE *f = beside(g, "words.sh");
	if (!f)
		return false;
	fprintf(f,
	        "#!/bin/sh\n# words in hexadecimal, a line each, to their text: for GTKWave\nwhile read -r word; do\n"
	        "\ttext=$(echo \"$word\" | '%s/build/bin/wlobjdump' -arch=sm_%u --words 2>/dev/null)\n\techo "
	        "\"${text:-$word}\"\ndone\n",
	        root, (unsigned)arch);
	snprintf(path, sizeof path, "%s.words.sh", g->stem);
	if (!finish(g, "words.sh", f))
		return false;
	if (chmod(path, 0755) == 0)
		return true;
	fprintf(stderr, "wlcosim: %s: %s\n", path, strerror(errno));
	return false;
}

bool write_gtkw(const char *fst, const struct shim_api *api, enum wl_arch arch, uint64_t cycle)
{
	struct gtkw g = {.api = api};
	char root[2048];
	const char *dot = strrchr(fst, '.'), *slash = strrchr(fst, '/');
	const int stem = dot && (!slash || dot > slash) ? (int)(dot - fst) : (int)strlen(fst);
	char here[2048] = "";
	/* GTKWave looks for relative names in its own folder, and for programs in PATH */
	if (!model_root(root, sizeof root) || (*fst != '/' && !getcwd(here, sizeof here)) ||
	    (size_t)snprintf(g.stem, sizeof g.stem, "%s%s%.*s", here, *here ? "/" : "", stem, fst) >= sizeof g.stem) {
		fprintf(stderr, "wlcosim: %s: no lists for viewers: the path, or that of the tree, is too long\n", fst);
		return false;
	}
	if (!(g.f = beside(&g, "gtkw")))
		return false;
	char whole[4300];
	snprintf(whole, sizeof whole, "%s%s%s", here, *here ? "/" : "", fst);
	/* at zoom -7 WAVE_SHOWN cycles are in a window of 1600 pixels */
	fprintf(g.f, "[dumpfile] \"%s\"\n[timestart] %llu\n[size] 1600 900\n*-7.000000 %llu\n[sst_expanded] 1\n", whole,
	        (unsigned long long)(cycle > WAVE_BEFORE ? (cycle - WAVE_BEFORE) * WAVE_CYCLE : 0),
	        (unsigned long long)(cycle * WAVE_CYCLE));
	put_signals(&g, wave_signals);
	for (const struct cosim_unit *const *u = cosim_units; *u; u++)
		if ((*u)->signals && api->units >> (*u)->unit & 1)
			put_signals(&g, (*u)->signals);
	const bool listed =
	        write_lists(&g, root) && write_words(&g, root, arch) && write_sucl(g.stem, whole, api, cycle);
	return finish(&g, "gtkw", g.f) && listed;
}

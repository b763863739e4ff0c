// SPDX-License-Identifier: Apache-2.0
/* options.c -- the options of wlcosim: parsing, messages and help from the rows of options.def. */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/tools/host_program.h"
#include "../../cmodel/tools/misuse_list.h"
#include "../../cmodel/tools/once.h"
#include "../../cmodel/tools/trace_file.h"
#include "link/link_dut.h"
#include "options.h"

static const char help_end[] =
        "Environment: WARPLOCK_ROOT names the source tree of Warplock, from which models are built; not needed in "
        "build/bin.\n"
        "Options may have one dash or two, and their value behind = or as the next word.\n"
        "Exit status: 0 as expected, 1 a mismatch or another outcome than expected, 2 wrong usage.\n";

enum {
	OPT_FIRST = 255,
#define HELP(text)
#define LATER(id, name, kind)                                   OPT_##id,
#define OPTION(id, name, argument, use, expected, action, text) OPT_##id,
#include "options.def"
#undef OPTION
#undef LATER
#undef HELP
	OPT_HELP,
	OPT_VERSION,
};

static const struct option long_options[] = {
/* one dash or two: getopt_long_only */
#define HELP(text)
#define LATER(id, name, kind) {name, kind, NULL, OPT_##id},
#define OPTION(id, name, argument, use, expected, action, text)                                                        \
	{name, (const char *)(argument) ? required_argument : no_argument, NULL, OPT_##id},
#define MAYBE(id, name, argument, use, expected, action, text) {name, optional_argument, NULL, OPT_##id},
#include "options.def"
#undef OPTION
#undef LATER
#undef HELP
        {"help", no_argument, NULL, OPT_HELP},
        {"version", no_argument, NULL, OPT_VERSION},
        {NULL, 0, NULL, 0},
};

/* A row of options.def: an option, an option for later (`later`), or lines of the help (without a name). */
struct row {
	int option;
	bool later;
	unsigned use;
	const char *name, *argument, *expected, *text;
};
static const struct row rows[] = {
#define HELP(text)                                              {0, false, 0, NULL, NULL, NULL, text},
#define LATER(id, name, kind)                                   {OPT_##id, true, 0, name, NULL, NULL, NULL},
#define OPTION(id, name, argument, use, expected, action, text) {OPT_##id, false, use, name, argument, expected, text},
#include "options.def"
#undef OPTION
#undef LATER
#undef HELP
};

static const struct row *row_of(int option)
{
	unsigned r = 0;
	while (r < sizeof rows / sizeof *rows && rows[r].option != option)
		r++;
	assert(r < sizeof rows / sizeof *rows && "every option has a row");
	return &rows[r];
}

/* Units known to --units. */
static void put_units(FILE *f)
{
	const char *between = "";
	for (unsigned u = 0; u < WL_UNIT_COUNT; u++)
		if (model_every_unit() >> u & 1)
			fprintf(f, "%s%s", between, wl_unit_name((enum wl_unit)u)), between = ", ";
}

/* The help of a row: the option, then the text from column 18 on. */
static void put_row(const struct row *row)
{
	enum { COLUMN = 18 };
	if (!row->text)
		return;
	if (!row->name) {
		fputs(row->text, stdout);
		return;
	}
	const bool maybe = row->argument && row->argument[0] == '[';
	const int at =
	        printf("  --%s%s%s", row->name, row->argument && !maybe ? " " : "", row->argument ? row->argument : "");
	printf("%*s", at < COLUMN ? COLUMN - at : 2, "");
	for (const char *line = row->text; *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] != 0))
		printf("%*s%.*s\n", line == row->text ? 0 : COLUMN, "", (int)strcspn(line, "\n"), line);
}

static void print_help(void)
{
	for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++)
		put_row(&rows[r]);
	for (const struct cosim_unit *const *u = cosim_units; *u; u++)
		for (const struct cosim_mix *const *mix = (*u)->mixes; mix && *mix; mix++)
			printf("  %-15s %s\n", (*mix)->name, (*mix)->what);
	puts("policies of --schedule-policy");
	schedule_print_help();
	fputs("units\n  ", stdout);
	put_units(stdout);
	puts("");
	fputs(help_end, stdout);
	misuse_help(stdout);
}

int cosim_misuse(const char *what, const char *value)
{
	fprintf(stderr, "wlcosim: %s%s%s; see wlcosim --help\n", what, value ? ": " : "", value ? value : "");
	return EXIT_MISUSE;
}

static bool number(const char *text, uint64_t low, uint64_t high, uint64_t *out)
{
	char *end;
	errno = 0;
	const unsigned long long v = strtoull(text, &end, 0);
	if (errno || end == text || *end || *text == '-' || v < low || v > high)
		return false;
	*out = v;
	return true;
}

static bool small(const char *text, uint64_t low, uint64_t high, unsigned *out)
{
	uint64_t v = 0;
	const bool ok = number(text, low, high, &v);
	*out = (unsigned)v;
	return ok;
}

static bool one_of(const char *text, const char *allowed, unsigned *out)
{
	uint64_t v;
	char padded[24];
	if (!number(text, 1, 32, &v))
		return false;
	snprintf(padded, sizeof padded, " %u ", (unsigned)v);
	*out = (unsigned)v;
	return strstr(allowed, padded) != NULL;
}

/* --only values, or --only order:b */
static bool parse_only(struct options *o, const char *text)
{
	const size_t n = strcspn(text, ":");
	for (unsigned c = 0; c < CHECK_KINDS; c++)
		if (strlen(check_name((enum check)c)) == n && strncmp(text, check_name((enum check)c), n) == 0) {
			o->checks = 1u << c;
			o->mon_rules = text[n] ? text + n + 1 : NULL;
			return true;
		}
	return false;
}

static bool parse_corrupt(struct options *o, const char *text)
{
	o->corrupt = cosim_field(text);
	for (const struct cosim_field *f = corrupt_fields; f->name && !o->corrupt; f++)
		if (strcmp(f->name, text) == 0)
			o->corrupt = f;
	return o->corrupt != NULL;
}

static bool parse_mix(struct options *o, const char *text)
{
	o->mix = cosim_mix(text);
	return o->mix != NULL;
}

/* --units barrier_file,fence_unit; all; none */
static bool parse_units(struct options *o, const char *text)
{
	o->units_given = true;
	if (strcmp(text, "all") == 0)
		o->units = model_every_unit();
	if (strcmp(text, "all") == 0 || strcmp(text, "none") == 0)
		return true;
	do {
		const size_t n = strcspn(text, ",");
		unsigned u = 0;
		while (u < WL_UNIT_COUNT && (strlen(wl_unit_name((enum wl_unit)u)) != n ||
		                             strncmp(text, wl_unit_name((enum wl_unit)u), n) != 0))
			u++;
		if (u >= WL_UNIT_COUNT || !(model_every_unit() >> u & 1))
			return false;
		o->units |= 1u << u;
		text += n;
	} while (*text++ == ',');
	return true;
}

static bool parse_arch(struct options *o, const char *text)
{
	o->hw.chip = wl_chip_parse(text, NULL);
	o->hw.arch = wl_arch_of_chip(o->hw.chip);
	o->arch_given = true;
	return o->hw.arch != 0;
}

static bool parse_dut(struct options *o, const char *text)
{
	const bool netlist = strcmp(text, "netlist") == 0;
	o->model = netlist ? o->model | MODEL_NETLIST : o->model & ~(unsigned)MODEL_NETLIST;
	o->dut = netlist ? NULL : text;
	return netlist || dut_word(text);
}

/* A single kind of run. */
static bool parse_run(struct options *o, int (*run)(const struct options *))
{
	const bool first = !o->run || o->run == run;
	o->run = run;
	return first;
}

/* Lists for viewers lie beside the wave, with other endings. */
static bool parse_wave(struct options *o, const char *text)
{
	const char *slash = strrchr(text, '/'), *name = slash ? slash + 1 : text, *dot = strrchr(name, '.');
	o->wave = text;
	return *name && (!dot || (dot > name && strcmp(dot, ".fst") == 0));
}

static bool parse_trace(struct options *o, const char *text)
{
	char why[1];
	o->insight.trace = text;
	return trace_name_fits(text, why, sizeof why);
}

static bool parse_profile(struct options *o, const char *text)
{
	char why[1];
	o->insight.profiles = true;
	o->insight.profile = text;
	return !text || profile_name_fits(text, why, sizeof why);
}

static bool be_quiet(struct options *o)
{
	o->quiet = true;
	return setenv("WL_QUIET", "1", 1) == 0; /* for builds of models */
}

/* An option; false: a bad value. */
static bool take(struct options *o, int c, const char *value)
{
	switch (c) {
#define HELP(text)
#define LATER(id, name, kind)
#define OPTION(id, name, argument, use, expected, action, text)                                                        \
	case OPT_##id:                                                                                                 \
		return action;
#include "options.def"
#undef OPTION
#undef LATER
#undef HELP
	default:
		return false;
	}
}

static void print_names(FILE *to, int c)
{
	const char *between = "";
	if (c == OPT_UNITS)
		put_units(to);
	for (const struct cosim_unit *const *u = cosim_units; *u; u++) {
		for (const struct cosim_mix *const *mix = (*u)->mixes; c == OPT_MIX && mix && *mix; mix++)
			fprintf(to, "%s%s", between, (*mix)->name), between = ", ";
	}
	if (c == OPT_DUT)
		dut_put_words(to);
	for (unsigned k = 0; c == OPT_ONLY && k < CHECK_KINDS; k++)
		fprintf(to, "%s%s", between, check_name((enum check)k)), between = ", ";
}

/* The values of an option, for the message about a refused value. */
static int bad_value(int c, const char *found)
{
	const struct row *row = row_of(c);
	assert(row->expected && "every option whose value can be refused");
	fprintf(stderr, "wlcosim: --%s: expected %s", row->name, row->expected);
	print_names(stderr, c);
	fprintf(stderr, found ? ", found '%s'; see wlcosim --help\n" : "; see wlcosim --help\n", found);
	return EXIT_MISUSE;
}

/* The given options, in order. */
static struct {
	const struct row *row[64];
	unsigned n;
} given;

bool options_serve(unsigned kind, const char *run)
{
	for (unsigned i = 0; i < given.n; i++)
		if (!(given.row[i]->use & kind)) {
			fprintf(stderr, "wlcosim: --%s has no effect on %s; see wlcosim --help\n", given.row[i]->name,
			        run);
			return false;
		}
	return true;
}

static bool names_file(const struct row *row)
{
	const char *a = row->argument ? row->argument : "";
	return strcmp(a, "DIR") == 0 || strcmp(a, "[=FILE]") == 0 || (islower((unsigned char)a[0]) && a[1] == '.');
}

bool options_serve_program(const struct options *o)
{
	if (!options_serve(KERNELS, "a program of the host"))
		return false;
	for (unsigned i = 0; i < given.n; i++)
		if (given.row[i]->option == OPT_ENTRY ||
		    (names_file(given.row[i]) && (given.row[i]->option != OPT_PROFILE || o->insight.profile))) {
			fprintf(stderr,
			        "wlcosim: --%s is for one kernel: record the launches of the program with wlrun "
			        "--record, and run a launch file; see wlcosim --help\n",
			        given.row[i]->name);
			return false;
		}
	return true;
}

unsigned options_keep_of_kernels(const struct options *o)
{
	const int words = (int)(o->program_argv - o->argv);
	unsigned kept = 0;
	int c, first = 1;
	for (optind = 0; first < words && (c = getopt_long_only(words, o->argv, "-:", long_options, NULL)) != -1;
	     first = optind)
		for (int i = first; i < optind && c != OPT_KERNEL && c != OPT_FIRST_LAUNCHES; i++)
			o->argv[1 + kept++] = o->argv[i];
	return kept;
}

/* The exit status where the option names a second file; OPTIONS_GOOD: no second file. */
static int twice(struct once *files, int option, const char *value)
{
	char what[300];
	const struct row *row = row_of(option);
	const char *before = names_file(row) ? once_before(files, option, value) : NULL;
	if (!before)
		return OPTIONS_GOOD;
	snprintf(what, sizeof what, "--%s is there twice, with '%s' and '%s'", row->name, before, value ? value : "");
	return cosim_misuse(what, NULL);
}

int parse_options(struct options *o, int argc, char **argv)
{
	struct once files = {.n = 0};
	int c;
	opterr = 0;
	while ((c = getopt_long_only(argc, argv, "-:", long_options, NULL)) != -1) {
		switch (c) {
		case 1: /* no option: behind a program of the host all further words belong to the program */
			if (!o->launch && !o->program && !o->count && !o->run && host_program_is(optarg)) {
				o->program_argv = argv + optind - 1;
				return OPTIONS_GOOD;
			}
			if (o->program)
				return cosim_misuse("more than one program", optarg);
			o->program = optarg;
			break;
		case '?':
			return cosim_misuse("unknown option", argv[optind - 1]);
		case ':':
			return cosim_misuse("option needs a value", argv[optind - 1]);
		case OPT_HELP:
			print_help();
			return EXIT_GOOD;
		case OPT_VERSION:
			puts("wlcosim (Warplock) " WL_VERSION);
			return EXIT_GOOD;
		default:
			if (row_of(c)->later) {
				fprintf(stderr, "wlcosim: --%s is not built yet\n", row_of(c)->name);
				return EXIT_MISUSE;
			}
			if (twice(&files, c, optarg) != OPTIONS_GOOD)
				return EXIT_MISUSE;
			if (!take(o, c, optarg))
				return bad_value(c, optarg);
			if (given.n < sizeof given.row / sizeof *given.row)
				given.row[given.n++] = row_of(c);
		}
	}
	if (optind < argc && strcmp(argv[optind - 1], "--") == 0 && !o->launch && !o->program)
		o->program_argv = argv + optind;
	return OPTIONS_GOOD;
}

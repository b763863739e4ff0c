// SPDX-License-Identifier: Apache-2.0
#include "wlrun_options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "explore.h"
#include "exit_code.h"
#include "follow.h"
#include "host_program.h"
#include "insight.h"
#include "job.h"
#include "misuse_list.h"
#include "once.h"
#include "sweep.h"
#include "tool.h"

static const char help[] =
        "usage: wlrun [--launch k.json] [--arch sm_N] [prog.{ptx,wlo,cubin,fatbin}]\n"
        "       wlrun --launch-template [--entry NAME] prog.{ptx,wlo,cubin,fatbin}\n"
        "       wlrun [--arch sm_90] [--seed N] [--sms N] [--limit N] [--misuse LIST] [--record DIR]\n"
        "             [--devices N] [--] PROGRAM [ARGS]\n"
        "\n"
        "Runs a kernel on the C model. Without a program, wlrun compiles the PTX of the launch file. Of a fat binary, "
        "or\n"
        "of a host file with code, wlrun takes the part for the architecture. An executable of the host without a "
        "launch\n"
        "file is run itself, with our libcuda and libcudart, and its launches are listed (docs/programs.md).\n"
        "  --launch k.json     grid, arguments, expected contents and outcome (docs/launch.md);\n"
        "                      without a launch file: one warp, no arguments\n"
        "  --launch-template   print a launch file for the kernel's parameters, run nothing\n"
        "  --arch sm_N         chip; PTX is compiled for the chip\n"
        "                      (" WL_DEFAULT_CHIP_RULE "). One of\n"
        "                      " WL_CHIP_NAMES "\n"
        "  --entry NAME        the kernel (default: the kernel of the launch file, or the only kernel)\n"
        "  --seed N            start contents of registers and shared memory, landing of copies, order of the warps "
        "(1,\n"
        "                      with --schedule the seed of the file: another seed is an error)\n"
        "  --seeds A..B        run every seed from A to B; print a table of outcomes, each with its first seed and "
        "the\n"
        "                      command that repeats the run (docs/schedules.md)\n"
        "  --schedule-policy P order of the warps, from the list below; with a seed explore, else steady\n"
        "  --sms N             streaming multiprocessors (1)\n"
        "  --native            allow native shared operations: code of wlcc -mnative-shared "
        "(docs/native.md)\n" MISUSE_HELP "  --limit N           give up after N warp instructions (1000000000, with\n"
        "                      --explore 10000000; 0: never)\n"
        "  --schedule f.log    follow the order log of a wlcosim run, or the turns that --explore has written\n"
        "  --explore[=HOW]     run the kernel in many orders of its warps, up to the first that fails "
        "(docs/insight.md);\n"
        "                      HOW: dpor (all orders of accesses that race), pct (drawn priorities)\n"
        "  --bound N           preemptions of a schedule, at most (2)\n"
        "  --explore-limit L   L schedules (10000), or Ls: L seconds\n"
        "  --explore-log F     where the failing schedule goes (" EXPLORE_LOG ")\n"
        "  --check LIST        checks beside the run, from the list below; a finding is the outcome\n"
        "  --trace f.json[.gz] what each warp does and waits for, for ui.perfetto.dev (docs/insight.md)\n"
        "  --profile[=FILE]    cost of each instruction: a table, or FILE f.html, f.json or callgrind.out*\n"
        "  --dump DIR          write every buffer to DIR/<argument>.bin\n"
        "  --report f.json     outcome, detail, instructions by unit, seconds; waiting threads (docs/waiting.md)\n"
        "  --dot f.dot         drawing of the waiting threads after a hang, for Graphviz\n"
        "  --devices N         of a program of the host: so many devices (1)\n"
        "  --record DIR        of a program of the host: a launch file in DIR for each launch, with its buffers\n"
        "  --quiet             no line about how far the run is (a terminal alone shows the line, after 3 seconds)\n"
        "policies of --schedule-policy\n";
static const char help_end[] = "Options may have one dash or two; a value follows = or is the next word.\n"
                               "Lists of --check and --misuse add up. Another file for the same option is an error. "
                               "Of other options\nthat are there twice the last one counts.\n"
                               "Exit status: 0 the expected outcome, 1 another outcome or an error, 2 misuse.\n"
                               "A sweep of seeds ends with 1 when any run has another outcome.\n";

/* Kinds of run. */
enum {
	TEMPLATE = 1,
	PLAIN = 2, /* a single run, by a policy */
	SWEEP = 4,
	EXPLORES = 8,
	LOG = 16,
	TURNS = 32,
	PROGRAM = 64, /* of the host */
	ONE = PLAIN | LOG | TURNS,
	KERNEL = ONE | SWEEP | EXPLORES,
	RUN = KERNEL | PROGRAM,
	ANY = RUN | TEMPLATE
};
#define NO       no_argument
#define VALUE    required_argument
#define OPTIONAL optional_argument
/* Name, argument, constant, kinds of run with an effect of the option, whether the value names a file. */
// clang-format off
#define OPTIONS(ROW) \
	ROW("launch", VALUE, LAUNCH, KERNEL, true) \
	ROW("launch-template", NO, TEMPLATE, TEMPLATE, false) \
	ROW("arch", VALUE, ARCH, ANY, false) \
	ROW("entry", VALUE, ENTRY, KERNEL | TEMPLATE, false) \
	ROW("seed", VALUE, SEED, RUN & ~SWEEP, false) \
	ROW("seeds", VALUE, SEEDS, SWEEP | PROGRAM, false) \
	ROW("schedule-policy", VALUE, POLICY, PLAIN | SWEEP | PROGRAM, false) \
	ROW("sms", VALUE, SMS, RUN, false) \
	ROW("limit", VALUE, LIMIT, RUN, false) \
	ROW("schedule", VALUE, SCHEDULE, LOG | TURNS, true) \
	ROW("dump", VALUE, DUMP, ONE, true) \
	ROW("report", VALUE, REPORT, KERNEL, true) \
	ROW("quiet", NO, QUIET, ANY, false) \
	ROW("help", NO, HELP, ANY, false) \
	ROW("version", NO, VERSION, ANY, false) \
	ROW("dot", VALUE, DOT, ONE, true) \
	ROW("explore", OPTIONAL, EXPLORE, EXPLORES | PROGRAM, false) \
	ROW("bound", VALUE, BOUND, EXPLORES | PROGRAM, false) \
	ROW("explore-limit", VALUE, EXPLORE_LIMIT, EXPLORES | PROGRAM, false) \
	ROW("explore-log", VALUE, EXPLORE_LOG, EXPLORES, true) \
	ROW("check", VALUE, CHECK, RUN & ~LOG, false) \
	ROW("trace", VALUE, TRACE, PLAIN | TURNS, true) \
	ROW("memory", VALUE, LATER, ANY, false) \
	ROW("profile", OPTIONAL, PROFILE, PLAIN | TURNS | PROGRAM, true) \
	ROW("native", NO, NATIVE, KERNEL | TEMPLATE, false) \
	ROW("misuse", VALUE, MISUSE, RUN, false) \
	ROW("record", VALUE, RECORD, PROGRAM, true) \
	ROW("devices", VALUE, DEVICES, PROGRAM, false)
// clang-format on

enum {
	O_FIRST = 255,
#define ROW(name, argument, id, use, file) O_##id,
	OPTIONS(ROW)
#undef ROW
};

static const struct option table[] = {
/* one dash or two: getopt_long_only */
#define ROW(name, argument, id, use, file) {name, argument, NULL, O_##id},
        OPTIONS(ROW)
#undef ROW
                {NULL, 0, NULL, 0},
};

static const struct row {
	const char *name;
	unsigned use;
	bool file;
} rows[] = {
#define ROW(name, argument, id, use, file) {name, use, file},
        OPTIONS(ROW)
#undef ROW
};

/* Not of an option: NULL. */
static const struct row *row_of(int option)
{
	const int i = option - O_FIRST - 1;
	return i >= 0 && i < (int)(sizeof rows / sizeof *rows) ? &rows[i] : NULL;
}

/* The options given. */
static struct {
	const struct row *row[128];
	unsigned n;
} given;

int wlrun_misuse(const char *what, const char *value)
{
	fprintf(stderr, "wlrun: %s%s%s%s; wlrun --help tells the usage\n", what, value ? " '" : "", value ? value : "",
	        value ? "'" : "");
	return EXIT_MISUSE;
}

static bool number(const char *text, uint64_t low, uint64_t high, uint64_t *out)
{
	char *end;
	errno = 0;
	unsigned long long v = strtoull(text, &end, 0);
	*out = v;
	return *text >= '0' && *text <= '9' && !*end && !errno && v >= low && v <= high;
}

/* ---- options without an effect ---- */

static unsigned kind_of_schedule(const char *path)
{
	if (turns_is(path))
		return TURNS;
	return follow_is_log(path) ? LOG : LOG | TURNS; /* neither: the run tells what is wrong with the file */
}

static unsigned kind_of(const struct options *o)
{
	return o->explore.how ? EXPLORES : o->schedule ? kind_of_schedule(o->schedule) : o->seeds.given ? SWEEP : PLAIN;
}

static const char *name_of(unsigned kind)
{
	switch (kind) {
	case TEMPLATE:
		return "a template: nothing runs";
	case SWEEP:
		return "a sweep of seeds: repeat one of its seeds for this";
	case EXPLORES:
		return "--explore: repeat a schedule for this";
	case LOG:
		return "a run by an order log of wlcosim (--schedule)";
	case TURNS:
		return "a run by a schedule of turns (--schedule)";
	case LOG | TURNS:
		return "a run by a schedule (--schedule)";
	case PROGRAM:
		return "a program of the host: record its launches with --record, and run a launch file";
	default:
		return "a single run of a kernel";
	}
}

/* Looks at the options with a use in `of`. -1: each has an effect on a run of the kind; else the exit status. */
static int serve(unsigned kind, unsigned of)
{
	for (unsigned i = 0; i < given.n; i++)
		if (given.row[i]->use & of && !(given.row[i]->use & kind)) {
			char what[200];
			snprintf(what, sizeof what, "--%s has no effect on %s", given.row[i]->name, name_of(kind));
			return wlrun_misuse(what, NULL);
		}
	return -1;
}

/* --schedule: a run with the seed of the file. False: the file is no valid file of turns. */
static bool take_schedule(struct options *o)
{
	char err[1200];
	struct turns turns;
	if (!o->schedule)
		return true;
	if (!turns_is(o->schedule)) {
		if (!o->seed_given)
			follow_seed(o->schedule, &o->config.seed);
		return true;
	}
	if (!turns_read(o->schedule, NULL, &turns, err, sizeof err)) {
		fprintf(stderr, "wlrun: %s\n", err);
		return false;
	}
	o->has_turns = true;
	o->schedule = NULL;
	if (!o->seed_given)
		o->config.seed = turns.seed;
	o->policy_given = true;
	turns_free(&turns);
	return true;
}

bool wlrun_is_of_kernel(const struct options *o)
{
	return o->checks || o->seeds.given || o->explore.how || o->policy_given || o->insight.profiles;
}

/* Moves the options of kernels to the front of argv. Returns their number of words; argc: all words of options. */
static int keep_options_of_kernels(int argc, char **argv)
{
	int c, first = 1, kept = 0;
	for (optind = 0; first < argc && (c = getopt_long_only(argc, argv, "-:", table, NULL)) != -1; first = optind)
		for (int i = first; i < optind && row_of(c) && row_of(c)->use & KERNEL; i++)
			argv[1 + kept++] = argv[i];
	return kept;
}

/* A host program, in argv[argc]. -1: go on; else the exit status. */
static int take_host(struct options *o, int argc, char **argv)
{
	int status = serve(PROGRAM, ANY);
	if (status < 0)
		status = serve(kind_of(o), KERNEL);
	if (status >= 0)
		return status;
	if (o->insight.profile_path)
		return wlrun_misuse("--profile with a file is for one kernel: record the launches of the program with "
		                    "--record, found",
		                    o->insight.profile_path);
	o->host = argv + argc;
	o->host_options = argv + 1;
	o->host_noptions = keep_options_of_kernels(argc - (strcmp(argv[argc - 1], "--") == 0), argv);
	return -1;
}

/* The exit status where the option names a second file; -1: no second file. */
static int twice(struct options *o, int option, const char *value)
{
	char what[300];
	const struct row *row = row_of(option);
	const char *before = row && row->file ? once_before(&o->files, option, value) : NULL;
	if (!before)
		return -1;
	snprintf(what, sizeof what, "--%s is there twice, with '%s' and", row->name, before);
	return wlrun_misuse(what, value ? value : "");
}

int wlrun_parse(struct options *o, int argc, char **argv)
{
	uint64_t v;
	char why[300] = "--check: ";
	const size_t prefix = strlen(why);
	int c, index = 0;
	while ((c = getopt_long_only(argc, argv, "-:", table, &index)) != -1) {
		const int status = twice(o, c, optarg);
		if (status >= 0)
			return status;
		if (row_of(c) && given.n < sizeof given.row / sizeof *given.row)
			given.row[given.n++] = row_of(c);
		switch (c) {
		case 1: /* no option: all words behind a program of the host belong to the program */
			if (!o->launch && !o->template && !o->entry && !o->program && host_program_is(optarg))
				return take_host(o, optind - 1, argv);
			if (o->program)
				return wlrun_misuse("one program at a time, found also", optarg);
			o->program = optarg;
			break;
		case O_LAUNCH:
			o->launch = optarg;
			break;
		case O_TEMPLATE:
			o->template = true;
			break;
		case O_ARCH:
			o->config.chip = wl_chip_parse(optarg, NULL);
			o->config.arch = wl_arch_of_chip(o->config.chip);
			if (!o->config.arch)
				return wlrun_misuse("--arch: expected one of " WL_CHIP_NAMES ", found", optarg);
			o->arch_given = true;
			break;
		case O_ENTRY:
			o->entry = optarg;
			break;
		case O_SEED:
			if (!number(optarg, 0, UINT64_MAX, &o->config.seed))
				return wlrun_misuse("--seed: expected a number, found", optarg);
			o->seed_given = true;
			break;
		case O_SEEDS:
			if (!seed_range_parse(optarg, &o->seeds))
				return wlrun_misuse("--seeds: expected A..B with A not above B, found", optarg);
			break;
		case O_POLICY:
			if (!schedule_parse(optarg, &o->config.schedule))
				return wlrun_misuse("--schedule-policy: expected one of " SCHEDULE_NAMES ", found",
				                    optarg);
			o->policy_given = true;
			break;
		case O_SMS:
			if (!number(optarg, 1, 256, &v))
				return wlrun_misuse("--sms: expected a number from 1 to 256, found", optarg);
			o->config.sms = (unsigned)v;
			o->sms_given = true;
			break;
		case O_MISUSE:
			if (!wl_misuse_parse(optarg, o->misuse))
				return wlrun_misuse(
				        "--misuse: expected silicon, report, fault or KIND=MODE (--help lists "
				        "the kinds), found",
				        optarg);
			o->misuse_text = optarg;
			break;
		case O_RECORD:
			o->record = optarg;
			break;
		case O_DEVICES:
			if (!number(optarg, 1, 16, &v))
				return wlrun_misuse("--devices: expected a number from 1 to 16, found", optarg);
			o->devices = (unsigned)v;
			break;
		case O_NATIVE:
			o->config.native = 1;
			break;
		case O_LIMIT:
			if (!number(optarg, 0, UINT64_C(1) << 62, &o->limit))
				return wlrun_misuse("--limit: expected a number, found", optarg);
			o->limit_given = true;
			break;
		case O_SCHEDULE:
			o->schedule = o->schedule_path = optarg;
			break;
		case O_DUMP:
			o->dump = optarg;
			break;
		case O_REPORT:
			o->report = optarg;
			break;
		case O_DOT:
			o->dot = optarg;
			break;
		case O_CHECK:
			if (!checks_parse(optarg, &o->checks, why + prefix, sizeof why - prefix))
				return wlrun_misuse(why, NULL);
			break;
		case O_QUIET:
			o->quiet = true;
			break;
		case O_EXPLORE:
			if (!explore_how_parse(optarg, &o->explore))
				return wlrun_misuse("--explore: expected dpor or pct, found", optarg);
			break;
		case O_BOUND:
			if (!number(optarg, 0, 1000000, &v))
				return wlrun_misuse("--bound: expected a number of preemptions, found", optarg);
			o->explore.bound = (unsigned)v;
			break;
		case O_EXPLORE_LIMIT:
			if (!explore_limit_parse(optarg, &o->explore))
				return wlrun_misuse(
				        "--explore-limit: expected a number of schedules, or of seconds as in "
				        "60s, found",
				        optarg);
			break;
		case O_EXPLORE_LOG:
			o->explore.log = optarg;
			break;
		case O_HELP:
			fputs(help, stdout);
			schedule_print_help();
			checks_help(stdout);
			misuse_help(stdout);
			fputs(help_end, stdout);
			return EXIT_GOOD;
		case O_VERSION:
			puts("wlrun (Warplock) " WL_VERSION);
			return EXIT_GOOD;
		case O_TRACE:
			o->insight.trace_path = optarg;
			break;
		case O_PROFILE:
			o->insight.profiles = true;
			o->insight.profile_path = optarg;
			break;
		case O_LATER:
			return wlrun_misuse("this option is not built yet:",
			                    argv[optind - 1][0] == '-' ? argv[optind - 1] : table[index].name);
		case ':':
			return wlrun_misuse("option needs a value:", argv[optind - 1]);
		default:
			return wlrun_misuse("unknown option", argv[optind - 1]);
		}
	}
	if (optind < argc && strcmp(argv[optind - 1], "--") == 0 && !o->launch && !o->program)
		return take_host(o, optind, argv);
	if (optind < argc && !o->program)
		o->program = argv[optind++];
	if (optind < argc)
		return wlrun_misuse("one program at a time, found also", argv[optind]);
	if (o->template && !o->program)
		return wlrun_misuse("--launch-template takes a program", NULL);
	const int status = serve(o->template ? TEMPLATE : kind_of(o), ANY);
	if (status >= 0)
		return status;
	if (o->explore.how == EXPLORE_PCT && o->explore.bound != EXPLORE_BOUND)
		return wlrun_misuse("--bound belongs to --explore=dpor: priorities bound no preemptions", NULL);
	if (!o->launch && !o->program)
		return wlrun_misuse("a launch file (--launch) or a program is needed", NULL);
	if ((o->insight.trace_path && !trace_name_fits(o->insight.trace_path, why, sizeof why)) ||
	    (o->insight.profile_path && !profile_name_fits(o->insight.profile_path, why, sizeof why)))
		return wlrun_misuse(why, NULL);
	if (!take_schedule(o))
		return EXIT_BAD;
	if (!o->policy_given && (o->seeds.given || o->seed_given))
		o->config.schedule = WL_SCHEDULE_EXPLORE;
	if (!o->arch_given)
		o->config.chip = job_chip(o->launch, o->program, o->entry);
	o->config.arch = wl_arch_of_chip(o->config.chip);
	if (!o->schedule) /* a log is of the RTL's SM */
		o->config.shared_bytes = wl_chip_shared_of_sm(o->config.chip);
	return -1;
}

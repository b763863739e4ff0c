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
        "(1)\n"
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

enum {
	O_LAUNCH = 256,
	O_TEMPLATE,
	O_ARCH,
	O_ENTRY,
	O_SEED,
	O_SEEDS,
	O_POLICY,
	O_SMS,
	O_NATIVE,
	O_MISUSE,
	O_RECORD,
	O_DEVICES,
	O_LIMIT,
	O_SCHEDULE,
	O_DUMP,
	O_REPORT,
	O_DOT,
	O_CHECK,
	O_QUIET,
	O_EXPLORE,
	O_BOUND,
	O_EXPLORE_LIMIT,
	O_EXPLORE_LOG,
	O_HELP,
	O_VERSION,
	O_TRACE,
	O_PROFILE,
	O_LATER
};

static const struct option table[] = {
        /* one dash or two: getopt_long_only */
        {"launch", required_argument, NULL, O_LAUNCH},
        {"launch-template", no_argument, NULL, O_TEMPLATE}, /* prints, runs nothing */
        {"arch", required_argument, NULL, O_ARCH},
        {"entry", required_argument, NULL, O_ENTRY},
        {"seed", required_argument, NULL, O_SEED},
        {"seeds", required_argument, NULL, O_SEEDS},
        {"schedule-policy", required_argument, NULL, O_POLICY},
        {"sms", required_argument, NULL, O_SMS},
        {"limit", required_argument, NULL, O_LIMIT},
        {"schedule", required_argument, NULL, O_SCHEDULE},
        {"dump", required_argument, NULL, O_DUMP},
        {"report", required_argument, NULL, O_REPORT},
        {"quiet", no_argument, NULL, O_QUIET},
        {"help", no_argument, NULL, O_HELP},
        {"version", no_argument, NULL, O_VERSION},
        {"dot", required_argument, NULL, O_DOT},
        {"explore", optional_argument, NULL, O_EXPLORE},
        {"bound", required_argument, NULL, O_BOUND},
        {"explore-limit", required_argument, NULL, O_EXPLORE_LIMIT},
        {"explore-log", required_argument, NULL, O_EXPLORE_LOG},
        {"check", required_argument, NULL, O_CHECK},
        {"trace", required_argument, NULL, O_TRACE},
        {"memory", required_argument, NULL, O_LATER},
        {"profile", optional_argument, NULL, O_PROFILE},
        {"native", no_argument, NULL, O_NATIVE},
        {"misuse", required_argument, NULL, O_MISUSE},
        {"record", required_argument, NULL, O_RECORD},
        {"devices", required_argument, NULL, O_DEVICES},
        {NULL, 0, NULL, 0},
};

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

/* A conflict between options, NULL: none. */
static const char *check_explore(const struct options *o)
{
	if (!o->explore.how)
		return o->bound_given || o->explore.log
		               ? "--bound, --explore-limit and --explore-log belong to --explore"
		               : NULL;
	if (o->explore.how == EXPLORE_PCT && o->explore.bound != EXPLORE_BOUND)
		return "--bound belongs to --explore=dpor: priorities bound no preemptions";
	if (o->seeds.given || o->schedule || o->policy_given || o->dump || o->dot || o->insight.trace_path ||
	    o->insight.profiles)
		return "--explore goes without --seeds, --schedule, --schedule-policy, --dump, --dot, --trace and "
		       "--profile: repeat a schedule for these";
	return NULL;
}

/* --schedule names a file of turns: a run with the seed of the file. False: the file is no valid file of turns. */
static bool take_turns(struct options *o)
{
	char err[400];
	if (!o->schedule || !turns_is(o->schedule))
		return true;
	if (!turns_read(o->schedule, &o->turns, err, sizeof err)) {
		fprintf(stderr, "wlrun: %s\n", err);
		return false;
	}
	o->has_turns = true;
	o->schedule = NULL;
	if (!o->seed_given)
		o->config.seed = o->turns.seed;
	o->policy_given = true;
	return true;
}

bool wlrun_is_of_kernel(const struct options *o)
{
	return o->checks || o->seeds.given || o->explore.how || o->policy_given || o->insight.profiles;
}

/* Refuses options without a meaning for a host program. argc: words up to the program. */
static int take_host(struct options *o, int argc, char **argv)
{
	if (o->schedule || o->dump || o->dot || o->report || o->insight.trace_path || o->config.native)
		return wlrun_misuse(
		        "--schedule, --dump, --dot, --report, --trace and --native are for one kernel: record the "
		        "launches of the program with --record",
		        argv[argc]);
	o->host = argv + argc;
	o->host_options = argv + 1;
	o->host_noptions = argc - 1 - (strcmp(argv[argc - 1], "--") == 0);
	return -1;
}

static bool names_file(int option)
{
	static const int files[] = {O_LAUNCH, O_SCHEDULE, O_EXPLORE_LOG, O_TRACE, O_PROFILE,
	                            O_DUMP,   O_REPORT,   O_DOT,         O_RECORD};
	for (unsigned i = 0; i < sizeof files / sizeof *files; i++)
		if (files[i] == option)
			return true;
	return false;
}

/* The exit status where the option names a second file; -1: no second file. */
static int twice(struct options *o, int option, const char *value)
{
	char what[300];
	const char *before = names_file(option) ? once_before(&o->files, option, value) : NULL;
	unsigned i = 0;
	if (!before)
		return -1;
	while (table[i].val != option)
		i++;
	snprintf(what, sizeof what, "--%s is there twice, with '%s' and", table[i].name, before);
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
			o->bound_given = true;
			break;
		case O_EXPLORE_LIMIT:
			if (!explore_limit_parse(optarg, &o->explore))
				return wlrun_misuse(
				        "--explore-limit: expected a number of schedules, or of seconds as in "
				        "60s, found",
				        optarg);
			o->bound_given = true;
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
	const char *wrong = check_explore(o);
	if (wrong)
		return wlrun_misuse(wrong, NULL);
	if (!take_turns(o))
		return EXIT_BAD;
	if (o->checks && o->schedule)
		return wlrun_misuse("--check and --schedule do not go together", NULL);
	if (o->template && (o->launch || !o->program))
		return wlrun_misuse("--launch-template takes a program and no launch file", NULL);
	if (!o->launch && !o->program)
		return wlrun_misuse("a launch file (--launch) or a program is needed", NULL);
	if ((o->insight.trace_path && !trace_name_fits(o->insight.trace_path, why, sizeof why)) ||
	    (o->insight.profile_path && !profile_name_fits(o->insight.profile_path, why, sizeof why)))
		return wlrun_misuse(why, NULL);
	if ((o->insight.trace_path || o->insight.profiles) && (o->schedule || o->seeds.given))
		return wlrun_misuse("--trace and --profile go without --schedule and --seeds", NULL);
	if (o->seeds.given && o->seed_given)
		return wlrun_misuse("--seed and --seeds cannot go together", NULL);
	if (o->seeds.given && (o->schedule || o->dump || o->dot))
		return wlrun_misuse(
		        "--seeds goes without --schedule, --dump and --dot: repeat one of its seeds for these", NULL);
	if (o->schedule && o->policy_given)
		return wlrun_misuse("--schedule follows an order log, --schedule-policy has no say there", NULL);
	if (!o->policy_given && (o->seeds.given || o->seed_given))
		o->config.schedule = WL_SCHEDULE_EXPLORE;
	if (!o->arch_given)
		o->config.chip = job_chip(o->launch, o->program, o->entry);
	o->config.arch = wl_arch_of_chip(o->config.chip);
	if (!o->schedule) /* a log is of the RTL's SM */
		o->config.shared_bytes = wl_chip_shared_of_sm(o->config.chip);
	return -1;
}

// SPDX-License-Identifier: Apache-2.0
/* main.c -- wlcosim: the command line. */
#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/tools/file.h"
#include "../../cmodel/tools/job.h"
#include "../../cmodel/tools/misuse_list.h"
#include "../../cmodel/tools/report.h"
#include "../../cmodel/tools/tool.h"
#include "options.h"

static const char help[] =
        "usage: wlcosim [--launch k.json] [--arch sm_75] [prog.{ptx,wlo,cubin,fatbin}]   a kernel in lockstep\n"
        "       wlcosim --random N [--mix NAME]                                  random instructions in lockstep\n"
        "       wlcosim --planted | --self-test | --bench                        tests of the checks; figures\n"
        "\n"
        "  --arch sm_75    chip (" WL_CHIP_NAMES ");\n"
        "                  PTX is compiled for it; without it the program's own, for --random sm_75\n"
        "  --seed N        of everything random; the start content of shared memory too (1)\n"
        "  --seeds A..B    runs every seed from A to B; a table of outcomes, each with its first seed and the command "
        "that "
        "repeats it\n"
        "  --lanes N       lanes of the RTL: 4, 8, 16, 32 (32)\n"
        "  --banks N       banks of its shared memory: 4, 8, 16, 32 (32)\n"
        "  --ports N       request ports: 1, 2, 4 (1)\n"
        "  --inflight N    requests accepted and not retired, at most (16)\n"
        "  --latency N     most cycles from a request to global memory to its answer (200; kernels 40)\n"
        "  --stall         back-pressure on both sides of the RTL: never, alternate, random, long, all pairs in turn; "
        "in\n"
        "                  kernels conditional writes to global memory fail, too, since somebody writes back what is "
        "there\n"
        "  --dut WHAT      sync_core, verilated (without this option); netlist: what Yosys makes of it, verilated;\n"
        "                  uart[:BOARD]: a whole board with its host link (one of fpga/boards), simulated bit by bit;\n"
        "                  board:TTY[@BAUD]: a board (docs/fpga.md); model: with --mix board, says what a board must "
        "find\n"
        "  --noise N       with --dut uart: one byte in N on its line is damaged, lost or doubled\n"
        "  --board-memory N  with --dut uart: N bytes of global memory are block RAM of the board, where the first "
        "buffer "
        "lies\n"
        "  --wave f.fst    waveform of the whole run, with f.gtkw (GTKWave) and f.sucl (Surfer): signals by unit\n"
        "  --report f.json outcome, detail, counts of instructions, cycles, overlap; who waits for whom, in both "
        "models\n"
        "  --quiet         nothing on standard error about models that are built and how far the run is; a terminal "
        "alone\n"
        "                  sees the latter\n"
        "kernels\n"
        "  --launch k.json grid, arguments and expected outcome\n"
        "  --entry NAME    the kernel, where the launch file names another or none\n"
        "  --dump DIR      every buffer as DIR/<arg>.bin\n"
        "  --dot f.dot     who waits for whom when the kernel stands still, as a drawing for Graphviz\n"
        "  --order f.log   the order of all events; `wlrun --schedule f.log` repeats it on the C model alone\n"
        "  --units WHICH   units whose instructions are checked in the RTL, atoms_pipe beside them: all, none, or "
        "names\n"
        "                  with commas between them; the list follows (those that the kernel can need; --planted: "
        "all)\n"
        "  --sms N         streaming multiprocessors (1): the RTL is SM 0, the others run in C\n"
        "  --schedule-policy P  order of the warps; the list follows. With --seed and --seeds explore, which draws "
        "--latency too;\n"
        "                  else steady (docs/schedules.md)\n"
        "  --rtl-sms N     so many of them, from SM 0 on, are RTL, each one checked by itself (1)\n" MISUSE_HELP
        "  --limit N       warp instructions before the run is given up (1000000000)\n"
        "random streams\n"
        "  --combine N     words of a pass that take all lanes of a store or atomic: 0, 1, 2\n"
        "  --native        native shared operations are in both models (docs/native.md); kernels too\n"
        "  --stop          now and then a source stops in the middle of a request, for long (--lanes 16 or less)\n"
        "  --host          the host reads and writes memory that no CTA has, meanwhile\n"
        "  --timing        compare the cycles of COMMITs too (one port, no --stall)\n"
        "  --unchecked     no comparison, for measuring its cost\n"
        "  --mix NAME      what the stream is made of; the list follows\n"
        "  --degree N      with --mix degree: the conflict degree\n"
        "  --bug N         a planted bug (verif/units/*/cosim/planted.def); --only CHECK[:RULES] lets one check speak "
        "alone\n"
        "  --corrupt FIELD flips one bit of what the RTL shows; --self-test lists the fields\n"
        "  --random-start  registers and RAM of the RTL hold random words before reset\n"
        "  --assertions    the RTL's assertions are on: one that fails ends the program\n"
        "  --no-rerun      after a mismatch do not run again for the waveform\n"
        "mixes\n";
static const char help_end[] =
        "Environment: WARPLOCK_ROOT names the source tree of Warplock, from which models are built; not needed in "
        "build/bin.\n"
        "Options may have one dash or two, and their value behind = or as the next word.\n"
        "Exit status: 0 as expected, 1 a mismatch or another outcome than expected, 2 wrong usage.\n";

enum {
	OPT_RANDOM = 256,
	OPT_MIX,
	OPT_SEED,
	OPT_SEEDS,
	OPT_POLICY,
	OPT_LANES,
	OPT_BANKS,
	OPT_PORTS,
	OPT_COMBINE,
	OPT_NATIVE,
	OPT_MISUSE,
	OPT_SMS,
	OPT_RTL_SMS,
	OPT_INFLIGHT,
	OPT_LATENCY,
	OPT_WAVE,
	OPT_REPORT,
	OPT_DOT,
	OPT_LAUNCH,
	OPT_ARCH,
	OPT_ENTRY,
	OPT_DUMP,
	OPT_ORDER,
	OPT_LIMIT,
	OPT_UNITS,
	OPT_STALL,
	OPT_STOP,
	OPT_HOST,
	OPT_RANDOM_START,
	OPT_ASSERTIONS,
	OPT_UNCHECKED,
	OPT_DEGREE,
	OPT_BUG,
	OPT_ONLY,
	OPT_CORRUPT,
	OPT_NO_RERUN,
	OPT_QUIET,
	OPT_PLANTED,
	OPT_SELF_TEST,
	OPT_BENCH,
	OPT_TIMING,
	OPT_DUT,
	OPT_NOISE,
	OPT_BOARD_MEMORY,
	OPT_LATER,
	OPT_HELP,
	OPT_VERSION,
};

static const struct option long_options[] = {
        /* one dash or two: getopt_long_only */
        {"random", required_argument, NULL, OPT_RANDOM},
        {"mix", required_argument, NULL, OPT_MIX},
        {"seed", required_argument, NULL, OPT_SEED},
        {"seeds", required_argument, NULL, OPT_SEEDS},
        {"schedule-policy", required_argument, NULL, OPT_POLICY},
        {"lanes", required_argument, NULL, OPT_LANES},
        {"banks", required_argument, NULL, OPT_BANKS},
        {"ports", required_argument, NULL, OPT_PORTS},
        {"combine", required_argument, NULL, OPT_COMBINE},
        {"native", no_argument, NULL, OPT_NATIVE},
        {"misuse", required_argument, NULL, OPT_MISUSE},
        {"sms", required_argument, NULL, OPT_SMS},
        {"rtl-sms", required_argument, NULL, OPT_RTL_SMS},
        {"inflight", required_argument, NULL, OPT_INFLIGHT},
        {"latency", required_argument, NULL, OPT_LATENCY},
        {"wave", required_argument, NULL, OPT_WAVE},
        {"report", required_argument, NULL, OPT_REPORT},
        {"dot", required_argument, NULL, OPT_DOT},
        {"launch", required_argument, NULL, OPT_LAUNCH},
        {"arch", required_argument, NULL, OPT_ARCH},
        {"entry", required_argument, NULL, OPT_ENTRY},
        {"dump", required_argument, NULL, OPT_DUMP},
        {"order", required_argument, NULL, OPT_ORDER},
        {"limit", required_argument, NULL, OPT_LIMIT},
        {"random-start", no_argument, NULL, OPT_RANDOM_START},
        {"assertions", no_argument, NULL, OPT_ASSERTIONS},
        {"units", required_argument, NULL, OPT_UNITS},
        {"stop", no_argument, NULL, OPT_STOP},
        {"host", no_argument, NULL, OPT_HOST},
        {"stall", no_argument, NULL, OPT_STALL},
        {"unchecked", no_argument, NULL, OPT_UNCHECKED},
        {"degree", required_argument, NULL, OPT_DEGREE},
        {"bug", required_argument, NULL, OPT_BUG},
        {"only", required_argument, NULL, OPT_ONLY},
        {"corrupt", required_argument, NULL, OPT_CORRUPT},
        {"no-rerun", no_argument, NULL, OPT_NO_RERUN},
        {"quiet", no_argument, NULL, OPT_QUIET},
        {"planted", no_argument, NULL, OPT_PLANTED},
        {"self-test", no_argument, NULL, OPT_SELF_TEST},
        {"bench", no_argument, NULL, OPT_BENCH},
        {"timing", no_argument, NULL, OPT_TIMING},
        {"dut", required_argument, NULL, OPT_DUT},
        {"noise", required_argument, NULL, OPT_NOISE},
        {"board-memory", required_argument, NULL, OPT_BOARD_MEMORY},
        {"memory", required_argument, NULL, OPT_LATER},
        {"explore", no_argument, NULL, OPT_LATER},
        {"check", required_argument, NULL, OPT_LATER},
        {"trace", required_argument, NULL, OPT_LATER},
        {"profile", no_argument, NULL, OPT_LATER},
        {"help", no_argument, NULL, OPT_HELP},
        {"version", no_argument, NULL, OPT_VERSION},
        {NULL, 0, NULL, 0},
};

/* Those that --units names. */
static void put_units(FILE *f)
{
	const char *between = "";
	for (unsigned u = 0; u < WL_UNIT_COUNT; u++)
		if (model_every_unit() >> u & 1)
			fprintf(f, "%s%s", between, wl_unit_name((enum wl_unit)u)), between = ", ";
}

static void print_help(void)
{
	fputs(help, stdout);
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

static int misuse(const char *what, const char *value)
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

/* One option; false when its value is no good. */
static bool take(struct options *o, int c, const char *value)
{
	uint64_t v = 0;
	bool ok = true;
	switch (c) {
	case OPT_RANDOM:
		return number(value, 1, UINT64_C(1) << 48, &o->count);
	case OPT_MIX:
		return parse_mix(o, value);
	case OPT_SEED:
		o->seed_given = true;
		return number(value, 0, UINT64_MAX, &o->hw.seed);
	case OPT_SEEDS:
		return seed_range_parse(value, &o->seeds);
	case OPT_POLICY:
		o->policy_given = true;
		return schedule_parse(value, &o->hw.schedule);
	case OPT_LANES:
		o->hw_given = true;
		return one_of(value, " 4  8  16  32 ", &o->hw.lanes);
	case OPT_BANKS:
		o->hw_given = true;
		return one_of(value, " 4  8  16  32 ", &o->hw.banks);
	case OPT_PORTS:
		return one_of(value, " 1  2  4 ", &o->hw.ports);
	case OPT_COMBINE:
		ok = number(value, 0, 2, &v);
		o->hw.combine = (unsigned)v;
		o->combine_given = true;
		return ok;
	case OPT_MISUSE:
		return wl_misuse_parse(optarg, o->misuse);
	case OPT_NATIVE:
		o->hw.native = 1;
		return true;
	case OPT_INFLIGHT:
		ok = number(value, 1, LOCKSTEP_MAX_INFLIGHT, &v);
		o->inflight = (unsigned)v;
		return ok;
	case OPT_LATENCY:
		ok = number(value, 0, 100000, &v);
		o->latency = (unsigned)v;
		o->latency_given = true;
		return ok;
	case OPT_SMS:
		ok = number(value, 1, 256, &v);
		o->hw.sms = (unsigned)v;
		return ok;
	case OPT_RTL_SMS:
		ok = number(value, 1, MOST_RTL_SMS, &v);
		o->rtl_sms = (unsigned)v;
		return ok;
	case OPT_DEGREE:
		ok = number(value, 1, 32, &v);
		o->degree = (unsigned)v;
		return ok;
	case OPT_BUG:
		ok = number(value, 1, 4095, &v);
		o->bug = (unsigned)v;
		return ok;
	case OPT_ONLY:
		return parse_only(o, value);
	case OPT_CORRUPT:
		return parse_corrupt(o, value);
	case OPT_UNITS:
		return parse_units(o, value);
	case OPT_LIMIT:
		return number(value, 1, UINT64_MAX, &o->limit);
	case OPT_ARCH:
		o->hw.chip = wl_chip_parse(value, NULL);
		o->hw.arch = wl_arch_of_chip(o->hw.chip);
		o->arch_given = true;
		return o->hw.arch != 0;
	case OPT_ENTRY:
		o->entry = value;
		return true;
	case OPT_WAVE:
		o->wave = value;
		return true;
	case OPT_REPORT:
		o->report = value;
		return true;
	case OPT_DOT:
		o->dot = value;
		return true;
	case OPT_LAUNCH:
		o->launch = value;
		return true;
	case OPT_DUMP:
		o->dump = value;
		return true;
	case OPT_ORDER:
		o->order = value;
		return true;
	case OPT_DUT:
		if (strcmp(value, "netlist") == 0)
			o->model |= MODEL_NETLIST;
		else
			o->dut = value;
		return true;
	case OPT_NOISE:
		ok = number(value, 2, 1000000000, &v);
		o->noise = (unsigned)v;
		return ok;
	case OPT_BOARD_MEMORY:
		ok = number(value, 64, 1 << 21, &v) && (v & (v - 1)) == 0;
		o->board_memory = (unsigned)v;
		return ok;
	case OPT_RANDOM_START:
		o->model |= MODEL_XRAND;
		return true;
	case OPT_ASSERTIONS:
		o->model |= MODEL_ASSERT;
		return true;
	case OPT_TIMING:
		o->timing = true;
		return true;
	case OPT_STOP:
		o->stop = true;
		return true;
	case OPT_HOST:
		o->host = true;
		return true;
	case OPT_STALL:
		o->stall = true;
		return true;
	case OPT_UNCHECKED:
		o->unchecked = true;
		return true;
	case OPT_QUIET:
		o->quiet = true;
		setenv("WL_QUIET", "1", 1); /* of what builds models */
		return true;
	case OPT_NO_RERUN:
		o->no_rerun = true;
		return true;
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
	for (unsigned k = 0; c == OPT_ONLY && k < CHECK_KINDS; k++)
		fprintf(to, "%s%s", between, check_name((enum check)k)), between = ", ";
}

/* What an option takes, for the message about a value that it does not. */
static int bad_value(int c, const char *name, const char *found)
{
	static const struct {
		int option;
		const char *values;
	} known[] = {
	        {OPT_LANES, "4, 8, 16 or 32"},
	        {OPT_BANKS, "4, 8, 16 or 32"},
	        {OPT_PORTS, "1, 2 or 4"},
	        {OPT_COMBINE, "0, 1 or 2"},
	        {OPT_ARCH, "one of " WL_CHIP_NAMES},
	        {OPT_RANDOM, "a number of instructions from 1 to 2^48"},
	        {OPT_LIMIT, "a number of warp instructions from 1"},
	        {OPT_SEED, "a number from 0 to 2^64 - 1"},
	        {OPT_INFLIGHT, "a number from 1 to 64"},
	        {OPT_LATENCY, "a number of cycles from 0 to 100000"},
	        {OPT_SMS, "a number from 1 to 256"},
	        {OPT_RTL_SMS, "a number from 1 to 8"},
	        {OPT_DEGREE, "a number from 1 to 32"},
	        {OPT_BUG, "a number from 1 to 4095"},
	        {OPT_NOISE, "a number from 2 to 10^9"},
	        {OPT_BOARD_MEMORY, "a power of two from 64 to 2^21"},
	        {OPT_CORRUPT, "a field that --self-test lists"},
	        {OPT_MIX, "one of "},
	        {OPT_UNITS, "all, none, or names with commas between them, of "},
	        {OPT_ONLY, "CHECK or CHECK:RULES, of "},
	        {OPT_SEEDS, "A..B with A not above B"},
	        {OPT_POLICY, "one of " SCHEDULE_NAMES},
	        {OPT_MISUSE, "silicon, report, fault or KIND=MODE (--help lists the kinds)"},
	};
	unsigned k = 0;
	while (k < sizeof known / sizeof *known && known[k].option != c)
		k++;
	assert(k < sizeof known / sizeof *known && "every option whose value can be refused");
	fprintf(stderr, "wlcosim: --%s: expected %s", name, known[k].values);
	print_names(stderr, c);
	fprintf(stderr, ", found '%s'; see wlcosim --help\n", found);
	return EXIT_MISUSE;
}

/* Whether what is asked for can be written: told before a model is built. */
static bool outputs_fit(const struct options *o)
{
	const char *const file[] = {o->report, o->dot, o->wave, o->order};
	char err[LAUNCH_PATH + 200], no_report[LAUNCH_PATH + 200];
	const struct report error = {.outcome = "error", .detail = err, .lockstep = true};
	bool fit = !o->dump || file_can_fill(o->dump, err, sizeof err);
	for (unsigned i = 0; fit && i < sizeof file / sizeof *file; i++)
		fit = !file[i] || file_can_write(file[i], err, sizeof err);
	if (fit)
		return true;
	fprintf(stderr, "wlcosim: %s\n", err);
	if (o->report)
		report_write(o->report, &error, no_report, sizeof no_report);
	return false;
}

/* The command line as it was typed. */
static void remember(struct options *o, int argc, char **argv)
{
	size_t at = 0;
	for (int i = 0; i < argc && at < sizeof o->repeat; i++)
		at += (size_t)snprintf(o->repeat + at, sizeof o->repeat - at, "%s%s", i ? " " : "", argv[i]);
}

int main(int argc, char **argv)
{
	struct options o = {.hw = wl_config_default(),
	                    .units = 1u << WL_UNIT_atoms_pipe,
	                    .inflight = 16,
	                    .checks = CHECK_ALL,
	                    .degree = 1,
	                    .rtl_sms = 1,
	                    .limit = 1000000000};
	int (*run)(const struct options *) = NULL;
	int c, index = 0;
	opterr = 0;
	while ((c = getopt_long_only(argc, argv, ":", long_options, &index)) != -1) {
		switch (c) {
		case '?':
			return misuse("unknown option", argv[optind - 1]);
		case ':':
			return misuse("option needs a value", argv[optind - 1]);
		case OPT_HELP:
			print_help();
			return EXIT_GOOD;
		case OPT_VERSION:
			puts("wlcosim (Warplock) " WL_VERSION);
			return EXIT_GOOD;
		case OPT_LATER:
			fprintf(stderr, "wlcosim: --%s is not built yet\n", long_options[index].name);
			return EXIT_MISUSE;
		case OPT_PLANTED:
			run = run_planted;
			break;
		case OPT_SELF_TEST:
			run = run_corrupt;
			break;
		case OPT_BENCH:
			run = run_bench;
			break;
		default:
			if (!take(&o, c, optarg))
				return bad_value(c, long_options[index].name, optarg);
		}
	}
	remember(&o, argc, argv);
	o.argc = argc;
	o.argv = argv;
	if (!o.mix)
		o.mix = cosim_mix("mixed");
	if (o.count && !o.combine_given)
		o.hw.combine = o.mix->combine;
	if (o.count && o.mix->native)
		o.hw.native = 1;
	if (optind < argc)
		o.program = argv[optind++];
	if (optind < argc)
		return misuse("more than one program", argv[optind]);
	if (!outputs_fit(&o))
		return EXIT_BAD;
	if (run)
		return run(&o);
	if (o.count && o.units_given)
		return misuse(
		        "--units is for kernels and --planted: the mix of a random stream says which units it needs",
		        NULL);
	if (o.count && (o.launch || o.program))
		return misuse("--random and a kernel cannot run together", NULL);
	if (o.dut && o.hw.combine)
		return misuse("a board does not combine", NULL);
	if (o.dut && o.hw.native)
		return misuse("a board has no native shared operations", NULL);
	if (o.dut && (o.model || o.bug || o.corrupt || o.wave || o.timing || o.stop || o.hw.ports != 1))
		return misuse("a board has one port, and no waves, planted bugs, random start, assertions, --timing or "
		              "--stop",
		              NULL);
	if ((o.model & MODEL_NETLIST) && (o.model & MODEL_ASSERT))
		return misuse("a netlist has no assertions", NULL);
	if (o.noise && (!o.dut || strncmp(o.dut, "uart", 4) != 0))
		return misuse("--noise is for --dut uart", NULL);
	if (o.board_memory && (!o.dut || strcmp(o.dut, "uart") != 0))
		return misuse("--board-memory is for --dut uart: other boards have what their board.mk says", NULL);
	if (o.rtl_sms > o.hw.sms)
		return misuse("--rtl-sms is at most --sms", NULL);
	if (o.rtl_sms > 1 && (o.count || o.dut || o.order))
		return misuse("several SMs in the RTL run kernels, with the verilated sync_core, and write no --order",
		              NULL);
	if (o.timing && (!o.count || o.stall || o.hw.ports != 1))
		return misuse("--timing is for --random with one port and without --stall", NULL);
	if (o.timing && o.mix->untimed)
		return misuse("--timing does not know the cycles of mix", o.mix->name);
	if (o.seeds.given && (o.seed_given || o.dump || o.dot || o.order || o.wave))
		return misuse("--seeds goes without --seed, --dump, --dot, --order and --wave: repeat one of its seeds "
		              "for these",
		              NULL);
	if (o.policy_given && o.count)
		return misuse("--schedule-policy is for kernels: a random stream has an order of its own", NULL);
	if (!o.policy_given && !o.count && (o.seed_given || o.seeds.given))
		o.hw.schedule = WL_SCHEDULE_EXPLORE;
	if (o.count)
		return o.seeds.given ? run_sweep(&o) : run_random(&o);
	if ((o.launch || o.program) && !o.arch_given) {
		o.hw.chip = job_chip(o.launch, o.program, o.entry);
		o.hw.arch = wl_arch_of_chip(o.hw.chip);
	}
	if (o.launch || o.program)
		return o.seeds.given ? run_sweep(&o) : run_launch(&o);
	return misuse("nothing to run", NULL);
}

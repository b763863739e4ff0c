// SPDX-License-Identifier: Apache-2.0
/* main.c -- wlcosim: the command line. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/tools/file.h"
#include "../../cmodel/tools/output.h"
#include "../../cmodel/tools/host_program.h"
#include "../../cmodel/tools/job.h"
#include "../../cmodel/tools/overwrite.h"
#include "../../cmodel/tools/report.h"
#include "../../cmodel/tools/tool.h"
#include "options.h"

/* Whether all outputs can be written: told before a model is built. */
static bool outputs_fit(const struct options *o)
{
	const char *const file[] = {o->report, o->dot, o->wave, o->order};
	char err[LAUNCH_PATH + 200], no_report[LAUNCH_PATH + 200];
	const struct report error = {.outcome = "error", .detail = err, .lockstep = true};
	bool fit = !o->dump || file_can_fill(o->dump, err, sizeof err);
	for (unsigned i = 0; fit && i < sizeof file / sizeof *file; i++)
		fit = !file[i] || file_can_write(file[i], err, sizeof err);
	fit = fit && rtl_insight_fits(&o->insight, err, sizeof err);
	if (fit)
		return true;
	fprintf(stderr, "wlcosim: %s\n", err);
	if (o->report)
		report_write(o->report, &error, no_report, sizeof no_report);
	return false;
}

/* Whether an output is an input of the run. */
static bool replaces_input(const struct options *o, char *why, size_t n)
{
	const struct overwrite all = {.launch = o->launch,
	                              .program = o->program,
	                              .dump = o->dump,
	                              .out = {{"--report", o->report},
	                                      {"--dot", o->dot},
	                                      {"--wave", o->wave},
	                                      {"--order", o->order},
	                                      {"--trace", o->insight.trace},
	                                      {"--profile", o->insight.profile},
	                                      {"--konata", o->insight.konata}}};
	return overwrites(&all, why, n);
}

/* The command line as typed. */
static void remember(struct options *o, int argc, char **argv)
{
	size_t at = 0;
	for (int i = 0; i < argc && at < sizeof o->repeat; i++)
		at += (size_t)snprintf(o->repeat + at, sizeof o->repeat - at, "%s%s", i ? " " : "", argv[i]);
}

/* A program of the host: the program's launches are recorded on the C model, and each launch is run again in lockstep,
 * with the options of the command line except the options for the choice of launches. */
static int run_host(const struct options *o)
{
	if (o->count || o->run)
		return cosim_misuse("--random, --planted, --self-test and --bench take no program", NULL);
	if (!options_serve_program(o))
		return EXIT_MISUSE;
	const struct host_program p = {.tool = "wlcosim",
	                               .argv = o->program_argv,
	                               .chip = o->arch_given ? o->hw.chip : 0,
	                               .seed = o->hw.seed,
	                               .seed_given = o->seed_given,
	                               .noptions = options_keep_of_kernels(o),
	                               .options = o->argv + 1,
	                               .kernel = o->kernel,
	                               .first = o->first};
	return host_program_run(&p);
}

/* Whether every option has an effect on this run. */
static bool serves(const struct options *o)
{
	if (o->run == run_planted)
		return options_serve(PLANTS, "--planted");
	if (o->run == run_corrupt)
		return options_serve(SELF_TESTS, "--self-test");
	if (o->run == run_bench)
		return options_serve(BENCHES, "--bench");
	if (o->count && !o->launch && !o->program)
		return options_serve(o->seeds.given ? SWEEPS : RANDOMS, "a random stream");
	return !(o->launch || o->program || o->program_argv) || options_serve(KERNELS, "a kernel");
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
	output_guard("wlcosim");
	const int status = parse_options(&o, argc, argv);
	if (status != OPTIONS_GOOD)
		return status;
	remember(&o, argc, argv);
	o.argc = argc;
	o.argv = argv;
	if (!o.mix)
		o.mix = cosim_mix("mixed");
	if (o.count && !o.combine_given)
		o.hw.combine = o.mix->combine;
	if (o.count && o.mix->native)
		o.hw.native = 1;
	if (o.count && o.mix->matrix)
		o.matrix = true;
	if (o.program_argv)
		return run_host(&o);
	if (o.kernel || o.first)
		return cosim_misuse("--kernel and --first are for a program of the host", NULL);
	if (optind < argc && !o.program)
		o.program = argv[optind++];
	if (optind < argc)
		return cosim_misuse("more than one program", argv[optind]);
	if (insight_wanted(&o.insight) && (o.dut || o.run || o.seeds.given || o.unchecked))
		return cosim_misuse(
		        "--trace, --profile and --konata look at one checked run of the verilated sync_core: no "
		        "--dut, --seeds, --unchecked or tests of the checks",
		        NULL);
	if (!serves(&o))
		return EXIT_MISUSE;
	if (o.run && o.program)
		return cosim_misuse("a test of the checks takes no program", o.program);
	if (o.degree_given && strcmp(o.mix->name, "degree") != 0)
		return cosim_misuse("--degree is for --mix degree", NULL);
	if (o.dut && strcmp(o.dut, "model") == 0 && (!o.count || strcmp(o.mix->name, "board") != 0))
		return cosim_misuse("--dut model goes with --random and --mix board", NULL);
	if (o.dut && strncmp(o.dut, "uart:", 5) && strncmp(o.dut, "board:", 6) && strcmp(o.dut, "model") &&
	    (o.hw.lanes > 8 || o.hw.banks > 8))
		return cosim_misuse("a simulated board has 4 or 8 lanes and as many banks: --lanes 4 --banks 4", NULL);
	char why[LAUNCH_PATH + 300];
	if (replaces_input(&o, why, sizeof why))
		return cosim_misuse(why, NULL);
	if (!outputs_fit(&o))
		return EXIT_BAD;
	if (o.run)
		return o.run(&o);
	if (o.count && o.units_given)
		return cosim_misuse(
		        "--units is for kernels and --planted: the mix of a random stream says which units it needs",
		        NULL);
	if (o.count && (o.launch || o.program))
		return cosim_misuse("--random and a kernel cannot run together", NULL);
	if (o.dut && o.hw.combine)
		return cosim_misuse("a board does not combine", NULL);
	if (o.matrix && (o.dut || (getenv("WL_LEAN") && strcmp(getenv("WL_LEAN"), "0") != 0)))
		return cosim_misuse("boards and the small form of the RTL have no LDSM and STSM", NULL);
	if (o.dut && o.hw.native)
		return cosim_misuse("a board has no native shared operations", NULL);
	if (o.dut && (o.model || o.bug || o.corrupt || o.wave || o.timing || o.stop || o.hw.ports != 1))
		return cosim_misuse(
		        "a board has one port, and no waves, planted bugs, random start, assertions, --timing or "
		        "--stop",
		        NULL);
	if ((o.model & MODEL_NETLIST) && (o.model & MODEL_ASSERT))
		return cosim_misuse("a netlist has no assertions", NULL);
	if (o.noise && (!o.dut || strncmp(o.dut, "uart", 4) != 0))
		return cosim_misuse("--noise is for --dut uart", NULL);
	if (o.board_memory && (!o.dut || strcmp(o.dut, "uart") != 0))
		return cosim_misuse("--board-memory is for --dut uart: other boards have what their board.mk says",
		                    NULL);
	if (o.rtl_sms > o.hw.sms)
		return cosim_misuse("--rtl-sms is at most --sms", NULL);
	if (o.rtl_sms > 1 && (o.count || o.dut || o.order))
		return cosim_misuse(
		        "several SMs in the RTL run kernels, with the verilated sync_core, and write no --order", NULL);
	if (o.count && (o.insight.trace || o.insight.profiles))
		return cosim_misuse("--trace and --profile are for kernels; --konata shows a random stream", NULL);
	if (o.timing && (!o.count || o.stall || o.hw.ports != 1))
		return cosim_misuse("--timing is for --random with one port and without --stall", NULL);
	if (o.unchecked && (o.timing || o.corrupt || o.checks != CHECK_ALL))
		return cosim_misuse("--unchecked compares nothing: no --timing, --corrupt or --only", NULL);
	if (o.timing && o.mix->untimed)
		return cosim_misuse("--timing does not know the cycles of mix", o.mix->name);
	if (o.seeds.given && (o.seed_given || o.dump || o.dot || o.order || o.wave))
		return cosim_misuse(
		        "--seeds goes without --seed, --dump, --dot, --order and --wave: repeat one of its seeds "
		        "for these",
		        NULL);
	if (o.policy_given && o.count)
		return cosim_misuse("--schedule-policy is for kernels: a random stream has an order of its own", NULL);
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
	return cosim_misuse("nothing to run", NULL);
}

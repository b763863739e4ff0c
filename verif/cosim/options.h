// SPDX-License-Identifier: Apache-2.0
/* options.h -- the command line of wlcosim as a structure, and the functions offered by wlcosim's parts to main. */
#ifndef WARPLOCK_COSIM_OPTIONS_H
#define WARPLOCK_COSIM_OPTIONS_H

#include "../../cmodel/tools/exit_code.h"
#include "../../cmodel/tools/job.h"
#include "../../cmodel/tools/progress.h"
#include "../../cmodel/tools/sweep.h"
#include "warplock/misuse.h"
#include "memory_agent.h"
#include "model.h"
#include "rtl_insight.h"
#include "random.h"
#include "unit.h"

enum { MOST_RTL_SMS = 8 };

/* Runs of a command with a common line of progress, in runs. */
struct runs {
	struct progress line;
	uint64_t done, total;
};

struct options {
	struct wl_config hw;
	unsigned inflight;
	bool hw_given; /* --lanes or --banks */
	bool combine_given;
	bool arch_given, seed_given, policy_given;
	struct seed_range seeds; /* --seeds */
	int argc;
	char **argv;
	unsigned latency; /* --latency: of global memory */
	bool latency_given;
	/* --random */
	uint64_t count;
	const struct cosim_mix *mix; /* --mix; mixed */
	unsigned degree;
	bool degree_given;
	bool stall, unchecked, no_rerun, timing, stop, host;
	unsigned model; /* MODEL_XRAND, MODEL_ASSERT, MODEL_NETLIST */
	bool matrix;    /* the RTL has LDSM and STSM, for the mix or the kernel */
	unsigned bug;
	const struct cosim_field *corrupt;
	unsigned checks;
	const char *mon_rules; /* NULL = all */
	/* --launch */
	uint32_t units; /* of the DUT; without units_given, all units the kernel can need are added */
	bool units_given;
	char **program_argv; /* a program of the host, with arguments */
	const char *kernel;  /* of the program's launches: of this kernel alone; NULL: all */
	uint64_t first;      /* ... only the first so many; 0: all */
	const char *launch, *program, *entry, *dump, *order, *dot;
	uint8_t misuse[WL_MISUSE_COUNT];
	uint64_t limit;
	unsigned rtl_sms;                   /* SMs that are RTL, from 0 on */
	unsigned wave_sm;                   /* the SM with a kept wave */
	int (*run)(const struct options *); /* --planted, --self-test, --bench */
	/* both */
	const char *report, *wave;
	struct insight_options insight; /* --trace, --profile, --konata */
	const char *dut;                /* value of --dut; NULL: the verilated sync_core */
	unsigned noise;                 /* of the line to a simulated board */
	unsigned board_memory;          /* bytes of global memory on the simulated board, 0: none */
	uint64_t wave_from, wave_to;
	struct runs *runs; /* the runs around this run; NULL: alone */
	bool quiet;        /* no lines about builds and progress */
	char repeat[600];  /* the command line that repeats this run */
};

/* Kinds of run; a column of options.def has the kinds served by an option. */
enum run_kind {
	KERNELS = 1,
	RANDOMS = 2, /* --random */
	SWEEPS = 4,  /* --random with --seeds */
	PLANTS = 8,  /* --planted */
	SELF_TESTS = 16,
	BENCHES = 32,
	STREAMS = RANDOMS | SWEEPS,
	ANY_RUN = KERNELS | STREAMS | PLANTS | SELF_TESTS | BENCHES
};

/* options.c: reads the command line into *o. OPTIONS_GOOD, or the exit status of wlcosim; all messages are out then. */
enum { OPTIONS_GOOD = -1 };
int parse_options(struct options *o, int argc, char **argv);
/* Whether every given option serves the kind; a message names the first option that does not. */
bool options_serve(unsigned kind, const char *run);
/* The same for a program of the host: options of kernels, without files. */
bool options_serve_program(const struct options *o);
/* Moves the words of options, but for the choice of launches, to the front of argv; returns their number. */
unsigned options_keep_of_kernels(const struct options *o);
int cosim_misuse(const char *what, const char *value); /* prints the error; the exit status */

/* Features of the model for this run. */
static inline unsigned model_flags(const struct options *o)
{
	return o->model | (o->matrix ? MODEL_MATRIX : 0u) | (o->bug ? MODEL_PLANTED : 0u) | (o->wave ? MODEL_WAVE : 0u);
}

/* The DUT of a run with `units`: a verilated sync_core or, with --dut, the DUT named. With --dut *hw gets the DUT's
 * parameters. */
bool open_dut(struct model *m, const struct options *o, struct wl_config *hw, uint32_t units, char *why, size_t whyn);
void close_dut(struct model *m, const struct options *o);

/* One random run. */
struct random_result {
	bool ok;
	double cpu; /* seconds of the run, without start-up */
	struct complaint complaint;
	struct lockstep_stats stats;
	bool has_memory;
	struct memory_stats memory;
	uint64_t served; /* requests answered by memory on a board */
	struct random_config config;
};
/* False, with a line on standard error: no run was possible. `model` serves any number of runs. */
bool random_once(const struct options *o, const struct model *model, struct random_result *result);

int run_random(const struct options *o);
int run_launch(const struct options *o);
int run_sweep(const struct options *o);
/* A single seed of a sweep. False, with a line on standard error: no run was possible. */
bool launch_needs(struct options *o); /* sets o->units, o->matrix for the DUT; false likewise */
bool launch_once(struct sweep *s, const struct options *o, const struct model *model);
int run_planted(const struct options *o);
int run_corrupt(const struct options *o);
int run_bench(const struct options *o);

/* planted.c: whether verif/units has a planted bug of this number, or the number stands for no bug. */
bool planted_is_there(unsigned number);

/* mismatch.c: both records field by field, the instruction, the source line, the seed, the command for a repeat. */
struct wl_program;
void print_mismatch(const struct complaint *c, const struct options *o, const struct wl_program *program);

/* wave.c: a GTKWave file beside the FST of a model. Groups the signals of api->units by unit, and adds lists of
 * meanings of values. GTKWave opens with the marker at `cycle`. */
bool write_gtkw(const char *fst, const struct shim_api *api, enum wl_arch arch, uint64_t cycle);
/* Figures of the port of global memory. */
void print_memory(const struct memory_stats *m);

#endif

// SPDX-License-Identifier: Apache-2.0
/* model.h -- finds, builds on demand and loads the verilated model of a parameter set. */
#ifndef WARPLOCK_MODEL_H
#define WARPLOCK_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "shim.h"
#include "warplock/config.h"

struct board_memory;

struct model {
	void *library;
	const struct shim_api *api; /* its `units` are those that were asked for */
	struct shim_api own;
	const struct board_memory *memory; /* NULL: it holds none */
	char path[4400];
};

/* What a model is built with; bits of `flags`. */
enum {
	MODEL_PLANTED = 1,  /* planted bugs */
	MODEL_WAVE = 2,     /* can record waves */
	MODEL_XRAND = 4,    /* registers and RAM start with random words, of the seed */
	MODEL_ASSERT = 8,   /* with the assertions of the RTL, which end the program */
	MODEL_NETLIST = 16, /* of the synthesised netlist */
	MODEL_MATRIX = 32,  /* LDSM and STSM */
};

/* All that the RTL has. */
uint32_t model_every_unit(void);
/* What a model is built with for a run that asks for `units`: atoms_pipe alone (faster), or all, so that runs share few
 * models. Convergence answers for every EXIT: where units that count warps are asked for without it, it is left out. A
 * netlist has what is asked for, because it is synthesised first. */
uint32_t model_units(uint32_t units, unsigned flags);

/* `units`: mask, bit of the RTL for each. Says on standard error when it has to build. False, with one line in `why`,
 * when there is no model. */
bool model_load(struct model *m, const struct wl_config *hw, uint32_t units, unsigned flags, char *why, size_t whyn);
void model_unload(struct model *m);

/* Runs a script of the source tree with these words, first with -n, which only looks, then to build; says so on
 * standard error. When this program is ended, so is the script. The path that it prints, below the root. `what` names the thing. */
bool model_make(const char *script, const char *words, const char *what, char *path, size_t pathn, char *why,
                size_t whyn);

/* The folder that holds verif/cosim: $WARPLOCK_ROOT, or that of the program (build/bin/wlcosim). */
bool model_root(char *buf, size_t n);

#endif

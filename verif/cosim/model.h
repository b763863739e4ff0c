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
	const struct shim_api *api; /* `units` holds the units asked for */
	struct shim_api own;
	const struct board_memory *memory; /* NULL: the DUT holds no global memory */
	char path[4400];
};

/* Features of a model; bits of `flags`. */
enum {
	MODEL_PLANTED = 1,  /* planted bugs */
	MODEL_WAVE = 2,     /* can record waves */
	MODEL_XRAND = 4,    /* registers and RAM start with random words, of the seed */
	MODEL_ASSERT = 8,   /* with the assertions of the RTL; a failed assertion ends the program */
	MODEL_NETLIST = 16, /* of the synthesised netlist */
	MODEL_MATRIX = 32,  /* LDSM and STSM */
};

/* All units of the RTL. */
uint32_t model_every_unit(void);
/* Units of the model for a run with `units`: atoms_pipe alone (faster), or all units, so runs share few models.
 * Convergence answers every EXIT: if `units` has units that count warps, but not convergence, the model has no
 * convergence. A netlist has exactly `units`, because of the synthesis before. */
uint32_t model_units(uint32_t units, unsigned flags);

/* `units`: mask, bit of the RTL for each unit. Reports a build on standard error. False, with a line in `why`: no
 * model. */
bool model_load(struct model *m, const struct wl_config *hw, uint32_t units, unsigned flags, char *why, size_t whyn);
void model_unload(struct model *m);

/* Runs a script of the source tree with `words`: first with -n, which only looks, then to build. Reports a build on
 * standard error. The end of this program ends the script, too. `path`: the path printed by the script, below the root.
 * `what` names the product. */
bool model_make(const char *script, const char *words, const char *what, char *path, size_t pathn, char *why,
                size_t whyn);

/* The folder with verif/cosim below: $WARPLOCK_ROOT, or a folder above the program (build/bin/wlcosim). */
bool model_root(char *buf, size_t n);

#endif

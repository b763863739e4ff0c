// SPDX-License-Identifier: Apache-2.0
/* templates.h -- the instructions that the random generator draws from: every operation of atoms_pipe in every address
 * form that the architecture has, encoded once at the start. */
#ifndef WARPLOCK_COSIM_TEMPLATES_H
#define WARPLOCK_COSIM_TEMPLATES_H

#include <stdbool.h>
#include <stddef.h>

#include "../../../common/rng.h"
#include "warplock/isa.h"

enum template_class {
	CLASS_LDS, /* 32 bits */
	CLASS_STS,
	CLASS_ATOMS,   /* 32-bit arithmetic, EXCH and CAS; no CAST */
	CLASS_CAST,    /* CAST and CAST.SPIN, 32 bits */
	CLASS_LDS_SUB, /* 8 and 16 bits */
	CLASS_STS_SUB,
	CLASS_LDS_WIDE, /* 64 and 128 bits */
	CLASS_STS_WIDE,
	CLASS_ATOMS_WIDE, /* 64 bits: EXCH, CAS, CAST, CAST.SPIN; 128: EXCH, CAS */
	CLASS_LDSM,
	CLASS_STSM,    /* where the architecture has it */
	CLASS_NATIVE,  /* ATOMSN, where the model has it */
	CLASS_ILLEGAL, /* print, but mean nothing */
	CLASS_COUNT
};

struct template
{
	struct wl_word word;
	struct wl_inst inst;
	bool posted;
	bool one_address; /* Ra = RZ: all lanes have the same */
	bool far;         /* alone, the offset lies outside every window */
};

enum { TEMPLATES_PER_CLASS = 512 };

struct templates {
	unsigned n[CLASS_COUNT];
	struct template row[CLASS_COUNT][TEMPLATES_PER_CLASS];
};

/* Fills the classes; register numbers, offsets and forms are drawn from `rng`. False, with one line in `why`, when an
 * operation has no encoding in any form. */
bool templates_fill(struct templates *t, enum wl_arch arch, struct rng *rng, char *why, size_t whyn);

#endif

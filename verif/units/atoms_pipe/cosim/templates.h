// SPDX-License-Identifier: Apache-2.0
/* templates.h -- the instructions of the random generator: every operation of atoms_pipe in every address form of the
 * architecture, encoded once at the start. */
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
	CLASS_STSM,    /* if the architecture has STSM */
	CLASS_NATIVE,  /* ATOMSN, if the model has ATOMSN */
	CLASS_ILLEGAL, /* with an encoding, but without a meaning */
	CLASS_COUNT
};

struct template
{
	struct wl_word word;
	struct wl_inst inst;
	bool posted;
	bool one_address; /* Ra = RZ: all lanes have the same address */
	bool far;         /* offset alone, outside every window */
};

enum { TEMPLATES_PER_CLASS = 512 };

struct templates {
	unsigned n[CLASS_COUNT];
	struct template row[CLASS_COUNT][TEMPLATES_PER_CLASS];
};

/* Fills the classes with register numbers, offsets and forms from `rng`. False, with one line in `why`, if an operation
 * has no encoding in any form. */
bool templates_fill(struct templates *t, enum wl_arch arch, struct rng *rng, char *why, size_t whyn);

#endif

// SPDX-License-Identifier: Apache-2.0
/* random.h -- the random generator: a SOURCE of warp instructions, a function of its seed.
 *
 * 48 warps in 16 CTA slots; a warp waits for its value, posted requests (at most 4) let it go on. random.c keeps the
 * warps; which instructions they have, and with which operands, is drawn by a mix, of which every unit brings its own
 * (verif/units/<unit>/cosim). */
#ifndef WARPLOCK_COSIM_RANDOM_H
#define WARPLOCK_COSIM_RANDOM_H

#include "../common/rng.h"
#include "lockstep.h"

enum {
	RANDOM_WARPS = WL_MAX_WARPS,
	RANDOM_SLOTS = WL_MAX_CTAS,
	RANDOM_PER_SLOT = RANDOM_WARPS / RANDOM_SLOTS, /* neighbours share a CTA, so that their requests meet */
	RANDOM_POOL = 4096,                            /* lanes of ready-made operand values, of each flavour */
	RANDOM_FLOORS = 64,
};

struct cosim_mix;

struct random_config {
	uint64_t seed, count;
	const struct cosim_mix *mix;
	unsigned degree; /* of the mix `degree` */
	unsigned lanes, banks, ports;
	enum wl_arch arch;
	bool timing; /* cycles are compared: only what they are modelled for */
	bool lean;   /* the model has lean forms: one request, one pass, one access to memory at a time */
};

enum flavour { FLAVOUR_RANDOM, FLAVOUR_SMALL, FLAVOUR_EXTREME, FLAVOURS };

/* What a mix may look at and draw from. */
struct random_stream {
	const struct random_config *config;
	struct rng *rng;
	const struct wl_smem *smem; /* windows only: a source never looks at the content */
	const struct wl_gmem *gmem; /* buffers only */
	void *own;                  /* of the mix: own_bytes, 0 at the start */
	struct random_source *source;
	char wrong[160]; /* what a mix knows better than both models: the run fails with it; "" = nothing */
	struct wl_lane (*pool)[RANDOM_POOL + WL_WARP_LANES];
};

/* A counter that must reach so many events for each 10,000 instructions, or the run proves nothing. */
struct random_floor {
	const char *name;
	uint64_t value;
	double least;
};

struct cosim_mix {
	const char *name;
	const char *what; /* for --help */
	bool benchmark;   /* no floors, and no part of the tests of the checks */
	uint32_t units;   /* that its model needs beside atoms_pipe; 0: the one of its folder */
	unsigned combine; /* COMBINE of the model, where the command line says nothing */
	bool native;      /* its model has native shared operations */
	bool matrix;      /* ... and LDSM and STSM */
	bool no_memory;   /* its requests do not go to global memory, though its model has that */
	bool waits;       /* its requests wait, which --unchecked cannot follow */
	bool untimed;     /* --timing does not know its cycles */
	bool in_turn;     /* warps take turns strictly: one that has to wait holds up the others */
	unsigned overlap; /* requests that must have been in flight together; 0: 8, about the way through the pipe */
	size_t own_bytes;
	/* False, with one line in `why`, when something cannot be encoded. */
	bool (*start)(struct random_stream *r, char *why, size_t whyn);
	/* Where the window of a slot is to lie; the argument holds an equal share. NULL: there. */
	void (*window)(struct random_stream *r, unsigned slot, uint32_t *base, uint32_t *size);
	uint32_t closed; /* slots whose windows are closed again before the first request */
	/* Now and then, between two requests: CTAs come and go (random_cta). NULL: they stay. */
	void (*turn)(struct random_stream *r);
	/* The next instruction of the warp in q->tag: word, inst, mask, posted and operands; its CTA slot, where that
	 * is not the one that the warp begins in. False: it has none now. */
	bool (*draw)(struct random_stream *r, struct wl_req *q);
	void (*retired)(struct random_stream *r, const struct wl_record *rec); /* NULL: does not care */
	/* Asynchronous copies, as those of a SOURCE; NULL: there are none. */
	enum wl_piece (*piece)(struct random_stream *r, uint64_t cycle, struct wl_landing *l);
	void (*landed)(struct random_stream *r, const struct wl_landing *l, enum wl_fault fault);
	unsigned (*floors)(const struct random_config *c, const struct lockstep_stats *s,
	                   struct random_floor floor[RANDOM_FLOORS]);
};

struct random_source;

/* Launches a CTA in each slot of `ref`. NULL, with one line in `why`, when there is no memory or no encoding. */
struct random_source *random_new(const struct random_config *c, struct wl_units *ref, char *why, size_t whyn);
void random_free(struct random_source *r);

/* For `turn`: a CTA of so many warps comes to the slot; 0: it leaves, and nothing of it is on its way any more. */
void random_cta(struct random_stream *r, unsigned slot, unsigned warps);
/* The same, where the mix says which warps they are: `warps` from `first` on, the last with so many lanes. */
void random_cta_at(struct random_stream *r, unsigned slot, unsigned first, unsigned warps, unsigned last_lanes);
/* A cluster of CTAs comes to slots; its number is new in the run. */
struct random_member {
	unsigned slot, first, warps;
};
void random_cluster(struct random_stream *r, uint32_t number, const struct random_member *member, unsigned n);
/* What the mix found wrong; "" = nothing. */
const char *random_wrong(const struct random_source *r);

/* Tells the harness about the windows; before lockstep_run. */
void random_launch(struct random_source *r, struct lockstep *ls);
struct wl_source random_as_source(struct random_source *r);

/* Checks the counters of a run against the floors of the mix. Prints each counter that is too low to standard error;
 * true when all are high enough. With `first` that gets the first of them, and nothing is printed. `stats` of a run of at least 20,000 instructions: below that the floors would be
 * chance. `memory` is NULL where there is none. */
struct memory_stats;
bool random_floors(const struct random_config *c, const struct lockstep_stats *stats, const struct memory_stats *memory,
                   bool stalled, unsigned inflight, char *first, size_t n);

#endif

// SPDX-License-Identifier: Apache-2.0
/* random.h -- the random generator: a SOURCE of warp instructions, a function of the seed.
 *
 * 48 warps in 16 CTA slots. A warp waits for the value of a request; after posted requests (at most 4) the warp goes
 * on. random.c keeps the warps. A mix draws instructions and operands, and every unit brings mixes
 * (verif/units/<unit>/cosim). */
#ifndef WARPLOCK_COSIM_RANDOM_H
#define WARPLOCK_COSIM_RANDOM_H

#include "../common/rng.h"
#include "lockstep.h"

enum {
	RANDOM_WARPS = WL_MAX_WARPS,
	RANDOM_SLOTS = WL_MAX_CTAS,
	RANDOM_PER_SLOT = RANDOM_WARPS / RANDOM_SLOTS, /* neighbours share a CTA, so requests meet */
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
	bool timing; /* cycles are compared: only instructions with modelled cycles */
	bool lean;   /* the model has lean forms: a single request, pass and access to memory at a time */
};

enum flavour { FLAVOUR_RANDOM, FLAVOUR_SMALL, FLAVOUR_EXTREME, FLAVOURS };

/* Open to a mix, for looks and draws. */
struct random_stream {
	const struct random_config *config;
	struct rng *rng;
	const struct wl_smem *smem; /* windows only: a source never looks at the content */
	const struct wl_gmem *gmem; /* buffers only */
	void *own;                  /* of the mix: own_bytes, 0 at the start */
	struct random_source *source;
	char wrong[160]; /* an error found by the mix, but not by the models: the run fails; "" = none */
	struct wl_lane (*pool)[RANDOM_POOL + WL_WARP_LANES];
};

/* A threshold: below so many events for each 10,000 instructions the run proves nothing. */
struct random_floor {
	const char *name;
	uint64_t value;
	double least;
};

struct cosim_mix {
	const char *name;
	const char *what; /* for --help */
	bool benchmark;   /* no floors, and no part of the tests of the checks */
	uint32_t units;   /* of the model, beside atoms_pipe; 0: the unit of the mix's folder */
	unsigned combine; /* COMBINE of the model, where the command line says nothing */
	bool native;      /* the model has native shared operations */
	bool matrix;      /* ... and LDSM and STSM */
	bool no_memory;   /* no request goes to global memory, although the model has global memory */
	bool waits;       /* requests wait; --unchecked cannot follow waits */
	bool untimed;     /* --timing does not know the cycles */
	bool in_turn;     /* warps take turns strictly: a waiting warp holds up the others */
	unsigned overlap; /* fewest requests in flight together, at the peak; 0: 8, about the way through the pipe */
	size_t own_bytes;
	/* False, with a line in `why`, when something cannot be encoded. */
	bool (*start)(struct random_stream *r, char *why, size_t whyn);
	/* Place of a slot's window; the arguments come with an equal share. NULL: the equal share. */
	void (*window)(struct random_stream *r, unsigned slot, uint32_t *base, uint32_t *size);
	uint32_t closed; /* slots with windows closed again before the first request */
	/* Now and then, between two requests: CTAs come and go (random_cta). NULL: CTAs stay. */
	void (*turn)(struct random_stream *r);
	/* The next instruction of the warp in q->tag: word, inst, mask, posted and operands; the CTA slot, too, if
	 * different from the warp's first slot. False: none now. */
	bool (*draw)(struct random_stream *r, struct wl_req *q);
	void (*retired)(struct random_stream *r, const struct wl_record *rec); /* NULL: no interest */
	/* Asynchronous copies, as in a SOURCE; NULL: no copies. */
	enum wl_piece (*piece)(struct random_stream *r, uint64_t cycle, struct wl_landing *l);
	void (*landed)(struct random_stream *r, const struct wl_landing *l, enum wl_fault fault);
	unsigned (*floors)(const struct random_config *c, const struct lockstep_stats *s,
	                   struct random_floor floor[RANDOM_FLOORS]);
};

struct random_source;

/* Launches a CTA in each slot of `ref`. NULL, with a line in `why`: no memory or no encoding. */
struct random_source *random_new(const struct random_config *c, struct wl_units *ref, char *why, size_t whyn);
void random_free(struct random_source *r);

/* For `turn`: a CTA of so many warps comes to the slot; 0: the CTA leaves, with nothing on the way any more. */
void random_cta(struct random_stream *r, unsigned slot, unsigned warps);
/* The same with chosen warps: `warps` from `first` on, the last warp with so many lanes. */
void random_cta_at(struct random_stream *r, unsigned slot, unsigned first, unsigned warps, unsigned last_lanes);
/* A cluster of CTAs comes to slots; the number is new in the run. */
struct random_member {
	unsigned slot, first, warps;
};
void random_cluster(struct random_stream *r, uint32_t number, const struct random_member *member, unsigned n);
/* The error found by the mix; "" = none. */
const char *random_wrong(const struct random_source *r);

/* Tells the harness about the windows; before lockstep_run. */
void random_launch(struct random_source *r, struct lockstep *ls);
struct wl_source random_as_source(struct random_source *r);

/* Checks the counters of a run against the floors of the mix. Prints each counter that is too low to standard error;
 * true when all are high enough. With `first`, the first message goes there, and nothing is printed. `stats`: of a run
 * of at least 20,000 instructions; for shorter runs floors would be chance, and the result is true. `memory`: NULL
 * without global memory. */
struct memory_stats;
bool random_floors(const struct random_config *c, const struct lockstep_stats *stats, const struct memory_stats *memory,
                   bool stalled, unsigned inflight, char *first, size_t n);

#endif

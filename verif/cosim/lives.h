// SPDX-License-Identifier: Apache-2.0
/* lives.h -- the RTL's work on each request, cycle by cycle: from the tap of lockstep to traces, profiles and pipeline
 * logs (--trace, --profile, --konata). A life is kept only while the request is on its way: memory does not grow with
 * the run. */
#ifndef WARPLOCK_COSIM_LIVES_H
#define WARPLOCK_COSIM_LIVES_H

#include "lockstep.h"

#define LIFE_NEVER UINT64_MAX

enum life_step {
	LIFE_OFFERED,  /* SOURCE has an instruction for the port */
	LIFE_ACCEPTED, /* the first beat was taken */
	LIFE_SENT,     /* the last beat was taken */
	LIFE_PASSED,   /* a pass took effect */
	LIFE_WAITS,    /* has left the pipe, waits for others */
	LIFE_ENDED,    /* answered, or the wait is over */
};

struct life {
	uint64_t id; /* counts from 0 in the order of offers */
	struct wl_tag tag;
	struct wl_word word;
	struct wl_inst inst;
	uint32_t pc, mask, left; /* byte address; lanes; lanes without a turn so far */
	enum wl_unit unit;
	bool posted, over;
	uint64_t offered, accepted, sent, first, last, waits, ended; /* cycles; first and last pass */
	uint32_t faulted;
	unsigned passes;
	unsigned others;          /* cycles of the unit for other requests, in front of a pass of this request */
	uint64_t others_at;       /* the last cycle counted in `others` */
	uint8_t now, next, shown; /* stages of konata.c */
};

/* The last arrival at an object. */
struct life_arrival {
	bool set;
	uint64_t life, cycle;
	struct wl_tag tag;
};

/* The last warp at a barrier stands in the wait table for no time. */
static inline bool life_waited(const struct life *l)
{
	return l->waits != LIFE_NEVER && l->ended > l->waits;
}

struct life_sink {
	void *self;
	/* `rec`: whole at ENDED; else NULL. `from`: at ENDED by a release, the arrival that ended the wait; else
	 * NULL. */
	void (*moved)(void *self, struct life *l, enum life_step step, const struct wl_record *rec,
	              const struct life_arrival *from);
	/* The cycle is over, and nothing happens before cycle `upto`. `n` lives, including lives ended in this cycle.
	 * NULL: no interest. */
	void (*cycle)(void *self, struct life *const *life, unsigned n, uint64_t cycle, uint64_t upto);
	/* The run is over at cycle `cycle`, but the life is not. */
	void (*left)(void *self, struct life *l, uint64_t cycle);
	const struct life_sink *next;
};

struct lives; /* opaque */
/* NULL: no memory. `sink`: the first of a chain. */
struct lives *lives_new(const struct life_sink *sink);
/* Ends the last cycle, and tells of lives still on their way. */
void lives_finish(struct lives *s, uint64_t cycle);
void lives_free(struct lives *s);
/* For struct lockstep_config. */
struct lockstep_tap lives_tap(struct lives *s);

#endif

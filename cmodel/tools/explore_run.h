// SPDX-License-Identifier: Apache-2.0
/* explore_run.h -- private to exploration: runs of the job, one after the other, each from the start. */
#ifndef WARPLOCK_EXPLORE_RUN_H
#define WARPLOCK_EXPLORE_RUN_H

#include "../check/order.h"
#include "explore.h"
#include "turns.h"

enum { EXPLORE_BUFFERS = 64, EXPLORE_CONTENTS = 256, EXPLORE_SHOWN = 64 /* bytes of a buffer in the report */ };

struct contents {
	const char *name;
	unsigned n;
	uint64_t hash[EXPLORE_CONTENTS];
	json_t *shown; /* array of hexadecimal text; NULL: too long */
};
struct explorer {
	struct job *job;
	struct wl_config config;
	unsigned checks;
	const struct explore_options *o;
	uint8_t *image; /* of global memory before the run */
	struct order *order;
	uint64_t runs, clocks;
	double began;
	unsigned buffers;
	struct contents buffer[EXPLORE_BUFFERS];
};

bool explorer_open(struct explorer *x);
void explorer_close(struct explorer *x);
/* A run with a guide. v: verdict of the run; "error" when the run cannot start. notes: findings go to standard
 * output. */
void explorer_run(struct explorer *x, struct wl_guide *guide, struct job_verdict *v, bool notes);
/* Buffers after an ended run. */
void explorer_contents(struct explorer *x);
void explorer_forget(struct explorer *x); /* the contents so far */
double explorer_seconds(const struct explorer *x);
/* The outcome, of faults with the fault's name. */
void explorer_outcome(const struct job_verdict *v, char *buf, size_t n);
/* Fewer turns with the same outcome (delta debugging, A. Zeller 1999). */
void explorer_shorten(struct explorer *x, struct turns *t, const char *outcome);

#endif

/* SPDX-License-Identifier: Apache-2.0
 * sync_core.h -- what the files of this folder tell each other. */
#ifndef WARPLOCK_COSIM_SYNC_CORE_H
#define WARPLOCK_COSIM_SYNC_CORE_H

#include "../../../cosim/unit.h"

/* A warp whose lanes divide and meet again, as a kernel's do: lanes that wait are met in the end. A walk begins with a
 * BSSY of all live lanes and is over when they have met. */
struct walk {
	uint32_t live, ready; /* as the last answer told */
	uint32_t meet;        /* lanes that are on the way to one WARPSYNC; those that stand there already */
	uint32_t come;
	uint8_t bar;
	bool on, met, apart;
};

/* walk.c */
void walk_launch(struct walk *w);
/* The walk's next instruction, or its first. */
bool walk_draw(struct random_stream *r, struct walk *w, struct wl_req *q);
/* Its answer. */
void walk_retired(struct random_stream *r, struct walk *w, const struct wl_record *rec);

extern const struct cosim_mix *const sync_core_mixes[]; /* random.c */

#endif

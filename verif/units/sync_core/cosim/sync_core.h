/* SPDX-License-Identifier: Apache-2.0
 * sync_core.h -- shared declarations of this folder. */
#ifndef WARPLOCK_COSIM_SYNC_CORE_H
#define WARPLOCK_COSIM_SYNC_CORE_H

#include "../../../cosim/unit.h"

/* A warp with lanes dividing and meeting again, like in a kernel: every waiting lane is met in the end. A walk begins
 * with a BSSY of all live lanes and ends with their meeting. */
struct walk {
	uint32_t live, ready; /* from the last answer */
	uint32_t meet;        /* lanes on the way to the same WARPSYNC; come: lanes already there */
	uint32_t come;
	uint8_t bar;
	bool on, met, apart;
};

/* walk.c */
void walk_launch(struct walk *w);
/* The walk's next instruction, or its first. */
bool walk_draw(struct random_stream *r, struct walk *w, struct wl_req *q);
/* Takes the answer. */
void walk_retired(struct random_stream *r, struct walk *w, const struct wl_record *rec);

extern const struct cosim_mix *const sync_core_mixes[]; /* random.c */

#endif

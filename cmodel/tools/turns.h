// SPDX-License-Identifier: Apache-2.0
/* turns.h -- a schedule as a file: warps and numbers of instructions, one turn a line (docs/insight.md).
 *
 *   warplock turns 1
 *   of ...                    the launch of the run (origin.h)
 *   seed N                    start contents of the run
 *   turn CTA WARP COUNT       the warp executes COUNT instructions, or fewer when the warp must wait
 *
 * Lines with '#' at the start are comments. Behind the last turn policy steady gives the order. */
#ifndef WARPLOCK_TURNS_H
#define WARPLOCK_TURNS_H

#include "../sm/guide.h"
#include "origin.h"

#define TURNS_SIGNATURE "warplock turns 1\n"

struct turns {
	struct wl_guide_turn *turn;
	size_t n, room;
	uint64_t seed;
};
/* Whether the file is a file of turns: by the first line. */
bool turns_is(const char *path);
/* The launch that must fit the file. */
struct turns_launch {
	struct origin origin;
	uint64_t ctas, seed;
	uint32_t warps; /* of a CTA */
};
/* of: NULL, nothing is known of the launch yet. */
bool turns_read(const char *path, const struct turns_launch *of, struct turns *t, char *err, size_t errn);
bool turns_write(const char *path, const struct turns *t, const struct origin *origin, const char *comment, char *err,
                 size_t errn);
void turns_add(struct turns *t, uint32_t cta, uint32_t warp, uint32_t count); /* joins the turn before */
void turns_free(struct turns *t);

#endif

/* SPDX-License-Identifier: Apache-2.0
 * waits.h -- who waits for whom, in the report of a run and as a drawing (Graphviz). */
#ifndef WARPLOCK_TOOLS_WAITS_H
#define WARPLOCK_TOOLS_WAITS_H

#include <jansson.h>

#include "warplock/waiting.h"

/* What the RTL says of a group that waits at a barrier. */
struct waits_rtl {
	bool waits; /* its warp stands in the wait table, at this barrier; at BSYNC, WARPSYNC: none of its lanes is
	               ready */
	unsigned arrived, expected; /* threads, as the status port tells */
};
struct waits_view {
	const struct wl_program *program;
	const struct wl_gpu *gpu;
	struct wl_waits waits;
	/* False: the RTL does not know the group. NULL: there is no RTL. */
	bool (*rtl)(void *self, const struct wl_waiting *g, struct waits_rtl *r);
	void *self;
};

/* A row for each group: where it stands, what it waits for, who is missing and where that one is. */
json_t *waits_json(const struct waits_view *v);
/* Numbers of the rows that wait for each other in a circle, NULL = none does. */
json_t *waits_circle_json(const struct waits_view *v);
/* "CTA 0 warp 1 waits for warp 2, warp 2 for warp 1"; false: there is no circle. */
bool waits_circle_text(const struct waits_view *v, char *buf, size_t n);
/* A node for each group and each barrier that somebody waits at; what makes the circle is red. */
bool waits_write_dot(const char *path, const struct waits_view *v, char *err, size_t errn);

#endif

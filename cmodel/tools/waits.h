/* SPDX-License-Identifier: Apache-2.0
 * waits.h -- who waits for whom, in the report of a run and as a drawing (Graphviz). */
#ifndef WARPLOCK_TOOLS_WAITS_H
#define WARPLOCK_TOOLS_WAITS_H

#include <jansson.h>

#include "warplock/waiting.h"

/* State of a group's wait in the RTL. */
struct waits_rtl {
	bool waits; /* the warp stands in the wait table, at this barrier; at BSYNC, WARPSYNC: no lane of the group is
	               ready */
	unsigned arrived, expected; /* threads, from the status port */
};
struct waits_view {
	const struct wl_program *program;
	const struct wl_gpu *gpu;
	struct wl_waits waits;
	/* False: the RTL does not know the group. NULL: no RTL. */
	bool (*rtl)(void *self, const struct wl_waiting *g, struct waits_rtl *r);
	void *self;
};

/* A row for each group: the place, the wait, the missing warps and the places of the missing warps. */
json_t *waits_json(const struct waits_view *v);
/* Numbers of the rows in a circle of waits, NULL = no circle. */
json_t *waits_circle_json(const struct waits_view *v);
/* "CTA 0 warp 1 waits for warp 2, warp 2 for warp 1"; false: no circle. */
bool waits_circle_text(const struct waits_view *v, char *buf, size_t n);
/* A node for each group and each barrier with a waiting group; the circle is red. */
bool waits_write_dot(const char *path, const struct waits_view *v, char *err, size_t errn);

#endif

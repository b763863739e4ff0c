// SPDX-License-Identifier: Apache-2.0
/* checker_state.h -- private: findings and the text of findings, for the checkers sync, init and mem. */
#ifndef WARPLOCK_CHECK_CHECKER_STATE_H
#define WARPLOCK_CHECK_CHECKER_STATE_H

#include "warplock/checker.h"

struct wl_checker {
	struct wl_observer observer;
	const char *name;
	struct wl_seen_shape shape;
	void (*close)(struct wl_checker *c); /* frees the checker's state beyond this struct */
	struct wl_check_finding *finding;
	unsigned nfindings, room;
	char doubt[200];
};

/* `c` is the first member of the checker's state. The state is zero. */
void checker_open(struct wl_checker *c, const char *name, const struct wl_seen_shape *shape,
                  void (*event)(void *self, const struct wl_seen *e), void (*close)(struct wl_checker *c));
/* The pair of places is known already, or becomes a finding. */
void checker_found(struct wl_checker *c, const struct wl_check_finding *f);
void checker_doubt(struct wl_checker *c, const char *why);

struct wl_check_site check_site(const struct wl_seen *e, uint32_t lanes, const char *does);
/* Place of a lane's access, into *f. */
void check_place(const struct wl_seen *e, unsigned lane, uint32_t bytes, struct wl_check_finding *f);
const char *check_deed(const struct wl_seen *e);
/* Index of the byte in the shared memory of all SMs; UINT64_MAX: `at` is global memory. */
static inline uint64_t check_shared_index(const struct wl_checker *c, uint64_t at)
{
	return at < c->shape.global_bytes ? UINT64_MAX : at - c->shape.global_bytes;
}
static inline unsigned check_lowest(uint32_t mask)
{
	return (unsigned)__builtin_ctz(mask);
}
/* Lanes of the warp with threads of the launch. */
uint32_t check_begun(const struct wl_checker *c, uint32_t warp);

#endif

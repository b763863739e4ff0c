// SPDX-License-Identifier: Apache-2.0
/* race.h -- the race checker: an observer (observe.h). The checker finds pairs of accesses of two threads to the same
 * bytes, unordered in the PTX memory model. docs/insight.md has the rules. */
#ifndef WARPLOCK_RACE_H
#define WARPLOCK_RACE_H

#include "warplock/observe.h"

enum wl_race_reason {
#define REASON(NAME, why, mend) WL_RACE_##NAME,
#include "warplock/race_reasons.def"
#undef REASON
	WL_RACE_REASONS
};

enum wl_race_deed { WL_RACE_READ, WL_RACE_WRITE, WL_RACE_ATOMIC };
/* An access of a finding's pair: the first occurrence of the pair. */
struct wl_race_site {
	uint32_t cta, warp, lanes, pc; /* pc: instruction index */
	enum wl_race_deed deed;
	bool strong, narrow; /* strong: ordered with others; narrow: within the CTA only */
	bool copy;           /* by an asynchronous copy */
	unsigned size;
};
struct wl_race_finding {
	enum wl_race_reason reason;
	struct wl_race_site before, behind; /* in the order of the run */
	uint64_t count;                     /* words or bytes with the pair */
	bool shared;
	uint32_t owner; /* shared: CTA of the memory */
	uint64_t addr;  /* global address, or offset in the CTA's shared memory, of the first byte */
	unsigned bytes;
};

struct wl_race;
/* NULL: no memory. */
struct wl_race *wl_race_create(const struct wl_seen_shape *shape);
const struct wl_observer *wl_race_observer(const struct wl_race *r);
/* Semantics of an access to shared memory, from the PTX: the word does not tell. Before the run. */
void wl_race_hint(struct wl_race *r, uint32_t pc, bool strong, bool acquires);
/* ... and of a load or store of any memory: numbers, or elements of a vector, have 1, 2, 4 or 8 bytes. */
void wl_race_hint_element(struct wl_race *r, uint32_t pc, unsigned bytes);
/* ... and of a load, an atomic, an arrival or a wait at an mbarrier: orders nothing without a fence. */
void wl_race_hint_relaxed(struct wl_race *r, uint32_t pc);
void wl_race_free(struct wl_race *r);
unsigned wl_race_findings(const struct wl_race *r);
const struct wl_race_finding *wl_race_finding(const struct wl_race *r, unsigned i);
/* Why the checker cannot tell; NULL: the checker can tell. */
const char *wl_race_cannot_tell(const struct wl_race *r);
/* Most bytes of the checker's shadow memory at a time; bytes of memory with known accesses. */
uint64_t wl_race_shadow_bytes(const struct wl_race *r);
uint64_t wl_race_watched_bytes(const struct wl_race *r);

/* A finding in several lines. */
void wl_race_tell(const struct wl_race *r, const struct wl_race_finding *f, void (*line)(void *self, const char *text),
                  void *self);
/* "read", "write", "atomic", or the operation on an mbarrier. */
const char *wl_race_deed_name(const struct wl_program *program, const struct wl_race_site *site);
const char *wl_race_why(enum wl_race_reason reason);
const char *wl_race_mend(enum wl_race_reason reason);
/* "shared variable tile+12", "buffer out+0" */
void wl_race_variable(const struct wl_race *r, const struct wl_race_finding *f, char *buf, size_t n);

#endif

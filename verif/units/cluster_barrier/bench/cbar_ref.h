/* SPDX-License-Identifier: Apache-2.0
 * cbar_ref.h -- the barrier of each cluster, written from docs/spec/clusters.md, "Barrier" for the bench. For each warp
 * the reference keeps the phase of the last arrival, and whether the warp has asked for the end of the phase. */
#ifndef CBAR_REF_H
#define CBAR_REF_H

#include <stdbool.h>
#include <stdint.h>

enum { CREF_SLOTS = 16, CREF_WARPS = 48 };

struct cref_release {
	bool valid; /* at least one warp waited */
	unsigned slot;
	uint16_t phase;
	uint64_t warps;
};

struct cref {
	struct {
		bool open;
		unsigned cluster;
	} cta[CREF_SLOTS];
	struct cref_warp {
		unsigned slot;
		bool live, asked;  /* asked: for the end of the phase of the last arrival */
		uint64_t arrivals; /* 1 + phase of the last arrival; 0: never */
	} warp[CREF_WARPS];
	uint64_t phase[CREF_SLOTS]; /* of each cluster: the open phase */
};

void cref_open(struct cref *r, unsigned slot, unsigned cluster, unsigned first, unsigned warps);
void cref_close(struct cref *r, unsigned slot);
/* enum wl_fault of a request; 0: it takes effect. */
unsigned cref_fault(const struct cref *r, unsigned slot, unsigned warp, bool wait);
struct cref_release cref_arrive(struct cref *r, unsigned warp);
bool cref_wait(struct cref *r, unsigned warp, uint16_t *phase); /* true: the warp has to wait */
struct cref_release cref_exit(struct cref *r, unsigned slot, unsigned warp);
bool cref_waiting(const struct cref *r, unsigned warp);

#endif

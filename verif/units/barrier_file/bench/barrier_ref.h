/* SPDX-License-Identifier: Apache-2.0
 * barrier_ref.h -- reference of barrier_file, by lists. Each barrier keeps the arrivals of its open phase. Everything
 * else is counted from the list anew. Source: docs/spec/barriers.md, "Counts"; docs/spec/barriers.md, "Faults". */
#ifndef BARRIER_REF_H
#define BARRIER_REF_H

#include <stdbool.h>
#include <stdint.h>

#include "barrier_request.h"

enum { REF_SLOTS = 16, REF_BARRIERS = BAR_BARRIERS, REF_WARPS = BAR_WARPS };

struct ref_barrier {
	unsigned arrivals;
	struct bar_request arrival[REF_WARPS];
};

struct ref {
	unsigned barriers; /* of a CTA */
	struct {
		bool open;
		unsigned launched, live;
		struct ref_barrier barrier[REF_BARRIERS];
	} cta[REF_SLOTS];
	uint32_t result[REF_WARPS];
};

struct ref_release {
	bool complete;
	unsigned slot, id;
	uint64_t warps; /* waiting warps; 0: no warp to release */
	uint32_t value;
};

/* Contents of the status port. */
struct ref_status {
	unsigned mode, counted, expected, arrived;
	uint64_t here, waiting;
	uint32_t votes;
};

uint32_t ref_index(const struct bar_request *q);
uint32_t ref_threads(const struct bar_request *q);

/* The fault of an arrival now (enum wl_fault). */
unsigned ref_fault(const struct ref *r, const struct bar_request *q);
/* An arrival without fault. */
struct ref_release ref_arrive(struct ref *r, const struct bar_request *q);
struct ref_release ref_exit(struct ref *r, unsigned slot);
void ref_launch(struct ref *r, unsigned slot, bool open, unsigned warps);
struct ref_status ref_status(const struct ref *r, unsigned slot, unsigned id);

#endif

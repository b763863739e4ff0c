/* SPDX-License-Identifier: Apache-2.0
 * source_dut.h -- FRONT as SOURCE: a DUT of our own, made of the units behind their interface. The DUT takes requests,
 * runs passes in a random order, parks waits, releases waits late and counts warps. */
#ifndef SOURCE_DUT_H
#define SOURCE_DUT_H

#include "../common/rng.h"
#include "kernel_test.h"

enum { MOST = 24 };
#define BIT(unit) (1u << WL_UNIT_##unit)

struct flight {
	struct wl_req req;
	_Alignas(16) unsigned char plan[WL_PLAN_MAX];
	struct wl_record rec;
	const struct wl_unit_ops *ops;
	unsigned passes;  /* passes applied ... */
	uint32_t applied; /* ... and their lanes */
	bool exited;
};

struct dut {
	struct kernel *k;
	struct wl_source source;
	struct flight in[MOST];
	unsigned n;
	uint64_t seen[WL_UNIT_COUNT]; /* requests by unit; EXIT belongs to sync_core */
	struct rng rng;
};

/* Runs k to its end with `units` in the DUT; k->detail is filled. */
enum wl_outcome dut_run(struct kernel *k, struct dut *d, uint32_t units, uint64_t seed);

#endif

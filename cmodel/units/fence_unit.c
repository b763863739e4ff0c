// SPDX-License-Identifier: Apache-2.0
/* fence_unit.c -- MEMBAR, ERRBAR, CCTL.IVALL. Memory in C is sequentially consistent, and sync_core counts outstanding
 * accesses. So a fence changes no memory: the fence only decides when the warp goes on.
 * Source: docs/spec/fences.md, "Fences". */
#include <assert.h>
#include <string.h>

#include "warplock/units.h"

static void plan(const struct wl_units *u, const struct wl_req *req, struct wl_plan *p, struct wl_record *rec)
{
	(void)u;
	wl_plan_all(req, p, rec);
	p->waits = req->inst.uop == WL_UOP_MEMBAR;
}

/* A MEMBAR commits after every older access has committed. The warp goes on then. */
static uint32_t apply(struct wl_units *u, const struct wl_req *req, struct wl_plan *p, const struct wl_event *ev,
                      struct wl_record *rec)
{
	assert(ev->lanes == req->mask && "the lanes of a fence come together");
	rec->committed |= ev->lanes;
	if (p->waits)
		u->fence_unit.passed |= UINT64_C(1) << req->tag.warp;
	u->fence_unit.slot[req->tag.warp] = (uint8_t)req->tag.slot;
	return 0;
}

static bool released(struct wl_units *u, struct wl_released *r)
{
	const uint64_t passed = u->fence_unit.passed;
	if (!passed)
		return false;
	*r = (struct wl_released){.unit = WL_UNIT_fence_unit,
	                          .slot = u->fence_unit.slot[__builtin_ctzll(passed)],
	                          .warps = passed & (0 - passed)};
	u->fence_unit.passed &= passed - 1;
	return true;
}

const struct wl_unit_ops wl_fence_unit_ops = {.plan_bytes = sizeof(struct wl_plan),
                                              .plan = plan,
                                              .apply = apply,
                                              .released = released,
                                              .finish = wl_finish_plain};

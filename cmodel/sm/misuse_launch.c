// SPDX-License-Identifier: Apache-2.0
/* misuse_launch.c -- misuse of cluster launch control (misuse.def): a request after a refusal seen by the CTA. A CTA
 * has seen the refusal when a warp has waited at the mbarrier of the answer. */
#include "gpu.h"
#include "misuse.h"

static void see(struct sm *sm, struct cta *c)
{
	sm->refusals -= c->refusal == REFUSAL_LANDED;
	c->refusal = REFUSAL_SEEN;
}

void misuse_waits(struct sm *sm, unsigned slot, bool parity, uint32_t addr)
{
	struct cta *c = &sm->cta[slot];
	if (c->refusal == REFUSAL_LANDED && c->refusal_mbarrier == addr &&
	    (bool)wl_mbar_state(&sm->units.smem, addr).phase != parity)
		see(sm, c);
}

void misuse_answered(struct wl_gpu *g, unsigned sm, unsigned slot, uint32_t mbarrier,
                     const struct wl_misuse_place *asked)
{
	struct sm *s = gpu_sm(g, sm);
	struct cta *c = &s->cta[slot];
	if (c->refusal != REFUSAL_NONE)
		return;
	c->refusal = REFUSAL_LANDED;
	c->refusal_mbarrier = mbarrier;
	c->refused = *asked;
	s->refusals++;
	for (unsigned k = 0; k < g->warps_per_cta; k++) {
		const struct wl_mbar_wait *wait = &s->units.mbarrier_engine.wait[slot * g->warps_per_cta + k];
		if (wait->on && wait->id == mbarrier / 8)
			see(s, c);
	}
}

bool misuse_launch(struct exec *x)
{
	const struct cta *c = &x->sm->cta[x->w->slot];
	struct wl_misuse_found f = {.kind = WL_MISUSE_LAUNCH_REFUSED, .there = c->refused};
	return c->refusal != REFUSAL_SEEN || misuse_tell(x, &f, x->mask);
}

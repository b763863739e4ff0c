// SPDX-License-Identifier: Apache-2.0
/* grid.c -- CTAs of the grid onto the slots of the SMs.
 *
 * All CTAs of a launch are alike, so slot s of an SM owns the warps s * warps_per_cta .. and the window that starts
 * at s * shared_per_cta. */
#include "front.h"

/* Start content of a warp: nothing may be relied on, so everything is filled with a hash of seed, CTA and warp. */
static void poison(struct wl_gpu *gpu, unsigned sm, unsigned warp, uint64_t salt)
{
	struct warp *w = gpu_warp(gpu, sm, warp);
	lane_row *r = gpu_regs(gpu, sm, warp);
	for (uint32_t row = 0; row < gpu->reg_rows; row++) {
		uint32_t v = mix32(salt, row);
		FOR_LANES (i)
			r[row][i] = v = v * 1664525u + 1013904223u;
	}
	for (unsigned p = 0; p < WL_PT; p++)
		w->preds[p] = mix32(salt, 1000 + p);
	w->preds[WL_PT] = ALL_LANES;
	for (unsigned u = 0; u < URZ_SLOT; u++)
		w->uni[0][u] = mix32(salt, 2000 + u);
	w->uni[0][URZ_SLOT] = 0;
	for (unsigned p = 0; p < WL_PT; p++)
		w->uni[0][UPRED + p] = mix32(salt, 3000 + p) & 1 ? ALL_LANES : 0;
	w->uni[0][UPRED + WL_PT] = ALL_LANES;
}

static void start_warp(struct wl_gpu *gpu, unsigned sm, unsigned slot, unsigned k)
{
	unsigned index = slot * gpu->warps_per_cta + k;
	struct warp *w = gpu_warp(gpu, sm, index);
	uint32_t left = gpu->threads - k * WL_WARP_LANES;
	groups_start(w, left >= WL_WARP_LANES ? ALL_LANES : (1u << left) - 1);
	w->cta = gpu_sm(gpu, sm)->cta[slot].number;
	w->slot = (uint16_t)slot;
	w->thread0 = k * WL_WARP_LANES;
	w->hold = HOLD_NONE;
	w->gathered = w->parked = false;
	w->posted = 0;
	w->n = 0;
	w->async = (struct async_warp){0};
	w->switches = 0;
	w->time = w->wake = w->give_up = 0;
	w->patience = PATIENCE;
	poison(gpu, sm, index, gpu->config.seed + ((uint64_t)w->cta << 32) + ((uint64_t)k << 16));
	warp_set_ready(gpu, sm, index);
}

void grid_launch(struct wl_gpu *gpu, unsigned sm, unsigned slot)
{
	struct sm *s = gpu_sm(gpu, sm);
	struct cta *cta = &s->cta[slot];
	observe_change(gpu, true);
	uint32_t n = gpu->next_cta++, base = slot * gpu->shared_per_cta;
	*cta = (struct cta){.number = n, .state = CTA_RUNS, .live_warps = gpu->warps_per_cta};
	cta->id[0] = n % gpu->grid[0];
	cta->id[1] = n / gpu->grid[0] % gpu->grid[1];
	cta->id[2] = n / gpu->grid[0] / gpu->grid[1];
	wl_units_open(&s->units, &(struct wl_cta_start){.slot = slot,
	                                                .cta = n,
	                                                .base = base,
	                                                .size = gpu->shared_per_cta,
	                                                .first_warp = slot * gpu->warps_per_cta,
	                                                .warps = gpu->warps_per_cta,
	                                                .threads = gpu->threads,
	                                                .seed = gpu->config.seed});
	if (gpu->host.cta_launch)
		gpu->host.cta_launch(gpu->host.self, sm, slot, n, base, gpu->shared_per_cta);
	for (unsigned k = 0; k < gpu->warps_per_cta; k++)
		start_warp(gpu, sm, slot, k);
}

void grid_retire(struct wl_gpu *gpu, unsigned sm, unsigned slot)
{
	struct sm *s = gpu_sm(gpu, sm);
	async_drain(gpu, sm, slot);
	if (gpu->host.cta_exit)
		gpu->host.cta_exit(gpu->host.self, sm, slot, s->cta[slot].number);
	wl_units_close(&s->units, slot);
	s->cta[slot].state = CTA_FREE;
}

void grid_fill(struct wl_gpu *gpu)
{
	gpu->refill = false;
	for (unsigned slot = 0; slot < gpu->cta_slots; slot++) {
		for (unsigned sm = 0; sm < gpu->config.sms; sm++) {
			struct cta *cta = &gpu_sm(gpu, sm)->cta[slot];
			if (cta->state == CTA_ENDED && !async_stays(gpu, sm, slot))
				grid_retire(gpu, sm, slot);
			if (cta->state == CTA_FREE && gpu->next_cta < gpu->ctas)
				grid_launch(gpu, sm, slot);
		}
	}
}

/* The last lane of x's warp has exited. */
void grid_warp_exit(struct exec *x)
{
	struct cta *cta = &x->sm->cta[x->w->slot];
	warp_set_ready(x->gpu, x->sm_index, x->warp_index);
	unit_exit(x);
	if (--cta->live_warps)
		return;
	cta->state = CTA_ENDED;
	x->gpu->done_ctas++;
	x->gpu->refill = true;
}

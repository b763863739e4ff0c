// SPDX-License-Identifier: Apache-2.0
/* grid.c -- places the CTAs of the grid on the slots of the SMs. The CTAs of a cluster start together.
 *
 * All CTAs of a launch are alike. So slot s of an SM owns the warps from s * warps_per_cta on. The window of slot s
 * starts at s * shared_per_cta. */
#include "exec.h"
#include "cluster.h"
#include "exec_unit.h"
#include "grid.h"
#include "groups.h"
#include "misuse.h"
#include "schedule.h"
#include "observe.h"

#define POISON_FACTOR UINT32_C(1664525)
#define POISON_MORE   UINT32_C(1013904223)

/* Result of 1, 2, .. 32 steps of a generator, v * factor + more, on v: v * far + beyond. */
struct steps {
	uint32_t far[WL_WARP_LANES], beyond[WL_WARP_LANES];
};

static void step_on(struct steps *s)
{
	uint32_t far = 1, beyond = 0;
	for (unsigned i = 0; i < WL_WARP_LANES; i++) {
		s->far[i] = far *= POISON_FACTOR;
		s->beyond[i] = beyond = beyond * POISON_FACTOR + POISON_MORE;
	}
}

/* The 32 numbers behind v, side by side. */
LANE_LOOP static void poison_row(uint32_t *restrict row, uint32_t v, const struct steps *restrict s)
{
	for (unsigned i = 0; i < WL_WARP_LANES; i++)
		row[i] = v * s->far[i] + s->beyond[i];
}

/* Start content of a warp. Nothing may be relied on, so a hash of seed, CTA and warp fills everything. */
static void poison(struct wl_gpu *gpu, unsigned sm, unsigned warp, uint64_t salt)
{
	struct warp *w = gpu_warp(gpu, sm, warp);
	lane_row *r = gpu_regs(gpu, sm, warp);
	struct steps steps;
	step_on(&steps);
	for (uint32_t row = 0; row < gpu->reg_rows; row++)
		poison_row(r[row], mix32(salt, row), &steps);
	for (unsigned p = 0; p < WL_PT; p++)
		w->preds[p] = mix32(salt, 1000 + p);
	w->preds[WL_PT] = ALL_LANES;
	for (unsigned half = 0; half < 2; half++)
		poison_row(w->rpc[half], mix32(salt, 1500 + half), &steps);
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
	w->regs = (uint16_t)((gpu->program->regs + 7) / 8 * 8);
	warp_enter(w, WARP_RUNS);
	w->posted = 0;
	w->n = 0;
	w->async = (struct async_warp){0};
	w->asked = 0;
	w->switches = 0;
	w->time = w->wake = 0;
	w->wait = (struct wait){0};
	w->patience = PATIENCE;
	schedule_warp_starts(gpu, w);
	poison(gpu, sm, index, gpu->config.seed + ((uint64_t)w->cta << 32) + ((uint64_t)k << 16));
	warp_set_ready(gpu, sm, index);
}

/* CTAs start cluster by cluster, and within a cluster by rank; a cluster is a box of the grid. */
static void place_in_grid(const struct wl_gpu *gpu, uint32_t order, struct cta *cta)
{
	uint32_t cluster = cta->cluster = order / gpu->cluster_ctas, rank = order % gpu->cluster_ctas;
	cta->rank = (uint8_t)rank;
	for (unsigned d = 0; d < 3; d++) {
		const uint32_t across = gpu->grid[d] / gpu->cluster[d];
		cta->id[d] = cluster % across * gpu->cluster[d] + rank % gpu->cluster[d];
		cluster /= across;
		rank /= gpu->cluster[d];
	}
	cta->number = cta->id[0] + gpu->grid[0] * (cta->id[1] + gpu->grid[1] * cta->id[2]);
}

uint32_t grid_next_number(const struct wl_gpu *gpu)
{
	struct cta cta;
	place_in_grid(gpu, gpu->next_cta, &cta);
	return cta.number;
}

bool grid_cancel(struct wl_gpu *gpu, uint32_t id[3])
{
	struct cta first;
	if (gpu->next_cta >= gpu->ctas)
		return false;
	place_in_grid(gpu, gpu->next_cta, &first);
	memcpy(id, first.id, sizeof first.id);
	gpu->next_cta += gpu->cluster_ctas;
	gpu->done_ctas += gpu->cluster_ctas;
	gpu->canceled += gpu->cluster_ctas;
	return true;
}

/* The CTA of rank 0 starts first, and knows the places of all CTAs of the cluster. */
static void join_cluster(struct wl_gpu *gpu, struct cta *cta, struct place here)
{
	if (!cta->rank)
		gpu->home = here;
	cta->home = gpu->home;
	struct cta *home = &gpu_sm(gpu, cta->home.sm)->cta[cta->home.slot];
	home->member[cta->rank] = here;
	home->live_ctas++;
}

void grid_launch(struct wl_gpu *gpu, unsigned sm, unsigned slot)
{
	struct sm *s = gpu_sm(gpu, sm);
	struct cta *cta = &s->cta[slot];
	observe_change(gpu, true);
	const uint32_t base = slot * gpu->shared_per_cta;
	*cta = (struct cta){.state = CTA_RUNS, .live_warps = gpu->warps_per_cta};
	place_in_grid(gpu, gpu->next_cta++, cta);
	join_cluster(gpu, cta, (struct place){(uint16_t)sm, (uint16_t)slot});
	const uint32_t n = cta->number;
	wl_units_open(&s->units, &(struct wl_cta_start){.slot = slot,
	                                                .cta = n,
	                                                .base = base,
	                                                .size = gpu->shared_per_cta,
	                                                .first_warp = slot * gpu->warps_per_cta,
	                                                .warps = gpu->warps_per_cta,
	                                                .threads = gpu->threads,
	                                                .cluster = cta->cluster,
	                                                .cluster_ctas = gpu->cluster_ctas,
	                                                .rank = cta->rank,
	                                                .seed = gpu->config.seed});
	if (gpu->host.cta_launch)
		gpu->host.cta_launch(gpu->host.self, sm, slot, n, base, gpu->shared_per_cta);
	if (gpu->observer)
		observe_cta(gpu, sm, slot);
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

/* The first free slot of the SM from `slot` on; cta_slots: none. */
static unsigned free_slot(const struct wl_gpu *gpu, unsigned sm, unsigned slot)
{
	while (slot < gpu->cta_slots && gpu_sm(gpu, sm)->cta[slot].state != CTA_FREE)
		slot++;
	return slot;
}

static unsigned free_slots(const struct wl_gpu *gpu, unsigned sm)
{
	unsigned n = 0;
	for (unsigned slot = free_slot(gpu, sm, 0); slot < gpu->cta_slots; slot = free_slot(gpu, sm, slot + 1))
		n++;
	return n;
}

/* Starts the whole next cluster: on the SM with most room, or on several SMs if no SM could ever hold the cluster.
 * False: no room. */
static bool launch_cluster(struct wl_gpu *gpu)
{
	const unsigned sms = gpu->config.sms;
	unsigned most = 0, all = free_slots(gpu, 0), left = gpu->cluster_ctas;
	for (unsigned sm = 1; sm < sms; sm++) {
		all += free_slots(gpu, sm);
		most = free_slots(gpu, sm) > free_slots(gpu, most) ? sm : most;
	}
	const bool spread = gpu->cluster_ctas > gpu->cta_slots;
	if ((spread ? all : free_slots(gpu, most)) < gpu->cluster_ctas)
		return false;
	for (unsigned sm = spread ? 0 : most; left; sm = spread ? (sm + 1) % sms : most) {
		const unsigned slot = free_slot(gpu, sm, 0);
		if (slot == gpu->cta_slots)
			continue;
		grid_launch(gpu, sm, slot);
		left--;
	}
	return true;
}

/* Retires CTAs of ended clusters. */
static void retire_clusters(struct wl_gpu *gpu)
{
	for (unsigned slot = 0; slot < gpu->cta_slots; slot++)
		for (unsigned sm = 0; sm < gpu->config.sms; sm++) {
			const struct cta *cta = &gpu_sm(gpu, sm)->cta[slot];
			if (cta->state == CTA_ENDED && !gpu_sm(gpu, cta->home.sm)->cta[cta->home.slot].live_ctas)
				grid_retire(gpu, sm, slot);
		}
}

void grid_fill(struct wl_gpu *gpu)
{
	gpu->refill = false;
	if (!cluster_is_one(gpu)) {
		retire_clusters(gpu);
		while (gpu->next_cta < gpu->ctas && launch_cluster(gpu))
			;
		return;
	}
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
	cluster_meet(x->gpu, x->sm_index, x->w->slot);
	if (--cta->live_warps)
		return;
	misuse_left_open(x);
	misuse_forget(x->sm, x->w->slot);
	x->sm->refusals -= cta->refusal == REFUSAL_LANDED;
	cta->refusal = REFUSAL_NONE;
	cta->state = CTA_ENDED;
	gpu_sm(x->gpu, cta->home.sm)->cta[cta->home.slot].live_ctas--;
	x->gpu->done_ctas++;
	x->gpu->refill = true;
}

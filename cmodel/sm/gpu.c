// SPDX-License-Identifier: Apache-2.0
/* gpu.c -- a launch: checks, the block of state, the run on the C model alone, the figures. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "constants.h"
#include "exec_unit.h"
#include "grid.h"
#include "guide_turns.h"
#include "prepare.h"
#include "schedule.h"
#include "sleep.h"
#include "spin.h"
#include "stop.h"
#include "warplock/config_check.h"

static enum wl_status refuse(char *why, size_t whyn, const char *text, uint64_t found, uint64_t most)
{
	snprintf(why, whyn, "%s %llu, at most %llu", text, (unsigned long long)found, (unsigned long long)most);
	return WL_ERR_LAUNCH;
}

/* The dimensions found meet the kernel's requirement, if any. */
static bool same_dims(const uint32_t required[3], const uint32_t found[3])
{
	return !required[0] || memcmp(required, found, 3 * sizeof *found) == 0;
}

/* CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". */
static enum wl_status check_dims(const struct wl_launch *l, char *why, size_t whyn)
{
	static const uint32_t most_grid[3] = {INT32_MAX, 65535, 65535}, most_block[3] = {MAX_BLOCK, MAX_BLOCK, 64};
	for (unsigned d = 0; d < 3; d++) {
		bool grid = !l->grid[d] || l->grid[d] > most_grid[d];
		uint32_t found = grid ? l->grid[d] : l->block[d], most = grid ? most_grid[d] : most_block[d];
		if (found && found <= most)
			continue;
		snprintf(why, whyn, "%s dimension %c is %u, must be 1 to %u", grid ? "grid" : "block", "xyz"[d], found,
		         most);
		return WL_ERR_LAUNCH;
	}
	return WL_OK;
}

/* Dimensions by the launch, else by the kernel. True: given by either. */
static bool cluster_of(const struct wl_program *p, const struct wl_launch *l, uint32_t dims[3])
{
	const uint32_t *from = l->cluster[0] ? l->cluster : p->required_cluster;
	for (unsigned d = 0; d < 3; d++)
		dims[d] = from[0] ? from[d] : 1;
	return from[0] != 0;
}

static enum wl_status check_cluster(const struct wl_config *c, const struct wl_program *p, const struct wl_launch *l,
                                    char *why, size_t whyn)
{
	uint32_t dims[3];
	if (!cluster_of(p, l, dims))
		return WL_OK;
	if (!same_dims(p->required_cluster, dims)) {
		snprintf(why, whyn, "clusters are [%u, %u, %u], the kernel requires [%u, %u, %u]", dims[0], dims[1],
		         dims[2], p->required_cluster[0], p->required_cluster[1], p->required_cluster[2]);
		return WL_ERR_LAUNCH;
	}
	uint64_t ctas = (uint64_t)dims[0] * dims[1];
	ctas = ctas > UINT32_MAX ? ctas : ctas * dims[2];
	if (ctas > 1 && c->arch < WL_SM90) {
		snprintf(why, whyn, "clusters of CTAs need sm_90 or later, the machine is sm_%d", (int)c->arch);
		return WL_ERR_LAUNCH;
	}
	if (ctas > WL_MAX_CLUSTER)
		return refuse(why, whyn, "CTAs of a cluster:", ctas, WL_MAX_CLUSTER);
	if (p->max_cluster && ctas > p->max_cluster)
		return refuse(why, whyn, "CTAs of a cluster of this kernel:", ctas, p->max_cluster);
	for (unsigned d = 0; d < 3; d++)
		if (l->grid[d] % dims[d]) {
			snprintf(why, whyn, "grid [%u, %u, %u] is no multiple of its clusters [%u, %u, %u]", l->grid[0],
			         l->grid[1], l->grid[2], dims[0], dims[1], dims[2]);
			return WL_ERR_LAUNCH;
		}
	return WL_OK;
}

/* From sm_90 on the object's bytes begin with the system's part, if any. */
static uint64_t shared_asked(enum wl_arch arch, const struct wl_program *p, const struct wl_launch *l)
{
	const bool first = arch >= WL_SM90;
	const uint64_t own =
	        p->system_shared && first && p->shared_bytes < SYSTEM_SHARED ? SYSTEM_SHARED : p->shared_bytes;
	return own + l->dynamic_shared + (p->system_shared && !first ? SYSTEM_SHARED : 0);
}

/* A chip gives a CTA less than an SM has: the system keeps a part. */
static enum wl_status check_shared(const struct wl_config *c, const struct wl_program *p, const struct wl_launch *l,
                                   char *why, size_t whyn)
{
	const unsigned chip = c->chip ? c->chip : (unsigned)c->arch;
	const uint64_t asked = shared_asked(c->arch, p, l), most_of_cta = wl_chip_shared_of_cta(chip);
	const bool kept = p->system_shared || (c->arch >= WL_SM90 && p->shared_bytes >= SYSTEM_SHARED);
	const uint64_t own = asked - (kept ? SYSTEM_SHARED : 0);
	if (own > most_of_cta) {
		snprintf(why, whyn, "bytes of shared memory of a CTA: %llu, at most %llu on sm_%u",
		         (unsigned long long)own, (unsigned long long)most_of_cta, chip);
		return WL_ERR_LAUNCH;
	}
	if (asked > c->shared_bytes) {
		snprintf(why, whyn,
		         "bytes of shared memory of a CTA, with what the system keeps: %llu, at most %u here: so much "
		         "an SM of the RTL has; wlrun runs it, with the %u KiB of sm_%u",
		         (unsigned long long)asked, c->shared_bytes, wl_chip_shared_of_sm(chip) / 1024, chip);
		return WL_ERR_LAUNCH;
	}
	return WL_OK;
}

static enum wl_status check_launch(const struct wl_config *c, const struct wl_program *p, const struct wl_launch *l,
                                   char *why, size_t whyn)
{
	enum wl_status s = wl_config_check(c, why, whyn);
	if (s)
		return s;
	if (p->arch != c->arch) {
		snprintf(why, whyn, "the program is for sm_%d, the machine is sm_%d", (int)p->arch, (int)c->arch);
		return WL_ERR_LAUNCH;
	}
	s = check_dims(l, why, whyn);
	if (s)
		return s;
	uint64_t threads = (uint64_t)l->block[0] * l->block[1];
	threads = threads > MAX_BLOCK ? threads : threads * l->block[2];
	uint64_t ctas = (uint64_t)l->grid[0] * l->grid[1];
	ctas = ctas > UINT32_MAX ? ctas : ctas * l->grid[2];
	uint64_t warps = (threads + WL_WARP_LANES - 1) / WL_WARP_LANES;
	if (threads > MAX_BLOCK)
		return refuse(why, whyn, "threads of a block:", threads, MAX_BLOCK);
	if (!same_dims(p->required_block, l->block)) {
		snprintf(why, whyn, "block is [%u, %u, %u], the kernel requires [%u, %u, %u]", l->block[0], l->block[1],
		         l->block[2], p->required_block[0], p->required_block[1], p->required_block[2]);
		return WL_ERR_LAUNCH;
	}
	if (p->max_threads && threads > p->max_threads)
		return refuse(why, whyn, "threads of a block of this kernel:", threads, p->max_threads);
	if (warps > c->warps_per_sm)
		return refuse(why, whyn, "warps of a block:", warps, c->warps_per_sm);
	if (ctas > UINT32_MAX)
		return refuse(why, whyn, "blocks of the grid:", ctas, UINT32_MAX);
	s = check_shared(c, p, l, why, whyn);
	if (s)
		return s;
	if ((uint64_t)p->param_base + p->param_bytes > WL_CB0_MOST)
		return refuse(why, whyn,
		              "end of the parameters in constant bank 0:", (uint64_t)p->param_base + p->param_bytes,
		              WL_CB0_MOST);
	if (p->param_bytes && !l->params) {
		snprintf(why, whyn, "the kernel takes %u bytes of parameters, params is NULL", p->param_bytes);
		return WL_ERR_LAUNCH;
	}
	if (p->regs > WL_RZ)
		return refuse(why, whyn, "registers of a thread:", p->regs, WL_RZ);
	if (p->local_bytes > 1u << 19)
		return refuse(why, whyn, "bytes of local memory:", p->local_bytes, 1u << 19);
	return check_cluster(c, p, l, why, whyn);
}

static uint64_t place(uint64_t *size, uint64_t bytes)
{
	uint64_t at = (*size + 63) & ~UINT64_C(63);
	*size = at + bytes;
	return at;
}

static void layout(struct wl_gpu *g)
{
	const struct wl_config *c = &g->config;
	uint64_t size = sizeof *g, warps = (uint64_t)c->sms * c->warps_per_sm;
	g->at_ops = place(&size, g->program->ninst * sizeof(struct op));
	g->at_rows = place(&size, prepare_shared_rows(g->program) * sizeof(lane_row));
	g->at_sms = place(&size, c->sms * sizeof(struct sm));
	g->at_warps = place(&size, warps * sizeof(struct warp));
	g->at_regs = place(&size, warps * g->reg_rows * sizeof(lane_row));
	g->at_local = place(&size, warps * WL_WARP_LANES * g->local_bytes);
	g->at_shared = place(&size, (uint64_t)c->sms * c->shared_bytes);
	g->at_cbank0 = place(&size, constants_bytes(g->program));
	g->at_polls = place(&size, warps * sizeof(struct polls));
	g->at_spin = place(&size, spin_bytes(warps));
	g->at_kept = place(&size, unit_kept_bytes(g, warps));
	g->at_marked_regs = place(&size, warps * g->reg_rows * sizeof(lane_row));
	g->bytes = size;
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static void size_up(struct wl_gpu *g, const struct wl_launch *l)
{
	const struct wl_program *p = g->program;
	g->threads = l->block[0] * l->block[1] * l->block[2];
	g->warps_per_cta = (g->threads + WL_WARP_LANES - 1) / WL_WARP_LANES;
	g->ctas = l->grid[0] * l->grid[1] * l->grid[2];
	g->shared_per_cta = ((uint32_t)shared_asked(g->config.arch, p, l) + 15) & ~15u;
	g->cta_slots = least(g->config.ctas_per_sm, g->config.warps_per_sm / g->warps_per_cta);
	if (g->shared_per_cta)
		g->cta_slots = least(g->cta_slots, g->config.shared_bytes / g->shared_per_cta);
	g->given_cluster = cluster_of(p, l, g->cluster);
	g->cluster_ctas = g->cluster[0] * g->cluster[1] * g->cluster[2];
	g->local_bytes = (p->local_bytes + 15) & ~15u;
	g->reg_rows = prepare_reg_rows(p);
	g->limit = l->limit ? l->limit : UINT64_C(1) << 63;
}

/* Without mbarrier instructions in the program, stores need not mark mbarriers. */
static bool has_mbarriers(const struct wl_gpu *g)
{
	return wl_gpu_needs(g) >> WL_UNIT_mbarrier_engine & 1;
}

enum wl_status wl_gpu_create(const struct wl_config *config, const struct wl_program *program, struct wl_gmem *gmem,
                             const struct wl_launch *launch, struct wl_gpu **out, char *why, size_t whyn)
{
	struct wl_launch l = *launch;
	wl_program_block(program, l.block);
	enum wl_status s = check_launch(config, program, &l, why, whyn);
	*out = NULL;
	if (s)
		return s;
	struct wl_gpu shape = {.config = *config, .program = program, .gmem = gmem, .refill = true};
	memcpy(shape.grid, l.grid, sizeof shape.grid);
	memcpy(shape.block, l.block, sizeof shape.block);
	shape.heap = l.heap;
	shape.workspace = l.workspace;
	shape.heap_bytes = l.heap_bytes & ~UINT64_C(15);
	shape.print = l.print;
	shape.print_self = l.print_self;
	size_up(&shape, &l);
	if (shape.cluster_ctas > wl_gpu_resident(&shape)) {
		snprintf(why, whyn,
		         "a cluster has %u CTAs, but only %u CTAs of this kernel run at a time on %u SMs (--sms)",
		         shape.cluster_ctas, wl_gpu_resident(&shape), config->sms);
		return WL_ERR_LAUNCH;
	}
	layout(&shape);
	struct wl_gpu *g = shape.bytes <= SIZE_MAX / 2 ? calloc(1, shape.bytes) : NULL;
	if (!g) {
		snprintf(why, whyn, "no memory for %llu bytes of state", (unsigned long long)shape.bytes);
		return WL_ERR_NOMEM;
	}
	*g = shape;
	constants_fill(g, &l);
	prepare_ops(g);
	for (unsigned sm = 0; sm < config->sms; sm++) {
		struct sm *m = gpu_sm(g, sm);
		wl_units_init(&m->units, config, NULL);
		m->units.smem.store_marks &= has_mbarriers(&shape);
		m->next_wake = UINT64_MAX;
		async_init(&m->async);
		m->last = WL_MAX_WARPS; /* the next warp is warp 0 */
		for (unsigned port = 0; port < WL_MAX_PORTS; port++)
			m->last_of_port[port] = WL_MAX_WARPS;
	}
	schedule_begin(g);
	gpu_set_pointers(g);
	*out = g;
	return WL_OK;
}

void wl_gpu_free(struct wl_gpu *gpu)
{
	free(gpu);
}

uint32_t wl_gpu_resident(const struct wl_gpu *g)
{
	return g->cta_slots * g->config.sms;
}

/* A turn of each SM; false: nobody could go on. */
static bool turn_of_all(struct wl_gpu *g, bool watched)
{
	bool any = false;
	if (__builtin_expect(g->guide && guide_chooses(g), 0))
		any = guide_turn(g);
	else if (__builtin_expect(!watched && schedule_draws(g), 0))
		any = schedule_turn(g);
	else
		for (unsigned sm = 0; sm < g->config.sms && g->outcome == WL_RUNNING; sm++)
			any |= watched ? spin_step_sm(g, sm) : step_sm(g, sm);
	if (any && g->config.sms > 1)
		sleep_idle(g);
	return any;
}

enum wl_outcome wl_gpu_run(struct wl_gpu *g)
{
	return wl_gpu_run_some(g, UINT64_MAX);
}

enum wl_outcome wl_gpu_run_some(struct wl_gpu *g, uint64_t n)
{
	const uint64_t begun = g->issued;
	gpu_set_pointers(g);
	while (g->outcome == WL_RUNNING && g->issued - begun < n) {
		bool watched = !(g->guide && guide_chooses(g)) && spin_watches(g);
		if (g->refill)
			grid_fill(g);
		bool any = g->outcome == WL_RUNNING && turn_of_all(g, watched);
		if (g->outcome != WL_RUNNING)
			break;
		if (g->done_ctas == g->ctas) {
			grid_fill(g);
			if (g->outcome == WL_RUNNING)
				g->outcome = WL_ENDED;
		} else if (!any && !g->refill && !sleep_jump(g)) {
			stop_deadlock(g);
		}
	}
	return g->outcome;
}

struct wl_smem *wl_gpu_smem(struct wl_gpu *g, unsigned sm)
{
	gpu_set_pointers(g);
	return &gpu_sm(g, sm)->units.smem;
}

struct wl_units *wl_gpu_units(struct wl_gpu *g, unsigned sm)
{
	gpu_set_pointers(g);
	return &gpu_sm(g, sm)->units;
}

enum wl_outcome wl_gpu_outcome(const struct wl_gpu *g)
{
	return g->outcome;
}

enum wl_fault wl_gpu_fault(const struct wl_gpu *g)
{
	return g->outcome == WL_FAULTED ? g->trouble.fault : WL_FAULT_NONE;
}

uint64_t wl_gpu_warp_instructions(const struct wl_gpu *g)
{
	return g->issued;
}

uint64_t wl_gpu_executed(const struct wl_gpu *g, enum wl_unit unit)
{
	return g->executed[unit];
}

uint64_t wl_gpu_ctas_done(const struct wl_gpu *g, uint64_t *ctas)
{
	*ctas = g->ctas;
	return g->done_ctas;
}

uint64_t wl_gpu_local_generic(const struct wl_gpu *g)
{
	return g->local_generic;
}

uint64_t wl_gpu_conflicts(const struct wl_gpu *g, unsigned passes)
{
	return passes <= WL_WARP_LANES ? g->conflicts[passes] : 0;
}

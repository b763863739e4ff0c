// SPDX-License-Identifier: Apache-2.0
/* constants.c -- constant bank 0 of a launch: sizes, windows, parameters, and values for special registers of PTX.
 * Source: docs/spec/objects.md, "Constant bank 0". */
#include <math.h>
#include <string.h>

#include "constants.h"

static const struct wl_cb0_specials *specials(enum wl_arch arch)
{
	static const struct wl_cb0_specials rows[] = {
#define ROW(arch, ...) {WL_##arch, __VA_ARGS__},
	        WL_CB0_SPECIALS(ROW)
#undef ROW
	};
	unsigned i = 0;
	while (i + 1 < sizeof rows / sizeof rows[0] && rows[i].arch != wl_arch_base(arch))
		i++;
	return &rows[i];
}

static void put(uint8_t *bank, uint16_t at, const void *value, size_t bytes)
{
	if (at != WL_CB0_NONE)
		memcpy(bank + at, value, bytes);
}

/* %ctaid times the factor, truncated, is %clusterid: rounded up, so no multiple falls short. */
static float factor(uint32_t n)
{
	const float f = 1.0f / (float)n;
	return (double)f * n < 1 ? nextafterf(f, 2) : f;
}

static void put_clusters(const struct wl_gpu *g, const struct wl_cb0_specials *at, uint8_t *bank)
{
	const uint32_t given = g->given_cluster, ctas = g->cluster_ctas;
	float factors[3];
	uint32_t clusters[3];
	for (unsigned d = 0; d < 3; d++) {
		factors[d] = factor(g->cluster[d]);
		clusters[d] = g->grid[d] / g->cluster[d];
	}
	put(bank, at->explicit_cluster, &given, 4);
	put(bank, at->cluster, g->cluster, sizeof g->cluster);
	put(bank, at->divisor, factors, sizeof factors);
	put(bank, at->clusters, clusters, sizeof clusters);
	put(bank, at->cluster_rank, &ctas, 4);
}

/* The parts of generic addresses of parameters. */
static void put_parameters(const struct wl_gpu *g, const struct wl_cb0_specials *at, uint8_t *bank)
{
	const uint32_t end = g->program->param_base + g->program->param_bytes - 1;
	const uint64_t bank0 = WL_PARAM_BASE;
	const uint64_t first = WL_PARAM_BASE + g->program->param_base, last = WL_PARAM_BASE + end;
	put(bank, at->params, g->config.arch < WL_SM90 ? &bank0 : &first, sizeof first);
	if (g->config.arch < WL_SM90)
		put(bank, at->params_end, &end, sizeof end);
	else
		put(bank, at->params_end, &last, sizeof last);
}

/* Cooperative groups have the last 288 bytes of the system's part, as many as cooperative groups ask for. */
static void put_shared(const struct wl_gpu *g, const struct wl_cb0_specials *at, uint8_t *bank)
{
	const bool first = g->config.arch >= WL_SM90;
	const bool keeps = g->program->system_shared || (first && g->program->shared_bytes >= SYSTEM_SHARED);
	const uint32_t all = g->shared_per_cta, kept = keeps ? SYSTEM_SHARED : 0;
	const uint32_t end = first ? kept : all, groups = end - (kept ? SYSTEM_SHARED_GROUPS : 0);
	put(bank, at->shared, &kept, 4);
	put(bank, at->reserved_end, &end, 4);
	put(bank, at->reserved_groups, &groups, 4);
	put(bank, at->aggregate, &all, 4);
}

static void put_specials(const struct wl_gpu *g, const struct wl_launch *l, uint8_t *bank)
{
	const struct wl_cb0_specials *at = specials(g->config.arch);
	const uint32_t sms = l->sms_told ? l->sms_told : g->config.sms;
	const uint32_t workspace[2] = {(uint32_t)(l->workspace >> 32), (uint32_t)l->workspace};
	const uint64_t grid_id = 1, constants_at = g->program->constants_at;
	const uint64_t constants = constants_at ? constants_at : WL_CONST_BASE;
	put(bank, at->constants, &constants, sizeof constants);
	put(bank, (uint16_t)(at->envreg + 4), workspace, sizeof workspace);
	put(bank, at->dynamic_shared, &l->dynamic_shared, 4);
	put(bank, at->grid_id, &grid_id, 8);
	put(bank, at->sms, &sms, 4);
	put_shared(g, at, bank);
	put_clusters(g, at, bank);
	put_parameters(g, at, bank);
}

uint32_t constants_bytes(const struct wl_program *p)
{
	const uint32_t end = (p->param_base + p->param_bytes + 7) & ~7u;
	return end > WL_CB0_SIZE ? end : WL_CB0_SIZE;
}

void constants_fill(struct wl_gpu *g, const struct wl_launch *l)
{
	uint8_t *bank = block_at(g, g->at_cbank0);
	const uint64_t shared = WL_SHARED_WINDOW, local = WL_LOCAL_WINDOW;
	const struct wl_cb0_layout *at = wl_cb0_layout(g->config.arch);
	put(bank, at->ntid_x, g->block, sizeof g->block);
	put(bank, at->nctaid_x, g->grid, sizeof g->grid);
	put(bank, at->stack, &g->local_bytes, 4);
	put(bank, at->shared_window, &shared, sizeof shared);
	put(bank, at->local_window, &local, sizeof local);
	put_specials(g, l, bank);
	if (g->program->param_bytes)
		memcpy(bank + g->program->param_base, l->params, g->program->param_bytes);
}

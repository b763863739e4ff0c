// SPDX-License-Identifier: Apache-2.0
/* observe_values.c -- values of memory before and after an instruction: has the instruction stored? */
#include "observe_event.h"

static bool compares(enum wl_uop u)
{
	return u == WL_UOP_ATOMS_CAS || u == WL_UOP_ATOMG_CAS || u == WL_UOP_ATOM_CAS;
}

void note_expected(const struct exec *x, struct expected *c)
{
	c->is_cas = compares((enum wl_uop)x->in->uop) && x->in->rd != WL_RZ;
	for (unsigned k = 0; c->is_cas && k * 4 < x->in->size && k < 4; k++) {
		if (x->in->rb == WL_RZ)
			memset(c->w[k], 0, sizeof c->w[k]);
		else
			memcpy(c->w[k], x->r[x->in->rb + k], sizeof c->w[k]);
	}
}

uint32_t stored_of(const struct exec *x, const struct expected *c, uint32_t lanes)
{
	uint32_t stored = lanes;
	if (x->in->uop == WL_UOP_ATOMS_CAST)
		for (uint32_t m = x->in->rd == WL_RZ ? 0 : lanes; m; m &= m - 1)
			stored &= x->r[x->in->rd][lowest(m)] ? ALL_LANES : ~(1u << lowest(m));
	if (x->in->uop == WL_UOP_ATOMS_CAST_P || x->in->uop == WL_UOP_ATOM_CAST)
		stored &= x->in->pd[0] == WL_PT ? ALL_LANES : x->w->preds[x->in->pd[0]];
	for (unsigned k = 0; c->is_cas && k * 4 < x->in->size && x->in->rd + k < WL_RZ; k++)
		for (uint32_t m = lanes; m; m &= m - 1)
			if (x->r[x->in->rd + k][lowest(m)] != c->w[k][lowest(m)])
				stored &= ~(1u << lowest(m));
	return stored;
}

/* Bytes [from, from + n) of `at` stand at mem. */
struct host {
	uint64_t from, n;
	const uint8_t *mem;
};

static const uint8_t *host_at(const struct wl_gpu *g, uint64_t at, struct host *last)
{
	if (at - last->from < last->n)
		return last->mem + (at - last->from);
	const uint64_t from = shared_from(g);
	if (at < from) {
		*last = (struct host){0, from, g->gmem->mem};
	} else {
		const unsigned sm = (unsigned)((at - from) / g->config.shared_bytes);
		*last = (struct host){at_shared(g, sm, 0), g->config.shared_bytes, gpu_sm(g, sm)->units.smem.mem};
	}
	return last->mem + (at - last->from);
}

static bool lane_holds(const struct exec *x, unsigned lane, const uint8_t *there, unsigned size)
{
	uint32_t v[4] = {0};
	for (unsigned k = 0; k * 4 < size && x->in->rb != WL_RZ; k++)
		v[k] = x->r[x->in->rb + k][lane];
	return !memcmp(there, v, size);
}

uint32_t holds(const struct exec *x, const struct wl_seen *e)
{
	uint32_t lanes = 0, now;
	struct host last = {0, 0, NULL};
	const uint32_t *word = e->size == 4 && x->in->rb != WL_RZ ? x->r[x->in->rb] : NULL;
	if (e->atomic || !e->writes || e->size > 16 || x->in->uop == WL_UOP_USTG || x->in->uop == WL_UOP_STSM)
		return 0;
	for (uint32_t m = e->lanes; m; m &= m - 1) {
		const unsigned lane = lowest(m);
		const uint8_t *there = host_at(x->gpu, e->at[lane], &last);
		if (word) {
			memcpy(&now, there, sizeof now);
			lanes |= (uint32_t)(now == word[lane]) << lane;
		} else {
			lanes |= (uint32_t)lane_holds(x, lane, there, e->size) << lane;
		}
	}
	return lanes;
}

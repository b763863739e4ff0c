// SPDX-License-Identifier: Apache-2.0
/* replay.c -- the order log says what happens next; FRONT and the C units say with which values. */
#include "replay.h"

#include <stdio.h>
#include <stdlib.h>

enum { PENDING_PER_WARP = 8 }; /* WL_MAX_POSTED and one that returns a value, rounded up */

struct pending {
	bool used;
	uint32_t applied;
	struct wl_req req;
	struct wl_atoms_plan plan;
	struct wl_record rec;
};

struct wl_replay {
	struct wl_gpu *gpu;
	struct wl_source source;
	unsigned sms, warps;
	struct pending pending[]; /* [sms][warps][PENDING_PER_WARP], the last by request number */
};

static bool impossible(char *why, size_t whyn, const char *text)
{
	snprintf(why, whyn, "%s", text);
	return false;
}

struct wl_replay *wl_replay_create(struct wl_gpu *gpu, const struct wl_config *config)
{
	size_t n = (size_t)config->sms * config->warps_per_sm * PENDING_PER_WARP;
	struct wl_replay *r = calloc(1, sizeof *r + n * sizeof r->pending[0]);
	if (!r)
		return NULL;
	r->gpu = gpu;
	r->source = wl_gpu_source(gpu, NULL);
	r->sms = config->sms;
	r->warps = config->warps_per_sm;
	return r;
}

void wl_replay_free(struct wl_replay *r)
{
	free(r);
}

static struct pending *slot(struct wl_replay *r, const struct wl_order *o)
{
	return &r->pending[(o->sm * r->warps + o->warp) * PENDING_PER_WARP + o->n % PENDING_PER_WARP];
}

static bool accept(struct wl_replay *r, const struct wl_order *o, char *why, size_t whyn)
{
	struct pending *p = slot(r, o);
	if (p->used)
		return impossible(why, whyn, "too many requests of the warp are in flight");
	if (wl_gpu_step(r->gpu, o->sm, o->warp, o->lane, 0, why, whyn))
		return false;
	if (!wl_gpu_request(r->gpu, o->sm, o->warp, &p->req))
		return impossible(why, whyn, "the group does not stand at a request that can be accepted");
	if (p->req.tag.n != o->n || !(p->req.mask & 1u << o->lane))
		return impossible(why, whyn, "the warp stands at another request");
	p->used = true;
	p->applied = 0;
	wl_atoms_plan(wl_gpu_smem(r->gpu, o->sm), &p->req, &p->plan);
	wl_atoms_start(&p->req, &p->plan, &p->rec);
	r->source.accept(r->source.self, &p->req);
	return true;
}

static bool check_fault(const struct pending *p, const struct wl_order *o, char *why, size_t whyn)
{
	for (unsigned i = 0; i < WL_WARP_LANES; i++)
		if (o->lanes >> i & 1 && (!(p->plan.common.faulted >> i & 1) || p->plan.common.fault[i] != o->code))
			return impossible(why, whyn, "these lanes do not have this fault");
	return true;
}

static bool commit(struct wl_replay *r, struct pending *p, const struct wl_order *o, char *why, size_t whyn)
{
	if (o->lanes & ~(p->plan.common.ok & ~p->applied))
		return impossible(why, whyn, "these lanes fault, are not active or took effect before");
	wl_atoms_apply(wl_gpu_smem(r->gpu, o->sm), &p->req, &p->plan, o->lanes, &p->rec);
	p->applied |= o->lanes;
	return true;
}

static bool retire(struct wl_replay *r, struct pending *p, char *why, size_t whyn)
{
	if (p->applied != p->plan.common.ok)
		return impossible(why, whyn, "not all lanes have taken effect");
	wl_atoms_finish(&p->req, &p->plan, &p->rec);
	p->used = false;
	r->source.retire(r->source.self, &p->rec);
	return true;
}

bool wl_replay_event(struct wl_replay *r, const struct wl_order *o, char *why, size_t whyn)
{
	switch (o->kind) {
	case WL_ORDER_CTA:
		return wl_gpu_launch_cta(r->gpu, o->sm, o->slot, o->cta, why, whyn) == WL_OK;
	case WL_ORDER_END:
		return wl_gpu_end_cta(r->gpu, o->sm, o->slot, o->cta, why, whyn) == WL_OK;
	case WL_ORDER_STEP:
		return wl_gpu_step(r->gpu, o->sm, o->warp, o->lane, o->count, why, whyn) == WL_OK;
	default:
		break;
	}
	if (o->sm >= r->sms || o->warp >= r->warps || o->lane >= WL_WARP_LANES)
		return impossible(why, whyn, "there is no such SM, warp or lane");
	if (o->kind == WL_ORDER_ACCEPT)
		return accept(r, o, why, whyn);
	struct pending *p = slot(r, o);
	if (!p->used || p->req.tag.n != o->n)
		return impossible(why, whyn, "no such request is in flight");
	if (o->kind == WL_ORDER_FAULT)
		return check_fault(p, o, why, whyn);
	return o->kind == WL_ORDER_COMMIT ? commit(r, p, o, why, whyn) : retire(r, p, why, whyn);
}

// SPDX-License-Identifier: Apache-2.0
/* replay.c -- follows an order log. The log gives the next event; FRONT and the C units give the values.
 * Source: docs/spec/lockstep.md, "Order log". */
#include "replay.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	PENDING_PER_WARP = 8, /* WL_MAX_POSTED and a request with a result, rounded up */
	MAX_DUE = 64,
};

struct pending {
	bool used, waits;
	uint32_t applied;
	const struct wl_unit_ops *ops;
	struct wl_req req;
	union {
		struct wl_plan plan;
		uint64_t plan_words[WL_PLAN_MAX / 8];
	};
	struct wl_record rec;
};

/* A release fixed by the units, still to happen. */
struct due {
	unsigned sm;
	struct wl_released what;
};

struct wl_replay {
	struct wl_gpu *gpu;
	struct wl_source source;
	unsigned sms, warps, ndue;
	bool begun; /* something has happened */
	struct due due[MAX_DUE];
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
	r->source = wl_gpu_source(gpu, 1u << WL_UNIT_atoms_pipe, NULL);
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
	if (p->req.tag.n != o->n || (p->req.lane != o->lane && !(p->req.mask & 1u << o->lane)))
		return impossible(why, whyn, "the warp stands at another request");
	p->ops = wl_unit_ops(wl_req_unit(&p->req));
	if (!p->ops)
		return impossible(why, whyn, "the C model does not have this unit");
	p->used = true;
	p->waits = false;
	p->applied = 0;
	p->ops->plan(wl_gpu_units(r->gpu, o->sm), &p->req, &p->plan, &p->rec);
	r->source.accept(r->source.self, &p->req);
	return true;
}

static struct wl_event event_of(const struct pending *p, enum wl_event_kind kind, const struct wl_order *o)
{
	return (struct wl_event){.kind = kind,
	                         .unit = wl_req_unit(&p->req),
	                         .tag = p->req.tag,
	                         .lanes = o->lanes,
	                         .fault = (enum wl_fault)o->code};
}

/* After a step of the units: collects the releases fixed by the step. */
static bool collect(struct wl_replay *r, unsigned sm, char *why, size_t whyn)
{
	struct due d = {.sm = sm};
	while (wl_units_released(wl_gpu_units(r->gpu, sm), &d.what)) {
		if (r->ndue == MAX_DUE)
			return impossible(why, whyn, "too many releases are due");
		r->due[r->ndue++] = d;
	}
	return true;
}

/* Returns the lanes that fault at their turn to take effect. */
static uint32_t apply(struct wl_replay *r, struct pending *p, const struct wl_event *e)
{
	if (r->source.applies)
		r->source.applies(r->source.self, &p->req, e->lanes, p->applied);
	const uint32_t faults = p->ops->apply(wl_gpu_units(r->gpu, e->tag.sm), &p->req, &p->plan, e, &p->rec);
	p->applied |= e->lanes;
	if (p->plan.waits && p->rec.committed && !(p->plan.ok & ~p->applied) && !p->waits) {
		p->waits = true;
		if (r->source.waits)
			r->source.waits(r->source.self, &p->req.tag);
	}
	return faults;
}

/* Lanes fault by themselves, or at the turn to take effect: then in the place of the COMMIT. */
static bool fault(struct wl_replay *r, struct pending *p, const struct wl_order *o, char *why, size_t whyn)
{
	const struct wl_event e = event_of(p, WL_EV_FAULT, o);
	uint32_t faults = p->plan.faulted;
	const uint8_t *code = p->plan.fault;
	if (o->lanes && !(o->lanes & ~(p->plan.ok & ~p->applied))) {
		faults = apply(r, p, &e);
		code = p->rec.fault;
	}
	for (unsigned i = 0; i < WL_WARP_LANES; i++)
		if (o->lanes >> i & 1 && (!(faults >> i & 1) || code[i] != o->code))
			return impossible(why, whyn, "these lanes do not have this fault");
	r->source.fault(r->source.self, &p->req.tag);
	return collect(r, o->sm, why, whyn);
}

static bool commit(struct wl_replay *r, struct pending *p, const struct wl_order *o, char *why, size_t whyn)
{
	const struct wl_event e = event_of(p, WL_EV_COMMIT, o);
	if (o->lanes & ~(p->plan.ok & ~p->applied))
		return impossible(why, whyn, "these lanes fault, are not active or took effect before");
	if (p->plan.whole && o->lanes != p->plan.ok)
		return impossible(why, whyn, "its lanes take effect together");
	if (apply(r, p, &e))
		return impossible(why, whyn, "these lanes fault in their turn");
	return collect(r, o->sm, why, whyn);
}

static bool finish(struct wl_replay *r, struct pending *p, char *why, size_t whyn)
{
	if (p->plan.ok & ~p->applied)
		return impossible(why, whyn, "not all lanes have taken effect");
	p->ops->finish(wl_gpu_units(r->gpu, p->req.tag.sm), &p->req, &p->plan, &p->rec);
	p->used = p->waits = false;
	r->source.retire(r->source.self, &p->rec);
	return true;
}

static bool retire(struct wl_replay *r, struct pending *p, char *why, size_t whyn)
{
	return p->waits ? impossible(why, whyn, "the request waits") : finish(r, p, why, whyn);
}

static bool leave(struct wl_replay *r, struct pending *p, const struct wl_order *o, char *why, size_t whyn)
{
	struct wl_event e = event_of(p, WL_EV_EXIT, o);
	if (wl_req_unit(&p->req) != WL_UNIT_sync_core || p->applied)
		return impossible(why, whyn, "the request is no EXIT, or took effect before");
	apply(r, p, &e);
	p->applied = p->plan.ok;
	return collect(r, o->sm, why, whyn);
}

static bool give_up(struct wl_replay *r, struct pending *p, const struct wl_order *o, char *why, size_t whyn)
{
	const struct wl_event e = event_of(p, WL_EV_CHOICE, o);
	if (!p->waits || !p->plan.gives_up)
		return impossible(why, whyn, "the request does not wait for something that it can give up");
	p->ops->apply(wl_gpu_units(r->gpu, o->sm), &p->req, &p->plan, &e, &p->rec);
	return finish(r, p, why, whyn);
}

static struct pending *waiting(struct wl_replay *r, unsigned sm, unsigned warp)
{
	for (unsigned i = 0; i < PENDING_PER_WARP && warp < r->warps; i++) {
		struct pending *p = &r->pending[(sm * r->warps + warp) * PENDING_PER_WARP + i];
		if (p->used && p->waits)
			return p;
	}
	return NULL;
}

static bool release(struct wl_replay *r, const struct wl_order *o, char *why, size_t whyn)
{
	unsigned i = 0;
	while (i < r->ndue &&
	       (r->due[i].sm != o->sm || r->due[i].what.unit != o->unit || r->due[i].what.slot != o->slot ||
	        r->due[i].what.id != o->id || r->due[i].what.warps != o->warps))
		i++;
	if (i == r->ndue)
		return impossible(why, whyn, "these warps are not due");
	const struct wl_released what = r->due[i].what;
	for (unsigned k = i + 1; k < r->ndue; k++)
		r->due[k - 1] = r->due[k];
	r->ndue--;
	for (uint64_t left = what.warps; left; left &= left - 1) {
		struct pending *p = waiting(r, o->sm, (unsigned)__builtin_ctzll(left));
		if (!p)
			return impossible(why, whyn, "one of these warps does not wait");
		if (p->ops->answer)
			p->ops->answer(wl_gpu_units(r->gpu, o->sm), &p->req, &p->plan, &what, &p->rec);
		if (!finish(r, p, why, whyn))
			return false;
	}
	return true;
}

static bool land(struct wl_replay *r, const struct wl_order *o, char *why, size_t whyn)
{
	if (wl_gpu_land(r->gpu, o->sm, o->id, o->code, o->addr, o->bytes, why, whyn))
		return false;
	return collect(r, o->sm, why, whyn);
}

static bool request_event(struct wl_replay *r, struct pending *p, const struct wl_order *o, char *why, size_t whyn)
{
	switch (o->kind) {
	case WL_ORDER_FAULT:
		return fault(r, p, o, why, whyn);
	case WL_ORDER_COMMIT:
		return commit(r, p, o, why, whyn);
	case WL_ORDER_EXIT:
		return leave(r, p, o, why, whyn);
	case WL_ORDER_CHOICE:
		return give_up(r, p, o, why, whyn);
	default:
		return retire(r, p, why, whyn);
	}
}

static bool units(struct wl_replay *r, const struct wl_order *o, char *why, size_t whyn)
{
	if (r->begun)
		return impossible(why, whyn, "units are named before anything happens");
	r->source = wl_gpu_source(r->gpu, o->lanes, NULL);
	return true;
}

bool wl_replay_event(struct wl_replay *r, const struct wl_order *o, char *why, size_t whyn)
{
	if (o->kind == WL_ORDER_UNITS)
		return units(r, o, why, whyn);
	r->begun = true;
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
	if (o->kind == WL_ORDER_RELEASE)
		return release(r, o, why, whyn);
	if (o->kind == WL_ORDER_LAND)
		return land(r, o, why, whyn);
	struct pending *p = slot(r, o);
	if (!p->used || p->req.tag.n != o->n)
		return impossible(why, whyn, "no such request is in flight");
	return request_event(r, p, o, why, whyn);
}

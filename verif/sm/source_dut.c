// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "source_dut.h"

static struct wl_plan *plan_of(struct flight *f)
{
	return (struct wl_plan *)f->plan;
}

/* The end of a warp; other EXITs are requests of `convergence`. */
static bool is_exit(const struct flight *f)
{
	return wl_req_unit(&f->req) == WL_UNIT_sync_core;
}

/* Requests without operands of lanes: the RTL gets one header alone (docs/units/convergence.md). */
static bool is_header(const struct wl_req *req)
{
	switch (req->inst.uop) {
	case WL_UOP_BSSY:
	case WL_UOP_BSYNC:
	case WL_UOP_BREAK:
	case WL_UOP_YIELD:
	case WL_UOP_EXIT:
		return true;
	default:
		return wl_req_unit(req) == WL_UNIT_barrier_file || wl_req_unit(req) == WL_UNIT_fence_unit ||
		       wl_req_unit(req) == WL_UNIT_cluster_barrier;
	}
}

static void take(struct dut *d)
{
	struct flight *f = &d->in[d->n];
	if (d->n == MOST || d->source.next(d->source.self, 0, &f->req) != WL_OFFER_REQ)
		return;
	const enum wl_unit unit = wl_req_unit(&f->req);
	d->seen[unit]++;
	assert_int_equal(f->req.header, is_header(&f->req));
	f->ops = wl_unit_ops(unit);
	assert_non_null(f->ops);
	assert_true(f->ops->plan_bytes <= WL_PLAN_MAX);
	f->passes = 0;
	f->applied = 0;
	f->exited = false;
	f->ops->plan(wl_gpu_units(d->k->gpu, 0), &f->req, plan_of(f), &f->rec);
	d->source.accept(d->source.self, &f->req);
	d->n++;
}

static void retire(struct dut *d, unsigned i)
{
	struct flight f = d->in[i];
	memmove(&d->in[i], &d->in[i + 1], (--d->n - i) * sizeof f);
	f.ops->finish(wl_gpu_units(d->k->gpu, 0), &f.req, (const struct wl_plan *)f.plan, &f.rec);
	d->source.retire(d->source.self, &f.rec);
}

/* Barriers, fences and exits come after every older request of the warp. */
static bool held(const struct dut *d, unsigned i)
{
	const enum wl_unit unit = wl_uop_unit(d->in[i].req.inst.uop);
	if (!is_exit(&d->in[i]) && unit != WL_UNIT_barrier_file && unit != WL_UNIT_fence_unit &&
	    unit != WL_UNIT_cluster_barrier)
		return false;
	for (unsigned j = 0; j < d->n; j++)
		if (d->in[j].req.tag.warp == d->in[i].req.tag.warp && d->in[j].req.tag.n < d->in[i].req.tag.n)
			return true;
	return false;
}

/* A retire record for each warp released by a complete count. */
static void releases(struct dut *d)
{
	struct wl_released r;
	while (wl_units_released(wl_gpu_units(d->k->gpu, 0), &r))
		for (; r.warps; r.warps &= r.warps - 1) {
			unsigned i = 0;
			while (i < d->n && (d->in[i].req.tag.warp != (unsigned)__builtin_ctzll(r.warps) ||
			                    !plan_of(&d->in[i])->waits))
				i++;
			assert_true(i < d->n); /* a released warp waits */
			retire(d, i);
		}
}

/* Advances request i by an event; false: no event is possible. */
static bool act(struct dut *d, unsigned i)
{
	struct flight *f = &d->in[i];
	struct wl_plan *p = plan_of(f);
	const bool exits = is_exit(f) && !f->exited;
	if (held(d, i))
		return false;
	if (exits || f->passes < p->passes) {
		const struct wl_event ev = {.kind = exits ? WL_EV_EXIT : WL_EV_COMMIT,
		                            .unit = exits ? WL_UNIT_sync_core : wl_uop_unit(f->req.inst.uop),
		                            .tag = f->req.tag,
		                            .lanes = exits ? 0 : p->pass_lanes[f->passes]};
		f->exited |= exits;
		f->passes += !exits;
		if (!exits)
			d->source.applies(d->source.self, &f->req, ev.lanes, f->applied);
		f->applied |= ev.lanes;
		f->ops->apply(wl_gpu_units(d->k->gpu, 0), &f->req, p, &ev, &f->rec);
		if (p->waits && !f->rec.faulted)
			d->source.waits(d->source.self, &f->req.tag);
		releases(d);
		return true;
	}
	if (p->waits && !f->rec.faulted)
		return false; /* parked */
	retire(d, i);
	return true;
}

enum wl_outcome dut_run(struct kernel *k, struct dut *d, uint32_t units, uint64_t seed)
{
	kernel_start(k);
	memset(d, 0, sizeof *d);
	d->k = k;
	d->rng = rng_seed(seed, 0);
	d->source = wl_gpu_source(k->gpu, units, NULL);
	for (unsigned quiet = 0; quiet < 64;) {
		bool any;
		const unsigned before = d->n;
		const uint64_t issued = wl_gpu_warp_instructions(k->gpu);
		take(d);
		any = d->n != before || wl_gpu_warp_instructions(k->gpu) != issued;
		for (unsigned turns = d->n ? rng_below(&d->rng, 3) : 0; turns && d->n; turns--)
			any |= act(d, rng_below(&d->rng, d->n));
		for (unsigned i = 0; !any && i < d->n && wl_gpu_outcome(k->gpu) == WL_RUNNING; i++)
			any |= act(d, i);
		quiet = any ? 0 : quiet + 1;
		if (quiet == 63 && d->n)
			d->source.stuck(d->source.self);
	}
	wl_gpu_detail(k->gpu, k->detail, sizeof k->detail);
	return wl_gpu_outcome(k->gpu);
}

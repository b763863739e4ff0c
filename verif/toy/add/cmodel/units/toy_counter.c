// SPDX-License-Identifier: Apache-2.0
/* toy_counter.c -- a counter with a wait, for the test of docs/adding.md. */
#include "warplock/units.h"

static uint16_t operand(const struct wl_req *req)
{
	return (uint16_t)wl_req_source(req, 0, wl_lowest(req->mask));
}

static void open_slot(struct wl_units *u, const struct wl_cta_start *start)
{
	u->toy_counter.count[start->slot] = 0;
	u->toy_counter.waiting[start->slot] = 0;
}

static void plan(const struct wl_units *u, const struct wl_req *req, struct wl_plan *p, struct wl_record *rec)
{
	(void)u;
	wl_plan_all(req, p, rec);
	p->waits = p->gives_up = req->inst.uop == WL_UOP_TOY_WAIT;
}

/* The counter has come to `now`: warps waiting for `now` or less go on. */
static void release(struct wl_toy_counter *t, unsigned slot)
{
	uint64_t go = 0;
	for (uint64_t left = t->waiting[slot]; left; left &= left - 1) {
		const unsigned w = (unsigned)__builtin_ctzll(left);
		if (t->least[w] <= t->count[slot])
			go |= UINT64_C(1) << w;
	}
	t->waiting[slot] &= ~go;
	t->due = go != 0;
	t->release = (struct wl_released){
	        .unit = WL_UNIT_toy_counter, .slot = (uint16_t)slot, .warps = go, .value = t->count[slot]};
}

static uint32_t add(struct wl_toy_counter *t, const struct wl_req *req, struct wl_record *rec)
{
	const unsigned slot = req->tag.slot, n = operand(req), old = t->count[slot];
	if (old + n > UINT16_MAX)
		return wl_fault_lanes(rec, req->mask, WL_FAULT_TOY_OVERFLOW);
	t->count[slot] = (uint16_t)(old + n);
	for (uint32_t left = req->inst.rd == WL_RZ ? 0 : req->mask; left; left &= left - 1)
		rec->result[wl_lowest(left)].w[0] = old;
	rec->written = req->inst.rd == WL_RZ ? 0 : req->mask;
	rec->committed = req->mask;
	release(t, slot);
	return 0;
}

static void answered(struct wl_record *rec, bool yes)
{
	rec->pred_written = rec->mask;
	rec->preds = yes ? rec->mask : 0;
}

static void wait(struct wl_toy_counter *t, const struct wl_req *req, struct wl_plan *p, struct wl_record *rec)
{
	const unsigned slot = req->tag.slot, n = operand(req);
	rec->committed = req->mask;
	if (t->count[slot] >= n) {
		p->waits = false;
		answered(rec, true);
		return;
	}
	t->least[req->tag.warp] = (uint16_t)n;
	t->waiting[slot] |= UINT64_C(1) << req->tag.warp;
}

static uint32_t apply(struct wl_units *u, const struct wl_req *req, struct wl_plan *p, const struct wl_event *ev,
                      struct wl_record *rec)
{
	struct wl_toy_counter *t = &u->toy_counter;
	if (ev->kind == WL_EV_CHOICE) {
		t->waiting[req->tag.slot] &= ~(UINT64_C(1) << req->tag.warp);
		answered(rec, false);
		return 0;
	}
	if (req->inst.uop == WL_UOP_TOY_ADD)
		return add(t, req, rec);
	wait(t, req, p, rec);
	return 0;
}

static bool released(struct wl_units *u, struct wl_released *r)
{
	const bool due = u->toy_counter.due;
	u->toy_counter.due = false;
	*r = u->toy_counter.release;
	return due;
}

static void answer(const struct wl_units *u, const struct wl_req *req, const struct wl_plan *p,
                   const struct wl_released *r, struct wl_record *rec)
{
	(void)u, (void)req, (void)p, (void)r;
	answered(rec, true);
}

const struct wl_unit_ops wl_toy_counter_ops = {.plan_bytes = sizeof(struct wl_plan),
                                               .open = open_slot,
                                               .plan = plan,
                                               .apply = apply,
                                               .released = released,
                                               .answer = answer,
                                               .finish = wl_finish_plain};

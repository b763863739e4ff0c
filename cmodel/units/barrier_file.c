// SPDX-License-Identifier: Apache-2.0
/* barrier_file.c -- named barriers: arrivals, waits, completion of phases.
 * Source: docs/spec/barriers.md, "Counts"; docs/spec/barriers.md, "Faults"; docs/spec/barriers.md, "Completion". */
#include "warplock/barrier_file.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "warplock/units.h"

void wl_bar_open(struct wl_barrier_file *f, unsigned slot, unsigned warps)
{
	f->cta[slot] = (struct wl_bar_cta){.open = true, .warps = (uint8_t)warps, .live = (uint8_t)warps};
}

void wl_bar_close(struct wl_barrier_file *f, unsigned slot)
{
	f->cta[slot].open = false;
}

enum wl_fault wl_bar_check(const struct wl_barrier_file *f, unsigned slot, const struct wl_bar_arrival *a)
{
	const struct wl_bar_cta *cta = &f->cta[slot];
	if (!cta->open)
		return WL_FAULT_SLOT_CLOSED;
	if (a->id >= WL_NAMED_BARS)
		return WL_FAULT_BAR_BAD_ID;
	if (a->count % WL_WARP_LANES || a->count > cta->warps * (uint32_t)WL_WARP_LANES ||
	    (!a->count && a->op == WL_BAR_ARV))
		return WL_FAULT_BAR_BAD_COUNT;
	return WL_FAULT_NONE;
}

static uint8_t mode_of(const struct wl_bar_arrival *a)
{
	return a->op == WL_BAR_RED ? (uint8_t)(1 + a->red) : 0;
}

/* Faults depending on earlier arrivals. */
static enum wl_fault meets(const struct wl_named_bar *bar, unsigned count, const struct wl_bar_arrival *a,
                           uint64_t warp)
{
	if (!bar->arrived)
		return WL_FAULT_NONE;
	if (bar->count != count)
		return WL_FAULT_BAR_COUNT_MISMATCH;
	if (bar->mode != mode_of(a))
		return WL_FAULT_BAR_MODE_MISMATCH;
	return bar->arrived & warp ? WL_FAULT_BAR_DOUBLE_ARRIVE : WL_FAULT_NONE;
}

/* A phase without a count waits for the live warps. */
static unsigned expected(const struct wl_bar_cta *cta, const struct wl_named_bar *bar)
{
	return bar->counted ? bar->count : cta->live;
}

unsigned wl_bar_missing(const struct wl_bar_cta *cta, unsigned id)
{
	const struct wl_named_bar *bar = &cta->bar[id];
	const unsigned need = expected(cta, bar);
	return bar->here < need ? need - bar->here : 0;
}

static uint32_t reduced(const struct wl_named_bar *bar)
{
	switch (bar->mode) {
	case 1 + WL_RED_POPC:
		return bar->yes;
	case 1 + WL_RED_AND:
		return bar->all;
	case 1 + WL_RED_OR:
		return bar->yes != 0;
	default:
		return 0;
	}
}

static void note_past(struct wl_bar_past *past, const struct wl_named_bar *bar)
{
	const unsigned at = bar->phase % WL_BAR_PAST;
	past->who[at] = bar->arrived;
	past->attended = (uint8_t)((past->attended & ~(1u << at)) | (unsigned)(bar->waiting != 0) << at);
	if (bar->waiting)
		return;
	past->unattended++;
	past->last_unattended = bar->arrived;
}

/* Ends the phase when no warp is missing. */
static void complete(struct wl_barrier_file *f, unsigned slot, unsigned id, struct wl_released *r)
{
	struct wl_named_bar *bar = &f->cta[slot].bar[id];
	if (!bar->arrived || wl_bar_missing(&f->cta[slot], id))
		return;
	*r = (struct wl_released){.unit = WL_UNIT_barrier_file,
	                          .slot = (uint16_t)slot,
	                          .id = (uint16_t)id,
	                          .phase = bar->phase,
	                          .warps = bar->waiting,
	                          .value = reduced(bar)};
	for (uint64_t m = bar->mode ? bar->waiting : 0; m; m &= m - 1)
		f->result[__builtin_ctzll(m)] = (uint16_t)r->value;
	note_past(&f->cta[slot].past[id], bar);
	*bar = (struct wl_named_bar){.phase = (uint16_t)(bar->phase + 1)};
}

enum wl_fault wl_bar_arrive(struct wl_barrier_file *f, unsigned slot, unsigned warp, const struct wl_bar_arrival *a,
                            struct wl_released *r)
{
	struct wl_bar_cta *cta = &f->cta[slot];
	struct wl_named_bar *bar = &cta->bar[a->id];
	const uint64_t bit = UINT64_C(1) << warp;
	const unsigned count = a->count ? a->count / WL_WARP_LANES : cta->warps;
	const enum wl_fault fault = meets(bar, count, a, bit);
	r->warps = 0;
	if (fault != WL_FAULT_NONE)
		return fault;
	if (!bar->arrived) {
		bar->count = (uint8_t)count;
		bar->mode = mode_of(a);
		bar->all = true;
	}
	bar->arrived |= bit;
	bar->here++;
	bar->waiting |= a->op == WL_BAR_ARV ? 0 : bit;
	bar->counted |= a->count != 0;
	if (bar->mode) {
		bar->yes = (uint16_t)(bar->yes + (unsigned)__builtin_popcount(a->yes & a->live));
		bar->all &= (a->yes & a->live) == a->live;
	}
	complete(f, slot, a->id, r);
	return WL_FAULT_NONE;
}

void wl_bar_exit(struct wl_barrier_file *f, unsigned slot, struct wl_released *r)
{
	struct wl_bar_cta *cta = &f->cta[slot];
	r->warps = 0;
	if (!cta->open || !cta->live || !--cta->live)
		return;
	for (unsigned id = 0; id < WL_NAMED_BARS && !r->warps; id++)
		complete(f, slot, id, r);
}

/* ---- behind the interface ---- */

static void open_cta(struct wl_units *u, const struct wl_cta_start *start)
{
	wl_bar_open(&u->barrier_file, start->slot, start->warps);
}

static void close_cta(struct wl_units *u, unsigned slot)
{
	wl_bar_close(&u->barrier_file, slot);
}

/* .HI: id and count come from one register. Lane 0 holds the operands of a header-only request. */
static struct wl_bar_arrival arrival_of(const struct wl_req *req)
{
	const uint32_t a = (uint32_t)wl_req_source(req, 0, 0);
	const bool packed = req->inst.flags & WL_F_HI;
	return (struct wl_bar_arrival){.op = req->inst.op,
	                               .red = req->inst.type,
	                               .id = packed ? a & 0xffff : a,
	                               .count = packed ? a >> 16 : (uint32_t)wl_req_source(req, 1, 0),
	                               .live = req->mask,
	                               .yes = req->pred & req->mask};
}

static void plan(const struct wl_units *u, const struct wl_req *req, struct wl_plan *p, struct wl_record *rec)
{
	wl_plan_all(req, p, rec);
	if (req->inst.uop == WL_UOP_B2R)
		return;
	const struct wl_bar_arrival a = arrival_of(req);
	const enum wl_fault fault = wl_bar_check(&u->barrier_file, req->tag.slot, &a);
	p->waits = a.op != WL_BAR_ARV;
	p->wait_id = (uint16_t)a.id;
	if (fault != WL_FAULT_NONE)
		wl_plan_fault(req, p, fault);
}

static void fix(struct wl_barrier_file *f, const struct wl_released *r)
{
	if (!r->warps)
		return;
	assert(f->nfixed < WL_BAR_FIXED && "a warp waits at one barrier");
	f->fixed[f->nfixed++] = *r;
}

static void read_result(const struct wl_barrier_file *f, const struct wl_req *req, struct wl_record *rec)
{
	const uint32_t value = f->result[req->tag.warp];
	rec->written = req->inst.rd == WL_RZ ? 0 : req->mask;
	for (uint32_t m = rec->written; m; m &= m - 1)
		rec->result[wl_lowest(m)].w[0] = value;
	rec->pred_written = req->inst.pd[0] == WL_PT ? 0 : req->mask;
	rec->preds = value ? rec->pred_written : 0;
}

static uint32_t apply(struct wl_units *u, const struct wl_req *req, struct wl_plan *p, const struct wl_event *ev,
                      struct wl_record *rec)
{
	struct wl_barrier_file *f = &u->barrier_file;
	struct wl_released r;
	(void)p;
	assert(ev->lanes == req->mask && "a warp arrives as a whole");
	if (req->inst.uop == WL_UOP_B2R) {
		read_result(f, req, rec);
	} else {
		const struct wl_bar_arrival a = arrival_of(req);
		const enum wl_fault fault = wl_bar_arrive(f, req->tag.slot, req->tag.warp, &a, &r);
		if (fault != WL_FAULT_NONE)
			return wl_fault_lanes(rec, req->mask, fault);
		fix(f, &r);
	}
	rec->committed |= ev->lanes;
	return 0;
}

static void event(struct wl_units *u, const struct wl_event *ev)
{
	struct wl_released r;
	if (ev->kind != WL_EV_EXIT)
		return;
	wl_bar_exit(&u->barrier_file, ev->tag.slot, &r);
	fix(&u->barrier_file, &r);
}

static bool released(struct wl_units *u, struct wl_released *r)
{
	struct wl_barrier_file *f = &u->barrier_file;
	if (!f->nfixed)
		return false;
	*r = f->fixed[0];
	memmove(f->fixed, f->fixed + 1, --f->nfixed * sizeof f->fixed[0]);
	return true;
}

static bool same_bar(const struct wl_named_bar *a, const struct wl_named_bar *b)
{
	return a->arrived == b->arrived && a->waiting == b->waiting &&
	       (!a->arrived || (a->count == b->count && a->mode == b->mode && a->counted == b->counted &&
	                        (!a->mode || (a->yes == b->yes && a->all == b->all))));
}

/* dut: a struct wl_barrier_file with the fields of the status port. Phases are not set. */
static bool compare(const struct wl_units *u, const void *dut, char *why, size_t n)
{
	const struct wl_barrier_file *ref = &u->barrier_file, *other = dut;
	for (unsigned slot = 0; slot < WL_MAX_CTAS; slot++)
		for (unsigned id = 0; id < WL_NAMED_BARS && ref->cta[slot].open; id++) {
			const struct wl_named_bar *a = &ref->cta[slot].bar[id], *b = &other->cta[slot].bar[id];
			if (same_bar(a, b))
				continue;
			snprintf(why, n,
			         "barrier %u of CTA slot %u: warps 0x%llx arrived, 0x%llx wait, count %u, mode %u; "
			         "REF has 0x%llx, 0x%llx, %u, %u",
			         id, slot, (unsigned long long)b->arrived, (unsigned long long)b->waiting, b->count,
			         b->mode, (unsigned long long)a->arrived, (unsigned long long)a->waiting, a->count,
			         a->mode);
			return false;
		}
	return true;
}

static void explain(const struct wl_units *u, unsigned slot, void (*line)(void *self, const char *text), void *self)
{
	static const char *const modes[] = {"sync", "red.popc", "red.and", "red.or"};
	const struct wl_bar_cta *cta = &u->barrier_file.cta[slot];
	char text[160];
	for (unsigned id = 0; id < WL_NAMED_BARS && cta->open; id++) {
		const struct wl_named_bar *bar = &cta->bar[id];
		if (!bar->arrived)
			continue;
		snprintf(text, sizeof text, "barrier %u (%s): %u of %u warps arrived, warps 0x%llx wait", id,
		         modes[bar->mode], bar->here, expected(cta, bar), (unsigned long long)bar->waiting);
		line(self, text);
	}
}

const struct wl_unit_ops wl_barrier_file_ops = {.plan_bytes = sizeof(struct wl_plan),
                                                .open = open_cta,
                                                .close = close_cta,
                                                .plan = plan,
                                                .apply = apply,
                                                .event = event,
                                                .released = released,
                                                .finish = wl_finish_plain,
                                                .compare = compare,
                                                .explain = explain};

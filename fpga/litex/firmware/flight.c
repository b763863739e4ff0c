// SPDX-License-Identifier: Apache-2.0
#include "flight.h"

#include <string.h>

#include "core.h"

struct tally tally;
static struct flight flight[FLIGHTS];
static struct shim_out shown;
static const struct shim_in ready = {.rsp_ready = 1, .mem.req_ready = 1};

void flights_start(bool replay)
{
	tally = (struct tally){.hash = {HASH_START, HASH_START}, .replay = replay};
	for (unsigned i = 0; i < FLIGHTS; i++)
		flight[i].busy = false;
	waits_start();
}

struct flight *flights_free(void)
{
	for (unsigned i = 0; i < FLIGHTS; i++)
		if (!flight[i].busy)
			return &flight[i];
	return NULL;
}

bool flights_some(void)
{
	for (unsigned i = 0; i < FLIGHTS; i++)
		if (flight[i].busy)
			return true;
	return false;
}

bool flights_block(unsigned warp)
{
	for (unsigned i = 0; i < FLIGHTS; i++)
		if (flight[i].busy && flight[i].req.tag.warp == warp && !flight[i].req.posted)
			return true;
	return false;
}

bool flights_name(unsigned slot)
{
	for (unsigned i = 0; i < FLIGHTS; i++)
		if (flight[i].busy && flight[i].req.tag.slot == slot)
			return true;
	return false;
}

void flight_send(struct flight *f)
{
	f->busy = true;
	f->ops = wl_unit_ops((enum wl_unit)f->entry->unit);
	memset(&f->dut, 0, sizeof f->dut);
	f->ops->plan(&units, &f->req, &f->plan, &f->ref);
	request_send(&f->req);
}

/* ---- events of the core ---- */

/* NULL: the core names a request that is not in flight, which is a difference. */
static struct flight *find(uint32_t tag)
{
	for (unsigned i = 0; i < FLIGHTS; i++)
		if (flight[i].busy && core_tag(&flight[i].req.tag) == tag)
			return &flight[i];
	hash_add(&tally.hash[DUT], tag);
	if (tally.replay && !tally.told) {
		tally.told = true;
		line_say("MISMATCH    protocol: warp %lu, n=%lu is not in flight", (unsigned long)(tag >> 16),
		         (unsigned long)(tag & 0xffff));
	}
	return NULL;
}

/* Lanes named by the event take effect, or fault in their turn; lanes with a turn before are left out. */
static void step(struct flight *f, const struct shim_event *e)
{
	const uint32_t to_come = f->plan.ok & ~f->ref.committed & ~f->ref.faulted;
	struct wl_event ev = {.kind = (enum wl_event_kind)e->kind,
	                      .unit = (enum wl_unit)f->entry->unit,
	                      .tag = f->req.tag,
	                      .lanes = e->kind == WL_EV_EXIT ? to_come : e->lanes & to_come,
	                      .value = e->value};
	const bool ends = f->entry->unit == WL_UNIT_sync_core;
	if (!ev.lanes || ends != (e->kind == WL_EV_EXIT) || (f->plan.whole && ev.lanes != f->plan.ok))
		return;
	f->ops->apply(&units, &f->req, &f->plan, &ev, &f->ref);
	releases_collect();
}

static void on_event(const struct shim_event *e)
{
	if (e->kind == WL_EV_RELEASE) {
		wait_release(e);
		return;
	}
	if (e->kind == WL_EV_CHOICE) {
		wait_gives_up(e);
		return;
	}
	struct flight *f = find(e->tag);
	if (!f)
		return;
	const uint32_t lanes = e->kind == WL_EV_EXIT ? f->req.mask : e->lanes;
	if (e->kind == WL_EV_COMMIT && f->dut.commits < WL_WARP_LANES)
		f->dut.pass_lanes[f->dut.commits++] = lanes;
	if (e->kind != WL_EV_FAULT)
		f->dut.committed |= lanes;
	step(f, e);
	if (f->plan.waits && f->ref.committed && !(f->plan.ok & ~f->ref.committed & ~f->ref.faulted)) {
		wait_begin(f);
		f->busy = false;
	}
}

static void take_faults(struct seen *d, const struct shim_rsp *r, uint32_t lanes, unsigned first, bool one)
{
	for (uint32_t left = r->any_fault ? lanes : 0; left; left &= left - 1) {
		const unsigned l = wl_lowest(left), code = r->fault[one ? 0 : l - first];
		d->faulted |= (uint32_t)(code != 0) << l;
		d->fault[l] = (uint8_t)code;
	}
}

/* Lane 0 of the only beat of a header-only request stands for every active lane. */
static void take_header(struct flight *f, const struct shim_rsp *r)
{
	take_faults(&f->dut, r, f->req.mask, 0, true);
	f->dut.written = r->mask & 1 ? f->req.mask : 0;
	f->dut.preds = r->pred & 1 ? f->req.mask : 0;
	for (uint32_t left = f->dut.written; left; left &= left - 1)
		memcpy(f->dut.result[wl_lowest(left)].w, r->data, 16);
}

static void take_beat(struct flight *f, const struct shim_rsp *r)
{
	const unsigned lanes = dut.api.lanes, first = f->dut.beats++ * lanes;
	if (first >= WL_WARP_LANES)
		return;
	take_faults(&f->dut, r, ((1u << lanes) - 1) << first, first, false);
	f->dut.written |= r->mask << first;
	f->dut.preds |= r->pred << first;
	memcpy(f->dut.result[first].w, r->data, lanes * 16);
}

static void on_response(const struct shim_rsp *r)
{
	struct flight *f = find(r->tag);
	if (!f)
		return;
	if (f->req.header)
		take_header(f, r);
	else
		take_beat(f, r);
	f->dut.passes = r->passes;
	if (!r->last)
		return;
	f->ops->finish(&units, &f->req, &f->plan, &f->ref);
	if (f->ops->fill)
		f->ops->fill(&units, &f->req, &f->plan, &f->ref);
	f->busy = false;
	record_end(f);
}

void flights_look(void)
{
	while (dut.at < dut.nshots && !dut.gone[0] && !tally.told) {
		shown.nevents = shown.rsp_valid = 0; /* further fields are read only when shown */
		link_show(&dut, &ready, &shown);
		for (unsigned i = 0; i < shown.nevents; i++)
			on_event(&shown.event[i]);
		if (shown.rsp_valid)
			on_response(&shown.rsp[0]);
	}
}

void flights_silent(void)
{
	for (unsigned i = 0; i < FLIGHTS; i++)
		if (flight[i].busy)
			line_say("MISMATCH    silence: no record of warp %lu, n=%lu, %s, mask 0x%08lx, committed "
			         "0x%08lx",
			         (unsigned long)flight[i].req.tag.warp, (unsigned long)flight[i].req.tag.n,
			         flight[i].entry->text, (unsigned long)flight[i].req.mask,
			         (unsigned long)flight[i].dut.committed);
}

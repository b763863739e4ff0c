// SPDX-License-Identifier: Apache-2.0
/* link_shots.c -- snapshots of a board as cycles of the harness: responses, releases, events, memory. */
#include "link_state.h"

#include <string.h>

/* ---- bytes ---- */

uint64_t link_take(struct bytes *b, unsigned n)
{
	uint64_t v = 0;
	if ((size_t)(b->end - b->p) < n) {
		b->p = b->end;
		b->ended = true;
		return 0;
	}
	for (unsigned i = 0; i < n; i++)
		v |= (uint64_t)*b->p++ << 8 * i;
	return v;
}

static struct shim_event *add_event(struct shim_out *out, enum wl_event_kind kind, unsigned unit)
{
	struct shim_event *e = &out->event[out->nevents++];
	*e = (struct shim_event){.kind = (uint8_t)kind, .unit = (uint8_t)unit};
	return e;
}

#define take link_take /* the function's name in the generated code */
#include "link_groups.inc"
#undef take

/* ---- ends of requests ---- */

static void close_request(struct dut *d, unsigned i)
{
	d->cost -= d->open[i].header ? HEAD_COST : BEAT_COST;
	memmove(&d->open[i], &d->open[i + 1], (--d->nopen - i) * sizeof d->open[0]);
}

/* A response ends the request of its tag. */
static void end_request(struct dut *d, uint32_t tag)
{
	for (unsigned i = 0; i < d->nopen; i++)
		if (d->open[i].tag == tag) {
			close_request(d, i);
			return;
		}
}

/* A release, or the end of a wait without a release, ends a request of each of `warps`: the youngest request without
 * operands, the only one of the warp; or for a wait at an mbarrier the youngest request with operands. */
static void end_waits(struct dut *d, uint64_t warps, unsigned unit)
{
	const bool header = unit + WL_UNIT_atoms_pipe != WL_UNIT_mbarrier_engine;
	for (unsigned i = d->nopen; i-- > 0;) {
		const uint64_t warp = UINT64_C(1) << (d->open[i].tag >> 16);
		if (d->open[i].header != header || !(warps & warp))
			continue;
		close_request(d, i);
		warps &= ~warp;
	}
}

/* ---- snapshots ---- */

static void take_response(struct dut *d, struct bytes *b, struct shim_rsp *r)
{
	const unsigned lanes = d->api.lanes, lane_bytes = (lanes + 7) / 8;
	r->tag = (uint32_t)link_take(b, 3);
	const unsigned flags = (unsigned)link_take(b, 1);
	r->last = flags & 1;
	r->any_fault = flags >> 1 & 1;
	r->passes = (uint8_t)link_take(b, 1);
	r->mask = (uint32_t)link_take(b, lane_bytes);
	r->pred = (uint32_t)link_take(b, lane_bytes);
	const uint32_t map = (uint32_t)link_take(b, lanes / 2);
	for (unsigned l = 0; r->any_fault && l < lanes; l++)
		r->fault[l] = (uint8_t)link_take(b, 1);
	for (unsigned w = 0; w < lanes * 4; w++)
		d->words[w] = map >> w & 1 ? (uint32_t)link_take(b, 4) : 0;
	r->data = d->words;
}

/* Goes among the events of the cycle, in the order of unit and kind. */
static void take_release(struct dut *d, struct bytes *b, struct shim_out *out)
{
	const unsigned unit = (unsigned)link_take(b, 1);
	struct shim_event e = {.kind = unit & 0x80 ? WL_EV_CHOICE : WL_EV_RELEASE, .unit = unit & 15};
	e.slot = (uint8_t)link_take(b, 1);
	e.id = (uint16_t)link_take(b, 2);
	e.phase = (uint16_t)link_take(b, 2);
	e.warps = link_take(b, 6);
	e.value = (uint32_t)link_take(b, 4);
	end_waits(d, e.warps, e.unit);
	unsigned i = out->nevents++;
	for (; i > 0 && out->event[i - 1].unit * 256 + out->event[i - 1].kind > e.unit * 256 + e.kind; i--)
		out->event[i] = out->event[i - 1];
	out->event[i] = e;
}

/* ---- memory and copies ---- */

static void take_land(struct dut *d, struct bytes *b, struct shim_out *out)
{
	struct shim_event *e = add_event(out, WL_EV_LAND, SHIM_SYNC_CORE);
	const unsigned kind = (unsigned)link_take(b, 1);
	e->code = kind & 7;
	e->addr = (uint32_t)link_take(b, 2);
	out->land_fault = (uint8_t)link_take(b, 1);
	out->land_rvalid = kind >> 7;
	for (unsigned i = 0; out->land_rvalid && i < d->api.banks; i++)
		d->row[i] = (uint32_t)link_take(b, 4);
	out->land_data = d->row;
	d->lands -= d->lands > 0;
}

static void take_asked(struct dut *d, struct bytes *b, struct shim_out *out)
{
	const unsigned what = (unsigned)link_take(b, 1);
	out->mem.valid = 1;
	out->mem.id = what & 15;
	out->mem.write = what >> 4 & 1;
	out->mem.cond = what >> 5 & 1;
	out->mem.has_policy = what >> 6 & 1;
	out->mem.addr = link_take(b, 6) << 5;
	out->mem.mask = out->mem.write ? (uint32_t)link_take(b, 4) : 0;
	for (unsigned w = 0; w < 8; w++)
		d->sector[w] = out->mem.write ? (uint32_t)link_take(b, 4) : 0;
	out->mem.data = d->sector;
	out->mem.policy = out->mem.has_policy ? link_take(b, 8) : 0;
}

/* ---- a snapshot ---- */

void link_show(struct dut *d, const struct shim_in *in, struct shim_out *out)
{
	struct bytes b = {.p = d->shots + d->at, .end = d->shots + d->nshots};
	const unsigned releases = d->api.releases;
	const uint32_t cycle = (uint32_t)link_take(&b, 4);
	const uint32_t groups = (uint32_t)link_take(&b, 4);
	const unsigned others = 1 + releases + UNIT_GROUPS;
	if (groups >> (others + 1) & 1 && !in->mem.req_ready) /* the harness will ask again */
		return;
	if (groups & 1) {
		if (!(in->rsp_ready & 1)) /* likewise */
			return;
		take_response(d, &b, &out->rsp[0]);
		out->rsp_valid = out->rsp_taken = 1;
		out->trace_retire = out->rsp[0].last;
	}
	d->clock += (uint32_t)(cycle - (uint32_t)d->clock);
	/* releases lie before the groups of the units, and are put among the units' events */
	const struct bytes at_releases = b;
	for (unsigned r = 0; r < releases; r++)
		if (groups >> (1 + r) & 1)
			b.p += b.end - b.p < 16 ? b.end - b.p : 16;
	take_groups(&b, groups >> (1 + releases), out);
	if (groups >> others & 1)
		take_land(d, &b, out);
	if (groups >> (others + 1) & 1)
		take_asked(d, &b, out);
	struct bytes again = at_releases;
	for (unsigned r = 0; r < releases; r++)
		if (groups >> (1 + r) & 1)
			take_release(d, &again, out);
	if (out->rsp_valid && out->rsp[0].last)
		end_request(d, out->rsp[0].tag);
	if (b.ended)
		snprintf(d->gone, sizeof d->gone, "%s: a snapshot ends too early", d->link.name);
	d->at = (unsigned)(b.p - d->shots);
}

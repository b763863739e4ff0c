// SPDX-License-Identifier: Apache-2.0
/* unit_ref.c -- one unit as the reference of foreign RTL: requests, events, comparisons. unit_ref_open.c opens.
 * Source: docs/spec/units.md, "Interface in C"; docs/spec/units.md, "Faults". */
#include "unit_ref.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int unit_ref_say(struct wl_unit_ref *u, enum wl_unit_verdict v, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(u->why, sizeof u->why, format, args);
	va_end(args);
	return v;
}

struct open_request *unit_ref_find(struct wl_unit_ref *u, uint32_t tag)
{
	for (unsigned i = 0; i < UNIT_REF_OPEN; i++)
		if (u->open[i].used && u->open[i].tag == tag)
			return &u->open[i];
	MISUSE(u, "tag %u: no open request has this tag", tag);
	return NULL;
}

const char *wl_unit_why(const struct wl_unit_ref *u)
{
	return u->why;
}

bool unit_ref_slot_is_bad(struct wl_unit_ref *u, uint32_t slot)
{
	if (slot >= WL_MAX_CTAS)
		MISUSE(u, "slot %u: expected 0..%u", slot, WL_MAX_CTAS - 1);
	return slot >= WL_MAX_CTAS;
}

/* ---- CTAs ---- */

static uint64_t warp_bits(uint32_t first, uint32_t n)
{
	return ((UINT64_C(1) << n) - 1) << first;
}

int wl_unit_start_cta(struct wl_unit_ref *u, uint32_t slot, uint32_t cta, uint32_t first_warp, uint32_t warps,
                      uint32_t base, uint32_t bytes)
{
	if (unit_ref_slot_is_bad(u, slot))
		return WL_UNIT_MISUSE;
	if (u->warps[slot])
		return MISUSE(u, "slot %u holds a CTA; expected wl_unit_end_cta first", slot);
	if (!warps || warps > WL_MAX_WARPS || first_warp > WL_MAX_WARPS - warps)
		return MISUSE(u, "warps %u from %u on: expected 1 or more, below warp %u", warps, first_warp,
		              WL_MAX_WARPS);
	if (base % 16 || bytes % 16 || base > u->shared_bytes || bytes > u->shared_bytes - base)
		return MISUSE(u, "%u bytes of shared memory from %u on: expected multiples of 16 within %u bytes",
		              bytes, base, u->shared_bytes);
	const uint64_t bits = warp_bits(first_warp, warps);
	for (unsigned s = 0; s < WL_MAX_CTAS; s++)
		if (u->warps[s] & bits)
			return MISUSE(u, "warps %u from %u on: slot %u has some of them", warps, first_warp, s);
	const struct wl_cta_start start = {.slot = slot,
	                                   .cta = cta,
	                                   .base = base,
	                                   .size = bytes,
	                                   .first_warp = first_warp,
	                                   .warps = warps,
	                                   .threads = warps * WL_WARP_LANES,
	                                   .cluster = cta,
	                                   .seed = u->seed};
	wl_units_open(&u->units, &start);
	u->warps[slot] = u->live[slot] = bits;
	u->cta[slot] = cta;
	u->bytes[slot] = bytes;
	return AGREES(u);
}

int wl_unit_end_cta(struct wl_unit_ref *u, uint32_t slot)
{
	if (unit_ref_slot_is_bad(u, slot))
		return WL_UNIT_MISUSE;
	if (!u->warps[slot])
		return MISUSE(u, "slot %u holds no CTA", slot);
	for (unsigned i = 0; i < UNIT_REF_OPEN; i++)
		if (u->open[i].used && u->open[i].req.tag.slot == slot)
			return MISUSE(u, "slot %u: the request of tag %u is open", slot, u->open[i].tag);
	wl_units_close(&u->units, slot);
	u->warps[slot] = u->live[slot] = 0;
	return AGREES(u);
}

/* ---- requests ---- */

int wl_unit_operand(struct wl_unit_ref *u, uint32_t source, uint32_t lane, uint32_t word, uint32_t value)
{
	static const uint32_t words[] = {2, 4, 4, 2};
	if (source > 3)
		return MISUSE(u, "source %u: expected 0, 1, 2 (A, B, C) or 3 (uniform register)", source);
	if (lane >= WL_WARP_LANES || word >= words[source])
		return MISUSE(u, "lane %u, word %u: expected lane 0..31, word 0..%u", lane, word, words[source] - 1);
	uint64_t *wide = source == 0 ? &u->next.ra[lane] : &u->next.ur;
	if (source == 1 || source == 2)
		(source == 1 ? u->next.rb : u->next.rc)[lane].w[word] = value;
	else
		*wide = (*wide & ~(UINT64_C(0xffffffff) << 32 * word)) | (uint64_t)value << 32 * word;
	return AGREES(u);
}

static bool is_open(const struct wl_unit_ref *u, uint32_t tag)
{
	for (unsigned i = 0; i < UNIT_REF_OPEN; i++)
		if (u->open[i].used && u->open[i].tag == tag)
			return true;
	return false;
}

static int request_is_bad(struct wl_unit_ref *u, uint32_t tag, uint32_t slot, uint32_t warp, uint32_t mask)
{
	if (unit_ref_slot_is_bad(u, slot))
		return WL_UNIT_MISUSE;
	if (warp >= WL_MAX_WARPS)
		return MISUSE(u, "warp %u: expected 0..%u", warp, WL_MAX_WARPS - 1);
	if (!mask)
		return MISUSE(u, "mask 0: expected an active lane");
	if (is_open(u, tag))
		return MISUSE(u, "tag %u: a request with this tag is open", tag);
	const uint64_t bit = UINT64_C(1) << warp;
	if (u->warps[slot] && !(u->live[slot] & bit))
		return MISUSE(u, "warp %u %s of slot %u", warp,
		              u->warps[slot] & bit ? "has ended in the CTA" : "does not belong to the CTA", slot);
	for (unsigned i = 0; i < UNIT_REF_OPEN; i++)
		if (u->open[i].used && u->open[i].waits && u->open[i].req.tag.warp == warp)
			return MISUSE(u, "warp %u waits under tag %u", warp, u->open[i].tag);
	return WL_UNIT_AGREES;
}

/* Word, instruction and what follows from the instruction. */
static int read_instruction(struct wl_unit_ref *u, struct wl_req *req, const char *text, uint32_t preds)
{
	char why[sizeof u->why / 2];
	if (wl_assemble(u->arch, text, 0, &req->word, why, sizeof why) != WL_OK)
		return MISUSE(u, "instruction '%.100s': %s", text, why);
	if (wl_decode(u->arch, req->word, &req->inst) != WL_OK || wl_req_unit(req) != u->unit)
		return MISUSE(u, "instruction '%.100s' is of %s, not of %s", text, wl_unit_name(wl_req_unit(req)),
		              wl_unit_name(u->unit));
	if ((req->inst.guard & 7) != WL_PT)
		return MISUSE(u, "instruction '%.100s' has a guard: expected the mask alone to name the lanes", text);
	req->posted = wl_inst_posted(&req->inst);
	req->header = u->unit == WL_UNIT_barrier_file;
	req->pred = (req->inst.ps[0] & 7) != WL_PT ? preds : req->inst.ps[0] & 8 ? 0 : UINT32_MAX;
	return WL_UNIT_AGREES;
}

int wl_unit_request(struct wl_unit_ref *u, uint32_t tag, uint32_t slot, uint32_t warp, const char *instruction,
                    uint32_t mask, uint32_t preds)
{
	struct wl_req *req = &u->next;
	int verdict = request_is_bad(u, tag, slot, warp, mask);
	if (verdict == WL_UNIT_AGREES)
		verdict = read_instruction(u, req, instruction, preds);
	if (verdict != WL_UNIT_AGREES)
		return verdict;
	struct open_request *r = u->open;
	while (r < u->open + UNIT_REF_OPEN && r->used)
		r++;
	if (r == u->open + UNIT_REF_OPEN)
		return MISUSE(u, "%u requests are open: expected wl_unit_retire for some of them", UNIT_REF_OPEN);
	req->tag = (struct wl_tag){.slot = (uint16_t)slot, .cta = u->cta[slot], .warp = warp, .n = u->issued[warp]++};
	req->mask = mask;
	if (req->header) {
		const unsigned lane = wl_lowest(mask);
		req->ra[0] = req->ra[lane];
		req->rb[0] = req->rb[lane];
	}
	memset(r, 0, sizeof *r);
	r->used = true;
	r->tag = tag;
	r->req = *req;
	u->ops->plan(&u->units, &r->req, &r->plan.common, &r->rec);
	r->left = r->plan.common.ok;
	r->untold = r->plan.common.faulted;
	r->waits = r->plan.common.waits && r->left;
	memset(req, 0, sizeof *req);
	return AGREES(u);
}

/* ---- events ---- */

static bool lanes_are_bad(struct wl_unit_ref *u, const struct open_request *r, uint32_t lanes)
{
	const bool bad = !lanes || lanes & ~r->req.mask;
	if (bad)
		MISUSE(u, "tag %u: lanes 0x%x; expected some of the active lanes 0x%x", r->tag, lanes, r->req.mask);
	return bad;
}

/* Number of the pass that has these lanes and may come; -1: none. */
static int pass_of(const struct open_request *r, uint32_t lanes)
{
	const struct wl_plan *p = &r->plan.common;
	unsigned first = 0;
	while (first < p->passes && r->passed >> first & 1)
		first++;
	const unsigned end = p->any_order && first >= p->ordered ? p->passes : first + 1u;
	for (unsigned i = first; i < end && i < p->passes; i++)
		if (p->pass_lanes[i] == lanes && !(r->passed >> i & 1))
			return (int)i;
	return -1;
}

static int check_lanes(struct wl_unit_ref *u, const struct open_request *r, uint32_t lanes)
{
	const struct wl_plan *p = &r->plan.common;
	if (lanes & p->faulted) {
		const unsigned lane = wl_lowest(lanes & p->faulted);
		return DIFFERS(u, "tag %u: lane %u commits; REF has a fault: %s", r->tag, lane,
		               wl_fault_name((enum wl_fault)p->fault[lane]));
	}
	if (lanes & ~r->left)
		return DIFFERS(u, "tag %u: lanes 0x%x commit or fault a second time", r->tag, lanes & ~r->left);
	if (u->any_passes && !p->whole)
		return WL_UNIT_AGREES;
	if (pass_of(r, lanes) >= 0)
		return WL_UNIT_AGREES;
	unsigned next = 0;
	while (next < p->passes && r->passed >> next & 1)
		next++;
	return DIFFERS(u, "tag %u: pass of lanes 0x%x; REF has lanes 0x%x in pass %u of %u", r->tag, lanes,
	               next < p->passes ? p->pass_lanes[next] : 0, next, p->passes);
}

/* Lanes take their turn; the result is the lanes that fault by state. A unit that faults has not changed. */
static uint32_t turn(struct wl_unit_ref *u, struct open_request *r, uint32_t lanes)
{
	const struct wl_event ev = {.kind = WL_EV_COMMIT, .unit = u->unit, .tag = r->req.tag, .lanes = lanes};
	return u->ops->apply(&u->units, &r->req, &r->plan.common, &ev, &r->rec);
}

static void taken(struct open_request *r, uint32_t lanes)
{
	const int pass = pass_of(r, lanes);
	r->left &= ~lanes;
	if (pass >= 0)
		r->passed |= 1u << pass;
}

int wl_unit_commit(struct wl_unit_ref *u, uint32_t tag, uint32_t lanes)
{
	struct open_request *r = unit_ref_find(u, tag);
	if (!r || lanes_are_bad(u, r, lanes))
		return WL_UNIT_MISUSE;
	const int verdict = check_lanes(u, r, lanes);
	if (verdict != WL_UNIT_AGREES)
		return verdict;
	struct wl_record before = r->rec;
	const uint32_t faults = turn(u, r, lanes);
	if (faults) {
		const unsigned lane = wl_lowest(faults);
		const enum wl_fault f = (enum wl_fault)r->rec.fault[lane];
		r->rec = before;
		return DIFFERS(u, "tag %u: lane %u commits; REF has a fault: %s", tag, lane, wl_fault_name(f));
	}
	taken(r, lanes);
	r->waits = r->plan.common.waits;
	return AGREES(u);
}

static int differs_in_fault(struct wl_unit_ref *u, const struct open_request *r, uint32_t lanes, uint32_t got,
                            const uint8_t *want)
{
	for (uint32_t m = lanes; m; m &= m - 1)
		if (want[wl_lowest(m)] != got)
			return DIFFERS(u, "tag %u: lane %u faults with %u; REF has %s (%u)", r->tag, wl_lowest(m), got,
			               wl_fault_name((enum wl_fault)want[wl_lowest(m)]), want[wl_lowest(m)]);
	return WL_UNIT_AGREES;
}

/* Faults that depend on state: of barrier_file alone, whose state a faulting arrival leaves. The try on a copy keeps
 * the reference as before when the arrival does not fault. */
static int fault_by_state(struct wl_unit_ref *u, struct open_request *r, uint32_t lanes, uint32_t fault)
{
	const struct wl_barrier_file state = u->units.barrier_file;
	const struct wl_record before = r->rec;
	const uint32_t faults =
	        u->unit == WL_UNIT_barrier_file && lanes == r->req.mask && r->left == lanes ? turn(u, r, lanes) : 0;
	int verdict = WL_UNIT_AGREES;
	if (faults != lanes)
		verdict = DIFFERS(u, "tag %u: lanes 0x%x fault with %u; REF has no fault there", r->tag, lanes, fault);
	else
		verdict = differs_in_fault(u, r, lanes, fault, r->rec.fault);
	if (verdict != WL_UNIT_AGREES) {
		u->units.barrier_file = state;
		r->rec = before;
		return verdict;
	}
	taken(r, lanes);
	r->waits = false;
	return AGREES(u);
}

int wl_unit_fault(struct wl_unit_ref *u, uint32_t tag, uint32_t lanes, uint32_t fault)
{
	struct open_request *r = unit_ref_find(u, tag);
	if (!r || lanes_are_bad(u, r, lanes))
		return WL_UNIT_MISUSE;
	const struct wl_plan *p = &r->plan.common;
	if (!(lanes & p->faulted))
		return fault_by_state(u, r, lanes, fault);
	if (lanes & ~r->untold)
		return DIFFERS(u, "tag %u: lanes 0x%x fault; REF has lanes 0x%x that fault and have not", tag, lanes,
		               r->untold);
	const int verdict = differs_in_fault(u, r, lanes, fault, p->fault);
	if (verdict != WL_UNIT_AGREES)
		return verdict;
	r->untold &= ~lanes;
	return AGREES(u);
}

int wl_unit_exit(struct wl_unit_ref *u, uint32_t slot, uint32_t warp)
{
	if (unit_ref_slot_is_bad(u, slot))
		return WL_UNIT_MISUSE;
	if (warp >= WL_MAX_WARPS || !(u->live[slot] >> warp & 1))
		return MISUSE(u, "warp %u is no live warp of slot %u", warp, slot);
	for (unsigned i = 0; i < UNIT_REF_OPEN; i++)
		if (u->open[i].used && u->open[i].req.tag.warp == warp)
			return MISUSE(u, "warp %u ends while the request of tag %u is open", warp, u->open[i].tag);
	const struct wl_event ev = {.kind = WL_EV_EXIT,
	                            .unit = WL_UNIT_sync_core,
	                            .tag = {.slot = (uint16_t)slot, .cta = u->cta[slot], .warp = warp}};
	wl_units_event(&u->units, &ev);
	u->live[slot] &= ~(UINT64_C(1) << warp);
	return AGREES(u);
}

bool unit_ref_is_due(struct wl_unit_ref *u)
{
	while (u->ops->released && u->due < WL_BAR_FIXED && u->ops->released(&u->units, &u->release[u->due]))
		u->due++;
	return u->due;
}

static void end_waits(struct wl_unit_ref *u, const struct wl_released *r)
{
	for (unsigned i = 0; i < UNIT_REF_OPEN; i++) {
		struct open_request *o = &u->open[i];
		if (!o->used || !o->waits || o->req.tag.slot != r->slot || !(r->warps >> o->req.tag.warp & 1))
			continue;
		if (u->ops->answer)
			u->ops->answer(&u->units, &o->req, &o->plan.common, r, &o->rec);
		o->waits = false;
	}
}

/* Releases of one barrier come in order. Releases of two barriers come in any order. */
int wl_unit_release(struct wl_unit_ref *u, uint32_t slot, uint32_t id, uint64_t warps, uint32_t value)
{
	unsigned i = 0;
	unit_ref_is_due(u);
	while (i < u->due && (u->release[i].slot != slot || u->release[i].id != id))
		i++;
	const struct wl_released *r = &u->release[i];
	if (i == u->due)
		return DIFFERS(u, "slot %u, barrier %u: warps 0x%llx go on; REF has no release due there", slot, id,
		               (unsigned long long)warps);
	if (r->warps != warps || r->value != value)
		return DIFFERS(u, "slot %u, barrier %u: warps 0x%llx go on with %u; REF has 0x%llx with %u", slot, id,
		               (unsigned long long)warps, value, (unsigned long long)r->warps, r->value);
	end_waits(u, r);
	memmove(&u->release[i], &u->release[i + 1], (--u->due - i) * sizeof u->release[0]);
	return AGREES(u);
}

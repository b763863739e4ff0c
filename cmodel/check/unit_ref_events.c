// SPDX-License-Identifier: Apache-2.0
/* unit_ref_events.c -- events of foreign RTL: commits, faults, releases, waits giving up, landings.
 * Source: docs/spec/units.md, "Faults"; docs/spec/mbarrier.md, "Faults"; docs/spec/mbarrier.md, "Waits". */
#include <string.h>

#include "unit_ref.h"

static bool lanes_are_bad(struct wl_unit_ref *u, const struct open_request *r, uint32_t lanes)
{
	const bool bad = !lanes || lanes & ~r->req.mask;
	if (bad)
		MISUSE(u, "tag %u: lanes 0x%x; expected some of the active lanes 0x%x", r->tag, lanes, r->req.mask);
	return bad;
}

/* Lanes of pass i without a fault by state. */
static uint32_t pass_lanes(const struct open_request *r, unsigned i)
{
	return r->plan.common.pass_lanes[i] & ~r->gone;
}

/* The first pass still to come. A pass with all lanes faulted is over. */
static unsigned next_pass(const struct open_request *r)
{
	unsigned i = 0;
	while (i < r->plan.common.passes && (r->passed >> i & 1 || !pass_lanes(r, i)))
		i++;
	return i;
}

/* Number of a permitted pass with exactly these lanes; `some`: with at least these lanes. -1: none. */
static int pass_of(const struct open_request *r, uint32_t lanes, bool some)
{
	const struct wl_plan *p = &r->plan.common;
	const unsigned first = next_pass(r), end = p->any_order && first >= p->ordered ? p->passes : first + 1u;
	for (unsigned i = first; i < end && i < p->passes; i++)
		if ((some ? pass_lanes(r, i) & lanes : pass_lanes(r, i)) == lanes && !(r->passed >> i & 1))
			return (int)i;
	return -1;
}

static int out_of_turn(struct wl_unit_ref *u, const struct open_request *r, uint32_t lanes, const char *what)
{
	const unsigned next = next_pass(r), passes = r->plan.common.passes;
	return DIFFERS(u, "tag %u: %s of lanes 0x%x; REF has lanes 0x%x in pass %u of %u", r->tag, what, lanes,
	               next < passes ? pass_lanes(r, next) : 0, next, passes);
}

/* Lanes of one request in shared and in global memory come apart. */
static bool mixes_spaces(const struct wl_unit_ref *u, const struct open_request *r, uint32_t lanes)
{
	const uint32_t shared =
	        u->unit == WL_UNIT_atom_unit ? ((const struct wl_atom_plan *)&r->plan.common)->shared : 0;
	return lanes & shared && lanes & ~shared;
}

static int commits_at_fault(struct wl_unit_ref *u, const struct open_request *r, unsigned lane, enum wl_fault f)
{
	return DIFFERS(u, "tag %u: lane %u commits; REF has a fault: %s (%s)", r->tag, lane, wl_fault_name(f),
	               wl_fault_text(f));
}

static int check_lanes(struct wl_unit_ref *u, const struct open_request *r, uint32_t lanes)
{
	const struct wl_plan *p = &r->plan.common;
	if (lanes & p->faulted) {
		const unsigned lane = wl_lowest(lanes & p->faulted);
		return commits_at_fault(u, r, lane, (enum wl_fault)p->fault[lane]);
	}
	if (lanes & ~r->left)
		return DIFFERS(u, "tag %u: lanes 0x%x commit or fault a second time", r->tag, lanes & ~r->left);
	if (u->any_passes && !p->whole && !mixes_spaces(u, r, lanes))
		return WL_UNIT_AGREES;
	return pass_of(r, lanes, false) >= 0 ? WL_UNIT_AGREES : out_of_turn(u, r, lanes, "pass");
}

/* Lanes take their turn. Returns the lanes with a fault by state. A faulting unit has not changed. */
static uint32_t turn(struct wl_unit_ref *u, struct open_request *r, uint32_t lanes)
{
	const struct wl_event ev = {.kind = WL_EV_COMMIT, .unit = u->unit, .tag = r->req.tag, .lanes = lanes};
	return u->ops->apply(&u->units, &r->req, &r->plan.common, &ev, &r->rec);
}

static void taken(struct open_request *r, uint32_t lanes)
{
	const int pass = pass_of(r, lanes, false);
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
	unit_ref_keep(u, r);
	const uint32_t faults = turn(u, r, lanes);
	if (faults) {
		const enum wl_fault f = (enum wl_fault)r->rec.fault[wl_lowest(faults)];
		unit_ref_back(u, r);
		return commits_at_fault(u, r, wl_lowest(faults), f);
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

/* A fault by state takes the place of a COMMIT. The pass's other lanes commit after the fault. */
static int fault_by_state(struct wl_unit_ref *u, struct open_request *r, uint32_t lanes, uint32_t fault)
{
	const struct wl_plan *p = &r->plan.common;
	const bool can = !(lanes & ~r->left) && !mixes_spaces(u, r, lanes);
	if (can && (p->whole ? lanes != p->ok : !u->any_passes && pass_of(r, lanes, true) < 0))
		return out_of_turn(u, r, lanes, "fault");
	unit_ref_keep(u, r);
	const uint32_t faults = can ? turn(u, r, lanes) : 0;
	int verdict = WL_UNIT_AGREES;
	if (faults != lanes)
		verdict = DIFFERS(u, "tag %u: lanes 0x%x fault with %u; REF has no fault there", r->tag, lanes, fault);
	else
		verdict = differs_in_fault(u, r, lanes, fault, r->rec.fault);
	if (verdict != WL_UNIT_AGREES) {
		unit_ref_back(u, r);
		return verdict;
	}
	r->left &= ~lanes;
	r->gone |= lanes;
	r->waits = p->waits && r->rec.committed;
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
		if (!o->used || !o->waits || !(r->warps >> o->req.tag.warp & 1))
			continue;
		if (u->ops->answer)
			u->ops->answer(&u->units, &o->req, &o->plan.common, r, &o->rec);
		o->waits = false;
	}
}

/* Fences of two warps end in any order: their releases have the same name. */
static bool is_release(const struct wl_unit_ref *u, const struct wl_released *r, uint32_t slot, uint32_t id,
                       uint64_t warps)
{
	return r->slot == slot && r->id == id && (u->unit != WL_UNIT_fence_unit || r->warps == warps);
}

/* Releases of the same barrier come in order. Releases of two barriers come in any order. */
int wl_unit_release(struct wl_unit_ref *u, uint32_t slot, uint32_t id, uint64_t warps, uint32_t value)
{
	const bool object = u->unit == WL_UNIT_mbarrier_engine;
	if (object && unit_ref_place_is_bad(u, slot, id, 8))
		return WL_UNIT_MISUSE;
	if (object)
		id = (u->units.smem.window[slot].base + id) / 8;
	unsigned i = 0;
	unit_ref_is_due(u);
	while (i < u->due && !is_release(u, &u->release[i], slot, id, warps))
		i++;
	const struct wl_released *r = &u->release[i];
	if (i == u->due)
		return DIFFERS(u, "slot %u, %s: warps 0x%llx go on; REF has no release due there", slot,
		               unit_ref_name(u, slot, id).text, (unsigned long long)warps);
	if (r->warps != warps || r->value != value)
		return DIFFERS(u, "slot %u, %s: warps 0x%llx go on with %u; REF has 0x%llx with %u", slot,
		               unit_ref_name(u, slot, id).text, (unsigned long long)warps, value,
		               (unsigned long long)r->warps, r->value);
	end_waits(u, r);
	memmove(&u->release[i], &u->release[i + 1], (--u->due - i) * sizeof u->release[0]);
	return AGREES(u);
}

int wl_unit_give_up(struct wl_unit_ref *u, uint32_t tag)
{
	struct open_request *r = unit_ref_find(u, tag);
	if (!r)
		return WL_UNIT_MISUSE;
	if (r->left || !r->waits || !r->plan.common.gives_up)
		return DIFFERS(u, "tag %u: the wait gives up; REF has no wait that may", tag);
	unit_ref_is_due(u);
	for (unsigned i = 0; i < u->due; i++)
		if (u->release[i].warps >> r->req.tag.warp & 1)
			return DIFFERS(u, "tag %u: the wait gives up; REF has a complete phase, and warps 0x%llx go on",
			               tag, (unsigned long long)u->release[i].warps);
	const struct wl_event ev = {.kind = WL_EV_CHOICE, .unit = u->unit, .tag = r->req.tag};
	u->ops->apply(&u->units, &r->req, &r->plan.common, &ev, &r->rec);
	r->waits = false;
	return AGREES(u);
}

/* ---- actions of others on shared memory ---- */

static int land_is_bad(struct wl_unit_ref *u, uint32_t slot, uint32_t at, const char *what, uint32_t amount,
                       enum wl_land *kind)
{
	if (u->unit != WL_UNIT_mbarrier_engine)
		return MISUSE(u, "%s has no landings", wl_unit_name(u->unit));
	if (unit_ref_place_is_bad(u, slot, at, 8))
		return WL_UNIT_MISUSE;
	*kind = !strcmp(what, "tx") ? WL_LAND_TX : !strcmp(what, "arrive") ? WL_LAND_ARRIVE : WL_LAND_REPORT;
	if (*kind == WL_LAND_REPORT && strcmp(what, "report") != 0)
		return MISUSE(u, "landing '%.20s': expected tx, arrive or report", what);
	if (*kind == WL_LAND_ARRIVE ? amount != 1 : *kind == WL_LAND_REPORT && amount >> 9)
		return MISUSE(u, "landing '%s' with %u: expected %s", what, amount,
		              *kind == WL_LAND_ARRIVE ? "1" : "9 bits");
	if (*kind != WL_LAND_ARRIVE && !u->units.smem.has_marks)
		return MISUSE(u, "landing '%s': mbarriers of this architecture count arrivals alone", what);
	return WL_UNIT_AGREES;
}

int wl_unit_land(struct wl_unit_ref *u, uint32_t slot, uint32_t at, const char *what, uint32_t amount, uint32_t fault)
{
	enum wl_land kind = WL_LAND_TX;
	uint64_t word;
	if (land_is_bad(u, slot, at, what, amount, &kind))
		return WL_UNIT_MISUSE;
	uint8_t *object = u->memory + u->units.smem.window[slot].base + at;
	memcpy(&word, object, sizeof word);
	const struct wl_mbarrier_engine before = u->units.mbarrier_engine;
	const enum wl_fault ref = wl_mbar_land(&u->units, slot, u->units.smem.window[slot].base + at, kind, amount);
	if (ref == fault)
		return AGREES(u);
	memcpy(object, &word, sizeof word);
	u->units.mbarrier_engine = before;
	return DIFFERS(u, "slot %u, mbarrier at 0x%x: '%s' lands with fault %u; REF has %s (%s)", slot, at, what, fault,
	               wl_fault_name(ref), wl_fault_text(ref));
}

int wl_unit_write(struct wl_unit_ref *u, uint32_t slot, uint32_t at, uint32_t word)
{
	if (unit_ref_place_is_bad(u, slot, at, 4))
		return WL_UNIT_MISUSE;
	const uint32_t addr = u->units.smem.window[slot].base + at;
	wl_smem_write(&u->units.smem, addr, word);
	wl_smem_wrote(&u->units.smem, addr, 4, false);
	return AGREES(u);
}

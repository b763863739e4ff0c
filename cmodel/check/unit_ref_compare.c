// SPDX-License-Identifier: Apache-2.0
/* unit_ref_compare.c -- results and state of foreign RTL against the reference; what the reference expects. */
#include <stdio.h>
#include <string.h>

#include "unit_ref.h"

static void complete_record(struct wl_unit_ref *u, struct open_request *r)
{
	if (u->ops->fill)
		u->ops->fill(&u->units, &r->req, &r->plan.common, &r->rec);
}

int wl_unit_result(struct wl_unit_ref *u, uint32_t tag, uint32_t lane, uint32_t word, uint32_t value)
{
	struct open_request *r = unit_ref_find(u, tag);
	if (!r)
		return WL_UNIT_MISUSE;
	if (lane >= WL_WARP_LANES || word > 3)
		return MISUSE(u, "lane %u, word %u: expected lane 0..31, word 0..3", lane, word);
	complete_record(u, r);
	if (!(r->rec.written >> lane & 1))
		return DIFFERS(u, "tag %u: lane %u has a result; REF has none (lanes 0x%x)", tag, lane, r->rec.written);
	if (r->rec.result[lane].w[word] != value)
		return DIFFERS(u, "tag %u: lane %u, word %u: 0x%x; REF has 0x%x", tag, lane, word, value,
		               r->rec.result[lane].w[word]);
	return AGREES(u);
}

int wl_unit_predicates(struct wl_unit_ref *u, uint32_t tag, uint32_t lanes, uint32_t values)
{
	struct open_request *r = unit_ref_find(u, tag);
	if (!r)
		return WL_UNIT_MISUSE;
	complete_record(u, r);
	if (lanes != r->rec.pred_written)
		return DIFFERS(u, "tag %u: lanes 0x%x have a predicate; REF has lanes 0x%x", tag, lanes,
		               r->rec.pred_written);
	if ((values & lanes) != r->rec.preds)
		return DIFFERS(u, "tag %u: predicates 0x%x; REF has 0x%x", tag, values & lanes, r->rec.preds);
	return AGREES(u);
}

int wl_unit_retire(struct wl_unit_ref *u, uint32_t tag)
{
	struct open_request *r = unit_ref_find(u, tag);
	if (!r)
		return WL_UNIT_MISUSE;
	if (r->left)
		return DIFFERS(u, "tag %u retires; REF has lanes 0x%x that have not committed", tag, r->left);
	if (r->untold)
		return DIFFERS(u, "tag %u retires; REF has lanes 0x%x that have not faulted", tag, r->untold);
	if (r->waits)
		return DIFFERS(u, "tag %u retires; REF has warp %u waiting", tag, r->req.tag.warp);
	r->used = false;
	return AGREES(u);
}

int wl_unit_none_due(struct wl_unit_ref *u)
{
	const struct wl_released *r = &u->release[0];
	if (unit_ref_is_due(u))
		return DIFFERS(u, "slot %u, barrier %u: REF has warps 0x%llx that go on with %u", r->slot, r->id,
		               (unsigned long long)r->warps, r->value);
	return AGREES(u);
}

int wl_unit_idle(struct wl_unit_ref *u)
{
	for (unsigned i = 0; i < UNIT_REF_OPEN; i++)
		if (u->open[i].used)
			return DIFFERS(u, "tag %u is open: lanes 0x%x are left%s", u->open[i].tag,
			               u->open[i].left | u->open[i].untold, u->open[i].waits ? ", its warp waits" : "");
	return wl_unit_none_due(u);
}

static int compare_barrier(struct wl_unit_ref *u, uint32_t slot, uint32_t at, uint64_t arrived, uint64_t waiting)
{
	if (at >= WL_NAMED_BARS)
		return MISUSE(u, "barrier %u: expected 0..%u", at, WL_NAMED_BARS - 1);
	const struct wl_named_bar *bar = &u->units.barrier_file.cta[slot].bar[at];
	if (bar->arrived != arrived || bar->waiting != waiting)
		return DIFFERS(u, "slot %u, barrier %u: warps 0x%llx arrived, 0x%llx wait; REF has 0x%llx, 0x%llx",
		               slot, at, (unsigned long long)arrived, (unsigned long long)waiting,
		               (unsigned long long)bar->arrived, (unsigned long long)bar->waiting);
	return AGREES(u);
}

static int compare_word(struct wl_unit_ref *u, uint32_t slot, uint32_t at, uint64_t word)
{
	uint32_t have;
	if (at % 4 || at >= u->bytes[slot])
		return MISUSE(u, "address 0x%x: expected a multiple of 4 below 0x%x", at, u->bytes[slot]);
	memcpy(&have, u->memory + u->units.smem.window[slot].base + at, sizeof have);
	if (have != word)
		return DIFFERS(u, "slot %u, address 0x%x: 0x%llx; REF has 0x%x", slot, at, (unsigned long long)word,
		               have);
	return AGREES(u);
}

int wl_unit_compare(struct wl_unit_ref *u, uint32_t slot, uint32_t at, uint64_t first, uint64_t second)
{
	if (unit_ref_slot_is_bad(u, slot))
		return WL_UNIT_MISUSE;
	if (!u->warps[slot])
		return MISUSE(u, "slot %u holds no CTA", slot);
	if (u->unit == WL_UNIT_barrier_file)
		return compare_barrier(u, slot, at, first, second);
	if (u->unit == WL_UNIT_atoms_pipe)
		return compare_word(u, slot, at, first);
	return MISUSE(u, "%s has no state to compare", wl_unit_name(u->unit));
}

/* ---- questions ---- */

uint32_t wl_unit_passes(struct wl_unit_ref *u, uint32_t tag)
{
	const struct open_request *r = unit_ref_find(u, tag);
	return r ? r->plan.common.passes : 0;
}

uint32_t wl_unit_pass(struct wl_unit_ref *u, uint32_t tag, uint32_t n)
{
	const struct open_request *r = unit_ref_find(u, tag);
	return r && n < r->plan.common.passes ? r->plan.common.pass_lanes[n] : 0;
}

uint32_t wl_unit_static_faults(struct wl_unit_ref *u, uint32_t tag)
{
	const struct open_request *r = unit_ref_find(u, tag);
	return r ? r->plan.common.faulted : 0;
}

uint32_t wl_unit_value(struct wl_unit_ref *u, uint32_t tag, uint32_t lane, uint32_t word)
{
	struct open_request *r = unit_ref_find(u, tag);
	if (!r || lane >= WL_WARP_LANES || word > 3)
		return 0;
	complete_record(u, r);
	return r->rec.written >> lane & 1 ? r->rec.result[lane].w[word] : 0;
}

static void add_line(void *self, const char *text)
{
	struct wl_unit_ref *u = self;
	const size_t at = strlen(u->text);
	snprintf(u->text + at, sizeof u->text - at, "%s\n", text);
}

const char *wl_unit_explain(struct wl_unit_ref *u, uint32_t slot)
{
	char line[160];
	u->text[0] = 0;
	if (unit_ref_slot_is_bad(u, slot))
		return u->text;
	if (u->ops->explain)
		u->ops->explain(&u->units, slot, add_line, u);
	for (unsigned i = 0; i < UNIT_REF_OPEN; i++) {
		const struct open_request *r = &u->open[i];
		if (!r->used || r->req.tag.slot != slot)
			continue;
		snprintf(line, sizeof line, "tag %u, warp %u: lanes 0x%x left%s", r->tag, r->req.tag.warp,
		         r->left | r->untold, r->waits && !r->left ? ", waits" : "");
		add_line(u, line);
	}
	return u->text;
}

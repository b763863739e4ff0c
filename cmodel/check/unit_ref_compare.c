// SPDX-License-Identifier: Apache-2.0
/* unit_ref_compare.c -- results of foreign RTL against the reference; expectations of the reference. */
#include <stdio.h>
#include <string.h>

#include "unit_ref.h"

static void complete_record(struct wl_unit_ref *u, struct open_request *r)
{
	if (u->ops->fill)
		u->ops->fill(&u->units, &r->req, &r->plan.common, &r->rec);
	if (!r->left && !r->waits)
		u->ops->finish(&u->units, &r->req, &r->plan.common, &r->rec);
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
		return DIFFERS(u, "slot %u, %s: REF has warps 0x%llx that go on with %u", r->slot,
		               unit_ref_name(u, r->slot, r->id).text, (unsigned long long)r->warps, r->value);
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

/* Warps of a CTA with lanes waiting for other lanes. */
static void explain_warps(struct wl_unit_ref *u, uint32_t slot)
{
	char line[160];
	for (uint64_t m = u->warps[slot]; m; m &= m - 1) {
		const unsigned warp = (unsigned)__builtin_ctzll(m);
		const struct wl_conv_warp *w = &u->units.convergence.warp[warp];
		for (unsigned bar = 0; bar < WL_NUM_CBARS; bar++) {
			const uint32_t at = w->at_bsync[bar];
			if (!at)
				continue;
			const uint32_t set = w->set[bar][wl_lowest(at)];
			snprintf(line, sizeof line, "warp %u, B%u: lanes 0x%x wait, lane %u for 0x%x", warp, bar, at,
			         wl_lowest(at), set & w->live & ~at);
			add_line(u, line);
		}
		for (unsigned kind = 0; kind < WL_WARPSYNCS; kind++) {
			const uint32_t at = w->at_warpsync[kind];
			if (!at)
				continue;
			snprintf(line, sizeof line, "warp %u, WARPSYNC%s: lanes 0x%x wait, lane %u for 0x%x", warp,
			         kind == WL_WARPSYNC_APART ? ".EXCLUSIVE" : "", at, wl_lowest(at),
			         w->wait_for[wl_lowest(at)] & w->live & ~at);
			add_line(u, line);
		}
	}
}

const char *wl_unit_explain(struct wl_unit_ref *u, uint32_t slot)
{
	char line[160];
	u->text[0] = 0;
	if (unit_ref_slot_is_bad(u, slot))
		return u->text;
	if (u->ops->explain)
		u->ops->explain(&u->units, slot, add_line, u);
	if (u->unit == WL_UNIT_convergence)
		explain_warps(u, slot);
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

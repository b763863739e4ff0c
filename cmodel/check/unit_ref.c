// SPDX-License-Identifier: Apache-2.0
/* unit_ref.c -- a unit as the reference of foreign RTL: CTAs and requests. unit_ref_open.c opens; unit_ref_events.c has
 * the events, unit_ref_state.c the state, unit_ref_compare.c the results.
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

static struct open_request *find_open(struct wl_unit_ref *u, uint32_t tag)
{
	for (unsigned i = 0; i < UNIT_REF_OPEN; i++)
		if (u->open[i].used && u->open[i].tag == tag)
			return &u->open[i];
	return NULL;
}

struct open_request *unit_ref_find(struct wl_unit_ref *u, uint32_t tag)
{
	struct open_request *r = find_open(u, tag);
	if (!r)
		MISUSE(u, "tag %u: no open request has this tag", tag);
	return r;
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

bool unit_ref_slot_is_empty(struct wl_unit_ref *u, uint32_t slot)
{
	if (unit_ref_slot_is_bad(u, slot))
		return true;
	if (!u->warps[slot])
		MISUSE(u, "slot %u holds no CTA", slot);
	return !u->warps[slot];
}

bool unit_ref_place_is_bad(struct wl_unit_ref *u, uint32_t slot, uint32_t at, uint32_t size)
{
	if (unit_ref_slot_is_empty(u, slot))
		return true;
	if (at % size == 0 && at < u->bytes[slot])
		return false;
	MISUSE(u, "address 0x%x: expected a multiple of %u below 0x%x", at, size, u->bytes[slot]);
	return true;
}

/* ---- CTAs ---- */

static uint64_t warp_bits(uint32_t first, uint32_t n)
{
	return ((UINT64_C(1) << n) - 1) << first;
}

int wl_unit_cluster(struct wl_unit_ref *u, uint32_t cluster, uint32_t ctas, uint32_t rank)
{
	if (!ctas || ctas > WL_MAX_CLUSTER || rank >= ctas)
		return MISUSE(u, "CTA %u of %u of a cluster: expected 1..%u CTAs, and a rank below", rank, ctas,
		              WL_MAX_CLUSTER);
	u->next_cta = (struct cluster_place){cluster, ctas, rank};
	return AGREES(u);
}

/* All CTAs of a cluster name the same number of CTAs, and different ranks. */
static bool cluster_is_bad(struct wl_unit_ref *u, const struct cluster_place *new)
{
	for (unsigned s = 0; s < WL_MAX_CTAS; s++) {
		const struct cluster_place *c = &u->place[s];
		if (!u->warps[s] || c->ctas < 2 || new->ctas < 2 || c->cluster != new->cluster)
			continue;
		const bool full = wl_cbar_of(&u->units.cluster_barrier, s)->opened >= c->ctas;
		if (c->ctas == new->ctas && c->rank != new->rank && !full)
			continue;
		MISUSE(u, "rank %u of %u CTAs: slot %u has rank %u of %u CTAs of cluster %u%s", new->rank, new->ctas, s,
		       c->rank, c->ctas, c->cluster, full ? ", and all of them have come" : "");
		return true;
	}
	return false;
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
	const struct cluster_place place =
	        u->next_cta.ctas ? u->next_cta : (struct cluster_place){.cluster = cta, .ctas = 1};
	if (cluster_is_bad(u, &place))
		return WL_UNIT_MISUSE;
	const struct wl_cta_start start = {.slot = slot,
	                                   .cta = cta,
	                                   .base = base,
	                                   .size = bytes,
	                                   .first_warp = first_warp,
	                                   .warps = warps,
	                                   .threads = warps * WL_WARP_LANES,
	                                   .cluster = place.cluster,
	                                   .cluster_ctas = place.ctas,
	                                   .rank = place.rank,
	                                   .seed = u->seed};
	wl_units_open(&u->units, &start);
	u->warps[slot] = u->live[slot] = bits;
	u->place[slot] = place;
	u->next_cta = (struct cluster_place){0};
	u->cta[slot] = cta;
	u->bytes[slot] = bytes;
	return AGREES(u);
}

int wl_unit_end_cta(struct wl_unit_ref *u, uint32_t slot)
{
	if (unit_ref_slot_is_empty(u, slot))
		return WL_UNIT_MISUSE;
	if (u->unit == WL_UNIT_cluster_barrier && u->live[slot])
		return MISUSE(u, "slot %u: warps 0x%llx live; expected wl_unit_exit of each", slot,
		              (unsigned long long)u->live[slot]);
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

static int request_is_bad(struct wl_unit_ref *u, uint32_t tag, uint32_t slot, uint32_t warp, uint32_t mask)
{
	if (unit_ref_slot_is_bad(u, slot))
		return WL_UNIT_MISUSE;
	if (warp >= WL_MAX_WARPS)
		return MISUSE(u, "warp %u: expected 0..%u", warp, WL_MAX_WARPS - 1);
	if (!mask)
		return MISUSE(u, "mask 0: expected an active lane");
	if (find_open(u, tag))
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

/* Word, instruction and all that follows from the instruction. */
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
	req->header = u->unit == WL_UNIT_barrier_file;
	req->posted = wl_inst_posted(&req->inst);
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

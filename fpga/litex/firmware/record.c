// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "core.h"
#include "flight.h"

/* The record of a side. */
struct view {
	uint32_t committed, written, preds, faulted, passes, commits;
	const uint32_t *pass; /* lanes of each COMMIT */
	const uint8_t *fault;
	const struct wl_lane *result;
};

static uint32_t hash_view(const struct view *v, uint32_t tag)
{
	uint32_t h = HASH_START;
	hash_add(&h, tag);
	hash_add(&h, v->committed);
	hash_add(&h, v->written);
	hash_add(&h, v->preds);
	hash_add(&h, v->faulted);
	hash_add(&h, v->passes);
	hash_add(&h, v->commits);
	for (unsigned i = 0; i < WL_WARP_LANES; i++) {
		hash_add(&h, i < v->commits ? v->pass[i] : 0);
		hash_add(&h, v->faulted >> i & 1 ? v->fault[i] : 0);
		for (unsigned w = 0; w < 4; w++)
			hash_add(&h, v->written >> i & 1 ? v->result[i].w[w] : 0);
	}
	return h;
}

static void differs(const char *name, uint32_t ref, uint32_t seen)
{
	line_say(" %c %-12s 0x%08lx 0x%08lx", ref == seen ? ' ' : '*', name, (unsigned long)ref, (unsigned long)seen);
}

static void tell_lanes(const struct view *r, const struct view *d)
{
	char name[24];
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		snprintf(name, sizeof name, "fault[%u]", l);
		if ((r->faulted & d->faulted) >> l & 1 && r->fault[l] != d->fault[l])
			differs(name, r->fault[l], d->fault[l]);
	}
	for (unsigned i = 0; i < r->commits && i < d->commits; i++) {
		snprintf(name, sizeof name, "pass %u", i);
		if (r->pass[i] != d->pass[i])
			differs(name, r->pass[i], d->pass[i]);
	}
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		for (unsigned w = 0; w < 4; w++)
			if ((r->written & d->written) >> l & 1 && r->result[l].w[w] != d->result[l].w[w]) {
				snprintf(name, sizeof name, "result[%u].%u", l, w);
				differs(name, r->result[l].w[w], d->result[l].w[w]);
			}
}

static void tell_request(const struct flight *f)
{
	const struct wl_req *q = &f->req;
	line_say("instruction %s", f->entry->text);
	if (f->entry->group == GROUP_ARRIVAL)
		line_say("   in its word 0x%lx, 0x%lx, in R0 and R8 0x%lx, 0x%lx; CTA slot %u",
		         (unsigned long)q->inst.imm, (unsigned long)q->inst.imm2, (unsigned long)(uint32_t)q->ra[0],
		         (unsigned long)q->rb[0].w[0], q->tag.slot);
}

static void tell(const struct flight *f, const struct view *r, const struct view *d)
{
	tally.told = true;
	line_say("MISMATCH    values: record of warp %lu, n=%lu", (unsigned long)f->req.tag.warp,
	         (unsigned long)f->req.tag.n);
	tell_request(f);
	line_say("   %-12s %-10s %s", "", "REF", "DUT");
	differs("mask", f->ref.mask, f->req.mask);
	differs("committed", r->committed, d->committed);
	differs("written", r->written, d->written);
	differs("predicates", r->preds, d->preds);
	differs("faulted", r->faulted, d->faulted);
	differs("passes", r->passes, d->passes);
	differs("COMMITs", r->commits, d->commits);
	tell_lanes(r, d);
}

/* Both sides may be wrong alike: the program of a warp knows the faulting requests. */
static void judge(const struct flight *f)
{
	if (!f->judged || f->faults == (f->ref.faulted != 0))
		return;
	hash_add(&tally.hash[REF], f->faults);
	hash_add(&tally.hash[DUT], !f->faults);
	if (!tally.replay || tally.told)
		return;
	tally.told = true;
	line_say("MISMATCH    faults: warp %lu, n=%lu %s, its program has %s", (unsigned long)f->req.tag.warp,
	         (unsigned long)f->req.tag.n, f->faults ? "has no fault" : "faults", f->faults ? "a misuse" : "none");
	tell_request(f);
}

/* COMMITs of the plan without lanes that faulted in their turn. Returns the number of COMMITs. */
static unsigned planned(const struct flight *f, uint32_t pass[WL_WARP_LANES])
{
	unsigned n = 0;
	for (unsigned i = 0; i < f->plan.passes && i < WL_WARP_LANES; i++)
		if (f->plan.pass_lanes[i] & ~f->ref.faulted)
			pass[n++] = f->plan.pass_lanes[i] & ~f->ref.faulted;
	return n;
}

static void sort(uint32_t *pass, unsigned n)
{
	for (unsigned i = 1; i < n; i++)
		for (unsigned k = i; k > 0 && pass[k - 1] > pass[k]; k--) {
			const uint32_t moved = pass[k];
			pass[k] = pass[k - 1];
			pass[k - 1] = moved;
		}
}

void record_end(struct flight *f)
{
	uint32_t pass[WL_WARP_LANES];
	const unsigned n = planned(f, pass);
	if (f->plan.any_order) {
		sort(pass, n);
		sort(f->dut.pass_lanes, f->dut.commits);
	}
	const struct view r = {.committed = f->ref.committed,
	                       .written = f->ref.written,
	                       .preds = f->ref.preds,
	                       .faulted = f->ref.faulted,
	                       .passes = f->ref.passes,
	                       .commits = n,
	                       .pass = pass,
	                       .fault = f->ref.fault,
	                       .result = f->ref.result};
	const struct view d = {.committed = f->dut.committed,
	                       .written = f->dut.written,
	                       .preds = f->dut.preds,
	                       .faulted = f->dut.faulted,
	                       .passes = f->dut.passes,
	                       .commits = f->dut.commits,
	                       .pass = f->dut.pass_lanes,
	                       .fault = f->dut.fault,
	                       .result = f->dut.result};
	const uint32_t tag = core_tag(&f->req.tag), ref = hash_view(&r, tag), seen = hash_view(&d, tag);
	tally.done++;
	hash_add(&tally.hash[REF], ref);
	hash_add(&tally.hash[DUT], seen);
	if (tally.replay && !tally.told && ref != seen)
		tell(f, &r, &d);
	judge(f);
}

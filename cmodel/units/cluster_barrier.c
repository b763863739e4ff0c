// SPDX-License-Identifier: Apache-2.0
/* cluster_barrier.c -- barriers of clusters: arrivals, waits, completion of phases.
 * Source: docs/spec/clusters.md, "Barrier"; docs/spec/clusters.md, "Arrivals and waits". */
#include "warplock/cluster_barrier.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "warplock/units.h"

static struct wl_cbar *bar_of(struct wl_cluster_barrier *b, unsigned slot)
{
	return b->of_slot[slot] ? &b->bar[b->of_slot[slot] - 1] : NULL;
}

const struct wl_cbar *wl_cbar_of(const struct wl_cluster_barrier *b, unsigned slot)
{
	return b->of_slot[slot] ? &b->bar[b->of_slot[slot] - 1] : NULL;
}

static unsigned ctas_of(const struct wl_cta_start *start)
{
	return start->cluster_ctas ? start->cluster_ctas : 1;
}

/* The cluster of a new CTA: the cluster's place, or a free place. */
static unsigned place_of(const struct wl_cluster_barrier *b, const struct wl_cta_start *start)
{
	unsigned i;
	for (i = 0; i < WL_MAX_CTAS; i++)
		if (b->bar[i].here && b->bar[i].ctas > 1 && b->bar[i].ctas == ctas_of(start) &&
		    b->bar[i].cluster == start->cluster)
			return i;
	for (i = 0; b->bar[i].here; i++)
		assert(i + 1 < WL_MAX_CTAS && "no more clusters than CTAs");
	return i;
}

void wl_cbar_open(struct wl_cluster_barrier *b, const struct wl_cta_start *start)
{
	wl_cbar_close(b, start->slot); /* forgets the CTA before */
	const unsigned i = place_of(b, start);
	struct wl_cbar *bar = &b->bar[i];
	if (!bar->here)
		*bar = (struct wl_cbar){.cluster = start->cluster, .ctas = (uint8_t)ctas_of(start)};
	bar->here++;
	bar->opened++;
	for (unsigned w = 0; w < start->warps; w++)
		bar->live |= UINT64_C(1) << (start->first_warp + w);
	b->of_slot[start->slot] = (uint8_t)(i + 1);
}

void wl_cbar_close(struct wl_cluster_barrier *b, unsigned slot)
{
	struct wl_cbar *bar = bar_of(b, slot);
	if (bar)
		bar->here--;
	b->of_slot[slot] = 0;
}

bool wl_cbar_part_arrived(const struct wl_cbar *bar)
{
	return !(bar->live & ~bar->arrived);
}

static unsigned first_slot(const struct wl_cluster_barrier *b, const struct wl_cbar *bar)
{
	unsigned slot = 0;
	while (b->of_slot[slot] != bar - b->bar + 1)
		slot++;
	return slot;
}

/* The phase ends. Waiting warps go on. Arrived warps not yet waiting will not have to wait. */
static void end_phase(struct wl_cluster_barrier *b, struct wl_cbar *bar, struct wl_released *r)
{
	*r = (struct wl_released){.unit = WL_UNIT_cluster_barrier,
	                          .slot = (uint16_t)first_slot(b, bar),
	                          .id = bar->phase,
	                          .phase = bar->phase,
	                          .warps = bar->waiting};
	bar->done |= bar->arrived & ~bar->waiting;
	bar->arrived = bar->waiting = 0;
	bar->phase++;
}

/* Completes the phase of a cluster with all CTAs on this SM. */
static void complete(struct wl_cluster_barrier *b, struct wl_cbar *bar, struct wl_released *r)
{
	r->warps = 0;
	if (bar->opened == bar->ctas && bar->live && wl_cbar_part_arrived(bar))
		end_phase(b, bar, r);
}

void wl_cbar_part_goes_on(struct wl_cluster_barrier *b, unsigned slot, struct wl_released *r)
{
	end_phase(b, bar_of(b, slot), r);
}

enum wl_fault wl_cbar_arrive(struct wl_cluster_barrier *b, unsigned slot, unsigned warp, struct wl_released *r)
{
	struct wl_cbar *bar = bar_of(b, slot);
	const uint64_t bit = UINT64_C(1) << warp;
	r->warps = 0;
	if (!bar)
		return WL_FAULT_SLOT_CLOSED;
	if (bar->arrived & bit)
		return WL_FAULT_CBAR_DOUBLE_ARRIVE;
	bar->arrived |= bit;
	bar->done &= ~bit;
	complete(b, bar, r);
	return WL_FAULT_NONE;
}

enum wl_fault wl_cbar_wait(struct wl_cluster_barrier *b, unsigned slot, unsigned warp, bool *waits)
{
	struct wl_cbar *bar = bar_of(b, slot);
	const uint64_t bit = UINT64_C(1) << warp;
	*waits = false;
	if (!bar)
		return WL_FAULT_SLOT_CLOSED;
	if (!((bar->arrived | bar->done) & bit))
		return WL_FAULT_CBAR_WAIT_NO_ARRIVE;
	*waits = bar->arrived & bit;
	bar->waiting |= bar->arrived & bit;
	bar->done &= ~bit;
	return WL_FAULT_NONE;
}

void wl_cbar_exit(struct wl_cluster_barrier *b, unsigned slot, unsigned warp, struct wl_released *r)
{
	struct wl_cbar *bar = bar_of(b, slot);
	const uint64_t bit = UINT64_C(1) << warp;
	r->warps = 0;
	if (!bar || !(bar->live & bit))
		return;
	bar->live &= ~bit;
	bar->arrived &= ~bit;
	bar->done &= ~bit;
	complete(b, bar, r);
}

/* ---- behind the interface ---- */

static void open_cta(struct wl_units *u, const struct wl_cta_start *start)
{
	wl_cbar_open(&u->cluster_barrier, start);
}

static void close_cta(struct wl_units *u, unsigned slot)
{
	wl_cbar_close(&u->cluster_barrier, slot);
}

static void plan(const struct wl_units *u, const struct wl_req *req, struct wl_plan *p, struct wl_record *rec)
{
	const struct wl_cbar *bar = wl_cbar_of(&u->cluster_barrier, req->tag.slot);
	wl_plan_all(req, p, rec);
	if (!bar) {
		wl_plan_fault(req, p, WL_FAULT_SLOT_CLOSED);
		return;
	}
	p->waits = req->inst.op == WL_CBAR_WAIT;
	p->wait_id = bar->phase; /* the phase cannot end twice before this warp has gone on */
}

static void fix(struct wl_cluster_barrier *b, const struct wl_released *r)
{
	if (!r->warps)
		return;
	assert(b->nfixed < WL_CBAR_FIXED && "a warp waits at one barrier");
	b->fixed[b->nfixed++] = *r;
}

static uint32_t apply(struct wl_units *u, const struct wl_req *req, struct wl_plan *p, const struct wl_event *ev,
                      struct wl_record *rec)
{
	struct wl_cluster_barrier *b = &u->cluster_barrier;
	struct wl_released r = {0};
	enum wl_fault fault;
	assert(ev->lanes == req->mask && "a warp arrives as a whole");
	if (req->inst.op == WL_CBAR_WAIT)
		fault = wl_cbar_wait(b, req->tag.slot, req->tag.warp, &p->waits);
	else
		fault = wl_cbar_arrive(b, req->tag.slot, req->tag.warp, &r);
	if (fault != WL_FAULT_NONE)
		return wl_fault_lanes(rec, req->mask, fault);
	fix(b, &r);
	rec->committed |= ev->lanes;
	return 0;
}

static void event(struct wl_units *u, const struct wl_event *ev)
{
	struct wl_released r;
	if (ev->kind != WL_EV_EXIT)
		return;
	wl_cbar_exit(&u->cluster_barrier, ev->tag.slot, ev->tag.warp, &r);
	fix(&u->cluster_barrier, &r);
}

static bool released(struct wl_units *u, struct wl_released *r)
{
	struct wl_cluster_barrier *b = &u->cluster_barrier;
	if (!b->nfixed)
		return false;
	*r = b->fixed[0];
	memmove(b->fixed, b->fixed + 1, --b->nfixed * sizeof b->fixed[0]);
	return true;
}

/* dut: struct wl_cbar_status. */
static bool compare(const struct wl_units *u, const void *dut, char *why, size_t n)
{
	const struct wl_cbar_status *other = dut;
	struct wl_cbar_status ref = {0};
	for (unsigned i = 0; i < WL_MAX_CTAS; i++) {
		const struct wl_cbar *bar = &u->cluster_barrier.bar[i];
		ref.arrived |= bar->here ? bar->arrived : 0;
		ref.waiting |= bar->here ? bar->waiting : 0;
		ref.done |= bar->here ? bar->done : 0;
	}
	if (ref.arrived == other->arrived && ref.waiting == other->waiting && ref.done == other->done)
		return true;
	snprintf(why, n,
	         "cluster barriers: warps 0x%llx arrived, 0x%llx wait, 0x%llx need not wait; REF has 0x%llx, 0x%llx, "
	         "0x%llx",
	         (unsigned long long)other->arrived, (unsigned long long)other->waiting,
	         (unsigned long long)other->done, (unsigned long long)ref.arrived, (unsigned long long)ref.waiting,
	         (unsigned long long)ref.done);
	return false;
}

static void explain(const struct wl_units *u, unsigned slot, void (*line)(void *self, const char *text), void *self)
{
	const struct wl_cbar *bar = wl_cbar_of(&u->cluster_barrier, slot);
	char text[160];
	if (!bar || !bar->arrived || first_slot(&u->cluster_barrier, bar) != slot)
		return;
	snprintf(text, sizeof text,
	         "barrier of cluster %u, phase %u: warps 0x%llx arrived, 0x%llx wait, 0x%llx are missing", bar->cluster,
	         bar->phase, (unsigned long long)bar->arrived, (unsigned long long)bar->waiting,
	         (unsigned long long)(bar->live & ~bar->arrived));
	line(self, text);
}

const struct wl_unit_ops wl_cluster_barrier_ops = {.plan_bytes = sizeof(struct wl_plan),
                                                   .open = open_cta,
                                                   .close = close_cta,
                                                   .plan = plan,
                                                   .apply = apply,
                                                   .event = event,
                                                   .released = released,
                                                   .finish = wl_finish_plain,
                                                   .compare = compare,
                                                   .explain = explain};

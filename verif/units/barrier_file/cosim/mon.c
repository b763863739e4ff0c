// SPDX-License-Identifier: Apache-2.0
/* mon.c -- the monitor's part for barrier_file, rule d. The part counts arrivals and live warps. So the part knows the
 * warps to release, and the time.
 * Source: docs/spec/barriers.md, "Counts"; docs/spec/barriers.md, "Completion"; docs/spec/barriers.md, "Exits". */
#include <string.h>

#include "../../../cosim/mon_unit.h"

enum {
	BARRIERS = 16,
	LATEST = 4,      /* cycles from the end of a phase to its RELEASE */
	LEAN_LATEST = 16 /* of the lean form: six from an EXIT on, and four for each CTA coming or leaving meanwhile */
};

/* An open phase, and the releases still owed by the last ended phase. */
struct barrier {
	uint64_t here, waiting; /* warps of the SM */
	uint64_t owed;          /* warps still to be released */
	uint64_t since;         /* cycle in which the phase ended */
	uint8_t wanted, mode;
	bool counted; /* an arrival gave a count: exits do not shrink the phase */
};

struct state {
	struct {
		uint8_t exited;
		struct barrier barrier[BARRIERS];
	} cta[WL_MAX_CTAS];
};

/* State kept for a request. */
struct arrival {
	bool arrives, waits, counted;
	uint8_t id, wanted, mode;
};
_Static_assert(sizeof(struct arrival) <= MON_OWN, "an arrival fits into an item of the monitor");

static struct arrival *arrival_of(struct mon_item *it)
{
	return (struct arrival *)(void *)it->own;
}

static struct state *state_of(struct mon *m)
{
	return mon_state(m, WL_UNIT_barrier_file);
}

/* ---- effect of a request ---- */

static void operands(const struct wl_req *req, uint32_t *id, uint32_t *threads)
{
	const struct wl_inst *in = &req->inst;
	*id = in->src[0] == WL_SRC_REG ? (uint32_t)req->ra[0] : in->imm;
	*threads = in->src[1] == WL_SRC_REG ? req->rb[0].w[0] : in->imm2;
	if (in->flags & WL_F_HI) {
		*threads = *id >> 16;
		*id &= 0xffff;
	}
}

static void accept(struct mon *m, struct mon_item *it, const struct wl_req *req)
{
	struct arrival *a = arrival_of(it);
	const struct mon_window *w = mon_window_of(m, req->tag.slot);
	uint32_t id, threads;
	*a = (struct arrival){.arrives = req->inst.uop == WL_UOP_BAR};
	if (!a->arrives)
		return;
	operands(req, &id, &threads);
	a->waits = req->inst.op != WL_BAR_ARV;
	a->mode = req->inst.op == WL_BAR_RED ? 1 + req->inst.type : 0;
	a->counted = threads != 0;
	a->wanted = (uint8_t)(threads ? threads / 32 : w->warps);
	a->id = (uint8_t)(id % BARRIERS);
	if (!w->valid || id >= BARRIERS || (threads ? threads % 32 || threads / 32 > w->warps : !a->waits))
		it->faulting = req->mask;
}

/* ---- counting ---- */

static unsigned count(uint64_t warps)
{
	return (unsigned)__builtin_popcountll(warps);
}

static void end_if_complete(struct mon *m, unsigned slot, struct barrier *b)
{
	const unsigned live = mon_window_of(m, slot)->warps - state_of(m)->cta[slot].exited;
	if (!b->here || count(b->here) != (b->counted ? b->wanted : live))
		return;
	b->owed |= b->waiting;
	b->since = mon_now(m);
	b->here = b->waiting = 0;
	b->counted = false;
}

/* The fault required of an arrival; NONE: the arrival must count. Source: docs/spec/barriers.md, "Faults". */
static enum wl_fault misuse(const struct barrier *b, const struct arrival *a, uint64_t warp)
{
	if (!b->here)
		return WL_FAULT_NONE;
	return b->wanted != a->wanted ? WL_FAULT_BAR_COUNT_MISMATCH
	       : b->mode != a->mode   ? WL_FAULT_BAR_MODE_MISMATCH
	       : b->here & warp       ? WL_FAULT_BAR_DOUBLE_ARRIVE
	                              : WL_FAULT_NONE;
}

static void fault(struct mon *m, struct mon_item *it, const struct wl_event *ev)
{
	const struct arrival *a = arrival_of(it);
	const struct barrier *b = &state_of(m)->cta[it->tag.slot].barrier[a->id];
	const enum wl_fault due = a->arrives ? misuse(b, a, UINT64_C(1) << it->tag.warp) : WL_FAULT_NONE;
	if (ev->fault != due)
		mon_complain(m, 'd', &it->tag, 0, "FAULT %s at barrier %u, due is %s", wl_fault_name(ev->fault), a->id,
		             wl_fault_name(due));
}

static void commit(struct mon *m, struct mon_item *it, uint32_t lanes)
{
	const struct arrival *a = arrival_of(it);
	struct barrier *b = &state_of(m)->cta[it->tag.slot].barrier[a->id];
	const uint64_t warp = UINT64_C(1) << it->tag.warp;
	if (lanes != it->mask)
		mon_complain(m, 'a', &it->tag, lanes, "COMMIT of a part of the warp");
	if (!a->arrives)
		return;
	for (const struct mon_item *older = mon_older(m, it); older; older = mon_older(m, older))
		if (older->mask & ~older->faulting & ~older->fault_seen & ~older->committed)
			mon_complain(m, 'c', &it->tag, 0, "commits before the warp's older access n=%u", older->tag.n);
	if (misuse(b, a, warp) != WL_FAULT_NONE)
		mon_complain(m, 'd', &it->tag, 0, "an arrival at barrier %u that must fault commits", a->id);
	b->wanted = a->wanted;
	b->mode = a->mode;
	b->counted |= a->counted;
	b->here |= warp;
	b->waiting |= a->waits ? warp : 0;
	end_if_complete(m, it->tag.slot, b);
}

static enum wl_unit waits(struct mon *m, struct mon_item *it)
{
	(void)m;
	return arrival_of(it)->waits ? WL_UNIT_barrier_file : (enum wl_unit)MON_NO_WAIT;
}

static void release(struct mon *m, const struct wl_event *ev)
{
	struct barrier *b = &state_of(m)->cta[ev->tag.slot].barrier[ev->id % BARRIERS];
	if (ev->id >= BARRIERS || ev->warps != b->owed)
		mon_complain(m, 'd', &ev->tag, 0, "RELEASE of warps %llx at barrier %u, due are %llx",
		             (unsigned long long)ev->warps, ev->id, (unsigned long long)b->owed);
	b->owed = 0;
}

static void waiting(struct mon *m, const struct mon_item *it)
{
	const struct arrival *a = (const struct arrival *)(const void *)it->own;
	const struct barrier *b = &state_of(m)->cta[it->tag.slot].barrier[a->id];
	const unsigned latest = mon_is_lean(m) ? LEAN_LATEST : LATEST;
	if (b->owed >> it->tag.warp & 1 && mon_now(m) > b->since + latest)
		mon_complain(m, 'd', &it->tag, 0, "waits at barrier %u, whose phase ended %u cycles ago", a->id,
		             (unsigned)(mon_now(m) - b->since));
}

static void on_exit(struct mon *m, const struct wl_event *ev)
{
	state_of(m)->cta[ev->tag.slot].exited++;
	for (unsigned id = 0; id < BARRIERS; id++) {
		struct barrier *b = &state_of(m)->cta[ev->tag.slot].barrier[id];
		if (!b->counted)
			end_if_complete(m, ev->tag.slot, b);
	}
}

static void open(struct mon *m, unsigned slot)
{
	memset(&state_of(m)->cta[slot], 0, sizeof state_of(m)->cta[slot]);
}

const struct mon_unit mon_barrier_file = {.unit = WL_UNIT_barrier_file,
                                          .state_bytes = sizeof(struct state),
                                          .state_faults = true,
                                          .accept = accept,
                                          .commit = commit,
                                          .fault = fault,
                                          .waits = waits,
                                          .release = release,
                                          .waiting = waiting,
                                          .exit = on_exit,
                                          .open = open};

// SPDX-License-Identifier: Apache-2.0
/* waits.c -- requests that have left the pipe and wait: begun by the last COMMIT, ended by RELEASE or CHOICE.
 *
 * The event that completes a count fixes in REF the released warps and the value. The DUT's RELEASE follows within four
 * cycles (barrier_file_lean: 16) and must say the same. REF's waiting warps must be those of the DUT's wait table,
 * too. */
#include <string.h>

#include "flight.h"

void waits_start(struct lockstep *ls)
{
	memset(ls->waiting, NO_FLIGHT, sizeof ls->waiting);
}

void wait_begin(struct lockstep *ls, struct flight *f)
{
	uint8_t *of_warp = &ls->waiting[f->req.tag.warp % TAG_WARPS];
	if (*of_warp != NO_FLIGHT) {
		complain(ls, CHECK_WAITS, f, "a warp that waits begins another wait");
		return;
	}
	*of_warp = (uint8_t)(f - ls->flight);
	f->waits = true;
	ls->inflight--;
	ls->nwaiting++;
	ls->stats.waits++;
	tap_station(ls, f, LOCKSTEP_WAITS, 0);
	if (ls->nwaiting > ls->stats.max_waiting)
		ls->stats.max_waiting = ls->nwaiting;
	if (ls->source && ls->source->waits)
		ls->source->waits(ls->source->self, &f->req.tag);
}

/* The wait of `f` is over: the record is complete and handed to SOURCE. */
static void wait_end(struct lockstep *ls, struct flight *f)
{
	compare_retire(ls, f);
	ls->waiting[f->req.tag.warp % TAG_WARPS] = NO_FLIGHT;
	ls->nwaiting--;
	flight_free(ls, f);
}

unsigned waits_ctas(const struct lockstep *ls)
{
	uint32_t slots = 0;
	for (unsigned w = 0; w < TAG_WARPS; w++)
		if (ls->waiting[w] != NO_FLIGHT)
			slots |= 1u << ls->flight[ls->waiting[w]].req.tag.slot;
	return (unsigned)__builtin_popcount(slots);
}

/* ---- RELEASE ---- */

/* After a step of REF: the releases fixed by this step. */
void releases_collect(struct lockstep *ls)
{
	struct due_release d = {.cycle = ls->stats.cycles};
	while (wl_units_released(ls->ref, &d.what)) {
		if (ls->ndue == WL_MAX_WARPS) {
			complain(ls, CHECK_WAITS, NULL, "REF has fixed %u releases, the DUT has shown none", ls->ndue);
			return;
		}
		ls->due[ls->ndue++] = d;
	}
}

/* The release shown by the event: the release with the event's warps, else the oldest of the object, for a
 * complaint. */
static struct due_release *due_for(struct lockstep *ls, const struct wl_event *e)
{
	struct due_release *oldest = NULL;
	for (unsigned i = 0; i < ls->ndue; i++) {
		const struct wl_released *r = &ls->due[i].what;
		if (r->unit != e->unit || r->slot != e->tag.slot || r->id != e->id)
			continue;
		if (r->warps == e->warps)
			return &ls->due[i];
		if (!oldest)
			oldest = &ls->due[i];
	}
	return oldest;
}

static void compare_release(struct lockstep *ls, const struct wl_event *e, const struct wl_released *ref)
{
	const struct cosim_unit *unit = cosim_unit(e->unit);
	if (ref->warps != e->warps)
		complain(ls, CHECK_WAITS, NULL, "RELEASE of %s, slot %u, id %u: warps 0x%llx, REF has 0x%llx",
		         wl_unit_name(e->unit), e->tag.slot, e->id, (unsigned long long)e->warps,
		         (unsigned long long)ref->warps);
	if (ref->value != e->value)
		complain(ls, CHECK_WAITS, NULL, "RELEASE of %s, slot %u, id %u: value 0x%x, REF has 0x%x",
		         wl_unit_name(e->unit), e->tag.slot, e->id, e->value, ref->value);
	if (unit && unit->phases && ref->phase != e->phase)
		complain(ls, CHECK_WAITS, NULL, "RELEASE of %s, slot %u, id %u: phase %u, REF has %u",
		         wl_unit_name(e->unit), e->tag.slot, e->id, e->phase, ref->phase);
}

/* False: REF has not fixed this release. */
static bool agrees(struct lockstep *ls, const struct wl_event *e, struct wl_released *ref)
{
	struct due_release *d = due_for(ls, e);
	if (!d) {
		complain(ls, CHECK_WAITS, NULL, "RELEASE of %s, slot %u, id %u, which REF has not fixed",
		         wl_unit_name(e->unit), e->tag.slot, e->id);
		return false;
	}
	*ref = d->what;
	compare_release(ls, e, ref);
	memmove(d, d + 1, (size_t)(&ls->due[--ls->ndue] - d) * sizeof *d);
	return true;
}

static void release_warp(struct lockstep *ls, unsigned warp, const struct wl_released *ref)
{
	struct flight *f = ls->waiting[warp] == NO_FLIGHT ? NULL : &ls->flight[ls->waiting[warp]];
	const bool several = f && f->unit && f->unit->several_slots;
	if (!f || (f->req.tag.slot != ref->slot && !several)) {
		complain(ls, CHECK_WAITS, f, "RELEASE of warp %u, which does not wait in slot %u", warp, ref->slot);
		return;
	}
	ls->stats.released++;
	if (f->ops->answer)
		f->ops->answer(ls->ref, &f->req, &f->plan, ref, &f->ref);
	wait_end(ls, f);
}

void on_release(struct lockstep *ls, const struct wl_event *e)
{
	struct wl_released ref;
	ls->stats.releases++;
	if (!checking(ls) || !agrees(ls, e, &ref))
		return;
	for (uint64_t left = e->warps & ref.warps; left; left &= left - 1)
		release_warp(ls, (unsigned)__builtin_ctzll(left), &ref);
}

void on_choice(struct lockstep *ls, struct flight *f, const struct wl_event *e)
{
	ls->stats.choices++;
	if (!checking(ls))
		return;
	if (!f->waits || !f->plan.gives_up) {
		complain(ls, CHECK_WAITS, f, "gives up, but REF says that it %s",
		         f->waits ? "waits for a release" : "does not wait");
		return;
	}
	f->ops->apply(ls->ref, &f->req, &f->plan, e, &f->ref);
	wait_end(ls, f);
}

/* Once a cycle: a due release does not come late. */
void releases_watch(struct lockstep *ls)
{
	for (unsigned i = 0; i < ls->ndue; i++) {
		const struct wl_released *r = &ls->due[i].what;
		const unsigned most = ls->api->lean && r->unit == WL_UNIT_barrier_file ? LEAN_RELEASE : RELEASE_CYCLES;
		if (ls->stats.cycles > ls->due[i].cycle + most) {
			complain(ls, CHECK_WAITS, NULL,
			         "no RELEASE of %s, slot %u, id %u, phase %u, warps 0x%llx, %u cycles after its cause",
			         wl_unit_name(r->unit), r->slot, r->id, r->phase, (unsigned long long)r->warps, most);
			return;
		}
	}
}

/* ---- the wait table ---- */

/* Nothing is left but waits for another request. */
bool waits_for_ever(const struct lockstep *ls)
{
	if (!ls->nwaiting || ls->land.owed || ls->inflight || ls->offered || ls->jobs ||
	    ls->stats.cycles - ls->last_sign < STUCK_CYCLES)
		return false;
	for (unsigned w = 0; w < TAG_WARPS; w++)
		if (ls->waiting[w] != NO_FLIGHT && ls->flight[ls->waiting[w]].plan.gives_up)
			return false;
	return true;
}

static void compare_wait(struct lockstep *ls, unsigned warp, const struct shim_wait *dut)
{
	const struct flight *f = ls->waiting[warp] == NO_FLIGHT ? NULL : &ls->flight[ls->waiting[warp]];
	if (!f && !dut->waiting)
		return;
	if (!f || !dut->waiting)
		complain(ls, CHECK_WAITS, f, "wait table: warp %u %s, in REF it %s", warp,
		         dut->waiting ? "waits" : "does not wait", f ? "waits" : "does not");
	else if (dut->tag != hardware_tag(&f->req.tag) || dut->slot != f->req.tag.slot || dut->id != f->plan.wait_id)
		complain(ls, CHECK_WAITS, f,
		         "wait table: warp %u waits with tag 0x%x in slot %u for %u, REF has 0x%x, %u, %u", warp,
		         dut->tag, dut->slot, dut->id, hardware_tag(&f->req.tag), f->req.tag.slot, f->plan.wait_id);
	else
		ls->stats.checked[wl_req_unit(&f->req)]++;
}

void compare_waits(struct lockstep *ls)
{
	struct shim_wait dut[SHIM_WARPS];
	ls->api->read_waits(ls->model, dut);
	for (unsigned w = 0; w < SHIM_WARPS; w++)
		compare_wait(ls, w, &dut[w]);
}

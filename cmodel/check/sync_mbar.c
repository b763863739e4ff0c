// SPDX-License-Identifier: Apache-2.0
/* sync_mbar.c -- --check=sync: mbarriers. The checker numbers the phases of each object from the init on: each arrival
 * and each landed copy shows the object's phase bit. */
#include <stdlib.h>
#include <string.h>

#include "sync_state.h"

static struct object *slot_of(const struct sync *s, uint64_t at)
{
	for (uint64_t h = at / 8 * UINT64_C(0x9e3779b97f4a7c15) >> 20;; h++) {
		struct object *o = &s->object[h % OBJECTS];
		if (!o->at || o->at == at + 1)
			return o;
	}
}

struct object *mbar_find(const struct sync *s, uint64_t at)
{
	struct object *o = slot_of(s, at);
	return o->at && s->is_object[check_shared_index(&s->c, at) / 4] ? o : NULL;
}

static void drop_warps(const struct sync *s, struct object *o)
{
	for (unsigned i = 0; o->warp && i < s->c.shape.sms * WL_MAX_WARPS; i++)
		free(o->warp[i]);
	free(o->warp);
	o->warp = NULL;
}

/* Places stay in the table: a hash has no holes. */
void mbar_forget(struct sync *s, uint64_t base, uint32_t bytes)
{
	for (unsigned i = 0; s->nobjects && i < OBJECTS; i++) {
		struct object *o = &s->object[i];
		const uint64_t in = o->at ? check_shared_index(&s->c, o->at - 1) : UINT64_MAX;
		if (in == UINT64_MAX || in - base >= bytes)
			continue;
		drop_warps(s, o);
		memset(s->is_object + in / 4, 0, 2);
	}
}

void mbar_note_phase(struct object *o, bool bit)
{
	o->phase += bit != o->bit;
	o->bit = bit;
}

static struct lane_at *lane_at(const struct sync *s, struct object *o, const struct wl_seen *e, unsigned lane)
{
	const unsigned i = e->sm * WL_MAX_WARPS + e->warp_slot;
	if (!o->warp)
		o->warp = calloc((size_t)s->c.shape.sms * WL_MAX_WARPS, sizeof(struct warp_at *));
	if (o->warp && !o->warp[i])
		o->warp[i] = calloc(1, sizeof(struct warp_at));
	if (!o->warp || !o->warp[i])
		abort();
	return &o->warp[i]->lane[lane];
}

/* ---- init and inval ---- */

static void made(struct sync *s, const struct wl_seen *e, unsigned lane)
{
	struct object *o = slot_of(s, e->at[lane]);
	const uint64_t in = check_shared_index(&s->c, e->at[lane]);
	const bool begins = e->inst->uop == WL_UOP_SYNCS_EXCH;
	if (!o->at && s->nobjects >= OBJECTS / 2) {
		checker_doubt(&s->c, "more than 2048 places of mbarriers");
		return;
	}
	s->nobjects += !o->at;
	s->young += !o->at || (o->fenced_at && o->met_at);
	drop_warps(s, o);
	*o = (struct object){.at = e->at[lane] + 1,
	                     .bit = e->phases >> lane & 1,
	                     .warp_slot = e->warp_slot,
	                     .sm = e->sm,
	                     .cta = e->owner[lane],
	                     .made_at = s->now,
	                     .made = check_site(e, 1u << lane, "mbarrier.init")};
	memset(s->is_object + in / 4, begins, 2);
}

/* Stands between an init and the object's users: MEMBAR, FENCE.VIEW.ASYNC, and the NOP left by ptxas for
 * fence.mbarrier_init. */
void mbar_fenced(struct sync *s, const struct wl_seen *e)
{
	if (e->kind == WL_SEEN_LANES && e->inst->uop != WL_UOP_NOP)
		return;
	for (unsigned i = 0; s->young && i < OBJECTS; i++) {
		struct object *o = &s->object[i];
		if (o->at && !o->fenced_at && o->sm == e->sm && o->warp_slot == e->warp_slot) {
			o->fenced_at = s->now;
			s->young -= o->met_at != 0;
		}
	}
}

void mbar_met(struct sync *s, unsigned sm, uint64_t warps)
{
	for (unsigned i = 0; s->young && i < OBJECTS; i++) {
		struct object *o = &s->object[i];
		if (o->at && !o->met_at && o->sm == sm && warps >> o->warp_slot & 1) {
			o->met_at = s->now;
			s->young -= o->fenced_at != 0;
		}
	}
}

/* Another CTA uses the object without a fence since the init; or another warp does, and has met nobody since the
 * init. */
static void use(struct sync *s, const struct object *o, const struct wl_seen *e, unsigned lane, const char *does)
{
	const struct wl_check_site here = check_site(e, 1u << lane, does);
	if (!s->hidden_fence && o->cta != e->cta && !o->fenced_at)
		sync_found(s, WL_CHECK_MBAR_UNFENCED, &o->made, &here, e->owner[lane], e->addr[lane], 8);
	if ((o->sm == e->sm && o->warp_slot == e->warp_slot) || sync_warp(s, e)->met > o->made_at)
		return;
	sync_found(s, WL_CHECK_MBAR_UNPUBLISHED, &o->made, &here, e->owner[lane], e->addr[lane], 8);
}

/* ---- arrivals and waits ---- */

static void arrive(struct sync *s, struct object *o, const struct wl_seen *e, unsigned lane)
{
	struct lane_at *l = lane_at(s, o, e, lane);
	mbar_note_phase(o, e->phases >> lane & 1);
	use(s, o, e, lane, "arrival");
	if (l->arrived != 1 + o->phase)
		l->owes = l->arrived;
	l->arrived = 1 + o->phase;
	l->failed = 0;
}

/* The lane has not arrived in the phase under way, but has arrived an even number of phases ago. */
static bool is_stale(const struct lane_at *l, uint32_t now)
{
	return l->arrived && l->arrived != now &&
	       ((now - l->arrived) % 2 == 0 || (l->owes && (now - l->owes) % 2 == 0));
}

/* A wait for parity p succeeds when the phase under way has the other parity. */
static void ask(struct sync *s, struct object *o, const struct wl_seen *e, unsigned lane)
{
	struct lane_at *l = lane_at(s, o, e, lane);
	const struct wl_check_site here = check_site(e, 1u << lane, "wait");
	mbar_note_phase(o, e->phases >> lane & 1);
	use(s, o, e, lane, "wait");
	const bool waits = (e->parity >> lane & 1) == (e->phases >> lane & 1);
	const uint32_t now = 1 + o->phase;
	if (waits && l->failed && now >= l->failed + 2)
		sync_found(s, WL_CHECK_MBAR_OVERTAKEN, NULL, &here, e->owner[lane], e->addr[lane], 8);
	else if (waits && is_stale(l, now))
		sync_found(s, WL_CHECK_MBAR_STALE, NULL, &here, e->owner[lane], e->addr[lane], 8);
	if (waits && !l->failed)
		l->failed = now;
}

static void pass(struct sync *s, struct object *o, const struct wl_seen *e, unsigned lane)
{
	struct lane_at *l = lane_at(s, o, e, lane);
	const struct wl_check_site here = check_site(e, 1u << lane, "wait");
	mbar_note_phase(o, e->phases >> lane & 1);
	const uint32_t now = 1 + o->phase;
	if (l->arrived == now && !(l->owes && l->owes == now - 1))
		sync_found(s, WL_CHECK_MBAR_PARITY, NULL, &here, e->owner[lane], e->addr[lane], 8);
	else if (l->arrived != now && l->passed == now && l->passed_pc == e->pc)
		sync_found(s, WL_CHECK_MBAR_AGAIN, NULL, &here, e->owner[lane], e->addr[lane], 8);
	*l = (struct lane_at){.arrived = l->arrived == now ? now : 0, .passed = now, .passed_pc = e->pc};
}

void mbar_event(struct sync *s, const struct wl_seen *e)
{
	for (uint32_t m = e->lanes; m; m &= m - 1) {
		const unsigned lane = check_lowest(m);
		struct object *o;
		if (e->kind == WL_SEEN_MBAR_INIT) {
			made(s, e, lane);
			continue;
		}
		o = mbar_find(s, e->at[lane]);
		if (!o)
			continue;
		if (e->kind == WL_SEEN_MBAR_ARRIVE)
			arrive(s, o, e, lane);
		else if (e->kind == WL_SEEN_MBAR_ASKED)
			ask(s, o, e, lane);
		else
			pass(s, o, e, lane);
	}
}

/* ---- plain accesses ---- */

/* From sm_100 on a plain store of 8 bytes makes an object. */
static bool makes(const struct sync *s, const struct wl_seen *e)
{
	return s->c.shape.program->arch >= WL_SM100 && e->size == 8 && e->writes && !e->atomic;
}

void mbar_copied(struct sync *s, const struct wl_check_site *copy, uint64_t at, uint32_t bytes, uint32_t owner,
                 uint64_t addr)
{
	const uint64_t in = check_shared_index(&s->c, at);
	for (uint32_t k = 0; k < bytes; k += 4) {
		const struct object *o = s->is_object[(in + k) / 4] ? mbar_find(s, (at + k) & ~UINT64_C(7)) : NULL;
		if (!o)
			continue;
		sync_found(s, WL_CHECK_MBAR_PLAIN, &o->made, copy, owner, addr + k, bytes - k < 8 ? bytes - k : 8);
		return;
	}
}

void mbar_touched(struct sync *s, const struct wl_seen *e, unsigned lane)
{
	const uint64_t in = check_shared_index(&s->c, e->at[lane]);
	const struct wl_check_site here = check_site(e, 1u << lane, check_deed(e));
	for (uint32_t k = 0; k < e->size; k += 4) {
		const struct object *o;
		if (!s->is_object[(in + k) / 4] || makes(s, e))
			continue;
		o = mbar_find(s, (e->at[lane] + k) & ~UINT64_C(7));
		if (o)
			sync_found(s, WL_CHECK_MBAR_PLAIN, &o->made, &here, e->owner[lane], e->addr[lane], e->size);
		return;
	}
}

// SPDX-License-Identifier: Apache-2.0
/* mon.c -- the monitor's part for atom_unit: 64-bit addresses, spaces and faults by lane. The lanes of a sector commit
 * together. Lanes in shared memory commit before all others, in lane order on a word (b). Program order of a warp's
 * accesses (c). The part forms all values by itself.
 * Source: docs/spec/global-memory.md, "Addresses"; docs/spec/global-memory.md, "Faults";
 * docs/spec/global-memory.md, "Sectors". */
#include <string.h>

#include "../../../cosim/mon_unit.h"

enum { SECTOR = 32, HIGH_SHARED = 1, HIGH_LOCAL = 2 /* high words of the windows' generic addresses */ };

/* The monitor's record of a request. */
struct access {
	uint64_t addr[WL_WARP_LANES]; /* in shared memory: {1 (32 bits), own slot ^ the CTA's (8), offset (24)} */
	uint32_t shared;              /* lanes in shared memory */
	uint32_t losers;              /* of `shared`: .SPIN lanes that fail without an effect */
	bool load;
	bool together; /* lanes on a word of shared memory may commit in the same event */
	uint8_t size;
};
_Static_assert(sizeof(struct access) <= MON_OWN, "an access fits into an item of the monitor");
_Static_assert(HIGH_SHARED == WL_SHARED_WINDOW >> 32 && HIGH_LOCAL == WL_LOCAL_WINDOW >> 32, "windows of 4 GiB");

static const struct access *seen(const struct mon_item *it)
{
	return (const struct access *)(const void *)it->own;
}

/* ---- effect of a request ---- */

static bool is(const struct wl_req *req, const enum wl_uop *uops, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (req->inst.uop == uops[i])
			return true;
	return false;
}

static void form_addresses(struct access *a, const struct wl_req *req)
{
	const struct wl_inst *in = &req->inst;
	const bool narrow = !(in->flags & WL_F_E64) || in->flags & WL_F_A32;
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint64_t ra = in->ra == WL_RZ ? 0 : narrow ? req->ra[l] & UINT32_MAX : req->ra[l];
		a->addr[l] = ra + (in->ur == 255 ? 0 : req->ur) + (uint64_t)(int64_t)in->off;
	}
}

/* Pu of a generic atomic: the spaces that serve the atomic. Both spaces serve loads and stores. */
static bool served_by_shared(const struct wl_req *req)
{
	static const enum wl_uop any[] = {WL_UOP_LD, WL_UOP_ST, WL_UOP_ATOM_CAS, WL_UOP_ATOM_CAST};
	const struct wl_inst *in = &req->inst;
	return is(req, any, 4) || in->op == WL_ATOM_EXCH || (in->type == 0 && in->size == 4);
}

/* Operations served only by shared memory of another CTA of the cluster. */
static bool served_by_others(const struct wl_req *req)
{
	const struct wl_inst *in = &req->inst;
	if (in->uop != WL_UOP_ATOM)
		return false;
	return in->type == WL_AT_INT ? in->size == 8
	                             : in->size == 4 && in->op == WL_ATOM_ADD &&
	                                       (in->type == WL_AT_F16X2 || in->type == WL_AT_BF16X2);
}

/* The lowest lane of every architectural bank tries; the other lanes lose. Addresses in the SM's shared memory. */
static uint32_t spin_losers(const uint32_t *addr, uint32_t lanes)
{
	uint32_t tried = 0, lost = 0;
	for (; lanes; lanes &= lanes - 1) {
		const unsigned l = (unsigned)__builtin_ctz(lanes);
		const uint32_t bank = UINT32_C(1) << (addr[l] >> 2 & 31);
		lost |= tried & bank ? UINT32_C(1) << l : 0;
		tried |= bank;
	}
	return lost;
}

static void accept(struct mon *m, struct mon_item *it, const struct wl_req *req)
{
	static const enum wl_uop generics[] = {WL_UOP_LD, WL_UOP_ST, WL_UOP_ATOM, WL_UOP_ATOM_CAS, WL_UOP_ATOM_CAST};
	struct access *a = (struct access *)(void *)it->own;
	const struct wl_inst *in = &req->inst;
	const bool generic = is(req, generics, 5), atomic = is(req, generics + 2, 3);
	uint32_t refused = 0, bank[WL_WARP_LANES];
	a->size = in->size;
	a->load = in->uop == WL_UOP_LDG || in->uop == WL_UOP_LD;
	a->together = a->load ||
	              (mon_combine(m) &&
	               (in->uop == WL_UOP_ST || (in->uop == WL_UOP_ATOM && in->size == 4 && in->type == WL_AT_INT &&
	                                         in->op != WL_ATOM_INC && in->op != WL_ATOM_DEC)));
	a->shared = 0;
	form_addresses(a, req);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint32_t bit = UINT32_C(1) << l, high = generic ? (uint32_t)(a->addr[l] >> 32) : 0;
		const bool wide = a->addr[l] >> 32 == high, shared = wide && high == HIGH_SHARED;
		const int to = shared ? mon_slot_named(m, req->tag.slot, (uint32_t)a->addr[l]) : (int)req->tag.slot;
		const bool here = served_by_shared(req) || (served_by_others(req) && to != (int)req->tag.slot);
		const bool nobody = (wide && high == HIGH_LOCAL) || (shared && !here);
		const struct mon_window *w = mon_window_of(m, to < 0 ? req->tag.slot : (unsigned)to);
		a->addr[l] -= shared ? w->origin : 0;
		const uint32_t at = (uint32_t)a->addr[l];
		if (!(req->mask & bit))
			continue;
		if (in->flags & WL_F_ILLEGAL)
			it->faulting |= bit;
		else if (nobody && atomic && in->pd[0] != WL_PT)
			refused |= bit;
		else if (at & (a->size - 1u) || nobody ||
		         (shared && (to < 0 || !w->valid || w->size < a->size || at > w->size - a->size)))
			it->faulting |= bit;
		else if (shared)
			a->shared |= bit;
		if (a->shared & bit) {
			bank[l] = w->base + at;
			a->addr[l] |= (uint64_t)(req->tag.slot ^ (unsigned)to) << 24;
		}
	}
	it->mask &= ~refused; /* neither commits nor faults */
	it->reads = a->load && a->shared & (a->shared - 1);
	a->losers = in->uop == WL_UOP_ATOM_CAST && in->flags & WL_F_SPIN ? spin_losers(bank, a->shared) : 0;
}

/* ---- COMMIT ---- */

static uint32_t pending(const struct mon_item *it)
{
	return it->mask & ~it->faulting & ~it->fault_seen & ~it->committed;
}

/* A sector with all its lanes. */
static void check_sector(struct mon *m, const struct mon_item *it, uint32_t lanes)
{
	const struct access *a = seen(it);
	const uint64_t sector = a->addr[__builtin_ctz(lanes)] / SECTOR;
	uint32_t all = 0;
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		all |= (uint32_t)(a->addr[l] / SECTOR == sector) << l;
	all &= pending(it) & ~a->shared;
	if (lanes != all)
		mon_complain(m, 'b', &it->tag, lanes ^ all,
		             "COMMIT of the sector at 0x%llx, but not of its lanes and only those",
		             (unsigned long long)sector * SECTOR);
	else if (pending(it) & a->shared)
		mon_complain(m, 'b', &it->tag, lanes,
		             "COMMIT of the sector at 0x%llx before the lanes in shared memory",
		             (unsigned long long)sector * SECTOR);
}

/* A pass over shared memory: lanes on a word commit in turn; loads, and lanes that combine, commit together. */
static void check_lane_order(struct mon *m, const struct mon_item *it, uint32_t lanes)
{
	const struct access *a = seen(it);
	for (uint32_t left = lanes & ~a->losers; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		uint32_t lower = pending(it) & a->shared & ~a->losers & ((UINT32_C(1) << l) - 1);
		if (a->together)
			lower &= ~lanes;
		for (; lower; lower &= lower - 1) {
			const unsigned p = (unsigned)__builtin_ctz(lower);
			if (a->addr[p] != a->addr[l])
				continue;
			mon_complain(m, 'b', &it->tag, UINT32_C(1) << l,
			             "lane %u commits with or before lane %u, which is on the same word at 0x%llx", l,
			             p, (unsigned long long)a->addr[l]);
			return;
		}
	}
}

/* Lane of `it` still to commit whose bytes overlap the bytes of lane l of `mine`; -1: none. */
static int pending_overlap(const struct mon_item *it, const struct access *mine, unsigned l)
{
	const struct access *a = seen(it);
	for (uint32_t left = pending(it) & ~a->losers; left; left &= left - 1) {
		const unsigned j = (unsigned)__builtin_ctz(left);
		if (a->addr[j] < mine->addr[l] + mine->size && mine->addr[l] < a->addr[j] + a->size)
			return (int)j;
	}
	return -1;
}

static void check_program_order(struct mon *m, const struct mon_item *it, uint32_t lanes)
{
	const struct access *mine = seen(it);
	for (const struct mon_item *o = mon_older(m, it); o; o = mon_older(m, o))
		for (uint32_t left = o->unit == it->unit ? lanes & ~mine->losers : 0; left; left &= left - 1) {
			const unsigned l = (unsigned)__builtin_ctz(left);
			const int j = pending_overlap(o, mine, l);
			if (j < 0)
				continue;
			mon_complain(m, 'c', &it->tag, UINT32_C(1) << l,
			             "lane %u commits at 0x%llx before lane %d of the warp's earlier request n=%u has "
			             "committed at 0x%llx",
			             l, (unsigned long long)mine->addr[l], j, o->tag.n,
			             (unsigned long long)seen(o)->addr[j]);
			return;
		}
}

/* Lane in shared memory still to commit whose bytes overlap from .. to - 1; -1: none. */
static int shared_pending(const struct mon_item *it, uint32_t from, uint32_t to)
{
	const struct access *a = seen(it);
	for (uint32_t left = pending(it) & a->shared & ~a->losers; left; left &= left - 1) {
		const unsigned j = (unsigned)__builtin_ctz(left);
		const uint32_t at = (uint32_t)a->addr[j];
		if (at < to && from < at + a->size)
			return (int)j;
	}
	return -1;
}

/* Lanes on the same word of global memory commit together (check_sector). */
static int torn(const struct mon_item *it, unsigned slot, uint32_t from, uint32_t to)
{
	const struct access *a = seen(it);
	for (uint32_t left = pending(it) & a->shared; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		const uint32_t at = (uint32_t)a->addr[l] & 0xffffff;
		if ((it->tag.slot ^ (a->addr[l] >> 24 & 15)) != slot || at >= to || from >= at + a->size)
			continue;
		for (uint32_t done = it->committed & a->shared; done; done &= done - 1)
			if (a->addr[__builtin_ctz(done)] == a->addr[l])
				return (int)l;
	}
	return -1;
}

static void check_shared(struct mon *m, const struct mon_item *it, uint32_t lanes)
{
	const struct access *a = seen(it);
	for (uint32_t left = lanes & ~a->losers; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		mon_check_shared(m, it, l, (uint32_t)a->addr[l], a->size);
		if (!a->load && mon_wants_writes(m))
			mon_writes(m, it, it->tag.slot ^ (a->addr[l] >> 24 & 15), (uint32_t)a->addr[l] & 0xffffff,
			           a->size);
	}
}

static void commit(struct mon *m, struct mon_item *it, uint32_t lanes)
{
	const uint32_t mine = lanes & it->mask, shared = mine & seen(it)->shared;
	if (shared && shared != mine)
		mon_complain(m, 'b', &it->tag, lanes, "COMMIT of lanes in shared memory together with others");
	if (shared == mine && shared) {
		check_lane_order(m, it, shared);
		check_shared(m, it, shared);
	} else if (mine && !shared) {
		check_sector(m, it, mine);
	}
	check_program_order(m, it, mine);
}

const struct mon_unit mon_atom_unit = {.unit = WL_UNIT_atom_unit,
                                       .state_faults = true,
                                       .accept = accept,
                                       .commit = commit,
                                       .shared_pending = shared_pending,
                                       .torn = torn};

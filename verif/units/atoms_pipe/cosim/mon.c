// SPDX-License-Identifier: Apache-2.0
/* mon.c -- the monitor's part for atoms_pipe: addresses, faults, SPIN losers; lane order on a word (b) and the program
 * order of a warp's accesses (c); lanes of a load on the same word (g). The part forms all values by itself.
 * Source: docs/spec/shared-memory.md, "Addresses"; docs/spec/shared-memory.md, "Faults";
 * docs/spec/shared-memory.md, "SPIN"; docs/spec/lockstep.md, "Order rules". */
#include <assert.h>
#include <string.h>

#include "../../../cosim/mon_unit.h"
#include "lane_row.h" /* loops over lanes as vectors; no unit's meaning */

enum { NONE = 0xff, HASH = 64 };

/* The monitor's record of a request. */
struct access {
	uint32_t losers; /* .SPIN lanes that fail without an effect: exempt from order */
	uint32_t linked; /* lanes with a link: */
	bool together;   /* lanes on the same word may commit in the same event */
	uint8_t size;
	bool writes;
	uint8_t prev[WL_WARP_LANES]; /* nearest lower effective lane on the same word */
	uint32_t addr[WL_WARP_LANES];
};
_Static_assert(sizeof(struct access) <= MON_OWN, "an access fits into an item of the monitor");

static struct access *access_of(struct mon_item *it)
{
	return (struct access *)(void *)it->own;
}

static const struct access *seen(const struct mon_item *it)
{
	return (const struct access *)(const void *)it->own;
}

/* ---- effect of a request ---- */

/* Address = Ra << scale (0 for RZ) + UR + offset - (rank of the CTA << 24). Without a register the 24-bit offset is
 * zero-extended, and no rank is subtracted. */
INLINE void form_addresses(const struct mon *m, struct access *a, const struct wl_req *req)
{
	const struct wl_inst *in = &req->inst;
	const bool alone = in->ra == WL_RZ && in->ur == 255;
	const uint32_t off = alone ? (uint32_t)in->off & 0xffffff : (uint32_t)in->off;
	const uint32_t rank = alone ? 0 : mon_window_of(m, req->tag.slot)->origin;
	const uint32_t add = off + (in->ur == 255 ? 0 : (uint32_t)req->ur) - rank;
	const unsigned xn = in->xn; /* a copy: in->xn is a byte, so stores to a->addr might alias in->xn */
	if (in->ra == WL_RZ)
		for (unsigned l = 0; l < WL_WARP_LANES; l++)
			a->addr[l] = add;
	else
		for (unsigned l = 0; l < WL_WARP_LANES; l++)
			a->addr[l] = ((uint32_t)req->ra[l] << xn) + add;
}

/* Rows of 16 bytes: for each matrix eight lanes name a row, from lane 0 on. */
static bool moves_matrices(const struct wl_inst *in)
{
	return in->uop == WL_UOP_LDSM || in->uop == WL_UOP_STSM;
}

static uint32_t lanes_with_a_row(const struct wl_inst *in)
{
	return in->lut == 1 ? 0xff : in->lut == 3 ? 0xffff : UINT32_MAX;
}

static uint32_t rows_that_fault(const struct access *a, const struct mon_window *w, const struct wl_req *req)
{
	uint32_t bad = 0;
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		bad |= (uint32_t)(a->addr[l] % 16 || w->size < 16 || a->addr[l] > w->size - 16) << l;
	return bad & lanes_with_a_row(&req->inst);
}

INLINE uint32_t lanes_that_fault(const struct mon *m, const struct access *a, const struct wl_req *req)
{
	const struct mon_window *w = mon_window_of(m, req->tag.slot);
	const bool unknown = req->inst.uop == WL_UOP_ATOMSN && !mon_has_native(m);
	if (req->inst.flags & WL_F_ILLEGAL || unknown || !w->valid)
		return req->mask;
	const uint32_t size = w->size, n = a->size;
	if (moves_matrices(&req->inst))
		return req->mask == UINT32_MAX ? rows_that_fault(a, w, req) : req->mask;
	uint32_t bad = size < n;
	for (unsigned l = 0; l < WL_WARP_LANES; l++) /* mostly no lane faults, and this loop is quick */
		bad |= (a->addr[l] & (n - 1)) | (a->addr[l] > size - n);
	if (!bad)
		return 0;
	bad = 0;
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint32_t at = a->addr[l];
		bad |= (uint32_t)((at & (n - 1)) != 0 || n > size || at > size - n) << l;
	}
	return bad & req->mask;
}

/* The lowest lane of every architectural bank (address bits 6:2, 6:3 for 64 bits) tries; the other lanes lose. */
static uint32_t spin_losers(const struct access *a, uint32_t lanes)
{
	uint32_t tried = 0, lost = 0;
	const uint32_t low = a->size == 8 ? 0x1e : 0x1f;
	for (uint32_t left = lanes; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		const uint32_t bank = UINT32_C(1) << (a->addr[l] >> 2 & low);
		if (tried & bank)
			lost |= UINT32_C(1) << l;
		tried |= bank;
	}
	return lost;
}

/* Lanes that share an architectural bank with another lane. The other lanes are alone on their word; mostly all are. */
INLINE uint32_t not_alone(const struct access *a, uint32_t lanes)
{
	uint32_t bank[WL_WARP_LANES];
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		bank[l] = a->addr[l] >> 2 & 31;
	return row_shared(bank, lanes);
}

/* Links every effective lane to the nearest lower lane on the same word. If every link is obeyed, so is lane order. */
INLINE void link_words(struct access *a, uint32_t lanes)
{
	uint8_t head[HASH], next[WL_WARP_LANES];
	a->linked = 0;
	lanes = not_alone(a, lanes);
	if (!lanes)
		return;
	memset(head, NONE, sizeof head);
	for (uint32_t left = lanes; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		const unsigned h = a->addr[l] * UINT32_C(0x9e3779b1) >> 26;
		unsigned p = head[h];
		while (p != NONE && a->addr[p] != a->addr[l])
			p = next[p];
		if (p != NONE) {
			a->prev[l] = (uint8_t)p;
			a->linked |= UINT32_C(1) << l;
		}
		next[l] = head[h];
		head[h] = (uint8_t)l;
	}
}

/* Stores, and 32-bit atomics that combine: ADD AND OR XOR MIN MAX EXCH POPC.INC. */
static bool combines(const struct wl_inst *in)
{
	const bool counts = in->op == WL_ATOM_INC || in->op == WL_ATOM_DEC;
	return in->uop == WL_UOP_STS || in->uop == WL_UOP_STSM || (in->uop == WL_UOP_ATOMS && in->size == 4 && !counts);
}

LANE_LOOP static void accept(struct mon *m, struct mon_item *it, const struct wl_req *req)
{
	struct access *a = access_of(it);
	a->size = req->inst.size;
	const bool loads = req->inst.uop == WL_UOP_LDS || req->inst.uop == WL_UOP_LDSM;
	a->together = loads || (mon_combine(m) && combines(&req->inst));
	a->writes = !loads;
	form_addresses(m, a, req);
	it->faulting = lanes_that_fault(m, a, req);
	a->losers = req->inst.flags & WL_F_SPIN ? spin_losers(a, it->mask & ~it->faulting) : 0;
	if (moves_matrices(&req->inst))
		a->losers = it->mask & ~it->faulting & ~lanes_with_a_row(&req->inst);
	link_words(a, it->mask & ~it->faulting & ~a->losers);
	it->reads = loads && a->linked;
}

/* ---- COMMIT ---- */

static uint32_t pending(const struct mon_item *it)
{
	return it->mask & ~it->faulting & ~seen(it)->losers & ~it->committed;
}

/* Lane of `it` still to commit whose bytes overlap from .. to - 1; -1: none. */
static int pending_overlap(const struct mon_item *it, uint32_t from, uint32_t to)
{
	const struct access *a = seen(it);
	for (uint32_t left = pending(it); left; left &= left - 1) {
		const unsigned j = (unsigned)__builtin_ctz(left);
		if (a->addr[j] < to && from < a->addr[j] + a->size)
			return (int)j;
	}
	return -1;
}

/* True after a complaint. */
static bool overtakes(struct mon *m, const struct mon_item *it, const struct mon_item *older, uint32_t lanes)
{
	const struct access *mine = seen(it);
	for (uint32_t left = lanes & ~mine->losers & ~it->faulting; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		const int j = pending_overlap(older, mine->addr[l], mine->addr[l] + mine->size);
		if (j < 0)
			continue;
		mon_complain(m, 'c', &it->tag, UINT32_C(1) << l,
		             "lane %u commits at address 0x%x before lane %d of the warp's earlier request n=%u has "
		             "committed at 0x%x",
		             l, mine->addr[l], j, older->tag.n, seen(older)->addr[j]);
		return true;
	}
	return false;
}

static void check_program_order(struct mon *m, const struct mon_item *it, uint32_t lanes)
{
	for (const struct mon_item *o = mon_older(m, it); o; o = mon_older(m, o))
		if (o->unit == it->unit && o->tag.slot == it->tag.slot && pending(o) && overtakes(m, it, o, lanes))
			return;
}

static void check_lane_order(struct mon *m, const struct mon_item *it, uint32_t lanes)
{
	const struct access *a = seen(it);
	for (uint32_t left = lanes & a->linked; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left), p = a->prev[l];
		if (it->committed >> p & 1)
			continue;
		if (!(lanes >> p & 1))
			mon_complain(m, 'b', &it->tag, UINT32_C(1) << l,
			             "lane %u commits before lane %u, which is on the same word at address 0x%x", l, p,
			             a->addr[l]);
		else if (!a->together)
			mon_complain(m, 'b', &it->tag, UINT32_C(1) << l,
			             "lanes %u and %u, on one word at address 0x%x, commit together", p, l, a->addr[l]);
	}
}

/* For parts that track the contents of shared memory, and for loads between the COMMITs of two lanes. */
static void tell_writes(struct mon *m, const struct mon_item *it, uint32_t lanes)
{
	const struct access *a = seen(it);
	for (uint32_t left = a->writes ? lanes & it->mask & ~it->faulting & ~a->losers : 0; left; left &= left - 1)
		mon_writes(m, it, it->tag.slot, a->addr[__builtin_ctz(left)], a->size);
}

/* A link goes to the nearest lower lane on the word. While lanes commit in order, the lowest lane still to commit has a
 * link to a committed lane. */
static int torn(const struct mon_item *it, unsigned slot, uint32_t from, uint32_t to)
{
	const struct access *a = seen(it);
	const uint32_t open = slot == it->tag.slot ? pending(it) & a->linked : 0;
	for (uint32_t left = open; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		if (it->committed >> a->prev[l] & 1 && a->addr[l] < to && from < a->addr[l] + a->size)
			return (int)l;
	}
	return -1;
}

static void commit(struct mon *m, struct mon_item *it, uint32_t lanes)
{
	const struct access *a = seen(it);
	if (a->writes && mon_wants_writes(m))
		tell_writes(m, it, lanes);
	check_lane_order(m, it, lanes);
	if (it->older == MON_NOBODY)
		return; /* the rest concerns older requests of the warp */
	check_program_order(m, it, lanes);
	const uint32_t effective = lanes & it->mask & ~it->faulting & ~a->losers;
	for (uint32_t left = mon_older_shared(m, it) ? effective : 0; left; left &= left - 1)
		mon_check_shared(m, it, (unsigned)__builtin_ctz(left), a->addr[__builtin_ctz(left)], a->size);
}

const struct mon_unit mon_atoms_pipe = {.unit = WL_UNIT_atoms_pipe,
                                        .accept = accept,
                                        .commit = commit,
                                        .shared_pending = pending_overlap,
                                        .torn = torn};

// SPDX-License-Identifier: Apache-2.0
/* misuse_mbarrier.c -- misuses of mbarriers (misuse.def). A request is judged ahead of the effect: in C when the front
 * end executes the instruction, in lockstep when REF applies the lanes committed by the DUT. So the judged object is
 * the object met by the request, whatever else is under way. */
#include "exec.h"
#include "cluster.h"
#include "misuse.h"

/* The user of an object: a request. The warp may have gone on. */
struct user {
	struct wl_gpu *gpu;
	struct sm *sm;
	const struct wl_req *req;
	const struct wl_inst *in;
	uint64_t time;
};

static const struct wl_window *window_of(const struct user *x)
{
	return &x->sm->units.smem.window[x->req->tag.slot];
}

static bool goes_on(const struct user *x, const struct wl_misuse_found *f)
{
	return misuse_goes_on(x->gpu, x->req->tag.warp, f);
}

static struct wl_misuse_place place_here(const struct user *x, uint32_t lanes)
{
	const struct wl_tag *t = &x->req->tag;
	return (struct wl_misuse_place){.pc = x->req->pc,
	                                .sm = t->sm,
	                                .cta = t->cta,
	                                .warp = gpu_warp(x->gpu, t->sm, t->warp)->thread0 / WL_WARP_LANES,
	                                .lanes = lanes,
	                                .time = x->time};
}

/* ---- lives ---- */

static struct mbar_life *life_at(struct sm *sm, uint32_t addr)
{
	return &sm->life[addr / 8 % MBAR_LIVES];
}

const struct mbar_life *misuse_life(const struct sm *sm, uint32_t addr)
{
	const struct mbar_life *l = &sm->life[addr / 8 % MBAR_LIVES];
	return l->state != LIFE_NONE && l->addr == addr ? l : NULL;
}

void misuse_forget(struct sm *sm, unsigned slot)
{
	for (unsigned i = 0; i < MBAR_LIVES; i++)
		if (sm->life[i].state != LIFE_NONE && sm->life[i].slot == slot) {
			sm->ended_mbars -= sm->life[i].state == LIFE_ENDED;
			sm->life[i].state = LIFE_NONE;
		}
}

static struct mbar_life *life_for(const struct user *x, uint32_t addr)
{
	const uint8_t slot = (uint8_t)x->req->tag.slot;
	struct mbar_life *l = life_at(x->sm, addr);
	if (l->state != LIFE_NONE && l->addr == addr && l->slot == slot)
		return l;
	x->sm->ended_mbars -= l->state == LIFE_ENDED;
	*l = (struct mbar_life){.addr = addr, .slot = slot};
	return l;
}

/* From sm_100 on STS.64 makes mbarriers, too: an STS.64 has made an mbarrier since the inval. */
static bool is_new_again(const struct user *x, uint32_t addr)
{
	return wl_smem_made(&x->sm->units.smem, addr);
}

static struct wl_misuse_found found_at(const struct user *x, enum wl_misuse kind, uint32_t lanes, uint32_t addr)
{
	return (struct wl_misuse_found){
	        .kind = kind, .here = place_here(x, lanes), .has_addr = true, .addr = addr - window_of(x)->base};
}

/* A warp waits at the object: the place of the warp. */
static bool waits_there(const struct user *x, uint32_t addr, struct wl_misuse_place *there)
{
	for (unsigned k = 0; k < x->gpu->warps_per_cta; k++) {
		const unsigned warp = x->req->tag.slot * x->gpu->warps_per_cta + k;
		const struct wl_mbar_wait *wait = &x->sm->units.mbarrier_engine.wait[warp];
		const struct warp *w = gpu_warp(x->gpu, x->req->tag.sm, warp);
		if (!wait->on || wait->id != addr / 8)
			continue;
		*there = (struct wl_misuse_place){.pc = w->wait.pc * 16,
		                                  .sm = x->req->tag.sm,
		                                  .cta = w->cta,
		                                  .warp = k,
		                                  .lanes = w->g[w->cur].mask,
		                                  .time = w->ran_at};
		return true;
	}
	return false;
}

/* The object has had an arrival or an init, and no inval since. */
static bool was_used(const struct user *x, uint32_t addr)
{
	const struct wl_mbar_seen *seen = wl_mbar_seen(&x->sm->units.mbarrier_engine, x->req->tag.slot, addr);
	return seen && seen->layout;
}

/* ---- kinds ---- */

/* Chips without the object of sm_107 count with 20 bits in layout v1, too. */
static bool counts_far(const struct user *x, uint32_t lanes, uint32_t addr)
{
	enum { COUNT_MOST = 511 };
	const uint32_t low = x->req->rb[lowest(lanes)].w[0], count = -(low >> 1) & 0xfffff;
	const struct wl_misuse_found f = found_at(x, WL_MISUSE_MBAR_COUNT_V1, lanes, addr);
	return !(low & 1) || x->sm->units.smem.reports || count <= COUNT_MOST || goes_on(x, &f);
}

static bool makes(const struct user *x, uint32_t lanes, uint32_t addr)
{
	if (!counts_far(x, lanes, addr))
		return false;
	const struct mbar_life *old = misuse_life(x->sm, addr);
	const bool other = (x->sm->units.smem.mem[addr] ^ x->req->rb[lowest(lanes)].w[0]) & 1;
	struct wl_misuse_found f = found_at(x, other ? WL_MISUSE_MBAR_LAYOUT : WL_MISUSE_MBAR_REINIT, lanes, addr);
	const bool twice = old && old->state == LIFE_MADE;
	if ((twice || (other && was_used(x, addr))) && wl_smem_marked(&x->sm->units.smem, addr)) {
		if (twice)
			f.there = old->made;
		if (!goes_on(x, &f))
			return false;
	}
	struct mbar_life *l = life_for(x, addr);
	x->sm->ended_mbars -= l->state == LIFE_ENDED;
	l->state = LIFE_MADE;
	l->made = f.here;
	return true;
}

static bool ends(const struct user *x, uint32_t lanes, uint32_t addr)
{
	const struct mbar_life *old = misuse_life(x->sm, addr);
	const bool marked = wl_smem_marked(&x->sm->units.smem, addr);
	const bool twice = old && old->state == LIFE_ENDED && marked && !is_new_again(x, addr);
	struct wl_misuse_found f =
	        found_at(x, twice ? WL_MISUSE_MBAR_INVAL_TWICE : WL_MISUSE_MBAR_INVAL_IN_USE, lanes, addr);
	if (twice)
		f.there = old->ended;
	if ((twice || (marked && waits_there(x, addr, &f.there))) && !goes_on(x, &f))
		return false;
	struct mbar_life *l = life_for(x, addr);
	x->sm->ended_mbars += l->state != LIFE_ENDED;
	l->state = LIFE_ENDED;
	wl_smem_unmake(&x->sm->units.smem, addr);
	if (!twice)
		l->ended = f.here;
	return true;
}

static bool uses(const struct user *x, uint32_t lanes, uint32_t addr)
{
	const struct mbar_life *l = misuse_life(x->sm, addr);
	struct wl_misuse_found f = found_at(x, WL_MISUSE_MBAR_INVAL_IN_USE, lanes, addr);
	if (!l || l->state != LIFE_ENDED || !wl_smem_marked(&x->sm->units.smem, addr))
		return true;
	if (is_new_again(x, addr)) {
		x->sm->ended_mbars--;
		life_at(x->sm, addr)->state = LIFE_NONE;
		return true;
	}
	f.there = l->ended;
	return goes_on(x, &f);
}

/* A wait with the parity of the phase before the first: true at once, and meant by a producer that finds an empty
 * buffer. Outstanding bytes tell a consumer. */
static bool waits_early(const struct user *x, uint32_t lanes, uint32_t addr)
{
	const struct wl_units *u = &x->sm->units;
	const struct wl_mbar_seen *seen = wl_mbar_seen(&u->mbarrier_engine, x->req->tag.slot, addr);
	const struct wl_mbar_state now = wl_mbar_state(&u->smem, addr);
	const bool one = x->req->rb[lowest(lanes)].w[0] >> 31;
	struct wl_misuse_found f = found_at(x, WL_MISUSE_MBAR_WAIT_EARLY, lanes, addr);
	f.bytes = (uint32_t)now.tx;
	if (!one || now.phase || now.tx <= 0 || !seen || !seen->made || seen->phases || !wl_smem_marked(&u->smem, addr))
		return true;
	return goes_on(x, &f);
}

/* Arrivals of the lanes at the same object: silicon adds the arrivals up before the object changes. */
static uint64_t arrivals_of(const struct user *x, uint32_t lanes)
{
	uint64_t n = 0;
	if (x->in->op == WL_MBAR_A1TR || x->in->op == WL_MBAR_A1T0)
		return (uint64_t)__builtin_popcount(lanes);
	for (uint32_t m = x->in->op == WL_MBAR_ART0 ? lanes : 0; m; m &= m - 1)
		n += x->req->rb[lowest(m)].w[0];
	return n;
}

static bool arrives_over(const struct user *x, uint32_t lanes, uint32_t addr)
{
	const struct wl_units *u = &x->sm->units;
	struct wl_misuse_found f = found_at(x, WL_MISUSE_MBAR_OVER, lanes, addr);
	if (x->in->uop != WL_UOP_SYNCS_ARRIVE || !(lanes & (lanes - 1)) || !wl_smem_marked(&u->smem, addr) ||
	    arrivals_of(x, lanes) <= wl_mbar_state(&u->smem, addr).pending)
		return true;
	return goes_on(x, &f);
}

/* STS.64 has given the object the other layout: found at the next use alone, since data are stored by STS.64, too. */
static bool keeps_layout(const struct user *x, uint32_t lanes, uint32_t addr)
{
	const struct mbar_life *old = misuse_life(x->sm, addr);
	struct wl_misuse_found f = found_at(x, WL_MISUSE_MBAR_LAYOUT, lanes, addr);
	if (!wl_smem_marked(&x->sm->units.smem, addr) || !wl_mbar_relaid(&x->sm->units, x->req->tag.slot, addr))
		return true;
	if (old && old->state == LIFE_MADE)
		f.there = old->made;
	if (!goes_on(x, &f))
		return false;
	wl_mbar_take_layout(&x->sm->units, x->req->tag.slot, addr);
	return true;
}

static bool gives_tokens(const struct user *x, uint32_t lanes, uint32_t addr)
{
	const struct wl_smem *m = &x->sm->units.smem;
	if (x->in->uop != WL_UOP_SYNCS_ARRIVE || x->in->type == WL_MBAR_RED || x->in->rd == WL_RZ ||
	    !(m->mem[addr] & 1) || !wl_smem_marked(m, addr))
		return true;
	const struct wl_misuse_found f = found_at(x, WL_MISUSE_MBAR_TOKEN_V1, lanes, addr);
	return misuse_token(x->gpu, x->req->tag.warp, &f, x->in->rd);
}

/* A test without a predicate for the answer: the record of the wait does not say that the phase is incomplete. */
static bool reports_early(const struct user *x, uint32_t lanes, uint32_t addr)
{
	const struct wl_smem *m = &x->sm->units.smem;
	const bool parity = x->req->rb[lowest(lanes)].w[0] >> 31;
	return x->in->uop != WL_UOP_SYNCS_PHASECHK || x->in->type != WL_MBAR_PRIMARY || !wl_smem_marked(m, addr) ||
	       wl_mbar_state(m, addr).phase != parity || misuse_report_unasked(x->gpu, x->req, lanes);
}

static bool asks(const struct user *x, uint32_t lanes, uint32_t addr)
{
	if (x->in->uop == WL_UOP_SYNCS_PHASECHK && x->sm->refusals)
		misuse_waits(x->sm, x->req->tag.slot, x->req->rb[lowest(lanes)].w[0] >> 31, addr);
	return uses(x, lanes, addr) && keeps_layout(x, lanes, addr) && arrives_over(x, lanes, addr) &&
	       gives_tokens(x, lanes, addr) && reports_early(x, lanes, addr) &&
	       (x->in->uop != WL_UOP_SYNCS_PHASECHK || waits_early(x, lanes, addr));
}

/* ---- a request ---- */

/* Address from the start of the own CTA's shared memory on. */
static uint32_t address(const struct user *x, unsigned lane)
{
	return wl_shared_address(x->in, (uint32_t)x->req->ra[lane], (uint32_t)x->req->ur) -
	       wl_shared_origin(x->in, window_of(x)->origin);
}

/* Address in the SM's shared memory of the object named by the lane; false: the lane names no object of the own CTA. */
static bool object_of(const struct user *x, unsigned lane, uint32_t *addr)
{
	const struct wl_window *w = window_of(x);
	const uint32_t at = address(x, lane);
	*addr = w->base + at;
	return w->valid && at % 8 == 0 && (uint64_t)at + 8 <= w->size;
}

/* An arrival in the local form (.RED is the cluster's form) must not name other CTAs. */
static bool arrives_here(const struct user *x, uint32_t lanes, uint32_t before)
{
	uint32_t far = 0;
	if (x->in->uop != WL_UOP_SYNCS_ARRIVE || x->in->type == WL_MBAR_RED || x->in->rd != WL_RZ ||
	    cluster_is_one(x->gpu))
		return true;
	const uint32_t own = window_of(x)->origin;
	for (uint32_t m = x->req->mask; m; m &= m - 1) {
		const uint32_t addr = address(x, lowest(m)) + own, rank = addr >> WL_RANK_SHIFT;
		const bool other = rank != own >> WL_RANK_SHIFT && rank < x->gpu->cluster_ctas;
		far |= other && addr % 8 == 0 ? m & -m : 0;
	}
	if (!(far & lanes) || far & before)
		return true;
	const struct wl_misuse_found f = {.kind = WL_MISUSE_REMOTE_ARRIVE,
	                                  .here = place_here(x, far),
	                                  .has_addr = true,
	                                  .addr = address(x, lowest(far)) + own};
	return goes_on(x, &f);
}

static bool object(const struct user *x, uint32_t lanes, uint32_t addr)
{
	return x->in->uop == WL_UOP_SYNCS_EXCH   ? makes(x, lanes, addr)
	       : x->in->uop == WL_UOP_SYNCS_CCTL ? ends(x, lanes, addr)
	                                         : asks(x, lanes, addr);
}

bool misuse_mbarrier(struct wl_gpu *g, const struct wl_req *req, uint32_t lanes, uint32_t before, uint64_t time)
{
	const struct user x = {g, gpu_sm(g, req->tag.sm), req, &req->inst, time};
	uint32_t addr, other, here;
	if (x.in->flags & WL_F_ILLEGAL)
		return true;
	if (!arrives_here(&x, lanes, before))
		return false;
	for (uint32_t left = x.sm->units.smem.has_marks ? req->mask : 0; left; left &= ~here) {
		here = left & -left;
		if (!object_of(&x, lowest(left), &addr))
			continue;
		for (uint32_t m = left & ~here; m; m &= m - 1)
			here |= object_of(&x, lowest(m), &other) && other == addr ? m & -m : 0;
		if (here & lanes && !(here & before) && !object(&x, here, addr))
			return false;
	}
	return true;
}

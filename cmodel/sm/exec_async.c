// SPDX-License-Identifier: Apache-2.0
/* exec_async.c -- instructions that ask for copies: what is wrong with one is found when it is asked for, the rest is
 * the agent's (async.c). */
#include "async.h"
#include "exec.h"

/* Lanes that faulted: the first kind met counts. */
struct faults {
	enum wl_fault kind;
	uint32_t lanes;
	uint64_t addr;
};

static bool note(struct faults *f, enum wl_fault kind, unsigned lane, uint64_t addr)
{
	if (!f->lanes) {
		f->kind = kind;
		f->addr = addr;
	}
	if (f->kind == kind)
		f->lanes |= 1u << lane;
	return false;
}

/* Not before the warp's posted stores are there, and the agent has room for another copy in lockstep. *flow: what comes
 * of it instead. `tells`: an mbarrier hears of it, which must lie where shared memory does. */
static bool may_begin(struct exec *x, bool tells, enum flow *flow)
{
	if (must_drain(x) || (x->sm->async.outside && x->sm->async.n == ASYNC_MOST))
		*flow = FLOW_HOLD;
	else if (tells && shared_in_dut(x) && !(x->gpu->dut >> WL_UNIT_mbarrier_engine & 1))
		*flow = stop_error(x, "in lockstep needs mbarrier_engine in the RTL (--units mbarrier_engine)");
	else
		return true;
	return false;
}

static const struct wl_window *window_of(const struct exec *x)
{
	return &x->sm->units.smem.window[x->w->slot];
}

/* [at, at + n) of the CTA's shared memory; `align`: a power of two. */
static bool shared_range(const struct exec *x, struct faults *f, unsigned lane, uint32_t at, uint64_t n, uint32_t align)
{
	const struct wl_window *w = window_of(x);
	if (at & (align - 1))
		return note(f, WL_FAULT_MISALIGNED_ADDRESS, lane, at);
	if (!w->valid || at + n > w->size)
		return note(f, WL_FAULT_SHARED_OUT_OF_RANGE, lane, at);
	return true;
}

static bool global_range(const struct exec *x, struct faults *f, unsigned lane, uint64_t at, uint32_t n, uint32_t align)
{
	if (at & (align - 1))
		return note(f, WL_FAULT_MISALIGNED_ADDRESS, lane, at);
	if (n && !wl_gmem_at(x->gpu->gmem, at, n))
		return note(f, WL_FAULT_GLOBAL_OUT_OF_RANGE, lane, at);
	return true;
}

static uint32_t row_or_zero(const struct exec *x, uint8_t reg, unsigned lane)
{
	return reg == WL_RZ ? 0 : x->r[reg][lane];
}

static enum flow go(struct exec *x, struct copy *c, const struct faults *f)
{
	if (f->lanes) {
		c->kind = COPY_FREE;
		return stop_fault(x, f->kind, f->lanes, true, f->addr);
	}
	async_go(x, c);
	return FLOW_NEXT;
}

/* ---- LDGSTS ---- */

/* Bytes that .ZFILL or a false predicate keep from being read are zeros. LDGSTS has two uniform registers: that of its
 * global address stands in urd. */
static void copy_lane(struct exec *x, struct copy *c, unsigned lane, bool reads, struct faults *f)
{
	const struct wl_inst *in = x->in;
	const uint32_t at = row_or_zero(x, in->rb, lane) + read_ur(x, in->ur) + in->imm;
	uint64_t ra = row_or_zero(x, in->ra, lane);
	if (wl_global_ra_is_pair(in))
		ra |= (uint64_t)x->r[in->ra + 1][lane] << 32;
	const uint64_t from = wl_global_address(in, ra, read_ur(x, in->urd) | (uint64_t)read_ur_hi(x, in->urd) << 32);
	const unsigned zeros = in->op ? (unsigned)from & (in->size - 1u) : 0;
	c->at[lane] = window_of(x)->base + at;
	c->zeros[lane] = (uint8_t)(reads ? zeros : in->size);
	c->source[lane] = from - zeros;
	if (shared_range(x, f, lane, at, in->size, in->size) && reads)
		global_range(x, f, lane, from - zeros, in->size - zeros, in->size);
}

enum flow exec_LDGSTS(struct exec *x)
{
	struct faults f = {0};
	enum flow flow;
	const uint32_t reads = read_pred(x, x->in->ps[0]);
	if (!may_begin(x, false, &flow))
		return flow;
	struct copy *c = async_new(x, COPY_THREADS);
	for (uint32_t m = x->mask; m; m &= m - 1)
		copy_lane(x, c, lowest(m), reads >> lowest(m) & 1, &f);
	return go(x, c, &f);
}

enum flow exec_ARRIVES(struct exec *x)
{
	struct faults f = {0};
	enum flow flow;
	if (!may_begin(x, true, &flow))
		return flow;
	struct copy *c = async_new(x, COPY_ARRIVE);
	for (uint32_t m = x->mask; m; m &= m - 1) {
		const unsigned lane = lowest(m);
		const uint32_t at = wl_shared_address(x->in, row_or_zero(x, x->in->ra, lane), read_ur(x, x->in->ur));
		c->bar[lane] = window_of(x)->base + at;
		shared_range(x, &f, lane, at, 8, 8);
	}
	return go(x, c, &f);
}

/* ---- groups ---- */

/* The one that the committing instruction sets; code that sets none (written by hand) means the one that compilers
 * take.
 */
static unsigned scoreboard(const struct wl_inst *in)
{
	return in->sched.wrbar < ASYNC_BOARDS ? in->sched.wrbar : in->sched.rdbar < ASYNC_BOARDS ? in->sched.rdbar : 0;
}

enum flow exec_LDGDEPBAR(struct exec *x)
{
	async_commit(x, 1u << COPY_THREADS, scoreboard(x->in));
	return FLOW_NEXT;
}

enum flow exec_UTMACMDFLUSH(struct exec *x)
{
	async_commit(x, 1u << COPY_OUT, scoreboard(x->in));
	return FLOW_NEXT;
}

enum flow exec_DEPBAR(struct exec *x)
{
	return async_wait(x, x->in->imm, x->in->imm2) ? FLOW_SWITCH : FLOW_NEXT;
}

/* ---- bulk copies: uniform, once for all lanes ---- */

enum { INTO_SHARED = 1, OUT_OF_SHARED = 2, WITHIN_SHARED = 3 };

static uint64_t pair(const struct exec *x, uint8_t ur)
{
	return read_ur(x, ur) | (uint64_t)read_ur_hi(x, ur) << 32;
}

static bool bulk_out(struct exec *x, struct copy *c, struct faults *f)
{
	const uint32_t from = read_ur(x, x->in->ra);
	const unsigned lane = lowest(x->mask);
	c->shared_source = true;
	c->from = window_of(x)->base + from;
	c->to = pair(x, x->in->rb);
	return shared_range(x, f, lane, from, c->bytes, 16) && global_range(x, f, lane, c->to, c->bytes, 16);
}

static bool bulk_in(struct exec *x, struct copy *c, bool within, struct faults *f)
{
	const uint32_t to = read_ur(x, x->in->rb), mbarrier = read_ur_hi(x, x->in->rb), from = read_ur(x, x->in->ra);
	const unsigned lane = lowest(x->mask);
	c->shared_source = within;
	c->to = window_of(x)->base + to;
	c->mbarrier = window_of(x)->base + mbarrier;
	c->from = within ? window_of(x)->base + from : pair(x, x->in->ra);
	return shared_range(x, f, lane, to, c->bytes, 16) && shared_range(x, f, lane, mbarrier, 8, 8) &&
	       (within ? shared_range(x, f, lane, from, c->bytes, 16)
	               : global_range(x, f, lane, c->from, c->bytes, 16));
}

static enum flow bulk(struct exec *x, unsigned direction, bool reduces)
{
	struct faults f = {0};
	enum flow flow;
	const uint32_t size = read_ur(x, x->in->rc);
	if (!may_begin(x, direction != OUT_OF_SHARED, &flow))
		return flow;
	struct copy *c = async_new(x, direction == OUT_OF_SHARED ? COPY_OUT : COPY_IN);
	c->bytes = (size & 0xffff) * 16;
	c->reduces = reduces;
	if (direction == OUT_OF_SHARED)
		bulk_out(x, c, &f);
	else
		bulk_in(x, c, direction == WITHIN_SHARED, &f);
	if (!reduces && x->in->bop)
		c->mask = (uint16_t)(size >> 16);
	return go(x, c, &f);
}

enum flow exec_UBLKCP(struct exec *x)
{
	const uint32_t ctas = read_ur(x, x->in->rc) >> 16;
	if (x->in->type && ctas != 1) /* of a cluster of one there is rank 0 alone */
		return ctas ? stop_fault(x, WL_FAULT_CLUSTER_RANK, x->mask, false, 0) : FLOW_NEXT;
	return bulk(x, x->in->op, false);
}

enum flow exec_UBLKRED(struct exec *x)
{
	return bulk(x, x->in->xn, true);
}

enum flow exec_UBLKPF(struct exec *x)
{
	(void)x;
	return FLOW_NEXT;
}

/* ---- STAS, REDAS: Ra is the pair {address, mbarrier} ---- */

static enum flow store_value(struct exec *x, bool reduces)
{
	struct faults f = {0};
	enum flow flow;
	const struct wl_inst *in = x->in;
	if (!may_begin(x, true, &flow))
		return flow;
	struct copy *c = async_new(x, COPY_STORE);
	c->reduces = reduces;
	for (uint32_t m = x->mask; m; m &= m - 1) {
		const unsigned lane = lowest(m);
		const uint32_t at = row_or_zero(x, in->ra, lane) + read_ur(x, in->ur) + (uint32_t)in->off;
		const uint32_t mbarrier = in->ra == WL_RZ ? 0 : x->r[in->ra + 1][lane];
		c->at[lane] = window_of(x)->base + at;
		c->bar[lane] = window_of(x)->base + mbarrier;
		for (unsigned k = 0; k * 4 < in->size && in->rb != WL_RZ; k++)
			c->value[lane][k] = x->r[in->rb + k][lane];
		if (shared_range(x, &f, lane, at, in->size, in->size))
			shared_range(x, &f, lane, mbarrier, 8, 8);
	}
	return go(x, c, &f);
}

enum flow exec_STAS(struct exec *x)
{
	return store_value(x, false);
}
enum flow exec_REDAS(struct exec *x)
{
	return store_value(x, true);
}

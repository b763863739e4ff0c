// SPDX-License-Identifier: Apache-2.0
/* exec_async.c -- instructions with copies. Wrong operands fault here, at the request for the copy. The agent (async.c)
 * does the rest. Source: docs/spec/async.md, "Operands"; docs/spec/async.md, "Faults". */
#include "async.h"
#include "cluster.h"
#include "exec_calls.h"
#include "grid.h"
#include "misuse.h"
#include "stop.h"
#include "exec.h"
#include "observe.h"

/* Faulted lanes: the first kind met counts. */
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

/* The instruction begins once the warp's posted requests are done and, in lockstep, the agent has room for the copies.
 * *flow: the outcome otherwise. `tells`: an mbarrier is told. The mbarrier must lie in the DUT if shared memory
 * does. */
static bool may_begin(struct exec *x, bool tells, enum flow *flow)
{
	if (must_drain(x) || async_full(x->gpu, x->sm_index))
		*flow = FLOW_HOLD;
	else if (tells && shared_in_dut(x) && !(x->gpu->dut >> WL_UNIT_mbarrier_engine & 1))
		*flow = stop_error(x, "in lockstep needs mbarrier_engine in the RTL (--units mbarrier_engine)");
	else
		return true;
	return false;
}

static const struct wl_window *window_at(const struct exec *x, struct place there)
{
	return &gpu_sm(x->gpu, there.sm)->units.smem.window[there.slot];
}

static const struct wl_window *window_of(const struct exec *x)
{
	return &x->sm->units.smem.window[x->w->slot];
}

/* An address of the window, as an address of the SM's shared memory. */
static uint32_t in_sm(const struct wl_window *w, uint32_t at)
{
	return w->base + (at - w->origin);
}

/* [at, at + n) of the window; `align`: a power of two. */
static bool in_window(const struct wl_window *w, struct faults *f, unsigned lane, uint32_t at, uint64_t n,
                      uint32_t align)
{
	if (at & (align - 1))
		return note(f, WL_FAULT_MISALIGNED_ADDRESS, lane, at);
	if (!w->valid || at - w->origin + n > w->size)
		return note(f, WL_FAULT_SHARED_OUT_OF_RANGE, lane, at);
	return true;
}

static bool shared_range(const struct exec *x, struct faults *f, unsigned lane, uint32_t at, uint64_t n, uint32_t align)
{
	return in_window(window_of(x), f, lane, at, n, align);
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

/* Bytes kept from reading by .ZFILL or a false predicate are zeros. LDGSTS has two uniform registers: urd names the
 * register of the global address. */
static void copy_lane(struct exec *x, struct copy *c, unsigned lane, bool reads, struct faults *f)
{
	const struct wl_inst *in = x->in;
	const bool alone = in->rb == WL_RZ && in->ur == WL_NO_UR; /* an offset in the own window */
	const uint32_t at =
	        row_or_zero(x, in->rb, lane) + read_ur(x, in->ur) + in->imm + (alone ? window_of(x)->origin : 0);
	uint64_t ra = row_or_zero(x, in->ra, lane);
	if (wl_global_ra_is_pair(in))
		ra |= (uint64_t)x->r[in->ra + 1][lane] << 32;
	const uint64_t from = wl_global_address(in, ra, read_ur(x, in->urd) | (uint64_t)read_ur_hi(x, in->urd) << 32);
	const unsigned zeros = in->op ? (unsigned)from & (in->size - 1u) : 0;
	c->at[lane] = in_sm(window_of(x), at);
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
		const uint32_t own = window_of(x)->origin;
		const uint32_t at = wl_shared_address(x->in, row_or_zero(x, x->in->ra, lane), read_ur(x, x->in->ur)) +
		                    own - wl_shared_origin(x->in, own);
		c->bar[lane] = in_sm(window_of(x), at);
		shared_range(x, &f, lane, at, 8, 8);
	}
	return go(x, c, &f);
}

/* ---- groups ---- */

/* The scoreboard set by the committing instruction. Handwritten code may set none: 0 then, the scoreboard that
 * compilers take. */
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

/* Common to all directions: UC[15:0] chunks of 16 bytes. */
static uint32_t bulk_bytes(const struct exec *x)
{
	return (read_ur(x, x->in->rc) & 0xffff) * 16;
}

static enum flow bulk_out(struct exec *x, bool reduces)
{
	struct faults f = {0};
	const uint32_t from = read_ur(x, x->in->ra);
	const unsigned lane = lowest(x->mask);
	struct copy *c = async_new(x, COPY_OUT);
	c->bytes = bulk_bytes(x);
	c->reduces = reduces;
	if (!reduces && x->in->bop)
		c->mask = (uint16_t)(read_ur(x, x->in->rc) >> 16);
	c->shared_source = true;
	c->from = in_sm(window_of(x), from);
	c->to = pair(x, x->in->rb);
	if (shared_range(x, &f, lane, from, c->bytes, 16))
		global_range(x, &f, lane, c->to, c->bytes, 16);
	return go(x, c, &f);
}

/* To the CTA named by `to`; the mbarrier lies in the same CTA. */
static enum flow bulk_in(struct exec *x, const struct bulk_in *b)
{
	struct faults f = {0};
	struct place there;
	const unsigned lane = lowest(x->mask);
	const enum wl_fault gone = cluster_find(x, b->to, &there);
	if (gone != WL_FAULT_NONE)
		return stop_fault(x, b->to % 16 ? WL_FAULT_MISALIGNED_ADDRESS : gone, x->mask, true, b->to);
	const struct wl_window *w = window_at(x, there);
	struct copy *c = async_new(x, COPY_IN);
	c->bytes = b->bytes;
	c->reduces = b->reduces;
	c->validity = b->validity;
	c->there = there;
	c->shared_source = b->within;
	c->to = in_sm(w, b->to);
	c->mbarrier = in_sm(w, b->mbarrier);
	c->from = b->within ? in_sm(window_of(x), (uint32_t)b->from) : b->from;
	if (in_window(w, &f, lane, b->to, c->bytes, 16) && in_window(w, &f, lane, b->mbarrier, 8, 8)) {
		if (b->within)
			shared_range(x, &f, lane, (uint32_t)b->from, c->bytes, 16);
		else
			global_range(x, &f, lane, c->from, c->bytes, 16);
	}
	return go(x, c, &f);
}

static enum flow bulk_to_all(struct exec *x, const struct bulk_in *b, uint32_t ranks)
{
	const uint32_t offset = (1u << WL_RANK_SHIFT) - 1;
	enum flow flow = FLOW_NEXT;
	if (ranks >> x->gpu->cluster_ctas)
		return stop_fault(x, WL_FAULT_CLUSTER_RANK, x->mask, false, 0);
	for (; ranks && flow == FLOW_NEXT; ranks &= ranks - 1) {
		const uint32_t rank = lowest(ranks) << WL_RANK_SHIFT;
		struct bulk_in one = *b;
		one.to = rank | (b->to & offset);
		one.mbarrier = rank | (b->mbarrier & offset);
		flow = bulk_in(x, &one);
	}
	return flow;
}

enum flow bulk_called(struct exec *x, const struct bulk_in *b, uint32_t ranks)
{
	enum flow flow;
	if (!may_begin(x, true, &flow))
		return flow;
	if (b->bytes % 16)
		return stop_fault(x, WL_FAULT_BULK_SIZE, x->mask, false, 0);
	return ranks ? bulk_to_all(x, b, ranks) : bulk_in(x, b);
}

static enum flow bulk(struct exec *x, unsigned direction, bool reduces)
{
	const bool within = direction == WITHIN_SHARED;
	enum flow flow;
	if (!may_begin(x, direction != OUT_OF_SHARED, &flow))
		return flow;
	if (direction == OUT_OF_SHARED)
		return bulk_out(x, reduces);
	const struct bulk_in b = {.within = within,
	                          .reduces = reduces,
	                          .bytes = bulk_bytes(x),
	                          .to = read_ur(x, x->in->rb),
	                          .mbarrier = read_ur_hi(x, x->in->rb),
	                          .from = within ? read_ur(x, x->in->ra) : pair(x, x->in->ra)};
	return !reduces && x->in->type ? bulk_to_all(x, &b, read_ur(x, x->in->rc) >> 16) : bulk_in(x, &b);
}

enum flow exec_UBLKCP(struct exec *x)
{
	return bulk(x, x->in->op, false);
}

enum flow exec_UBLKCP_CHECK(struct exec *x)
{
	enum flow flow;
	if (!may_begin(x, true, &flow))
		return flow;
	const struct bulk_in b = {.validity = x->in->lut,
	                          .bytes = bulk_bytes(x),
	                          .to = read_ur(x, x->in->rb),
	                          .mbarrier = read_ur_hi(x, x->in->rb),
	                          .from = pair(x, x->in->ra)};
	return x->in->type == 2   ? bulk_to_all(x, &b, read_ur_hi(x, x->in->rc))
	       : x->in->type == 1 ? bulk_to_all(x, &b, read_ur(x, x->in->rc) >> 16)
	                          : bulk_in(x, &b);
}

enum flow exec_UBLKRED(struct exec *x)
{
	return bulk(x, x->in->xn, true);
}

/* The warp goes on behind the fill, so an observer sees stores of a single thread. */
enum flow exec_UMEMSETS(struct exec *x)
{
	struct faults f = {0};
	enum flow flow;
	const uint32_t to = read_ur(x, x->in->ra) + (uint32_t)x->in->off;
	const uint64_t bytes = (uint64_t)read_ur(x, x->in->rc) * 8;
	if (!may_begin(x, false, &flow))
		return flow;
	if (!shared_range(x, &f, lowest(x->mask), to, bytes, 8))
		return stop_fault(x, f.kind, x->mask, true, f.addr);
	struct copy *c = async_new(x, COPY_IN);
	c->fills = true;
	c->bytes = (uint32_t)bytes;
	c->to = in_sm(window_of(x), to);
	if (x->gpu->observer)
		observe_fill(x, to, c->bytes);
	return async_fill(x, c) ? FLOW_SWITCH : FLOW_NEXT;
}

enum flow exec_UBLKPF(struct exec *x)
{
	(void)x;
	return FLOW_NEXT;
}

/* ---- STAS, REDAS: Ra is the pair {address, mbarrier} ---- */

struct addresses {
	uint32_t at[WL_WARP_LANES], bar[WL_WARP_LANES];
};

/* Lanes with addresses in the same CTA. */
static enum flow store_to(struct exec *x, bool reduces, uint32_t lanes, const struct addresses *a)
{
	const struct wl_inst *in = x->in;
	struct faults f = {0};
	struct place there;
	const enum wl_fault gone = cluster_find(x, a->at[lowest(lanes)], &there);
	if (gone != WL_FAULT_NONE)
		return stop_fault(x, gone, lanes, true, a->at[lowest(lanes)]);
	const struct wl_window *w = window_at(x, there);
	struct copy *c = async_new(x, COPY_STORE);
	c->reduces = reduces;
	c->there = there;
	c->lanes = lanes;
	for (uint32_t m = lanes; m; m &= m - 1) {
		const unsigned lane = lowest(m);
		c->at[lane] = in_sm(w, a->at[lane]);
		c->bar[lane] = in_sm(w, a->bar[lane]);
		for (unsigned k = 0; k * 4 < in->size && in->rb != WL_RZ; k++)
			c->value[lane][k] = x->r[in->rb + k][lane];
		if (in_window(w, &f, lane, a->at[lane], in->size, in->size))
			in_window(w, &f, lane, a->bar[lane], 8, 8);
	}
	return go(x, c, &f);
}

static enum flow store_value(struct exec *x, bool reduces)
{
	const struct wl_inst *in = x->in;
	struct addresses a;
	enum flow flow;
	if (!may_begin(x, true, &flow))
		return flow;
	flow = FLOW_NEXT;
	FOR_LANES (lane) {
		a.at[lane] = row_or_zero(x, in->ra, lane) + read_ur(x, in->ur) + (uint32_t)in->off;
		a.bar[lane] = in->ra == WL_RZ ? 0 : x->r[in->ra + 1][lane];
	}
	for (uint32_t left = x->mask, lanes; left && flow == FLOW_NEXT; left &= ~lanes) {
		lanes = cluster_mates(x->gpu, left, a.at);
		flow = store_to(x, reduces, lanes, &a);
	}
	return flow;
}

enum flow exec_STAS(struct exec *x)
{
	return store_value(x, false);
}
enum flow exec_REDAS(struct exec *x)
{
	return store_value(x, true);
}

/* ---- UGETNEXTWORKID ---- */

enum { ANSWER_CANCELED = 1 /* bit 0 of word 2 */ };

static enum flow answer(struct exec *x, uint32_t at, uint32_t mbarrier, const uint32_t words[4])
{
	struct faults f = {0};
	struct place there;
	const unsigned lane = lowest(x->mask);
	const enum wl_fault gone = cluster_find(x, at, &there);
	if (gone != WL_FAULT_NONE)
		return stop_fault(x, gone, x->mask, true, at);
	const struct wl_window *w = window_at(x, there);
	struct copy *c = async_new(x, COPY_STORE);
	c->there = there;
	c->lanes = 1u << lane;
	c->at[lane] = in_sm(w, at);
	c->bar[lane] = in_sm(w, mbarrier);
	memcpy(c->value[lane], words, sizeof c->value[lane]);
	if (in_window(w, &f, lane, at, x->in->size, x->in->size))
		in_window(w, &f, lane, mbarrier, 8, 8);
	return go(x, c, &f);
}

/* Source: docs/spec/async.md, "Launches". */
enum flow exec_UGETNEXTWORKID(struct exec *x)
{
	const uint32_t at = read_ur(x, x->in->ra), mbarrier = read_ur(x, x->in->rb);
	const uint32_t offset = (1u << WL_RANK_SHIFT) - 1;
	uint32_t words[4] = {0}, id[3];
	enum flow flow;
	if (!may_begin(x, true, &flow))
		return flow;
	if (!misuse_launch(x))
		return FLOW_STOP;
	if (grid_cancel(x->gpu, id)) {
		words[0] = id[0];
		words[1] = id[1] | id[2] << 16;
		words[2] = ANSWER_CANCELED;
	}
	if (!x->in->op)
		return answer(x, at, mbarrier, words);
	flow = FLOW_NEXT;
	for (uint32_t rank = 0; rank < x->gpu->cluster_ctas && flow == FLOW_NEXT; rank++)
		flow = answer(x, rank << WL_RANK_SHIFT | (at & offset), rank << WL_RANK_SHIFT | (mbarrier & offset),
		              words);
	return flow;
}

void launch_answered(struct wl_gpu *g, unsigned sm, const struct copy *c, unsigned lane)
{
	if (g->program->insts[c->pc / 16].uop != WL_UOP_UGETNEXTWORKID || c->value[lane][2] & ANSWER_CANCELED)
		return;
	const struct warp *w = gpu_warp(g, sm, c->warp);
	const struct wl_misuse_place asked = {.pc = c->pc,
	                                      .sm = sm,
	                                      .cta = w->cta,
	                                      .warp = w->thread0 / WL_WARP_LANES,
	                                      .lanes = 1u << lane,
	                                      .time = sm_time(gpu_sm(g, sm))};
	misuse_answered(g, c->there.sm, c->there.slot, c->bar[lane], &asked);
}

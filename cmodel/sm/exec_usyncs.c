// SPDX-License-Identifier: Apache-2.0
/* exec_usyncs.c -- mbarrier words of sm_107 at one address. Source: docs/spec/mbarrier.md, "Words at one address". */
#include <assert.h>

#include "exec.h"
#include "cluster.h"
#include "exec_unit.h"
#include "stop.h"
#include "usyncs.h"

static enum wl_uop uop_of(const struct wl_inst *in)
{
	return in->uop == WL_UOP_USYNCS_PHASECHK ? WL_UOP_SYNCS_PHASECHK
	       : in->uop == WL_UOP_USYNCS_CCTL   ? WL_UOP_SYNCS_CCTL
	                                         : WL_UOP_SYNCS_ARRIVE;
}

/* The operand is the number of active lanes. */
static bool counts_lanes(const struct wl_inst *in)
{
	return in->uop == WL_UOP_SYNCSU_ARRIVE || in->uop == WL_UOP_SYNCSU_MULTICAST ||
	       (uop_of(in) == WL_UOP_SYNCS_ARRIVE && in->op == WL_MBAR_ACT0);
}

/* A request of the lowest lane. */
static void make(struct exec *x)
{
	const struct wl_inst in = *x->in;
	const uint32_t b = counts_lanes(&in) ? (uint32_t)__builtin_popcount(x->mask) : read_ur(x, in.rb);
	FOR_LANES (i)
		x->tmp[1][i] = b;
	x->made = wl_inst_make(uop_of(&in));
	x->made.ur = in.ur;
	x->made.off = in.off;
	x->made.rd = in.urd == WL_NO_UR ? WL_RZ : 0;
	x->made.type = usyncs_is_multicast(in.uop) ? WL_MBAR_RED : in.type;
	x->made.flags |= in.flags & WL_F_OPTOUT;
	memcpy(x->made.pd, in.pd, sizeof in.pd);
	x->made.op = counts_lanes(&in) ? WL_MBAR_ART0 : in.op;
	if (x->made.uop != WL_UOP_SYNCS_CCTL) {
		x->made.rb = 0;
		x->made.src[1] = WL_SRC_REG;
	}
	x->made_op = *x->op;
	x->made_op.uop = x->made.uop;
	x->made_op.unit = WL_UNIT_mbarrier_engine;
	x->in = &x->made;
	x->op = &x->made_op;
	x->b = x->tmp[1];
	x->made_for = x->mask;
	x->mask &= -x->mask;
}

/* Offset in each CTA, without a rank. */
static uint32_t offset_of(const struct exec *x)
{
	return (read_ur(x, x->in->ur) + (uint32_t)x->in->off) & ((1u << WL_RANK_SHIFT) - 1);
}

/* A lane for each CTA of `ranks`. */
static void make_for(struct exec *x, uint32_t ranks, uint32_t at)
{
	make(x);
	const uint32_t b = x->b[lowest(x->mask)];
	x->made.ur = WL_NO_UR;
	x->made.off = 0;
	x->made.ra = 0;
	x->made.src[0] = WL_SRC_REG;
	x->a = x->tmp[0];
	x->mask = ranks;
	FOR_LANES (rank) {
		x->tmp[0][rank] = rank << WL_RANK_SHIFT | at;
		x->tmp[1][rank] = b;
	}
}

void usyncs_make(struct exec *x)
{
	const uint16_t uop = x->in->uop;
	const uint32_t ranks = usyncs_is_multicast(uop) ? read_ur(x, x->in->rc) : 0;
	if (usyncs_is_one(uop))
		make(x);
	else if (ranks)
		make_for(x, ranks, offset_of(x));
}

struct wl_word usyncs_word(const struct exec *x)
{
	struct wl_inst in = x->made;
	struct wl_word word;
	in.src[0] = in.src[1] = WL_SRC_NONE;
	const enum wl_status s = wl_encode(x->gpu->config.arch, &in, &word, NULL);
	assert(s == WL_OK && "SYNCS has a word for each operation");
	(void)s;
	return word;
}

static enum flow one(struct exec *x)
{
	usyncs_make(x);
	return exec_unit_mbarrier_engine(x);
}

enum flow exec_USYNCS_ARRIVE(struct exec *x)
{
	return one(x);
}
enum flow exec_SYNCSU_ARRIVE(struct exec *x)
{
	return one(x);
}
enum flow exec_USYNCS_PHASECHK(struct exec *x)
{
	return one(x);
}
enum flow exec_USYNCS_CCTL(struct exec *x)
{
	return one(x);
}

/* ---- objects of several CTAs ---- */

/* Some CTA of the mask is missing. */
static enum wl_fault missing(const struct exec *x, uint32_t ranks, uint32_t at, uint32_t *addr)
{
	struct place there;
	*addr = at;
	if (ranks >> x->gpu->cluster_ctas)
		return WL_FAULT_CLUSTER_RANK;
	for (; ranks; ranks &= ranks - 1) {
		*addr = lowest(ranks) << WL_RANK_SHIFT | at;
		const enum wl_fault fault = cluster_find(x, *addr, &there);
		if (fault != WL_FAULT_NONE)
			return fault;
	}
	return WL_FAULT_NONE;
}

static enum flow multicast(struct exec *x)
{
	const struct wl_inst in = *x->in;
	const uint32_t at = offset_of(x);
	enum flow flow = FLOW_NEXT;
	uint32_t ranks = read_ur(x, in.rc), addr;
	if (in.ur >= URZ_SLOT)
		return stop_fault(x, WL_FAULT_ILLEGAL_INSTRUCTION, x->mask, false, 0);
	if (must_drain(x))
		return FLOW_HOLD;
	const enum wl_fault fault = missing(x, ranks, at, &addr);
	if (fault != WL_FAULT_NONE)
		return stop_fault(x, fault, x->mask, true, addr);
	if (ranks && x->gpu->dut >> WL_UNIT_mbarrier_engine & 1 && sm_in_dut(x->gpu, x->sm_index)) {
		usyncs_make(x);
		return exec_any_unit(x);
	}
	const uint32_t n = x->w->n, kept = x->uni[in.ur];
	make(x);
	x->made.off = 0;
	for (; ranks && flow == FLOW_NEXT; ranks &= ranks - 1) {
		x->uni[in.ur] = lowest(ranks) << WL_RANK_SHIFT | at;
		x->w->n = n;
		flow = exec_unit_mbarrier_engine(x);
	}
	x->uni[in.ur] = kept;
	return flow;
}

enum flow exec_USYNCS_MULTICAST(struct exec *x)
{
	return multicast(x);
}
enum flow exec_SYNCSU_MULTICAST(struct exec *x)
{
	return multicast(x);
}

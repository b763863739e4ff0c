// SPDX-License-Identifier: Apache-2.0
/* misuse_value.c -- values of mbarriers left undefined by PTX: the report of an incomplete phase, and the count of a
 * token of layout v1. The registers look like all others. So the code behind the instruction is followed for the lanes
 * with an undefined value, without execution. The way ends at a branch with an unknown outcome: a finding is certain,
 * and a use behind the branch is not found. */
#include "exec.h"
#include "misuse.h"
#include "usyncs.h"
#include "warplock/hazard.h"

enum { FOLLOWED = 64, COUNT_SHIFT = 11, NO_SLOT = WL_SLOTS, SLOT_RPC = WL_SLOTS /* Rpc.LO, Rpc.HI */ };

struct way {
	const struct wl_gpu *g;
	uint32_t pc;     /* instruction index */
	unsigned no;     /* slot of a predicate known as false; NO_SLOT: none */
	bool group_left; /* some lanes of the group are not followed */
	bool undefined[WL_SLOTS + 2];
};
enum runs { SKIPPED, RUNS, PERHAPS };

static unsigned slot_of(uint8_t p, bool uniform)
{
	return (p & 7) == WL_PT ? NO_SLOT : (uniform ? WL_SLOT_UP : WL_SLOT_P) + (p & 7u);
}

/* Does a predicate hold, as far as known? */
static enum runs holds(const struct way *y, uint8_t p, bool uniform)
{
	const bool neg = p >> 3 & 1;
	const unsigned slot = slot_of(p, uniform);
	return slot == NO_SLOT ? (neg ? SKIPPED : RUNS) : slot == y->no ? (neg ? RUNS : SKIPPED) : PERHAPS;
}

static bool both_run(enum runs a, enum runs b, enum runs *both)
{
	*both = a == SKIPPED || b == SKIPPED ? SKIPPED : RUNS;
	return *both == SKIPPED || (a == RUNS && b == RUNS);
}

/* Lanes may stand at the instruction for ever, or go elsewhere. Waits at mbarriers give up. Lanes at BSYNC go on, unless
 * the run hangs. */
static bool holds_lanes(const struct wl_inst *in)
{
	return wl_uop_has(in->uop, WL_TRAIT(FLOW) | WL_TRAIT(CONVERGES) | WL_TRAIT(BARRIER)) &&
	       in->uop != WL_UOP_BSSY && in->uop != WL_UOP_BSYNC && wl_uop_unit(in->uop) != WL_UNIT_mbarrier_engine &&
	       !usyncs_is(in->uop);
}

/* Goes on behind the instruction, or at the target; false: the way is unknown. */
static bool passes(struct way *y, const struct wl_inst *in, enum runs runs)
{
	const uint32_t target = gpu_ops(y->g)[y->pc].target;
	const bool plain = in->uop == WL_UOP_BRA && !(in->flags & WL_F_U && y->group_left) && !in->op;
	enum runs taken;
	y->group_left |= in->uop == WL_UOP_BSYNC; /* lanes come together */
	if (!holds_lanes(in) || runs == SKIPPED) {
		y->pc++;
		return true;
	}
	if (!plain && in->uop != WL_UOP_BRA_UP)
		return false;
	if (!both_run(runs, holds(y, in->ps[0], false), &taken) ||
	    (in->uop == WL_UOP_BRA_UP && !both_run(taken, holds(y, in->ps[1], true), &taken)))
		return false;
	y->pc = taken == RUNS ? target : y->pc + 1;
	return true;
}

static bool reads(const struct way *y, const struct wl_inst *in, const struct wl_access *a, unsigned first,
                  unsigned end)
{
	if (in->uop == WL_UOP_RPCMOV_GET && y->undefined[SLOT_RPC + in->op])
		return true;
	for (unsigned i = 0; i < a->n; i++)
		for (unsigned k = 0; !a->op[i].write && k < a->op[i].words; k++) {
			const unsigned slot = a->op[i].slot + k;
			if (slot >= first && slot < end && y->undefined[slot])
				return true;
		}
	return false;
}

/* Written values are defined, or `now` undefined: numbers alone. */
static void writes(struct way *y, const struct wl_inst *in, const struct wl_access *a, bool now)
{
	if (in->uop == WL_UOP_RPCMOV_SET)
		y->undefined[SLOT_RPC + in->op] = now;
	for (unsigned i = 0; i < a->n; i++)
		for (unsigned k = 0; a->op[i].write && k < a->op[i].words; k++) {
			const unsigned slot = a->op[i].slot + k;
			y->undefined[slot] = now && slot < WL_SLOT_P;
			y->no = slot == y->no ? NO_SLOT : y->no;
		}
}

static bool shifts_count(const struct wl_inst *in)
{
	return (in->uop == WL_UOP_SHF || in->uop == WL_UOP_USHF) && !(in->flags & WL_F_LEFT) &&
	       in->src[1] == WL_SRC_IMM && in->imm == COUNT_SHIFT;
}

/* The first instruction with a use of an undefined value: of a predicate any use, of a number the shift that cuts out a
 * count. The index, or UINT32_MAX. */
static uint32_t use_of(struct way *y, bool number)
{
	for (unsigned n = 0; n < FOLLOWED && y->pc < y->g->program->ninst; n++) {
		const struct wl_inst *in = &y->g->program->insts[y->pc];
		const uint32_t pc = y->pc;
		struct wl_access a;
		wl_inst_access(y->g->config.arch, in, &a);
		const enum runs runs = holds(y, in->guard, in->guard_uniform);
		const bool used = reads(y, in, &a, number ? 0 : WL_SLOT_P, number ? WL_SLOT_P : WL_SLOT_B);
		const unsigned guard = slot_of(in->guard, in->guard_uniform);
		if (!number && guard != NO_SLOT && y->undefined[guard])
			return pc;
		if (used && runs == RUNS && (!number || shifts_count(in)))
			return pc;
		if (!passes(y, in, runs))
			break;
		if (runs != SKIPPED)
			writes(y, in, &a, used && number && !wl_uop_has(in->uop, WL_TRAIT(READS_MEMORY)));
	}
	return UINT32_MAX;
}

/* ---- the kinds ---- */

/* Found at the use; `there` is the instruction that brought the value. */
static bool tell(struct wl_gpu *g, unsigned warp, struct wl_misuse_found *f, uint32_t used)
{
	f->here = f->there;
	f->here.pc = used * 16;
	return misuse_goes_on(g, warp, f);
}

static struct way way_behind(const struct wl_gpu *g, const struct wl_misuse_place *from, unsigned warp)
{
	const struct warp *w = gpu_warp(g, from->sm, warp);
	return (struct way){
	        .g = g, .pc = from->pc / 16 + 1, .no = NO_SLOT, .group_left = from->lanes != w->g[w->cur].mask};
}

bool misuse_token(struct wl_gpu *g, unsigned warp, const struct wl_misuse_found *at, uint8_t rd)
{
	struct wl_misuse_found f = *at;
	struct way y = way_behind(g, &at->here, warp);
	if (rd + 1u >= WL_RZ)
		return true;
	const struct wl_inst *in = &g->program->insts[at->here.pc / 16];
	if (in->guard >> 3 & 1) /* the lanes do not hold the predicate: a loop over the lanes has ended for them */
		y.no = slot_of(in->guard & 7, in->guard_uniform);
	y.undefined[WL_SLOT_R + rd + 1] = true;
	const uint32_t used = use_of(&y, true);
	f.kind = WL_MISUSE_MBAR_TOKEN_V1;
	f.there = f.here;
	return used == UINT32_MAX || tell(g, warp, &f, used);
}

static bool reports(const struct wl_inst *in)
{
	return usyncs_asks(in->uop) && in->type == WL_MBAR_PRIMARY && in->pd[1] != WL_PT && in->pd[0] != in->pd[1];
}

static bool follow_report(struct wl_gpu *g, const struct wl_tag *tag, uint32_t pc, uint32_t lanes)
{
	const struct wl_inst *in = &g->program->insts[pc / 16];
	const bool uniform = in->uop == WL_UOP_USYNCS_PHASECHK;
	const struct warp *w = gpu_warp(g, tag->sm, tag->warp);
	struct wl_misuse_found f = {.kind = WL_MISUSE_MBAR_REPORT_EARLY};
	f.there = (struct wl_misuse_place){.pc = pc,
	                                   .sm = tag->sm,
	                                   .cta = tag->cta,
	                                   .warp = w->thread0 / WL_WARP_LANES,
	                                   .lanes = uniform ? w->g[w->cur].mask : lanes,
	                                   .time = sm_time(gpu_sm(g, tag->sm))};
	struct way y = way_behind(g, &f.there, tag->warp);
	y.no = slot_of(in->pd[0], uniform);
	y.undefined[slot_of(in->pd[1], uniform)] = true;
	const uint32_t used = use_of(&y, false);
	return used == UINT32_MAX || tell(g, tag->warp, &f, used);
}

bool misuse_report(struct wl_gpu *g, const struct wl_tag *tag, uint32_t pc, uint32_t lanes)
{
	const struct wl_inst *in = &g->program->insts[pc / 16];
	return !lanes || in->pd[0] == WL_PT || !reports(in) || follow_report(g, tag, pc, lanes);
}

bool misuse_report_unasked(struct wl_gpu *g, const struct wl_req *req, uint32_t lanes)
{
	const struct wl_inst *in = &g->program->insts[req->pc / 16];
	return in->op || in->pd[0] != WL_PT || !reports(in) || follow_report(g, &req->tag, req->pc, lanes);
}

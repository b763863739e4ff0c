// SPDX-License-Identifier: Apache-2.0
/* step.c -- the instruction loop of a warp: guard, operands, execution, turns of groups. */
#include "advance.h"
#include "exec.h"
#include "groups.h"
#include "guide_turns.h"
#include "sleep.h"
#include "step.h"
#include "stop.h"
#include "observe.h"

/* FRONT's micro-operations have a function each, the micro-operations of a unit share a function. */
static exec_fn *const exec_table[WL_UOP_COUNT] = {
#define UOP(name, unit, ...) [WL_UOP_##name] = EXEC_OF(name, unit),
#include "../isa/uops.def"
#undef UOP
};

void exec_init(struct exec *x, struct wl_gpu *gpu, unsigned sm, unsigned warp)
{
	x->gpu = gpu;
	x->sm = gpu_sm(gpu, sm);
	x->w = gpu_warp(gpu, sm, warp);
	x->r = gpu_regs(gpu, sm, warp);
	x->shared_rows = block_at(gpu, gpu->at_rows);
	x->sm_index = sm;
	x->warp_index = warp;
	x->conv = &x->sm->units.convergence.warp[warp];
	x->follow = 0;
	groups_set_current(x);
}

static inline const uint32_t *row(const struct exec *x, uint32_t r)
{
	return r & SHARED_ROW ? x->shared_rows[r & ~SHARED_ROW] : x->r[r];
}

/* abs, then neg, then inv of a row; `low` = the low row of a pair, with a negation that borrows from this row, or
 * NULL. */
static inline void change_row(const struct op *op, unsigned i, const uint32_t *from, const uint32_t *low, uint32_t *to)
{
	bool neg = op->neg >> i & 1, abs = op->abs >> i & 1;
	uint32_t inv = op->inv >> i & 1 ? ALL_LANES : 0;
	if (op->is_float) {
		uint32_t keep = abs ? 0x7fffffffu : ALL_LANES, flip = neg ? 0x80000000u : 0;
		FOR_LANES (l)
			to[l] = (from[l] & keep) ^ flip;
		return;
	}
	if (!low && !abs && !(neg && inv)) { /* the common case: a sign or a complement of 32 bits */
		uint32_t one = neg;
		inv ^= 0 - one;
		FOR_LANES (l)
			to[l] = (from[l] ^ inv) + one;
		return;
	}
	FOR_LANES (l) {
		uint32_t v = abs && from[l] >> 31 ? 0 - from[l] : from[l];
		if (neg)
			v = low ? ~v + (low[l] == 0) : 0 - v;
		to[l] = v ^ inv;
	}
}

LANE_LOOP static const uint32_t *changed(struct exec *x, unsigned i, const uint32_t *from)
{
	const struct op *op = x->op;
	uint32_t *to = x->tmp[i];
	if (x->in->src[i] == WL_SRC_UREG) {
		uint32_t lo = read_ur(x, x->in->ur), hi = read_ur_hi(x, x->in->ur);
		FOR_LANES (l)
			to[l] = lo;
		FOR_LANES (l)
			to[WL_WARP_LANES + l] = hi;
		if (!((op->neg | op->abs | op->inv) >> i & 1))
			return to;
		from = to;
	}
	if (op->wide >> i & 1) /* high words first: high words need the unchanged low words */
		change_row(op, i, from + WL_WARP_LANES, from, to + WL_WARP_LANES);
	change_row(op, i, from, NULL, to);
	return to;
}

/* The only place where operands are fetched. */
static inline void fetch(struct exec *x)
{
	const struct op *op = x->op;
	x->a = row(x, op->row[0]);
	x->b = row(x, op->row[1]);
	x->c = row(x, op->row[2]);
	if (__builtin_expect(op->slow, 0)) {
		if (op->slow & 1)
			x->a = changed(x, 0, x->a);
		if (op->slow & 2)
			x->b = changed(x, 1, x->b);
		if (op->slow & 4)
			x->c = changed(x, 2, x->c);
	}
}

void step_fetch(struct exec *x, uint32_t pc)
{
	x->pc = pc;
	x->op = &gpu_ops(x->gpu)[pc];
	x->in = &x->gpu->program->insts[pc];
	fetch(x);
}

static inline uint32_t guard(const struct exec *x, const struct op *op)
{
	uint32_t p = op->guard_uniform ? x->uni[op->guard] : x->w->preds[op->guard];
	return p ^ op->guard_inv;
}

/* Up to n instructions of a run (struct op), by all lanes of a warp. The loop below asks questions before and after
 * each instruction; here all are asked once. Stops behind an instruction with another flow. */
static inline __attribute__((always_inline)) enum flow step_run(struct exec *x, const struct op *op, unsigned n,
                                                                unsigned *ran)
{
	const struct wl_inst *in = &x->gpu->program->insts[x->g->pc];
	const unsigned end = *ran + n;
	enum flow flow;
	x->mask = x->g->mask;
	do {
		x->pc = x->g->pc++;
		x->op = op;
		x->in = in++;
		fetch(x);
		flow = exec_table[(op++)->uop](x);
		x->done = ++*ran;
	} while (flow == FLOW_NEXT && *ran != end);
	return flow;
}

/* A backward branch ends a group's turn. If a single group of the warp goes on, the loop below does so at once. */
static inline bool goes_on(const struct exec *x)
{
	const struct warp *w = x->w;
	return w->state == WARP_RUNS && groups_are_one(w) && !x->gpu->guide;
}

/* Unusual conditions are `rare`: a call costs less with a copy of this loop compiled without rare conditions. */
static inline __attribute__((always_inline)) enum flow step_known(struct exec *x, unsigned n, unsigned turn,
                                                                  unsigned *done, bool rare)
{
	struct wl_gpu *gpu = x->gpu;
	const bool observed = rare && gpu->observer;
	const struct op *ops = gpu_ops(gpu);
	const struct wl_inst *insts = gpu->program->insts;
	const uint32_t ninst = gpu->program->ninst;
	struct warp *w = x->w;
	const uint8_t *copies = &x->sm->async.of_warp[x->warp_index];
	enum flow flow = FLOW_NEXT;
	unsigned ran = 0;
	x->done = 0;
	x->turned = 0;
	while (ran < n && !(rare && x->follow & ~x->g->mask)) {
		struct group *g = x->g;
		const uint32_t pc = x->pc = g->pc;
		if (__builtin_expect(pc >= ninst, 0)) {
			flow = stop_fault(x, WL_FAULT_INVALID_PC, g->mask, false, 0);
			break;
		}
		const struct op *op = &ops[pc];
		if (__builtin_expect(*copies != 0, 0) && async_wait_boards(x, insts[pc].sched.wait)) {
			flow = FLOW_SWITCH;
			break;
		}
		if (!rare && op->run && w->ngroups == 1 && !*copies) {
			const unsigned before = ran, most = n - ran;
			flow = step_run(x, op, op->run < most ? op->run : most, &ran);
			gpu->executed[WL_UNIT_FRONT] += ran - before;
			if (flow != FLOW_NEXT)
				break;
			continue;
		}
		const uint32_t mask = g->mask & guard(x, op);
		g->pc = pc + 1;
		if (mask) {
			x->op = op;
			x->in = &insts[pc];
			x->mask = mask;
			fetch(x);
			flow = observed ? observe_exec(x, exec_table[op->uop]) : exec_table[op->uop](x);
			if (__builtin_expect(flow != FLOW_NEXT, 0)) {
				if (flow == FLOW_REQUEST || flow == FLOW_HOLD) {
					x->g->pc = pc;
					break;
				}
				if (rare && w->advance.on && w->live)
					advance_note(x, mask);
				if (observed && flow != FLOW_GATHER)
					observe_issue(x, pc, mask);
				x->done = ++ran;
				gpu->executed[op->unit] += flow != FLOW_GATHER;
				if (!rare && flow == FLOW_SWITCH && turn && goes_on(x)) {
					groups_set_current(x);
					x->turned = ran;
					x->g->ran = 0;
					n = ran + GROUP_TURN < turn ? ran + GROUP_TURN : turn;
					flow = FLOW_NEXT;
					continue;
				}
				if (flow == FLOW_GATHER)
					flow = FLOW_SWITCH;
				break;
			}
			gpu->executed[op->unit]++;
		} else {
			gpu->executed[WL_UNIT_FRONT]++;
		}
		if (observed)
			observe_issue(x, pc, mask);
		x->done = ++ran;
		if (w->ngroups > 1) {
			if (rare && w->advance.on && mask)
				advance_note(x, mask);
			groups_meet(x);
		}
	}
	*done = ran;
	return flow;
}

/* With an observer, a lane to follow or a warp that may poll, and without: copies of the same loop. */
static __attribute__((noinline)) enum flow step_rare(struct exec *x, unsigned n, unsigned *done)
{
	return step_known(x, n, 0, done, true);
}

static enum flow step_turns(struct exec *x, unsigned n, unsigned turn, unsigned *done)
{
	if (__builtin_expect(x->gpu->observer != NULL || x->follow || x->w->advance.on, 0))
		return step_rare(x, n, done);
	return step_known(x, n, turn, done, false);
}

enum flow step_group(struct exec *x, unsigned n, unsigned *done)
{
	return step_turns(x, n, 0, done);
}

void warp_set_ready(struct wl_gpu *gpu, unsigned sm, unsigned warp)
{
	struct warp *w = gpu_warp(gpu, sm, warp);
	struct sm *s = gpu_sm(gpu, sm);
	uint64_t bit = UINT64_C(1) << warp;
	bool ready = false;
	const bool awake = w->state == WARP_RUNS && groups_are_one(w) && w->wake <= sm_time(s);
	if (warp_asks(w) || awake) {
		s->ready |= bit;
		s->asleep &= ~bit;
		return;
	}
	if (w->state == WARP_RUNS)
		for (unsigned i = 0; i < w->ngroups; i++)
			ready |= w->g[i].state == GROUP_READY;
	bool asleep = ready && sleep_warp(s, w);
	if (w->state == WARP_UNIT && w->wait.give_up)
		ready = asleep = sleep_unit(s, w);
	s->ready = ready && !asleep ? s->ready | bit : s->ready & ~bit;
	s->asleep = asleep ? s->asleep | bit : s->asleep & ~bit;
}

static inline bool turned(struct exec *x, enum flow flow, unsigned done)
{
	struct warp *w = x->w;
	if (flow == FLOW_NEXT || flow == FLOW_REQUEST || flow == FLOW_HOLD) /* replay takes these as a step */
		x->g->ran = (uint16_t)(x->g->ran + done - x->turned);
	bool next = flow == FLOW_SWITCH || (flow == FLOW_NEXT && x->g->ran >= GROUP_TURN);
	if (next && w->live) {
		w->g[w->cur].ran = 0;
		if (w->ngroups > 1 || w->g[0].state == GROUP_BSYNC)
			groups_patience(w, x->conv, converges_in_dut(x->gpu, x->sm_index));
	}
	return next;
}

bool step_turned(struct exec *x, enum flow flow, unsigned done)
{
	x->turned = 0;
	return turned(x, flow, done);
}

static inline void count(struct exec *x, unsigned done)
{
	x->sm->issued += done;
	x->gpu->issued += done;
	x->w->time += done;
	x->w->ran_at = sm_time(x->sm);
	if (__builtin_expect(x->gpu->guide != NULL, 0))
		guide_ran(x->gpu, x->w, done);
}

void step_count(struct exec *x, unsigned done)
{
	count(x, done);
}

/* The next group by turn becomes x's current group; false: nobody can go on. */
static inline bool take_group(struct exec *x, bool next)
{
	struct warp *w = x->w;
	if (w->state != WARP_RUNS)
		return false;
	if (__builtin_expect(groups_are_one(w), 1)) {
		groups_set_current(x);
		return true;
	}
	if (!groups_pick(w, next))
		return false;
	groups_set_current(x);
	groups_merge_here(x);
	return true;
}

enum step_end step_warp(struct wl_gpu *gpu, unsigned sm, unsigned warp, unsigned turn)
{
	struct exec x;
	struct warp *w = gpu_warp(gpu, sm, warp);
	bool next = false;
	exec_init(&x, gpu, sm, warp);
	while (turn && !warp_asks(w)) {
		if (!take_group(&x, next)) {
			warp_set_ready(gpu, sm, warp);
			return STEP_BLOCKED;
		}
		unsigned lane = lowest(x.g->mask), done;
		/* Changes of group do not depend on the ends of the warp's turns: spin.c relies on this. */
		unsigned left = (unsigned)GROUP_TURN - x.g->ran;
		unsigned n = left < turn ? left : turn;
		x.follow = gpu->host.step ? 1u << lane : 0;
		enum flow flow = step_turns(&x, n, turn, &done);
		turn -= done;
		count(&x, done);
		if (x.follow && done)
			gpu->host.step(gpu->host.self, sm, warp, lane, done);
		next = turned(&x, flow, done);
		switch (flow) {
		case FLOW_STOP:
			return STEP_OVER;
		case FLOW_REQUEST:
			return STEP_REQUEST;
		case FLOW_HOLD:
			warp_enter(w, WARP_DRAIN);
			warp_set_ready(gpu, sm, warp);
			return STEP_BLOCKED;
		case FLOW_NEXT:
		case FLOW_SWITCH:
		case FLOW_GATHER:
			break;
		}
	}
	if (warp_asks(w))
		return STEP_REQUEST;
	if (next && w->ngroups > 1 && w->state == WARP_RUNS)
		groups_pick(w, true);
	warp_set_ready(gpu, sm, warp);
	return STEP_TURN_OVER;
}

unsigned step_turn(const struct wl_gpu *gpu)
{
	const uint64_t left = gpu->limit > gpu->issued ? gpu->limit - gpu->issued : 0;
	const unsigned turn = gpu->config.schedule == WL_SCHEDULE_FAIR ? 1 : WARP_TURN;
	return left < turn ? (unsigned)left : turn;
}

int step_next_warp(uint64_t ready, unsigned last)
{
	uint64_t behind = last < 63 ? ready & ~UINT64_C(0) << (last + 1) : 0;
	return behind ? __builtin_ctzll(behind) : ready ? __builtin_ctzll(ready) : -1;
}

bool step_sm(struct wl_gpu *gpu, unsigned sm)
{
	struct sm *s = gpu_sm(gpu, sm);
	if (sm_time(s) >= s->next_wake)
		sleep_end(gpu, sm);
	if (gpu->outcome != WL_RUNNING)
		return true;
	int w = step_next_warp(s->ready, s->last);
	if (w < 0)
		return false;
	const unsigned n = step_turn(gpu);
	if (!n) {
		gpu->outcome = WL_LIMIT;
		return true;
	}
	s->last = (uint32_t)w;
	step_warp(gpu, sm, (unsigned)w, n);
	return true;
}

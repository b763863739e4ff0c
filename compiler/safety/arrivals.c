// SPDX-License-Identifier: Apache-2.0
/* arrivals.c -- the count of an mbarrier object against the possible arrivals of a phase.
 *
 * Each arrival of the kernel has a largest number of threads, from the conditions around. An arrival counts once a
 * phase if every cycle through the arrival has a wait for the object. If the sum stays below the count, waits never
 * end. */
#include "conditions.h"
#include "objects.h"

enum { WARP = 32, MANY = 1 << 24 };

struct threads {
	int64_t lanes, warps, most;
};

static int64_t least(int64_t x, int64_t y)
{
	return x < y ? x : y;
}

static const struct ptx_instr *def_of(const struct analysis *a, uint32_t value, uint32_t *instr)
{
	*instr = a->values[value].instr;
	return *instr == PTX_NONE ? NULL : &a->fn->instrs[*instr];
}

/* The thread number `x` is `c`, or below it. */
static void narrow(const struct analysis *a, struct threads *t, struct fact x, int64_t c, bool equal)
{
	const int64_t n = equal ? 1 : c - x.off < 0 ? 0 : c - x.off;
	if (x.kind == FACT_LANE)
		t->lanes = least(t->lanes, n);
	else if (x.kind == FACT_WARP)
		t->warps = least(t->warps, n);
	else if (x.kind == FACT_TID && a->flat)
		t->most = least(t->most, n);
}

static void narrow_by(const struct analysis *a, struct threads *t, const struct condition *c)
{
	uint32_t at;
	const struct ptx_instr *i = def_of(a, c->value, &at);
	struct fact x, y;
	if (i && i->op == PTX_OP_elect && c->holds)
		t->lanes = 1;
	if (!i || i->op != PTX_OP_setp || i->nops != 3)
		return;
	x = operand_fact(a, &i->ops[1], at);
	y = operand_fact(a, &i->ops[2], at);
	if (y.kind != FACT_CONST)
		return;
	switch (i->cmp) {
	case PTX_M_eq:
	case PTX_M_ne:
		if (c->holds == (i->cmp == PTX_M_eq))
			narrow(a, t, x, y.off, true);
		break;
	case PTX_M_lt:
	case PTX_M_lo:
	case PTX_M_ge:
	case PTX_M_hs:
		if (c->holds == (i->cmp == PTX_M_lt || i->cmp == PTX_M_lo))
			narrow(a, t, x, y.off, false);
		break;
	case PTX_M_le:
	case PTX_M_ls:
	case PTX_M_gt:
	case PTX_M_hi:
		if (c->holds == (i->cmp == PTX_M_le || i->cmp == PTX_M_ls))
			narrow(a, t, x, y.off + 1, false);
		break;
	default:
		break;
	}
}

static int64_t threads_at(const struct analysis *a, uint32_t instr)
{
	struct threads t = {WARP, (a->max_threads + WARP - 1) / WARP, a->max_threads};
	struct conditions c = {0};
	conditions_of(a, instr, &c);
	for (unsigned k = 0; k < c.n; k++)
		narrow_by(a, &t, &c.list[k]);
	return least(t.most, t.lanes * t.warps);
}

/* The loop goes round until the wait of the block succeeds, and the instruction arrives in each round. */
static bool arrives_until(const struct mfunc *f, uint32_t wait, uint32_t home)
{
	const struct mblock *b = f->blocks[wait];
	for (unsigned k = 0; b->loop != NO_BLOCK && loop_contains(f, b->loop, home) && k < b->nsucc; k++)
		if (!loop_contains(f, b->loop, b->succ[k]))
			return true;
	return false;
}

/* Does some cycle lead back to the instruction without the end of a phase of the object? */
static bool repeats(const struct events *e, const struct object *o, uint32_t instr)
{
	const struct mfunc *f = &e->a->s.f;
	const uint32_t home = e->a->s.block_of[instr];
	uint32_t *stack, n = 0;
	bool *seen;
	arena_reset(e->a->walk);
	stack = arena_alloc(e->a->walk, (3 * f->nblocks + 3) * sizeof *stack);
	seen = arena_zalloc(e->a->walk, f->nblocks + 1);
	for (uint32_t k = 0; k < e->n; k++)
		if (e->list[k].kind == EVENT_WAIT && event_may(&e->list[k], o)) {
			if (arrives_until(f, e->a->s.block_of[e->list[k].instr], home))
				return true;
			seen[e->a->s.block_of[e->list[k].instr]] = true;
		}
	if (seen[home])
		return false;
	stack[n++] = home;
	while (n) {
		const struct mblock *b = f->blocks[stack[--n]];
		for (unsigned k = 0; k < b->nsucc; k++) {
			if (b->succ[k] == home)
				return true;
			if (seen[b->succ[k]])
				continue;
			seen[b->succ[k]] = true;
			stack[n++] = b->succ[k];
		}
	}
	return false;
}

/* Do all threads execute the instruction once? */
static bool is_common(const struct analysis *a, uint32_t instr)
{
	const struct mblock *b = a->s.f.blocks[a->s.block_of[instr]];
	struct conditions c = {0};
	conditions_of(a, instr, &c);
	return c.n == 0 && b->loop == NO_BLOCK && a->s.block_of[instr] == 0;
}

struct sum {
	int64_t most;
	uint32_t init, wait, arrive, arrivals;
	int64_t count;
	bool unknown;
};

static void add_event(struct sum *s, const struct events *e, const struct object *o, const struct event *v)
{
	if (v->kind == EVENT_INVAL || v->kind == EVENT_STORE || v->kind == EVENT_USE)
		return;
	if (!event_must(v, o)) {
		s->unknown |= v->kind != EVENT_WAIT;
		return;
	}
	if (v->kind == EVENT_INIT) {
		s->unknown |= s->init != PTX_NONE || !v->count;
		s->init = v->instr;
		s->count = v->count;
	} else if (v->kind == EVENT_WAIT) {
		s->wait = s->wait == PTX_NONE ? v->instr : s->wait;
	} else {
		s->unknown |= !v->count || repeats(e, o, v->instr);
		s->most += v->count < MANY ? v->count * threads_at(e->a, v->instr) : MANY;
		s->arrive = v->instr;
		s->arrivals++;
	}
}

void check_arrivals(struct report *r, const struct events *e, const struct object *o)
{
	const struct analysis *a = e->a;
	struct sum s = {.init = PTX_NONE, .wait = PTX_NONE, .arrive = PTX_NONE};
	for (uint32_t k = 0; k < e->n; k++)
		if (event_may(&e->list[k], o))
			add_event(&s, e, o, &e->list[k]);
	if (s.unknown || s.init == PTX_NONE || s.wait == PTX_NONE || !a->fn->is_entry)
		return;
	if (s.most < s.count) {
		report_warning(r, a, s.wait,
		               "'%s' of the object '%s' never ends: mbarrier.init of line %u counts %lld arrivals, at "
		               "most %lld can come",
		               ptx_op_name((enum ptx_op)a->fn->instrs[s.wait].op), o->name,
		               a->fn->instrs[s.init].pos.line, (long long)s.count, (long long)s.most);
		report_note(r, a, s.init, "the count is given here");
	} else if (a->exact && s.arrivals == 1 && s.most > s.count && is_common(a, s.arrive)) {
		report_warning(r, a, s.arrive,
		               "%lld arrivals come to the object '%s', mbarrier.init of line %u counts %lld: the phase "
		               "ends too early",
		               (long long)s.most, o->name, a->fn->instrs[s.init].pos.line, (long long)s.count);
		report_note(r, a, s.init, "the count is given here");
	}
}

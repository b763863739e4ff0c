// SPDX-License-Identifier: Apache-2.0
/* life.c -- the life of mbarrier objects: mbarrier.init, use, mbarrier.inval.
 *
 * A finding is a path between two instructions without an interrupting event. After a branch with differing threads,
 * the events of each way are done at the meeting place. Conditions true at both ends of the path are true on the
 * path. An object of unknown address is no finding. */
#include "conditions.h"
#include "objects.h"

struct path {
	const struct analysis *a;
	const struct events *e;
	const struct object *o;
	unsigned stops;    /* kinds of events that end a path, a bit each */
	bool synchronised; /* a barrier ends a path, too */
	struct conditions known;
	bool *done;     /* by block: at the start, some thread has met an event of `stops` */
	uint32_t *from; /* by block: the previous block on the path */
};

static bool is_synchronisation(const struct ptx_instr *i)
{
	switch (i->op) {
	case PTX_OP_bar:
	case PTX_OP_bar_cta:
	case PTX_OP_bar_red:
	case PTX_OP_bar_cta_red:
	case PTX_OP_bar_warp:
	case PTX_OP_barrier:
	case PTX_OP_barrier_cta:
	case PTX_OP_barrier_red:
	case PTX_OP_barrier_cta_red:
	case PTX_OP_barrier_cluster_wait:
	case PTX_OP_call:
	case PTX_OP_atom:
		return true;
	case PTX_OP_ld:
		return i->order == PTX_M_acquire || i->order == PTX_M_volatile || i->order == PTX_M_relaxed;
	default:
		return i->op >= PTX_OP_mbarrier_test_wait && i->op <= PTX_OP_mbarrier_try_wait_parity;
	}
}

/* May the guard be false for all threads together? No condition says true. */
static bool may_be_skipped(const struct path *p, uint32_t instr)
{
	const struct ptx_instr *i = &p->a->fn->instrs[instr];
	uint32_t v;
	if (i->guard == PTX_NONE || register_vary(p->a, i->guard, instr).bits)
		return false;
	v = value_before(p->a, i->guard, instr);
	return condition_known(p->a, &p->known, v) != !i->guard_negated;
}

static bool stops(const struct path *p, uint32_t instr)
{
	for (uint32_t k = 0; k < p->e->n; k++) {
		const struct event *v = &p->e->list[k];
		if (v->instr == instr && (p->stops >> v->kind & 1) && event_may(v, p->o) && !may_be_skipped(p, instr))
			return true;
	}
	return p->synchronised && is_synchronisation(&p->a->fn->instrs[instr]);
}

static struct count count_stops(void *self, uint32_t instr)
{
	const bool is = stops(self, instr);
	return (struct count){is, is};
}

static bool leaves_loop(const struct analysis *a, uint32_t block)
{
	const struct mblock *b = a->s.f.blocks[block];
	for (unsigned k = 0; k < b->nsucc; k++)
		if (b->loop != NO_BLOCK && !loop_contains(&a->s.f, b->loop, b->succ[k]))
			return true;
	return false;
}

/* Marks the meeting places with an event on one of the ways: threads take both ways, or the branch leaves a loop. */
static void find_done(struct path *p)
{
	const struct mfunc *f = &p->a->s.f;
	p->done = arena_zalloc(p->a->path, f->nblocks + 1);
	for (uint32_t i = 0; i < f->nrpo; i++) {
		const struct mblock *b = f->blocks[f->rpo[i]];
		if (b->nsucc != 2 || b->ipdom == NO_BLOCK || !(p->a->branches[b->id].bits || leaves_loop(p->a, b->id)))
			continue;
		for (unsigned k = 0; k < 2 && !p->done[b->ipdom]; k++)
			p->done[b->ipdom] = way_count(p->a, b->succ[k], b->ipdom, count_stops, p).most > 0;
	}
}

/* The first instruction in [from, to) that ends the path, or `to`. */
static uint32_t walk_block(const struct path *p, uint32_t from, uint32_t to)
{
	while (from < to && !stops(p, from))
		from++;
	return from;
}

static bool may_go(const struct path *p, uint32_t block, unsigned k)
{
	const uint32_t last = p->a->s.last[block] - 1;
	const struct ptx_instr *i;
	int known;
	if (p->a->s.f.blocks[block]->nsucc != 2)
		return true;
	i = &p->a->fn->instrs[last];
	known = condition_known(p->a, &p->known, value_before(p->a, i->guard, last));
	return known < 0 || (known != i->guard_negated) == (k == 1);
}

/* Is there a path from behind `start` (PTX_NONE: from the beginning) to the target? */
static bool find_path(struct path *p, uint32_t start, uint32_t target)
{
	const struct analysis *a = p->a;
	const struct mfunc *f = &a->s.f;
	const uint32_t goal = a->s.block_of[target];
	uint32_t *queue, n = 0, head = 0;
	bool *seen;
	uint32_t block = start == PTX_NONE ? 0 : a->s.block_of[start];
	uint32_t at = start == PTX_NONE ? a->s.first[0] : start + 1;
	arena_reset(a->path);
	queue = arena_alloc(a->path, (f->nblocks + 2) * sizeof *queue);
	seen = arena_zalloc(a->path, f->nblocks + 1);
	p->known.n = 0;
	if (start != PTX_NONE)
		conditions_of(a, start, &p->known);
	conditions_of(a, target, &p->known);
	find_done(p);
	p->from = arena_alloc(a->path, (f->nblocks + 1) * sizeof *p->from);
	p->from[block] = NO_BLOCK;
	for (;;) {
		const uint32_t end = block == goal && target >= at ? target : a->s.last[block];
		if (walk_block(p, at, end) >= end) {
			if (end == target && block == goal)
				return true;
			for (unsigned k = 0; k < f->blocks[block]->nsucc; k++) {
				const uint32_t to = f->blocks[block]->succ[k];
				if (seen[to] || p->done[to] || !may_go(p, block, k))
					continue;
				seen[to] = true;
				p->from[to] = block;
				queue[n++] = to;
			}
		}
		if (head == n)
			return false;
		block = queue[head++];
		at = a->s.first[block];
	}
}

/* The branch on the path with an event on the other way that would have ended the path. */
static uint32_t decisive_branch(struct path *p, uint32_t target)
{
	const struct mfunc *f = &p->a->s.f;
	uint32_t found = PTX_NONE;
	for (uint32_t b = p->a->s.block_of[target]; p->from[b] != NO_BLOCK; b = p->from[b]) {
		const struct mblock *m = f->blocks[p->from[b]];
		if (m->nsucc != 2 || m->ipdom == NO_BLOCK)
			continue;
		if (way_count(p->a, m->succ[m->succ[0] == b], m->ipdom, count_stops, p).most > 0)
			found = p->a->s.last[m->id] - 1;
	}
	return found;
}

/* ---- the checks ---- */

struct check {
	struct report report;
	struct path path;
	bool *told; /* by instruction */
};

#define BIT(kind) (1u << (kind))
enum {
	USES = BIT(EVENT_INVAL) | BIT(EVENT_USE) | BIT(EVENT_ARRIVE) | BIT(EVENT_WAIT),
	INITS = BIT(EVENT_INIT) | BIT(EVENT_UNKNOWN),
	INVALS = BIT(EVENT_INVAL) | BIT(EVENT_UNKNOWN)
};

static unsigned line_of(const struct check *c, uint32_t instr)
{
	return c->path.a->fn->instrs[instr].pos.line;
}

static const char *op_of(const struct check *c, uint32_t instr)
{
	return ptx_op_name((enum ptx_op)c->path.a->fn->instrs[instr].op);
}

static void tell_no_init(struct check *c, const struct event *v, uint32_t init)
{
	const struct object *o = c->path.o;
	const uint32_t branch = decisive_branch(&c->path, v->instr);
	c->told[v->instr] = true;
	if (branch != PTX_NONE) {
		report_warning(&c->report, c->path.a, v->instr,
		               "'%s' of the object '%s', but the way over the branch of line %u has no mbarrier.init",
		               op_of(c, v->instr), o->name, line_of(c, branch));
		report_note(&c->report, c->path.a, branch, "this branch goes round mbarrier.init");
	} else if (init != PTX_NONE) {
		report_warning(&c->report, c->path.a, v->instr,
		               "'%s' of the object '%s' in front of its mbarrier.init of line %u", op_of(c, v->instr),
		               o->name, line_of(c, init));
		report_note(&c->report, c->path.a, init, "the object is initialised here");
	} else {
		report_warning(&c->report, c->path.a, v->instr,
		               "'%s' of the object '%s' of line %u, which has no mbarrier.init", op_of(c, v->instr),
		               o->name, o->var->pos.line);
	}
}

/* An init of a partly known address may be an init of this object. */
static bool find_init(const struct check *c, uint32_t *init)
{
	*init = PTX_NONE;
	for (uint32_t k = 0; k < c->path.e->n; k++) {
		const struct event *v = &c->path.e->list[k];
		if (!(INITS >> v->kind & 1) || !event_may(v, c->path.o))
			continue;
		if (!event_must(v, c->path.o))
			return false;
		if (*init == PTX_NONE)
			*init = v->instr;
	}
	return true;
}

static void check_init(struct check *c)
{
	uint32_t init;
	if (!c->path.a->fn->is_entry || !find_init(c, &init))
		return;
	c->path.stops = INITS;
	for (uint32_t k = 0; k < c->path.e->n; k++) {
		const struct event *v = &c->path.e->list[k];
		if ((USES >> v->kind & 1) && event_must(v, c->path.o) && !c->told[v->instr] &&
		    find_path(&c->path, PTX_NONE, v->instr)) {
			tell_no_init(c, v, init);
			return; /* later uses are the same fault */
		}
	}
}

/* Paths from each event of the first kinds to each event of the second kinds. Reports the first path. */
static void check_between(struct check *c, unsigned first, unsigned then, unsigned stop, const char *fmt,
                          const char *note)
{
	for (uint32_t k = 0; k < c->path.e->n; k++) {
		const struct event *v = &c->path.e->list[k];
		if (!(first >> v->kind & 1) || !event_must(v, c->path.o))
			continue;
		c->path.stops = stop;
		for (uint32_t j = 0; j < c->path.e->n; j++) {
			const struct event *w = &c->path.e->list[j];
			if (!(then >> w->kind & 1) || !event_must(w, c->path.o) || c->told[w->instr] ||
			    !find_path(&c->path, v->instr, w->instr))
				continue;
			c->told[w->instr] = true;
			report_warning(&c->report, c->path.a, w->instr, "'%s' of the object '%s' %s of line %u",
			               op_of(c, w->instr), c->path.o->name, fmt, line_of(c, v->instr));
			report_note(&c->report, c->path.a, v->instr, "%s", note);
			return;
		}
	}
}

static bool some_threads(const struct conditions *k)
{
	for (unsigned n = 0; n < k->n; n++)
		if (k->list[n].vary.bits & (VARY_THREADS | VARY_UNKNOWN))
			return true;
	return false;
}

static bool threads_differ(const struct conditions *k)
{
	for (unsigned n = 0; n < k->n; n++)
		if (k->list[n].vary.bits & VARY_THREADS)
			return true;
	return false;
}

/* Reports a use by threads without the init of the object, and without a barrier between. */
static void check_visible(struct check *c)
{
	for (uint32_t k = 0; k < c->path.e->n; k++) {
		const struct event *v = &c->path.e->list[k];
		struct conditions by = {0};
		if (v->kind != EVENT_INIT || !event_must(v, c->path.o))
			continue;
		conditions_of(c->path.a, v->instr, &by);
		if (!threads_differ(&by) || c->path.a->max_threads == 1)
			continue;
		for (uint32_t j = 0; j < c->path.e->n; j++) {
			const struct event *w = &c->path.e->list[j];
			struct conditions of = {0};
			if (!(USES >> w->kind & 1) || !event_must(w, c->path.o) || c->told[w->instr])
				continue;
			conditions_of(c->path.a, w->instr, &of);
			c->path.stops = BIT(EVENT_INVAL);
			c->path.synchronised = true;
			if (!some_threads(&of) && find_path(&c->path, v->instr, w->instr)) {
				c->told[w->instr] = true;
				report_warning(&c->report, c->path.a, w->instr,
				               "'%s' of the object '%s' by all threads, without a barrier behind "
				               "mbarrier.init of line %u, which some threads execute",
				               op_of(c, w->instr), c->path.o->name, line_of(c, v->instr));
				report_note(&c->report, c->path.a, v->instr, "some threads initialise the object here");
			}
			c->path.synchronised = false;
		}
	}
}

static void check_function(struct report *r, const struct analysis *a)
{
	struct events e = find_events(r->m, a);
	struct check c = {.report = *r, .path = {.a = a, .e = &e}};
	c.told = arena_zalloc(a->arena, a->fn->ninstrs + 1);
	for (uint32_t k = 0; k < e.nobjects; k++) {
		c.path.o = &e.objects[k];
		check_init(&c);
		check_between(&c, BIT(EVENT_INVAL), USES, INITS, "behind mbarrier.inval", "the object ends here");
		check_between(&c, BIT(EVENT_INIT), BIT(EVENT_INIT), INVALS,
		              "again, without mbarrier.inval behind mbarrier.init", "the object begins here");
		check_between(&c, BIT(EVENT_INIT), BIT(EVENT_STORE), INVALS,
		              "writes to memory of a live object: mbarrier.init", "the object begins here");
		check_visible(&c);
		check_arrivals(&c.report, &e, c.path.o);
	}
	*r = c.report;
}

void check_mbarriers(struct module_analysis *m)
{
	struct report r = {m, "mbarrier"};
	for (uint32_t n = 0; n < m->m->nfunctions; n++)
		if (m->fns[n].looked_into)
			check_function(&r, &m->fns[n]);
}

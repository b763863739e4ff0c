// SPDX-License-Identifier: Apache-2.0
/* uniform.c -- divergence of values and of control, on the PTX of a kernel.
 *
 * A value varies with a source that tells lanes apart (the thread's number, atomics, loads, shuffles ..), with varying
 * operands, or under a varying guard. A register with several definitions varies, too, if a definition stands where
 * lanes may be apart: some lanes may have passed the definition, and others not. Lanes are apart between a branch with
 * a varying guard and the place where all ways meet (the immediate post-dominator of the branch: converge.c lets lanes
 * meet there), and in all branches in between. Behind a loop that tries until others have done their part, lanes may
 * stay apart: lanes behind the loop must be able to go on. Lanes may also stay apart behind a place where some lanes of
 * the warp wait for others, who wait at another place: the waiting lanes of a region may be let go early. The pass does
 * not look into code with cycles of several entries, or with jump tables: apart everywhere.
 *
 * All lanes of a warp execute an aligned barrier, or none. Where a way of a branch leads to an aligned barrier before
 * the ways meet, the program says that its lanes agree, for any guard. The exception is a thread's number compared with
 * a literal: the branch lets a single lane through, the program breaks the rule, and the lanes are waited for.
 *
 * Values and control follow from each other. Both grow together from nothing until nothing is added: each register,
 * block and edge is done once. */
#include "only_place.h"
#include "polls.h"
#include "skeleton.h"
#include "uniform.h"

#include <string.h>

struct pass {
	struct arena *arena;
	const struct ptx_function *fn;
	struct uniform *u;
	bool compat; /* as ptxas: lanes are taken to meet behind places where lanes wait for others */
	struct skeleton s;
	struct uniform_user **users; /* by register */
	uint8_t *writes;             /* by register: 0, 1, 2 = more */
	uint32_t *def;               /* by register: the last instruction with a write */
	bool *marked;                /* by block: apart */
	bool *tries;                 /* by header: some instruction in the loop waits for others */
	bool *passed;                /* by header: lanes are apart somewhere in the loop */
	bool *agreed;                /* by block: its branch */
	bool *left_apart;            /* by header: some branch out of the loop is not agreed */
	uint32_t *up;                /* by block: next unmarked block up the tree of post-dominators */
	uint32_t *regs, nregs;       /* found to vary, with users to be looked at */
	uint32_t *blocks, nblocks;   /* marked, with branches and definitions to be looked at */
	uint32_t *stack;
	bool *reached;
};

/* ---- kinds of instructions ---- */

static bool special_varies(unsigned sreg)
{
	switch (sreg) {
	case PTX_SR_ctaid:
	case PTX_SR_ntid:
	case PTX_SR_nctaid:
	case PTX_SR_gridid:
	case PTX_SR_nsmid:
	case PTX_SR_dynamic_smem_size:
		return false;
	default:
		return !(sreg >= PTX_SR_envreg0 && sreg <= PTX_SR_envreg31);
	}
}

/* A kernel's parameters by name, and constants. */
bool uniform_reads_constants(const struct ptx_instr *i)
{
	unsigned space = i->nspaces ? i->space[0] : PTX_SP_none;
	const struct ptx_operand *at = &i->ops[1];
	if (space == PTX_SP_const)
		return true;
	return (space == PTX_SP_param || space == PTX_SP_param_entry) && at->kind == PTX_O_ADDR &&
	       at->base_kind == PTX_BASE_SYMBOL && at->sym->kind == PTX_SYM_VAR && at->sym->var->index != PTX_NONE;
}

/* The results are a function of the operands alone. */
static bool computes(enum ptx_op op)
{
	return (op >= PTX_OP_add && op <= PTX_OP_cvta) || (op >= PTX_OP_vadd && op <= PTX_OP_vset4) ||
	       (op >= PTX_OP_createpolicy_fractional && op <= PTX_OP_getctarank);
}

/* The results may differ from lane to lane, for any operands. Stack pointers do where some lanes alone have allocated;
 * ptxas does not look at allocations. */
static bool result_varies(const struct ptx_instr *i, bool compat)
{
	switch (i->op) {
	case PTX_OP_ld:
	case PTX_OP_ldu:
		return !uniform_reads_constants(i);
	case PTX_OP_alloca:
	case PTX_OP_stacksave:
		return !compat;
	case PTX_OP_nanosleep: /* no result: the first operand is a source */
	case PTX_OP_stackrestore:
	case PTX_OP_bar:
	case PTX_OP_bar_cta:
	case PTX_OP_bar_arrive:
	case PTX_OP_bar_cta_arrive:
	case PTX_OP_bar_warp:
	case PTX_OP_barrier:
	case PTX_OP_barrier_cta:
	case PTX_OP_barrier_arrive:
	case PTX_OP_barrier_cta_arrive:
		return false;
	default:
		return !computes(i->op);
	}
}

/* All lanes of the warp execute the instruction, or none. */
static bool is_aligned_barrier(const struct ptx_instr *i)
{
	if (i->guard != PTX_NONE)
		return false;
	switch (i->op) {
	case PTX_OP_bar:
	case PTX_OP_bar_cta:
	case PTX_OP_bar_arrive:
	case PTX_OP_bar_cta_arrive:
	case PTX_OP_bar_red:
	case PTX_OP_bar_cta_red:
		return true;
	case PTX_OP_barrier:
	case PTX_OP_barrier_cta:
	case PTX_OP_barrier_arrive:
	case PTX_OP_barrier_cta_arrive:
	case PTX_OP_barrier_red:
	case PTX_OP_barrier_cta_red:
		return ptx_has(i, PTX_M_aligned);
	default:
		return false;
	}
}

/* Lanes at the instruction may wait for lanes at another place of the code, or step back for them. */
static bool waits_elsewhere(const struct pass *p, uint32_t k)
{
	const struct ptx_instr *i = &p->fn->instrs[k];
	switch (i->op) {
	case PTX_OP_barrier:
	case PTX_OP_barrier_cta:
	case PTX_OP_barrier_red:
	case PTX_OP_barrier_cta_red:
	case PTX_OP_barrier_cluster_arrive:
	case PTX_OP_barrier_cluster_wait:
		return !ptx_has(i, PTX_M_aligned);
	case PTX_OP_nanosleep:
	case PTX_OP_mbarrier_try_wait:
	case PTX_OP_mbarrier_try_wait_parity:
		return true;
	default:
		return lower_waits_for_lanes(i) && !p->u->only[k];
	}
}

/* ---- operands ---- */

static void visit_registers(const struct ptx_operand *o, uint32_t instr, uniform_visit visit, void *self)
{
	switch (o->kind) {
	case PTX_O_REG:
		visit(self, o->reg, instr);
		break;
	case PTX_O_ADDR:
		if (o->base_kind == PTX_BASE_REG)
			visit(self, o->reg, instr);
		break;
	case PTX_O_VECTOR:
	case PTX_O_PAIR:
	case PTX_O_LIST:
	case PTX_O_PARTS:
		for (unsigned k = 0; k < o->count; k++)
			visit_registers(&o->list[k], instr, visit, self);
		break;
	default:
		break;
	}
}

/* The first operand could be a destination. Where the operand is no destination, as with bar.sync, the operand also
 * counts as read: more varies than need be. */
static bool is_destination(const struct ptx_operand *o)
{
	return o->kind == PTX_O_REG || o->kind == PTX_O_VECTOR || o->kind == PTX_O_PAIR || o->kind == PTX_O_LIST;
}

static bool is_wait(const struct ptx_instr *i)
{
	return i->op == PTX_OP_mbarrier_test_wait || i->op == PTX_OP_mbarrier_test_wait_parity ||
	       i->op == PTX_OP_mbarrier_try_wait || i->op == PTX_OP_mbarrier_try_wait_parity;
}

unsigned uniform_results(const struct ptx_instr *i)
{
	if (!i->nops || !is_destination(&i->ops[0]))
		return 0;
	return is_wait(i) && i->nops > 1 && i->ops[1].kind == PTX_O_REG ? 2 : 1;
}

void uniform_visit_results(const struct ptx_function *fn, uint32_t i, uniform_visit visit, void *self)
{
	const struct ptx_instr *in = &fn->instrs[i];
	const unsigned n = uniform_results(in);
	for (unsigned k = 0; k < n; k++)
		visit_registers(&in->ops[k], i, visit, self);
}

static void visit_results(struct pass *p, uint32_t i, uniform_visit visit)
{
	uniform_visit_results(p->fn, i, visit, p);
}

/* The first operand is written only, for certain. */
static bool has_result(const struct ptx_instr *i)
{
	return i->op == PTX_OP_atom;
}

static void note_user(void *self, uint32_t reg, uint32_t instr)
{
	struct pass *p = self;
	struct uniform_user *u = arena_alloc(p->arena, sizeof *u);
	*u = (struct uniform_user){instr, p->users[reg]};
	p->users[reg] = u;
	p->u->read[reg] = true;
}

static void note_write(void *self, uint32_t reg, uint32_t instr)
{
	struct pass *p = self;
	p->def[reg] = instr;
	if (p->writes[reg] < 2)
		p->writes[reg]++;
}

static void set_varies(void *self, uint32_t reg, uint32_t instr)
{
	struct pass *p = self;
	(void)instr;
	if (p->u->varies[reg])
		return;
	p->u->varies[reg] = true;
	p->regs[p->nregs++] = reg;
}

/* A register with other definitions, written where lanes are apart. */
static void set_varies_if_many(void *self, uint32_t reg, uint32_t instr)
{
	struct pass *p = self;
	if (p->writes[reg] > 1)
		set_varies(p, reg, instr);
}

static bool special_operand_varies(const struct ptx_operand *o)
{
	if (o->kind == PTX_O_SREG)
		return special_varies(o->sreg);
	if (o->kind == PTX_O_VECTOR || o->kind == PTX_O_LIST)
		for (unsigned k = 0; k < o->count; k++)
			if (special_operand_varies(&o->list[k]))
				return true;
	return false;
}

/* ---- loops ---- */

/* The only instruction with a write of the register. */
static const struct ptx_instr *only_def(const struct pass *p, uint32_t reg)
{
	return p->writes[reg] == 1 ? &p->fn->instrs[p->def[reg]] : NULL;
}

static bool is_thread_number(const struct pass *p, const struct ptx_operand *o)
{
	const struct ptx_instr *i = o->kind == PTX_O_REG ? only_def(p, o->reg) : NULL;
	if (i)
		o = i->op == PTX_OP_mov ? &i->ops[1] : o;
	return o->kind == PTX_O_SREG && (o->sreg == PTX_SR_tid || o->sreg == PTX_SR_laneid);
}

/* The branch compares the thread's number with a literal. */
static bool picks_a_lane(const struct pass *p, const struct ptx_instr *bra)
{
	const struct ptx_instr *i = bra->guard == PTX_NONE ? NULL : only_def(p, bra->guard);
	if (!i || i->op != PTX_OP_setp || (i->cmp != PTX_M_eq && i->cmp != PTX_M_ne) || i->nops < 3)
		return false;
	return (is_thread_number(p, &i->ops[1]) && i->ops[2].kind == PTX_O_INT) ||
	       (is_thread_number(p, &i->ops[2]) && i->ops[1].kind == PTX_O_INT);
}

/* Barriers from each block up the tree of post-dominators. With more barriers on a way than at the meeting place, the
 * way leads to a barrier. Parents come before children in the order of depth. */
static void find_agreed(struct pass *p)
{
	const struct mfunc *f = &p->s.f;
	uint32_t *barriers = arena_zalloc(p->arena, (f->nblocks + 1) * sizeof *barriers), deepest = 0, n = 0;
	uint32_t *start, *order = arena_alloc(p->arena, (f->nblocks + 1) * sizeof *order);
	for (uint32_t b = 0; b < f->nblocks; b++)
		if (f->blocks[b]->pdom_depth > deepest)
			deepest = f->blocks[b]->pdom_depth;
	start = arena_zalloc(p->arena, (deepest + 2) * sizeof *start);
	for (uint32_t b = 0; b < f->nblocks; b++)
		start[f->blocks[b]->pdom_depth + 1]++;
	for (uint32_t d = 1; d <= deepest + 1; d++)
		start[d] += start[d - 1];
	for (uint32_t b = 0; b < f->nblocks; b++, n++)
		order[start[f->blocks[b]->pdom_depth]++] = b;
	for (uint32_t i = 0; i < p->fn->ninstrs; i++)
		barriers[p->s.block_of[i]] |= is_aligned_barrier(&p->fn->instrs[i]);
	for (uint32_t i = 0; i < n; i++)
		if (f->blocks[order[i]]->ipdom != NO_BLOCK)
			barriers[order[i]] += barriers[f->blocks[order[i]]->ipdom];
	for (uint32_t b = 0; b < f->nblocks; b++) {
		const struct mblock *m = f->blocks[b];
		if (m->nsucc != 2 || m->ipdom == NO_BLOCK || picks_a_lane(p, &p->fn->instrs[p->s.last[b] - 1]))
			continue;
		for (unsigned k = 0; k < 2; k++)
			p->agreed[b] |= f->blocks[m->succ[k]]->reaches_end && barriers[m->succ[k]] > barriers[m->ipdom];
	}
}

static void find_ways_out(struct pass *p)
{
	for (uint32_t i = 0; i < p->s.f.nrpo; i++) {
		const struct mblock *b = p->s.f.blocks[p->s.f.rpo[i]];
		for (unsigned k = 0; k < b->nsucc && !p->agreed[b->id]; k++)
			for (uint32_t h = b->loop; h != NO_BLOCK && !loop_contains(&p->s.f, h, b->succ[k]);
			     h = p->s.f.blocks[h]->loop_parent)
				p->left_apart[h] = true;
	}
}

/* ---- growing ---- */

static void mark(struct pass *p, uint32_t block)
{
	if (p->marked[block])
		return;
	p->marked[block] = true;
	p->blocks[p->nblocks++] = block;
}

static uint32_t unmarked_up(struct pass *p, uint32_t b)
{
	uint32_t top = b, next;
	while (top != NO_BLOCK && p->up[top] != top)
		top = p->up[top];
	for (; b != top; b = next) {
		next = p->up[b];
		p->up[b] = top;
	}
	return top;
}

/* Marks the blocks on each way of the branch, up to where the ways meet. */
static void part(struct pass *p, const struct mblock *branch)
{
	uint32_t meet = branch->ipdom, depth = meet == NO_BLOCK ? 0 : p->s.f.blocks[meet]->pdom_depth;
	for (unsigned k = 0; k < branch->nsucc; k++) {
		uint32_t b = branch->succ[k];
		while ((b = unmarked_up(p, b)) != NO_BLOCK &&
		       (meet == NO_BLOCK || !p->s.f.blocks[b]->reaches_end || p->s.f.blocks[b]->pdom_depth > depth)) {
			mark(p, b);
			p->up[b] = p->s.f.blocks[b]->ipdom;
		}
	}
}

static void mark_reachable(struct pass *p, uint32_t from)
{
	uint32_t depth = 0;
	p->stack[depth++] = from;
	while (depth) {
		const struct mblock *b = p->s.f.blocks[p->stack[--depth]];
		if (p->reached[b->id])
			continue;
		p->reached[b->id] = true;
		mark(p, b->id);
		for (unsigned k = 0; k < b->nsucc; k++)
			p->stack[depth++] = b->succ[k];
	}
}

static void look_at_loops(struct pass *p, uint32_t h)
{
	for (; h != NO_BLOCK && !p->passed[h]; h = p->s.f.blocks[h]->loop_parent) {
		p->passed[h] = true;
		if (p->tries[h] && p->left_apart[h])
			mark_reachable(p, h);
	}
}

/* Some lanes come to the instruction: in a block where lanes are apart, or under a guard. */
static void look_at_wait(struct pass *p, uint32_t i)
{
	if (!p->compat && waits_elsewhere(p, i))
		mark_reachable(p, p->s.block_of[i]);
}

static void look_at_block(struct pass *p, uint32_t b)
{
	for (uint32_t i = p->s.first[b]; i < p->s.last[b]; i++) {
		visit_results(p, i, set_varies_if_many);
		look_at_wait(p, i);
	}
	look_at_loops(p, p->s.f.blocks[b]->loop);
	for (unsigned k = 0; k < p->s.f.blocks[b]->nsucc; k++)
		for (uint32_t h = p->s.f.blocks[b]->loop;
		     h != NO_BLOCK && !loop_contains(&p->s.f, h, p->s.f.blocks[b]->succ[k]);
		     h = p->s.f.blocks[h]->loop_parent)
			if (p->tries[h])
				mark_reachable(p, h);
	if (p->s.f.blocks[b]->nsucc == 2)
		part(p, p->s.f.blocks[b]); /* only some lanes come here: the ways behind are apart for any guard */
}

static void look_at_user(struct pass *p, uint32_t reg, uint32_t i)
{
	const struct ptx_instr *in = &p->fn->instrs[i];
	if (in->op == PTX_OP_bra && in->guard == reg && p->s.f.blocks[p->s.block_of[i]]->nsucc == 2 &&
	    !p->agreed[p->s.block_of[i]])
		part(p, p->s.f.blocks[p->s.block_of[i]]);
	if (in->guard == reg)
		look_at_wait(p, i);
	visit_results(p, i, set_varies);
}

static void grow(struct pass *p)
{
	while (p->nregs || p->nblocks) {
		uint32_t reg;
		if (p->nblocks) {
			look_at_block(p, p->blocks[--p->nblocks]);
			continue;
		}
		reg = p->regs[--p->nregs];
		for (const struct uniform_user *u = p->users[reg]; u; u = u->next)
			look_at_user(p, reg, u->instr);
	}
}

/* ---- the pass ---- */

static void note_instr(struct pass *p, uint32_t i)
{
	const struct ptx_instr *in = &p->fn->instrs[i];
	const unsigned results = uniform_results(in);
	visit_results(p, i, note_write);
	if (results && !has_result(in))
		visit_results(p, i, note_user);
	for (unsigned k = results; k < in->nops; k++)
		visit_registers(&in->ops[k], i, note_user, p);
	if (in->guard != PTX_NONE)
		note_user(p, in->guard, i);
}

static void start(struct pass *p, uint32_t i)
{
	const struct ptx_instr *in = &p->fn->instrs[i];
	bool varies = result_varies(in, p->compat);
	for (unsigned k = 0; k < in->nops && !varies; k++)
		varies = special_operand_varies(&in->ops[k]);
	if (varies)
		visit_results(p, i, set_varies);
}

static void allocate(struct pass *p)
{
	const struct ptx_function *fn = p->fn;
	p->u->varies = arena_zalloc(p->arena, fn->nregs + 1);
	p->u->read = arena_zalloc(p->arena, fn->nregs + 1);
	p->u->apart = arena_zalloc(p->arena, fn->ninstrs + 1);
	p->u->agreed = arena_zalloc(p->arena, fn->ninstrs + 1);
	p->u->polls = arena_zalloc(p->arena, fn->ninstrs + 1);
	p->users = arena_zalloc(p->arena, (fn->nregs + 1) * sizeof(struct uniform_user *));
	p->writes = arena_zalloc(p->arena, fn->nregs + 1);
	p->def = arena_zalloc(p->arena, (fn->nregs + 1) * sizeof *p->def);
	p->regs = arena_alloc(p->arena, (fn->nregs + 1) * sizeof *p->regs);
}

static void allocate_for_blocks(struct pass *p)
{
	uint32_t n = p->s.f.nblocks + 1;
	p->marked = arena_zalloc(p->arena, n);
	p->tries = arena_zalloc(p->arena, n);
	p->passed = arena_zalloc(p->arena, n);
	p->agreed = arena_zalloc(p->arena, n);
	p->left_apart = arena_zalloc(p->arena, n);
	p->reached = arena_zalloc(p->arena, n);
	p->blocks = arena_alloc(p->arena, n * sizeof *p->blocks);
	p->stack = arena_alloc(p->arena, (3 * n) * sizeof *p->stack);
	p->up = arena_alloc(p->arena, n * sizeof *p->up);
	for (uint32_t b = 0; b < n; b++)
		p->up[b] = b;
}

void lower_uniform(struct arena *a, const struct ptx_function *fn, bool compat, struct uniform *u)
{
	struct pass p = {.arena = a, .fn = fn, .u = u, .compat = compat};
	const bool made = skeleton_make(a, fn, &p.s);
	allocate(&p);
	for (uint32_t i = 0; i < fn->ninstrs; i++)
		note_instr(&p, i);
	for (uint32_t i = 0; i < fn->nrets; i++) /* the return reads */
		if (fn->rets[i]->reg != PTX_NONE)
			u->read[fn->rets[i]->reg] = true;
	const bool known = made && !p.s.f.irreducible;
	if (known) {
		allocate_for_blocks(&p);
		polls_find(&(struct polls_of){a, fn, &p.s, p.users, p.writes, compat}, p.tries, u->polls);
	} else {
		polls_all(fn, u->polls);
	}
	if (!fn->is_entry || !known) {
		memset(u->varies, true, fn->nregs);
		memset(u->apart, true, fn->ninstrs);
		return;
	}
	find_agreed(&p);
	find_ways_out(&p);
	for (uint32_t b = 0; b < p.s.f.nblocks; b++)
		if (!p.s.f.blocks[b]->reachable || !p.s.f.blocks[b]->reaches_end)
			mark(&p, b);
	for (uint32_t i = 0; i < fn->ninstrs; i++) {
		start(&p, i);
		if (fn->instrs[i].op == PTX_OP_call)
			mark_reachable(&p, p.s.block_of[i] + 1);
	}
	grow(&p);
	for (uint32_t i = 0; i < fn->ninstrs; i++) {
		uint32_t b = p.s.block_of[i];
		u->apart[i] = p.marked[b];
		u->agreed[i] = fn->instrs[i].op == PTX_OP_bra && p.agreed[b] && !p.marked[b];
	}
}

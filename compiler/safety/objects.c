// SPDX-License-Identifier: Apache-2.0
#include "objects.h"

#include <stdio.h>

enum { OBJECT_BYTES = 8 };

/* ---- events ---- */

static struct event *add(struct events *e, enum event_kind kind, uint32_t instr, struct fact at)
{
	if (e->n == e->room) {
		const uint32_t room = 2 * e->room + 32;
		e->list = arena_grow(e->a->arena, e->list, e->n * sizeof *e->list, room * sizeof *e->list);
		e->room = room;
	}
	e->list[e->n] = (struct event){.kind = (uint8_t)kind, .instr = instr, .at = at};
	return &e->list[e->n++];
}

static bool in_cluster(const struct ptx_instr *i)
{
	for (unsigned k = 0; k < i->nspaces; k++)
		if (i->space[k] == PTX_SP_shared_cluster)
			return true;
	return false;
}

static enum event_kind kind_of(unsigned op)
{
	switch (op) {
	case PTX_OP_mbarrier_init:
		return EVENT_INIT;
	case PTX_OP_mbarrier_inval:
		return EVENT_INVAL;
	case PTX_OP_mbarrier_arrive:
	case PTX_OP_mbarrier_arrive_drop:
	case PTX_OP_mbarrier_arrive_expect_tx:
	case PTX_OP_mbarrier_arrive_drop_expect_tx:
		return EVENT_ARRIVE;
	case PTX_OP_mbarrier_test_wait:
	case PTX_OP_mbarrier_test_wait_parity:
	case PTX_OP_mbarrier_try_wait:
	case PTX_OP_mbarrier_try_wait_parity:
		return EVENT_WAIT;
	default:
		return EVENT_USE;
	}
}

static int64_t constant_of(const struct events *e, const struct ptx_operand *o, uint32_t instr)
{
	const struct fact f = operand_fact(e->a, o, instr);
	return f.kind == FACT_CONST && f.off > 0 ? f.off : 0;
}

/* The first operand in brackets at or behind k. */
static const struct ptx_operand *address_from(const struct ptx_instr *i, unsigned k)
{
	for (; k < i->nops; k++)
		if (i->ops[k].kind == PTX_O_ADDR)
			return &i->ops[k];
	return NULL;
}

static bool expects_bytes(unsigned op)
{
	return op == PTX_OP_mbarrier_arrive_expect_tx || op == PTX_OP_mbarrier_arrive_drop_expect_tx;
}

static void note_mbarrier(struct events *e, const struct ptx_instr *i, uint32_t instr)
{
	const struct ptx_operand *at = address_from(i, 0);
	struct event *v;
	if (!at)
		return;
	v = add(e, kind_of(i->op), instr, operand_fact(e->a, at, instr));
	v->remote = in_cluster(i);
	if (v->kind == EVENT_INIT)
		v->count = constant_of(e, &i->ops[1], instr);
	if (v->kind == EVENT_ARRIVE) {
		const struct ptx_operand *last = &i->ops[i->nops - 1];
		v->count = expects_bytes(i->op) || last == at ? 1 : constant_of(e, last, instr);
		v->remote |= ptx_has(i, PTX_M_multicast__cluster__32b);
	}
}

static bool completes_bytes(const struct ptx_instr *i)
{
	return ptx_has(i, PTX_M_mbarrier__complete_tx__bytes);
}

/* The object of an asynchronous copy is the last address. */
static void note_copy(struct events *e, const struct ptx_instr *i, uint32_t instr)
{
	const struct ptx_operand *at = NULL;
	for (unsigned k = 0; k < i->nops; k++)
		if (i->ops[k].kind == PTX_O_ADDR)
			at = &i->ops[k];
	if (at)
		add(e, EVENT_USE, instr, operand_fact(e->a, at, instr))->remote = true;
}

static void note_escape(void *self, const struct ptx_operand *o)
{
	struct events *e = self;
	const uint32_t instr = e->list[e->n - 1].instr; /* an entry made by add(): see note_other */
	const struct fact f = operand_fact(e->a, o, instr);
	if (o->kind != PTX_O_ADDR && (f.kind == FACT_SYM || f.kind == FACT_IN))
		add(e, EVENT_UNKNOWN, instr, (struct fact){.kind = FACT_IN, .var = f.var});
}

static bool keeps_address(unsigned op)
{
	switch (op) {
	case PTX_OP_mov:
	case PTX_OP_cvta:
	case PTX_OP_cvt:
	case PTX_OP_add:
	case PTX_OP_sub:
	case PTX_OP_mad:
	case PTX_OP_and:
	case PTX_OP_or:
	case PTX_OP_xor:
	case PTX_OP_selp:
	case PTX_OP_setp:
	case PTX_OP_isspacep:
		return true;
	default:
		return false;
	}
}

/* Addresses beyond the analysis: stores, calls, mapa. */
static void note_other(struct events *e, const struct ptx_instr *i, uint32_t instr)
{
	const uint32_t mark = e->n;
	add(e, EVENT_UNKNOWN, instr, (struct fact){.kind = FACT_CONST});
	for (unsigned k = 0; k < i->nops; k++)
		if (!operand_is_result(i, k) && i->op != PTX_OP_bra)
			visit_leaves(&i->ops[k], e, note_escape);
	if (e->n == mark + 1)
		e->n = mark;
	else
		e->list[mark].at = e->list[mark + 1].at;
}

static bool writes_memory(unsigned op)
{
	return op == PTX_OP_st || op == PTX_OP_atom || op == PTX_OP_red;
}

static bool has_mbarriers(const struct module_analysis *m, const struct ptx_function *fn, unsigned depth)
{
	const struct analysis *a = analysis_of(m, fn);
	if (!a || !a->fn->has_body || depth > 16)
		return a && depth <= 16;
	for (uint32_t i = 0; i < a->fn->ninstrs; i++) {
		const struct ptx_instr *in = &a->fn->instrs[i];
		if ((in->op >= PTX_OP_mbarrier_init && in->op <= PTX_OP_mbarrier_complete_tx) ||
		    (in->op == PTX_OP_call && (!called(in) || has_mbarriers(m, called(in), depth + 1))))
			return true;
	}
	return false;
}

static void note(const struct module_analysis *m, struct events *e, uint32_t instr)
{
	const struct ptx_instr *i = &e->a->fn->instrs[instr];
	const struct fact any = {.kind = FACT_ANY};
	if (i->op == PTX_OP_mbarrier_pending_count || i->op == PTX_OP_mbarrier_check_layout)
		return;
	if (i->op >= PTX_OP_mbarrier_init && i->op <= PTX_OP_mbarrier_complete_tx) {
		note_mbarrier(e, i, instr);
	} else if (i->op == PTX_OP_cp_async_mbarrier_arrive) {
		struct event *v = add(e, EVENT_ARRIVE, instr, operand_fact(e->a, &i->ops[0], instr));
		v->kind = ptx_has(i, PTX_M_noinc) ? EVENT_ARRIVE : EVENT_USE;
		v->count = 1;
	} else if (i->op == PTX_OP_tcgen05_commit) {
		add(e, EVENT_UNKNOWN, instr, any);
	} else if (completes_bytes(i)) {
		note_copy(e, i, instr);
	} else if (i->op == PTX_OP_call) {
		if (!called(i) || has_mbarriers(m, called(i), 0))
			add(e, EVENT_UNKNOWN, instr, any);
		note_other(e, i, instr);
	} else {
		if (writes_memory(i->op) && i->ops[i->op == PTX_OP_atom].kind == PTX_O_ADDR)
			add(e, EVENT_STORE, instr, operand_fact(e->a, &i->ops[i->op == PTX_OP_atom], instr));
		if (!keeps_address(i->op))
			note_other(e, i, instr);
	}
}

/* ---- objects ---- */

bool event_must(const struct event *e, const struct object *o)
{
	if (e->at.kind != FACT_SYM || e->at.var != o->var || e->remote)
		return false;
	if (e->kind == EVENT_STORE)
		return e->at.off >= o->off && e->at.off < o->off + OBJECT_BYTES;
	return e->at.off == o->off;
}

bool event_may(const struct event *e, const struct object *o)
{
	if (e->at.kind == FACT_SYM)
		return e->remote ? e->at.var == o->var && e->at.off == o->off : event_must(e, o);
	return e->at.kind == FACT_IN ? e->at.var == o->var : e->at.kind == FACT_ANY || e->at.kind == FACT_TOP;
}

static bool is_shared(const struct ptx_var *v)
{
	return v->space == PTX_SP_shared || v->space == PTX_SP_shared_cta || v->space == PTX_SP_none;
}

static void note_object(struct events *e, const struct event *v)
{
	struct object *o;
	if (v->kind > EVENT_WAIT || v->at.kind != FACT_SYM || !is_shared(v->at.var))
		return;
	for (uint32_t k = 0; k < e->nobjects; k++)
		if (e->objects[k].var == v->at.var && e->objects[k].off == v->at.off)
			return;
	o = &e->objects[e->nobjects++];
	*o = (struct object){.var = v->at.var, .off = v->at.off};
	if (v->at.off)
		snprintf(o->name, sizeof o->name, "%.90s+%lld", v->at.var->name, (long long)v->at.off);
	else
		snprintf(o->name, sizeof o->name, "%.100s", v->at.var->name);
}

struct events find_events(const struct module_analysis *m, const struct analysis *a)
{
	struct events e = {.a = a};
	for (uint32_t i = 0; i < a->fn->ninstrs; i++)
		if (a->s.f.blocks[a->s.block_of[i]]->reachable)
			note(m, &e, i);
	e.objects = arena_alloc(a->arena, (e.n + 1) * sizeof *e.objects);
	for (uint32_t i = 0; i < e.n; i++)
		note_object(&e, &e.list[i]);
	return e;
}

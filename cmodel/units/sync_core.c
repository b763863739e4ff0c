// SPDX-License-Identifier: Apache-2.0
/* sync_core.c -- the common part of the units: table of units, header of records, EXIT. */
#include <assert.h>
#include <string.h>

#include "warplock/units.h"

/* A program that links only some of the units, for example the firmware of a board, makes the names weak: other units
 * are NULL. */
#ifndef WL_UNIT_LINKAGE
#define WL_UNIT_LINKAGE
#endif

#define OPS_0(name)
#define OPS_1(name)                                             extern const struct wl_unit_ops wl_##name##_ops WL_UNIT_LINKAGE;
#define UNIT(name, words, preds, in_c, in_front, in_rtl, holds) OPS_##in_c(name)
#include "units.def"
#undef UNIT
#undef OPS_0
#undef OPS_1

/* An EXIT touches no lane's registers. The event is for units counting warps. */
static void plan_exit(const struct wl_units *u, const struct wl_req *req, struct wl_plan *p, struct wl_record *rec)
{
	(void)u;
	wl_plan_all(req, p, rec);
	p->passes = 0;
	p->pass_lanes[0] = 0;
}

static uint32_t apply_exit(struct wl_units *u, const struct wl_req *req, struct wl_plan *p, const struct wl_event *ev,
                           struct wl_record *rec)
{
	(void)p;
	assert(ev->kind == WL_EV_EXIT);
	rec->committed = req->mask;
	wl_units_event(u, ev);
	return 0;
}

static const struct wl_unit_ops sync_core_ops = {
        .plan_bytes = sizeof(struct wl_plan), .plan = plan_exit, .apply = apply_exit, .finish = wl_finish_plain};

static const struct wl_unit_ops *const table[WL_UNIT_COUNT] = {
#define OPS_0(name)                                             NULL
#define OPS_1(name)                                             &wl_##name##_ops
#define UNIT(name, words, preds, in_c, in_front, in_rtl, holds) [WL_UNIT_##name] = OPS_##in_c(name),
#include "units.def"
#undef UNIT
        [WL_UNIT_sync_core] = &sync_core_ops,
};

const struct wl_unit_ops *wl_unit_ops(enum wl_unit unit)
{
	return unit < WL_UNIT_COUNT ? table[unit] : NULL;
}

void wl_units_init(struct wl_units *u, const struct wl_config *c, uint8_t *mem)
{
	memset(u, 0, sizeof *u);
	wl_smem_init(&u->smem, c, mem);
}

void wl_units_open(struct wl_units *u, const struct wl_cta_start *start)
{
	for (unsigned i = 0; i < WL_UNIT_COUNT; i++)
		if (table[i] && table[i]->open)
			table[i]->open(u, start);
}

void wl_units_close(struct wl_units *u, unsigned slot)
{
	for (unsigned i = 0; i < WL_UNIT_COUNT; i++)
		if (table[i] && table[i]->close)
			table[i]->close(u, slot);
}

void wl_units_event(struct wl_units *u, const struct wl_event *ev)
{
	for (unsigned i = 0; i < WL_UNIT_COUNT; i++)
		if (table[i] && table[i]->event && !(u->elsewhere >> i & 1))
			table[i]->event(u, ev);
}

bool wl_units_released(struct wl_units *u, struct wl_released *r)
{
	for (unsigned i = 0; i < WL_UNIT_COUNT; i++)
		if (table[i] && table[i]->released && table[i]->released(u, r))
			return true;
	return false;
}

/* ---- for the units ---- */

void wl_plan_all(const struct wl_req *req, struct wl_plan *plan, struct wl_record *rec)
{
	memset(plan, 0, sizeof *plan);
	plan->ok = req->mask;
	plan->passes = 1;
	plan->whole = true;
	plan->pass_lanes[0] = req->mask;
	memset(rec, 0, sizeof *rec);
	rec->tag = req->tag;
	rec->pc = req->pc;
	rec->word = req->word;
	rec->mask = req->mask;
	rec->size = req->inst.size;
}

void wl_plan_fault(const struct wl_req *req, struct wl_plan *plan, enum wl_fault fault)
{
	memset(plan, 0, sizeof *plan);
	plan->faulted = req->mask;
	for (uint32_t m = req->mask; m; m &= m - 1)
		plan->fault[wl_lowest(m)] = (uint8_t)fault;
}

uint32_t wl_fault_lanes(struct wl_record *rec, uint32_t lanes, enum wl_fault fault)
{
	rec->faulted |= lanes;
	for (uint32_t m = lanes; m; m &= m - 1)
		rec->fault[wl_lowest(m)] = (uint8_t)fault;
	return lanes;
}

void wl_finish_plain(const struct wl_units *u, const struct wl_req *req, const struct wl_plan *plan,
                     struct wl_record *rec)
{
	(void)u;
	assert(rec->mask == req->mask && "the record is this request's");
	for (uint32_t m = plan->faulted; m; m &= m - 1)
		rec->fault[wl_lowest(m)] = plan->fault[wl_lowest(m)];
	(void)req;
	rec->faulted |= plan->faulted;
	rec->passes = plan->passes;
}

uint32_t wl_inst_immediate(const struct wl_inst *in, unsigned i)
{
	const bool second = (in->uop == WL_UOP_BAR && i == 1) || (in->uop == WL_UOP_SHFL && i == 2);
	return second ? in->imm2 : in->imm;
}

static uint64_t two_words(const struct wl_lane *v)
{
	return v->w[0] | (uint64_t)v->w[1] << 32;
}

uint64_t wl_req_source(const struct wl_req *req, unsigned i, unsigned lane)
{
	switch (req->inst.src[i]) {
	case WL_SRC_CONST: /* SOURCE brings constants as registers */
	case WL_SRC_REG:
		return i == 0 ? req->ra[lane] : two_words(i == 1 ? &req->rb[lane] : &req->rc[lane]);
	case WL_SRC_IMM:
		return wl_inst_immediate(&req->inst, i);
	case WL_SRC_UREG:
		return req->ur;
	default:
		return 0;
	}
}

// SPDX-License-Identifier: Apache-2.0
/* mon.c -- the monitor's part for mbarrier_engine, rules d and e. The part keeps each object as counts. So the part
 * knows the ends of phases, the warps to release at each end, and the warps allowed to give up.
 * Source: docs/spec/mbarrier.md, "Operations"; docs/spec/mbarrier.md, "Completion"; docs/spec/mbarrier.md, "Waits";
 * docs/spec/mbarrier.md, "Layout v1 on sm_107".
 *
 * The part does not see the effect of plain stores on an object. After a store the object is unknown until the next
 * EXCH, and releases of warps waiting there are believed. */
#include <string.h>

#include "../../../cosim/mon_unit.h"

enum { OBJECTS = 65536 / 8, LATEST = 4 /* cycles from the end of a phase to its RELEASE */, SUSPEND = 1024 };
enum { ASKS_CONDITIONAL = 1 /* type of PHASECHK */, V1_MOST = 511 };
enum { FORM_A1TR, FORM_A1T0, FORM_A0T1, FORM_A0TR, FORM_A0TX, FORM_ART0 };

struct object {
	bool known, phase;
	int32_t expected, pending, tx;
	/* layout v1 of sm_107; else `conditional` is the phase, and reports do not exist */
	bool v1, conditional;
	struct report {
		bool failed;
		uint8_t value;
	} open;
};

struct waiter {
	bool on, parity, owed, conditional;
	bool believed; /* the object was unknown at the park, or for a while since the park */
	uint8_t slot;
	uint16_t object;
	bool ended;     /* owed: parity of the ended phase ... */
	uint32_t value; /* ... and value of the RELEASE */
	uint64_t since; /* cycle of the COMMIT; of the end of the phase, when owed */
};

struct state {
	struct {
		struct object object[OBJECTS];
		bool placed; /* address / 8 in the SM less address / 8 in the window */
		uint16_t first;
	} cta[WL_MAX_CTAS];
	struct waiter waiter[64]; /* by warp */
};

/* State kept for a request. */
struct operation {
	uint8_t uop, form, result;
	bool drop, one, parity, conditional;
	bool unsure;                    /* a TRYWAIT on an unknown object: may wait */
	uint16_t object[WL_WARP_LANES]; /* address / 8 in the window ... */
	uint8_t slot[WL_WARP_LANES];    /* ... of this CTA */
	uint32_t operand[WL_WARP_LANES];
	uint64_t fresh; /* EXCH */
};
_Static_assert(sizeof(struct operation) <= MON_OWN, "an operation fits into an item of the monitor");

static struct operation *operation_of(struct mon_item *it)
{
	return (struct operation *)(void *)it->own;
}

static struct state *state_of(struct mon *m)
{
	return mon_state(m, WL_UNIT_mbarrier_engine);
}

static struct object *object_of(struct mon *m, const struct operation *op, unsigned lane)
{
	return &state_of(m)->cta[op->slot[lane]].object[op->object[lane]];
}

/* ---- effect of a request ---- */

/* With the rank << 24 of the CTA. An address without a register is an offset in the own window. */
static uint32_t address(const struct mon_window *w, const struct wl_req *req, unsigned lane)
{
	const struct wl_inst *in = &req->inst;
	const bool ra = in->uop != WL_UOP_SYNCS_EXCH && in->ra != WL_RZ, ur = in->ur != 255;
	const uint32_t off = ra || ur ? (uint32_t)in->off : (uint32_t)in->off & 0xffffff;
	return (ra ? (uint32_t)req->ra[lane] << in->xn : 0) + (ur ? (uint32_t)req->ur : 0) + off +
	       (ra || ur ? 0 : w->origin);
}

/* Only an arrival without an answer goes to another CTA. */
static bool stays(const struct wl_inst *in)
{
	return in->uop != WL_UOP_SYNCS_ARRIVE || (in->type != 2 && in->rd != WL_RZ);
}

/* An object of layout v1 made by no operation: counts above 511 give such a word. */
static bool odd_v1(const struct wl_lane *b)
{
	const uint32_t low = b->w[0], high = b->w[1];
	return !(low >> 4 & 0x1ff) || (high & 0x70000400) || ((low >> 13 & 0xff) && !(low & 2)) ||
	       ((high >> 20 & 0xff) && !(low & 4));
}

static bool faults(const struct mon *m, const struct mon_window *w, const struct operation *o, uint32_t addr,
                   const struct wl_lane *b)
{
	if (!w->valid || addr % 8 || w->size < 8 || addr > w->size - 8)
		return true;
	if (o->uop == WL_UOP_SYNCS_ARRIVE && o->form == FORM_ART0)
		return b->w[0] >> 20;
	if (o->uop != WL_UOP_SYNCS_EXCH)
		return false;
	return mon_has_reports(m) && b->w[0] & 1 ? odd_v1(b) : !(b->w[0] >> 1 & 0xfffff);
}

static void accept(struct mon *m, struct mon_item *it, const struct wl_req *req)
{
	struct operation *o = operation_of(it);
	const struct mon_window *own = mon_window_of(m, req->tag.slot);
	uint32_t first = 32;
	mon_wants_touches(m);
	it->reads = req->inst.uop == WL_UOP_SYNCS_PHASECHK;
	*o = (struct operation){.uop = (uint8_t)req->inst.uop,
	                        .form = req->inst.op,
	                        .result = req->inst.type,
	                        .conditional =
	                                req->inst.uop == WL_UOP_SYNCS_PHASECHK && req->inst.type == ASKS_CONDITIONAL,
	                        .drop = (req->inst.flags & WL_F_OPTOUT) != 0,
	                        .one = true};
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint32_t named = address(own, req, l);
		const int to = mon_slot_named(m, req->tag.slot, named);
		const struct mon_window *w = mon_window_of(m, to < 0 ? req->tag.slot : (unsigned)to);
		const uint32_t addr = named - w->origin;
		if (!(req->mask >> l & 1))
			continue;
		if (req->inst.flags & WL_F_ILLEGAL || to < 0 || (to != (int)req->tag.slot && stays(&req->inst)) ||
		    faults(m, w, o, addr, &req->rb[l])) {
			it->faulting |= UINT32_C(1) << l;
			continue;
		}
		o->object[l] = (uint16_t)(addr / 8);
		o->slot[l] = (uint8_t)to;
		o->operand[l] = req->rb[l].w[0];
		if (first == 32)
			first = l;
		if (o->object[l] != o->object[first] || (o->operand[l] ^ o->operand[first]) >> 31)
			o->one = false;
	}
	if (first == 32)
		return;
	o->parity = o->operand[first] >> 31;
	o->fresh = (uint64_t)req->rb[first].w[1] << 32 | req->rb[first].w[0];
}

/* ---- counting ---- */

/* Arrivals and bytes are complete: warps waiting for the phase are due. Warps waiting for the conditional phase are due
 * if the open phase has no report. */
static void end_phase(struct mon *m, unsigned slot, uint16_t object)
{
	struct state *s = state_of(m);
	struct object *o = &s->cta[slot].object[object];
	const uint32_t value = 1u | (uint32_t)o->open.failed << 1 | (uint32_t)o->open.value << 8;
	for (unsigned w = 0; w < 64; w++) {
		struct waiter *v = &s->waiter[w];
		if (!v->on || v->owed || v->slot != slot || v->object != object ||
		    (v->conditional ? o->open.failed || v->parity != o->conditional : v->parity != o->phase))
			continue;
		v->owed = true;
		v->ended = o->phase;
		v->value = value;
		v->since = mon_now(m);
	}
	o->pending = o->expected;
	o->phase = !o->phase;
	if (!o->v1)
		o->conditional = o->phase;
	else if (!o->open.failed)
		o->conditional = !o->conditional;
	o->open = (struct report){0};
}

/* The object is not followed any more. Phases end unseen, so RELEASEs of warps waiting there are believed. */
static void forget(struct mon *m, unsigned slot, uint16_t object)
{
	struct state *s = state_of(m);
	s->cta[slot].object[object].known = false;
	for (unsigned w = 0; w < 64; w++)
		if (s->waiter[w].on && s->waiter[w].slot == slot && s->waiter[w].object == object)
			s->waiter[w].believed = true;
}

static bool arrival_faults(const struct object *o, int64_t n, int64_t bytes, const struct operation *op)
{
	const int64_t most = (1 << 20) - 1, tx = o->tx + bytes, left = o->pending - n;
	return (o->v1 && n > V1_MOST) || (!o->expected && !o->pending && !o->tx) || bytes > most || bytes < -most ||
	       (bytes && (tx > most + 1 || tx < -most)) || (op->drop && n > o->expected) || left < 0 ||
	       (op->result == 1 && left == 0 && tx == 0);
}

static void amounts(const struct operation *op, unsigned lane, int64_t *n, int64_t *bytes)
{
	const int64_t r = op->operand[lane];
	*n = op->form == FORM_ART0 ? r : op->form == FORM_A1TR || op->form == FORM_A1T0;
	*bytes = op->form == FORM_A1TR || op->form == FORM_A0TR ? r
	         : op->form == FORM_A0TX                        ? -r
	                                                        : op->form == FORM_A0T1;
}

static void arrive(struct mon *m, const struct mon_item *it, const struct operation *op, unsigned lane)
{
	struct object *o = object_of(m, op, lane);
	int64_t n, bytes;
	if (!o->known)
		return;
	amounts(op, lane, &n, &bytes);
	if (arrival_faults(o, n, bytes, op)) {
		mon_complain(m, 'd', &it->tag, UINT32_C(1) << lane, "an operation that must fault commits");
		o->known = false;
		return;
	}
	o->tx += (int32_t)bytes;
	o->expected -= op->drop ? (int32_t)n : 0;
	o->pending -= (int32_t)n;
	if (!o->pending && !o->tx)
		end_phase(m, op->slot[lane], op->object[lane]);
}

static void fresh_object(struct mon *m, const struct operation *op, unsigned lane)
{
	struct object *o = object_of(m, op, lane);
	const uint64_t w = op->fresh;
	const int32_t tx = (int32_t)(w >> 21 & 0x1fffff); /* negated */
	if (mon_has_reports(m) && w & 1) {
		*o = (struct object){.known = true,
		                     .v1 = true,
		                     .phase = w >> 63,
		                     .conditional = w >> 3 & 1,
		                     .expected = (int32_t)((0x200 - (w >> 4 & 0x1ff)) & 0x1ff),
		                     .pending = (int32_t)((0x200 - (w >> 43 & 0x1ff)) & 0x1ff),
		                     .tx = tx >> 20 ? (1 << 21) - tx : -tx,
		                     .open = {w >> 1 & 1, (uint8_t)(w >> 13)}};
		return;
	}
	*o = (struct object){.known = true,
	                     .phase = w >> 63,
	                     .conditional = w >> 63,
	                     .expected = (int32_t)((0x100000 - (w >> 1 & 0xfffff)) & 0xfffff),
	                     .pending = (int32_t)((0x100000 - (w >> 43 & 0xfffff)) & 0xfffff),
	                     .tx = tx >> 20 ? (1 << 21) - tx : -tx};
}

/* Lanes on the same object go in lane order; the pipe keeps the order of the warp's accesses. */
static void check_order(struct mon *m, const struct mon_item *it, const struct operation *op, uint32_t lanes)
{
	if (op->uop != WL_UOP_SYNCS_ARRIVE && op->uop != WL_UOP_ATOMS_ARRIVE)
		return;
	const unsigned l = (unsigned)__builtin_ctz(lanes);
	const uint32_t settled = it->committed | it->faulting | it->fault_seen;
	for (unsigned k = 0; k < l; k++)
		if ((it->mask & ~settled) >> k & 1 && op->object[k] == op->object[l] && op->slot[k] == op->slot[l])
			mon_complain(m, 'b', &it->tag, UINT32_C(1) << l,
			             "lane %u commits before lane %u, on one mbarrier", l, k);
}

static void commit(struct mon *m, struct mon_item *it, uint32_t lanes)
{
	struct operation *op = operation_of(it);
	for (const struct mon_item *older = mon_older(m, it); older; older = mon_older(m, older))
		if ((older->unit->unit == WL_UNIT_atoms_pipe || older->unit == it->unit) &&
		    older->mask & ~older->faulting & ~older->fault_seen & ~older->committed)
			mon_complain(m, 'c', &it->tag, lanes, "commits before the warp's older access n=%u",
			             older->tag.n);
	if (lanes & it->mask)
		check_order(m, it, op, lanes & it->mask);
	if (op->uop == WL_UOP_SYNCS_EXCH) {
		const unsigned first = (unsigned)__builtin_ctz(lanes);
		if (mon_wants_writes(m))
			mon_writes(m, it, op->slot[first], op->object[first] * 8u, 8);
		fresh_object(m, op, first);
		return;
	}
	for (uint32_t left = lanes & it->mask & ~it->faulting; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		if (op->uop != WL_UOP_SYNCS_PHASECHK && mon_wants_writes(m))
			mon_writes(m, it, op->slot[l], op->object[l] * 8u, 8);
		if (op->uop == WL_UOP_SYNCS_ARRIVE)
			arrive(m, it, op, l);
		else if (op->uop != WL_UOP_SYNCS_PHASECHK)
			forget(m, op->slot[l], op->object[l]);
	}
}

/* Rule g: a check of a phase reads the object. */
static int torn(const struct mon_item *it, unsigned slot, uint32_t from, uint32_t to)
{
	const struct operation *op = (const struct operation *)(const void *)it->own;
	const uint32_t open = it->mask & ~it->faulting & ~it->fault_seen & ~it->committed;
	for (uint32_t left = open; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		const uint32_t at = op->object[l] * 8u;
		if (op->slot[l] != slot || at >= to || from >= at + 8)
			continue;
		for (uint32_t done = it->committed; done; done &= done - 1) {
			const unsigned d = (unsigned)__builtin_ctz(done);
			if (op->object[d] == op->object[l] && op->slot[d] == op->slot[l])
				return (int)l;
		}
	}
	return -1;
}

static void fault(struct mon *m, struct mon_item *it, const struct wl_event *ev)
{
	const struct operation *op = operation_of(it);
	for (uint32_t left = ev->lanes & ~it->faulting; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		const struct object *o = object_of(m, op, l);
		int64_t n, bytes;
		amounts(op, l, &n, &bytes);
		if (o->known && (op->uop != WL_UOP_SYNCS_ARRIVE || !arrival_faults(o, n, bytes, op)))
			mon_complain(m, 'd', &it->tag, UINT32_C(1) << l, "an operation that must not fault does");
	}
}

/* ---- waits ---- */

static enum wl_unit waits(struct mon *m, struct mon_item *it)
{
	struct operation *op = operation_of(it);
	struct waiter *w = &state_of(m)->waiter[it->tag.warp % 64];
	const uint32_t ok = it->mask & ~it->faulting & ~it->fault_seen;
	if (op->uop != WL_UOP_SYNCS_PHASECHK || op->form != 1 || !op->one || !ok || it->fault_seen & ~it->faulting)
		return (enum wl_unit)MON_NO_WAIT;
	const uint16_t object = op->object[__builtin_ctz(ok)];
	const struct object *o = &state_of(m)->cta[it->tag.slot].object[object];
	op->unsure = !o->known;
	if (op->unsure) /* the limit of time in flight of an answered request does not apply */
		it->born += 2 * SUSPEND;
	if (op->unsure || (op->conditional ? o->conditional : o->phase) != op->parity)
		return (enum wl_unit)MON_NO_WAIT;
	*w = (struct waiter){.on = true,
	                     .parity = op->parity,
	                     .conditional = op->conditional,
	                     .slot = (uint8_t)it->tag.slot,
	                     .object = object,
	                     .since = mon_now(m)};
	return WL_UNIT_mbarrier_engine;
}

/* A TRYWAIT on an unknown object gets a RELEASE or gives up: the warp has waited since the last COMMIT. */
static bool parked(struct mon *m, struct mon_item *it)
{
	const struct operation *op = operation_of(it);
	const uint32_t ok = it->mask & ~it->faulting & ~it->fault_seen;
	if (!op->unsure)
		return false;
	state_of(m)->waiter[it->tag.warp % 64] = (struct waiter){.on = true,
	                                                         .believed = true,
	                                                         .parity = op->parity,
	                                                         .conditional = op->conditional,
	                                                         .slot = (uint8_t)it->tag.slot,
	                                                         .object = op->object[__builtin_ctz(ok)],
	                                                         .since = it->settled};
	return true;
}

static void release(struct mon *m, const struct wl_event *ev)
{
	struct state *s = state_of(m);
	const unsigned slot = ev->tag.slot;
	uint64_t due = 0;
	for (uint64_t left = ev->warps; left; left &= left - 1) {
		struct waiter *v = &s->waiter[__builtin_ctzll(left)];
		if (!v->on)
			continue;
		const bool known = s->cta[slot].object[v->object].known;
		if (!s->cta[slot].placed)
			s->cta[slot].first = (uint16_t)(ev->id - v->object);
		s->cta[slot].placed = true;
		const bool phase = v->owed ? v->ended : v->parity; /* the conditional phase has another parity */
		if (v->owed && v->value != ev->value)
			mon_complain(m, 'd', &ev->tag, 0, "RELEASE at address / 8 = %u says 0x%x, expected 0x%x",
			             ev->id, ev->value, v->value);
		if ((uint16_t)(s->cta[slot].first + v->object) != ev->id ||
		    (phase != (ev->phase & 1) && !(v->conditional && !v->owed)) || (known && !v->owed && !v->believed))
			mon_complain(m, 'd', &ev->tag, 0,
			             "RELEASE of warp %u at address / 8 = %u, phase %u: it waits at %u for phase %u, "
			             "which has%s "
			             "ended",
			             (unsigned)__builtin_ctzll(left), ev->id, ev->phase, s->cta[slot].first + v->object,
			             v->parity, v->owed ? "" : " not");
		v->on = false;
	}
	for (unsigned w = 0; w < 64; w++)
		if (s->waiter[w].on && s->waiter[w].owed && s->waiter[w].slot == slot &&
		    (uint16_t)(s->cta[slot].first + s->waiter[w].object) == ev->id &&
		    s->waiter[w].ended == (ev->phase & 1))
			due |= UINT64_C(1) << w;
	if (due)
		mon_complain(m, 'd', &ev->tag, 0, "RELEASE at address / 8 = %u leaves warps %llx behind", ev->id,
		             (unsigned long long)due);
}

static void gave_up(struct mon *m, const struct mon_item *it)
{
	struct waiter *w = &state_of(m)->waiter[it->tag.warp % 64];
	const uint64_t waited = mon_now(m) - w->since;
	if (w->on && w->owed)
		mon_complain(m, 'e', &it->tag, 0, "gives up, although its phase has ended");
	else if (waited < SUSPEND || waited > 2 * SUSPEND)
		mon_complain(m, 'e', &it->tag, 0, "gives up after %llu cycles, expected %u to %u",
		             (unsigned long long)waited, SUSPEND, 2 * SUSPEND);
	w->on = false;
}

static void waiting(struct mon *m, const struct mon_item *it)
{
	const struct waiter *w = &state_of(m)->waiter[it->tag.warp % 64];
	const uint64_t waited = mon_now(m) - w->since;
	if (w->on && w->owed && waited > LATEST)
		mon_complain(m, 'd', &it->tag, 0, "waits for a phase that ended %llu cycles ago",
		             (unsigned long long)waited);
	if (w->on && !w->owed && waited > 2 * SUSPEND + LATEST)
		mon_complain(m, 'e', &it->tag, 0, "waits for %llu cycles, expected at most %u",
		             (unsigned long long)waited, 2 * SUSPEND);
}

/* A plain store of atoms_pipe: the effect on an object is not followed. */
static void touched(struct mon *m, unsigned slot, uint32_t addr, unsigned size)
{
	for (uint32_t at = addr / 8; at <= (addr + size - 1) / 8 && at < OBJECTS; at++)
		forget(m, slot, (uint16_t)at);
}

/* The result of a validity check: only layout v1 takes reports, and no phase ends by a report. */
static void note_report(struct mon *m, const struct wl_event *ev, struct object *o)
{
	if (o->known && o->v1 == (ev->fault != WL_FAULT_NONE))
		mon_complain(m, 'd', &ev->tag, 0, "a copy reports to an mbarrier what %s fault",
		             ev->fault ? "must not" : "must");
	if (!o->known || !o->v1 || !(ev->bytes & 0x100))
		return;
	o->open.failed = true;
	o->open.value |= (uint8_t)(ev->bytes & 0xff);
}

/* A copy reports bytes or an arrival to the object; other pieces except reports are stores. */
static void land(struct mon *m, const struct wl_event *ev)
{
	const unsigned slot = ev->tag.slot;
	const uint32_t addr = ev->addr - mon_window_of(m, slot)->base;
	if (ev->land == LANDS_READ)
		return;
	if (ev->land == LANDS_REPORT) {
		note_report(m, ev, &state_of(m)->cta[slot].object[addr / 8]);
		return;
	}
	if (ev->land != LANDS_TX && ev->land != LANDS_ARRIVE) {
		touched(m, slot, addr, ev->bytes);
		return;
	}
	const struct operation op = {0};
	struct object *o = &state_of(m)->cta[slot].object[addr / 8];
	const int64_t n = ev->land == LANDS_ARRIVE, bytes = n ? 0 : -(int64_t)ev->bytes;
	if (!o->known)
		return;
	if (arrival_faults(o, n, bytes, &op) != (ev->fault != WL_FAULT_NONE)) {
		mon_complain(m, 'd', &ev->tag, 0, "a copy tells an mbarrier what %s fault",
		             ev->fault ? "must not" : "must");
		forget(m, slot, (uint16_t)(addr / 8));
		return;
	}
	if (ev->fault != WL_FAULT_NONE)
		return;
	o->tx += (int32_t)bytes;
	o->pending -= (int32_t)n;
	if (!o->pending && !o->tx)
		end_phase(m, slot, (uint16_t)(addr / 8));
}

static void open(struct mon *m, unsigned slot)
{
	memset(&state_of(m)->cta[slot], 0, sizeof state_of(m)->cta[slot]);
}

const struct mon_unit mon_mbarrier_engine = {.unit = WL_UNIT_mbarrier_engine,
                                             .state_bytes = sizeof(struct state),
                                             .state_faults = true,
                                             .accept = accept,
                                             .commit = commit,
                                             .fault = fault,
                                             .waits = waits,
                                             .parked = parked,
                                             .release = release,
                                             .gave_up = gave_up,
                                             .waiting = waiting,
                                             .touched = touched,
                                             .land = land,
                                             .torn = torn,
                                             .open = open};

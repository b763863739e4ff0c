// SPDX-License-Identifier: Apache-2.0
/* barrier_file with four warps and two barriers in every order of arrivals (barrier_orders.h), against barrier_ref. The
 * test checks each judgement, RELEASE and answer with its cycle, and the status port between the arrivals. On one port
 * requests also come in every cycle, where the warps allow. barrier_file_lean (the path of the model decides) takes a
 * single request or status read at a time, in six cycles.
 *
 *   barrier_orders_test MODEL.so [more]      the model has Warps=4 Slots=2 Barriers=2; `more`: all orders of SYNC at
 * both barriers in two phases, instead of 1 in 24; on one port also the walk of all three ways to arrive */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "barrier_bench.h"
#include "barrier_orders.h"
#include "pins/barrier_file.h"

struct flight {
	bool out; /* offered, or not judged yet */
	struct bar_request q;
	uint32_t tag;
	bool late;
	unsigned fault; /* on one port the fault and the release are foretold */
	struct ref_release release;
};

static struct dut {
	struct model model;
	PINS_MEMBERS(barrier_file);
	unsigned ports;
	bool lean, busy, reads; /* lean: busy: a request or a status read is under way; reads: a status read */
	unsigned long due;      /* cycle of the judgement or answer */
	struct rng rng;
	struct flight head[MAX_PORTS], port[MAX_PORTS]; /* offered; taken */
	struct {
		bool due;
		uint32_t tag;
		unsigned fault;
	} answer[MAX_PORTS];
	bool asked; /* a status read is under way; expected status: */
	struct ref_status status;
	uint32_t serial;
	unsigned long cycle, errors, hurried, statuses, late;
} d;

static void expect(const char *what, unsigned port, uint64_t got, uint64_t want)
{
	if (got != want && d.errors++ < 10) {
		printf("cycle %lu, port %u: %s is %" PRIx64 ", expected %" PRIx64 "\n", d.cycle, port, what, got, want);
	}
}

/* ---- outputs ---- */

static void check_release(unsigned p, const struct ref_release *r)
{
	const bool any = r->complete && r->warps;
	expect("rel_valid_o", p, pin_get(d.rel_valid_o, p, 1), any);
	if (any) {
		expect("rel_slot_o", p, pin_get(d.rel_slot_o, p, 1), r->slot);
		expect("rel_id_o", p, pin_get(d.rel_id_o, p, 1), r->id);
		expect("rel_warps_o", p, pin_get(d.rel_warps_o, p * ORDER_WARPS, ORDER_WARPS), r->warps);
		expect("rel_value_o", p, pin_get(d.rel_value_o, p * 12, 12), r->value);
	}
}

static void judged(unsigned p, unsigned fault)
{
	struct flight *f = &d.port[p];
	expect("commit_o", p, pin_get(d.commit_o, p, 1), fault == WL_FAULT_NONE);
	expect("fault_o", p, pin_get(d.fault_o, p, 1), fault != WL_FAULT_NONE);
	expect("park_o", p, pin_get(d.park_o, p, 1), fault == WL_FAULT_NONE && f->q.kind != BAR_ARV);
	expect("judged_tag_o", p, pin_get(d.judged_tag_o, p * 22, 22), f->tag);
	if (fault) {
		expect("fault_code_o", p, pin_get(d.fault_code_o, p * 6, 6), fault);
	}
	d.answer[p].due = fault || f->q.kind == BAR_ARV;
	d.answer[p].tag = f->tag;
	d.answer[p].fault = fault;
	f->out = false;
}

/* Whether a port's request may be left standing: because of a lower port's judgement in this cycle, or because of a
 * request standing already. */
static bool may_stand(const struct orders *o, unsigned p, uint32_t ended, uint32_t counted)
{
	const unsigned id = d.port[p].q.id;
	if (ended >> id & 1 || (counted >> id & 1 && ref_fault(&o->ref, &d.port[p].q))) {
		return true;
	}
	for (unsigned i = 0; i < d.ports; i++) {
		if (i != p && d.port[i].late && d.port[i].q.id == id) {
			return true;
		}
	}
	return false;
}

/* In port order. The reference takes each arrival at its judgement. */
static void judge_all(struct orders *o)
{
	uint32_t ended = 0, counted = 0;
	bool late[MAX_PORTS] = {false};
	for (unsigned p = 0; p < d.ports; p++) {
		struct flight *f = &d.port[p];
		struct ref_release r = {0};
		if (!f->out || !(pin_get(d.commit_o, p, 1) || pin_get(d.fault_o, p, 1))) {
			expect("judgement of nothing", p, pin_get(d.commit_o, p, 1) || pin_get(d.fault_o, p, 1), 0);
			late[p] = f->out;
			if (f->out) {
				expect("request not judged", p, may_stand(o, p, ended, counted), 1);
				d.late++;
			}
			check_release(p, &r);
			continue;
		}
		const unsigned id = f->q.id, fault = ref_fault(&o->ref, &f->q);
		expect("judged behind the end of a phase", p, ended >> id & 1, 0);
		expect("fault beside an arrival that counts", p, fault && counted >> id & 1, 0);
		judged(p, fault);
		o->faults += fault != 0;
		if (!fault) {
			r = orders_apply(o, &f->q);
			counted |= 1u << id;
			ended |= (uint32_t)r.complete << id;
		}
		check_release(p, &r);
	}
	for (unsigned p = 0; p < d.ports; p++) {
		d.port[p].late = late[p];
	}
}

static void judge_foretold(void)
{
	struct flight *f = &d.port[0];
	const struct ref_release none = {0};
	if (f->out && (!d.lean || d.cycle == d.due)) {
		check_release(0, &f->release);
		judged(0, f->fault);
	} else {
		expect("judgement of nothing", 0, *d.commit_o || *d.fault_o, 0);
		check_release(0, &none);
	}
}

static void check_answers(void)
{
	for (unsigned p = 0; p < d.ports; p++) {
		expect("rsp_valid_o", p, pin_get(d.rsp_valid_o, p, 1), d.answer[p].due);
		if (d.answer[p].due) {
			expect("rsp_tag_o", p, pin_get(d.rsp_tag_o, p * 22, 22), d.answer[p].tag);
			expect("rsp_fault_o", p, pin_get(d.rsp_fault_o, p * 6, 6), d.answer[p].fault);
		}
		d.answer[p].due = false;
	}
}

static void check_status(void)
{
	expect("status_valid_o", 0, *d.status_valid_o, d.asked);
	if (d.asked) {
		expect("status_mode_o", 0, *d.status_mode_o, 0);
		expect("status_counted_o", 0, *d.status_counted_o, d.status.counted);
		expect("status_expected_o", 0, *d.status_expected_o, d.status.expected);
		expect("status_arrived_o", 0, *d.status_arrived_o, d.status.arrived);
		expect("status_warps_o", 0, *d.status_warps_o, d.status.here);
		expect("status_waiting_o", 0, *d.status_waiting_o, d.status.waiting);
		d.statuses++;
	}
}

/* ---- cycles ---- */

static void edge(void)
{
	*d.clk_i = 1;
	d.model.eval(d.model.self);
	*d.clk_i = 0;
	d.model.eval(d.model.self);
	d.cycle++;
}

static void drive_heads(void)
{
	for (unsigned p = 0; p < d.ports; p++) {
		const struct flight *f = &d.head[p];
		pin_set(d.head_valid_i, p, 1, f->out);
		if (f->out) {
			pin_set(d.head_kind_i, p * 3, 3, f->q.kind);
			pin_set(d.head_form_i, p * 2, 2, f->q.form);
			pin_set(d.head_tag_i, p * 22, 22, f->tag);
			pin_set(d.head_warp_i, p * 2, 2, f->q.warp);
			pin_set(d.head_slot_i, p, 1, f->q.slot);
			pin_set(d.head_id_i, p * 4, 4, f->q.id);
			pin_set(d.head_count_i, p * 12, 12, f->q.count);
		}
		pin_set(d.head_ra_i, p * 32, 32, rng_u32(&d.rng));
		pin_set(d.head_rb_i, p * 32, 32, rng_u32(&d.rng));
		pin_set(d.head_mask_i, p * 32, 32, UINT32_MAX);
		pin_set(d.head_pred_i, p * 32, 32, rng_u32(&d.rng));
	}
}

/* A cycle of the lean form. Requests are offered when nothing is under way. A status read stands until taken. */
static void lean_cycle(struct orders *o, bool ask, unsigned id)
{
	const bool free = !d.busy, head = d.head[0].out;
	drive_heads();
	if (free) {
		*d.status_valid_i = ask;
		*d.status_slot_i = ORDER_SLOT;
		*d.status_id_i = (uint8_t)id;
	}
	d.model.eval(d.model.self);
	check_answers();
	check_status();
	judge_foretold();
	d.asked = d.busy && d.reads && d.cycle + 1 == d.due;
	expect("status_ready_o", 0, *d.status_ready_o, d.asked);
	d.status = ref_status(&o->ref, ORDER_SLOT, *d.status_id_i);
	expect("head_ready_o", 0, *d.head_ready_o, free);
	if (d.asked) {
		edge();
		*d.status_valid_i = 0;
		return;
	}
	if (free && (head || ask)) {
		d.busy = true;
		d.reads = !head;
		d.due = d.cycle + LEAN_CYCLES;
		if (head) {
			d.port[0] = d.head[0];
			d.head[0].out = false;
		}
	} else if (d.busy && d.cycle == d.due) {
		d.busy = false;
	}
	edge();
}

/* The unit takes each offered request. Without a request the cycle may ask a status read, of the state after this
 * cycle. */
static void cycle(struct orders *o, bool may_ask)
{
	const bool ask = may_ask && !d.head[0].out && rng_below(&d.rng, 8);
	const unsigned id = rng_below(&d.rng, ORDER_BARRIERS);
	if (d.lean) {
		lean_cycle(o, ask, id);
		return;
	}
	drive_heads();
	*d.status_valid_i = ask;
	*d.status_slot_i = ORDER_SLOT;
	*d.status_id_i = (uint8_t)id;
	d.model.eval(d.model.self);
	check_answers();
	check_status();
	if (d.ports == 1) {
		judge_foretold();
	} else {
		judge_all(o);
	}
	d.asked = ask && *d.status_ready_o;
	d.status = ref_status(&o->ref, ORDER_SLOT, id);
	for (unsigned p = 0; p < d.ports; p++) {
		expect("head_ready_o", p, pin_get(d.head_ready_o, p, 1), !d.port[p].out);
		if (d.head[p].out) {
			d.port[p] = d.head[p];
			d.head[p].out = false;
		}
	}
	edge();
}

static struct flight flight_of(const struct bar_request *q)
{
	return (struct flight){.out = true, .q = *q, .tag = d.serial++ * UINT32_C(0x9e3779b1) & 0x3fffff};
}

/* ---- callbacks of the walk ---- */

static void launch(void *self, struct orders *o)
{
	(void)self;
	while (d.port[0].out || d.busy) { /* afterwards nothing is under way */
		cycle(o, false);
	}
	*d.cta_valid_i = *d.cta_open_i = 1;
	*d.cta_slot_i = ORDER_SLOT;
	*d.cta_warps_i = ORDER_WARPS;
	cycle(o, false);
	*d.cta_valid_i = 0;
}

/* A request in every cycle, except while its warp still awaits the last judgement; in half of the cases later. */
static void arrive_alone(struct orders *o, const struct bar_request *q)
{
	const struct flight *last = &d.port[0];
	if (d.lean) { /* until the judgement, and perhaps a status read afterwards */
		const bool reads = rng_below(&d.rng, 2);
		for (unsigned ask = 0; d.busy || ask < reads; ask += !d.busy) {
			cycle(o, ask < reads);
		}
		while (d.busy) {
			cycle(o, false);
		}
	}
	if (last->out && (last->q.warp == q->warp || last->release.warps >> q->warp & 1 || rng_below(&d.rng, 2))) {
		cycle(o, true);
	}
	d.hurried += last->out;
	d.head[0] = flight_of(q);
	d.head[0].fault = ref_fault(&o->ref, q);
	if (d.head[0].fault) {
		o->faults++;
	} else {
		d.head[0].release = orders_apply(o, q);
	}
	cycle(o, false);
}

/* Several arrivals at once, until all are judged. */
static void arrive_together(struct orders *o, unsigned n, const struct bar_request *q)
{
	bool out = true;
	for (unsigned i = 0; i < n; i++) {
		d.head[q[i].warp % d.ports] = flight_of(&q[i]);
	}
	cycle(o, false);
	for (unsigned cycles = 0; out && d.errors == 0; cycles++) {
		cycle(o, true);
		out = false;
		for (unsigned p = 0; p < d.ports; p++) {
			out = out || d.port[p].out;
		}
		expect("cycles until all are judged, above those that there may be", 0, cycles > 2 * d.ports, 0);
	}
}

static bool arrive(void *self, struct orders *o, unsigned n, const struct bar_request *q)
{
	(void)self;
	if (d.ports == 1) {
		arrive_alone(o, q);
	} else {
		arrive_together(o, n, q);
	}
	return d.errors == 0;
}

static void reset(void)
{
	*d.rst_i = 1;
	pin_set(d.head_valid_i, 0, d.ports, 0);
	*d.status_valid_i = *d.cta_valid_i = 0;
	pin_set(d.rsp_ready_i, 0, d.ports, UINT32_MAX);
	d.model.eval(d.model.self);
	edge();
	*d.rst_i = 0;
}

/* ---- the runs ---- */

static bool walk(unsigned need, uint32_t hows, bool with_left)
{
	struct orders o = {.ports = d.ports,
	                   .need = need,
	                   .hows = hows,
	                   .with_left = with_left,
	                   .launch = launch,
	                   .arrive = arrive};
	bool good = orders_walk(&o) && d.errors == 0;
	good &= o.ends && o.faults && (d.lean ? true : d.ports == 1 ? d.hurried : o.together && d.late) && d.statuses;
	printf("%u ports, phases of %u warps, %s%s%s: %lu states, %lu steps, %lu of several arrivals, %lu phases, "
	       "%lu faults: %s\n",
	       d.ports, need, hows >> ORDER_SYNC & 1 ? "SYNC" : "SYNC with a count",
	       hows >> ORDER_ARV & 1 ? ", ARV" : "", hows == 7 ? ", SYNC with a count" : "", o.states, o.steps,
	       o.together, o.ends, o.faults, good ? "right" : "WRONG");
	return good;
}

static bool syncs(unsigned first)
{
	struct orders o = {.ports = d.ports, .need = ORDER_WARPS, .launch = launch, .arrive = arrive};
	const bool good = orders_of_syncs(&o, first) && d.errors == 0;
	printf("%u ports, %lu SYNCs at barriers 0, 1, 0, 1 in all orders%s: %s\n", d.ports, o.steps,
	       first < 24 ? ", in the last phase in one" : "", good ? "right" : "WRONG");
	return good;
}

static struct bench_end run_bench(const struct bench_args *a)
{
	const bool more = bench_has(a, "more");
	unsigned passed = 0, failed = 0;
	d.model = a->model;
	d.lean = strstr(a->path, "barrier_file_lean") != NULL;
	d.ports = model_param(&d.model, "Ports", 1);
	if (model_param(&d.model, "Warps", 48) != ORDER_WARPS || model_param(&d.model, "Slots", 16) != 2 ||
	    model_param(&d.model, "Barriers", 16) != ORDER_BARRIERS) {
		bench_refuse("expected a model of Warps=4 Slots=2 Barriers=2");
	}
	PINS_FIND(barrier_file, &d, &d.model);
	d.rng = rng_seed(1, 0);
	reset();
	for (unsigned i = 0; i < ORDER_WALKS && !failed; i++) {
		if (order_walks[i].hows != 7 || (more && d.ports == 1)) {
			*(walk(order_walks[i].need, order_walks[i].hows, order_walks[i].with_left && d.ports == 1)
			          ? &passed
			          : &failed) += 1;
		}
	}
	if (!failed) {
		*(syncs(more ? 24 : 1) ? &passed : &failed) += 1;
	}
	return (struct bench_end){passed, failed};
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {.words = "MODEL.so [more]", .run = run_bench};
	return bench_main(argc, argv, &form);
}

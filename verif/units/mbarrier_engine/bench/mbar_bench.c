// SPDX-License-Identifier: Apache-2.0
#include "mbar_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	QUIET = 20000, /* cycles without beat, response or release: the model stands still */
	MOST_ERRORS = 200
};

void mbar_complain(struct mbar_bench *b, const char *what, unsigned long long got, unsigned long long want)
{
	if (b->errors++ < 10)
		printf("cycle %llu: %s %llx, expected %llx\n", (unsigned long long)b->cycle, what, got, want);
}

void mbar_verdict(struct mbar_bench *b, const char *what)
{
	printf("%s  %s\n", b->errors ? "FAIL" : "ok  ", what);
	b->passed += b->errors == 0;
	b->failed += b->errors != 0;
	b->errors = 0;
}

/* ---- queueing: the reference executes ---- */

/* A phase has ended: finds the warps waiting for the phase and not released before. */
static void note_end(struct mbar_bench *b, uint32_t object, const struct mbar_end *end)
{
	struct due d = {.object = object, .end = *end, .request = b->queued - 1};
	uint64_t before = 0, stay = 0;
	for (unsigned k = b->first_due; k != b->last_due; k++)
		before |= b->due[k % DUE].warps;
	for (unsigned w = 0; w < WARPS; w++) {
		if (!b->warp[w].waits || b->warp[w].object != object || before >> w & 1)
			continue;
		const bool its = b->warp[w].phase == (b->warp[w].conditional ? end->conditional : end->phase);
		const bool goes = its && (!b->warp[w].conditional || end->both);
		d.warps |= (uint64_t)goes << w;
		stay |= (uint64_t)(its && !goes) << w;
		b->conditional += goes && b->warp[w].conditional;
		b->apart += goes && b->warp[w].conditional && end->conditional != end->phase;
	}
	b->reported += !end->both;
	b->stayed += (unsigned)__builtin_popcountll(stay);
	if (d.warps)
		b->due[b->last_due++ % DUE] = d;
}

static void count_v1(struct mbar_bench *b, const struct mbar_req *r, const struct mbar_rsp *rsp)
{
	for (unsigned i = 0; i < 32; i++) {
		b->told += r->asks == ASKS_PRIMARY && rsp->mask >> i & rsp->data[i] & 1;
		b->odd += b->smem.arch == 107 && r->op == OP_ARRIVE && r->form != ART0 && r->mask >> i & 1 &&
		          rsp->fault[i] == MBAR_COUNT_RANGE;
	}
}

void mbar_queue(struct mbar_bench *b, const struct mbar_req *r)
{
	struct mbar_rsp *rsp = &b->rsp[b->queued % QUEUE];
	const unsigned warp = r->tag >> 16;
	b->req[b->queued % QUEUE] = *r;
	mbar_execute(&b->smem, r, rsp);
	b->queued++;
	b->flips += rsp->flips;
	b->by_other += r->who == MBAR_OTHER ? rsp->flips : 0;
	for (unsigned i = 0; i < 32; i++)
		b->faults[rsp->fault[i]] += r->mask >> i & 1;
	for (unsigned i = 0; i < rsp->flips; i++)
		note_end(b, rsp->flip[i], &rsp->end[i]);
	count_v1(b, r, rsp);
	if (rsp->parks) {
		b->warp[warp].waits = true;
		b->warp[warp].sent = false;
		b->warp[warp].object = rsp->park_object;
		b->warp[warp].conditional = r->asks == ASKS_CONDITIONAL;
		b->warp[warp].phase = r->b[__builtin_ctz(r->mask)] >> 31 & 1;
		for (unsigned i = 0; i < 32; i++)
			if ((r->mask >> i & 1) && !rsp->fault[i])
				b->warp[warp].phase = r->b[i] >> 31 & 1;
		b->parked++;
	}
}

/* ---- pins ---- */

static void drive(struct mbar_bench *b)
{
	const struct mbar_req *r = &b->req[b->sent % QUEUE];
	const uint32_t rank = (r->who == MBAR_LACKING ? 2u + mbar_below(b, 254) : b->cluster) << 24;
	uint32_t word[4];
	mbar_word(r, b->smem.arch, word);
	memcpy(b->pin.req_word_i, word, 16);
	pin_set(b->pin.req_tag_i, 0, 22, r->tag);
	pin_set(b->pin.req_mask_i, 0, 32, r->mask);
	pin_set(b->pin.req_slot_i, 0, 4, r->who == MBAR_OWN ? 0 : OTHER);
	pin_set(b->pin.req_ur_i, 0, 32, r->op == OP_EXCH ? rank + r->addr[0] : (uint32_t)rng_next(&b->rng));
	for (unsigned l = 0; l < b->lanes; l++) {
		const unsigned lane = b->send_beat * b->lanes + l;
		const uint64_t ra = (rank + r->addr[lane]) | rng_next(&b->rng) << 32;
		uint64_t rb[2] = {r->op == OP_EXCH ? r->b[0] : r->b[lane], rng_next(&b->rng)};
		memcpy(b->pin.req_ra_i + l * 8, &ra, 8);
		memcpy(b->pin.req_rb_i + l * 16, rb, 16);
	}
}

static void take_response(struct mbar_bench *b)
{
	while (b->retired != b->queued && b->rsp[b->retired % QUEUE].parks) /* no answer to parked requests */
		b->retired++;
	const struct mbar_rsp *e = &b->rsp[b->retired % QUEUE];
	if (b->retired == b->sent) {
		mbar_complain(b, "a response that nothing asked for, tag", pin_get(b->pin.rsp_tag_o, 0, 22), 0);
		return;
	}
	if (pin_get(b->pin.rsp_tag_o, 0, 22) != e->tag)
		mbar_complain(b, "tag", pin_get(b->pin.rsp_tag_o, 0, 22), e->tag);
	for (unsigned l = 0; l < b->lanes; l++) {
		const unsigned lane = b->recv_beat * b->lanes + l;
		uint64_t data[2];
		memcpy(data, b->pin.rsp_data_o + l * 16, 16);
		if (pin_get(b->pin.rsp_mask_o, l, 1) != (e->mask >> lane & 1))
			mbar_complain(b, "written lane", pin_get(b->pin.rsp_mask_o, l, 1), e->mask >> lane & 1);
		if (pin_get(b->pin.rsp_pred_o, l, 1) != (e->preds >> lane & 1))
			mbar_complain(b, "predicate", pin_get(b->pin.rsp_pred_o, l, 1), e->preds >> lane & 1);
		if (pin_get(b->pin.rsp_fault_o, l * 6, 6) != e->fault[lane])
			mbar_complain(b, "fault", pin_get(b->pin.rsp_fault_o, l * 6, 6), e->fault[lane]);
		if (data[0] != e->data[lane])
			mbar_complain(b, "result", data[0], e->data[lane]);
	}
	const bool last = b->recv_beat == b->beats - 1;
	if (last && pin_get(b->pin.rsp_passes_o, 0, 6) != e->passes)
		mbar_complain(b, "passes", pin_get(b->pin.rsp_passes_o, 0, 6), e->passes);
	if (pin_get(b->pin.rsp_last_o, 0, 1) != last)
		mbar_complain(b, "last", pin_get(b->pin.rsp_last_o, 0, 1), last);
	b->recv_beat = last ? 0 : b->recv_beat + 1;
	b->retired += last;
	b->retires += last;
}

static void take_release(struct mbar_bench *b, unsigned r)
{
	const uint32_t object = pin_get(b->pin.rel_id_o, r * 16, 16), phase = pin_get(b->pin.rel_phase_o, r * 16, 16);
	const uint64_t warps =
	        pin_get(b->pin.rel_warps_o, r * 48, 24) | (uint64_t)pin_get(b->pin.rel_warps_o, r * 48 + 24, 24) << 24;
	const bool gave_up = pin_get(b->pin.rel_gave_up_o, r, 1);
	const uint32_t value = pin_get(b->pin.rel_value_o, r * 32, 32);
	if (pin_get(b->pin.rel_unit_o, r * 4, 4) != 3 || pin_get(b->pin.rel_slot_o, r * 4, 4) != 0 ||
	    (gave_up && value))
		mbar_complain(b, "unit, slot or value of a release", pin_get(b->pin.rel_unit_o, r * 4, 4), 3);
	for (unsigned w = 0; w < WARPS; w++) {
		if (!(warps >> w & 1))
			continue;
		const uint64_t waited = b->cycle - b->warp[w].since;
		if (!b->warp[w].waits || !b->warp[w].sent || b->warp[w].object != object ||
		    (b->warp[w].phase != phase && (gave_up || !b->warp[w].conditional)))
			mbar_complain(b, "release of a warp that does not wait there", w, object);
		if (gave_up && b->ended)
			mbar_complain(b, "gives up although its phase has ended, warp", w, 0);
		if (gave_up && (waited < b->suspend || waited > 2 * b->suspend))
			mbar_complain(b, "cycles until it gives up", waited, b->suspend);
		b->warp[w].waits = false;
	}
	if (gave_up) {
		b->gave_up++;
		for (unsigned k = b->first_due; k != b->last_due; k++) {
			struct due *d = &b->due[k % DUE];
			if (d->warps & warps && d->request < b->retired) /* the request has been answered */
				mbar_complain(b, "gives up, and its phase ended before, warps", d->warps & warps, 0);
			d->warps &= ~warps;
		}
	} else {
		unsigned k = b->first_due;
		while (k != b->last_due && (b->due[k % DUE].object != object || !b->due[k % DUE].warps))
			k++;
		if (k == b->last_due || b->due[k % DUE].warps != warps || b->due[k % DUE].end.phase != phase) {
			mbar_complain(b, "released warps", warps, k == b->last_due ? 0 : b->due[k % DUE].warps);
		} else {
			if (b->due[k % DUE].end.value != value)
				mbar_complain(b, "value of a release", value, b->due[k % DUE].end.value);
			b->due[k % DUE].warps = 0;
		}
		b->released += (unsigned)__builtin_popcountll(warps);
	}
	while (b->first_due != b->last_due && !b->due[b->first_due % DUE].warps)
		b->first_due++;
}

/* A permanently wrong model is not driven on: the rest of the run would only take time. */
static void watch(struct mbar_bench *b)
{
	const bool stands = b->cycle - b->progress > QUIET;
	if (!stands && b->errors < MOST_ERRORS)
		return;
	if (stands)
		mbar_complain(b, "cycles without beat, response or release", b->cycle - b->progress, QUIET);
	printf("given up in cycle %llu after %u errors\n", (unsigned long long)b->cycle, b->errors);
	if (b->bug)
		printf("planted bug %u: found\n", b->bug);
	else
		printf("%u passed, %u failed\n", b->passed, b->failed + 1);
	exit(b->bug == 0);
}

void mbar_cycle(struct mbar_bench *b)
{
	if (!b->offering && b->sent != b->queued && !stall_now(&b->in)) {
		b->offering = true;
		drive(b);
	}
	*b->pin.req_valid_i = b->offering;
	*b->pin.rsp_ready_i = !stall_now(&b->out);
	b->model.eval(b->model.self);
	if ((*b->pin.rsp_valid_o && *b->pin.rsp_ready_i) || (b->offering && *b->pin.req_ready_o))
		b->progress = b->cycle;
	if (*b->pin.rsp_valid_o && *b->pin.rsp_ready_i)
		take_response(b);
	if (*b->pin.trace_atoms_pipe_commit_valid_o) {
		const unsigned warp = pin_get(b->pin.trace_atoms_pipe_commit_tag_o, 16, 6);
		b->warp[warp].since = b->cycle;
		b->ended |= b->ender && warp == b->ender;
	}
	for (unsigned r = 0; r < b->pin.lanes_of_release; r++)
		if (pin_get(b->pin.rel_valid_o, r, 1))
			take_release(b, r);
	if (b->offering && *b->pin.req_ready_o) {
		const struct mbar_req *r = &b->req[b->sent % QUEUE];
		b->offering = false;
		b->warp[r->tag >> 16].sent = true;
		b->warp[r->tag >> 16].since = b->cycle;
		if (++b->send_beat == b->beats) {
			b->send_beat = 0;
			b->sent++;
		}
	}
	*b->pin.clk_i = 1;
	b->model.eval(b->model.self);
	*b->pin.clk_i = 0;
	b->cycle++;
	watch(b);
}

bool mbar_busy(struct mbar_bench *b)
{
	while (b->retired != b->sent && b->rsp[b->retired % QUEUE].parks)
		b->retired++;
	return b->retired != b->queued;
}

void mbar_drain(struct mbar_bench *b)
{
	const uint64_t bound = b->cycle + 4000 + 400u * (b->queued - b->retired) * b->beats;
	while (mbar_busy(b) && b->cycle < bound)
		mbar_cycle(b);
	if (b->retired != b->queued)
		mbar_complain(b, "requests that do not retire", b->queued - b->retired, 0);
	/* slots of waiting requests are skipped, one a cycle */
	for (unsigned i = 0; i < 200; i++)
		mbar_cycle(b);
	if (b->first_due != b->last_due)
		mbar_complain(b, "warps that were not released", b->due[b->first_due % DUE].warps, 0);
	b->model.eval(b->model.self);
	if (!*b->pin.idle_o)
		mbar_complain(b, "idle_o", *b->pin.idle_o, 1);
}

/* ---- building blocks of the tests ---- */

struct mbar_req mbar_on_object(struct mbar_bench *b, enum mbar_op op, unsigned warp, uint32_t addr, uint64_t value)
{
	struct mbar_req r = {.op = op, .form = A1T0, .mask = 1, .tag = warp << 16 | (b->number++ & 0xffff)};
	for (unsigned i = 0; i < 32; i++) {
		r.addr[i] = addr;
		r.b[i] = value;
	}
	return r;
}

/* Cycles until *what has reached the value, at most 4000. */
unsigned mbar_wait_for(struct mbar_bench *b, const unsigned long *what, unsigned long value)
{
	unsigned cycles = 0;
	while (*what < value && cycles < 4000) {
		mbar_cycle(b);
		cycles++;
	}
	return cycles;
}

/* Loads all objects: the memory must equal the reference's. */
void mbar_check_memory(struct mbar_bench *b)
{
	b->in.kind = b->out.kind = STALL_NEVER;
	for (uint32_t at = 0; at < WINDOW; at += 256) {
		struct mbar_req r = {.op = OP_LDS, .rd_used = true, .mask = UINT32_MAX, .tag = b->number++ & 0xffff};
		for (unsigned i = 0; i < 32; i++)
			r.addr[i] = at + i * 8;
		mbar_queue(b, &r);
	}
	mbar_drain(b);
}

/* ---- the start ---- */

void mbar_reset(struct mbar_bench *b)
{
	*b->pin.req_valid_i = *b->pin.rsp_ready_i = 0;
	*b->pin.cfg_valid_i = *b->pin.land_valid_i = *b->pin.host_valid_i = 0;
	*b->pin.rst_i = 1;
	for (unsigned i = 0; i < 4; i++) {
		b->model.eval(b->model.self);
		*b->pin.clk_i = 1;
		b->model.eval(b->model.self);
		*b->pin.clk_i = 0;
	}
	*b->pin.rst_i = 0;
	b->queued = b->sent = b->send_beat = b->retired = b->recv_beat = 0;
	b->first_due = b->last_due = 0;
	b->offering = false;
	memset(b->warp, 0, sizeof b->warp);
	if (b->cluster) {
		mbar_offer_cta(&b->pin, OTHER, 0, BASE, 0, 1);
		mbar_cycle(b);
	}
	mbar_offer_cta(&b->pin, 0, BASE, WINDOW, b->cluster, WARPS);
	mbar_cycle(b);
	*b->pin.cfg_valid_i = 0;
}

/* Fills the window through the host port; host writes take the marks away. */
void mbar_fill(struct mbar_bench *b)
{
	for (uint32_t at = 0; at < WINDOW; at += 4) {
		const uint32_t value = (uint32_t)rng_next(&b->rng);
		*b->pin.host_valid_i = *b->pin.host_write_i = 1;
		pin_set(b->pin.host_addr_i, 0, 16, BASE + at);
		pin_set(b->pin.host_wdata_i, 0, 32, value);
		b->model.eval(b->model.self);
		while (!*b->pin.host_ready_o)
			mbar_cycle(b);
		mbar_cycle(b);
		memcpy((uint8_t *)b->smem.word + BASE + at, &value, 4);
		b->smem.mark[(BASE + at) / 8] = false;
	}
	*b->pin.host_valid_i = 0;
	for (unsigned i = 0; i < 4; i++)
		mbar_cycle(b);
}

void mbar_open(struct mbar_bench *b, const struct bench_args *a)
{
	b->bug = a->bug;
	b->model = a->model;
	mbar_find_pins(&b->model, &b->pin);
	b->cluster = model_param(&b->model, "Units", 9) >> 7 & 1;
	b->lanes = model_param(&b->model, "Lanes", 32);
	b->banks = model_param(&b->model, "Banks", 32);
	b->lean = model_param(&b->model, "Lean", 0);
	b->suspend = model_param(&b->model, "Suspend", 1024);
	b->beats = 32 / b->lanes;
	b->rng = rng_seed(a->seed, 0);
	b->in.rng = rng_seed(a->seed, 1);
	b->out.rng = rng_seed(a->seed, 2);
	b->smem = (struct mbar_smem){.lanes = b->lanes, .banks = b->banks, .base = BASE, .size = WINDOW};
	for (unsigned i = 0; i < OBJECTS; i++) /* some share banks, two are neighbours */
		b->object[i] = i < 3 ? i * b->banks * 4 : 64 + i * 8;
}

// SPDX-License-Identifier: Apache-2.0
/* Bench of mbarrier_engine through the ports of sync_core: any model of one port with `Units` 9, RTL or netlist.
 *
 *   mbarrier_engine_test MODEL.so [SEED [COUNT [BUG]]]
 *
 * With one port instructions execute in the order in which they are sent, so that the reference executes each when it
 * is queued. Who waits there is released by a later one or gives up; both are checked when they are seen. COUNT
 * instructions for each architecture and pattern of stalls; BUG is a planted bug of the model, which must be found: the
 * exit status is then 0 when errors were seen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/rng.h"
#include "../common/stall.h"
#include "mbar_pins.h"
#include "mbar_ref.h"
#include "rtl_model.h"

enum {
	WARPS = 48,
	QUEUE = 256,
	DUE = 1024,
	WINDOW = 1536,
	BASE = 512,
	SERVED = 40,
	OBJECTS = 6,
	OTHER = 5,     /* slot of the other CTA of the cluster */
	QUIET = 20000, /* cycles without beat, response or release: a model that stands still */
	MOST_ERRORS = 200
};

struct due { /* a phase that has ended in the reference */
	uint32_t object;
	unsigned phase;
	uint64_t warps;
};

struct bench {
	struct model model;
	struct mbar_pins pin;
	uint8_t *commit_valid, *commit_tag; /* NULL: the model has no trace */
	unsigned lanes, banks, beats, suspend;
	bool cluster; /* the model has clusters: the CTA is one of two */
	struct mbar_smem smem;
	struct mbar_req req[QUEUE];
	struct mbar_rsp rsp[QUEUE];
	unsigned queued, sent, send_beat, retired, recv_beat;
	bool offering;
	struct stall in, out;
	struct {
		bool waits, sent;
		uint32_t object;
		unsigned phase;
		uint64_t since; /* cycle of its COMMIT; without trace, in which its last beat was taken */
	} warp[WARPS];
	struct due due[DUE];
	unsigned first_due, last_due;
	uint32_t object[OBJECTS];
	uint64_t cycle, progress; /* cycle of the last beat, response or release */
	struct rng rng;
	unsigned number, errors, bug;
	unsigned ender; /* warp whose COMMIT ends the phase that another waits for, 0: none; */
	bool ended;     /* it has been seen */
	unsigned long flips, by_other, released, gave_up, parked, faults[MBAR_FAULTS], retires, late;
};

static unsigned passed, failed;

static void complain(struct bench *b, const char *what, unsigned long long got, unsigned long long want)
{
	if (b->errors++ < 10)
		printf("cycle %llu: %s %llx, expected %llx\n", (unsigned long long)b->cycle, what, got, want);
}

static void verdict(struct bench *b, const char *what)
{
	printf("%s  %s\n", b->errors ? "FAIL" : "ok  ", what);
	passed += b->errors == 0;
	failed += b->errors != 0;
	b->errors = 0;
}

static uint32_t below(struct bench *b, uint32_t n)
{
	return rng_below(&b->rng, n);
}

/* ---- queueing: the reference executes ---- */

static void queue(struct bench *b, const struct mbar_req *r)
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
	for (unsigned i = 0; i < rsp->flips; i++) {
		struct due d = {.object = rsp->flip[i], .phase = rsp->flip_phase[i]};
		for (unsigned w = 0; w < WARPS; w++)
			if (b->warp[w].waits && b->warp[w].object == d.object && b->warp[w].phase == d.phase)
				d.warps |= UINT64_C(1) << w;
		for (unsigned k = b->first_due; k != b->last_due; k++) /* who is due already waits no more */
			d.warps &= ~b->due[k % DUE].warps;
		if (d.warps)
			b->due[b->last_due++ % DUE] = d;
	}
	if (rsp->parks) {
		b->warp[warp].waits = true;
		b->warp[warp].sent = false;
		b->warp[warp].object = rsp->park_object;
		b->warp[warp].phase = r->b[__builtin_ctz(r->mask)] >> 31 & 1;
		for (unsigned i = 0; i < 32; i++)
			if ((r->mask >> i & 1) && !rsp->fault[i])
				b->warp[warp].phase = r->b[i] >> 31 & 1;
		b->parked++;
	}
}

/* ---- pins ---- */

static void drive(struct bench *b)
{
	const struct mbar_req *r = &b->req[b->sent % QUEUE];
	const uint32_t rank = (r->who == MBAR_LACKING ? 2u + below(b, 254) : b->cluster) << 24;
	uint32_t word[4];
	mbar_word(r, b->smem.arch, word);
	memcpy(b->pin.req_word, word, 16);
	pin_set(b->pin.req_tag, 0, 22, r->tag);
	pin_set(b->pin.req_mask, 0, 32, r->mask);
	pin_set(b->pin.req_slot, 0, 4, r->who == MBAR_OWN ? 0 : OTHER);
	pin_set(b->pin.req_ur, 0, 32, r->op == OP_EXCH ? rank + r->addr[0] : (uint32_t)rng_next(&b->rng));
	for (unsigned l = 0; l < b->lanes; l++) {
		const unsigned lane = b->send_beat * b->lanes + l;
		const uint64_t ra = (rank + r->addr[lane]) | rng_next(&b->rng) << 32;
		uint64_t rb[2] = {r->op == OP_EXCH ? r->b[0] : r->b[lane], rng_next(&b->rng)};
		memcpy(b->pin.req_ra + l * 8, &ra, 8);
		memcpy(b->pin.req_rb + l * 16, rb, 16);
	}
}

static void take_response(struct bench *b)
{
	while (b->retired != b->queued && b->rsp[b->retired % QUEUE].parks) /* no answer to those */
		b->retired++;
	const struct mbar_rsp *e = &b->rsp[b->retired % QUEUE];
	if (b->retired == b->sent) {
		complain(b, "a response that nothing asked for, tag", pin_get(b->pin.rsp_tag, 0, 22), 0);
		return;
	}
	if (pin_get(b->pin.rsp_tag, 0, 22) != e->tag)
		complain(b, "tag", pin_get(b->pin.rsp_tag, 0, 22), e->tag);
	for (unsigned l = 0; l < b->lanes; l++) {
		const unsigned lane = b->recv_beat * b->lanes + l;
		uint64_t data[2];
		memcpy(data, b->pin.rsp_data + l * 16, 16);
		if (pin_get(b->pin.rsp_mask, l, 1) != (e->mask >> lane & 1))
			complain(b, "written lane", pin_get(b->pin.rsp_mask, l, 1), e->mask >> lane & 1);
		if (pin_get(b->pin.rsp_pred, l, 1) != (e->preds >> lane & 1))
			complain(b, "predicate", pin_get(b->pin.rsp_pred, l, 1), e->preds >> lane & 1);
		if (pin_get(b->pin.rsp_fault, l * 6, 6) != e->fault[lane])
			complain(b, "fault", pin_get(b->pin.rsp_fault, l * 6, 6), e->fault[lane]);
		if (data[0] != e->data[lane])
			complain(b, "result", data[0], e->data[lane]);
	}
	const bool last = b->recv_beat == b->beats - 1;
	if (last && pin_get(b->pin.rsp_passes, 0, 6) != e->passes)
		complain(b, "passes", pin_get(b->pin.rsp_passes, 0, 6), e->passes);
	if (pin_get(b->pin.rsp_last, 0, 1) != last)
		complain(b, "last", pin_get(b->pin.rsp_last, 0, 1), last);
	b->recv_beat = last ? 0 : b->recv_beat + 1;
	b->retired += last;
	b->retires += last;
}

static void take_release(struct bench *b, unsigned r)
{
	const uint32_t object = pin_get(b->pin.rel_id, r * 16, 16), phase = pin_get(b->pin.rel_phase, r * 16, 16);
	const uint64_t warps =
	        pin_get(b->pin.rel_warps, r * 48, 24) | (uint64_t)pin_get(b->pin.rel_warps, r * 48 + 24, 24) << 24;
	const bool gave_up = pin_get(b->pin.rel_gave_up, r, 1);
	if (pin_get(b->pin.rel_unit, r * 4, 4) != 3 || pin_get(b->pin.rel_slot, r * 4, 4) != 0 ||
	    pin_get(b->pin.rel_value, r * 32, 32) != !gave_up)
		complain(b, "unit, slot or value of a release", pin_get(b->pin.rel_unit, r * 4, 4), 3);
	for (unsigned w = 0; w < WARPS; w++) {
		if (!(warps >> w & 1))
			continue;
		const uint64_t waited = b->cycle - b->warp[w].since;
		if (!b->warp[w].waits || !b->warp[w].sent || b->warp[w].object != object || b->warp[w].phase != phase)
			complain(b, "release of a warp that does not wait there", w, object);
		if (gave_up && b->ended)
			complain(b, "gives up although its phase has ended, warp", w, 0);
		if (gave_up && (waited < b->suspend || (b->commit_valid && waited > 2 * b->suspend)))
			complain(b, "cycles until it gives up", waited, b->suspend);
		b->warp[w].waits = false;
	}
	if (gave_up) {
		b->gave_up++;
		for (unsigned k = b->first_due; k != b->last_due; k++)
			b->due[k % DUE].warps &= ~warps;
	} else {
		unsigned k = b->first_due;
		while (k != b->last_due && (b->due[k % DUE].object != object || !b->due[k % DUE].warps))
			k++;
		if (k == b->last_due || b->due[k % DUE].warps != warps || b->due[k % DUE].phase != phase)
			complain(b, "released warps", warps, k == b->last_due ? 0 : b->due[k % DUE].warps);
		else
			b->due[k % DUE].warps = 0;
		b->released += (unsigned)__builtin_popcountll(warps);
	}
	while (b->first_due != b->last_due && !b->due[b->first_due % DUE].warps)
		b->first_due++;
}

/* A model that is wrong for good is not driven on: what follows would only take time. */
static void watch(struct bench *b)
{
	const bool stands = b->cycle - b->progress > QUIET;
	if (!stands && b->errors < MOST_ERRORS)
		return;
	if (stands)
		complain(b, "cycles without beat, response or release", b->cycle - b->progress, QUIET);
	printf("given up in cycle %llu after %u errors\n", (unsigned long long)b->cycle, b->errors);
	if (b->bug)
		printf("planted bug %u: found\n", b->bug);
	else
		printf("%u passed, %u failed\n", passed, failed + 1);
	exit(b->bug == 0);
}

static void cycle(struct bench *b)
{
	if (!b->offering && b->sent != b->queued && !stall_now(&b->in)) {
		b->offering = true;
		drive(b);
	}
	*b->pin.req_valid = b->offering;
	*b->pin.rsp_ready = !stall_now(&b->out);
	b->model.eval(b->model.self);
	if ((*b->pin.rsp_valid && *b->pin.rsp_ready) || (b->offering && *b->pin.req_ready))
		b->progress = b->cycle;
	if (*b->pin.rsp_valid && *b->pin.rsp_ready)
		take_response(b);
	if (b->commit_valid && *b->commit_valid)
		b->warp[pin_get(b->commit_tag, 16, 6)].since = b->cycle;
	b->ended |= b->ender && b->commit_valid && *b->commit_valid && pin_get(b->commit_tag, 16, 6) == b->ender;
	for (unsigned r = 0; r < b->pin.lanes_of_release; r++)
		if (pin_get(b->pin.rel_valid, r, 1))
			take_release(b, r);
	if (b->offering && *b->pin.req_ready) {
		const struct mbar_req *r = &b->req[b->sent % QUEUE];
		b->offering = false;
		b->warp[r->tag >> 16].sent = true;
		b->warp[r->tag >> 16].since = b->cycle;
		if (++b->send_beat == b->beats) {
			b->send_beat = 0;
			b->sent++;
		}
	}
	*b->pin.clk = 1;
	b->model.eval(b->model.self);
	*b->pin.clk = 0;
	b->cycle++;
	watch(b);
}

static bool busy(struct bench *b)
{
	while (b->retired != b->sent && b->rsp[b->retired % QUEUE].parks)
		b->retired++;
	return b->retired != b->queued;
}

static void drain(struct bench *b)
{
	const uint64_t bound = b->cycle + 4000 + 400u * (b->queued - b->retired) * b->beats;
	while (busy(b) && b->cycle < bound)
		cycle(b);
	if (b->retired != b->queued)
		complain(b, "requests that do not retire", b->queued - b->retired, 0);
	/* slots of requests that wait are skipped one a cycle */
	for (unsigned i = 0; i < 200; i++)
		cycle(b);
	if (b->first_due != b->last_due)
		complain(b, "warps that were not released", b->due[b->first_due % DUE].warps, 0);
	b->model.eval(b->model.self);
	if (!*b->pin.idle)
		complain(b, "idle_o", *b->pin.idle, 1);
}

/* ---- random instructions ---- */

static unsigned free_warp(struct bench *b)
{
	for (;;) {
		const unsigned w = below(b, WARPS);
		if (!b->warp[w].waits)
			return w;
		if (below(b, 8) == 0)
			cycle(b);
	}
}

static uint64_t new_object(struct bench *b)
{
	static const unsigned counts[] = {1, 2, 3, 5, 9, 32, 33, 0xfffff};
	const int64_t n = counts[below(b, 8)];
	return mbar_pack(&(struct mbar_object){.expected = n, .pending = n}, 20);
}

/* The operand that a lane gives to an object: mostly legal, often just what is missing. */
static uint64_t operand(struct bench *b, const struct mbar_req *r, uint32_t addr)
{
	const struct mbar_object o = mbar_unpack(b->smem.word[(BASE + addr) / 8 % 8192], 20);
	static const uint32_t odd[] = {0, 0xfffff, 0x100000, 0xffffffff, 0x80000000};
	if (below(b, 24) == 0)
		return odd[below(b, 5)];
	if (r->op == OP_CHECK || r->op == OP_TRYWAIT)
		return (uint64_t)((o.phase ^ (below(b, 6) == 0)) & 1) << 31 | (rng_next(&b->rng) & 0x7fffffff);
	if (r->form == ART0)
		return o.pending > 1 && below(b, 2) ? (uint64_t)o.pending - below(b, 2) : 1 + below(b, 3);
	if (r->form == A0TX)
		return o.tx > 0 && below(b, 2) ? (uint64_t)o.tx : below(b, 64);
	return o.tx < 0 && below(b, 2) ? (uint64_t)-o.tx : below(b, 64);
}

static bool waits_still(const struct bench *b, unsigned w)
{
	return b->warp[w].waits && b->smem.word[b->warp[w].object] >> 63 == b->warp[w].phase;
}

/* What the phase lacks that some warp waits for: left to chance, few of those who wait are ever released. */
static bool end_a_phase(struct bench *b, struct mbar_req *r)
{
	unsigned w = below(b, WARPS), left = WARPS;
	while (left && !waits_still(b, w)) {
		w = (w + 1) % WARPS;
		left--;
	}
	const uint32_t addr = b->warp[w].object * 8 - BASE;
	if (!left || addr >= WINDOW)
		return false;
	const struct mbar_object o = mbar_unpack(b->smem.word[b->warp[w].object], 20);
	r->op = OP_ARRIVE;
	r->form = o.tx > 0 ? A0TX : o.tx < 0 ? A0TR : ART0;
	r->result = 2;
	r->mask = 1u << below(b, 32);
	for (unsigned i = 0; i < 32; i++) {
		r->addr[i] = addr;
		r->b[i] = (uint64_t)(o.tx > 0 ? o.tx : o.tx < 0 ? -o.tx : o.pending);
	}
	return true;
}

static void random_request(struct bench *b, struct mbar_req *r)
{
	static const enum mbar_op ops[] = {OP_EXCH,    OP_ARRIVE,  OP_ARRIVE,  OP_ARRIVE, OP_ARRIVE,  OP_ARRIVE,
	                                   OP_ARRIVE,  OP_TRYWAIT, OP_TRYWAIT, OP_CHECK,  OP_TRYWAIT, OP_LDS,
	                                   OP_TRYWAIT, OP_ARRIVE,  OP_ARRIVE,  OP_STS,    OP_STS_32,  OP_IV};
	const uint32_t hot = b->object[below(b, OBJECTS)];
	const unsigned shape = below(b, 4);
	memset(r, 0, sizeof *r);
	r->tag = free_warp(b) << 16 | (b->number++ & 0xffff);
	if (b->smem.arch != 80 && below(b, 5) == 0 && end_a_phase(b, r))
		return;
	r->op = ops[below(b, below(b, 4) ? 15 : 18)];
	if (b->smem.arch == 80)
		r->op = (const enum mbar_op[]){OP_ARRIVE_A, OP_ARRIVE_A, OP_LDS, OP_STS,
		                               OP_STS_32}[below(b, 3 + below(b, 3))];
	r->form = (enum mbar_form)below(b, MBAR_FORMS);
	if (below(b, 3) == 0)
		r->form = A1T0;
	r->drop = below(b, 8) == 0;
	r->result = below(b, 6) == 0 ? 1 : below(b, 4) == 0 ? 2 : 0;
	r->rd_used = below(b, 4) != 0;
	r->mask = below(b, 3) ? 1u << below(b, 32) : below(b, 2) ? (uint32_t)rng_next(&b->rng) : UINT32_MAX;
	r->mask |= r->mask == 0;
	if (b->cluster && r->op <= OP_IV && below(b, 3) == 0)
		r->who = below(b, 16) ? MBAR_OTHER : MBAR_LACKING;
	for (unsigned i = 0; i < 32; i++) {
		r->addr[i] = shape ? hot : b->object[below(b, OBJECTS)];
		if (below(b, 300) == 0)
			r->addr[i] = below(b, 2) ? WINDOW + 8 * below(b, 4) : below(b, WINDOW);
		if (r->op == OP_STS_32)
			r->addr[i] += below(b, 2) * 4;
	}
	if (r->op == OP_EXCH)
		r->addr[0] = below(b, 40) ? hot : below(b, WINDOW + 64);
	for (unsigned i = 0; i < 32; i++)
		r->b[i] = r->op == OP_EXCH && below(b, 16)      ? new_object(b)
		          : r->op == OP_STS && below(b, 4)      ? new_object(b)
		          : r->op == OP_STS || r->op == OP_EXCH ? rng_next(&b->rng) & UINT64_C(0xfffffffffffffffe)
		                                                : operand(b, r, r->addr[i]) | rng_next(&b->rng) << 32;
	if ((r->op == OP_CHECK || r->op == OP_TRYWAIT) && below(b, 4)) /* one object, one phase */
		for (unsigned i = 0; i < 32; i++)
			r->b[i] = r->b[0];
}

static void random_traffic(struct bench *b, unsigned count)
{
	for (unsigned n = 0; n < count; n++) {
		struct mbar_req r;
		while (b->queued - b->retired > QUEUE / 2 || b->last_due - b->first_due > DUE / 2) {
			busy(b);
			cycle(b);
		}
		random_request(b, &r);
		queue(b, &r);
		if (n % 97 == 96) /* those who wait for what nobody brings give up */
			for (unsigned i = 0; i < b->suspend; i++)
				cycle(b);
	}
	drain(b);
	for (unsigned i = 0; i < 2 * b->suspend + 2 * SERVED; i++)
		cycle(b);
	for (unsigned w = 0; w < WARPS; w++)
		if (b->warp[w].waits)
			complain(b, "a warp still waits after its time", w, 0);
}

/* Loads all objects: the memory must be the reference's. */
static void check_memory(struct bench *b)
{
	b->in.kind = b->out.kind = STALL_NEVER;
	for (uint32_t at = 0; at < WINDOW; at += 256) {
		struct mbar_req r = {.op = OP_LDS, .rd_used = true, .mask = UINT32_MAX, .tag = b->number++ & 0xffff};
		for (unsigned i = 0; i < 32; i++)
			r.addr[i] = at + i * 8;
		queue(b, &r);
	}
	drain(b);
}

/* ---- time ---- */

static struct mbar_req on_object(struct bench *b, enum mbar_op op, unsigned warp, uint32_t addr, uint64_t value)
{
	struct mbar_req r = {.op = op, .form = A1T0, .mask = 1, .tag = warp << 16 | (b->number++ & 0xffff)};
	for (unsigned i = 0; i < 32; i++) {
		r.addr[i] = addr;
		r.b[i] = value;
	}
	return r;
}

/* Cycles until the requests queued so far have gone and the last one's effect has been seen. */
static unsigned wait_for(struct bench *b, const unsigned long *what, unsigned long value)
{
	unsigned cycles = 0;
	while (*what < value && cycles < 1000) {
		cycle(b);
		cycles++;
	}
	return cycles;
}

/* All 32 lanes bring an arrival to one object: one a cycle. */
static void test_warp(struct bench *b)
{
	const unsigned long before = b->retires;
	struct mbar_req r = on_object(b, OP_EXCH, 0, 64,
	                              mbar_pack(&(struct mbar_object){.expected = 0xfffff, .pending = 0xfffff}, 20));
	queue(b, &r);
	drain(b);
	r = on_object(b, OP_ARRIVE, 1, 64, 0);
	r.mask = UINT32_MAX;
	queue(b, &r);
	const unsigned cycles = wait_for(b, &b->retires, before + 2) - 1;
	/* from the first beat to the answer: 3 to the stage of passes, 32 passes, 3 behind the last one, an answer each
	 * beat */
	printf("mbar_32_lanes_cycles %u\n", cycles);
	if (cycles > 3 + 32 + 3 + b->beats)
		complain(b, "cycles of 32 arrivals of one instruction", cycles, 3 + 32 + 3 + b->beats);
	drain(b);
	verdict(b, "32 lanes on one object take little more than 32 cycles");
}

static void test_time(struct bench *b)
{
	struct mbar_req r =
	        on_object(b, OP_EXCH, 0, 64, mbar_pack(&(struct mbar_object){.expected = 1, .pending = 1}, 20));
	b->in.kind = b->out.kind = STALL_NEVER;
	queue(b, &r);
	drain(b);
	for (unsigned n = 0; n < 6; n++) {
		const unsigned phase = (unsigned)(b->smem.word[(BASE + 64) / 8] >> 63);
		r = on_object(b, OP_TRYWAIT, 1, 64, (uint64_t)phase << 31);
		queue(b, &r);
		while (busy(b))
			cycle(b);
		for (unsigned i = 0; i < 24; i++) /* until it waits; not for so long that it gives up */
			cycle(b);
		r = on_object(b, OP_ARRIVE, 2, 64, 0);
		r.result = 2;
		queue(b, &r);
		const unsigned cycles = wait_for(b, &b->released, b->released + 1);
		/* the first beat, with the arrival, is taken in cycle 0 and goes on when the last one is there */
		const unsigned want = b->beats == 1 ? 6 : 4 + b->beats;
		if (cycles - 1 != want)
			complain(b, "cycles from an arrival to the release", cycles - 1, want);
		if (n == 0)
			printf("mbar_wake_cycles %u\n", cycles - 1);
		drain(b);
	}
	verdict(b, "a warp is released 6 cycles after the arrival was taken (of one beat)");
	/* operations of one lane on one object: one a beat, and so one a cycle with 32 lanes */
	r = on_object(b, OP_EXCH, 0, 64, mbar_pack(&(struct mbar_object){.expected = 0xfffff, .pending = 0xfffff}, 20));
	queue(b, &r);
	drain(b);
	enum { MANY = 100 };
	for (unsigned n = 0; n < MANY; n++) {
		r = on_object(b, OP_ARRIVE, n % WARPS, 64, 0);
		queue(b, &r);
	}
	const unsigned long before = b->retires;
	wait_for(b, &b->retires, before + 20);
	const uint64_t from = b->cycle;
	wait_for(b, &b->retires, before + MANY);
	printf("mbar_operations_per_cycle %.3f\n", (MANY - 20) / (double)(b->cycle - from));
	if (b->cycle - from != (uint64_t)(MANY - 20) * b->beats)
		complain(b, "cycles of 80 operations", b->cycle - from, (uint64_t)(MANY - 20) * b->beats);
	drain(b);
	verdict(b, "an operation on one object each cycle (a beat)");
	test_warp(b);
}

/* A park between the arrivals of others, at every distance: no wake is lost. */
static void test_races(struct bench *b)
{
	b->in.kind = b->out.kind = STALL_NEVER;
	for (unsigned n = 0; n < 40; n++) {
		struct mbar_req r = on_object(b, OP_EXCH, 0, 128,
		                              mbar_pack(&(struct mbar_object){.expected = 2, .pending = 2}, 20));
		queue(b, &r);
		drain(b);
		r = on_object(b, OP_ARRIVE, 1, 128, 0);
		queue(b, &r);
		r = on_object(b, OP_TRYWAIT, 2, 128, 0);
		queue(b, &r);
		for (unsigned i = 0; i < n % 8; i++)
			cycle(b);
		r = on_object(b, OP_ARRIVE, 3, 128, 0);
		queue(b, &r);
		for (unsigned i = 0; i < n / 8; i++)
			cycle(b);
		r = on_object(b, OP_TRYWAIT, 4, 128, 0);
		queue(b, &r);
		drain(b);
		if (b->warp[2].waits || b->warp[4].waits)
			complain(b, "a wake is lost, warp", b->warp[2].waits ? 2 : 4, 0);
	}
	verdict(b, "a warp that parks just before the phase ends is released");
}

/* An arrival that ends the phase in every cycle around the one in which the warp would give up. */
static void test_gives_up(struct bench *b)
{
	b->in.kind = b->out.kind = STALL_NEVER;
	for (unsigned n = 0; n < 90; n++) {
		struct mbar_req r = on_object(b, OP_EXCH, 0, 192,
		                              mbar_pack(&(struct mbar_object){.expected = 1, .pending = 1}, 20));
		queue(b, &r);
		drain(b);
		r = on_object(b, OP_TRYWAIT, 5, 192, 0);
		queue(b, &r);
		for (unsigned i = 0; i < b->suspend - 20 + n; i++)
			cycle(b);
		r = on_object(b, OP_ARRIVE, 3, 192, 0);
		queue(b, &r);
		b->ender = 3;
		drain(b);
		b->ender = 0;
		b->ended = false;
		if (b->warp[5].waits)
			complain(b, "a wake is lost, warp", 5, 0);
	}
	verdict(b, "a phase that ends as a warp gives up");
}

/* ---- all ---- */

static void reset(struct bench *b)
{
	*b->pin.req_valid = *b->pin.rsp_ready = 0;
	*b->pin.cfg_valid = *b->pin.land_valid = *model_pin(&b->model, "host_valid_i") = 0;
	*b->pin.rst = 1;
	for (unsigned i = 0; i < 4; i++) {
		b->model.eval(b->model.self);
		*b->pin.clk = 1;
		b->model.eval(b->model.self);
		*b->pin.clk = 0;
	}
	*b->pin.rst = 0;
	b->queued = b->sent = b->send_beat = b->retired = b->recv_beat = 0;
	b->first_due = b->last_due = 0;
	b->offering = false;
	memset(b->warp, 0, sizeof b->warp);
	if (b->cluster) {
		mbar_offer_cta(&b->pin, OTHER, 0, BASE, 0, 1);
		cycle(b);
	}
	mbar_offer_cta(&b->pin, 0, BASE, WINDOW, b->cluster, WARPS);
	cycle(b);
	*b->pin.cfg_valid = 0;
}

/* Fills the window through the host port, which takes the marks away. */
static void fill(struct bench *b)
{
	uint8_t *valid = model_pin(&b->model, "host_valid_i");
	for (uint32_t at = 0; at < WINDOW; at += 4) {
		const uint32_t value = (uint32_t)rng_next(&b->rng);
		*valid = *model_pin(&b->model, "host_write_i") = 1;
		pin_set(model_pin(&b->model, "host_addr_i"), 0, 16, BASE + at);
		pin_set(model_pin(&b->model, "host_wdata_i"), 0, 32, value);
		b->model.eval(b->model.self);
		while (!*model_pin(&b->model, "host_ready_o"))
			cycle(b);
		cycle(b);
		memcpy((uint8_t *)b->smem.word + BASE + at, &value, 4);
		b->smem.mark[(BASE + at) / 8] = false;
	}
	*valid = 0;
	for (unsigned i = 0; i < 4; i++)
		cycle(b);
}

static void test_random(struct bench *b, unsigned arch, unsigned count)
{
	char what[96];
	b->smem.arch = arch;
	*b->pin.arch = (uint8_t)arch;
	for (unsigned i = 0; i < 4; i++) {
		b->in.kind = (enum stall_kind)i;
		b->out.kind = (enum stall_kind)(i * 3 % 4);
		random_traffic(b, count);
		check_memory(b);
		/* in the middle of everything */
		for (unsigned n = 0; n < 60; n++) {
			struct mbar_req r;
			random_request(b, &r);
			queue(b, &r);
		}
		for (unsigned n = below(b, 80); n; n--)
			cycle(b);
		reset(b);
		fill(b);
		snprintf(what, sizeof what, "sm_%u: random instructions, pattern %u, then a reset among them", arch, i);
		verdict(b, what);
	}
}

static void test_floors(struct bench *b)
{
	const struct {
		const char *what;
		unsigned long seen, least;
	} floors[] = {
	        {"lanes that are misaligned", b->faults[MBAR_MISALIGNED], 1},
	        {"lanes out of range", b->faults[MBAR_OUT_OF_RANGE], 1},
	        {"lanes at no object", b->faults[MBAR_UNINIT], 1},
	        {"counts that cannot be", b->faults[MBAR_COUNT_RANGE], 1},
	        {"arrivals beyond those pending", b->faults[MBAR_UNDERFLOW], 1},
	        {"bytes beyond an edge", b->faults[MBAR_TX_RANGE], 1},
	        {"arrivals that must not be the last", b->faults[MBAR_NOCOMPLETE], 1},
	        {"drops beyond those expected", b->faults[MBAR_DROP_RANGE], 1},
	        {"arrivals at a drained object", b->faults[MBAR_DRAINED], 1},
	        {"phases that end", b->flips, 500},
	        {"warps that are released", b->released, 100},
	        {"warps that give up", b->gave_up, 100},
	        {"other CTA: lanes that it does not serve", b->faults[MBAR_BAD_SPACE], b->cluster},
	        {"other CTA: ranks that the cluster lacks", b->faults[MBAR_CLUSTER_RANK], b->cluster},
	        {"other CTA: phases that it ends", b->by_other, b->cluster ? 100 : 0},
	};
	for (unsigned i = 0; i < sizeof floors / sizeof floors[0]; i++)
		if (floors[i].seen < floors[i].least)
			complain(b, floors[i].what, floors[i].seen, floors[i].least);
	verdict(b, "every fault, releases and waits that were given up");
}

int main(int argc, char **argv)
{
	static struct bench b;
	if (argc < 2) {
		fprintf(stderr, "usage: mbarrier_engine_test MODEL.so [SEED [COUNT [BUG]]]\n");
		return 2;
	}
	const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	const unsigned count = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 0) : 3000;
	const unsigned bug = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 0) : 0;
	b.bug = bug;
	model_open(&b.model, argv[1]);
	mbar_find_pins(&b.model, &b.pin);
	b.cluster = model_param(&b.model, "Units", 9) >> 7 & 1;
	if (model_has_pin(&b.model, "bug_i"))
		*model_pin(&b.model, "bug_i") = (uint8_t)bug;
	if (model_has_pin(&b.model, "trace_atoms_pipe_commit_valid_o")) {
		b.commit_valid = model_pin(&b.model, "trace_atoms_pipe_commit_valid_o");
		b.commit_tag = model_pin(&b.model, "trace_atoms_pipe_commit_tag_o");
	}
	b.lanes = model_param(&b.model, "Lanes", 32);
	b.banks = model_param(&b.model, "Banks", 32);
	b.suspend = model_param(&b.model, "Suspend", 1024);
	b.beats = 32 / b.lanes;
	b.rng = rng_seed(seed, 0);
	b.in.rng = rng_seed(seed, 1);
	b.out.rng = rng_seed(seed, 2);
	b.smem = (struct mbar_smem){.lanes = b.lanes, .banks = b.banks, .base = BASE, .size = WINDOW};
	for (unsigned i = 0; i < OBJECTS; i++) /* some share banks, two are neighbours */
		b.object[i] = i < 3 ? i * b.banks * 4 : 64 + i * 8;
	printf("mbarrier_engine: %s, seed %llu\n", b.model.params, (unsigned long long)seed);
	reset(&b);
	fill(&b);
	b.smem.arch = 90;
	*b.pin.arch = 90;
	test_time(&b);
	if (count) { /* 0: figures alone */
		test_races(&b);
		test_gives_up(&b);
	}
	static const unsigned archs[] = {90, 100, 120, 80};
	for (unsigned i = 0; i < 4 && count; i++)
		test_random(&b, archs[i], count);
	if (count)
		test_floors(&b);
	printf("%lu instructions answered, %lu phases ended, %lu warps parked, %lu released, %lu gave up, %llu "
	       "cycles\n",
	       b.retires, b.flips, b.parked, b.released, b.gave_up, (unsigned long long)b.cycle);
	model_close(&b.model);
	if (bug) {
		printf("planted bug %u: %s\n", bug, failed ? "found" : "NOT found");
		return failed == 0;
	}
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}

// SPDX-License-Identifier: Apache-2.0
/* Bench of cluster_barrier against a reference of its own. Clusters of 1 to 16 CTAs come and go. Warps arrive, wait, do
 * either at the wrong time, and leave. The bench crosses four stall patterns on both sides; resets hit requests
 * under way. Every judgement, RELEASE and answer is compared in its cycle. MODEL is cluster_barrier, or
 * cluster_barrier_lean. The lean form judges nothing in the cycle of a CTA coming or leaving.
 *
 *   cluster_barrier_test MODEL.so [SEED [CYCLES [BUG]]]      CYCLES: for each pair of stall patterns */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../../common/rng.h"
#include "../../../common/stall.h"
#include "cbar_ref.h"
#include "../../bench_main.h"
#include "warplock/status.h"
#include "pins/cluster_barrier.h"

enum { MAX_PORTS = 4, WARPS = CREF_WARPS, SLOTS = CREF_SLOTS, REL_BITS = 121, PATIENCE = 20000, UNIT = 7 };

struct request {
	bool valid, exit, wait;
	uint32_t tag, mask;
	unsigned slot;
};

static struct {
	struct model model;
	PINS_MEMBERS(cluster_barrier);
	bool lean;
	unsigned ports, warps, lanes, phases; /* phases: modulus of phase numbers */
	struct rng rng;
	struct cref ref;
	struct {
		struct request head, now; /* offered; to be judged */
		struct stall in, out;
		bool answered; /* an answer stands at the port */
		uint32_t answer_tag;
		unsigned answer_fault;
		bool take, done; /* of this cycle */
	} port[MAX_PORTS];
	struct {
		enum { FREE, COMING, READY, UNDER_WAY, WAITING } state;
		unsigned slot, closed; /* closed: the closed slot named by the request; SLOTS: none */
		unsigned serial;
		bool woken; /* a RELEASE was the last news of the warp */
	} warp[WARPS];
	struct {
		bool used, open;
		unsigned cluster, first, warps, left, named;
	} cta[SLOTS];
	struct {
		bool used, over;
	} cluster[SLOTS];
	unsigned job[2 * SLOTS], jobs; /* slots to open, or to close when open; one a cycle */
	bool counts;                   /* no warp leaves, no warp misuses */
	unsigned long cycle, errors;
	struct {
		unsigned long arrivals, together, waits, at_once, releases, released, by_exit, several, beside, again,
		        fault[3], large, held, launches, later;
	} seen;
} b;

/* ---- helpers ---- */

static void expect(const char *what, unsigned port, uint64_t got, uint64_t want)
{
	if (got != want && b.errors++ < 10) {
		printf("cycle %lu, port %u: %s is 0x%" PRIx64 ", expected 0x%" PRIx64 "\n", b.cycle, port, what, got,
		       want);
	}
}

static unsigned below(unsigned n)
{
	return rng_below(&b.rng, n);
}

static uint64_t get_warps(const uint8_t *pin, unsigned at, unsigned n)
{
	const uint64_t low = pin_get(pin, at, n < 32 ? n : 32);
	return n > 32 ? low | (uint64_t)pin_get(pin, at + 32, n - 32) << 32 : low;
}

static unsigned warp_of(const struct request *q)
{
	return q->tag >> 16;
}

/* ---- clusters come and go ---- */

/* `n` free warps side by side; false: not enough. */
static bool find_warps(unsigned n, unsigned *first)
{
	for (unsigned i = 0, at = below(b.warps); i < b.warps; i++, at = (at + 1) % b.warps) {
		unsigned free = 0;
		while (free < n && at + free < b.warps && b.warp[at + free].state == FREE) {
			free++;
		}
		if (free == n) {
			*first = at;
			return true;
		}
	}
	return false;
}

static bool add_cta(unsigned cluster, unsigned warps)
{
	unsigned first;
	for (unsigned i = 0, slot = below(SLOTS); i < SLOTS; i++, slot = (slot + 1) % SLOTS) {
		if (b.cta[slot].used || b.cta[slot].named || !find_warps(warps, &first)) {
			continue;
		}
		b.cta[slot].used = true;
		b.cta[slot].cluster = cluster;
		b.cta[slot].first = first;
		b.cta[slot].warps = b.cta[slot].left = warps;
		for (unsigned w = first; w < first + warps; w++) {
			b.warp[w].state = COMING;
			b.warp[w].slot = slot;
		}
		b.job[b.jobs++] = slot;
		return true;
	}
	return false;
}

/* A cluster of up to `ctas` CTAs, as far as slots and warps suffice. */
static void launch_as(unsigned cluster, unsigned ctas, unsigned warps)
{
	unsigned n = 0;
	if (b.jobs || b.cluster[cluster].used) {
		return;
	}
	while (n < ctas && add_cta(cluster, below(b.warps > 8 ? 200 : 20) ? 1 + below(warps) : b.warps)) {
		n++;
	}
	b.cluster[cluster].used = n != 0;
	b.seen.launches += n != 0;
	b.seen.large += n > 8;
}

static void launch(unsigned ctas, unsigned warps)
{
	launch_as(below(SLOTS), ctas, warps);
}

/* After the exit of all warps of the cluster its slots are closed. */
static void end_cluster(unsigned cluster)
{
	for (unsigned slot = 0; slot < SLOTS; slot++) {
		if (b.cta[slot].used && b.cta[slot].cluster == cluster && (b.cta[slot].left || !b.cta[slot].open)) {
			return;
		}
	}
	for (unsigned slot = 0; slot < SLOTS; slot++) {
		if (b.cta[slot].used && b.cta[slot].cluster == cluster) {
			b.job[b.jobs++] = slot;
		}
	}
	b.cluster[cluster].over = true;
}

static void drive_cta(void)
{
	*b.cta_valid_i = b.jobs != 0;
	if (!b.jobs) { /* random values at the pins */
		*b.cta_slot_i = (uint8_t)below(SLOTS);
		*b.cta_open_i = below(2) != 0;
		*b.cta_first_i = below(2) != 0;
		*b.cta_warps_i = (uint8_t)below(b.warps);
		*b.cta_cluster_i = (uint8_t)below(SLOTS);
		return;
	}
	const unsigned slot = b.job[0];
	*b.cta_slot_i = (uint8_t)slot;
	*b.cta_open_i = !b.cta[slot].open;
	*b.cta_first_i = (uint8_t)b.cta[slot].first;
	*b.cta_warps_i = (uint8_t)b.cta[slot].warps;
	*b.cta_cluster_i = (uint8_t)b.cta[slot].cluster;
}

/* With the clock edge. The warps of a cluster begin after the last CTA has come. */
static void step_cta(void)
{
	if (!b.jobs) {
		return;
	}
	const unsigned slot = b.job[0], cluster = b.cta[slot].cluster;
	memmove(b.job, b.job + 1, --b.jobs * sizeof b.job[0]);
	b.cta[slot].open = !b.cta[slot].open;
	if (b.cta[slot].open) {
		cref_open(&b.ref, slot, cluster, b.cta[slot].first, b.cta[slot].warps);
	} else {
		cref_close(&b.ref, slot);
		b.cta[slot].used = false;
	}
	if (b.jobs) {
		return;
	}
	for (unsigned i = 0; i < SLOTS; i++) {
		if (b.cluster[i].over) {
			b.cluster[i].used = b.cluster[i].over = false;
		}
	}
	for (unsigned w = 0; w < WARPS; w++) {
		b.warp[w].state = b.warp[w].state == COMING ? READY : b.warp[w].state;
	}
}

/* ---- requests ---- */

/* Mostly the request of a legal program; sometimes a misuse. `ending`: only ends of warps. */
static void draw(struct request *q, unsigned w, bool ending)
{
	const struct cref_warp *r = &b.ref.warp[w];
	const bool could = cref_fault(&b.ref, b.warp[w].slot, w, true) == WL_FAULT_NONE;
	*q = (struct request){.valid = true, .slot = b.warp[w].slot};
	q->tag = w << 16 | (b.warp[w].serial++ & 0xffff);
	q->mask = below(2) ? UINT32_MAX : rng_u32(&b.rng) | 1u << below(32);
	q->exit = ending || below(could ? 150 : 25) == 0; /* sometimes the last missing warp exits */
	q->wait = below(b.cycle / 1024 % 4 ? 20 : 3) == 0 || b.warp[w].woken ? below(2) : could && below(6);
	b.warp[w].woken = false;
	b.warp[w].closed = SLOTS;
	if (b.counts) {
		q->exit = false;
		q->wait = could;
		return;
	}
	b.seen.again += r->arrivals && !r->asked && !q->wait && !q->exit;
	if (q->exit || below(25)) {
		return;
	}
	const unsigned slot = below(SLOTS);
	if (!b.cta[slot].used) {
		b.cta[slot].named++;
		b.warp[w].closed = q->slot = slot;
	}
}

static void offer(unsigned p, bool ending)
{
	const unsigned n = b.warps / b.ports;
	for (unsigned i = 0, k = below(n); i < n; i++, k = (k + 1) % n) {
		const unsigned w = k * b.ports + p;
		if (b.warp[w].state == READY) {
			b.warp[w].state = UNDER_WAY;
			draw(&b.port[p].head, w, ending);
			return;
		}
	}
}

/* `head_exit` comes only in the cycle of the take. */
static void drive_head(unsigned p, bool more, bool ending)
{
	const bool stalled = stall_now(&b.port[p].in);
	const struct request *q = &b.port[p].head;
	if (!q->valid && !stalled && more) {
		offer(p, ending);
	}
	pin_set(b.head_valid_i, p, 1, q->valid && !q->exit);
	pin_set(b.head_exit_i, p, 1, q->valid && q->exit && b.port[p].done);
	const struct request nobody = {
	        .wait = below(2), .tag = q->tag & ~UINT32_C(0xffff), .mask = rng_u32(&b.rng), .slot = below(SLOTS)};
	q = q->valid ? q : &nobody;
	pin_set(b.head_wait_i, p, 1, q->wait);
	pin_set(b.head_tag_i, p * 22, 22, q->tag | (q->valid ? 0 : below(0x10000)));
	pin_set(b.head_slot_i, p * 4, 4, q->slot);
	pin_set(b.head_mask_i, p * 32, 32, q->mask);
	pin_set(b.rsp_take_i, p, 1, b.port[p].take);
}

/* ---- outputs ---- */

static struct expected {
	unsigned fault;
	bool commit, park, by_exit;
	uint16_t phase;
	struct cref_release rel;
} due[MAX_PORTS];

/* Expected judgements of this cycle, by the reference: exits, faults, requests, each by port. */
static void predict(void)
{
	unsigned releases = 0;
	memset(due, 0, sizeof due);
	if (b.lean && b.jobs) {
		for (unsigned p = 0; p < b.ports; p++) {
			b.port[p].take = !stall_now(&b.port[p].out) && b.port[p].answered;
			b.port[p].done = !b.port[p].now.valid;
			b.seen.later += b.port[p].now.valid;
		}
		return;
	}
	for (unsigned p = 0; p < b.ports; p++) {
		const struct request *q = &b.port[p].now;
		b.port[p].take = !stall_now(&b.port[p].out) && b.port[p].answered;
		if (q->valid && q->exit) {
			due[p].rel = cref_exit(&b.ref, q->slot, warp_of(q));
			due[p].by_exit = true;
			b.seen.by_exit += due[p].rel.valid;
		}
	}
	for (unsigned p = 0; p < b.ports; p++) {
		const struct request *q = &b.port[p].now;
		if (q->valid && !q->exit) {
			due[p].fault = cref_fault(&b.ref, q->slot, warp_of(q), q->wait);
		}
	}
	for (unsigned p = 0, arrivals = 0; p < b.ports; p++) {
		const struct request *q = &b.port[p].now;
		const bool room = !b.port[p].answered || b.port[p].take;
		b.port[p].done = !q->valid || q->exit || (due[p].fault && room);
		if (!q->valid || q->exit || due[p].fault) {
			b.seen.held += !b.port[p].done;
			continue;
		}
		if (!room && !(q->wait && b.ref.warp[warp_of(q)].arrivals == b.ref.phase[b.cta[q->slot].cluster] + 1)) {
			b.seen.held++;
			continue;
		}
		due[p].commit = b.port[p].done = true;
		if (q->wait) {
			due[p].park = cref_wait(&b.ref, warp_of(q), &due[p].phase);
			b.seen.waits += due[p].park;
			b.seen.at_once += !due[p].park;
		} else {
			due[p].rel = cref_arrive(&b.ref, warp_of(q));
			b.seen.arrivals++;
			b.seen.together += arrivals++ != 0;
		}
	}
	for (unsigned p = 0; p < b.ports; p++) {
		releases += due[p].rel.valid;
		b.seen.releases += due[p].rel.valid;
		b.seen.released += (unsigned)__builtin_popcountll(due[p].rel.warps);
		for (unsigned q = 0; due[p].rel.valid && q < b.ports; q++) {
			b.seen.beside += due[q].park && due[p].rel.warps >> warp_of(&b.port[q].now) & 1;
		}
	}
	b.seen.several += releases > 1;
}

static void check_release(unsigned p)
{
	const struct cref_release *want = &due[p].rel;
	const unsigned at = p * REL_BITS;
	expect("rel_valid_o", p, pin_get(b.rel_valid_o, p, 1), want->valid);
	if (!want->valid) {
		return;
	}
	expect("value of a RELEASE", p, pin_get(b.rel_o, at, 32), 0);
	expect("warps of a RELEASE", p, get_warps(b.rel_o, at + 32, 48), want->warps);
	expect("phase of a RELEASE", p, pin_get(b.rel_o, at + 80, 16), want->phase % b.phases);
	expect("id of a RELEASE", p, pin_get(b.rel_o, at + 96, 16), want->phase % b.phases);
	expect("slot of a RELEASE", p, pin_get(b.rel_o, at + 112, 4), want->slot);
	expect("unit of a RELEASE", p, pin_get(b.rel_o, at + 116, 4), UNIT);
	expect("gave up, of a RELEASE", p, pin_get(b.rel_o, at + 120, 1), 0);
}

static void check_answer(unsigned p)
{
	const unsigned at = p * (30 + b.lanes * 8), fault = b.port[p].answer_fault, lanes = b.lanes;
	expect("rsp_valid_o", p, pin_get(b.rsp_valid_o, p, 1), b.port[p].answered);
	if (!b.port[p].answered) {
		return;
	}
	expect("tag of an answer", p, pin_get(b.rsp_o, at, 22), b.port[p].answer_tag);
	expect("last, of an answer", p, pin_get(b.rsp_o, at + 22, 1), 1);
	expect("passes of an answer", p, pin_get(b.rsp_o, at + 23, 6), fault != WL_FAULT_SLOT_CLOSED);
	for (unsigned l = 0; l < 2 * lanes; l++) {
		expect("lane mask or predicate of an answer", p, pin_get(b.rsp_o, at + 29 + l, 1), 0);
	}
	expect("any fault, of an answer", p, pin_get(b.rsp_o, at + 29 + 2 * lanes, 1), fault != 0);
	for (unsigned l = 0; l < lanes; l++) {
		expect("fault of an answer", p, pin_get(b.rsp_o, at + 30 + 2 * lanes + 6 * l, 6), l ? 0 : fault);
	}
}

static void check(void)
{
	bool idle = true;
	for (unsigned p = 0; p < b.ports; p++) {
		const struct request *q = &b.port[p].now;
		const struct expected *e = &due[p];
		const bool faults = e->fault && b.port[p].done;
		expect("head_ready_o", p, pin_get(b.head_ready_o, p, 1), b.port[p].done);
		expect("commit_o", p, pin_get(b.commit_o, p, 1), e->commit);
		expect("fault_o", p, pin_get(b.fault_o, p, 1), faults);
		expect("park_valid_o", p, pin_get(b.park_valid_o, p, 1), e->park);
		if (e->commit || faults) {
			expect("judged_tag_o", p, pin_get(b.judged_tag_o, p * 22, 22), q->tag);
			expect("judged_mask_o", p, pin_get(b.judged_mask_o, p * 32, 32), q->mask);
		}
		if (faults) {
			expect("fault_code_o", p, pin_get(b.fault_code_o, p * 6, 6), e->fault);
		}
		if (e->park) {
			expect("park_slot_o", p, pin_get(b.park_slot_o, p * 4, 4), q->slot);
			expect("park_id_o", p, pin_get(b.park_id_o, p * 16, 16), e->phase % b.phases);
			expect("park_warps_o", p, get_warps(b.park_warps_o, p * b.warps, b.warps),
			       UINT64_C(1) << warp_of(q));
		}
		check_release(p);
		check_answer(p);
		idle &= !q->valid && !b.port[p].answered;
	}
	expect("idle_o", 0, *b.idle_o, idle);
}

/* ---- a cycle ---- */

static void gone(unsigned w)
{
	const unsigned slot = b.warp[w].slot;
	b.warp[w].state = FREE;
	if (--b.cta[slot].left == 0) {
		end_cluster(b.cta[slot].cluster);
	}
}

static void step_port(unsigned p)
{
	struct request *q = &b.port[p].now;
	if (b.port[p].answered && b.port[p].take) {
		const unsigned w = b.port[p].answer_tag >> 16;
		b.port[p].answered = false;
		b.cta[b.warp[w].closed % SLOTS].named -= b.warp[w].closed != SLOTS;
		b.warp[w].state = READY;
	}
	if (q->valid && b.port[p].done) {
		const unsigned w = warp_of(q);
		if (q->exit) {
			gone(w);
		} else if (due[p].park) {
			b.warp[w].state = WAITING;
		} else {
			b.port[p].answered = true;
			b.port[p].answer_tag = q->tag;
			b.port[p].answer_fault = due[p].fault;
			b.seen.fault[0] += due[p].fault == WL_FAULT_SLOT_CLOSED;
			b.seen.fault[1] += due[p].fault == WL_FAULT_CBAR_DOUBLE_ARRIVE;
			b.seen.fault[2] += due[p].fault == WL_FAULT_CBAR_WAIT_NO_ARRIVE;
		}
		q->valid = false;
	}
	if (b.port[p].head.valid && b.port[p].done) {
		*q = b.port[p].head;
		b.port[p].head.valid = false;
	}
}

static void clock_edge(void)
{
	*b.clk_i = 1;
	b.model.eval(b.model.self);
	*b.clk_i = 0;
	b.cycle++;
}

static void one_cycle(bool more, bool ending)
{
	predict();
	drive_cta();
	for (unsigned p = 0; p < b.ports; p++) {
		drive_head(p, more, ending);
	}
	b.model.eval(b.model.self);
	check();
	for (unsigned p = 0; p < b.ports; p++) {
		step_port(p);
	}
	for (unsigned p = 0; p < b.ports; p++) {
		for (uint64_t left = due[p].rel.warps; left; left &= left - 1) {
			b.warp[__builtin_ctzll(left)].state = READY;
			b.warp[__builtin_ctzll(left)].woken = true;
		}
	}
	/* the reference follows the port: a job of this cycle takes effect behind it */
	if (*b.cta_valid_i) {
		step_cta();
	}
	clock_edge();
}

static void reset(void)
{
	*b.rst_i = 1;
	*b.head_valid_i = *b.head_exit_i = *b.cta_valid_i = 0;
	b.model.eval(b.model.self);
	clock_edge();
	*b.rst_i = 0;
	memset(&b.ref, 0, sizeof b.ref);
	memset(b.warp, 0, sizeof b.warp);
	for (unsigned w = 0; w < WARPS; w++) {
		b.warp[w].serial = below(0x10000);
	}
	memset(b.cta, 0, sizeof b.cta);
	memset(b.cluster, 0, sizeof b.cluster);
	b.jobs = 0;
	for (unsigned p = 0; p < b.ports; p++) {
		b.port[p].head.valid = b.port[p].now.valid = b.port[p].answered = false;
	}
}

static void stalls(enum stall_kind in, enum stall_kind out)
{
	for (unsigned p = 0; p < b.ports; p++) {
		b.port[p].in = (struct stall){.kind = in, .rng = rng_seed(rng_next(&b.rng), p)};
		b.port[p].out = (struct stall){.kind = out, .rng = rng_seed(rng_next(&b.rng), p + 8)};
	}
}

static bool busy(void)
{
	for (unsigned w = 0; w < WARPS; w++) {
		if (b.warp[w].state != FREE) {
			return true;
		}
	}
	return b.jobs != 0;
}

/* Clusters for a while, then until all have ended. The last arrival or exit lets all other warps go, so no warp may be
 * forgotten. */
static void run_random(unsigned long cycles)
{
	const unsigned long end = b.cycle + cycles;
	while ((b.cycle < end || busy()) && b.errors < 10) {
		if (b.cycle < end && below(12) == 0) {
			const bool small = below(6) != 0;
			launch(small ? 1 + below(5) : SLOTS, small ? 1 + below(4) : 2);
		}
		one_cycle(true, b.cycle >= end);
		if (b.cycle > end + PATIENCE) {
			expect("warps that have not ended", 0, 1, 0);
			return;
		}
	}
}

/* ---- figures of the page ---- */

/* A cluster of two warps arriving and waiting, again and again: the number of the phase wraps. */
static void count_phases(unsigned cluster, unsigned long phases)
{
	unsigned long before = b.seen.arrivals;
	reset();
	stalls(STALL_NEVER, STALL_NEVER);
	launch_as(cluster, 2, 1);
	while (b.jobs) {
		one_cycle(false, false);
	}
	b.counts = true;
	const unsigned long end = b.cycle + 100 * phases;
	while (b.seen.arrivals - before < phases && b.errors == 0) {
		one_cycle(true, false);
		expect("arrivals that do not come", 0, b.cycle == end, 0);
	}
	b.counts = false;
}

static bool met_everything(void)
{
	bool met = true;
	const bool several = b.ports > 1;
	const struct {
		const char *what;
		unsigned long seen, least;
	} floors[] = {
	        {"arrivals", b.seen.arrivals, 1000},
	        {"arrivals beside another one", b.seen.together, several ? 100 : 0},
	        {"waits", b.seen.waits, 500},
	        {"waits that are over at once", b.seen.at_once, 100},
	        {"RELEASEs", b.seen.releases, 300},
	        {"warps released beside another", b.seen.released - b.seen.releases, 100},
	        {"RELEASEs by EXIT", b.seen.by_exit, 10},
	        {"cycles with RELEASEs of several clusters", b.seen.several, several ? 5 : 0},
	        {"warps that park in the cycle of their RELEASE", b.seen.beside, several ? 5 : 0},
	        {"arrivals in the next phase without a wait", b.seen.again, 50},
	        {"clusters of more than 8 CTAs", b.seen.large, b.warps > 8 ? 5 : 0},
	        {"requests that wait for room of their answer", b.seen.held, 50},
	        {"SLOT_CLOSED", b.seen.fault[0], b.ports > 1 ? 10 : 3},
	        {"judgements that wait for a CTA", b.seen.later, b.lean ? 50 : 0},
	        {"CBAR_DOUBLE_ARRIVE", b.seen.fault[1], 50},
	        {"CBAR_WAIT_NO_ARRIVE", b.seen.fault[2], 50},
	};
	for (unsigned i = 0; i < sizeof floors / sizeof floors[0]; i++) {
		if (floors[i].seen < floors[i].least) {
			printf("only %lu %s, expected %lu\n", floors[i].seen, floors[i].what, floors[i].least);
			met = false;
		}
	}
	return met;
}

static struct bench_end run_bench(const struct bench_args *a)
{
	b.model = a->model;
	b.lean = strstr(a->path, "cluster_barrier_lean") != NULL;
	b.rng = rng_seed(a->seed, 0);
	b.ports = model_param(&b.model, "Ports", 1);
	b.warps = model_param(&b.model, "Warps", WARPS);
	b.lanes = model_param(&b.model, "Lanes", 32);
	b.phases = 1u << model_param(&b.model, "PhaseBits", 16);
	PINS_FIND(cluster_barrier, &b, &b.model);
	reset();
	for (unsigned in = 0; in < STALL_KINDS && b.errors == 0; in++) {
		for (unsigned out = 0; out < STALL_KINDS && b.errors == 0; out++) {
			stalls((enum stall_kind)in, (enum stall_kind)out);
			reset(); /* everything under way is gone */
			run_random(a->count);
			for (unsigned i = 0; i < 300 && b.errors == 0; i++) {
				launch(1 + below(5), 1 + below(4));
				one_cycle(true, false);
			}
		}
	}
	const bool met = b.errors || met_everything();
	if ((a->count >= 30000 || b.phases < 1000) && b.errors == 0) {
		for (unsigned c = 0; c < (b.phases < 1000 ? SLOTS : 1u) && b.errors == 0; c++) {
			count_phases(c, 2 * (b.phases + (c ? 64 : 464)));
		}
	}
	printf("cluster_barrier: %u ports, %u warps, %lu cycles, %lu clusters, %lu arrivals, %lu waits (%lu over at "
	       "once), %lu "
	       "releases of %lu warps (%lu by EXIT), %lu errors\n",
	       b.ports, b.warps, b.cycle, b.seen.launches, b.seen.arrivals, b.seen.waits + b.seen.at_once,
	       b.seen.at_once, b.seen.releases, b.seen.released, b.seen.by_exit, b.errors);
	return bench_good(b.errors == 0 && met);
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {
	        .words = "MODEL.so [SEED [CYCLES [BUG]]]", .usual = 3000, .run = run_bench};
	return bench_main(argc, argv, &form);
}

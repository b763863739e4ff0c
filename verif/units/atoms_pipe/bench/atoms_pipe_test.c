// SPDX-License-Identifier: Apache-2.0
/* Bench of atoms_pipe through the ports of sync_core alone: any model with the ports of sync_core, RTL or netlist.
 *
 *   atoms_pipe_test MODEL.so [SEED [COUNT [BUG]]]
 *
 * COUNT random instructions for each of the 16 crossings of stall patterns, resets in the middle of traffic, times; BUG
 * is a planted bug of the model. The bench must find the bug: with BUG the exit status is 0 if errors were seen. */
#include <stdio.h>
#include <string.h>

#include "atoms_pipe_native.h"
#include "../../sync_core/bench/core_trace.h"

enum { HOST_BYTES = 64 }; /* at the end of memory, outside every window: for the host port during traffic */

static unsigned passed, failed;

static void verdict(struct bench *b, const char *what)
{
	printf("%s  %s\n", b->errors ? "FAIL" : "ok  ", what);
	passed += b->errors == 0;
	failed += b->errors != 0;
	b->errors = 0;
}

static uint32_t below(struct bench *b, uint32_t n)
{
	return (uint32_t)((bench_random(b) >> 32) * n >> 32);
}

/* Every port has its own region, so that the order between ports does not matter. Slots of port p: 4p the whole region,
 * 4p+1 a part at an odd place, 4p+2 closed, 4p+3 a part of 16 bytes. */
static void open_windows(struct bench *b, struct ref_smem *s)
{
	uint32_t region = b->bytes / b->ports;
	for (unsigned port = 0; port < b->ports; port++) {
		uint32_t base = port * region, size = region - (port + 1 == b->ports ? HOST_BYTES : 0);
		const struct ref_window w[4] = {{base, size, true, 0},
		                                {base + 16 * 5, 16 * 13, true, 9},
		                                {base, size, false, 0},
		                                {base + 16 * 9, 16, true, 6}};
		for (unsigned i = 0; i < 4; i++) {
			s->window[port * 4 + i] = w[i];
			bench_window(b, port * 4 + i, &w[i]);
		}
	}
}

static void fill_memory(struct bench *b, struct ref_smem *s)
{
	for (uint32_t a = 0; a < b->bytes; a += 4) {
		uint32_t v = (uint32_t)bench_random(b);
		memcpy(s->mem + a, &v, 4);
		bench_host_write(b, a, v);
		trace_word(b, a, v);
	}
}

static void check_memory(struct bench *b, const struct ref_smem *s)
{
	for (uint32_t a = 0; a < b->bytes; a += 4) {
		uint32_t want, got = bench_host_read(b, a);
		memcpy(&want, s->mem + a, 4);
		if (got != want) {
			bench_error(b, "memory at %04x is %08x, expected %08x", a, got, want);
		}
		trace_check_word(b, a, got);
	}
}

static void issue(struct bench *b, struct ref_smem *s, unsigned port, struct ref_req *r)
{
	struct ref_rsp rsp;
	ref_run(s, r, &rsp);
	bench_queue(b, port, r, &rsp);
}

/* ---- random instructions ------------------------------------------------------------------------------------ */

static uint32_t special(struct bench *b)
{
	static const uint32_t values[] = {0, 1, 2, 3, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff};
	return below(b, 3) ? (uint32_t)bench_random(b) : values[below(b, 8)];
}

static void random_form(struct bench *b, const struct ref_smem *s, struct ref_req *r)
{
	static const enum ref_kind kinds[] = {REF_LDS,   REF_LDS,   REF_STS, REF_STS,  REF_ATOMS,
	                                      REF_ATOMS, REF_ATOMS, REF_CAS, REF_CAST, REF_CAST};
	if (below(b, s->native ? 2 : 50) == 0) { /* in a build without, every native operation faults */
		native_form(b, r);
		return;
	}
	r->kind = kinds[below(b, 10)];
	r->size = r->kind <= REF_STS ? below(b, 5) : 2;
	if (r->kind <= REF_STS && below(b, 2)) {
		r->size = 2;
	}
	r->sgn = r->kind == REF_LDS && r->size < 2 && below(b, 2);
	if (r->kind == REF_ATOMS) {
		r->op = (enum ref_op)below(b, REF_OPS);
		r->sgn = (r->op == REF_MIN || r->op == REF_MAX) && below(b, 2);
		r->size += r->op == REF_EXCH && below(b, 2);
		if (below(b, 50) == 0) {
			r->op = REF_ADD;
			r->size = 3;
			r->illegal = true;
			r->sgn = false;
		}
	} else if (r->kind >= REF_CAS) {
		r->size += below(b, 2);
		r->spin = r->kind == REF_CAST && below(b, 2);
		r->illegal = below(b, 50) == 0;
		r->size = r->illegal ? 3 : r->size;
	}
	r->rd_used = r->kind != REF_STS && (r->kind != REF_ATOMS || below(b, 4) != 0);
}

/* Requests of CTAs with a rank other than 0 in the cluster: with registers, without; lanes with an address a single bit
 * off. */
static unsigned long ranked, alone, astray;

/* Chooses the parts of the address; then Ra of each lane is the rest of the wanted address. */
static void random_addresses(struct bench *b, struct ref_req *r, const struct ref_window *w)
{
	const uint32_t window = w->size, rank = w->rank << 24;
	static const unsigned shift[] = {0, 2, 3, 4};
	uint32_t bytes = 1u << r->size, shape = below(b, 8), ur = (uint32_t)bench_random(b);
	uint32_t hot = below(b, window) & ~(bytes - 1), span = 1u << (2 + below(b, 10));
	r->ra_used = below(b, 16) != 0;
	r->ur_used = (r->kind <= REF_ATOMS || r->kind == REF_NATIVE) && below(b, 4) == 0;
	r->scale = r->ra_used && below(b, 3) == 0 ? 1 + below(b, 3) : 0;
	r->off = below(b, 2) ? 0 : (uint32_t)bench_random(b) & 0xffffff;
	if (!r->ra_used) {
		r->off = below(b, window + 32);
		r->ur_used = r->ur_used && below(b, 2);
		ur = below(b, 4) ? below(b, 64) & ~(bytes - 1) : ur;
		if (r->ur_used && below(b, 2)) { /* back from a uniform register */
			uint32_t back = 1 + below(b, 0x7fffff);
			r->off = -back & 0xffffff;
			ur = (below(b, window) & ~(bytes - 1)) + back;
		}
	}
	ranked += rank && (r->ra_used || r->ur_used);
	alone += rank && !(r->ra_used || r->ur_used);
	if (!r->ra_used && r->ur_used) {
		ur += rank;
	}
	r->ur = ur;
	uint32_t fixed = r->ra_used || r->ur_used ? (uint32_t)((int32_t)(r->off << 8) >> 8) : r->off;
	fixed += r->ur_used ? ur : 0;
	for (unsigned i = 0; i < 32; i++) {
		uint32_t want = 0;
		switch (shape) {
		case 0: /* neighbours */
			want = hot + i * bytes;
			break;
		case 1: /* the same word */
			want = hot;
			break;
		case 2: /* the same bank */
			want = hot + i * b->banks * 4;
			break;
		case 3: /* a few words */
			want = hot + below(b, 4) * bytes;
			break;
		case 4: /* anywhere, any alignment */
			want = below(b, window + 64);
			break;
		default:
			want = below(b, span) & ~(bytes - 1);
			break;
		}
		want = below(b, 400) == 0 ? (uint32_t)bench_random(b)
		       : shape == 4       ? want
		                          : want % window & ~(bytes - 1);
		if (below(b, 100) == 0) { /* outside by a single bit: of the offset, or of the rank */
			want ^= UINT32_C(1) << (12 + below(b, 20));
			astray++;
		}
		r->ra[i] = (uint64_t)(uint32_t)bench_random(b) << 32 | (want + rank - fixed) >> shift[r->scale];
	}
}

static void random_request(struct bench *b, const struct ref_smem *s, unsigned port, uint32_t n, struct ref_req *r)
{
	memset(r, 0, sizeof *r);
	uint32_t kind = below(b, 16);
	r->tag = (n / 2 % 48) << 16 | (n & 0xffff);
	r->slot = port * 4 + (kind == 0 ? 2 : kind < 3 ? 1 : kind < 4 ? 3 : 0);
	r->mask = below(b, 3) ? UINT32_MAX : below(b, 2) ? (uint32_t)bench_random(b) : 1u << below(b, 32);
	r->mask |= r->mask == 0;
	random_form(b, s, r);
	random_addresses(b, r, &s->window[r->slot]);
	for (unsigned i = 0; i < 32; i++) {
		/* Compare and swap must sometimes match: small numbers are stored often. */
		bool small = below(b, 2);
		for (unsigned k = 0; k < 4; k++) {
			r->rb[i][k] = small ? below(b, 2) : special(b);
			r->rc[i][k] = small ? below(b, 2) : special(b);
		}
	}
	if (r->kind == REF_NATIVE) {
		native_operands(b, s, r);
	}
}

/* The host writes a word and reads the word while passes are under way: passes take the banks in many of the cycles. */
static void host_access(struct bench *b, struct ref_smem *s)
{
	const uint32_t a = b->bytes - HOST_BYTES + below(b, HOST_BYTES / 4) * 4, v = (uint32_t)bench_random(b);
	uint32_t got;
	for (unsigned cycles = below(b, 40); cycles; cycles--) {
		bench_cycle(b);
	}
	bench_host_write(b, a, v);
	trace_word(b, a, v);
	memcpy(s->mem + a, &v, 4);
	if ((got = bench_host_read(b, a)) != v) {
		bench_error(b, "host read during traffic: %08x, expected %08x", got, v);
	}
}

static void random_traffic(struct bench *b, struct ref_smem *s, unsigned count)
{
	for (unsigned n = 0; n < count;) {
		for (unsigned batch = 0; batch < 400 && n < count; batch++, n++) {
			struct ref_req r;
			unsigned port = n % b->ports;
			random_request(b, s, port, n, &r);
			issue(b, s, port, &r);
		}
		for (unsigned k = b->stall_in == STALL_LONG ? 8 : 0; k; k--) {
			host_access(b, s);
		}
		bench_drain(b);
	}
}

/* Resets in the middle of traffic: only effects on memory are left, and memory is written anew. */
static void test_reset(struct bench *b, struct ref_smem *s)
{
	const unsigned rounds = b->bytes > 4096 ? 3 : 12; /* a large memory takes long to fill */
	unsigned under_way = 0;
	for (unsigned round = 0; round < rounds; round++) {
		b->stall_in = (enum stall_kind)(round % 4);
		b->stall_out = (enum stall_kind)(round / 4 % 4);
		for (unsigned n = 0; n < 60; n++) {
			struct ref_req r;
			random_request(b, s, n % b->ports, n, &r);
			issue(b, s, n % b->ports, &r);
		}
		for (unsigned left = 20 + below(b, 120); left; left--) {
			bench_cycle(b);
		}
		under_way += b->inflight != 0;
		bench_reset(b);
		if (!*b->pin.idle_o || *b->pin.rsp_valid_o) {
			bench_error(b, "after a reset idle_o is %u, rsp_valid_o %x", *b->pin.idle_o,
			            *b->pin.rsp_valid_o);
		}
		fill_memory(b, s);
		open_windows(b, s);
		random_traffic(b, s, 60);
	}
	b->stall_in = b->stall_out = STALL_NEVER;
	check_memory(b, s);
	if (under_way < rounds - 1) {
		bench_error(b, "only %u of %u resets came while something was under way", under_way, rounds);
	}
	verdict(b, "resets in the middle of traffic");
}

/* ---- time --------------------------------------------------------------------------------------------------- */

/* `count` instructions of different warps on port 0. Each has `degree` lanes of each beat on bank 0, every lane on its
 * own word, and the other lanes alone on the other banks. */
static void same_degree(struct bench *b, struct ref_smem *s, enum ref_kind kind, unsigned degree, unsigned count)
{
	for (unsigned n = 0; n < count; n++) {
		struct ref_req r = {.kind = kind,
		                    .op = REF_ADD,
		                    .rd_used = kind != REF_STS,
		                    .ra_used = true,
		                    .size = 2,
		                    .tag = (n % 48) << 16 | n};
		for (unsigned i = 0; i < 32; i++) {
			unsigned l = i % b->lanes, bank = l < degree ? 0 : l - degree + 1;
			r.ra[i] = ((uint64_t)(l < degree ? l : 0) * b->banks + bank) * 4;
			r.rb[i][0] = n + i;
			r.mask |= (uint32_t)(bank < b->banks) << i;
		}
		issue(b, s, 0, &r);
	}
}

/* Checks the cycles of `count` instructions with `passes` passes a beat: exact; for the lean form an upper limit, and
 * at least a cycle a pass for each bank. */
static bool as_long(const struct bench *b, uint64_t cycles, unsigned count, unsigned passes)
{
	const uint64_t each = (uint64_t)count * b->beats;
	if (!b->lean)
		return cycles == each * passes;
	return cycles <= each * (passes + 1) * b->lean_pass && cycles >= each * passes * b->banks;
}

static void measure(struct bench *b, enum ref_kind kind, struct ref_smem *s, unsigned degree)
{
	enum { COUNT = 64, SKIP = 16 };
	uint64_t before = b->retires;
	same_degree(b, s, kind, degree, COUNT);
	bench_drain(b);
	uint64_t cycles = b->retire_cycle[(before + COUNT - 1) % BENCH_RETIRES] -
	                  b->retire_cycle[(before + SKIP) % BENCH_RETIRES];
	const unsigned want = degree * b->beats;
	if (!as_long(b, cycles, COUNT - 1 - SKIP, degree)) {
		bench_error(b, "kind %d, degree %u: %u instructions in %llu cycles, expected %u each", kind, degree,
		            COUNT - 1 - SKIP, (unsigned long long)cycles, want);
	}
}

/* A single lane of each beat takes part: a pass a beat, and so a cycle a beat, for every instruction. */
static void measure_form(struct bench *b, struct ref_smem *s, enum ref_kind kind, unsigned size)
{
	enum { COUNT = 64, SKIP = 16 };
	uint64_t before = b->retires;
	for (unsigned n = 0; n < COUNT; n++) {
		struct ref_req r = {.kind = kind,
		                    .op = REF_EXCH,
		                    .rd_used = kind != REF_STS,
		                    .ra_used = true,
		                    .size = size,
		                    .tag = (n % 48) << 16 | n};
		for (unsigned i = 0; i < 32; i += b->lanes) {
			r.mask |= 1u << i;
			r.ra[i] = i * 16;
			r.rb[i][0] = n;
		}
		issue(b, s, 0, &r);
	}
	bench_drain(b);
	uint64_t cycles = b->retire_cycle[(before + COUNT - 1) % BENCH_RETIRES] -
	                  b->retire_cycle[(before + SKIP) % BENCH_RETIRES];
	const unsigned want = b->beats;
	if (!as_long(b, cycles, COUNT - 1 - SKIP, 1)) {
		bench_error(b, "kind %d, %u bytes: %u instructions in %llu cycles, expected %u each", kind, 1u << size,
		            COUNT - 1 - SKIP, (unsigned long long)cycles, want);
	}
}

/* Nobody takes responses: the room for responses runs out. On the trace, all lanes of a beat have committed or none: a
 * beat goes on to its last pass. */
static void test_begun(struct bench *b, struct ref_smem *s)
{
	enum { COUNT = 24, CYCLES = 600 };
	const struct bench_port *p = &b->port[0];
	unsigned begun = 0, waiting = 0;
	b->stall_in = b->stall_out = STALL_NEVER;
	b->deaf = 1;
	same_degree(b, s, REF_ATOMS, b->lanes, COUNT);
	for (unsigned i = 0; i < CYCLES * (b->lean ? b->lean_pass : 1); i++) {
		bench_cycle(b);
	}
	for (unsigned i = p->retired; i != p->queued; i++) {
		const uint32_t mask = p->req[i % BENCH_QUEUE].mask, done = p->told[i % BENCH_QUEUE].committed;
		for (unsigned beat = 0; beat < b->beats; beat++) {
			const uint32_t lanes = mask & UINT32_MAX >> (32 - b->lanes) << beat * b->lanes;
			begun += (done & lanes) != 0;
			waiting += (done & lanes) == 0;
			if (done & lanes && (done & lanes) != lanes) {
				bench_error(b, "of lanes %08x of tag %x only %08x have committed", lanes,
				            p->req[i % BENCH_QUEUE].tag, done & lanes);
			}
		}
	}
	if (!begun || !waiting) {
		bench_error(b, "%u beats have begun, %u have not: expected some of both", begun, waiting);
	}
	b->deaf = 0;
	bench_drain(b);
	verdict(b, "a beat that has begun needs no more room for responses");
}

static void test_forms(struct bench *b, struct ref_smem *s)
{
	static const struct {
		enum ref_kind kind;
		unsigned from, to;
	} forms[] = {{REF_LDS, 0, 4}, {REF_STS, 0, 4}, {REF_ATOMS, 2, 3}, {REF_CAS, 2, 3}, {REF_CAST, 2, 3}};
	b->stall_in = b->stall_out = STALL_NEVER;
	if (model_param(&b->model, "RspBeats", 8) >= 8) {
		for (unsigned i = 0; i < sizeof forms / sizeof forms[0]; i++) {
			for (unsigned size = forms[i].from; size <= forms[i].to; size++) {
				measure_form(b, s, forms[i].kind, size);
			}
		}
	}
	verdict(b, "a pass a cycle, whatever operation and width");
}

/* All of the memory as one window: the size needs a bit more than an address. */
static void test_whole_window(struct bench *b, struct ref_smem *s)
{
	const struct ref_window all = {0, b->bytes, true, 0}, before = s->window[15];
	s->window[15] = all;
	bench_window(b, 15, &all);
	for (unsigned n = 0; n < 8; n++) {
		struct ref_req r = {.kind = n & 1 ? REF_LDS : REF_STS,
		                    .rd_used = n & 1,
		                    .ra_used = true,
		                    .size = 2,
		                    .slot = 15,
		                    .mask = UINT32_MAX,
		                    .tag = n};
		for (unsigned i = 0; i < 32; i++) {
			r.ra[i] = n < 6 ? b->bytes - 4 * (i + 1) : b->bytes - 64 + 4 * i;
			r.rb[i][0] = n * 32 + i;
		}
		issue(b, s, 0, &r);
	}
	bench_drain(b);
	s->window[15] = before;
	bench_window(b, 15, &before);
	verdict(b, "a window of all the memory");
}

static void test_time(struct bench *b, struct ref_smem *s)
{
	b->stall_in = b->stall_out = STALL_NEVER;
	if (model_param(&b->model, "RspBeats", 8) >= 8) {
		for (unsigned degree = 1; degree <= b->lanes; degree++) {
			measure(b, REF_ATOMS, s, degree);
			measure(b, REF_STS, s, degree);
			measure(b, REF_LDS, s, degree);
		}
	}
	verdict(b, "a conflict of degree d costs d passes and d cycles a beat, d = 1 .. Lanes");
	b->stall_out = STALL_LONG;
	b->inflight_max = 0;
	same_degree(b, s, REF_ATOMS, 1, 200);
	bench_drain(b);
	unsigned depth = model_param(&b->model, "QueueDepth", 8);
	unsigned beats = model_param(&b->model, "QueueBeats", depth * b->beats);
	if (b->inflight_max < beats / b->beats || b->inflight_max < 1) {
		bench_error(b, "at most %u requests in flight", b->inflight_max);
	}
	verdict(b, "requests in flight: at least those that the queue holds");
}

/* ---- all ---------------------------------------------------------------------------------------------------- */

static void test_random(struct bench *b, struct ref_smem *s, unsigned count)
{
	static const char *const names[] = {"never", "alternate", "random", "long"};
	for (unsigned i = 0; i < STALL_KINDS * STALL_KINDS; i++) {
		char what[96];
		b->stall_in = (enum stall_kind)(i % STALL_KINDS);
		b->stall_out = (enum stall_kind)(i / STALL_KINDS);
		random_traffic(b, s, count);
		if (i % 5 == 0) {
			b->stall_in = b->stall_out = STALL_NEVER;
			check_memory(b, s);
		}
		snprintf(what, sizeof what, "random instructions, requests stall %s, responses %s",
		         names[i % STALL_KINDS], names[i / STALL_KINDS]);
		verdict(b, what);
	}
}

static struct bench_end run_bench(const struct bench_args *a)
{
	static struct bench b;
	static struct ref_smem s;
	const unsigned count = a->count;
	bench_open(&b, a);
	s.lanes = b.lanes;
	s.banks = b.banks;
	s.combine = model_param(&b.model, "Combine", 0);
	s.native = model_param(&b.model, "Native", 0);
	printf("atoms_pipe: %s, seed %llu\n", b.model.params, (unsigned long long)a->seed);
	bench_reset(&b);
	fill_memory(&b, &s);
	open_windows(&b, &s);
	check_memory(&b, &s);
	verdict(&b, "host port");
	test_random(&b, &s, count);
	test_reset(&b, &s);
	test_whole_window(&b, &s);
	test_time(&b, &s);
	test_forms(&b, &s);
	test_begun(&b, &s);
	if (s.native) {
		native_times(&b, &s);
		verdict(&b, "native operations: a pass a cycle");
		native_host(&b, &s);
		verdict(&b, "native sums while the host reads");
	}
	check_memory(&b, &s);
	verdict(&b, "memory at the end");
	printf("%llu instructions, %llu passes, %llu faulting lanes, %u in flight, %llu cycles\n",
	       (unsigned long long)b.retires, (unsigned long long)b.passes_seen, (unsigned long long)b.faults_seen,
	       b.inflight_max, (unsigned long long)b.cycle);
	if (b.faults_seen < b.retires / 4 || b.passes_seen < b.retires) {
		printf("FAIL  too few faults or passes were seen\n");
		failed++;
	}
	printf("%lu requests of a rank, %lu of one that they do not name, %lu lanes a bit away\n", ranked, alone,
	       astray);
	if (ranked < count || alone < count / 10 + 1 || astray < 4 * count) {
		printf("FAIL  too few of them\n");
		failed++;
	}
	printf("the trace: %llu commits, %llu faults of beats, %llu words written\n",
	       (unsigned long long)b.trace.commits, (unsigned long long)b.trace.faults,
	       (unsigned long long)b.trace.words);
	if (b.trace.commits < b.passes_seen || b.trace.faults < count || b.trace.words < b.retires / 4 ||
	    b.trace.misses < count) {
		printf("FAIL  too few of them\n");
		failed++;
	}
	if (s.native) {
		printf("passes cut by the adders %lu, sums of f32 that are NaN %lu, subnormal %lu\n", s.cut, s.nans,
		       s.subnormals);
		const bool cuts = b.lanes > 4 && b.banks > 4; /* else every lane of a pass has an adder */
		if ((cuts && s.cut < count / 4) || s.nans < count / 4 || s.subnormals < count / 4) {
			printf("FAIL  too few of them\n");
			failed++;
		}
	}
	return (struct bench_end){passed, failed};
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {
	        .words = "MODEL.so [SEED [COUNT [BUG]]]", .usual = 300, .run = run_bench};
	return bench_main(argc, argv, &form);
}

// SPDX-License-Identifier: Apache-2.0
#include "core_trace.h"

#include <string.h>

enum { CODES = 6 }; /* fault codes of the port, in order */

void trace_forget(struct bench *b, unsigned port, unsigned at)
{
	memset(&b->port[port].told[at % BENCH_QUEUE], 0, sizeof b->port[port].told[0]);
}

/* A request with its expected response. */
struct asked {
	const struct ref_req *req;
	const struct ref_rsp *rsp;
};

static struct asked asked_at(const struct bench_port *p, unsigned at)
{
	return (struct asked){&p->req[at % BENCH_QUEUE], &p->rsp[at % BENCH_QUEUE]};
}

/* The request of a tag, among the requests with at least a beat sent. */
static struct bench_told *find(struct bench *b, uint32_t tag, struct asked *e)
{
	for (unsigned port = 0; port < b->ports; port++) {
		struct bench_port *p = &b->port[port];
		for (unsigned i = p->retired; i != p->sent + (p->send_beat != 0); i++) {
			if (p->rsp[i % BENCH_QUEUE].tag == tag) {
				*e = asked_at(p, i);
				return &p->told[i % BENCH_QUEUE];
			}
		}
	}
	return NULL;
}

/* Lanes with this fault; 0: lanes without a fault. */
static uint32_t lanes_of(struct asked e, unsigned fault)
{
	uint32_t lanes = 0;
	for (unsigned lane = 0; lane < 32; lane++) {
		lanes |= (uint32_t)((e.req->mask >> lane & 1) && e.rsp->fault[lane] == fault) << lane;
	}
	return lanes;
}

static void check_words(struct bench *b)
{
	struct bench_trace *t = &b->trace;
	for (unsigned k = 0; k < b->banks; k++) {
		const uint32_t row = pin_get(b->pin.trace_atoms_pipe_commit_row_o, k * b->row_bits, b->row_bits),
		               at = row * b->banks + k;
		if (!(pin_get(b->pin.trace_atoms_pipe_commit_we_o, k, 1) && t->follows)) {
			continue;
		}
		if (pin_get(b->pin.trace_atoms_pipe_commit_old_o, k * 32, 32) != t->word[at]) {
			bench_error(b, "bank %u, row %u: old %08x, but %08x stands there", k, row,
			            pin_get(b->pin.trace_atoms_pipe_commit_old_o, k * 32, 32), t->word[at]);
		}
		t->word[at] = pin_get(b->pin.trace_atoms_pipe_commit_now_o, k * 32, 32);
		t->words++;
	}
}

/* Compare and swap without a match in any lane, by the lanes' results: writes nothing. */
static bool misses(struct asked e, uint32_t lanes)
{
	if ((e.req->kind != REF_CAS && e.req->kind != REF_CAST) || !e.req->rd_used) {
		return false;
	}
	for (unsigned lane = 0; lane < 32; lane++) {
		const uint32_t *data = e.rsp->data[lane];
		if (lanes >> lane & 1 &&
		    (e.req->kind == REF_CAST ? data[0] == 1 : memcmp(data, e.req->rb[lane], 1u << e.req->size) == 0)) {
			return false;
		}
	}
	return true;
}

static void check_commit(struct bench *b)
{
	struct bench_trace *t = &b->trace;
	const uint32_t tag = pin_get(b->pin.trace_atoms_pipe_commit_tag_o, 0, 22),
	               lanes = pin_get(b->pin.trace_atoms_pipe_commit_lanes_o, 0, 32);
	struct asked e = {NULL, NULL};
	struct bench_told *told = find(b, tag, &e);
	t->sums = told && e.req->kind == REF_NATIVE && e.req->native < NATIVE_ADD;
	if (!told) {
		bench_error(b, "COMMIT of tag %x, which is not under way", tag);
	} else if (!lanes || lanes & ~lanes_of(e, 0) || lanes & told->committed) {
		bench_error(b, "COMMIT of tag %x: lanes %08x, of %08x, of which %08x have committed", tag, lanes,
		            lanes_of(e, 0), told->committed);
	} else {
		if (misses(e, lanes) && pin_get(b->pin.trace_atoms_pipe_commit_we_o, 0, b->banks)) {
			bench_error(b, "COMMIT of tag %x: lanes %08x find other values, but write", tag, lanes);
		}
		t->misses += misses(e, lanes);
		told->committed |= lanes;
		told->passes++;
		t->commits++;
	}
	check_words(b);
}

static void check_fault(struct bench *b)
{
	struct bench_trace *t = &b->trace;
	const uint32_t tag = pin_get(b->pin.trace_atoms_pipe_fault_tag_o, 0, 22);
	struct asked e = {NULL, NULL};
	struct bench_told *told = find(b, tag, &e);
	uint32_t any = 0;
	for (unsigned code = 0; code < CODES; code++) {
		const uint32_t lanes = pin_get(b->pin.trace_atoms_pipe_fault_lanes_o, code * 32, 32);
		any |= lanes;
		if (told && (lanes & (lanes_of(e, code + 1) ^ UINT32_MAX) || lanes & told->faulted)) {
			bench_error(b, "FAULT of tag %x, code %u: lanes %08x, of %08x", tag, code + 1, lanes,
			            lanes_of(e, code + 1));
		}
		if (told) {
			told->faulted |= lanes;
		}
	}
	if (!told || !any) {
		bench_error(b, "FAULT of tag %x: %s", tag, told ? "no lanes" : "not under way");
	}
	t->faults++;
}

void trace_cycle(struct bench *b)
{
	if (*b->pin.trace_atoms_pipe_fault_valid_o) {
		check_fault(b);
	}
	if (*b->pin.trace_atoms_pipe_commit_valid_o) {
		check_commit(b);
	}
	if (*b->pin.trace_atoms_pipe_count_valid_o || *b->pin.trace_atoms_pipe_state_valid_o) {
		bench_error(b, "a FAULT of mbarriers: count %u, state %u", *b->pin.trace_atoms_pipe_count_valid_o,
		            *b->pin.trace_atoms_pipe_state_valid_o);
	}
}

void trace_retire(struct bench *b, unsigned port)
{
	const struct bench_port *p = &b->port[port];
	const struct bench_told *told = &p->told[p->retired % BENCH_QUEUE];
	const struct asked e = asked_at(p, p->retired);
	if (e.req->kind == REF_EXIT || e.req->kind == REF_OTHER) {
		return;
	}
	const uint32_t good = lanes_of(e, 0), bad = e.req->mask & ~good;
	if (told->committed != good || told->faulted != bad || told->passes != e.rsp->passes) {
		bench_error(b, "tag %x: lanes %08x committed in %u passes, %08x faulted; expected %08x, %u, %08x",
		            e.req->tag, told->committed, told->passes, told->faulted, good, e.rsp->passes, bad);
	}
}

void trace_word(struct bench *b, uint32_t addr, uint32_t value)
{
	b->trace.word[addr / 4] = value;
	b->trace.follows = true;
}

void trace_check_word(struct bench *b, uint32_t addr, uint32_t value)
{
	if (b->trace.follows && b->trace.word[addr / 4] != value) {
		bench_error(b, "memory at %04x is %08x, but passes said that they left %08x", addr, value,
		            b->trace.word[addr / 4]);
	}
}

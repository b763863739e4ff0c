// SPDX-License-Identifier: Apache-2.0
/* Checks the outputs of atom_unit: trace, `done` to the scoreboard, responses, held requests. */
#include <string.h>

#include "atom_unit_bench.h"

/* A FAULT shows all faulting lanes of a beat. */
static void check_faults(struct atom_bench *b)
{
	struct live *l = atom_by_tag(b, pin_get(b->trace_fault_tag_o, 0, 22));
	const uint32_t misaligned = pin_get(b->trace_fault_lanes_o, 0, 32),
	               bad_space = pin_get(b->trace_fault_lanes_o, 32, 32),
	               illegal = pin_get(b->trace_fault_lanes_o, 64, 32), all = misaligned | bad_space | illegal;
	if (!l || !all) {
		atom_bench_error(b, "FAULT without a request or lanes");
		return;
	}
	const unsigned first = (unsigned)__builtin_ctz(all) / b->lanes * b->lanes;
	const uint32_t beat = (b->lanes == 32 ? UINT32_MAX : (UINT32_C(1) << b->lanes) - 1) << first;
	if (misaligned != (l->out.misaligned & beat) || bad_space != (l->out.bad_space & beat) ||
	    illegal != (l->req.illegal ? l->req.mask & beat : 0) || l->told & all)
		atom_bench_error(b, "tag %x: FAULT with other lanes", l->req.tag);
	l->told |= all;
}

/* Each lane shows once: a lane of a sector in memory with memory's answer (atom_check_trace), a lane beyond memory when
 * the request is taken. */
static void check_range(struct atom_bench *b)
{
	struct live *l = atom_by_tag(b, pin_get(b->trace_range_tag_o, 0, 22));
	const uint32_t lanes = pin_get(b->trace_range_lanes_o, 0, 32);
	if (!l || (!b->expect.range && lanes & ~l->out.range) || l->ranged & lanes || !lanes)
		atom_bench_error(b, "FAULT out of range that nobody expects");
	else
		l->ranged |= lanes;
}

void atom_check_trace(struct atom_bench *b)
{
	if (!b->traced)
		return;
	if (*b->trace_commit_valid_o != b->expect.commit)
		atom_bench_error(b, "COMMIT is %u, expected %u (tag %x)", *b->trace_commit_valid_o, b->expect.commit,
		                 b->expect.commit_tag);
	else if (b->expect.commit) {
		const uint64_t at = pin_get(b->trace_commit_addr_lo_o, 0, 32) |
		                    (uint64_t)pin_get(b->trace_commit_addr_hi_o, 0, 16) << 32;
		const uint32_t bytes = pin_get(b->trace_commit_bytes_written_o, 0, 32);
		bool same = pin_get(b->trace_commit_tag_o, 0, 22) == b->expect.commit_tag &&
		            bytes == b->expect.written &&
		            pin_get(b->trace_commit_lanes_o, 0, 32) == b->expect.commit_lanes &&
		            at == b->expect.sector * 32 && *b->trace_commit_has_old_o == b->expect.has_old &&
		            *b->trace_commit_has_policy_o == b->expect.has_policy &&
		            pin_get(b->trace_commit_policy_lo_o, 0, 32) == (uint32_t)b->expect.policy &&
		            pin_get(b->trace_commit_policy_hi_o, 0, 32) == b->expect.policy >> 32;
		const unsigned halves = atom_halves(b, b->expect.sector);
		for (unsigned i = 0; i < 32; i++)
			same = same && !(bytes >> i & 1 && b->trace_commit_now_o[i] != b->expect.now[i]) &&
			       !(b->expect.has_old && halves >> (i / 16) & 1 &&
			         b->trace_commit_old_o[i] != b->expect.old[i]);
		if (!same)
			atom_bench_error(b, "COMMIT of tag %x shows something else", b->expect.commit_tag);
	}
	const bool range = *b->trace_range_valid_o;
	if (range)
		check_range(b);
	if (b->expect.range && !(range && pin_get(b->trace_range_tag_o, 0, 22) == b->expect.range_tag &&
	                         pin_get(b->trace_range_lanes_o, 0, 32) == b->expect.range_lanes))
		atom_bench_error(b, "FAULT of lanes %08x of tag %x out of range is not shown", b->expect.range_lanes,
		                 b->expect.range_tag);
	if (*b->trace_fault_valid_o)
		check_faults(b);
}

void atom_check_done(struct atom_bench *b)
{
	if (!*b->done_valid_o)
		return;
	const unsigned warp = pin_get(b->done_warp_o, 0, 6);
	unsigned committed = b->answered[warp];
	for (unsigned i = 0; i < BENCH_LIVE; i++) {
		const struct live *l = &b->live[i];
		committed += l->used && l->whole && l->out.todo == 0 && !l->sharing && l->req.tag >> 16 == warp;
	}
	if (++b->told[warp] > committed)
		atom_bench_error(b, "warp %u is told that a request has committed", warp);
}

void atom_check_response(struct atom_bench *b)
{
	const unsigned L = b->lanes, port = b->ports > 1 ? pin_get(b->rsp_port_o, 0, 2) : 0;
	const uint32_t tag = pin_get(b->rsp_o, 0, 22), passes = pin_get(b->rsp_o, 23, 6);
	const bool last = pin_get(b->rsp_o, 22, 1);
	struct live *l = atom_by_tag(b, tag);
	if (!l || l->port != port || l->out.todo || l->sharing || b->told[tag >> 16] <= b->answered[tag >> 16]) {
		atom_bench_error(b, "a response with tag %x: %s", tag,
		                 !l            ? "nobody waits for it"
		                 : l->out.todo ? "not all is done"
		                               : "wrong port, or not done");
		return;
	}
	const struct atom_req *r = &l->req;
	bool any = false;
	if (b->traced && l->told != (l->out.misaligned | l->out.bad_space | (r->illegal ? r->mask : 0)))
		atom_bench_error(b, "tag %x: FAULTs of lanes %08x", tag, l->told);
	if (b->traced && l->ranged != l->out.range)
		atom_bench_error(b, "tag %x: FAULTs of lanes %08x out of range, expected %08x", tag, l->ranged,
		                 l->out.range);
	for (unsigned i = 0; i < L; i++) {
		const unsigned lane = l->beat * L + i, fault = pin_get(b->rsp_o, 30 + 2 * L + i * 6, 6),
		               want = atom_fault(r, &l->out, lane);
		const bool served = atom_served(r, &l->out, lane), written = served && r->rd_used;
		uint32_t data[4];
		memcpy(data, b->rsp_data_o + 16 * i, 16);
		any |= want != 0;
		b->faults += want != 0;
		b->refusals += l->out.refused >> lane & 1;
		if (fault != want || pin_get(b->rsp_o, 29 + i, 1) != written ||
		    pin_get(b->rsp_o, 29 + L + i, 1) != (served && r->pd_used))
			atom_bench_error(b,
			                 "tag %x kind %u lane %u: fault %u written %u predicate %u, expected %u %d %d",
			                 tag, r->kind, lane, fault, pin_get(b->rsp_o, 29 + i, 1),
			                 pin_get(b->rsp_o, 29 + L + i, 1), want, written, served && r->pd_used);
		const uint32_t zeros[4] = {0};
		const uint32_t *expected = written ? l->out.data[lane] : zeros;
		if (memcmp(data, expected, 16) != 0)
			atom_bench_error(b,
			                 "tag %x kind %u op %u type %u size %u lane %u: %08x %08x %08x %08x, expected "
			                 "%08x %08x %08x %08x",
			                 tag, r->kind, r->op, r->type, 1u << r->size, lane, data[3], data[2], data[1],
			                 data[0], expected[3], expected[2], expected[1], expected[0]);
	}
	if (pin_get(b->rsp_o, 29 + 2 * L, 1) != any)
		atom_bench_error(b, "tag %x: `any fault` is not %d", tag, any);
	if (last != (l->beat == b->beats - 1) || (last && passes != l->out.passes))
		atom_bench_error(b, "tag %x kind %u mask %08x: last %u, %u passes, expected %u", tag, r->kind, r->mask,
		                 last, passes, l->out.passes);
	if (++l->beat == b->beats) {
		b->retired++;
		b->passes += l->out.passes;
		b->answered[tag >> 16]++;
		l->used = false;
	}
}

void atom_check_request(struct atom_bench *b)
{
	uint8_t now[80] = {0};
	memcpy(now, b->mem_req_data_o, 32);
	memcpy(now + 32, b->mem_req_mask_o, 4);
	memcpy(now + 36, b->mem_req_addr_o, 6);
	now[42] = (uint8_t)(*b->mem_req_write_o | *b->mem_req_cond_o << 1);
	now[43] = *b->mem_req_policy_valid_o;
	memcpy(now + 44, b->mem_req_policy_o, 8);
	now[52] = *b->mem_req_id_o;
	if (b->req_held && (!*b->mem_req_valid_o || memcmp(now, b->req_was, sizeof now) != 0))
		atom_bench_error(b, "a request to memory does not hold until it is taken");
	b->req_held = *b->mem_req_valid_o && !*b->mem_req_ready_i;
	memcpy(b->req_was, now, sizeof now);
}

// SPDX-License-Identifier: Apache-2.0
/* compare.c -- REF is stepped on the lanes of an event. Then everything common to all units is compared: plan, faults,
 * results, memory. The unit compares the values of a COMMIT. */
#include <stdio.h>
#include <string.h>

#include "flight.h"
#include "mon_unit.h"
#include "warplock/alu.h"

void compare_accept(struct lockstep *ls, struct flight *f)
{
	if (f->ops) {
		f->ops->plan(ls->ref, &f->req, &f->plan, &f->ref);
		return;
	}
	memset(&f->plan, 0, sizeof f->plan);
	memset(&f->ref, 0, sizeof f->ref);
	complain_always(ls, "a request of %s, which REF does not have", wl_unit_name(wl_req_unit(&f->req)));
}

/* Returns the lanes that fault in the lanes' turn. */
static uint32_t step_ref(struct lockstep *ls, struct flight *f, const struct wl_event *e)
{
	if (f->unit && f->unit->misused && ls->source->applies)
		ls->source->applies(ls->source->self, &f->req, e->lanes, f->committed | f->faulted);
	return f->ops->apply(ls->ref, &f->req, &f->plan, e, &f->ref);
}

/* ---- FAULT ---- */

/* Faults by state take the place of the lanes' COMMIT: REF is stepped, and must say the same. */
static void compare_state_fault(struct lockstep *ls, struct flight *f, const struct wl_event *e)
{
	const bool can = (!f->plan.whole || e->lanes == f->plan.ok) && !(e->lanes & f->committed);
	const uint32_t got = can ? step_ref(ls, f, e) : 0;
	if (got != e->lanes)
		complain(ls, CHECK_FAULTS, f, "FAULT of lanes 0x%08x in their turn, in REF of 0x%08x", e->lanes, got);
	for (uint32_t left = got & e->lanes; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		if (f->ref.fault[l] != e->fault)
			complain(ls, CHECK_FAULTS, f, "FAULT: lane %u has %s, REF has %s", l, wl_fault_name(e->fault),
			         wl_fault_name((enum wl_fault)f->ref.fault[l]));
	}
	f->faulted |= e->lanes;
	releases_collect(ls);
}

/* The lanes of a beat with the same code; each code has a separate event. */
static void compare_static_fault(struct lockstep *ls, struct flight *f, const struct wl_event *e)
{
	const unsigned beat = (unsigned)__builtin_ctz(e->lanes) / ls->lanes * ls->lanes;
	const unsigned last = f->req.header ? WL_WARP_LANES : beat + ls->lanes;
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const unsigned ref = l >= beat && l < last ? f->plan.fault[l] : WL_FAULT_NONE;
		const unsigned want = ref == e->fault ? ref : WL_FAULT_NONE, got = e->lanes >> l & 1 ? e->fault : 0u;
		if (got != want) {
			complain(ls, CHECK_FAULTS, f, "FAULT: lane %u has %s, REF has %s", l,
			         wl_fault_name((enum wl_fault)got), wl_fault_name((enum wl_fault)ref));
			return;
		}
	}
	f->faulted |= e->lanes;
}

static bool may_fault_by_state(const struct flight *f)
{
	return f->unit && f->unit->mon && f->unit->mon->state_faults;
}

void compare_fault(struct lockstep *ls, struct flight *f, const struct wl_event *e)
{
	if (!e->lanes || e->lanes & f->faulted)
		complain(ls, CHECK_FAULTS, f, "FAULT without lanes, or a second one for a lane");
	else if (may_fault_by_state(f) && !(e->lanes & ~f->plan.ok))
		compare_state_fault(ls, f, e);
	else
		compare_static_fault(ls, f, e);
}

/* ---- COMMIT ---- */

/* A pass with all lanes lost to faults in their turn has no COMMIT. */
static void skip_lost_passes(struct flight *f)
{
	while (f->commits < f->plan.passes && !(f->plan.pass_lanes[f->commits] & ~f->faulted))
		f->commits++; /* in free order, other lost passes are swapped to this place in the end */
}

/* Among the passes to come in free order, the pass with `lanes` is next. */
static void bring_forward(struct flight *f, uint32_t lanes)
{
	uint32_t *pass = f->plan.pass_lanes;
	for (unsigned i = f->commits; i < f->plan.passes; i++) {
		if (!(pass[i] & lanes))
			continue;
		const uint32_t moved = pass[i];
		pass[i] = pass[f->commits];
		pass[f->commits] = moved;
		return;
	}
}

static __attribute__((noinline)) void compare_pass(struct lockstep *ls, struct flight *f, uint32_t lanes)
{
	const uint32_t bad = lanes & f->plan.faulted;
	if (bad)
		complain(ls, CHECK_FAULTS, f, "COMMIT of lanes 0x%08x, of which 0x%08x fault in REF: %s", lanes, bad,
		         wl_fault_name((enum wl_fault)f->plan.fault[__builtin_ctz(bad)]));
	skip_lost_passes(f);
	if (f->plan.any_order && f->commits >= f->plan.ordered)
		bring_forward(f, lanes);
	const unsigned pass = f->commits++;
	if (pass >= f->plan.passes)
		complain(ls, CHECK_PASSES, f, "COMMIT %u, REF has %u passes", pass + 1, f->plan.passes);
	else if ((lanes | f->faulted) != (f->plan.pass_lanes[pass] | f->faulted))
		complain(ls, CHECK_PASSES, f, "COMMIT %u of lanes 0x%08x, REF has 0x%08x", pass + 1, lanes,
		         f->plan.pass_lanes[pass]);
	const uint32_t can = f->plan.ok & ~f->committed & ~f->faulted;
	if (lanes & ~can)
		complain(ls, CHECK_PASSES, f, "COMMIT %u of lanes 0x%08x, of which REF can take 0x%08x", pass + 1,
		         lanes, can);
}

/* The next pass in order, of lanes that REF can take: no complaint of compare_pass applies. Nearly always. */
static inline bool is_next_pass(const struct flight *f, uint32_t lanes)
{
	return f->commits < f->plan.passes && f->plan.pass_lanes[f->commits] == lanes && lanes && !f->faulted &&
	       !(lanes & ~(f->plan.ok & ~f->committed)) && !f->plan.any_order && !f->plan.whole;
}

/* Leaves in the event the lanes that REF can take. */
void compare_commit(struct lockstep *ls, struct flight *f, struct wl_event *e)
{
	if (is_next_pass(f, e->lanes)) {
		f->commits++;
	} else {
		compare_pass(ls, f, e->lanes);
		if (f->plan.whole && (e->lanes != f->plan.ok || f->committed))
			return; /* REF cannot take these lanes, or takes all lanes only once */
		e->lanes &= f->plan.ok & ~f->committed & ~f->faulted;
		if (!e->lanes)
			return;
	}
	const uint32_t faults = step_ref(ls, f, e);
	f->committed |= e->lanes;
	if (faults)
		complain(ls, CHECK_FAULTS, f, "COMMIT of lanes 0x%08x, which fault in REF", faults);
	if (f->unit && f->unit->compare_commit)
		f->unit->compare_commit(ls, f, ls->now, e->lanes);
}

/* ---- RETIRE ---- */

static void count(struct lockstep *ls, const struct flight *f)
{
	struct lockstep_stats *s = &ls->stats;
	const enum wl_unit unit = wl_req_unit(&f->req);
	s->checked[unit]++;
	s->passes[f->ref.passes <= 32 ? f->ref.passes : 32]++;
	s->uops[f->req.inst.uop]++;
	s->partial += f->req.mask != UINT32_MAX;
	s->posted += f->req.posted;
	for (uint32_t left = f->ref.faulted; left; left &= left - 1)
		s->faults[f->ref.fault[__builtin_ctz(left)] & (WL_FAULT_COUNT - 1)]++;
	if (f->unit && f->unit->count)
		f->unit->count(f, s->counter[unit]);
}

static bool same_results(const struct flight *f)
{
	if (f->unit && f->unit->same_results)
		return f->unit->same_results(f);
	return result_equal(f, f->ref.result);
}

void complain_numbers(const struct flight *f, const uint32_t *dut, const uint32_t *ref, char *buf, size_t n)
{
	char a[50], b[50];
	*buf = 0;
	if (wl_atomic_numbers(&f->req.inst, dut, sizeof *dut, a, sizeof a) &&
	    wl_atomic_numbers(&f->req.inst, ref, sizeof *ref, b, sizeof b))
		snprintf(buf, n, " (%s, in REF %s)", a, b);
}

/* Word k of the lane's result differs. */
static void complain_result(struct lockstep *ls, const struct flight *f, unsigned lane, unsigned k,
                            const struct wl_lane *dut)
{
	const struct wl_lane *ref = &f->ref.result[lane];
	char numbers[120];
	complain_numbers(f, &dut->w[k], &ref->w[k], numbers, sizeof numbers);
	complain(ls, CHECK_VALUES, f, "result of lane %u, bits %u:%u: 0x%08x, REF has 0x%08x%s", lane, k * 32 + 31,
	         k * 32, dut->w[k], ref->w[k], numbers);
}

static void compare_results(struct lockstep *ls, struct flight *f)
{
	if (same_results(f))
		return;
	struct wl_lane dut[WL_WARP_LANES];
	result_lanes(f, dut);
	fill_record(ls, f, &f->ref);
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		for (unsigned k = 0; k < 4; k++)
			if (dut[l].w[k] != f->ref.result[l].w[k]) {
				complain_result(ls, f, l, k, &dut[l]);
				return;
			}
}

/* Content of the response. A request that waited has no response: the record is REF's. */
static void compare_response(struct lockstep *ls, struct flight *f)
{
	if (f->passes != f->ref.passes)
		complain(ls, CHECK_PASSES, f, "%u passes in the record, REF has %u", f->passes, f->ref.passes);
	if (memcmp(f->fault, f->ref.fault, sizeof f->fault) != 0)
		complain(ls, CHECK_FAULTS, f, "fault codes of the record differ from REF's");
	if (f->written != f->ref.written)
		complain(ls, CHECK_VALUES, f, "writes Rd of lanes 0x%08x, REF has 0x%08x", f->written, f->ref.written);
	if (f->preds != f->ref.preds)
		complain(ls, CHECK_VALUES, f, "predicates 0x%08x, REF has 0x%08x", f->preds, f->ref.preds);
	compare_results(ls, f);
}

void compare_retire(struct lockstep *ls, struct flight *f)
{
	if (f->plan.ok & ~f->committed & ~f->faulted) {
		complain(ls, CHECK_PASSES, f, "RETIRE, but only lanes 0x%08x have committed, REF has 0x%08x",
		         f->committed, f->plan.ok & ~f->faulted);
		return; /* REF cannot finish; only a run with this check off gets here again */
	}
	const uint32_t left = f->plan.ok & ~f->ref.committed & ~f->ref.faulted;
	if (left) {
		complain(ls, CHECK_FAULTS, f, "RETIRE, but lanes 0x%08x have faulted alone, REF has no fault of theirs",
		         left);
		return; /* likewise */
	}
	f->ops->finish(ls->ref, &f->req, &f->plan, &f->ref);
	skip_lost_passes(f);
	if (f->commits != f->plan.passes)
		complain(ls, CHECK_PASSES, f, "%u passes in the trace, REF has %u", f->commits, f->plan.passes);
	if (f->faulted != f->ref.faulted)
		complain(ls, CHECK_FAULTS, f, "FAULT events of lanes 0x%08x, REF has 0x%08x", f->faulted,
		         f->ref.faulted);
	if (!f->waits)
		compare_response(ls, f);
	count(ls, f);
}

/* ---- memory ---- */

enum { RUN = 64 * CHUNK }; /* bytes of a word of the map of filled chunks */

/* The expected word at `at`: REF's where a window was filled, else the word after reset. */
static uint32_t expected_word(const struct lockstep *ls, uint32_t at)
{
	const bool filled = ls->written[at / CHUNK / 64] >> (at / CHUNK % 64) & 1;
	return filled ? wl_smem_read(ls->smem, at) : ls->start[at / 4];
}

static uint32_t *part_word(struct lockstep *ls, uint32_t at)
{
	return &ls->mem[at % PART / 4];
}

/* `bytes` of memory, all filled or all not. */
static bool equal_bytes(struct lockstep *ls, uint32_t at, bool filled, uint32_t bytes)
{
	const void *want = filled ? (const void *)&ls->smem->mem[at] : &ls->start[at / 4];
	return memcmp(part_word(ls, at), want, bytes) == 0;
}

static bool equal_chunk(struct lockstep *ls, uint32_t at)
{
	return equal_bytes(ls, at, ls->written[at / CHUNK / 64] >> (at / CHUNK % 64) & 1, CHUNK);
}

/* Mostly all chunks of a word of the map are alike. */
static bool equal_run(struct lockstep *ls, uint32_t at)
{
	const uint64_t filled = ls->written[at / CHUNK / 64];
	return (filled == 0 || filled == UINT64_MAX) && equal_bytes(ls, at, filled != 0, RUN);
}

/* From `at` to `end`, already read. False: a complaint was made. */
static bool compare_part(struct lockstep *ls, uint32_t at, uint32_t end)
{
	for (; at < end; at += CHUNK) {
		if (at % RUN == 0 && end - at >= RUN && equal_run(ls, at)) {
			at += RUN - CHUNK;
			continue;
		}
		if (equal_chunk(ls, at))
			continue;
		while (*part_word(ls, at) == expected_word(ls, at))
			at += 4;
		complain(ls, CHECK_MEMORY, NULL, "shared memory at 0x%x: 0x%08x, REF has 0x%08x", at,
		         *part_word(ls, at), expected_word(ls, at));
		return false;
	}
	return true;
}

void compare_global(struct lockstep *ls)
{
	uint64_t addr;
	uint8_t dut, ref;
	board_memory_fetch_all(ls);
	if (ls->memory && memory_differs(ls->memory, &addr, &dut, &ref))
		complain(ls, CHECK_MEMORY, NULL, "global memory at 0x%llx: 0x%02x, REF has 0x%02x",
		         (unsigned long long)addr, dut, ref);
}

void compare_memory(struct lockstep *ls)
{
	const uint32_t bytes = ls->smem->bytes;
	const bool corrupt = ls->config.corrupt && strcmp(ls->config.corrupt->name, "memory") == 0;
	late_drain(ls);
	ls->stats.memory_compares++;
	for (uint32_t at = 0; at < bytes; at += PART) {
		const uint32_t end = bytes - at < PART ? bytes : at + PART;
		ls->api->read_mem(ls->model, at, end - at, ls->mem);
		if (corrupt && bytes / 2 >= at && bytes / 2 < end)
			*part_word(ls, bytes / 2) ^= 0x10000;
		if (!compare_part(ls, at, end))
			return;
	}
}

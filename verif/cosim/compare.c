// SPDX-License-Identifier: Apache-2.0
/* compare.c -- REF is stepped on the lanes that an event names, then everything the event carries is compared. */
#include <string.h>

#include "flight.h"

void compare_accept(struct lockstep *ls, struct flight *f)
{
	wl_atoms_plan(ls->ref, &f->req, &f->plan);
	wl_atoms_start(&f->req, &f->plan, &f->ref);
}

/* ---- FAULT ---- */

/* The lanes of one beat that have one code; an event of its own for each. */
void compare_fault(struct lockstep *ls, struct flight *f, const struct shim_event *e)
{
	const struct wl_plan *plan = &f->plan.common;
	if (!e->lanes || e->lanes & f->faulted) {
		complain(ls, CHECK_FAULTS, f, "FAULT without lanes, or a second one for a lane");
		return;
	}
	const unsigned first = (unsigned)__builtin_ctz(e->lanes) / ls->lanes * ls->lanes;
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const unsigned ref = l >= first && l < first + ls->lanes ? plan->fault[l] : WL_FAULT_NONE;
		const unsigned want = ref == e->code ? ref : WL_FAULT_NONE, got = e->lanes >> l & 1 ? e->code : 0u;
		if (got != want) {
			complain(ls, CHECK_FAULTS, f, "FAULT: lane %u has %s, REF has %s", l,
			         wl_fault_name((enum wl_fault)got), wl_fault_name((enum wl_fault)ref));
			return;
		}
	}
	f->faulted |= e->lanes;
}

/* ---- COMMIT ---- */

/* What the DUT wrote to the bank of one word of a lane, against REF's word before and after: names the difference. */
static void compare_word(struct lockstep *ls, const struct flight *f, unsigned lane, uint32_t word, uint32_t old,
                         uint32_t now)
{
	const struct trace_atoms_pipe_commit *o = ls->now->values;
	const uint32_t bank = word & (ls->ref->banks - 1u), row = word >> ls->bank_bits;
	if (!(o->we >> bank & 1))
		complain(ls, CHECK_VALUES, f, "COMMIT: lane %u stores to bank %u, the DUT does not", lane, bank);
	else if (o->row[bank] != row)
		complain(ls, CHECK_VALUES, f, "COMMIT: lane %u, bank %u: row %u, REF has %u", lane, bank, o->row[bank],
		         row);
	else if (o->old[bank] != old || o->now[bank] != now)
		complain(ls, CHECK_VALUES, f,
		         "COMMIT: lane %u, bank %u, row %u: 0x%08x becomes 0x%08x, in REF 0x%08x becomes 0x%08x", lane,
		         bank, row, o->old[bank], o->now[bank], old, now);
}

/* 32-bit lanes, nearly all there are: true when nothing differs. Row and words of a bank that the DUT does not write
 * are old ones, but then `want` differs. */
static bool equal_banks(const struct lockstep *ls, const struct flight *f, uint32_t stored)
{
	const struct trace_atoms_pipe_commit *o = ls->now->values;
	const uint32_t mask = ls->ref->banks - 1u;
	const unsigned shift = ls->bank_bits;
	uint32_t want = 0, differ = 0;
	for (uint32_t left = stored; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		const uint32_t word = f->ref.addr[l] >> 2, bank = word & mask;
		differ |= (o->row[bank] ^ word >> shift) | (o->old[bank] ^ f->ref.old[l].w[0]) |
		          (o->now[bank] ^ f->ref.now[l].w[0]);
		want |= UINT32_C(1) << bank;
	}
	return !differ && want == o->we;
}

/* The banks that the DUT wrote must be those of REF's lanes, with REF's words before and after. An access narrower than
 * a bank changes part of its word: `before` holds the words as they were. */
static void compare_banks(struct lockstep *ls, struct flight *f, uint32_t lanes, const uint32_t before[WL_WARP_LANES])
{
	const unsigned size = f->ref.size, words = size > 4 ? size / 4 : 1;
	const uint32_t group = (UINT32_C(1) << words) - 1;
	uint32_t want = 0;
	const uint32_t stored = f->ref.stored & lanes;
	const struct trace_atoms_pipe_commit *o = ls->now->values;
	if (size == 4 && equal_banks(ls, f, stored))
		return;
	for (uint32_t left = stored; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		const uint32_t word = f->ref.addr[l] >> 2;
		want |= group << (word & (ls->ref->banks - 1u));
		if (size < 4) {
			compare_word(ls, f, l, word, before[l], wl_smem_read(ls->ref, word * 4));
			continue;
		}
		for (unsigned k = 0; k < words; k++)
			compare_word(ls, f, l, word + k, f->ref.old[l].w[k], f->ref.now[l].w[k]);
	}
	if (o->we != want)
		complain(ls, CHECK_VALUES, f, "COMMIT: banks 0x%x are written, REF writes 0x%x", o->we, want);
}

static void words_before(const struct lockstep *ls, const struct flight *f, uint32_t lanes,
                         uint32_t before[WL_WARP_LANES])
{
	const uint32_t base = ls->ref->window[f->req.tag.slot].base;
	for (; lanes; lanes &= lanes - 1) {
		const unsigned l = (unsigned)__builtin_ctz(lanes);
		before[l] = wl_smem_read(ls->ref, (base + f->plan.addr[l]) & ~UINT32_C(3));
	}
}

void compare_commit(struct lockstep *ls, struct flight *f, const struct shim_event *e)
{
	const struct trace_atoms_pipe_commit *v = e->values;
	const uint32_t lanes = e->lanes;
	const unsigned pass = f->commits++;
	if (pass >= f->plan.common.passes)
		complain(ls, CHECK_PASSES, f, "COMMIT %u, REF has %u passes", pass + 1, f->plan.common.passes);
	else if (lanes != f->plan.common.pass_lanes[pass])
		complain(ls, CHECK_PASSES, f, "COMMIT %u of lanes 0x%08x, REF has 0x%08x", pass + 1, lanes,
		         f->plan.common.pass_lanes[pass]);
	if (lanes & ~f->plan.common.ok || lanes & f->committed)
		complain(ls, CHECK_PASSES, f, "COMMIT %u of lanes 0x%08x, of which REF can take 0x%08x", pass + 1,
		         lanes, f->plan.common.ok & ~f->committed);
	const uint32_t take = lanes & f->plan.common.ok & ~f->committed;
	f->committed |= take;
	uint32_t before[WL_WARP_LANES];
	if (f->ref.size < 4)
		words_before(ls, f, take, before);
	wl_atoms_apply(ls->ref, &f->req, &f->plan, take, &f->ref);
	if (f->req.inst.uop != WL_UOP_LDS)
		compare_banks(ls, f, take, before);
	else if (v->we)
		complain(ls, CHECK_VALUES, f, "COMMIT: a load writes banks 0x%x", v->we);
	ls->stats.forwards += (unsigned)__builtin_popcount(v->fwd);
}

/* ---- RETIRE ---- */

static void count(struct lockstep *ls, const struct flight *f)
{
	struct lockstep_stats *s = &ls->stats;
	const struct wl_inst *in = &f->req.inst;
	s->checked++;
	s->passes[f->plan.common.passes <= 32 ? f->plan.common.passes : 32]++;
	s->uops[in->uop]++;
	s->sizes[in->size <= 16 ? in->size : 0]++;
	if (in->uop == WL_UOP_ATOMS)
		s->ops[in->flags & WL_F_ONE ? LOCKSTEP_POPC_INC : in->op]++;
	s->partial += f->req.mask != UINT32_MAX;
	s->posted += f->req.posted;
	for (uint32_t left = f->plan.common.faulted; left; left &= left - 1)
		s->faults[f->plan.common.fault[__builtin_ctz(left)]]++;
	if (in->uop != WL_UOP_ATOMS_CAS && in->uop != WL_UOP_ATOMS_CAST)
		return;
	s->spin_losers += (unsigned)__builtin_popcount(f->plan.spin_losers);
	const uint32_t swapped = f->ref.stored;
	s->swapped += (unsigned)__builtin_popcount(swapped);
	s->not_swapped += (unsigned)__builtin_popcount(f->plan.common.ok & ~f->plan.spin_losers & ~swapped);
}

static void compare_results(struct lockstep *ls, const struct flight *f)
{
	if (memcmp(f->result, f->ref.result, sizeof f->result) == 0)
		return;
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		for (unsigned k = 0; k < 4; k++)
			if (f->result[l].w[k] != f->ref.result[l].w[k]) {
				complain(ls, CHECK_VALUES, f, "result of lane %u, bits %u:%u: 0x%08x, REF has 0x%08x",
				         l, k * 32 + 31, k * 32, f->result[l].w[k], f->ref.result[l].w[k]);
				return;
			}
}

void compare_retire(struct lockstep *ls, struct flight *f)
{
	if (f->committed != f->plan.common.ok) {
		complain(ls, CHECK_PASSES, f, "RETIRE, but only lanes 0x%08x have committed, REF has 0x%08x",
		         f->committed, f->plan.common.ok);
		return; /* REF cannot finish; only a run with this check off gets here again */
	}
	wl_atoms_finish(&f->req, &f->plan, &f->ref);
	if (f->commits != f->ref.passes || f->passes != f->ref.passes)
		complain(ls, CHECK_PASSES, f, "%u passes in the trace, %u in the record, REF has %u", f->commits,
		         f->passes, f->ref.passes);
	if (f->faulted != f->ref.faulted)
		complain(ls, CHECK_FAULTS, f, "FAULT events of lanes 0x%08x, REF has 0x%08x", f->faulted,
		         f->ref.faulted);
	if (memcmp(f->fault, f->ref.fault, sizeof f->fault) != 0)
		complain(ls, CHECK_FAULTS, f, "fault codes of the record differ from REF's");
	if (f->written != f->ref.written)
		complain(ls, CHECK_VALUES, f, "writes Rd of lanes 0x%08x, REF has 0x%08x", f->written, f->ref.written);
	if (f->preds != f->ref.preds)
		complain(ls, CHECK_VALUES, f, "predicates 0x%08x, REF has 0x%08x", f->preds, f->ref.preds);
	compare_results(ls, f);
	count(ls, f);
}

/* ---- memory ---- */

void compare_memory(struct lockstep *ls)
{
	ls->stats.memory_compares++;
	ls->api->read_mem(ls->model, ls->mem);
	if (ls->config.corrupt == CORRUPT_memory)
		ls->mem[ls->ref->bytes / 8] ^= 0x10000;
	if (memcmp(ls->mem, ls->ref->mem, ls->ref->bytes) == 0)
		return;
	for (uint32_t at = 0; at < ls->ref->bytes; at += 4)
		if (ls->mem[at / 4] != wl_smem_read(ls->ref, at)) {
			complain(ls, CHECK_MEMORY, NULL, "shared memory at 0x%x: 0x%08x, REF has 0x%08x", at,
			         ls->mem[at / 4], wl_smem_read(ls->ref, at));
			return;
		}
}

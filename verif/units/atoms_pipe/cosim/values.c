// SPDX-License-Identifier: Apache-2.0
/* values.c -- the banks written by a pass of atoms_pipe, with the words before and after, against REF's lanes. */
#include <string.h>

#include "../../../cosim/flight.h"
#include "atoms_pipe.h"
#include "lane_row.h"
#include "native.h"

typedef struct trace_atoms_pipe_commit commit_values;

/* For requests of atoms_pipe only: mbarrier_engine's requests have other plans. */
INLINE const struct wl_atoms_narrow *plan_of(const struct flight *f)
{
	return (const struct wl_atoms_narrow *)(const void *)&f->plan;
}

/* Number of the lane's 32-bit word in the SM's shared memory. `base`: of the window. */
INLINE uint32_t word_of(const struct flight *f, bool narrow, uint32_t base, unsigned lane)
{
	return narrow ? (base + plan_of(f)->plan.addr[lane]) >> 2 : (uint32_t)f->ref.addr[lane] >> 2;
}

INLINE uint32_t base_of(const struct lockstep *ls, const struct flight *f)
{
	return ls->smem->window[f->req.tag.slot].base;
}

INLINE unsigned bank_bits(const struct lockstep *ls)
{
	return (unsigned)__builtin_ctz(ls->smem->banks);
}

/* Compares the DUT's write to the bank of a word of a lane with REF's word before and after; names the difference. */
static void compare_word(struct lockstep *ls, const struct flight *f, const commit_values *v, unsigned lane,
                         uint32_t word, uint32_t old, uint32_t now)
{
	const uint32_t bank = word & (ls->smem->banks - 1u), row = word >> bank_bits(ls);
	if (!(v->we >> bank & 1))
		complain(ls, CHECK_VALUES, f, "COMMIT: lane %u stores to bank %u, the DUT does not", lane, bank);
	else if (v->row[bank] != row)
		complain(ls, CHECK_VALUES, f, "COMMIT: lane %u, bank %u: row %u, REF has %u", lane, bank, v->row[bank],
		         row);
	else if (v->old[bank] != old || v->now[bank] != now) {
		char numbers[120];
		complain_numbers(f, &v->now[bank], &now, numbers, sizeof numbers);
		complain(ls, CHECK_VALUES, f,
		         "COMMIT: lane %u, bank %u, row %u: 0x%08x becomes 0x%08x, in REF 0x%08x becomes 0x%08x%s",
		         lane, bank, row, v->old[bank], v->now[bank], old, now, numbers);
	}
}

INLINE uint32_t bank_differs(const struct flight *f, const commit_values *v, bool narrow, uint32_t base, uint32_t mask,
                             unsigned shift, unsigned l, uint32_t *want)
{
	const uint32_t word = word_of(f, narrow, base, l), bank = word & mask, row = word >> shift;
	const uint32_t old = narrow ? plan_of(f)->words.old[l] : f->ref.old[l].w[0];
	const uint32_t now = narrow ? plan_of(f)->words.now[l] : f->ref.now[l].w[0];
	*want |= UINT32_C(1) << bank;
	return (v->row[bank] ^ row) | (v->old[bank] ^ old) | (v->now[bank] ^ now);
}

/* 32-bit lanes, nearly all requests: true if all is equal. For a bank without a write by the DUT, row and words are
 * stale; then `want` differs. */
INLINE bool equal_banks(const struct lockstep *ls, const struct flight *f, const commit_values *v, bool narrow,
                        uint32_t stored)
{
	const uint32_t base = base_of(ls, f), mask = ls->smem->banks - 1u;
	const unsigned shift = bank_bits(ls);
	uint32_t want = 0, differ = 0;
	if (stored == UINT32_MAX) { /* without branches */
		for (unsigned l = 0; l < WL_WARP_LANES; l++)
			differ |= bank_differs(f, v, narrow, base, mask, shift, l, &want);
	} else {
		for (uint32_t left = stored; left; left &= left - 1)
			differ |= bank_differs(f, v, narrow, base, mask, shift, (unsigned)__builtin_ctz(left), &want);
	}
	return !differ && want == v->we;
}

/* An access narrower than a bank changes part of a word: the word before this lane's turn. */
static uint32_t word_before(uint32_t after, const struct wl_record *rec, unsigned lane)
{
	const unsigned shift = (unsigned)rec->addr[lane] % 4 * 8;
	const uint32_t part = ((UINT32_C(1) << rec->size * 8) - 1) << shift;
	return (after & ~part) | (rec->old[lane].w[0] << shift & part);
}

/* Lanes of `stored` on the lane's word. */
static uint32_t on_its_word(const struct wl_record *rec, uint32_t stored, unsigned lane)
{
	uint32_t same = 0;
	for (uint32_t left = stored; left; left &= left - 1)
		same |= (uint32_t)(rec->addr[__builtin_ctz(left)] == rec->addr[lane]) << __builtin_ctz(left);
	return same;
}

/* The banks written by the DUT must be the banks of REF's lanes, with REF's words before and after. For lanes combined
 * on a word: the word before the first lane and after the last lane. */
static void compare_banks(struct lockstep *ls, struct flight *f, const commit_values *v, uint32_t stored)
{
	const unsigned size = f->ref.size, words = size > 4 ? size / 4 : 1;
	const uint32_t group = (UINT32_C(1) << words) - 1;
	uint32_t want = 0;
	for (uint32_t left = stored; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		const uint32_t word = (uint32_t)f->ref.addr[l] >> 2;
		const uint32_t mates = ls->smem->combine ? on_its_word(&f->ref, stored, l) : UINT32_C(1) << l;
		const unsigned last = 31u - (unsigned)__builtin_clz(mates);
		if ((unsigned)__builtin_ctz(mates) != l)
			continue;
		want |= group << (word & (ls->smem->banks - 1u));
		if (size < 4) {
			const uint32_t after = wl_smem_read(ls->smem, word * 4);
			compare_word(ls, f, v, l, word, word_before(after, &f->ref, l), after);
			continue;
		}
		for (unsigned k = 0; k < words; k++)
			compare_word(ls, f, v, l, word + k, f->ref.old[l].w[k], f->ref.now[last].w[k]);
	}
	if (v->we != want)
		complain(ls, CHECK_VALUES, f, "COMMIT: banks 0x%x are written, REF writes 0x%x", v->we, want);
}

/* Banks where lanes without a store take a word written by the pass of the cycle before. */
INLINE uint32_t forwarded(const struct lockstep *ls, const struct flight *f, bool narrow, uint32_t lanes)
{
	const struct atoms_pipe_state *last = ls->unit_state[WL_UNIT_atoms_pipe];
	const unsigned words = f->ref.size > 4 ? f->ref.size / 4 : 1, shift = bank_bits(ls);
	const uint32_t base = base_of(ls, f), mask = ls->smem->banks - 1u;
	uint32_t want = 0;
	if (words == 1 && lanes == UINT32_MAX) { /* nearly always: without branches */
		for (unsigned l = 0; l < WL_WARP_LANES; l++) {
			const uint32_t word = word_of(f, narrow, base, l), bank = word & mask;
			want |= (uint32_t)(last->row[bank] == word >> shift) << bank;
		}
		return want & last->we;
	}
	for (uint32_t left = lanes; left; left &= left - 1)
		for (unsigned k = 0; k < words; k++) {
			const uint32_t word = word_of(f, narrow, base, (unsigned)__builtin_ctz(left)) + k;
			want |= (uint32_t)(last->row[word & mask] == word >> shift) << (word & mask);
		}
	return want & last->we;
}

/* `lanes`: lanes that take part. `more`: faulted lanes took part, too. The rows of lanes with a store are equal to the
 * DUT's by now. A pass of the lean form has the pipe alone, so nothing is forwarded. */
INLINE void compare_forwards(struct lockstep *ls, struct flight *f, const commit_values *v, bool narrow, uint32_t lanes,
                             bool more)
{
	struct atoms_pipe_state *last = ls->unit_state[WL_UNIT_atoms_pipe];
	uint32_t want = 0;
	if (last->we && last->cycle + 1 == ls->when && !ls->api->lean) {
		want = v->we & last->we ? rows_equal(v->row, last->row) & v->we & last->we : 0;
		if (lanes & ~f->ref.stored)
			want |= forwarded(ls, f, narrow, lanes & ~f->ref.stored);
	}
	if (more ? want & ~v->fwd : v->fwd != want)
		complain(ls, CHECK_VALUES, f, "COMMIT: words of banks 0x%x are forwarded, in REF of 0x%x", v->fwd,
		         want);
	last->cycle = ls->when;
	last->we = v->we;
	if (v->we)
		memcpy(last->row, v->row, sizeof last->row);
	if (v->fwd)
		ls->stats.counter[WL_UNIT_atoms_pipe][ATOMS_FORWARDS] += (unsigned)__builtin_popcount(v->fwd);
}

void atoms_pipe_landed(struct lockstep *ls, uint32_t row, uint32_t words)
{
	struct atoms_pipe_state *last = ls->unit_state[WL_UNIT_atoms_pipe];
	last->cycle = ls->when;
	last->we = words;
	for (uint32_t left = words; left; left &= left - 1)
		last->row[__builtin_ctz(left)] = row;
}

void atoms_pipe_compare_mbar(struct lockstep *ls, struct flight *f, const struct shim_event *e, uint32_t lanes)
{
	const commit_values *v = e->values;
	if (!v && ls->api->ahead)
		return;
	compare_banks(ls, f, v, f->ref.stored & lanes);
	compare_forwards(ls, f, v, false, lanes, f->faulted != 0);
}

/* Counts words of stores and atomics by the number of lanes taken by a pass on the word. */
static void count_words(struct lockstep *ls, struct flight *f, uint32_t lanes)
{
	uint64_t *n = ls->stats.counter[WL_UNIT_atoms_pipe];
	if (f->req.inst.uop != WL_UOP_STS && f->req.inst.uop != WL_UOP_ATOMS)
		return;
	if (plan_of(f)->plan.narrow)
		fill_record(ls, f, &f->ref);
	for (uint32_t left = lanes; left;) {
		const uint32_t mates = on_its_word(&f->ref, left, (unsigned)__builtin_ctz(left));
		const int degree = __builtin_popcount(mates);
		n[degree == 1   ? ATOMS_WORDS_1
		  : degree <= 4 ? ATOMS_WORDS_4
		  : degree < 17 ? ATOMS_WORDS_16
		                : ATOMS_WORDS_32]++;
		left &= ~mates;
	}
}

/* The values of a COMMIT for later, and the words pointed to by the values. */
struct kept_values {
	commit_values v;
	uint32_t old[SHIM_LANES], now[SHIM_LANES];
};
_Static_assert(sizeof(struct kept_values) <= LATE_VALUES * sizeof(uint64_t), "the values fit");

LANE_LOOP void atoms_pipe_keep(const struct lockstep *ls, const void *values, void *copy)
{
	const commit_values *v = values;
	struct kept_values *k = copy;
	k->v.we = v->we;
	k->v.fwd = v->fwd;
	k->v.old = k->old;
	k->v.now = k->now;
	if (!v->we)
		return;
	memcpy(k->v.row, v->row, sizeof v->row);
	if (ls->smem->banks == SHIM_LANES) { /* a size known to the compiler: without branches */
		memcpy(k->old, v->old, sizeof k->old);
		memcpy(k->now, v->now, sizeof k->now);
	} else {
		memcpy(k->old, v->old, ls->smem->banks * sizeof k->old[0]);
		memcpy(k->now, v->now, ls->smem->banks * sizeof k->now[0]);
	}
}

INLINE void compare_pass(struct lockstep *ls, struct flight *f, const commit_values *v, bool narrow, uint32_t lanes)
{
	const uint32_t stored = f->ref.stored & lanes;
	if (f->req.inst.uop == WL_UOP_LDS || f->req.inst.uop == WL_UOP_LDSM) {
		if (v->we)
			complain(ls, CHECK_VALUES, f, "COMMIT: a load writes banks 0x%x", v->we);
	} else if ((!narrow && f->ref.size != 4) || !equal_banks(ls, f, v, narrow, stored)) {
		if (narrow)
			fill_record(ls, f, &f->ref);
		compare_banks(ls, f, v, stored);
	}
	compare_forwards(ls, f, v, narrow, lanes & ~plan_of(f)->plan.spin_losers, false);
}

LANE_LOOP void atoms_pipe_compare(struct lockstep *ls, struct flight *f, const struct shim_event *e, uint32_t lanes)
{
	const commit_values *v = e->values;
	if (!v && ls->api->ahead)
		return;
	if (plan_of(f)->plan.narrow) /* two loops, each with its own rows */
		compare_pass(ls, f, v, true, lanes);
	else
		compare_pass(ls, f, v, false, lanes);
	if (ls->smem->combine)
		count_words(ls, f, lanes);
	if (f->req.inst.uop == WL_UOP_ATOMSN)
		native_commit(ls, f, lanes, ls->stats.counter[WL_UNIT_atoms_pipe] + ATOMS_NATIVE);
	if (ls->config.timing)
		atoms_pipe_compare_cycle(ls, f);
}

/* Narrow plans: the low word of a written lane is the old word of the plan's rows; for CAST 1 if the lane stored, else
 * 0. All other words are 0. */
LANE_LOOP bool atoms_pipe_same_results(const struct flight *f)
{
	const struct wl_atoms_narrow *n = plan_of(f);
	const uint32_t written = f->ref.written;
	uint32_t differ = 0;
	if (!n->plan.narrow)
		return result_equal(f, f->ref.result);
	if (f->req.inst.uop == WL_UOP_ATOMS_CAST)
		for (unsigned l = 0; l < WL_WARP_LANES; l++)
			differ |= f->low[l] ^ ((written & f->ref.stored) >> l & 1);
	else
		for (unsigned l = 0; l < WL_WARP_LANES; l++)
			differ |= f->low[l] ^ (written >> l & 1 ? n->words.old[l] : 0);
	return !differ && !f->wide;
}

void atoms_pipe_count(const struct flight *f, uint64_t *counter)
{
	const struct wl_inst *in = &f->req.inst;
	const struct wl_atoms_plan *plan = (const struct wl_atoms_plan *)(const void *)&f->plan;
	const bool alone = in->ra == WL_RZ;
	counter[ATOMS_ABSOLUTE] += alone && in->ur == 255;
	counter[ATOMS_UR_ALONE] += alone && in->ur != 255;
	counter[ATOMS_UR_NEGATIVE] += alone && in->ur != 255 && in->off < 0;
	counter[ATOMS_DROPPED] += in->uop == WL_UOP_LDS && in->rd == WL_RZ;
	counter[ATOMS_HIGH] += f->ref.committed && plan->addr[__builtin_ctz(f->ref.committed)] >= 0x8000;
	counter[ATOMS_SIZES + __builtin_ctz(in->size | 16u)]++;
	if (in->uop == WL_UOP_ATOMS)
		counter[in->flags & WL_F_ONE ? ATOMS_POPC_INC : ATOMS_OPS + in->op]++;
	if (wl_atoms_is_matrix(in))
		counter[ATOMS_MATRICES + 6 * (in->uop == WL_UOP_STSM) + 3 * in->type +
		        __builtin_popcount(in->lut) / 2]++;
	if (in->uop == WL_UOP_ATOMSN)
		native_count(f, counter + ATOMS_NATIVE);
	counter[ATOMS_EXCH_128] += in->uop == WL_UOP_ATOMS && in->size == 16;
	if (in->uop != WL_UOP_ATOMS_CAS && in->uop != WL_UOP_ATOMS_CAST && in->uop != WL_UOP_ATOMS_CAST_P)
		return;
	const uint32_t stored = f->ref.stored;
	counter[ATOMS_SPIN_LOSERS] += (unsigned)__builtin_popcount(plan->spin_losers);
	counter[ATOMS_SWAPPED] += (unsigned)__builtin_popcount(stored);
	counter[ATOMS_NOT_SWAPPED] += (unsigned)__builtin_popcount(plan->common.ok & ~plan->spin_losers & ~stored);
	if (in->size < 16)
		return;
	counter[ATOMS_SWAPPED_128] += (unsigned)__builtin_popcount(stored);
	counter[ATOMS_NOT_SWAPPED_128] += (unsigned)__builtin_popcount(plan->common.ok & ~stored);
}

/* The DUT's words of lanes with a store. Earlier passes were equal to REF's. Words of this pass are on the trace. */
void atoms_pipe_show(const struct lockstep *ls, const struct flight *f, const struct shim_event *e, struct complaint *c)
{
	const commit_values *v = e && e->kind == WL_EV_COMMIT && f->ref.size >= 4 ? e->values : NULL;
	memcpy(c->dut.old, c->ref.old, sizeof c->dut.old); /* c->ref is filled in; f->ref may not be */
	memcpy(c->dut.now, c->ref.now, sizeof c->dut.now);
	c->dut_stored = f->ref.stored;
	for (uint32_t left = v && !ls->smem->combine ? e->lanes & f->ref.stored : 0; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		for (unsigned k = 0; k < f->ref.size / 4u; k++) {
			const uint32_t bank = (((uint32_t)c->ref.addr[l] >> 2) + k) & (ls->smem->banks - 1u);
			c->dut.old[l].w[k] = v->old[bank];
			c->dut.now[l].w[k] = v->now[bank];
		}
	}
}

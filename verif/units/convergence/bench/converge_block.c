// SPDX-License-Identifier: Apache-2.0
#include "converge_block.h"

#include <inttypes.h>
#include <stdio.h>

static void expect(struct block *b, const char *what, uint32_t got, uint32_t want)
{
	if (got != want && b->errors++ < 10) {
		printf("instruction %lu: %s is %" PRIx32 ", expected %" PRIx32 "\n", b->steps, what, got, want);
	}
}

static unsigned below(struct block *b, unsigned n)
{
	return rng_below(&b->rng, n);
}

void block_launch(struct block *b, uint32_t live)
{
	b->state.live = live;
	b->state.waits = b->state.yielded = b->state.used = 0;
}

/* A barrier with only empty sets may have a row or not. An empty set may stand in the row, or be marked beside the
 * row. */
static void place_sets(struct block *b, const struct ref_warp *w)
{
	struct block_state *s = &b->state;
	s->used = 0;
	for (unsigned i = 0; i < b->bars; i++) {
		uint32_t any = 0;
		s->cleared[i] = 0;
		for (unsigned l = 0; l < b->lanes; l++) {
			any |= s->set[i][l] = ref_mask(w, w->in[i][l]);
			s->cleared[i] |= (uint32_t)(!s->set[i][l] && below(b, 2)) << l;
		}
		s->used |= (uint32_t)(any || below(b, 2)) << i;
	}
}

void block_place(struct block *b, const struct ref_warp *w)
{
	struct block_state *s = &b->state;
	block_launch(b, 0);
	place_sets(b, w);
	for (unsigned l = 0; l < b->lanes; l++) {
		const struct ref_lane *lane = &w->lane[l];
		s->live |= (uint32_t)lane->live << l;
		s->waits |= (uint32_t)lane->waits << l;
		s->yielded |= (uint32_t)lane->yielded << l;
		s->at[l] = (unsigned)lane->at_warpsync << b->bar_bits | lane->place;
		s->want[l] = ref_mask(w, lane->at_warpsync ? lane->mask : w->in[lane->place][l]);
	}
}

/* ---- the state at the pins ------------------------------------------------------------------------------------- */

static void drive_state(struct block *b, unsigned bar)
{
	const struct block_state *s = &b->state;
	const unsigned n = b->lanes, at_bits = b->bar_bits + 1;
	pin_set(b->live_i, 0, n, s->live);
	pin_set(b->waits_i, 0, n, s->waits);
	pin_set(b->yielded_i, 0, n, s->yielded);
	pin_set(b->used_i, 0, b->bars, s->used);
	for (unsigned l = 0; l < n; l++) {
		const bool waits = s->waits >> l & 1, has = s->used >> bar & 1;
		pin_set(b->at_i, l * at_bits, at_bits, waits ? s->at[l] : rng_u32(&b->rng));
		pin_set(b->want_i, l * n, n, waits ? s->want[l] : rng_u32(&b->rng));
		pin_set(b->set_i, l * n, n, has && !(s->cleared[bar] >> l & 1) ? s->set[bar][l] : rng_u32(&b->rng));
	}
	for (unsigned i = 0; i < b->bars; i++) {
		pin_set(b->cleared_i, i * n, n, s->used >> i & 1 ? s->cleared[i] : rng_u32(&b->rng));
	}
}

static void keep_state(struct block *b, unsigned bar)
{
	struct block_state *s = &b->state;
	const unsigned n = b->lanes, at_bits = b->bar_bits + 1;
	s->live = pin_get(b->live_o, 0, n);
	s->waits = pin_get(b->waits_o, 0, n);
	s->yielded = pin_get(b->yielded_o, 0, n);
	s->used = pin_get(b->used_o, 0, b->bars);
	for (unsigned l = 0; l < n; l++) {
		s->at[l] = pin_get(b->at_o, l * at_bits, at_bits);
		s->want[l] = pin_get(b->want_o, l * n, n);
		s->set[bar][l] = *b->set_we_o ? pin_get(b->set_o, l * n, n) : s->set[bar][l];
	}
	for (unsigned i = 0; i < b->bars; i++) {
		s->cleared[i] = pin_get(b->cleared_o, i * n, n);
	}
}

static void compare_state(struct block *b, const struct ref_warp *w)
{
	const struct block_state *s = &b->state;
	expect(b, "live_o", s->live, ref_live(w));
	expect(b, "ready_o", pin_get(b->ready_o, 0, b->lanes), ref_ready(w));
	for (unsigned l = 0; l < b->lanes; l++) {
		const struct ref_lane *lane = &w->lane[l];
		expect(b, "waits_o", s->waits >> l & 1, lane->waits);
		if (lane->live && !lane->waits) {
			expect(b, "yielded_o", s->yielded >> l & 1, lane->yielded);
		} else if (lane->waits) {
			const bool *set = lane->at_warpsync ? lane->mask : w->in[lane->place][l];
			expect(b, "at_o", s->at[l], (unsigned)lane->at_warpsync << b->bar_bits | lane->place);
			expect(b, "want_o", s->want[l], ref_mask(w, set));
		}
		for (unsigned i = 0; i < b->bars; i++) {
			const bool has = s->used >> i & 1 && !(s->cleared[i] >> l & 1);
			expect(b, "a lane's set", has ? s->set[i][l] : 0, ref_mask(w, w->in[i][l]));
		}
	}
}

/* ---- instructions ---------------------------------------------------------------------------------------------- */

static void drive_op(struct block *b, const struct ref_op *op, unsigned bar, uint32_t stands)
{
	const bool reads = op->kind == REF_R2B || op->kind == REF_WARPSYNC;
	*b->valid_i = 1;
	*b->exit_i = op->kind == REF_EXIT;
	*b->kind_i = op->kind != REF_EXIT ? (uint8_t)op->kind : below(b, 2) ? REF_YIELD : (uint8_t)below(b, REF_EXIT);
	*b->apart_i = op->kind == REF_WARPSYNC ? op->apart : below(b, 2);
	pin_set(b->bar_i, 0, b->bar_bits, bar);
	pin_set(b->lanes_i, 0, b->lanes, op->lanes);
	pin_set(b->stands_i, 0, b->lanes, stands);
	for (unsigned l = 0; l < b->lanes; l++) {
		pin_set(b->row_i, l * b->lanes, b->lanes, reads ? op->row[l] : rng_u32(&b->rng));
	}
}

void block_idle(struct block *b)
{
	*b->valid_i = 0;
	b->model.eval(b->model.self);
	expect(b, "set_we_o beside no request", *b->set_we_o, 0);
	expect(b, "faults beside no request", pin_get(b->self_o, 0, b->lanes) | pin_get(b->odds_o, 0, b->lanes), 0);
}

/* A row is written only when a set changes: by these kinds, and by a YIELD letting lanes go. */
static bool writes(enum ref_kind kind)
{
	return kind == REF_BSSY || kind == REF_BREAK || kind == REF_CLEAR || kind == REF_R2B;
}

void block_take(struct block *b, const struct block_step *step)
{
	/* A YIELD is asked for each barrier with waiting lanes, at least once. */
	uint32_t bars = step->bars;
	const unsigned first = bars ? (unsigned)__builtin_ctz(bars) : step->op->bar;
	const uint32_t stands = step->op->lanes & b->state.waits;
	bool written = false;
	for (unsigned bar = first;; bar = (unsigned)__builtin_ctz(bars)) {
		drive_op(b, step->op, bar, stands);
		drive_state(b, bar);
		b->model.eval(b->model.self);
		expect(b, "self_o", pin_get(b->self_o, 0, b->lanes), step->bad.self);
		expect(b, "odds_o", pin_get(b->odds_o, 0, b->lanes), step->bad.mismatch);
		for (unsigned l = 0; l < b->lanes && bar == first; l++) {
			expect(b, "row_o", pin_get(b->row_o, l * b->lanes, b->lanes), step->old[l]);
		}
		written |= *b->set_we_o;
		keep_state(b, bar);
		if (!(bars &= bars - 1)) {
			break;
		}
	}
	expect(b, "set_we_o", written, writes(step->op->kind) || step->lets_go);
	compare_state(b, step->after);
	b->steps++;
}

void block_open(struct block *b, const struct bench_args *a)
{
	b->model = a->model;
	b->lanes = model_param(&b->model, "Warp", 32);
	b->bars = model_param(&b->model, "Bars", 16);
	b->bar_bits = (unsigned)__builtin_ctz(b->bars);
	b->all = b->lanes == 32 ? UINT32_MAX : (UINT32_C(1) << b->lanes) - 1;
	b->rng = rng_seed(a->seed, 0);
	PINS_FIND(converge_step, b, &b->model);
}

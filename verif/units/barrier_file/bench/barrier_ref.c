// SPDX-License-Identifier: Apache-2.0
#include "barrier_ref.h"

#include "warplock/status.h"

uint32_t ref_index(const struct bar_request *q)
{
	if (q->form == BAR_PACKED) {
		return q->ra % 65536;
	}
	return q->form == BAR_ID_IN_RA ? q->ra : q->id;
}

uint32_t ref_threads(const struct bar_request *q)
{
	if (q->form == BAR_PACKED) {
		return q->ra / 65536;
	}
	return q->form == BAR_COUNT_IN_RB ? q->rb : q->count;
}

/* Warps wanted by an arrival. */
static unsigned wanted(const struct ref *r, const struct bar_request *q)
{
	uint32_t threads = ref_threads(q);
	return threads ? threads / 32 : r->cta[q->slot].launched;
}

static bool is_reduction(const struct bar_request *q)
{
	return q->kind == BAR_POPC || q->kind == BAR_AND || q->kind == BAR_OR;
}

/* SYNC and ARV go together, each reduction goes alone. */
static unsigned mode_of(const struct bar_request *q)
{
	return is_reduction(q) ? q->kind - BAR_POPC + 1u : 0;
}

static bool bad_count(const struct ref *r, const struct bar_request *q)
{
	uint32_t threads = ref_threads(q);
	if (threads == 0) {
		return q->kind == BAR_ARV;
	}
	return threads % 32 != 0 || threads / 32 > r->cta[q->slot].launched;
}

unsigned ref_fault(const struct ref *r, const struct bar_request *q)
{
	if (!r->cta[q->slot].open) {
		return WL_FAULT_SLOT_CLOSED;
	}
	if (ref_index(q) >= r->barriers) {
		return WL_FAULT_BAR_BAD_ID;
	}
	if (bad_count(r, q)) {
		return WL_FAULT_BAR_BAD_COUNT;
	}
	const struct ref_barrier *b = &r->cta[q->slot].barrier[ref_index(q)];
	if (b->arrivals && wanted(r, &b->arrival[0]) != wanted(r, q)) {
		return WL_FAULT_BAR_COUNT_MISMATCH;
	}
	if (b->arrivals && mode_of(&b->arrival[0]) != mode_of(q)) {
		return WL_FAULT_BAR_MODE_MISMATCH;
	}
	for (unsigned i = 0; i < b->arrivals; i++) {
		if (b->arrival[i].warp == q->warp) {
			return WL_FAULT_BAR_DOUBLE_ARRIVE;
		}
	}
	return WL_FAULT_NONE;
}

static bool counted(const struct ref_barrier *b)
{
	for (unsigned i = 0; i < b->arrivals; i++) {
		if (ref_threads(&b->arrival[i])) {
			return true;
		}
	}
	return false;
}

static unsigned expected(const struct ref *r, unsigned slot, const struct ref_barrier *b)
{
	return counted(b) ? wanted(r, &b->arrival[0]) : r->cta[slot].live;
}

static uint32_t popcount(uint32_t x)
{
	return (uint32_t)__builtin_popcount(x);
}

/* The result of the reduction over the arrivals so far. */
static uint32_t reduced(const struct ref_barrier *b)
{
	uint32_t sum = 0;
	bool all = true;
	for (unsigned i = 0; i < b->arrivals; i++) {
		const struct bar_request *q = &b->arrival[i];
		for (unsigned lane = 0; lane < 32; lane++) {
			if (q->mask >> lane & 1) {
				sum += q->pred >> lane & 1;
				all = all && (q->pred >> lane & 1);
			}
		}
	}
	switch (b->arrival[0].kind) {
	case BAR_POPC:
		return sum;
	case BAR_AND:
		return all;
	case BAR_OR:
		return sum > 0;
	default:
		return 0;
	}
}

static struct ref_release complete_if_full(struct ref *r, unsigned slot, unsigned id)
{
	struct ref_barrier *b = &r->cta[slot].barrier[id];
	struct ref_release done = {.slot = slot, .id = id};
	if (b->arrivals == 0 || b->arrivals != expected(r, slot, b)) {
		return done;
	}
	done.complete = true;
	done.value = reduced(b);
	for (unsigned i = 0; i < b->arrivals; i++) {
		if (b->arrival[i].kind != BAR_ARV) {
			done.warps |= UINT64_C(1) << b->arrival[i].warp;
		}
		if (is_reduction(&b->arrival[i])) {
			r->result[b->arrival[i].warp] = done.value;
		}
	}
	b->arrivals = 0;
	return done;
}

struct ref_release ref_arrive(struct ref *r, const struct bar_request *q)
{
	struct ref_barrier *b = &r->cta[q->slot].barrier[ref_index(q)];
	b->arrival[b->arrivals++] = *q;
	return complete_if_full(r, q->slot, ref_index(q));
}

struct ref_release ref_exit(struct ref *r, unsigned slot)
{
	struct ref_release none = {0};
	if (r->cta[slot].live == 0) {
		return none;
	}
	r->cta[slot].live--;
	for (unsigned id = 0; id < r->barriers; id++) {
		struct ref_barrier *b = &r->cta[slot].barrier[id];
		if (b->arrivals && !counted(b)) {
			struct ref_release done = complete_if_full(r, slot, id);
			if (done.complete) {
				return done;
			}
		}
	}
	return none;
}

void ref_launch(struct ref *r, unsigned slot, bool open, unsigned warps)
{
	r->cta[slot].open = open;
	r->cta[slot].launched = warps;
	r->cta[slot].live = open ? warps : 0;
	for (unsigned id = 0; id < r->barriers; id++) {
		r->cta[slot].barrier[id].arrivals = 0;
	}
}

struct ref_status ref_status(const struct ref *r, unsigned slot, unsigned id)
{
	const struct ref_barrier *b = &r->cta[slot].barrier[id];
	struct ref_status s = {.arrived = b->arrivals};
	if (b->arrivals == 0) {
		return s;
	}
	s.mode = mode_of(&b->arrival[0]);
	s.counted = counted(b);
	s.expected = expected(r, slot, b);
	for (unsigned i = 0; i < b->arrivals; i++) {
		const struct bar_request *q = &b->arrival[i];
		uint64_t warp = UINT64_C(1) << q->warp;
		s.here |= warp;
		s.waiting |= q->kind == BAR_ARV ? 0 : warp;
		s.votes += q->kind == BAR_POPC  ? popcount(q->pred & q->mask)
		           : q->kind == BAR_AND ? (~q->pred & q->mask) != 0
		           : q->kind == BAR_OR  ? (q->pred & q->mask) != 0
		                                : 0;
	}
	return s;
}

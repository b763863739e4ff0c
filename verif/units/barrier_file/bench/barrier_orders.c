// SPDX-License-Identifier: Apache-2.0
#include "barrier_orders.h"

const struct order_walk order_walks[ORDER_WALKS] = {
        {4, 1 << ORDER_SYNC | 1 << ORDER_ARV, true},
        {4, 1 << ORDER_SYNC | 1 << ORDER_ARV | 1 << ORDER_COUNTED, false},
        {3, 1 << ORDER_COUNTED | 1 << ORDER_ARV, true},
        {2, 1 << ORDER_COUNTED | 1 << ORDER_ARV, true},
};

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACTORIAL = 24, NOBODY = 0xff };
static const uint32_t NEVER = UINT32_MAX; /* of a step: impossible, since the warp waits */

/* States by number, their steps, and a table by hash. */
struct states {
	uint32_t *key, *table;              /* number + 1 */
	uint32_t *step;                     /* for each state `choices`: next state's number + 1; 0: not taken yet */
	uint32_t *open;                     /* for each state: steps not taken yet */
	uint32_t *queue, *from, *by, *seen; /* of a search; seen: number of the last search to reach the state */
	uint32_t search, count, room, per_port, choices;
	uint64_t all_open;
};

static void *room_for(void *old, size_t bytes)
{
	void *now = realloc(old, bytes);
	if (!now) {
		fprintf(stderr, "barrier_orders: no memory\n");
		exit(2);
	}
	return now;
}

/* ---- states ---- */

/* Role of a warp in the open phase: 0, or 1 + enum order_how. */
static unsigned stands(const struct orders *o, unsigned id, unsigned warp)
{
	const struct ref_barrier *b = &o->ref.cta[ORDER_SLOT].barrier[id];
	for (unsigned i = 0; i < b->arrivals; i++) {
		if (b->arrival[i].warp == warp) {
			return 1 + (b->arrival[i].kind == BAR_ARV ? ORDER_ARV
			            : ref_threads(&b->arrival[i]) ? ORDER_COUNTED
			                                          : ORDER_SYNC);
		}
	}
	return 0;
}

struct ref_release orders_apply(struct orders *o, const struct bar_request *q)
{
	const unsigned id = ref_index(q);
	const struct ref_release r = ref_arrive(&o->ref, q);
	o->ends += r.complete;
	for (unsigned w = q->warp % o->ports; w < ORDER_WARPS && !r.complete; w += o->ports) {
		o->left[id][w] = (uint8_t)stands(o, id, w);
	}
	return r;
}

static uint32_t key_of(const struct orders *o)
{
	uint32_t key = 0;
	for (unsigned id = 0; id < ORDER_BARRIERS; id++) {
		for (unsigned w = 0; w < ORDER_WARPS; w++) {
			key = key << 4 | stands(o, id, w) << 2 | (o->with_left ? o->left[id][w] : 0);
		}
	}
	return key;
}

static bool waits(uint32_t key, unsigned warp)
{
	for (unsigned id = 0; id < ORDER_BARRIERS; id++) {
		const unsigned how = key >> (4 * ((ORDER_BARRIERS - id) * ORDER_WARPS - 1 - warp) + 2) & 3;
		if (how && how != 1 + ORDER_ARV) {
			return true;
		}
	}
	return false;
}

/* ---- steps: of each port nobody, or a warp, a barrier and a way; nobody at all ports: a CTA comes ---- */

static unsigned warp_of(const struct orders *o, unsigned choice, unsigned port)
{
	return (choice - 1) % (ORDER_WARPS / o->ports) * o->ports + port;
}

static struct bar_request request(const struct orders *o, unsigned choice, unsigned port)
{
	unsigned rest = (choice - 1) / (ORDER_WARPS / o->ports), how = 0;
	struct bar_request q = {.slot = ORDER_SLOT, .warp = (uint8_t)warp_of(o, choice, port), .mask = UINT32_MAX};
	q.id = (uint8_t)(rest % ORDER_BARRIERS);
	for (rest /= ORDER_BARRIERS; !(o->hows >> how & 1) || rest--; how++) {
	}
	q.kind = how == ORDER_ARV ? BAR_ARV : BAR_SYNC;
	q.count = how == ORDER_SYNC ? 0 : (uint16_t)(o->need * 32);
	return q;
}

static bool possible(const struct orders *o, const struct states *s, uint32_t key, uint32_t step)
{
	for (unsigned p = 0; p < o->ports; p++, step /= s->per_port) {
		if (step % s->per_port && waits(key, warp_of(o, step % s->per_port, p))) {
			return false;
		}
	}
	return true;
}

static size_t place_of(const struct states *s, uint32_t key)
{
	size_t at = key * UINT32_C(0x9e3779b1) & (2 * s->room - 1);
	while (s->table[at] && s->key[s->table[at] - 1] != key) {
		at = (at + 1) & (2 * s->room - 1);
	}
	return at;
}

static void grow(struct states *s)
{
	s->room = s->room ? 2 * s->room : 1024;
	s->key = room_for(s->key, s->room * sizeof *s->key);
	s->open = room_for(s->open, s->room * sizeof *s->open);
	s->queue = room_for(s->queue, s->room * sizeof *s->queue);
	s->from = room_for(s->from, s->room * sizeof *s->from);
	s->by = room_for(s->by, s->room * sizeof *s->by);
	s->seen = room_for(s->seen, s->room * sizeof *s->seen);
	s->step = room_for(s->step, (size_t)s->room * s->choices * sizeof *s->step);
	s->table = room_for(s->table, 2 * (size_t)s->room * sizeof *s->table);
	memset(s->table, 0, 2 * (size_t)s->room * sizeof *s->table);
	for (uint32_t i = 0; i < s->count; i++) {
		s->table[place_of(s, s->key[i])] = i + 1;
	}
}

/* The number of the CTA's state. */
static uint32_t here(struct orders *o, struct states *s)
{
	const uint32_t key = key_of(o);
	if (s->count == s->room) {
		grow(s);
	}
	const size_t at = place_of(s, key);
	if (!s->table[at]) {
		uint32_t *step = s->step + (size_t)s->count * s->choices;
		s->open[s->count] = s->seen[s->count] = 0;
		for (uint32_t i = 0; i < s->choices; i++) {
			step[i] = possible(o, s, key, i) ? 0 : NEVER;
			s->open[s->count] += !step[i];
		}
		s->all_open += s->open[s->count];
		s->key[s->count++] = key;
		s->table[at] = s->count;
	}
	return s->table[at] - 1;
}

static bool take(struct orders *o, struct states *s, uint32_t *state, uint32_t step)
{
	struct bar_request q[ORDER_WARPS];
	unsigned n = 0;
	for (uint32_t p = 0, rest = step; p < o->ports; p++, rest /= s->per_port) {
		if (rest % s->per_port) {
			q[n++] = request(o, rest % s->per_port, p);
		}
	}
	o->steps++;
	o->together += n > 1;
	if (n == 0) {
		ref_launch(&o->ref, ORDER_SLOT, true, ORDER_WARPS);
		o->launch(o->self, o);
	} else if (!o->arrive(o->self, o, n, q)) {
		return false;
	}
	const uint32_t now = here(o, s);
	uint32_t *known = &s->step[(size_t)*state * s->choices + step];
	s->open[*state] -= !*known;
	s->all_open -= !*known;
	if (*known && *known != now + 1) {
		printf("the same arrivals in the same state led to another state\n");
		return false;
	}
	*known = now + 1;
	*state = now;
	return true;
}

/* ---- the way ---- */

/* The steps to a state found by a search. */
static unsigned steps_to(const struct states *s, uint32_t from, uint32_t to, uint32_t steps[NOBODY])
{
	unsigned n = 0;
	for (uint32_t at = to; at != from && n < NOBODY; at = s->from[at]) {
		n++;
	}
	for (unsigned i = n; i > 0 && n < NOBODY; to = s->from[to]) {
		steps[--i] = s->by[to];
	}
	return n;
}

/* The steps to the nearest state with a step not taken yet: by single arrivals and launches, or (`all`) by all known
 * steps. NOBODY: no way exists. */
static unsigned way(struct orders *o, struct states *s, uint32_t state, bool all, uint32_t steps[NOBODY])
{
	uint32_t first = 0, last = 0;
	s->queue[last++] = state;
	s->seen[state] = ++s->search;
	while (first < last) {
		const uint32_t at = s->queue[first++];
		if (s->open[at]) {
			return steps_to(s, state, at, steps);
		}
		for (unsigned p = 0, of_port = 1; p < (all ? 1 : o->ports); p++, of_port *= s->per_port) {
			for (uint32_t c = 0; c < (all ? s->choices : s->per_port); c++) {
				const uint32_t to = s->step[(size_t)at * s->choices + c * of_port];
				if (to && to != NEVER && s->seen[to - 1] != s->search) {
					s->seen[to - 1] = s->search;
					s->from[to - 1] = at;
					s->by[to - 1] = c * of_port;
					s->queue[last++] = to - 1;
				}
			}
		}
	}
	return NOBODY;
}

/* A phase at each barrier, so that the RAM has contents. */
static bool begin(struct orders *o)
{
	for (unsigned i = 0; i < ORDER_BARRIERS * ORDER_WARPS; i++) {
		const struct bar_request q = {.slot = ORDER_SLOT,
		                              .warp = i % ORDER_WARPS,
		                              .id = (uint8_t)(i / ORDER_WARPS),
		                              .count = o->need < ORDER_WARPS ? (uint16_t)(o->need * 32) : 0,
		                              .mask = UINT32_MAX};
		if (i % ORDER_WARPS < o->need && !o->arrive(o->self, o, 1, &q)) {
			return false;
		}
	}
	return true;
}

static bool go_on(struct orders *o, struct states *s, uint32_t *state)
{
	uint32_t steps[NOBODY];
	if (s->open[*state]) {
		uint32_t i = (uint32_t)(o->steps % s->choices); /* not always the same warp first */
		while (s->step[(size_t)*state * s->choices + i]) {
			i = (i + 1) % s->choices;
		}
		return take(o, s, state, i);
	}
	unsigned n = way(o, s, *state, false, steps);
	n = n == NOBODY ? way(o, s, *state, true, steps) : n;
	if (n == NOBODY) {
		printf("%llu steps cannot be reached\n", (unsigned long long)s->all_open);
		return false;
	}
	for (unsigned i = 0; i < n; i++) {
		if (!take(o, s, state, steps[i])) {
			return false;
		}
	}
	return true;
}

bool orders_walk(struct orders *o)
{
	struct states s = {0};
	bool good = true;
	s.per_port = 1 + ORDER_WARPS / o->ports * ORDER_BARRIERS * (unsigned)__builtin_popcount(o->hows);
	s.choices = 1;
	for (unsigned p = 0; p < o->ports; p++) {
		s.choices *= s.per_port;
	}
	o->ref.barriers = ORDER_BARRIERS;
	ref_launch(&o->ref, ORDER_SLOT, true, ORDER_WARPS);
	o->launch(o->self, o);
	good = begin(o);
	uint32_t state = here(o, &s);
	while (good && s.all_open) {
		good = go_on(o, &s, &state);
	}
	o->states = s.count;
	uint32_t *all[] = {s.key, s.table, s.step, s.open, s.queue, s.from, s.by, s.seen};
	for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
		free(all[i]);
	}
	return good;
}

/* The nth of 24 orders of four warps. */
static void order(unsigned nth, uint8_t warp[ORDER_WARPS])
{
	uint8_t left[ORDER_WARPS] = {0, 1, 2, 3};
	for (unsigned i = 0, n = ORDER_WARPS; n > 0; i++, n--) {
		const unsigned at = nth % n;
		nth /= n;
		warp[i] = left[at];
		memmove(left + at, left + at + 1, ORDER_WARPS - 1 - at);
	}
}

bool orders_of_syncs(struct orders *o, unsigned first)
{
	o->ref.barriers = ORDER_BARRIERS;
	ref_launch(&o->ref, ORDER_SLOT, true, ORDER_WARPS);
	o->launch(o->self, o);
	for (unsigned all = 0; all < first * FACTORIAL * FACTORIAL * FACTORIAL; all++) {
		for (unsigned phase = 0, rest = all; phase < 2 * ORDER_BARRIERS; phase++, rest /= FACTORIAL) {
			uint8_t warp[ORDER_WARPS];
			order(rest % FACTORIAL, warp);
			for (unsigned i = 0; i < ORDER_WARPS; i++) {
				const struct bar_request q = {.slot = ORDER_SLOT,
				                              .warp = warp[i],
				                              .id = (uint8_t)(phase % ORDER_BARRIERS),
				                              .mask = UINT32_MAX};
				o->steps++;
				if (!o->arrive(o->self, o, 1, &q)) {
					return false;
				}
			}
		}
	}
	return true;
}

// SPDX-License-Identifier: Apache-2.0
#include "converge_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* States by number, in the order of discovery, and a table of places by hash. */
struct states {
	uint64_t *key;
	uint32_t *table; /* number + 1 */
	size_t count, room;
};

static struct walk {
	const struct walk_rules *rules;
	unsigned width;
	bool (*step)(void *self, const struct walk_edge *edge);
	void *self;
	struct states states;
	struct ref_warp before, after;
	struct walk_edge edge;
	struct walk_count count;
} k;

/* ---- states ---- */

static void *room_for(void *old, size_t bytes)
{
	void *now = realloc(old, bytes);
	if (!now) {
		fprintf(stderr, "converge_walk: no memory\n");
		exit(2);
	}
	return now;
}

static size_t place_of(const struct states *s, uint64_t key)
{
	size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (2 * s->room - 1);
	while (s->table[at] && s->key[s->table[at] - 1] != key) {
		at = (at + 1) & (2 * s->room - 1);
	}
	return at;
}

static void grow(struct states *s)
{
	s->room = s->room ? 2 * s->room : 1024;
	s->key = room_for(s->key, s->room * sizeof s->key[0]);
	s->table = room_for(s->table, 2 * s->room * sizeof s->table[0]);
	memset(s->table, 0, 2 * s->room * sizeof s->table[0]);
	for (size_t i = 0; i < s->count; i++) {
		s->table[place_of(s, s->key[i])] = (uint32_t)i + 1;
	}
}

static void add(struct states *s, uint64_t key)
{
	if (s->count == s->room) {
		grow(s);
	}
	const size_t at = place_of(s, key);
	if (!s->table[at]) {
		s->key[s->count++] = key;
		s->table[at] = (uint32_t)s->count;
	}
}

/* A state in 64 bits, field by field: written or, with `read`, taken out again. */
static void field(uint64_t *key, unsigned *at, unsigned bits, bool read, uint32_t *value)
{
	if (read) {
		*value = (uint32_t)(*key >> *at & ((UINT64_C(1) << bits) - 1));
	} else {
		*key |= (uint64_t)*value << *at;
	}
	*at += bits;
}

static void flag(uint64_t *key, unsigned *at, bool read, bool *value)
{
	uint32_t bit = *value;
	field(key, at, 1, read, &bit);
	*value = bit;
}

static void set(uint64_t *key, unsigned *at, bool read, bool lanes[REF_LANES])
{
	for (unsigned i = 0; i < k.rules->lanes; i++) {
		flag(key, at, read, &lanes[i]);
	}
}

static void code(uint64_t *key, bool read, struct ref_warp *w)
{
	unsigned at = 0;
	for (unsigned l = 0; l < k.rules->lanes; l++) {
		struct ref_lane *lane = &w->lane[l];
		flag(key, &at, read, &lane->live);
		flag(key, &at, read, &lane->waits);
		flag(key, &at, read, &lane->at_warpsync);
		flag(key, &at, read, &lane->yielded);
		field(key, &at, 1, read, &lane->place);
		set(key, &at, read, lane->mask);
		for (unsigned bar = 0; bar < k.rules->bars; bar++) {
			set(key, &at, read, w->in[bar][l]);
		}
	}
}

/* Sets fields without meaning to 0. */
static void tidy(struct ref_warp *w)
{
	for (unsigned l = 0; l < k.rules->lanes; l++) {
		struct ref_lane *lane = &w->lane[l];
		const bool masked = lane->live && lane->waits && lane->at_warpsync;
		lane->waits &= lane->live;
		lane->yielded &= lane->live;
		lane->at_warpsync = masked;
		lane->place = lane->waits ? lane->place : 0;
		for (unsigned i = 0; i < k.rules->lanes; i++) {
			lane->mask[i] &= masked;
			for (unsigned bar = 0; bar < k.rules->bars; bar++) {
				w->in[bar][l][i] &= lane->live;
			}
		}
	}
}

static uint64_t key_of(struct ref_warp *w)
{
	uint64_t key = 0;
	tidy(w);
	code(&key, false, w);
	return key;
}

/* ---- steps ---- */

static uint32_t at_bars(const struct ref_warp *w)
{
	uint32_t bars = 0;
	for (unsigned l = 0; l < k.rules->lanes; l++) {
		const struct ref_lane *lane = &w->lane[l];
		bars |= lane->waits && !lane->at_warpsync ? UINT32_C(1) << lane->place : 0;
	}
	return bars;
}

/* The existing part of a warp: most of the 16 barriers and 32 lanes do not exist. */
static void copy(struct ref_warp *to, const struct ref_warp *from)
{
	to->width = from->width;
	for (unsigned l = 0; l < k.width; l++) {
		to->lane[l] = from->lane[l];
		for (unsigned bar = 0; bar < k.rules->bars; bar++) {
			memcpy(to->in[bar][l], from->in[bar][l], k.width);
		}
	}
}

static bool take(struct ref_op op)
{
	struct walk_edge *e = &k.edge;
	const unsigned let_go = k.count.seen.let_go;
	e->bars = op.kind == REF_YIELD ? at_bars(&k.before) : 0;
	if (e->bars) {
		op.bar = (unsigned)__builtin_ctz(e->bars);
	}
	e->op = op;
	e->bad = ref_misused(&k.before, &op);
	copy(&k.after, &k.before);
	ref_step(&k.after, &op, e->old, &k.count.seen);
	e->lets_go = k.count.seen.let_go != let_go;
	k.count.steps++;
	k.count.kinds[op.kind]++;
	k.count.faults += (e->bad.self | e->bad.mismatch) != 0;
	if (!k.step(k.self, e)) {
		return false;
	}
	add(&k.states, key_of(&k.after));
	return true;
}

/* Every word for each executing lane, or a single word for all. */
static bool take_rows(struct ref_op op)
{
	const unsigned n = k.rules->lanes, lanes = (unsigned)__builtin_popcount(op.lanes);
	const unsigned words = k.rules->rows_alike ? 1 : lanes;
	for (uint32_t all = 0; all < UINT32_C(1) << n * words; all++) {
		unsigned nth = 0;
		for (unsigned l = 0; l < n; l++) {
			const bool mine = op.lanes >> l & 1;
			op.row[l] = mine ? all >> n * (k.rules->rows_alike ? 0 : nth) & ((1u << n) - 1) : 0;
			nth += mine;
		}
		if (!take(op)) {
			return false;
		}
	}
	return true;
}

/* Every instruction of a kind by these lanes. */
static bool take_kind(enum ref_kind kind, uint32_t lanes)
{
	const unsigned places = kind == REF_YIELD || kind == REF_EXIT ? 1 : kind == REF_WARPSYNC ? 2 : k.rules->bars;
	for (unsigned place = 0; place < places; place++) {
		const struct ref_op op = {.kind = kind,
		                          .apart = kind == REF_WARPSYNC && place,
		                          .bar = kind == REF_WARPSYNC ? 0 : place,
		                          .lanes = lanes};
		if (!(kind == REF_WARPSYNC || kind == REF_R2B ? take_rows(op) : take(op))) {
			return false;
		}
	}
	return true;
}

/* A YIELD may name waiting lanes; the predicate of BSYNC and BREAK may hold in no lane. The last EXIT of a warp does
 * not come here. */
static bool can(enum ref_kind kind, uint32_t lanes)
{
	const uint32_t live = ref_live(&k.before), from = kind == REF_YIELD ? live : ref_ready(&k.before);
	return k.rules->kinds >> kind & 1 && !(lanes & ~from) && (lanes || kind == REF_BSYNC || kind == REF_BREAK) &&
	       !(kind == REF_EXIT && lanes == live);
}

static bool take_all(void)
{
	for (uint32_t lanes = 0; lanes < UINT32_C(1) << k.rules->lanes; lanes++) {
		for (unsigned kind = 0; kind < REF_KINDS; kind++) {
			if (can((enum ref_kind)kind, lanes) && !take_kind((enum ref_kind)kind, lanes)) {
				return false;
			}
		}
	}
	return true;
}

struct walk_count walk_all(const struct walk_rules *rules, unsigned width,
                           bool (*step)(void *self, const struct walk_edge *edge), void *self)
{
	k = (struct walk){.rules = rules, .width = width, .step = step, .self = self};
	k.edge.before = &k.before;
	k.edge.after = &k.after;
	ref_launch(&k.before, width, rules->lanes);
	ref_launch(&k.after, width, 0);
	add(&k.states, key_of(&k.before));
	for (size_t i = 0; i < k.states.count; i++) {
		code(&k.states.key[i], true, &k.before);
		if (!take_all()) {
			break;
		}
	}
	k.count.states = k.states.count;
	free(k.states.key);
	free(k.states.table);
	return k.count;
}

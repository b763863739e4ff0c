// SPDX-License-Identifier: Apache-2.0
/* order.c -- vector clocks and hashes of the partial order of a run (order.h). */
#include "order.h"

#include <stdlib.h>
#include <string.h>

enum { BARS = 17 /* of a CTA: 16 named barriers, and the cluster's */, EXITED = 16 };

struct seen {
	uint32_t warp, time, pc;
};
struct word {
	uint64_t key;           /* address / 4 + 1; 0: free */
	uint64_t written, read; /* hashes: the last write, the reads since */
	uint64_t event;         /* the last event to touch the word */
	bool event_wrote;
	struct seen write; /* time 0: none */
	struct seen *reader;
	uint32_t readers, room;
	uint32_t *wclock, *rclock; /* of the write; of the write and the reads */
};
struct meeting {
	uint64_t hash;
	uint32_t *clock;
	bool counted; /* an arrival has named a count: ended warps do not count */
};
struct order {
	struct wl_observer observer;
	const struct wl_observer *next;
	struct wl_seen_shape shape;
	uint32_t width, known; /* most warps at a time; warps seen */
	int32_t *dense;        /* [SM][slot]: number in clocks, -1: none */
	uint64_t *hash;        /* by number in clocks */
	uint32_t *clock;       /* [width][width] */
	uint64_t past;         /* of ended warps, whose slots have new warps */
	struct meeting *meet;  /* [SM][CTA slot][BARS + 1] */
	uint32_t *cluster;     /* [CTA]: the CTA's cluster */
	struct meeting *clusters;
	struct word *word;
	uint64_t words, room, event;
	uint8_t *races;
	bool grew, copies;
};

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t z = a * UINT64_C(0x9e3779b97f4a7c15) ^ (b + UINT64_C(0x632be59bd9b4e019) + (a >> 17));
	z = (z ^ (z >> 31)) * UINT64_C(0xbf58476d1ce4e5b9);
	return z ^ (z >> 29);
}

static void *zeroed(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);
	if (!p)
		abort();
	return p;
}

static size_t meetings(const struct order *o)
{
	return (size_t)o->shape.sms * WL_MAX_CTAS * (BARS + 1);
}

struct order *order_create(const struct wl_seen_shape *shape)
{
	struct order *o = zeroed(1, sizeof *o);
	const uint64_t all = (uint64_t)shape->ctas * shape->warps_per_cta, slots = (uint64_t)shape->sms * WL_MAX_WARPS;
	o->shape = *shape;
	o->width = (uint32_t)(all < slots ? all : slots);
	o->dense = zeroed(slots, sizeof *o->dense);
	o->hash = zeroed(o->width, sizeof *o->hash);
	o->clock = zeroed((size_t)o->width * o->width, sizeof *o->clock);
	o->meet = zeroed(meetings(o), sizeof *o->meet);
	o->cluster = zeroed(shape->ctas, sizeof *o->cluster);
	o->clusters = zeroed(shape->ctas, sizeof *o->clusters);
	o->races = zeroed(shape->program->ninst + 1u, 1);
	return o;
}

static void forget_words(struct order *o)
{
	for (uint64_t i = 0; i < o->room; i++) {
		free(o->word[i].reader);
		free(o->word[i].wclock);
		free(o->word[i].rclock);
	}
	free(o->word);
	o->word = NULL;
	o->words = o->room = 0;
}

static void forget_meeting(struct meeting *m)
{
	free(m->clock);
	*m = (struct meeting){0};
}

static void forget_meetings(struct order *o)
{
	for (size_t i = 0; i < meetings(o); i++)
		forget_meeting(&o->meet[i]);
	for (uint32_t i = 0; i < o->shape.ctas; i++)
		forget_meeting(&o->clusters[i]);
}

void order_free(struct order *o)
{
	if (!o)
		return;
	forget_words(o);
	forget_meetings(o);
	free(o->dense);
	free(o->hash);
	free(o->clock);
	free(o->meet);
	free(o->cluster);
	free(o->clusters);
	free(o->races);
	free(o);
}

/* ---- words ---- */

static struct word *find(struct order *o, uint64_t key)
{
	uint64_t i = mix(key, 1) & (o->room - 1);
	while (o->word[i].key && o->word[i].key != key + 1)
		i = (i + 1) & (o->room - 1);
	return &o->word[i];
}

static struct word *word_of(struct order *o, uint64_t key)
{
	if (2 * (o->words + 1) > o->room) {
		struct word *old = o->word;
		const uint64_t n = o->room;
		o->room = n ? 2 * n : 256;
		o->word = zeroed(o->room, sizeof *o->word);
		for (uint64_t i = 0; i < n; i++)
			if (old[i].key)
				*find(o, old[i].key - 1) = old[i];
		free(old);
	}
	struct word *w = find(o, key);
	o->words += !w->key;
	w->key = key + 1;
	return w;
}

/* ---- clocks ---- */

static uint32_t *clock_of(const struct order *o, uint32_t warp)
{
	return o->clock + (size_t)warp * o->width;
}

static void join(const struct order *o, uint32_t *to, const uint32_t *from)
{
	for (uint32_t i = 0; from && i < o->width; i++)
		to[i] = to[i] > from[i] ? to[i] : from[i];
}

static void keep(const struct order *o, uint32_t **to, const uint32_t *from, bool fresh)
{
	if (!*to)
		*to = zeroed(o->width, sizeof **to);
	if (fresh)
		memcpy(*to, from, o->width * sizeof **to);
	else
		join(o, *to, from);
}

static uint32_t number_of(const struct order *o, uint32_t sm, uint32_t slot)
{
	return (uint32_t)o->dense[sm * WL_MAX_WARPS + slot];
}

/* ---- accesses ---- */

static void mark(struct order *o, uint32_t a, uint32_t b)
{
	o->grew |= !o->races[a] || !o->races[b];
	o->races[a] = o->races[b] = 1;
}

static void race_with(struct order *o, uint32_t warp, uint32_t pc, const struct seen *s)
{
	if (s->time && s->warp != warp && s->time > clock_of(o, warp)[s->warp])
		mark(o, pc, s->pc);
}

/* Looks at the word as left by older accesses: marks races, returns the word's part of the event's hash. */
static uint64_t look(struct order *o, uint32_t warp, uint32_t pc, uint64_t key, bool writes)
{
	struct word *w = word_of(o, key);
	race_with(o, warp, pc, &w->write);
	for (uint32_t i = 0; writes && i < w->readers; i++)
		race_with(o, warp, pc, &w->reader[i]);
	return mix(key, writes ? w->written + mix(w->read, 3) : w->written);
}

static void add_reader(struct word *w, const struct seen *now)
{
	for (uint32_t i = 0; i < w->readers; i++)
		if (w->reader[i].warp == now->warp) {
			w->reader[i] = *now;
			return;
		}
	if (w->readers == w->room) {
		w->room = w->room ? 2 * w->room : 4;
		w->reader = realloc(w->reader, w->room * sizeof *w->reader);
		if (!w->reader)
			abort();
	}
	w->reader[w->readers++] = *now;
}

static void settle(struct order *o, const struct seen *now, uint64_t key, bool writes)
{
	struct word *w = word_of(o, key);
	const uint64_t hash = mix(o->hash[now->warp], key);
	const bool again = w->event == o->event;
	if (again && (w->event_wrote || !writes))
		return;
	w->event = o->event;
	w->event_wrote = writes;
	keep(o, &w->rclock, clock_of(o, now->warp), false);
	if (!writes) {
		w->read += hash;
		add_reader(w, now);
		return;
	}
	keep(o, &w->wclock, clock_of(o, now->warp), true);
	w->written = hash;
	w->read = 0;
	w->write = *now;
	w->readers = 0;
}

struct range {
	uint64_t at;
	uint32_t bytes;
	bool writes;
};

/* All ranges happen at once: look at all words before any of the accesses counts. */
static void touch(struct order *o, uint32_t warp, uint32_t pc, const struct range *of, unsigned n)
{
	uint64_t sum = 0;
	o->event++;
	for (unsigned i = 0; i < n; i++)
		for (uint64_t k = of[i].at / 4; k <= (of[i].at + of[i].bytes - 1) / 4; k++)
			sum += look(o, warp, pc, k, of[i].writes);
	for (unsigned i = 0; i < n; i++)
		for (uint64_t k = of[i].at / 4; k <= (of[i].at + of[i].bytes - 1) / 4; k++) {
			const struct word *w = word_of(o, k);
			join(o, clock_of(o, warp), of[i].writes ? w->rclock : w->wclock);
		}
	o->hash[warp] = mix(mix(o->hash[warp], sum), pc);
	const struct seen now = {warp, ++clock_of(o, warp)[warp], pc};
	for (unsigned i = 0; i < n; i++)
		for (uint64_t k = of[i].at / 4; k <= (of[i].at + of[i].bytes - 1) / 4; k++)
			settle(o, &now, k, of[i].writes);
}

/* A word for the life of a CTA's shared memory: other CTAs read the word while the CTA lives. */
static uint64_t life_of(uint32_t cta)
{
	return (UINT64_C(1) << 60) + 4 * (uint64_t)cta;
}

static void access(struct order *o, const struct wl_seen *e, bool writes, uint32_t stored, uint32_t size)
{
	struct range of[2 * WL_WARP_LANES];
	unsigned n = 0;
	for (uint32_t m = e->lanes; m; m &= m - 1) {
		const unsigned lane = (unsigned)__builtin_ctz(m);
		of[n++] = (struct range){e->at[lane], size, writes && stored >> lane & 1};
		if (o->shape.cluster_ctas > 1 && e->shared >> lane & 1 && e->owner[lane] != e->cta)
			of[n++] = (struct range){life_of(e->owner[lane]), 4, false};
	}
	touch(o, number_of(o, e->sm, e->warp_slot), e->pc, of, n);
}

/* ---- meetings ---- */

static struct meeting *meeting_of(const struct order *o, const struct wl_seen *e, unsigned id)
{
	return &o->meet[((size_t)e->sm * WL_MAX_CTAS + e->slot) * (BARS + 1) + id];
}

static void arrive(struct order *o, const struct wl_seen *e, struct meeting *m)
{
	const uint32_t warp = number_of(o, e->sm, e->warp_slot);
	clock_of(o, warp)[warp]++;
	o->hash[warp] = mix(o->hash[warp], e->kind);
	m->hash += mix(o->hash[warp], 7);
	keep(o, &m->clock, clock_of(o, warp), false);
}

static void pass(struct order *o, uint32_t warp, const struct meeting *m)
{
	o->hash[warp] = mix(o->hash[warp], m->hash);
	join(o, clock_of(o, warp), m->clock);
}

static void release(struct order *o, const struct wl_seen *e, const struct meeting *a, const struct meeting *b)
{
	for (uint64_t m = e->warps; m; m &= m - 1) {
		const uint32_t warp = number_of(o, e->sm, (unsigned)__builtin_ctzll(m));
		pass(o, warp, a);
		if (b)
			pass(o, warp, b);
	}
}

static void cta_start(struct order *o, const struct wl_seen *e)
{
	struct meeting *gone = meeting_of(o, e, BARS);
	const uint32_t wpc = o->shape.warps_per_cta;
	o->cluster[e->cta] = e->id;
	for (unsigned id = 0; id < BARS; id++)
		forget_meeting(meeting_of(o, e, id));
	for (uint32_t k = 0; k < wpc; k++) {
		int32_t *dense = &o->dense[e->sm * WL_MAX_WARPS + e->slot * wpc + k];
		if (*dense < 0)
			*dense = (int32_t)o->known++;
		else
			o->past += o->hash[*dense];
		o->hash[*dense] = mix((uint64_t)e->cta * wpc + k, 11);
		pass(o, (uint32_t)*dense, gone);
	}
	forget_meeting(gone);
}

static void ends(struct order *o, const struct wl_seen *e)
{
	const struct range life = {life_of(e->cta), 4, true};
	if (o->shape.cluster_ctas > 1 && e->lanes == e->live)
		touch(o, number_of(o, e->sm, e->warp_slot), e->pc, &life, 1);
	arrive(o, e, meeting_of(o, e, EXITED));
	struct meeting *gone = meeting_of(o, e, BARS); /* as long as the slot has no other CTA */
	gone->hash = meeting_of(o, e, EXITED)->hash;
	keep(o, &gone->clock, meeting_of(o, e, EXITED)->clock, false);
}

static void event(void *self, const struct wl_seen *e)
{
	struct order *o = self;
	struct meeting *m;
	if (o->next)
		o->next->event(o->next->self, e);
	switch (e->kind) {
	case WL_SEEN_CTA_START:
		cta_start(o, e);
		break;
	case WL_SEEN_EXIT:
		ends(o, e);
		break;
	case WL_SEEN_ACCESS:
		access(o, e, e->writes, e->stored, e->size);
		break;
	case WL_SEEN_MBAR_INIT:
	case WL_SEEN_MBAR_ARRIVE:
		access(o, e, true, e->lanes, 8);
		break;
	case WL_SEEN_MBAR_PASSED:
		access(o, e, false, 0, 8);
		break;
	case WL_SEEN_BAR_ARRIVE:
		m = meeting_of(o, e, e->id % 16);
		m->counted |= e->count != 0;
		arrive(o, e, m);
		break;
	case WL_SEEN_BAR_RELEASE:
		m = meeting_of(o, e, e->id % 16);
		release(o, e, m, m->counted ? NULL : meeting_of(o, e, EXITED));
		forget_meeting(m);
		break;
	case WL_SEEN_CLUSTER_ARRIVE:
		arrive(o, e, &o->clusters[o->cluster[e->cta]]);
		break;
	case WL_SEEN_CLUSTER_WAIT:
		if (!e->waits)
			pass(o, number_of(o, e->sm, e->warp_slot), &o->clusters[o->cluster[e->cta]]);
		break;
	case WL_SEEN_CLUSTER_RELEASE:
		release(o, e, &o->clusters[o->cluster[e->cta]], NULL);
		break;
	case WL_SEEN_COPY:
		o->copies = true;
		break;
	default:
		break;
	}
}

void order_begin(struct order *o, const struct wl_observer *next)
{
	const size_t slots = (size_t)o->shape.sms * WL_MAX_WARPS;
	forget_words(o);
	forget_meetings(o);
	memset(o->dense, 0xff, slots * sizeof *o->dense);
	memset(o->hash, 0, o->width * sizeof *o->hash);
	memset(o->clock, 0, (size_t)o->width * o->width * sizeof *o->clock);
	o->known = 0;
	o->past = o->event = 0;
	o->grew = false;
	o->next = next;
	o->observer = (struct wl_observer){o, event, false};
}

const struct wl_observer *order_observer(struct order *o)
{
	return &o->observer;
}

uint64_t order_state(const struct order *o)
{
	uint64_t sum = o->past;
	for (uint32_t i = 0; i < o->known; i++)
		sum += o->hash[i];
	return sum;
}

bool order_races(const struct order *o, uint32_t pc)
{
	return pc < o->shape.program->ninst && o->races[pc];
}

bool order_grew(const struct order *o)
{
	return o->grew;
}

bool order_copies(const struct order *o)
{
	return o->copies;
}

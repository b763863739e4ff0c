// SPDX-License-Identifier: Apache-2.0
/* random.c -- the generator's warps: turns of the warps, waits for a value; the mix draws the instruction. */
#include "random.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory_agent.h"
#include "unit.h"

struct warp {
	uint32_t n;
	uint32_t waits_for; /* number of the request that blocks the warp */
	bool waits;
	uint8_t posted;
};

struct random_source {
	struct random_config config;
	struct rng rng;
	struct wl_units *units;
	struct lockstep *ls;
	struct random_stream stream;
	uint64_t given;
	bool over;                   /* nothing can go on */
	unsigned last[WL_MAX_PORTS]; /* warp served last by each port */
	struct warp warp[RANDOM_WARPS];
	struct wl_lane pool[FLAVOURS][RANDOM_POOL + WL_WARP_LANES];
};

/* ---- the SOURCE ---- */

/* Draws for warp w; false: no instruction now. */
static bool offer(struct random_source *r, unsigned w, struct wl_req *q)
{
	const uint32_t slot = w / RANDOM_PER_SLOT;
	q->tag = (struct wl_tag){.sm = 0, .slot = (uint16_t)slot, .cta = slot, .warp = w, .n = r->warp[w].n};
	q->pc = (uint32_t)(r->given << 4);
	q->header = false;
	q->pred = 0;
	q->ur = 0;
	if (!r->config.mix->draw(&r->stream, q))
		return false;
	r->warp[w].n++;
	r->given++;
	return true;
}

static enum wl_offer next(void *self, unsigned port, struct wl_req *q)
{
	struct random_source *r = self;
	const unsigned ports = r->config.ports;
	if (r->given == r->config.count || r->over || *r->stream.wrong)
		return WL_OFFER_DONE;
	if (r->config.mix->turn)
		r->config.mix->turn(&r->stream);
	unsigned w = r->last[port];
	/* after a posted request the same warp often goes on: two of the warp's requests then follow each other in the
	 * queue */
	const bool in_turn = r->config.mix->in_turn;
	if (!in_turn && r->warp[w].posted && rng_below(&r->rng, 4) == 0)
		w = w >= ports ? w - ports : RANDOM_WARPS - ports + port;
	for (unsigned tries = 0; tries < (in_turn ? 1 : RANDOM_WARPS / ports); tries++) {
		w += ports;
		if (w >= RANDOM_WARPS)
			w = port;
		if (r->warp[w].waits || r->warp[w].posted == WL_MAX_POSTED || !offer(r, w, q))
			continue;
		r->last[port] = w;
		return WL_OFFER_REQ;
	}
	return WL_OFFER_WAIT;
}

/* Called at the offer's acceptance. Until then the warp was not asked again, because the warp's port held the
 * request. */
static void accepted(void *self, const struct wl_req *q)
{
	struct random_source *r = self;
	struct warp *w = &r->warp[q->tag.warp];
	if (q->posted) {
		w->posted++;
	} else {
		w->waits = true;
		w->waits_for = q->tag.n;
	}
}

static void retired(void *self, const struct wl_record *rec)
{
	struct random_source *r = self;
	struct warp *w = &r->warp[rec->tag.warp];
	if (w->waits && w->waits_for == rec->tag.n)
		w->waits = false;
	else
		w->posted--;
	if (r->config.mix->retired)
		r->config.mix->retired(&r->stream, rec);
}

static void stuck(void *self)
{
	struct random_source *r = self;
	r->over = true;
}

static enum wl_piece piece(void *self, uint64_t cycle, struct wl_landing *l)
{
	struct random_source *r = self;
	const bool done = r->given == r->config.count || r->over || *r->stream.wrong;
	return done ? WL_PIECE_NONE : r->config.mix->piece(&r->stream, cycle, l);
}

static void landed(void *self, const struct wl_landing *l, const uint8_t *data, enum wl_fault fault)
{
	struct random_source *r = self;
	(void)data;
	r->config.mix->landed(&r->stream, l, fault);
}

struct wl_source random_as_source(struct random_source *r)
{
	return (struct wl_source){.self = r,
	                          .next = next,
	                          .accept = accepted,
	                          .retire = retired,
	                          .stuck = stuck,
	                          .piece = r->config.mix->piece ? piece : NULL,
	                          .landed = landed};
}

/* ---- life ---- */

static void fill_pools(struct random_source *r)
{
	static const uint32_t edge[8] = {0, 1, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x55555555};
	for (unsigned i = 0; i < RANDOM_POOL + WL_WARP_LANES; i++)
		for (unsigned k = 0; k < 4; k++) {
			const uint32_t bits = (uint32_t)(rng_next(&r->rng) >> 20);
			r->pool[FLAVOUR_RANDOM][i].w[k] = bits;
			r->pool[FLAVOUR_SMALL][i].w[k] = k ? bits >> 3 & 1 : bits & 3;
			r->pool[FLAVOUR_EXTREME][i].w[k] = edge[bits & 7];
		}
}

/* With CTAs launched by the mix itself, only the mix's requests tell the warps of a CTA; the units' state of warps
 * begins anew for the first `warps` warps. `start` has the warps and the cluster. */
static void open_slot(struct random_source *r, struct wl_cta_start start)
{
	const uint32_t share = r->units->smem.bytes / RANDOM_SLOTS;
	start.cta = start.slot;
	start.base = start.slot * share;
	start.size = share;
	start.seed = r->config.seed;
	if (r->config.mix->window)
		r->config.mix->window(&r->stream, start.slot, &start.base, &start.size);
	wl_units_open(r->units, &start);
}

void random_cta_at(struct random_stream *stream, unsigned slot, unsigned first, unsigned warps, unsigned last_lanes)
{
	struct random_source *r = stream->source;
	open_slot(r, (struct wl_cta_start){.slot = slot,
	                                   .first_warp = first,
	                                   .warps = warps,
	                                   .threads = (warps - 1) * WL_WARP_LANES + last_lanes});
	lockstep_open(r->ls, slot);
}

void random_cta(struct random_stream *stream, unsigned slot, unsigned warps)
{
	struct random_source *r = stream->source;
	if (warps) {
		random_cta_at(stream, slot, 0, warps, WL_WARP_LANES);
	} else {
		wl_units_close(r->units, slot);
		lockstep_close(r->ls, slot);
	}
}

void random_cluster(struct random_stream *stream, uint32_t number, const struct random_member *member, unsigned n)
{
	struct random_source *r = stream->source;
	for (unsigned i = 0; i < n; i++) {
		open_slot(r, (struct wl_cta_start){.slot = member[i].slot,
		                                   .first_warp = member[i].first,
		                                   .warps = member[i].warps,
		                                   .threads = member[i].warps * WL_WARP_LANES,
		                                   .cluster = number,
		                                   .cluster_ctas = n,
		                                   .rank = i});
		lockstep_open(r->ls, member[i].slot);
	}
}

const char *random_wrong(const struct random_source *r)
{
	return r->stream.wrong;
}

struct random_source *random_new(const struct random_config *c, struct wl_units *ref, char *why, size_t whyn)
{
	struct random_source *r = calloc(1, sizeof *r);
	void *own = calloc(1, c->mix->own_bytes ? c->mix->own_bytes : 1);
	snprintf(why, whyn, "out of memory");
	if (!r || !own) {
		free(r);
		free(own);
		return NULL;
	}
	r->config = *c;
	r->units = ref;
	r->rng = rng_seed(c->seed, 1);
	r->stream = (struct random_stream){.config = &r->config,
	                                   .rng = &r->rng,
	                                   .smem = &ref->smem,
	                                   .gmem = ref->gmem,
	                                   .own = own,
	                                   .source = r,
	                                   .pool = r->pool};
	if (c->mix->start && !c->mix->start(&r->stream, why, whyn)) {
		random_free(r);
		return NULL;
	}
	fill_pools(r);
	for (unsigned p = 0; p < c->ports; p++)
		r->last[p] = p;
	for (unsigned slot = 0; slot < RANDOM_SLOTS; slot++)
		open_slot(r, (struct wl_cta_start){.slot = slot,
		                                   .first_warp = slot * RANDOM_PER_SLOT,
		                                   .warps = RANDOM_PER_SLOT,
		                                   .threads = RANDOM_PER_SLOT * WL_WARP_LANES});
	return r;
}

void random_launch(struct random_source *r, struct lockstep *ls)
{
	r->ls = ls;
	for (unsigned s = 0; s < RANDOM_SLOTS; s++)
		lockstep_open(ls, s);
	for (uint32_t left = r->config.mix->closed; left; left &= left - 1) {
		const unsigned s = (unsigned)__builtin_ctz(left);
		wl_units_close(r->units, s);
		lockstep_close(ls, s);
	}
}

void random_free(struct random_source *r)
{
	if (r)
		free(r->stream.own);
	free(r);
}

/* ---- floors ---- */

enum { LEAST = 20000 /* with fewer instructions floors are not asked */ };

/* Instructions retired, plus instructions that wait for ever in the end: a run of LEAST instructions is asked with any
 * mix. */
static uint64_t instructions_of(const struct lockstep_stats *s)
{
	uint64_t n = 0;
	for (unsigned u = 0; u < WL_UNIT_COUNT; u++)
		n += s->checked[u];
	return n > s->retired ? n : s->retired;
}

/* Destination of complaints: standard error; or `first`, for the first complaint. */
struct below {
	char *first;
	size_t n;
};

static __attribute__((format(printf, 2, 3))) bool tell_below(const struct below *b, const char *format, ...)
{
	char text[200];
	va_list ap;
	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	if (!b->first)
		fprintf(stderr, "wlcosim: %s\n", text);
	else if (!*b->first)
		snprintf(b->first, b->n, "%s", text);
	return false;
}

static bool reaches(const struct below *b, const char *name, uint64_t value, double least, uint64_t instructions)
{
	const double want = least * (double)instructions / 10000;
	if ((double)value >= want)
		return true;
	return tell_below(b, "counter below its floor: %s: %llu, at least %.0f", name, (unsigned long long)value, want);
}

static bool memory_floors(const struct below *b, const struct memory_stats *m, bool stalled, bool lean,
                          uint64_t instructions)
{
	bool ok = reaches(b, "answers of the memory out of order", m->overtaken, lean ? 0 : 1000, instructions);
	/* few meet another write in a lean form, with a single sector under way */
	ok &= reaches(b, "conditional writes tried again", m->retries, lean ? 5 : 20, instructions);
	ok &= reaches(b, "requests to memory held back (cycles)", m->held, stalled ? 200 : 0, instructions);
	if (m->most < 2 && !lean)
		ok = tell_below(b, "at most %u requests to memory were under way", m->most);
	return ok;
}

bool random_floors(const struct random_config *c, const struct lockstep_stats *s, const struct memory_stats *memory,
                   bool stalled, unsigned inflight, char *first, size_t n_first)
{
	const struct below to = {first, n_first}, *b = &to;
	struct random_floor floor[RANDOM_FLOORS];
	if (!c->mix->floors || instructions_of(s) < LEAST)
		return true;
	const unsigned n = c->mix->floors(c, s, floor);
	bool ok = true;
	for (unsigned i = 0; i < n; i++)
		ok &= reaches(b, floor[i].name, floor[i].value, floor[i].least, s->retired);
	ok &= reaches(b, "requests held back (cycles)", s->stalled_in, stalled ? 500 : 0, s->retired);
	ok &= reaches(b, "results held back (cycles)", s->stalled_out, stalled ? 500 : 0, s->retired);
	if (memory && !c->mix->no_memory && !c->timing)
		ok &= memory_floors(b, memory, stalled, c->lean, s->retired);
	const unsigned way = c->lean           ? 2
	                     : c->mix->overlap ? c->mix->overlap
	                                       : 8,
	               overlap = inflight < way ? inflight : way;
	if (s->max_inflight < overlap)
		ok = tell_below(b, "at most %u requests were in flight, %u were allowed", s->max_inflight, inflight);
	return ok;
}

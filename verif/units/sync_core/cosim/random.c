// SPDX-License-Identifier: Apache-2.0
/* random.c -- the mix `all`: requests of every unit together. CTAs and barriers come from the mix `barrier`. Between
 * two barrier requests a warp has requests of other mixes, and walks (walk.c) through convergence barriers. While lanes
 * wait in a walk, only ready lanes have requests. A barrier is requested when all live lanes stand together, and for
 * all live lanes, like in a kernel. */
#include <stdio.h>
#include <string.h>

#include "../../barrier_file/cosim/barrier_file.h"
#include "../../convergence/cosim/convergence.h"
#include "../../mbarrier_engine/cosim/mbarrier_engine.h"
#include "sync_core.h"

enum {
	MBARRIER = 0, /* a guest with special treatment */
	GUESTS = 7,
	BASE = GUESTS, /* owner of a request: a guest, the mix `barrier`, the walk */
	WALK,
	WINDOW = 512,
	UNDER_WAY = WL_MAX_POSTED + 1,
	ARENA = 4 << 20, /* bytes: state of all mixes */
};

static const struct {
	const char *mix;
	unsigned weight;
	enum wl_arch since;
} guests[GUESTS] = {
        [MBARRIER] = {"mbarrier", 30, WL_SM80},
        {"collective", 25, WL_SM75},
        {"faults", 17, WL_SM75},
        {"fence", 8, WL_SM75},
        {"generic", 8, WL_SM75},
        {"global", 6, WL_SM75},
        {"atom", 6, WL_SM75},
};

struct warp {
	bool runs; /* the CTA is in `slot`, and the warp has no order to leave */
	bool held; /* the EXIT has retired before older requests: the record waits in `last` */
	uint16_t slot;
	unsigned guests; /* requests of guests under way */
	struct {
		bool is;
		uint8_t of;
		uint32_t n;
	} request[UNDER_WAY];
	struct walk walk;
	struct wl_record last;
};

struct draw {
	const struct cosim_mix *mix[GUESTS + 1];
	void *own[GUESTS + 1];
	unsigned sum; /* of the weights of guests of this architecture */
	struct warp warp[RANDOM_WARPS];
	_Alignas(16) unsigned char arena[ARENA];
};

/* ---- parts of the mix ---- */

static bool start(struct random_stream *r, char *why, size_t whyn)
{
	struct draw *d = r->own;
	size_t at = 0;
	bool good = true;
	for (unsigned i = 0; i <= GUESTS && good; i++) {
		const struct cosim_mix *mix = cosim_mix(i == BASE ? "barrier" : guests[i].mix);
		if (!mix || at + mix->own_bytes > ARENA) {
			snprintf(why, whyn, "mix %s: %s", i == BASE ? "barrier" : guests[i].mix,
			         mix ? "keeps too much" : "there is none");
			return false;
		}
		if (i != BASE && r->config->arch < guests[i].since)
			continue;
		d->mix[i] = mix;
		d->own[i] = r->own = d->arena + at;
		at += (mix->own_bytes + 15) & ~(size_t)15;
		good = !mix->start || mix->start(r, why, whyn);
		r->own = d;
		d->sum += i == BASE ? 0 : guests[i].weight;
	}
	return good;
}

static void window(struct random_stream *r, unsigned slot, uint32_t *base, uint32_t *size)
{
	(void)r, (void)slot, (void)base;
	if (*size > WINDOW) /* shared memory of a board may be small */
		*size = WINDOW;
}

static void turn(struct random_stream *r)
{
	struct draw *d = r->own;
	r->own = d->own[BASE];
	d->mix[BASE]->turn(r);
	r->own = d;
}

/* ---- requests ---- */

static bool draw_of(struct random_stream *r, unsigned which, struct wl_req *q)
{
	struct draw *d = r->own;
	r->own = d->own[which];
	const bool drawn = d->mix[which]->draw(r, q);
	r->own = d;
	return drawn;
}

static bool draw_base(struct random_stream *r, struct warp *w, struct wl_req *q)
{
	if (!draw_of(r, BASE, q))
		return false;
	if (!w->runs)
		walk_launch(&w->walk);
	w->runs = q->inst.uop != WL_UOP_EXIT;
	w->slot = (uint16_t)q->tag.cta;
	q->mask &= w->walk.live;
	if (q->header || !q->mask)
		q->mask = w->walk.live;
	return true;
}

static bool draw_guest(struct random_stream *r, struct warp *w, struct wl_req *q, unsigned *of)
{
	struct draw *d = r->own;
	unsigned which = 0, die = rng_below(r->rng, d->sum);
	while (!d->mix[which] || die >= guests[which].weight)
		die -= d->mix[which] ? guests[which].weight : 0, which++;
	q->tag.slot = w->slot;
	q->tag.cta = w->slot;
	if (!draw_of(r, which, q))
		return false;
	q->mask &= w->walk.ready;
	if (!q->mask)
		q->mask = w->walk.ready & -w->walk.ready;
	w->guests++;
	*of = which;
	return true;
}

/* Notes the owner of a request until the request retires. */
static void note(struct warp *w, uint32_t n, unsigned of)
{
	unsigned i = 0;
	while (w->request[i].is)
		i++;
	w->request[i].is = true;
	w->request[i].n = n;
	w->request[i].of = (uint8_t)of;
}

static unsigned whose(struct warp *w, uint32_t n)
{
	unsigned i = 0;
	while (!w->request[i].is || w->request[i].n != n)
		i++;
	w->request[i].is = false;
	return w->request[i].of;
}

static bool draw(struct random_stream *r, struct wl_req *q)
{
	struct draw *d = r->own;
	struct warp *w = &d->warp[q->tag.warp];
	const unsigned die = rng_below(r->rng, 100);
	unsigned of = BASE;
	bool drawn;
	if (w->walk.on && !w->walk.ready)
		return false; /* a mistake, already reported */
	if (!w->runs || (!w->walk.on && die < 55)) {
		drawn = !w->held && draw_base(r, w, q);
	} else if (w->walk.on ? die < 45 : die < 63) {
		of = WALK;
		q->tag.slot = w->slot;
		q->tag.cta = w->slot;
		drawn = walk_draw(r, &w->walk, q);
	} else {
		drawn = draw_guest(r, w, q, &of);
	}
	if (drawn)
		note(w, q->tag.n, of);
	return drawn;
}

static void tell(struct random_stream *r, unsigned which, const struct wl_record *rec)
{
	struct draw *d = r->own;
	r->own = d->own[which];
	if (d->mix[which]->retired)
		d->mix[which]->retired(r, rec);
	r->own = d;
}

/* Other accesses, and new CTAs, destroy the objects of the guest's account. */
static void forget_objects(struct draw *d, const struct wl_record *rec)
{
	struct mbars_draw *own = d->own[MBARRIER];
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		if (rec->faulted >> l & 1 && rec->fault[l] == WL_FAULT_MBAR_UNINIT)
			memset(own->object[rec->tag.slot], 0, sizeof own->object[0]);
}

/* The mix `barrier` lets a warp's CTA go with the warp's EXIT. So the mix gets the EXIT after all requests of guests
 * have retired. */
static void retired(struct random_stream *r, const struct wl_record *rec)
{
	struct draw *d = r->own;
	struct warp *w = &d->warp[rec->tag.warp];
	const unsigned of = whose(w, rec->tag.n);
	struct wl_inst in;
	if (of == WALK) {
		walk_retired(r, &w->walk, rec);
	} else if (of != BASE) {
		w->guests--;
		tell(r, of, rec);
		if (of == MBARRIER)
			forget_objects(d, rec);
	} else if (w->guests && wl_decode(r->config->arch, rec->word, &in) == WL_OK && in.uop == WL_UOP_EXIT) {
		w->held = true;
		w->last = *rec;
	} else {
		tell(r, BASE, rec);
	}
	if (!w->held || w->guests)
		return;
	w->held = false;
	tell(r, BASE, &w->last);
}

/* ---- floors ---- */

static unsigned floors(const struct random_config *c, const struct lockstep_stats *s,
                       struct random_floor floor[RANDOM_FLOORS])
{
	const uint64_t *bars = s->counter[WL_UNIT_barrier_file], *conv = s->counter[WL_UNIT_convergence];
	const double later = c->arch > WL_SM75 ? 1 : 0, marks = c->arch > WL_SM80 ? 1 : 0;
	unsigned rows = 0;
#define FLOOR(what, events, least) floor[rows++] = (struct random_floor){what, events, least};
#include "floors.def"
#undef FLOOR
	return rows;
}

static const struct cosim_mix all = {
        .name = "all",
        .what = "every unit together: CTAs with barriers, whose warps divide, meet, vote, wait and use memory",
        .units = 1u << WL_UNIT_barrier_file | 1u << WL_UNIT_warp_collective | 1u << WL_UNIT_convergence |
                 1u << WL_UNIT_fence_unit | 1u << WL_UNIT_mbarrier_engine | 1u << WL_UNIT_atom_unit,
        .waits = true,
        .own_bytes = sizeof(struct draw),
        .start = start,
        .window = window,
        .closed = (UINT32_C(1) << RANDOM_SLOTS) - 1,
        .turn = turn,
        .draw = draw,
        .retired = retired,
        .floors = floors,
};

const struct cosim_mix *const sync_core_mixes[] = {&all, NULL};

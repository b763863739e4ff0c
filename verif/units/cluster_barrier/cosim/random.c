// SPDX-License-Identifier: Apache-2.0
/* random.c -- the mix of cluster_barrier: clusters of 1 to 16 CTAs come and go. Warps arrive, wait, do either at the
 * wrong time, and leave; accesses to shared memory lie between. The last arrival or exit lets the other warps go, so
 * the mix never stops. */
#include <stdio.h>
#include <string.h>

#include "cluster_barrier.h"
#include "warplock/address.h"

enum {
	WINDOW = 64, /* bytes: enough to be ordered, and quickly filled */
	/* One barrier instruction in FIRST is an EXIT while the cluster is whole, one in NEXT after the first exit.
	 * With equal numbers most clusters would be remains holding their slots, and no warp would wait for many
	 * warps. */
	FIRST = 300,
	NEXT = 30,
};

enum access { STORE, REDUCE, LOAD, ACCESSES };

struct word {
	struct wl_word word;
	struct wl_inst inst;
};

struct warp {
	enum { FREE, RUNS, LEFT } state;
	uint8_t slot, closed;                         /* closed: the slot named by the request, else RANDOM_SLOTS */
	bool came;                                    /* arrived, and not waited since */
	unsigned under_way;                           /* requests */
	uint32_t judged;                              /* number of the last request for the unit ... */
	enum { NOT_ASKED, ANYHOW, FAULTS, FINE } due; /* ... and the required outcome */
	bool arrives;
};

struct draw {
	struct word access[ACCESSES], leave, bar[2]; /* UCGABAR_ARV, UCGABAR_WAIT */
	struct {
		bool used;
		uint8_t cluster, ctas; /* cluster of the CTA, and number of CTAs in the cluster */
		unsigned alive, named; /* warps not gone for good; requests to this closed slot */
	} cta[RANDOM_SLOTS];
	bool cluster[RANDOM_SLOTS]; /* in use */
	bool ends[RANDOM_SLOTS];    /* the cluster's first warp has left */
	unsigned next;              /* CTAs of the next cluster, waiting for slots */
	uint32_t launches;
	struct warp warp[RANDOM_WARPS];
};

/* ---- words ---- */

static bool encode(struct random_stream *r, const struct wl_inst *in, struct word *to, char *why, size_t whyn)
{
	const char *reason = "";
	if (wl_encode(r->config->arch, in, &to->word, &reason) == WL_OK &&
	    wl_decode(r->config->arch, to->word, &to->inst) == WL_OK)
		return true;
	snprintf(why, whyn, "%s has no encoding: %s", wl_uop_name((enum wl_uop)in->uop), reason);
	return false;
}

static bool start(struct random_stream *r, char *why, size_t whyn)
{
	static const enum wl_uop uops[ACCESSES] = {WL_UOP_STS, WL_UOP_ATOMS, WL_UOP_LDS};
	struct draw *d = r->own;
	struct wl_inst in = wl_inst_make(WL_UOP_EXIT);
	bool good = encode(r, &in, &d->leave, why, whyn);
	for (unsigned i = 0; i < 2; i++) {
		in = wl_inst_make(WL_UOP_UCGABAR);
		in.guard_uniform = true;
		in.op = (uint8_t)i;
		good = good && encode(r, &in, &d->bar[i], why, whyn);
	}
	for (unsigned i = 0; i < ACCESSES; i++) {
		in = wl_inst_make(uops[i]);
		in.size = 4;
		in.ra = 8;
		in.rb = i == LOAD ? WL_RZ : 12;
		in.rd = i == LOAD ? 16 : WL_RZ;
		in.op = i == REDUCE ? WL_ATOM_ADD : 0;
		good = good && encode(r, &in, &d->access[i], why, whyn);
	}
	return good;
}

/* ---- clusters come and go ---- */

/* `n` free warps side by side; false: not enough. */
static bool find_warps(struct random_stream *r, unsigned n, unsigned *first)
{
	const struct draw *d = r->own;
	for (unsigned i = 0, at = rng_below(r->rng, RANDOM_WARPS); i < RANDOM_WARPS;
	     i++, at = (at + 1) % RANDOM_WARPS) {
		unsigned free = 0;
		while (free < n && at + free < RANDOM_WARPS && d->warp[at + free].state == FREE)
			free++;
		*first = at;
		if (free == n)
			return true;
	}
	return false;
}

static bool find_slot(struct random_stream *r, uint32_t taken, unsigned *slot)
{
	const struct draw *d = r->own;
	for (unsigned i = 0, at = rng_below(r->rng, RANDOM_SLOTS); i < RANDOM_SLOTS; i++, at = (at + 1) % RANDOM_SLOTS)
		if (!d->cta[at].used && !d->cta[at].named && !(taken >> at & 1)) {
			*slot = at;
			return true;
		}
	return false;
}

/* A cluster of `ctas` CTAs, fewer where the warps do not suffice: the number of CTAs is known before the first
 * comes. */
static void launch(struct random_stream *r, unsigned cluster, unsigned ctas, unsigned warps)
{
	struct draw *d = r->own;
	struct random_member member[RANDOM_SLOTS];
	unsigned n = 0;
	uint32_t taken = 0;
	for (; n < ctas; n++) {
		struct random_member *m = &member[n];
		m->warps = 1 + rng_below(r->rng, warps);
		if (!find_slot(r, taken, &m->slot))
			break;
		if (!find_warps(r, m->warps, &m->first) && !find_warps(r, m->warps = 1, &m->first))
			break;
		taken |= 1u << m->slot;
		d->cta[m->slot].used = true;
		d->cta[m->slot].cluster = (uint8_t)cluster;
		d->cta[m->slot].alive = m->warps;
		for (unsigned w = m->first; w < m->first + m->warps; w++)
			d->warp[w] = (struct warp){.state = RUNS, .slot = (uint8_t)m->slot, .closed = RANDOM_SLOTS};
	}
	for (unsigned i = 0; i < n; i++)
		d->cta[member[i].slot].ctas = (uint8_t)n;
	d->cluster[cluster] = n != 0;
	d->ends[cluster] = false;
	if (n)
		random_cluster(r, d->launches++, member, n);
}

static void end_cluster(struct random_stream *r, unsigned cluster)
{
	struct draw *d = r->own;
	for (unsigned slot = 0; slot < RANDOM_SLOTS; slot++)
		if (d->cta[slot].used && d->cta[slot].cluster == cluster && d->cta[slot].alive)
			return;
	for (unsigned slot = 0; slot < RANDOM_SLOTS; slot++)
		if (d->cta[slot].used && d->cta[slot].cluster == cluster) {
			random_cta(r, slot, 0);
			d->cta[slot].used = false;
		}
	d->cluster[cluster] = false;
}

static unsigned free_slots(const struct draw *d)
{
	unsigned n = 0;
	for (unsigned slot = 0; slot < RANDOM_SLOTS; slot++)
		n += !d->cta[slot].used && !d->cta[slot].named;
	return n;
}

/* The next cluster waits for all its slots. Cut to the free slots, soon all clusters would be of one CTA. */
static void turn(struct random_stream *r)
{
	struct draw *d = r->own;
	const unsigned cluster = rng_below(r->rng, RANDOM_SLOTS);
	if (!d->next)
		d->next = rng_below(r->rng, 12) ? 1 + rng_below(r->rng, 5) : RANDOM_SLOTS;
	if (d->cluster[cluster]) {
		end_cluster(r, cluster);
	} else if (rng_one_in(r->rng, 8) && free_slots(d) >= d->next) {
		launch(r, cluster, d->next, d->next == RANDOM_SLOTS ? 2 : 6);
		d->next = 0;
	}
}

/* ---- requests ---- */

static uint32_t some_lanes(struct random_stream *r)
{
	return rng_below(r->rng, 2) ? UINT32_MAX : rng_u32(r->rng) | UINT32_C(1) << rng_below(r->rng, 32);
}

static void use(struct wl_req *q, const struct word *w)
{
	q->word = w->word;
	q->inst = w->inst;
}

/* Addresses carry the rank of the CTA. */
static void draw_access(struct random_stream *r, struct wl_req *q)
{
	struct draw *d = r->own;
	const unsigned which = rng_below(r->rng, ACCESSES);
	use(q, &d->access[which]);
	q->posted = which != LOAD;
	q->mask = some_lanes(r);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		q->ra[l] = r->smem->window[q->tag.slot].origin + 4 * rng_below(r->rng, WINDOW / 4);
		q->rb[l].w[0] = rng_u32(r->rng);
	}
}

static void draw_closed_slot(struct random_stream *r, struct wl_req *q)
{
	struct draw *d = r->own;
	struct warp *w = &d->warp[q->tag.warp];
	const unsigned slot = rng_below(r->rng, RANDOM_SLOTS);
	if (d->cta[slot].used || !rng_one_in(r->rng, 8))
		return;
	d->cta[slot].named++;
	w->closed = (uint8_t)slot;
	w->due = FAULTS;
	q->tag.slot = (uint16_t)slot;
}

static bool reaches(const struct random_stream *r);

static bool draw(struct random_stream *r, struct wl_req *q)
{
	struct draw *d = r->own;
	struct warp *w = &d->warp[q->tag.warp];
	if (w->state != RUNS)
		return false;
	q->tag.slot = w->slot;
	q->tag.cta = w->slot;
	q->posted = false;
	w->under_way++;
	if (reaches(r) && !rng_one_in(r->rng, 3)) {
		const struct reach_cluster c = {r->smem->window[w->slot].origin >> WL_RANK_SHIFT, d->cta[w->slot].ctas};
		return reach_draw(r, &c, q);
	}
	if (rng_one_in(r->rng, 4)) {
		draw_access(r, q);
		return true;
	}
	q->header = true;
	q->mask = some_lanes(r);
	bool *const ends = &d->ends[d->cta[w->slot].cluster];
	if (rng_one_in(r->rng, *ends ? NEXT : FIRST)) {
		*ends = true;
		use(q, &d->leave);
		q->posted = true;
		w->state = LEFT;
		return true;
	}
	const bool wait = rng_one_in(r->rng, 20) ? rng_below(r->rng, 2) : w->came && !rng_one_in(r->rng, 6);
	use(q, &d->bar[wait]);
	w->judged = q->tag.n;
	w->arrives = !wait;
	w->due = wait ? w->came ? FINE : FAULTS : w->came ? ANYHOW : FINE;
	draw_closed_slot(r, q);
	return true;
}

static void judge(struct random_stream *r, struct warp *w, const struct wl_record *rec)
{
	const bool closed = w->closed != RANDOM_SLOTS;
	if (w->due != ANYHOW && (rec->faulted != 0) != (w->due == FAULTS) && !*r->wrong)
		snprintf(r->wrong, sizeof r->wrong, "warp %u, n=%u: both models %s, the program of the warp %s",
		         rec->tag.warp, rec->tag.n, rec->faulted ? "fault" : "have no fault",
		         w->due == FAULTS ? "has a misuse" : "has none");
	if (!rec->faulted)
		w->came = w->arrives;
	if (closed)
		((struct draw *)r->own)->cta[w->closed].named--;
	w->closed = RANDOM_SLOTS;
	w->due = NOT_ASKED;
}

static void retired(struct random_stream *r, const struct wl_record *rec)
{
	struct draw *d = r->own;
	struct warp *w = &d->warp[rec->tag.warp];
	w->under_way--;
	if (w->due != NOT_ASKED && rec->tag.n == w->judged)
		judge(r, w, rec);
	if (w->state == LEFT && !w->under_way) {
		w->state = FREE;
		d->cta[w->slot].alive--;
	}
}

static void window(struct random_stream *r, unsigned slot, uint32_t *base, uint32_t *size)
{
	(void)slot, (void)base;
	*size = reaches(r) ? REACH_WINDOW : WINDOW;
}

static unsigned floors(const struct random_config *c, const struct lockstep_stats *s,
                       struct random_floor floor[RANDOM_FLOORS])
{
	const uint64_t *n = s->counter[WL_UNIT_cluster_barrier];
	const double several = c->ports > 1 ? 1 : 0;
	unsigned rows = 0;
#define FLOOR(what, events, least) floor[rows++] = (struct random_floor){what, events, least};
#include "floors.def"
#undef FLOOR
	return rows;
}

static const struct cosim_mix cluster = {
        .name = "cluster",
        .what = "barriers of clusters: of 1 to 16 CTAs that come and go, exits, every misuse",
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

static const struct cosim_mix reach = {
        .name = "reach",
        .what = "the same with accesses to other CTAs' shared memory, and to their mbarriers",
        .units = 1u << WL_UNIT_cluster_barrier | 1u << WL_UNIT_mbarrier_engine | 1u << WL_UNIT_atom_unit,
        .waits = true,
        .no_memory = true,
        .own_bytes = sizeof(struct draw),
        .start = start,
        .window = window,
        .closed = (UINT32_C(1) << RANDOM_SLOTS) - 1,
        .turn = turn,
        .draw = draw,
        .retired = retired,
        .floors = reach_floors,
};

static bool reaches(const struct random_stream *r)
{
	return r->config->mix == &reach;
}

const struct cosim_mix *const cluster_barrier_mixes[] = {&cluster, &reach, NULL};

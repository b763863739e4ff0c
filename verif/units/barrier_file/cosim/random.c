// SPDX-License-Identifier: Apache-2.0
/* random.c -- the mix of barrier_file: CTAs of 1 to 48 warps come and go. Each CTA has a program (barrier_script.h)
 * always able to finish, in every encoding of the words. Accesses to shared memory lie between the barriers. Where
 * cycles are compared, the stream has no accesses: cycles of accesses belong to atoms_pipe. */
#include <stdio.h>
#include <string.h>

#include "../bench/barrier_script.h"
#include "barrier_file.h"

enum {
	WINDOW = 64,      /* bytes: enough to be ordered, and quickly filled */
	AHEAD = 24,       /* operations written ahead for a warp */
	LARGE_EVERY = 45, /* launches from a CTA of most warps to the next; mostly of all */
};

enum access { STORE, REDUCE, LOAD, ACCESSES };

struct warp {
	enum { FREE, RUNS, LEFT } state;
	uint8_t slot;
	unsigned under_way; /* requests */
	uint32_t judged;    /* number of the last barrier instruction ... */
	bool asked, faults; /* ... asked: not judged yet; faults: must fault */
	uint8_t closed;     /* the closed slot named by the request, else RANDOM_SLOTS */
};

struct draw {
	struct wl_word access[ACCESSES], leave;
	struct wl_inst access_inst[ACCESSES], leave_inst;
	struct script_cta cta[RANDOM_SLOTS];
	bool open[RANDOM_SLOTS];
	unsigned alive[RANDOM_SLOTS]; /* warps not gone for good */
	unsigned named[RANDOM_SLOTS]; /* requests under way to this closed slot */
	unsigned launches;
	bool large; /* the next CTA waits for all warps */
	struct warp warp[RANDOM_WARPS];
	struct script_warp script[RANDOM_WARPS];
};

/* ---- words ---- */

static bool encode(struct random_stream *r, const struct wl_inst *in, struct wl_word *word, struct wl_inst *inst)
{
	const char *reason = "";
	if (wl_encode(r->config->arch, in, word, &reason) == WL_OK && wl_decode(r->config->arch, *word, inst) == WL_OK)
		return true;
	if (!*r->wrong)
		snprintf(r->wrong, sizeof r->wrong, "%s has no encoding: %s", wl_uop_name((enum wl_uop)in->uop),
		         reason);
	return false;
}

static bool start(struct random_stream *r, char *why, size_t whyn)
{
	static const enum wl_uop uops[ACCESSES] = {WL_UOP_STS, WL_UOP_ATOMS, WL_UOP_LDS};
	struct draw *d = r->own;
	struct wl_inst in = wl_inst_make(WL_UOP_EXIT);
	bool good = encode(r, &in, &d->leave, &d->leave_inst);
	for (unsigned i = 0; i < ACCESSES; i++) {
		in = wl_inst_make(uops[i]);
		in.size = 4;
		in.ra = 8;
		in.rb = i == LOAD ? WL_RZ : 12;
		in.rd = i == LOAD ? 16 : WL_RZ;
		in.op = i == REDUCE ? WL_ATOM_ADD : 0;
		good = good && encode(r, &in, &d->access[i], &d->access_inst[i]);
	}
	snprintf(why, whyn, "%s", r->wrong);
	return good;
}

/* A barrier instruction as a word: index and count at the places given by `q`, a predicate for votes, with or without
 * .DEFER_BLOCKING. .DEFER_BLOCKING has no effect here. */
static bool encode_arrival(struct random_stream *r, const struct bar_request *q, struct wl_req *to)
{
	struct wl_inst in = wl_inst_make(WL_UOP_BAR);
	const bool red = q->kind >= BAR_POPC;
	in.op = red ? WL_BAR_RED : q->kind == BAR_ARV ? WL_BAR_ARV : WL_BAR_SYNC;
	in.type = red ? (uint8_t)(q->kind - BAR_POPC + WL_RED_POPC) : 0;
	if (red)
		in.ps[0] = (uint8_t)rng_below(r->rng, 16);
	in.src[0] = q->form & BAR_ID_IN_RA ? WL_SRC_REG : WL_SRC_IMM;
	in.src[1] = q->form == BAR_COUNT_IN_RB ? WL_SRC_REG : WL_SRC_IMM;
	if (q->form & BAR_ID_IN_RA)
		in.ra = (uint8_t)rng_below(r->rng, 200);
	else
		in.imm = q->id;
	if (q->form == BAR_COUNT_IN_RB)
		in.rb = (uint8_t)rng_below(r->rng, 200);
	else
		in.imm2 = q->form == BAR_PACKED ? 0 : q->count;
	if (q->form == BAR_PACKED)
		in.flags = WL_F_HI;
	if (!encode(r, &in, &to->word, &to->inst))
		return false;
	to->word.hi = (to->word.hi & ~(UINT64_C(1) << 16)) | (uint64_t)rng_below(r->rng, 2) << 16;
	return wl_decode(r->config->arch, to->word, &to->inst) == WL_OK;
}

static bool encode_result(struct random_stream *r, struct wl_req *to)
{
	struct wl_inst in = wl_inst_make(WL_UOP_B2R);
	in.rd = rng_one_in(r->rng, 4) ? WL_RZ : (uint8_t)rng_below(r->rng, 200);
	in.pd[0] = in.rd == WL_RZ || rng_below(r->rng, 2) ? (uint8_t)rng_below(r->rng, 7) : WL_PT;
	return encode(r, &in, &to->word, &to->inst);
}

/* ---- CTAs come and go ---- */

/* Any free warps. Beside convergence neighbours only: convergence learns the first warp and the number. */
static void launch(struct random_stream *r, unsigned slot, unsigned most)
{
	struct draw *d = r->own;
	const bool in_a_row = cosim_mix_units(r->config->mix) >> WL_UNIT_convergence & 1;
	uint64_t warps = 0;
	unsigned n = 0;
	for (unsigned i = 0, w = rng_below(r->rng, in_a_row ? RANDOM_WARPS + 1 - most : RANDOM_WARPS);
	     i < RANDOM_WARPS && n < most; i++, w = (w + 1) % RANDOM_WARPS) {
		if (d->warp[w].state != FREE || (in_a_row && warps && !(warps << 1 >> w & 1)))
			continue;
		warps |= UINT64_C(1) << w;
		d->warp[w].state = RUNS;
		d->warp[w].slot = (uint8_t)slot;
		d->script[w].first = d->script[w].count = 0;
		n++;
	}
	if (!n)
		return;
	if (d->open[slot])
		random_cta(r, slot, 0);
	if (in_a_row)
		random_cta_at(r, slot, (unsigned)__builtin_ctzll(warps), n, WL_WARP_LANES);
	else
		random_cta(r, slot, n);
	d->open[slot] = true;
	d->alive[slot] = n;
	d->launches++;
	script_start(&d->cta[slot], BAR_BARRIERS, warps, rng_below(r->rng, 40));
}

static bool all_free(const struct draw *d)
{
	for (unsigned slot = 0; slot < RANDOM_SLOTS; slot++)
		if (d->alive[slot])
			return false;
	return true;
}

/* A CTA without live warps leaves, or the next CTA follows at once. From time to time a CTA has most warps. */
static void turn(struct random_stream *r)
{
	struct draw *d = r->own;
	const unsigned slot = rng_below(r->rng, RANDOM_SLOTS);
	if (d->alive[slot] || d->named[slot] || !rng_one_in(r->rng, 4))
		return;
	if (d->open[slot] && rng_below(r->rng, 2)) {
		random_cta(r, slot, 0);
		d->open[slot] = false;
	} else if (!d->large) {
		launch(r, slot, 1 + rng_below(r->rng, rng_below(r->rng, 3) ? 6 : RANDOM_WARPS));
		d->large = d->launches % LARGE_EVERY == LARGE_EVERY - 1;
	} else if (all_free(d)) {
		launch(r, slot, rng_below(r->rng, 4) ? RANDOM_WARPS : 33 + rng_below(r->rng, RANDOM_WARPS - 32));
		d->large = false;
	}
}

/* ---- requests ---- */

/* Writes another round of the CTA's program, unless a warp of the CTA is far ahead. */
static void write_more(struct random_stream *r, unsigned slot)
{
	struct draw *d = r->own;
	struct script_cta *c = &d->cta[slot];
	if (c->ended)
		return;
	for (uint64_t rest = c->live; rest; rest &= rest - 1)
		if (d->script[__builtin_ctzll(rest)].count >= AHEAD)
			return;
	script_round(c, d->script, r->rng);
}

static uint32_t some_lanes(struct random_stream *r)
{
	return rng_below(r->rng, 2) ? UINT32_MAX : rng_u32(r->rng) | UINT32_C(1) << rng_below(r->rng, 32);
}

static void draw_access(struct random_stream *r, struct wl_req *q)
{
	struct draw *d = r->own;
	const unsigned which = rng_below(r->rng, ACCESSES);
	q->word = d->access[which];
	q->inst = d->access_inst[which];
	q->posted = which != LOAD;
	q->mask = some_lanes(r);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		q->ra[l] = 4 * rng_below(r->rng, WINDOW / 4);
		q->rb[l].w[0] = rng_u32(r->rng);
	}
}

/* Lane 0 has the operands; the other register contents do not matter. */
static void junk(struct random_stream *r, struct wl_req *q)
{
	const struct wl_lane *pool = &r->pool[FLAVOUR_RANDOM][rng_below(r->rng, RANDOM_POOL)];
	memcpy(q->rb, pool, sizeof q->rb);
	memcpy(q->rc, pool, sizeof q->rc);
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		q->ra[l] = (uint64_t)pool[l].w[1] << 32 | pool[l].w[0];
}

static void leave(struct draw *d, struct wl_req *q)
{
	q->word = d->leave;
	q->inst = d->leave_inst;
	q->posted = true;
	d->warp[q->tag.warp].state = LEFT;
}

static uint32_t draw_votes(struct random_stream *r, uint32_t lanes)
{
	const uint32_t votes = rng_u32(r->rng);
	return rng_one_in(r->rng, 3) ? ~lanes & votes : rng_below(r->rng, 2) ? lanes | votes : votes;
}

static bool draw_closed_slot(struct random_stream *r, struct warp *w)
{
	struct draw *d = r->own;
	for (unsigned i = 0, slot = rng_below(r->rng, RANDOM_SLOTS); i < RANDOM_SLOTS;
	     i++, slot = (slot + 1) % RANDOM_SLOTS)
		if (!d->open[slot]) {
			d->named[slot]++;
			w->closed = (uint8_t)slot;
			return true;
		}
	return false;
}

static bool draw_request(struct random_stream *r, struct wl_req *q, const struct script_op *op)
{
	struct draw *d = r->own;
	struct warp *w = &d->warp[q->tag.warp];
	const struct bar_request *b = &op->request;
	w->closed = RANDOM_SLOTS;
	if (op->closed && !draw_closed_slot(r, w))
		return false;
	q->header = true;
	q->posted = false;
	q->mask = some_lanes(r);
	junk(r, q);
	if (b->kind == BAR_EXIT) {
		leave(d, q);
		return true;
	}
	if (op->closed)
		q->tag.slot = w->closed;
	w->asked = true;
	w->judged = q->tag.n;
	w->faults = op->faults;
	if (b->kind == BAR_RESULT)
		return encode_result(r, q);
	q->ra[0] = (q->ra[0] & ~UINT64_C(0xffffffff)) | b->ra;
	q->rb[0].w[0] = b->rb;
	q->pred = b->kind >= BAR_POPC ? draw_votes(r, q->mask) : 0;
	return encode_arrival(r, b, q);
}

static bool draw(struct random_stream *r, struct wl_req *q)
{
	struct draw *d = r->own;
	struct warp *w = &d->warp[q->tag.warp];
	struct script_warp *script = &d->script[q->tag.warp];
	struct script_op op;
	if (w->state != RUNS)
		return false;
	q->tag.slot = w->slot;
	q->tag.cta = w->slot;
	write_more(r, w->slot);
	if (!script->count)
		return false;
	if (!r->config->timing && rng_one_in(r->rng, 5)) {
		draw_access(r, q);
	} else {
		op = script->op[script->first];
		script->first = (script->first + 1) % SCRIPT_OPS;
		script->count--;
		if (!draw_request(r, q, &op))
			return false;
	}
	w->under_way++;
	return true;
}

static void retired(struct random_stream *r, const struct wl_record *rec)
{
	struct draw *d = r->own;
	struct warp *w = &d->warp[rec->tag.warp];
	w->under_way--;
	if (w->asked && rec->tag.n == w->judged) {
		w->asked = false;
		if (w->closed != RANDOM_SLOTS)
			d->named[w->closed]--;
		if ((rec->faulted != 0) != w->faults && !*r->wrong)
			snprintf(r->wrong, sizeof r->wrong, "warp %u, n=%u: both models %s, the program of the warp %s",
			         rec->tag.warp, rec->tag.n, rec->faulted ? "fault" : "have no fault",
			         w->faults ? "has a misuse" : "has none");
	}
	if (w->state == LEFT && !w->under_way) {
		w->state = FREE;
		d->alive[w->slot]--;
	}
}

static void window(struct random_stream *r, unsigned slot, uint32_t *base, uint32_t *size)
{
	(void)r, (void)slot, (void)base;
	*size = WINDOW;
}

static unsigned floors(const struct random_config *c, const struct lockstep_stats *s,
                       struct random_floor floor[RANDOM_FLOORS])
{
	const uint64_t *n = s->counter[WL_UNIT_barrier_file];
	const double several = c->ports > 1 ? 1 : 0, accesses = c->timing ? 0 : 1;
	const double quick = c->lean ? 0 : 1; /* the lean form takes several cycles for each arrival */
	unsigned rows = 0;
#define FLOOR(what, events, least) floor[rows++] = (struct random_floor){what, events, least};
#include "floors.def"
#undef FLOOR
	return rows;
}

static const struct cosim_mix barrier = {
        .name = "barrier",
        .what = "named barriers: CTAs of 1 to 48 warps that come and go, exits, votes, every misuse",
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

const struct cosim_mix *const barrier_file_mixes[] = {&barrier, NULL};

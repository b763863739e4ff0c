// SPDX-License-Identifier: Apache-2.0
/* mon.c -- the monitor's part for convergence. The part keeps the live lanes and the waiting lanes of each warp, with
 * the awaited lanes. So the part knows the lanes ready after each instruction. No lane is lost, no lane goes on early,
 * no lane runs while waiting, and a lane with a misused mask faults.
 * Source: docs/spec/convergence.md, "Instructions"; docs/spec/convergence.md, "Who goes on";
 * docs/spec/convergence.md, "Faults". */
#include <string.h>

#include "../../../cosim/mon_unit.h"

enum { BARS = 16, LANES = 32, WARPSYNC_AT = BARS /* and the next place: apart */ };

struct warp {
	uint32_t live, waits, yielded;
	uint8_t at[LANES];         /* of waiting lanes */
	uint32_t mask[LANES];      /* of lanes at WARPSYNC */
	uint32_t set[BARS][LANES]; /* barriers, for each lane */
};

struct state {
	struct warp warp[WL_MAX_WARPS];
};

/* State kept for a request. */
struct step {
	uint16_t uop;
	uint8_t bar, apart;
	uint32_t lanes;
	uint32_t row[LANES];
};
_Static_assert(sizeof(struct step) <= MON_OWN, "a step fits into an item of the monitor");

static struct state *state_of(struct mon *m)
{
	return mon_state(m, WL_UNIT_convergence);
}

static struct step *step_of(struct mon_item *it)
{
	return (struct step *)(void *)it->own;
}

static uint32_t ready(const struct warp *w)
{
	return w->live & ~w->waits;
}

static void open(struct mon *m, unsigned slot)
{
	const struct mon_window *win = mon_window_of(m, slot);
	if (!win->valid || !win->last_lanes)
		return;
	for (unsigned k = 0; k < win->warps; k++) {
		struct warp *w = &state_of(m)->warp[win->first + k];
		const bool part = k + 1 == win->warps && win->last_lanes < LANES;
		memset(w, 0, sizeof *w);
		w->live = part ? (UINT32_C(1) << win->last_lanes) - 1 : UINT32_MAX;
	}
}

static void accept(struct mon *m, struct mon_item *it, const struct wl_req *req)
{
	const struct warp *w = &state_of(m)->warp[req->tag.warp];
	struct step *s = step_of(it);
	const bool chooses = req->inst.uop == WL_UOP_BSYNC || req->inst.uop == WL_UOP_BREAK;
	*s = (struct step){.uop = req->inst.uop,
	                   .bar = req->inst.cbar % BARS,
	                   .apart = req->inst.op != 0,
	                   .lanes = chooses ? req->mask & req->pred : req->mask};
	for (unsigned l = 0; l < LANES; l++)
		s->row[l] = req->inst.src[0] == WL_SRC_IMM ? req->inst.imm : (uint32_t)req->ra[l];
	/* only a YIELD may name waiting lanes: then only the YIELD lets lanes of the warp go on */
	const uint32_t may = req->inst.uop == WL_UOP_YIELD ? w->live : ready(w);
	if (req->mask & ~may)
		mon_complain(m, 'd', &req->tag, req->mask & ~may, "lanes execute that wait or have left");
}

/* ---- effect of a step, lane by lane ---- */

static uint32_t wanted(const struct warp *w, unsigned l)
{
	return w->at[l] < BARS ? w->set[w->at[l]][l] : w->mask[l];
}

/* Lanes at the place of lane l, waiting for the same lanes. */
static uint32_t beside(const struct warp *w, unsigned l)
{
	uint32_t lanes = 0;
	for (unsigned i = 0; i < LANES; i++)
		if (w->waits >> i & 1 && w->at[i] == w->at[l] && wanted(w, i) == wanted(w, l))
			lanes |= UINT32_C(1) << i;
	return lanes;
}

static uint32_t missing(const struct warp *w, unsigned l)
{
	return wanted(w, l) & w->live & ~beside(w, l);
}

static void break_from(struct warp *w, unsigned bar, uint32_t lanes)
{
	uint32_t partners = 0;
	for (unsigned l = 0; l < LANES; l++)
		if (lanes >> l & 1) {
			partners |= w->set[bar][l];
			w->set[bar][l] = 0;
		}
	for (unsigned l = 0; l < LANES; l++)
		if (partners >> l & 1)
			w->set[bar][l] &= ~lanes;
}

/* ---- masks of WARPSYNC ---- */

static bool in(uint32_t mask, unsigned l)
{
	return mask >> l & 1;
}

/* The mask of lane i at this WARPSYNC, from before the step or from the step; 0: lane i is not there, or may not be. */
static uint32_t mask_there(const struct warp *w, const struct step *s, unsigned i)
{
	if (in(w->waits, i))
		return w->at[i] == WARPSYNC_AT + s->apart ? w->mask[i] : 0;
	return in(s->lanes, i) && in(s->row[i], i) ? s->row[i] : 0;
}

static enum wl_fault misuse(const struct warp *w, const struct step *s, unsigned l)
{
	if (s->uop != WL_UOP_WARPSYNC)
		return WL_FAULT_NONE;
	if (!in(s->row[l], l))
		return WL_FAULT_WARP_MASK_SELF;
	for (unsigned i = 0; i < LANES; i++) {
		const uint32_t other = mask_there(w, s, i);
		if (in(s->row[l], i) && in(other, l) && other != s->row[l])
			return WL_FAULT_WARP_MASK_MISMATCH;
	}
	return WL_FAULT_NONE;
}

/* Lanes of the request with this fault (NONE: without a fault). */
static uint32_t lanes_with(const struct warp *w, const struct step *s, enum wl_fault code)
{
	uint32_t lanes = 0;
	for (unsigned l = 0; l < LANES; l++)
		lanes |= (uint32_t)(in(s->lanes, l) && misuse(w, s, l) == code) << l;
	return lanes;
}

static void fault(struct mon *m, struct mon_item *it, const struct wl_event *ev)
{
	const struct step *s = step_of(it);
	const struct warp *w = &state_of(m)->warp[it->tag.warp];
	const uint32_t due = lanes_with(w, s, ev->fault);
	if (s->uop != WL_UOP_WARPSYNC || ev->lanes != due)
		mon_complain(m, 'd', &it->tag, ev->lanes ^ due, "FAULT %s of lanes 0x%08x, due are 0x%08x",
		             wl_fault_name(ev->fault), ev->lanes, due);
}

static void begin_wait(struct warp *w, const struct step *s)
{
	w->waits |= s->lanes;
	for (unsigned l = 0; l < LANES; l++)
		if (s->lanes >> l & 1) {
			w->at[l] = s->uop == WL_UOP_BSYNC ? s->bar : WARPSYNC_AT + s->apart;
			w->mask[l] = s->row[l];
		}
}

static void put(struct warp *w, const struct step *s)
{
	for (unsigned l = 0; l < LANES; l++)
		if (s->lanes >> l & 1)
			w->set[s->bar][l] = s->uop == WL_UOP_BSSY       ? s->lanes
			                    : s->uop == WL_UOP_BMOV_R2B ? s->row[l]
			                                                : 0;
}

/* Lanes waiting at a BSYNC only for lanes yielded, or named by the YIELD at their wait. */
static uint32_t held_by_yielding(const struct warp *w, uint32_t named)
{
	uint32_t lanes = 0;
	for (unsigned l = 0; l < LANES; l++) {
		const uint32_t absent = w->waits >> l & 1 && w->at[l] < BARS ? missing(w, l) : 0;
		lanes |= (uint32_t)(absent && !(absent & ~(w->yielded | named))) << l;
	}
	return lanes;
}

/* Lanes no longer waiting for any lane, and lanes let go; afterwards the lanes have no set. */
static void go_on(struct warp *w, uint32_t let_go)
{
	uint32_t free = let_go;
	const struct warp was = *w;
	for (unsigned l = 0; l < LANES; l++)
		free |= (uint32_t)(was.waits >> l & 1 && !missing(&was, l)) << l;
	for (unsigned l = 0; l < LANES; l++) {
		const uint32_t absent = let_go >> l & 1 ? missing(&was, l) : 0;
		for (unsigned i = 0; i < LANES; i++)
			if (absent >> i & 1 && !(was.waits >> i & 1))
				w->set[was.at[l]][i] &= ~(UINT32_C(1) << l);
	}
	for (unsigned l = 0; l < LANES; l++)
		if (free >> l & 1 && w->at[l] < BARS)
			w->set[w->at[l]][l] = 0;
	w->waits &= ~free;
}

static void take(struct warp *w, const struct step *s)
{
	uint32_t let_go = 0;
	switch (s->uop) {
	case WL_UOP_BSYNC:
	case WL_UOP_WARPSYNC:
		w->yielded &= ~s->lanes;
		begin_wait(w, s);
		break;
	case WL_UOP_BSSY:
		w->yielded &= ~s->lanes;
		put(w, s);
		return;
	case WL_UOP_BMOV_CLEAR:
	case WL_UOP_BMOV_R2B:
		put(w, s);
		return;
	case WL_UOP_BREAK:
		break_from(w, s->bar, s->lanes);
		break;
	case WL_UOP_YIELD:
		w->yielded |= s->lanes & ~w->waits;
		let_go = held_by_yielding(w, s->lanes);
		break;
	case WL_UOP_EXIT:
		w->live &= ~s->lanes;
		break;
	default:
		return;
	}
	go_on(w, let_go);
}

static void commit(struct mon *m, struct mon_item *it, uint32_t lanes)
{
	struct warp *w = &state_of(m)->warp[it->tag.warp];
	struct step *s = step_of(it);
	const uint32_t may = s->uop == WL_UOP_WARPSYNC ? lanes_with(w, s, WL_FAULT_NONE) : it->mask;
	if (lanes & ~may)
		mon_complain(m, 'd', &it->tag, lanes & ~may, "lanes of WARPSYNC commit whose masks are misused");
	else if (lanes != may)
		mon_complain(m, 'a', &it->tag, lanes, "the lanes of a group come together");
	s->lanes &= may;
	take(w, s);
	if (ready(w) & ~it->value)
		mon_complain(m, 'd', &it->tag, ready(w) & ~it->value, "these lanes can go on, and are not ready");
	else if (it->value & ~ready(w))
		mon_complain(m, 'd', &it->tag, it->value & ~ready(w), "lanes are ready that wait or have left");
}

/* The warp's last lanes have left. */
static void on_exit(struct mon *m, const struct wl_event *ev)
{
	state_of(m)->warp[ev->tag.warp].live = 0;
}

const struct mon_unit mon_convergence = {.unit = WL_UNIT_convergence,
                                         .state_bytes = sizeof(struct state),
                                         .state_faults = true,
                                         .open = open,
                                         .accept = accept,
                                         .commit = commit,
                                         .fault = fault,
                                         .exit = on_exit};

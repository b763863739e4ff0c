// SPDX-License-Identifier: Apache-2.0
#include "converge_ref.h"

#include <string.h>

void ref_launch(struct ref_warp *w, unsigned width, unsigned lanes)
{
	memset(w, 0, sizeof *w);
	w->width = width;
	for (unsigned l = 0; l < lanes; l++) {
		w->lane[l].live = true;
	}
}

uint32_t ref_live(const struct ref_warp *w)
{
	uint32_t live = 0;
	for (unsigned l = 0; l < w->width; l++) {
		live |= (uint32_t)w->lane[l].live << l;
	}
	return live;
}

uint32_t ref_ready(const struct ref_warp *w)
{
	uint32_t ready = 0;
	for (unsigned l = 0; l < w->width; l++) {
		ready |= (uint32_t)(w->lane[l].live && !w->lane[l].waits) << l;
	}
	return ready;
}

/* ---- effect of an instruction on an executing lane ---- */

static void put_set(const struct ref_warp *w, bool set[REF_LANES], uint32_t lanes)
{
	for (unsigned i = 0; i < w->width; i++) {
		set[i] = lanes >> i & 1;
	}
}

/* Breaking lanes leave the sets of all lanes named by a breaking lane, and have empty sets afterwards. */
static void leave(struct ref_warp *w, const struct ref_op *op, const bool was[REF_LANES][REF_LANES])
{
	for (unsigned l = 0; l < w->width; l++) {
		for (unsigned named = 0; named < w->width && op->lanes >> l & 1; named++) {
			for (unsigned who = 0; who < w->width && was[l][named]; who++) {
				w->in[op->bar][named][who] &= !(op->lanes >> who & 1);
			}
		}
	}
	for (unsigned l = 0; l < w->width; l++) {
		if (op->lanes >> l & 1) {
			put_set(w, w->in[op->bar][l], 0);
		}
	}
}

static void execute(struct ref_warp *w, const struct ref_op *op, unsigned l)
{
	struct ref_lane *me = &w->lane[l];
	switch (op->kind) {
	case REF_BSSY:
		put_set(w, w->in[op->bar][l], op->lanes);
		me->yielded = false;
		break;
	case REF_BSYNC:
	case REF_WARPSYNC:
		me->waits = true;
		me->yielded = false;
		me->at_warpsync = op->kind == REF_WARPSYNC;
		me->place = me->at_warpsync ? op->apart : op->bar;
		if (me->at_warpsync) {
			put_set(w, me->mask, op->row[l]);
		}
		break;
	case REF_CLEAR:
		put_set(w, w->in[op->bar][l], 0);
		break;
	case REF_R2B:
		put_set(w, w->in[op->bar][l], op->row[l]);
		break;
	case REF_YIELD:
		me->yielded = !me->waits;
		me->named = true;
		break;
	case REF_EXIT:
		me->live = false;
		break;
	default:
		break;
	}
}

/* ---- misuse ---- */

static bool names(uint32_t mask, unsigned lane)
{
	return mask >> lane & 1;
}

uint32_t ref_mask(const struct ref_warp *w, const bool set[REF_LANES])
{
	uint32_t mask = 0;
	for (unsigned i = 0; i < w->width; i++) {
		mask |= (uint32_t)set[i] << i;
	}
	return mask;
}

struct ref_misuse ref_misused(const struct ref_warp *w, const struct ref_op *op)
{
	struct ref_misuse bad = {0, 0, false};
	if (op->kind != REF_WARPSYNC) {
		return bad;
	}
	for (unsigned l = 0; l < w->width; l++) {
		bad.self |= (uint32_t)(names(op->lanes, l) && !names(op->row[l], l)) << l;
	}
	for (unsigned l = 0; l < w->width; l++) {
		for (unsigned i = 0; i < w->width && names(op->lanes & ~bad.self, l); i++) {
			const struct ref_lane *other = &w->lane[i];
			const bool before = other->waits && other->at_warpsync && other->place == op->apart;
			const uint32_t mask = before ? ref_mask(w, other->mask) : op->row[i];
			if ((before || names(op->lanes & ~bad.self, i)) && mask != op->row[l] && names(op->row[l], i) &&
			    names(mask, l)) {
				bad.mismatch |= UINT32_C(1) << l;
				bad.waiting |= before;
			}
		}
	}
	return bad;
}

/* ---- lanes going on ---- */

static const bool *set_of(const struct ref_warp *w, unsigned l)
{
	return w->lane[l].at_warpsync ? w->lane[l].mask : w->in[w->lane[l].place][l];
}

/* Both lanes wait at the same place, for the same lanes. */
static bool together(const struct ref_warp *w, unsigned a, unsigned b)
{
	const struct ref_lane *x = &w->lane[a], *y = &w->lane[b];
	return x->waits && y->waits && x->at_warpsync == y->at_warpsync && x->place == y->place &&
	       memcmp(set_of(w, a), set_of(w, b), w->width * sizeof(bool)) == 0;
}

/* Lanes keeping lane l: 0 none, 1 only lanes yielded or named by this YIELD, 2 others. */
static int kept(const struct ref_warp *w, unsigned l)
{
	const bool *set = set_of(w, l);
	int why = 0;
	for (unsigned i = 0; i < w->width; i++) {
		if (!set[i] || !w->lane[i].live || together(w, l, i)) {
			continue;
		}
		if (w->lane[l].at_warpsync || !(w->lane[i].yielded || w->lane[i].named)) {
			return 2;
		}
		why = 1;
	}
	return why;
}

/* Groups of lanes waiting together, by the first lane, before any lane goes on. */
static void count_groups(const struct ref_warp *w, const int why[REF_LANES], struct ref_seen *seen)
{
	for (unsigned l = 0; l < w->width; l++) {
		bool first = w->lane[l].waits;
		for (unsigned i = 0; i < l && first; i++) {
			first = !together(w, l, i);
		}
		seen->groups += first;
		seen->rows += first && why[l] != 2 && !w->lane[l].at_warpsync;
	}
}

uint32_t ref_step(struct ref_warp *w, const struct ref_op *asked, uint32_t old[REF_LANES], struct ref_seen *seen)
{
	const struct ref_misuse bad = ref_misused(w, asked);
	struct ref_op mine = *asked;
	const struct ref_op *op = &mine;
	mine.lanes &= ~(bad.self | bad.mismatch);
	int why[REF_LANES];
	bool was[REF_LANES][REF_LANES];
	uint32_t on = 0;
	for (unsigned l = 0; l < w->width; l++) {
		old[l] = 0;
		for (unsigned i = 0; i < w->width; i++) {
			was[l][i] = w->in[op->bar][l][i];
			old[l] |= (uint32_t)was[l][i] << i;
		}
	}
	for (unsigned l = 0; l < w->width; l++) {
		if (op->lanes >> l & 1) {
			execute(w, op, l);
		}
	}
	if (op->kind == REF_BREAK) {
		leave(w, op, was);
	}
	for (unsigned l = 0; l < w->width; l++) {
		why[l] = w->lane[l].waits ? kept(w, l) : 2;
		if (why[l] == 1 && op->kind != REF_YIELD) { /* decided again at the next YIELD */
			why[l] = 2;
		}
	}
	count_groups(w, why, seen);
	/* lanes let go leave the sets of the other lanes, except the sets of waiting lanes */
	for (unsigned l = 0; l < w->width; l++) {
		for (unsigned i = 0; i < w->width && why[l] == 1; i++) {
			if (set_of(w, l)[i] && w->lane[i].live && !w->lane[i].waits && !together(w, l, i)) {
				w->in[w->lane[l].place][i][l] = false;
				seen->unbound++;
			}
		}
	}
	for (unsigned l = 0; l < w->width; l++) {
		if (why[l] == 2) {
			seen->arrived += w->lane[l].waits && op->lanes >> l & 1;
			continue;
		}
		on |= UINT32_C(1) << l;
		seen->stood += why[l] == 1 && w->lane[l].named;
		*(why[l] == 1 ? &seen->let_go : op->lanes >> l & 1 ? &seen->at_once : &seen->left) += 1;
	}
	for (unsigned l = 0; l < w->width; l++) {
		w->lane[l].named = false;
		if (on >> l & 1) {
			w->lane[l].waits = false;
			if (!w->lane[l].at_warpsync) {
				put_set(w, w->in[w->lane[l].place][l], 0);
			}
		}
	}
	return on;
}

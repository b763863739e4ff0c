// SPDX-License-Identifier: Apache-2.0
/* race_known.c -- knowledge of accesses in a lane's clock; answers are kept for the next question. */
#include "race_state.h"

#include <string.h>

const struct asked *ask(struct race *r, const struct clock *c, enum clock_of of, uint32_t warp)
{
	const uint64_t key = clock_key(of, LEVEL_WARP, warp);
	struct asked *a = &r->asked[(c->serial * 31 + warp * 7 + of) % ASKED];
	if (a->serial == c->serial && a->key == key)
		return a;
	const uint32_t cta = clock_at(c, clock_key(of, LEVEL_CTA, warp / warps_per_cta(r))), own = clock_at(c, key);
	const uint64_t lane = clock_key(of, LEVEL_LANE, (uint64_t)warp * WL_WARP_LANES);
	*a = (struct asked){c->serial, key, cta > own ? cta : own, clock_from(c, lane), 0};
	for (a->end = a->lane; a->end < c->n && c->e[a->end].key < lane + WL_WARP_LANES;)
		a->end++;
	return a;
}

void memo_begin(struct race *r, const struct warp_state *w, unsigned lane)
{
	struct memo *m = &r->memo;
	const uint64_t serial = w->c[lane] ? w->c[lane]->serial : 0;
	if (m->serial == serial && m->warp == w->number && m->cta_time == w->cta_time[lane])
		return;
	m->serial = serial;
	m->warp = w->number;
	m->cta_time = w->cta_time[lane];
	if (!++m->number) {
		memset(m->e, 0, sizeof m->e);
		m->number = 1;
	}
}

static enum known known_of(struct race *r, const struct warp_state *w, unsigned lane, const struct record *x)
{
	const enum stamp_of of = what_of(x->what);
	const struct clock *c = w->c[lane];
	if (of == STAMP_PLAIN && x->time <= w->cta_time[lane] && x->warp - w->first < warps_per_cta(r))
		return KNOWN_ALL;
	const struct asked *a = c ? ask(r, c, clock_of_what(x->what), x->warp) : NULL;
	if (a && a->time >= x->time)
		return KNOWN_ALL;
	if (a && a->lane < a->end)
		return KNOWN_SOME;
	if (x->warp != w->number)
		return KNOWN_NONE;
	return of == STAMP_PLAIN ? KNOWN_OWN : KNOWN_SOME;
}

enum known memo_ask(struct race *r, const struct warp_state *w, unsigned lane, uint32_t record)
{
	struct memo *m = &r->memo;
	const enum known known = known_of(r, w, lane, &r->shadow.record[record]);
	m->e[record % MEMOS].record = record;
	m->e[record % MEMOS].number = m->number;
	m->e[record % MEMOS].known = known;
	return known;
}

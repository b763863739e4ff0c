// SPDX-License-Identifier: Apache-2.0
/* facts.c -- behind what a group waits for: who is missing and what the missing did last, phases that have ended and who
 * made these up, what a warp asks of an mbarrier. */
#include <stdarg.h>
#include <stdio.h>

#include "explain.h"
#include "warplock/waiting.h"

enum { NAMED = 4 /* missing warps that are told one by one */ };

struct line {
	char *buf;
	size_t n, len;
};

static __attribute__((format(printf, 2, 3))) void add(struct line *l, const char *format, ...)
{
	va_list ap;
	if (l->len >= l->n)
		return;
	va_start(ap, format);
	const int len = vsnprintf(l->buf + l->len, l->n - l->len, format, ap);
	va_end(ap);
	l->len += len > 0 ? (size_t)len : 0;
}

/* "{0, 1, 7}" */
static void add_set(struct line *l, uint64_t warps)
{
	const char *comma = "";
	add(l, "{");
	for (; warps; warps &= warps - 1, comma = ", ")
		add(l, "%s%d", comma, __builtin_ctzll(warps));
	add(l, "}");
}

static void add_place(struct line *l, const struct wl_gpu *g, uint32_t pc)
{
	char place[300];
	explain_place(g->program, pc, place, sizeof place);
	add(l, "%s", place);
}

/* A group that waits stands behind its instruction. */
static uint32_t pc_of(const struct warp *w, const struct group *grp)
{
	const bool in_unit = w->hold == HOLD_UNIT || w->hold == HOLD_COPIES || w->hold == HOLD_RESULT;
	return 16 * (grp->state == GROUP_READY && !(in_unit && grp == &w->g[w->cur]) ? grp->pc : grp->pc - 1);
}

/* Where lanes of the warp are, group by group. */
static void add_lanes(struct line *l, const struct wl_gpu *g, const struct warp *w, uint32_t lanes)
{
	const char *comma = "";
	for (unsigned i = 0; i < w->ngroups; i++) {
		if (!(w->g[i].mask & lanes))
			continue;
		add(l, "%slanes 0x%08x at ", comma, w->g[i].mask & lanes);
		add_place(l, g, pc_of(w, &w->g[i]));
		comma = ", ";
	}
}

static void add_missing(struct line *l, const struct wl_gpu *g, const struct wl_waiting *r)
{
	unsigned told = 0;
	for (uint64_t m = r->missing; m; m &= m - 1, told++) {
		const unsigned warp = (unsigned)__builtin_ctzll(m);
		const struct warp *w = gpu_warp(g, r->sm, r->slot * g->warps_per_cta + warp);
		if (told == NAMED)
			break;
		add(l, "%s warp %u (", told ? "," : "; missing:", warp);
		if (r->exited >> warp & 1) {
			add(l, "exited at ");
			add_place(l, g, r->exit_pc[warp]);
		} else {
			add_lanes(l, g, w, w->live);
		}
		add(l, ")");
	}
	if (told == NAMED && __builtin_popcountll(r->missing) > NAMED) {
		add(l, " and %d more: ", __builtin_popcountll(r->missing) - NAMED);
		add_set(l, r->missing);
	}
}

static void add_past(struct line *l, const struct wl_waiting *r)
{
	if (!r->npast)
		return;
	add(l, "; barrier %u has ended %u phase%s before: ", r->id, r->phase, r->phase == 1 ? "" : "s");
	if (r->npast < r->phase)
		add(l, "the last ones by warps ");
	else
		add(l, "by warps ");
	for (unsigned i = r->npast; i-- > 0;) {
		add_set(l, r->past[i]);
		add(l, "%s%s", r->attended[i] ? "" : " (nobody waited)", i ? ", " : "");
	}
}

static void add_mbarrier(struct line *l, const struct wl_gpu *g, const struct wl_waiting *r)
{
	if (r->asks_known)
		add(l, "; asks for the end of the phase with parity %d", r->asks);
	if (r->phases_known)
		add(l, "; the object has ended %u phase%s since its init", r->phases, r->phases == 1 ? "" : "s");
	if (r->last_from) {
		add(l, ", the last one by warps ");
		add_set(l, r->last_from);
	}
	if (r->made.lanes) {
		add(l, "; init by warp %u at ", r->made.warp);
		add_place(l, g, r->made.pc);
	}
}

void wl_waiting_facts(const struct wl_gpu *g, const struct wl_waiting *r, char *buf, size_t n)
{
	struct line l = {buf, n, 0};
	if (n)
		*buf = 0;
	if (r->what == WL_WAIT_BARRIER || r->what == WL_WAIT_MBAR)
		add_missing(&l, g, r);
	if (r->what == WL_WAIT_BARRIER)
		add_past(&l, r);
	if (r->what == WL_WAIT_MBAR)
		add_mbarrier(&l, g, r);
	if (r->missing_lanes) {
		add(&l, "; missing: ");
		add_lanes(&l, g, gpu_warp(g, r->sm, r->warp_slot), r->missing_lanes);
	}
}

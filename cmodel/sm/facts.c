// SPDX-License-Identifier: Apache-2.0
/* facts.c -- facts on the wait of a group: missing warps and the last place of each, ended phases and the warps of each
 * phase, the phase asked of an mbarrier. */
#include <stdarg.h>
#include <stdio.h>

#include "explain.h"
#include "warplock/waiting.h"

enum { NAMED = 4 /* missing warps told singly */ };

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

/* A waiting group stands behind the instruction of the wait. */
static uint32_t pc_of(const struct warp *w, const struct group *grp)
{
	const bool in_unit =
	        w->state == WARP_UNIT || w->state == WARP_COPIES || w->state == WARP_RESULT || w->state == WARP_PARKED;
	return 16 * (grp->state == GROUP_READY && !(in_unit && grp == &w->g[w->cur]) ? grp->pc : grp->pc - 1);
}

/* Places of lanes of the warp, group by group. */
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

/* An mbarrier counts threads: lanes that have ended owe arrivals of a live warp. */
static void add_ended(struct line *l, const struct wl_gpu *g, const struct wl_waiting *r, const struct warp *w)
{
	if (r->what != WL_WAIT_MBAR || !w->exited)
		return;
	add(l, "lanes 0x%08x exited at ", w->exited);
	add_place(l, g, 16 * w->exit_pc);
	add(l, ", ");
}

static void add_missing(struct line *l, const struct wl_gpu *g, const struct wl_waiting *r)
{
	unsigned told = 0;
	const unsigned all = (unsigned)__builtin_popcountll(r->missing), needed = wl_waits_needed(r);
	char of[40] = "; missing:";
	if (needed < all)
		snprintf(of, sizeof of, "; missing: %u of", needed);
	else if (r->what == WL_WAIT_MBAR && all > 1 && r->expected - r->arrived <= (all - 1) * WL_WARP_LANES)
		snprintf(of, sizeof of, "; missing: some of");
	for (uint64_t m = r->missing; m; m &= m - 1, told++) {
		const unsigned warp = (unsigned)__builtin_ctzll(m);
		const struct warp *w = gpu_warp(g, r->sm, r->slot * g->warps_per_cta + warp);
		if (told == NAMED)
			break;
		add(l, "%s warp %u (", told ? "," : of, warp);
		if (r->exited >> warp & 1) {
			add(l, "exited at ");
			add_place(l, g, r->exit_pc[warp]);
		} else {
			add_ended(l, g, r, w);
			add_lanes(l, g, w, w->live);
		}
		add(l, ")");
	}
	if (told == NAMED && __builtin_popcountll(r->missing) > NAMED) {
		add(l, " and %d more: ", __builtin_popcountll(r->missing) - NAMED);
		add_set(l, r->missing);
	}
}

/* Warps of a CTA still missing at the cluster's barrier, by number in the CTA. */
static uint64_t missing_at_cluster(const struct wl_gpu *g, struct place p)
{
	const struct wl_cbar *bar = wl_cbar_of(&gpu_sm(g, p.sm)->units.cluster_barrier, p.slot);
	const uint64_t all = g->warps_per_cta == 64 ? UINT64_MAX : (UINT64_C(1) << g->warps_per_cta) - 1;
	return bar ? (bar->live & ~bar->arrived) >> (p.slot * g->warps_per_cta) & all : 0;
}

/* Missing warps of a CTA. Returns the number of warps told so far. */
static unsigned add_missing_of(struct line *l, const struct wl_gpu *g, struct place p, uint64_t missing, unsigned told)
{
	const uint32_t cta = gpu_sm(g, p.sm)->cta[p.slot].number;
	if (missing && told >= NAMED) {
		add(l, ", and of CTA %u warps ", cta);
		add_set(l, missing);
		return told;
	}
	for (; missing && told < NAMED; missing &= missing - 1, told++) {
		const unsigned warp = (unsigned)__builtin_ctzll(missing);
		const struct warp *w = gpu_warp(g, p.sm, p.slot * g->warps_per_cta + warp);
		add(l, "%s CTA %u warp %u (", told ? "," : "; missing:", cta, warp);
		add_lanes(l, g, w, w->live);
		add(l, ")");
	}
	return missing ? add_missing_of(l, g, p, missing, told) : told;
}

static void add_cluster(struct line *l, const struct wl_gpu *g, const struct wl_waiting *r)
{
	const struct cta *cta = &gpu_sm(g, r->sm)->cta[r->slot], *home = &gpu_sm(g, cta->home.sm)->cta[cta->home.slot];
	unsigned told = 0;
	for (unsigned rank = 0; rank < g->cluster_ctas; rank++)
		told = add_missing_of(l, g, home->member[rank], missing_at_cluster(g, home->member[rank]), told);
	if (r->phase)
		add(l, "; the barrier of cluster %u has ended %u phase%s before", r->cluster, r->phase,
		    r->phase == 1 ? "" : "s");
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

/* Warps with an arrival in the open phase. */
static uint64_t warps_of(const struct wl_waiting *r)
{
	uint64_t warps = 0;
	for (unsigned w = 0; w < 64; w++)
		warps |= (uint64_t)(r->from[w] != 0) << w;
	return warps;
}

/* Warps of other CTAs, by number on the SM. */
static void add_far(struct line *l, const struct wl_gpu *g, const struct wl_waiting *r)
{
	const char *comma = "; missing:";
	for (uint64_t m = r->far_missing; m; m &= m - 1, comma = ",") {
		const struct warp *w = gpu_warp(g, r->sm, (unsigned)__builtin_ctzll(m));
		add(l, "%s CTA %u warp %u (", comma, w->cta, w->thread0 / WL_WARP_LANES);
		if (w->live) {
			add_lanes(l, g, w, w->live);
		} else {
			add(l, "exited at ");
			add_place(l, g, 16 * w->exit_pc);
		}
		add(l, ")");
	}
}

/* The warps of the last phase. */
static void add_last(struct line *l, const struct wl_gpu *g, const struct wl_waiting *r)
{
	const char *comma = ", the last one by ";
	if (r->last_from) {
		add(l, "%swarps ", comma);
		add_set(l, r->last_from);
		comma = ", ";
	}
	for (uint64_t m = r->far_last; m; m &= m - 1, comma = ", ") {
		const struct warp *w = gpu_warp(g, r->sm, (unsigned)__builtin_ctzll(m));
		add(l, "%sCTA %u warp %u", comma, w->cta, w->thread0 / WL_WARP_LANES);
	}
	if (r->phases && r->others_owe)
		add(l, "%swarps of other CTAs", comma);
}

static void add_mbarrier(struct line *l, const struct wl_gpu *g, const struct wl_waiting *r)
{
	if (r->landed && !r->tx)
		add(l, "; all bytes that the phase expects are there: %u", r->landed);
	if (!r->missing && !r->far_missing && r->expected > r->arrived && r->arrived) {
		add(l, "; arrived in this phase: warps ");
		add_set(l, warps_of(r));
		add(l, "%s", r->others_owe ? "" : ", and no other warp is on the way");
	}
	add_far(l, g, r);
	if (r->others_owe)
		add(l, "; missing: a warp of CTA %u, or of another CTA of cluster %u", r->cta, r->cluster);
	if (r->asks_known)
		add(l, "; asks for the end of the phase with parity %d", r->asks);
	if (r->phases_known)
		add(l, "; the object has ended %u phase%s since its init", r->phases, r->phases == 1 ? "" : "s");
	if (r->phases_known)
		add_last(l, g, r);
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
	if (r->what == WL_WAIT_CLUSTER)
		add_cluster(&l, g, r);
	if (r->what == WL_WAIT_MBAR)
		add_mbarrier(&l, g, r);
	if (r->missing_lanes) {
		add(&l, "; missing: ");
		add_lanes(&l, g, gpu_warp(g, r->sm, r->warp_slot), r->missing_lanes);
	}
}

// SPDX-License-Identifier: Apache-2.0
#include "rtl_insight.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../cmodel/tools/file.h"

volatile sig_atomic_t rtl_insight_interrupted;

static void on_interrupt(int number)
{
	(void)number;
	rtl_insight_interrupted = 1;
}

bool rtl_insight_fits(const struct insight_options *o, char *err, size_t errn)
{
	return (!o->trace || file_can_append(o->trace, err, errn)) &&
	       (!o->profile || file_can_append(o->profile, err, errn)) &&
	       (!o->konata || file_can_append(o->konata, err, errn));
}

/* ---- the profile ---- */

static void on_atomic(struct profile_row *r, const struct life *l, const struct wl_record *rec)
{
	if (l->unit == WL_UNIT_atom_unit)
		r->sectors += profile_sectors(rec->addr, rec->committed, rec->size ? rec->size : 4);
	if (profile_compares(&l->inst))
		r->retries += (unsigned)__builtin_popcount(rec->committed & ~rec->stored);
}

static void request(struct profile_row *r, const struct life *l)
{
	r->issues++;
	r->lanes += (unsigned)__builtin_popcount(l->mask);
	r->cycles += l->ended + 1 - l->offered;
	r->port += l->accepted - l->offered;
	r->behind += l->others;
	r->waits += life_waited(l);
	if (life_waited(l))
		r->waited += l->ended - l->waits;
}

static void moved(void *self, struct life *l, enum life_step step, const struct wl_record *rec,
                  const struct life_arrival *from)
{
	struct profile_row *r = step == LIFE_ENDED ? profile_at(self, l->pc / 16) : NULL;
	(void)from;
	if (!r)
		return;
	request(r, l);
	on_atomic(r, l, rec);
	if (l->unit != WL_UNIT_atoms_pipe)
		return;
	r->passes += rec->passes;
	if (rec->passes && rec->passes <= WL_WARP_LANES)
		r->degree[rec->passes]++;
}

static void left(void *self, struct life *l, uint64_t cycle)
{
	struct profile_row *r = l->accepted != LIFE_NEVER ? profile_at(self, l->pc / 16) : NULL;
	l->ended = cycle;
	if (r)
		request(r, l);
}

/* Instructions run in C take no cycle, and are only counted. */
static void on_issue(void *self, const struct wl_seen *e)
{
	struct rtl_insight *s = self;
	if (e->kind != WL_SEEN_ISSUE || e->sm >= s->sms)
		return;
	struct profile_row *r = s->profile ? profile_at(s->profile, e->pc) : NULL;
	if (s->trace)
		rtl_trace_front(s->trace, e->sm, e->warp_slot);
	if (!r)
		return;
	r->issues++;
	r->idle += !e->lanes;
	r->lanes += (unsigned)__builtin_popcount(e->lanes);
}

/* ---- life ---- */

static bool open_sinks(struct rtl_insight *s, enum wl_arch arch, char *err, size_t errn)
{
	const struct life_sink *first = NULL, **end = &first;
	struct wl_seen_shape shape = {.warps_per_cta = 0};
	if (s->job)
		wl_gpu_shape(s->job->gpu, &shape);
	if (s->o->konata) {
		if (!(s->konata = konata_begin(s->o->konata, arch, s->job ? &s->job->program : NULL,
		                               shape.warps_per_cta, err, errn)))
			return false;
		s->konata_sink = konata_sink(s->konata);
		*end = &s->konata_sink;
		end = &s->konata_sink.next;
	}
	if (s->o->trace) {
		if (!(s->trace = rtl_trace_begin(s->job, s->o->trace, s->sms, err, errn)))
			return false;
		s->trace_sink = rtl_trace_sink(s->trace);
		*end = &s->trace_sink;
		end = &s->trace_sink.next;
	}
	if (s->o->profiles) {
		snprintf(err, errn, "no memory for the profile");
		if (!(s->profile = profile_create(s->job, true)))
			return false;
		s->profile_sink = (struct life_sink){.self = s->profile, .moved = moved, .left = left};
		*end = &s->profile_sink;
	}
	snprintf(err, errn, "no memory for what the RTL does");
	s->lives = lives_new(first);
	return s->lives != NULL;
}

bool rtl_insight_start(struct rtl_insight *s, const struct insight_options *o, struct job *job, enum wl_arch arch,
                       unsigned sms, const struct lockstep_tap *next, char *err, size_t errn)
{
	*s = (struct rtl_insight){.o = o, .job = job, .sms = sms};
	if (!open_sinks(s, arch, err, errn))
		return false;
	s->tap = lives_tap(s->lives);
	s->tap.next = next;
	if (s->trace || s->profile) {
		s->observer = (struct wl_observer){.self = s, .event = on_issue, .issues = true};
		wl_gpu_observe(job->gpu, &s->observer);
	}
	rtl_insight_interrupted = 0;
	signal(SIGINT, on_interrupt);
	return true;
}

void rtl_insight_cta(struct rtl_insight *s, bool starts, unsigned sm, unsigned slot, uint32_t cta, uint64_t cycle)
{
	if (s->trace)
		rtl_trace_cta(s->trace, starts, sm, slot, cta, cycle);
}

bool rtl_insight_end(struct rtl_insight *s, uint64_t cycle, char *err, size_t errn)
{
	char more[300]; /* of a second failing file: only the first failure is told */
	bool ok = true;
	signal(SIGINT, SIG_DFL);
	lives_finish(s->lives, cycle);
	if (s->konata)
		ok = konata_end(s->konata, err, errn);
	if (s->trace &&
	    !rtl_trace_end(s->trace, cycle, rtl_insight_interrupted, ok ? err : more, ok ? errn : sizeof more))
		ok = false;
	if (s->profile && !profile_write(s->profile, s->job, s->o->profile, rtl_insight_interrupted, ok ? err : more,
	                                 ok ? errn : sizeof more))
		ok = false;
	profile_free(s->profile);
	lives_free(s->lives);
	*s = (struct rtl_insight){.o = s->o};
	return ok;
}

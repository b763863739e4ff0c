// SPDX-License-Identifier: Apache-2.0
/* spin.c -- proves that a launch cannot end although warps can go on: all of these warps spin.
 *
 * While no memory changes, the behaviour of a warp depends on the warp's state alone. Groups take turns after a fixed
 * number of instructions, and warps meet at named barriers and in memory only. Suppose that every warp able to go on
 * has come back to an earlier state, and meanwhile nothing visible to another warp has changed. Then all warps go round
 * for ever. gpu->seen.changes counts changes visible to others: new values in memory, CTAs that start, lanes that exit.
 * A warp that reads a clock sees a new value every time, and another warp may wait for a warp that arrives at a
 * barrier: then nothing is proven. Before a proof counts, lanes at BSYNC in wait for spinning lanes are released, since
 * the spinning lanes may wait for the lanes at BSYNC.
 *
 * Now and then the run is watched for a short time, one instruction at a time, in the unchanged order of the run. The
 * first change ends the watch. States are compared with a state saved at step 1, 2, 4, 8 ... of the watch (R. P. Brent,
 * "An improved Monte Carlo factorization algorithm", 1980), so a path into the loop does no harm.
 *
 * Loops that count rounds or meet at a barrier are not proven to hang. Such loops are judged: for very many
 * instructions nothing changed, and in watch after watch every warp able to go on has read memory, but only words with
 * values read by the warp before. A loop that looks at a clock may give up at a certain time, and may try again some
 * times. If all but the time stands still, time goes on in leaps, and the run is judged after hundreds of leaps and more
 * than an hour of the clock. A clock of 32 bits must be seen at every quarter of its range before a leap is longer than
 * the range.
 *
 * Lockstep (source.c) does the same for SMs with shared-memory instructions as requests. Watches begin and end while no
 * request is under way: then all changes are counted. In between, the state of a warp with a request under way is not
 * looked at. Results of requests depend on memory alone, so the proof holds. Most of the time of a lockstep run passes
 * while units answer and waits give up. So an answer counts as several instructions, and a wait that gave up counts as
 * the instructions of the wait's time. Lockstep neither judges nor leaps: an order log holds every step. After few
 * quiet watches a copy runs ahead on the C model alone (ahead.c), with leaps, and is judged.
 * Source: docs/spec/time.md, "Deadlock and spinning". */
#include <stdio.h>
#include <string.h>

#include "ahead.h"
#include "exec.h"
#include "groups.h"
#include "sleep.h"
#include "spin.h"
#include "stop.h"
#include "usyncs.h"

enum {
	FIRST_WATCH = 1 << 16, /* instructions before the first watch, and at least between two watches */
	SOON = 1 << 13,        /* at least, between two watches of a launch that seems to wait for a time */
	REST = 8,              /* 1/REST of all instructions lies between two watches */
	SHARE = 64,            /* a watch takes 1/SHARE of the time between watches */
	SHORTEST_WATCH = 1 << 13,
	WATCH_OF_WARP = 512,          /* instructions for each warp, at least */
	JUDGE_WATCHES = 8,            /* watches without anything new, and ... */
	JUDGE_INSTRUCTIONS = 1 << 23, /* ... instructions in all, and ... */
	JUDGE_OF_WARP = 1 << 21,      /* ... for each warp that can go on, before a run is judged */
	AHEAD_WATCHES = 3,            /* SOURCE: watches without anything new before a copy runs ahead */
	ANSWER = 32,                  /* an answer of a unit in the DUT counts as so many instructions */
	WATCH_GIVES_UP = 8, /* a watch ends, at the latest, after so many waits gave up, for each warp that can go on */
	FIRST_LEAP = 1 << 16,   /* ns; the next leap is twice as long ... */
	QUARTER_LEAP = 1 << 30, /* ns: of a clock of 32 bits; leaps stay so long ... */
	QUARTERS = 4,           /* ... for so many leaps ... */
	LATER_LEAPS = 7,        /* ... and then each is so many times the leap before, up to LONGEST_LEAP */
	JUDGE_LEAPS =
	        512, /* before a run that looks at a clock is judged: a leap ends one try of a loop that tries again */
	JUDGE_SECONDS = 4000,            /* of all leaps, too */
	SEEN_MOST = 64 * SEEN_WORDS / 2, /* a set with more members is too full to tell new reads */
};

/* ns. The digits of e, and odd: the low bits of the clock take all values, for loops that wait for a part of them. */
static const uint64_t LONGEST_LEAP = UINT64_C(271828182845);

struct mark {
	bool taken, done;
	uint64_t steps, next; /* in this watch; next: the step of the next saved state */
	struct warp w;
	struct wl_conv_warp conv;
	uint16_t bar_result;
	uint64_t seen[SEEN_WORDS]; /* reads of the warp since all has been quiet */
};

/* The time without any known change. */
struct quiet {
	unsigned watches;
	uint64_t since, from, changes, shared; /* since: time_of; from: instructions of the launch */
	uint64_t clocks;                       /* readings of a clock when the last watch ended */
	uint64_t leap, leapt, leapt_from;      /* the last leap and all; instructions at the first */
	unsigned quarters, leaps;
	uint64_t asked; /* SOURCE: length of the quiet time when a copy ran ahead last */
};

struct spin {
	bool on;
	uint64_t at;               /* time_of at the start of the next watch, or work_of at the end of this watch */
	uint64_t most_given_up;    /* gave_up of the launch at the end of this watch, too */
	uint64_t changes, unclear; /* of the launch when the watch began */
	struct quiet quiet;
	uint64_t leapt; /* ns: all leaps since spin_start_over */
	bool soon;      /* the launch seems to wait for a time: the time between watches does not grow */
	uint32_t left;  /* warps that can go on and have not come back to an earlier state */
	struct mark mark[];
};

static struct spin *spin_of(const struct wl_gpu *g)
{
	return block_at(g, g->at_spin);
}

static uint32_t all_warps(const struct wl_gpu *g)
{
	return g->config.sms * g->config.warps_per_sm;
}

/* The registers of a warp's mark. */
static lane_row *marked_regs(const struct wl_gpu *g, unsigned sm, unsigned warp)
{
	return (lane_row *)block_at(g, g->at_marked_regs) +
	       (uint64_t)(sm * g->config.warps_per_sm + warp) * g->reg_rows;
}

uint64_t spin_bytes(uint64_t warps)
{
	return sizeof(struct spin) + warps * sizeof(struct mark);
}

/* Remaining sleep of a group. */
static uint64_t sleeps(const struct warp *w, const struct group *g)
{
	return g->wake > w->time ? g->wake - w->time : 0;
}

static bool same_groups(const struct warp *a, const struct warp *b)
{
	if (a->ngroups != b->ngroups || a->cur != b->cur || a->live != b->live || a->uni_used != b->uni_used)
		return false;
	for (unsigned i = 0; i < a->ngroups; i++) {
		const struct group *g = &a->g[i], *h = &b->g[i];
		if (g->mask != h->mask || g->pc != h->pc || g->state != h->state || g->id != h->id ||
		    g->uni != h->uni || g->ran != h->ran || g->apart != h->apart || sleeps(a, g) != sleeps(b, h))
			return false;
	}
	return true;
}

static bool same_uniforms(const struct warp *a, const struct warp *b)
{
	for (uint32_t m = a->uni_used; m; m &= m - 1)
		if (memcmp(a->uni[lowest(m)], b->uni[lowest(m)], sizeof a->uni[0]))
			return false;
	return true;
}

/* State of this warp alone in the units. */
static bool same_in_units(const struct mark *m, const struct wl_units *u, unsigned warp)
{
	return m->bar_result == u->barrier_file.result[warp] &&
	       !memcmp(&m->conv, &u->convergence.warp[warp], sizeof m->conv);
}

static bool same_state(const struct mark *m, const struct warp *w)
{
	return same_groups(&m->w, w) && m->w.bar_yes == w->bar_yes && !memcmp(m->w.preds, w->preds, sizeof w->preds) &&
	       same_uniforms(&m->w, w);
}

/* Instructions, with answers of units in the DUT. */
static uint64_t work_of(const struct wl_gpu *g)
{
	return g->issued + g->answers * ANSWER;
}

/* The same with the time of waits that gave up. */
static uint64_t time_of(const struct wl_gpu *g)
{
	return work_of(g) + g->gave_up * SUSPEND;
}

static uint64_t rest(const struct wl_gpu *g)
{
	bool longest = !g->source && g->issued / REST > FIRST_WATCH; /* in lockstep watches cost next to nothing */
	return longest ? g->issued / REST : FIRST_WATCH;
}

static uint64_t longer(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint32_t count_not_stuck(const struct wl_gpu *g)
{
	uint32_t n = 0;
	for (unsigned sm = 0; sm < g->config.sms; sm++)
		n += (uint32_t)__builtin_popcountll(sm_not_stuck(gpu_sm(g, sm)));
	return n;
}

static void begin(struct wl_gpu *g, struct spin *s)
{
	s->on = g->watch = true;
	s->changes = g->seen.changes;
	s->unclear = g->seen.unclear;
	s->left = count_not_stuck(g);
	s->at = work_of(g) + longer(rest(g) / SHARE, longer(SHORTEST_WATCH, (uint64_t)s->left * WATCH_OF_WARP));
	s->most_given_up = g->gave_up + (uint64_t)WATCH_GIVES_UP * s->left;
	for (uint32_t i = 0; i < all_warps(g); i++)
		s->mark[i].taken = s->mark[i].done = false;
	memset(block_at(g, g->at_polls), 0, (size_t)all_warps(g) * sizeof(struct polls));
}

static void end(struct wl_gpu *g, struct spin *s)
{
	const uint64_t longest =
	        s->soon ? longer(SOON, (uint64_t)count_not_stuck(g) * REST * WATCH_OF_WARP) : UINT64_MAX;
	s->on = g->watch = s->soon = false;
	s->at = time_of(g) + (rest(g) < longest ? rest(g) : longest);
}

void spin_start_over(struct wl_gpu *g)
{
	struct spin *s = spin_of(g);
	s->quiet = (struct quiet){0};
	s->leapt = 0;
	end(g, s);
}

/* Time for the next watch, or for the end of this watch. */
static bool due(const struct wl_gpu *g, const struct spin *s)
{
	if (s->on)
		return work_of(g) >= s->at || (g->gave_up && g->gave_up >= s->most_given_up);
	return time_of(g) >= longer(s->at, FIRST_WATCH);
}

/* Shared memory of all SMs: outside of watches changes of shared memory are not counted. */
uint64_t spin_sum_shared(const struct wl_gpu *g)
{
	const uint8_t *p = block_at(g, g->at_shared);
	uint64_t sum = 0, v, bytes = (uint64_t)g->config.sms * g->config.shared_bytes;
	for (uint64_t i = 0; i < bytes; i += sizeof v) {
		memcpy(&v, p + i, sizeof v);
		sum = (sum ^ v) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 29;
	}
	return sum;
}

static struct polls *polls_of(const struct wl_gpu *g, unsigned sm, unsigned warp)
{
	return (struct polls *)block_at(g, g->at_polls) + sm * g->config.warps_per_sm + warp;
}

/* Has the warp read something in this watch, and nothing outside of its set? The set takes the new reads; a
 * set too full starts over with the reads of this watch: the warp may have gone on to other words. */
static bool read_nothing_new(uint64_t *known, const uint64_t *seen)
{
	unsigned members = 0;
	bool fresh = false;
	for (unsigned i = 0; i < SEEN_WORDS; i++) {
		fresh |= (seen[i] & ~known[i]) != 0;
		known[i] |= seen[i];
		members += (unsigned)__builtin_popcountll(known[i]);
	}
	if (members > SEEN_MOST) {
		memcpy(known, seen, SEEN_WORDS * sizeof *known);
		return false;
	}
	return !fresh && members;
}

static bool nothing_new(struct wl_gpu *g, struct spin *s)
{
	bool same = true;
	for (unsigned sm = 0; sm < g->config.sms; sm++) {
		for (uint64_t m = sm_not_stuck(gpu_sm(g, sm)); m; m &= m - 1) {
			unsigned warp = (unsigned)__builtin_ctzll(m);
			same &= read_nothing_new(s->mark[sm * g->config.warps_per_sm + warp].seen,
			                         polls_of(g, sm, warp)->seen);
		}
	}
	return same;
}

/* All warps wait for the time alone, and so does the run. */
static void leap(struct wl_gpu *g, struct quiet *q)
{
	if (!q->leap) {
		q->leap = FIRST_LEAP;
		q->leapt_from = g->issued;
	} else if (q->leap < QUARTER_LEAP) {
		q->leap *= 2;
	} else if (++q->quarters >= QUARTERS) {
		q->leap *= LATER_LEAPS;
		q->leap = q->leap < LONGEST_LEAP ? q->leap : LONGEST_LEAP;
	}
	q->leaps++;
	q->leapt += q->leap;
	spin_of(g)->leapt += q->leap;
	for (unsigned sm = 0; sm < g->config.sms; sm++)
		gpu_sm(g, sm)->skipped += q->leap;
}

/* Leaps of the clock are still to come before a run that looks at a clock is judged. */
static bool leaps_left(const struct quiet *q)
{
	return q->leaps < JUDGE_LEAPS || q->leapt < UINT64_C(1000000000) * JUDGE_SECONDS;
}

/* Nothing but the time has changed. */
static void judge_by_clock(struct wl_gpu *g, struct quiet *q, uint64_t most)
{
	if (leaps_left(q)) {
		leap(g, q);
	} else if (g->issued - q->leapt_from >= most) {
		g->quiet = (struct quiet_run){g->issued - q->leapt_from, q->leapt};
		stop_spinning(g, SPIN_JUDGED);
	}
}

/* In lockstep: a copy runs ahead, seldom enough to cost little if the copy gets on. */
static void ask_ahead(struct wl_gpu *g, struct quiet *q)
{
	const uint64_t quiet = time_of(g) - q->since;
	if (quiet < 2 * q->asked)
		return;
	switch (ahead_run(g, &g->quiet)) {
	case AHEAD_PROVEN:
		stop_spinning(g, SPIN_PROVEN);
		break;
	case AHEAD_JUDGED:
		stop_spinning(g, SPIN_JUDGED);
		break;
	case AHEAD_NO_MEMORY:
		g->outcome = WL_ERROR;
		snprintf(g->trouble.text, sizeof g->trouble.text,
		         "no memory for a copy of the launch, which nothing has changed for long");
		break;
	case AHEAD_GETS_ON:
		q->asked = quiet;
		break;
	case AHEAD_LATER:
		break;
	}
}

/* The quiet time begins here. */
static struct quiet quiet_from_now(const struct wl_gpu *g, uint64_t shared)
{
	return (struct quiet){.watches = 1,
	                      .since = time_of(g),
	                      .from = g->issued,
	                      .changes = g->seen.changes,
	                      .shared = shared,
	                      .clocks = g->seen.clocks};
}

/* A watch has ended without a change. */
static void judge(struct wl_gpu *g, struct spin *s)
{
	struct quiet *q = &s->quiet;
	observe_change(g, g->copies != 0); /* copies will land */
	uint64_t shared = spin_sum_shared(g), of_warps = count_not_stuck(g);
	const uint64_t most = longer(JUDGE_INSTRUCTIONS, of_warps * JUDGE_OF_WARP);
	const bool looks = q->clocks != g->seen.clocks;
	if (!q->watches || q->changes != g->seen.changes || q->shared != shared) {
		*q = quiet_from_now(g, shared);
		for (uint32_t i = 0; i < all_warps(g); i++)
			memset(s->mark[i].seen, 0, sizeof s->mark[i].seen);
	}
	s->soon = looks && !g->source && leaps_left(q);
	if (!nothing_new(g, s)) {
		const uint64_t asked = q->asked;
		*q = quiet_from_now(g, shared);
		q->asked = asked;
		return;
	}
	q->clocks = g->seen.clocks;
	if (++q->watches < (g->source ? AHEAD_WATCHES : JUDGE_WATCHES))
		return;
	if (g->source) {
		ask_ahead(g, q);
		return;
	}
	if (looks) {
		q->since = time_of(g);
		q->from = g->issued;
		judge_by_clock(g, q, most);
		return;
	}
	g->quiet = (struct quiet_run){.issued = g->issued - q->from};
	if (time_of(g) - q->since >= most)
		stop_spinning(g, SPIN_JUDGED);
}

uint64_t spin_leapt(const struct wl_gpu *g)
{
	return spin_of(g)->leapt;
}

bool spin_watches(struct wl_gpu *g)
{
	struct spin *s = spin_of(g);
	if (g->source ? !due(g, s) : g->issued < longer(s->at, FIRST_WATCH))
		return s->on;
	if (s->on) {
		judge(g, s);
		end(g, s);
	} else {
		begin(g, s);
	}
	return s->on;
}

/* All warps spin. The last resort: lanes at BSYNC wait no longer for spinning lanes. False: the launch hangs. In
 * lockstep groups_patience does the release, at the same place when the order is replayed. */
static bool loosen(struct wl_gpu *g)
{
	bool any = false;
	for (unsigned sm = 0; sm < g->config.sms; sm++) {
		for (uint64_t m = sm_not_stuck(gpu_sm(g, sm)); m; m &= m - 1) {
			const unsigned warp = (unsigned)__builtin_ctzll(m);
			struct warp *w = gpu_warp(g, sm, warp), copy;
			struct wl_conv_warp *c = &gpu_sm(g, sm)->units.convergence.warp[warp], conv;
			if (g->source) {
				copy = *w;
				w = &copy;
				conv = *c;
				c = &conv;
			}
			any |= groups_force(w, c);
		}
	}
	return any;
}

/* After an instruction of the warp: has the warp been in this state before? */
static void look(struct wl_gpu *g, struct spin *s, unsigned sm, unsigned warp)
{
	struct mark *m = &s->mark[sm * g->config.warps_per_sm + warp];
	const struct warp *w = gpu_warp(g, sm, warp);
	const struct wl_units *units = &gpu_sm(g, sm)->units;
	const lane_row *regs = (const lane_row *)gpu_regs(g, sm, warp);
	const size_t size = g->reg_rows * sizeof(lane_row);
	if (m->done || s->unclear != g->seen.unclear || warp_is_held(w) || w->posted)
		return;
	if (!(sm_not_stuck(gpu_sm(g, sm)) >> warp & 1) ||
	    (m->taken && same_state(m, w) && same_in_units(m, units, warp) &&
	     !memcmp(marked_regs(g, sm, warp), regs, size))) {
		m->done = true;
		s->left--;
		return;
	}
	m->steps = m->taken ? m->steps + 1 : 0;
	if (m->taken && m->steps < m->next)
		return;
	m->next = m->taken ? 2 * m->next : 1;
	m->taken = true;
	m->w = *w;
	m->conv = units->convergence.warp[warp];
	m->bar_result = units->barrier_file.result[warp];
	memcpy(marked_regs(g, sm, warp), regs, size);
}

enum step_end spin_turn(struct wl_gpu *g, unsigned sm, unsigned warp, unsigned n)
{
	struct spin *s = spin_of(g);
	enum step_end how = STEP_TURN_OVER;
	while (n && g->outcome == WL_RUNNING && gpu_sm(g, sm)->ready >> warp & 1) {
		if (!s->on || g->seen.changes != s->changes)
			return step_warp(g, sm, warp, n);
		how = step_warp(g, sm, warp, 1);
		if (how == STEP_REQUEST)
			break;
		n--;
		look(g, s, sm, warp);
	}
	return how;
}

/* In a watch, when no request is on the way: has something changed, do all warps spin? */
static void conclude(struct wl_gpu *g, struct spin *s)
{
	observe_change(g, g->copies != 0);
	if (g->seen.changes != s->changes || (!s->left && loosen(g)))
		end(g, s);
	else if (!s->left)
		stop_spinning(g, SPIN_PROVEN);
}

bool spin_step_sm(struct wl_gpu *g, unsigned sm)
{
	struct sm *m = gpu_sm(g, sm);
	if (sm_time(m) >= m->next_wake)
		sleep_end(g, sm);
	if (g->outcome != WL_RUNNING)
		return true;
	int w = step_next_warp(m->ready, m->last);
	if (w < 0)
		return false;
	const unsigned n = step_turn(g);
	if (!n) {
		g->outcome = WL_LIMIT;
		return true;
	}
	m->last = (uint32_t)w;
	spin_turn(g, sm, (unsigned)w, n);
	if (g->outcome == WL_RUNNING && spin_of(g)->on && !g->source)
		conclude(g, spin_of(g));
	return true;
}

bool spin_source(struct wl_gpu *g)
{
	struct spin *s = spin_of(g);
	bool over = s->on && (!s->left || g->seen.changes != s->changes);
	if (!over && !due(g, s))
		return true;
	if (gpu_busy(g))
		return false;
	if (s->on)
		conclude(g, s);
	if (g->outcome == WL_RUNNING)
		spin_watches(g);
	return g->outcome == WL_RUNNING;
}

/* --- reads of the lanes of a spinning warp, for the report ----------------------------------------------------- */

static void note_poll(const struct wl_gpu *g, unsigned sm, unsigned warp, unsigned lane, uint32_t pc, uint64_t addr,
                      uint64_t value)
{
	struct polls *p = polls_of(g, sm, warp);
	uint32_t bit = mix32(addr ^ (uint64_t)pc << 40, value + lane) % (64 * SEEN_WORDS);
	const uint8_t size = g->program->insts[pc].size; /* instructions of mbarriers have no size */
	p->lane[lane] = (struct poll){.addr = addr, .value = value, .pc = pc * 16, .size = size ? size : 8};
	p->seen[bit / 64] |= UINT64_C(1) << bit % 64;
}

void spin_note_read(const struct exec *x, unsigned lane, uint64_t addr, uint64_t value)
{
	note_poll(x->gpu, x->sm_index, x->warp_index, lane, x->pc, addr, value);
}

/* A request of SOURCE has come back: REF knows the words found and left by each lane. */
void spin_note_record(struct wl_gpu *g, const struct wl_record *rec)
{
	const uint32_t pc = rec->pc / 16;
	const enum wl_uop uop = (enum wl_uop)g->program->insts[pc].uop;
	const enum wl_unit unit = wl_uop_unit(uop);
	const bool shared = unit == WL_UNIT_atoms_pipe || unit == WL_UNIT_mbarrier_engine || usyncs_is(uop);
	const uint32_t base = shared ? gpu_sm(g, rec->tag.sm)->units.smem.window[rec->tag.slot].base : 0;
	bool changed = false;
	for (uint32_t m = rec->committed; m; m &= m - 1) {
		unsigned lane = lowest(m);
		uint64_t v = 0;
		changed |= memcmp(&rec->old[lane], &rec->now[lane], rec->size) != 0;
		memcpy(&v, &rec->old[lane], rec->size < sizeof v ? rec->size : sizeof v);
		if (g->watch && wl_uop_has(uop, WL_TRAIT(READS_MEMORY)))
			note_poll(g, rec->tag.sm, rec->tag.warp, lane, pc, rec->addr[lane] - base, v);
	}
	observe_change(g, changed);
}

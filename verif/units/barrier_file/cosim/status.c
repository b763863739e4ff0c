// SPDX-License-Identifier: Apache-2.0
/* status.c -- the status port of barrier_file. The harness asks for a barrier after the other, mostly for barriers with
 * waiting warps. The answer must equal REF's state. */
#include "../../../cosim/flight.h"
#include "barrier_file.h"

enum { EVERY = 8, /* cycles from one question to the next */ BARRIERS = WL_MAX_CTAS * WL_NAMED_BARS };

static struct barrier_file_state *state_of(const struct lockstep *ls)
{
	return ls->unit_state[WL_UNIT_barrier_file];
}

/* The barrier of a waiting warp, else the next of all barriers. */
static unsigned choose(const struct lockstep *ls, struct barrier_file_state *s)
{
	s->turn++;
	for (unsigned i = 0; i < TAG_WARPS && s->turn & 1; i++) {
		const unsigned at = ls->waiting[(s->turn / 2 + i) % TAG_WARPS];
		if (at != NO_FLIGHT)
			return ls->flight[at].req.tag.slot * WL_NAMED_BARS +
			       ls->flight[at].plan.wait_id % WL_NAMED_BARS;
	}
	return s->next++ % BARRIERS;
}

bool barrier_file_ask(struct lockstep *ls, bool all)
{
	struct barrier_file_state *s = state_of(ls);
	if (all && !s->all) {
		s->all = true;
		s->next = 0;
	}
	if (!s->asking && (all ? s->next < BARRIERS : ls->stats.cycles % EVERY == 0 && !ls->jobs)) {
		s->asking = true;
		s->asked = all ? s->next++ : choose(ls, s);
	}
	ls->in.bar.valid = s->asking;
	ls->in.bar.slot = (uint8_t)(s->asked / WL_NAMED_BARS);
	ls->in.bar.id = (uint8_t)(s->asked % WL_NAMED_BARS);
	return s->asking || s->due || s->next < BARRIERS;
}

/* The RTL counts votes as sums from 0 on; for AND the sum counts the warps with a no. */
static bool same_votes(const struct wl_named_bar *ref, const struct shim_bar *dut)
{
	switch (dut->mode) {
	case 1:
		return dut->votes == ref->yes;
	case 2:
		return (dut->votes == 0) == ref->all;
	case 3:
		return (dut->votes != 0) == (ref->yes != 0);
	default:
		return true;
	}
}

static void compare(struct lockstep *ls, unsigned slot, unsigned id)
{
	const struct wl_bar_cta *cta = &ls->ref->barrier_file.cta[slot];
	const struct wl_named_bar *ref = &cta->bar[id];
	const struct shim_bar *dut = &ls->out.bar;
	const struct wl_named_bar none = {0};
	if (!ref->here || !cta->open) /* a CTA takes its barriers along when leaving */
		ref = &none;
	const unsigned expected = !ref->here ? 0 : ref->counted ? ref->count : cta->live;
	ls->stats.counter[WL_UNIT_barrier_file][ref->here ? BARS_STATUS_OPEN : BARS_STATUS]++;
	if (dut->arrived != ref->here || dut->expected != expected || dut->here != ref->arrived ||
	    dut->waiting != ref->waiting)
		complain(ls, CHECK_MEMORY, NULL,
		         "status of barrier %u in slot %u: %u of %u warps have arrived, 0x%llx, of which 0x%llx wait; "
		         "REF has %u of %u, 0x%llx, 0x%llx",
		         id, slot, dut->arrived, dut->expected, (unsigned long long)dut->here,
		         (unsigned long long)dut->waiting, ref->here, expected, (unsigned long long)ref->arrived,
		         (unsigned long long)ref->waiting);
	else if (dut->mode != ref->mode || dut->counted != ref->counted || !same_votes(ref, dut))
		complain(ls, CHECK_MEMORY, NULL,
		         "status of barrier %u in slot %u: mode %u, %s count, votes %u; REF has mode %u, %s count, %u "
		         "threads with a yes",
		         id, slot, dut->mode, dut->counted ? "a" : "no", dut->votes, ref->mode,
		         ref->counted ? "a" : "no", ref->yes);
}

/* REF is ahead while a CTA comes or leaves, and in a phase ended by an EXIT. */
static bool ref_is_ahead(const struct lockstep *ls, unsigned slot, unsigned id)
{
	for (unsigned i = 0; i < ls->ndue; i++)
		if (ls->due[i].what.unit == WL_UNIT_barrier_file && ls->due[i].what.slot == slot &&
		    ls->due[i].what.id == id)
			return true;
	return ls->jobs != 0;
}

void barrier_file_answer(struct lockstep *ls)
{
	struct barrier_file_state *s = state_of(ls);
	const unsigned slot = s->answered / WL_NAMED_BARS, id = s->answered % WL_NAMED_BARS;
	if (ls->out.bar_valid != s->due)
		complain(ls, CHECK_PROTOCOL, NULL, "the status port answers %s",
		         s->due ? "nothing in the cycle after the question" : "what nobody has asked");
	if (s->due && ls->out.bar_valid) {
		s->view[slot][id] = ls->out.bar;
		if (ls->config.checks >> CHECK_MEMORY & 1 && !ref_is_ahead(ls, slot, id))
			compare(ls, slot, id);
	}
	s->due = ls->out.bar_taken;
	if (ls->out.bar_taken) {
		s->asking = false;
		s->answered = s->asked;
	}
}

struct shim_bar barrier_file_view(const struct lockstep *ls, unsigned slot, unsigned id)
{
	return state_of(ls)->view[slot % WL_MAX_CTAS][id % WL_NAMED_BARS];
}

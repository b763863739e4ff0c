// SPDX-License-Identifier: Apache-2.0
/* mon.c -- the monitor's part for toy_counter: keeps separate counts, and judges releases and the times of given-up
 * waits. */
#include <string.h>

#include "../../../cosim/mon_unit.h"

enum { EARLIEST = 256, LATEST = 512 };

struct state {
	uint16_t count[WL_MAX_CTAS];
	uint64_t waiting[WL_MAX_CTAS];
	uint16_t least[64];
	uint64_t due[WL_MAX_CTAS]; /* warps released by the last addition */
};

/* Fields kept of a request. */
struct toy {
	uint16_t n;
	bool waits;
};

static struct toy *toy_of(struct mon_item *it)
{
	return (struct toy *)(void *)it->own;
}

static void accept(struct mon *m, struct mon_item *it, const struct wl_req *req)
{
	(void)m;
	*toy_of(it) = (struct toy){(uint16_t)req->ra[__builtin_ctz(req->mask)], req->inst.uop == WL_UOP_TOY_WAIT};
}

static void commit(struct mon *m, struct mon_item *it, uint32_t lanes)
{
	struct state *s = mon_state(m, WL_UNIT_toy_counter);
	const struct toy *t = toy_of(it);
	const unsigned slot = it->tag.slot;
	if (lanes != it->mask)
		mon_complain(m, 'a', &it->tag, lanes, "the lanes of a toy come together");
	if (t->waits)
		return;
	if (s->count[slot] + t->n > UINT16_MAX)
		mon_complain(m, 'a', &it->tag, lanes, "an addition that overflows commits");
	s->count[slot] = (uint16_t)(s->count[slot] + t->n);
	for (uint64_t left = s->waiting[slot]; left; left &= left - 1)
		if (s->least[__builtin_ctzll(left)] <= s->count[slot])
			s->due[slot] |= left & (0 - left);
	s->waiting[slot] &= ~s->due[slot];
}

static enum wl_unit waits(struct mon *m, struct mon_item *it)
{
	struct state *s = mon_state(m, WL_UNIT_toy_counter);
	const struct toy *t = toy_of(it);
	if (!t->waits || s->count[it->tag.slot] >= t->n)
		return (enum wl_unit)MON_NO_WAIT;
	s->waiting[it->tag.slot] |= UINT64_C(1) << it->tag.warp;
	s->least[it->tag.warp] = t->n;
	return WL_UNIT_toy_counter;
}

static void release(struct mon *m, const struct wl_event *ev)
{
	struct state *s = mon_state(m, WL_UNIT_toy_counter);
	const uint64_t want = s->due[ev->tag.slot];
	if (ev->warps != want)
		mon_complain(m, 'd', &ev->tag, 0, "RELEASE of warps 0x%llx, by count 0x%llx go on",
		             (unsigned long long)ev->warps, (unsigned long long)want);
	s->due[ev->tag.slot] = 0;
}

static void gave_up(struct mon *m, const struct mon_item *it)
{
	struct state *s = mon_state(m, WL_UNIT_toy_counter);
	const uint64_t bit = UINT64_C(1) << it->tag.warp;
	if (!(s->waiting[it->tag.slot] & bit))
		mon_complain(m, 'e', &it->tag, 0, "gives up after the count let it go");
	if (mon_now(m) < it->settled + EARLIEST)
		mon_complain(m, 'e', &it->tag, 0, "gives up after %llu cycles, %u are asked for",
		             (unsigned long long)(mon_now(m) - it->settled), EARLIEST);
	s->waiting[it->tag.slot] &= ~bit;
}

static void waiting(struct mon *m, const struct mon_item *it)
{
	if (mon_now(m) > it->settled + LATEST)
		mon_complain(m, 'e', &it->tag, 0, "waits for more than %u cycles", LATEST);
}

const struct mon_unit mon_toy_counter = {.unit = WL_UNIT_toy_counter,
                                         .state_bytes = sizeof(struct state),
                                         .state_faults = true,
                                         .accept = accept,
                                         .commit = commit,
                                         .waits = waits,
                                         .release = release,
                                         .gave_up = gave_up,
                                         .waiting = waiting};

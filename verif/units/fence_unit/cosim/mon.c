// SPDX-License-Identifier: Apache-2.0
/* mon.c -- the monitor's part for fence_unit. A fence commits with all lanes and behind all older accesses of the warp
 * (c). No younger request is accepted before: a warp stands still until the end of its fence. The wait of a MEMBAR ends
 * soon, by a RELEASE of the warp alone (d). Source: docs/spec/fences.md, "Fences". */
#include "fence_unit.h"

enum { LATEST = 4 /* cycles from the COMMIT to the RELEASE */ };

struct state {
	uint64_t owed;      /* warps with a committed MEMBAR */
	uint64_t since[64]; /* cycle of the COMMIT */
};

struct fence {
	bool waits;
};

static struct state *state_of(struct mon *m)
{
	return mon_state(m, WL_UNIT_fence_unit);
}

static bool is_membar(const struct mon_item *it)
{
	return ((const struct fence *)(const void *)it->own)->waits;
}

static void accept(struct mon *m, struct mon_item *it, const struct wl_req *req)
{
	(void)m;
	((struct fence *)(void *)it->own)->waits = req->inst.uop == WL_UOP_MEMBAR;
}

static uint32_t uncommitted(const struct mon_item *o)
{
	return o->mask & ~o->faulting & ~o->fault_seen & ~o->committed;
}

static void commit(struct mon *m, struct mon_item *it, uint32_t lanes)
{
	if (lanes != it->mask)
		mon_complain(m, 'b', &it->tag, lanes ^ it->mask, "COMMIT of a fence without these lanes");
	for (const struct mon_item *o = mon_older(m, it); o; o = mon_older(m, o))
		if (uncommitted(o)) {
			mon_complain(m, 'c', &it->tag, uncommitted(o),
			             "COMMIT of a fence before these lanes of the warp's earlier request n=%u have "
			             "committed",
			             o->tag.n);
			break;
		}
	if (!is_membar(it))
		return;
	state_of(m)->owed |= UINT64_C(1) << it->tag.warp;
	state_of(m)->since[it->tag.warp] = mon_now(m);
}

static enum wl_unit waits(struct mon *m, struct mon_item *it)
{
	(void)m;
	return is_membar(it) ? WL_UNIT_fence_unit : (enum wl_unit)MON_NO_WAIT;
}

static void release(struct mon *m, const struct wl_event *ev)
{
	struct state *s = state_of(m);
	if (ev->warps & (ev->warps - 1))
		mon_complain(m, 'd', &ev->tag, 0, "RELEASE of several warps by one fence");
	if (ev->warps & ~s->owed)
		mon_complain(m, 'd', &ev->tag, 0, "RELEASE of a warp whose MEMBAR has not committed");
	s->owed &= ~ev->warps;
}

static void waiting(struct mon *m, const struct mon_item *it)
{
	const struct state *s = state_of(m);
	if (s->owed >> it->tag.warp & 1 && mon_now(m) - s->since[it->tag.warp] > LATEST)
		mon_complain(m, 'd', &it->tag, 0, "waits although its MEMBAR has committed");
}

const struct mon_unit mon_fence_unit = {.unit = WL_UNIT_fence_unit,
                                        .state_bytes = sizeof(struct state),
                                        .accept = accept,
                                        .commit = commit,
                                        .waits = waits,
                                        .release = release,
                                        .waiting = waiting};

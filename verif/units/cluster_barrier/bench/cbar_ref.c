// SPDX-License-Identifier: Apache-2.0
#include "cbar_ref.h"

#include "warplock/status.h"

void cref_open(struct cref *r, unsigned slot, unsigned cluster, unsigned first, unsigned warps)
{
	r->cta[slot].open = true;
	r->cta[slot].cluster = cluster;
	r->phase[cluster] = 0;
	for (unsigned w = first; w < first + warps; w++) {
		r->warp[w] = (struct cref_warp){.slot = slot, .live = true};
	}
}

void cref_close(struct cref *r, unsigned slot)
{
	r->cta[slot].open = false;
	for (unsigned w = 0; w < CREF_WARPS; w++) {
		r->warp[w].live &= r->warp[w].slot != slot;
	}
}

static uint64_t *phase_of(struct cref *r, unsigned warp)
{
	return &r->phase[r->cta[r->warp[warp].slot].cluster];
}

static bool has_arrived(const struct cref *r, unsigned warp)
{
	const struct cref_warp *w = &r->warp[warp];
	return w->arrivals == r->phase[r->cta[w->slot].cluster] + 1;
}

bool cref_waiting(const struct cref *r, unsigned warp)
{
	return r->warp[warp].live && has_arrived(r, warp) && r->warp[warp].asked;
}

unsigned cref_fault(const struct cref *r, unsigned slot, unsigned warp, bool wait)
{
	if (!r->cta[slot].open) {
		return WL_FAULT_SLOT_CLOSED;
	}
	if (!wait) {
		return has_arrived(r, warp) ? WL_FAULT_CBAR_DOUBLE_ARRIVE : WL_FAULT_NONE;
	}
	return r->warp[warp].arrivals == 0 || r->warp[warp].asked ? WL_FAULT_CBAR_WAIT_NO_ARRIVE : WL_FAULT_NONE;
}

/* Behind an arrival or an exit in the cluster of `slot`. */
static struct cref_release end_if_complete(struct cref *r, unsigned slot)
{
	const unsigned cluster = r->cta[slot].cluster;
	struct cref_release rel = {.slot = CREF_SLOTS};
	unsigned live = 0;
	for (unsigned w = 0; w < CREF_WARPS; w++) {
		const struct cref_warp *mate = &r->warp[w];
		if (!mate->live || r->cta[mate->slot].cluster != cluster) {
			continue;
		}
		live++;
		if (!has_arrived(r, w)) {
			return (struct cref_release){0};
		}
		rel.warps |= (uint64_t)cref_waiting(r, w) << w;
	}
	if (!live) {
		return (struct cref_release){0};
	}
	for (unsigned s = CREF_SLOTS; s-- > 0;) {
		rel.slot = r->cta[s].open && r->cta[s].cluster == cluster ? s : rel.slot;
	}
	rel.phase = (uint16_t)r->phase[cluster]++;
	rel.valid = rel.warps != 0;
	return rel;
}

struct cref_release cref_arrive(struct cref *r, unsigned warp)
{
	r->warp[warp].arrivals = *phase_of(r, warp) + 1;
	r->warp[warp].asked = false;
	return end_if_complete(r, r->warp[warp].slot);
}

bool cref_wait(struct cref *r, unsigned warp, uint16_t *phase)
{
	*phase = (uint16_t)*phase_of(r, warp);
	r->warp[warp].asked = true;
	return has_arrived(r, warp);
}

struct cref_release cref_exit(struct cref *r, unsigned slot, unsigned warp)
{
	r->warp[warp].live = false;
	r->warp[warp].arrivals = 0;
	return end_if_complete(r, slot);
}

// SPDX-License-Identifier: Apache-2.0
/* unit_ref_state.c -- the state of the reference: the way back from a turn, comparison with foreign RTL.
 * Source: docs/spec/units.md, "Faults"; docs/spec/mbarrier.md, "Object"; docs/spec/clusters.md, "Barrier". */
#include <stdio.h>
#include <string.h>

#include "unit_ref.h"

/* State changed by a turn, beside memory and the request. NULL: the unit has no faults by state, or no state. */
static void *state_of(struct wl_unit_ref *u, const struct open_request *r, size_t *bytes)
{
	switch (u->unit) {
	case WL_UNIT_barrier_file:
		return *bytes = sizeof u->units.barrier_file, &u->units.barrier_file;
	case WL_UNIT_mbarrier_engine:
		return *bytes = sizeof u->units.mbarrier_engine, &u->units.mbarrier_engine;
	case WL_UNIT_convergence:
		return *bytes = sizeof u->units.convergence.warp[0], &u->units.convergence.warp[r->req.tag.warp];
	case WL_UNIT_cluster_barrier:
		return *bytes = sizeof u->units.cluster_barrier, &u->units.cluster_barrier;
	default:
		return *bytes = 0, NULL;
	}
}

void unit_ref_keep(struct wl_unit_ref *u, const struct open_request *r)
{
	size_t bytes;
	const void *state = state_of(u, r, &bytes);
	if (state || u->unit == WL_UNIT_atom_unit)
		u->kept = *r;
	if (state)
		memcpy(&u->kept_state, state, bytes);
}

static uint8_t *word_of(struct wl_unit_ref *u, const struct open_request *r, unsigned lane)
{
	if (u->unit == WL_UNIT_atom_unit)
		return wl_gmem_at(&u->gmem, r->rec.addr[lane], r->rec.size);
	return u->unit == WL_UNIT_mbarrier_engine ? u->memory + r->rec.addr[lane] : NULL;
}

/* Lanes took their turns lowest first, so the highest goes back first. */
void unit_ref_back(struct wl_unit_ref *u, struct open_request *r)
{
	size_t bytes;
	for (uint32_t m = r->rec.committed & ~u->kept.rec.committed; m;) {
		const unsigned lane = 31u - (unsigned)__builtin_clz(m);
		uint8_t *word = word_of(u, r, lane);
		if (word)
			memcpy(word, &r->rec.old[lane], r->rec.size);
		m &= ~(UINT32_C(1) << lane);
	}
	*r = u->kept;
	void *state = state_of(u, r, &bytes);
	if (state)
		memcpy(state, &u->kept_state, bytes);
}

struct place_name unit_ref_name(const struct wl_unit_ref *u, uint32_t slot, uint32_t id)
{
	struct place_name name;
	switch (u->unit) {
	case WL_UNIT_mbarrier_engine:
		snprintf(name.text, sizeof name.text, "mbarrier at 0x%x", id * 8 - u->units.smem.window[slot].base);
		break;
	case WL_UNIT_cluster_barrier:
		snprintf(name.text, sizeof name.text, "phase %u of the cluster barrier", id);
		break;
	case WL_UNIT_fence_unit:
		snprintf(name.text, sizeof name.text, "fence");
		break;
	default:
		snprintf(name.text, sizeof name.text, "barrier %u", id);
	}
	return name;
}

/* ---- comparison ---- */

static int compare_barrier(struct wl_unit_ref *u, uint32_t slot, uint32_t at, uint64_t arrived, uint64_t waiting)
{
	if (at >= WL_NAMED_BARS)
		return MISUSE(u, "barrier %u: expected 0..%u", at, WL_NAMED_BARS - 1);
	const struct wl_named_bar *bar = &u->units.barrier_file.cta[slot].bar[at];
	if (bar->arrived != arrived || bar->waiting != waiting)
		return DIFFERS(u, "slot %u, barrier %u: warps 0x%llx arrived, 0x%llx wait; REF has 0x%llx, 0x%llx",
		               slot, at, (unsigned long long)arrived, (unsigned long long)waiting,
		               (unsigned long long)bar->arrived, (unsigned long long)bar->waiting);
	return AGREES(u);
}

static int compare_word(struct wl_unit_ref *u, uint32_t slot, uint32_t at, uint64_t word)
{
	if (unit_ref_place_is_bad(u, slot, at, 4))
		return WL_UNIT_MISUSE;
	const uint32_t have = wl_smem_read(&u->units.smem, u->units.smem.window[slot].base + at);
	if (have != word)
		return DIFFERS(u, "slot %u, address 0x%x: 0x%llx; REF has 0x%x", slot, at, (unsigned long long)word,
		               have);
	return AGREES(u);
}

static int compare_mbarrier(struct wl_unit_ref *u, uint32_t slot, uint32_t at, uint64_t object, uint64_t waiting)
{
	uint64_t have, warps = 0;
	char state[240] = "";
	if (unit_ref_place_is_bad(u, slot, at, 8))
		return WL_UNIT_MISUSE;
	const uint32_t addr = u->units.smem.window[slot].base + at;
	memcpy(&have, u->memory + addr, sizeof have);
	for (unsigned w = 0; w < WL_MAX_WARPS; w++) {
		const struct wl_mbar_wait *wait = &u->units.mbarrier_engine.wait[w];
		warps |= (uint64_t)(wait->on && wait->slot == slot && wait->id == addr / 8) << w;
	}
	if (have == object && warps == waiting)
		return AGREES(u);
	if (u->units.smem.has_marks)
		wl_mbar_describe(&u->units.smem, addr, state, sizeof state);
	return DIFFERS(u, "slot %u, mbarrier at 0x%x: 0x%016llx, warps 0x%llx wait; REF has 0x%016llx, 0x%llx%s%s",
	               slot, at, (unsigned long long)object, (unsigned long long)waiting, (unsigned long long)have,
	               (unsigned long long)warps, *state ? ": " : "", state);
}

static int compare_cluster(struct wl_unit_ref *u, uint32_t slot, uint32_t at, uint64_t first, uint64_t second)
{
	const struct wl_cbar *bar = wl_cbar_of(&u->units.cluster_barrier, slot);
	if (at > 1 || (at == 1 && second))
		return MISUSE(u, "state %u of a cluster: expected 0 (arrived, waiting) or 1 (done, 0)", at);
	const uint64_t a = at ? bar->done : bar->arrived, b = at ? 0 : bar->waiting;
	if (a == first && b == second)
		return AGREES(u);
	if (at)
		return DIFFERS(u, "cluster %u: warps 0x%llx need not wait; REF has 0x%llx", bar->cluster,
		               (unsigned long long)first, (unsigned long long)a);
	return DIFFERS(u, "cluster %u: warps 0x%llx arrived, 0x%llx wait; REF has 0x%llx, 0x%llx", bar->cluster,
	               (unsigned long long)first, (unsigned long long)second, (unsigned long long)a,
	               (unsigned long long)b);
}

static int compare_lanes(struct wl_unit_ref *u, uint32_t slot, uint32_t at, uint64_t first, uint64_t second)
{
	const uint32_t warp = at >> 16, bar = at >> 8 & 255, lane = at & 255;
	if (warp >= WL_MAX_WARPS || !(u->warps[slot] >> warp & 1) || bar > WL_NUM_CBARS || lane >= WL_WARP_LANES ||
	    (bar < WL_NUM_CBARS && second))
		return MISUSE(u,
		              "0x%x: expected warp of slot %u << 16 | barrier 0..15 << 8 | lane, and 0; or barrier 16",
		              at, slot);
	const struct wl_conv_warp *w = &u->units.convergence.warp[warp];
	if (bar == WL_NUM_CBARS) {
		if (w->live != first || w->waits != second)
			return DIFFERS(u, "warp %u: lanes 0x%llx live, 0x%llx wait; REF has 0x%x, 0x%x", warp,
			               (unsigned long long)first, (unsigned long long)second, w->live, w->waits);
	} else if (w->set[bar][lane] != first) {
		return DIFFERS(u, "warp %u, B%u, lane %u: lanes 0x%llx; REF has 0x%x", warp, bar, lane,
		               (unsigned long long)first, w->set[bar][lane]);
	}
	return AGREES(u);
}

int wl_unit_compare(struct wl_unit_ref *u, uint32_t slot, uint32_t at, uint64_t first, uint64_t second)
{
	if (unit_ref_slot_is_empty(u, slot))
		return WL_UNIT_MISUSE;
	switch (u->unit) {
	case WL_UNIT_barrier_file:
		return compare_barrier(u, slot, at, first, second);
	case WL_UNIT_mbarrier_engine:
		return compare_mbarrier(u, slot, at, first, second);
	case WL_UNIT_cluster_barrier:
		return compare_cluster(u, slot, at, first, second);
	case WL_UNIT_convergence:
		return compare_lanes(u, slot, at, first, second);
	case WL_UNIT_atoms_pipe:
	case WL_UNIT_atom_unit:
		return compare_word(u, slot, at, first);
	default:
		return MISUSE(u, "%s has no state to compare", wl_unit_name(u->unit));
	}
}

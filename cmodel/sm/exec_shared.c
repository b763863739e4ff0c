// SPDX-License-Identifier: Apache-2.0
/* exec_shared.c -- instructions of atoms_pipe: executed by the C unit at once, or offered as requests (source.c). */
#include "exec.h"
#include "misuse.h"
#include "spin.h"
#include "stop.h"

/* While spin.c watches the run: the words at the lanes' addresses, before and after. */
struct words {
	uint8_t lane[WL_WARP_LANES][16];
};

static void take_words(const struct exec *x, const uint32_t *addr, struct words *to)
{
	const struct wl_window *w = &x->sm->units.smem.window[x->w->slot];
	memset(to, 0, sizeof *to);
	for (uint32_t m = x->mask; m; m &= m - 1) {
		unsigned lane = lowest(m);
		if (w->valid && (uint64_t)addr[lane] + x->in->size <= w->size)
			memcpy(to->lane[lane], x->sm->units.smem.mem + w->base + addr[lane], x->in->size);
	}
}

static __attribute__((noinline)) enum flow atoms_fault(struct exec *x, uint32_t lanes, const uint8_t *fault)
{
	uint64_t ra[WL_WARP_LANES];
	FOR_LANES (i)
		ra[i] = x->in->ra == WL_RZ ? 0 : x->r[x->in->ra][i];
	stop_lanes_fault(x->gpu, x->sm_index, x->warp_index, x->pc * 16, lanes, fault, ra, read_ur(x, x->in->ur));
	return FLOW_STOP;
}

static enum flow atoms_now(struct exec *x)
{
	uint8_t fault[WL_WARP_LANES];
	uint32_t faulted, preds;
	unsigned passes;
	if (__builtin_expect(x->in->uop == WL_UOP_ATOMS_CAST_P, 0)) {
		faulted = wl_atoms_exec_preds(&x->sm->units.smem, x->w->slot, x->in, x->r, x->mask,
		                              read_ur(x, x->in->ur), fault, &passes, &preds);
		write_pred(x, x->in->pd[0], preds);
	} else {
		faulted = wl_atoms_exec(&x->sm->units.smem, x->w->slot, x->in, x->r, x->mask, read_ur(x, x->in->ur),
		                        fault, &passes);
	}
	x->gpu->conflicts[passes]++;
	x->gpu->passes = (uint8_t)passes;
	return faulted ? atoms_fault(x, faulted, fault) : FLOW_NEXT;
}

static enum flow atoms_watched(struct exec *x)
{
	uint32_t addr[WL_WARP_LANES] = {0};
	struct words before, after;
	for (uint32_t m = x->mask; m; m &= m - 1) {
		unsigned lane = lowest(m);
		addr[lane] =
		        wl_shared_address(x->in, x->in->ra == WL_RZ ? 0 : x->r[x->in->ra][lane], read_ur(x, x->in->ur));
	}
	take_words(x, addr, &before);
	enum flow flow = atoms_now(x);
	take_words(x, addr, &after);
	observe_change(x->gpu, memcmp(&before, &after, sizeof before) != 0);
	for (uint32_t m = x->in->uop == WL_UOP_STS ? 0 : x->mask & wl_atoms_rows(x->in); m; m &= m - 1) {
		uint64_t v;
		memcpy(&v, before.lane[lowest(m)], sizeof v);
		spin_note_read(x, lowest(m), addr[lowest(m)], v);
	}
	return flow;
}

static enum flow atoms(struct exec *x)
{
	return x->gpu->watch ? atoms_watched(x) : atoms_now(x);
}

enum flow exec_unit_atoms_pipe(struct exec *x)
{
	if (unit_in_dut(x))
		return FLOW_REQUEST;
	if (__builtin_expect(x->gpu->copies != 0, 0) && !misuse_copies(x))
		return FLOW_STOP;
	return atoms(x);
}

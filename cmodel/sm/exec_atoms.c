// SPDX-License-Identifier: Apache-2.0
/* exec_atoms.c -- instructions of atoms_pipe: executed by the C unit at once, or offered as requests (source.c). */
#include "exec.h"

/* While the run is watched (spin.c): what the lanes find at their addresses, before and after. */
struct words {
	uint8_t lane[WL_WARP_LANES][16];
};

static void take_words(const struct exec *x, const uint32_t *addr, struct words *to)
{
	const struct wl_window *w = &x->sm->smem.window[x->w->slot];
	memset(to, 0, sizeof *to);
	for (uint32_t m = x->mask; m; m &= m - 1) {
		unsigned lane = lowest(m);
		if (w->valid && (uint64_t)addr[lane] + x->in->size <= w->size)
			memcpy(to->lane[lane], x->sm->smem.mem + w->base + addr[lane], x->in->size);
	}
}

static enum flow atoms_now(struct exec *x);

static enum flow atoms_watched(struct exec *x)
{
	uint32_t addr[WL_WARP_LANES] = {0};
	struct words before, after;
	for (uint32_t m = x->mask; m; m &= m - 1) {
		unsigned lane = lowest(m);
		addr[lane] =
		        atoms_address(x->in, x->in->ra == WL_RZ ? 0 : x->r[x->in->ra][lane], read_ur(x, x->in->ur));
	}
	take_words(x, addr, &before);
	enum flow flow = atoms_now(x);
	take_words(x, addr, &after);
	x->gpu->changes += memcmp(&before, &after, sizeof before) != 0;
	for (uint32_t m = x->in->uop == WL_UOP_STS ? 0 : x->mask; m; m &= m - 1) {
		uint64_t v;
		memcpy(&v, before.lane[lowest(m)], sizeof v);
		spin_note_read(x, lowest(m), addr[lowest(m)], v);
	}
	return flow;
}

static enum flow atoms(struct exec *x)
{
	if (x->gpu->source && x->sm_index == 0)
		return FLOW_REQUEST;
	return x->gpu->watch ? atoms_watched(x) : atoms_now(x);
}

static enum flow atoms_now(struct exec *x)
{
	uint8_t fault[WL_WARP_LANES];
	unsigned passes;
	uint32_t faulted =
	        wl_atoms_exec(&x->sm->smem, x->w->slot, x->in, x->r, x->mask, read_ur(x, x->in->ur), fault, &passes);
	x->gpu->conflicts[passes]++;
	if (!faulted)
		return FLOW_NEXT;
	const uint32_t *ra = x->in->ra == WL_RZ ? x->shared_rows[0] : x->r[x->in->ra];
	stop_atoms_fault(x->gpu, x->sm_index, x->warp_index, x->pc * 16, faulted, fault, ra, read_ur(x, x->in->ur));
	return FLOW_STOP;
}

enum flow exec_LDS(struct exec *x)
{
	return atoms(x);
}
enum flow exec_STS(struct exec *x)
{
	return atoms(x);
}
enum flow exec_ATOMS(struct exec *x)
{
	return atoms(x);
}
enum flow exec_ATOMS_CAS(struct exec *x)
{
	return atoms(x);
}
enum flow exec_ATOMS_CAST(struct exec *x)
{
	return atoms(x);
}

/* CAST whose answer goes to a predicate: done on copies of its registers, behind which there is room for the answer. */
enum flow exec_ATOMS_CAST_P(struct exec *x)
{
	enum { Ra, Rb, Rc = Rb + 2, Rd = Rc + 2, Rows = Rd + 2 };
	const struct wl_inst *in = x->in;
	struct wl_inst cast = *in;
	uint32_t rows[Rows][WL_WARP_LANES], stored = 0;
	uint8_t fault[WL_WARP_LANES];
	unsigned passes;
	if (x->gpu->source && x->sm_index == 0)
		return stop_error(x, "CAST with a predicate result is not built yet in lockstep");
	memcpy(rows[Ra], in->ra == WL_RZ ? x->shared_rows[0] : x->r[in->ra], sizeof rows[Ra]);
	memcpy(rows[Rb], in->rb == WL_RZ ? x->shared_rows[0] : x->r[in->rb], 2 * sizeof rows[Rb]);
	memcpy(rows[Rc], in->rc == WL_RZ ? x->shared_rows[0] : x->r[in->rc], 2 * sizeof rows[Rc]);
	cast.uop = WL_UOP_ATOMS_CAST;
	cast.rd = Rd;
	cast.ra = in->ra == WL_RZ ? WL_RZ : Ra;
	cast.rb = in->rb == WL_RZ ? WL_RZ : Rb;
	cast.rc = in->rc == WL_RZ ? WL_RZ : Rc;
	uint32_t faulted = wl_atoms_exec(&x->sm->smem, x->w->slot, &cast, rows, x->mask, 0, fault, &passes);
	x->gpu->conflicts[passes]++;
	FOR_LANES (i)
		stored |= (uint32_t)(x->mask >> i & 1 && rows[Rd][i] == 1) << i;
	write_pred(x, in->pd[0], stored);
	x->gpu->changes += stored != 0; /* spin.c: it may have been the value that was there; that is no hang for it */
	if (!faulted)
		return FLOW_NEXT;
	stop_atoms_fault(x->gpu, x->sm_index, x->warp_index, x->pc * 16, faulted, fault, rows[Ra], 0);
	return FLOW_STOP;
}

// SPDX-License-Identifier: Apache-2.0
/* exec_atoms.c -- instructions of atoms_pipe: executed by the C unit at once, or offered as requests (source.c). */
#include "exec.h"

static enum flow atoms(struct exec *x)
{
	if (x->gpu->source && x->sm_index == 0)
		return FLOW_REQUEST;
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

// SPDX-License-Identifier: Apache-2.0
/* needs.c -- the units possibly needed by a launch, by instructions and shape. */
#include "gpu.h"
#include "usyncs.h"

/* An mbarrier is told of the copy of this instruction of FRONT, or gets a request made by FRONT. Copies in functions of
 * ptxas name mbarriers by SYNCS instructions, too. */
static bool tells_mbarrier(const struct wl_inst *in)
{
	switch (in->uop) {
	case WL_UOP_ARRIVES:
	case WL_UOP_STAS:
	case WL_UOP_REDAS:
	case WL_UOP_UGETNEXTWORKID:
	case WL_UOP_UBLKCP:
	case WL_UOP_UBLKCP_CHECK:
	case WL_UOP_UBLKRED:
		return true;
	default:
		return usyncs_is(in->uop);
	}
}

uint32_t wl_gpu_needs(const struct wl_gpu *g)
{
	const struct wl_program *p = g->program;
	uint32_t units = g->cluster_ctas > 1 ? 1u << WL_UNIT_cluster_barrier : 0;
	for (uint32_t i = 0; i < p->ninst; i++) {
		const enum wl_unit unit = wl_uop_unit(p->insts[i].uop);
		if (unit < WL_UNIT_FRONT)
			units |= 1u << unit;
		if (tells_mbarrier(&p->insts[i]))
			units |= 1u << WL_UNIT_mbarrier_engine;
	}
	return units;
}

bool wl_gpu_moves_matrices(const struct wl_gpu *g)
{
	const struct wl_program *p = g->program;
	for (uint32_t i = 0; i < p->ninst; i++)
		if (wl_atoms_is_matrix(&p->insts[i]))
			return true;
	return false;
}

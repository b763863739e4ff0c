// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "internal_call.h"

/* The RET of the function. The registers of the RET hold the way back while the function runs, for the function calls
 * no other. */
static bool way_back(const struct wl_program *p, const struct wl_function *f, uint32_t *at)
{
	for (uint32_t i = f->first; i < f->first + f->count && i < p->ninst; i++)
		if (p->insts[i].uop == WL_UOP_RET_ABS || p->insts[i].uop == WL_UOP_RET_REL) {
			*at = i;
			return true;
		}
	return false;
}

static bool is_call(const struct wl_program *p, uint64_t i)
{
	const unsigned uop = i < p->ninst ? p->insts[i].uop : WL_UOP_UNMODELLED;
	return uop == WL_UOP_CALL_ABS || uop == WL_UOP_CALL_REL || uop == WL_UOP_CALL_ABX || uop == WL_UOP_CALL_REX;
}

bool internal_call(const struct wl_gpu *g, unsigned sm, unsigned warp, uint32_t lanes, uint32_t pc, uint32_t *call)
{
	const struct wl_program *p = g->program;
	const struct wl_function *f = wl_program_function(p, pc / 16);
	uint32_t at;
	if (!f || strncmp(f->name, "$__internal_", strlen("$__internal_")) != 0 || !lanes || !way_back(p, f, &at))
		return false;
	const struct wl_inst *ret = &p->insts[at];
	if (ret->ra + 1u >= g->reg_rows)
		return false;
	const lane_row *regs = gpu_regs(g, sm, warp);
	const unsigned lane = (unsigned)__builtin_ctz(lanes);
	const uint64_t base = ret->uop == WL_UOP_RET_REL ? 16 * (at + UINT64_C(1)) : 0;
	const uint64_t back =
	        ((uint64_t)regs[ret->ra + 1][lane] << 32 | regs[ret->ra][lane]) + base + (uint64_t)ret->target;
	if (back % 16 || !back || !is_call(p, back / 16 - 1))
		return false;
	*call = (uint32_t)back - 16;
	return true;
}

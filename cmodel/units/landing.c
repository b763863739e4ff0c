// SPDX-License-Identifier: Apache-2.0
/* landing.c -- pieces of asynchronous copies land in shared memory. Source: docs/spec/async.md, "Landing". */
#include "warplock/landing.h"

#include <string.h>

#include "warplock/alu.h"
#include "warplock/gmem.h"
#include "warplock/units.h"

void wl_landing_fetch(const struct wl_gmem *g, const struct wl_landing *l, uint8_t data[WL_LANDING_MOST])
{
	memset(data, 0, WL_LANDING_MOST);
	if (l->from == WL_LANDING_VALUE) {
		memcpy(data, l->value, l->bytes < sizeof l->value ? l->bytes : sizeof l->value);
	} else if (l->from == WL_LANDING_GLOBAL && l->bytes > l->zeros) {
		const uint8_t *p = wl_gmem_at(g, l->source, l->bytes - l->zeros);
		if (p)
			memcpy(data, p, l->bytes - l->zeros);
	}
}

static void reduce(const struct wl_landing *l, uint8_t *m, const uint8_t *b)
{
	for (uint32_t i = 0; i < l->bytes; i += l->size) {
		uint64_t old = 0, v = 0, now;
		memcpy(&old, m + i, l->size);
		memcpy(&v, b + i, l->size);
		now = l->size == 8 ? wl_atomic_alu64((enum wl_atom_op)l->op, l->sgn, old, v)
		                   : wl_atomic_alu32((enum wl_atom_op)l->op, l->sgn, (uint32_t)old, (uint32_t)v);
		memcpy(m + i, &now, l->size);
	}
}

enum wl_fault wl_land(struct wl_units *u, const struct wl_landing *l, uint8_t data[WL_LANDING_MOST])
{
	struct wl_smem *s = &u->smem;
	switch (l->kind) {
	case WL_LAND_TX:
	case WL_LAND_ARRIVE:
	case WL_LAND_REPORT:
		return wl_mbar_land(u, l->slot, l->addr, l->kind, l->bytes);
	case WL_LAND_READ:
		memcpy(data, s->mem + l->addr, l->bytes);
		return WL_FAULT_NONE;
	case WL_LAND_REDUCE:
		reduce(l, s->mem + l->addr, data);
		break;
	default:
		memcpy(s->mem + l->addr, data, l->bytes);
	}
	wl_smem_wrote(s, l->addr, l->bytes, false);
	return WL_FAULT_NONE;
}

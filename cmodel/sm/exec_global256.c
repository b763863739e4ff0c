// SPDX-License-Identifier: Apache-2.0
/* exec_global256.c -- accesses of global memory in the front end, also in lockstep: accesses of 32 bytes (two groups of
 * registers, a whole sector), and stores of uniform registers. `atom_unit` moves up to 128 bits a lane. */
#include "exec.h"
#include "spin.h"
#include "stop.h"

enum { WORDS = 8, HALF = 4 };

/* Faulted lanes: the lanes with the first kind of fault met count. */
struct lanes_at {
	uint8_t *p[WL_WARP_LANES]; /* NULL where the lane faults */
	enum wl_fault kind;
	uint32_t faulted;
	uint64_t addr;
};

static uint64_t address_of(const struct exec *x, unsigned lane)
{
	const struct wl_inst *in = x->in;
	uint64_t ra = in->ra == WL_RZ ? 0 : x->r[in->ra][lane];
	if (wl_global_ra_is_pair(in))
		ra |= (uint64_t)x->r[in->ra + 1][lane] << 32;
	return wl_global_address(in, ra, read_ur(x, in->ur) | (uint64_t)read_ur_hi(x, in->ur) << 32);
}

static void find(const struct exec *x, unsigned lane, struct lanes_at *to)
{
	const uint64_t at = address_of(x, lane);
	const bool aligned = at % x->in->size == 0;
	const enum wl_fault kind = aligned ? WL_FAULT_GLOBAL_OUT_OF_RANGE : WL_FAULT_MISALIGNED_ADDRESS;
	to->p[lane] = aligned ? wl_gmem_at(x->gpu->gmem, at, x->in->size) : NULL;
	if (to->p[lane])
		return;
	if (!to->faulted) {
		to->kind = kind;
		to->addr = at;
	}
	if (to->kind == kind)
		to->faulted |= 1u << lane;
}

/* Loads the words of `which`, of the four words at p, into consecutive registers from r on. */
static void load_half(struct exec *x, unsigned lane, unsigned r, unsigned which, const uint8_t *p)
{
	for (unsigned k = 0; k < HALF; k++) {
		if (!(which >> k & 1))
			continue;
		if (r < WL_RZ)
			memcpy(&x->r[r][lane], p + 4 * k, 4);
		r += r < WL_RZ;
	}
}

static void note_read(const struct exec *x, unsigned lane, const uint8_t *p)
{
	uint64_t v;
	for (unsigned k = 0; k < WORDS / 2; k++) {
		memcpy(&v, p + 8 * k, 8);
		spin_note_read(x, lane, address_of(x, lane) + 8 * k, v);
	}
}

static enum flow end(struct exec *x, const struct lanes_at *at)
{
	return at->faulted ? stop_fault(x, at->kind, at->faulted, true, at->addr) : FLOW_NEXT;
}

enum flow exec_LDG_256(struct exec *x)
{
	struct lanes_at at = {.faulted = 0};
	if (must_drain(x))
		return FLOW_HOLD;
	for (uint32_t m = x->mask; m;
	     m &= m - 1) /* all addresses first: a result may stand in the address's registers */
		find(x, lowest(m), &at);
	for (uint32_t m = x->mask; m; m &= m - 1) {
		const unsigned lane = lowest(m);
		const uint8_t *p = at.p[lane];
		if (!p)
			continue;
		if (x->gpu->watch)
			note_read(x, lane, p);
		load_half(x, lane, x->in->rd, x->in->lut & 15, p);
		load_half(x, lane, x->in->rc, x->in->lut >> 4, p + 4 * HALF);
	}
	return end(x, &at);
}

enum flow exec_STG_256(struct exec *x)
{
	struct lanes_at at = {.faulted = 0};
	if (must_drain(x))
		return FLOW_HOLD;
	for (uint32_t m = x->mask; m; m &= m - 1) {
		const unsigned lane = lowest(m);
		uint32_t w[WORDS] = {0};
		find(x, lane, &at);
		for (unsigned k = 0; k < HALF; k++) {
			w[k] = x->in->rb == WL_RZ ? 0 : x->r[x->in->rb + k][lane];
			w[HALF + k] = x->in->rc == WL_RZ ? 0 : x->r[x->in->rc + k][lane];
		}
		if (at.p[lane])
			write_memory(x, at.p[lane], w, sizeof w);
	}
	return end(x, &at);
}

enum flow exec_USTG(struct exec *x)
{
	const struct wl_inst *in = x->in;
	const uint64_t base = read_ur(x, in->ra) | (uint64_t)read_ur_hi(x, in->ra) << 32;
	const uint64_t at = base + (uint64_t)(int64_t)in->off;
	const uint32_t v[2] = {read_ur(x, in->rb), read_ur_hi(x, in->rb)};
	uint8_t *p = at % in->size ? NULL : wl_gmem_at(x->gpu->gmem, at, in->size);
	if (must_drain(x))
		return FLOW_HOLD;
	if (!p)
		return stop_fault(x, at % in->size ? WL_FAULT_MISALIGNED_ADDRESS : WL_FAULT_GLOBAL_OUT_OF_RANGE,
		                  x->mask, true, at);
	write_memory(x, p, v, in->size);
	return FLOW_NEXT;
}

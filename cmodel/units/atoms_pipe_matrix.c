// SPDX-License-Identifier: Apache-2.0
/* atoms_pipe_matrix.c -- LDSM and STSM: matrices of eight rows of 16 bytes. Lane 8m + r names row r of matrix m. The
 * row's eight numbers of 16 bits belong to four lanes, two numbers each; of a transposed matrix to eight lanes.
 * Source: docs/spec/shared-memory.md, "Matrices". */
#include "atoms_pipe_matrix.h"

#include <assert.h>
#include <string.h>

#include "atoms_pipe_inline.h"

enum { HALVES = MATRIX_ROW_BYTES / 2 };

/* Place of number `k` of a row: the lane, and the half of the lane's register. */
struct place_of_half {
	unsigned lane, half;
};

static struct place_of_half place_of(const struct wl_inst *in, unsigned row, unsigned k)
{
	if (in->type) /* transposed: the number's place in the row is the row */
		return (struct place_of_half){4 * k + row / 2, row % 2};
	return (struct place_of_half){4 * row + k / 2, k % 2};
}

static void put_half(uint32_t *word, unsigned half, uint16_t v)
{
	*word = (*word & ~(UINT32_C(0xffff) << 16 * half)) | (uint32_t)v << 16 * half;
}

static uint16_t half_of(uint32_t word, unsigned half)
{
	return (uint16_t)(word >> 16 * half);
}

/* ---- plan ---- */

void matrix_passes(const struct wl_smem *s, uint32_t base, uint32_t rows, struct wl_atoms_plan *plan)
{
	const enum wl_smem_share share = plan->stores ? WL_SMEM_COMBINES : WL_SMEM_LOADS;
	const uint32_t beat_mask = UINT32_MAX >> (WL_WARP_LANES - s->lanes);
	for (unsigned beat = 0; beat < WL_WARP_LANES / s->lanes; beat++) {
		const uint32_t lanes = plan->common.ok & beat_mask << beat * s->lanes;
		uint32_t idle = lanes & ~rows, left = lanes & rows;
		const unsigned first = plan->common.passes;
		do {
			const unsigned matrix = left ? (unsigned)__builtin_ctz(left) / MATRIX_ROWS : 0;
			const uint32_t some = left & UINT32_C(0xff) << matrix * MATRIX_ROWS;
			wl_smem_plan_beat(s, base, MATRIX_ROW_BYTES, share, plan->addr, some, idle, &plan->common);
			left &= ~some;
			idle = 0;
		} while (left);
		for (unsigned p = first; p < plan->common.passes; p++)
			plan->pass_beat[p] = (uint8_t)beat;
	}
}

/* ---- apply ---- */

/* A row, from the parts in the lanes. */
static struct wl_lane row_of(const struct wl_req *req, unsigned matrix, unsigned row)
{
	struct wl_lane v = {{0}};
	for (unsigned k = 0; k < HALVES; k++) {
		const struct place_of_half p = place_of(&req->inst, row, k);
		put_half(&v.w[k / 2], k % 2, half_of(req->rb[p.lane].w[matrix], p.half));
	}
	return v;
}

static void hand_out(const struct wl_req *req, uint32_t ok, unsigned matrix, unsigned row, const struct wl_lane *v,
                     struct wl_record *rec)
{
	for (unsigned k = 0; k < HALVES; k++) {
		const struct place_of_half p = place_of(&req->inst, row, k);
		if (ok >> p.lane & 1)
			put_half(&rec->result[p.lane].w[matrix], p.half, half_of(v->w[k / 2], k % 2));
	}
}

void matrix_apply(struct wl_smem *s, const struct wl_req *req, const struct wl_atoms_plan *plan, uint32_t lanes,
                  struct wl_record *rec)
{
	const bool loads = req->inst.uop == WL_UOP_LDSM;
	for (uint32_t left = lanes; left; left &= left - 1) {
		const unsigned lane = wl_lowest(left), matrix = lane / MATRIX_ROWS, row = lane % MATRIX_ROWS;
		const uint32_t at = s->window[req->tag.slot].base + plan->addr[lane];
		if (plan->spin_losers >> lane & 1) { /* names no row */
			rec->addr[lane] = 0;
			rec->old[lane] = rec->now[lane] = (struct wl_lane){{0}};
			continue;
		}
		rec->addr[lane] = at;
		memcpy(&rec->old[lane], s->mem + at, MATRIX_ROW_BYTES);
		rec->now[lane] = loads ? rec->old[lane] : row_of(req, matrix, row);
		memcpy(s->mem + at, &rec->now[lane], MATRIX_ROW_BYTES);
		if (loads && plan->writes)
			hand_out(req, plan->common.ok, matrix, row, &rec->now[lane], rec);
	}
}

/* ---- at once ---- */

static uint32_t *operand_row(uint32_t (*regs)[WL_WARP_LANES], unsigned first, unsigned matrix)
{
	return first + matrix < WL_RZ ? regs[first + matrix] : NULL;
}

static void load_row(const uint8_t *at, const struct wl_inst *in, uint32_t ok, unsigned row, uint32_t *to)
{
	for (unsigned k = 0; k < HALVES; k++) {
		const struct place_of_half p = place_of(in, row, k);
		uint16_t v = 0;
		if (at)
			memcpy(&v, at + 2 * k, 2);
		if (ok >> p.lane & 1)
			put_half(&to[p.lane], p.half, v);
	}
}

static void store_row(uint8_t *at, const struct wl_inst *in, unsigned row, const uint32_t *from)
{
	for (unsigned k = 0; k < HALVES; k++) {
		const struct place_of_half p = place_of(in, row, k);
		const uint16_t v = from ? half_of(from[p.lane], p.half) : 0;
		memcpy(at + 2 * k, &v, 2);
	}
}

/* All rows are read before a register is written: Rd may be the register of the addresses. */
static void move_rows(struct wl_smem *s, const struct wl_inst *in, uint32_t (*regs)[WL_WARP_LANES],
                      const struct wl_atoms_plan *plan, uint32_t base, uint32_t rows)
{
	for (unsigned lane = 0; lane < MATRIX_ROWS * matrix_count(in); lane++) {
		const unsigned matrix = lane / MATRIX_ROWS, row = lane % MATRIX_ROWS;
		const uint32_t at = base + plan->addr[lane];
		const bool there = plan->common.ok & rows & UINT32_C(1) << lane;
		if (in->uop == WL_UOP_STSM) {
			if (!there)
				continue;
			store_row(s->mem + at, in, row, operand_row(regs, in->rb, matrix));
			wl_smem_wrote(s, at, MATRIX_ROW_BYTES, true);
		} else if (in->rd != WL_RZ && operand_row(regs, in->rd, matrix)) {
			load_row(there ? s->mem + at : NULL, in, plan->common.ok, row, regs[in->rd + matrix]);
		}
	}
}

uint32_t matrix_exec(struct wl_smem *s, unsigned slot, const struct wl_inst *in, uint32_t (*regs)[WL_WARP_LANES],
                     uint32_t mask, uint32_t ur, uint8_t fault[WL_WARP_LANES], unsigned *passes)
{
	struct wl_req req = {.tag = {.slot = (uint8_t)slot}, .inst = *in, .mask = mask, .ur = ur};
	struct wl_atoms_plan plan;
	for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)
		req.ra[lane] = in->ra == WL_RZ ? 0 : regs[in->ra][lane];
	wl_atoms_plan(s, &req, &plan);
	move_rows(s, in, regs, &plan, s->window[slot].base, wl_atoms_rows(in));
	for (uint32_t left = plan.common.faulted; left; left &= left - 1)
		fault[wl_lowest(left)] = plan.common.fault[wl_lowest(left)];
	if (passes)
		*passes = plan.common.passes;
	return plan.common.faulted;
}

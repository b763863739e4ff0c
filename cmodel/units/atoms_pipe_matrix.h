// SPDX-License-Identifier: Apache-2.0
/* atoms_pipe_matrix.h -- private: LDSM and STSM. The lanes of a warp name rows of matrices and hold parts of matrices.
 * Source: docs/spec/shared-memory.md, "Matrices". */
#ifndef WARPLOCK_ATOMS_PIPE_MATRIX_H
#define WARPLOCK_ATOMS_PIPE_MATRIX_H

#include "warplock/atoms_pipe.h"

enum { MATRIX_ROWS = 8, MATRIX_ROW_BYTES = 16 };

/* The matrices of the instruction: 1, 2 or 4. */
static inline unsigned matrix_count(const struct wl_inst *in)
{
	return (unsigned)__builtin_popcount(in->lut & 15u);
}

/* Passes of the lanes in plan->common.ok: in each beat, matrix after matrix. */
void matrix_passes(const struct wl_smem *s, uint32_t base, uint32_t rows, struct wl_atoms_plan *plan);
/* Lanes take effect: rows are read or written. */
void matrix_apply(struct wl_smem *s, const struct wl_req *req, const struct wl_atoms_plan *plan, uint32_t lanes,
                  struct wl_record *rec);
/* The whole instruction on the registers of the warp, as wl_atoms_exec does. */
uint32_t matrix_exec(struct wl_smem *s, unsigned slot, const struct wl_inst *in, uint32_t (*regs)[WL_WARP_LANES],
                     uint32_t mask, uint32_t ur, uint8_t fault[WL_WARP_LANES], unsigned *passes);

#endif

// SPDX-License-Identifier: Apache-2.0
/* prepare.h -- private: instructions to struct op, once per launch. */
#ifndef WARPLOCK_SM_PREPARE_H
#define WARPLOCK_SM_PREPARE_H

#include "gpu.h"

bool prepare_own_signs(const struct wl_inst *in); /* the instruction's own function applies the signs of the sources */
void prepare_ops(struct wl_gpu *gpu);             /* constant bank 0 must be complete */
uint32_t prepare_reg_rows(const struct wl_program *p);
uint64_t prepare_shared_rows(const struct wl_program *p);

#endif

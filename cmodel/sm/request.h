// SPDX-License-Identifier: Apache-2.0
/* request.h -- private: an instruction of a unit as a request, and the record back into registers. */
#ifndef WARPLOCK_SM_REQUEST_H
#define WARPLOCK_SM_REQUEST_H

#include "exec_state.h"

bool request_has_address(const struct wl_inst *in);                          /* of memory, told in the record */
void request_build(const struct exec *x, uint32_t mask, struct wl_req *req); /* of x's fetched instruction */
void request_write_back(struct wl_gpu *gpu, const struct wl_record *rec, struct warp *w, uint32_t *uni);

#endif

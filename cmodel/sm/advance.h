// SPDX-License-Identifier: Apache-2.0
/* advance.h -- private: does a warp get on by itself, or do all running lanes poll? */
#ifndef WARPLOCK_SM_ADVANCE_H
#define WARPLOCK_SM_ADVANCE_H

#include "exec_state.h"

void advance_begin(struct warp *w);
void advance_split(struct warp *w, unsigned to, unsigned from); /* files of uniform registers of two groups */
void advance_note(const struct exec *x, uint32_t lanes);        /* after an instruction executed in C */
void advance_note_request(struct wl_gpu *gpu, struct warp *w, const struct wl_req *req); /* at the ACCEPT */
/* Has nothing new happened for so many changes of group, and have all of these lanes read memory meanwhile? */
bool advance_none(const struct warp *w, uint32_t lanes, uint32_t changes);

#endif

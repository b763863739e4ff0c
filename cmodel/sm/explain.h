// SPDX-License-Identifier: Apache-2.0
/* explain.h -- private: places and addresses in words. */
#ifndef WARPLOCK_SM_EXPLAIN_H
#define WARPLOCK_SM_EXPLAIN_H

#include "gpu.h"

/* "pc 0x120 `BAR.SYNC 0x0` (hist.ptx, line 31)" */
void explain_place(const struct wl_program *p, uint32_t pc, char *buf, size_t n);
/* " [lock (lock.h, line 3) inlined at hist.cu, line 31]"; "" if the code was not inlined */
void explain_calls(const struct wl_program *p, uint32_t pc, char *buf, size_t n);
/* "shared address 0x408", with the variable at the address: "full+8 (shared address 0x408)" */
void explain_shared(const struct wl_gpu *g, uint32_t addr, char *buf, size_t n);
/* Role of the other place of a misuse: "the copy:" */
const char *explain_role(const struct wl_gpu *g, const struct wl_misuse_found *f);

#endif

// SPDX-License-Identifier: Apache-2.0
/* stop.h -- private: ends of a run: faults, errors, deadlocks. */
#ifndef WARPLOCK_SM_STOP_H
#define WARPLOCK_SM_STOP_H

#include "exec_state.h"

/* ends the run */
enum flow stop_fault(struct exec *x, enum wl_fault fault, uint32_t lanes, bool has_addr, uint64_t addr);
void stop_at(struct wl_gpu *gpu, unsigned sm, unsigned warp, uint32_t pc, uint32_t lanes, enum wl_fault fault,
             bool has_addr, uint64_t addr);
enum flow stop_error(struct exec *x, const char *text);
/* Of a unit's instruction: several lanes may have faulted, each in another way. The lowest lane's fault is reported,
 * with the address if the instruction has an address. ra, ur: address operands. */
void stop_lanes_fault(struct wl_gpu *gpu, unsigned sm, unsigned warp, uint32_t pc, uint32_t lanes, const uint8_t *fault,
                      const uint64_t *ra, uint64_t ur);
/* Of a landing, long after the copy's instruction. addr: in the CTA's shared memory. */
void stop_landing(struct wl_gpu *gpu, unsigned sm, unsigned warp, uint32_t pc, uint32_t lanes, enum wl_fault fault,
                  uint32_t addr);
void stop_deadlock(struct wl_gpu *gpu);
void stop_spinning(struct wl_gpu *gpu, enum spin_verdict verdict);

#endif

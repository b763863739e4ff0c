// SPDX-License-Identifier: Apache-2.0
/* constants.h -- private: values of a launch in constant bank 0. */
#ifndef WARPLOCK_SM_CONSTANTS_H
#define WARPLOCK_SM_CONSTANTS_H

#include "gpu.h"

uint32_t constants_bytes(const struct wl_program *p); /* of bank 0 */
/* Offsets in words have 16 bits. Texts show offsets with a sign: ptxas writes 0x9a68 as -0x6598. */
static inline int64_t constants_offset(uint32_t at)
{
	return (int32_t)at < 0 ? (int64_t)(int32_t)at + 0x10000 : (int64_t)at;
}
void constants_fill(struct wl_gpu *gpu, const struct wl_launch *launch);

#endif

/* SPDX-License-Identifier: Apache-2.0
 * barrier_request.h -- a request of barrier_file, for benches and generators. */
#ifndef BARRIER_REQUEST_H
#define BARRIER_REQUEST_H

#include <stdint.h>

enum { BAR_BARRIERS = 16, BAR_WARPS = 48 };

/* Numbers of rtl/barrier_file/barrier_file.sv. */
enum bar_kind { BAR_SYNC, BAR_ARV, BAR_POPC, BAR_AND, BAR_OR, BAR_RESULT, BAR_EXIT };
enum bar_form { BAR_ID_IN_RA = 2, BAR_COUNT_IN_RB = 1, BAR_PACKED = 3 };

struct bar_request {
	uint8_t kind, form, slot, warp, id;
	uint16_t count; /* threads in the word */
	uint32_t ra, rb, mask, pred;
};

#endif

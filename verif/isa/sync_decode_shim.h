// SPDX-License-Identifier: Apache-2.0
/* sync_decode_shim.h -- outputs of rtl/sync_decode.sv for one word. */
#ifndef SYNC_DECODE_SHIM_H
#define SYNC_DECODE_SHIM_H

#include <stdint.h>

struct sync_decoded {
	uint32_t known, kind, spin, op, is_signed, size, scale, ra_used, ur_used, rd_used, offset, illegal;
};

#ifdef __cplusplus
extern "C"
#endif
        void
        sync_decode_eval(uint64_t lo, uint64_t hi, struct sync_decoded *out);

#endif

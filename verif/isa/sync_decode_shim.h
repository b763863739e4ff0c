// SPDX-License-Identifier: Apache-2.0
/* sync_decode_shim.h -- outputs of rtl/gen/sync_decode.sv for a word of an architecture (75, 80, 90, 100, 120). */
#ifndef SYNC_DECODE_SHIM_H
#define SYNC_DECODE_SHIM_H

#include <stdint.h>

enum { SYNC_OP_POPC_INC = 9 }; /* op_o of ATOMS.POPC.INC, after the values of enum wl_atom_op */

struct sync_decoded {
	uint32_t known; /* a request of atoms_pipe */
	uint32_t kind, spin, op, is_signed, size, scale, ra_used, rb_used, rc_used, ur_used, rd_used, offset, negative;
	uint32_t packed, posted, waits, illegal;
	uint32_t ends, header; /* EXIT; header-only */
	uint32_t pd_used;
	uint32_t type;     /* of ATOMSN: enum wl_atom_type; of LDSM, STSM: 1 transposed */
	uint32_t matrices; /* of LDSM, STSM: a set bit for each */
};

#ifdef __cplusplus
extern "C"
#endif
        void
        sync_decode_eval(uint8_t arch, uint64_t lo, uint64_t hi, struct sync_decoded *out);

#endif

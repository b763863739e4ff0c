// SPDX-License-Identifier: Apache-2.0
/* vector.h -- elements of a vector in a row of registers, as in memory. */
#ifndef WLCC_LOWER_VECTOR_H
#define WLCC_LOWER_VECTOR_H

#include "select.h"

/* n elements of `bytes` each, in a row of registers of as many bytes. */
ref vector_pack(struct select *s, const struct ptx_operand *list, unsigned n, unsigned bytes);
/* Element k; of less than 4 bytes: extended to a register. */
ref vector_element(struct select *s, ref v, unsigned k, unsigned bytes, bool sign);

#endif

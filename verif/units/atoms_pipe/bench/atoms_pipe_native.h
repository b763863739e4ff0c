/* SPDX-License-Identifier: Apache-2.0
 * atoms_pipe_native.h -- native operations on shared memory, for the bench of atoms_pipe. */
#ifndef ATOMS_NATIVE_H
#define ATOMS_NATIVE_H

#include "../../sync_core/bench/core_bench.h"

/* Makes a random native operation of a request; all other fields must be 0. */
void native_form(struct bench *b, struct ref_req *r);
/* Operands chosen for the values at the request's addresses: cancellation, ties, numbers at the edges of the format. */
void native_operands(struct bench *b, const struct ref_smem *s, struct ref_req *r);
/* Cycles from the first COMMIT to the last: of each operation with all lanes on the same word, and of float sums on all
 * banks. Prints the cycles. The model must have native operations and the trace. */
void native_times(struct bench *b, struct ref_smem *s);
/* Sums in a row while the host reads at every chance: neither side takes the other's cycle at the banks. */
void native_host(struct bench *b, struct ref_smem *s);

#endif

/* SPDX-License-Identifier: Apache-2.0
 * atoms_pipe_native.h -- native operations on shared memory, for the bench of atoms_pipe. */
#ifndef ATOMS_NATIVE_H
#define ATOMS_NATIVE_H

#include "../../sync_core/bench/core_bench.h"

/* Makes a random one of a request whose other fields are 0. */
void native_form(struct bench *b, struct ref_req *r);
/* Operands that matter to what stands at the addresses of the request: cancellation, ties, numbers at the edges
 * of the format. */
void native_operands(struct bench *b, const struct ref_smem *s, struct ref_req *r);
/* Cycles from the first COMMIT to the last of each operation, by all lanes on one word, and of float sums on all banks;
 * prints them. The model must be built with native operations and trace. */
void native_times(struct bench *b, struct ref_smem *s);
/* Sums behind each other while the host reads whatever it gets: neither takes the other's cycle at the banks. */
void native_host(struct bench *b, struct ref_smem *s);

#endif

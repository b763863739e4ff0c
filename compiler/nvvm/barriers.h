/* SPDX-License-Identifier: Apache-2.0 */
/* barriers.h -- is inline assembly, is an intrinsic a barrier? No LLVM in here. */
#ifndef NV_BARRIERS_H
#define NV_BARRIERS_H

#include <stdbool.h>

/* Barrier 0 of the CTA in inline assembly. */
struct nv_barrier {
	unsigned whole; /* statements that wait for all threads of the CTA in barrier 0 */
	bool result;    /* a statement of `whole` has a result */
	bool more;      /* statements with another effect, such as a barrier of another number */
	bool doubt; /* some threads may wait in barrier 0 or leave: the statement has a guard, a count, or a register */
};

struct nv_barrier nv_barrier_of(const char *text);
/* The barrier waits for all threads and does nothing else. */
bool nv_barrier_is_plain(const struct nv_barrier *b);

struct nv_barrier_row {
	const char *name, *sig, *text;
};

/* NULL: the name is no barrier of the CTA. */
const struct nv_barrier_row *nv_barrier_row(const char *name);

#endif

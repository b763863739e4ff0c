/* SPDX-License-Identifier: Apache-2.0 */
/* barriers.h -- which inline assembly and which intrinsic is a barrier. No LLVM in here. */
#ifndef NV_BARRIERS_H
#define NV_BARRIERS_H

#include <stdbool.h>

/* What inline assembly says about barrier 0 of the CTA. */
struct nv_barrier {
	unsigned whole; /* statements that wait for all threads of the CTA in barrier 0 */
	bool result;    /* one of these gives a result */
	bool more;      /* statements with another effect, such as barriers with another number */
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

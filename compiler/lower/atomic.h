// SPDX-License-Identifier: Apache-2.0
/* atomic.h -- an atomic operation on its way from PTX to instructions; rules: atomic.def. */
#ifndef WLCC_LOWER_ATOMIC_H
#define WLCC_LOWER_ATOMIC_H

#include "address.h"
#include "select.h"

enum { ATOMIC_CAS = WL_ATOM_EXCH + 1 };
enum atomic_type {
	TYPE_INT32,
	TYPE_INT64,
	TYPE_F32,
	TYPE_F64,
	TYPE_F16X2,
	TYPE_BF16X2,
	TYPE_HALF,
	TYPE_F16,
	TYPE_BF16,
	TYPE_INT128,
	TYPE_F32_VECTOR,
	TYPE_F16_VECTOR,
	TYPE_BF16_VECTOR
};
enum atomic_shell { SHELL_NATIVE, SHELL_SPIN, SHELL_HALFWORD, SHELL_TRY, SHELL_TRY_FAR, SHELL_TRY_PLAIN, SHELL_NONE };
enum atomic_space { ATOMIC_SHARED, ATOMIC_GLOBAL, ATOMIC_GENERIC };

struct atomic {
	unsigned op; /* enum wl_atom_op, ATOMIC_CAS */
	enum atomic_type type;
	unsigned bits;
	bool sign;
	unsigned member; /* enum wl_atom_type */
	bool acquires;   /* the value read counts, wanted or not */
	enum atomic_space space;
	struct address at;
	ref d; /* REF_NONE: the old value is not wanted */
	struct val b, c;
	enum atomic_shell shell, shared_shell;
	bool beyond; /* in shared memory: ATOMSN of type shared_member */
	unsigned shared_member;
	bool same_address, same_value; /* in all lanes at the instruction together */
	bool one;                      /* ATOMS.POPC.INC: the value is 1 */
	bool fenced;                   /* the fences of the order stand beside the access, not around the whole */
};

/* enum wl_atom_op or ATOMIC_CAS of a modifier (PTX_M_); -1: the modifier is no operation. */
int atomic_operation(unsigned mod);
void atomic_emit(struct select *s, const struct atomic *a);
/* aggregate.c: one access for all lanes at the instruction. False: each lane has to make its own access. */
bool atomic_aggregate(struct select *s, const struct atomic *a);
/* LOP3's table of and, or, xor. */
uint8_t atomic_lut(unsigned op);

#endif

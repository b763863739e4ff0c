// SPDX-License-Identifier: Apache-2.0
/* atomic.h -- an atomic operation on its way from PTX to instructions; rules: atomic.def. */
#ifndef WLCC_LOWER_ATOMIC_H
#define WLCC_LOWER_ATOMIC_H

#include "address.h"
#include "select.h"

enum { AtomicCas = WL_ATOM_EXCH + 1 };
enum atomic_type { TypeInt32, TypeInt64, TypeF32, TypeF64, TypeF16x2, TypeBf16x2, TypeHalf, TypeF16, TypeBf16 };
enum atomic_shell { ShellNative, ShellSpin, ShellHalfword, ShellTry, ShellTryPlain };
enum atomic_space { AtomicShared, AtomicGlobal, AtomicGeneric };

struct atomic {
	unsigned op; /* enum wl_atom_op, AtomicCas */
	enum atomic_type type;
	unsigned bits;
	bool sign;
	unsigned member; /* enum wl_atom_type */
	bool acquires;   /* so what it reads counts, wanted or not */
	enum atomic_space space;
	struct address at;
	ref d; /* REF_NONE: the old value is not wanted */
	struct val b, c;
	enum atomic_shell shell, shared_shell;
};

void atomic_emit(struct select *s, const struct atomic *a);

#endif

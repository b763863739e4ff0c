/* SPDX-License-Identifier: Apache-2.0 */
/* tables.h -- the builtin tables as data: the meaning of each name, not the lowering. No LLVM in here.
 *
 * resolve.c turns a name into a struct nv_builtin. Rules for a whole family (text of an operation, sizes, orders,
 * scopes) live in asmtext.c and check.c. So a row holds only its own particulars. */
#ifndef NV_TABLES_H
#define NV_TABLES_H

#include <stdbool.h>
#include <stddef.h>

/* Differences between the measured compiler of CUDA 13.0 and the documented description, a flag each.
 * --builtins=cicc13 follows the measurement, --builtins=documented the description. differences.def has the text of
 * each. */
enum nv_diff {
#define NV_DIFF(name, bit, finding, documented) NV_D_##name = 1u << (bit),
#include "differences.def"
#undef NV_DIFF
	NV_D_NONE = 0
};

enum nv_op {
	NV_ADD,
	NV_SUB,
	NV_AND,
	NV_OR,
	NV_XOR,
	NV_MAX,
	NV_MIN,
	NV_INC,
	NV_DEC,
	NV_EXCH,
	NV_CAS,
	NV_LOAD,
	NV_STORE,
	NV_FENCE
};

/* Scopes, in the numbers of the builtins. */
enum nv_scope { NV_THREAD, NV_BLOCK, NV_CLUSTER, NV_DEVICE, NV_SYSTEM };
/* Orders, in the numbers of the builtins. */
enum nv_order { NV_RELAXED, NV_CONSUME, NV_ACQUIRE, NV_RELEASE, NV_ACQ_REL, NV_SEQ_CST };

/* Classes of operand types: lost in LLVM IR, but needed by the front end's rules. */
enum nv_class { NV_C_BOOL, NV_C_INT, NV_C_ENUM, NV_C_SCOPED, NV_C_FLOAT, NV_C_HALF, NV_C_PTR, NV_C_OBJ };

struct nv_type {
	const char *tag; /* as written behind the dot of an overloaded name, or a suffix */
	enum nv_class cls;
	unsigned bytes, align;
	bool is_signed;
};

enum nv_family {
	NV_F_ATOMIC,   /* __nv_atomic_*: order and scope are arguments */
	NV_F_LEGACY,   /* __nvvm_atom_*, __xAtomicOp, atomicOp: scope in the name, no order */
	NV_F_VECTOR,   /* two or four floats, by address or by value */
	NV_F_WIDE,     /* 128 bits, operands by address */
	NV_F_HALF,     /* half and bfloat16 addition */
	NV_F_SYNC,     /* barriers, fences, votes, queries: one text template */
	NV_F_SHFL,     /* shuffles of any type */
	NV_F_MATCH,    /* match of any type */
	NV_F_REDUCE,   /* redux, in hardware or in software */
	NV_F_QUERY3,   /* three registers to three addresses */
	NV_F_ISSHARED, /* isspacep, folded where the space is known */
	NV_F_CPASYNC   /* cp.async */
};

/* Operands of the C++11 family. */
enum nv_form {
	NV_GENERIC, /* values by address: load, store, exchange, compare_exchange */
	NV_N,       /* values by value, integers only: the _n names, and fetch_op */
	NV_SUFFIX   /* width and type in the name; skips the front end's checks */
};

/* A row of atomics.def or sync.def: a builtin with an ID, or a header name over a builtin. */
struct nv_row {
	int id; /* 0: no ID */
	const char *name;
	enum nv_family family;
	enum nv_op op;
	const char *type; /* tag in types.def, or "" */
	enum nv_scope scope;
	int machine;  /* NVPTX MachineInstr opcode number, 0: none listed */
	int kind_key; /* front-end kind key, 0: none listed */
	int min_sm;   /* on smaller SMs the name does not exist */
	unsigned diffs;
	const char *sig;        /* sync: result and arguments, see sync.def */
	const char *text;       /* sync: the PTX text */
	const char *documented; /* sync: the same for --builtins=documented, NULL: no difference */
};

/* The builtin behind a name, with everything added by tag or suffix. */
struct nv_builtin {
	const struct nv_row *row;
	enum nv_family family;
	enum nv_op op;
	enum nv_form form;
	bool fetches; /* returns the old value */
	bool by_kind; /* C spelling: (kind, size, pointers..., order, scope) */
	enum nv_scope scope;
	struct nv_type type;
};

enum nv_found { NV_NOT_OURS, NV_FOUND, NV_UNDEFINED };

/* Resolves an LLVM symbol. NV_UNDEFINED: a name in the style of builtins, but not defined for this SM or type. */
enum nv_found nv_resolve(const char *symbol, unsigned sm, bool documented, struct nv_builtin *out);

const struct nv_type *nv_type_find(const char *tag);
const struct nv_type *nv_type_at(size_t i);
size_t nv_type_count(void);
const struct nv_row *nv_rows(size_t *n);
const char *nv_op_name(enum nv_op op);

/* __nv_atomic_fetch_{op}_{width}{_type} from an operation and an operand type; false: no name exists. */
bool nv_mangle(const char *base, const struct nv_type *type, char *out, size_t outn);
/* The suffixed row of a generic name for a type. NULL: no row (objects of other sizes, fetch operations on other
 * widths). */
const struct nv_row *nv_renamed(const struct nv_builtin *b, const struct nv_type *type);

#endif

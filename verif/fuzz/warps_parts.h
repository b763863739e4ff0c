// SPDX-License-Identifier: Apache-2.0
/* warps_parts.h -- private: the parts of a program, for the files that make, print and run programs. */
#ifndef VERIF_FUZZ_WARPS_PARTS_H
#define VERIF_FUZZ_WARPS_PARTS_H

#include <string.h>

#include "../common/rng.h"
#include "float_rows.h"
#include "warps_program.h"

enum kind {
	Assign,
	Call,
	Vague,
	If,
	Loop,
	Load,
	Store,
	Own,
	Common,
	Shuffle,
	Vote,
	Match,
	Redux,
	Exchange,
	KIND_COUNT
};
enum { MOST_STATEMENTS = 400, DEEPEST = 3, FUNCTIONS = 3, VAGUE_WAYS = 4 };

struct expr {
	const struct row *row; /* NULL: variable or literal */
	bool is_float, literal;
	char type; /* w d h p */
	uint64_t value;
	unsigned var;
	struct expr *arg[4];
};

struct stmt {
	enum kind kind;
	unsigned number;
	bool on;
	struct stmt *next, *body, *other;
	bool gathers; /* an If or Loop that keeps the mask of the lanes inside */
	int guard;    /* predicate variable of an Assign, -1 = none */
	bool negated;
	char type;
	unsigned var; /* variable written */
	struct expr *a, *b, *c;
	unsigned op, space, bytes, offset, amount;
	bool wide_sign, generic;
};

/* f(n, a, b, c): function_variable makes the variables from a, b and c. The result is `yes` or `no`, chosen by p; then
 * the function calls itself n times and adds the results. */
struct function {
	char type; /* of the result: w or d */
	struct expr *p, *yes, *no;
};

struct program {
	struct function function[FUNCTIONS];
	struct rng rng;
	struct stmt *body, *by_number[MOST_STATEMENTS];
	unsigned count, npieces;
	bool sm80;
	enum deviation reworded;
	void *pieces[1 << 15];
};

static inline char plain(char kind)
{
	return kind == 'p' ? 'p' : kind_bits(kind) == 64 ? 'd' : kind_bits(kind) == 16 ? 'h' : 'w';
}

static inline unsigned variables(char type)
{
	return type == 'w' ? NUM_W : type == 'd' ? NUM_D : type == 'h' ? NUM_H : NUM_P;
}

/* Variable i of a function, computed by the function's PTX at the entry. d1 goes through an array in local memory. */
static inline uint64_t function_variable(char type, unsigned i, uint32_t a, uint32_t b, uint64_t c)
{
	switch (type) {
	case 'w':
		return (uint32_t)((i & 1 ? b : a) + i);
	case 'd':
		return i == 1 ? ((a ^ b) & 3 ? 0 : c) : c + i;
	case 'h':
		return (a >> i) & 0xffff;
	default:
		return b >> i & 1;
	}
}

static inline bool row_is(const struct row *r, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(r->text, *names))
			return true;
	return false;
}

/* Does the deviation concern the expression? Rewording changes the result for LEAST and CNOT, the field's position for
 * FIELD, else the operands. */
static inline bool expr_is_about(const struct expr *e, enum deviation d)
{
	static const char *const least[] = {"abs.s16", "abs.s32", "neg.s16", NULL},
	                         *const sums[] = {"add.sat.s32", "sub.sat.s32", NULL},
	                         *const fields[] = {"bfe.s32", NULL}, *const zeros[] = {"cnot.b32", NULL},
	                         *const shifts[] = {"shl.b16", "shr.u16", "shr.s16", NULL};
	const char *from = strrchr(e->row->text, '.');
	switch (d) {
	case DEVIATION_LEAST:
		return !e->is_float && row_is(e->row, least);
	case DEVIATION_SUMS:
		return !e->is_float && row_is(e->row, sums);
	case DEVIATION_CNOT:
		return !e->is_float && row_is(e->row, zeros);
	case DEVIATION_SHIFT:
		return !e->is_float && row_is(e->row, shifts);
	case DEVIATION_FIELD:
		return !e->is_float && row_is(e->row, fields);
	case DEVIATION_BITS:
		return e->is_float && !strncmp(e->row->text, "cvt.", 4) &&
		       (!strcmp(from, ".f32") || !strcmp(from, ".f64"));
	default:
		return false;
	}
}

/* Types of variables in the order of inputs and outputs. */
#define TYPES "dwhp"

struct op {
	const char *op, *type;
};
extern const struct op own_ops[], common_ops[], reduxes[];

#endif

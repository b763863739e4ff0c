// SPDX-License-Identifier: Apache-2.0
/* warps_parts.h -- private: what a program consists of, for the files that make, print and run it. */
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
	bool gathers; /* an If or Loop that keeps the mask of the lanes in it */
	int guard;    /* predicate variable of an Assign, -1 = none */
	bool negated;
	char type;
	unsigned var; /* that is written */
	struct expr *a, *b, *c;
	unsigned op, space, bytes, offset, amount;
	bool wide_sign, generic;
};

/* f(n, a, b, c): its variables are made of a, b and c (function_variable); the result is yes or no, as p says; then, n
 * times, more is added by a call of itself. */
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

/* Variable i of a function: what its PTX computes at the entry. d1 goes through an array in local memory. */
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

/* The row is one that the deviation is about; for bits its operand is what is reworded, else its result. */
static inline bool row_meets(const struct row *r, bool is_float, enum deviation d)
{
	if (d == DEVIATION_ABS16)
		return !is_float && !strcmp(r->text, "abs.s16");
	if (d != DEVIATION_BITS || !is_float || strncmp(r->text, "cvt.", 4))
		return false;
	const char *from = strrchr(r->text, '.');
	return !strcmp(from, ".f32") || !strcmp(from, ".f64");
}

/* Variables in the order in which they come in and go out. */
#define TYPES "dwhp"

struct op {
	const char *op, *type;
};
extern const struct op own_ops[], common_ops[], reduxes[];

#endif

// SPDX-License-Identifier: Apache-2.0
/* warps_parts.h -- private: what a program consists of, for the files that make, print and run it. */
#ifndef VERIF_FUZZ_WARPS_PARTS_H
#define VERIF_FUZZ_WARPS_PARTS_H

#include "../common/rng.h"
#include "float_rows.h"
#include "warps_program.h"

enum kind { Assign, If, Loop, Load, Store, Own, Common, Shuffle, Vote, Match, Redux, Exchange, KIND_COUNT };
enum { MOST_STATEMENTS = 400, DEEPEST = 3 };

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
	struct expr *a, *b;
	unsigned op, space, bytes, offset, amount;
	bool wide_sign, generic;
};

struct program {
	struct rng rng;
	struct stmt *body, *by_number[MOST_STATEMENTS];
	unsigned count, npieces;
	bool sm80;
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

/* Variables in the order in which they come in and go out. */
#define TYPES "dwhp"

struct op {
	const char *op, *type;
};
extern const struct op own_ops[], common_ops[], reduxes[];

#endif

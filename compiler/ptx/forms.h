// SPDX-License-Identifier: Apache-2.0
/* forms.h -- the instruction forms of PTX: tables (forms_*.def), and the tables made ready for checking.
 *
 * FORM(op, bag, types, operands, version, target): a shape that an instruction may have.
 *   bag       words that may follow the name in any order. `a|b` one of them is required, `a|b?` one of them may be
 *             there. Words are modifiers and state spaces, without the dot.
 *   types     one set for each type, in order: `f32|f64 u32`. A set may be one of the macros of forms_types.h.
 *   operands  in order:  d destination register, s source (register or constant), r source register, i constant,
 *             v source that may be an address or special register too, m address in brackets, x [a, b], l label, c list of call.
 *             After it what type it has: a digit (0: the first type of the instruction, the default), w (the first type
 *             at twice the width), p (predicate), h (half the width), or `:type`. Then flags: _ may be a sink, * a
 * vector as the bag says, > a register may be wider than the type, | may be `d|p`, & the same where p may not be a
 * sink, ? may be missing (at the end only), ! p only: may not be negated. version   least .version, 10 * major + minor;
 * target: least .target number
 *
 * RULE(op, when, text): when the condition holds the instruction is refused with this text.
 * GATE(op, when, text, version, target): when it holds, .version and .target must be at least these. `text` is the
 *             start of the message: "Feature 'x'", "Instruction 'x'", "Modifier '.x'".
 * JUDGED(op, when): where the condition holds the instruction is judged, and refused when code is made of it.
 * A condition is a list of terms that must all hold; `!` turns one round. Terms: a word of the bag or `a|b` (any of
 * them), `type=a|b` (first type; type1= the second), `op=a|b` (operation), `space=a|b` (first space, `generic` for
 * none), `args=2|3` (number of operands), `arg1=imm|float|reg|pred|real|sink|vec|addr|base|sym|pair|both` (what
 * operand 1 is; pred, real: a register of such a type; both: a pair without a sink), `val2=0..15|32` (constant operand 2 is one of these), `oct2=3..32` (an
 * eighth of it is), `mul2=32` (it is a multiple of that), `pos2` (it is above 0), `is2=128` (it is that), `log2=0..23`
 * (it is 2 to one of these: log and the operand's number; of its low 32 bits), `top2=64` (these are at most that),
 * `size2=64` (all of its 64 bits are), `frac2` (constant operand 2 rounded to f32 is above 0 and at most 1),
 * `lowval2=` and `lowis2=` (the same of its low 32 bits), `up2` (the low 32 bits of constant operand 2 are at most
 * those of constant operand 3), `twice=W` (word W stands more than once), `version=64`, `target=70` and `toolkit=131`
 * (at least), `chip=100|103` (exactly), `suffix=a|f` (the letter after the chip),
 * `has=order|scope|space|op|vec|type|cmp|round|cache|mode` (some word of that kind), `types=0|1`, `spaces=0|2`.
 * In texts %i is the instruction, %t its first type, %s its first space, %S the same after a dot or `generic` in words,
 * %o its order, %c its scope, %p its operation, %v its vector word, %k its cache operator, %n the number of operands,
 * %T the target, %m the word that made the first term true, %e what follows `::` in it, %0 to %9 the value of that
 * constant operand, %u0 the same without a sign, %w0 its low 32 bits with a sign, %l0 without, %f0 a constant of
 * floating point rounded to f32. Rows of the operation `none` hold for every instruction. */
#ifndef WLCC_PTX_FORMS_H
#define WLCC_PTX_FORMS_H

#include <stdint.h>
#include "ast.h"

/* A set of qualifiers other than types: modifiers are bits 0..255, state spaces 256 and up. */
enum { PTX_SET_WORDS = 5, PTX_SET_SPACES = 256 };
struct ptx_set {
	uint64_t w[PTX_SET_WORDS];
};

/* ---- the tables as written -------------------------------------------------------------------------------- */

struct ptx_form_row {
	uint16_t op;
	uint8_t version, target;
	const char *bag, *types, *operands;
	const char *family;
};
struct ptx_rule_row {
	uint16_t op;
	uint8_t version, target; /* of a gate; both 0 for a rule */
	bool judged;             /* a row of JUDGED: no error unless code is made */
	const char *when, *text;
};
extern const struct ptx_form_row ptx_form_rows[];
extern const unsigned ptx_form_count;
extern const struct ptx_rule_row ptx_rule_rows[];
extern const unsigned ptx_rule_count;

/* ---- the tables made ready -------------------------------------------------------------------------------- */

struct ptx_group {
	struct ptx_set words;
	bool optional;
};

enum ptx_role { ROLE_DEST, ROLE_SOURCE, ROLE_REG, ROLE_IMM, ROLE_VALUE, ROLE_MEM, ROLE_LABEL, ROLE_CALL, ROLE_PARTS };
enum {
	ARG_SINK = 1,
	ARG_VECTOR = 2,
	ARG_WIDER = 4,
	ARG_PAIR = 8,
	ARG_OPTIONAL = 16,
	ARG_NO_NOT = 32,
	ARG_PAIR_REG = 64,
	ARG_PAIR_SINK = 128
};
enum { TYPE_FIXED = 8, TYPE_WIDE = 9, TYPE_HALF = 10 }; /* of ptx_arg.from; below: index of the instruction's type */

struct ptx_arg {
	uint8_t role, from, flags;
	uint8_t type; /* of TYPE_FIXED */
};

enum { MAX_GROUPS = 13, MAX_ARGS = 10 };

struct ptx_form {
	uint32_t row;
	uint8_t version, target;
	uint8_t ntypes, nargs, min_args, ngroups;
	uint64_t types[4]; /* bit n: enum ptx_type n */
	const struct ptx_group *group;
	struct ptx_arg arg[MAX_ARGS];
	struct ptx_set allowed;
};

enum ptx_term_kind {
	TERM_WORD,
	TERM_TYPE,
	TERM_SPACE,
	TERM_ARGS,
	TERM_ARG,
	TERM_HAS,
	TERM_TYPES,
	TERM_SPACES,
	TERM_VALUE,
	TERM_OCTETS,
	TERM_MULTIPLE,
	TERM_POSITIVE,
	TERM_POWER,
	TERM_MOST,
	TERM_FRACTION,
	TERM_ORDERED,
	TERM_EQUAL,
	TERM_TWICE,
	TERM_VERSION,
	TERM_TARGET,
	TERM_CHIP,
	TERM_SUFFIX,
	TERM_TOOLKIT
};

struct ptx_term {
	uint8_t kind, index;
	bool not_, low; /* low: of the low 32 bits of the operand */
	union {
		uint64_t bits;
		struct ptx_set set; /* of TERM_WORD and TERM_CHIP */
	};
};

enum { MAX_TERMS = 8 };

struct ptx_rule {
	const struct ptx_rule_row *row;
	uint8_t version, target; /* of the row */
	uint8_t nterms;
	/* What an instruction must have for it, from the conditions that name one: a type, first of all (0: any); a
	 * word, of words by ptx_word_mark (0: any) */
	uint64_t types, words;
	const struct ptx_term *term;
};

struct ptx_op_forms {
	unsigned nforms, nrules;
	const struct ptx_form *form;
	const struct ptx_rule *rule;
	struct ptx_set allowed; /* by any form */
};

const struct ptx_op_forms *ptx_forms_of(unsigned op);

/* One of 64 marks for each qualifier that is no type: words with different marks differ. */
static inline uint64_t ptx_word_mark(unsigned bit)
{
	return UINT64_C(1) << (bit & 63);
}

static inline bool ptx_set_has(const struct ptx_set *s, unsigned bit)
{
	return s->w[bit >> 6] >> (bit & 63) & 1;
}
static inline void ptx_set_add(struct ptx_set *s, unsigned bit)
{
	s->w[bit >> 6] |= UINT64_C(1) << (bit & 63);
}
/* The bit of a qualifier of ptx_instr.mods that is no type. */
static inline unsigned ptx_set_bit(unsigned q)
{
	return q & 0x4000 ? PTX_SET_SPACES + (q & 0xff) : q;
}

#endif

// SPDX-License-Identifier: Apache-2.0
/* forms.h -- the instruction forms of PTX: tables (forms_*.def), and the tables made ready for checking.
 *
 * FORM(op, bag, types, operands, version, target): an allowed shape of an instruction.
 *   bag       words after the name, in any order. `a|b`: one of the words is required, `a|b?`: one of the words is
 *             optional. Words are modifiers and state spaces, without the dot.
 *   types     a set for each type, in order: `f32|f64 u32`. A set may be a macro of forms_types.h.
 *   operands  in order:  d destination register, s source (register or constant), r source register, i constant,
 *             v source that may be an address or special register too, m address in brackets, x [a, b], l label,
 *             c list of call, a address in brackets or a register alone.
 *             Then the type: a digit (0: the first type of the instruction, the default), w (the first type at twice
 *             the width), p (predicate), h (half the width), or `:type`. Then flags: _ may be a sink, * a vector as
 *             in the bag, > a register may be wider than the type, | may be `d|p`, & may be `d|p` with no sink for p,
 *             ~ may be `d|_` but not `d|p`, ? optional (at the end only), ! p: may not be negated, s: no address stands for it,
 *             + a vector of any length, or its only element. With a type, `x` is [a, vector of any length].
 *   version   least .version, 10 * major + minor;  target: least .target number
 *
 * RULE(op, when, text): if the condition holds, the instruction is refused with this text.
 * GATE(op, when, text, version, target): if the condition holds, .version and .target must be at least these.
 *             `text` is the start of the message: "Feature 'x'", "Instruction 'x'", "Modifier '.x'".
 * SIGNATURE(op, types, operands): types and operands known to ptxas for the operation, whatever the words are. If the
 *             operation has signatures, they are checked before all but the words themselves. An address or a name
 *             passes for a value of its size. SIGNATURE_OF(op, toolkit, types, operands): in that toolkit alone.
 * WORD(op, when, text): a rule checked while the words are read, on the words up to each (of `foreign`), or as soon as
 *             they are read. The first alone is told, and nothing behind it.
 * EARLY(op, when, text): a rule checked before the signatures. The first alone is told, and nothing behind it.
 * LATE(op, when, text): a rule checked behind the rules of `foreign`.
 * Rows of the operation `foreign` (forms_foreign.def) hold for all operations with signatures: WORD for all words, the
 * others for words which no form of the operation has. WORD and EARLY of `foreign` come before those of the operation,
 * RULE and LATE behind.
 * JUDGED(op, when): if the condition holds, the instruction is checked, and refused in code generation.
 * A condition is a list of terms. All terms must hold; `!` negates a term. Terms: a word of the bag or `a|b` (any of
 * the words), `type=a|b` (first type; type1= the second), `op=a|b` (operation), `space=a|b` (first space, `generic` for
 * none), `args=2|3` (number of operands), `arg1=imm|float|reg|pred|real|sink|vec|addr|base|sym|sreg|pair|both|half`
 * (kind of operand 1; pred, real, half: a predicate, float or 16-bit register, half also an
 * address in it; both: a pair without a sink).
 * Terms on constant operand 2, with the number of the operand behind the name: `val2=0..15|32` (the value is in the
 * set), `oct2=3..32` (an eighth of the value is in the set), `mul2=32` (a multiple of 32), `pos2` (above 0), `is2=128`
 * (equal to 128), `log2=0..23` (the low 32 bits are a power of 2, and the exponent is in the set), `top2=64` (the low
 * 32 bits are at most 64), `size2=64` (all 64 bits are at most 64), `len2=4` (a vector of 4 elements; the second part
 * of [a, b] counts; 0: no vector), `frac2` (rounded to f32: above 0 and at most 1),
 * `lowval2=` and `lowis2=` (val2 and is2 on the low 32 bits), `up2` (the low 32 bits are at most the low 32 bits of
 * constant operand 3).
 * Other terms: `twice=W` (word W comes more than once), `again=A|B` (some word of the set comes more than once; %m is
 * the word), `swapped=V|W` (the first W stands in front of every V), `many=A|B` (more than one word of the set; %m is the second), `version=64`, `target=70` and `toolkit=131` (at least),
 * `chip=100|103` (exactly), `suffix=a|f` (the letter after the chip),
 * `has=order|scope|space|op|vec|type|cmp|round|cache|mode` (some word of this kind), `types=0|1`, `spaces=0|2`.
 * In texts %i is the instruction, %t the first type, %s the first space, %S the same after a dot or `generic` in words,
 * %o the order, %c the scope, %p the operation, %v the vector word, %k the cache operator, %n the number of operands,
 * %T the target, %m the word of the first true term, %e the part of %m after `::`, %0 to %9 the value of this constant
 * operand, %u0 the same without a sign, %w0 the low 32 bits with a sign, %l0 without, %f0 a floating-point constant
 * rounded to f32. Rows of the operation `none` hold for every instruction. */
#ifndef WLCC_PTX_FORMS_H
#define WLCC_PTX_FORMS_H

#include <stdint.h>
#include "ast.h"

/* A set of qualifiers other than types: modifiers are bits 0..383, state spaces 384 and up. */
enum { PTX_SET_WORDS = 7, PTX_SET_SPACES = 384 };
struct ptx_set {
	uint64_t w[PTX_SET_WORDS];
};

/* ---- the tables as written -------------------------------------------------------------------------------- */

struct ptx_form_row {
	uint16_t op;
	uint8_t version, target; /* of a signature: version is the only toolkit, or 0 */
	const char *bag, *types, *operands;
	const char *family;
	bool signature;
};
/* When a row is checked; PHASE_JUDGED: no error unless code is made. GATE has the phase of RULE. */
enum ptx_phase { PHASE_WORD, PHASE_EARLY, PHASE_RULE, PHASE_LATE, PHASE_JUDGED };
struct ptx_rule_row {
	uint16_t op;
	uint8_t version, target; /* of a gate; both 0 for a rule */
	uint8_t phase;           /* enum ptx_phase */
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

enum ptx_role {
	ROLE_DEST,
	ROLE_SOURCE,
	ROLE_REG,
	ROLE_IMM,
	ROLE_VALUE,
	ROLE_MEM,
	ROLE_LABEL,
	ROLE_CALL,
	ROLE_PARTS,
	ROLE_PLACE
};
enum {
	ARG_SINK = 1,
	ARG_VECTOR = 2,
	ARG_WIDER = 4,
	ARG_PAIR = 8,
	ARG_OPTIONAL = 16,
	ARG_NO_NOT = 32,
	ARG_PAIR_REG = 64,
	ARG_PAIR_SINK = 128,
	ARG_LIST = 256
};
enum { TYPE_FIXED = 8, TYPE_WIDE = 9, TYPE_HALF = 10 }; /* of ptx_arg.from; below: index of the instruction's type */

struct ptx_arg {
	uint8_t role, from;
	uint8_t type; /* of TYPE_FIXED */
	uint16_t flags;
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
	TERM_AGAIN,
	TERM_SWAPPED,
	TERM_MANY,
	TERM_LENGTH,
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
		struct ptx_set set; /* of TERM_WORD, TERM_AGAIN, TERM_MANY and TERM_CHIP */
	};
};

enum { MAX_TERMS = 8 };

struct ptx_rule {
	const struct ptx_rule_row *row;
	uint8_t version, target; /* of the row */
	uint8_t nterms;
	/* Requirements of the rule, taken from the conditions: first a type (0: any); a word, of words by
	 * ptx_word_mark (0: any) */
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

/* One of 64 marks for each qualifier other than a type. Words with different marks differ. */
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
/* The bit of a qualifier of ptx_instr.mods, types excepted. */
static inline unsigned ptx_set_bit(unsigned q)
{
	return q & 0x4000 ? PTX_SET_SPACES + (q & 0xff) : q;
}

#endif

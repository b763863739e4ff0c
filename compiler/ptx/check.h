// SPDX-License-Identifier: Apache-2.0
/* check.h -- the parts of the checker. */
#ifndef WLCC_PTX_CHECK_H
#define WLCC_PTX_CHECK_H

#include "parse.h"

/* rules.c: reports the violated rules and gates of the phase; of PHASE_WORD and PHASE_EARLY the first alone. */
void ptx_check_rules(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_op_forms *op,
                     enum ptx_phase phase);
/* The gates alone, for an instruction with unknown name or words. */
void ptx_check_gates(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_op_forms *op);

/* rules.c: for callers that make code, reports an instruction of the rows of JUDGED: checked, not compiled. */
void ptx_check_compiled(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_op_forms *op);

/* Does the instruction have operands in tensor memory? */
static inline bool ptx_is_tensor_memory(const struct ptx_instr *i)
{
	return i->op >= PTX_OP_tcgen05_ld && i->op <= PTX_OP_tcgen05_mma_ws;
}

/* check.c: are there rows of SIGNATURE? */
bool ptx_has_signatures(const struct ptx_op_forms *op);
/* check.c: of an operation with signatures, the words in the order written. False, with a message: a word does not go
 * with those in front. */
bool ptx_check_words(struct ptx_parser *p, const struct ptx_instr *i);

/* operands.c: the first of the n forms with matching operands; NULL, with a message, when none matches. */
const struct ptx_form *ptx_check_operands(struct ptx_parser *p, struct ptx_instr *i, const char *name,
                                          const struct ptx_form *const *forms, unsigned n);

/* Elements of vectors against each other and the operation. False, with a message: no. */
bool ptx_check_elements(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_op_forms *op);
/* The first of the n signatures that fits the operands; NULL, with a message: none. An address or a name passes for a
 * value of its size. */
const struct ptx_form *ptx_check_signature(struct ptx_parser *p, const struct ptx_instr *i, const char *name,
                                           const struct ptx_form *const *forms, unsigned n);

/* call.c: checks the target of a call, results and arguments. False, with a message: the call is wrong. */
bool ptx_check_call(struct ptx_parser *p, const struct ptx_instr *i);
/* call_args.c: do the results, the arguments fit the declarations of f? False comes with a message. */
bool ptx_check_call_results(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_function *f);
bool ptx_check_call_arguments(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_function *f);

/* describe.c: an operand as written, and the operand wanted by a form, of type t, in words. */
void ptx_describe_operand(const struct ptx_parser *p, const struct ptx_operand *o, char *to, size_t n);
void ptx_describe_arg(const struct ptx_instr *i, const struct ptx_arg *a, enum ptx_type t, char *to, size_t n);

/* Is the variable of o in the space? False comes with a message. */
bool ptx_check_space(struct ptx_parser *p, const struct ptx_instr *i, const char *name, const struct ptx_operand *o,
                     enum ptx_space space);

/* address.c: is o a valid address as operand n? False comes with a message. */
bool ptx_check_address(struct ptx_parser *p, const struct ptx_instr *i, const char *name, const struct ptx_operand *o,
                       unsigned operand);
/* The space of operand n as an address. */
enum ptx_space ptx_space_of(const struct ptx_instr *i, unsigned operand);
/* name[n] is also an address, for plain loads and stores: converts the operand. */
void ptx_indexed_address(const struct ptx_instr *i, const struct ptx_arg *a, struct ptx_operand *o);

/* The kind of operand n as in the conditions of rules: bit of enum ptx_operand_kind, bit 14 for a predicate register,
 * bit 15 for an address in a register. */
uint64_t ptx_operand_kinds(const struct ptx_parser *p, const struct ptx_operand *o);

#endif

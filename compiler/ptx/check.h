// SPDX-License-Identifier: Apache-2.0
/* check.h -- the parts of the checker. */
#ifndef WLCC_PTX_CHECK_H
#define WLCC_PTX_CHECK_H

#include "parse.h"

/* rules.c: reports every rule and gate of the operation that the instruction breaks. */
void ptx_check_rules(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_op_forms *op);

/* The gates alone: of an instruction whose name or words are not known. */
void ptx_check_gates(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_op_forms *op);

/* rules.c: reports an instruction that is judged only (rows of JUDGED), for callers that make code. */
void ptx_check_compiled(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_op_forms *op);

/* operands.c: the first of the n forms whose operands fit; NULL, and told, when none does. */
const struct ptx_form *ptx_check_operands(struct ptx_parser *p, struct ptx_instr *i, const char *name,
                                          const struct ptx_form *const *forms, unsigned n);

/* call.c: judges the target of a call, results and arguments. False, and told, when the call is wrong. */
bool ptx_check_call(struct ptx_parser *p, const struct ptx_instr *i);
/* call_args.c: do the results, the arguments fit what f declares? Told when not. */
bool ptx_check_call_results(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_function *f);
bool ptx_check_call_arguments(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_function *f);

/* describe.c: an operand as it stands, and what a form wants of type t, in words. */
void ptx_describe_operand(const struct ptx_parser *p, const struct ptx_operand *o, char *to, size_t n);
void ptx_describe_arg(const struct ptx_instr *i, const struct ptx_arg *a, enum ptx_type t, char *to, size_t n);

/* Is the variable of o in the space? Told when not. */
bool ptx_check_space(struct ptx_parser *p, const struct ptx_instr *i, const char *name, const struct ptx_operand *o,
                     enum ptx_space space);

/* address.c: is o good as the address that is operand n? Told when not. */
bool ptx_check_address(struct ptx_parser *p, const struct ptx_instr *i, const char *name, const struct ptx_operand *o,
                       unsigned operand);
/* name[n] is an address, too, for plain loads and stores: makes one of it. */
void ptx_indexed_address(const struct ptx_instr *i, const struct ptx_arg *a, struct ptx_operand *o);

/* What operand n is, as the conditions of rules name it: bit of enum ptx_operand_kind, bit 14 for
 * a predicate register, bit 15 for an address in a register. */
uint64_t ptx_operand_kinds(const struct ptx_parser *p, const struct ptx_operand *o);

#endif

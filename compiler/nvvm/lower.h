/* SPDX-License-Identifier: Apache-2.0 */
/* lower.h -- the stages of the pass over a module, in order: check, (LLVM's optimiser), lower, expand. */
#ifndef NV_LOWER_H
#define NV_LOWER_H

#include "barriers.h"
#include "ir.h"

/* The front end's rules, before optimisation. m->errors counts the errors. */
void nv_check_module(struct nv_module *m);
/* Sets attributes of the builtins, so that optimisation before the lowering does not move barriers. */
void nv_mark_builtins(struct nv_module *m);
/* Replaces every builtin call. */
void nv_lower_module(struct nv_module *m);
/* Replaces atomicrmw, cmpxchg, atomic load, atomic store, fence. */
void nv_expand_module(struct nv_module *m);

/* nv_note_variable remembers an enum variable declared in debug information. nv_holds_enum looks a variable up. */
void nv_note_variable(struct nv_module *m, LLVMValueRef inst);
bool nv_holds_enum(const struct nv_module *m, LLVMValueRef copy);

/* nv_lower_module calls these functions, each for a single call. The builder stands before the call. Result: the
 * replacement of the call, or NULL. */
LLVMValueRef nv_lower_atomic(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi);
LLVMValueRef nv_lower_legacy(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi);
LLVMValueRef nv_lower_sync(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi);

/* An LLVM name unknown to this LLVM: the lowering of the barriers of barriers.def. */
bool nv_is_unknown_intrinsic(LLVMValueRef fn);
LLVMValueRef nv_lower_barrier(struct nv_module *m, LLVMValueRef call, const struct nv_barrier_row *row);
/* Expands @N and $N of a row's text (sync.def) and emits the text as inline assembly. */
LLVMValueRef nv_emit_template(struct nv_module *m, const char *text, LLVMTypeRef ret, LLVMValueRef *operands,
                              unsigned n);

/* The type of an operation in the C spelling, from arguments 0 and 1. */
bool nv_kind_type(LLVMValueRef call, struct nv_type *out);
/* Order and scope of a C++11 call; a run-time value reads as 0. */
void nv_order_scope(LLVMValueRef call, const struct nv_builtin *bi, int *order, int *scope);
/* Position of the order among the arguments. */
unsigned nv_order_index(const struct nv_builtin *bi);

/* A function to be inlined at the call, made on first use: the body holds the blocks of a loop. */
LLVMValueRef nv_helper(struct nv_module *m, const char *name, LLVMTypeRef type, bool *fresh);

/* Addition of bfloat16 (one or two) without hardware, and redux in software. */
LLVMValueRef nv_bf16_add(struct nv_module *m, LLVMValueRef p, LLVMValueRef v, unsigned bits);
LLVMValueRef nv_redux_software(struct nv_module *m, const char *what, LLVMValueRef v, LLVMValueRef mask);

#endif

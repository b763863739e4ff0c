/* SPDX-License-Identifier: Apache-2.0 */
/* lower.h -- the stages of the pass over a module, in order: check, (LLVM's optimiser), lower, expand. */
#ifndef NV_LOWER_H
#define NV_LOWER_H

#include "barriers.h"
#include "ir.h"

/* Front end's rules, before optimisation. Errors are counted in m->errors. */
void nv_check_module(struct nv_module *m);
/* Attributes of the builtins, so that optimisation before the lowering keeps barriers where they are. */
void nv_mark_builtins(struct nv_module *m);
/* Replaces every builtin call. */
void nv_lower_module(struct nv_module *m);
/* Replaces atomicrmw, cmpxchg, atomic load, atomic store, fence. */
void nv_expand_module(struct nv_module *m);

/* Remembers a variable that debug information declares, if it is an enum; asks for one. */
void nv_note_variable(struct nv_module *m, LLVMValueRef inst);
bool nv_holds_enum(const struct nv_module *m, LLVMValueRef copy);

/* One call each, from nv_lower_module; the builder stands before the call. They give the call's replacement,
 * NULL for none. */
LLVMValueRef nv_lower_atomic(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi);
LLVMValueRef nv_lower_legacy(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi);
LLVMValueRef nv_lower_sync(struct nv_module *m, LLVMValueRef call, const struct nv_builtin *bi);

/* A name of LLVM that this LLVM does not know: the barriers of barriers.def are lowered here. */
bool nv_is_unknown_intrinsic(LLVMValueRef fn);
LLVMValueRef nv_lower_barrier(struct nv_module *m, LLVMValueRef call, const struct nv_barrier_row *row);
/* Expands @N and $N of a row's text (sync.def) and emits the text as inline assembly. */
LLVMValueRef nv_emit_template(struct nv_module *m, const char *text, LLVMTypeRef ret, LLVMValueRef *operands,
                              unsigned n);

/* Type of an operation in the C spelling comes as arguments 0 and 1. */
bool nv_kind_type(LLVMValueRef call, struct nv_type *out);
/* Order and scope of a C++11 call; a run-time value reads as 0. */
void nv_order_scope(LLVMValueRef call, const struct nv_builtin *bi, int *order, int *scope);
/* Position of the order among the arguments. */
unsigned nv_order_index(const struct nv_builtin *bi);

/* A function that is to be inlined at its call, made on first use: its body holds the blocks of a loop. */
LLVMValueRef nv_helper(struct nv_module *m, const char *name, LLVMTypeRef type, bool *fresh);

/* Addition of bfloat16 (one or two) where the hardware has none, and redux in software. */
LLVMValueRef nv_bf16_add(struct nv_module *m, LLVMValueRef p, LLVMValueRef v, unsigned bits);
LLVMValueRef nv_redux_software(struct nv_module *m, const char *what, LLVMValueRef v, LLVMValueRef mask);

#endif

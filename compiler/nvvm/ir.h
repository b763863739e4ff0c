/* SPDX-License-Identifier: Apache-2.0 */
/* ir.h -- a module during lowering, and small helpers over LLVM's C API. */
#ifndef NV_IR_H
#define NV_IR_H

#include <llvm-c/Core.h>

#include "asmtext.h"

struct nv_module {
	LLVMContextRef llvm;
	LLVMModuleRef mod;
	LLVMBuilderRef b;
	const char *file; /* for messages */
	unsigned sm;
	bool documented;
	unsigned errors, warnings;
	LLVMValueRef *kernels; /* functions marked as kernels by metadata */
	unsigned n_kernels;
	LLVMValueRef *enums; /* local variables of enum type, as far as known from debug information */
	unsigned n_enums;
};

/* Prints `file: in function 'f', instruction N: error: text`, or with line and column where the module has them. */
__attribute__((format(printf, 3, 4))) void nv_error(struct nv_module *m, LLVMValueRef at, const char *fmt, ...);
__attribute__((format(printf, 3, 4))) void nv_warn(struct nv_module *m, LLVMValueRef at, const char *fmt, ...);
/* The same without a limit, for the output of an option. */
__attribute__((format(printf, 3, 4))) void nv_note(const struct nv_module *m, LLVMValueRef at, const char *fmt, ...);

/* The differences to follow, out of the differences of a row. */
unsigned nv_active(const struct nv_module *m, unsigned diffs);

LLVMTypeRef nv_int(const struct nv_module *m, unsigned bits);
LLVMTypeRef nv_pointer(const struct nv_module *m, unsigned space);
LLVMValueRef nv_const(const struct nv_module *m, unsigned bits, unsigned long long v);
bool nv_const_of(LLVMValueRef v, long long *out);
const char *nv_symbol(LLVMValueRef fn); /* without the mark against mangling */
void nv_mark(const struct nv_module *m, LLVMValueRef call,
             const char *attribute); /* an enum attribute of a call or function */

/* An inline-asm call before the builder's position. Two or more results ("=l,=l") come as a struct. */
LLVMValueRef nv_asm(struct nv_module *m, LLVMTypeRef ret, const char *text, const char *constraints, LLVMValueRef *args,
                    unsigned n, bool convergent);

/* Value of any first-class type up to 64 bits (128 for integers) as an integer of the same size, and back. */
LLVMValueRef nv_to_int(struct nv_module *m, LLVMValueRef v, unsigned bits);
LLVMValueRef nv_from_int(struct nv_module *m, LLVMValueRef v, LLVMTypeRef to);
/* Size of a first-class type in bits; 0: an unsupported type. */
unsigned nv_bits(const struct nv_module *m, LLVMTypeRef t);

/* An address with the known facts: space 0 generic, 1 global, 3 shared; `offset` bytes are to be added. */
struct nv_address {
	LLVMValueRef base; /* a pointer into `space` */
	unsigned space;
	long long offset;
};
struct nv_address nv_address_of(struct nv_module *m, LLVMValueRef p);
unsigned nv_space_of(struct nv_module *m, LLVMValueRef p);
/* Fills `kernels`. Call this before nv_is_kernel. */
void nv_find_kernels(struct nv_module *m);
bool nv_is_kernel(struct nv_module *m, LLVMValueRef fn);

/* The operation of a C++11 request, with fences. `args`: address and operands as integers or floats of the request's
 * size. Returns the result, or NULL for stores; *st gives the error. */
LLVMValueRef nv_emit_request(struct nv_module *m, const struct nv_request *q, LLVMValueRef *args, unsigned n,
                             enum nv_text_status *st);
#endif

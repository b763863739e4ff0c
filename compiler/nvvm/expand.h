/* SPDX-License-Identifier: Apache-2.0 */
/* expand.h -- an atomic instruction of LLVM IR, for the expansion. */
#ifndef NV_EXPAND_H
#define NV_EXPAND_H

#include "lower.h"

struct nv_site {
	LLVMValueRef inst;
	LLVMValueRef ptr; /* pointer into `space` */
	unsigned space, bits;
	enum nv_order order;
	enum nv_scope scope;
	LLVMAtomicRMWBinOp rmw;
	LLVMTypeRef type; /* of the value, as in the instruction */
};

/* A request for the hardware: `order` may differ from the site's. */
struct nv_request nv_site_request(const struct nv_module *m, const struct nv_site *s, enum nv_op op, unsigned bits,
                                  enum nv_order order);
/* The new value of the operation; `old` and `v` have the site's type. */
LLVMValueRef nv_rmw_value(struct nv_module *m, LLVMAtomicRMWBinOp op, LLVMValueRef old, LLVMValueRef v);
const char *nv_rmw_name(LLVMAtomicRMWBinOp op);

/* A CAS loop over the whole object, or over the 32-bit word around an object of 8 or 16 bits. Returns the old value. */
LLVMValueRef nv_rmw_loop(struct nv_module *m, const struct nv_site *s, LLVMValueRef v);
/* Compare-and-exchange of 8 or 16 bits in the word around: {old, success}. */
LLVMValueRef nv_partword_cas(struct nv_module *m, const struct nv_site *s, LLVMValueRef expected, LLVMValueRef v);
/* Load of 8 or 16 bits out of the word around. (A store is an exchange with nv_rmw_loop.) */
LLVMValueRef nv_partword_load(struct nv_module *m, const struct nv_site *s);

#endif

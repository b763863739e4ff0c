/* SPDX-License-Identifier: Apache-2.0 */
/* expand.h -- one atomic instruction of LLVM IR as the expansion sees it. */
#ifndef NV_EXPAND_H
#define NV_EXPAND_H

#include "lower.h"

struct nv_site {
	LLVMValueRef inst;
	LLVMValueRef ptr; /* into `space` */
	unsigned space, bits;
	enum nv_order order;
	enum nv_scope scope;
	LLVMAtomicRMWBinOp rmw;
	LLVMTypeRef type; /* of the value, as the instruction has it */
};

/* A request for the hardware: `order` may differ from the site's. */
struct nv_request nv_site_request(const struct nv_module *m, const struct nv_site *s, enum nv_op op, unsigned bits,
                                  enum nv_order order);
/* What the operation makes of the old value; both of the site's type. */
LLVMValueRef nv_rmw_value(struct nv_module *m, LLVMAtomicRMWBinOp op, LLVMValueRef old, LLVMValueRef v);
const char *nv_rmw_name(LLVMAtomicRMWBinOp op);

/* A CAS loop over the whole object, or over the 32-bit word around an 8 or 16 bit one. Gives the old value. */
LLVMValueRef nv_rmw_loop(struct nv_module *m, const struct nv_site *s, LLVMValueRef v);
/* Compare-and-exchange of 8 or 16 bits in its word: {old, success}. */
LLVMValueRef nv_partword_cas(struct nv_module *m, const struct nv_site *s, LLVMValueRef expected, LLVMValueRef v);
/* Load of 8 or 16 bits out of its word; store of them, as an exchange. */
LLVMValueRef nv_partword_load(struct nv_module *m, const struct nv_site *s);

#endif

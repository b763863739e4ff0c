/* SPDX-License-Identifier: Apache-2.0 */
/* asmtext.h -- the text of an operation: mnemonic, order, scope, type, string and constraints. No LLVM in here. */
#ifndef NV_ASMTEXT_H
#define NV_ASMTEXT_H

#include "tables.h"

enum nv_text_status {
	NV_TEXT_OK,
	NV_TEXT_ORDER, /* "unexpected memory order." */
	NV_TEXT_SCOPE, /* "unexpected atomic operation scope." */
	NV_TEXT_SIZE,  /* "unexpected size1" */
	NV_TEXT_OP     /* "unexpected atomic builtin function" */
};
const char *nv_text_message(enum nv_text_status s);

/* A request to the C++11 family. */
struct nv_request {
	enum nv_op op;
	struct nv_type type;
	enum nv_form form;
	int order, scope;
	unsigned sm;
	unsigned diffs;    /* the measured differences to follow */
	const char *space; /* "", ".global" or ".shared": only for LLVM's own atomics */
};

struct nv_text {
	char before[48], op[256], after[48]; /* fence, operation, fence; empty without a fence */
	char constraints[64];
};

enum nv_text_status nv_atomic_text(const struct nv_request *q, struct nv_text *out);
/* fence.{order}.{scope}; or, below sm_70, membar.{scope}; */
enum nv_text_status nv_fence_text(int order, int scope, unsigned sm, unsigned diffs, char *out, size_t outn);

/* "cta", "cluster", "gpu", "sys", with the fallback below sm_90; NULL: unknown scope. */
const char *nv_scope_name(int scope, unsigned sm);
/* membar by scope value, as in the lowering; NULL: unknown scope. */
const char *nv_membar_of_scope(int scope);
/* membar by operand value, as in the PTX writer; NULL: "Bad membar op". */
const char *nv_membar_of_operand(unsigned value);

/* The emission table of the legacy family. The operand word holds the scope in bits 7:4 and the operation in 23:16;
 * flag 0x400 selects the form with an L2 cache hint. */
#define NV_EMIT_L2 0x400u
struct nv_emission {
	unsigned code;
	const char *op;
	char letter;
};
const struct nv_emission *nv_emission_find(unsigned code);
/* Operation code of a legacy builtin. */
unsigned nv_emission_code(enum nv_op op, const struct nv_type *type);
/* atom[.order][.space][.scope].op[.L2::cache_hint].type; false: unoccupied slot or scope. */
bool nv_emit_atom(unsigned word, unsigned flags, unsigned bits, const char *order, const char *space, char *out,
                  size_t outn);

/* Register class of an operand in a constraint string. */
char nv_register_class(char letter, unsigned bytes);
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* flow.h -- the functions of a module as graphs of blocks, with the facts for barriers: accesses, barriers, calls,
 * and places that only some threads of a CTA may reach. */
#ifndef NV_FLOW_H
#define NV_FLOW_H

#include "ir.h"
#include "refs.h"

/* Since the last barrier, or before the next barrier. */
enum {
	NV_READS = 1,
	NV_WRITES = 2,
	NV_EFFECT = 4, /* orders or waits itself, or is unknown: an atomic, a fence, a volatile access, a call */
	NV_EDGE = 8,   /* the start or the end of the kernel */
	NV_CALLER = 16 /* the state of the caller */
};
#define NV_ANYTHING (NV_READS | NV_WRITES | NV_EFFECT)

enum nv_event_kind { NV_ACCESS, NV_BARRIER, NV_CALL };

struct nv_event {
	LLVMValueRef inst;
	enum nv_event_kind kind;
	unsigned bits;   /* of an access */
	uint32_t callee; /* of a call */
	bool may_go;     /* a barrier without a result */
	bool gone;
	unsigned above, below; /* of barriers and calls, with NV_CALLER */
};

struct nv_block {
	LLVMBasicBlockRef bb;
	uint32_t *succ, nsucc;
	uint32_t *pred, npred;
	uint32_t meet;         /* meeting place of all ways from here; NV_NONE: at the end, or nowhere */
	bool apart;            /* threads of the CTA may be in different places */
	uint32_t first, end;   /* events */
	unsigned above, below; /* at the start, at the end */
};

struct nv_fn {
	LLVMValueRef fn;
	struct nv_block *blocks;
	uint32_t nblocks;
	struct nv_event *events;
	uint32_t nevents, room;
	bool kernel, outside;     /* outside: open to calls from other modules */
	bool ret_differs;         /* between threads */
	bool waits;               /* has a barrier, also through calls */
	LLVMValueRef doubt;       /* first place where only some threads may wait, also through calls */
	const char *why;          /* the doubt in words */
	const struct nv_fn *keep; /* function with a doubt, or open to other modules: all barriers stay */
	unsigned above, below;    /* of the callers */
	unsigned tail, head;      /* to the end, from the start */
};

struct nv_program {
	struct nv_module *m;
	struct nv_fn *fns;
	uint32_t nfns;
	struct nv_refs numbers; /* of functions with a body */
	struct nv_refs differs; /* values that differ between threads of a CTA */
};

/* flow.c */
void nv_flow(struct nv_program *p, struct nv_module *m);
/* The function's number; NV_NONE: no body, or a body that another may replace. */
uint32_t nv_fn_number(const struct nv_program *p, LLVMValueRef fn);
/* Is the instruction a call? */
bool nv_is_call(LLVMValueRef inst);

/* accesses.c: the events of all functions. */
void nv_find_events(struct nv_program *p);
bool nv_is_quiet_call(LLVMValueRef call);
/* Memory without a writing thread. */
bool nv_is_constant_memory(LLVMValueRef load);
/* The barrier gives each thread of the CTA the same result. */
bool nv_is_common_result(LLVMValueRef call);

/* differ.c: fills differs, ret_differs, apart. */
void nv_find_differences(struct nv_program *p);

/* dead_barriers.c: barriers of the module that order nothing. `remove`: deletes these barriers; `print`: prints a
 * line for each barrier. */
void nv_dead_barriers(struct nv_module *m, bool remove, bool print);

#endif

// SPDX-License-Identifier: Apache-2.0
/* status.h -- status codes of the library, architectural faults, outcomes of a run.
 *
 * Source: docs/spec/units.md, "Faults". */
#ifndef WARPLOCK_STATUS_H
#define WARPLOCK_STATUS_H

/* Status of a library call. Numbers have gaps and are never renumbered. */
enum wl_status {
	WL_OK = 0,
	WL_ERR_NOMEM = 10,
	WL_ERR_CONFIG = 11,       /* a field of wl_config is out of range */
	WL_ERR_UNKNOWN_WORD = 20, /* no encoding row matches the word */
	WL_ERR_UNKNOWN_INST = 21, /* no encoding row matches the instruction or text */
	WL_ERR_RANGE = 22,        /* operand value does not fit the field */
	WL_ERR_SYNTAX = 23,
	WL_ERR_OBJECT = 30,      /* not a readable object file */
	WL_ERR_NO_ENTRY = 31,    /* kernel not found */
	WL_ERR_AMBIGUOUS = 33,   /* several kernels, and no name is given */
	WL_ERR_LAUNCH = 32,      /* launch parameters do not fit the kernel or the machine */
	WL_ERR_UNSUPPORTED = 40, /* known, but not built yet: the message names the feature */
};
const char *wl_status_name(enum wl_status s);

/* Architectural faults. Both twins raise the same fault for the same lanes; RTL uses the numbers. */
enum wl_fault {
#define FAULT(name, num, text) WL_FAULT_##name = num,
#include "warplock/units.def"
#undef FAULT
	WL_FAULT_COUNT = 64 /* a number has 6 bits; not every number has a fault */
};
const char *wl_fault_name(enum wl_fault f); /* "MISALIGNED_ADDRESS" */
const char *wl_fault_text(enum wl_fault f); /* the sentence of the table */

/* The end of a kernel run; names as in --report. The tool with the buffers decides on "pass". */
enum wl_outcome {
	WL_RUNNING,
	WL_ENDED,    /* every CTA ran to the end */
	WL_DEADLOCK, /* every live warp waits for an impossible event */
	WL_FAULTED,
	WL_LIMIT, /* instruction limit reached */
	WL_ERROR, /* an instruction not yet supported by the model: the detail names the instruction */
};
const char *wl_outcome_name(enum wl_outcome o);

#endif

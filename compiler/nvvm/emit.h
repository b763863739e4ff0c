/* SPDX-License-Identifier: Apache-2.0 */
/* emit.h -- LLVM's part: optimiser, NVPTX target, and Warplock's header lines on the PTX text. */
#ifndef NV_EMIT_H
#define NV_EMIT_H

#include <llvm-c/TargetMachine.h>

#include "ir.h"

/* A target machine for the SM, or NULL with a message. A target unknown to LLVM becomes the nearest known target. */
LLVMTargetMachineRef nv_target(unsigned sm, char **why);
/* Sets layout and triple of the target, for modules without. */
void nv_set_target(struct nv_module *m, LLVMTargetMachineRef tm);
/* Runs a pass pipeline; false: an error was printed. */
bool nv_run_passes(struct nv_module *m, LLVMTargetMachineRef tm, const char *pipeline);
/* PTX text with .version and .target set (malloc'ed), or NULL: an error was printed. */
char *nv_write_ptx(struct nv_module *m, LLVMTargetMachineRef tm, const char *arch);
#endif

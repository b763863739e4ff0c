// SPDX-License-Identifier: Apache-2.0
/* asm_source.h -- hand-written kernels: .entry blocks of instructions with labels, assembled into an object.
 *
 *   .entry NAME        starts a kernel; instructions follow
 *   .param BYTES       a parameter, aligned to its size (1, 2, 4, 8; larger parameters to 8)
 *   .shared BYTES      static shared memory
 *   .local BYTES       frame of a thread
 *   LABEL:             address of the next instruction, usable as a branch target
 * One instruction a line, as the disassembler prints it; // starts a comment. Instructions carry safe scheduling.
 * With `spa50` (sm_75 only) ATOMS is in the SPA 5.0 dialect, everything else as before. Then # starts a comment,
 * too. */
#ifndef WLCC_ASM_SOURCE_H
#define WLCC_ASM_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "warplock/isa.h"

/* Assembles `text` (from `file`) into an object. malloc allocates *out. Every error goes to standard error as
 * `file:line: message`. False: at least one error. */
bool asm_source_assemble(unsigned chip, bool spa50, const char *file, const char *text, unsigned char **out,
                         size_t *size);

#endif

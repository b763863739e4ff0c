// SPDX-License-Identifier: Apache-2.0
/* asm_source.h -- hand-written kernels: .entry blocks of instructions with labels, assembled into an object.
 *
 *   .entry NAME        starts a kernel; instructions follow
 *   .param BYTES       one parameter, aligned to its size (1, 2, 4, 8; larger ones to 8)
 *   .shared BYTES      static shared memory
 *   .local BYTES       frame of a thread
 *   LABEL:             the next instruction's address, usable as a branch target
 * One instruction a line, as the disassembler prints it; // starts a comment. Instructions carry safe scheduling.
 * With `spa50` (sm_75 only) ATOMS is written in the SPA 5.0 dialect, everything else as before; # too starts
 * a comment. */
#ifndef WLCC_ASM_SOURCE_H
#define WLCC_ASM_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "warplock/isa.h"

/* Assembles `text` (from `file`) into an object: *out is malloc'ed. Every error is printed to standard error as
 * `file:line: message`; false when there was one. */
bool asm_source_assemble(unsigned chip, bool spa50, const char *file, const char *text, unsigned char **out,
                         size_t *size);

#endif

// SPDX-License-Identifier: Apache-2.0
/* sync_text.h -- what rtl/gen/sync_decode.sv must say of a word, read from the text that NVIDIA's disassembler prints for
 * it. Written from the meaning of the mnemonics (docs/units/sync_decode.md), without the encoding tables. */
#ifndef SYNC_TEXT_H
#define SYNC_TEXT_H

#include "sync_decode_shim.h"

/* Not known (all zero) for instructions that atoms_pipe does not execute. Without Ra the scale is 0: it may not be
 * printed then. */
struct sync_decoded sync_text_read(const char *text);

#endif

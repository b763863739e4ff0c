// SPDX-License-Identifier: Apache-2.0
/* sync_text.h -- required outputs of rtl/gen/sync_decode.sv for a word, read from the text of NVIDIA's disassembler.
 * Written from the meaning of the mnemonics (docs/units/sync_decode.md), without the encoding tables. */
#ifndef SYNC_TEXT_H
#define SYNC_TEXT_H

#include "sync_decode_shim.h"

/* Not known (all zero) for instructions outside atoms_pipe. Without Ra the scale is 0: the text may hide the scale. */
struct sync_decoded sync_text_read(const char *text);

#endif

// SPDX-License-Identifier: Apache-2.0
// WL_FEW_WORDS: two words are registers. For two words an FPGA would take a RAM of sixteen words: the RAM lies mostly
// idle, and ties its inputs.
//
// WL_BLOCK_RAM: for a block RAM against the choice of synthesis: most of the block RAM lies idle, but a LUT RAM costs
// more.
//
// Icarus reads no parameter in an attribute, and makes no hardware.
`ifndef WL_RAM_STYLE_VH
`define WL_RAM_STYLE_VH
`ifdef __ICARUS__
`define WL_FEW_WORDS(words)
`define WL_BLOCK_RAM(wanted)
`else
`define WL_FEW_WORDS(words) (* ram_style = (words) <= 2 ? "registers" : "auto" *)
`define WL_BLOCK_RAM(wanted) (* ram_style = (wanted) ? "block" : "auto" *)
`endif
`endif

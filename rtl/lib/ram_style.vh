// SPDX-License-Identifier: Apache-2.0
// Few words are registers: a RAM of sixteen words that an FPGA takes for two of them lies idle, and ties its inputs.
// WL_BLOCK_RAM: what no synthesis would give a block RAM by itself, as most of it lies idle, and a LUT RAM of the same costs more.
// Icarus reads no parameter in an attribute, and makes no hardware of it.
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

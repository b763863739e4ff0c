// SPDX-License-Identifier: Apache-2.0
  input  logic                      clk_i,
  input  logic                      rst_i,

  // P
  input  logic                      fire_i,          // a pass comes
  input  logic                      begin_i,         // ... the first pass of the beat
  input  logic [`WL_ATOMS_PASS_BITS-1:0] pass_i,
  input  logic [`WL_ATOMS_PART_BITS-1:0] part_i,
  input  logic [`WL_ATOMS_CHOICE_BITS-1:0] choice_i,
  input  logic [Lanes*AddrBits-1:0] addr_i,
  input  logic [Lanes*128-1:0]      data_i,
  input  logic [Lanes*128-1:0]      wide_i,          // new words of a compare-and-swap of 128 bits

  // X
  output logic                      valid_o,         // the pass reads in this cycle
  output logic [`WL_ATOMS_PASS_BITS-1:0] pass_o,
  output logic [`WL_ATOMS_PART_BITS-1:0] part_o,
  output logic [Lanes*LowBits-1:0]  low_o,           // of each lane: bank and byte
  output logic [Lanes*128-1:0]      data_o,          // operands of the lanes
  output logic [FpLanes-1:0]        adds_o,
  output logic [FpLanes*BankBits-1:0] adds_at_o,
  output logic [Banks-1:0]          rd_en_o,         // banks read in this cycle
  output logic [Banks-1:0]          en_o,            // banks of the pass,
  output logic [Banks*RowBits-1:0]  row_o,           // ... rows of the banks,
  output logic [Banks*32-1:0]       b_o,             // ... operands of the words
  output logic [Banks*32-1:0]       c_o,
  output logic [Banks*4-1:0]        be_o             // ... and bytes

// SPDX-License-Identifier: Apache-2.0
  input  logic                      clk_i,
  input  logic                      rst_i,

  // X
  input  logic                      ends_i,          // a pass comes
  input  logic [`WL_ATOMS_PASS_BITS-1:0] pass_i,
  input  logic [`WL_ATOMS_PART_BITS-1:0] part_i,
  input  logic [Lanes*LowBits-1:0]  low_i,           // of each lane: bank and byte
  input  logic [Lanes-1:0]          lanes_i,         // lanes with a result
  input  logic [Banks*32-1:0]       old_i,           // words read
  input  logic [Banks-1:0]          match_i,         // equal compares

  output logic                      valid_o,         // a pass is in W
  output logic                      end_o,           // the pass is over in this cycle
  output logic [`WL_ATOMS_RESULT_BITS-1:0] result_o,
  output logic                      signed_o,
  output logic [Lanes*128-1:0]      word_o           // of each lane: words read by the pass

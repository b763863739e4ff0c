// SPDX-License-Identifier: Apache-2.0
  input  logic                      clk_i,
  input  logic                      rst_i,

  // R
  input  logic                      valid_i,         // a pass comes
  input  logic [`WL_ATOMS_PASS_BITS-1:0] pass_i,
  input  logic [`WL_ATOMS_PART_BITS-1:0] part_i,
  input  logic [Lanes*LowBits-1:0]  low_i,           // of each lane: bank and byte
  input  logic [FpLanes-1:0]        adds_i,
  input  logic [FpLanes*BankBits-1:0] adds_at_i,
  input  logic [Banks-1:0]          en_i,            // banks of the pass,
  input  logic [Banks*RowBits-1:0]  row_i,           // ... rows of the banks,
  input  logic [Banks*32-1:0]       b_i,             // ... operands of the words
  input  logic [Banks*32-1:0]       c_i,
  input  logic [Banks*4-1:0]        be_i,            // ... and bytes

  // the RAM, a cycle after R
  input  logic [Banks*32-1:0]       rd_data_i,
  input  logic [Banks-1:0]          rd_fwd_i,
  input  logic [Banks-1:0]          rd_mark_i,

  // atoms_combine
  output logic [3:0]                own_op_o,        // operation of atomic_alu
  output logic [Banks*32-1:0]       own_b_o,
  input  logic [3:0]                op_i,            // the same, of the fold if lanes of a word combine
  input  logic [Banks*32-1:0]       folded_i,

  // atoms_mbar
  input  logic [Banks*32-1:0]       mbar_new_i,      // words written by a pass of mbarrier_engine
  input  logic [Banks-1:0]          mbar_we_i,

  // the pass in X
  output logic                      valid_o,         // first cycle of the pass
  output logic                      begins_o,        // mbar_stage looks at the words
  output logic                      works_o,         // the pass is at work
  output logic                      ends_o,          // the words are written: COMMIT
  output logic                      busy_o,
  output logic [`WL_ATOMS_PASS_BITS-1:0] pass_o,
  output logic [`WL_ATOMS_PART_BITS-1:0] part_o,
  output logic [Lanes*LowBits-1:0]  low_o,
  output logic [Banks-1:0]          en_o,
  output logic [Banks*RowBits-1:0]  row_o,
  output logic [Banks*32-1:0]       words_o,         // words in work
  output logic [Banks-1:0]          marks_o,
  output logic [Banks*32-1:0]       old_o,           // words read
  output logic [Banks-1:0]          fwd_o,           // ... from the pass ahead
  output logic [Banks-1:0]          match_o,         // equal compares
  output logic [Banks-1:0]          we_o,            // banks written in this cycle
  output logic [Banks*32-1:0]       new_o

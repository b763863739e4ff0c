// SPDX-License-Identifier: Apache-2.0
// Chooses the lanes of one pass: of every bank group the lowest pending lane, and for loads with it all pending lanes
// on the word of that lane: the word of the access width, or of 32 bits when the access is narrower. As accesses are
// aligned, the address without its two low bits names either.
//
// Combinational. A lane is known by the lowest bank of its group ("lead bank"): groups are 1, 2 or 4 aligned banks
// (`group_i` = banks of a group - 1). Work on whole words: one Banks-wide one-hot word per lane and their running OR.
`default_nettype none

module pass_select #(
  parameter int Lanes    = 32,
  parameter int Banks    = 32,
  parameter int AddrBits = 16,
  parameter int BankBits = $clog2(Banks),   // derived, do not override
  parameter int LaneBits = $clog2(Lanes)    // derived, do not override
) (
  input  logic                      valid_i,
  input  logic                      load_i,
  input  logic [1:0]                group_i,
  input  logic [Lanes-1:0]          pending_i,
  input  logic [Lanes*AddrBits-1:0] addr_i,

  output logic [Lanes-1:0]          lanes_o,
  output logic [Banks-1:0]          banks_o,   // lead banks of the pass
  output logic [Banks*LaneBits-1:0] win_o      // of each lead bank in banks_o: the lane whose address it takes
);
  logic [BankBits-1:0] bank, clear;
  logic [Banks-1:0]    one_hot, one;
  logic [LaneBits-1:0] win;

  // Yosys 0.23 cannot size a constant by a derived parameter inside a loop, so these stand outside.
  assign clear = BankBits'(group_i);
  assign one   = Banks'(1);

  always_comb begin
    lanes_o = '0;
    banks_o = '0;
    win_o   = 'x;
    bank    = 'x;
    one_hot = 'x;
    win     = 'x;
    if (valid_i) begin
      for (int l = 0; l < Lanes; l++) begin
        bank       = addr_i[l*AddrBits + 2 +: BankBits] & ~clear;
        one_hot    = pending_i[l] ? one << bank : '0;
        lanes_o[l] = (one_hot & ~banks_o) != '0;
        banks_o    = banks_o | one_hot;
        if (lanes_o[l]) win_o[bank*LaneBits +: LaneBits] = l[LaneBits-1:0];
      end
      if (load_i) begin
        for (int l = 0; l < Lanes; l++) begin
          bank = addr_i[l*AddrBits + 2 +: BankBits] & ~clear;
          win  = win_o[bank*LaneBits +: LaneBits];
          if (pending_i[l] && addr_i[l*AddrBits + 2 +: AddrBits - 2] == addr_i[win*AddrBits + 2 +: AddrBits - 2]) lanes_o[l] = 1'b1;
        end
      end
    end
  end
endmodule
`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
// Chooses the lanes of a pass: of every bank group the lowest pending lane, and for loads also all pending lanes on the
// word of this lane. The word has the access width, or 32 bits for a narrower access. Accesses are aligned, so the
// address without the two low bits names the word in both cases. With `Combine` = g, and a combining access
// (`combine_i`), the words of the g lowest of these lanes take all pending lanes: lanes of the same width on the same
// word have the same address.
//
// Combinational. A lane is known by the lowest bank of the lane's group ("lead bank"): groups are 1, 2 or 4 aligned
// banks (`group_i` = banks of a group - 1). Two forms with the same choice:
//   Matrix 0   lane after lane: a Banks-wide one-hot word per lane, and the running OR; quick to simulate
//   Matrix 1   pairs of lanes on the same bank group, on the same word: these depend on the beat alone, and stand still
//              from pass to pass; a pass is two levels of AND-OR over the pairs. Depth grows with the logarithm of the
//              lanes: the form for synthesis
`ifdef SYNTHESIS
 `define WL_PASS_MATRIX 1'b1
`else
 `define WL_PASS_MATRIX 1'b0
`endif
`default_nettype none

module pass_select #(
  parameter int Lanes    = 32,
  parameter int Banks    = 32,
  parameter int AddrBits = 16,
  parameter int Combine  = 0,               // words of a pass serving all lanes
  parameter bit Matrix   = `WL_PASS_MATRIX,
  parameter int Words    = Combine > 0 ? Combine : 1,   // derived, do not override, like all below
  parameter int BankBits = $clog2(Banks),
  parameter int LaneBits = $clog2(Lanes)
) (
  input  logic                      valid_i,
  input  logic                      load_i,
  input  logic                      combine_i, // stores, and operations folded by lane_scan
  input  logic                      store_i,   // the highest of the lanes on a word wins the word
  input  logic [1:0]                group_i,
  input  logic [Lanes-1:0]          pending_i,
  input  logic [Lanes*AddrBits-1:0] addr_i,

  output logic [Lanes-1:0]          lanes_o,
  output logic                      all_o,     // without `Combine`: this pass takes all pending lanes
  output logic [Banks-1:0]          banks_o,   // lead banks of the pass
  output logic [Banks*LaneBits-1:0] win_o,     // of each lead bank in banks_o: the lane naming the address
  output logic [Words*Lanes-1:0]    with_o,    // lanes going together on a word, the winner included; none: no word
  output logic [Words*BankBits-1:0] lead_o     // lead bank of the word
);
  logic [BankBits-1:0]       clear;
  logic [Banks-1:0]          one;
  logic [Lanes-1:0]          first;
  logic [Banks*LaneBits-1:0] first_win;

  // Yosys 0.23 cannot size a constant by a derived parameter inside a loop, so these stand outside.
  assign clear = BankBits'(group_i);
  assign one   = Banks'(1);

  if (Matrix) begin : gen_matrix
    logic [Lanes*Lanes-1:0] same_bank, same_word;   // [l*Lanes + k] for lanes k below l
    logic [Lanes-1:0]       lowest;                 // lowest pending lanes of bank groups
    logic [BankBits-1:0]    lead;
    logic [Banks-1:0]       leads;
    always_comb begin
      same_bank = '0;
      same_word = '0;
      if (valid_i) begin
        for (int l = 1; l < Lanes; l++) begin
          for (int k = 0; k < l; k++) begin
            same_bank[l*Lanes + k] = ((addr_i[l*AddrBits + 2 +: BankBits] ^ addr_i[k*AddrBits + 2 +: BankBits]) & ~clear) == '0;
            same_word[l*Lanes + k] = addr_i[l*AddrBits + 2 +: AddrBits - 2] == addr_i[k*AddrBits + 2 +: AddrBits - 2];
          end
        end
      end
    end
    // Not by way of the lanes of the pass: no two pending lanes are on the same bank group, except on the same word of
    // a load.
    logic [Lanes*Lanes-1:0] apart;                  // pairs of lanes not possible in the same pass
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      for (genvar k = 0; k < Lanes; k++) begin : gen_other
        assign apart[l*Lanes + k] = k < l && pending_i[l] && pending_i[k] && same_bank[l*Lanes + k] && !(load_i && same_word[l*Lanes + k]);
      end
    end
    assign all_o = apart == '0;
    always_comb begin
      lowest    = '0;
      first     = '0;
      banks_o   = '0;
      first_win = '0;
      lead      = 'x;
      leads     = 'x;
      if (valid_i) begin
        for (int l = 0; l < Lanes; l++) lowest[l] = pending_i[l] && (same_bank[l*Lanes +: Lanes] & pending_i) == '0;
        for (int l = 0; l < Lanes; l++) begin
          first[l] = lowest[l] || (load_i && pending_i[l] && (same_word[l*Lanes +: Lanes] & lowest) != '0);
          lead     = addr_i[l*AddrBits + 2 +: BankBits] & ~clear;
          leads    = lowest[l] ? one << lead : '0;
          banks_o  = leads | banks_o;
          for (int b = 0; b < Banks; b++) begin
            if (leads[b]) first_win[b*LaneBits +: LaneBits] = first_win[b*LaneBits +: LaneBits] | l[LaneBits-1:0];
          end
        end
      end
    end
  end else begin : gen_ripple
    assign all_o = (pending_i & ~lanes_o) == '0;
    logic [BankBits-1:0] bank;
    logic [Banks-1:0]    one_hot;
    logic [LaneBits-1:0] win;
    always_comb begin
      first     = '0;
      banks_o   = '0;
      first_win = 'x;
      bank      = 'x;
      one_hot   = 'x;
      win       = 'x;
      if (valid_i) begin
        for (int l = 0; l < Lanes; l++) begin
          bank       = addr_i[l*AddrBits + 2 +: BankBits] & ~clear;
          one_hot    = pending_i[l] ? one << bank : '0;
          first[l]   = (one_hot & ~banks_o) != '0;
          banks_o    = banks_o | one_hot;
          if (first[l]) first_win[bank*LaneBits +: LaneBits] = l[LaneBits-1:0];
        end
        if (load_i) begin
          for (int l = 0; l < Lanes; l++) begin
            bank = addr_i[l*AddrBits + 2 +: BankBits] & ~clear;
            win  = first_win[bank*LaneBits +: LaneBits];
            if (pending_i[l] && addr_i[l*AddrBits + 2 +: AddrBits - 2] == addr_i[win*AddrBits + 2 +: AddrBits - 2]) first[l] = 1'b1;
          end
        end
      end
    end
  end

  if (Combine == 0) begin : gen_apart
    logic unused_combine;
    assign unused_combine = ^{combine_i, store_i};
    assign with_o = '0;
    assign lead_o = '0;
    assign lanes_o = first;
    assign win_o   = first_win;
  end else begin : gen_combine
    logic [Lanes-1:0]    rest, lowest;
    logic [AddrBits-1:0] addr;
    logic [BankBits-1:0] lead;
    always_comb begin
      lanes_o = first;
      win_o   = first_win;
      with_o  = '0;
      lead_o  = '0;
      rest    = '0;
      lowest  = '0;
      addr    = '0;
      lead    = '0;
      if (valid_i && combine_i) begin
        rest = first;
        for (int c = 0; c < Combine; c++) begin
          lowest = rest & (~rest + 1'b1);
          rest   = rest & ~lowest;
          addr   = '0;
          for (int l = 0; l < Lanes; l++) begin
            if (lowest[l]) addr = addr | addr_i[l*AddrBits +: AddrBits];
          end
          lead = addr[2 +: BankBits] & ~clear;
          lead_o[c*BankBits +: BankBits] = lead;
          for (int l = 0; l < Lanes; l++) begin
            if (lowest != '0 && addr_i[l*AddrBits +: AddrBits] == addr && pending_i[l]) begin
              with_o[c*Lanes + l] = 1'b1;
              lanes_o[l]          = 1'b1;
              if (store_i) win_o[lead*LaneBits +: LaneBits] = l[LaneBits-1:0];
            end
          end
        end
      end
    end
  end
endmodule
`undef WL_PASS_MATRIX
`default_nettype wire

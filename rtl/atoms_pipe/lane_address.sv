// SPDX-License-Identifier: Apache-2.0
// Forms and judges the addresses of the lanes of a beat, and finds the lanes trying in a SPIN.
//
// Combinational. A lane's address is (Ra << scale) + offset in 32 bits: {rank of the CTA in the cluster (8), offset in
// the CTA's window (24)}; without any register the address is the offset alone. Faults, first match:
// ILLEGAL_INSTRUCTION (3), MISALIGNED_ADDRESS (1), SHARED_OUT_OF_RANGE (2). Window sizes are multiples of 16 bytes: an
// aligned access starting inside the window ends inside the window.
//
// With `Cluster` some accesses reach the windows of other CTAs of the cluster, if any. Faults of these accesses:
// CLUSTER_RANK (4): no CTA has the rank, CLUSTER_TARGET (5): the CTA has ended, BAD_SPACE (6): the access is for the
// own CTA alone. For all other accesses everything outside the own CTA is out of range.
//
// SPIN: of the lanes on the same architectural bank (address bits 6:2 in the SM's shared memory, 6:3 for 64 bits) only
// the lowest lane of the warp tries. `tried_i` holds the banks tried by earlier beats of the instruction. Two forms
// with the same results:
//   Pairs 0   lane after lane: quick to simulate
//   Pairs 1   pairs of lanes on the same bank, found beside the judgement; depth grows with the logarithm of the lanes:
//             the form for synthesis
`ifdef SYNTHESIS
 `define WL_SPIN_PAIRS 1'b1
`else
 `define WL_SPIN_PAIRS 1'b0
`endif
`default_nettype none

module lane_address #(
  parameter int Lanes    = 32,
  parameter int AddrBits = 16,
  parameter bit Cluster  = 1'b0,
  parameter int Ranks    = 16,                       // most ranks of a cluster here: 1, 2, 4, 8, 16
  parameter bit Pairs    = `WL_SPIN_PAIRS
) (
  input  logic                      valid_i,
  input  logic [Lanes-1:0]          mask_i,
  input  logic [Lanes*32-1:0]       ra_i,
  input  logic                      ra_used_i,
  input  logic [2:0]                scale_i,
  input  logic [31:0]               offset_i,
  input  logic [2:0]                size_i,       // log2 of bytes
  input  logic                      illegal_i,
  input  logic                      spin_i,
  input  logic                      window_valid_i,
  input  logic [16:0]               window_base_i,
  input  logic [16:0]               window_size_i,
  input  logic [3:0]                window_rank_i,   // of the own CTA; 0: the address is an offset alone
  input  logic [31:0]               tried_i,
  input  logic                      reaches_i,       // the access reaches other CTAs of the cluster,
  input  logic                      serves_i,        // ... and is allowed to do so
  input  logic                      several_i,       // the cluster has other CTAs: by rank (cluster_windows)
  input  logic [15:0]               there_i,
  input  logic [15:0]               lives_i,
  input  logic [16*13-1:0]          there_base_i,
  input  logic [16*13-1:0]          there_size_i,

  output logic [Lanes*AddrBits-1:0] addr_o,       // byte address in the SM's shared memory
  output logic [Lanes-1:0]          ok_o,         // active and without fault
  output logic [Lanes-1:0]          code2_o,      // fault code, a vector per bit
  output logic [Lanes-1:0]          code1_o,
  output logic [Lanes-1:0]          code0_o,
  output logic [Lanes-1:0]          pending_o,    // lanes in need of a bank
  output logic [Lanes-1:0]          losers_o,     // SPIN: lanes failing at once
  output logic [31:0]               tried_o
);
  logic [3:0]       low_bits;      // address bits required to be 0
  logic [31:0]      addr;
  logic [Lanes*32-1:0] shifted;    // Ra << scale, or 0 without Ra
  logic [AddrBits-1:0] origin;     // offset plus base of the own CTA's window: beside the sum, not behind the sum
  logic [Lanes-1:0] misaligned, outside, fine;
  logic [Lanes-1:0] absent, ended, barred; // of other CTAs
  logic             own;
  logic [3:0]       rank;
  logic [16:0]      base, size;

  always_comb begin
    case (size_i)
      3'd0:    low_bits = 4'b0000;
      3'd1:    low_bits = 4'b0001;
      3'd2:    low_bits = 4'b0011;
      3'd3:    low_bits = 4'b0111;
      default: low_bits = 4'b1111;
    endcase
  end

  // Sixteen bits apart: indexing needs no multiplier.
  logic [255:0] bases, sizes;
  for (genvar r = 0; r < 16; r++) begin : gen_rank
    assign bases[r*16 +: 16] = {3'd0, there_base_i[r*13 +: 13]};
    assign sizes[r*16 +: 16] = {3'd0, there_size_i[r*13 +: 13]};
  end

  always_comb begin
    addr_o     = 'x;
    misaligned = 'x;
    outside    = 'x;
    shifted    = 'x;
    origin     = 'x;
    addr       = 'x;
    {absent, ended, barred} = '0;
    own        = 'x;
    rank       = 'x;
    base       = 'x;
    size       = 'x;
    if (valid_i) begin
      origin = offset_i[AddrBits-1:0] + window_base_i[AddrBits-1:0];
      for (int l = 0; l < Lanes; l++) begin
        shifted[l*32 +: 32] = ra_used_i ? ra_i[l*32 +: 32] << scale_i : 32'd0;
        addr          = shifted[l*32 +: 32] + offset_i;
        misaligned[l] = (addr[3:0] & low_bits) != 4'd0;
        own           = addr[31:24] == {4'd0, window_rank_i};
        base          = window_base_i;
        size          = window_size_i;
        if (Cluster && reaches_i && several_i && !own) begin
          rank      = addr[27:24] & 4'(Ranks - 1);
          absent[l] = addr[31:24] >= 8'(Ranks) || !there_i[rank];
          ended[l]  = !absent[l] && !lives_i[rank];
          barred[l] = !absent[l] && !ended[l] && !serves_i;
          base      = {bases[{rank, 4'd0} +: 13], 4'd0};
          size      = {sizes[{rank, 4'd0} +: 13], 4'd0};
          own       = 1'b1;
        end
        outside[l]    = !window_valid_i || !own || absent[l] || ended[l] || barred[l] || addr[23:0] >= {7'd0, size};
        addr_o[l*AddrBits +: AddrBits] = Cluster ? addr[AddrBits-1:0] + base[AddrBits-1:0] : shifted[l*32 +: AddrBits] + origin;
      end
    end
  end
  assign fine = illegal_i ? '0 : mask_i & ~(misaligned | outside);

  if (!Pairs) begin : gen_in_turn
    logic [31:0] one_hot;
    logic [4:0]  spin_bank;
    always_comb begin
      losers_o  = '0;
      tried_o   = tried_i;
      spin_bank = 'x;
      one_hot   = 'x;
      if (valid_i && spin_i) begin
        for (int l = 0; l < Lanes; l++) begin
          spin_bank = size_i == 3'd3 ? {1'b0, addr_o[l*AddrBits + 3 +: 4]} : addr_o[l*AddrBits + 2 +: 5];
          one_hot     = fine[l] ? 32'd1 << spin_bank : 32'd0;
          losers_o[l] = (one_hot & tried_o) != 32'd0;
          tried_o     = tried_o | one_hot;
        end
      end
    end
  end else begin : gen_pairs
    logic [Lanes*5-1:0]  bank;
    logic [Lanes*32-1:0] one_hot;
    logic [Lanes-1:0]    lost;
    logic [31:0]         tries;
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      logic             earlier;           // the bank was tried by an earlier beat
      logic [Lanes-1:0] meets;             // lower lanes on the same bank
      assign bank[l*5 +: 5]      = size_i == 3'd3 ? {1'b0, addr_o[l*AddrBits + 3 +: 4]} : addr_o[l*AddrBits + 2 +: 5];
      assign one_hot[l*32 +: 32] = fine[l] ? 32'd1 << bank[l*5 +: 5] : '0;
      assign earlier             = tried_i[bank[l*5 +: 5]];
      for (genvar k = 0; k < Lanes; k++) begin : gen_other
        assign meets[k] = k < l && bank[l*5 +: 5] == bank[k*5 +: 5];
      end
      assign lost[l] = spin_i && fine[l] && (earlier || (meets & fine) != '0);
    end
    for (genvar b = 0; b < 32; b++) begin : gen_bank
      logic [Lanes-1:0] here;
      for (genvar l = 0; l < Lanes; l++) begin : gen_lane
        assign here[l] = one_hot[l*32 + b];
      end
      assign tries[b] = here != '0;
    end
    assign losers_o = valid_i ? lost : '0;
    assign tried_o  = tried_i | (valid_i && spin_i ? tries : '0);
  end

  // Codes: 1 misaligned, 2 out of range, 3 illegal, 4 no such rank, 5 ended, 6 not for other CTAs.
  always_comb begin
    code2_o = '0;
    if (illegal_i) begin
      code0_o = mask_i;
      code1_o = mask_i;
    end else begin
      code0_o = mask_i & misaligned;
      code1_o = mask_i & outside & ~misaligned;
      if (Cluster) begin
        code2_o = mask_i & (absent | ended | barred) & ~misaligned;
        code1_o = code1_o & ~(absent | ended);
        code0_o = code0_o | (mask_i & ended & ~misaligned);
      end
    end
  end
  assign ok_o      = fine;
  assign pending_o = ok_o & ~losers_o;

  logic unused_bits;
  assign unused_bits = ^{window_base_i, base, absent, ended, barred, reaches_i, serves_i, several_i, there_i, lives_i, there_base_i,
                         there_size_i, rank, bases, sizes};
endmodule
`undef WL_SPIN_PAIRS
`default_nettype wire

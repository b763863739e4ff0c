// SPDX-License-Identifier: Apache-2.0
// Operands of lanes on the same word, folded as if the lanes took effect one after the other. Each lane gets the fold
// over the lanes below, and the word gets the fold over all lanes.
//
// Two stages with a register between, a result every cycle: lanes are folded within groups of `Group`, then groups.
// Exclusive prefix by doubling (Sklansky): log2(Lanes) operations deep in all. Folding is associative: the word read by
// the first lane may be folded with the result, op(op(old, a), b) = op(old, op(a, b)).
//
//   op_i  0 ADD   1 MIN   2 MAX   5 AND   6 OR   7 XOR   8 EXCH: the later operand  (numbers of atomic_alu)
`default_nettype none

module lane_scan #(
  parameter int Lanes  = 32,                          // a power of two
  parameter int Bits   = 32,
  parameter int Group  = Lanes > 8 ? 8 : Lanes,       // lanes folded by the first stage; a power of two
  parameter int Groups = Lanes / Group                // derived, do not override
) (
  input  logic                  clk_i,

  // first stage
  input  logic                  valid_i,
  input  logic [3:0]            op_i,
  input  logic                  signed_i,             // MIN and MAX compare signed
  input  logic [Lanes-1:0]      use_i,                // participating lanes
  input  logic [Lanes*Bits-1:0] b_i,

  // second stage, in the next cycle
  output logic [Bits-1:0]       total_o,              // of all participating lanes; no meaning without any
  output logic [Lanes-1:0]      has_o,                // lanes with a participating lane below
  output logic [Lanes*Bits-1:0] prefix_o              // fold over the lanes below; no meaning without has_o
);
  localparam logic [3:0] Min = 4'd1, Max = 4'd2, And = 4'd5, Or = 4'd6, Xor = 4'd7, Exch = 4'd8;

  function automatic logic [Bits-1:0] fold(input logic [3:0] op, input logic flip, input logic [Bits-1:0] a,
                                           input logic [Bits-1:0] b);
    logic below;
    below = (a ^ {flip, {Bits-1{1'b0}}}) < (b ^ {flip, {Bits-1{1'b0}}});
    case (op)
      Min:     fold = below ? a : b;
      Max:     fold = below ? b : a;
      And:     fold = a & b;
      Or:      fold = a | b;
      Xor:     fold = a ^ b;
      Exch:    fold = b;
      default: fold = a + b;
    endcase
  endfunction

  // Step k of doubling: the last index of the lower half of a block of 2^(k+1), for an index n of the upper half.
  function automatic int half(input int n, input int k);
    half = ((n >> k) & 1) != 0 ? ((n >> k) << k) - 1 : n;
  endfunction

  // ---- first stage: each lane with the lanes below in the group ------------------------------------------------
  logic [Lanes-1:0]      any, any_q;
  logic [Lanes*Bits-1:0] upto, upto_q;
  logic                  valid_q, signed_q;
  logic [3:0]            op_q;

  always_comb begin
    any  = use_i;
    upto = 'x;
    if (valid_i) begin
      upto = b_i;
      for (int k = 0; k < $clog2(Group); k++) begin
        for (int l = 0; l < Lanes; l++) begin
          if (((l >> k) & 1) != 0 && any[half(l, k)]) begin
            upto[l*Bits +: Bits] = any[l] ? fold(op_i, signed_i, upto[half(l, k)*Bits +: Bits], upto[l*Bits +: Bits]) :
                                   upto[half(l, k)*Bits +: Bits];
            any[l]               = 1'b1;
          end
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    valid_q <= valid_i;
    if (valid_i) begin
      any_q    <= any;
      upto_q   <= upto;
      op_q     <= op_i;
      signed_q <= signed_i;
    end
  end

  // ---- second stage: groups -----------------------------------------------------------------------------------
  logic [Groups-1:0]      group_any;
  logic [Groups*Bits-1:0] group_upto;

  always_comb begin
    group_any  = '0;
    group_upto = 'x;
    if (valid_q) begin
      for (int g = 0; g < Groups; g++) begin
        group_any[g]                = any_q[g*Group + Group - 1];
        group_upto[g*Bits +: Bits]  = upto_q[(g*Group + Group - 1)*Bits +: Bits];
      end
      for (int k = 0; k < $clog2(Groups); k++) begin
        for (int g = 0; g < Groups; g++) begin
          if (((g >> k) & 1) != 0 && group_any[half(g, k)]) begin
            group_upto[g*Bits +: Bits] = group_any[g] ? fold(op_q, signed_q, group_upto[half(g, k)*Bits +: Bits],
                                         group_upto[g*Bits +: Bits]) : group_upto[half(g, k)*Bits +: Bits];
            group_any[g]               = 1'b1;
          end
        end
      end
    end
  end

  always_comb begin
    total_o  = 'x;
    has_o    = '0;
    prefix_o = 'x;
    if (valid_q) begin
      total_o = group_upto[(Groups - 1)*Bits +: Bits];
      for (int l = 0; l < Lanes; l++) begin
        if (l % Group != 0 && any_q[l == 0 ? 0 : l - 1]) begin
          has_o[l]                 = 1'b1;
          prefix_o[l*Bits +: Bits] = upto_q[(l == 0 ? 0 : l - 1)*Bits +: Bits];
        end
        if (l >= Group && group_any[l < Group ? 0 : l / Group - 1]) begin
          prefix_o[l*Bits +: Bits] = has_o[l] ? fold(op_q, signed_q, group_upto[(l < Group ? 0 : l / Group - 1)*Bits +: Bits],
                                     prefix_o[l*Bits +: Bits]) : group_upto[(l < Group ? 0 : l / Group - 1)*Bits +: Bits];
          has_o[l]                 = 1'b1;
        end
      end
    end
  end
endmodule
`default_nettype wire

// SPDX-License-Identifier: Apache-2.0
// Words of a sector that take all lanes in one pass of sector_pass: the words of the `Combine` lowest pending lanes.
//
//   P  selects the lanes of each word; a lane_scan for each word folds the operands
//   X  the word gets the fold of all lanes as operand; each lane reads the word left by the lanes below
//
// The networks have 64 bits. Operands of 32 bits stand in the upper half, above zeros: carries, signs and comparisons
// are the same there as in 64 bits, and the lower half stays 0.
`default_nettype none

module sector_combine #(
  parameter int Warp     = 32,
  parameter int Combine  = 1,                    // words of a pass that take all lanes
  parameter int Words    = Combine               // derived, do not override
) (
  input  logic                 clk_i,
  input  logic                 rst_i,

  // P
  input  logic                 valid_i,          // a combining pass
  input  logic                 go_i,             // ... and goes on to X
  input  logic                 store_i,          // of a word the last lane stays: nothing is folded
  input  logic [3:0]           op_i,             // of sector_alu; ADD MIN MAX AND OR XOR EXCH
  input  logic                 signed_i,
  input  logic [2:0]           size_i,           // log2 of the bytes; folded operands have 4 or 8
  input  logic [Warp-1:0]      pending_i,
  input  logic [5*Warp-1:0]    offset_i,         // bit k of the place of each lane in the sector
  input  logic [Warp*128-1:0]  b_i,
  output logic [Warp-1:0]      with_o,           // lanes of the combined words

  // X
  input  logic [255:0]         old_i,            // the sector before the pass
  output logic [7:0]           fold_we_o,        // words with another operand than a lane's own
  output logic [255:0]         fold_o,
  output logic [Warp-1:0]      turn_we_o,        // lanes behind other lanes of the word
  output logic [Warp*64-1:0]   turn_o            // the value read by each
);
  // ---- P: words, lanes -----------------------------------------------------------------------------------------
  logic [Words*Warp-1:0] with_lanes;
  logic [Words*3-1:0]    word;                   // the first word of a pair
  logic [Words-1:0]      scans;
  logic [Warp-1:0]       rest, lowest, same, near;
  logic [4:0]            at;
  logic [Warp*64-1:0]    operand;

  // Lanes with the address of the lowest lane; all other lanes in the words of this lane drop out.
  always_comb begin
    with_o     = '0;
    with_lanes = '0;
    {word, rest, lowest, same, near, at} = 'x;
    if (valid_i) begin
      rest = pending_i;
      for (int c = 0; c < Words; c++) begin
        lowest = rest & (~rest + 1'b1);
        same   = rest;
        near   = rest;
        for (int k = 0; k < 5; k++) begin
          at[k] = (lowest & offset_i[k*Warp +: Warp]) != '0;
          same  = same & (at[k] ? offset_i[k*Warp +: Warp] : ~offset_i[k*Warp +: Warp]);
          if (k >= 2 && k >= 32'(size_i)) near = near & (at[k] ? offset_i[k*Warp +: Warp] : ~offset_i[k*Warp +: Warp]);
        end
        with_lanes[c*Warp +: Warp] = lowest == '0 ? '0 : same;
        word[c*3 +: 3]             = at[4:2];
        rest                       = rest & ~near;
        with_o                     = with_o | with_lanes[c*Warp +: Warp];
      end
    end
  end
  always_comb begin
    operand = 'x;
    if (valid_i && !store_i) begin
      for (int l = 0; l < Warp; l++) operand[l*64 +: 64] = size_i == 3'd3 ? b_i[l*128 +: 64] : {b_i[l*128 +: 32], 32'd0};
    end
  end

  logic [Words*64-1:0]      total;
  logic [Words*Warp-1:0]    has;
  logic [Words*Warp*64-1:0] prefix;
  for (genvar c = 0; c < Words; c++) begin : gen_word
    assign scans[c] = valid_i && go_i && !store_i && with_lanes[c*Warp +: Warp] != '0;
    lane_scan #(.Lanes(Warp), .Bits(64)) u_scan (
      .clk_i, .valid_i(scans[c]), .op_i, .signed_i, .use_i(with_lanes[c*Warp +: Warp]), .b_i(operand),
      .total_o(total[c*64 +: 64]), .has_o(has[c*Warp +: Warp]), .prefix_o(prefix[c*Warp*64 +: Warp*64])
    );
  end

  // ---- X -------------------------------------------------------------------------------------------------------
  logic [Words-1:0]      x_scans_q;
  logic [Words*Warp-1:0] x_with_q;
  logic [Words*3-1:0]    x_word_q;
  logic [3:0]            x_op_q;
  logic                  x_signed_q, x_wide_q;
  always_ff @(posedge clk_i) begin
    x_scans_q <= rst_i ? '0 : scans;
    if (scans != '0) begin
      x_with_q   <= with_lanes;
      x_word_q   <= word;
      x_op_q     <= op_i;
      x_signed_q <= signed_i;
      x_wide_q   <= size_i == 3'd3;
    end
  end

  logic [2:0]         w;
  logic [Warp*64-1:0] old, earlier;              // of each lane behind others: the word; the fold of these
  always_comb begin
    fold_we_o = '0;
    turn_we_o = '0;
    {fold_o, old, earlier, w} = 'x;
    if (x_scans_q != '0) begin
      for (int c = 0; c < Words; c++) begin
        w = x_word_q[c*3 +: 3];
        if (x_scans_q[c]) begin
          fold_we_o[w]       = 1'b1;
          fold_o[w*32 +: 32] = x_wide_q ? total[c*64 +: 32] : total[c*64 + 32 +: 32];
          if (x_wide_q) begin
            fold_we_o[{w[2:1], 1'b1}]     = 1'b1;
            fold_o[{w[2:1], 6'd32} +: 32] = total[c*64 + 32 +: 32];
          end
          for (int l = 0; l < Warp; l++) begin
            if (x_with_q[c*Warp + l] && has[c*Warp + l]) begin
              turn_we_o[l]        = 1'b1;
              old[l*64 +: 64]     = {old_i[{w[2:1], 6'd32} +: 32], old_i[w*32 +: 32]};
              earlier[l*64 +: 64]  = x_wide_q ? prefix[(c*Warp + l)*64 +: 64] : {32'd0, prefix[(c*Warp + l)*64 + 32 +: 32]};
            end
          end
        end
      end
    end
  end
  logic              turns;
  logic [Warp*2-1:0] unused_match;
  assign turns = turn_we_o != '0;
  atomic_alu #(.Pairs(Warp), .Longs(1'b1)) u_turns (
    .valid_i(turns), .op_i(x_op_q), .signed_i(x_signed_q), .cas_i(1'b0), .wide_i(x_wide_q), .quad_i(1'b0),
    .old_i(old), .b_i(earlier), .c_i({Warp{64'd0}}), .new_o(turn_o), .match_o(unused_match)
  );

  logic unused;
  assign unused = ^b_i;
endmodule
`default_nettype wire

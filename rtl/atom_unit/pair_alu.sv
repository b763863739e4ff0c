// SPDX-License-Identifier: Apache-2.0
// Read-modify-write of one lane's word or pair of words, step by step, for sector_steps: the operations of sector_alu,
// with one adder of integers and one adder of floats.
//
// The inputs stay. `whole_i` takes an integer into `new_o`, three cycles after the inputs came. `part_i` takes floats
// number by number, one cycle more than fp_sum takes after the start of the number; parts_o is the last number. A word
// stands in the low half of `old_i` and of the result.
`default_nettype none

module pair_alu (
  input  logic        clk_i,
  input  logic [3:0]  op_i,                      // as in sector_alu, like the next three
  input  logic [2:0]  type_i,
  input  logic        signed_i,
  input  logic        cas_i,
  input  logic        wide_i,                    // 64 bits
  input  logic [63:0] old_i,
  input  logic [63:0] b_i,
  input  logic [63:0] c_i,
  input  logic        next_i,                    // first cycle of a part of a float
  input  logic        whole_i,                   // keep the result of an integer
  input  logic        part_i,                    // keep the result of a float ...
  input  logic [1:0]  part_at_i,                 // ... this part
  output logic [1:0]  parts_o,                   // the last part
  output logic        equal_o,                   // old_i equals b_i, a cycle later
  output logic [63:0] new_o
);
  localparam logic [3:0] Add = 4'd0, Min = 4'd1, Max = 4'd2, Inc = 4'd3, Dec = 4'd4, And = 4'd5, Or = 4'd6, Xor = 4'd7;
  localparam logic [2:0] F16 = 3'd2, F64 = 3'd3, Bf16 = 3'd5;

  // ---- integers ----------------------------------------------------------------------------------------------
  // The upper halves count with wide_i only. Each bit of the result is one of these terms, or several, exclusively or:
  //
  //          old   b   old and b   sum   c
  //   OR      x    x       x
  //   XOR     x    x
  //   AND                  x
  //   others a single term: old, b, sum or c, or none (INC of b or above)
  logic [63:0] sum_q, whole;
  logic        low_below_q, high_below_q, low_equal_q, high_equal_q, none_q, below, equal;
  logic        take_old, take_b, take_both, take_sum, take_c, flip;
  logic [4:0]  take_q;                           // the terms of the result, one cycle later

  assign flip = signed_i && !cas_i && (op_i == Min || op_i == Max);
  always_ff @(posedge clk_i) begin
    sum_q        <= old_i + (op_i == Add ? b_i : op_i == Inc ? 64'd1 : {64{1'b1}});
    low_below_q  <= {old_i[31] ^ (flip && !wide_i), old_i[30:0]} < {b_i[31] ^ (flip && !wide_i), b_i[30:0]};
    high_below_q <= {old_i[63] ^ flip, old_i[62:32]} < {b_i[63] ^ flip, b_i[62:32]};
    low_equal_q  <= old_i[31:0] == b_i[31:0];
    high_equal_q <= old_i[63:32] == b_i[63:32];
    none_q       <= old_i[31:0] == '0;
  end
  assign equal   = low_equal_q && (high_equal_q || !wide_i);
  assign below   = wide_i ? high_below_q || (high_equal_q && low_below_q) : low_below_q;
  assign equal_o = equal;

  always_comb begin
    {take_old, take_b, take_both, take_sum, take_c} = '0;
    case (op_i)
      Add:     take_sum = 1'b1;
      Min:     {take_old, take_b} = {below, !below};
      Max:     {take_old, take_b} = {!below, below};
      Inc:     take_sum = below;
      Dec:     {take_b, take_sum} = none_q || !(below || equal) ? 2'b10 : 2'b01;
      And:     take_both = 1'b1;
      Or:      {take_old, take_b, take_both} = 3'b111;
      Xor:     {take_old, take_b} = 2'b11;
      default: take_b = 1'b1;
    endcase
    if (cas_i) {take_old, take_b, take_both, take_sum, take_c} = 5'b00001;
  end
  always_ff @(posedge clk_i) take_q <= {take_old, take_b, take_both, take_sum, take_c};
  assign whole = (({64{take_q[4]}} & old_i) ^ ({64{take_q[3]}} & b_i) ^ ({64{take_q[2]}} & old_i & b_i)) |
                 ({64{take_q[1]}} & sum_q) | ({64{take_q[0]}} & c_i);

  // ---- floats ------------------------------------------------------------------------------------------------
  logic        halves, sums;
  logic [63:0] a_part, b_part, sum;
  logic [15:0] a_half_q, b_half_q, f16, bf16, half_q;

  assign halves  = type_i == F16 || type_i == Bf16;
  assign sums    = op_i == Add;
  assign parts_o = halves ? {wide_i, 1'b1} : {1'b0, wide_i && type_i != F64};
  always_comb begin
    a_part = old_i;
    b_part = b_i;
    if (halves) begin
      a_part[15:0] = old_i[{part_at_i, 4'd0} +: 16];
      b_part[15:0] = b_i[{part_at_i, 4'd0} +: 16];
    end else if (type_i != F64) begin
      a_part[31:0] = old_i[{part_at_i[0], 5'd0} +: 32];
      b_part[31:0] = b_i[{part_at_i[0], 5'd0} +: 32];
    end
  end
  fp_sum u_sum (.clk_i, .next_i, .type_i, .a_i(a_part), .b_i(b_part), .sum_o(sum));
  fp_minmax #(.Exp(5), .Man(10)) u_f16 (
    .valid_i(1'b1), .max_i(op_i == Max), .a_i(a_half_q), .b_i(b_half_q), .result_o(f16)
  );
  fp_minmax #(.Exp(8), .Man(7)) u_bf16 (
    .valid_i(1'b1), .max_i(op_i == Max), .a_i(a_half_q), .b_i(b_half_q), .result_o(bf16)
  );
  always_ff @(posedge clk_i) begin               // time enough: a sum takes longer
    a_half_q <= a_part[15:0];
    b_half_q <= b_part[15:0];
    half_q   <= type_i == F16 ? f16 : bf16;
  end

  // ---- together ----------------------------------------------------------------------------------------------
  logic [63:0] part;
  logic [3:0]  keep;                             // quarters

  assign part = sums ? sum : {4{half_q}};
  assign keep = whole_i ? 4'hf : !part_i ? 4'h0 : halves ? 4'd1 << part_at_i : type_i == F64 ? 4'hf : part_at_i[0] ? 4'hc : 4'h3;
  for (genvar q = 0; q < 4; q++) begin : gen_quarter
    always_ff @(posedge clk_i) if (keep[q]) new_o[q*16 +: 16] <= whole_i ? whole[q*16 +: 16] : part[q*16 +: 16];
  end
endmodule
`default_nettype wire

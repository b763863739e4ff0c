// SPDX-License-Identifier: Apache-2.0
// Read-modify-write of one lane's word or pair of words, step by step, for sector_steps: the operations of sector_alu, of which it has
// one adder of integers and one of floats.
//
// What goes in stays. `new_o` is made by `whole_i`, two cycles after that, or, of floats, number by number: by `part_i`, as many cycles after
// its number as fp_sum takes, and one; parts_o says which number is the last one. A word stands in the low half of
// `old_i` and of the result.
`default_nettype none

module pair_alu (
  input  logic        clk_i,
  input  logic [3:0]  op_i,                      // as in sector_alu, with these
  input  logic [2:0]  type_i,
  input  logic        signed_i,
  input  logic        cas_i,
  input  logic        wide_i,                    // 64 bits
  input  logic [63:0] old_i,
  input  logic [63:0] b_i,
  input  logic [63:0] c_i,
  input  logic        floats_i,                  // parts are to come
  input  logic        whole_i,                   // keep the result of an integer
  input  logic        part_i,                    // keep that of a float ...
  input  logic [1:0]  part_at_i,                 // ... this one
  output logic [1:0]  parts_o,                   // the last one
  output logic        equal_o,                   // old_i and b_i are, a cycle later
  output logic [63:0] new_o
);
  localparam logic [3:0] Add = 4'd0, Min = 4'd1, Max = 4'd2, Inc = 4'd3, Dec = 4'd4, And = 4'd5, Or = 4'd6, Xor = 4'd7;
  localparam logic [2:0] F16 = 3'd2, F64 = 3'd3, Bf16 = 3'd5;

  // ---- integers ----------------------------------------------------------------------------------------------
  // 32 bits are below zeros, so that one comparison is that of both widths.
  logic [63:0] old, b, top, sum_q, whole;
  logic        below_q, equal_q, none_q;

  assign old = {wide_i ? old_i[63:32] : 32'd0, old_i[31:0]};
  assign b   = {wide_i ? b_i[63:32] : 32'd0, b_i[31:0]};
  assign top = signed_i && !cas_i && (op_i == Min || op_i == Max) ? {wide_i, 31'd0, !wide_i, 31'd0} : 64'd0;
  always_ff @(posedge clk_i) begin
    sum_q   <= old + (op_i == Add ? b : op_i == Inc ? 64'd1 : {64{1'b1}});
    below_q <= (old ^ top) < (b ^ top);
    equal_q <= old == b;
    none_q  <= old[31:0] == '0;
  end
  always_comb begin
    case (op_i)
      Add:     whole = sum_q;
      Min:     whole = below_q ? old : b;
      Max:     whole = below_q ? b : old;
      Inc:     whole = below_q ? sum_q : 64'd0;
      Dec:     whole = none_q || !(below_q || equal_q) ? b : sum_q;
      And:     whole = old & b;
      Or:      whole = old | b;
      Xor:     whole = old ^ b;
      default: whole = b;
    endcase
    if (cas_i) whole = c_i;
  end
  assign equal_o = equal_q;

  // ---- floats ------------------------------------------------------------------------------------------------
  logic        halves, sums;
  logic [63:0] a_part, b_part, sum;
  logic [15:0] f16, bf16;

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
  fp_sum u_sum (.clk_i, .valid_i(floats_i), .type_i, .a_i(a_part), .b_i(b_part), .sum_o(sum));
  fp_minmax #(.Exp(5), .Man(10)) u_f16 (
    .valid_i(floats_i), .max_i(op_i == Max), .a_i(a_part[15:0]), .b_i(b_part[15:0]), .result_o(f16)
  );
  fp_minmax #(.Exp(8), .Man(7)) u_bf16 (
    .valid_i(floats_i), .max_i(op_i == Max), .a_i(a_part[15:0]), .b_i(b_part[15:0]), .result_o(bf16)
  );

  // ---- together ----------------------------------------------------------------------------------------------
  logic [63:0] part;
  logic [3:0]  keep;                             // quarters

  assign part = sums ? sum : {4{type_i == F16 ? f16 : bf16}};
  assign keep = whole_i ? 4'hf : !part_i ? 4'h0 : halves ? 4'd1 << part_at_i : type_i == F64 ? 4'hf : part_at_i[0] ? 4'hc : 4'h3;
  for (genvar q = 0; q < 4; q++) begin : gen_quarter
    always_ff @(posedge clk_i) if (keep[q]) new_o[q*16 +: 16] <= whole_i ? whole[q*16 +: 16] : part[q*16 +: 16];
  end
endmodule
`default_nettype wire

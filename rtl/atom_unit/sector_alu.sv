// SPDX-License-Identifier: Apache-2.0
// Read-modify-write of the eight words of a sector, one lane for each word or group of words.
//
// Combinational but for the float adders with FpStages = 2. All groups do the same operation. A group is 1, 2 or 4 words
// as the size says, 128 bits for exchange and compare alone.
//
//   op_i   0 ADD  1 MIN  2 MAX  3 INC  4 DEC  5 AND  6 OR  7 XOR  8 EXCH (also: store); no meaning with `cas_i`
//   type_i 0 integer; sums of: 1 f32, flushed  2 f16  3 f64  4 f32  5 bf16; MIN and MAX of 2 and 5. As many as the group holds
`default_nettype none

module sector_alu #(
  parameter int FpStages = 1
) (
  input  logic                 clk_i,
  input  logic                 valid_i,          // low: the outputs have no meaning
  input  logic [3:0]           op_i,
  input  logic [2:0]           type_i,
  input  logic                 signed_i,
  input  logic                 cas_i,
  input  logic [2:0]           size_i,           // log2 of the bytes
  input  logic [255:0]         old_i,
  input  logic [255:0]         b_i,
  input  logic [255:0]         c_i,
  output logic [255:0]         new_o,
  output logic [7:0]           match_o           // the group of the word equals b_i
);
  localparam logic [3:0] Add = 4'd0, Min = 4'd1, Max = 4'd2, Inc = 4'd3, Dec = 4'd4,
                         And = 4'd5, Or = 4'd6, Xor = 4'd7;
  localparam logic [2:0] F32Ftz = 3'd1, F16 = 3'd2, F64 = 3'd3, F32 = 3'd4, Bf16 = 3'd5;

  // ---- integers --------------------------------------------------------------------------------------------
  // A pair of words is two integers of 32 bits, or one of 64. INC and DEC have 32 bits.
  function automatic logic [63:0] rmw(input logic [3:0] op, input logic flip, input logic wide, input logic [63:0] old,
                                      input logic [63:0] b);
    logic        low_below, high_below, below0, below1, low_equal, carry;
    logic [31:0] plus;
    logic [32:0] low;
    logic [31:0] high;
    low_below  = (old[31:0] ^ {flip && !wide, 31'd0}) < (b[31:0] ^ {flip && !wide, 31'd0});
    high_below = (old[63:32] ^ {flip, 31'd0}) < (b[63:32] ^ {flip, 31'd0});
    low_equal  = old[31:0] == b[31:0];
    below1     = high_below || (wide && old[63:32] == b[63:32] && low_below);
    below0     = wide ? below1 : low_below;
    plus       = op == Dec ? 32'hffff_ffff : 32'd1;
    low        = {1'b0, old[31:0]} + {1'b0, op == Add ? b[31:0] : plus};
    carry      = wide && low[32];
    high       = old[63:32] + (op == Add ? b[63:32] : plus) + {31'd0, carry};
    case (op)
      Add:     rmw = {high, low[31:0]};
      Min:     rmw = {below1 ? old[63:32] : b[63:32], below0 ? old[31:0] : b[31:0]};
      Max:     rmw = {below1 ? b[63:32] : old[63:32], below0 ? b[31:0] : old[31:0]};
      Inc:     rmw = {high_below ? high : 32'd0, low_below ? low[31:0] : 32'd0};
      Dec:     rmw = {old[63:32] == '0 || !(high_below || old[63:32] == b[63:32]) ? b[63:32] : high,
                      old[31:0] == '0 || !(low_below || low_equal) ? b[31:0] : low[31:0]};
      And:     rmw = old & b;
      Or:      rmw = old | b;
      Xor:     rmw = old ^ b;
      default: rmw = b;
    endcase
  endfunction

  // ---- floats ----------------------------------------------------------------------------------------------
  logic         is_f32, is_f64, is_f16, is_bf16, sums;
  logic [255:0] s32, s64, s16, sb16, m16, mb16;

  assign is_f32  = valid_i && (type_i == F32Ftz || type_i == F32);
  assign is_f64  = valid_i && type_i == F64;
  assign is_f16  = valid_i && type_i == F16;
  assign is_bf16 = valid_i && type_i == Bf16;
  assign sums    = op_i == Add;

  for (genvar w = 0; w < 8; w++) begin : gen_word
    fp_add #(.Exp(8), .Man(23), .Stages(FpStages)) u_f32 (
      .clk_i, .valid_i(is_f32), .ftz_i(type_i == F32Ftz), .a_i(old_i[w*32 +: 32]), .b_i(b_i[w*32 +: 32]),
      .sum_o(s32[w*32 +: 32])
    );
  end
  for (genvar h = 0; h < 16; h++) begin : gen_half
    fp_add #(.Exp(5), .Man(10), .Stages(FpStages)) u_f16 (
      .clk_i, .valid_i(is_f16 && sums), .ftz_i(1'b0), .a_i(old_i[h*16 +: 16]), .b_i(b_i[h*16 +: 16]), .sum_o(s16[h*16 +: 16])
    );
    fp_add #(.Exp(8), .Man(7), .Stages(FpStages)) u_bf16 (
      .clk_i, .valid_i(is_bf16 && sums), .ftz_i(1'b0), .a_i(old_i[h*16 +: 16]), .b_i(b_i[h*16 +: 16]), .sum_o(sb16[h*16 +: 16])
    );
    fp_minmax #(.Exp(5), .Man(10)) u_f16_minmax (
      .valid_i(is_f16 && !sums), .max_i(op_i == Max), .a_i(old_i[h*16 +: 16]), .b_i(b_i[h*16 +: 16]), .result_o(m16[h*16 +: 16])
    );
    fp_minmax #(.Exp(8), .Man(7)) u_bf16_minmax (
      .valid_i(is_bf16 && !sums), .max_i(op_i == Max), .a_i(old_i[h*16 +: 16]), .b_i(b_i[h*16 +: 16]), .result_o(mb16[h*16 +: 16])
    );
  end
  for (genvar p = 0; p < 4; p++) begin : gen_pair
    fp_add #(.Exp(11), .Man(52), .Stages(FpStages)) u_f64 (
      .clk_i, .valid_i(is_f64), .ftz_i(1'b0), .a_i(old_i[p*64 +: 64]), .b_i(b_i[p*64 +: 64]), .sum_o(s64[p*64 +: 64])
    );
  end

  // ---- together --------------------------------------------------------------------------------------------
  logic       flip;
  logic [7:0] equal;

  assign flip = signed_i && (op_i == Min || op_i == Max);

  always_comb begin
    new_o   = 'x;
    match_o = 'x;
    equal   = 'x;
    if (valid_i) begin
      if (cas_i) begin
        for (int w = 0; w < 8; w++) equal[w] = old_i[w*32 +: 32] == b_i[w*32 +: 32];
        for (int w = 0; w < 8; w++) begin
          match_o[w] = size_i == 3'd4 ? &equal[{w[2], 2'd0} +: 4] : size_i == 3'd3 ? &equal[{w[2:1], 1'b0} +: 2] : equal[w];
        end
        new_o = c_i;
      end else if (type_i == '0) begin
        for (int p = 0; p < 4; p++) new_o[p*64 +: 64] = rmw(op_i, flip, size_i == 3'd3, old_i[p*64 +: 64], b_i[p*64 +: 64]);
      end else begin
        case (type_i)
          F64:     new_o = s64;
          F16:     new_o = sums ? s16 : m16;
          Bf16:    new_o = sums ? sb16 : mb16;
          default: new_o = s32;
        endcase
      end
    end
  end
endmodule
`default_nettype wire

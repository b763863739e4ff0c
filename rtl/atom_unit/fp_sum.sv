// SPDX-License-Identifier: Apache-2.0
// One adder for f64, f32, f16 and bf16, a number at a time: fp_add step by step, in registers of the widest format.
//
// Exponents stand at the low end of 11 bits and mantissas at the high end of 52. So differences of exponents, the least
// exponent and the order of magnitudes are the same as in the format, and the bits below the last place of the format
// serve rounding. Only the place of rounding, the exponent of infinity and the NaN depend on the format.
//
//   U  unpack      C  compare, distances      S  swap      L  align, 14 cycles      A  add      N  normalise, 14 cycles      D  up or not
//   R  round       T  result of the type
//
// Both shifts go by 8 places or by one in a cycle: a multiplexer of four for each bit. A shifter by any distance has
// six multiplexers of two for each bit.
//
// Registers follow each step but the last. The inputs stay until `sum_o` is read, 34 cycles after the cycle with
// `next_i`. A number of less than 64 bits stands in the low bits; the sum fills all 64 bits, repeated.
`default_nettype none

module fp_sum (
  input  logic        clk_i,
  input  logic        next_i,                    // first cycle of a number
  input  logic [2:0]  type_i,                    // as in sector_alu: 1 f32, flushed  2 f16  3 f64  4 f32  5 bf16
  input  logic [63:0] a_i,
  input  logic [63:0] b_i,
  output logic [63:0] sum_o
);
  localparam logic [2:0] F32Ftz = 3'd1, F16 = 3'd2, F64 = 3'd3, Bf16 = 3'd5;
  localparam int Exp = 11, Man = 52;
  localparam int Sig = Man + 4;                  // {hidden, mantissa, guard, round, sticky}

  logic is_f64, is_f16, is_bf16, ftz;
  assign is_f64  = type_i == F64;
  assign is_f16  = type_i == F16;
  assign is_bf16 = type_i == Bf16;
  assign ftz     = type_i == F32Ftz;

  // S in cycle 2, L from 3, A in 17, N from 18 to 31
  logic [4:0] step_q;
  logic       swaps, adds;
  always_ff @(posedge clk_i) step_q <= next_i ? 5'd1 : step_q == '0 ? 5'd0 : step_q + 1'b1;
  assign swaps = step_q == 5'd2;
  assign adds  = step_q == 5'd17;

  // ---- U -----------------------------------------------------------------------------------------------------
  logic           a_sign_q, b_sign_q, a_top_q, b_top_q;
  logic [Exp-1:0] a_exp_q, b_exp_q;
  logic [Man-1:0] a_man_q, b_man_q;

  // {greatest exponent, sign, exponent, mantissa}; bf16 is the upper half of an f32
  function automatic logic [Man+Exp+1:0] unpack(input logic f64, input logic f16, input logic bf16, input logic flush, input logic [63:0] x);
    logic [31:0] word;
    logic [Exp-1:0] exp;
    logic [Man-1:0] man;
    logic sign, top;
    word = bf16 ? {x[15:0], 16'd0} : x[31:0];
    sign = f64 ? x[63] : f16 ? x[15] : word[31];
    exp  = f64 ? x[62:52] : f16 ? {6'd0, x[14:10]} : {3'd0, word[30:23]};
    man  = f64 ? x[51:0] : f16 ? {x[9:0], 42'd0} : {word[22:0], 29'd0};
    top  = &exp[4:0] && (f16 || &exp[7:5]) && (!f64 || &exp[10:8]);
    if (flush && exp == '0) man = '0;
    unpack = {top, sign, exp, man};
  endfunction

  always_ff @(posedge clk_i) begin
    {a_top_q, a_sign_q, a_exp_q, a_man_q} <= unpack(is_f64, is_f16, is_bf16, ftz, a_i);
    {b_top_q, b_sign_q, b_exp_q, b_man_q} <= unpack(is_f64, is_f16, is_bf16, ftz, b_i);
  end

  // ---- C -----------------------------------------------------------------------------------------------------
  logic           a_big_q, minus;
  logic [Exp-1:0] a_place, b_place, a_above_q, b_above_q;

  assign minus   = a_sign_q != b_sign_q;
  assign a_place = {a_exp_q[Exp-1:1], a_exp_q[0] || a_exp_q == '0};  // subnormals have the least exponent, and no hidden bit
  assign b_place = {b_exp_q[Exp-1:1], b_exp_q[0] || b_exp_q == '0};
  always_ff @(posedge clk_i) begin
    a_big_q   <= {a_exp_q, a_man_q} >= {b_exp_q, b_man_q};
    a_above_q <= a_place - b_place;
    b_above_q <= b_place - a_place;
  end

  // ---- S, L --------------------------------------------------------------------------------------------------
  logic           big_sign_q, special_q, nan_q, pass_a_q, pass_b_q;
  logic [Exp-1:0] big_exp_q, distance;
  logic [5:0]     left_q;                        // places left to shift; 63 are as good as more
  logic [Sig-1:0] a_sig, b_sig, big_q, small_q;

  assign distance = a_big_q ? a_above_q : b_above_q;
  assign a_sig    = {a_exp_q != '0, a_man_q, 3'd0};
  assign b_sig    = {b_exp_q != '0, b_man_q, 3'd0};

  always_ff @(posedge clk_i) begin
    big_sign_q <= a_big_q ? a_sign_q : b_sign_q;
    big_exp_q  <= a_big_q ? a_place : b_place;
    big_q      <= a_big_q ? a_sig : b_sig;
    special_q  <= a_top_q || b_top_q;            // the larger magnitude has the greatest exponent then
    nan_q      <= (a_top_q && a_man_q != '0) || (b_top_q && b_man_q != '0) || (a_top_q && b_top_q && minus);
    pass_a_q   <= is_f64 && a_top_q && a_man_q != '0;   // the operands stand until the sum is read
    pass_b_q   <= is_f64 && b_top_q && b_man_q != '0;
  end
  // The lowest place keeps what is shifted out.
  always_ff @(posedge clk_i) begin
    if (swaps) begin
      small_q <= a_big_q ? b_sig : a_sig;
      left_q  <= distance[5:0] | {6{distance[Exp-1:6] != '0}};
    end else if (left_q[5:3] != '0) begin
      small_q     <= {8'd0, small_q[Sig-1:9], small_q[8:0] != '0};
      left_q[5:3] <= left_q[5:3] - 1'b1;
    end else if (left_q[2:0] != '0) begin
      small_q     <= {1'b0, small_q[Sig-1:2], small_q[1:0] != '0};
      left_q[2:0] <= left_q[2:0] - 1'b1;
    end
  end

  // ---- A, N --------------------------------------------------------------------------------------------------
  // With a carry the sum goes a place down; else up, no further than to the least exponent. The carry may make
  // infinity.
  logic [Sig:0]   raw_q;
  logic [Sig-1:0] sum;
  logic [Exp-1:0] exp_q, normal_exp;
  logic           down, by_eight, by_one, carry_q, over_q, none_q;

  assign sum      = raw_q[Sig-1:0];
  assign down       = raw_q[Sig];
  assign by_eight   = raw_q[Sig -: 9] == '0 && exp_q > Exp'(8);
  assign by_one     = raw_q[Sig -: 2] == '0 && !by_eight && exp_q > Exp'(1);
  assign normal_exp = sum[Sig-1] ? exp_q : '0;
  always_ff @(posedge clk_i) begin
    if (adds) begin
      raw_q   <= minus ? {1'b0, big_q} - {1'b0, small_q} : {1'b0, big_q} + {1'b0, small_q};
      exp_q   <= big_exp_q;
      carry_q <= 1'b0;
    end else if (down) begin
      raw_q   <= {1'b0, raw_q[Sig:2], raw_q[1:0] != '0};
      exp_q   <= exp_q + 1'b1;
      carry_q <= 1'b1;
    end else if (by_eight) begin
      raw_q <= raw_q << 8;
      exp_q <= exp_q - Exp'(8);
    end else if (by_one) begin
      raw_q <= raw_q << 1;
      exp_q <= exp_q - 1'b1;
    end
    none_q <= raw_q == '0;
    over_q <= carry_q && &big_exp_q[4:1] && (is_f16 || &big_exp_q[7:5]) && (!is_f64 || &big_exp_q[10:8]);
  end

  // ---- D, R, T -----------------------------------------------------------------------------------------------
  // The last places of f32, f16 and bf16 are 29, 42 and 45 places above the last place of f64.
  logic               up, up_q, sign;
  logic [Exp+Man-1:0] rounded_q, result, more;

  always_comb begin
    if (is_f64) up = sum[2] && (sum[3] || sum[1:0] != '0);
    else if (is_f16) up = sum[44] && (sum[45] || sum[43:0] != '0);
    else if (is_bf16) up = sum[47] && (sum[48] || sum[46:0] != '0);
    else up = sum[31] && (sum[32] || sum[30:0] != '0);
  end
  always_comb begin
    more     = '0;
    more[0]  = up_q && is_f64;
    more[29] = up_q && !is_f64 && !is_f16 && !is_bf16;
    more[42] = up_q && is_f16;
    more[45] = up_q && is_bf16;
  end
  always_ff @(posedge clk_i) begin
    up_q      <= up && !over_q;
    rounded_q <= {normal_exp, over_q || (ftz && !sum[Sig-1]) ? Man'(0) : sum[Man+2:3]} + more;
  end
  always_comb begin
    result = rounded_q;
    sign   = big_sign_q && !(minus && none_q);
    if (special_q) result = {{Exp{1'b1}}, Man'(0)};
    if (nan_q) begin
      sign   = is_f64;
      result = {{Exp + 1{1'b1}}, is_f64 ? {Man-1{1'b0}} : {Man-1{1'b1}}};
    end
    if (pass_b_q) sum_o = b_i;
    else if (pass_a_q) sum_o = a_i;
    else if (is_f64) sum_o = {sign, result};
    else if (is_f16) sum_o = {4{sign, result[56:42]}};
    else if (is_bf16) sum_o = {4{sign, result[59:45]}};
    else sum_o = {2{sign, result[59:29]}};
  end
endmodule
`default_nettype wire
